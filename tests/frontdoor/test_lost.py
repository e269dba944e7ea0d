"""Targets that nothing leads to are errors that say what to write; those of other modules, and factories, are none."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dpcert import InputError, PureDP, Target, target
from dpcert.targets.cases import pick
from dpcert.targets.load import Collected, collect, load_file
from dpcert.targets.made import noting

BITS = """
    import functools, threading
    BITS = dict(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")

    @target(**BITS)
    def good(bit, coins):
        return bit if coins.below(4) < 3 else 1 - bit

    def leak(bit, coins):
        return bit

    def logged(function):
        @functools.wraps(function)
        def inner(*args, **kwds):
            return function(*args, **kwds)
        return inner

    def bare(function):
        return lambda *args: function(*args)

    def register(function, known=[]):
        known.append(target(**BITS)(function))
        return function
"""

LOST = {
    "wrapped": ("@logged\n@target(**BITS)\ndef bad(bit, coins): return bit", "is under another decorator of bad"),
    "wrapped twice": ("@logged\n@logged\n@target(**BITS)\ndef bad(bit, coins): return bit", "another decorator of bad"),
    "partial": ("bad = functools.partial(target(**BITS)(leak), 1)", "is under another decorator of bad"),
    "cached": ("@functools.cache\n@target(**BITS)\ndef bad(bit, coins): return bit", "another decorator of bad"),
    "static": ("@staticmethod\n@target(**BITS)\ndef bad(bit, coins): return bit", "another decorator of bad"),
    "unnamed wrapper": (
        "@bare\n@target(**BITS)\ndef bad(bit, coins): return bit",
        "is not what bad means at the end of the file, which is a function",
    ),
    "class": ("class Bad:\n    @target(**BITS)\n    def bad(bit, coins): return bit", "is in the class Bad"),
    "static method": (
        "class Bad:\n    @staticmethod\n    @target(**BITS)\n    def bad(bit, coins): return bit",
        "has no name at the end of the file",
    ),
    "list": ("BAD = [target(**BITS)(leak)]", "is in BAD, a list"),
    "dict in a tuple": ("BAD = ({'a': target(**BITS)(leak)},)", "is in BAD, a tuple"),
    "a second": ("good = target(**BITS)(leak)", "is hidden by a later target of the name good"),
    "a second function": (
        "@target(**BITS)\ndef bad(bit, coins): return bit\ndef bad(bit): pass",
        "is not what bad means at the end of the file, which is a function",
    ),
    "loop": ("for _ in range(2): bad = target(**BITS)(leak)", "has no name at the end of the file"),
    "function": ("def make(): target(**BITS)(leak)\nmake()", "has no name at the end of the file"),
    "deleted": ("bad = target(**BITS)(leak)\ndel bad", "has no name at the end of the file"),
    "registered": ("@register\ndef bad(bit, coins): return bit", "has no name at the end of the file"),
    "thread": (
        "worker = threading.Thread(target=lambda: target(**BITS)(leak))\nworker.start(); worker.join()",
        "has no name at the end of the file",
    ),
    "exec": ("exec('target(**BITS)(leak)', {**globals()})", "has no name at the end of the file"),
    "never run": (
        "if __name__ == '__main__':\n    @target(**BITS)\n    def bad(bit, coins): return bit",
        "is under `if __name__ == '__main__':`, which an audit does not run",
    ),
    "for types": (
        "TYPE_CHECKING = False\nif TYPE_CHECKING:\n    \n    @dpcert.target(**BITS)\n    def bad(bit): pass",
        "is under `if TYPE_CHECKING:`, which an audit does not run",
    ),
}


@pytest.fixture
def collected(write: Callable[..., Path], fresh_imports: None) -> Callable[[str], Collected]:
    """Collect the targets of a file of the good one and more."""
    return lambda text: collect(written(write, text))


def written(write: Callable[..., Path], text: str, name: str = "lost.py") -> Path:
    path = write(name, BITS)
    path.write_text(f"{path.read_text()}\n{text}\n")
    return path


@pytest.mark.parametrize("name", LOST)
def test_caught_a_target_that_no_name_means(collected: Callable[[str], Collected], name: str) -> None:
    text, words = LOST[name]
    found = collected(text)
    assert "good" in found.targets
    (lost, *others) = found.lost
    assert words in lost.why
    assert not others
    assert lost.remedy


def test_a_lost_target_is_named_with_the_line_that_makes_it(write: Any, collected: Any) -> None:
    found = collected("class Bad:\n    @target(**BITS)\n    def bad(bit, coins): return bit")
    path = write("lost.py", BITS)
    (lost,) = found.lost
    assert (lost.name, lost.line) == ("bad", len(path.read_text().splitlines()) + 3)


@pytest.mark.parametrize(
    "text",
    [
        "again = good",
        "from maker import made, release",
        "import maker\nbad = maker.make()",
        "def make():\n    return target(**BITS)(leak)\nnew = make()",
        "if __name__ != '__main__':\n    @target(**BITS)\n    def new(bit, coins): return bit",
        "def later():\n    return target(**BITS)(leak)",
        "ALL = [good]",
        "class Uses:\n    release = good",
    ],
)
def test_what_a_name_means_or_another_module_made_is_not_lost(
    write: Any, collected: Callable[[str], Collected], text: str
) -> None:
    """The other module makes a target for whom calls it, one of its own, and one that is lost there and not here."""
    more = "def make(): return target(**BITS)(leak)\nmade = release = make()\nLOST = [make()]\n"
    written(write, more, "maker.py")
    assert collected(text).lost == []


def test_an_audit_says_what_was_lost_and_goes_on(quick: Any, write: Any) -> None:
    path = written(write, "BAD = [target(**BITS)(leak)]")
    done = quick(path)
    assert (done.status, done.verdicts()) == (2, {"good": "verified"})
    (error,) = done.document["errors"]
    assert error["given"].startswith(f"{path}: target leak (line ")
    assert error["given"].endswith(") is in BAD, a list, so nothing audits it")
    assert quick(f"{path}:good").status == 0
    done = quick(f"{path}:leak")
    assert done.status == 2
    assert "is in BAD, a list" in done.document["given"]


def test_a_file_of_lost_targets_alone_is_an_error_also_in_a_folder(quick: Any, inside: Any, write: Any) -> None:
    text = (
        "class Bad:\n    @target(guarantee=PureDP(0), inputs=[0, 1], neighbours='any')\n    def bad(bit, coins): pass"
    )
    path = write("inner/lost.py", text)
    for asked in (path, path.parent):
        done = quick(asked)
        assert (done.status, "is in the class Bad" in done.document["given"]) == (2, True)
    assert "is in the class Bad" in inside("law", path, "--input", "0").refusal()


def test_no_notes_are_taken_for_longer_than_asked() -> None:
    def make() -> Target:
        return target(guarantee=PureDP(0), inputs=[0], neighbours="any")(lambda bit, coins: bit)

    with noting() as outer:
        with noting() as inner:
            first = make()
        second = make()
    make()
    assert [[made.target for made in notes] for notes in (inner, outer)] == [[first], [first, second]]


BAD = {
    "inputs": ("@target(guarantee=PureDP(1), inputs=5, neighbours='any')", "has inputs of type int"),
    "relation": ("@target(guarantee=PureDP(1), inputs=[0], neighbours='nay')", "has neighbours 'nay'"),
    "signature": ("@target(**BITS, params={'n': [1]})", "got an unexpected keyword argument 'n'"),
    "guarantee": ("@target(guarantee=1, inputs=[0], neighbours='any')", "has guarantee=int"),
}


@pytest.mark.parametrize("name", BAD)
def test_refused_targets_do_not_end_their_file(write: Any, name: str) -> None:
    decorator, words = BAD[name]
    path = write("bad.py", f"{BITS}\n    {decorator}\n    def bad(bit, coins, *, m=1):\n        return bit\n")
    found = collect(path)
    (lost,) = found.lost
    assert ([*found.targets], lost.name) == (["good"], "bad")
    assert path.read_text().splitlines()[lost.line - 1].startswith(("@target", "def bad"))
    line = str(lost.error("bad.py"))
    assert words in line
    with pytest.raises(InputError, match="bad"):
        pick(path, "bad")
    with pytest.raises(InputError):  # its own file says so by itself
        load_file(path)


@pytest.mark.usefixtures("workers_inside")
@pytest.mark.parametrize("more", [(), ("--sampling", "--samples", "2000")])
def test_a_name_that_nothing_defines_is_an_error_of_the_target(inside: Any, write: Any, more: tuple[str, ...]) -> None:
    path = write("bad.py", f"{BITS}\n    @target(**BITS)\n    def bad(bit, coins):\n        return nosuch + bit\n")
    done = inside("audit", path, *more)
    assert done.status == 2
    assert done.lines[-1] == f"{0 if more else 1} verified, 0 refuted, {1 if more else 0} undecided"
    (line,) = done.err.splitlines()
    assert "bad.py:bad: " in line
    assert "NameError" in line
    assert line.endswith("; needed: a function whose names are defined; define the name, or mend it")


@pytest.mark.usefixtures("workers_inside")
def test_a_name_that_some_runs_lack_is_an_outcome(inside: Any, write: Any) -> None:
    text = "    @target(**BITS)\n    def some(bit, coins):\n        return nosuch if bit else 0\n"
    path = write("some.py", f"{BITS}\n{text}")
    done = inside("audit", f"{path}:some", "--json")
    assert (done.status, done.verdicts()) == (1, {"some": "refuted"})
