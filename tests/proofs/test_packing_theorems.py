"""The packing of the theorem is that by which the lower bounds exclude errors."""

from fractions import Fraction
from itertools import product

from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.finite_computers.lower_bounds import per_query_least
from dpcert.proofs.finite_computers.theorems.packing import kept_by_one_row


def kept(ratio: Fraction, delta: Fraction, probability: Fraction, m: int) -> Fraction:
    """How probable an event stays m rows away."""
    for _ in range(m):
        probability = kept_by_one_row(1 / ratio, delta, probability)
    return probability


def test_the_packing_is_that_of_the_bounds() -> None:
    """The least a of the packing is the first at which an event 2a + 1 rows away may have beta, no more."""
    for ratio, delta, beta in product(
        (Fraction(9, 8), Fraction(3)), (Fraction(0), Fraction(1, 1000)), (Fraction(1, 3), Fraction(1, 1000))
    ):
        least = per_query_least(epsilon=Epsilon.ln(ratio), delta=delta, beta=beta, n=200).packing
        open_at = next(a for a in range(101) if 2 * a >= 200 or kept(ratio, delta, 1 - beta, 2 * a + 1) <= beta)
        assert least == open_at
        powers = sum(ratio**-i for i in range(1, 8))
        assert kept(ratio, delta, 1 - beta, 7) == ratio**-7 * (1 - beta) - delta * powers
