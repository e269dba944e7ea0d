"""The literature's mechanisms on the integers: exact twins of their comparisons, their laws, and what they lose."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import mmh3
import pytest
from hypothesis import given as every
from hypothesis import strategies as st

from dpcert import Coins, Dist, Done, Epsilon, Refuted, Verified
from dpcert.mechanisms.catalogue import MECHANISMS
from dpcert.mechanisms.literature.bloom import murmur3
from dpcert.mechanisms.literature.closed_forms import comparisons, exactly
from dpcert.mechanisms.literature.lattice import Lattice, above_beyond, first_beyond
from dpcert.mechanisms.literature.rappor import Filter, Reporting, permanent, report
from dpcert.mechanisms.literature.sparse_vector import SPARSE_VECTOR
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.mechanisms.zoo import ZOO
from dpcert.reading.numpy.factored import Factored
from dpcert.reading.paths.enumerator import enumerate_law

NAMES = (
    "noisy-histogram",
    "prefix-sums",
    "report-noisy-max",
    "report-noisy-max-exponential",
    "sparse-vector",
    "sparse-vector-redrawn",
    "numeric-sparse-vector",
    "parallel-sparse-vectors",
)
PARALLEL = ("parallel-counts", "count-on-grid", "one-time-rappor", "rappor")
BY_NAME = {mechanism.name: mechanism for mechanism in MECHANISMS}
BROKEN = {mechanism.name: mechanism for mechanism in ZOO}

two, three = Fraction(2), Fraction(3)
WIDTHS = ((0, 3), (-2, 4), (0, 5))


def goes_on(ratio: Fraction, coins: Coins) -> bool:
    return coins.below(ratio.numerator) < ratio.denominator


@pytest.mark.points(8)
@pytest.mark.parametrize(("query", "noise"), [("2", "4"), ("3/2", "5/4"), ("9", "2")])
@pytest.mark.parametrize("tied", [1, 2, 3])
@pytest.mark.parametrize("up", [True, False])
def test_twin_who_reaches_the_threshold_beyond_an_end_is_decided_by_flips_side_by_side(
    tied: int, query: str, noise: str, up: bool
) -> None:
    """A finite chain, solved exactly, in which all that goes on goes on by one at a time."""

    def step(state: tuple[bool | None, ...], coins: Coins) -> tuple[bool | None, ...] | Done[tuple[bool, ...]]:
        if up:
            if not goes_on(Fraction(noise), coins):
                return Done(tuple(mark is None for mark in state))
            return tuple(None if mark is None and goes_on(Fraction(query), coins) else False for mark in state)
        state = tuple(None if mark is None and goes_on(Fraction(query), coins) else True for mark in state)
        return state if goes_on(Fraction(noise), coins) else Done(tuple(mark is True for mark in state))

    chain = enumerate_law(lambda _, coins: coins.loop((None,) * tied, step), 0).law
    table = above_beyond(tied, query=Fraction(query), noise=Fraction(noise), up=up)
    drawn = enumerate_law(lambda _, coins: table.draw(coins), 0).law
    assert chain.tail == drawn.tail == 0
    assert drawn.map(lambda pattern: tuple(pattern >> place & 1 == 1 for place in range(tied))) == chain


@pytest.mark.points(9)
@pytest.mark.parametrize("ratio", ["2", "3/2", "9"])
@pytest.mark.parametrize("tied", [1, 2, 3, 4])
@pytest.mark.parametrize("up", [True, False])
def test_twin_who_is_first_beyond_an_end_is_decided_by_flips_side_by_side(tied: int, ratio: str, up: bool) -> None:
    def step(state: tuple[int, ...], coins: Coins) -> tuple[int, ...] | Done[int]:
        on = [goes_on(Fraction(ratio), coins) for _ in state]
        ahead = tuple(i for i, going in zip(state, on, strict=True) if going == up)
        return (ahead or Done(state[0])) if up else (Done(ahead[0]) if ahead else state)

    chain = enumerate_law(lambda _, coins: coins.loop(tuple(range(tied)), step), 0).law
    table = first_beyond(tied, ratio=Fraction(ratio), up=up)
    assert enumerate_law(lambda _, coins: table.draw(coins), 0).law == chain


def settings() -> Iterator[tuple[str, dict[str, str]]]:
    for name in NAMES:
        yield name, {}
        yield name, {"n": "2", "most": "2", **({"cap": "1"} if "cap" in BY_NAME[name].settings({}) else {})}
        yield name, {"n": "1", "most": "3"} if "cap" not in BY_NAME[name].settings({}) else {"n": "1", "cap": "1"}
    for ratio, first, second, threshold in product(("3/2", "3"), ("1", "2"), ("1", "3"), ("0", "2")):
        given = {"ratio": ratio, "first": first, "second": second, "threshold": threshold, "n": "2", "most": "2"}
        yield "sparse-vector", given
    yield "sparse-vector", {"cap": "2"}
    yield "sparse-vector-redrawn", {"cap": "1", "first": "1"}
    yield from ((name, {}) for name in PARALLEL)
    yield "parallel-counts", {"ratio": "3/2", "n": "2", "most": "4"}
    yield "count-on-grid", {"ratio": "2", "grid": "3", "most": "1"}
    yield "one-time-rappor", {"f": "1/3", "bits": "4", "hashes": "3", "values": "5"}
    yield "rappor", {"f": "1/3", "p": "1/5", "q": "2/3", "bits": "2", "hashes": "1", "values": "4", "reports": "3"}


@pytest.mark.points(1)
@pytest.mark.parametrize(("name", "given"), list(settings()), ids=str)
def test_twin_the_program_has_the_law_in_closed_form(name: str, given: dict[str, str]) -> None:
    instance = BY_NAME[name].build(BY_NAME[name].settings(given))
    assert instance.closed_form is not None
    for value in instance.inputs:
        law = enumerate_law(instance.program, value).law
        assert law.tail == 0
        assert law == instance.closed_form(value)


@pytest.mark.points(1)
@pytest.mark.parametrize("entries", [[0, 0], [2, 0, 1]])
def test_the_lattice_does_not_change_the_law_and_sums_to_a_far_end_come_near_it(entries: list[int]) -> None:
    """All cells with all beyond the ends, from lattices of three widths; and a plain sum over 51 levels."""
    found = [dict(comparisons(entries, 1, Lattice(low, high), query=two, noise=three)) for low, high in WIDTHS]
    assert found[0] == found[1] == found[2]
    assert sum(found[0].values()) == 1
    for answers, chance in found[0].items():
        summed = Fraction(0)
        for level in range(-25, 26):
            part = exactly(level - 1, three)
            for q, true in zip(entries, answers, strict=True):
                above = sum((exactly(z, two) for z in range(level - q, 60)), Fraction(0)) if level > q else None
                below = sum((exactly(z, two) for z in range(-60, level - q)), Fraction(0)) if level <= q else None
                part *= (above if true else 1 - above) if above is not None else (1 - below if true else below)
            summed += part
        assert abs(summed - chance) < Fraction(1, 10**11)


@pytest.mark.points(1)
@pytest.mark.parametrize("name", [*NAMES, *PARALLEL])
def test_verified(name: str, audit: Any) -> None:
    report = audit(BY_NAME[name], {})
    assert isinstance(report.verdict, Verified)
    assert report.tail == 0


def losses(mechanism: Mechanism, given: Mapping[str, str]) -> Fraction:
    """The greatest ratio of chances over the pairs of the claim, from closed forms or else programs."""
    instance = mechanism.build(mechanism.settings(given))
    law = instance.closed_form or (lambda value: enumerate_law(instance.program, value).law)
    laws = [law(value) for value in instance.inputs]
    close = [max(abs(a - b) for a, b in zip(x, y, strict=True)) <= 1 for x in instance.inputs for y in instance.inputs]
    pairs = (pair for pair, near in zip(product(laws, laws), close, strict=True) if near)
    return max(p / q.prob(outcome) for p_law, q in pairs for outcome, p in p_law.items())


@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_greatest_noisy_number_loses_as_many_factors_as_there_are_queries(n: int) -> None:
    (broken,) = (mechanism for mechanism in ZOO if mechanism.name == "report-noisy-max-value")
    assert losses(broken, {"n": str(n)}) == 2**n


@pytest.mark.points(2)
@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_number_of_a_sparse_vector_loses_as_many_factors_as_there_are_queries(n: int) -> None:
    """n epsilon / 2 in the benchmark: here 4^n, of which the claim is 32."""
    (broken,) = (mechanism for mechanism in ZOO if mechanism.name == "sparse-vector-number")
    assert losses(broken, {"n": str(n)}) == 4**n


@pytest.mark.points(1)
@pytest.mark.parametrize(("n", "verdict"), [("1", Verified), ("2", Verified), ("3", Refuted)])
def test_two_numbers_are_within_the_claim_and_three_are_not(n: str, verdict: type[object], audit: Any) -> None:
    for name in ("report-noisy-max-value", "sparse-vector-number"):
        (broken,) = (mechanism for mechanism in ZOO if mechanism.name == name)
        assert isinstance(audit(broken, {"n": n}).verdict, verdict)


def test_a_sparse_vector_loses_less_than_it_claims_and_more_with_each_query() -> None:
    found = [losses(SPARSE_VECTOR, {"n": str(n)}) for n in range(1, 6)]
    assert found == sorted(found)
    assert found[-1] < Epsilon.of("ln(16)").exp_bounds(8)[0] == 16


@pytest.mark.points(1)
@pytest.mark.parametrize("n", [1, 2])
def test_what_two_in_parallel_lose_is_the_product_on_each_pair(n: int) -> None:
    """SVT34Parallel on the integers: its two forms are enumerated alone, and their greatest ratios multiplied."""
    given = {"n": str(n), "first": "1", "second": "2"}
    both, *halves = (
        [enumerate_law(instance.program, value).law for value in instance.inputs]
        for instance in (
            BROKEN[name].build(BROKEN[name].settings(given))
            for name in ("parallel-sparse-vectors-forms", "sparse-vector-number", "sparse-vector-scale")
        )
    )
    for i, j in product(range(2**n), repeat=2):
        alone = [max(p / half[j].prob(outcome) for outcome, p in half[i].items()) for half in halves]
        assert max(p / both[j].prob(outcome) for outcome, p in both[i].items()) == alone[0] * alone[1]


@pytest.mark.parametrize(("ratio", "n", "most"), [("2", "4", "2"), ("3/2", "3", "3")])
def test_as_many_releases_of_a_count_lose_as_many_factors(ratio: str, n: str, most: str) -> None:
    instance = BY_NAME["parallel-counts"].build({"ratio": ratio, "n": n, "most": most})
    laws = [enumerate_law(instance.program, count).law for count in instance.inputs]
    found = max(p / q.prob(x) for a, q in ((0, laws[1]), (1, laws[0])) for x, p in laws[a].items())
    assert found == Fraction(ratio) ** int(n)


def differ(x: int, y: int, *, bits: int, hashes: int) -> tuple[int, int]:
    """How many bits are set in the filter of x alone, and in that of y alone, by the package mmh3."""
    one, other = ({mmh3.hash(str(value), seed) % bits for seed in range(hashes)} for value in (x, y))
    return len(one - other), len(other - one)


RAPPORS = [
    ("one-time-rappor", {}),
    ("one-time-rappor", {"f": "1/3", "bits": "4", "hashes": "3", "values": "5"}),
    ("rappor", {}),
    ("rappor", {"f": "1/2", "p": "1/10", "q": "9/10", "bits": "3", "values": "4", "reports": "2"}),
    ("rappor", {"f": "1/3", "p": "1/5", "q": "2/3", "bits": "2", "hashes": "1", "values": "4", "reports": "3"}),
]


@pytest.mark.points(2)
@pytest.mark.parametrize(("name", "given"), RAPPORS, ids=str)
def test_what_rappor_loses_is_a_factor_for_each_bit_that_differs(name: str, given: dict[str, str]) -> None:
    """The greatest ratio over all outcomes, against a power of one bit's, whose answers are listed one by one."""
    settings = BY_NAME[name].settings(given)
    instance, f, times = BY_NAME[name].build(settings), Fraction(settings["f"]), int(settings.get("reports", 1))
    p, q = (Fraction(settings.get(which, plain)) for which, plain in (("p", 0), ("q", 1)))
    chances = [
        [
            sum(
                kept * prod(c if answer else 1 - c for answer in answers)
                for kept, c in ((1 - f / 2, (p, q)[bit]), (f / 2, (q, p)[bit]))
            )
            for answers in product((0, 1), repeat=times)
        ]
        for bit in (0, 1)
    ]
    gained, lost = (max(a / b for a, b in zip(chances[i], chances[1 - i], strict=True)) for i in (1, 0))
    shape = {which: int(settings[which]) for which in ("bits", "hashes")}
    laws = [enumerate_law(instance.program, value).law for value in instance.inputs]
    for x, y in product(instance.inputs, repeat=2):
        more, fewer = differ(x, y, **shape)
        found = max(chance / laws[y].prob(outcome) for outcome, chance in laws[x].items())
        assert found == gained**more * lost**fewer
    assert instance.epsilon == Epsilon.ln((gained * lost) ** shape["hashes"])


@pytest.mark.parametrize(
    ("name", "keep"), [("one-time-rappor", Fraction(21, 40)), ("rappor", Fraction(41, 80))], ids=str
)
def test_the_benchmark_at_its_own_size_needs_six_factors(name: str, keep: Fraction) -> None:
    """20 bits and 4 hashes, f = 19/20 and 3/4: the joint law of the values 0 and 1 without the bits that are alike."""
    at = {"one-time-rappor": Fraction(19, 20), "rappor": Fraction(3, 4)}[name]

    def bit(value: int) -> Callable[[object, Coins], int]:
        def release(_: object, coins: Coins) -> int:
            kept = permanent(value, at, coins)
            reporting = Reporting(Filter(20, 4, at), Fraction(9, 20), Fraction(11, 20), 1)
            return kept if name == "one-time-rappor" else report(kept, reporting, coins)

        return release

    once = [enumerate_law(bit(value), None).law for value in (0, 1)]
    assert once[1] == Dist.of([(1, keep), (0, 1 - keep)])
    first, second = (Factored(tuple(once[b] for b in Filter(20, 4, at).of(value))) for value in (0, 1))
    a, b = (law.expand() for law in first.cancel(second))
    assert max(p / b.prob(outcome) for outcome, p in a.items()) == (keep / (1 - keep)) ** 6


def test_twin_the_hash_is_that_of_the_package() -> None:
    for value, seed in product([*range(200), *(10**size + 7 for size in range(12))], range(4)):
        assert murmur3(str(value).encode(), seed) == mmh3.hash(str(value), seed, signed=False)


@every(st.binary(max_size=24), st.integers(0, 2**32 - 1))
def test_twin_the_hash_of_any_bytes_is_that_of_the_package(data: bytes, seed: int) -> None:
    assert murmur3(data, seed) == mmh3.hash(data, seed, signed=False)


def test_the_floats_of_a_grid_are_one_for_each_step_and_sums_are_not() -> None:
    """0 + 1/10 and 1 - 9/10 are two floats on every machine; the floats here are rounded from fractions."""
    given = {"ratio": "2", "grid": "10", "most": "1"}
    tenths = [float(Fraction(z, 10)) for z in range(11)]
    from_one = [float(1 + Fraction(float(Fraction(z - 10, 10)))) for z in range(11)]
    for mechanism, floats in (
        (BY_NAME["count-on-grid"], [tenths, tenths]),
        (BROKEN["count-on-grid-summed"], [tenths, from_one]),
    ):
        instance = mechanism.build(given)
        assert [sorted(enumerate_law(instance.program, count).law.outcomes()) for count in (0, 1)] == floats
    assert [a for a, b in zip(tenths, from_one, strict=True) if a != b] == [0.1, 0.2, 0.3]
