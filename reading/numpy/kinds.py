"""The types of numpy's scalars that are scalars of the machine: immutable, and their bytes are their value."""

from functools import partial
from typing import Any

import numpy

from dpcert.reading.errors import words

TYPES: dict[str, Any] = {code: numpy.dtype(code).type for code in "?bhilqBHILQefdFDUS"}
"""The type of each code of a dtype; not long doubles, whose bytes have padding."""
SCALARS: frozenset[Any] = frozenset(TYPES.values())
TEXTS = frozenset({numpy.str_, numpy.bytes_})
NUMBERS: frozenset[Any] = SCALARS - TEXTS
INTEGERS = frozenset(kind for kind in NUMBERS if issubclass(kind, numpy.integer))
FLOATS = frozenset(kind for kind in NUMBERS if issubclass(kind, numpy.floating))
COMPLEX = NUMBERS - INTEGERS - FLOATS - {numpy.bool_}
WRAPPING = INTEGERS | {numpy.bool_}
"""The types in which a result that is too large becomes another number."""
BARE: dict[Any, Any] = {numpy.str_: str.__str__, numpy.bytes_: lambda value: bytes.__getitem__(value, slice(None))}

AS_ARRAYS = frozenset(
    words(
        "argmax argmin argsort astype copy cumprod cumsum diagonal dot fill flatten nonzero put ravel repeat reshape "
        "searchsorted sort squeeze std swapaxes take tobytes trace transpose var"
    )
)
"""The methods that scalars have as arrays have them."""
METHODS = AS_ARRAYS.union(
    words("all any bit_count clip conj conjugate is_integer item max mean min prod round sum tolist")
)
FIELDS = frozenset(words("T dtype imag itemsize nbytes ndim real shape size strides"))
GENERATORS: tuple[Any, ...] = (numpy.random.Generator, numpy.random.RandomState)
SPARE: dict[Any, Any] = {
    numpy.random.Generator: partial(numpy.random.default_rng, 0),
    numpy.random.RandomState: partial(numpy.random.RandomState, 0),
}
"""What makes a generator of a class whose draws are thrown away."""
METHOD: Any = type(numpy.random.Generator.random)
"""The class of the methods of generators: one of Cython's, or of CPython's own."""


def bits_of(value: Any) -> tuple[str, Any]:
    """The code of a scalar's dtype, and its bytes, or its text."""
    bare = BARE.get(value.__class__)
    return value.dtype.char, value.tobytes() if bare is None else bare(value)


def of_bits(code: str, bits: Any) -> Any:
    """The scalar of a dtype with these bytes, or this text."""
    return TYPES[code](bits) if code in "US" else numpy.frombuffer(bits, code)[0]


def whole(value: Any) -> Any:
    """An integer of numpy's as an int, which is the index that it stands for; all else as it is."""
    return int(value) if value.__class__ in INTEGERS else value
