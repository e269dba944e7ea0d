"""The witnesses against weighted-sampling by hand, exact linear programs against known answers, and optimality."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import mpmath
import pytest

from dpcert import Dist, Epsilon
from dpcert.mechanisms.weighted_sampling.pws_densities import density_rows
from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities
from dpcert.mechanisms.weighted_sampling.pws_rows import discrete_rows
from dpcert.proofs.evidence import within
from dpcert.proofs.linear import Solution, greatest, proves
from dpcert.proofs.weighted_sampling.checks import baseline
from dpcert.proofs.weighted_sampling.checks.frequencies import integral_delta
from dpcert.proofs.weighted_sampling.checks.separation import concordance, separation


def fractions(text: str) -> list[Fraction]:
    return [Fraction(part) for part in text.split()]


def matrix(*rows: str) -> list[list[Fraction]]:
    return [fractions(row) for row in rows]


def test_exact_twin_of_a_linear_program_by_all_vertices() -> None:
    """max 3x + 2y, x + y <= 4, x + 3y <= 6, x <= 3: of the vertices that are allowed the best is (3, 1)."""
    lines, bounds, objective = matrix("1 1", "1 3", "1 0"), fractions("4 6 3"), fractions("3 2")
    solution = greatest(lines, bounds, objective)
    assert solution == Solution((Fraction(3), Fraction(1)), tuple(fractions("2 0 1")), Fraction(11))
    every = [(*line, bound) for line, bound in zip(lines, bounds, strict=True)] + [(-1, 0, 0), (0, -1, 0)]
    values = []
    for (a, b, m), (c, d, n) in product(every, every):
        if (det := a * d - b * c) != 0:
            x, y = Fraction(m * d - b * n) / det, Fraction(a * n - m * c) / det
            if all(p * x + q * y <= r for p, q, r in every):
                values.append(3 * x + 2 * y)
    assert max(values) == solution.value


def test_a_degenerate_program_that_cycles_by_the_largest_coefficient_ends() -> None:
    """Beale's example: its value is 1/20."""
    lines = matrix("1/4 -60 -1/25 9", "1/2 -90 -1/50 3", "0 0 1 0")
    solution = greatest(lines, fractions("0 0 1"), fractions("3/4 -150 1/50 -6"))
    assert solution.value == Fraction(1, 20)
    assert proves(solution, lines, fractions("0 0 1"), fractions("3/4 -150 1/50 -6"))


def test_refused_linear_programs() -> None:
    with pytest.raises(ValueError, match="below 0"):
        greatest(matrix("1"), fractions("-1"), fractions("1"))
    with pytest.raises(ValueError, match="no greatest value"):
        greatest(matrix("-1"), fractions("1"), fractions("1"))


@pytest.mark.parametrize(
    ("point", "dual", "value"),
    [
        ("3 1", "2 0 1", "12"),  # not the value
        ("3 2", "2 0 1", "11"),  # not allowed
        ("2 2", "2 0 1", "11"),  # not allowed, and not of that value
        ("3 1", "3 0 0", "11"),  # proves 12 only
        ("3 1", "-1 4 0", "11"),  # a negative multiplier
        ("1 1", "2 0 1", "5"),  # allowed, not the greatest
    ],
)
def test_caught_solutions_that_prove_nothing(point: str, dual: str, value: str) -> None:
    lines, bounds, objective = matrix("1 1", "1 3", "1 0"), fractions("4 6 3"), fractions("3 2")
    solution = Solution(tuple(fractions(point)), tuple(fractions(dual)), Fraction(value))
    assert not proves(solution, lines, bounds, objective)


def test_the_class_of_maximum_separation_by_hand() -> None:
    """q = 1/2, delta = 1/2: not to report half of the keys of frequency 1 orders 2 and 1 better: 11/16 for 5/8."""
    ratio, delta = Fraction(3, 2), Fraction(1, 2)
    rows, _ = density_rows(q=fractions("1/2 1/2"), ratio=ratio, delta=delta)
    assert [list(row) for row in rows] == [fractions("1 0 0"), fractions("1/2 1/2 0"), fractions("1/2 0 1/2")]
    other = [tuple(fractions(row)) for row in ("1 0 0", "3/4 1/4 0", "1/2 0 1/2")]
    assert within([Dist.of(enumerate(row)) for row in other], Epsilon.ln(ratio), delta)
    # 1/2 (1/2 + 1/4) + 1/2 1/2, and 3/4 (1/2 + 1/4) + 1/4 1/2
    assert (concordance(rows[2], rows[1]), concordance(other[2], other[1])) == (Fraction(5, 8), Fraction(11, 16))
    assert within([Dist.of(enumerate(row)) for row in rows], Epsilon.ln(ratio), delta)


def test_the_quantile_witness_by_hand() -> None:
    """On (3/4, 7/8) a scheme that never reports frequency 1 has T = 1/2; Algorithm 5 grows from there."""
    ratio, delta = Fraction(2), Fraction(1, 4)
    rows, _ = density_rows(q=fractions("1/2 1/2 1/2"), ratio=ratio, delta=delta)
    other, _ = density_rows(q=fractions("0 1/2 1/2"), ratio=ratio, delta=delta)
    alpha = Fraction(13, 16)
    assert separation(rows[3], rows[2], alpha) == Fraction(17, 32)
    assert separation(other[3], other[2], alpha) == Fraction(1, 2)
    assert within([Dist.of(enumerate(row)) for row in other], Epsilon.ln(ratio), delta)


@pytest.mark.parametrize(
    ("powers", "rate", "lo", "hi"),
    [([1], "-1/2", "2", None), ([0, 3], "1/3", "1", "4"), ([2, 0, 1], "-1", "0", "5"), ([0, 0, 1], "-1/10", "3", None)],
)
def test_twin_integrals_by_mpmath(powers: list[int], rate: str, lo: str, hi: str | None) -> None:
    found = baseline.integral(powers, Fraction(rate), Fraction(lo), None if hi is None else Fraction(hi))
    with mpmath.workdps(40):
        c = mpmath.mpf(Fraction(rate).numerator) / Fraction(rate).denominator
        meant = mpmath.quad(
            lambda x: sum(p * x**k for k, p in enumerate(powers)) * mpmath.exp(c * x),
            [mpmath.mpf(lo), mpmath.inf if hi is None else mpmath.mpf(hi)],
        )
        assert abs(decimal(found) - meant) < mpmath.mpf(10) ** -25 * (1 + abs(meant))


def decimal(found: baseline.ExponentialSum) -> mpmath.mpf:
    return sum(
        mpmath.mpf(m.numerator) / m.denominator * mpmath.exp(mpmath.mpf(x.numerator) / x.denominator)
        for x, m in found.terms
    )


@pytest.mark.parametrize("i", [1, 3, 5, 9, 20])
def test_twin_sampled_baseline_by_mpmath(i: int) -> None:
    """The probability of j >= T = 4 under Laplace noise of scale 3 around i, times that of sampling j."""
    with mpmath.workdps(30):
        corners = sorted({mpmath.mpf(4), mpmath.mpf(max(i, 4)), mpmath.mpf(8), mpmath.mpf(40)})

        def meant(rate: Callable[[mpmath.mpf], mpmath.mpf]) -> mpmath.mpf:
            return mpmath.quad(lambda j: rate(j) * mpmath.exp(-abs(j - i) / 3) / 6, [*corners, mpmath.inf])

        for exactly, rate in (
            (baseline.ppswor_rate(Fraction(1, 8)), lambda j: 1 - mpmath.exp(-j / 8)),
            (baseline.ppswor_rate(Fraction(1, 3)), lambda j: 1 - mpmath.exp(-j / 3)),
            (baseline.priority_rate(Fraction(1, 8)), lambda j: min(j / 8, 1)),
            (baseline.priority_rate(Fraction(1)), lambda j: 1),
        ):
            found = baseline.against_laplace(exactly, Fraction(1, 3), Fraction(4), Fraction(i))
            assert abs(decimal(found) - meant(rate)) < mpmath.mpf(10) ** -15


def test_sums_of_exponentials_by_hand() -> None:
    assert baseline.e(1) + baseline.e(2) - baseline.e(1) == baseline.e(2)
    assert (baseline.e(1) + baseline.e(0)) * (baseline.e(1) - baseline.e(0)) == baseline.e(2) - baseline.e(0)
    assert baseline.e(3).times(0) == baseline.ExponentialSum(())
    assert baseline.e(3) != baseline.e(2)


def test_the_rows_for_integral_lengths_by_hand() -> None:
    assert [integral_delta(Fraction(2), length) for length in range(3)] == fractions("1 1/4 1/10")
    rows = discrete_rows(q=[Fraction(1)] * 4, ratio=Fraction(2), delta=Fraction(1, 4))
    assert [list(row) for row in rows[2:]] == [
        fractions("1/4 1/2 1/4"),
        fractions("0 1/4 1/2 1/4"),
        fractions("0 0 1/4 1/2 1/4"),
    ]


def test_the_count_of_losses_by_hand() -> None:
    """E = 10, delta = 1/3: pi* = 1/3, then 1 + (1/3 + 1/3 - 1)/10 = 29/30, then 1; E^(2L) = (29/11)^2 < 10."""
    pi = reporting_probabilities(q=[Fraction(1)] * 3, ratio=Fraction(10), delta=Fraction(1, 3))
    assert pi == fractions("1/3 29/30 1")
    assert (Fraction(9) + Fraction(2, 3)) / (Fraction(11, 3)) == Fraction(29, 11)
    assert Fraction(29, 11) ** 2 < 10
