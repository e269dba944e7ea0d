"""Evidence for docs/reference/coins.md: every row of its two tables of operations is held true by one test."""

import bisect
import copy
import ctypes
import json
import math
import operator
import pickle
import struct
import sys
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from io import StringIO
from typing import Any

import numpy as np
import pytest

from dpcert.mechanisms.dist import Dist
from dpcert.reading.paths.enumerator import Enumeration, enumerate_law

Twin = Callable[..., Enumeration]
Refusal = Callable[..., str]
Rows = dict[str, str]

TELLS = "the program can tell lazy coins from real ones"

N = 10**30
T = 10**29
ONE = 1
HALF = 0.5
MANY = 1 << 53


def matches_zero(u: Any) -> bool:
    match u:
        case 0:
            return True
        case int():
            return False
    raise AssertionError


def name_it(u: Any) -> None:
    u.name = 1


def escape(u: Any) -> None:
    raise ValueError("value", u)


def starts(n: int) -> int:
    """How many u in [0, N) have u % 7 < n."""
    return n * (N // 7) + min(n, N % 7)


# Followed: a question about one draw below N, and how many of its values say yes.
INT_FOLLOWED: dict[str, tuple[Callable[[Any], Any], int]] = {
    "u < c": (lambda u: u < T, T),
    "u <= c": (lambda u: u <= T, T + 1),
    "u > c": (lambda u: u > T, N - T - 1),
    "u >= c": (lambda u: u >= T, N - T),
    "u == c": (lambda u: u == T, 1),
    "u != c": (lambda u: u != T, N - 1),
    "c < u": (lambda u: operator.lt(T, u), N - T - 1),
    "u == u": (lambda u: operator.eq(u, u), N),
    "u < x": (lambda u: (u < 1e29, u < math.inf, u == math.nan) == (True, True, False), int(1e29)),
    "u < q": (lambda u: u < Fraction(7, 2), 4),
    "bool(u)": (bool, N - 1),
    "u in [c, ...]": (lambda u: u in [3, 5, 10 * N], 2),
    "u in range(c)": (lambda u: u in range(3), 3),
    "min(u, c)": (lambda u: min(u, T) < T, T),
    "max(u, c)": (lambda u: max(u, T) > T, N - T - 1),
    "sorted([u, c])": (lambda u: sorted([u, T])[0] == T, N - T),
    "match u": (matches_zero, 1),
    "u + c": (lambda u: u + 5 < T, T - 5),
    "c + u": (lambda u: 5 + u < T, T - 5),
    "u - c": (lambda u: u - 5 < 0, 5),
    "c - u": (lambda u: T - u > 0, T),
    "u * c": (lambda u: u * 3 < T, T // 3 + 1),
    "c * u": (lambda u: -3 * u > -T, T // 3 + 1),
    "-u": (lambda u: -u > -T, T),
    "+u": (lambda u: +u < T, T),
    "~u": (lambda u: ~u > -T, T - 1),
    "abs(u)": (lambda u: abs(u - T) < 5, 9),
    "u // c": (lambda u: u // 7 < T, 7 * T),
    "u % c": (lambda u: u % 7 < 3, starts(3)),
    "divmod(u, c)": (lambda u: divmod(u, 7)[1] < 3 and divmod(u, 7)[0] >= 0, starts(3)),
    "u // c % m": (lambda u: u // 10 % 10 < 3, 3 * N // 10),
    "u % a, then u % b": (lambda u: u % 4 == 1 and u % 8 == 5 and u % 2 == 1, N // 8),
    "u >> c": (lambda u: u >> 5 < 1 << 60, 1 << 65),
    "u << c": (lambda u: u << 5 < T, T // 32),
    "u & (2**k - 1)": (lambda u: u & 7 < 3, 3 * N // 8),
    "(2**k - 1) & u": (lambda u: 7 & u < 3, 3 * N // 8),
    "(u >> k) & 1": (lambda u: (u >> 9) & 1 == 1, N // 2),
    "u.bit_length()": (lambda u: u.bit_length() <= 64, 1 << 64),
    "u / c": (lambda u: u / 1024 < 2.5, 2560),
    "u + x": (lambda u: u + 0.5 < 3.0, 3),
    "x + u": (lambda u: 0.5 + u < 3.0, 3),
    "u - x": (lambda u: u - 0.5 < 3.0, 4),
    "x - u": (lambda u: 0.5 - u > -3.0, 4),
    "u * x": (lambda u: u * 0.5 < 3.0, 6),
    "x * u": (lambda u: 0.5 * u < 3.0, 6),
    "sum([u, c])": (lambda u: sum([u, 5]) < T, T - 5),
    "isinstance(u, int)": (lambda u: isinstance(u, int), N),
    "u.__class__": (lambda u: u.__class__ is int, N),
    "copy.copy(u)": (lambda u: copy.copy(u) < T, T),
    "copy.deepcopy(u)": (lambda u: copy.deepcopy(u) < T, T),
}

# Decided: an operation on a draw below 6 (and another below 3), and the leaves where they are not 6.
INT_DECIDED: dict[str, Callable[[Any], Any] | tuple[Callable[[Any, Any], Any], int]] = {
    "q < u": lambda u: Fraction(7, 2) < u,
    "u == None": lambda u: (operator.eq(u, None), u == "a", u < Decimal(2)),
    "u < v": (lambda u, v: u < v, 3 + 2),
    "u in {c, ...}": lambda u: u in {3, 9},
    "u // -c": lambda u: u // -4,
    "u // 0": lambda u: u // 0,
    "u.__getnewargs__()": lambda u: (hasattr(u, "__getnewargs__"), u.__getnewargs__()),
    "u % -c": lambda u: u % -4,
    "u % 4, then u % 6": lambda u: (u % 4, u % 6),
    "(c * u) % m": lambda u: (2 * u) % 5,
    "c // u": lambda u: 7 // u,
    "c % u": lambda u: 7 % u,
    "divmod(c, u)": lambda u: divmod(7, u),
    "c >> u": lambda u: 99 >> u,
    "c << u": lambda u: 3 << u,
    "u & c": lambda u: u & 5,
    "u | c": lambda u: u | 5,
    "c | u": lambda u: 5 | u,
    "u ^ c": lambda u: u ^ 5,
    "c ^ u": lambda u: 5 ^ u,
    "u ** c": lambda u: u**2,
    "c ** u": lambda u: 2**u,
    "pow(u, c, m)": lambda u: pow(u, 2, 5),
    "c / u": lambda u: 1 / u,
    "u / x": lambda u: u / 2.5,
    "x / u": lambda u: 2.5 / u,
    "u // x": lambda u: u // 2.5,
    "u % x": lambda u: u % 2.5,
    "u + q": lambda u: (u + Fraction(1, 2), Fraction(1, 2) * u),
    "u + 1j": lambda u: u + 1j,
    "Decimal(c) + u": lambda u: Decimal(1) + u,
    "u + v": (lambda u, v: u + v, 18),
    "sum([u, v])": (lambda u, v: sum([u, v]), 18),
    "u.bit_count()": lambda u: u.bit_count(),
    "u.to_bytes(2, 'big')": lambda u: u.to_bytes(2, "big"),
    "u.from_bytes(b'a', 'big')": lambda u: u.from_bytes(b"a", "big"),
    "u.as_integer_ratio()": lambda u: u.as_integer_ratio(),
    "u.numerator": lambda u: u.numerator,
    "u.denominator": lambda u: u.denominator,
    "u.real": lambda u: u.real,
    "u.imag": lambda u: u.imag,
    "u.conjugate()": lambda u: u.conjugate(),
    "u.is_integer()": lambda u: u.is_integer() if sys.version_info >= (3, 12) else int(u),
    "round(u)": round,
    "round(u, -1)": lambda u: round(u, -1),
    "math.floor(u)": math.floor,
    "math.ceil(u)": math.ceil,
    "math.trunc(u)": math.trunc,
    "int(u)": int,
    "float(u)": float,
    "complex(u)": complex,
    "operator.index(u)": operator.index,
    "str(u)": str,
    "json.dumps(u)": json.dumps,
    "repr(u)": repr,
    "format(u)": lambda u: (format(u), f"{u:03d}"),
    "'%d' % u": lambda u: operator.mod("%d %s", (u, u)),
    "hex(u)": hex,
    "oct(u)": oct,
    "bin(u)": bin,
    "chr(u)": chr,
    "bytes(u)": bytes,
    "bytes([u])": lambda u: bytes([u]),
    "hash(u)": hash,
    "{u: c}": lambda u: ({u: 1}, {u}),
    "items[u]": lambda u: "abcdef"[u],
    "items[:u]": lambda u: "abcdef"[:u],
    "range(u)": lambda u: list(range(u)),
    "[c] * u": lambda u: [1] * u,
    "math.sqrt(u)": math.sqrt,
    "math.gcd(u, c)": lambda u: math.gcd(u, 4),
    "struct.pack('b', u)": lambda u: struct.pack("b", u),
    "Fraction(u, c)": lambda u: Fraction(u, 4),
    "np.int64(c) + u": lambda u: (np.int64(4) + u, u < np.int64(4), np.arange(3) * u),
    "np.arange(c)[u]": lambda u: np.arange(9)[u],
    "np.array([u])": lambda u: np.array([u]),
    "ctypes.c_int(u)": lambda u: ctypes.c_int(u).value,
    "returned": lambda u: [u, (u, {"a": u})],
    "raised": escape,
}

# Refused: an operation on a draw below 3, and what the reason names.
INT_REFUSED: dict[str, tuple[Callable[[Any], Any], str]] = {
    "u is c": (lambda u: u is ONE, "False when followed, True when run again"),
    "pow(c, u, m)": (lambda u: pow(2, u, 5), "** or pow(): 'int', 'undecided int', 'int'"),
    "Decimal(u)": (lambda u: str(Decimal(u)), "conversion from undecided int to Decimal"),
    "u @ c": (lambda u: u @ 1, "for @: 'undecided int' and 'int'"),
    "type(u) is int": (lambda u: type(u) is int, "type() of an undecided draw cannot be followed"),
    "pickle.dumps(u)": (pickle.dumps, "pickling an undecided draw cannot be followed"),
    "json.dump(u, file)": (lambda u: json.dump(u, StringIO()), "descriptor '__repr__' requires a 'int' object"),
    "timedelta(days=u)": (lambda u: timedelta(days=u).days, "timedelta days component: undecided int"),
    "int.__add__(u, c)": (lambda u: int.__add__(u, 1), "__add__ is called by name"),
    "sys.getsizeof(u)": (sys.getsizeof, TELLS),
    "u.__doc__": (lambda u: u.__doc__, TELLS),
    "u.name = c": (name_it, "'undecided int' object has no attribute 'name'"),
    "u[c]": (lambda u: u[1], "'undecided int' object is not subscriptable"),
}

# The same three for floats: questions about random(), of 2^53 values; operations on a draw below 6 over 8.
FLOAT_FOLLOWED: dict[str, tuple[Callable[[Any], Any], int]] = {
    "x < c": (lambda x: x < 0.25, MANY // 4),
    "np.array([x])": (lambda x: bool((np.array([x]) < 0.25).any()), MANY // 4),
    "x <= c": (lambda x: x <= 0.25, MANY // 4 + 1),
    "x > c": (lambda x: x > 0.25, 3 * MANY // 4 - 1),
    "x >= c": (lambda x: x >= 0.25, 3 * MANY // 4),
    "x == c": (lambda x: x == 0.25, 1),
    "x != c": (lambda x: x != 0.25, MANY - 1),
    "c < x": (lambda x: operator.lt(0.25, x), 3 * MANY // 4 - 1),
    "x < inf": (lambda x: x < math.inf and not x < math.nan and x != math.nan, MANY),
    "bool(x)": (bool, MANY - 1),
    "x is c": (lambda x: x is not HALF, MANY),
    "x in [c, ...]": (lambda x: x in (0.25, 0.5, 2.0), 2),
    "min(x, c)": (lambda x: min(x, 0.25) < 0.25, MANY // 4),
    "max(x, c)": (lambda x: max(x, 0.25) > 0.25, 3 * MANY // 4 - 1),
    "sorted([x, c])": (lambda x: sorted([x, 0.25])[0] == 0.25, 3 * MANY // 4),
    "bisect.bisect([c, ...], x)": (lambda x: bisect.bisect([0.25, 0.5], x) == 1, MANY // 4),
    "x + c": (lambda x: x + 0.5 < 0.75, MANY // 4),
    "c + x": (lambda x: 1 + x < 1.25, MANY // 4 - 1),  # 1 + x has 52 bits left: the last sum rounds to 1.25
    "x - c": (lambda x: x - 0.5 < 0.0, MANY // 2),
    "c - x": (lambda x: 1 - x < 0.5, MANY // 2 - 1),
    "x * c": (lambda x: x * 2 < 0.5, MANY // 4),
    "c * x": (lambda x: -2.0 * x > -0.5, MANY // 4),
    "x / c": (lambda x: x / 2 < 0.125, MANY // 4),
    "-x": (lambda x: -x > -0.25, MANY // 4),
    "+x": (lambda x: +x < 0.25, MANY // 4),
    "abs(x)": (lambda x: abs(x - 0.5) < 0.25, MANY // 2 - 1),
    "math.floor(x)": (lambda x: math.floor(x * 4) == 1, MANY // 4),
    "math.ceil(x)": (lambda x: math.ceil(x * 4) == 1, MANY // 4),
    "math.trunc(x)": (lambda x: math.trunc(x * 4) == 1, MANY // 4),
    "round(x)": (lambda x: round(x) == 0, MANY // 2 + 1),
    "round(x, k)": (lambda x: round(x, 1) < 0.15, math.ceil(Fraction(15, 100) * MANY)),
    "c / x": (lambda x: x > 0 and 1 / x > 4, MANY // 4 - 1),
    "x ** c": (lambda x: x**2 < 0.0625 and x >= 0, MANY // 4),
    "c ** x": (lambda x: 2 ** (x * 4) >= 2, 3 * MANY // 4),
    "math.sqrt(x)": (lambda x: x >= 0 and math.sqrt(x) < 0.5, MANY // 4),
    "math.log(x)": (lambda x: x > 0 and math.log(x) < math.log(0.25), MANY // 4 - 1),
    "math.copysign(c, x)": (lambda x: math.copysign(1.0, x - 0.25) < 0, MANY // 4),
    "math.isnan(x)": (lambda x: not math.isnan(x), MANY),
    "np.log(x)": (lambda x: bool(x > 0 and np.log(x) < np.log(0.25)), MANY // 4 - 1),
    "isinstance(x, float)": (lambda x: isinstance(x, float), MANY),
    "x.__class__": (lambda x: x.__class__ is float, MANY),
    "np.float64(c) + x": (lambda x: bool(np.float64(1) + x < np.float64(1.25)), MANY // 4 - 1),
    "copy.copy(x)": (lambda x: copy.copy(x) < 0.25 and copy.deepcopy(x) < 0.25, MANY // 4),
}
FLOAT_DECIDED: dict[str, Callable[[Any], Any] | tuple[Callable[[Any, Any], Any], int]] = {
    "x < q": lambda x: (x < Fraction(1, 3), x < Decimal(1), x < np.float32(0.25)),
    "x < y": (lambda x, y: x < y / 8, 3 + 2),
    "x < u": (lambda x, u: x * 4 < u, 3 + 2),
    "x / 0": lambda x: x / 0,
    "x + inf": lambda x: (x + math.inf, x * 1e308 * 100, x * math.nan),
    "x + y": (lambda x, y: x + y / 8, 18),
    "x + u": (lambda x, u: x - u, 18),
    "x // c": lambda x: x // 0.25,
    "c // x": lambda x: 1 // x,
    "x % c": lambda x: x % 0.25,
    "c % x": lambda x: 1 % x,
    "divmod(x, c)": lambda x: divmod(x, 0.25),
    "divmod(c, x)": lambda x: divmod(1.0, x),
    "round(x, -k)": lambda x: round(x, -1),
    "int(x)": (lambda x, _: int(x * 4), 3),
    "float(x)": float,
    "complex(x)": complex,
    "str(x)": str,
    "json.dumps(x)": json.dumps,
    "repr(x)": repr,
    "format(x)": lambda x: (format(x), f"{x:.2f}"),
    "'%.2f' % x": lambda x: operator.mod("%.2f", x),
    "hash(x)": hash,
    "{x: c}": lambda x: ({x: 1}, {x}),
    "struct.pack('d', x)": lambda x: struct.pack("d", x),
    "Fraction(x)": Fraction,
    "x.is_integer()": lambda x: x.is_integer(),
    "x.hex()": lambda x: x.hex(),
    "x.__getnewargs__()": lambda x: (hasattr(x, "__getnewargs__"), x.__getnewargs__()),
    "x.__getformat__('double')": lambda x: x.__getformat__("double"),
    "x.fromhex('0x1p0')": lambda x: x.fromhex("0x1p0"),
    "x.as_integer_ratio()": lambda x: x.as_integer_ratio(),
    "x.conjugate()": lambda x: x.conjugate(),
    "x.real": lambda x: x.real,
    "x.imag": lambda x: x.imag,
    "np.float32(c) + x": lambda x: (np.float32(1) + x, np.array([1.0]) * x),
    "math.sin(x)": math.sin,
    "returned": lambda x: [x, (x, {"a": x})],
    "x & c": lambda x: x & 1,
}
FLOAT_REFUSED: dict[str, tuple[Callable[[Any], Any], str]] = {
    "Decimal(x)": (lambda x: str(Decimal(x)), "conversion from undecided float to Decimal"),
    "type(x) is float": (lambda x: type(x) is float, "type() of an undecided draw cannot be followed"),
    "pickle.dumps(x)": (pickle.dumps, "pickling an undecided draw cannot be followed"),
    "json.dump(x, file)": (lambda x: json.dump(x, StringIO()), "descriptor '__repr__' requires a 'float' object"),
    "float.__add__(x, c)": (lambda x: float.__add__(x, 1.0), "__add__ is called by name"),
    "items[x]": (lambda x: "abc"[x], "undecided float"),
    "sys.getsizeof(x)": (sys.getsizeof, TELLS),
    "x.__doc__": (lambda x: x.__doc__, TELLS),
    "~x": (lambda x: ~x, "bad operand type for unary ~: 'undecided float'"),
    "x.name = c": (name_it, "'undecided float' object has no attribute 'name'"),
}


def merged(*registries: dict[str, Any]) -> Rows:
    categories = ("followed", "decided", "refused")
    return {name: c for c, registry in zip(categories, registries, strict=True) for name in registry}


def test_the_tables_and_their_tests_have_the_same_rows(table: Callable[[str], Rows]) -> None:
    assert table("Integers") == merged(INT_FOLLOWED, INT_DECIDED, INT_REFUSED)
    assert table("Floats") == merged(FLOAT_FOLLOWED, FLOAT_DECIDED, FLOAT_REFUSED)


@pytest.mark.points(15)
@pytest.mark.parametrize("row", INT_FOLLOWED)
def test_followed_int(twin: Twin, row: str) -> None:
    ask, count = INT_FOLLOWED[row]
    found = enumerate_law(lambda _, coins: ask(coins.below(N)), None)
    assert found.law == Dist.from_weights([(True, count), (False, N - count)], N)
    assert found.leaves <= 7
    twin(lambda _, coins: (ask(coins.below(9)), ask(coins.below(4) + T - 2)))


BY_STATES = {"np.int64(c) + u": 3, "np.array([u])": 1, "np.float32(c) + x": 1}
"""How many states there are, where paths give a draw up that is handed to numpy."""


@pytest.mark.points(15)
@pytest.mark.parametrize("row", INT_DECIDED)
def test_decided_int(twin: Twin, row: str) -> None:
    decided = INT_DECIDED[row]
    apply, leaves = decided if isinstance(decided, tuple) else (lambda u, _: decided(u), BY_STATES.get(row, 6))
    bound = 3 if isinstance(decided, tuple) else 1
    assert twin(lambda _, coins: apply(coins.below(6), coins.below(bound))).leaves == leaves
    if bound == 1:
        assert enumerate_law(lambda _, coins: apply(coins.below(N), 0), None).law.tail == 1


@pytest.mark.parametrize("row", INT_REFUSED)
@pytest.mark.parametrize("bound", [3, N])
def test_refused_int(refusal: Refusal, row: str, bound: int) -> None:
    apply, text = INT_REFUSED[row]
    refusal(lambda _, coins: apply(coins.below(bound) // (bound // 3)), text)


@pytest.mark.points(15)
@pytest.mark.parametrize("row", FLOAT_FOLLOWED)
def test_followed_float(twin: Twin, row: str) -> None:
    ask, count = FLOAT_FOLLOWED[row]
    found = enumerate_law(lambda _, coins: ask(coins.random()), None)
    assert found.law == Dist.from_weights([(True, count), (False, MANY - count)], MANY)
    assert found.leaves <= 7
    twin(lambda _, coins: (ask(coins.below(9) / 8), ask((coins.below(5) - 2) / 8)))


@pytest.mark.points(15)
@pytest.mark.parametrize("row", FLOAT_DECIDED)
def test_decided_float(twin: Twin, row: str) -> None:
    decided = FLOAT_DECIDED[row]
    apply, leaves = decided if isinstance(decided, tuple) else (lambda x, _: decided(x), BY_STATES.get(row, 6))
    bound = 3 if isinstance(decided, tuple) else 1
    assert twin(lambda _, coins: apply(coins.below(6) / 8, coins.below(bound))).leaves == leaves
    if bound == 1:
        assert enumerate_law(lambda _, coins: apply(coins.random(), 0), None).law.tail == 1


@pytest.mark.parametrize("row", FLOAT_REFUSED)
def test_refused_float(refusal: Refusal, row: str) -> None:
    apply, text = FLOAT_REFUSED[row]
    refusal(lambda _, coins: apply(coins.below(3) / 8), text)
