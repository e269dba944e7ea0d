"""Evidence that bytecode is decoded whole: of the standard library, on each interpreter that is found."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import CodeType

import decoding
import pytest
from decoding import LIBRARY, check

import dpcert
from dpcert.reading import explore
from dpcert.reading.decode import Code, Op, live_slots
from dpcert.reading.errors import Refused
from dpcert.reading.machine import INSTRUCTIONS

assert explore.RULES  # whoever explores has made all instructions known
SOURCE = str(Path(dpcert.__file__).parents[1])


@pytest.mark.parametrize("name", ["random", "contextlib", "dataclasses", "fractions", "statistics", "heapq"])
def test_modules_decode(name: str) -> None:
    assert check(LIBRARY / f"{name}.py", INSTRUCTIONS) > 10


@pytest.mark.nightly
@pytest.mark.parametrize("path", sorted(LIBRARY.glob("*.py")), ids=lambda path: path.name)
def test_the_whole_library_decodes(path: Path) -> None:
    assert check(path, INSTRUCTIONS) > 0


def test_super_reads_what_no_instruction_names() -> None:
    class Sub(dict[str, int]):
        def kept(self, coins: list[int]) -> object:
            if coins:
                return 0
            return super().__len__

    code = Code(Sub.kept.__code__)
    assert all({0, code.slots.index("__class__")} <= set(slots) for slots in live_slots(code))


def test_a_frame_that_waits_may_go_on_at_a_handler() -> None:
    def program(n: int, call: list[int]) -> object:
        kept = n
        try:
            n = call[0]
        except IndexError:
            return kept
        return n

    code = Code(program.__code__)
    waiting = [place for place, handler in enumerate(code.handlers, 1) if handler and place < len(code.ops)]
    slot = code.slots.index("kept")
    live = live_slots(code)
    assert any(slot in live[place] for place in waiting)


def test_what_is_read_behind_a_return_alone_is_not_read_at_it() -> None:
    def program(n: int, kept: int) -> int:
        if n:
            return 1
        return kept

    code = Code(program.__code__)
    ends = [place for place, op in enumerate(code.ops) if op.name == "return_value"]
    assert not any(code.slots.index("kept") in live_slots(code)[place] for place in ends)


def test_refused_async_code() -> None:
    async def once() -> int:
        return 1

    with pytest.raises(Refused, match="async"):
        Code(once.__code__)


def test_refused_a_class_whose_method_has_type_parameters() -> None:
    """The class hands its names to the method's parameters. Python 3.11 has no such syntax."""
    try:
        module = compile("class K:\n    def run[T](self, a=1): ...\n", "<generic>", "exec", dont_inherit=True)
    except SyntaxError:
        assert sys.version_info < (3, 12)
        return
    (body,) = (each for each in module.co_consts if isinstance(each, CodeType))
    assert Op("refuse", "LOAD_LOCALS") in Code(body).ops


def runs(python: str) -> bool:
    return subprocess.run([python, "-c", "pass"], capture_output=True, check=False).returncode == 0


def interpreters() -> list[str]:
    """Return this interpreter, and those of other versions that are found and run."""
    found = [shutil.which(f"python3.{minor}") for minor in (11, 12, 13)]
    return [sys.executable, *(path for path in found if path and runs(path))]


@pytest.mark.nightly
@pytest.mark.parametrize("python", interpreters())
def test_the_library_of_each_interpreter_decodes(python: str) -> None:
    command = [python, decoding.__file__, "8", *INSTRUCTIONS]
    environment = {**os.environ, "PYTHONPATH": SOURCE}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 300
