"""The methods and attributes of arrays, by the rules of the functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcert.reading.domains import coins as domain
from dpcert.reading.domains.deferred import forced
from dpcert.reading.errors import words
from dpcert.reading.numpy.elementwise import clipped
from dpcert.reading.numpy.folds import FOLDS
from dpcert.reading.numpy.following import DECIDE, Followed, Keywords, element, moving, shaped
from dpcert.reading.numpy.items import store
from dpcert.reading.numpy.memory import Call, elements, laid, seen
from dpcert.reading.values import NUMBERS, List, Undecided, Value

ATTRIBUTES = frozenset(words("dtype itemsize nbytes ndim shape size strides"))
DECIDED = words(
    "all any argmax argmin argpartition argsort choose conj conjugate cumprod cumsum dot max mean min nonzero "
    "partition prod put round searchsorted sort std sum tobytes trace var"
)
MOVED = words("compress copy diagonal flatten ravel repeat reshape squeeze swapaxes take transpose")


def _astype(m: Any, function: Any, args: tuple[Value, ...], keywords: Keywords) -> Value:
    twins = Call(twins=True)
    pattern = twins.run(function, args, keywords)
    owner = args[0]
    row = twins.row(owner.base)
    if pattern.base is row:
        return seen(pattern, row, owner.base)
    return laid([element(m, each, pattern.dtype) for each in elements(owner)], pattern)


def to_python(value: Value) -> Value:
    """An element as a number of Python's.

    Raises: Ask.
    """
    value = forced(value)
    if value.__class__ is Undecided:
        return domain.then(value, "item")
    return value.item()


def _tolist(m: Any, function: Any, args: tuple[Value, ...], keywords: Keywords) -> Value:
    if len(args) > 1 or keywords:
        return DECIDE
    owner = args[0]
    parts = [to_python(each) for each in elements(owner)]

    def made(where: Any) -> Value:
        return List([made(each) for each in where]) if where.ndim else parts[int(where)]

    return made(np.arange(len(parts)).reshape(owner.shape))


def _item(m: Any, function: Any, args: tuple[Value, ...], keywords: Keywords) -> Value:
    Call(twins=True).run(function, args, keywords)
    owner, *index = args
    parts = elements(owner)
    where = np.arange(len(parts)).reshape(owner.shape)
    return to_python(parts[where.item(*(Call().to_host(each) for each in index))])


def _fill(m: Any, function: Any, args: tuple[Value, ...], keywords: Keywords) -> Value:
    if len(args) != 2 or keywords or not (args[1].__class__ is Undecided or args[1].__class__ in NUMBERS):
        return DECIDE
    store(m, args[0], ..., args[1])
    return None


METHODS: dict[str, Followed | None] = {
    **dict.fromkeys(DECIDED),
    **{name: FOLDS[name] for name in DECIDED if name in FOLDS},
    **dict.fromkeys(MOVED, moving("self")),
    "astype": _astype,
    "clip": clipped,
    "fill": _fill,
    "item": _item,
    "tolist": _tolist,
    "__len__": shaped,
}
