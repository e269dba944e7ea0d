"""The recurrence of reporting probabilities, for numbers and for terms."""

from __future__ import annotations

from typing import Any

from dpcert.proofs.terms import least


def next_probability(E: Any, delta: Any, q: Any, a: Any) -> Any:
    """Return pi_i = min{q_i, E a + delta, 1 + (a + delta - 1)/E} for a = pi_(i-1), q = q_i, E = e^epsilon.

    Source: weighted-sampling, Algorithm 3.
    """
    return least(q, E * a + delta, 1 + (a + delta - 1) / E)
