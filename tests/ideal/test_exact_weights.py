"""Draws by exponentials: exact verdicts at one epsilon and for all, and what must not be taken for a number."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from dpcert import ApproxDP, Claim, Unauditable
from dpcert.audit.ideal.certificates.certificate import IdealCertificate, check_ideal
from dpcert.audit.ideal.certificates.writing import certificate_of, certificate_of_every
from dpcert.audit.ideal.every import Range
from dpcert.audit.ideal.every_report import decide_every
from dpcert.audit.ideal.explore import laws_of
from dpcert.audit.ideal.verdict import decide_ideal
from dpcert.audit.kernel.check import Rejected
from dpcert.audit.kernel.neighbours import RELATIONS

from .claims import STATED, decided, least


# MWEM, AIM and MST at toy size: each spends epsilon 1 in all on its choices, by the exponential mechanism, and on its
# measurements. With `scale` 1/2 the noise of these is half of the noise that it needs.
def chosen(rng, scores, epsilon):
    """Return a position by the exponential mechanism, for scores that a record moves by one."""
    weights = np.exp(np.array(scores) * epsilon / 2)
    return int(rng.choice(len(scores), p=weights / weights.sum()))


def mwem(cells, rng, scale=1):
    """Twice: choose the cell that a flat histogram misses most, and measure it."""
    found = []
    for _ in range(2):
        place = chosen(rng, [abs(count - 1) for count in cells], 1 / 8)
        found.append((place, cells[place] + rng.laplace(scale=scale * 8 / 3)))
    return found


def aim(cells, rng, scale=1):
    """Measure the first cell, then choose among all cells and the pairs of neighbouring ones, and measure that."""
    first = cells[0] + rng.laplace(scale=4 * scale)
    queries = [(i,) for i in range(len(cells))] + [(i, i + 1) for i in range(len(cells) - 1)]
    query = queries[chosen(rng, [sum(cells[i] for i in q) - len(q) for q in queries], 1 / 2)]
    return first, query, np.array([cells[i] for i in query]) + rng.laplace(scale=4 * scale, size=len(query))


def mst(rows, rng, scale=1):
    """Measure both one-way counts, then choose an edge by a two-way count, and measure that count."""
    noisy = [sum(row[k] for row in rows) + rng.laplace(scale=4 * scale) for k in range(2)]
    edges = [sum(a == b for a, b in rows), sum(a != b for a, b in rows)]
    edge = chosen(rng, edges, 1 / 4)
    return noisy, edge, edges[edge] + rng.laplace(scale=4 * scale)


BITS, CELLS = (0, 1), tuple(product((0, 1), repeat=2))


def randomized(bit, rng, epsilon=1):
    keep = math.exp(epsilon) / (1 + math.exp(epsilon))
    return bit if rng.random() < keep else 1 - bit


def flipped(bit, rng):
    return bit ^ int(rng.binomial(1, 1 / (1 + np.exp(1.0))))


def one_of_three(x, rng):
    weights = np.array([math.exp(1) if i == x else 1.0 for i in range(3)])
    return int(rng.choice(3, p=weights / weights.sum()))


def unary(x, rng):
    q = 1 / (1 + math.exp(1))
    return tuple(int(rng.random() < (0.5 if i == x else q)) for i in range(2))


def by_running_sum(cells, rng):
    weights = [math.exp(count) for count in cells]
    cut, total = rng.random() * sum(weights), 0.0
    for i, weight in enumerate(weights):
        total += weight
        if cut < total:
            return i
    return 0


def by_search(cells, rng):
    weights = np.exp(np.array(cells))
    return int(np.searchsorted(np.cumsum(weights / weights.sum()), rng.random()))


def without_bias(bit, rng):
    p = math.exp(1) / (1 + math.exp(1))
    return (randomized(bit, rng) - (1 - p)) / (2 * p - 1)


TIGHT = {
    randomized: BITS,
    flipped: BITS,
    one_of_three: range(3),
    unary: BITS,
    by_running_sum: CELLS,
    by_search: CELLS,
    without_bias: BITS,
}
"""Programs whose least epsilon is 1."""


@pytest.mark.parametrize("program", TIGHT)
def test_p_by_a_formula_is_what_the_formula_says(program):
    inputs = TIGHT[program]
    relation = "any" if inputs != CELLS else "l1"
    report = decided(program, inputs, 1, neighbours=relation)
    if inputs == CELLS:  # of two cells, one moves by one
        assert report.verdict == "verified"
        assert report.epsilon[1].rational < 1
    else:
        assert (report.verdict, least(report)) == ("verified", ("1", "1"))
        assert decided(program, inputs, "999999999/1000000000", neighbours=relation).verdict == "refuted"


def test_two_ways_to_choose_have_one_law():
    for cells in CELLS:
        first, other = (laws_of(program, [cells])[0] for program in (by_running_sum, by_search))
        weights = [{path.outcome: path.weight for path in row} for row in (first, other)]
        assert all(weights[0][i].same(weights[1][i]) if cells[0] != cells[1] else True for i in weights[0])


@pytest.mark.parametrize(("factor", "verdict"), [(1, "verified"), ("999/1000", "refuted")])
def test_randomized_response_for_every_epsilon(factor, verdict):
    report = decide_every(randomized, BITS, RELATIONS["any"], factor=Fraction(factor))
    assert report.verdict == verdict


def mixed(x, rng, epsilon):
    """Randomized response, of which a fair coin takes half away."""
    if rng.random() < 0.5:
        return int(rng.integers(0, 2))
    return randomized(x, rng, epsilon)


@pytest.mark.parametrize(
    ("factor", "within", "verdict"),
    [
        ("1/2", Range(), "verified"),
        ("499/1000", Range(), "refuted"),
        ("2/5", Range(), "refuted"),
        ("2/5", Range(Fraction(3)), "verified"),
    ],
)
def test_a_mixture_for_every_epsilon(factor, within, verdict):
    """With x = e^epsilon its ratio is (3 x + 1)/(x + 3): below x^(1/2), which it touches at 0, and below 3."""
    report = decide_every(mixed, BITS, RELATIONS["any"], factor=Fraction(factor), within=within)
    assert report.verdict == verdict
    if verdict == "refuted":
        x = math.exp(report.epsilon)
        assert (3 * x + 1) / (x + 3) > x ** float(Fraction(factor))


PROGRAMS = {mwem: tuple(product((0, 1), repeat=3)), aim: CELLS, mst: ((), ((1, 1),), ((0, 1),), ((1, 1), (0, 1)))}


@pytest.mark.parametrize("program", PROGRAMS)
def test_select_then_measure(program):
    relation = "add-remove" if program is mst else "l1"
    assert decided(program, PROGRAMS[program], 1, neighbours=relation).verdict == "verified"


@pytest.mark.parametrize("program", PROGRAMS)
def test_caught_measurements_with_half_the_noise(program):
    relation = "add-remove" if program is mst else "l1"

    def half(data, rng):
        return program(data, rng, scale=1 / 2)

    assert decided(half, PROGRAMS[program], 1, neighbours=relation).verdict == "refuted"


def checked(program, inputs, epsilon, delta=0, within=None):
    """Return the certificate of a claim, which its check accepts."""
    case = Claim("program", (), tuple(inputs), RELATIONS["any"], ApproxDP(epsilon, delta))
    every = "" if within is None else "epsilon"
    if within is None:
        found = certificate_of(decide_ideal(case, program), STATED)
    else:
        report = decide_every(program, inputs, case.neighbours, factor=Fraction(epsilon), within=within)
        found = certificate_of_every(report, case, program, STATED, every=every)
    found = IdealCertificate.from_text(found.to_text().encode())
    check_ideal(found, case, program, STATED, every=every, within=within)
    return found, case


@pytest.mark.parametrize(
    ("epsilon", "delta", "within", "trees"),
    [
        (1, 0, None, True),
        ("9/10", 0, None, True),
        ("9/10", "1/10", None, False),
        ("1/2", "1/100", None, False),
        (1, 0, Range(), True),
        ("9/10", 0, Range(), True),
    ],
)
def test_certificates_hold_exact_weights(epsilon, delta, within, trees):
    """What is decided at a delta has no tree: it is decided again."""
    found, _ = checked(randomized, BITS, epsilon, delta, within)
    assert bool(found.trees) is trees


def test_rejected_certificates_with_other_weights():
    found, case = checked(randomized, BITS, 1)
    text = found.to_text()
    assert '"1/1"' in text
    edited = IdealCertificate.from_text(text.replace('[0, "0/1", "1/1", "1/1"]', '[0, "0/1", "1/1", "2/1"]').encode())
    assert edited.trees != found.trees
    with pytest.raises((Rejected, Unauditable)):
        check_ideal(edited, case, randomized, STATED)
    small = Claim("program", (), BITS, RELATIONS["any"], ApproxDP("9/10", 0))
    other = IdealCertificate.from_text(text.replace('"epsilon": "1"', '"epsilon": "9/10"').encode())
    with pytest.raises(Rejected, match="not within the claim"):
        check_ideal(other, small, randomized, STATED)


def undecided(program, *, epsilon="open"):
    with pytest.raises(Unauditable):
        laws_of(program, BITS, epsilon=epsilon)


def not_verified(program):
    """Whether a program that leaks at some epsilon is not taken for private at every one."""
    return decide_every(program, BITS, RELATIONS["any"]).verdict != "verified"


def guarded_choice(x, rng, epsilon):
    try:
        rng.choice([0, 1], p=[math.exp(epsilon) - 1, 2 - math.exp(epsilon)])
    except ValueError:
        return 0
    return x


def guarded_scale(x, rng, epsilon):
    try:
        rng.laplace(scale=1 - 2 * epsilon)
    except ValueError:
        return 0
    return x


@pytest.mark.parametrize(
    "program",
    [
        guarded_choice,
        guarded_scale,
        lambda x, rng, e: x if math.exp(e) == 2 else 0,
        lambda x, rng, e: x if math.floor(math.exp(e)) == 2 else 0,
        lambda x, rng, e: 0 * x / (math.exp(e) - 2),
        lambda x, rng, e: x if bool(math.exp(e) - 2) else 0,
        lambda x, rng, e: x if rng.random() < math.exp(e) - 2 else 0,
        lambda x, rng, e: int(rng.choice(2, p=[math.exp(e) - 1, 2 - math.exp(e)])),
        lambda x, rng, e: int(rng.binomial(0, math.exp(e) - 1)) + x,
    ],
)
def test_what_holds_for_some_epsilon_is_not_taken_for_all(program):
    assert not_verified(program)


@pytest.mark.parametrize(
    "program",
    [
        lambda x, rng: 1 + x * math.exp(-100),
        lambda x, rng: x if math.floor(3 - math.exp(-100)) == 2 else 0,
        lambda x, rng: x if math.exp(-100) + 1 > 1 else 0,
        lambda x, rng: x if 1 + math.exp(-100) == 1.0 else 1 - x,
    ],
)
def test_undecided_where_floats_are_another_number(program):
    undecided(program, epsilon=None)


def test_a_uniform_number_is_cut_once_for_all_comparisons():
    def program(x, rng):
        u = rng.random()
        return u < math.exp(-1), u < math.exp(-2), u < 0.3, u * math.exp(1) < 1

    paths = laws_of(program, [0])[0]
    assert {path.outcome for path in paths} == {
        (True, True, True, True),
        (True, False, True, True),
        (True, False, False, True),
        (False, False, False, False),
    }


def test_refused_a_uniform_number_that_is_used_otherwise():
    """As floats it is followed, as it was."""

    def program(x, rng):
        u = rng.random()
        return bool(u < math.exp(-1)), u

    (paths,) = laws_of(program, [0])
    assert all(isinstance(path.weight, Fraction) and path.inequalities for path in paths)


def test_negative_multiples_of_a_uniform_number():
    def program(x, rng):
        if x == 0:
            return bool(rng.random() * -math.exp(1) < -math.exp(1) / 4)
        return bool(rng.random() < 0.25)

    assert least(decided(program, BITS, "ln(3)", neighbours="any")) == ("ln(3)", "ln(3)")


def test_at_a_delta_normal_noise_beside_such_a_draw_is_decided_with_floats():
    def program(count, rng):
        kept = sum(1 for _ in range(count) if rng.random() < math.exp(-1))
        return kept + rng.normal()

    report = decided(program, range(3), 1, "13/100", neighbours="counts_differ_by_one")
    assert report.verdict == "verified"
    assert all(isinstance(path.weight, Fraction) for row in report.followed for path in row)
