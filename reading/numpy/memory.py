"""Arrays of the machine as numpy's own, for one call of the host, and back.

Every buffer becomes one row of numpy, and every array numpy's own look at that row, with its shape, strides and flag.
So numpy itself decides what a view is and what a copy: a result that lies in a row is a view of its buffer. What numpy
writes into a row is written to its buffer, also where the call raises.
"""

import warnings
from typing import Any

import numpy as np

from dpcert.reading import border
from dpcert.reading.domains import coins as domain
from dpcert.reading.domains.deferred import forced, known
from dpcert.reading.errors import NotPlain, Refused
from dpcert.reading.numpy import kinds
from dpcert.reading.numpy.records import Array, Buffer
from dpcert.reading.values import INEXACT, SCALARS, UNSET, Dict, List, Slice, Undecided, Value

CODES = frozenset("?bhilqBHILQefdFD")
"""The element types that are followed: no padding, no pointers, no texts, in the order of bytes of this computer."""
LARGEST = 1 << 26  # bytes of one array
UNSET_READ = "an element of np.empty(...) is read before it is set; use np.zeros"


def code_of(dtype: Any) -> str:
    """The name of an element type.

    Raises: Refused for one whose elements are not known whole.
    """
    code: str = dtype.char
    if code not in CODES or not dtype.isnative or dtype.metadata is not None:
        raise Refused(f"an array of {dtype} is not followed; use numbers, as float or int")
    return code


def is_plain(buffer: Buffer) -> bool:
    """Whether no element of a buffer is undecided; then it is kept as its bytes."""
    if type(buffer.items) is bytes:
        return True
    if any(each.__class__ not in SCALARS for each in buffer.items):
        return False
    buffer.items = row_of(buffer).tobytes()
    return True


def row_of(buffer: Buffer) -> Any:
    """A new row of numpy with the elements of a buffer; a one stands where an element is undecided."""
    dtype = np.dtype(buffer.dtype)
    if type(buffer.items) is bytes:
        return np.frombuffer(bytearray(buffer.items), dtype)
    row = np.ones(len(buffer.items), dtype)
    for place, each in enumerate(map(known, buffer.items)):
        if each.__class__ in SCALARS:
            row[place] = each
    return row


def count_of(buffer: Buffer) -> int:
    """How many elements a buffer has."""
    width = np.dtype(buffer.dtype).itemsize if type(buffer.items) is bytes else 1
    return len(buffer.items) // width


def look(array: Array, row: Any) -> Any:
    """Numpy's array over a row, with the shape, strides and flag of an array."""
    width = row.itemsize
    found: Any = np.ndarray(array.shape, row.dtype, row, array.offset * width, tuple(s * width for s in array.strides))
    found.flags.writeable = array.writeable
    return found


def places(array: Array) -> list[int]:
    """The places of an array's elements in its buffer, in the order of C."""
    found: list[int] = look(array, np.arange(count_of(array.base))).ravel().tolist()
    return found


def elements(array: Array) -> list[Value]:
    """The elements of an array, in the order of C."""
    if is_plain(array.base):
        return list(look(array, row_of(array.base)).ravel())
    items = array.base.items
    return [items[place] for place in places(array)]


def is_decided(array: Array) -> bool:
    """Whether no element that an array shows is undecided."""
    return is_plain(array.base) or all(each.__class__ in SCALARS for each in elements(array))


def values(array: Array) -> list[Value]:
    """The elements of an array, those that were left for later computed.

    Raises: Ask.
    """
    return [forced(each) for each in elements(array)]


def seen(found: Any, row: Any, buffer: Buffer) -> Array:
    """A view of numpy's, which lies in the row of a buffer, as an array of the machine."""
    width = row.itemsize
    offset = (found.__array_interface__["data"][0] - row.__array_interface__["data"][0]) // width if found.size else 0
    if found.dtype != row.dtype or any(step % width for step in found.strides):
        raise Refused("a view of an array as another type is not followed; use astype")
    strides = tuple(step // width for step in found.strides)
    return Array(buffer, found.shape, strides, offset, bool(found.flags.writeable))


def dense(found: Any) -> tuple[Any, tuple[int, ...]]:
    """The elements of an array that numpy made, in a row as they lie in memory, and its strides by elements.

    Raises: Refused for an array with gaps or overlaps.
    """
    width = found.itemsize
    span = sum((size - 1) * step for size, step in zip(found.shape, found.strides, strict=True)) + width
    if found.size and (min(found.strides, default=width) <= 0 or span != found.nbytes):
        raise Refused("numpy gave back an array with gaps in its memory, which is not followed")
    row = np.lib.stride_tricks.as_strided(found, (found.size,), (width,))
    return row, tuple(step // width for step in found.strides)


def owner_of(found: Any) -> Any:
    """The array that owns the memory of one that numpy made; itself where no array does."""
    while type(found.base) is np.ndarray:
        found = found.base
    return found


def buffer_of(owner: Any) -> tuple[Buffer, Any]:
    """A new buffer with the memory of an array of numpy's, and its row.

    Raises: Refused for a large one, which each state would hold.
    """
    if owner.nbytes > LARGEST:
        raise Refused(f"an array of {owner.nbytes:,} bytes is not followed; audit the program on less data")
    row, _ = dense(owner)
    return Buffer(row.tobytes(), code_of(owner.dtype)), row


def fresh(found: Any) -> Array:
    """An array that numpy made, with memory of its own."""
    buffer, row = buffer_of(owner_of(found))
    return seen(found, row, buffer)


def laid(values: list[Value], pattern: Any) -> Array:
    """A new array of the type and layout of one of numpy's; `values` come in the order of C."""
    _, strides = dense(pattern)
    array = Array(Buffer([None] * pattern.size, code_of(pattern.dtype)), pattern.shape, strides)
    for place, value in zip(places(array), values, strict=True):
        array.base.items[place] = value
    is_plain(array.base)
    return array


class Call:
    """One call of numpy.

    With `twins`, a one stands in for each undecided element, and one of its values for each undecided number. With
    `scratch`, what numpy writes is thrown away.
    """

    def __init__(self, twins: bool = False, scratch: bool = False) -> None:
        self.twins, self.scratch = twins, scratch
        self.rows: dict[int, tuple[Buffer, Any, bytes]] = {}
        self.made: dict[int, tuple[Buffer, Any, Any]] = {}  # the buffers of results, by the owner of their memory

    def row(self, buffer: Buffer) -> Any:
        """The row of a buffer, the same for all its arrays."""
        known = self.rows.get(id(buffer))
        if known is None:
            row = row_of(buffer)
            known = self.rows[id(buffer)] = buffer, row, row.tobytes()
        return known[1]

    def to_host(self, value: Value) -> Any:
        """A value as the host's own.

        Raises: Ask where a number is undecided that has no twin; NotPlain for what has no plain copy.
        """
        kind = value.__class__
        if kind is Array:
            return self.array(value)
        if kind is tuple:
            return tuple([self.to_host(part) for part in value])
        if kind is List:
            return [self.to_host(part) for part in value.items]
        if kind is Dict and value.kind is dict:
            return {border.to_host(key): self.to_host(part) for key, part in value.pairs()}
        if kind is Slice:
            return slice(*(self.to_host(part) for part in (value.start, value.stop, value.step)))
        if kind is Undecided and self.twins:
            return domain.kind_of(value)(1)  # an error that depends on its value is not the twin's to raise
        return value if is_named(value) else border.to_host(value)

    def array(self, array: Array) -> Any:
        if not self.twins and not is_decided(array):
            found = values(array)
            if any(each is UNSET for each in found):
                raise Refused(UNSET_READ)
            for each in found:
                border.to_host(each)
            if any(each.__class__ not in SCALARS for each in found):
                raise NotPlain(array)
        return look(array, self.row(array.base))

    def from_host(self, result: Any) -> Value:
        """What the host gave back; an array in the memory of an argument is a view of its buffer.

        Raises: Refused for what is not known whole.
        """
        kind = type(result)
        if kind is np.ndarray:
            return self._result(result)
        if kind is tuple:
            return tuple([self.from_host(part) for part in result])
        if kind is list:
            return List([self.from_host(part) for part in result])
        if isinstance(result, tuple) and type(result).__module__.startswith("numpy"):
            raise Refused(f"a {type(result).__name__} of numpy is not followed")
        if isinstance(result, np.dtype):
            code_of(result)
            return result
        return border.from_host(result)

    def _result(self, found: Any) -> Array:
        for buffer, row, _ in self.rows.values():
            if found.base is row:
                return seen(found, row, buffer)
        if found.base is not None and any(np.may_share_memory(found, row) for _, row, _ in self.rows.values()):
            raise Refused("internal: a view of an argument has another base")
        owner = owner_of(found)
        if id(owner) not in self.made:
            self.made[id(owner)] = *buffer_of(owner), owner
        buffer, row, _ = self.made[id(owner)]
        return seen(found, row, buffer)

    def write_back(self) -> None:
        """Write what the host changed to the buffers."""
        for buffer, row, before in () if self.scratch else self.rows.values():
            after = row.tobytes()
            if after == before:
                continue
            if self.twins:
                raise Refused("internal: numpy wrote to a twin")
            if type(buffer.items) is bytes:
                buffer.put(after)
            else:
                # an element whose bits are as before stays undecided, where it was: numpy wrote others alone
                was = np.frombuffer(before, row.dtype)
                pairs = zip(buffer.items, row, was, strict=True)
                buffer.put([each if new.tobytes() == old.tobytes() else new for each, new, old in pairs])

    def run(self, function: Any, args: tuple[Value, ...], keywords: dict[str, Value]) -> Any:
        """The result of a function of numpy on its arguments, as the host's value.

        Raises: Thrown with its exception; Ask, NotPlain and Refused as `to_host` does.
        """
        plain = [self.to_host(each) for each in args]
        named = {name: self.to_host(each) for name, each in keywords.items()}
        return self.run_hosts(function, plain, named)

    def run_hosts(self, function: Any, plain: list[Any], named: dict[str, Any]) -> Any:
        """The result of a function of numpy on values of the host that this call made; numpy's warnings are not shown.

        Raises: Thrown with its exception.
        """
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return function(*plain, **named)
        except Exception as fault:
            raise border.thrown(fault) from None
        finally:
            self.write_back()

    def result(self, function: Any, args: tuple[Value, ...], keywords: dict[str, Value]) -> Value:
        """The result of a function of numpy on its arguments.

        Raises: Refused for a NaN, and as `run` does.
        """
        found = self.run(function, args, keywords)
        if found.__class__ in INEXACT and found != found:
            step = "return another value before the call where it would, as where there are no numbers"
            raise Refused(f"{function.__name__} of numpy returns nan, and a NaN is not followed; {step}")
        return self.from_host(found)


NAMES = frozenset({int, float, bool, complex, np.generic, np.number, np.integer, np.signedinteger}).union(
    kinds.SCALARS, {np.unsignedinteger, np.inexact, np.floating, np.complexfloating, np.character, np.flexible}
)


def is_named(value: Any) -> bool:
    """Whether a value is a class that names an element type: numpy is handed it by reference."""
    return isinstance(value, type) and value in NAMES
