"""The operations on arrays of the machine: type, items, operators and attributes, and how those of the host come in."""

from collections.abc import Callable
from operator import attrgetter, contains
from typing import Any

import numpy as np

from dpcert.mechanisms.ideal import parts
from dpcert.reading.border import throw
from dpcert.reading.domains import coins as domain
from dpcert.reading.domains.deferred import forced, known
from dpcert.reading.domains.noise import is_ideal
from dpcert.reading.domains.releases import cell
from dpcert.reading.domains.steps import BINARY, COMPARED
from dpcert.reading.errors import Refused, call_act
from dpcert.reading.foreign import FOREIGN, IMPORTED, Foreign
from dpcert.reading.numpy.elementwise import assigned, operated
from dpcert.reading.numpy.folds import is_drawn, rows_alone
from dpcert.reading.numpy.following import applied, shaped
from dpcert.reading.numpy.items import host_index, item, store
from dpcert.reading.numpy.memory import UNSET_READ, Call, buffer_of, elements, is_plain, look, row_of, seen, values
from dpcert.reading.numpy.methods import ATTRIBUTES, METHODS
from dpcert.reading.numpy.records import Array
from dpcert.reading.operators import IN_PLACE, UNARY, repeated, truth
from dpcert.reading.values import MISSING, SCALARS, UNSET, List, Rule, Undecided, Value


class Arrays(Foreign):
    """The rules of arrays."""

    name = "an array"

    def type_of(self, value: Array) -> Value:
        """The class of arrays: no array of a subclass is followed."""
        return np.ndarray

    def take(self, importer: Any, value: Any, parent: int, step: str, name: Any) -> Array:
        """An array of the host, as a look at the buffer of the array that owns its memory.

        Raises: Refused for memory that numpy does not own, and for types that are not followed.
        """
        number = importer.pins.pin(value, parent, step, name)
        owner = value
        while owner.base is not None:
            if type(owner.base) is not np.ndarray:
                raise Refused("an array whose memory another object owns is not followed; copy it")
            number = importer.pins.pin(owner.base, number, "attribute", "base")
            owner = owner.base
        made, row = buffer_of(owner)
        buffer: Any = None if importer.owned else importer.imports.get(number)
        if buffer is None:
            buffer = made
            if not importer.owned:
                buffer.origin = number
                importer.imports[number] = buffer
        return seen(value, row, buffer)

    def twin(self, value: Array) -> Any:
        """Numpy's own array of the same type and layout."""
        return Call(twins=True).to_host(value)

    def to_host(self, value: Array) -> Any:
        """A copy of the same layout.

        Raises: Ask where an element is undecided.
        """
        return Call().to_host(value)

    def parts(self, value: Array) -> list[Value]:
        """The elements.

        Raises: Ask where one is computed now.
        """
        return [] if is_plain(value.base) else values(value)

    def outcome(self, m: Any, value: Array) -> Any:
        """A copy, of the same layout."""
        if any(each is UNSET for each in elements(value)):
            raise Refused(UNSET_READ)
        if any(map(is_ideal, elements(value))):
            return parts.Array(value.shape, tuple(map(cell, elements(value))))
        if any(known(each).__class__ not in SCALARS for each in elements(value)):
            raise Refused("an exception escapes that holds an array with undecided numbers")
        found: Any = look(value, row_of(value.base))
        return found.copy("F" if found.flags.fnc else "C")

    def attribute(self, m: Any, owner: Array, name: str) -> Value:
        """An attribute that depends on type and shape alone, or a method of the table."""
        if name in ATTRIBUTES:
            return shaped(m, attrgetter(name), (owner,), {})
        if name == "T":
            return applied(m, np.ndarray.transpose, METHODS["transpose"], (owner,), {})
        if name == "real" and np.dtype(owner.base.dtype).kind in "?biuf":
            return owner
        if name in METHODS:
            return Rule(name, owner)
        if hasattr(np.ndarray, name):
            self._refuse(name)
        text = f"'numpy.ndarray' object has no attribute {name!r}"
        raise throw(AttributeError, text, name=name, obj=owner)

    def call(self, m: Any, owner: Array, name: str, args: tuple[Value, ...], keywords: dict[str, Value]) -> Value:
        """The result of a method of the table."""
        if name not in METHODS:
            self._refuse(name)
        if name == "clip" and "where" in keywords:
            self._refuse("clip with where=")  # it leaves elements as memory has them
        return applied(m, getattr(np.ndarray, name), METHODS[name], (owner, *args), keywords)

    def binary(self, m: Any, name: str, in_place: bool, a: Value, b: Value) -> Value:
        """The result of numpy's operators."""
        if in_place and a.__class__ is List:
            self._refuse("an operator in place on a list and a number")
        rows = a.__class__ in (List, tuple) or b.__class__ in (List, tuple)
        if rows and name == "mul" and _is_whole(a if b.__class__ in (List, tuple) else b):
            whole = [domain.decide(each) if each.__class__ is Undecided else each for each in (a, b)]
            return repeated(False, *(int(each) if isinstance(each, np.integer) else each for each in whole))
        if in_place and a.__class__ is Array:
            return assigned(m, name, IN_PLACE[name], a, b)
        return operated(m, name, BINARY[name], a, b)

    def unary(self, m: Any, name: str, value: Value) -> Value:
        """The result of numpy's operators."""
        return operated(m, name, UNARY[name], value)

    def compare(self, m: Any, sign: str, a: Value, b: Value) -> Value:
        """The result of numpy's operators."""
        return operated(m, sign, COMPARED[sign], a, b)

    def truth(self, m: Any, value: Array) -> Value:
        """The truth of the one element.

        Raises: Thrown with numpy's exception for more, or none.
        """
        Call(twins=True).run(bool, (value,), {})
        return truth(m, forced(elements(value)[0]))

    def contains(self, m: Any, value: Value, container: Array) -> Value:
        """Whether any element equals a value."""
        return Call().result(contains, (container, value), {})

    def length(self, value: Array) -> Value:
        """The length of the first axis."""
        return Call(twins=True).result(len, (value,), {})

    def begin(self, value: Array) -> None:
        """Check that an array has an axis.

        Raises: Thrown with numpy's exception.
        """
        Call(twins=True).run(iter, (value,), {})

    def own(self, m: Any, value: Array) -> list[Value] | None:
        """The elements of a row that is drawn, where nothing else refers to it."""
        return rows_alone(m, value) if len(value.shape) == 1 and is_drawn(value) else None

    def rows(self, value: Array) -> list[Value]:
        """The items of the array along its first axis."""
        self.begin(value)
        return [item(value, place) for place in range(value.shape[0])]

    def item(self, value: Array, place: int) -> Value:
        """The item of the array at a place of its first axis, as it is now."""
        return item(value, place) if place < value.shape[0] else MISSING

    def get_item(self, m: Any, owner: Array, place: Value) -> Value:
        """The element, view or copy that an index shows."""
        return item(owner, host_index(place))

    def set_item(self, m: Any, owner: Array, place: Value, value: Value) -> None:
        """Assign to an index."""
        store(m, owner, host_index(place), value)

    def convert(self, m: Any, host: Callable[..., Any], args: tuple[Value, ...]) -> Value:
        """The conversion of an array without axes is that of its element; `abs` and `round` are numpy's."""
        if host in (abs, round):
            return operated(m, host.__name__, host, *args)
        Call(twins=True).run(host, args, {})
        return call_act(host, (forced(elements(args[0])[0]), *args[1:]))


def _is_whole(value: Value) -> bool:
    """Whether a number is an integer of numpy's, by which a list is repeated."""
    kind = domain.kind_of(value) if value.__class__ is Undecided else value.__class__
    return issubclass(kind, np.integer)


FOREIGN[Array] = Arrays()
IMPORTED[np.ndarray] = FOREIGN[Array]
