"""Arrays of noisy numbers: numpy arrays of objects that know `astype`, and the numpy functions that make them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from dpcert.audit.ideal.numbers import Real
from dpcert.audit.ideal.seen.untold import asking
from dpcert.audit.ideal.whole import Whole


class NoisyArray(np.ndarray[Any, Any]):
    """An array of objects, some of them noisy numbers; what no longer holds objects is a plain array."""

    def astype(self, dtype: Any, *args: Any, **settings: Any) -> Any:
        """Return the array with each noisy number as numpy would cast it."""
        if self.dtype != object or not any(isinstance(item, (Real, Whole)) for item in self.flat):
            return self.view(np.ndarray).astype(dtype, *args, **settings)
        return _of([_cast(item, dtype) for item in self.flat], self.shape)

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        if return_scalar:
            return array[()]
        return array.view(NoisyArray if array.dtype == object else np.ndarray)

    if not TYPE_CHECKING:

        @property
        def __class__(self) -> type:
            return np.ndarray if asking() else type(self)

    def asked_type(self) -> type:
        """Return the type that a caller sees."""
        return np.ndarray


def _looked(name: str) -> property:
    """Return an attribute that the program may not look at, as objects have another one than floats."""
    real = getattr(np.ndarray, name)

    def look(self: Any) -> Any:
        if asking():
            refuse_noise(self, f"{name} of an array of noisy numbers")
        return real.__get__(self)

    return property(look)


for _name in ("dtype", "base", "flags", "data", "view", "tobytes", "dumps", "getfield", "__array_interface__"):
    setattr(NoisyArray, _name, _looked(_name))


def refuse_noise(value: Any, words: str) -> None:
    """End the run, in words, where an array, or a number, is noisy."""
    for item in value.flat if isinstance(value, NoisyArray) else [value]:
        if isinstance(item, (Real, Whole)):
            item.run.refuse(words)


def _typed(function: Callable[..., Any]) -> Callable[..., Any]:
    def typed(*args: Any, **settings: Any) -> Any:
        for value in args:
            refuse_noise(value, f"{function.__name__} of noisy numbers")
        return function(*args, **settings)

    return typed


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
        found = function(*args, **settings)
        return _loose(found) if asking() else found  # numpy's own generators write into new arrays in C

    return made


def _taken(function: Callable[..., Any]) -> Callable[..., Any]:
    def taken(value: Any, dtype: Any = None, *args: Any, **settings: Any) -> Any:
        if not asking():
            return function(value, dtype, *args, **settings)
        if isinstance(value, (list, tuple)) and dtype in (None, float) and not args and not settings:
            items = function(value, object)
            if any(map(_is_meant, items.flat)):
                return _of([item if _is_meant(item) else float(item) for item in items.flat], items.shape)
        plain = function(value, object) if dtype is not None else None
        if plain is not None and any(isinstance(item, (Real, Whole)) for item in plain.flat):
            return noisy(plain).astype(dtype)
        return noisy(function(value, dtype, *args, **settings))

    return taken


def _is_meant(item: Any) -> bool:
    """Whether a number is one that an array of floats would round."""
    return getattr(type(item), "is_meant", False) is True


NEW = ("zeros", "ones", "empty", "full", "zeros_like", "ones_like", "empty_like", "full_like")


def arrays(*, loose: bool) -> Iterator[tuple[Any, Any]]:
    """Yield numpy's functions that make arrays, each with one that takes noisy numbers, too, and those that show types,
    which refuse them. With `loose`, noisy numbers can be put into new arrays of floats."""
    for name in ("array", "asarray"):
        yield getattr(np, name), _taken(getattr(np, name))
    for name in ("result_type", "min_scalar_type", "can_cast"):
        yield getattr(np, name), _typed(getattr(np, name))
    for name in NEW if loose else ():
        yield getattr(np, name), _made(getattr(np, name))
