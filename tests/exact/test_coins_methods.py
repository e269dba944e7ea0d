"""Evidence for docs/reference/coins.md: its table of methods, the completeness of its tables, and its examples."""

import copy
import doctest
import pickle
import sys
from collections.abc import Callable
from fractions import Fraction
from math import ceil, log
from pathlib import Path
from typing import Any

import pytest

from dpcert import Coins, Dist, Done, summarize
from dpcert.mechanisms.exact.outcome import Raised
from dpcert.reading.paths.enumerator import Enumeration, Limits, enumerate_law

Twin = Callable[..., Enumeration]
Refusal = Callable[..., str]
Rows = dict[str, str]

N = 10**30
MANY = 1 << 53
QUARTER = Dist.bernoulli("1/4")
NO_STATE = Dist.point(Raised("NotImplementedError", ("System entropy source does not have state.",)))


def is_parity(coins: Coins) -> bool:
    return sum(int(coins.below(2)) for _ in range(8)) % 2 == 1


def shuffled(coins: Coins) -> list[int]:
    items = [1, 2, 3]
    coins.shuffle(items)
    return items


# Followed: a program whose law is known, on draws with too many values or paths to enumerate.
FOLLOWED: dict[str, tuple[Callable[[Coins], Any], Dist]] = {
    "below(d)": (lambda coins: coins.below(N) < N // 4, QUARTER),
    "bernoulli(p)": (lambda coins: coins.bernoulli(Fraction(N // 4, N)), QUARTER),
    "random()": (lambda coins: coins.random() < 0.25, QUARTER),
    "getrandbits(k)": (lambda coins: coins.getrandbits(4000) < 1 << 3998, QUARTER),
    "randrange(start, stop, step)": (lambda coins: coins.randrange(5, 5 + 3 * N, 3) < 5 + 3 * N // 4, QUARTER),
    "randint(a, b)": (lambda coins: coins.randint(1, N) <= N // 4, QUARTER),
    "uniform(a, b)": (lambda coins: coins.uniform(-1.0, 1.0) < -0.5, QUARTER),
    "triangular(a, b)": (lambda coins: coins.triangular(0, 1) < 0.125**0.5, QUARTER),
    "expovariate(c)": (lambda coins: coins.expovariate(1.0) < -log(0.75), QUARTER),
    "paretovariate(a)": (lambda coins: coins.paretovariate(1) >= 4.0, QUARTER),
    "weibullvariate(a, b)": (lambda coins: coins.weibullvariate(1, 1) < -log(0.75), QUARTER),
    "fold(items, state, step)": (
        lambda coins: coins.fold(range(40), 0, lambda s, i, c: (s + c.below(4)) % 4) == 0,
        QUARTER,
    ),
    "loop(state, step)": (
        lambda coins: coins.loop(0, lambda s, c: Done(u == 0) if (u := c.below(5)) < 4 else 0),
        QUARTER,
    ),
    "summarize(f)(coins)": (lambda coins: summarize(is_parity)(coins) and summarize(is_parity)(coins), QUARTER),
    "seed(n)": (lambda coins: (coins.seed(5), coins.below(4) == 0)[1], QUARTER),
    "getstate()": (lambda coins: coins.getstate(), NO_STATE),
    "setstate(state)": (lambda coins: coins.setstate(()), NO_STATE),
}

# Decided: a program, and its leaves; None where all of its mass stays in the tail.
DECIDED: dict[str, tuple[Callable[[Coins], Any], int | None]] = {
    "randbytes(n)": (lambda coins: coins.randbytes(1), 256),
    "choice(items)": (lambda coins: coins.choice("abcde"), 5),
    "choices(items, weights)": (lambda coins: coins.choices("abc", weights=[1, 2, 1]), 3),
    "sample(items, k)": (lambda coins: coins.sample(range(5), 2), 20),
    "shuffle(items)": (shuffled, 6),
    "betavariate(a, b)": (lambda coins: coins.betavariate(1, 1), None),
    "binomialvariate(n, p)": (lambda coins: coins.binomialvariate(40, 0.5), None),
    "gammavariate(a, b)": (lambda coins: coins.gammavariate(0.5, 1), None),
    "gauss(m, s)": (lambda coins: coins.gauss(0, 1), None),
    "lognormvariate(m, s)": (lambda coins: coins.lognormvariate(0, 1), None),
    "normalvariate(m, s)": (lambda coins: coins.normalvariate(0, 1), None),
    "vonmisesvariate(m, k)": (lambda coins: coins.vonmisesvariate(0, 1), None),
}

REFUSED: dict[str, tuple[Callable[[Coins], Any], str]] = {
    "coins.name = value": (lambda coins: setattr(coins, "name", 1), "storing 'name' on the coins is hidden state"),
    "copy.copy(coins)": (copy.copy, "coins cannot be copied or pickled"),
    "copy.deepcopy(coins)": (copy.deepcopy, "coins cannot be copied or pickled"),
    "pickle.dumps(coins)": (pickle.dumps, "coins cannot be copied or pickled"),
}


def test_the_table_of_methods_and_its_tests_have_the_same_rows(table: Callable[[str], Rows]) -> None:
    expected = dict.fromkeys(FOLLOWED, "followed")
    expected |= dict.fromkeys(DECIDED, "decided")
    expected |= dict.fromkeys(REFUSED, "refused")
    assert table("The methods of coins") == expected


@pytest.mark.points(8)
@pytest.mark.parametrize("row", FOLLOWED)
def test_followed_method(row: str) -> None:
    program, law = FOLLOWED[row]
    found = enumerate_law(lambda _, coins: program(coins), None)
    assert found.law == law
    assert found.leaves <= 4


@pytest.mark.points(2)
@pytest.mark.parametrize("row", DECIDED)
def test_decided_method(twin: Twin, row: str) -> None:
    program, leaves = DECIDED[row]
    if row.startswith("binomialvariate") and sys.version_info < (3, 12):
        assert not hasattr(Coins, "binomialvariate")
    elif leaves is None:
        found = enumerate_law(lambda _, coins: program(coins), None, limits=Limits(max_runs=100))
        assert found.law.tail > 1 - Fraction(1, MANY // 2)
        assert "undecided bits was needed as a plain float" in found.notes[0]
    elif row.startswith("choices"):
        found = enumerate_law(lambda _, coins: program(coins), None)
        assert found.law == Dist.of([(["a"], "1/4"), (["b"], "1/2"), (["c"], "1/4")])
        assert found.leaves == leaves
    else:
        assert twin(lambda _, coins: program(coins)).leaves == leaves


@pytest.mark.parametrize("row", REFUSED)
@pytest.mark.parametrize("swallow", [False, True])
def test_refused_method(refusal: Refusal, row: str, swallow: bool) -> None:
    program, text = REFUSED[row]

    def swallowing(_: None, coins: Coins) -> int:
        try:
            program(coins)
        except BaseException:
            if not swallow:
                raise
        return coins.below(2)

    refusal(swallowing, text)


# Every name that an int or a float has, and the row on which the page says what it does.
ROW_OF = dict(
    line.split(": ", 1)
    for line in """\
__abs__: abs(?)
__add__: ? + c
__and__: ? & c
__bool__: bool(?)
__ceil__: math.ceil(?)
__class__: ?.__class__
__delattr__: ?.name = c
__divmod__: divmod(?, c)
__doc__: ?.__doc__
__eq__: ? == c
__float__: float(?)
__floor__: math.floor(?)
__floordiv__: ? // c
__format__: format(?)
__ge__: ? >= c
__getformat__: ?.__getformat__('double')
__getnewargs__: ?.__getnewargs__()
__gt__: ? > c
__hash__: hash(?)
__index__: operator.index(?)
__int__: int(?)
__invert__: ~?
__le__: ? <= c
__lshift__: ? << c
__lt__: ? < c
__mod__: ? % c
__mul__: ? * c
__ne__: ? != c
__neg__: -?
__or__: ? | c
__pos__: +?
__pow__: ? ** c
__radd__: c + ?
__rand__: (2**k - 1) & ?
__rdivmod__: divmod(c, ?)
__reduce__: pickle.dumps(?)
__reduce_ex__: pickle.dumps(?)
__repr__: repr(?)
__rfloordiv__: c // ?
__rlshift__: c << ?
__rmod__: c % ?
__rmul__: c * ?
__ror__: c | ?
__round__: round(?)
__rpow__: c ** ?
__rrshift__: c >> ?
__rshift__: ? >> c
__rsub__: c - ?
__rtruediv__: c / ?
__rxor__: c ^ ?
__setattr__: ?.name = c
__sizeof__: sys.getsizeof(?)
__str__: str(?)
__sub__: ? - c
__truediv__: ? / c
__trunc__: math.trunc(?)
__xor__: ? ^ c
as_integer_ratio: ?.as_integer_ratio()
bit_count: ?.bit_count()
bit_length: ?.bit_length()
conjugate: ?.conjugate()
denominator: ?.denominator
from_bytes: ?.from_bytes(b'a', 'big')
fromhex: ?.fromhex('0x1p0')
hex: ?.hex()
imag: ?.imag
is_integer: ?.is_integer()
numerator: ?.numerator
real: ?.real
to_bytes: ?.to_bytes(2, 'big')
""".splitlines()
)
SILENT = {"__dir__", "__getattribute__", "__getstate__", "__init__", "__init_subclass__", "__new__", "__subclasshook__"}


@pytest.mark.parametrize(("kind", "letter", "heading"), [(int, "u", "Integers"), (float, "x", "Floats")])
def test_everything_a_number_can_do_has_a_row(
    table: Callable[[str], Rows], kind: type, letter: str, heading: str
) -> None:
    needed = {ROW_OF[name].replace("?", letter) for name in set(dir(kind)) - SILENT}
    assert needed <= table(heading).keys()


def test_every_method_of_coins_has_a_row(table: Callable[[str], Rows]) -> None:
    methods = {name for name in dir(Coins) if not name.startswith("_") and callable(getattr(Coins, name))}
    assert methods <= {row.partition("(")[0] for row in table("The methods of coins")}


@pytest.mark.nightly
def test_the_examples_of_the_page_run(page: Path) -> None:
    assert doctest.testfile(str(page), module_relative=False).failed == 0


def test_choices_counts_floats() -> None:
    found = enumerate_law(lambda _, coins: coins.choices("ab", weights=[1, 2])[0], None)
    count = next(k for k in range(MANY // 3 - 9, MANY // 3 + 9) if k / MANY * 3.0 >= 1)
    assert found.law == Dist.from_weights([("a", count), ("b", MANY - count)], MANY)
    assert ceil(Fraction(MANY, 3)) - 1 <= count <= ceil(Fraction(MANY, 3))
