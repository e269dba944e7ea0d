"""Helpers of the checks: both orders of neighbours, and the kernel's answer for each."""

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction

from dpcert.audit.kernel.divergence import decide_pair
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon


def ordered_pairs(laws: Sequence[Dist]) -> Iterator[tuple[Dist, Dist]]:
    """Return each law with the next, in both orders."""
    for a, b in itertools.pairwise(laws):
        yield a, b
        yield b, a


def within(laws: Sequence[Dist], epsilon: Epsilon, delta: Fraction) -> bool:
    """Whether each law is (epsilon, delta)-close to the next and to the one before, as the kernel decides."""
    return all(decide_pair(p, q, epsilon, delta)[0] is True for p, q in ordered_pairs(laws))
