"""numpy's reductions of undecided vectors, and its functions that take arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy

from dpcert.mechanisms.floating.functions import is_lazy
from dpcert.mechanisms.floating.lines import running_line
from dpcert.mechanisms.vectors.alike import Alike
from dpcert.mechanisms.vectors.elementwise import alike_of, constant_name, few
from dpcert.mechanisms.vectors.finite import Finite, together
from dpcert.mechanisms.vectors.joint import reduce
from dpcert.mechanisms.vectors.results import plus
from dpcert.mechanisms.vectors.vector import KINDS, LazyVector, decided, vector

MOST_BITS = 53
MOST_EXACT = 1 << MOST_BITS


Elements = Alike | list[Any]


def _elements(x: LazyVector) -> Elements:
    """Return the elements of a vector, with the undecided integers of few values as these."""
    known: dict[Any, Any] = {}
    alike = x._alike()
    found = None if alike is None else alike.map(lambda entry: few(entry, known))
    return found or [few(element, known) for element in x._elements()]


def _possible(elements: Elements) -> list[tuple[list[Any], int]] | None:
    """Return the values that elements can have, and how many elements have these; None where some are too many."""
    if isinstance(elements, Alike):
        counts = numpy.bincount(elements.kinds, minlength=len(elements.table)).tolist()
        told = [(entry, count) for entry, count in zip(elements.table, counts, strict=True) if count]
    else:
        told = [(element, 1) for element in elements]
    if any(type(element) is not Finite and is_lazy(element) for element, _ in told):
        return None
    return [([v for _, v in e.cells] if type(e) is Finite else [e], count) for e, count in told]


def need_few(x: LazyVector, name: str) -> None:
    """Refuse a reduction of undecided numbers that have too many values to be told apart."""
    most = x._run.settings.limits.max_runs
    alike = x._alike()
    for element in x._elements() if alike is None else alike.table:
        if is_lazy(element) and element._span() > most:
            bits = (element._span() - 1).bit_length()
            x._run.poison(
                f"numpy.{name} of undecided numbers of {bits} bits each is not followed: {running_line()}; compare "
                f"each with plain numbers, or draw noise in few integers, as by rng.integers"
            )


def _sum(x: LazyVector, elements: Elements) -> Any:
    """Return the sum of a row, in the type in which numpy has it; None where it is not followed."""
    kind = numpy.zeros(1, x.dtype).sum().dtype.type
    values = _possible(elements)
    if values is None:
        return None
    if x.dtype.kind == "f":
        flat = [v for row, _ in values for v in row]
        most = sum(count * max(abs(float(v)) for v in row) for row, count in values)
        exact = most < 2.0 ** min(numpy.finfo(x.dtype).nmant + 1, MOST_BITS)  # the sums on the way, in any order
        if not exact or not all(v == int(v) and (v != 0 or not numpy.signbit(v)) for v in flat):
            return None
    elif (
        sum(count * int(min(row)) for row, count in values) < numpy.iinfo(kind).min
        or sum(count * int(max(row)) for row, count in values) > numpy.iinfo(kind).max
    ):
        return None
    return reduce(x._run, elements, 0, plus)


def _any(x: LazyVector, elements: Elements) -> Any:
    return None if _possible(elements) is None else reduce(x._run, elements, False, _or)


def _or(state: bool, value: Any) -> bool:
    return state or bool(value)


def _all(x: LazyVector, elements: Elements) -> Any:
    return None if _possible(elements) is None else reduce(x._run, elements, True, _and)


def _and(state: bool, value: Any) -> bool:
    return state and bool(value)


def _count_nonzero(x: LazyVector, elements: Elements) -> Any:
    return None if _possible(elements) is None else reduce(x._run, _truths(elements), 0, plus)


def _truths(elements: Elements) -> Any:
    """Return whether each element is not zero."""
    return elements.map(_truth) if isinstance(elements, Alike) else list(map(_truth, elements))


def _truth(element: Any) -> Any:
    return element.map(bool) if type(element) is Finite else bool(element)


def _mean(x: LazyVector, elements: Elements) -> Any:
    if x.dtype.kind == "f":
        return None
    values = _possible(elements)
    if values is None or sum(count * max(abs(int(v)) for v in row) for row, count in values) >= MOST_EXACT:
        return None
    return reduce(x._run, elements, 0, plus) / x.size


def _extreme(better: Callable[[int, int], int]) -> Callable[[LazyVector, Elements], Any]:
    def step(state: int | None, value: Any) -> int:
        return int(value) if state is None else better(state, int(value))

    def found(x: LazyVector, elements: Elements) -> Any:
        if x.dtype.kind == "f" or _possible(elements) is None:
            return None
        return reduce(x._run, elements, None, step)

    return found


def _place(sign: int) -> Callable[[LazyVector, Elements], Any]:
    """Return the reduction to the first place of the greatest value, times `sign`."""

    def found(x: LazyVector, elements: Elements) -> Any:
        if x.dtype.kind == "f" or _possible(elements) is None:
            return None
        alike = elements if isinstance(elements, Alike) else None
        entries = elements if isinstance(elements, list) else [elements.table[kind] for kind in elements.kinds.tolist()]
        placed = [_placed(entry, sign, i) for i, entry in enumerate(entries)]
        kinds = numpy.arange(len(placed))
        told = placed if alike is None else Alike(alike.run, alike.places, kinds, tuple(placed))
        best = reduce(x._run, told, None, _greater)
        return -best[1]

    return found


def _greater(state: Any, value: Any) -> Any:
    return value if state is None else max(state, value)


def _placed(element: Any, sign: int, i: int) -> Any:
    return element.map(lambda v: (sign * int(v), -i)) if type(element) is Finite else (sign * int(element), -i)


Row = Callable[[LazyVector, Elements], Any]
ROWS: dict[str, Row] = {
    "sum": _sum,
    "any": _any,
    "all": _all,
    "mean": _mean,
    "count_nonzero": _count_nonzero,
    "max": _extreme(max),
    "min": _extreme(min),
    "argmax": _place(1),
    "argmin": _place(-1),
}
"""The reductions that are one decision, for elements of few values."""
OF_UFUNC = {
    "add": "sum",
    "logical_or": "any",
    "logical_and": "all",
    "maximum": "max",
    "minimum": "min",
}


def _reduction(name: str) -> Callable[..., Any]:
    """Return a reduction of a vector, along an axis too; arguments beside the axis are left to numpy."""
    function, row = getattr(numpy, name), ROWS[name]

    def reduced(x: Any, axis: Any = None, *args: Any, **settings: Any) -> Any:
        if not isinstance(x, LazyVector) or args or settings or is_lazy(axis):
            return function(decided(x), decided(axis), *decided(args), **{k: decided(v) for k, v in settings.items()})
        asked = function(x._dummy(), axis)  # raises what numpy does
        if axis is None or x.ndim == 1:
            found = row(x, _elements(x)) if x.size else None
            if found is None:
                need_few(x, name)
                return function(x._decide(), axis)
            return type(asked)(found)
        if type(axis) is not int:
            return function(x._decide(), axis)
        moved = numpy.moveaxis(x._where, axis, -1)
        whole = numpy.empty(numpy.shape(asked), asked.dtype)
        for place in numpy.ndindex(whole.shape):
            part = x._of(moved[place].copy())
            whole[place] = reduced(part) if isinstance(part, LazyVector) else function(part)
        return whole

    return reduced


def of_reduce(ufunc: Any, inputs: Sequence[Any], settings: dict[str, Any]) -> Any:
    """Return `ufunc.reduce` of a vector, where that is one of the reductions."""
    name, axis = OF_UFUNC.get(ufunc.__name__), settings.get("axis", 0)
    others = {key: value for key, value in settings.items() if key != "axis" and value is not None}
    x = inputs[0]
    if name is None or len(inputs) != 1 or others.pop("keepdims", False) or others or not isinstance(x, LazyVector):
        return NotImplemented
    if ufunc.__name__.startswith("logical") and x.dtype.kind != "b":
        return NotImplemented
    return METHODS[name](x, axis)


def _where(condition: Any, *both: Any) -> Any:
    """Return `numpy.where`: elements of one or the other, of which the condition may be undecided."""
    if len(both) != 2:
        return numpy.where(decided(condition), *map(decided, both))
    x, y = both
    lazy = next(part for part in (condition, x, y) if isinstance(part, LazyVector))
    shape_of = [part._dummy() if isinstance(part, LazyVector) else part for part in (condition, x, y)]
    if any(is_lazy(part) and not isinstance(part, LazyVector) for part in (condition, x, y)):
        return numpy.where(*map(decided, (condition, x, y)))
    asked = numpy.where(*shape_of)
    if asked.dtype.kind not in KINDS:
        return numpy.where(*map(decided, (condition, x, y)))
    x, y = (part if isinstance(part, LazyVector) else numpy.asarray(part) for part in (x, y))
    x, y = (part if part.dtype == asked.dtype else part.astype(asked.dtype) for part in (x, y))
    known: dict[Any, Any] = {}
    alike = alike_of((condition, x, y), asked.shape, lambda *parts: _chosen(known, *parts))
    if alike is None:
        rows = [_spread(part, asked.shape) for part in (condition, x, y)]
        listed = [_chosen(known, *parts) for parts in zip(*rows, strict=True)]
    return vector(lazy._run, alike or listed, asked.shape, asked.dtype)


def _spread(part: Any, shape: Any) -> list[Any]:
    """Return elements as often as broadcasting repeats them."""
    if isinstance(part, LazyVector):
        return [part._store[place] for place in numpy.broadcast_to(part._where, shape).ravel().tolist()]
    return list(numpy.broadcast_to(part, shape).ravel())


def _chosen(known: dict[Any, Any], condition: Any, x: Any, y: Any) -> Any:
    condition, x, y = (few(part, known) for part in (condition, x, y))
    if type(condition) is not Finite:
        condition = decided(condition)
        return x if condition else y
    if is_lazy(x) or is_lazy(y):
        return x if condition.decide() else y
    parts = tuple(part for part in (condition, x, y) if type(part) is Finite)
    if len(parts) == 1:
        name = ("where", id(condition.cells), constant_name(x), constant_name(y))
        if name not in known:
            known[name] = condition.cells, condition.map(lambda chosen: x if chosen else y).cells
        return Finite(condition.nodes, known[name][1])

    def call(chosen: Any, *values: Any) -> Any:
        given = iter(values)
        first = next(given) if type(x) is Finite else x
        second = next(given) if type(y) is Finite else y
        return first if chosen else second

    found = together(parts, call)
    return (x if condition.decide() else y) if found is None else found


def _counted(state: tuple[int, ...], value: Any) -> tuple[int, ...]:
    v = int(value)
    return (*state[:v], state[v] + 1, *state[v + 1 :])


def _bincount(x: Any, weights: Any = None, minlength: Any = 0) -> Any:
    """Return `numpy.bincount`: one decision for all counts."""
    minlength = decided(minlength)
    if isinstance(x, LazyVector):
        numpy.bincount(numpy.zeros(x.shape, x.dtype), decided(weights), minlength)  # raises what numpy does
        elements = _elements(x)
        values = _possible(elements)
        if weights is None and values is not None and all(v >= 0 for row, _ in values for v in row):
            most = max(int(max(row)) for row, _ in values) + 1
            counts = reduce(x._run, elements, (0,) * most, _counted)
            length = max([i + 1 for i, count in enumerate(counts) if count] + [int(minlength)])
            return numpy.array((*counts, *[0] * length)[:length], dtype=numpy.intp)
    return numpy.bincount(decided(x), decided(weights), minlength)


def _cumsum(x: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """Return `numpy.cumsum`, its elements decided, as each depends on those before it."""
    if isinstance(out, LazyVector):
        out._refuse("cumsum with out=")
    if isinstance(x, LazyVector):
        need_few(x, "cumsum")
    return numpy.cumsum(decided(x), decided(axis), dtype, out)


def _dot(a: Any, b: Any, out: Any = None) -> Any:
    """Return `numpy.dot`: of two rows of integers the sum of their products."""
    if isinstance(out, LazyVector):
        out._refuse("numpy.dot with out=")
    if out is not None:
        return numpy.dot(decided(a), decided(b), out)
    both = [part._dummy() if isinstance(part, LazyVector) else part for part in (a, b)]
    if any(is_lazy(part) for part in both) or numpy.ndim(both[0]) != 1 or numpy.ndim(both[1]) != 1:
        return numpy.dot(decided(a), decided(b))
    asked = numpy.dot(*both)  # raises what numpy does
    return numpy.multiply(a, b).sum() if asked.dtype == numpy.int64 else numpy.dot(decided(a), decided(b))


def _clip(x: Any, low: Any = None, high: Any = None, **settings: Any) -> Any:
    """Return `numpy.clip`, for bounds that are plain numbers."""
    if settings or not isinstance(x, LazyVector) or low is None or high is None or x.dtype.kind != "f":
        return numpy.clip(decided(x), decided(low), decided(high), **settings)
    return numpy.minimum(numpy.maximum(x, low), high)


METHODS: dict[str, Callable[..., Any]] = {
    **{name: _reduction(name) for name in ROWS if name != "count_nonzero"},
    "cumsum": _cumsum,
    "dot": _dot,
    "clip": _clip,
}
"""The methods of a vector that are functions of numpy's as well."""
FUNCTIONS: dict[str, Callable[..., Any]] = {
    **METHODS,
    "amax": METHODS["max"],
    "amin": METHODS["min"],
    "count_nonzero": _reduction("count_nonzero"),
    "where": _where,
    "bincount": _bincount,
    "copy": lambda x, *args, **settings: x.copy(*args, **settings),
    "ravel": lambda x, *args, **settings: x.ravel(*args, **settings),
    "reshape": lambda x, *args, **settings: x.reshape(*args, **settings),
    "transpose": lambda x, axes=None: x.T if axes is None else x.transpose(*axes),
    "shape": lambda x: x.shape,
    "size": lambda x, axis=None: x.size if axis is None else x.shape[axis],
    "ndim": lambda x: x.ndim,
}
