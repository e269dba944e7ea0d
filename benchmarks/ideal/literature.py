"""The mechanisms of the literature's benchmark on ideal noise: the programs of `literature/plain.py`, as they are.

Their noise comes from numpy's own `laplace` and `exponential` in place of the faster twins that the samplers share, and
their epsilon is 1/10 exactly. Left out are TruncatedGeometric and the two RAPPORs, whose draws are integers and are
audited exactly as they are, and LaplaceFixed, which is about doubles.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from literature import plain
from literature.registry import BENCHMARK, Benchmark

from dpcert.audit.ideal.report import IdealReport
from dpcert.audit.ideal.verdict import decide_ideal
from dpcert.audit.kernel.claim import Claim, PureDP
from dpcert.audit.kernel.neighbours import Neighbours
from dpcert.audit.relations import relation

WITHOUT_REAL_NOISE = frozenset({"LaplaceFixed", "TruncatedGeometric", "RAPPOR", "OneTimeRAPPOR"})
NAMES = tuple(name for name in BENCHMARK if name not in WITHOUT_REAL_NOISE)
LONG = frozenset({"SVT34Parallel", "PrefixSum"})
"""Of these, many numbers are released at once: their alignments take more than minutes."""


def verdict(name: str) -> IdealReport:
    """Return the verdict on a mechanism's claim, on its input pairs."""
    row = BENCHMARK[name]
    inputs = tuple(dict.fromkeys(x for pair in row.pairs for x in pair))
    claim = Claim(name, (), inputs, _related(row), PureDP(row.claimed))
    with exact_noise():
        return decide_ideal(claim, row.plain)


def _related(row: Benchmark) -> Neighbours:
    pairs = {frozenset(pair) for pair in row.pairs}
    return relation(lambda a, b: frozenset((a, b)) in pairs)


@contextmanager
def exact_noise() -> Iterator[None]:
    """Run the body with the programs' noise from numpy's own methods, and an epsilon of 1/10."""
    names: dict[str, Any] = {
        "EPSILON": Fraction(1, 10),
        "laplace": lambda rng, scale, size: rng.laplace(scale=scale, size=size),
        "exponential": lambda rng, scale, size: rng.exponential(scale=scale, size=size),
    }
    before = {name: getattr(plain, name) for name in names}
    vars(plain).update(names)
    try:
        yield
    finally:
        vars(plain).update(before)
