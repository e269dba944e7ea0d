"""Unbounded geometric noise by a table of powers: its law, exactly, on few bits; refused ratios."""

from fractions import Fraction

import pytest

from dpcert import Dist, InputError, Limits, seeded_coins
from dpcert.mechanisms.anonymized_histograms.geometric_noise import geometric_noise, one_sided
from dpcert.mechanisms.exact.enumerator import LazyRun, exact_law
from dpcert.mechanisms.exact.explore import Settings

COARSE = Settings(LazyRun, Limits(max_tail=Fraction(1, 10**6)))


@pytest.mark.parametrize(("ratio", "word"), [("2", 2), ("2", 4), ("3/2", 4), ("7/3", 6), ("10", 8), ("4/3", 8)])
def test_twin_the_law_of_the_size_is_geometric_however_few_bits_a_word_has(ratio: str, word: int) -> None:
    alpha = 1 / Fraction(ratio)
    draw = one_sided(ratio=Fraction(ratio), word=word)
    law = Dist.like(exact_law(lambda _, coins: draw(coins), None, COARSE).law)
    assert 0 < law.tail <= Fraction(1, 10**6)
    missing = Fraction(0)
    for size in range(60):
        short = alpha**size * (1 - alpha) - law.prob(size)
        assert 0 <= short <= law.tail
        missing += short
    assert missing <= law.tail
    assert law.prob(0) == 1 - alpha


@pytest.mark.parametrize(("ratio", "word"), [("2", 4), ("5", 6)])
def test_twin_the_law_is_two_sided_geometric(ratio: str, word: int) -> None:
    alpha = 1 / Fraction(ratio)
    draw = geometric_noise(ratio=Fraction(ratio), word=word)
    law = Dist.like(exact_law(lambda _, coins: draw(coins), None, COARSE).law)
    for z in range(-3, 4):
        assert 0 <= (1 - alpha) / (1 + alpha) * alpha ** abs(z) - law.prob(z) <= law.tail
    assert law.prob(0) == (1 - alpha) / (1 + alpha)


def test_rate_twenty_thousand_seeded_draws_have_the_mean_and_the_mean_size_that_they_should() -> None:
    """Six standard errors, twice: alpha below 1e-8."""
    ratio, many = Fraction(31, 30), 20_000
    draw, coins = geometric_noise(ratio=ratio), seeded_coins(7)
    found = [draw(coins) for _ in range(many)]
    second = float(2 / ratio / (1 - 1 / ratio) ** 2)
    assert abs(sum(found) / many) < 6 * (second / many) ** 0.5
    mean = float(2 * ratio / (ratio**2 - 1))
    assert abs(sum(map(abs, found)) / many - mean) < 6 * (second / many) ** 0.5


@pytest.mark.parametrize(("ratio", "word"), [("1", 64), ("1/2", 64), ("101/100", 8)])
def test_refused_ratios(ratio: str, word: int) -> None:
    with pytest.raises(InputError, match="ratio"):
        one_sided(ratio=Fraction(ratio), word=word)
