"""Every document is valid by a strict reader and has DESIGN.md's keys and types to the letter."""

import copy
import decimal
import fractions
import json
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import dpcert
from dpcert.mechanisms.exact.outcome import Raised, key
from dpcert.mechanisms.forms import to_json
from dpcert.show.lines import result_line
from dpcert.show.outcomes import shown, source
from dpcert.show.witness import kept_as_test
from dpcert.targets.cases import file_case
from dpcert.targets.options import Options
from dpcert.worker.result import Result, result_json
from dpcert.worker.results import result_of

MIXED = """
    @target(guarantee=ApproxDP(1, "3/4"), inputs=range(3), neighbours="any")
    def wide(value, coins):
        return (value, [coins.below(30)], {"half": 0.5})

    @target(guarantee=PureDP(1), inputs=[[0], [1]], neighbours="substitute")
    def narrow(value, coins):
        return coins.below(2)

    @target(guarantee=ApproxDP("1/2", "1e-12"), inputs=[0, 1], neighbours="any")
    def open(value, coins):
        while coins.below(2):
            pass
        return 0 if coins.below(10**6) else value

    @target(guarantee=PureDP(0), inputs=[0, 1], neighbours="any")
    def too_many(value, coins):
        return str(coins.below(2**40))
"""


@pytest.fixture
def mixed(quick: Callable[..., Any], write: Callable[..., Path]) -> Any:
    write("needy.py", "dpcert.needs_extra('a_package_that_nobody_has', extra='rare')")
    folder = write("mixed.py", MIXED).parent
    return quick(folder, folder / "missing.py", "geosample-strict")


def test_one_document_holds_results_errors_and_what_was_skipped(mixed: Any) -> None:
    document = mixed.document
    assert list(mixed.verdicts().values()) == ["refuted", "verified", "refuted", "undecided", "refuted"]
    assert [error["given"].rpartition("/")[2] for error in document["errors"]] == ["missing.py: no such file or folder"]
    (row,) = document["skipped"]
    assert row["target"].endswith("needy.py")
    assert row["reason"] == "needs a_package_that_nobody_has: pip install 'dpcert[rare]'"
    assert mixed.status == 2
    assert mixed.err.count("\n") == 1


@pytest.mark.nightly
def test_an_event_lists_at_most_20_outcomes_and_says_how_many_there_are(mixed: Any) -> None:
    worst = mixed.result("wide")["worst"]
    assert (len(worst["event"]), worst["event_size"], worst["p"], worst["q"]) == (20, 23, "23/30", "0/1")
    half = {"dict": [["half", {"float": "0x1p-1"}]]}
    assert worst["event"] == [{"tuple": [0, {"list": [i]}, half]} for i in range(20)]


def test_bounds_enclose_what_is_known(mixed: Any) -> None:
    narrow, wide, unknown = (mixed.result(name) for name in ("narrow", "wide", "too_many"))
    assert narrow["epsilon"] == {"lo": "0", "hi": "0"}
    assert (narrow["delta"], narrow["tail"]) == ({"lo": "0/1", "hi": "0/1"}, "0/1")
    assert wide["epsilon"]["hi"] is None
    assert wide["delta"] == {"lo": "1/1", "hi": "1/1"}
    assert (unknown["tail"], unknown["worst"]) == ("1/1", None)
    assert (unknown["delta"], unknown["epsilon"]) == ({"lo": "0/1", "hi": "1/1"}, {"lo": "0", "hi": None})


def paths(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield at
    if isinstance(value, (dict, list)):
        for name, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from paths(part, (*at, name))


def changed(document: Any, path: tuple[Any, ...], change: Callable[[Any, Any], None]) -> Any:
    document = copy.deepcopy(document)
    holder = document
    for name in path[:-1]:
        holder = holder[name]
    change(holder, path[-1])
    return document


def set_to(fault: Any, holder: Any, name: Any) -> None:
    holder[name] = fault


@pytest.mark.nightly
def test_the_checker_refuses_any_other_key_type_or_number(mixed: Any, check_json: Callable[..., None]) -> None:
    """A checker that lets faults pass would prove nothing: each field is renamed, retyped and perturbed."""
    document = mixed.document
    free = {"parameters", "notes", "errors", "skipped", "unreached", "assumptions"}
    refused = 0

    def rename(holder: Any, name: Any) -> None:
        holder[f"{name}_"] = holder.pop(name)

    def retype(holder: Any, name: Any) -> None:
        holder[name] = 0.5

    for path in paths(document):
        if not path or "event" in path[:-1] or not free.isdisjoint(map(str, path)) or path[-1] in ("a", "b"):
            continue
        for change in (rename, retype) if isinstance(path[-1], str) else (retype,):
            with pytest.raises((AssertionError, dpcert.InputError)):
                check_json("audit", changed(document, path, change))
            refused += 1
    assert refused > 150
    for path, fault in (
        (("results", 0, "delta", "lo"), "2/1"),
        (("results", 0, "worst", "p"), "2/4"),
        (("results", 0, "worst", "p"), "0.5"),
        (("results", 0, "worst", "event_size"), 19),
        (("results", 0, "verdict"), "verified"),
        (("results", 1, "verdict"), "refuted"),
        (("results", 3, "reason"), None),
        (("results", 1, "epsilon", "lo"), "ln(1)"),
        (("verified",), 2),
        (("schema",), "dpcert.audit/2"),
    ):
        faulty = changed(document, path, partial(set_to, fault))
        with pytest.raises((AssertionError, dpcert.InputError)):
            check_json("audit", faulty)


atoms = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-99, 99).map(lambda n: n * 10**3999)
    | st.floats()
    | st.complex_numbers(allow_nan=False)
    | st.text()
    | st.binary()
    | st.fractions()
    | st.decimals(allow_nan=False)
)
hashable = st.recursive(atoms, lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3), max_leaves=4)
outcomes = st.recursive(
    hashable,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner)
        | st.dictionaries(hashable, inner, max_size=3)
        | st.sets(hashable, max_size=3)
    ),
    max_leaves=6,
)


def refuted_by(value: Any) -> Result:
    """Return the result about a program that shows `value` on one input and nothing on the other."""

    @dpcert.target(guarantee=dpcert.PureDP(1), inputs=[0, 1], neighbours="any")
    def shows(bit: int, coins: dpcert.Coins) -> Any:
        return value if bit and coins.below(2) else None

    found = dpcert.audit(shows).seen
    assert isinstance(found.verdict, dpcert.Refuted)
    return result_of(file_case(Path("file.py"), "shows", shows, 0, Options()), found)


@pytest.mark.nightly
@given(outcomes.filter(lambda value: value is not None))
@example(10**5000)
@example("\ud800 \n\x1b[31m")
@example(math.nan)
@example({"a": [()], 1: {frozenset(): set()}})
def test_any_outcome_is_told_in_json_in_words_and_in_one_line(check_json: Callable[..., None], value: Any) -> None:
    result = refuted_by(value)
    check_json("result", json.loads(json.dumps(result_json(result))))
    assert json.loads(json.dumps(result.witness.event)) == [json.loads(json.dumps(to_json(value)))]
    assert shown(result.witness.event[0]).isprintable()
    assert len(shown(result.witness.event[0])) <= 120
    line = result_line(result)
    assert line.isprintable()
    assert len(line) < 600


@given(outcomes.filter(lambda value: value is not None))
@example(math.inf)
@example((float("-inf"), -0.0, 1e308))
@example(Fraction(-1, 3))
@example({"a": [()], 1: {frozenset(): set()}})
def test_the_source_of_an_outcome_is_that_outcome(value: Any) -> None:
    text = source(json.loads(json.dumps(to_json(value))))
    if text is None:
        assert "nan" in repr(value) or "inf" in repr(value) or len(repr(value)) > 1000
        return
    assert "\n" not in text
    assert key(evaluated(text)) == key(value)


def evaluated(text: str) -> Any:
    """Evaluate a source as a test with its imports does."""
    code = compile(text, "test_event.py", "eval")
    modules = {"dpcert": dpcert, "decimal": decimal, "fractions": fractions, "numpy": numpy}
    return FunctionType(code, modules)()


def test_a_class_has_a_source_in_its_own_module_and_is_named_in_words() -> None:
    point = {"dataclass": {"type": "file.Point", "fields": [["x", {"enum": "file.Colour.RED"}]]}}
    assert shown({"tuple": [point]}) == "(Point(x=Colour.RED),)"
    assert source({"tuple": [point]}, "file") == "(Point(x=Colour.RED),)"
    packed = {"enum": "package.file.Shape.Colour.RED"}
    assert source(packed, "file") == "Shape.Colour.RED"
    for home in (None, "", "ile", "File", "RED"):
        assert source({"tuple": [point]}, home) is source(packed, home) is None


@pytest.mark.parametrize(
    ("value", "words", "text"),
    [
        (numpy.str_("b"), "np.str_('b')", "numpy.str_('b')"),
        (numpy.int64(-3), "np.int64(-3)", "numpy.int64(-3)"),
        (numpy.float32(0.1), "np.float32(0.10000000149011612)", "numpy.float32(0.10000000149011612)"),
        (numpy.array([[1.5, -0.0]]), "np.ndarray([[1.5, -0.0]], '<f8')", "numpy.array([[1.5, -0.0]], '<f8')"),
        (numpy.array(["a", "bc"]), "np.ndarray(['a', 'bc'], '<U2')", "numpy.array(['a', 'bc'], '<U2')"),
        (numpy.array(True), "np.ndarray(True, '|b1')", "numpy.array(True, '|b1')"),
        (numpy.zeros((2, 0), "<i4"), "np.ndarray([[], []], '<i4')", "numpy.array([[], []], '<i4')"),
        (numpy.zeros((0, 2)), "np.ndarray([], '<f8')", None),
        (numpy.array([math.inf]), "np.ndarray([inf], '<f8')", None),
        (numpy.array([1], ">i4"), "np.ndarray([1], '>i4')", None),
        (numpy.array([[1, 2], [3, 4]], order="F"), "np.ndarray([[1, 2], [3, 4]], '<i8')", None),
        (numpy.longlong(1), "np.longlong(1)", "numpy.longlong(1)"),
        (numpy.datetime64("2020-01-01"), "np.datetime64(18262)", None),
    ],
)
def test_values_of_numpy_are_shown_and_have_the_source_of_their_bytes(value: Any, words: str, text: str | None) -> None:
    written = json.loads(json.dumps(to_json(value)))
    assert (shown(written), source(written)) == (words, text)
    if text is not None:
        assert key(evaluated(text)) == key(value)


def test_an_exception_has_a_source() -> None:
    raised = Raised("ValueError", ("no", 1))
    text = source(to_json(raised))
    assert text == "dpcert.mechanisms.exact.outcome.Raised('ValueError', ('no', 1))"
    assert key(evaluated(text)) == key(raised)


def test_the_line_of_a_test_is_left_out_where_it_could_not_be_run() -> None:
    line = "def test_shows_event(): dpcert.assert_event(shows, a=1, b=0, event=['x'])"
    assert kept_as_test(refuted_by("x"), "shows") == line
    made = "def test_shows_event(): import decimal, numpy; dpcert.assert_event(shows, a=1, b=0, event=[("
    assert kept_as_test(refuted_by((Decimal("1.5"), numpy.int8(1))), "shows") == (
        f"{made}decimal.Decimal('1.5'), numpy.int8(1))])"
    )
    result = refuted_by("x")
    assert kept_as_test(replace(result, worst=replace(result.witness, event_size=21)), "shows") is None
    for rate, kept in (("Fraction(1, 2)", None), ("'1/2'", line[:-1] + ", rate='1/2')")):
        claim = replace(result.claim, parameters={"rate": rate})
        assert kept_as_test(replace(result, claim=claim), "shows") == kept
