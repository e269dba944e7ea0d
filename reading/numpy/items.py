"""Items of arrays: what an index shows, what is assigned to one, and what an iteration gives."""

import operator
from typing import Any

import numpy as np

from dpcert.reading.domains.deferred import forced
from dpcert.reading.errors import Refused, Thrown
from dpcert.reading.numpy.following import check_fits, element, is_undecided, listed
from dpcert.reading.numpy.memory import Call, count_of, elements, is_plain, laid, look, row_of, seen
from dpcert.reading.numpy.records import Array
from dpcert.reading.values import List, Value


def item(array: Array, index: Any) -> Value:
    """What an index, as the host's value, shows of an array: an element, a view, or a copy.

    Raises: Ask where an element is computed now; Thrown with numpy's exception.
    """
    if is_plain(array.base):
        call = Call()
        return call.from_host(call.run_hosts(operator.getitem, [call.to_host(array), index], {}))
    call = Call()
    row = np.arange(count_of(array.base))
    where = call.run_hosts(operator.getitem, [look(array, row), index], {})
    if not isinstance(where, np.ndarray):
        return forced(array.base.items[int(where)])
    if where.base is row:
        return seen(where, row, array.base)
    pattern = np.empty_like(where, dtype=array.base.dtype)
    return laid([array.base.items[place] for place in where.ravel().tolist()], pattern)


def store(m: Any, array: Array, index: Any, value: Value) -> None:
    """Do `array[index] = value`, with an index of the host's.

    Raises: Thrown with numpy's exception; Ask, before anything is changed.
    """
    if is_plain(array.base) and not is_undecided(value):
        call = Call()
        call.run_hosts(operator.setitem, [call.to_host(array), index, call.to_host(value)], {})
        return
    twins = Call(twins=True, scratch=True)
    try:
        twins.run_hosts(operator.setitem, [twins.to_host(array), index, twins.to_host(value)], {})
    except Thrown:  # what numpy wrote before it raised is known where all elements are
        call = Call()
        call.run_hosts(operator.setitem, [call.to_host(array), index, call.to_host(value)], {})
        raise
    check_fits(value, np.dtype(array.base.dtype))
    row = np.arange(count_of(array.base))
    where = np.asarray(look(array, row)[index])
    if value.__class__ in (List, tuple) and not where.ndim:
        raise Refused("a list is assigned to one element of an array, which asks whether it is empty; assign a number")
    value = listed(m, value)
    dtype = np.dtype(array.base.dtype)
    parts = elements(value) if value.__class__ is Array else [value]
    shape = value.shape if value.__class__ is Array else ()
    while len(shape) > where.ndim:  # numpy drops leading axes of one
        shape = shape[1:]
    spread = np.broadcast_to(np.arange(len(parts)).reshape(shape), where.shape)
    cells = [element(m, each, dtype) for each in parts]
    items = list(row_of(array.base) if is_plain(array.base) else array.base.items)
    for place, part in zip(where.ravel().tolist(), spread.ravel().tolist(), strict=True):
        items[place] = cells[part]
    array.base.put(items)
    is_plain(array.base)


def host_index(value: Value) -> Any:
    """An index as the host's value.

    Raises: Ask where it is undecided.
    """
    return Call().to_host(value)
