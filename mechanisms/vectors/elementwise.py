"""numpy's universal functions on undecided vectors, element by element."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from dpcert.mechanisms.exact.floats import UNIT, LazyFloat
from dpcert.mechanisms.exact.lazy import LazyInt
from dpcert.mechanisms.floating.functions import is_lazy
from dpcert.mechanisms.floating.numpy_calls import COMPARED, LINEAR, MONOTONE, REFLECTED
from dpcert.mechanisms.floating.scalars import LazyScalar
from dpcert.mechanisms.vectors.alike import Alike, combined, told_apart
from dpcert.mechanisms.vectors.finite import Finite, compared, interval_of, together, values_of
from dpcert.mechanisms.vectors.vector import KINDS, LazyVector, decided, vector, wrapped

FINITE = frozenset(
    (
        *("add", "subtract", "multiply", "divide", "floor_divide", "remainder", "negative", "positive", "absolute"),
        *("sign", "square", "minimum", "maximum", "rint", "floor", "ceil", "trunc", "isfinite", "isnan", "isinf"),
        *("logical_and", "logical_or", "logical_xor", "logical_not", "invert", "left_shift", "right_shift"),
        *("bitwise_and", "bitwise_or", "bitwise_xor", "equal", "not_equal", "less", "less_equal", "greater"),
        "greater_equal",
    )
)
"""The universal functions that are followed: each gives an element of an array what it gives a number by itself."""
DOUBLES = (*LINEAR, "divide")
AS_DRAWN = frozenset((*UNIT, numpy.float64))
"""What a double is of its draw before anything is done to it."""
AFFINE = {"add": operator.add, "subtract": operator.sub, "multiply": operator.mul}
MOST_EXACT = 1 << 53


def plainly(ufunc: Any, method: str, inputs: Sequence[Any], settings: dict[str, Any], out: Any) -> Any:
    """Return the value at decided inputs; a vector that is to hold it gets it afterwards."""
    named = {name: decided(value) for name, value in settings.items()}
    if out is None:
        return getattr(ufunc, method)(*map(decided, inputs), **named)
    room = tuple(x._dummy() if isinstance(x, LazyVector) else x for x in out)
    found = getattr(ufunc, method)(*map(decided, inputs), out=room, **named)
    for x, got in zip(out, room, strict=True):
        if isinstance(x, LazyVector):
            x[...] = got
    return out[0] if len(out) == 1 else (found and out)


def elementwise(first: LazyVector, ufunc: Any, inputs: Sequence[Any], target: Any) -> Any:
    """Return the vector of a universal function's values; numpy is first asked for their shape and dtype."""
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        asked = ufunc(*map(dummy, inputs))
        if target is not None:
            ufunc(*map(dummy, inputs), out=target._dummy())  # raises what numpy does
    shape, kind = numpy.shape(asked), numpy.result_type(asked)
    if kind.kind not in KINDS or (target is not None and target.dtype != kind):
        return plainly(ufunc, "__call__", inputs, {}, None)
    known: dict[Any, Any] = {}
    alike = alike_of(inputs, shape, lambda *parts: _element(ufunc, parts, kind, known))
    if alike is not None and (shape or target is not None):
        return vector(first._run, alike, shape, kind)
    rows = [_spread(x, shape) for x in inputs]
    found = [_element(ufunc, parts, kind, known) for parts in zip(*rows, strict=True)]
    return vector(first._run, found, shape, kind) if shape or target is not None else first._given(found[0])


def dummy(x: Any) -> Any:
    """Return a plain one of the same type, to ask numpy what it would return or raise."""
    if isinstance(x, LazyVector):
        return x._dummy()
    if is_lazy(x):
        return x._plain(1) if type(x) is LazyScalar else numpy.float64(1) if _is_numpys(x) else x._plain(1)
    return x


def _is_numpys(x: Any) -> bool:
    return type(x) is LazyFloat and type(x._image(x._node.least())) is numpy.float64


def alike_of(inputs: Sequence[Any], shape: Any, make: Callable[..., Any]) -> Alike | None:
    """Return what `make` makes of inputs that are alike or plain, element by element; None where some are neither."""
    parts = []
    for x in inputs:
        part: Any
        if isinstance(x, LazyVector):
            part = x._alike(numpy.broadcast_to(x._where, shape))
        else:
            part = None if is_lazy(x) else told_apart(x, shape)
        if part is None:
            return None
        parts.append(part)
    return combined(parts, make)


def _spread(x: Any, shape: Any) -> list[Any]:
    """Return an input's elements, as often as broadcasting repeats them."""
    if isinstance(x, LazyVector):
        return [x._store[place] for place in numpy.broadcast_to(x._where, shape).ravel().tolist()]
    count = 1
    for length in shape:
        count *= length
    if is_lazy(x) or isinstance(x, (bool, int, float, numpy.generic)):
        return [x] * count
    return list(numpy.broadcast_to(numpy.asarray(x), shape).ravel())


def _element(ufunc: Any, parts: tuple[Any, ...], kind: Any, known: dict[Any, Any]) -> Any:
    """Return one element; elements that come from draws in the same way share what is found once, in `known`."""
    if not any(type(x) is Finite or is_lazy(x) for x in parts):
        return kind.type(ufunc(*parts))
    parts = tuple(few(x, known) for x in parts)
    open_ = [x for x in parts if type(x) is Finite or is_lazy(x)]
    if all(type(x) is Finite for x in open_):
        return _of_finite(ufunc, parts, kind, known)
    if len(open_) == 1:
        found = _of_draw(ufunc, parts, kind, known)
        if found is not None:
            return found
    if any(type(x) is Finite for x in open_):
        settled = tuple(x.decide() if type(x) is Finite else x for x in parts)
        return _element(ufunc, settled, kind, known)
    got = ufunc(*parts)
    found = wrapped(got, kind) if is_lazy(got) else None
    return kind.type(decided(got)) if found is None else found


def few(x: Any, known: dict[Any, Any]) -> Any:
    """Return an undecided integer of few values as these."""
    if type(x) is not LazyScalar:
        return x
    name = ("values", x._maps, interval_of(x._node), x._plain)
    if name not in known:
        known[name] = values_of(x)
    return x if known[name] is None else Finite((x._node,), known[name])


def _of_finite(ufunc: Any, parts: tuple[Any, ...], kind: Any, known: dict[Any, Any]) -> Any:
    """Return a universal function of elements with few values."""
    finite = [x for x in parts if type(x) is Finite]

    def call(*values: Any) -> Any:
        given = iter(values)
        with warnings.catch_warnings(), numpy.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return kind.type(ufunc(*(next(given) if type(x) is Finite else x for x in parts)))

    if len(finite) > 1:
        found = together(tuple(finite), call)
        return call(*(x.decide() for x in finite)) if found is None else found
    (only,) = finite
    name = ("of", ufunc, id(only.cells), *(None if x is only else constant_name(x) for x in parts))
    if name not in known:
        known[name] = only.cells, only.map(call).cells
    return Finite(only.nodes, known[name][1])


def constant_name(x: Any) -> Any:
    """Return a name that tells a plain number from every other, by its type and bits."""
    return type(x), x.tobytes() if isinstance(x, numpy.generic) else repr(x)


def _of_draw(ufunc: Any, parts: tuple[Any, ...], kind: Any, known: dict[Any, Any]) -> Any:
    """Return a universal function of one undecided number and constants; None where it is not followed."""
    swapped = len(parts) == 2 and is_lazy(parts[1])
    x, other = (parts[1], parts[0]) if swapped else (parts[0], parts[1] if len(parts) == 2 else None)
    name = ufunc.__name__
    if type(x) is LazyInt:
        x = wrapped(x, numpy.dtype(numpy.int64))
    if type(x) not in (LazyFloat, LazyScalar) or (len(parts) == 2 and not _constant(x, other)):
        return None
    if type(x) is LazyFloat:
        x, other = wrapped(x, numpy.dtype(numpy.float64)), None if other is None else numpy.float64(other)
    interval = interval_of(x._node)
    if interval is None:
        return None
    asked = (name, swapped, x._maps, interval, constant_name(other))
    if name in COMPARED and set(x._maps) <= AS_DRAWN:  # what is found names no draw and no function of a run
        known = x._node.run.memo
    if asked not in known:
        known[asked] = _followed(ufunc, name, x, other, swapped=swapped)
    found = known[asked]
    if type(found) is tuple:
        return Finite((x._node,), found)
    if type(found) is LazyFloat and kind == numpy.float64:
        return LazyFloat(x._node, found._maps)
    if type(found) is LazyScalar and kind == found._plain:
        return LazyScalar(LazyInt(x._node, found._maps), found._plain)
    return None


def _constant(x: Any, other: Any) -> bool:
    """Whether numpy computes with a constant beside an undecided number as with one of the number's own type."""
    if type(x) is LazyFloat:
        whole = isinstance(other, (int, numpy.integer)) and abs(int(other)) <= MOST_EXACT
        return whole or isinstance(other, float)
    return type(other) in (int, bool, x._plain)


def _followed(ufunc: Any, name: str, x: Any, other: Any, *, swapped: bool) -> Any:
    """Return the cells of a comparison, or the undecided number; None where neither is had without a decision."""
    if name in COMPARED:
        op = COMPARED[name]
        return compared(x, REFLECTED.get(op, op) if swapped else op, other)
    if type(x) is LazyScalar:
        if name not in AFFINE or other is None:
            return None
        exact = AFFINE[name]
        call = (lambda v: exact(other, v)) if swapped else (lambda v: exact(v, other))
        found = x._affine(call, lambda v: exact(int(other), v) if swapped else exact(v, int(other)))
        return found if type(found) is LazyScalar else None
    step: Any = None
    if other is None:
        step = ufunc if name in MONOTONE else None
    elif name in DOUBLES and numpy.isfinite(other) and (name != "divide" or (other != 0 and not swapped)):
        step = (lambda v: ufunc(other, v)) if swapped else (lambda v: ufunc(v, other))
    if step is None:
        return None
    found = LazyFloat(x._node, (*x._maps, step))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ends = [found._image(k) for k in (x._node.least(), x._node.greatest())]
    return found if all(numpy.isfinite(ends)) else None
