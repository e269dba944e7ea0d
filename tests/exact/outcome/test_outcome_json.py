"""Outcomes as JSON: each form, round trips, and what is refused."""

import json
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.outcome import MAX_DEPTH, Raised, key
from dpcert.mechanisms.forms import from_json, lenient_json, to_json

from .outcomes import DISTINCT, REBUILT, Access, Box, Color, Point, nan, nested

WRITTEN: list[tuple[Any, Any]] = [
    (None, None),
    (True, True),
    (-7, -7),
    (2**60, 2**60),
    (10**3999 - 1, 10**3999 - 1),
    (10**3999, {"int": hex(10**3999)}),
    (-(10**3999), {"int": hex(-(10**3999))}),
    ("é", "é"),
    ("\ud83d\ude00", {"str": "eda0bdedb880"}),
    (b"\x00\xff", {"bytes": "00ff"}),
    (1.5, {"float": "0x1.8p+0"}),
    (0.0, {"float": "0x0p+0"}),
    (-0.0, {"float": "-0x0p+0"}),
    (0.1, {"float": "0x1.999999999999ap-4"}),
    (float("-inf"), {"float": "-inf"}),
    (nan(5), {"float": "nan:0x7ff8000000000005"}),
    (complex(1, -0.0), {"complex": ["0x1p+0", "-0x0p+0"]}),
    (Fraction(-1, 2), {"fraction": "-1/2"}),
    (Fraction(3), {"fraction": "3/1"}),
    (Decimal("1.50"), {"decimal": "1.50"}),
    (Decimal("-sNaN3"), {"decimal": "-sNaN3"}),
    ((1, (True,)), {"tuple": [1, {"tuple": [True]}]}),
    ([], {"list": []}),
    ({10, 2}, {"set": [2, 10]}),
    (frozenset({"a"}), {"frozenset": ["a"]}),
    ({"b": 1, "a": [2]}, {"dict": [["b", 1], ["a", {"list": [2]}]]}),
    (Raised("ValueError", ("x",)), {"raised": {"type": "ValueError", "args": ["x"]}}),
    (Raised("E", (), (("n", (1,)),)), {"raised": {"type": "E", "args": [], "fields": [["n", {"tuple": [1]}]]}}),
]
ONE_WAY: list[tuple[Any, Any]] = [
    (Color.BLUE, {"enum": f"{Color.__module__}.Color.BLUE"}),
    (Access(0), {"enum": f"{Color.__module__}.Access.0"}),
    (Point(1, "a"), {"namedtuple": {"type": f"{Color.__module__}.Point", "fields": [["x", 1], ["y", "a"]]}}),
    (Box([1]), {"dataclass": {"type": f"{Color.__module__}.Box", "fields": [["x", {"list": [1]}], ["y", 0]]}}),
    (np.int64(1), {"numpy": {"dtype": "<i8", "shape": None, "data": "0100000000000000"}}),
    (np.array([[1], [2]], "u1"), {"numpy": {"dtype": "|u1", "shape": [2, 1], "data": "0102"}}),
    (
        np.array([[1, 3], [2, 4]], "u1", order="F"),
        {"numpy": {"dtype": "|u1", "shape": [2, 2], "data": "01030204", "order": "F"}},
    ),
]


@pytest.mark.parametrize(("value", "written"), WRITTEN + ONE_WAY)
def test_twin_json_forms(value: Any, written: Any) -> None:
    assert json.dumps(to_json(value)) == json.dumps(written)


@pytest.mark.parametrize(("value", "written"), WRITTEN)
def test_twin_json_forms_are_read_back(value: Any, written: Any) -> None:
    assert key(from_json(written)) == key(value)


@given(REBUILT)
def test_twin_json_round_trip_through_text(value: Any) -> None:
    text = json.dumps(to_json(value), sort_keys=True)
    back = from_json(json.loads(text))
    assert key(back) == key(value)
    assert key(lenient_json(json.loads(text))) == key(value)


def test_twin_json_texts_of_distinct_outcomes_differ() -> None:
    texts = [json.dumps(to_json(value)) for value in DISTINCT]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    ("obj", "message"),
    [
        (1.5, """the JSON 1.5: a float is not the number it prints as; write {"float": "0x1.8p+0"}"""),
        (float("nan"), """write {"float": "nan:0x7ff8000000000000"}"""),
        ([1], "the JSON [1]: null, true, false, a string, an integer of less than 4,000 digits, or an object"),
        ({}, "the JSON {}: null, true"),
        ({"tuple": [], "list": []}, "the JSON {'tuple': [], 'list': []}: null, true"),
        (10**3999, "the JSON <integer of 13285 bits>: null, true"),
        (-(10**3999), "the JSON <integer of 13285 bits>: null, true"),
        ({"int": "0x5"}, "the JSON {'int': '0x5'}: its one form; write 5"),
        ({"int": "five"}, "the JSON {'int': 'five'}: a body that fits the key 'int'; write what to_json writes"),
        ({"int": 5}, "a body that fits the key 'int'"),
        ({"str": "61"}, "the JSON {'str': '61'}: its one form; write 'a'"),
        ({"str": "ff"}, "a body that fits the key 'str'"),
        ("\ud800", "its one form; write {'str': 'eda080'}"),
        ({"bytes": "0"}, "a body that fits the key 'bytes'"),
        ({"bytes": "AA"}, "its one form; write {'bytes': 'aa'}"),
        ({"float": "1.5"}, "a body that fits the key 'float'"),
        ({"float": "0x1.80p+0"}, "its one form; write {'float': '0x1.8p+0'}"),
        ({"float": "0x1.00000000000001p+0"}, "a body that fits the key 'float'"),
        ({"float": "0x1p+99999"}, "a body that fits the key 'float'"),
        ({"float": "nan"}, "a body that fits the key 'float'"),
        ({"float": "nan:0x3ff0000000000000"}, "a body that fits the key 'float'"),
        ({"float": "nan:0x7ff8"}, "the JSON {'float': 'nan:0x7ff8'}"),
        ({"float": 1.5}, "a body that fits the key 'float'"),
        ({"complex": ["0x1p+0"]}, "a body that fits the key 'complex'"),
        ({"fraction": "2/4"}, "its one form; write {'fraction': '1/2'}"),
        ({"fraction": "1/0"}, "a denominator that is not zero"),
        ({"fraction": "x"}, "fraction = 'x'"),
        ({"fraction": "1" * 100_001 + "/1"}, "at most 100,000 digits"),
        ({"decimal": "x"}, "a body that fits the key 'decimal'"),
        ({"decimal": "1E99999999999999999999"}, "a body that fits the key 'decimal'"),
        ({"decimal": "1e3"}, "its one form; write {'decimal': '1E+3'}"),
        ({"tuple": 1}, "a body that fits the key 'tuple'"),
        ({"tuple": "ab"}, "a body that fits the key 'tuple'"),
        ({"tuple": [1.5]}, "a float is not the number it prints as"),
        (
            {"tuple": [{"list": [{"fraction": "2/4"}]}]},
            "its one form; write {'tuple': [{'list': [{'fraction': '1/2'}]}]}",
        ),
        ({"set": [1, 1]}, "elements and keys are hashable and differ"),
        ({"set": [1, True]}, "elements and keys are hashable and differ"),
        ({"set": [{"list": []}]}, "elements and keys are hashable and differ"),
        ({"set": [2, 1]}, "its one form; write {'set': [1, 2]}"),
        ({"dict": [[1, 2], [True, 3]]}, "elements and keys are hashable and differ"),
        ({"dict": [[1]]}, "a body that fits the key 'dict'"),
        ({"dict": ["ab"]}, "a body that fits the key 'dict'"),
        ({"dict": {"a": 1}}, "a body that fits the key 'dict'"),
        ({"raised": {"type": "E"}}, "a body that fits the key 'raised'"),
        ({"raised": {"type": "E", "args": [], "more": 1}}, "a body that fits the key 'raised'"),
        ({"raised": {"type": 1, "args": []}}, "a body that fits the key 'raised'"),
        ({"raised": {"type": "E", "args": [], "fields": [[1, 2]]}}, "a body that fits the key 'raised'"),
        ({"raised": {"type": "E", "args": [], "fields": [["n"]]}}, "a body that fits the key 'raised'"),
        ({"raised": {"type": "E", "args": [], "fields": []}}, "its one form"),
        ({"unknown": 1}, "the JSON {'unknown': 1}: a body that fits the key 'unknown'"),
        ({1: 1}, "a body that fits the key 1"),
        ({"enum": "os.system"}, 'the JSON key "enum": a value that can be rebuilt without looking up a name'),
        ({"dataclass": {}}, 'the JSON key "dataclass": a value that can be rebuilt without looking up a name'),
        ({"namedtuple": {}}, 'the JSON key "namedtuple": a value that can be rebuilt without looking up a name'),
        ({"numpy": {}}, 'the JSON key "numpy": a value that can be rebuilt without looking up a name'),
    ],
)
def test_refused_json(obj: Any, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        from_json(obj)
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_refused_json_that_is_nested_too_deep() -> None:
    deepest = nested(MAX_DEPTH + 1, lambda part: {"tuple": [part]})
    assert from_json(deepest) == nested(MAX_DEPTH + 1, lambda part: (part,))
    flat = nested(MAX_DEPTH + 1, lambda part: [part])
    assert lenient_json(flat) == flat
    for depth in (MAX_DEPTH + 2, 5000):
        obj = nested(depth, lambda part: {"tuple": [part]})
        with pytest.raises(InputError, match="an outcome nested at most 100 deep; write a flatter value"):
            from_json(obj)
        with pytest.raises(InputError, match="an outcome nested at most 100 deep; write a flatter value"):
            lenient_json(nested(depth, lambda part: [part]))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[1, 2, 3]", [1, 2, 3]),
        ('[[true, null], "a"]', [[True, None], "a"]),
        ('{"tuple": [[1], 2]}', ([1], 2)),
        ('{"dict": [["a", [1]]]}', {"a": [1]}),
        ('{"set": [10, 2]}', {2, 10}),
        ('{"fraction": "0.1"}', Fraction(1, 10)),
        ('{"fraction": "1/10"}', Fraction(1, 10)),
        ('{"float": "0x1.8000000000000p+0"}', 1.5),
        ('{"int": "17"}', 17),
        ("5", 5),
    ],
)
def test_twin_plain_json_from_a_command_line(text: str, value: Any) -> None:
    assert key(lenient_json(json.loads(text))) == key(value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0.1", """{"float": "0x1.999999999999ap-4"}, or {"fraction": "1/10"} for an exact number"""),
        ("[1, [2, 0.5]]", "the JSON 0.5: a float is not the number it prints as"),
        ("NaN", "a float is not the number it prints as"),
        ('{"float": "0.1"}', "a body that fits the key 'float'"),
        ('{"a": 1, "b": 2}', "or an object with one key"),
        ('{"dict": [[1, 2], [1.0, 2]]}', "a float is not the number it prints as"),
        ('{"dict": [[[1], 2]]}', "elements and keys are hashable and differ"),
        ('{"set": [1, 1]}', "elements and keys are hashable and differ"),
        ('{"enum": "a.B"}', "without looking up a name"),
        ("[" * 300 + "]" * 300, "nested at most 100 deep"),
    ],
)
def test_refused_plain_json(text: str, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        lenient_json(json.loads(text))
    assert message in str(refusal.value)
