"""What PrivHist computes without coins: the threshold, the fakes, the boundaries, and what follows the noise."""

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import mpmath
import pytest

from dpcert import Epsilon, InputError
from dpcert.mechanisms.anonymized_histograms import parameters, postprocess
from dpcert.mechanisms.anonymized_histograms.inputs import compact, histograms_up_to, lists_of_counts
from dpcert.mechanisms.anonymized_histograms.printed import smoothed_prevalences
from dpcert.mechanisms.anonymized_histograms.smoothing import PRIVHIST_SMOOTHED, smoothed

RATIOS = [Fraction(2), Fraction(3, 2), Fraction(7, 6), Fraction(11, 10), Fraction(101, 100)]


def mean(values: list[Fraction], weights: list[int]) -> Fraction:
    return sum((v * w for v, w in zip(values, weights, strict=True)), Fraction(0)) / sum(weights)


def by_extremes(values: list[Fraction], weights: list[int]) -> list[Fraction]:
    """The isotonic fit by its formula: the greatest over ends of the least over starts of the block's mean."""
    places = range(len(values))
    return [
        max(min(mean(values[a : b + 1], weights[a : b + 1]) for a in range(i + 1)) for b in range(i, len(values)))
        for i in places
    ]


def test_twin_pooling_is_the_formula_of_extremes() -> None:
    for values in product((-2, 0, 1, 3), repeat=4):
        exact = [Fraction(value) for value in values]
        assert postprocess.isotonic(values) == by_extremes(exact, [1] * 4)
        halves = [value / 2 for value in exact]
        assert postprocess.isotonic(halves, [1, 4, 2, 9]) == by_extremes(halves, [1, 4, 2, 9])
    assert postprocess.isotonic([]) == []


@pytest.mark.parametrize("weights", [[1], [1, 0], [1, -1], [1, 2, 3]])
def test_refused_weights_that_do_not_fit(weights: list[int]) -> None:
    with pytest.raises(InputError, match="one weight >= 1 for each value"):
        postprocess.isotonic([3, 4], weights)


@pytest.mark.parametrize(
    ("value", "rounded"), [("1/2", 1), ("-1/2", 0), ("3/2", 2), ("7/5", 1), ("-7/5", -1), ("4", 4), ("-3/2", -1)]
)
def test_halves_round_up(value: str, rounded: int) -> None:
    assert postprocess.nearest(Fraction(value)) == rounded


def removed_one_by_one(counts: list[int], target: int, many: int) -> list[int]:
    left = sorted(counts)
    for _ in range(min(many, len(left))):
        left.remove(min(left, key=lambda r: (abs(r - target), r)))
    return left


def pairs(counts: list[int]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(Counter(counts).items()))


def test_twin_removal_is_removal_one_by_one() -> None:
    for counts in histograms_up_to(7):
        for target, many in product(range(1, 6), range(5)):
            assert postprocess.remove_closest(pairs(counts), target, many) == pairs(
                removed_one_by_one(counts, target, many)
            )


def test_twin_low_privacy_step_by_step() -> None:
    """L1 to L4 on lists: the fit, max with 0, round, add the large counts, remove M at T + 1 and then M at T."""
    for small in product((-1, 0, 2, 5), repeat=3):
        for large in ((), (2,), (7, 4, -3)):
            for made in (0, 1, 3):
                fitted = by_extremes([Fraction(z) for z in small], [1] * 3)
                least = [*(postprocess.nearest(max(value, Fraction(0))) for value in fitted), 0]
                counts = [r for r in range(1, 4) for _ in range(least[r - 1] - least[r])]
                counts += [max(z, 3) for z in large]
                counts = removed_one_by_one(removed_one_by_one(counts, 4, made), 3, made)
                assert postprocess.low_privacy_histogram(small, large, threshold=3, fakes=made) == pairs(counts)


def test_twin_high_privacy_step_by_step() -> None:
    """H5 and H6: the weighted fit of the quotients, extended down to the next boundary below, rounded."""
    marks = [1, 2, 5, 9]
    gaps = [1, 1, 3, 4]
    for noisy in product((-3, 0, 2, 7), repeat=4):
        quotients = [Fraction(z, gap) for z, gap in zip(noisy, gaps, strict=True)]
        fitted = by_extremes(quotients, [gap**2 for gap in gaps])
        above = {r: next(x for s, x in zip(marks, fitted, strict=True) if s >= r) for r in range(1, 10)}
        least = [*(postprocess.nearest(max(above[r], Fraction(0))) for r in range(1, 10)), 0]
        counts = [r for r in range(1, 10) for _ in range(least[r - 1] - least[r])]
        assert postprocess.high_privacy_histogram(noisy, marks) == pairs(counts)


MARKS = [(1,), (4,), (1, 2), (2, 3), (1, 2, 4), (1, 3, 6), (2, 5), (1, 2, 3, 4, 5, 6, 7)]


@pytest.mark.parametrize("marks", MARKS)
def test_twin_smoothed_prevalences_times_their_gaps_are_integers(marks: tuple[int, ...]) -> None:
    """Step H3 as the source writes it, summed from each boundary on and multiplied by the gap below it."""
    for counts in histograms_up_to(8):
        phi = smoothed_prevalences(dict(pairs(counts)), marks)
        gaps = [high - low for low, high in zip((0, *marks), marks, strict=False)]
        above = [sum((phi[s] for s in marks[i:]), Fraction(0)) for i in range(len(marks))]
        assert smoothed(pairs(counts), marks) == [gap * value for gap, value in zip(gaps, above, strict=True)]


def least_integer(holds: Any) -> int:
    found = 0
    while not holds(found):
        found += 1
    return found


@pytest.mark.parametrize("ratio", RATIOS)
def test_twin_threshold_and_fakes_are_those_of_the_formulas(ratio: Fraction) -> None:
    """By counting up, with intervals of 60 digits that tell each comparison, or equality that integers decide."""
    with mpmath.workdps(60):
        ln = mpmath.log(mpmath.mpf(ratio.numerator) / ratio.denominator)
        epsilon = 3 * ln
        assert parameters.is_low_privacy(ratio) == (epsilon > 1)
        for n in (1, 2, 3, 4, 5, 9, 10, 17, 64, 1000):
            square = n * min(epsilon, mpmath.mpf(1))
            assert parameters.threshold(n, ratio) == least_integer(lambda t, square=square: t * t >= square)
            made = parameters.fakes(n, ratio)
            assert ratio**made >= n**2 * ratio**2 or made == 0
            assert made * ln >= 1
            assert ratio ** (made - 1) < n**2 * ratio**2 or (made - 1) * ln < 1
            top = parameters.top_threshold(n, ratio)
            assert (top - 1) ** 2 < 100 * n / ln**3 <= top**2


def test_fakes_where_the_formula_is_an_integer() -> None:
    """2^(M - 2) = N^2 for N = 4: bounds of logarithms never tell, integers do."""
    assert [parameters.fakes(n, Fraction(2)) for n in (1, 2, 4, 5, 8)] == [2, 4, 6, 7, 8]


@pytest.mark.parametrize("ratio", [Fraction(7, 6), Fraction(11, 10), Fraction(101, 100)])
@pytest.mark.parametrize("n", [1, 7, 400, 10**5])
def test_twin_boundaries_are_those_of_the_formula(ratio: Fraction, n: int) -> None:
    """Powers of 1 + q in 60 digits; the floors differ from those of the code by at most one, and rarely at all."""
    low, top = parameters.threshold(n, ratio), parameters.top_threshold(n, ratio)
    with mpmath.workdps(60):
        ln = mpmath.log(mpmath.mpf(ratio.numerator) / ratio.denominator)
        q = mpmath.sqrt(mpmath.log(1 / ln) / (n * ln))
        powers, value = set(), mpmath.mpf(low)
        while value <= min(top, 2 * n):
            powers.add(int(mpmath.floor(value)))
            value *= 1 + q
    meant = {*range(1, low + 1), *powers, 2 * n}
    found = parameters.boundaries(n, ratio, ())
    assert found == sorted(set(found))
    assert set(found) == meant


def test_large_counts_are_boundaries_from_the_top_threshold_to_twice_the_total() -> None:
    ratio, n = Fraction(7, 6), 10**5
    top = parameters.top_threshold(n, ratio)
    plain = parameters.boundaries(n, ratio, ())
    chosen = [top - 1, top, top + 12345, 2 * n, 2 * n + 1]
    kept = [count for count in chosen if top <= count <= 2 * n]
    assert parameters.boundaries(n, ratio, chosen) == sorted({*plain, *kept})
    assert top + 12345 not in plain


@pytest.mark.parametrize(
    ("epsilon", "ratio"),
    [
        ("ln(8)", Fraction(2)),
        ("ln(27/8)", Fraction(3, 2)),
        ("ln(343/216)", Fraction(7, 6)),
        ("ln(9)", None),
        ("1", None),
    ],
)
def test_each_share_is_a_third_and_never_more(epsilon: str, ratio: Fraction | None) -> None:
    found, bounds = parameters.share(Epsilon.of(epsilon)), Epsilon.of(epsilon).exp_bounds(64)
    assert ratio is None or found == ratio
    assert found**3 <= bounds[0]
    if ratio is None:
        assert (found + Fraction(1, 1 << 16)) ** 3 > bounds[0]


def test_refused_epsilon_too_small_for_its_share() -> None:
    with pytest.raises(InputError, match="raise epsilon"):
        parameters.share(Epsilon.of("1e-5"))
    with pytest.raises(InputError, match="raise epsilon"):
        parameters.share(Epsilon.of("0"))


def test_refused_more_fakes_or_small_counts_than_can_be_represented() -> None:
    with pytest.raises(InputError, match="fake elements"):
        parameters.fakes(10**40, 1 + Fraction(1, 1 << 16))
    with pytest.raises(InputError, match="T <= "):
        parameters.threshold(10**18, Fraction(7, 6))
    with pytest.raises(InputError, match="T <= "):
        parameters.threshold(10**18, Fraction(2))


@pytest.mark.parametrize(
    ("given", "found"), [([], ()), ([[1, 4], [3, 2]], ((1, 4), (3, 2))), (((1, 0), (2, 5)), ((2, 5),))]
)
def test_twin_the_compact_format_drops_what_does_not_occur(given: Any, found: Any) -> None:
    assert compact(given) == found


@pytest.mark.parametrize(
    "given",
    [
        [[0, 1]],
        [[-2, 1]],
        [[1, -1]],
        [[2, 1], [1, 1]],
        [[1, 1], [1, 2]],
        [[1, 1.0]],
        [[True, 1]],
        [[1, Fraction(1)]],
        [["1", 1]],
        [[1]],
        [[1, 2, 3]],
        [7],
        ["11"],
    ],
)
def test_refused_prevalences(given: Any) -> None:
    with pytest.raises(InputError):
        compact(given)


@pytest.mark.parametrize("given", [(1, 2), [0], [-1], [1.0], [True], ["1"], [2, 2], 3, None])
def test_refused_lists_of_counts(given: Any) -> None:
    assert given not in lists_of_counts(3)
    with pytest.raises(InputError):
        lists_of_counts(3).require(given)


def test_the_inputs_are_all_partitions() -> None:
    found = histograms_up_to(6)
    assert len(found) == 1 + 1 + 2 + 3 + 5 + 7 + 11
    assert len({tuple(counts) for counts in found}) == len(found)
    assert all(counts in lists_of_counts(6) for counts in found)
    assert [1, 3, 1] in lists_of_counts(None)


@pytest.mark.parametrize("marks", ["", "0,1", "2,1", "1,1", "1,3/2", "-1"])
def test_refused_boundaries(marks: str) -> None:
    with pytest.raises(InputError):
        PRIVHIST_SMOOTHED.build(PRIVHIST_SMOOTHED.settings({"S": marks}))
