"""Draws for the elements of an array, in numpy's order: an undecided vector, or on plain coins numpy's own array."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, islice
from types import MethodWrapperType
from typing import Any

import numpy

from dpcert.mechanisms.exact.coins import Coins, Plain, Recorded
from dpcert.mechanisms.exact.enumerator import LazyRun
from dpcert.mechanisms.exact.floats import BITS
from dpcert.mechanisms.floating.functions import is_lazy
from dpcert.mechanisms.floating.generator import Whole
from dpcert.mechanisms.vectors.alike import Alike
from dpcert.mechanisms.vectors.finite import Finite
from dpcert.mechanisms.vectors.rows import Trial, Untold
from dpcert.mechanisms.vectors.vector import KINDS, decided, vector, wrapped


def drawn(coins: Coins, draw: Callable[[], Any], found: Any) -> Any:
    """Return as many draws as an array has elements, in its dtype and shape: undecided where that is followed."""
    source: Any = coins._source
    if isinstance(source, Plain):
        found[...] = numpy.array(_plain_draws(source, draw, found.size), dtype=found.dtype).reshape(found.shape)
        return found
    if type(source) is LazyRun and found.dtype.kind in KINDS and found.size:
        alike = _in_a_row(coins, draw, found)
        if alike is not None:
            return vector(source, alike, found.shape, found.dtype)
    values = [draw() for _ in range(found.size)]
    if type(source) is LazyRun and found.dtype.kind in KINDS:
        elements = [_element(value, found.dtype) for value in values]
        if not any(element is None for element in elements):
            return vector(source, elements, found.shape, found.dtype)
    plain = [value.decide() if type(value) is Finite else decided(value) for value in values]
    found[...] = numpy.array(plain, dtype=found.dtype).reshape(found.shape)
    return found


def _in_a_row(coins: Coins, draw: Callable[[], Any], found: Any) -> Alike | None:
    """Return the draws as a row, if each is made of one number drawn below the same bound, in the same way.

    That is tried once, on a number that stands for each; None where it has to be decided.
    """
    run: Any = coins._source
    if type(draw) is MethodWrapperType or len(run.tape) + found.size > run.settings.limits.max_draws:
        return None
    run.ready()
    trial = Trial(run, found.size)
    object.__setattr__(coins, "_source", trial)
    try:
        entry = _element(draw(), found.dtype)
    except Untold:
        return None
    finally:
        object.__setattr__(coins, "_source", run)
    if entry is None or trial.row is None:
        return None
    run.drawn(0, trial.row)
    return Alike(run, numpy.arange(found.size), numpy.zeros(found.size, numpy.intp), (entry,))


def _element(value: Any, dtype: Any) -> Any:
    """Return a draw as an element of a dtype; None where it is not followed."""
    if type(value) is Finite:
        return value.map(dtype.type)
    return wrapped(value, dtype) if is_lazy(value) else dtype.type(value)


def _plain_draws(source: Plain, draw: Callable[[], Any], count: int) -> Any:
    """Return plain draws; of doubles and integers with few calls, since a watch follows each of them."""
    if getattr(draw, "__func__", None) is Coins.random:
        return numpy.array(_below(source, 1 << BITS, count), dtype=numpy.float64) * 2.0**-BITS  # both are exact
    if type(draw) is Whole and draw.count > 1:
        return [draw.least + value for value in _below(source, draw.count, count)]
    return [draw() for _ in range(count)]


def _below(source: Plain, bound: int, count: int) -> Sequence[int]:
    """Return so many numbers below a bound; of a record those that are next there, if they were drawn below it."""
    if type(source) is Recorded:
        record = list(islice(source.record, count))
        bounds, values = zip(*record, strict=True) if record else ((), ())
        if bounds.count(bound) == count:
            return values
        source.record = chain(record, source.record)
    return [source.below(bound) for _ in range(count)]
