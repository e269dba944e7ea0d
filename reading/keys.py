"""A state as bytes, and a state made anew from bytes alone.

The form of a state is a tuple of tuples of exact built-in scalars, which `marshal` writes: each scalar with its type
and its bits, nothing shared, no address. A record is told by a number, which it gets when it is first met on the way
from the live variables; then follow the rows of the records, each with its class and all of its slots. So two states
with equal bytes differ in nothing but addresses and garbage, and what is made from bytes has all that the bytes tell.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from dpcert.reading.decode import Code
from dpcert.reading.domains.deferred import settled
from dpcert.reading.domains.rows import Column, Count, Log, Row, Turns
from dpcert.reading.errors import Refused
from dpcert.reading.imports import check_scalar, key_of
from dpcert.reading.numpy import kinds
from dpcert.reading.numpy.records import Array, Buffer, Deferred
from dpcert.reading.pandas.records import Part, Series, Table
from dpcert.reading.values import (
    Bound,
    Cell,
    Class,
    Deque,
    Dict,
    Draw,
    Error,
    Frame,
    Function,
    Generator,
    Instance,
    Iter,
    List,
    Mark,
    Named,
    Partial,
    Record,
    Rule,
    Set,
    Slice,
    Super,
    Types,
    Undecided,
    Value,
    View,
    World,
    Wrapped,
    changed,
)

RECORDS: tuple[type[Record], ...] = (
    *(List, Deque, Cell, Dict, Set, Instance, Error, Named, Function, Class, Bound, Rule, Wrapped, Partial, Super),
    *(
        Slice,
        View,
        Types,
        Iter,
        Draw,
        World,
        Undecided,
        Generator,
        Frame,
        Buffer,
        Array,
        Row,
        Log,
        Turns,
        Count,
        Column,
        Table,
        Series,
        Part,
    ),
)


def slots_of(kind: type[Record]) -> Iterator[str]:
    """The slots that a state tells of a record of this class, base classes first."""
    for base in reversed(kind.__mro__[:-1]):
        yield from (name for name in vars(base).get("__slots__", ()) if name not in kind.transient)


# The first part of each tuple says what the others are.
REF, PIN, TUPLE, MARK, UNDECIDED, LIST, MAP, PAIRS, ELEMENTS, CODE, IMPORTED, NO_VALUE = range(12)
FRACTION, DECIMAL, RANGE, NOT_IMPLEMENTED, NUMPY, DEFERRED = range(12, 18)
ATOMS = frozenset({int, bool, str, bytes, type(None), type(...)})
TAGS = {kind: tag for tag, kind in enumerate(RECORDS)}
SLOTS = {kind: tuple(slots_of(kind)) for kind in RECORDS}
DRAWS = frozenset(tag for tag, kind in enumerate(RECORDS) if issubclass(kind, Draw))
AS_KEYS = frozenset({Named, Set})
MARKS = {mark.value: mark for mark in Mark}
DEEPEST = 900


def scalar_form(value: Value) -> Any:
    """The form of a scalar: its type and its bits."""
    kind = value.__class__
    if kind is Fraction:
        return FRACTION, value._numerator, value._denominator
    if kind is Decimal:
        sign, digits, exponent = value.as_tuple()
        return DECIMAL, sign, "".join(map(str, digits)), exponent
    if kind is range:
        return RANGE, value.start, value.stop, value.step
    if kind in kinds.SCALARS:
        return NUMPY, *kinds.bits_of(value)
    return (NOT_IMPLEMENTED,) if value is NotImplemented else value


def read_scalar(form: Any) -> Value:
    """The scalar that a form tells."""
    match form:
        case (tag, numerator, denominator) if tag == FRACTION:
            return Fraction(numerator, denominator)
        case (tag, sign, digits, exponent) if tag == DECIMAL:
            return Decimal((sign, tuple(map(int, digits)), exponent))
        case (tag, start, stop, step) if tag == RANGE:
            return range(start, stop, step)
        case (tag, code, bits) if tag == NUMPY:
            return kinds.of_bits(code, bits)
    return NotImplemented


class Writer:
    """The form of one state; `numbers` and `records` are the records met."""

    def __init__(self, state: Any) -> None:
        self.state, self.pins = state, state.pins
        self.numbers: dict[int, int] = {}
        self.records: list[Record] = []
        self.depth = 0

    def form(self, value: Value) -> Any:
        """The form of a value."""
        kind = value.__class__
        if kind in ATOMS:
            return value
        if kind is tuple:
            self.depth += 1
            if self.depth > DEEPEST:
                raise Refused("tuples are nested too deep to be told")
            found = (TUPLE, *[self.form(part) for part in value])
            self.depth -= 1
            return found
        if kind is Undecided:
            return self.undecided(value)
        if kind is Deferred:
            return DEFERRED, value.operation, value.code, self.form(value.operands)
        if isinstance(value, Record):
            return self.ref(value)
        if kind is Mark:
            return MARK, value.value
        return self._other(value, kind)

    def _other(self, value: Value, kind: type) -> Any:
        if kind is float or kind is complex:
            return check_scalar(value)
        if kind in (Fraction, Decimal, range) or kind in kinds.SCALARS or value is NotImplemented:
            return scalar_form(check_scalar(value))
        return (CODE, self.pins.number(value.host)) if kind is Code else (PIN, self.pins.number(value))

    def undecided(self, value: Undecided) -> Any:
        """The form of an undecided number: its draw, and the steps of its chain."""
        return UNDECIDED, self.ref(value.draw), tuple([(step, self.form(by)) for step, by in value.chain])

    def ref(self, record: Record) -> Any:
        """The number of a record, or the origin of one that is as it was imported."""
        number = self.numbers.get(id(record))
        if number is None:
            origin = record.origin
            if origin is not None and not changed(record):
                return IMPORTED, origin
            number = self.numbers[id(record)] = len(self.records)
            self.records.append(record)
        return REF, number

    def field(self, value: Any) -> Any:
        """The form of what a slot holds: a value, or a row or mapping of values."""
        kind = value.__class__
        if kind in ATOMS:
            return value
        if kind is list:
            return LIST, *[part if part.__class__ in ATOMS else self.form(part) for part in value]
        if kind is dict or kind is MappingProxyType:
            return MAP, *[(name, self.form(part)) for name, part in value.items()]
        return self.form(value)

    def row(self, record: Any) -> Any:
        """The form of a record: its class, and its slots."""
        kind = record.__class__
        if kind is Frame:
            return TAGS[kind], *self._frame(record)
        if kind is Iter:
            _check_iterator(record)
        if kind is Dict:
            form = self.form
            items: Any = (
                PAIRS,
                *[
                    (key if key.__class__ in ATOMS else form(key), part if part.__class__ in ATOMS else form(part))
                    for key, part in record.items.values()
                ],
            )
        elif kind is Set:
            items = (ELEMENTS, *self._elements(record))
        else:
            return TAGS[kind], *[self.field(getattr(record, name)) for name in SLOTS[kind]]
        return TAGS[kind], *[items if name == "items" else self.field(getattr(record, name)) for name in SLOTS[kind]]

    def _elements(self, record: Set) -> list[Any]:
        """The elements of a set, by their bytes; as they were added where these would tell of numbers."""
        forms = [self.form(part) for part in record.items.values()]
        return forms if any(map(_is_ref, forms)) else sorted(forms, key=lambda form: marshal.dumps(form, 2))

    def _frame(self, frame: Frame) -> Iterable[Any]:
        code, form = frame.code, self.form
        live = [frame.locals[slot] for slot in code.live[frame.place]]
        after, generator, error, names = frame.after, frame.generator, frame.error, frame.names
        return (
            *((CODE, self.pins.number(code.host)), frame.space),
            tuple([value if value.__class__ in ATOMS else form(value) for value in live]),
            tuple([value if value.__class__ in ATOMS else form(value) for value in frame.stack]),
            frame.place,
            None if after is None else self.field(after),
            None if generator is None else self.field(generator),
            None if error is None else self.field(error),
            None if names is None else self.field(names),
        )


def _is_ref(form: Any) -> bool:
    return form.__class__ is tuple and (
        form[0] in (REF, IMPORTED) or (form[0] == TUPLE and any(map(_is_ref, form[1:])))
    )


def _check_iterator(iterator: Iter) -> None:
    """Refuse an iterator whose source lost and gained keys since: where it goes on is its table's secret."""
    now = getattr(iterator.source, "changes", 0)
    changed_since = now != iterator.changes and iterator.count >= 0
    if changed_since and (iterator.kind == "deque" or len(iterator.source.items) == iterator.count):
        raise Refused("a dict or deque changes while it is iterated over; iterate over list(...) of it")


def encode(state: Any, writer: Writer | None = None) -> tuple[bytes, Writer]:
    """Return the bytes of a state, and what wrote them, which knows the number of each record.

    Claims: two states of one law have equal bytes only where no instruction can tell them apart.
    Raises: Refused for a state that cannot be told, as where a generator with a `finally` was thrown away.
    """
    writer = writer or Writer(state)
    imports = [(origin, each) for origin, each in sorted(state.heap.imports.items()) if each.origin is not None]
    kept = tuple([(origin, writer.ref(each)) for origin, each in imports if changed(each)])
    over = tuple([(space, name, writer.form(part)) for (space, name), part in sorted(state.over.items())])
    frames = tuple([writer.ref(frame) for frame in state.frames])
    rows = []
    for record in writer.records:
        rows.append(writer.row(record))
        if len(rows) > 200_000:
            raise Refused("a state of more than 200,000 objects is not told; keep less in variables")
    for generator in state.guarded:
        if generator.state == "suspended" and id(generator) not in writer.numbers:
            raise Refused("a generator with a `finally` or `with` is thrown away before its end; close it by hand")
    try:
        return marshal.dumps((kept, over, frames, tuple(rows)), 2), writer
    except ValueError as error:
        raise Refused(f"internal: a state cannot be written: {error}") from None


class Reader:
    """Makes the records of a state anew; `parts` gives draws, by their number, a part of their interval."""

    def __init__(self, state: Any, rows: Any, parts: dict[int, tuple[int, int]]) -> None:
        self.state, self.pins, self.rows, self.parts = state, state.pins, rows, parts
        kinds = [RECORDS[row[0]] for row in rows]
        self.records: list[Any] = [kind.__new__(kind) for kind in kinds]
        self.filled: set[int] = set()

    def value(self, form: Any) -> Value:
        """The value of a form."""
        if form.__class__ is not tuple:
            return form
        tag = form[0]
        if tag == REF:
            record = self.records[form[1]]
            if record.__class__ in AS_KEYS and form[1] not in self.filled:
                self.fill(form[1])  # it may be a key, which is told by what it holds
            return record
        if tag == TUPLE:
            return tuple([self.value(part) for part in form[1:]])
        if tag == PIN:
            return self.pins.objects[form[1]]
        if tag == MARK:
            return MARKS[form[1]]
        if tag == UNDECIDED:
            chain = tuple([(step, self.value(by)) for step, by in form[2]])
            return self.state.domain.settled(Undecided(self.value(form[1]), chain))
        if tag == DEFERRED:
            return settled(Deferred(form[1], form[2], self.value(form[3])))
        if tag == IMPORTED:
            return self.state.heap.again(form[1])
        return self.pins.code(self.pins.objects[form[1]]) if tag == CODE else read_scalar(form)

    def field(self, form: Any) -> Any:
        """What a slot holds, of which the form is a tuple."""
        if form[0] == LIST:
            return [self.value(part) if part.__class__ is tuple else part for part in form[1:]]
        if form[0] == MAP:
            return {name: self.value(part) for name, part in form[1:]}
        if form[0] == PAIRS:
            pairs = [
                (
                    self.value(key) if key.__class__ is tuple else key,
                    self.value(part) if part.__class__ is tuple else part,
                )
                for key, part in form[1:]
            ]
            return {key_of(key): (key, part) for key, part in pairs}
        if form[0] == ELEMENTS:
            parts = [self.value(part) for part in form[1:]]
            return {key_of(part): part for part in parts}
        return self.value(form)

    def fill(self, number: int) -> None:
        """Give a record its content."""
        if number in self.filled:
            return
        self.filled.add(number)
        record, row = self.records[number], self.rows[number]
        if record.__class__ is Frame:
            self._frame(record, row)
            return
        kind = record.__class__
        for name, form in zip(SLOTS[kind], row[1:], strict=True):
            setattr(record, name, self.field(form) if form.__class__ is tuple else form)
        for name in kind.transient:
            setattr(record, name, 0)
        if number in self.parts and kind is Draw:
            record.lo, record.hi = self.parts[number]

    def _frame(self, frame: Frame, row: Any) -> None:
        _, code, frame.space, live, stack, frame.place, *rest = row
        frame.origin = None
        frame.code = code = self.value(code)
        frame.after, frame.generator, frame.error, frame.names = [
            self.field(form) if form.__class__ is tuple else form for form in rest
        ]
        frame.locals = found = [Mark.MISSING] * len(code.slots)
        for slot, form in zip(code.live[frame.place], live, strict=True):
            found[slot] = self.value(form) if form.__class__ is tuple else form
        frame.stack = [self.value(form) if form.__class__ is tuple else form for form in stack]


def thaw(state: Any, key: bytes, parts: dict[int, tuple[int, int]]) -> list[Any]:
    """Give an empty state what the bytes tell, and return its records by their numbers."""
    kept, over, frames, rows = marshal.loads(key)  # written by `encode` of this law
    reader = Reader(state, rows, parts)
    for origin, form in kept:
        state.heap.imports[origin] = reader.value(form)
    for number, row in enumerate(rows):
        if row[0] in DRAWS:
            reader.fill(number)  # what is undecided is settled by its draw
    for number in range(len(rows)):
        reader.fill(number)
    state.over = {(space, name): reader.value(form) for space, name, form in over}
    state.frames = [reader.value(form) for form in frames]
    for each in reader.records:
        if each.__class__ is Iter:
            each.changes = getattr(each.source, "changes", 0)
        elif each.__class__ is Generator and each.state == "suspended" and each.frame.code.guarded(each.frame.place):
            state.guarded.append(each)
    return reader.records
