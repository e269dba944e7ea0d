"""Which programs cannot tell their comments, docstrings and line numbers; all others are kept by their bytes."""

import functools
import importlib
import random
import types
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from textwrap import dedent
from typing import Any

import numpy as np
import pytest

import dpcert
from dpcert.mechanisms.coins import system_coins
from dpcert.worker.reads.plain import LEADING, LEADS, MODULES, Source, is_plain, tree_digest

LOADED = {*MODULES, "ast", "helper", "importlib", "inspect", "os", "pkg", "pkg.part", "pkgutil", "sys", "warnings"}


def plain(folder: Path, **files: str) -> bool:
    """Whether a program of modules, with `__` for a dot in their names, is plain."""
    own = {}
    for name, text in files.items():
        path = folder / f"{name}.py"
        path.write_text(dedent(text))
        own[name.replace("__", ".")] = Source(str(path), "pkg" if name.startswith("pkg") else "")
    return is_plain(own, LOADED)


PLAIN = [
    "import math, random\nimport numpy as np\nfrom fractions import Fraction\ndef f(x): return np.random.default_rng()",
    "import dpcert\n@dpcert.target(guarantee=dpcert.PureDP(1), inputs=[0], neighbours='any')\ndef f(x, c): return x",
    "from collections.abc import Iterable\nimport collections.abc\ndef f(x: collections.abc.Set) -> Iterable: return x",
    "class C:\n    __slots__ = ('x',)\n    def __init__(self): self._x = super().__init__()",
    "def never_run():\n    import nothing.here\n    from nothing import inspect",
    "try:\n    f()\nexcept (OSError, ValueError) as error:\n    raise KeyError(error.args) from error",
    "from __future__ import annotations\nif __name__ == '__main__':\n    print(f'{1 + 1!r:>8}')",
]


@pytest.mark.parametrize("text", PLAIN)
def test_a_program_in_the_words_of_the_tables_is_plain(tmp_path: Path, text: str) -> None:
    assert plain(tmp_path, it=text)


TELLING = [
    "x = __doc__",
    "def f(): return f.__doc__",
    "def f(): return f.__code__.co_firstlineno",
    "x = open(__file__).read()",
    "x = getattr(f, '__do' + 'c__')",
    "g = getattr",
    "x = vars()",
    "x = '{0.__doc__}'.format(f)",
    "x = map(str.format, ['{0.__doc__}'], [f])",
    "x = eval('__doc__')",
    "import inspect",
    "from os import path",
    "import sys as math",
    "from importlib import resources",
    "from dataclasses import inspect",
    "import dataclasses\ny = dataclasses.inspect",
    "import numpy\nnumpy.info(f, output=x)",
    "from numpy import info as array",
    "import numpy as np\nm = np\nm.info",
    "import numpy as np\nx = [np.random][0]",
    "import numpy as np\nnp += Added()",
    "getattr += Added()",
    "class C:\n    import numpy as np",
    "class C:\n    def m(self):\n        import numpy as np\n        return self",
    "import numpy as _C__np\nclass C:\n    def m(self): return __np.info",
    "from math import *",
    "import numpy as __builtins__",
    "try: pass\nexcept ValueError as __builtins__: pass",
    "def f():\n    global __builtins__",
    "match f:\n    case object(__doc__=x): pass",
    "class C:\n    __match_args__ = ('__doc__',)",
    "class C:\n    def __setattr__(self, name, value): pass",
    "class C(metaclass=M): pass",
    "class M(type): pass",
    "M = type(int)",
    "M = x.__class__",
    "from functools import wraps",
    "x = (i for i in []).gi_frame.f_lineno",
    "import numpy as np\nx = np.random.Generator.laplace.func_globals",
    "import numpy as np\nx = np.zeros(1).ctypes",
    "class C:\n    def __exit__(self, kind, error, trace): return trace.tb_lineno",
    "import dpcert\ntry: dpcert.target()(f).law(0)\nexcept Exception as e: x = str(e)",
    "import dpcert\ndpcert.audit(f)",
    "import builtins\nbuiltins.len = f",
    "import numpy as np\nnp.random = f",
    "import copy\ndel copy.copy",
    "from dataclasses import dataclass, field\nF = field(init=False)\n@dataclass\nclass C:\n    x: int = F\n"
    "F.name = '__doc__'",
    "from collections import namedtuple\nclass C(namedtuple('B', 'f_lineno')): pass\ndef f(x):\n"
    "    match x:\n        case C(line): return line",
    "def f(:",
    "return",
    "x = '\x00'",
]


@pytest.mark.parametrize("text", TELLING)
def test_caught_program_that_can_tell_its_text(tmp_path: Path, text: str) -> None:
    assert not plain(tmp_path, it=text)


def test_a_program_of_several_modules_is_plain_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    helper = "import numpy as np\ndef f(x): return np.sqrt(x)"
    assert plain(tmp_path, it="import helper\ny = helper.f(1)", helper=helper)
    assert plain(
        tmp_path, pkg="from . import part\nx = part.f", pkg__part="import random\ndef f(): return random.random()"
    )
    assert plain(tmp_path, it="import pkg.part\ny = pkg.part.f(1)", pkg="", pkg__part="def f(x): return x")
    for telling in ("helper.np.info", "helper", "helper.__doc__", "helper.f.__doc__"):
        assert not plain(tmp_path, it=f"import helper\ny = {telling}", helper=helper)
    assert not plain(tmp_path, it="from helper import np\ny = np.info", helper=helper)
    assert not plain(tmp_path, it="from helper import *", helper=helper)
    assert not plain(tmp_path, it="x = 1", helper="x = __doc__")
    assert not plain(tmp_path, it="import random\nrandom.choice", random="import numpy as choice")


BAD = (types.ModuleType, types.CodeType, types.FrameType, types.TracebackType)


def led(name: str, value: Any, depth: int, seen: dict[int, tuple[int, Any]]) -> Iterator[str]:
    """Yield where attributes that a plain program may ask a value for lead to a module, to code, or to a metaclass."""
    if isinstance(value, BAD) or (isinstance(value, type) and issubclass(value, type)):
        yield name
    if depth == 0 or seen.get(id(value), (-1,))[0] >= depth or isinstance(value, int | str | float | tuple):
        return
    seen[id(value)] = depth, value
    for part in dir(value):
        if not part.startswith(("__", *LEADING)) and part not in LEADS:
            with suppress(Exception):
                yield from led(f"{name}.{part}", getattr(value, part), depth - 1, seen)


def test_no_word_of_the_tables_leads_to_a_module_or_to_code() -> None:
    seen: dict[int, tuple[int, Any]] = {}
    for module, words in MODULES.items():
        for word in words.split():
            value = getattr(importlib.import_module(module), word)
            assert list(led(f"{module}.{word}", value, 3, seen)) == []


def values() -> list[Any]:
    def program(value: int, coins: Any) -> int:
        return value

    made = dpcert.target(guarantee=dpcert.PureDP(1), inputs=[0, 1], neighbours="any")(program)
    waiting = (number for number in range(3))
    arrays = [np.random.default_rng(), np.zeros(3), np.array([None]), np.float64(1), np.random.RandomState(1)]
    plain_values = [[], {}, set(), "", b"", 1, 1.5, None, iter([]), ValueError("x"), property(program)]
    kept = [functools.partial(program, 1), functools.cache(program), random.Random(1), system_coins()]
    return [made, program, waiting, *arrays, *plain_values, *kept]


def test_no_value_of_a_plain_program_leads_to_a_module_or_to_code() -> None:
    seen: dict[int, tuple[int, Any]] = {}
    for value in values():
        assert list(led(type(value).__name__, value, 3, seen)) == []


@pytest.mark.parametrize("name", ["AsyncGenerator", "Coroutine", "Frame", "Function", "Generator", "Traceback"])
def test_what_holds_code_or_lines_has_them_by_attributes_of_the_tables(name: str) -> None:
    found = {part for part in dir(getattr(types, f"{name}Type")) if not part.startswith(("__", *LEADING))}
    assert found <= {"aclose", "asend", "athrow", "clear", "close", "send", "throw"}


SAME = [
    ("x = 1", "# a remark\n\nx = 0x1  # more"),
    ('"""A."""\nx = 1', "x = 1"),
    ('def f():\n    """A."""\n    return 1', 'def f():\n\n    "B"\n    return (\n        1)'),
    ('class C:\n    """A."""\n    x = 1', "class C:\n    x = 1"),
    ('async def f():\n    """A."""\n    return 1', "async def f(): return 1"),
]
OTHER = [
    ("x = 1", "x = 2"),
    ("x = 1", "x = 1.0"),
    ("x = 1", "x = True"),
    ("x = 'a'", "x = b'a'"),
    ("x = 0.0", "x = -0.0"),
    ('x = "é"', '# coding: latin-1\nx = "é"'),
    ("def f(): return 1", "def f() -> int: return 1"),
    ("x = f'{y}'", "x = f'{y=}'"),
    ("def f():\n    return '''a'''", "def f():\n    return '''b'''"),
    ("x: int = 1", "from __future__ import annotations\nx: int = 1"),
]


@pytest.mark.parametrize(("one", "other", "same"), [(*p, True) for p in SAME] + [(*p, False) for p in OTHER])
def test_a_tree_tells_all_but_comments_docstrings_and_places(tmp_path: Path, one: str, other: str, same: bool) -> None:
    digests = []
    for text in (one, other):
        (tmp_path / "it.py").write_text(text, encoding="utf-8")
        digests.append(tree_digest(tmp_path / "it.py"))
    assert None not in digests
    assert (digests[0] == digests[1]) is same


def test_a_file_without_a_tree_has_no_digest(write: Callable[..., Path], tmp_path: Path) -> None:
    assert tree_digest(write("bad.py", "def f(:", head="")) is None
    assert tree_digest(tmp_path / "gone.py") is None
