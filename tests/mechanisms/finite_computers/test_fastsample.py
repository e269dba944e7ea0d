"""FastSample against the paper's algorithm, its lemma, its proof's bound, and noise that is truncated by hand."""

from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any

import pytest

from dpcert import Coins, Dist, Epsilon, Refuted, Verified
from dpcert.mechanisms.exact.coins import Recorded
from dpcert.mechanisms.finite_computers.fastsample import FASTSAMPLE, cutoff, fastsample, fastsample_law
from dpcert.mechanisms.finite_computers.geosample import geosample_law
from dpcert.reading.paths.enumerator import enumerate_law

GRID = [(n, m, g) for n in (1, 2, 5) for m in (1, 2, 3, 4) for g in (2, 10)]
"""n, 1/epsilon, 1/gamma; the noise is cut off beyond n."""
SHORT = (41, 1, 2)
"""Here it is cut off at 40."""


def exponent(m: int) -> int:
    """The least k with 2^k >= 2 m."""
    k = 1
    while 2**k < 2 * m:
        k += 1
    return k


def printed_cutoff(n: int, m: int, g: int) -> int:
    """t of step 1, with epsilon = 1/m and gamma = 1/g: the inner logarithm is of 8 (n + 1) m (g - 1)."""
    return -(-9 * m * (8 * (n + 1) * m * (g - 1) - 1).bit_length() // 2) - 1


def papers_f(z: int, *, c: int, n: int, m: int, g: int) -> tuple[Fraction, Fraction]:
    """F(z) and d of steps 2 and 3, as printed; all powers are Fractions."""
    k, t = exponent(m), printed_cutoff(n, m, g)
    two, base = Fraction(2), Fraction(2**k + 1)
    short = (2 ** (k + 1) + 1) * base**t
    if z < max(0, c - t):
        f = Fraction(0)
    elif z < c:
        f = two ** (k * (c - z)) * base ** (t + 1 - (c - z)) - two ** (k * (t + 1))
    elif z < min(c + t, n):
        f = short - two ** (k * (z - c + 1)) * base ** (t - (z - c)) + two ** (k * (t + 1))
    else:
        f = short
    return (z + 1) * short + (g - 1) * (n + 1) * f, (n + 1) * short * g


def by_hand(*, c: int, n: int, m: int, g: int) -> dict[int, Fraction]:
    """Lemma 4.12: the noise, its part beyond t moved to 0, clamped; a uniform count with probability 1/g."""
    r, t = 1 + Fraction(1, 2 ** exponent(m)), printed_cutoff(n, m, g)
    noise = {j: (r - 1) / (r + 1) * r ** -abs(j) for j in range(-t, t + 1)}
    noise[0] += 1 - sum(noise.values())
    law = {z: Fraction(1, (n + 1) * g) for z in range(n + 1)}
    for j, p in noise.items():
        law[min(max(c + j, 0), n)] += p * Fraction(g - 1, g)
    return law


def parameters(n: int, m: int, g: int) -> dict[str, Any]:
    return {"n": n, "epsilon": Fraction(1, m), "gamma": Fraction(1, g)}


@pytest.mark.points(4)
@pytest.mark.parametrize(("n", "m", "g"), GRID)
def test_twin_program_closed_form_and_truncated_noise_give_one_law(n: int, m: int, g: int) -> None:
    program, closed_form = fastsample(**parameters(n, m, g)), fastsample_law(**parameters(n, m, g))
    for c in range(n + 1):
        law = enumerate_law(program, c).law
        assert law == closed_form(c)
        assert dict(law.items()) == by_hand(c=c, n=n, m=m, g=g)
        assert law.tail == closed_form(c).tail == 0


def test_twin_one_law_where_the_noise_is_cut_off_inside_the_range() -> None:
    n, m, g = SHORT
    assert cutoff(**parameters(*SHORT)) == 40
    program, closed_form = fastsample(**parameters(*SHORT)), fastsample_law(**parameters(*SHORT))
    for c in (0, 1, 20, 40, 41):
        law = enumerate_law(program, c).law
        assert law == closed_form(c)
        assert dict(law.items()) == by_hand(c=c, n=n, m=m, g=g)
        assert law.prob(0 if c > 20 else 41) >= Fraction(1, 2 * 42)
    assert closed_form(41).prob(0) == Fraction(1, 2 * 42)


@pytest.mark.parametrize(("n", "m", "g"), [*GRID, SHORT])
def test_twin_the_papers_f_is_the_programs_distribution_function(n: int, m: int, g: int) -> None:
    closed_form = fastsample_law(**parameters(n, m, g))
    for c in (0, n // 2, n):
        sums = list(accumulate(closed_form(c).prob(z) for z in range(n + 1)))
        for z in range(n + 1):
            f, d = papers_f(z, c=c, n=n, m=m, g=g)
            assert sums[z] == f / d


@pytest.mark.parametrize(("n", "m", "g"), [(1, 1, 2), (3, 2, 10), (5, 3, 4)])
def test_twin_step_4_at_both_sides_of_every_jump(n: int, m: int, g: int) -> None:
    """The smallest z with F(z) >= u, so non-decreasing in u: each z comes for u from F(z - 1) + 1 to F(z)."""
    program = fastsample(**parameters(n, m, g))
    for c in range(n + 1):
        jumps = [int(papers_f(z, c=c, n=n, m=m, g=g)[0]) for z in range(n + 1)]
        d = int(papers_f(0, c=c, n=n, m=m, g=g)[1])
        assert jumps[-1] == d
        for z, (below, above) in enumerate(pairwise([0, *jumps])):
            for u in (below + 1, (below + 1 + above) // 2, above):
                assert program(c, Coins(Recorded([(d, u - 1)]))) == z


@pytest.mark.parametrize(("n", "m", "g"), [*GRID, SHORT, (1000, 100, 10**6)])
def test_twin_the_cutoff_in_integers(n: int, m: int, g: int) -> None:
    assert cutoff(**parameters(n, m, g)) == printed_cutoff(n, m, g)


@pytest.mark.points(17)
@pytest.mark.parametrize(("n", "m", "g"), [*GRID, SHORT])
def test_the_distance_to_geosample_is_within_the_bound_of_the_proof(n: int, m: int, g: int) -> None:
    """Theorem 4.10 i: at most epsilon/6 gamma/(1 - gamma) / (n + 1), without the mixing."""
    weight = Fraction(g - 1, g)
    for c in range(n + 1):
        mixed = by_hand(c=c, n=n, m=m, g=g)
        short = Dist.of({z: (p - Fraction(1, (n + 1) * g)) / weight for z, p in mixed.items()})
        distance = geosample_law(n=n, k=exponent(m))(c).total_variation(short)
        assert distance <= Fraction(1, 6 * m) * Fraction(1, g - 1) / (n + 1)


@pytest.mark.points(1)
@pytest.mark.parametrize(
    ("n", "m", "g"), [(1, 1, 2), (2, 2, 10), (5, 3, 2), pytest.param(*SHORT, marks=pytest.mark.nightly)]
)
def test_verified_at_the_claim_and_refuted_just_below_the_greatest_ratio(audit: Any, n: int, m: int, g: int) -> None:
    settings = {"n": str(n), "epsilon": f"1/{m}", "gamma": f"1/{g}"}
    report = audit(FASTSAMPLE, settings)
    assert isinstance(report.verdict, Verified)
    assert report.pairs == 2 * n
    assert report.delta_lo == report.delta_hi == report.tail == 0
    laws = [by_hand(c=c, n=n, m=m, g=g) for c in range(n + 1)]
    ratio = max(p[z] / q[z] for a, b in pairwise(laws) for p, q in ((a, b), (b, a)) for z in p)
    assert ratio < Epsilon.of(Fraction(1, 2 * m)).exp_bounds(64)[0]
    assert isinstance(audit(FASTSAMPLE, settings, epsilon=Epsilon.ln(ratio)).verdict, Verified)
    below = Epsilon.ln(ratio - Fraction(1, 10**60))
    assert isinstance(audit(FASTSAMPLE, settings, epsilon=below).verdict, Refuted)


def test_the_default_scope_is_all_counts_for_counts_that_differ_by_one() -> None:
    settings = FASTSAMPLE.settings({})
    instance = FASTSAMPLE.build(settings)
    assert instance.inputs == tuple(range(int(settings["n"]) + 1))
    assert (instance.neighbours, instance.observes) == ("counts_differ_by_one", "outcome")
    assert instance.delta == 0
    assert instance.epsilon == Epsilon.of(Fraction(settings["epsilon"]) / 2)
