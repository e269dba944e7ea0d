"""Loops that count on ideal noise: a geometric law, and loops that only look as if they counted."""

import math
from fractions import Fraction

import pytest

from dpcert.audit.ideal.certificates.certificate import check_ideal
from dpcert.audit.ideal.certificates.writing import certificate_of
from dpcert.audit.ideal.explore import Limits, laws_of
from dpcert.audit.ideal.verdict import decide_ideal
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.noise import Law, Rate
from dpcert.mechanisms.ideal.parts import Noisy
from dpcert.reading.ideal import loops

from ..test_certificate import STATED, claim
from .test_loops import fractions

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


def heads(rng, p=HALF):
    k = 0
    while rng.random() < p:
        k += 1
    return k


def two_sided(x, rng):
    k = 0
    while rng.random() < HALF:
        k += 1
    while rng.random() < HALF:
        k -= 1
    return x + k


def by_exponentials(x, rng):
    return x + heads(rng, math.exp(-1)) - heads(rng, math.exp(-1))


def sometimes(x, rng):
    """Turns that count, and turns that do not: 1/4 against 1/4, of 1/2 to go on."""
    a = b = 0
    while rng.random() < HALF:
        if rng.random() < HALF:
            a += 1
    while rng.random() < HALF:
        if rng.random() < HALF:
            b += 1
    return x + a - b


@pytest.mark.parametrize(
    ("program", "rate"), [(two_sided, Rate(Fraction(0), 0, Fraction(2))), (by_exponentials, Rate(Fraction(1)))]
)
def test_heads_that_are_counted_are_geometric_noise(program, rate):
    ((path,),) = laws_of(program, [5])
    assert path.laws == (Law("geometric", rate),) * 2
    assert path.outcome == Noisy(((0, Fraction(1)), (1, Fraction(-1))), Fraction(5))
    assert (path.weight, path.inequalities) == (1, ())


@pytest.mark.parametrize("j", range(4))
def test_each_count_is_as_likely_as_by_hand(j):
    """P(k = j) of heads before the first tail is 2^-(j + 1), also where that is asked of it afterwards."""
    found = fractions(lambda x, rng: bool(heads(rng) == j))
    assert found["True"] == HALF ** (j + 1)
    assert found["False"] == 1 - HALF ** (j + 1)
    assert fractions(lambda x, rng: bool(heads(rng, QUARTER) >= j)).get("False", 0) == 1 - QUARTER**j


VERDICTS = [
    (lambda x, rng: x + heads(rng), 1, "refuted"),
    (two_sided, "ln(2)", "verified"),
    (two_sided, "69/100", "refuted"),
    *(
        pytest.param(*case, marks=pytest.mark.nightly)
        for case in [
            (by_exponentials, 1, "verified"),
            (by_exponentials, "99/100", "refuted"),
            (sometimes, "ln(3)", "verified"),
            (sometimes, 1, "refuted"),
        ]
    ),
]


@pytest.mark.parametrize(("program", "epsilon", "verdict"), VERDICTS)
def test_counts_are_decided(program, epsilon, verdict):
    case = claim(range(2), epsilon)
    report = decide_ideal(case, program)
    assert report.verdict == verdict
    check_ideal(certificate_of(report, STATED), case, program, STATED)


def up_to_25(x, rng):
    k = 0
    while k < 25 and rng.random() < HALF:
        k += 1
    return k == 25


def with_another_end(x, rng):
    k = 0
    while rng.random() < HALF:
        k += 1
        if k == 22:
            return True
    return False


def turned_back(x, rng):
    """The count goes to 30, and begins anew."""
    k = 0
    while rng.random() < Fraction(9, 10):
        k = (k + 1) % 30
    return k == 0


@pytest.mark.parametrize(
    ("program", "chance"),
    [(up_to_25, HALF**25), (with_another_end, HALF**22), (turned_back, Fraction(1, 10) / (1 - Fraction(9, 10) ** 30))],
)
def test_a_count_that_ends_the_loop_is_followed(program, chance):
    assert fractions(program) == {"True": chance, "False": 1 - chance}


def by_one_or_two(x, rng):
    k = 0
    while rng.random() < HALF:
        k += int(rng.integers(1, 3))
    return x + k


def into_a_list(x, rng):
    k, seen = 0, []
    while rng.random() < HALF:
        k += 1
        seen.append(k)
    return sum(seen)


def parity(x, rng):
    return heads(rng) % 2


@pytest.mark.parametrize("program", [by_one_or_two, into_a_list, parity])
def test_refused_what_does_not_count_by_one_step(program):
    with pytest.raises(Unauditable, match="more than 100 comparisons in one run"):
        laws_of(program, [0], limits=Limits(decisions=100))


def slower_later(x, rng):
    """What is counted is read in an outer loop, in whose later turns the chance to count on is another."""
    first = True
    while True:
        k = 0
        while rng.random() < (HALF if first else QUARTER):
            k += 1
        if rng.random() < HALF:
            return k == 1
        first = False


def test_counts_of_other_chances_are_told_apart():
    assert fractions(slower_later)["True"] == HALF * Fraction(1, 4) + HALF * Fraction(3, 16)


def not_turned(x, rng):
    """The first path is likelier than noise of 0 would be."""
    if rng.random() < HALF:
        return x
    return x + heads(rng, QUARTER)


def test_a_constant_is_no_first_turn_where_it_is_likelier():
    (paths,) = laws_of(not_turned, [0])
    assert sorted((str(path.outcome), path.weight) for path in paths) == [
        ("0", Fraction(7, 8)),
        (str(Noisy(((0, Fraction(1)),), Fraction(0))), Fraction(1, 8)),
    ]


def test_caught_steps_that_are_not_compared(monkeypatch):
    """Where all steps are taken for the one that is counted, the law of a count by one or two is another."""
    true = loops._steps
    one = {}

    def same(before, after):
        return one.setdefault("steps", true(before, after))

    monkeypatch.setattr(loops, "_steps", same)
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        test_refused_what_does_not_count_by_one_step(by_one_or_two)


def test_caught_noise_of_two_loops_that_is_taken_for_one(monkeypatch):
    """Without a law of its own for each, what two loops count is alike, and the outer loop seems to come back."""
    monkeypatch.setattr(loops, "Rate", lambda factor: Rate(Fraction(-1)))
    with pytest.raises(AssertionError):
        test_counts_of_other_chances_are_told_apart()
