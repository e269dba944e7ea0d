"""`dpcert law`: the exact law of one output, as lines and as JSON."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from dpcert.show.lines import element_lines

FLOATS = """
    import math

    @target(guarantee=PureDP(1), inputs=[0, 1], neighbours="any")
    def released(x, coins):
        return -math.log(1 - coins.random())
"""
LAWS = """
    import enum

    import numpy
    from dataclasses import dataclass
    from fractions import Fraction

    class Colour(enum.Enum):
        RED = 1

    @dataclass
    class Point:
        x: int
        y: object

    BITS = dict(guarantee=PureDP(1), inputs=[0, 1], neighbours="any")

    @target(**BITS)
    def echo(value, coins):
        return value

    @target(**BITS)
    def kinds(value, coins):
        return [
            None, -0.0, Fraction(1, 3), Colour.RED, Point(1, Point(2, None)), (1,), {"b": 1, "a": (2,)}, {3},
            frozenset([4]), 10**5000,
        ][coins.below(10)]

    @target(**BITS)
    def thirds(value, coins):
        return "rare" if coins.below(3) == 0 else "common"

    @target(**BITS)
    def until_heads(value, coins):
        n = 0
        while coins.below(2):
            n += 1
        return "done"

    @target(**BITS)
    def fails(value, coins):
        raise LookupError("no", value)

    @target(**BITS, observes="outcome and draws")
    def drawn(value, coins):
        return coins.below(2) + coins.below(3) * 0

    @target(**BITS)
    def stateful(value, coins, seen=[]):
        seen.append(value)
        return len(seen)

    @target(**BITS)
    def flips(value, rng):
        return (rng.random((2, 10)) < 0.25) ^ (numpy.arange(20).reshape(2, 10) == 13 * value)

    @target(**BITS)
    def few_flips(value, rng):
        return rng.random(9) < 0.25
"""


@pytest.fixture
def law(
    inside: Callable[..., Any], workers_inside: None, write: Callable[..., Path], check_json: Callable[..., None]
) -> Callable[..., dict[str, Any]]:
    path = write("laws.py", LAWS)

    def run(function: str, text: str = "0", *options: str) -> dict[str, Any]:
        done = inside("law", f"{path}:{function}", "--input", text, "--json", *options)
        assert (done.status, done.err) == (0, "")
        check_json("law", done.document)
        return done.document

    return run


@pytest.mark.nightly
def test_a_law_in_lines_names_each_outcome_with_its_probability(command: Any, write: Any) -> None:
    path = write("laws.py", LAWS)
    done = command("law", f"{path}:thirds", "--input", "0")
    assert done.lines == ["'rare'    1/3  1/3 <= 0.33334", "'common'  2/3  2/3 <= 0.66667"]
    assert (done.status, done.err) == (0, "")
    done = command("law", "geosample", "--set", "n=2", "--set", "epsilon=1", "--input", "1")
    assert done.lines == ["0  2/5  2/5 = 0.4", "1  1/5  1/5 = 0.2", "2  2/5  2/5 = 0.4"]


def test_the_law_of_a_built_in_is_exact_from_both_sources(inside: Any, workers_inside: None, check_json: Any) -> None:
    rate, threshold, count = Fraction(1, 10), 2, 3
    expected = [(0, 1 - 3 * rate**2 * (1 - rate) - rate**3), (2, 3 * rate**2 * (1 - rate)), (3, rate**3)]
    settings = ("--set", "rate=0.1", "--set", f"threshold={threshold}", "--set", "kmax=4")
    for source in ("program", "closed-form"):
        done = inside("law", "sample-threshold", *settings, "--input", count, "--law-source", source, "--json")
        check_json("law", done.document)
        assert [(name, Fraction(p)) for name, p in done.document["law"]] == expected


def test_the_law_of_many_people_is_rounded_down_and_says_so(inside: Any, workers_inside: None) -> None:
    done = inside("law", "sample-threshold", "--set", "kmax=400", "--input", "400", "--law-source", "closed-form")
    assert done.lines[-1].startswith("note: closed forms of more than 262,144 bits were rounded down to 84 bits")
    assert done.lines[-2].startswith("(tail)")


@pytest.mark.parametrize(
    "text",
    [
        "null",
        "true",
        "-3",
        '"text"',
        '{"tuple": [0, 1]}',
        '{"float": "0x1.8p+0"}',
        '{"fraction": "1/3"}',
        '{"dict": [["a", {"list": []}]]}',
        '{"set": [1, 2]}',
        '{"bytes": "00ff"}',
        '{"decimal": "1.50"}',
    ],
)
def test_an_input_is_the_json_in_which_outcomes_leave(law: Any, text: str) -> None:
    assert law("echo", text) == {"schema": "dpcert.law/1", "law": [[json.loads(text), "1/1"]], "tail": "0/1"}


def test_the_law_of_a_long_array_is_printed_by_its_elements(law: Any) -> None:
    found = law("flips", "1")
    assert (found["law"], found["tail"]) == ([], "1/1")
    rare, often = ([[False, p], [True, q]] for p, q in (("1/4", "3/4"), ("3/4", "1/4")))
    assert [index for index, _ in found["elements"]] == [{"tuple": [i, j]} for i in range(2) for j in range(10)]
    assert [i for i, (_, rows) in enumerate(found["elements"]) if rows == rare] == [13]
    assert [rows for _, rows in found["elements"]].count(often) == 19
    lines = element_lines(found["elements"])
    assert [line for line in lines if not line.startswith(" ")] == [
        "elements (0, 0) to (1, 2)",
        "element (1, 3)",
        "elements (1, 4) to (1, 9)",
    ]
    assert lines[4:6] == ["  False  1/4  1/4 = 0.25", "  True   3/4  3/4 = 0.75"]


def test_the_law_of_a_short_array_is_printed_by_its_outcomes(law: Any) -> None:
    found = law("few_flips", "1")
    assert "elements" not in found
    assert len(found["law"]) == 512


def test_a_plain_array_is_a_list(law: Any) -> None:
    assert law("echo", '[1, ["a"]]')["law"] == [[{"list": [1, {"list": ["a"]}]}, "1/1"]]


def test_every_kind_of_outcome_has_its_form(law: Any) -> None:
    found = law("kinds")
    assert {p for _, p in found["law"]} == {"1/10"}
    names = [name for name, _ in found["law"]]
    point = {"type": "laws.Point", "fields": [["x", 2], ["y", None]]}
    point = {"dataclass": {"type": "laws.Point", "fields": [["x", 1], ["y", {"dataclass": point}]]}}
    for name in (None, {"float": "-0x0p+0"}, {"enum": "laws.Colour.RED"}, point, {"int": hex(10**5000)}):
        assert sum(type(name) is type(other) and name == other for other in names) == 1


def test_an_outcome_in_lines_is_short_and_its_classes_are_named(inside: Any, workers_inside: None, write: Any) -> None:
    done = inside("law", f"{write('laws.py', LAWS)}:kinds", "--input", "0")
    words = {line.rpartition("1/10  ")[0].strip() for line in done.lines}
    assert {"Colour.RED", "Point(x=1, y=Point(x=2, y=None))", "{'b': 1, 'a': (2,)}", "(1,)", "{3}"} <= words
    assert {"<integer of 16610 bits>", "Fraction(1, 3)", "frozenset(4)", "-0.0", "None"} <= words
    assert done.err == ""


def test_a_law_of_which_nothing_is_known_says_what_to_do(inside: Any, workers_inside: None, write: Any) -> None:
    path = write("floats.py", FLOATS)
    done = inside("law", path, "--input", "0")
    assert done.lines[-1].startswith("next: draw in integers, or round what is released")
    done = inside("law", "geosample", "--input", "3", "--max-runs", "1", "--law-source", "program")
    assert done.lines[0].startswith("(tail)  1/1")
    assert done.lines[-1].startswith("next: raise --max-runs, or let the program return sooner")


def test_a_loop_leaves_a_tail_that_is_told(law: Any) -> None:
    found = law("until_heads", "0", "--max-tail", "1/1000")
    assert 0 < Fraction(found["tail"]) <= Fraction(1, 1000)
    assert [name for name, _ in found["law"]] == ["done"]


def test_an_exception_is_an_outcome(law: Any) -> None:
    assert law("fails", "7")["law"] == [[{"raised": {"type": "LookupError", "args": ["no", 7]}}, "1/1"]]


def test_observed_draws_are_part_of_the_law(law: Any) -> None:
    expected = [[{"tuple": [bit, {"tuple": [2, 3]}]}, "1/2"] for bit in (0, 1)]
    assert sorted(law("drawn")["law"], key=str) == sorted(expected, key=str)


def test_what_cannot_be_followed_has_no_law(inside: Any, workers_inside: None, write: Any) -> None:
    done = inside("law", f"{write('laws.py', LAWS)}:stateful", "--input", "0")
    assert "no function of its input and coins" in done.refusal(3)
    assert done.out == ""


@pytest.mark.parametrize(
    ("target", "text", "words"),
    [
        ("{path}", "0", "needed: one claim; name one of"),
        ("zoo", "0", "needed: one claim; name one of "),
        ("{path}:thirds", "0.5", "a float is not the number it prints as"),
        ("{path}:thirds", "[1", "needed: JSON"),
        ("{path}:thirds", '{"tuple": [1], "list": [2]}', "one key"),
        ("{path}:thirds", '{"enum": "laws.Colour.RED"}', "without looking up a name"),
        ("{path}:thirds", "[" * 600 + "]" * 600, "nested at most 100 deep"),
        ("{path}:third", "0", "did you mean 'thirds'?"),
    ],
)
def test_an_input_that_is_none_is_refused(
    inside: Any, workers_inside: None, write: Any, check_json: Any, target: str, text: str, words: str
) -> None:
    target = target.format(path=write("laws.py", LAWS))
    assert words in inside("law", target, "--input", text).refusal()
    done = inside("law", target, "--input", text, "--json")
    assert done.status == 2
    check_json("error", done.document)
