"""Discrete noise: exact laws against enumerations of the draws, wrong programs that are caught, what is refused."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from dpcert import ApproxDP, Claim, Epsilon, PureDP
from dpcert.audit.ideal.certificates.certificate import check_ideal
from dpcert.audit.ideal.certificates.writing import certificate_of
from dpcert.audit.ideal.decide import Decision
from dpcert.audit.ideal.every_report import decide_every
from dpcert.audit.ideal.explore import laws_of
from dpcert.audit.kernel.check import Rejected
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.mechanisms.exact.outcome import key

from .claims import COUNTS, ONE_APART, STATED, counted, decided, least, vectors
from .programs import two_sided


class Scripted:
    """A generator that returns the draws of a list, and notes their weights."""

    def __init__(self, draws):
        self.draws, self.weight = list(draws), 1.0

    def geometric(self, p, size=None):
        if size is not None:
            return np.array([self.geometric(p) for _ in range(size)])
        k = self.draws.pop(0)
        self.weight *= p * (1 - p) ** (k - 1)
        return k

    def poisson(self, lam):
        k = self.draws.pop(0) - 1
        self.weight *= math.exp(-lam) * lam**k / math.factorial(k)
        return k


def probabilities(program, value):
    """Return bounds of the probability of each outcome on an input."""
    claim = Claim("program", (), (value,), RELATIONS["linf"], PureDP(1))
    decision = Decision(claim, laws_of(program, [value]))
    return {name: decision.known.bounds[number] for name, (_, number) in decision.laws[0].items()}


def enumerated(program, value, draws, most):
    """Return the weight of each outcome over all draws up to a number, in floats, and that of all others."""
    found = {}
    for each in product(range(1, most + 1), repeat=draws):
        rng = Scripted(each)
        name = key(program(value, rng))
        found[name] = found.get(name, 0.0) + rng.weight
    return found, 1 - sum(found.values())


def clamped(counts, rng):
    noisy = counts[0] + two_sided(rng)
    return 1 if noisy >= 2 else 0 if noisy > -1 else -1


def up(counts, rng):
    down, ceiling = -math.floor((counts[0] - two_sided(rng)) / 2), math.ceil(rng.geometric(0.25) / 2)
    return bool(down > 0), bool(ceiling < 2)


def one_draw_for_two(counts, rng):
    noise = two_sided(rng)
    return tuple(bool(count + noise > 0) for count in counts)


def last_of_two(counts, rng):
    noisy = [count + two_sided(rng, 2) for count in counts]
    return 1 if noisy[1] >= noisy[0] else 0


def order_of_three(counts, rng):
    noisy = [*(count + rng.geometric(0.75) for count in counts), rng.geometric(0.75)]
    return tuple(sorted(range(3), key=lambda place: noisy[place]))


def poisson_between(counts, rng):
    noisy = counts[0] + rng.poisson(0.25)
    return 0 if noisy < 1 else 1 if noisy <= 2 else 2


def sparse_vector(counts, rng):
    threshold = two_sided(rng, 3)
    return "above" if counts[0] + two_sided(rng, 3) >= threshold else "below"


PROGRAMS = {
    "above": (lambda counts, rng: bool(counts[0] + two_sided(rng) > counts[1]), 2, 60),
    "at least": (lambda counts, rng: bool(counts[0] + two_sided(rng) >= counts[1]), 2, 60),
    "equal": (lambda counts, rng: bool(counts[0] + two_sided(rng) == counts[1]), 2, 60),
    "halved": (lambda counts, rng: bool((counts[0] + two_sided(rng)) // 2 >= 1), 2, 60),
    "third": (lambda counts, rng: bool(round((counts[0] + two_sided(rng)) / 3) == 0), 2, 60),
    "half as tie": (lambda counts, rng: bool((counts[0] + two_sided(rng)) / 2 > 0.5), 2, 60),
    "different rates": (
        lambda counts, rng: bool(counts[0] + rng.geometric(0.5) - rng.geometric(1 - math.exp(-2)) > 1),
        2,
        60,
    ),
    "first of two": (lambda counts, rng: int(np.argmax(np.array(counts) + rng.geometric(0.75, size=2))), 2, 60),
    "sum of two poissons": (lambda counts, rng: bool(counts[0] + rng.poisson(0.25) + rng.poisson(0.5) > 1), 2, 30),
    "clamped": (clamped, 2, 60),
    "one draw for two": (one_draw_for_two, 2, 60),
    "up": (up, 3, 30),
    "last of two": (last_of_two, 4, 10),
    "sparse vector": (sparse_vector, 4, 8),
    "order of three": (order_of_three, 3, 20),
    "poisson between": (poisson_between, 1, 40),
}


@pytest.mark.parametrize(("program", "draws", "most"), PROGRAMS.values(), ids=PROGRAMS)
@pytest.mark.parametrize("counts", [(2, 1), (-1, 2)])
def test_probabilities_enclose_a_long_part_of_the_law(program, draws, most, counts):
    found = probabilities(program, counts)
    seen, rest = enumerated(program, counts, draws, most)
    assert set(seen) <= set(found)
    for name, (low, high) in found.items():
        weight = seen.get(name, 0.0)
        assert weight - 1e-9 <= high
        assert low <= weight + rest + 1e-9
        assert high - low < Fraction(1, 10**15)


@pytest.mark.parametrize(
    ("program", "epsilon"),
    [
        (lambda count, rng: count + two_sided(rng), "1"),
        (lambda count, rng: -count - two_sided(rng, 2), "2"),
        (lambda count, rng: 3 * (count + two_sided(rng)), "1"),
        (lambda count, rng: (count + two_sided(rng)) / 2, "1"),
        (lambda count, rng: max(0, min(3, count + two_sided(rng))), "1"),
        (lambda count, rng: int(np.clip(count + two_sided(rng), 0, 3)), "1"),
        (lambda count, rng: round(count + two_sided(rng)), "1"),
        (lambda count, rng: (count + two_sided(rng)) // 2, "1"),
        (lambda count, rng: [count + two_sided(rng)] * 2, "1"),
        (lambda count, rng: count + rng.geometric(0.5) - rng.geometric(0.5), "ln(2)"),
        (lambda count, rng: (count + rng.geometric(0.5) - rng.geometric(0.5)) // 3, "ln(2)"),
        (lambda count, rng: 0 if rng.random() < 0.5 else count + two_sided(rng), "1"),
        (lambda count, rng: bool(count + two_sided(rng) == 1), "1"),
        (lambda count, rng: bool(count + rng.poisson(10) > 3), "ln(11)"),
    ],
)
def test_the_least_epsilon_of_counts_is_exact(program, epsilon):
    found = counted(program, Epsilon.of(epsilon))
    assert (found.verdict, least(found)) == ("verified", (epsilon, epsilon))


@pytest.mark.parametrize("epsilon", ["1/2", "1", "3/2"])
def test_the_least_delta_of_a_count_is_the_sum_of_all_excesses(epsilon):
    found = counted(lambda count, rng: count + two_sided(rng, 2), epsilon, "1/1000000", range(2))
    alpha, ratio = math.exp(-2), math.exp(Fraction(epsilon))
    size = (1 - alpha) / (1 + alpha)
    excess = sum(max(0.0, size * (alpha ** abs(k) - ratio * alpha ** abs(k - 1))) for k in range(-200, 200))
    assert found.delta[0] == pytest.approx(excess, rel=1e-12)
    assert found.delta[1] - found.delta[0] < Fraction(1, 10**15)


def half_of_the_noise(count, rng):
    """The noise of sensitivity 1/2."""
    return count + two_sided(rng, 2)


def from_one_on(count, rng):
    """A geometric draw is at least 1: its least value tells the count."""
    return count + rng.geometric(1 - math.exp(-1))


def zero_twice(count, rng):
    """A random sign has two ways to 0."""
    noise = rng.geometric(1 - math.exp(-1)) - 1
    return count + noise if rng.random() < 0.5 else count - noise


def one_noise_for_two(count, rng):
    noise = two_sided(rng)
    return count + noise, noise


@pytest.mark.parametrize(
    ("program", "epsilon"),
    [
        (half_of_the_noise, 1),
        (zero_twice, 1),
        *((program, 9) for program in (from_one_on, one_noise_for_two, lambda count, rng: count + 3 * two_sided(rng))),
        (lambda count, rng: count + two_sided(rng, 2 if count else 1), 5),
        (lambda count, rng: max(5, count + rng.poisson(10)), 2),
    ],
)
def test_caught_noise_that_is_not_enough(program, epsilon):
    assert counted(program, epsilon).verdict == "refuted"


def test_strictness_is_a_step_of_the_count():
    def strictly(count, rng):
        return bool(count + two_sided(rng) > 1)

    def or_equal(count, rng):
        return bool(count + two_sided(rng) >= 1)

    assert probabilities(strictly, 1) == probabilities(or_equal, 0) != probabilities(or_equal, 1)


def noisy_max(counts, rng):
    p = 1 - np.exp(-1 / 2)
    noise = rng.geometric(p, size=len(counts)) - rng.geometric(p, size=len(counts))
    return int(np.argmax(np.array(counts) + noise))


def first_above(queries, rng):
    threshold = two_sided(rng, Fraction(1, 2))
    for place, query in enumerate(queries):
        if query + two_sided(rng, Fraction(1, 4)) >= threshold:
            return place
    return None


def all_above(queries, rng):
    threshold = two_sided(rng, Fraction(1, 2))
    return [bool(query >= threshold) for query in queries]


def gap(queries, rng):
    threshold = two_sided(rng, Fraction(1, 2))
    for place, query in enumerate(queries):
        above = query + two_sided(rng, Fraction(1, 4)) - threshold
        if above >= 0:
            return place, above
    return None


def greatest(queries, rng):
    return max(query + two_sided(rng) for query in queries)


def histogram(counts, rng):
    return [count + rng.geometric(0.5) - rng.geometric(0.5) for count in counts]


@pytest.mark.parametrize(
    ("program", "epsilon", "verdict"),
    [
        (noisy_max, "1", "verified"),
        (first_above, "1", "verified"),
        (all_above, "1", "refuted"),
        (gap, "1/2", "verified"),
        (greatest, "1", "refuted"),
        (histogram, "7/5", "verified"),
        (histogram, "13/10", "refuted"),
    ],
)
def test_vectors_of_noisy_counts(program, epsilon, verdict):
    assert decided(program, vectors(2), epsilon).verdict == verdict


EVERY = {
    "a count": (lambda count, rng, e: count + two_sided(rng, e), 1, "verified"),
    "clamped": (lambda count, rng, e: max(0, min(3, count + two_sided(rng, e))), 1, "verified"),
    "above": (lambda count, rng, e: bool(count + two_sided(rng, e) > 1), 1, "verified"),
    "half": (lambda count, rng, e: bool(count + two_sided(rng, e) > 1), Fraction(1, 2), "refuted"),
    "double": (lambda count, rng, e: count + two_sided(rng, 2 * e), 1, "refuted"),
    "one-sided": (lambda count, rng, e: count + rng.geometric(-math.expm1(-e)), 1, "refuted"),
    "as a quotient": (lambda count, rng, e: bool(count + rng.geometric(1 - 1 / np.exp(e)) > 1), 1, "refuted"),
}


@pytest.mark.parametrize("name", EVERY)
def test_every_epsilon(name):
    program, factor, verdict = EVERY[name]
    found = decide_every(program, list(COUNTS), RELATIONS[ONE_APART], factor=factor)
    assert found.verdict == verdict


def test_every_epsilon_by_values():
    """No alignment bounds p = 1 - e^-epsilon / 2, as its cost is no multiple of epsilon; the values decide it."""

    def program(count, rng, epsilon):
        p = 1 - np.exp(-epsilon) / 2
        return bool(count + rng.geometric(p) - rng.geometric(p) > 1)

    def released(count, rng, epsilon):
        p = 1 - np.exp(-epsilon) / 2
        return count + rng.geometric(p) - rng.geometric(p)

    for each in (program, released):
        assert decide_every(each, list(COUNTS), RELATIONS[ONE_APART]).verdict == "refuted"
    found = decide_every(released, list(COUNTS), RELATIONS[ONE_APART], factor=1, delta=Fraction(1, 2))
    assert (found.verdict, found.method) == ("verified", "intervals")


@pytest.mark.parametrize("program", [half_of_the_noise, histogram])
def test_a_certificate_of_values_is_checked(program):
    inputs = tuple(COUNTS) if program is half_of_the_noise else tuple(vectors(2))
    relation = RELATIONS[ONE_APART if program is half_of_the_noise else "linf"]
    claim = Claim("program", (), inputs, relation, ApproxDP("7/5", "1/10"))
    report = decided(program, inputs, "7/5", "1/10", neighbours=relation.name)
    certificate = certificate_of(report, STATED)
    assert report.method == "intervals"
    check_ideal(certificate, claim, program, STATED)
    assert certificate.trees == []
    other = "refuted" if report.verdict == "verified" else "verified"
    with pytest.raises(Rejected, match="when recomputed"):
        check_ideal(replace(certificate, verdict=other), claim, program, STATED)


def test_caught_a_certificate_of_discrete_noise_for_a_claim_that_is_false():
    true, false = (Claim("program", (), tuple(COUNTS), RELATIONS[ONE_APART], PureDP(x)) for x in (2, "1/100"))
    report = decided(half_of_the_noise, tuple(COUNTS), 2, 0, neighbours=ONE_APART)
    assert report.verdict == "verified"
    certificate = certificate_of(report, STATED)
    check_ideal(certificate, true, half_of_the_noise, STATED)
    with pytest.raises(Rejected, match="verified in the certificate and refuted when recomputed"):
        check_ideal(replace(certificate, epsilon="1/100"), false, half_of_the_noise, STATED)
