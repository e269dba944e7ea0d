"""Refused files and targets: one line that names the file, the line, and what to write."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def of_file(quick: Callable[..., Any], inside: Callable[..., Any], write: Callable[..., Path]) -> Callable[..., str]:
    """Audit a file that must be refused and return the line, after seeing that a good one beside it is audited."""
    good = """
        @target(guarantee=PureDP(0), inputs=[0, 1], neighbours="any")
        def constant(bit, coins): return 0
    """

    def run(text: str, *options: str, head: str | None = None) -> str:
        path = write("bad.py", text) if head is None else write("bad.py", text, head=head)
        done = quick(path, write("good.py", good))
        assert (done.status, done.verdicts()) == (2, {"constant": "verified"})
        (error,) = done.document["errors"]
        assert str(path) in error["given"]
        return inside("audit", path, *options).refusal()

    return run


@pytest.mark.points(4)
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "at least one function decorated with @dpcert.target"),
        ("def release(x, coins): return x", "at least one function decorated with @dpcert.target"),
        ("def release(x, coins) return x", "SyntaxError: "),
        ("import a_module_that_nobody_has", "ModuleNotFoundError: No module named 'a_module_that_nobody_has'"),
        ("from . import sibling", "ImportError: "),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("raise ValueError('two\\nlines')", "does not import: ValueError: two lines"),
        ("raise SystemExit(0)", "does not import: SystemExit: 0"),
        ("raise KeyboardInterrupt", "does not import: KeyboardInterrupt"),
        ("raise BaseException('base')", "does not import: BaseException: base"),
        ("def f(): f()\nf()", "RecursionError"),
        (
            "class E(Exception):\n    def __str__(self): return 1\nraise E",
            "does not import: bad.E: <exception str() failed>",
        ),
        ("\0", "SyntaxError"),
        ("x = '\\ud800'; raise ValueError(x)", r"ValueError: \ud800"),
    ],
)
def test_refused_file(of_file: Any, text: str, words: str) -> None:
    assert words in of_file(text, head="")


TARGET = "@target(guarantee=PureDP(1), inputs=[0, 1], neighbours='any'{more})\ndef release({parameters}): return 0"


@pytest.mark.points(7)
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("PureDP(0.1)", "A float is not the number it prints as; write '0.1' or Fraction(1, 10)."),
        ("PureDP('-1/2')", "epsilon = -1/2; needed: at least 0"),
        ("ApproxDP(1, -1)", "delta = -1/1; needed: a number in [0, 1]"),
        (TARGET.format(more=", expect='private'", parameters="x, c"), "needed: verified or refuted or undecided"),
        (TARGET.format(more=", observes='time'", parameters="x, c"), "needed: 'outcome' or 'outcome and draws'"),
        (TARGET.format(more=", params={'rate': 3}", parameters="x, c, rate"), "a list of values"),
        (TARGET.format(more=", params={'rate': '3'}", parameters="x, c, rate"), "a list of values"),
        (TARGET.format(more=", params={'rate': []}", parameters="x, c, rate"), "at least one value"),
        (TARGET.format(more=", params={'rate': [object()]}", parameters="x, c, rate"), "params['rate']: type object"),
        (TARGET.format(more=", params={'rat': [1]}", parameters="x, c, rate"), "missing a required argument: 'rate'"),
        (TARGET.format(more=", params={'rat': [1]}", parameters="x, c"), "unexpected keyword argument 'rat'"),
        (TARGET.format(more="", parameters="*, x"), "called as release(input, coins)"),
        (TARGET.format(more="", parameters=""), "called as release(input, coins)"),
        (TARGET.format(more="", parameters="x, c, rate"), "missing a required argument: 'rate'"),
        ("target(guarantee=1, inputs=[0], neighbours='any')", "needed: PureDP or ApproxDP"),
        ("target(guarantee=PureDP(1), inputs=3, neighbours='any')", "a finite collection of inputs"),
        ("target(guarantee=PureDP(1), inputs='01', neighbours='any')", "a finite collection of inputs"),
        ("target(guarantee=PureDP(1), inputs=[object()], neighbours='any')", "inputs: type object"),
        ("target(guarantee=PureDP(1), inputs=[0, 1])", "TypeError"),
        ("@target\ndef release(x, coins): return x", "TypeError"),
        (
            "@target(guarantee=PureDP(1), inputs=[0, 1], neighbours='every')\ndef release(x, coins): return x",
            "neighbours 'every'; needed: one of add-remove",
        ),
        (
            "@target(guarantee=PureDP(1), inputs=[0, 1], neighbours=lambda a, b: 1)\ndef release(x, coins): return x",
            "answered int; needed: True or False",
        ),
        (
            "@target(guarantee=PureDP(1), inputs=[0, 1], neighbours=lambda a, b: a.x)\ndef release(x, coins): return x",
            "raised AttributeError",
        ),
        (
            "class Near(dpcert.Neighbours): __slots__ = ()\n"
            "target(guarantee=PureDP(1), inputs=[0, 1], neighbours=Near('any', lambda a, b: True, 'any two inputs'))",
            "needed: a plain dpcert.Neighbours, a name or a predicate",
        ),
        (
            "@target(guarantee=PureDP(1), inputs=[0, 1], neighbours=dpcert.Neighbours('any', lambda a, b: False, ''))\n"
            "def release(x, coins): return x",
            "a relation of one's own called 'any'",
        ),
    ],
)
def test_refused_target_in_a_file(of_file: Any, text: str, words: str) -> None:
    assert words in of_file(text)


def test_a_syntax_error_names_its_line(of_file: Any) -> None:
    assert "SyntaxError: '(' was never closed (line 3)" in of_file("x = 1\n\ny = (", head="")


@pytest.mark.parametrize(
    ("suffix", "options", "words"),
    [
        (":relase", [], "did you mean 'release'?"),
        (":", [], "a function of the file decorated with @dpcert.target: release, other"),
        (":plain", [], "a function of the file decorated with @dpcert.target: release, other"),
        ("", ["--set", "rate=3"], "it has no params"),
        (":other", ["--set", "rate=3"], "it has {'rate': (1, 2)}"),
        (":other", ["--set", "rat=1"], "it has {'rate': (1, 2)}"),
        (":release", ["--law-source", "closed-form"], "needed: a mechanism with a closed form"),
    ],
)
def test_refused_function_or_parameter_of_a_file(
    inside: Any, workers_inside: None, write: Any, suffix: str, options: list[str], words: str
) -> None:
    path = write(
        "file.py",
        """
        BITS = dict(guarantee=PureDP(1), inputs=[0, 1], neighbours="any")
        @target(**BITS)
        def release(x, coins): return 0
        @target(**BITS, params={"rate": [1, 2]})
        def other(x, coins, rate): return 0
        def plain(x, coins): return 0
        """,
    )
    done = inside("audit", f"{path}{suffix}", *options)
    assert done.status == 2
    assert words in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "needed: Python files in it"),
        ({"notes.txt": "", ".hidden.py": "", "__main__.py": ""}, "needed: Python files in it"),
        ({"a.py": "", "b.py": "x = 1"}, "at least one function decorated with @dpcert.target in its files"),
    ],
)
def test_refused_folder_without_targets(
    quick: Any, inside: Any, tmp_path: Path, files: dict[str, str], words: str
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert words in inside("audit", tmp_path).refusal()
    assert quick(tmp_path).document["schema"] == "dpcert.error/1"


def test_a_folder_with_one_file_that_does_not_import_still_audits_the_others(quick: Any, write: Any) -> None:
    write("a.py", "x = (")
    folder = write("b.py", TARGET.format(more="", parameters="x, coins")).parent
    done = quick(folder)
    assert (done.status, done.verdicts()) == (2, {"release": "verified"})


@pytest.mark.parametrize("name", ["file.txt", "file", "file.pyc"])
def test_refused_file_that_is_not_python(inside: Any, workers_inside: None, write: Any, name: str) -> None:
    path = write(name, TARGET.format(more="", parameters="x, coins"))
    assert "needed: a Python file" in inside("audit", path).refusal()
