"""Loops on ideal noise: the law over all their turns, and states that only look alike."""

import random
from fractions import Fraction

import numpy as np
import pytest

from dpcert.audit.ideal.corners import as_exact
from dpcert.audit.ideal.discrete.lattice import chances_of
from dpcert.audit.ideal.explore import laws_of
from dpcert.audit.ideal.measure import Units
from dpcert.audit.ideal.verdict import decide_ideal
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.exact import Exact, total
from dpcert.reading.ideal import loops

from ..test_certificate import claim

HALF = Fraction(1, 2)


def law(program, value=0):
    """Return the probability of each outcome, by its text, as an exact number."""
    (paths,) = laws_of(program, [value])
    units = Units.of(paths)
    found = chances_of([paths], units)
    whole = as_exact(found.whole, units)
    by_outcome = {}
    for path, chance in zip(paths, found.rows[0], strict=True):
        by_outcome.setdefault(repr(path.outcome), []).append(as_exact(chance, units) / whole)
    return {outcome: total(parts) for outcome, parts in by_outcome.items()}


def fractions(program, value=0):
    return {outcome: chance.rational() for outcome, chance in law(program, value).items()}


def chain(table, ends):
    """Return the program that goes from state to state by the rows of a table, until one that ends it."""

    def program(x, rng):
        state = x
        while state not in ends:
            state = table[state][int(rng.integers(0, len(table[state])))]
        return state

    return program


def absorbed(table, ends, start):
    """Return the probability of each end of a chain, by elimination of its other states."""
    ways = {state: {to: Fraction(row.count(to), len(row)) for to in set(row)} for state, row in enumerate(table) if row}
    for state in [each for each in ways if each != start and each not in ends]:
        row = ways.pop(state)
        stay = row.pop(state, Fraction(0))
        for other in ways.values():
            through = other.pop(state, Fraction(0))
            for to, chance in row.items():
                other[to] = other.get(to, Fraction(0)) + through * chance / (1 - stay)
    stay = ways[start].pop(start, Fraction(0))
    return {repr(to): chance / (1 - stay) for to, chance in ways[start].items() if chance}


@pytest.mark.parametrize("seed", range(12))
def test_a_chain_is_what_elimination_makes_of_it(seed):
    rng = random.Random(seed)
    ends = frozenset({3, 4})
    table = [[*(rng.randrange(5) for _ in range(rng.randint(1, 2))), rng.choice([3, 4])] for _ in range(3)]
    assert fractions(chain([*table, [], []], ends)) == absorbed([*table, [], []], ends, 0)


def redrawn(v, rng):
    if rng.random() < 0.5:
        return v
    w = v
    while w == v:
        w = int(rng.integers(0, 4))
    return w


def of_the_others(v, rng):
    if rng.random() < 0.5:
        return v
    return int(rng.choice([w for w in range(4) if w != v]))


@pytest.mark.parametrize("v", range(4))
def test_redrawn_until_another_is_drawn_of_the_others(v):
    assert fractions(redrawn, v) == fractions(of_the_others, v)


def in_range(x, rng):
    while True:
        y = x + rng.laplace()
        if 0 <= y <= 2:
            return y


def side(x, rng):
    while True:
        y = x + rng.laplace()
        if y > 2 or y < 0:
            return y > 2


def test_a_rejected_draw_is_conditioned():
    """P(y > 2) / (P(y > 2) + P(y < 0)) of Laplace noise around 1/2."""
    found = law(side, Fraction(1, 2))
    high, low = Exact.power(number=Fraction(-3, 2)), Exact.power(number=-HALF)
    assert {outcome: chance.same(high / (high + low)) for outcome, chance in found.items()} == {
        "True": True,
        "False": False,
    }


def nested(x, rng):
    k = 0
    while True:
        while rng.random() < 0.5:
            k = min(k + 1, 2)
        if k == 2:
            return "two"
        if rng.random() < 0.5:
            return k


def test_a_loop_within_a_loop():
    """From k = 1 the inner loop comes to 2 with 1/2, else it ends there: a = P(1 at the end) = 1/2 (1/2 + a/2)."""
    from_one = Fraction(1, 3)
    zero = HALF * HALF / (1 - HALF * HALF)
    one = HALF * HALF * (HALF + HALF * from_one) / (1 - HALF * HALF)
    assert fractions(nested) == {"0": zero, "1": one, "'two'": 1 - zero - one}


def in_an_array(x, rng):
    seen = np.zeros(3, dtype=int)
    while rng.random() < 0.5:
        if seen[1] == 2:
            return "full"
        seen[1] += 1
    return "left"


def in_a_cell(x, rng):
    n = 0

    def full():
        return n == 2

    while rng.random() < 0.5:
        if full():
            return "full"
        n += 1
    return "left"


class Holder:
    def __init__(self):
        self.n = 0


def in_an_attribute(x, rng):
    held = Holder()
    while rng.random() < 0.5:
        if held.n == 2:
            return "full"
        held.n += 1
    return "left"


def in_an_iterator(x, rng):
    turns = iter(range(2))
    while rng.random() < 0.5:
        if next(turns, None) is None:
            return "full"
    return "left"


def in_a_generator(x, rng):
    def turns():
        yield 1
        yield 1

    left = turns()
    while rng.random() < 0.5:
        if next(left, None) is None:
            return "full"
    return "left"


def in_a_handler(x, rng):
    n = 0
    try:
        while rng.random() < 0.5:
            n = n + 1
            if n == 3:
                raise ValueError
    except ValueError:
        return "full" if n == 3 else "handled"
    return "left"


def in_a_default(x, rng, seen=()):
    known = {}

    def turn(count=known):
        count["n"] = count.get("n", -1) + 1
        return count["n"] == 2

    while rng.random() < 0.5:
        if turn():
            return "full"
    return "left"


@pytest.mark.parametrize(
    "program", [in_an_array, in_a_cell, in_an_attribute, in_an_iterator, in_a_generator, in_a_handler, in_a_default]
)
def test_caught_a_count_that_is_read_later(program):
    assert fractions(program) == {"'full'": Fraction(1, 8), "'left'": Fraction(7, 8)}


def box(x, rng):
    u = rng.random()
    for _ in range(2):
        if u < Fraction(int(rng.integers(1, 3)), 4):
            return "below"
    return "above"


def compared_before(x, rng):
    u = rng.random()
    while True:
        t = int(rng.integers(1, 3))
        if u < Fraction(t, 4):
            return t
        if rng.random() < 0.5:
            return 9


def test_caught_noise_that_was_compared_before():
    """u is compared with 1/4 or 1/2 in each turn: what is above 1/2 stays above."""
    below = sum(Fraction(max(s, t), 4) for s in (1, 2) for t in (1, 2)) / 4
    assert fractions(box) == {"'below'": below, "'above'": 1 - below}
    # u in [0, 1/4): t = 1 or 2; u in [1/4, 1/2): 2 with a = 1/2 + a/4; above, 9 alone
    a = HALF / (1 - Fraction(1, 4))
    assert fractions(compared_before) == {"1": Fraction(1, 8), "2": Fraction(1, 8) + a / 4, "9": HALF + (1 - a) / 4}


def compared_with_another(x, rng):
    """The limit is no longer read when the loop begins, but noise that is, was compared with it."""
    limit, y = rng.laplace(), rng.laplace()
    first = y > limit
    while rng.random() < 0.5:
        if first:
            return "above 0" if y > 0 else "below 0"
        first = True
    return "left"


def test_noise_that_is_known_through_other_noise():
    found = fractions(compared_with_another)
    # y > limit, then 1/2 to look: above 0 with 3/4; else 1/4 to look: above 0 with 1/4
    assert found == {
        "'above 0'": HALF * HALF * Fraction(3, 4) + HALF * Fraction(1, 4) * Fraction(1, 4),
        "'below 0'": HALF * HALF * Fraction(1, 4) + HALF * Fraction(1, 4) * Fraction(3, 4),
        "'left'": HALF * HALF + HALF * Fraction(3, 4),
    }


def same_or_other(x, rng):
    y = z = rng.laplace()
    while rng.random() < 0.5:
        if rng.random() < 0.5:
            return "same" if y == z else "other"
        z = rng.laplace()
    return "left"


def test_caught_one_variable_in_the_place_of_two():
    # turns: 1/4 to look, 1/4 to go on with another z; from then on a = 1/4 + a/4
    assert fractions(same_or_other) == {
        "'same'": Fraction(1, 4),
        "'other'": Fraction(1, 4) * Fraction(1, 3),
        "'left'": 1 - Fraction(1, 4) - Fraction(1, 12),
    }


def test_caught_a_state_without_what_is_known_of_its_noise(monkeypatch):
    """Where names of states leave out what was decided about noise, laws are wrong, and the tests above see it."""
    monkeypatch.setattr(loops, "_law_of", lambda known, met: ())
    with pytest.raises(AssertionError):
        test_caught_noise_that_was_compared_before()


def test_caught_variables_that_are_not_told_apart(monkeypatch):
    monkeypatch.setattr(loops.Numbered, "_number", lambda self, name: 0)
    with pytest.raises(AssertionError):
        test_caught_one_variable_in_the_place_of_two()


def endless(x, rng):
    while True:
        if rng.random() < 0.5 and rng.laplace() > 0:
            x = 1 - x


def by_normal_noise(x, rng):
    while rng.normal() > 1:
        pass
    return x


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (endless, "no run of the program ends"),
        (by_normal_noise, "a loop whose end depends on noise that is not integrated; redraw Laplace or uniform noise"),
    ],
)
def test_refused_a_loop_of_no_exact_probability(program, words):
    with pytest.raises(Unauditable, match=words):
        laws_of(program, [0])


def test_a_loop_is_not_followed_on_open_inputs():
    def program(x, rng):
        while rng.random() < 0.5:
            pass
        return x + rng.laplace()

    report = decide_ideal(claim(range(3), 1), program)
    assert (report.verdict, report.method, str(report.epsilon[1])) == ("verified", "pairs", "1")
