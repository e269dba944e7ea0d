"""What a program can do with a list of any length, with a list that its loop fills, and with what counts turns.

Each allows what its rules name, and refuses all else: so what is left open decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dpcert.reading.domains.forms import Form, number
from dpcert.reading.domains.kinds import FLOAT
from dpcert.reading.domains.rows import Log, Row, Turns
from dpcert.reading.errors import Refused, call_act
from dpcert.reading.foreign import FOREIGN, Foreign
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

    def parts(self, value: Turns) -> list[Value]:
        """Nothing."""
        return []

    def outcome(self, m: Any, value: Turns) -> Any:
        """A word for it: the ways are the same on both inputs of a pair, and so is the integer."""
        return self.name


FOREIGN[Row], FOREIGN[Log], FOREIGN[Turns] = _OfRow(), _OfLog(), _OfTurns()


def _sum(m: Any, *args: Value, **keywords: Value) -> Value:
    if args and args[0].__class__ is Row:  # of real numbers, a sum is a loop
        return call_act(m.prelude("sum_in_turn"), args, keywords)
    return RULES[id(sum)](m, *args, **keywords)


def rules_of_rows() -> dict[int, Callable[..., Any]]:
    """The rules for functions, by the ids of what they are for."""
    return {id(sum): _sum}
