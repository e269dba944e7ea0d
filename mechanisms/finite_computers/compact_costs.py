"""The cost of a compact histogram: the ratios of Theorem 8.3, the exact epsilon, the parameters of Theorem 8.6."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.finite_computers.empty_bin import fastsample_zero
from dpcert.mechanisms.finite_computers.hash_family import least_exponent
from dpcert.mechanisms.mechanism import integer, inverse

GREATEST_BITS = 4096
"""The greatest number of bits of a label."""


@dataclass(frozen=True, slots=True)
class Costs:
    """The three ratios of Theorem 8.3: e^(e1/2) for the noisy counts of counts one apart, e^e2 and e^e3 for 0."""

    apart: Fraction
    below: Fraction
    above: Fraction

    @property
    def total(self) -> Fraction:
        """e^(e1 + e2 + e3)."""
        return self.apart**2 * self.below * self.above


def _greatest(p: Dist, q: Dist) -> Fraction:
    """Return the greatest p(z) / q(z), for laws with the same outcomes.

    Raises: InputError where an outcome of one is none of the other.
    """
    if set(p.outcomes()) != set(q.outcomes()):
        raise InputError(
            given="two noisy counts with different outcomes",
            needed="the same outcomes, or no ratio bounds one by the other",
            remedy="take an empty-bin sampler that gives every count",
        )
    return max(p.prob(z) / q.prob(z) for z in p.outcomes())


def costs(*, n: int, law: Callable[[int], Dist], zero: Dist) -> Costs:
    """Return the least ratios for which the assumptions of Theorem 8.3 hold, for the empty-bin law `zero`."""
    laws = [law(count) for count in range(n + 1)]
    apart = max(max(_greatest(a, b), _greatest(b, a)) for a, b in pairwise(laws))
    return Costs(apart, _greatest(zero, laws[0]), _greatest(laws[0], zero))


def exact_ratio(*, n: int, universe: int, law: Callable[[int], Dist], zero: Dist) -> Fraction:
    """Return e^epsilon for the least epsilon that the compact histogram has, from two bins at a time.

    The coefficients disclose nothing beyond the counts of the labels that occur in one list or its neighbour. These
    counts are independent, and all but two have the same law on both lists. So this is exact at sizes that cannot be
    enumerated.

    Requires: universe >= 2.
    Source:   finite-computers, proof of Theorem 8.3 i.
    """
    laws = [zero, *(law(count) for count in range(1, n + 1))]
    down = [_greatest(laws[c], laws[c - 1]) for c in range(1, n + 1)]
    up = [_greatest(laws[c - 1], laws[c]) for c in range(1, n + 1)]
    others = [n] if universe == 2 else range(1, n + 1)
    return max(down[one - 1] * up[both - one] for both in others for one in range(1, both + 1))


@dataclass(frozen=True, slots=True)
class Settled:
    """The parameters of Theorem 8.6: those of FastSample, the paper's l, FastSample's d, and the least 30 d/epsilon."""

    epsilon: Fraction
    gamma: Fraction
    exponent: int
    d: int
    least: int


def finer_epsilon(epsilon: Fraction) -> Fraction:
    """Return FastSample's epsilon of Theorem 8.6: 1/ceil(10/(9 epsilon))."""
    return Fraction(1, ceil(10 / (9 * epsilon)))


def settled(*, n: int, universe: int, epsilon: Fraction, beta: Fraction) -> Settled:
    """Return the parameters for (epsilon, 0)-DP and a simultaneous error that holds but for probability beta.

    Requires: n >= 1, universe >= 1; 1/epsilon and 1/beta positive integers.
    Source:   finite-computers, Theorem 8.6 and its proof.
    Raises:   InputError otherwise.
    """
    given = {"n": str(n), "universe": str(universe), "epsilon": ratio_text(epsilon), "beta": ratio_text(beta)}
    integer(given, "n", least=1)
    integer(given, "universe", least=1, greatest=1 << GREATEST_BITS)
    inverse(given, "epsilon")
    inverse(given, "beta")
    finer = finer_epsilon(epsilon)
    gamma = beta / (2 * universe)
    d = fastsample_zero(n=n, epsilon=finer, gamma=gamma).d
    least = ceil(30 * d / epsilon)
    return Settled(finer, gamma, least_exponent(max(universe, least)), d, least)
