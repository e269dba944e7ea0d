"""Programs on an array of three integers from 0 to 2: numpy's methods, functions, views and errors."""

import copy
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

Program = Callable[[Any], Any]
VALUES = 3


def assigned(v: Any) -> Any:
    v[1:] = v[:-1]
    return v


def masked(v: Any) -> Any:
    v[v > 1] = 7
    return v.sum(), v[0]


def through_a_view(v: Any) -> Any:
    part = v[1:]
    part += 10
    return v.sum(), v


def through_a_cast(v: Any) -> Any:
    same, other = v.astype(int, copy=False), v.astype(float, copy=False)
    same[0] = 10
    other[1] = 10
    return v.sum(), other


def of_a_copy(v: Any) -> Any:
    part = v[[0, 1]]
    part[0] = 10
    return v.sum(), part.sum()


def in_place(v: Any) -> Any:
    v *= 2
    v -= 1
    return v


def asked_early(v: Any) -> Any:
    first = v[0]
    total = (v == 1).sum()
    return total, first > 1


def one_by_one(v: Any) -> Any:
    total = v.sum()
    return total, [int(x) for x in v]


def counted_each(v: Any) -> Any:
    return tuple((v == k).sum() for k in range(VALUES))


def of_the_same_draws(v: Any) -> Any:
    return ((v > 0) & (v < 2)).sum(), (v[:-1] == v[1:]).sum()


def in_rows(v: Any) -> Any:
    table = np.concatenate([v, v]).reshape(2, -1)
    return table.sum(axis=0), table.T.shape, table[1].max()


def in_two_rows(v: Any) -> Any:
    table = v.reshape(1, -1)
    return (table > 0).sum(axis=1), (table > 0).sum(axis=0), table.T[0]


def transposed(v: Any) -> Any:
    view = v.reshape(1, -1).T
    view[0] = 9
    return v.sum()


PROGRAMS: dict[str, Program] = {
    "sum": lambda v: v.sum(),
    "itself": lambda v: v,
    "count": lambda v: (v == 1).sum(),
    "count_nonzero": lambda v: np.count_nonzero(v > 1),
    "np.sum": lambda v: np.sum(v < 2),
    "np.add.reduce": lambda v: np.add.reduce(v),
    "any": lambda v: (v == 2).any(),
    "all": lambda v: (v > 0).all(),
    "np.any": lambda v: np.any(v > 1),
    "any of integers": lambda v: v.any(),
    "max": lambda v: v.max(),
    "min": lambda v: np.min(v),
    "max of truths": lambda v: (v > 1).max(),
    "np.maximum.reduce": lambda v: np.maximum.reduce(v),
    "argmax": lambda v: v.argmax(),
    "argmin": lambda v: np.argmin(v),
    "argmax plus": lambda v: np.argmax(v + np.array([1, 0, 2])),
    "mean": lambda v: (v == 1).mean(),
    "np.mean": lambda v: np.mean(v),
    "bincount": lambda v: np.bincount(v),
    "bincount of a length": lambda v: np.bincount(v, minlength=5),
    "cumsum": lambda v: v.cumsum(),
    "where": lambda v: np.where(v > 0, v, -1).sum(),
    "where of numbers": lambda v: np.where(v == 2, 1.5, 0).sum(),
    "where of whole doubles": lambda v: np.where(v == 2, 3.0, 1.0).sum(),
    "where of whole singles": lambda v: np.where(v == 2, np.float32(1 << 24), np.float32(1)).sum(),
    "where of whole halves": lambda v: np.where(v == 2, np.float16(1 << 11), np.float16(1)).sum(),
    "where of few whole singles": lambda v: np.where(v == 2, np.float32(3), np.float32(1)).sum(),
    "where of arrays": lambda v: np.where(v == 2, np.array([4, 5, 6]), v),
    "added": lambda v: (v + 1).sum(),
    "from the left": lambda v: (10 - v).max(),
    "doubled": lambda v: v + v,
    "times itself": lambda v: (v * v[::-1]).sum(),
    "halved": lambda v: v / 2,
    "floored": lambda v: (v // 2).sum(),
    "modulo": lambda v: (v % 2).sum(),
    "negative": lambda v: (-v).min(),
    "absolute": lambda v: abs(v - 1).sum(),
    "sign": lambda v: np.sign(v - 1).sum(),
    "logic": lambda v: ((v > 0) | ~(v == 1) ^ (v < 2)).sum(),
    "logical": lambda v: np.logical_and(v > 0, v < 2).all(),
    "truths added": lambda v: ((v > 0) + (v > 1)).sum(),
    "truth times": lambda v: ((v > 0) * 5).sum(),
    "clip": lambda v: v.clip(0, 1).sum(),
    "astype": lambda v: (v > 1).astype(int).sum(),
    "astype float": lambda v: v.astype(float),
    "astype small": lambda v: (v > 0).astype(np.int8).sum(),
    "wraps around": lambda v: (v.astype(np.int8) + np.int8(127)).sum(),
    "first": lambda v: v[0],
    "last two": lambda v: v[-2:].sum(),
    "of a mask": lambda v: np.array([3, 4, 5])[v > 1],
    "of its mask": lambda v: v[v > 0].sum(),
    "of a list": lambda v: v[[2, 0]].sum(),
    "iterated": lambda v: [int(x) * 2 for x in v],
    "python's sum": lambda v: sum(v),
    "length": lambda v: (len(v), v.shape, v.ndim, v.size, str(v.dtype)),
    "tolist": lambda v: v.tolist(),
    "item": lambda v: v.item(1),
    "text": lambda v: f"{v}",
    "contains": lambda v: 2 in v,
    "equal": lambda v: np.array_equal(v, np.array([0, 1, 2])),
    "unique": lambda v: np.unique(v),
    "sorted": lambda v: np.sort(v),
    "std": lambda v: v.std(),
    "concatenated": lambda v: np.concatenate([v, v[:1]]).sum(),
    "broadcast": lambda v: (v > np.array([[0], [1]])).sum(),
    "with an axis": lambda v: (v > np.array([[0], [1]])).sum(axis=1),
    "copy": lambda v: copy.deepcopy(v).sum(),
    "dot": lambda v: np.dot(v, np.array([1, 2, 3])),
    "dot method": lambda v: v.dot(v),
    "matmul": lambda v: np.array([1, 2, 3]) @ (v > 1),
    "matmul of doubles": lambda v: v @ np.array([0.5, 0.25, 3]),
    "dot of another length": lambda v: v.dot(np.ones(2)),
    "sum where": lambda v: np.array([1, 2, 3]).sum(where=v > 1),
    "sum where a mask": lambda v: v.sum(where=np.array([True, False, True])),
    "sum where integers are": lambda v: np.array([1, 2, 3]).sum(where=v),
    "sum where a table is": lambda v: np.ones(3).sum(where=v > np.array([[0], [1]])),
    "sum where in a table": lambda v: np.ones((2, 3)).sum(where=v > 1),
    "raises": lambda v: (v + np.ones(4)).sum(),
    "raises in place": lambda v: operator.iadd(v, 0.5),
    "out of range": lambda v: v[3],
    "truth of many": lambda v: bool(v > 0),
    "hash": lambda v: hash(v),
    "no such method": lambda v: v.cumulate(),
    "isinstance": lambda v: isinstance(v, np.ndarray),
    "empty": lambda v: v[:0].sum(),
    "shaped": lambda v: (v.reshape(-1, 1) == v).sum(),
    **{
        function.__name__: function
        for function in (
            *(assigned, masked, through_a_view, of_a_copy, in_place, asked_early, one_by_one, counted_each),
            *(of_the_same_draws, in_rows, in_two_rows, transposed, through_a_cast),
        )
    },
}
