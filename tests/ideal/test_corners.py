"""Releases beside tags: against closed forms and a grid in floats, and laws that must not pass for others."""

import math
import random
from fractions import Fraction
from itertools import product

import pytest

from dpcert import ApproxDP, Claim, Unauditable
from dpcert.audit.ideal.corners import Cornered, Density, Part, Tagged, by_corners, tagged
from dpcert.audit.ideal.every import Range
from dpcert.audit.ideal.every_report import decide_every
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.mechanisms.ideal.exact import Exact
from dpcert.mechanisms.ideal.noise import Law
from dpcert.mechanisms.ideal.parts import Noisy, Rounded
from dpcert.mechanisms.ideal.path import Inequality, Path

from .claims import ONE_APART, counted, decided, least

HALF = Fraction(1, 2)


def sampled(count, rng, scale=2):
    """Keep each row with probability 1/2, and release how many there are."""
    kept = sum(int(rng.integers(0, 2)) for _ in range(count))
    return kept + rng.laplace(scale=scale)


def sampled_for_every(count, rng, epsilon):
    return sampled(count, rng, 1 / epsilon)


def test_a_sampled_count_has_the_known_epsilon():
    """Sampling at 1/2 before epsilon is ln((1 + e^epsilon)/2)."""
    report = counted(sampled, HALF, counts=range(4))
    assert (report.verdict, report.method) == ("verified", "corners")
    low, high = (float(end.ratio) for end in report.epsilon)
    assert low <= (1 + math.exp(1 / 2)) / 2 <= high
    assert high - low < 1e-15


def test_caught_a_sampled_count_at_too_small_an_epsilon():
    report = counted(sampled, "1/4", counts=range(3))
    assert report.verdict == "refuted"
    assert report.worst.p[0] > report.worst.q[1] * Fraction(math.exp(1 / 4))


@pytest.mark.parametrize(
    ("factor", "high", "verdict"),
    [(1, None, "verified"), ("1/2", None, "refuted"), ("3/4", 1, "verified"), ("3/4", None, "refuted")],
)
def test_a_sampled_count_for_every_epsilon(factor, high, verdict):
    """ln((1 + e^epsilon)/2) is below (3/4) epsilon up to about 1.2."""
    within = Range(high=None if high is None else Fraction(high))
    report = decide_every(sampled_for_every, range(3), RELATIONS[ONE_APART], factor=Fraction(factor), within=within)
    assert report.verdict == verdict
    assert verdict == "refuted" or report.method == "corners"
    if verdict == "refuted":
        rest = math.log((1 + math.exp(report.epsilon)) / 2)
        assert rest > float(Fraction(factor) * report.epsilon)


def lap(centre, scale=1, weight=1):
    return Path((Law("laplace"),), (), Fraction(weight), Noisy(((0, Fraction(scale)),), Fraction(centre)))


def uniform(low, length, weight=1):
    return Path((Law("uniform"),), (), Fraction(weight), Noisy(((0, Fraction(length)),), Fraction(low)))


def atom(outcome, weight=1):
    return Path((), (), Fraction(weight), outcome)


def verdict(first, other, epsilon):
    """Return the verdict of corners on two laws, or in words why there is none."""
    claim = Claim("program", (), (0, 1), RELATIONS["any"], ApproxDP(epsilon, 0))
    try:
        return by_corners(claim, [first, other], [(0, 1), (1, 0)], Fraction(1)).verdict
    except (Unauditable, ArithmeticError) as error:
        return str(error)


TINY = Fraction(1, 10**40)
TWO_SCALES = "released noise of two scales, or uniform and other noise, beside each other"
NO_ONE = "the probabilities of all paths do not sum to 1"
LAWS = {
    "an atom beside a density": ([atom(0, HALF), lap(0, 1, HALF)], [atom(0, HALF), lap(100, 1, HALF)], 0, "refuted"),
    "an atom that a density surrounds": ([atom(Fraction(0))], [lap(0)], 30, "refuted"),
    "uniform beside laplace": ([uniform(0, 1)], [lap(0, 10)], 1, TWO_SCALES),
    "uniform inside two laplaces": ([uniform(0, 10)], [lap(0, 1, HALF), lap(10, 1, HALF)], 0, TWO_SCALES),
    "two scales that are nearly one": ([lap(0)], [lap(0, 1 + TINY)], 1, TWO_SCALES),
    "a mass of 3": ([lap(0)], [lap(0, 1, 3)], 0, NO_ONE),
    "a negative weight": ([lap(0, 1, 2), lap(5, 1, -1)], [lap(0, 1, 2), lap(5, 1, -1)], 0, "a negative probability"),
    "no law": ([], [lap(0)], 0, NO_ONE),
    "equal laws": ([lap(0)], [lap(0)], 0, "verified"),
    "a scale below 0": ([lap(0, -1)], [lap(1, -1)], 1, "verified"),
    "laws that hardly differ": ([lap(0)], [lap(TINY)], 0, "refuted"),
    "uniform laws that hardly differ": ([uniform(0, 1)], [uniform(TINY, 1)], 50, "refuted"),
    "a uniform law inside another": ([uniform(0, 1)], [uniform(0, 2)], 50, "refuted"),
    "uniform laws of one range": ([uniform(0, 1)], [uniform(1, -1)], 0, "verified"),
    "a tag that one law alone has": ([lap(0)], [lap(0, 1, HALF), atom("b", HALF)], 3, "refuted"),
    "other types": ([atom(1)], [atom(True)], 3, "refuted"),
    "tight": ([lap(0)], [lap(1)], 1, "verified"),
    "hardly too far": ([lap(0)], [lap(1 + TINY)], 1, "refuted"),
}


@pytest.mark.parametrize("name", LAWS)
def test_laws_that_are_not_others(name):
    first, other, epsilon, expected = LAWS[name]
    assert verdict(first, other, epsilon) == expected


def test_numbers_of_one_variable_are_told_by_how_they_depend():
    """(x, x + 1) and (x, x + 2) are told apart by their difference, which is no noise."""

    def twice(shift):
        return Path((Law("laplace"),), (), Fraction(1), (Noisy(((0, 1),), 0), Noisy(((0, 1),), Fraction(shift))))

    assert verdict([twice(1)], [twice(1)], 0) == "verified"
    assert verdict([twice(1)], [twice(2)], 50) == "refuted"


def test_refused_numbers_that_are_not_one_variable():
    both = Path((Law("laplace"),) * 2, (), Fraction(1), Noisy(((0, 1), (1, 1)), 0))
    normal = Path((Law("normal"),), (), Fraction(1), Noisy(((0, 1),), 0))
    down = Path((Law("laplace"),), (), Fraction(1), Rounded(((0, 1),), 0, 1, 0))
    compared = Path((Law("laplace"),) * 2, (Inequality(((0, 1), (1, -1)), 0, True),), Fraction(1), Noisy(((0, 1),), 0))
    for path in (both, normal, down, compared):
        with pytest.raises(Unauditable):
            tagged([[path]])


def cut_at(end, centre, scale):
    """Return the law of Laplace noise of which only what is above an end is released."""
    form = ((0, 1),)
    threshold = Fraction(end - centre) / scale
    noisy = Noisy(((0, Fraction(scale)),), Fraction(centre))
    return [
        Path((Law("laplace"),), (Inequality(form, threshold, True),), Fraction(1), noisy),
        Path((Law("laplace"),), (Inequality(form, threshold, False),), Fraction(1), None),
    ]


@pytest.mark.parametrize(("epsilon", "expected"), [(1, "verified"), ("999999/1000000", "refuted")])
def test_what_is_cut_costs_no_more(epsilon, expected):
    assert verdict(cut_at(3, 0, 1), cut_at(3, 1, 1), epsilon) == expected


def test_caught_cuts_at_other_places():
    assert verdict(cut_at(3, 0, 1), cut_at(4, 0, 1), 50) == "refuted"
    assert verdict(cut_at(3, 0, 1), cut_at(3 + TINY, 0, 1), 50) == "refuted"


def law_of(rows):
    law = Tagged()
    law.tags[0] = None, rows
    return law


def mixture(seed, random_, kind):
    rows = []
    count = random_.randint(1, 3)
    left = [random_.randint(1, 5) for _ in range(count)]
    for weight in left:
        row = tuple(
            Density(
                kind,
                Fraction(random_.randint(-2, 2)),
                Fraction(random_.choice([2, -2] if kind != "laplace" else [2])),
                0,
            )
            for _ in range(2)
        )
        rows.append(Part(Exact.of(Fraction(weight, sum(left))), row))
    return law_of(rows)


def plain_density(density, y):
    z = (y - float(density.offset)) / float(density.slope)
    if density.kind == "uniform":
        return 1 / abs(float(density.slope)) if 0 < z < 1 else 0.0
    if density.kind == "exponential":
        return math.exp(-z) if z > 0 else 0.0
    return math.exp(-abs(z)) / 2


def on_grid(law, point):
    return sum(
        float(part.weight.rational())
        * math.prod(plain_density(d, y) for d, y in zip(part.densities, point, strict=True))
        for part in law.tags[0][1]
    )


@pytest.mark.parametrize("kind", ["laplace", "uniform", "exponential"])
def test_corners_bound_a_grid(kind):
    """On random mixtures in the plane, the greatest ratio at corners is that on a grid which has points beside them."""
    grid = [n / 2 + side * 1e-9 for n in range(-10, 11) for side in (-1, 1)]
    for seed in range(6):
        random_ = random.Random(seed)
        laws = [mixture(seed, random_, kind) for _ in range(2)]
        faced = Cornered(laws).faced([(0, 1)])
        points = [(on_grid(laws[0], each), on_grid(laws[1], each)) for each in product(grid, repeat=2)]
        ratios = [p / q if q else math.inf for p, q in points if p]
        corners = [
            math.inf if not each.q.above else float((each.p.enclosed() / each.q.enclosed()).mid())
            for each in faced
            if each.p.above
        ]
        assert max([1.0, *corners]) == pytest.approx(max([1.0, *ratios]), rel=1e-6)


def test_a_coordinate_has_both_sides_of_a_jump():
    """At the end where two uniform laws touch, each is seen from its own side."""
    assert verdict([uniform(0, 1)], [uniform(1, 1)], 50) == "refuted"
    ends = set(Density("uniform", Fraction(0), Fraction(1), 0).breaks())
    assert ends == {(0, -1), (0, 1), (1, -1), (1, 1)}


def select_and_measure(counts, rng):
    """Choose a cell with a fair coin that no input touches, and release it."""
    place = int(rng.integers(0, len(counts)))
    return place, counts[place] + rng.laplace(scale=2)


def test_what_is_measured_beside_a_tag():
    report = decided(select_and_measure, list(product((0, 1), repeat=2)), HALF, neighbours="l1")
    assert report.verdict == "verified"
    assert least(report) == ("1/2", "1/2")
