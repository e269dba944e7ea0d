"""Arrays of noisy numbers: numpy arrays of objects that know `astype`, and the numpy functions that make them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from dpcert.audit.ideal.numbers import Real
from dpcert.audit.ideal.untold import asking
from dpcert.audit.ideal.whole import Whole


class NoisyArray(np.ndarray[Any, Any]):
    """An array of objects, some of them noisy numbers; what no longer holds objects is a plain array."""

    if not TYPE_CHECKING:

        @property
        def dtype(self) -> Any:
            found = np.ndarray.dtype.__get__(self)
            noise = next((item for item in self.flat if isinstance(item, (Real, Whole))), None) if asking() else None
            return found if noise is None else noise.run.refuse("the dtype of an array of noisy numbers")

    def astype(self, dtype: Any, *args: Any, **settings: Any) -> Any:
        """Return the array with each noisy number as numpy would cast it."""
        if self.dtype != object or not any(isinstance(item, (Real, Whole)) for item in self.flat):
            return self.view(np.ndarray).astype(dtype, *args, **settings)
        return _of([_cast(item, dtype) for item in self.flat], self.shape)

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        if return_scalar:
            return array[()]
        return array.view(NoisyArray if array.dtype == object else np.ndarray)


def _cast(item: Any, dtype: Any) -> Any:
    return item.astype(dtype) if isinstance(item, (Real, Whole)) else np.array(item).astype(dtype).item()


def _of(items: Any, shape: tuple[int, ...]) -> NoisyArray:
    found = np.empty(len(items), dtype=object)
    found[:] = items
    return found.reshape(shape).view(NoisyArray)


def noisy(array: Any) -> Any:
    """Return an array of objects as one that knows `astype`; anything else as it is."""
    return array.view(NoisyArray) if isinstance(array, np.ndarray) and array.dtype == object else array


def _loose(array: Any) -> Any:
    """Return an array of floats as one of objects, so that noisy numbers can be put into it."""
    if isinstance(array, np.ndarray) and array.dtype == float:
        return _of(array.ravel().tolist(), array.shape)
    return noisy(array)


def _made(function: Callable[..., Any]) -> Callable[..., Any]:
    def made(*args: Any, **settings: Any) -> Any:
        return _loose(function(*args, **settings))

    return made


def _taken(function: Callable[..., Any]) -> Callable[..., Any]:
    def taken(value: Any, dtype: Any = None, *args: Any, **settings: Any) -> Any:
        plain = function(value, object) if dtype is not None else None
        if plain is not None and any(isinstance(item, (Real, Whole)) for item in plain.flat):
            return noisy(plain).astype(dtype)
        return noisy(function(value, dtype, *args, **settings))

    return taken


def arrays(*, loose: bool) -> Iterator[tuple[Any, Any]]:
    """Yield numpy's functions that make arrays, each with one that takes noisy numbers, too. With `loose`, noisy numbers
    can be put into new arrays of floats."""
    for name in ("array", "asarray"):
        yield getattr(np, name), _taken(getattr(np, name))
    for name in () if not loose else ("zeros", "ones", "empty", "full", "zeros_like", "ones_like", "empty_like", "full_like"):
        yield getattr(np, name), _made(getattr(np, name))
