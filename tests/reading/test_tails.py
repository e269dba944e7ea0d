"""Evidence that laws whose tails are summed are right: of random loops, and of all that asks a count."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from random_loops import Writer

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.reading.domains import counts
from dpcert.reading.domains.counts import Split, cases, fresh, linear
from dpcert.reading.domains.steps import COMPARED
from dpcert.reading.errors import Refused
from dpcert.reading.explore import Limits, Reading, read_law
from dpcert.reading.tails import series
from dpcert.reading.tails.far import Series
from dpcert.reading.values import Undecided

FEW = Limits(states=700, tail=Fraction(1, 10**10))
HALF = Fraction(1, 2)


def unlike(reading: Reading) -> object:
    """An outcome to which the summed law gives less or more than the law with its tail allows, or None."""
    assert reading.ends is not None
    assert sum(p for _, p in reading.ends.rows) == 1
    law, summed = Dist.like(reading.law), reading.ends.listed(Fraction(1, 10**14))
    for outcome in law.outcomes():
        least, most = law.prob(outcome), law.prob(outcome) + law.tail
        if summed.prob(outcome) > most or summed.prob(outcome) + summed.tail < least:
            return outcome
    return None


def differs(seed: int, count: int) -> str | None:
    writer = Writer(seed)
    for _ in range(count):
        text, program = writer.program()
        try:
            reading = read_law(program, 1, FEW, sums=True)
        except Unauditable as refusal:
            if "internal" in str(refusal):
                return f"{text}\n{refusal}"
            continue
        if reading.ends is not None and unlike(reading) is not None:
            return f"{text}\n{unlike(reading)}"
    return None


@pytest.mark.points(1)
@pytest.mark.parametrize("seed", range(200))
def test_random_loops_have_the_law_of_their_states(seed: int) -> None:
    assert differs(seed, 3) is None


# -- what a program may ask of a count

SEEN, NAMED = {1_000}, [1_000]
ASKS: dict[str, Callable[[int], Any]] = {
    "shifted": lambda k: 3 - 2 * k,
    "less": lambda k: k < 7,
    "far": lambda k: k == 900,
    "too far": lambda k: k == 1_000_003,
    "in a list": lambda k: k in NAMED,
    "in a range": lambda k: k in range(3, 9),
    "in a set": lambda k: k in SEEN,
    "clamped": lambda k: min(max(k, 2), 5),
    "an index": lambda k: [5, 6, 7][k] if k < 3 else k,
    "a bare index": lambda k: [5, 6, 7, *[0] * 200][k],
    "none": lambda k: k is None,
    "identity": lambda k: k is NAMED[0],
    "type": lambda k: type(k) is int and isinstance(k, int) and not isinstance(k, bool),
    "parity": lambda k: k % 2,
    "other remainder": lambda k: 1_000 % (k + 1),
    "quotient": lambda k: k // 2,
    "fraction": lambda k: k / 2,
    "divmod": lambda k: divmod(k, 2),
    "square": lambda k: k * k,
    "power": lambda k: k**2,
    "of two": lambda k: 2**k,
    "bits": lambda k: k & 1,
    "xor": lambda k: k ^ 1,
    "left": lambda k: k << 1,
    "right": lambda k: k >> 1,
    "inverted": lambda k: ~k,
    "bit_length": lambda k: k.bit_length(),
    "int": lambda k: int(k),
    "float": lambda k: float(k),
    "complex": lambda k: complex(k),
    "over a float": lambda k: k > 4.5,
    "equal to a float": lambda k: k == 4.0,
    "with a float": lambda k: k + 0.5,
    "with a Fraction": lambda k: k + Fraction(1, 2),
    "Decimal": lambda k: Decimal(k) == 5_000,
    "Fraction": lambda k: Fraction(k),
    "rounded": lambda k: round(k),
    "rounded to tens": lambda k: round(k, -1),
    "sqrt": lambda k: math.sqrt(k),
    "str": lambda k: str(k),
    "repr": lambda k: len(repr(k)),
    "f-string": lambda k: f"{k}",
    "percent": lambda k: f"{k:5d}"[:1],
    "hash": lambda k: hash(k) % 5,
    "key": lambda k: {k: 1}.get(3, 0),
    "times a list": lambda k: len([0] * k),
    "times a text": lambda k: "a" * k == "",
    "range": lambda k: len(range(k)),
    "real": lambda k: k.real,
    "numerator": lambda k: k.numerator > 3,
    "a method of int": lambda k: int.__eq__(5_000, k),
    "a method of its own": lambda k: (5_000).__eq__(k),
    "to bytes": lambda k: k.to_bytes(8, "big")[7] == 3,
    "sorted": lambda k: sorted([3, k, 1])[1],
    "a sum": lambda k: sum([k, 1, k]),
    "all": lambda k: all([k, True]),
    "not": lambda k: not k,
    "and": lambda k: k and 5,
    "twice": lambda k: (k, k),
    "tied": lambda k: [k + 1, {"a": 2 - k}],
    "lost": lambda k: (k - k, k * 0),
    "a dict": lambda k: {"a": k},
    "raised": lambda k: [][k],
    "matched": lambda k: {0: "a"}.get(0) if k == 0 else k - 1,
}
REFUSED = {
    *("too far", "in a range", "in a set", "a bare index", "identity", "parity", "other remainder", "quotient"),
    *("fraction", "divmod", "square", "power", "of two", "bits", "xor", "left", "right", "bit_length", "float"),
    *("complex", "over a float", "equal to a float", "with a float", "with a Fraction", "Decimal", "Fraction"),
    *("rounded to tens", "sqrt", "str", "repr", "f-string", "percent", "hash", "key", "times a list", "times a text"),
    *("range", "real", "numerator", "a method of int", "a method of its own", "to bytes", "twice", "tied", "raised"),
}


@pytest.mark.points(30)
@pytest.mark.parametrize("name", ASKS)
def test_what_asks_a_count_is_right_or_refused(name: str) -> None:
    ask = ASKS[name]

    def program(n: int, coins: Coins) -> Any:
        k = 0
        while coins.below(2):
            k += 1
        return ask(k)

    try:
        ends = read_law(program, 0, FEW, sums=True).ends
    except Unauditable:
        ends = None
    assert (ends is None) == (name in REFUSED)
    if ends is not None:
        law = ends.listed(Fraction(1, 10**40))
        expected: dict[str, tuple[Any, Fraction]] = {}
        for k in range(60):
            outcome = ask(k)
            expected[repr(outcome)] = outcome, expected.get(repr(outcome), (None, Fraction(0)))[1] + HALF ** (k + 1)
        for outcome, p in expected.values():
            assert p - law.tail <= law.prob(outcome) <= p + HALF**60


# -- the domain


@pytest.mark.parametrize("values", [(0, 0, 0), (0, 3, 1), (2, 2, 2), (5, 0, 4), (1, 7, 3), (4, 4, 0)])
@pytest.mark.parametrize("form", [(1, -1, 0), (1, 1, -1), (-2, 2, 0), (1, 0, 0), (-3, 0, 0), (1, 1, 1), (0, -1, -1)])
def test_a_comparison_is_answered_as_its_values_say_once_what_it_asks_is_answered(values: Any, form: Any) -> None:
    """The draws that a question is about are replaced by what the values make of them."""
    for sign, shift in product(COMPARED, (-4, -1, 0, 2, 5)):
        known = dict(enumerate(values))
        numbers: list[Any] = [fresh(HALF) for _ in values]
        draws = {id(each.draw): place for place, each in enumerate(numbers)}
        keep = list(numbers)
        while True:
            count: Any = shift
            for scale, number in zip(form, numbers, strict=True):
                count = counts.binary("add", count, counts.binary("mul", number, scale))
            try:
                found = counts.compare(count, sign, 0)
                break
            except Split as asked:
                found = None
                places = [draws[id(draw)] for draw in asked.draws]
                now = [known[place] for place in places]
                if len(places) == 1:
                    case, left = min(now[0], asked.cuts[0]), [max(now[0] - asked.cuts[0], 0)]
                else:
                    case = 0 if now[0] == now[1] else 1 if now[0] > now[1] else 2
                    left = [min(now), abs(now[0] - now[1]) - 1]
                became = cases((HALF,) * len(places), asked.cuts[0])[case][1]
                numbers = [_replaced(number, asked.draws, became) for number in numbers]
                made = {id(draw): draw for each in became for draw, _ in linear(each)[1]}
                for draw, value in zip(made.values(), left, strict=False):
                    draws[id(draw)] = len(known)
                    known[len(known)] = value
                keep += became
        value = shift + sum(scale * each for scale, each in zip(form, values, strict=True))
        assert found is counts_compared(value, sign)


def counts_compared(value: int, sign: str) -> bool:
    return {"<": value < 0, "<=": value <= 0, ">": value > 0, ">=": value >= 0, "==": value == 0, "!=": value != 0}[
        sign
    ]


def _replaced(number: Any, draws: tuple[Any, ...], became: tuple[Any, ...]) -> Any:
    shift, terms = linear(number)
    found: Any = shift
    for draw, scale in terms:
        value = next((new for each, new in zip(draws, became, strict=True) if each is draw), None)
        term = Undecided(draw, (("sum", (1, 0)),)) if value is None else value
        found = counts.binary("add", found, counts.binary("mul", term, scale))
    return found


@pytest.mark.parametrize("ratios", [(HALF,), (HALF, Fraction(1, 3)), (Fraction(3, 4), HALF)])
@pytest.mark.parametrize("room", [0, 3])
def test_the_answers_of_a_question_make_up_the_law_of_its_draws(ratios: Any, room: int) -> None:
    most = 12
    found: dict[Any, Fraction] = {}
    for chance, values in cases(ratios, room if len(ratios) == 1 else 0):
        draws = {id(draw): draw for value in values for draw, _ in linear(value)[1]}
        for picks in product(range(most), repeat=len(draws)):
            at = dict(zip(draws, picks, strict=True))
            p = chance
            for place, j in at.items():
                p *= (1 - draws[place].hi) * draws[place].hi ** j
            numbers = tuple(linear(v)[0] + sum(s * at[id(draw)] for draw, s in linear(v)[1]) for v in values)
            found[numbers] = found.get(numbers, Fraction(0)) + p
    for numbers in product(range(most), repeat=len(ratios)):
        expected = math.prod((1 - r) * r**j for r, j in zip(ratios, numbers, strict=True))
        assert found[numbers] == expected


def test_refused_a_count_that_is_the_sum_of_too_many() -> None:
    count: Any = 0
    for _ in range(counts.MOST_TERMS):
        count = counts.binary("add", count, fresh(HALF))
    with pytest.raises(Refused, match="too many"):
        counts.binary("add", count, fresh(HALF))


# -- faults


def starts_again(n: int, coins: Coins) -> int:
    while True:
        k = 0
        while True:
            if coins.below(2):
                break
            k += 1
        if coins.below(3):
            return n + k


def test_a_loop_that_starts_again_has_the_ratio_of_one_round() -> None:
    ends = read_law(starts_again, 3, FEW, sums=True).ends
    assert ends is not None
    assert ends.rows == ((Series(3, 1, (HALF,)), Fraction(1)),)


def test_caught_turns_that_are_counted_across_a_new_start(monkeypatch: pytest.MonkeyPatch) -> None:
    def turning(self: Any, line: Any) -> Fraction:
        mark = -1 - len(self.explorer.outcomes)
        ways = list(self.ways)
        ways[line.turn] = [(1, 1, mark)]
        return series.solve(ways, line.every).get(mark, Fraction(0))

    assert unlike(read_law(starts_again, 3, FEW, sums=True)) is None
    monkeypatch.setattr(series._Tails, "turning", turning)
    assert unlike(read_law(starts_again, 3, FEW, sums=True)) is not None


def test_laws_that_nobody_asks_to_sum_have_their_tail() -> None:
    found = read_law(starts_again, 3, FEW)
    assert found.ends is None
    assert found.law == read_law(starts_again, 3, FEW, sums=True).law
