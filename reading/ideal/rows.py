"""What a program can do with a list of any length, with a list that its loop fills, and with what counts turns.

Each allows what its rules name, and refuses all else: so what is left open decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy

from dpcert.mechanisms.ideal.path import Inequality, normal_form
from dpcert.reading.domains.forms import Form, data_of, number
from dpcert.reading.domains.kinds import FLOAT
from dpcert.reading.domains.noise import is_ideal
from dpcert.reading.domains.rows import Column, Count, Log, Row, Turns
from dpcert.reading.errors import Refused, call_act
from dpcert.reading.foreign import FOREIGN, Foreign
from dpcert.reading.ideal.draws import bound
from dpcert.reading.numpy.kinds import GENERATORS
from dpcert.reading.outcomes import outcome
from dpcert.reading.values import MISSING, Rule, Value
from dpcert.reading.whitelist import RULES

MORE = "whether the list has another number"
"""The question of an iteration, which both inputs of a pair answer alike."""


class NeedsModulus(BaseException):
    """The remainder of an integer by a number is asked for, which is not known yet."""

    def __init__(self, by: int) -> None:
        self.by = by


class _OfRow(Foreign):
    name = "a list of any length"
    pace = 0

    def begin(self, value: Row) -> None:
        """Check that nobody iterated over a list: another time, its numbers would be new ones here."""
        if value.used:
            raise Refused("a list of any length is read a second time")
        value.used = True

    def length(self, value: Row) -> Value:
        """How many numbers there are, which is the same on both inputs of a pair."""
        return Count()

    def item(self, value: Row, place: int) -> Value:
        """Ask whether there is a number, and return a new open one."""
        known = value.world.known
        if known.decide(MORE, lambda: (1, 0)) == 0:
            return MISSING
        known.opened += 1
        return number(value.world, Form(FLOAT, ((-known.opened, 1),), 0))


class _OfLog(Foreign):
    name = "a list that a loop fills"

    def attribute(self, m: Any, owner: Value, name: str) -> Value:
        """The method `append`."""
        return Rule(name, owner) if name == "append" else self._refuse(name)

    def call(self, m: Any, owner: Log, name: str, args: tuple[Value, ...], keywords: dict[str, Value]) -> Value:
        """Add a value."""
        if name != "append" or len(args) != 1 or keywords:
            self._refuse(name)
        owner.edit().append(args[0])

    def parts(self, value: Log) -> list[Value]:
        """What was added since the last turn."""
        return list(value.items)

    def outcome(self, m: Any, value: Log) -> Any:
        """What was added since the last turn; what was before is released already."""
        return [outcome(m, part) for part in value.items]


class _OfTurns(Foreign):
    name = "an integer that counts turns"

    def binary(self, m: Any, name: str, in_place: bool, a: Value, b: Value) -> Value:
        """The integer plus or minus a plain one, or its remainder by one."""
        if type(a) is int and type(b) is Turns and name == "add":
            a, b = b, a
        if type(a) is not Turns or type(b) is not int:
            self._refuse(name)
        if name in ("add", "sub"):
            return Turns(a.modulus, a.rest + (b if name == "add" else -b))
        if name != "mod" or b <= 0:
            self._refuse(name)
        if a.modulus % b:
            raise NeedsModulus(b)
        return a.rest % b

    def convert(self, m: Any, host: Callable[..., Any], args: tuple[Value, ...]) -> Value:
        """The integer itself, for `int`."""
        return args[0] if host is int and len(args) == 1 else self._refuse(getattr(host, "__name__", "a call"))

    def parts(self, value: Turns) -> list[Value]:
        """Nothing."""
        return []

    def outcome(self, m: Any, value: Turns) -> Any:
        """A word for it: the ways are the same on both inputs of a pair, and so is the integer."""
        return self.name


class _OfCount(Foreign):
    name = "the length of a list of any length"


class _OfColumn(Foreign):
    name = "an array of any length"

    def binary(self, m: Any, name: str, in_place: bool, a: Value, b: Value) -> Value:
        """The sum of two."""
        if name != "add" or in_place or type(a) is not Column or type(b) is not Column:
            self._refuse(name)
        terms = dict(a.terms)
        for each, c in b.terms:
            terms[each] = terms.get(each, 0) + c
        return Column(a.scale + b.scale, tuple((each, c) for each, c in terms.items() if c))


FOREIGN[Row], FOREIGN[Log], FOREIGN[Turns] = _OfRow(), _OfLog(), _OfTurns()
FOREIGN[Count], FOREIGN[Column] = _OfCount(), _OfColumn()
DRAWN = ("laplace", "exponential", "gumbel", "logistic")
"""The methods of numpy's generators that draw an entry for each number."""


def _sum(m: Any, *args: Value, **keywords: Value) -> Value:
    if args and args[0].__class__ is Row:  # of real numbers, a sum is a loop
        return call_act(m.prelude("sum_in_turn"), args, keywords)
    return RULES[id(sum)](m, *args, **keywords)


def _array(m: Any, *args: Value, **keywords: Value) -> Value:
    if len(args) != 1 or keywords or args[0].__class__ is not Row:
        return RULES[id(numpy.array)](m, *args, **keywords)
    FOREIGN[Row].begin(args[0])
    return Column(1, ())


def _argmax(m: Any, *args: Value, **keywords: Value) -> Value:
    """The place of the greatest entry: that is above the greatest of all others, which is an open number."""
    if len(args) != 1 or keywords or args[0].__class__ is not Column:
        return RULES[id(numpy.argmax)](m, *args, **keywords)
    known, column = m.world.known, args[0]
    if known.winner is not None or not column.terms or not column.scale:
        raise Refused("the greatest entry of an array of any length, without noise or a second time, is not followed")
    known.winner = own, others = -1 - known.opened, -2 - known.opened
    known.opened += 2
    form, threshold, flipped = normal_form({**dict(column.terms), own: column.scale, others: -column.scale}, 0)
    known.inequalities.append(Inequality(form, threshold, not flipped))
    return Turns(1, 0)


def _drawn_by(host: Any, one: Callable[..., Value]) -> Callable[..., Value]:
    """The rule for a method that draws noise, from the rule for `one` draw."""

    def rule(m: Any, *args: Value, **keywords: Value) -> Value:
        given = bound(host, args, keywords)
        if given.pop("size").__class__ is not Count:
            return one(m, *args, **keywords)
        drawn = len(m.world.known.laws)
        found = one(m, given.pop("self"), **given)
        data = data_of(found) if is_ideal(found) else None
        if type(data) is not Form or [name for name, _ in data.terms] != [drawn]:  # other noise is shared by entries
            raise Refused("an array of any length of other than fresh noise around one number is not followed")
        return Column(0, data.terms)

    return rule


def rules_of_rows(known: Mapping[int, Callable[..., Any]]) -> dict[int, Callable[..., Any]]:
    """The rules for functions, by the ids of what they are for, beside those that are `known`."""
    found: dict[int, Callable[..., Any]] = {id(sum): _sum, id(numpy.array): _array, id(numpy.argmax): _argmax}
    hosts = [vars(kind)[name] for kind in GENERATORS for name in DRAWN if name in vars(kind)]
    found |= {id(host): _drawn_by(host, known[id(host)]) for host in hosts}
    return found
