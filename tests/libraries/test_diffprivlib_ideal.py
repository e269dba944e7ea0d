"""diffprivlib's mechanisms on ideal noise: verdicts, and that the laws are those of the library's own code."""

import math
from fractions import Fraction

import pytest
from diffprivlib import mechanisms
from scipy import stats

from dpcert import ApproxDP, Claim, PureDP, Unauditable
from dpcert.audit.ideal.decide import Decision
from dpcert.audit.ideal.explore import laws_of
from dpcert.audit.ideal.verdict import decide_ideal
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.libraries.steps import Fixed
from dpcert.mechanisms.exact.outcome import key

UNIT = 1 << 53
LABELS = {"value0": "yes", "value1": "no"}
HELD = mechanisms.Laplace(epsilon=1, sensitivity=1)
PAIRS = [(a, b) for a in (0, 1, 2) for b in (0, 1, 2)]


def decided(program, epsilon, delta=0, inputs=range(4), neighbours="counts_differ_by_one"):
    return decide_ideal(Claim("program", (), tuple(inputs), RELATIONS[neighbours], ApproxDP(epsilon, delta)), program)


def selected(utility, rng, **parameters):
    given = {"epsilon": 1, "sensitivity": 1, "candidates": ["a", "b"], "utility": list(utility)} | parameters
    return mechanisms.Exponential(**given).randomise()


def truncated(kind, **parameters):
    return kind(epsilon=1, lower=0, upper=3, **parameters)


def probabilities(program, value):
    """Return bounds of the probability of each outcome on an input."""
    claim = Claim("program", (), (value,), RELATIONS["linf"], PureDP(1))
    decision = Decision(claim, laws_of(program, [value]))
    return {name: decision.known.bounds[number] for name, (_, number) in decision.laws[0].items()}


@pytest.mark.parametrize(
    ("program", "least"),
    [
        (lambda count, rng: HELD.randomise(count), "1"),
        (lambda count, rng: mechanisms.Laplace(epsilon=1, sensitivity=0.5).randomise(count), "2"),
        (lambda count, rng: bool(mechanisms.Laplace(epsilon=1, sensitivity=2).randomise(count) > 1), "1/2"),
        (lambda count, rng: truncated(mechanisms.LaplaceTruncated, sensitivity=1).randomise(count), "1"),
        (lambda count, rng: mechanisms.Geometric(epsilon=1).randomise(count), "1"),
        (lambda count, rng: mechanisms.Geometric(epsilon=1, sensitivity=2).randomise(count), "1/2"),
        (lambda count, rng: truncated(mechanisms.GeometricTruncated).randomise(count), "1"),
        (lambda count, rng: mechanisms.Binary(epsilon=1, **LABELS).randomise("yes" if count else "no"), "1"),
        (lambda count, rng: mechanisms.PermuteAndFlip(epsilon=1, sensitivity=1, utility=[count, 1]).randomise(), "1/2"),
    ],
)
def test_the_least_epsilon_is_exact(program, least):
    assert tuple(map(str, decided(program, 9).epsilon)) == (least, least)
    assert decided(program, least).verdict == "verified"


def test_a_selection_needs_less_than_it_claims():
    found = decided(selected, 1, inputs=PAIRS, neighbours="linf")
    assert found.verdict == "verified"
    assert float(found.epsilon[1].rational) + math.log(found.epsilon[1].ratio) == pytest.approx(
        max(
            math.log(_softmax(0, a) / _softmax(0, b))
            for a in PAIRS
            for b in PAIRS
            if max(abs(x - y) for x, y in zip(a, b, strict=True)) <= 1
        )
    )


def _softmax(place, utilities):
    weights = [math.exp(u / 2) for u in utilities]
    return weights[place] / sum(weights)


def test_gaussian_noise_has_the_least_delta_of_its_scale():
    mechanism = mechanisms.GaussianAnalytic(epsilon=1, delta=0.01, sensitivity=1)
    found = decided(lambda count, rng: mechanism.randomise(count), 1, Fraction(1, 99))
    assert found.verdict == "verified"
    assert float(found.delta[1]) == pytest.approx(0.01)


def test_geometric_noise_is_that_of_the_code():
    """The part of all uniform numbers that its code takes to a value is that value's probability."""
    mechanism, steps = mechanisms.Geometric(epsilon=0.5), 400

    def drawn(step):
        again = mechanisms.Geometric(epsilon=0.5)
        again._rng = Fixed((2 * step + 1) * UNIT // (2 * steps))
        return again.randomise(0)

    seen = [drawn(step) for step in range(steps)]
    for k in range(-5, 6):
        law = probabilities(lambda count, rng, k=k: bool(mechanism.randomise(count) == k), 0)
        assert abs(seen.count(k) - steps * law[key(True)][0]) <= 2


def test_permute_and_flip_is_the_greatest_of_exponential_noise():
    utility, rate = (0, 1, 1), 1 / 2

    def chance(left, place):
        """Return the chance of a place, where these are left."""
        found = 0.0
        for each in left:
            heads = math.exp(-rate * (max(utility) - utility[each]))
            rest = [other for other in left if other != each]
            found += (heads * (each == place) + (1 - heads) * (chance(rest, place) if rest else 0.0)) / len(left)
        return found

    def program(count, rng):
        names = ["a", "b", "c"]
        return mechanisms.PermuteAndFlip(epsilon=1, sensitivity=1, utility=list(utility), candidates=names).randomise()

    law = probabilities(program, 0)
    for place, name in enumerate("abc"):
        assert float(law[key(name)][0]) == pytest.approx(chance([0, 1, 2], place))


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (
            lambda count, rng: mechanisms.Geometric(epsilon=1, random_state=3).randomise(count),
            "a generator that is seeded",
        ),
        (
            lambda count, rng: mechanisms.Staircase(epsilon=1, sensitivity=1).randomise(count),
            "Staircase is not followed: draw",
        ),
        (lambda count, rng: truncated(mechanisms.GeometricFolded).randomise(count), "GeometricFolded is not followed"),
        (lambda count, rng: selected([count, 1], rng, measure=[1, 2]), "Exponential with a measure"),
        (lambda count, rng: selected([count, 1], rng, sensitivity=0), "of sensitivity 0"),
    ],
)
def test_refused_by_name(program, words):
    with pytest.raises(Unauditable, match=words):
        decided(program, 1)


def test_the_library_checks_what_it_is_given():
    found = decided(lambda count, rng: mechanisms.Geometric(epsilon=1).randomise(count / 2), 1)
    assert "Value to be randomised must be an integer" in found.reason


def test_the_library_is_itself_again():
    decided(lambda count, rng: HELD.randomise(count), 1)
    assert mechanisms.Laplace.randomise.__module__ == "diffprivlib.mechanisms.laplace"
    assert isinstance(mechanisms.Laplace(epsilon=1, sensitivity=1, random_state=3).randomise(1), float)


@pytest.mark.parametrize(
    ("program", "least"),
    [
        (lambda count, rng: stats.dlaplace.rvs(1, loc=count), "1"),
        (lambda count, rng: count + stats.dlaplace(0.5).rvs(), "1/2"),
        (lambda count, rng: bool(count + stats.geom.rvs(0.5) - stats.geom.rvs(0.5, random_state=rng) > 1), "ln(2)"),
        (lambda count, rng: bool(count + stats.poisson.rvs(10) > 3), "ln(11)"),
        (lambda count, rng: count + stats.laplace.rvs(scale=2), "1/2"),
        (lambda count, rng: (count + stats.laplace.rvs(scale=2, size=1))[0], "1/2"),
    ],
)
def test_scipys_noise_is_ideal(program, least):
    assert tuple(map(str, decided(program, 9).epsilon)) == (least, least)
