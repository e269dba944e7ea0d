"""Programs of arrays that the machine refuses, each with a part of what it says."""

from __future__ import annotations

from typing import Any

import numpy as np


def unset_memory(n: Any, c: Any) -> Any:
    x = np.empty(2)
    x[0] = 1
    return x.sum()


def unset_where(n: Any, c: Any) -> Any:
    return np.sqrt(np.array([1.0, n]), where=np.array([True, False]))


def unset_margin(n: Any, c: Any) -> Any:
    return np.pad(np.array([n]), 1, mode="empty")


def unset_where_clipped(n: Any, c: Any) -> Any:
    return np.clip(np.array([n, 2]), 0, 1, where=np.array([True, False]))


def unset_where_clipped_by_method(n: Any, c: Any) -> Any:
    return np.array([n, 2]).clip(0, 1, where=np.array([True, False]))


def unset_where_out_is_none(n: Any, c: Any) -> Any:
    return np.add(np.ones(2), n, None, where=np.array([True, False]))


def large(n: Any, c: Any) -> Any:
    return np.zeros(10**8)[0]


def other_type(n: Any, c: Any) -> Any:
    return np.zeros(2).view(np.int64)


def resized(n: Any, c: Any) -> Any:
    x = np.zeros(2)
    x.shape = (2, 1)
    return x


def objects(n: Any, c: Any) -> Any:
    return np.array([None, 1])


def errors_are_raised(n: Any, c: Any) -> Any:
    np.seterr(divide="raise")
    return np.ones(1) / n


def errors_are_raised_within(n: Any, c: Any) -> Any:
    with np.errstate(divide="raise"):
        return np.ones(1) / n


def which_object(n: Any, c: Any) -> Any:
    x = np.zeros(2)
    return np.asarray(x) is x


def other_endian(n: Any, c: Any) -> Any:
    return np.zeros(2, dtype=">f8")


def flags(n: Any, c: Any) -> Any:
    return np.zeros(2).flags.writeable


def floats_into_integers(n: Any, c: Any) -> Any:
    cells = np.array([n, 1])
    cells += np.float64(c.below(2))
    return cells


def a_list_for_one_element(n: Any, c: Any) -> Any:
    cells = np.array([True, False])
    cells[0] = [np.bool_(c.below(2))]  # which is True, as the list is not empty
    return cells


REFUSED = {
    a_list_for_one_element: "a list is assigned to one element",
    floats_into_integers: "make the array one of floats first",
    unset_memory: "np.empty",
    unset_margin: "leaves elements unset",
    unset_where_clipped: "leaves elements unset",
    unset_where_clipped_by_method: "clip with where=",
    unset_where: "leaves elements unset",
    unset_where_out_is_none: "leaves elements unset",
    large: "audit the program on less data",
    other_type: "view of an array",
    resized: "shape of ndarray is assigned to",
    objects: "an array of object",
    errors_are_raised: "says which errors numpy raises",
    errors_are_raised_within: "says which errors numpy raises",
    which_object: "which ndarray an object is",
    other_endian: ">f8",
    flags: "flags of an array",
}
