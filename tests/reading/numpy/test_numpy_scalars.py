"""Evidence that scalars of numpy's are read as they are: each law is that of all scripts of coins under CPython."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scalar_programs as programs
from oracle import law_by_scripts, unlike

from dpcert.reading.explore import read_law


@pytest.mark.parametrize("program", programs.PROGRAMS, ids=lambda program: program.__name__)
def test_a_law_is_that_of_all_scripts(program: Callable[..., Any]) -> None:
    with np.errstate(all="ignore"):
        truth, tail = law_by_scripts(program, 1)
    law = read_law(program, 1).law
    assert tail == law.tail == 0
    assert unlike(law, truth, tail) is None
