"""Evidence that calls of the table's functions with any arguments go as in CPython, or are refused."""

from __future__ import annotations

import builtins
import random
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable
from enum import IntEnum
from fractions import Fraction
from functools import partial
from types import FunctionType
from typing import Any

import pytest
from test_table import CALLS, agrees

from dpcert.mechanisms.exact.coins import Coins


class Row:
    def __index__(self) -> int:
        return 1

    def __len__(self) -> int:
        return 2

    def __getitem__(self, place: int) -> int:
        return (7, 8)[place]


class Plain:
    pass


class Long:
    """Notes that it is asked how long it is."""

    def __init__(self) -> None:
        self.asked = 0

    def __len__(self) -> int:
        self.asked += 1
        return 1 + self.asked

    def __iter__(self) -> Any:
        self.asked += 10
        return iter((1, self.asked))


class Hint:
    left = 2

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> int:
        if not self.left:
            raise StopIteration
        self.left -= 1
        return self.left

    def __length_hint__(self) -> int:
        return 5


class Number:
    def __int__(self) -> int:
        return 3

    def __bool__(self) -> bool:
        return False

    def __radd__(self, other: Any) -> str:
        return "sum"

    def __lt__(self, other: Any) -> bool:
        return True

    def __round__(self, *digits: Any) -> Any:
        return digits

    def __format__(self, form: str) -> str:
        return form


class Fails:
    def __iter__(self) -> Any:
        raise ValueError("iter")

    def __len__(self) -> int:
        raise KeyError("len")

    def __eq__(self, other: object) -> bool:
        raise TypeError("eq")


class Subscripted:
    def __class_getitem__(cls, item: Any) -> Any:
        return item


class Place(IntEnum):
    FIRST = 1


Pair = namedtuple("Pair", "a b")
Odd = type("Odd", (), {"__hash__": None})


GIVEN: tuple[Callable[[], Any], ...] = (
    *(
        lambda: 5,
        lambda: 0,
        lambda: -1,
        lambda: 2**70,
        lambda: 1.5,
        lambda: True,
        lambda: None,
        lambda: 1j,
        lambda: ...,
    ),
    *(lambda: ..., lambda: "a", lambda: "", lambda: "abc", lambda: b"a", lambda: (1, 2), lambda: (), lambda: [1], list),
    *(lambda: [3, 1, 2], lambda: [[1], [2]], lambda: [(1, 2), (3, 4)], lambda: {1: 2}, dict, lambda: {1}, set),
    *(lambda: frozenset({1}), lambda: range(3), lambda: slice(1), lambda: NotImplemented, lambda: len, lambda: Row),
    *(lambda: int, lambda: list, lambda: str, lambda: ValueError, lambda: ValueError("x"), Row, Plain),
    *(lambda: lambda *_: 1, lambda: lambda a: a, lambda: lambda a, b: a, lambda: iter([1, 2]), lambda: iter([])),
    lambda: (each for each in (1, 2)),
    *(Long, Hint, Odd, Number, Fails, lambda: Subscripted, lambda: Place.FIRST, lambda: Place, lambda: Pair(1, 2)),
    *(lambda: deque([1, 2], 2), lambda: OrderedDict(a=1), lambda: Counter("aab"), lambda: defaultdict(list)),
    *(lambda: partial(max, 1), lambda: [].append, lambda: Fraction(1, 2), lambda: {1: 2}.keys(), lambda: KeyError("a")),
    *(lambda: StopIteration(3), lambda: zip([1], [2], strict=True), lambda: -0.0, lambda: {"a": [1]}, lambda: (Odd(),)),
    *(lambda: {"k": Fails()}, lambda: b"", object, lambda: 10**20, lambda: [Fails()], lambda: [None]),
)
NAMES = (
    *("key", "default", "start", "reverse", "strict", "initial", "fillvalue", "repeat", "step", "maxsize", "typed"),
    *("lo", "hi", "base", "maxlen", "a", "func", "stop", "iterable"),
)


def shown(value: Any, depth: int = 0) -> Any:
    """What is seen of a value: all of plain ones, else its type."""
    kind = type(value)
    if kind in (int, str, bytes, float, bool, type(None), complex):
        return value
    if kind in (list, tuple, dict) and depth < 3:
        parts = value.items() if kind is dict else value
        return [kind.__name__, *[shown(each, depth + 1) for each in parts]]
    return [kind.__name__, len(value)] if kind in (set, frozenset) else kind.__name__


def called(find: Callable[[], Any], makers: list[Any], named: dict[str, Any], iterated: bool) -> Callable[..., Any]:
    def program(_: Any, coins: Coins) -> Any:
        args = [make() for make in makers]
        keywords = {name: make() for name, make in named.items()}
        try:
            found = find()(*args, **keywords)
            if iterated:
                found = [each for _, each in zip(range(4), found, strict=False)]
        except Exception as error:
            return type(error).__name__, str(error)
        return shown(found), [shown(each) for each in args]

    return program


@pytest.mark.points(2)
@pytest.mark.parametrize("seed", range(100))
def test_random_calls_go_as_in_cpython(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(300):
        _, find = chance.choice(CALLS)
        makers = [chance.choice(GIVEN) for _ in range(chance.choice((0, 1, 1, 2, 2, 3, 4)))]
        named = {chance.choice(NAMES): chance.choice(GIVEN)} if chance.random() < 0.15 else {}
        agrees(called(find, makers, named, chance.random() < 0.3))


FORMS = """
a[b] | a[b:] | a[:b] | a[0] | a(b) | a(*b) | a(**b) | [*a] | {*a} | {**a} | {a: b} | {1: 2}.get(a) | [x for x in a]
a.x | a.real | a.__class__.__name__ | a.__len__() | a.__name__ | a.keys() | a.count(b) | a.pop() | a.append(b)
a.copy() | next(a, b) | len(a) | bool(a) | list(a) | tuple(a) | sorted(a) | sum(a) | max(a) | min(a, b) | f"{a}"
str(a) | repr(a) | "%s" % (a,) | "%s" % a | "{}".format(a) | isinstance(a, b) | isinstance(a, int) | hasattr(a, "x")
callable(a) | getattr(a, "zz", b) | int(a) | float(a) | round(a) | round(a, 1) | divmod(a, b) | range(a) | dict(a)
list(reversed(a)) | list(zip(a, b)) | list(map(a, b)) | any(a) | set(a) | type(a).__name__ | [a, b].index(b)
(a,) == (b,) | [a] < [b] | {"k": a} == {"k": b} | a if b else 1 | [1, 2, 3][a] | (1, 2)[a:b] | "abc".join(a)
[0] * a | {1: 5}[a] | f"{a:>5}" | -a | ~a | not a
"""
SIGNS = ("+", "-", "*", "/", "//", "%", "**", "&", "^", "<<", "@", "<", "<=", "==", "!=", "in", "and", "or", "is")
STATEMENTS = (
    *("c, d = a", "c, *d = a", "a[0] = b", "del a[b]", "a.x = b", "del a.x", "a[0:1] = b", "raise a", "raise a from b"),
    *(f"c = a\n    a {sign}= b" for sign in ("+", "-", "*", "&", "^", "<<")),
    *("for c in a: break", "with a as c: pass", "class c(a): pass", "match a:\n        case int(c) | str(c): pass"),
    *("match a:\n        case Pair(c, d): pass", "match a:\n        case [c, *d] | {'a': c, **d}: pass"),
)
EXPRESSIONS = (*FORMS.replace("\n", " | ").strip(" |").split(" | "), *(f"a {sign} b" for sign in SIGNS))


def formed(statement: str, first: Any, second: Any) -> Callable[..., Any]:
    """A program of one statement, which returns what is seen of its names, or the error."""

    def program(_: Any, coins: Coins) -> Any:
        found = {"a": first(), "b": second(), "c": 0, "d": 0}
        try:
            found |= run(found["a"], found["b"])
        except Exception as error:
            return type(error).__name__, str(error), shown(getattr(found["a"], "asked", 0))
        return [shown(each) for each in found.values()], shown(getattr(found["a"], "asked", 0))

    space: dict[str, Any] = {"Pair": Pair, "__name__": "formed", "__builtins__": builtins}
    text = f"def run(a, b):\n    c = d = 0\n    {statement}\n    return {{'a': a, 'b': b, 'c': c, 'd': d}}\n"
    FunctionType(compile(text, "<formed>", "exec", dont_inherit=True), space)()
    run = space["run"]
    return program


@pytest.mark.points(2)
@pytest.mark.parametrize("seed", range(100))
@pytest.mark.filterwarnings("ignore")
def test_random_statements_on_odd_values_go_as_in_cpython(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(200):
        statement = f"c = {chance.choice(EXPRESSIONS)}" if chance.random() < 0.7 else chance.choice(STATEMENTS)
        first, second = chance.choice(GIVEN), chance.choice(GIVEN)
        assert agrees(formed(statement, first, second)) in (True, False), (statement, first(), second())
