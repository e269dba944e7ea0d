"""Evidence for what follows float code: on draws of few values the law is `==` to that of every value in turn."""

import hashlib
import math
import re
import struct
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpcert.mechanisms.exact.coins import Coins
from dpcert.reading.domains.near import CALLS, REAL_NAMES
from dpcert.reading.floats import functions as near
from dpcert.reading.floats.accuracy import stepped
from dpcert.reading.paths.enumerator import Followed, enumerate_law
from dpcert.reading.whitelist import rule

Twin = Callable[..., Followed]

ONES: dict[str, Callable[[Any], Any]] = {
    "log": math.log,
    "log of base 3": lambda x: math.log(x, 3),
    "log2": math.log2,
    "log10": math.log10,
    "log1p": math.log1p,
    "exp": math.exp,
    "expm1": math.expm1,
    "sinh": math.sinh,
    "tanh": math.tanh,
    "asinh": math.asinh,
    "atan": math.atan,
    "erf": math.erf,
    "erfc": math.erfc,
    "sqrt": math.sqrt,
    "fabs": math.fabs,
    "sign": lambda x: math.copysign(0.7, x),
    "copysign": lambda x: math.copysign(x, -1.0),
    "square": lambda x: x**2,
    "cube": lambda x: x**3,
    "root": lambda x: x**0.5,
    "pow": lambda x: math.pow(x, -1.5),
    "base": lambda x: 0.3**x,
    "reciprocal": lambda x: 2.5 / x,
    "half": lambda x: x * 0.5,
    "shift": lambda x: x - 0.37,
    "minus": lambda x: 1.0 - x,
    "neg": lambda x: -x,
}
LAST: dict[str, Callable[[Any], Any]] = {
    "value": lambda x: x,
    "floor": math.floor,
    "ceil": math.ceil,
    "round": round,
    "int": int,
    "grid": lambda x: 0.25 * math.floor(x * 4 + 0.5),
    "finite": lambda x: (math.isfinite(x), math.isnan(x), math.isinf(x)),
    "sign": lambda x: math.copysign(1.0, x),
}


@pytest.mark.nightly
@given(
    st.sampled_from([1, 2, 40, 300]),
    st.integers(-3, 5),
    st.sampled_from([1.0, 8.0, 300.0, 2.0**52]),
    st.lists(st.sampled_from(sorted(ONES)), min_size=1, max_size=4),
    st.sampled_from([0.0, -0.5, 0.25, 1.0, -2.0, 3.7]),
    st.sampled_from(sorted(LAST)),
)
@example(300, 1, 300.0, ["log", "neg", "log"], 0.0, "floor")
@example(300, 0, 300.0, ["minus", "log", "neg", "sqrt"], 0.25, "grid")
@example(40, -3, 8.0, ["reciprocal", "copysign"], -2.0, "value")
@example(40, -3, 8.0, ["square", "shift", "sqrt"], 1.0, "round")
@example(40, -3, 8.0, ["cube", "sign"], 1.0, "round")
def test_exact_twin_of_compositions(
    twin: Twin, bound: int, shift: int, divisor: float, names: list[str], c: float, last: str
) -> None:
    def program(_: None, coins: Coins) -> Any:
        x = (coins.below(bound) + shift) / divisor
        if divisor > 1000:
            x = x + 1.0
        for name in names:
            x = ONES[name](x)
        return x < c, LAST[last](x)

    twin(program)


@pytest.mark.points(4)
@pytest.mark.parametrize("bits", [1, 7, 10])
@pytest.mark.parametrize("alpha", [0.5, 0.9])
def test_exact_twin_of_a_geometric_sampler_of_few_bits(twin: Twin, bits: int, alpha: float) -> None:
    def geometric(_: None, coins: Coins) -> int:
        u = (coins.below(1 << bits) + 1) / (1 << bits)
        return math.floor(math.log(u) / math.log(alpha))

    twin(geometric)


def jitter(x: float) -> int:
    """Return a number from -6 to 6 that looks arbitrary and depends on x alone."""
    return hashlib.sha256(struct.pack("<d", x)).digest()[0] % 13 - 6


def rough(x: float) -> float:
    """A logarithm that is not monotone, though within the assumed error."""
    return stepped(math.log(x), jitter(x))


def wrong(x: float) -> float:
    """A logarithm beyond the assumed error."""
    return stepped(math.log(x), 40)


def join(host: Callable[[float], float]) -> None:
    """Have the machine follow a function by the bounds of the logarithm."""
    name = f"own.{host.__name__}"
    CALLS[name], REAL_NAMES[host.__name__] = host, "log"
    rule(host)(near.unary(host, near.by_name(name)))


for _host in (rough, wrong):
    join(_host)


@pytest.mark.points(1)
@pytest.mark.parametrize("c", [2.0, 2.0 + 2.0**-46, 3.0])
@pytest.mark.parametrize("scale", [1.0, -1.0, 0.3])
def test_exact_twin_of_a_function_that_is_not_monotone(twin: Twin, c: float, scale: float) -> None:
    def program(place: int, coins: Coins) -> Any:
        x = rough(c + coins.below(200) * 2.0**-51) * scale
        return x < scale * math.log(c + place * 2.0**-51)

    values = [rough(c + k * 2.0**-51) for k in range(200)]
    assert values != sorted(values)
    assert max(twin(program, place).leaves for place in range(100, 106)) > 3  # it turns more than once
    wide = enumerate_law(lambda _, coins: rough(c + coins.below(1 << 40) * 2.0**-51) < math.log(c + 2.0**-40), None)
    count = sum(rough(c + k * 2.0**-51) < math.log(c + 2.0**-40) for k in range(4096))
    assert wide.law.prob(True) * (1 << 40) == count


def test_exact_twin_of_integers_of_a_function_that_is_not_monotone(twin: Twin) -> None:
    def program(_: None, coins: Coins) -> Any:
        return math.floor(rough(2.0 + coins.below(150) * 2.0**-51) * 2.0**53) // 9

    twin(program)


def test_caught_a_function_beyond_the_assumed_error() -> None:
    found = enumerate_law(lambda _, coins: wrong(coins.random() + 1.0) < 0.25, None)
    assert found.law.tail == 1
    words = " ".join(found.notes)
    assert re.search(r"own.wrong\(.*\) is .*, which is not within 8 units in the last place", words)


def test_a_question_that_too_many_draws_leave_open_is_given_up_by_name() -> None:
    found = enumerate_law(lambda _, coins: math.exp(coins.random() * 1e-9) < math.exp(5e-10), None)
    assert found.law.tail == 1
    assert "math.exp leaves more than 65536 draws in a row open at a question" in " ".join(found.notes)


@pytest.mark.nightly
def test_what_is_followed_is_so_after_a_merged_step(twin: Twin) -> None:
    def program(_: None, coins: Coins) -> Any:
        total = coins.fold(range(2), 0, lambda s, i, c: s + math.floor(math.log2(c.below(4) + 1)))
        return total, math.floor(math.log2(coins.below(8) + 1)), math.log(coins.below(12) + 1) < 2.0

    assert twin(program).leaves < 60
    after = enumerate_law(lambda _, c: (c.fold([0], 0, lambda s, i, d: d.below(2)), math.exp(c.random()) < 1.5), None)
    assert after.law.tail == 0


@pytest.mark.parametrize("shift", [1.0, 0.999])
def test_exact_twin_where_a_bound_leads_out_of_a_domain(twin: Twin, shift: float) -> None:
    def program(_: None, coins: Coins) -> Any:
        x = math.exp(coins.below(40) * 2.0**-53) - shift
        return (x > 0 and 1.0 / x > 2e15), (x > 0 and math.floor(1.0 / x) > 10**15), (x >= 0 and math.sqrt(x) < 1e-8)

    twin(program)
