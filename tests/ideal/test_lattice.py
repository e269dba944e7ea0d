"""Whole-valued noise: exact laws against enumerations of the draws, wrong programs that are caught, what is refused."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from dpcert.audit.ideal.decide import Decision
from dpcert.audit.ideal.explore import laws_of
from dpcert.audit.kernel.claim import Claim, PureDP
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.mechanisms.exact.outcome import key

COUNTS = range(4)
ONE_APART = "counts_differ_by_one"


def two_sided(rng, epsilon=1):
    p = 1 - math.exp(-epsilon)
    return rng.geometric(p) - rng.geometric(p)


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


def above(counts, rng):
    return bool(counts[0] + two_sided(rng) > counts[1])


def at_least(counts, rng):
    return bool(counts[0] + two_sided(rng) >= counts[1])


def equal(counts, rng):
    return bool(counts[0] + two_sided(rng) == counts[1])


def clamped(counts, rng):
    noisy = counts[0] + two_sided(rng)
    return 1 if noisy >= 2 else 0 if noisy > -1 else -1


def halved(counts, rng):
    return bool((counts[0] + two_sided(rng)) // 2 >= 1)


def third(counts, rng):
    return bool(round((counts[0] + two_sided(rng)) / 3) == 0)


def up(counts, rng):
    down, ceiling = -math.floor((counts[0] - two_sided(rng)) / 2), math.ceil(rng.geometric(0.25) / 2)
    return bool(down > 0), bool(ceiling < 2)


def half_as_tie(counts, rng):
    return bool((counts[0] + two_sided(rng)) / 2 > 0.5)


def different_rates(counts, rng):
    return bool(counts[0] + rng.geometric(0.5) - rng.geometric(1 - math.exp(-2)) > 1)


def one_draw_for_two(counts, rng):
    noise = two_sided(rng)
    return tuple(bool(count + noise > 0) for count in counts)


def first_of_two(counts, rng):
    return int(np.argmax(np.array(counts) + rng.geometric(0.75, size=2)))


def last_of_two(counts, rng):
    noisy = [count + two_sided(rng, 2) for count in counts]
    return 1 if noisy[1] >= noisy[0] else 0


def order_of_three(counts, rng):
    noisy = [*(count + rng.geometric(0.75) for count in counts), rng.geometric(0.75)]
    return tuple(sorted(range(3), key=lambda place: noisy[place]))


def sum_of_two_poissons(counts, rng):
    return bool(counts[0] + rng.poisson(0.25) + rng.poisson(0.5) > 1)


def poisson_between(counts, rng):
    noisy = counts[0] + rng.poisson(0.25)
    return 0 if noisy < 1 else 1 if noisy <= 2 else 2


def sparse_vector(counts, rng):
    threshold = two_sided(rng, 3)
    return "above" if counts[0] + two_sided(rng, 3) >= threshold else "below"


@pytest.mark.parametrize(
    ("program", "draws", "most"),
    [
        *((program, 2, 60) for program in (above, at_least, equal, clamped, halved, third, half_as_tie)),
        *((program, 2, 60) for program in (different_rates, one_draw_for_two, first_of_two)),
        (up, 3, 30),
        (last_of_two, 4, 10),
        (sparse_vector, 4, 8),
        (order_of_three, 3, 20),
        (sum_of_two_poissons, 2, 30),
        (poisson_between, 1, 40),
    ],
)
@pytest.mark.parametrize("counts", [(0, 0), (2, 1), (-1, 2)])
def test_probabilities_enclose_a_long_part_of_the_law(program, draws, most, counts):
    found = probabilities(program, counts)
    seen, rest = enumerated(program, counts, draws, most)
    assert set(seen) <= set(found)
    for name, (low, high) in found.items():
        weight = seen.get(name, 0.0)
        assert weight - 1e-9 <= high
        assert low <= weight + rest + 1e-9
        assert high - low < Fraction(1, 10**15)
