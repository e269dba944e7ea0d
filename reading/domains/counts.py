"""Counts of turns: integers that are sums of independent geometric numbers, of which no more is asked than must be.

A draw of the kind "count" is j >= 0 with probability (1 - r) r^j; in place of `hi` stands r, or the number of a line
of states whose ratio is not known yet. Once it is split, `hi` is None, and `lo` is what became of it. A count is
scale * draw + rest, where the rest is an integer or a count. It is added, subtracted, multiplied by an integer, and
compared with integers and counts; all else is refused. So a machine that does not ask goes alike for every j.
"""

from fractions import Fraction
from typing import Any, NoReturn

from dpcert.reading.errors import Ask, Refused
from dpcert.reading.tails.far import Series
from dpcert.reading.values import Draw, Undecided, Value

MOST = 2_000  # so many values of a geometric number are told apart, at most
MOST_TERMS = 16  # and of so many draws is a count the sum
NEEDED = "a count of turns without end is needed as a plain number"
Terms = list[tuple[Draw, int]]  # each draw with its scale


class Split(Ask):
    """A question about geometric numbers.

    About one: is it 0, or 1, ..., or at least `room`? About two: are they equal, or which of them is greater?
    """

    def __init__(self, *draws: Draw, room: int = 0) -> None:
        super().__init__(draws[0], [room])
        self.draws, self.ratios = draws, tuple([each.hi for each in draws])
        if room > MOST:
            raise Refused(NEEDED)


def is_count(value: Value) -> bool:
    """Whether a value is a count."""
    return type(value) is Undecided and value.draw.kind == "count"


def fresh(ratio: Fraction | int) -> Undecided:
    """A new geometric number."""
    return Undecided(Draw(0, ratio, "count"), (("sum", (1, 0)),))


def refuse(*_: Value) -> NoReturn:
    """Refuse a count where a plain number is needed: the step of its chain, for all who do not know counts."""
    raise Refused(NEEDED)


def linear(value: Value) -> tuple[int, Terms]:
    """The integer and the draws of which a count is the sum; of a draw that was split, what became of it."""
    if type(value) is not Undecided:
        return int(value), []
    ((_, (scale, rest)),) = value.chain
    shift, terms = linear(rest)
    if value.draw.hi is not None:
        return shift, _plus(terms, [(value.draw, scale)])
    became, parts = linear(value.draw.lo)
    return shift + scale * became, _plus(terms, [(draw, scale * own) for draw, own in parts])


def _plus(terms: Terms, more: Terms) -> Terms:
    for draw, scale in more:
        total = scale + sum(own for each, own in terms if each is draw)
        terms = [*[row for row in terms if row[0] is not draw], *([(draw, total)] if total else [])]
    return terms


def made(shift: int, terms: Terms) -> Value:
    """The sum of an integer and draws with their scales."""
    value: Value = shift
    if len(terms) > MOST_TERMS:
        raise Refused("a count of turns is the sum of too many")
    for draw, scale in terms:
        value = Undecided(draw, (("sum", (scale, value)),))
    return value


def binary(name: str, a: Value, b: Value) -> Value:
    """The result of an operation on a count and an integer, or on two counts.

    Raises: Refused for all but sums, differences, and multiples.
    """
    if any(type(each) not in (int, bool, Undecided) for each in (a, b)):
        raise Refused(NEEDED)
    (shift, terms), (by, others) = linear(a), linear(b)
    if name == "mul" and terms and others:
        raise Refused(NEEDED)
    match name:
        case "add":
            return made(shift + by, _plus(terms, others))
        case "sub":
            return made(shift - by, _plus(terms, [(draw, -scale) for draw, scale in others]))
        case "mul":
            rows = [(draw, scale * by) for draw, scale in terms] + [(draw, scale * shift) for draw, scale in others]
            return made(shift * by, [row for row in rows if row[1]])
    raise Refused(NEEDED)


def settled(value: Undecided) -> Value:
    """A count, or the integer that it is."""
    return made(*linear(value))


def decide(value: Undecided) -> NoReturn:
    """Refuse a count that is needed as a plain number."""
    raise Refused(NEEDED)


def kind_of(value: Undecided) -> type:
    """The type of a count."""
    return int


def magnitude(value: Undecided) -> Value:
    """The absolute value of a count.

    Raises: Ask for its sign.
    """
    return value if compare(value, ">=", 0) else then(value, "neg")


def then(value: Value, name: str, by: Value = None) -> Value:
    """The result of `-value` or `~value`.

    Raises: Refused for all else.
    """
    if name not in ("neg", "invert"):
        raise Refused(NEEDED)
    return binary("sub", 0 if name == "neg" else -1, value)


def compare(a: Value, sign: str, b: Value) -> bool:
    """The answer of a comparison of a count with an integer or a count.

    Raises: Ask where it depends on the draws; Refused for a number of another type.
    """
    difference = linear(binary("sub", a, b))
    if sign in ("<", ">="):
        return _at_most(-1, *difference) is (sign == "<")
    if sign in ("<=", ">"):
        return _at_most(0, *difference) is (sign == "<=")
    return (_at_most(0, *difference) and not _at_most(-1, *difference)) is (sign == "==")


def _at_most(bound: int, shift: int, terms: Terms) -> bool:
    _check_signs(terms)
    if not terms:
        return shift <= bound
    draw, scale = terms[0]
    up = scale > 0
    if (shift > bound) is up:
        return not up
    raise Split(draw, room=(bound - shift if up else shift - bound - 1) // abs(scale) + 1)


def _check_signs(terms: Terms) -> None:
    """Ask which of two draws is greater where one is added and the other is subtracted."""
    ups = [row for row in terms if row[1] > 0]
    downs = [row for row in terms if row[1] < 0]
    if ups and downs:
        if ups[0][1] != -downs[0][1]:
            raise Refused("counts of turns with unlike factors are subtracted")
        raise Split(ups[0][0], downs[0][0])


def settle(value: Value) -> None:
    """Ask what must be known of a count that the program returns, which may stay a sum of draws of one scale.

    Raises: Ask.
    """
    _, terms = linear(value)
    _check_signs(terms)
    for draw, scale in terms:
        if type(draw.hi) is int:
            raise Split(draw)
        if scale != terms[0][1]:
            raise Refused("counts of turns with unlike factors are added")


def series(value: Value, seen: set[int]) -> Series:
    """A count that the program returns, as all that it may be.

    Raises: Refused where one of its draws is among those that were seen: what is returned depends on it twice.
    """
    shift, terms = linear(value)
    try:
        settle(value)
    except Ask:
        raise Refused("a count of turns is returned in what is no plain value") from None
    if not seen.isdisjoint(id(draw) for draw, _ in terms):
        raise Refused("what is returned depends on one count of turns in two places")
    seen.update(id(draw) for draw, _ in terms)
    ratios: Any = [draw.hi for draw, _ in terms]
    return Series(shift, terms[0][1], tuple(sorted(ratios)))


def cases(ratios: tuple[Fraction, ...], room: int) -> list[tuple[Fraction, tuple[Value, ...]]]:
    """The answers of a question about geometric numbers: the probability of each, and what becomes of the numbers.

    What a geometric number exceeds a bound by is geometric. Of two, the least has the product of the ratios, and what
    the greater exceeds it by is, but for 1, as the greater is; they are independent.
    """
    if len(ratios) == 1:
        (r,) = ratios
        near: list[tuple[Fraction, tuple[Value, ...]]] = [((1 - r) * r**j, (j,)) for j in range(room)]
        return [*near, (r**room, (binary("add", fresh(r), room),))]
    r, s = ratios
    least, both = fresh(r * s), 1 - r * s
    above = binary("add", least, 1)
    return [
        ((1 - r) * (1 - s) / both, (least, least)),
        (r * (1 - s) / both, (binary("add", above, fresh(r)), least)),
        (s * (1 - r) / both, (least, binary("add", above, fresh(s)))),
    ]
