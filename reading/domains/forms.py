"""Numbers on ideal noise as data: linear forms of noise, roundings of these, and numbers that depend on epsilon.

An undecided number of the kind "ideal" has one step, `("ideal", data)`, and for its draw the `World` of its run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, NoReturn

from dpcert.mechanisms.ideal.exact import Exact, Items
from dpcert.mechanisms.ideal.given import Given
from dpcert.mechanisms.ideal.known import Known
from dpcert.mechanisms.ideal.path import Path
from dpcert.mechanisms.ideal.terms import Number, rational
from dpcert.reading.domains.kinds import Kinds
from dpcert.reading.errors import Ask, Refused
from dpcert.reading.values import Undecided, Value, World

Terms = tuple[tuple[int, Number], ...]


@dataclass(frozen=True, slots=True)
class Form:
    """The real number offset + sum of c * variable, of some type."""

    kinds: Kinds
    terms: Terms
    offset: Number

    def plus(self, other: Form, sign: int, kinds: Kinds) -> Form:
        """This number plus another one times a sign."""
        if not self.terms or not other.terms or self.terms[-1][0] < other.terms[0][0]:  # in order, as draws come
            later = tuple((name, rational(sign * c)) for name, c in other.terms)
            return Form(kinds, self.terms + later, rational(self.offset + sign * other.offset))
        found = dict(self.terms)
        for name, c in other.terms:
            found[name] = found.get(name, 0) + sign * c
        return form(kinds, found, self.offset + sign * other.offset)

    def times(self, factor: Number, kinds: Kinds) -> Form:
        """This number times a constant."""
        return form(kinds, {name: factor * c for name, c in self.terms}, factor * self.offset)

    def moved(self, by: Number) -> Form:
        """This number plus a constant."""
        return Form(self.kinds, self.terms, rational(self.offset + by))

    def is_open(self) -> bool:
        """Whether it is of open inputs alone."""
        return bool(self.terms) and all(name < 0 for name, _ in self.terms)


def form(kinds: Kinds, terms: Mapping[int, Number], offset: Number) -> Form:
    """A form, with no term that is 0."""
    rows = tuple((name, rational(c)) for name, c in sorted(terms.items()) if c)
    return Form(kinds, rows, rational(offset))


@dataclass(frozen=True, slots=True)
class Whole:
    """The number factor * floor(offset + sum of c * variable) + shift, for a factor above 0."""

    kinds: Kinds
    terms: Terms
    offset: Number
    factor: Number = 1
    shift: Number = 0

    @property
    def inner(self) -> Form:
        """The number that is rounded."""
        return Form(self.kinds, self.terms, self.offset)


@dataclass(frozen=True, slots=True)
class Written:
    """A number with what it was written as, a quotient of sums of exponentials and powers of epsilon; `value` is None
    where that depends on epsilon."""

    kinds: Kinds
    above: Items
    below: Items
    value: Value

    @property
    def exact(self) -> Exact:
        """The quotient that it was written as."""
        return Exact(self.above, self.below)


@dataclass(frozen=True, slots=True)
class Cut:
    """The number factor * U + offset for the uniform variable U of a name, as quotients of sums of exponentials."""

    kinds: Kinds
    name: int
    factor: tuple[Items, Items]
    offset: tuple[Items, Items]


@dataclass(frozen=True, slots=True)
class Guarded:
    """A uniform number between 0 and 1, clamped at a least number and a greatest one; None for no such end."""

    kinds: Kinds
    terms: Terms
    offset: Number
    low: Number | None
    high: Number | None

    @property
    def inner(self) -> Form:
        """The number that is clamped."""
        return Form(self.kinds, self.terms, self.offset)


@dataclass(frozen=True, slots=True)
class Clamped:
    """The number factor * x + shift for a noisy number x, clamped at the logarithms of a least number and a greatest
    one, both between 0 and 1; None for no such end."""

    kinds: Kinds
    terms: Terms
    offset: Number
    low: Number | None
    high: Number | None
    factor: Number = 1
    shift: Number = 0

    @property
    def inner(self) -> Form:
        """The number that is clamped."""
        return Form(self.kinds, self.terms, self.offset)


@dataclass(frozen=True, slots=True)
class Opaque:
    """The number that an operation makes of parts: numbers as they are `packed`, or integers; of so many `nodes`."""

    kinds: Kinds
    name: str
    parts: tuple[Any, ...]
    nodes: int


Data = Form | Whole | Written | Cut | Guarded | Clamped | Opaque
CLASSES: tuple[Any, ...] = (Form, Whole, Written, Cut, Guarded, Clamped, Opaque)
NAMES = {kind: tuple(field.name for field in fields(kind)) for kind in CLASSES}


def packed(data: Data) -> tuple[Any, ...]:
    """A number as a row."""
    return (CLASSES.index(type(data)), *[getattr(data, name) for name in NAMES[type(data)]])


def unpacked(row: tuple[Any, ...]) -> Any:
    """The number that a row is."""
    place, *rest = row
    return CLASSES[place](*rest)


def number(world: World, data: Data) -> Undecided:
    """The value of the machine that a number is."""
    return Undecided(world, (("ideal", packed(data)),))


def data_of(value: Undecided) -> Any:
    """The number that a value of the machine is."""
    ((_, row),) = value.chain
    return unpacked(row)


def refuse(words: str) -> NoReturn:
    """Refuse a program, in words."""
    raise Refused(words)


class Fork(Ask):
    """A question of ideal noise: which of several choices is taken?"""

    def __init__(self, world: Any, mark: Any, choices: tuple[int, ...]) -> None:
        super().__init__(world, [])
        self.mark, self.choices = mark, choices


@dataclass(slots=True)
class Meaning:
    """The meaning of exponentials: with `meant`, the numbers that they are written as, else floats. `made` says whether
    some way made one."""

    meant: bool = True
    made: bool = False


class Way(Known):
    """The knowledge of the noise on the machine's way. A new decision is a `Fork`, unless `answer` has it."""

    def __init__(self, most: int, meaning: Meaning) -> None:
        super().__init__()
        self.meaning = meaning
        self.most, self.decisions = most, 0
        self.answer: tuple[Any, int] | None = None
        self.world: Any = None
        self.asked: Any = None  # the last question on the way, as `ideal/loops.py` has it

    def copy(self) -> Way:
        """The same, to be changed."""
        made = Way.__new__(type(self))
        for name, value in vars(self).items():
            setattr(made, name, value.copy() if type(value) in (list, dict, set) else value)
        return made

    def decide(self, mark: Any, possible: Callable[[], tuple[int, ...]]) -> int:
        """The choice that is taken.

        Raises: Fork where there are several.
        """
        if self.answer is not None:
            (asked, choice), self.answer = self.answer, None
            if asked != mark:
                raise Refused("internal: another question is asked again")
            return choice
        self.decisions += 1
        if self.decisions > self.most:
            self.refuse(f"more than {self.most} comparisons in one run: the number of draws may have no bound")
        choices = possible()
        if not choices:
            self.refuse("a path without probability")
        if len(choices) > 1:
            raise Fork(self.world, mark, choices)
        return choices[0]

    def refuse(self, what: str) -> NoReturn:
        """Refuse the program.

        Raises: Refused.
        """
        raise Refused(what)


class GivenWay(Given, Way):
    """The knowledge on a path that is given, which asks nothing."""

    def __init__(self, path: Path, meaning: Meaning) -> None:
        super().__init__(0, meaning)
        self.follow(path)


class StoppedWay(GivenWay):
    """The knowledge on a path that is given, which ends at the first question that it leaves open: a `Fork`."""

    def leave_open(self, mark: Any) -> NoReturn:
        """Stop at a question."""
        raise Fork(self.world, mark, ())
