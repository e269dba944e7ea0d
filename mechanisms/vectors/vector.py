"""Undecided vectors: what stands for a numpy array whose elements are undecided, as a program sees it.

A vector keeps its elements in a store, and the places of its own elements there in an array of numpy's, which is sliced
and reshaped as the array would be. So views share their elements, and indices mean and raise what they do in numpy.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn

import numpy

from dpcert.mechanisms.exact.floats import LazyFloat
from dpcert.mechanisms.exact.lazy import Lazy, LazyInt
from dpcert.mechanisms.exact.run import Run
from dpcert.mechanisms.floating.assumed import MADE
from dpcert.mechanisms.floating.functions import as_float, is_lazy
from dpcert.mechanisms.floating.lines import RETURN, running_line
from dpcert.mechanisms.floating.scalars import LazyScalar, scalar
from dpcert.mechanisms.slow import SLOW
from dpcert.mechanisms.vectors.alike import Alike, Store
from dpcert.mechanisms.vectors.finite import Finite

KINDS = "bif"
"""The kinds of dtypes of an undecided vector: truth values, integers with a sign, and doubles."""
READ = frozenset(
    (
        *("argpartition", "argsort", "choose", "compress", "conj", "conjugate", "cumprod", "diagonal", "dumps"),
        *("nonzero", "prod", "repeat", "searchsorted", "std", "take", "tobytes", "trace", "var", "imag", "real"),
    )
)
"""What of an array is asked of the decided one: methods that change nothing, and attributes that are no views."""


MANY = 16
"""From so many elements on, it is slow to decide them one by one."""
BY_WHOLE = "write mask.sum() for sum(mask), and numpy.where(mask, x, 0).sum() for x[mask].sum()"
OF_OUTCOME = "release a reduction of it, as a sum, or audit fewer elements: together these have very many values"


@dataclass(frozen=True, slots=True)
class _Home:
    """What stands for the draw of a vector, which has many: it has a run, and more values than can be told apart."""

    run: Run

    def count(self) -> int:
        """Return how many values are possible, as far as is known without a look at each draw."""
        return 1 << 64


class LazyVector(Lazy):
    """An undecided array, as a program sees it; docs/reference/vectors.md tables what is followed.

    Its operators, and what numpy asks of it, are given by `calls.py`.
    """

    __slots__ = ("_dtype", "_run", "_store", "_where")
    _functions: ClassVar[dict[str, Callable[..., Any]]] = {}
    __array_priority__ = 1000.0
    _plain = numpy.ndarray

    def __init__(self, run: Run, store: Store, where: Any, dtype: Any) -> None:
        home: Any = _Home(run)
        super().__init__(home)
        run.settings.notes[MADE] = None
        self._run = run
        self._store = store
        self._where = where
        self._dtype = numpy.dtype(dtype)

    # -- elements

    def _elements(self) -> list[Any]:
        """Return the elements in the order of C."""
        listed = self._store.listed()
        return [listed[place] for place in self._where.ravel().tolist()]

    def _alike(self, where: Any = None) -> Alike | None:
        """Return the elements at these places, or all, in the order of C, if they are alike."""
        found = self._store.alike()
        return None if found is None else found.take((self._where if where is None else where).ravel())

    def _given(self, element: Any) -> Any:
        """Return an element as a program gets it: a truth value is decided."""
        return element.decide() if type(element) is Finite else element

    def _at(self, place: int) -> Any:
        """Return the element at a place of the store, as a program gets it."""
        found = self._store[place] = self._given(self._store[place])
        return found

    def _of(self, where: Any) -> Any:
        """Return the elements at these places: a view where the places are one, else a copy."""
        if numpy.shares_memory(where, self._where):
            return LazyVector(self._run, self._store, where, self._dtype)
        copied = LazyVector(self._run, self._store, where, self._dtype)
        return vector(self._run, copied._alike() or copied._elements(), where.shape, self._dtype)

    def _dummy(self) -> Any:
        """Return an array of ones of the same shape and dtype, to ask numpy what it would return or raise."""
        return numpy.ones(self._where.shape, self._dtype)

    def _span(self) -> int:
        return 1 << 64

    def _tell_slow(self) -> None:
        """Tell why what follows is slow, where many elements are decided one by one."""
        line = running_line()
        if self.size >= MANY and ("slow", line) not in self._run.memo:
            self._run.memo["slow", line] = None
            words = f"{self.size} undecided elements of an array are decided one by one at {line}"
            SLOW.tell(words, OF_OUTCOME if line == RETURN else BY_WHOLE)

    def _decide(self) -> Any:
        """Return the array, all its elements decided."""
        self._tell_slow()
        found = numpy.empty(self._where.size, self._dtype)
        for i, place in enumerate(self._where.ravel().tolist()):
            element = self._at(place)
            found[i] = element._decide() if is_lazy(element) else element
        return found.reshape(self._where.shape)

    # -- what an array tells of itself

    @property
    def shape(self) -> Any:
        """The lengths of its axes."""
        return self._where.shape

    @shape.setter
    def shape(self, value: Any) -> None:
        self._where.shape = value

    @property
    def dtype(self) -> Any:
        """The type of its elements."""
        return self._dtype

    @property
    def ndim(self) -> int:
        """The number of its axes."""
        return int(self._where.ndim)

    @property
    def size(self) -> int:
        """The number of its elements."""
        return int(self._where.size)

    @property
    def itemsize(self) -> int:
        """The bytes of an element."""
        return int(self._dtype.itemsize)

    @property
    def nbytes(self) -> int:
        """The bytes of all elements."""
        return self.size * int(self._dtype.itemsize)

    @property
    def T(self) -> Any:
        """The transposed view."""
        return self._of(self._where.T)

    @property
    def flat(self) -> Iterator[Any]:
        """An iterator over the elements."""
        return map(self._at, self._where.ravel().tolist())

    def __len__(self) -> int:
        return len(self._where)

    def __bool__(self) -> bool:
        if self.size != 1:
            return bool(self._dummy())
        return bool(self._at(int(self._where.ravel()[0])))

    def _one(self) -> Any:
        return self._at(int(self._where.ravel()[0])) if self.size == 1 else self._dummy()

    def __float__(self) -> Any:
        return float(self._decide())

    def __int__(self) -> int:
        return int(self._decide())

    def __index__(self) -> int:
        return operator.index(self._decide())

    def __complex__(self) -> complex:
        return complex(self._decide())

    def __repr__(self) -> str:
        return repr(self._decide())

    def __str__(self) -> str:
        return str(self._decide())

    def __format__(self, form: str) -> str:
        return format(self._decide(), form)

    def __hash__(self) -> int:
        return hash(numpy.empty(0))  # raises what an array does

    def __contains__(self, value: Any) -> bool:
        return bool((self == value).any())

    # -- indices

    def __iter__(self) -> Iterator[Any]:
        if not self.ndim:
            iter(self._dummy())
        if self._dtype.kind == "b":
            self._tell_slow()
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: Any) -> Any:
        where = self._where[decided(index)]
        if isinstance(where, numpy.ndarray):
            return self._of(where)
        return self._at(int(where))

    def __setitem__(self, index: Any, value: Any) -> None:
        where = self._where[decided(index)]
        places = where.ravel().tolist() if isinstance(where, numpy.ndarray) else [int(where)]
        shape = where.shape if isinstance(where, numpy.ndarray) else ()
        for place, element in zip(places, self._cast(value, shape), strict=True):
            self._store[place] = element

    def _cast(self, value: Any, shape: Any) -> list[Any]:
        """Return the elements that an assignment of a value stores in as many places."""
        if is_lazy(value) and not isinstance(value, LazyVector):
            element = wrapped(value, self._dtype)
            if element is not None:
                return [element] * int(numpy.prod(shape, dtype=int))
        if type(value) is LazyVector and value._dtype == self._dtype:
            spread = numpy.empty(shape, value._where.dtype)
            spread[...] = value._where
            return [value._store[place] for place in spread.ravel().tolist()]
        room = numpy.empty(shape, self._dtype)
        room[...] = decided(value)
        return list(room.ravel())

    # -- copies and views

    def copy(self, order: Any = "C") -> Any:
        """Return a copy."""
        self._dummy().copy(order)
        if order != "C":
            self._refuse("copy in another order")
        return vector(self._run, self._alike() or self._elements(), self.shape, self._dtype)

    def __copy__(self, memo: Any = None) -> Any:
        return self.copy()

    __deepcopy__ = __copy__

    def astype(self, dtype: Any, *args: Any, **settings: Any) -> Any:
        """Return the elements as of another type."""
        kind = self._dummy().astype(dtype, *args, **settings).dtype
        if not decided(settings.pop("copy", True)) and kind == self._dtype and not args and not settings:
            return self
        if args or settings:
            return self._decide().astype(dtype, *args, **settings)
        if kind == self._dtype:
            return self.copy()
        alike = self._alike()
        found = None if alike is None else alike.map(lambda entry: converted(entry, kind))
        listed = found or [converted(element, kind) for element in self._elements()]
        return vector(self._run, listed, self.shape, kind)

    def reshape(self, *shape: Any, **settings: Any) -> Any:
        """Return the elements in another shape."""
        if settings:
            self._refuse("reshape with an order")
        return self._of(self._where.reshape(*decided(shape)))

    def ravel(self, order: Any = "C") -> Any:
        """Return the elements in a row: a view where there is one."""
        return self._of(self._where.ravel(order))

    def flatten(self, order: Any = "C") -> Any:
        """Return a copy of the elements in a row."""
        return self._of(self._where.flatten(order))

    def transpose(self, *axes: Any) -> Any:
        """Return the transposed view."""
        return self._of(self._where.transpose(*axes))

    def squeeze(self, axis: Any = None) -> Any:
        """Return the view without axes of length 1."""
        return self._of(self._where.squeeze(axis))

    def swapaxes(self, first: Any, second: Any) -> Any:
        """Return the view with two axes exchanged."""
        return self._of(self._where.swapaxes(first, second))

    def tolist(self) -> Any:
        """Return the elements in lists, as plain Python's."""

        def plain(element: Any) -> Any:
            return as_float(element) if type(element) is LazyFloat else decided(element).item()

        flat = [plain(self._at(place)) for place in self._where.ravel().tolist()]
        if not self.ndim:
            return flat[0]
        places = numpy.arange(self.size).reshape(self.shape).tolist()

        def listed(part: Any) -> Any:
            return [listed(inner) for inner in part] if isinstance(part, list) else flat[part]

        return listed(places)

    def item(self, *args: Any) -> Any:
        """Return one element, as plain Python's."""
        place = self._where.item(*decided(args))
        element = self._at(place)
        return as_float(element) if type(element) is LazyFloat else decided(element).item()

    # -- what numpy and the rest of Python ask

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return numpy.asarray(self._decide(), dtype=dtype)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"'numpy.ndarray' object has no attribute {name!r}")
        getattr(self._dummy(), name)  # raises what an array does
        if name in self._functions:
            function = self._functions[name]
            return lambda *args, **settings: function(self, *args, **settings)
        if name not in READ:
            self._refuse(name)
        return getattr(self._decide(), name)

    def _refuse(self, name: str) -> NoReturn:
        self._run.poison(
            f"{name} of an undecided array is not followed: {running_line()}; call it on numpy.array(x.tolist())"
        )

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        self._run.poison("pickling an undecided array cannot be followed")


def decided(value: Any) -> Any:
    """Return a value with undecided numbers and vectors in it decided, also in tuples, lists and slices."""
    if is_lazy(value):
        return value._decide()
    if type(value) is slice:
        return slice(decided(value.start), decided(value.stop), decided(value.step))
    if type(value) is tuple or type(value) is list:
        return type(value)(map(decided, value))
    return value


def vector(run: Run, elements: Alike | list[Any], shape: Any, dtype: Any) -> Any:
    """Return elements as an array: an undecided one where some element is undecided, else numpy's own."""
    if isinstance(elements, Alike):
        if elements.rows:
            return LazyVector(run, Store(elements), numpy.arange(elements.kinds.size).reshape(shape), dtype)
        elements = [elements.table[kind] for kind in elements.kinds.tolist()]
    if any(type(element) is Finite or is_lazy(element) for element in elements):
        return LazyVector(run, Store(elements), numpy.arange(len(elements)).reshape(shape), dtype)
    found = numpy.empty(len(elements), dtype)
    for i, element in enumerate(elements):
        found[i] = element
    return found.reshape(shape)


def wrapped(value: Any, dtype: Any) -> Any:
    """Return an undecided number as an element of a dtype; None where it would change by more than its type."""
    if dtype == numpy.float64 and type(value) in (LazyFloat, LazyInt, LazyScalar):
        number = as_float(value) if type(value) is LazyInt else value
        if type(number) is LazyFloat:
            kind = type(number._image(number._node.least()))
            return number if kind is numpy.float64 else LazyFloat(number._node, (*number._maps, numpy.float64))
    if type(value) is LazyInt and dtype == numpy.int64:
        low, high = value._bounds()
        return scalar(numpy.int64, value) if low >= -(1 << 63) and high < 1 << 63 else None
    if type(value) is LazyScalar and dtype == value._plain:
        return value
    return None


def converted(element: Any, kind: Any) -> Any:
    """Return an element as one of another dtype, as numpy casts it."""

    def cast(x: Any) -> Any:
        return numpy.asarray(x).astype(kind)[()]

    if type(element) is Finite:
        return element.map(cast)
    if is_lazy(element):
        found = wrapped(element, kind)
        return cast(element._decide()) if found is None else found
    return cast(element)
