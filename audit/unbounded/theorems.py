"""The closed registry of theorems for inputs without end, or too many, each by the built-in mechanism it is about."""

from __future__ import annotations

from collections.abc import Mapping

from dpcert.audit.unbounded.geosample.theorem import TWO_COUNTS
from dpcert.audit.unbounded.sample_and_threshold.theorem import SAMPLE_AND_THRESHOLD
from dpcert.audit.unbounded.theorem import UnboundedTheorem
from dpcert.mechanisms.exact.errors import InputError

THEOREMS: Mapping[str, UnboundedTheorem] = {
    theorem.mechanism.name: theorem for theorem in (SAMPLE_AND_THRESHOLD, TWO_COUNTS)
}


def theorem_for(mechanism: str, settings: Mapping[str, str]) -> UnboundedTheorem | None:
    """Return the theorem for a built-in mechanism at settings that mean inputs without end; None at any others.

    Raises: InputError where they mean inputs without end of another mechanism alone.
    """
    theorem = THEOREMS.get(mechanism)
    if theorem is not None and theorem.is_endless(settings):
        return theorem
    for other in THEOREMS.values():
        if other.is_endless(settings):
            raise InputError(
                given=f"{other.setting}={other.value}: no theorem covers every {other.noun} of {mechanism}",
                needed=f"the greatest {other.noun} to audit",
                remedy=f"write --set {other.setting}={other.example}",
            )
    return None
