"""Evidence that each row of the table does what CPython does: generated calls, run by both."""

from __future__ import annotations

import copy
import functools
import heapq
import itertools
import operator
import random
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from oracle import unlike

from dpcert.mechanisms.exact.coins import Coins, Plain
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import call
from dpcert.mechanisms.exact.outcome import fresh, key
from dpcert.reading.containers import METHODS as RULES_OF_METHODS
from dpcert.reading.explore import read_law
from dpcert.reading.numpy import kinds
from dpcert.reading.numpy.kinds import AS_ARRAYS, SCALARS
from dpcert.reading.values import Deque, Dict, List, Set
from dpcert.reading.whitelist import KEPT, NATIVE, NATIVE_METHODS

POOL: dict[type, list[Any]] = {
    str: ["", "a", "ab c", "12", "A b", "aXbX", " x "],
    bytes: [b"", b"ab", b"12"],
    int: [0, 1, -3, 7, 255, 10**20],
    bool: [True, False],
    float: [0.0, -0.0, 0.5, -2.75, 1e300],
    complex: [1j, 2 - 1j],
    Fraction: [Fraction(1, 3), Fraction(-5, 2)],
    Decimal: [Decimal("1.50"), Decimal(-3)],
    range: [range(5), range(3, 0, -1)],
    list: [[], [1, 2], ["b", "a"]],
    tuple: [(), (1, 2), ("a",)],
    type(None): [None],
    np.str_: [np.str_(text) for text in ("", "ab", "12")],
    np.bytes_: [np.bytes_(text) for text in (b"", b"ab", b"12")],
    **{kind: [kind(0), kind(1), kind(2.75)] for kind in sorted(kinds.NUMBERS, key=lambda kind: kind.__name__)},
}
ANY = [each for row in POOL.values() for each in row]
METHODS = [
    (kind, name)
    for kind, names in NATIVE_METHODS.items()
    for name in sorted(names - (AS_ARRAYS if kind in SCALARS else frozenset()))  # these are tried by fuzzing
    if hasattr(kind, name)
]
ITERATORS: list[tuple[str, Callable[..., Any], tuple[Any, ...]]] = [
    ("zip", zip, ([1, 2, 3], "ab")),
    ("map", map, (abs, [-1, 2])),
    ("filter", filter, (None, [0, 1, "", "a"])),
    ("enumerate", enumerate, ("ab", 3)),
    ("reversed", reversed, ([1, 2, 3],)),
    ("chain", itertools.chain, ([1], "ab", (2,))),
    ("islice", itertools.islice, (range(9), 1, 8, 3)),
    ("islice_end", itertools.islice, (range(9), 4)),
    ("takewhile", itertools.takewhile, (abs, [1, 2, 0, 3])),
    ("dropwhile", itertools.dropwhile, (abs, [1, 2, 0, 3])),
    ("filterfalse", itertools.filterfalse, (None, [0, 1, 2, 0])),
    ("starmap", itertools.starmap, (pow, [(2, 3), (3, 2)])),
    ("pairwise", itertools.pairwise, ([1, 2, 3, 4],)),
    ("accumulate", itertools.accumulate, ([1, 2, 3],)),
    ("accumulate_with", itertools.accumulate, ([1, 2, 3], operator.mul)),
    ("compress", itertools.compress, ("abc", [1, 0, 1])),
    ("zip_longest", itertools.zip_longest, ([1, 2, 3], "a")),
    ("product", itertools.product, ([1, 2], "ab")),
    ("combinations", itertools.combinations, ([1, 2, 3, 4], 2)),
    ("permutations", itertools.permutations, ([1, 2, 3], 2)),
    ("repeat", itertools.repeat, (7, 3)),
]


def agrees(program: Callable[[Any, Coins], Any]) -> bool:
    """Whether the machine and CPython end alike; False where the machine refuses by name."""
    try:
        law = read_law(program, None).law
    except Unauditable as refusal:
        law, reason = None, str(refusal)
    if law is None:
        assert "internal" not in reason
        return False
    with np.errstate(all="ignore"):
        outcome, _ = call(lambda coins: fresh(program(None, coins)), Coins(Plain(lambda bound: 0)))
    assert unlike(law, {key(outcome): Fraction(1)}, Fraction(0)) is None
    return True


@pytest.mark.points(60)
@pytest.mark.parametrize(("kind", "name"), METHODS, ids=lambda each: getattr(each, "__name__", each))
def test_methods_of_scalars(kind: type, name: str) -> None:
    chance = random.Random(f"{kind.__name__}.{name}")
    followed = 0
    for _ in range(12):
        owner, args = (
            chance.choice(POOL[kind]),
            tuple(chance.choice(ANY) for _ in range(chance.choice((0, 0, 1, 1, 2)))),
        )
        followed += agrees(lambda n, coins, owner=owner, args=args: getattr(owner, name)(*args))
    assert followed > 0


@pytest.mark.points(40)
@pytest.mark.parametrize("function", NATIVE, ids=lambda each: each.__name__)
def test_functions_of_the_host(function: Callable[..., Any]) -> None:
    chance = random.Random(function.__name__)
    followed = 0
    for _ in range(20):
        args = tuple(chance.choice(ANY) for _ in range(chance.choice((1, 1, 2, 3))))
        followed += agrees(lambda n, coins, args=args: function(*args))
    assert followed > 0


OPERATORS = "add sub mul truediv floordiv mod pow lt eq ne ge and_ or_ xor lshift rshift"


@pytest.mark.points(16)
@pytest.mark.parametrize(("name", "part"), [(name, part) for name in OPERATORS.split() for part in range(3)])
def test_operators_on_all_pairs_of_types(name: str, part: int) -> None:
    function = getattr(operator, name)
    small = [7 if kind is int else row[-1] for kind, row in POOL.items()]
    pairs = list(itertools.product([*small, 1, {1: 2}, {1}, frozenset({2})], repeat=2))
    random.Random(name).shuffle(pairs)
    for a, b in pairs[part::3]:
        agrees(lambda n, coins, a=a, b=b: function(a, b))


@pytest.mark.parametrize(("name", "function", "args"), ITERATORS, ids=[each[0] for each in ITERATORS])
def test_iterators_that_the_prelude_has(name: str, function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    assert agrees(lambda n, coins: list(function(*args)))
    assert agrees(lambda n, coins: type(function(*args)).__name__)


def lists(n: Any, coins: Coins) -> Any:
    row: list[Any] = [3, 1, 2]
    row.insert(1, 9)
    row.extend(x for x in (5, 5))
    row.remove(5)
    row.reverse()
    out = [row.pop(), row.pop(0), row.index(9), row.count(5), row[1:3], row[::-1], row * 2, row + row, 9 in row]
    row[1:2] = (7, 8)
    del row[0]
    row.sort(key=lambda x: -x, reverse=True)
    row.sort()
    return row, out, sorted("bca", reverse=True), [*row, *"ab"], max(row), min(row, default=0), sum(row, 1)


def dicts(n: Any, coins: Coins) -> Any:
    d: dict[Any, Any] = {1: "a", "b": 2, (1, 2): None}
    d.update({1.0: "c"}, k=5)
    out = [d.pop("b"), d.get("zz", 7), d.setdefault("q", []), d.popitem(), True in d, list(d), list(d.values())]
    d |= {"r": 1}
    return list(d.items()), out, {**d, "s": 2}, dict.fromkeys("ab", 0), {k: 2 * v for k, v in out[3:4]}, len(d)


def sets(n: Any, coins: Coins) -> Any:
    s, t = {1, 2, 3}, frozenset({2, 5})
    s.add(4)
    s.discard(9)
    return sorted(s | t), s & t, s - t, s ^ t, 2 in s, len(s), s <= {1, 2, 3, 4}, sum(s), max(s), t.union([7]), s > t


def others(n: Any, coins: Coins) -> Any:
    c, q = Counter("abca"), deque([1, 2, 3], 3)
    q.append(4)
    q.rotate(1)
    c["z"] += 2
    c.update(["a"])
    return c.most_common(2), sorted(c.elements()), list(q), q.popleft(), c["none"], c.total(), dict(c + Counter("a"))


@pytest.mark.parametrize("program", [lists, dicts, sets, others])
def test_containers(program: Callable[[Any, Coins], Any]) -> None:
    assert agrees(program)


LIKE: dict[type, list[Callable[[], Any]]] = {
    List: [lambda: [1, 2]],
    Dict: [lambda: {1: 2}, lambda: OrderedDict(a=1), lambda: Counter("a"), lambda: defaultdict(int)],
    Set: [lambda: {1}, lambda: frozenset({1})],
    Deque: [lambda: deque([1])],
    tuple: [lambda: (1, 2)],
}
GIVEN: list[Any] = [5, "a", {1}, [1], {1: 2}, True, None, (1, 2)]


def home(host: Any) -> str:
    """The package of a function or class."""
    return str(getattr(host, "__module__", None) or type(host).__module__).split(".")[0]


CALLS: list[tuple[str, Callable[[], Any]]] = [
    *((host.__qualname__, lambda host=host: host) for host in KEPT if home(host) not in ("dpcert", "numpy")),
    *(
        (f"{make()!r}.{name}", lambda make=make, name=name: getattr(make(), name))
        for kind, makes in LIKE.items()
        for make in makes
        for name in sorted(RULES_OF_METHODS[kind])
    ),
]


@pytest.mark.points(60)
@pytest.mark.parametrize("place", range(len(CALLS)), ids=lambda place: CALLS[place][0])
def test_refused_arguments_that_cpython_does_not_take(place: int) -> None:
    found = CALLS[place][1]

    def program(_: Any, coins: Coins) -> str:
        try:
            found()(*args)
        except Exception as error:
            return type(error).__name__
        return "taken"

    for given, count in itertools.product(GIVEN, range(6)):
        args = (given,) * count
        agrees(program)


def generators_within(n: int, coins: Coins) -> Any:
    def inner() -> Iterator[int]:
        yield 1
        yield 2

    def outer() -> Iterator[int]:
        yield from inner()

    kept = outer()
    first = next(kept)
    kept.close()
    return first, next(kept, None)


def set_that_grows(n: int, coins: Coins) -> Any:
    kept = {1}
    each = iter(kept)
    kept.add(2)
    return next(each)


def raised_by_generators(n: int, coins: Coins) -> Any:
    def raising(error: Exception) -> Iterator[int]:
        yield 1
        raise error

    found = []
    for error in (ValueError(1), StopIteration(2)):
        try:
            list(raising(error))
        except (ValueError, RuntimeError) as caught:
            found.append((type(caught).__name__, caught.__cause__ is error))
    return found


def contexts_in_a_circle(n: int, coins: Coins) -> Any:
    try:
        try:
            raise KeyError
        except KeyError as first:
            try:
                raise IndexError
            except IndexError:
                raise first from None
    except KeyError as error:
        inner = error.__context__
        return type(inner).__name__, inner is not None and inner.__context__


def sorted_in_place(n: int, coins: Coins) -> Any:
    kept = [1, -2, 3, -1]
    kept.sort(key=abs, reverse=True)
    return kept


def refers_to_itself(n: int, coins: Coins) -> Any:
    kept = refers_to_itself
    if coins.below(2):
        pass
    return kept is refers_to_itself


def moved_to_the_end(n: int, coins: Coins) -> Any:
    kept = OrderedDict(a=1, b=2)
    kept.move_to_end("a")
    return list(kept)


class Number:
    def __init__(self, value: int) -> None:
        self.value = value

    def __lt__(self, other: Number) -> bool:
        return self.value < other.value

    def __radd__(self, other: object) -> int:
        return self.value

    def __getitem__(self, place: int) -> int:
        return [self.value][place]


def matched(n: int, coins: Coins) -> Any:
    match {1: 2}:
        case {1: found}:
            return found


MINIMUM, EVERY_OTHER, APPENDED = functools.partial(min, 1), slice(0, 5, 2), [1].append
FOLLOWED: list[Callable[[Any, Coins], Any]] = [
    *(generators_within, raised_by_generators, contexts_in_a_circle, set_that_grows, sorted_in_place),
    *(refers_to_itself, moved_to_the_end, matched),
    lambda n, coins: ([Number(1)] < [Number(2)], [Number(2)] < [Number(1)], object() + Number(3), list(Number(4))),
    lambda n, coins: (2 in iter([1, 2]), 5 in iter([1, 2]), all(iter([1, 1])), all(iter([1, 0]))),
    lambda n, coins: (operator.attrgetter("value")(Number(5)), list(itertools.accumulate([1, 2], initial=5))),
    lambda n, coins: [int(each) for each in np.array([1, 2])],
    lambda n, coins: f"{Fraction(1, 2)!s} {Fraction(1, 2)!r} {'a'!r}",
    lambda n, coins: (MINIMUM(3), MINIMUM(0), [1, 2, 3][EVERY_OTHER], APPENDED(2)),
    lambda n, coins: copy.deepcopy(([1], {2: 3}, (4, [5]))),
    lambda n, coins: (sorted({"b", "a"}), max({1, 2.5}), min({True, Fraction(1, 2)})),
    lambda n, coins: ({1}.pop(), list({1}), tuple({"a"})),
    lambda n, coins: (sorted([], key=abs), sorted([-1, 0], key=abs)),
]


@pytest.mark.parametrize("program", FOLLOWED)
def test_programs_that_are_followed_end_as_cpython_says(program: Callable[[Any, Coins], Any]) -> None:
    assert agrees(program)


def set_that_changes(n: int, coins: Coins) -> Any:
    kept = {1}
    each = iter(kept)
    first = next(each)
    kept.discard(1)
    kept.add(2)
    return first, next(each, None)


def cause_that_is_no_error(n: int, coins: Coins) -> Any:
    error: Any = ValueError()
    error.__cause__ = 1
    return error.__cause__


class Closed:
    """An iterator that knows whether it was closed."""

    closed = False

    def __iter__(self) -> Closed:
        return self

    def __next__(self) -> int:
        return 1

    def close(self) -> None:
        self.closed = True


def iterator_that_is_closed(n: int, coins: Coins) -> Any:
    kept = Closed()

    def outer() -> Iterator[int]:
        yield from kept

    generator = outer()
    next(generator)
    generator.close()
    return kept.closed


@pytest.mark.parametrize(
    "program",
    [
        *(set_that_changes, cause_that_is_no_error, iterator_that_is_closed),
        lambda n, coins: {0.0} & {-0.0},
        lambda n, coins: next(itertools.count(0.5)),
        lambda n, coins: heapq.heappushpop((1,), 0),
        lambda n, coins: {1} | {True},
    ],
)
def test_refused_programs_whose_end_is_a_secret_of_cpython(program: Callable[[Any, Coins], Any]) -> None:
    assert not agrees(program)
