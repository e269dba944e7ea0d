"""Evidence that wrong rules of arrays are caught: with a fault planted, some program no longer ends as numpy does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import programs_of_arrays as programs
import pytest
from fuzz_numpy import compared
from programs_of_arrays import BASE

from dpcert.reading.numpy import arrays, elementwise, following, items, memory
from dpcert.reading.numpy.memory import Call
from dpcert.reading.numpy.records import Array, Buffer

SEEN = memory.seen


def _view_is_a_copy(found: Any, row: Any, buffer: Buffer) -> Array:
    made, own = memory.buffer_of(found.copy("K"))
    return SEEN(own.reshape(found.shape), own, made)


def _any_order(values: list[Any], pattern: Any) -> Array:
    return memory.laid(values, np.ascontiguousarray(pattern))


def _writable(found: Any, row: Any, buffer: Buffer) -> Array:
    made = SEEN(found, row, buffer)
    return Array(made.base, made.shape, made.strides, made.offset)


def _no_cast(m: Any, value: Any, dtype: Any) -> Any:
    return value


def _never_too_large(value: Any, dtype: Any) -> bool:
    return False


def _reversed_elements(array: Array) -> list[Any]:
    return memory.elements(array)[::-1]


FAULTS: dict[str, tuple[Any, str, Any, Callable[..., Any]]] = {
    "what numpy writes is lost": (Call, "write_back", lambda self: None, programs.put),
    "a view is a copy": (memory, "seen", _view_is_a_copy, programs.rows_are_views),
    "a row is a copy": (following, "seen", _view_is_a_copy, programs.views_and_copies),
    "a global view is a copy": (arrays, "seen", _view_is_a_copy, programs.global_view),
    "moved elements are in the order of C": (following, "laid", _any_order, programs.order_in_memory),
    "results are in the order of C": (elementwise, "laid", _any_order, programs.order_in_memory),
    "a locked array is writable": (arrays, "seen", _writable, programs.locked),
    "elements are not cast when they are stored": (items, "element", _no_cast, programs.stored_in_single),
    "an integer may be too large": (elementwise, "is_too_large", _never_too_large, programs.too_large_to_be_reached),
    "elements are in another order": (elementwise, "elements", _reversed_elements, programs.out_of_undecided),
    "an operator is its ufunc": (
        elementwise,
        "operated",
        lambda m, name, operation, *values: Call().result(elementwise.UFUNCS[name], values, {}),
        programs.operator_is_no_ufunc,
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, name, wrong, program = FAULTS[fault]
    home = arrays if name == "operated" else where
    monkeypatch.setattr(home, name, wrong)
    verdicts = set()
    for seed in range(12):
        BASE[:] = 0
        verdicts.add(compared(program, lambda seed=seed: seed % 2, seed)[0])
    assert verdicts - {"same"}  # a second guard may refuse what the first lets pass
