"""Evidence that the machine is like CPython: CPython's own tests pass in it, or fail in it, as they do there.

A test that the machine refuses is counted; one that goes otherwise stands by name in `cpython_differences.toml`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest
from test_decode import SOURCE

from dpcert.reading.errors import words

HERE = Path(__file__).parent
DIFFERENCES = tomllib.loads((HERE / "cpython_differences.toml").read_text("utf-8"))
MODULES = words(
    "scope patma generators pep380 pep479 generator_stop exceptions exception_group exception_variations raise with "
    "contextlib list dict dictviews set tuple deque class descr property super isinstance funcattrs decorators "
    "itertools functools operator heapq bisect fractions decimal enum dataclasses string format fstring int long float "
    "complex bool slice range enumerate iter unpack unpack_ex extcall keywordonlyarg positional_only_arg "
    "named_expressions collections ordered_dict defaultdict statistics math pow hash compare augassign binop contains "
    "grammar sort builtin opcodes numeric_tower reprlib copy types"
)
FOUND = [name for name in MODULES if find_spec("test") and find_spec(f"test.test_{name}")]


def test_the_interpreter_came_with_its_own_tests_or_has_none() -> None:
    assert len(FOUND) > 50 or not FOUND


@pytest.mark.nightly
@pytest.mark.parametrize("name", FOUND)
def test_cpython_tests_go_as_they_do_in_cpython(name: str) -> None:
    command = [sys.executable, "-W", "ignore", str(HERE / "cpython.py"), f"test_{name}"]
    environment = {**os.environ, "PYTHONPATH": SOURCE}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=HERE)
    assert done.returncode == 0, done.stderr
    counts: Counter[str] = Counter()
    for test, told in json.loads(done.stdout.splitlines()[-1]).items():
        machine, cpython = told or ("refused: it takes too long", "")
        assert "internal: " not in machine, (test, machine)
        alike = "refused" if machine.startswith("refused: ") else "alike" if machine == cpython else "unlike"
        assert alike != "unlike" or test in DIFFERENCES, (test, machine, cpython)
        counts[alike] += 1
    print(f"test_{name}: {dict(counts)}")
