"""Evidence that arrays of the machine do what numpy's do, and that what is not known whole is refused by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from fuzz_numpy import compared
from programs_of_arrays import BASE, FOLLOWED
from programs_refused_on_arrays import REFUSED

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.reading.explore import Limits, read_law
from dpcert.reading.numpy.memory import Call
from dpcert.reading.numpy.records import Array, Buffer


@pytest.mark.parametrize("program", FOLLOWED, ids=lambda each: each.__name__)
def test_programs_end_as_numpy_does(program: Callable[..., Any]) -> None:
    for seed in range(8):
        BASE[:] = 0
        verdict, why = compared(program, lambda seed=seed: seed % 2, seed)
        assert verdict == "same", why


@pytest.mark.parametrize(("program", "reason"), REFUSED.items(), ids=lambda each: getattr(each, "__name__", ""))
def test_what_is_not_known_whole_is_refused_by_name(program: Callable[..., Any], reason: str) -> None:
    with pytest.raises(Unauditable, match=reason):
        read_law(program, 1, Limits())


def test_laws_of_arrays_are_exact() -> None:
    def program(n: int, c: Any) -> Any:
        x = np.array([c.below(3), c.below(3)])
        return (x > n).sum()

    law = read_law(program, 0, Limits()).law
    assert sorted(weight for _, _, weight in law.weights()) == [1, 4, 4]
    assert law.tail_weight == 0


def test_a_buffer_that_numpy_wrote_to_on_a_twin_is_refused() -> None:
    array = Array(Buffer(np.zeros(2).tobytes(), "d"), (2,), (1,))
    with pytest.raises(BaseException, match="numpy wrote to a twin"):
        Call(twins=True).run(np.ndarray.fill, (array, 3), {})


def test_a_host_array_is_never_changed() -> None:
    def program(n: int, c: Any) -> Any:
        BASE[0] = 5
        return BASE.sum()

    BASE[:] = 0
    read_law(program, 0, Limits())
    assert not BASE.any()
