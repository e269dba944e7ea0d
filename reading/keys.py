"""A state as bytes, and a state made anew from bytes alone.

The form of a state is a tuple of tuples of exact built-in scalars, which `marshal` writes: each scalar with its type
and its bits, nothing shared, no address. A record is told by a number, which it gets when it is first met on the way
from the live variables; then follow the rows of the records, each with its class and all of its slots. So two states
with equal bytes differ in nothing but addresses and garbage, and what is made from bytes has all that the bytes tell.
"""

import marshal
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from dpcert.reading import values
from dpcert.reading.decode import Code
from dpcert.reading.domains.deferred import settled
from dpcert.reading.domains.rows import Column, Count, Log, Row, Turns
from dpcert.reading.errors import Refused
from dpcert.reading.imports import check_scalar, key_of
from dpcert.reading.numpy import kinds
from dpcert.reading.numpy.records import Array, Buffer, Deferred
from dpcert.reading.pandas.records import Part, Series, Table
from dpcert.reading.values import (
    MISSING,
    Dict,
    Draw,
    Frame,
    Generator,
    Iter,
    Mark,
    Named,
    Record,
    Set,
    Undecided,
    Value,
    changed,
)

ARRAYS = Buffer, Array, Row, Log, Turns, Count, Column, Table, Series, Part
RECORDS: tuple[type[Record], ...] = (*values.RECORDS, *ARRAYS)


def slots_of(kind: type[Record]) -> Iterator[str]:
    """The slots that a state tells of a record of this class, base classes first."""
    for base in reversed(kind.__mro__[:-1]):
        yield from (name for name in vars(base).get("__slots__", ()) if name not in kind.transient)


# The first part of each tuple says what the others are.
REF, PIN, TUPLE, MARK, UNDECIDED, LIST, MAP, PAIRS, ELEMENTS, CODE, IMPORTED = range(11)
FRACTION, DECIMAL, RANGE, NOT_IMPLEMENTED, NUMPY, DEFERRED = range(11, 17)
ATOMS = frozenset({int, bool, str, bytes, type(None), type(...)})
TAGS = {kind: tag for tag, kind in enumerate(RECORDS)}
SLOTS = {kind: tuple(slots_of(kind)) for kind in RECORDS}


def _held(slots: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """What gives all that slots of a record hold."""
    get: Any = attrgetter(*slots)
    return get if len(slots) > 1 else lambda record: (get(record),)


HELD = {kind: _held(slots) for kind, slots in SLOTS.items() if kind is not Frame}
DRAWS = frozenset(tag for tag, kind in enumerate(RECORDS) if issubclass(kind, Draw))
AS_KEYS = frozenset({Named, Set})
MARKS = {mark.value: mark for mark in Mark}
DEEPEST = 900


class Writer:
    """The form of one state; `numbers` and `records` are the records met."""

    def __init__(self, state: Any) -> None:
        self.state, self.pins = state, state.pins
        self.numbers: dict[int, int] = {}
        self.records: list[Record] = []
        self.depth = 0

    def form(self, value: Any) -> Any:
        """The form of a value, or of what a slot holds: a value, or a row or mapping of values."""
        kind = value.__class__
        if kind in ATOMS:
            return value
        found = FORMS.get(kind)
        if found is not None:
            return found(self, value)
        if kind in kinds.SCALARS:
            return NUMPY, *kinds.bits_of(check_scalar(value))
        return (NOT_IMPLEMENTED,) if value is NotImplemented else (PIN, self.pins.number(value))

    def row_of(self, values: Iterable[Any]) -> list[Any]:
        """The forms of values."""
        form = self.form
        return [value if value.__class__ in ATOMS else form(value) for value in values]

    def nested(self, value: tuple[Any, ...]) -> Any:
        """The form of a tuple."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise Refused("tuples are nested too deep to be told")
        found = (TUPLE, *self.row_of(value))
        self.depth -= 1
        return found

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

    def row(self, record: Any) -> Any:
        """The form of a record: its class, and its slots."""
        kind = record.__class__
        if kind is Frame:
            return TAGS[kind], *self._frame(record)
        held = HELD[kind](record)
        if kind is Iter:
            _check_iterator(record)
        elif kind is Dict:
            origin, items, *rest = held
            return TAGS[kind], origin, (PAIRS, *map(tuple, map(self.row_of, items.values()))), *self.row_of(rest)
        elif kind is Set:
            return TAGS[kind], held[0], (ELEMENTS, *self._elements(record)), *held[2:]
        return TAGS[kind], *self.row_of(held)

    def _elements(self, record: Set) -> list[Any]:
        """The elements of a set, by their bytes; as they were added where these would tell of numbers."""
        forms = [self.form(part) for part in record.items.values()]
        return forms if any(map(_is_ref, forms)) else sorted(forms, key=lambda form: marshal.dumps(form, 2))

    def _frame(self, frame: Frame) -> Iterable[Any]:
        slots, row_of = frame.locals, self.row_of
        return (
            *((CODE, self.pins.number(frame.code.host)), frame.space),
            tuple(row_of([slots[slot] for slot in frame.code.live[frame.place]])),
            *(tuple(row_of(frame.stack)), frame.place),
            *row_of((frame.after, frame.generator, frame.error, frame.names)),
        )


def _decimal(value: Decimal) -> Any:
    sign, digits, exponent = value.as_tuple()
    return DECIMAL, sign, "".join(map(str, digits)), exponent


def _fraction(value: Any) -> Any:
    return FRACTION, value._numerator, value._denominator


# the form of a value by its class, beside those of `ATOMS`
FORMS: dict[Any, Callable[[Any, Any], Any]] = {
    **dict.fromkeys(RECORDS, lambda writer, value: writer.ref(value)),
    tuple: lambda writer, value: writer.nested(value),
    Undecided: lambda writer, value: writer.undecided(value),
    Deferred: lambda writer, value: (DEFERRED, value.operation, value.code, writer.form(value.operands)),
    Mark: lambda writer, value: (MARK, value.value),
    list: lambda writer, value: (LIST, *writer.row_of(value)),
    **dict.fromkeys(
        (dict, MappingProxyType),
        lambda writer, value: (MAP, *[(name, writer.form(part)) for name, part in value.items()]),
    ),
    **dict.fromkeys((float, complex), lambda writer, value: check_scalar(value)),
    Fraction: lambda writer, value: _fraction(check_scalar(value)),
    Decimal: lambda writer, value: _decimal(check_scalar(value)),
    range: lambda writer, value: (RANGE, value.start, value.stop, value.step),
    Code: lambda writer, value: (CODE, writer.pins.number(value.host)),
}


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
    # CPython runs the `finally` of a generator that nothing holds any more, at a moment that no state tells
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

    def value(self, form: Any) -> Any:
        """The value of a form, or the row or mapping of values."""
        if form.__class__ is not tuple:
            return form
        tag = form[0]
        if tag != REF:
            return READ[tag](self, form)
        record = self.records[form[1]]
        if record.__class__ in AS_KEYS:
            self.fill(form[1])  # it may be a key, which is told by its content
        return record

    def row_of(self, forms: Iterable[Any]) -> list[Any]:
        """The values of forms."""
        value = self.value
        return [value(form) if form.__class__ is tuple else form for form in forms]

    def fill(self, number: int) -> None:
        """Give a record its content."""
        if number in self.filled:
            return
        self.filled.add(number)
        record, row = self.records[number], self.rows[number]
        kind, value = record.__class__, self.value
        if kind is Frame:
            self._frame(record, row)
            return
        for name, form in zip(SLOTS[kind], row[1:], strict=True):
            setattr(record, name, value(form) if form.__class__ is tuple else form)
        for name in kind.transient:
            setattr(record, name, 0)
        if kind is Draw and number in self.parts:
            record.lo, record.hi = self.parts[number]

    def _frame(self, frame: Frame, row: Any) -> None:
        _, code, frame.space, live, stack, frame.place, *rest = row
        frame.origin = None
        frame.code = code = self.value(code)
        frame.after, frame.generator, frame.error, frame.names = self.row_of(rest)
        frame.locals = found = [MISSING] * len(code.slots)
        for slot, value in zip(code.live[frame.place], self.row_of(live), strict=True):
            found[slot] = value
        frame.stack = self.row_of(stack)

    def undecided(self, form: Any) -> Value:
        """An undecided number, or the one value that is left of it."""
        chain = tuple([(step, self.value(by)) for step, by in form[2]])
        return self.state.domain.settled(Undecided(self.value(form[1]), chain))

    def pairs(self, form: Any) -> dict[Any, tuple[Value, Value]]:
        """The content of a dict."""
        pairs = [self.row_of(pair) for pair in form[1:]]
        return {key_of(key): (key, part) for key, part in pairs}


def _fraction_of(numerator: int, denominator: int) -> Any:
    """A fraction of integers that stood in one."""
    made: Any = object.__new__(Fraction)
    made._numerator, made._denominator = numerator, denominator
    return made


READ: dict[int, Callable[[Reader, Any], Any]] = {
    PIN: lambda reader, form: reader.pins.objects[form[1]],
    TUPLE: lambda reader, form: tuple(reader.row_of(form[1:])),
    MARK: lambda reader, form: MARKS[form[1]],
    UNDECIDED: Reader.undecided,
    LIST: lambda reader, form: reader.row_of(form[1:]),
    MAP: lambda reader, form: {name: reader.value(part) for name, part in form[1:]},
    PAIRS: Reader.pairs,
    ELEMENTS: lambda reader, form: {key_of(part): part for part in reader.row_of(form[1:])},
    CODE: lambda reader, form: reader.pins.code(reader.pins.objects[form[1]]),
    IMPORTED: lambda reader, form: reader.state.heap.again(form[1]),
    FRACTION: lambda reader, form: _fraction_of(*form[1:]),
    DECIMAL: lambda reader, form: Decimal((form[1], tuple(map(int, form[2])), form[3])),
    RANGE: lambda reader, form: range(*form[1:]),
    NOT_IMPLEMENTED: lambda reader, form: NotImplemented,
    NUMPY: lambda reader, form: kinds.of_bits(*form[1:]),
    DEFERRED: lambda reader, form: settled(Deferred(form[1], form[2], reader.value(form[3]))),
}


def thaw(state: Any, key: bytes, parts: dict[int, tuple[int, int]]) -> list[Any]:
    """Give an empty state what the bytes tell, and return its records by their numbers."""
    kept, over, frames, rows = marshal.loads(key)  # written by `encode` of this law
    reader = Reader(state, rows, parts)
    for origin, form in kept:
        state.heap.imports[origin] = reader.records[form[1]]  # all of them, before anything is imported again
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
