"""The geometric mechanism against sums of its noise; its two programs, and their draws."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from dpcert import ApproxDP, Epsilon, Refuted, Verified
from dpcert.audit.decide import decide
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.audit.subject import Subject
from dpcert.mechanisms.broken.geometric import geometric_early_stop
from dpcert.mechanisms.finite_computers.geometric import GEOMETRIC, geometric, geometric_by_flips, geometric_law
from dpcert.mechanisms.finite_computers.geosample import geosample, geosample_law
from dpcert.reading.paths.enumerator import enumerate_law

RATIOS = [Fraction(6, 5), Fraction(3, 2), Fraction(2), Fraction(7, 3), Fraction(10)]


def by_series(count: int, n: int, r: Fraction) -> dict[int, Fraction]:
    """The law of count + Z clamped to [0, n], Pr[Z = j] = (r - 1)/(r + 1) r^-|j|: differences of upper tails."""

    def at_least(m: int) -> Fraction:
        return r ** (1 - m) / (r + 1) if m >= 1 else 1 - r**m / (r + 1)

    upper = [Fraction(1), *(at_least(z - count) for z in range(1, n + 1)), Fraction(0)]
    return {z: a - b for z, (a, b) in enumerate(pairwise(upper))}


@pytest.mark.points(1)
@pytest.mark.parametrize("ratio", RATIOS, ids=str)
@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_twin_three_programs_the_closed_form_and_the_series(n: int, ratio: Fraction) -> None:
    """Among them the faulty one, of which only the draws are at fault."""
    for count in range(n + 1):
        law = geometric_law(n=n, ratio=ratio)(count)
        assert dict(law.items()) == by_series(count, n, ratio)
        stopping = geometric_early_stop.build(geometric_early_stop.settings({"n": str(n), "ratio": str(ratio)})).program
        for program in (geometric(n=n, ratio=ratio), geometric_by_flips(n=n, ratio=ratio), stopping):
            found = enumerate_law(program, count).law
            assert found == law
            assert found.tail == 0


@pytest.mark.parametrize("k", [1, 2, 5])
def test_twin_geosample_is_the_geometric_mechanism_at_its_ratio(k: int) -> None:
    """Theorem 4.7 i: GeoSample has the law of Algorithm 4.5, and the same draw."""
    ratio = 1 + Fraction(1, 2**k)
    for count in range(5):
        assert geosample_law(n=4, k=k)(count) == geometric_law(n=4, ratio=ratio)(count)
        assert (
            enumerate_law(geosample(n=4, k=k), count, draws=True).law
            == enumerate_law(geometric(n=4, ratio=ratio), count, draws=True).law
        )


@pytest.mark.points(1)
@pytest.mark.parametrize("ratio", RATIOS[::2], ids=str)
@pytest.mark.parametrize("method", ["draw", "flips"])
def test_theorem_4_6_i_is_tight_and_the_draws_tell_nothing(audit: Any, ratio: Fraction, method: str) -> None:
    settings = {"n": "4", "ratio": str(ratio), "method": method}
    report = audit(GEOMETRIC, settings)
    assert isinstance(report.verdict, Verified)
    assert report.epsilon_lo == report.epsilon_hi == Epsilon.ln(ratio)
    below = audit(GEOMETRIC, settings, epsilon=Epsilon.ln(ratio - Fraction(1, 10**40)))
    assert isinstance(below.verdict, Refuted)
    instance = GEOMETRIC.build(GEOMETRIC.settings(settings))
    seen = Subject(
        "seen", instance.program, instance.inputs, RELATIONS["counts_differ_by_one"], observes="outcome and draws"
    )
    assert isinstance(decide(seen, ApproxDP(instance.epsilon, 0), again=seen.digests).verdict, Verified)


def test_caught_that_flips_which_stop_tell_the_count_by_their_number() -> None:
    instance = geometric_early_stop.build(geometric_early_stop.settings({"n": "3", "ratio": "3/2"}))
    law = enumerate_law(instance.program, 1, draws=True).law
    assert law.prob((1, (5,))) == Fraction(1, 5)
    assert law.prob((3, (5, 3, 3))) == Fraction(2, 5) * Fraction(2, 3)
    assert law.prob((2, (5, 3))) == Fraction(2, 5) * Fraction(1, 3)
