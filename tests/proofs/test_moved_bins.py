"""The check of Theorem 2 for people who move: its two bins against their joint laws, and its witness in integers."""

from fractions import Fraction
from math import comb

import pytest

from dpcert.audit.kernel.divergence import hockey_stick
from dpcert.mechanisms.sample_and_threshold.sample_threshold import sample_threshold_law
from dpcert.proofs.sample_and_threshold.checks.theorem_2 import two_bins_delta


def test_exact_twin_of_two_bins_by_their_joint_laws() -> None:
    for rate, threshold in ((Fraction(1, 3), 2), (Fraction(1, 2), 1), (Fraction(1, 10), 3)):
        law = sample_threshold_law(rate=rate, threshold=threshold)
        for left in range(1, 6):
            for entered in range(1, 6):
                bins = (law(left), law(left - 1)), (law(entered - 1), law(entered))
                joint = (bins[0][0].product(bins[1][0]), bins[0][1].product(bins[1][1]))
                for ratio in (Fraction(1), Fraction(3, 2), Fraction(3)):
                    assert two_bins_delta(*bins, ratio) == hockey_stick(*joint, ratio)


@pytest.mark.nightly
def test_the_witness_in_integers() -> None:
    """At p = 1/3, e^epsilon = 3/2: q = 5/9 and the bound is (3/5)^445 (3/2)^(4/5 445) = (3^9 / (2^4 5^5))^89.

    An event, whatever it is, needs no more than the least delta; this one has bin 0 shown with v people, where that is
    likelier by more than 3/2 than what bin 1 shows makes up for.
    """
    tau, left, entered = 445, 849, 1549
    first = [(binomial(left, v), 3 * binomial(left - 1, v)) for v in range(tau, left + 1)]
    second = [(3 * binomial(entered - 1, w), binomial(entered, w)) for w in range(tau, entered + 1)]
    second.append(
        (sum(3 * binomial(entered - 1, w) for w in range(tau)), sum(binomial(entered, w) for w in range(tau)))
    )
    total = 0
    for x, y in second:
        shown = [(p, q) for p, q in first if 2 * p * x > 3 * q * y]
        total += 2 * sum(p for p, _ in shown) * x - 3 * sum(q for _, q in shown) * y
    needed = Fraction(total, 2 * 3 ** (left + entered))
    assert needed > Fraction(3**9, 2**4 * 5**5) ** 89


def binomial(people: int, sampled: int) -> int:
    """The probability at rate 1/3, times 3**people; 0 where more are sampled than there are."""
    return comb(people, sampled) * 2 ** (people - sampled) if sampled <= people else 0
