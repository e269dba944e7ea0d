"""Draws for the elements of an array, in numpy's order: an undecided vector, or on plain coins numpy's own array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from dpcert.mechanisms.exact.coins import Coins, Plain
from dpcert.mechanisms.exact.enumerator import LazyRun
from dpcert.mechanisms.exact.floats import BITS, LazyFloat
from dpcert.mechanisms.floating.functions import is_lazy
from dpcert.mechanisms.vectors.finite import Finite
from dpcert.mechanisms.vectors.vector import KINDS, decided, vector, wrapped


def drawn(source: Any, draw: Callable[[], Any], found: Any) -> Any:
    """Return as many draws as an array has elements, in its dtype and shape: undecided where that is followed."""
    if isinstance(source, Plain):
        found[...] = numpy.array(_plain_draws(source, draw, found.size), dtype=found.dtype).reshape(found.shape)
        return found
    values = [draw() for _ in range(found.size)]
    if type(source) is LazyRun and found.dtype.kind in KINDS:
        elements = _wrapped_alike(values) if found.dtype == numpy.float64 else None
        if elements is None:
            elements = [_element(value, found.dtype) for value in values]
        if not any(element is None for element in elements):
            return vector(source, elements, found.shape, found.dtype)
    plain = [value.decide() if type(value) is Finite else decided(value) for value in values]
    found[...] = numpy.array(plain, dtype=found.dtype).reshape(found.shape)
    return found


def _element(value: Any, dtype: Any) -> Any:
    """Return a draw as an element of a dtype; None where it is not followed."""
    if type(value) is Finite:
        return value.map(dtype.type)
    return wrapped(value, dtype) if is_lazy(value) else dtype.type(value)


def _plain_draws(source: Plain, draw: Callable[[], Any], count: int) -> list[Any]:
    """Return plain draws; of doubles with few calls, since a watch follows each of them."""
    if getattr(draw, "__func__", None) is not Coins.random:
        return [draw() for _ in range(count)]
    below, bits = source.below, 1 << BITS
    return [below(bits) * 2.0**-BITS for _ in range(count)]


def _wrapped_alike(values: list[Any]) -> list[Any] | None:
    """Return draws that are made alike of their bits as doubles of numpy's; None where they are not."""
    first = values[0] if values else None
    if type(first) is not LazyFloat or type(first._image(first._node.least())) is not float:
        return None
    maps = (*first._maps, numpy.float64)
    if not all(type(value) is LazyFloat and value._maps == first._maps for value in values):
        return None
    return [LazyFloat(value._node, maps) for value in values]
