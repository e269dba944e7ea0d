"""Programs of arrays that the machine refuses, each with a part of what it says."""

from __future__ import annotations

from typing import Any

import numpy as np
from masked import table


def unset_where_clipped(n: Any, c: Any) -> Any:
    return np.clip(np.array([n, 2]), 0, 1, where=np.array([True, False]))


def unset_where_clipped_by_method(n: Any, c: Any) -> Any:
    return np.array([n, 2]).clip(0, 1, where=np.array([True, False]))


def unset_where_out_is_none(n: Any, c: Any) -> Any:
    return np.add(np.ones(2), n, None, where=np.array([True, False]))


def errors_are_raised_within(n: Any, c: Any) -> Any:
    with np.errstate(divide="raise"):
        return np.ones(1) / n


def floats_into_integers(n: Any, c: Any) -> Any:
    cells = np.array([n, 1])
    cells += np.float64(c.below(2))
    return cells


def a_list_for_one_element(n: Any, c: Any) -> Any:
    cells = np.array([True, False])
    cells[0] = [np.bool_(c.below(2))]  # which is True, as the list is not empty
    return cells


ROWS = {
    "unset_memory": ("x = np.empty(2); x[0] = 1; return x.sum()", "np.empty"),
    "unset_where": ("return np.sqrt(np.array([1.0, n]), where=np.array([True, False]))", "leaves elements unset"),
    "unset_margin": ('return np.pad(np.array([n]), 1, mode="empty")', "leaves elements unset"),
    "large": ("return np.zeros(10**8)[0]", "audit the program on less data"),
    "other_type": ("return np.zeros(2).view(np.int64)", "view of an array"),
    "resized": ("x = np.zeros(2); x.shape = (2, 1); return x", "shape of ndarray is assigned to"),
    "objects": ("return np.array([None, 1])", "an array of object"),
    "errors_are_raised": ('np.seterr(divide="raise"); return np.ones(1) / n', "says which errors numpy raises"),
    "which_object": ("x = np.zeros(2); return np.asarray(x) is x", "which ndarray an object is"),
    "other_endian": ('return np.zeros(2, dtype=">f8")', ">f8"),
    "flags": ("return np.zeros(2).flags.writeable", "flags of an array"),
}
REFUSED = {
    **table(globals(), "{}", ROWS, "n, c"),
    a_list_for_one_element: "a list is assigned to one element",
    floats_into_integers: "make the array one of floats first",
    unset_where_clipped: "leaves elements unset",
    unset_where_clipped_by_method: "clip with where=",
    unset_where_out_is_none: "leaves elements unset",
    errors_are_raised_within: "says which errors numpy raises",
}
