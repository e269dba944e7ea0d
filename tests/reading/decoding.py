"""Decodes the functions of the standard library: run by a test, and by itself on other interpreters.

These need no packages: the names of the instructions that the machine follows are handed to them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Container, Iterator
from pathlib import Path
from types import CodeType

from dpcert.reading.decode import Code, live_slots
from dpcert.reading.errors import Refused

LIBRARY = Path(os.__file__).parent


def codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from codes(each)


def check(path: Path, followed: Container[str]) -> int:
    """Decode each function of a file, and return how many there are; only async code is refused."""
    count = 0
    for host in codes(compile(path.read_bytes(), str(path), "exec", dont_inherit=True)):
        try:
            code = Code(host)
        except Refused:
            assert host.co_flags & 0x380
            continue
        assert all(op.name in followed for op in code.ops)
        assert len(live_slots(code)) == len(code.ops) == len(code.lines) == len(code.handlers)
        assert all(op.target is None or 0 <= op.target < len(code.ops) for op in code.ops)
        count += 1
    return count


if __name__ == "__main__":
    every, *followed = sys.argv[1:]
    print(sum(check(path, followed) for path in sorted(LIBRARY.glob("*.py"))[:: int(every)]))
