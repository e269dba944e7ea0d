"""Sanitized frequencies against Algorithms 4 and 5 by hand and by a second writing, and the sanitizer of a sample."""

from bisect import bisect_right
from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any

import pytest

from dpcert import Dist, Epsilon, InputError, Refuted, Verified, seeded_coins
from dpcert.mechanisms.weighted_sampling import pws_estimators
from dpcert.mechanisms.weighted_sampling.pws_densities import density_rows
from dpcert.mechanisms.weighted_sampling.pws_frequencies import PWS_FREQUENCIES, pws_frequencies
from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities, sampling_probabilities, taken_for
from dpcert.mechanisms.weighted_sampling.pws_rows import Row, discrete_rows
from dpcert.mechanisms.weighted_sampling.pws_sample import sample_keys, sanitize, sanitizer_rows
from dpcert.reading.paths.enumerator import enumerate_law

from .grids import SAMPLINGS, fractions, grid_of

grid = grid_of("1 3/2 2 10", "1/1000 1/10 1/3 1")


def rows_by_constraints(q: list[Fraction], ratio: Fraction, delta: Fraction) -> list[list[Fraction]]:
    """Every prefix of a row is the least that its constraints allow: no passes, only the bounds of each prefix."""
    rows = [[Fraction(1)]]
    for i, pi in enumerate(reporting_probabilities(q=q, ratio=ratio, delta=delta), 1):
        a = [*rows[-1], Fraction(0)]
        sums = [1 - pi]
        for j in range(1, i + 1):
            before = sum(a[: j + 1], Fraction(0))
            bounds = [
                (before - delta) / ratio,
                1 - pi + (before - a[0] - delta) / ratio,
                1 - delta - ratio * (1 - before),
            ]
            sums.append(max(1 - pi, *bounds) if j < i else Fraction(1))
        rows.append([sums[0], *(y - x for x, y in pairwise(sums))])
    return rows


def density_by_bounds(
    q: list[Fraction], ratio: Fraction, delta: Fraction, points: list[Fraction]
) -> list[list[Fraction]]:
    """F_0, F_1, ... at the points, by F_i(z) = the greatest of the bounds at F_(i-1)(z) for z <= i - 1, linear to i."""
    rows = [[Fraction(1)] * len(points)]
    atom = Fraction(1)
    for i, pi in enumerate(reporting_probabilities(q=q, ratio=ratio, delta=delta), 1):
        row = []
        for z, before in zip(points, rows[-1], strict=True):
            if z <= i - 1:
                bounds = [(before - delta) / ratio, 1 - pi + (before - atom - delta) / ratio]
                row.append(max(1 - pi, *bounds, 1 - delta - ratio * (1 - before)))
            else:
                row.append(1 - min(pi, delta) * max(i - z, Fraction(0)))
        rows.append(row)
        atom = 1 - pi
    return rows


@pytest.mark.parametrize(
    ("ratio", "delta", "q", "last"),
    [
        # no sampling, L = 2: delta (1, 2, 4, 2, 1) once five values fit
        ("2", "1/10", "1 1 1 1 1 1", "0 0 1/10 1/5 2/5 1/5 1/10"),
        # row 2 is 1/5, 1/10; row 3 raises both by 2 and adds 1/10
        ("2", "1/10", "1 1 1", "3/10 2/5 1/5 1/10"),
        # pi = 1/5, 1/2, 1/2: value 1 falls to [3/10 - 1/5]/2, value 2 rises to what is left
        ("2", "1/5", "1/2 1/2 1/2", "1/2 1/20 1/4 1/5"),
        # without epsilon each row moves delta up
        ("1", "1/4", "1 1 1 1 1", "0 0 1/4 1/4 1/4 1/4"),
        # delta = 1: the frequency itself
        ("3", "1", "1/9 1/2", "1/2 0 1/2"),
        # never sampled, never reported
        ("2", "1/10", "0 0 1", "9/10 0 0 1/10"),
    ],
)
def test_twin_algorithm_4_by_hand(ratio: str, delta: str, q: str, last: str) -> None:
    rows = discrete_rows(q=fractions(q), ratio=Fraction(ratio), delta=Fraction(delta))
    assert list(rows[-1]) == fractions(last)


def test_twin_algorithm_5_by_hand() -> None:
    """q = 1/2, E = 2, delta = 1/4: of (0, 1] the upper half rises to twice its density; then c_3 = 1 + 2/3 (*)."""
    rows, ends = density_rows(q=fractions("1/2 1/2 1/2"), ratio=Fraction(2), delta=Fraction(1, 4))
    assert ends == fractions("1/2 1 5/3 2 3")
    assert [list(row) for row in rows] == [
        fractions("1 0 0 0 0 0"),
        fractions("3/4 1/8 1/8 0 0 0"),
        fractions("1/2 0 1/4 1/6 1/12 0"),
        fractions("1/2 0 0 1/12 1/6 1/4"),  # (*) half of 1/6, and twice 1/12: with 1/4, a half in all
    ]


@grid
def test_twin_algorithm_4_by_the_bounds_of_each_prefix(ratio: Fraction, delta: Fraction, text: str) -> None:
    q = sampling_probabilities(text, 6)
    expected = rows_by_constraints(q, ratio, delta)
    assert [list(row) for row in discrete_rows(q=q, ratio=ratio, delta=delta)] == expected


@pytest.mark.points(48)
@grid
def test_twin_algorithm_5_by_the_bounds_of_each_prefix(ratio: Fraction, delta: Fraction, text: str) -> None:
    q = sampling_probabilities(text, 6)
    rows, ends = density_rows(q=q, ratio=ratio, delta=delta)
    assert len(ends) <= 18
    points = sorted({*ends, *(a / 3 + 2 * b / 3 for a, b in pairwise([Fraction(0), *ends]))})
    expected = density_by_bounds(q, ratio, delta, points)
    for row, sums in zip(rows, expected, strict=True):
        reached = list(accumulate(row))
        for z, value in zip(points, sums, strict=True):
            cell = bisect_right(ends, z)
            start = ends[cell - 1] if cell else Fraction(0)
            within = (z - start) / (ends[cell] - start) * row[cell + 1] if z != start and cell < len(ends) else 0
            assert reached[cell] + within == value


@pytest.mark.points(80)
@grid
@pytest.mark.parametrize("algorithm", [4, 5])
def test_rows_report_as_often_as_keys_and_move_up(
    ratio: Fraction,
    delta: Fraction,
    text: str,
    algorithm: int,
    excess: Callable[[dict[int, Fraction], dict[int, Fraction], Fraction], Fraction],
) -> None:
    q = sampling_probabilities(text, 6)
    rows = discrete_rows(q=q, ratio=ratio, delta=delta)
    if algorithm == 5:
        rows, _ = density_rows(q=q, ratio=ratio, delta=delta)
    pi = [Fraction(0), *reporting_probabilities(q=q, ratio=ratio, delta=delta)]
    for i, row in enumerate(rows):
        assert sum(row[1:]) == pi[i]
        assert sum(row) == 1
        assert min(row) >= 0
    for low, high in pairwise(rows):
        a, b = (dict(enumerate(row)) for row in (low, high))
        assert max(excess(a, b, ratio), excess(b, a, ratio)) <= delta
        for j in range(len(high)):
            assert sum(low[: j + 1]) >= sum(high[: j + 1])


@pytest.mark.points(1)
@pytest.mark.parametrize("algorithm", ["4", "5"])
def test_the_closed_form_is_the_programs_law_for_every_frequency(algorithm: str) -> None:
    for text in SAMPLINGS:
        settings = {"epsilon": "ln(3/2)", "delta": "1/7", "imax": "6", "q": text, "algorithm": algorithm}
        instance = PWS_FREQUENCIES.build(PWS_FREQUENCIES.settings(settings))
        assert instance.closed_form is not None
        for frequency in instance.inputs:
            assert instance.closed_form(frequency) == enumerate_law(instance.program, frequency).law


@pytest.mark.points(1)
@pytest.mark.parametrize("algorithm", ["4", "5"])
@pytest.mark.parametrize(
    ("epsilon", "q"), [("ln(2)", "1"), ("1/2", "1"), ("1", "priority:1/4"), ("0", "ppswor:1/3"), ("1/3 + ln(2)", "1/2")]
)
def test_verified_at_the_claim_and_refuted_at_a_smaller_delta(audit: Any, epsilon: str, q: str, algorithm: str) -> None:
    settings = {"epsilon": epsilon, "delta": "1/10", "imax": "7", "q": q, "algorithm": algorithm}
    report = audit(PWS_FREQUENCIES, settings)
    assert isinstance(report.verdict, Verified)
    assert report.pairs == 16
    assert report.delta_lo == Fraction(1, 10)
    assert isinstance(audit(PWS_FREQUENCIES, settings, delta="0.0999999999").verdict, Refuted)


def test_the_default_scope_is_all_frequencies_for_frequencies_that_differ_by_one() -> None:
    instance = PWS_FREQUENCIES.build(PWS_FREQUENCIES.settings({}))
    assert instance.inputs == tuple(range(22))
    assert instance.assumptions == (taken_for(20),)
    assert (instance.neighbours, instance.observes) == ("counts_differ_by_one", "outcome")
    assert (instance.epsilon, instance.delta) == (Epsilon.of("1/2"), Fraction(1, 100))


def rows_of(text: str) -> tuple[list[Fraction], list[Row]]:
    q = sampling_probabilities(text, 3)
    return q, discrete_rows(q=q, ratio=Fraction(2), delta=Fraction(1, 10))


def test_twin_a_sanitized_sample_needs_no_data() -> None:
    """The law of the sanitizer on each sample, mixed by the samples' probabilities, is the law of data and sampling."""
    q, rows = rows_of("1/5, 1/2, 1/2")
    sanitizer = sanitizer_rows(q=q, rows=rows)
    on_sample, sampler = sanitize(sanitizer=sanitizer), sample_keys(q=q)
    data = {"b": 2, "a": 3}
    samples = enumerate_law(sampler, data).law
    assert samples.prob((("a", 3), ("b", 2))) == Fraction(1, 4)
    mixed = Dist.mix((p, enumerate_law(on_sample, sample).law) for sample, p in samples.items())
    end_to_end = Dist.of(
        (tuple((key, j) for key, j in (("a", x), ("b", y)) if j), p * r)
        for x, p in enumerate(rows[3])
        for y, r in enumerate(rows[2])
    )
    assert mixed == end_to_end
    assert [sum(row) for row in sanitizer] == [1, 1, 1]
    assert sanitizer[1][1] == rows[2][1] / q[1]


def test_a_frequency_that_is_never_sampled_is_never_reported() -> None:
    q, rows = rows_of("0, 0, 1")
    assert sanitizer_rows(q=q, rows=rows)[:2] == [rows[1], rows[2]]
    assert rows[1][0] == rows[2][0] == 1


@pytest.mark.parametrize(
    ("sample", "given"),
    [
        ([("a", 1), ("b", 2), ("a", 1)], "'a' twice"),
        ([("a", 0)], "frequency 0"),
        ([("a", -1)], "frequency -1"),
        ([("a", 4)], "frequency 4"),
        ([("a", Fraction(3, 2))], "3, 2"),
        ([("a", 1.5)], "1.5"),
        ([("a", True)], "True"),
    ],
)
def test_refused_samples(sample: list[tuple[str, int]], given: str) -> None:
    q, rows = rows_of("1")
    with pytest.raises(InputError, match=given) as caught:
        sanitize(sanitizer=sanitizer_rows(q=q, rows=rows))(sample, seeded_coins(0))
    assert "\n" not in str(caught.value)


def test_refused_frequencies_of_data_and_of_a_key() -> None:
    q = fractions("1 1 1")
    with pytest.raises(InputError, match="frequency 0, which is below 1"):
        sample_keys(q=q)({"a": 0}, seeded_coins(0))
    with pytest.raises(InputError, match="frequency -1, which is below 0"):
        pws_frequencies(q=q, draws=[])(-1, seeded_coins(0))


def test_twin_estimates_by_hand() -> None:
    """Rows (1/10), (1/5, 1/10) and (2/5, 1/5, 1/10), which report with 1/10, 3/10 and 7/10."""
    _, rows = rows_of("1")
    assert pws_estimators.maximum_likelihood(rows=rows, g=lambda i: i) == tuple(fractions("0 30/7 30/7 30/7"))
    assert pws_estimators.unbiased(rows=rows, g=lambda i: i) == tuple(fractions("0 10 0 -10"))
    # min(1 / (1/10), 2 / (3/10), 3 / (7/10)), then (3 - 12/7) / (3/10) = 30/7 again
    assert pws_estimators.biased_down(rows=rows, g=lambda i: i) == tuple(fractions("0 30/7 30/7 30/7"))


def test_twin_moments_by_hand() -> None:
    found = pws_estimators.moments(
        row=(Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)), estimates=tuple(fractions("0 2 6")), meant=3
    )
    # mean 1/2 + 3/2; squared error 9/2 + 1/4 + 9/4
    assert (found.mean, found.bias, found.squared_error, found.variance) == (2, -1, 7, 6)


def test_estimates_of_sums() -> None:
    reported = [("a", 1), ("b", 2), ("c", 1)]
    estimates = tuple(fractions("0 5 7"))
    assert pws_estimators.linear_statistic(sanitized=reported, estimates=estimates) == 17
    assert pws_estimators.linear_statistic(sanitized=reported, estimates=estimates, selects=lambda key: key == "b") == 7


def test_refused_rows_for_the_unbiased_estimate() -> None:
    rows, _ = density_rows(q=[Fraction(1, 2)] * 3, ratio=Fraction(2), delta=Fraction(1, 4))
    with pytest.raises(InputError, match="a row 1 with 5 values"):
        pws_estimators.unbiased(rows=rows, g=lambda i: i)
    with pytest.raises(InputError, match="a row 1 with 1 values"):
        pws_estimators.unbiased(rows=rows_of("0, 1")[1], g=lambda i: i)
