"""What numpy asks of an undecided vector: its universal functions, its functions, and the operators that call them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy
from numpy.lib.mixins import NDArrayOperatorsMixin

from dpcert.mechanisms.exact.enumerator import LazyRun
from dpcert.mechanisms.floating.functions import is_lazy
from dpcert.mechanisms.floating.numpy_calls import is_numpys
from dpcert.mechanisms.vectors.elementwise import FINITE, dummy, elementwise, plainly
from dpcert.mechanisms.vectors.reductions import FUNCTIONS, METHODS, of_reduce
from dpcert.mechanisms.vectors.vector import LazyVector, converted, decided, vector, wrapped

CHANGING = frozenset(["copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask"])
"""The functions that change an array that they are given."""


def of_ufunc(ufunc: Any, method: str, inputs: Sequence[Any], settings: dict[str, Any]) -> Any:
    """Return the value of a universal function at its inputs, at least one of them an undecided vector."""
    out = settings.pop("out", None)
    given = [x for x in (*inputs, *(out or ())) if isinstance(x, LazyVector)]
    if not given:  # in a setting, as where=
        return _masked_sum(ufunc, method, inputs, settings, out)
    first = given[0]
    if method == "at" and isinstance(inputs[0], LazyVector):
        first._refuse(f"numpy.{ufunc.__name__}.at")
    target = out[0] if out is not None and len(out) == 1 else None
    if out is not None and any(isinstance(x, LazyVector) for x in out) and (settings or method != "__call__"):
        first._refuse(f"numpy.{ufunc.__name__} with out=")
    if ufunc.__name__ == "matmul" and method == "__call__" and out is None and not settings:
        return FUNCTIONS["dot"](*inputs)
    plain = method == "__call__" and not settings and is_numpys(ufunc) and ufunc.nout == 1
    if not plain or ufunc.__name__ not in FINITE or (out is not None and not isinstance(target, LazyVector)):
        if method == "reduce" and out is None and is_numpys(ufunc):
            found = of_reduce(ufunc, inputs, settings)
            if found is not NotImplemented:
                return found
        return plainly(ufunc, method, inputs, settings, out)
    found = elementwise(first, ufunc, inputs, target)
    if target is None:
        return found
    target[...] = found
    return target


def _masked_sum(ufunc: Any, method: str, inputs: Sequence[Any], settings: dict[str, Any], out: Any) -> Any:
    """Return a sum where a mask is true, as that of the elements and of zeros; other settings that are undecided are
    decided.
    """
    mask = settings.get("where")
    if ufunc is numpy.add and method == "reduce" and out is None and isinstance(mask, LazyVector):
        rest = {key: value for key, value in settings.items() if key != "where"}
        if mask.shape == numpy.shape(inputs[0]) and mask.dtype == numpy.bool_:
            return ufunc.reduce(FUNCTIONS["where"](mask, inputs[0], 0), **rest)
    return plainly(ufunc, method, inputs, settings, out)


def of_function(function: Any, args: Sequence[Any], settings: dict[str, Any]) -> Any:
    """Return the value of one of numpy's functions at arguments of which some are undecided vectors.

    One that is not followed gets decided arguments.
    """
    name = function.__name__
    if getattr(numpy, name, None) is function and name in FUNCTIONS:
        return FUNCTIONS[name](*args, **settings)
    out = settings.get("out")
    outs = [part for part in (out if type(out) is tuple else (out,)) if isinstance(part, LazyVector)]
    for held in [*(args if name in CHANGING else ()), *outs]:
        if isinstance(held, LazyVector):
            held._refuse(f"numpy.{name}")
    return function(*map(decided, args), **{key: decided(value) for key, value in settings.items()})


NUMPYS_ARRAY, NUMPYS_ASARRAY = numpy.array, numpy.asarray


def array(value: Any, *args: Any, **settings: Any) -> Any:
    """Return `numpy.array`: of a vector a copy, and of a list with undecided numbers an undecided vector."""
    if isinstance(value, LazyVector) and not args and not settings:
        return value.copy()
    return _listed(NUMPYS_ARRAY, value, args, settings)


def asarray(value: Any, *args: Any, **settings: Any) -> Any:
    """Return `numpy.asarray`: of a vector itself, and of a list with undecided numbers an undecided vector."""
    if isinstance(value, LazyVector) and not args and not settings:
        return value
    return _listed(NUMPYS_ASARRAY, value, args, settings)


def _listed(real: Any, value: Any, args: Any, settings: Any) -> Any:
    if type(value) not in (list, tuple) or not any(map(is_lazy, value)) or args or settings:
        return real(value, *args, **settings)
    first = next(part for part in value if is_lazy(part))
    if isinstance(first, LazyVector) or type(first._node.run) is not LazyRun:
        return real(value)
    dummies = [dummy(part) for part in value]
    asked = real(dummies)
    if asked.ndim != 1 or asked.dtype not in (numpy.float64, numpy.int64):
        return real(value)
    found = [wrapped(part, asked.dtype) if is_lazy(part) else converted(part, asked.dtype) for part in value]
    if any(element is None for element in found):
        return real(value)
    return vector(first._node.run, found, asked.shape, asked.dtype)


def _ufunc(self: Any, ufunc: Any, method: str, *inputs: Any, **settings: Any) -> Any:
    return of_ufunc(ufunc, method, inputs, settings)


def _function(self: Any, function: Any, types: Any, args: Any, settings: Any) -> Any:
    return of_function(function, args, settings)


OPERATORS = {name: value for name, value in vars(NDArrayOperatorsMixin).items() if callable(value)}
LazyVector._functions.update(METHODS)
for _name, _method in {**OPERATORS, "__array_ufunc__": _ufunc, "__array_function__": _function}.items():
    setattr(LazyVector, _name, _method)
