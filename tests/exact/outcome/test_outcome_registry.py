"""What is no outcome is refused with what to write instead; keys are found quickly."""

import asyncio
import collections
import io
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import count, islice
from typing import Any

import numpy as np
import pytest

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import MAX_DEPTH, MAX_SHOWN, Raised, canonical, fresh, key, show
from dpcert.mechanisms.forms import order_key, to_json

from .outcomes import Box, Point, nested


class Number(int):
    pass


class Text(str):
    __slots__ = ()


# Refusals.
async def routine() -> int:
    return 1


def generator() -> Iterator[int]:
    yield 1


async def async_generator() -> Any:
    yield 1


class Awaitable:
    def __await__(self) -> Iterator[Any]:
        return iter(())


@dataclass
class WithMore:
    x: int

    @cached_property
    def y(self) -> int:
        return self.x


def with_more() -> WithMore:
    value = WithMore(1)
    assert value.y == 1
    return value


@dataclass
class Hidden(dict[Any, Any]):
    x: int


@dataclass
class Queue(collections.deque[int]):
    x: int = 0


class Tagged(Point):
    pass


def tagged() -> Tagged:
    value = Tagged(1)
    value.hidden = 1
    return value


class Struct(tuple[int, ...]):
    __slots__ = ()


def closed(value: Any) -> Any:
    value.close()
    return value


NAMED = "is not in the registry of outcomes"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (Number(1), f"Number {NAMED}; return int(...) of it"),
        (Text("a"), f"Text {NAMED}; return str(...) of it"),
        (Struct((1,)), f"Struct {NAMED}; return tuple(...) of it"),
        (time.gmtime(0), f"time.struct_time {NAMED}; return tuple(...) of it"),
        (tagged(), f"Tagged {NAMED}; return tuple(...) of it"),
        (collections.OrderedDict(), f"collections.OrderedDict {NAMED}; return dict(...) of it"),
        (collections.Counter(), f"collections.Counter {NAMED}; return dict(...) of it"),
        (Hidden(1), f"Hidden {NAMED}; return dict(...) of it"),
        (with_more(), f"WithMore {NAMED}; it stores more than its fields: make them fields, or return a tuple"),
        (Queue(), f"Queue {NAMED}; return list(...) of it"),
        (collections.deque(), f"collections.deque {NAMED}; return list(...) of it"),
        (range(3), f"type range {NAMED}; return list(...) of it"),
        (iter([]), f"type list_iterator {NAMED}; return list(...) of it"),
        (generator(), f"type generator {NAMED}; return list(...) of it"),
        (map(str, []), f"type map {NAMED}; return list(...) of it"),
        (zip(), f"type zip {NAMED}; return list(...) of it"),
        (filter(None, []), f"type filter {NAMED}; return list(...) of it"),
        (enumerate([]), f"type enumerate {NAMED}; return list(...) of it"),
        (count(), f"type itertools.count {NAMED}; return list(...) of it"),
        (islice([], 1), f"type itertools.islice {NAMED}; return list(...) of it"),
        ({}.keys(), f"type dict_keys {NAMED}; return list(...) of it"),
        ({}.values(), f"type dict_values {NAMED}; return list(...) of it"),
        ({}.items(), f"type dict_items {NAMED}; return list(...) of it"),
        (bytearray(), f"type bytearray {NAMED}; return bytes(...) of it"),
        (memoryview(b""), f"type memoryview {NAMED}; return bytes(...) of it"),
        (closed(routine()), f"type coroutine {NAMED}; await it, and return its result as a plain value"),
        (async_generator(), f"type async_generator {NAMED}; await it, and return its result as a plain value"),
        (Awaitable(), f"Awaitable {NAMED}; await it, and return its result as a plain value"),
        (generator, f"type function {NAMED}; call it, and return its result"),
        (len, f"type builtin_function_or_method {NAMED}; call it, and return its result"),
        (partial(len), f"type functools.partial {NAMED}; call it, and return its result"),
        (int, f"type type {NAMED}; call it, and return its result"),
        (object(), f"type object {NAMED}; return what is published as numbers, strings, tuples, lists, dicts"),
        (ValueError("x"), f"type ValueError {NAMED}; return what is published"),
        (io.StringIO(), f"type _io.StringIO {NAMED}; return list(...) of it"),
        (NotImplemented, f"type NotImplementedType {NAMED}; return what is published"),
        (np.array([object()]), f"numpy.ndarray {NAMED}; return .tolist() or .astype(...) of it"),
        (np.array([(1, 2)], "i1,i8"), f"numpy.ndarray {NAMED}; return .tolist() or .astype(...) of it"),
        (
            np.array([1], np.dtype("i8", metadata={"n": 1})),
            f"numpy.ndarray {NAMED}; return .tolist() or .astype(...) of it",
        ),
        (np.longdouble(1), f"numpy.longdouble {NAMED}; return .tolist() or .astype(...) of it"),
        (np.ma.array([1]), f"{NAMED}; return list(...) of it"),
        (Fraction(np.int64(1), 3), f"fractions.Fraction {NAMED}; return Fraction(int(p), int(q))"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_refused_values_outside_the_registry(value: Any, message: str) -> None:
    for identity in (key, canonical, order_key, fresh, to_json, show):
        for outcome in (value, [value], (0, {"a": value})):
            with pytest.raises(Unauditable) as refusal:
                identity(outcome)
            assert message in str(refusal.value)
            assert "\n" not in str(refusal.value)


def test_refused_pending_future() -> None:
    loop = asyncio.new_event_loop()
    try:
        with pytest.raises(Unauditable, match="await it"):
            key(loop.create_future())
    finally:
        loop.close()


@pytest.mark.points(3)
@pytest.mark.parametrize("identity", [key, canonical, order_key, fresh, to_json])
def test_refused_nesting_beyond_the_limit(identity: Callable[[Any], Any]) -> None:
    wraps: list[Callable[[Any], Any]] = [
        lambda part: [part],
        lambda part: (part,),
        lambda part: {0: part},
        lambda part: frozenset({part}),
        Point,
        Box,
        lambda part: Raised("E", (part,)),
    ]
    for wrap in wraps:
        identity(nested(MAX_DEPTH + 1, wrap))
        for depth in (MAX_DEPTH + 2, 3000):
            if depth == 3000 and wrap(1) == frozenset({1}):
                continue  # Python itself cannot hash it
            with pytest.raises(Unauditable, match=r"^an outcome is nested more than 100 deep, or contains itself"):
                identity(nested(depth, wrap))


@pytest.mark.parametrize("identity", [key, canonical, order_key, fresh, to_json])
def test_refused_values_that_contain_themselves(identity: Callable[[Any], Any]) -> None:
    a: list[Any] = []
    a.append((1, a))
    b: dict[str, Any] = {}
    b["self"] = b
    c = Box(1)
    c.x = c
    for value in (a, b, c):
        with pytest.raises(Unauditable, match="or contains itself; return a flatter value"):
            identity(value)
        assert len(show(value)) <= MAX_SHOWN


def test_the_key_of_a_path_takes_few_calls() -> None:
    """Each value takes one call, and another for each part that is no plain value: every law asks for these keys."""
    values = [0, "a", True, None, (1, "b"), (1, 2, 3, False)] * 1000
    calls = []
    sys.setprofile(lambda frame, event, _: calls.append(frame.f_code) if event == "call" else None)
    try:
        found = [key(value) for value in values]
    finally:
        sys.setprofile(None)
    assert len(found) == len(values)
    assert len(values) <= len(calls) <= 2 * len(values)


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("identity", [key, canonical, order_key, fresh, to_json, show])
def test_speed_of_long_integers_and_deep_sets(identity: Callable[[Any], Any]) -> None:
    identity(3**630_000)
    identity(nested(60, lambda part: frozenset({part})))
