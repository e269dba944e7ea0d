"""The least epsilon of each mechanism of the benchmark over its input pairs, exact or enclosed, with an event.

In `benchmarks/`, `python -m literature.truth` prints the table that stands in docs/literature-benchmark.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

from dpcert.mechanisms.adapters.balls import Bounds
from literature import laws
from literature.events import Event, below, bits, both, equal, numbers, pattern
from literature.exponentials import (
    Total,
    add,
    enclosed,
    exponential_below,
    exponential_density,
    laplace_below,
    laplace_density,
    log_ratio,
)
from literature.registry import BENCHMARK, Pair, Vector
from literature.samplers import bloom

HALF, ONE = Fraction(1, 2), Fraction(1)
INFINITE = "infinite"
ALL, PAIRS = "all neighbours", "the pairs"


@dataclass(frozen=True, slots=True)
class Truth:
    """The least epsilon at delta = 0 of a mechanism, over its input pairs in both orders.

    `exact` is it in words, or None where only its bounds `epsilon` are given; these are None where it is infinite.
    The event has chance p on the first of the pair and q on the second, as totals, and p = e^epsilon q; where
    `approached`, other events than this come nearer to it. `scope` is ALL where no neighbours need
    more, and PAIRS where only the pairs of the benchmark were looked at.
    """

    name: str
    exact: str | None
    epsilon: Bounds | None
    pair: Pair
    event: Event
    p: Total
    q: Total
    scope: str
    approached: bool = False


def truths() -> dict[str, Truth]:
    """Return the truth of each mechanism, in the order of the benchmark."""
    found = {truth.name: truth for truth in (*noisy_numbers(), *counts(), *noisy_maxima(), *sparse_vectors())}
    return {name: found[name] for name in BENCHMARK}


def one(value: Fraction | int, exponent: Fraction | int = 0) -> Total:
    """Return value e^exponent as a total."""
    return {Fraction(exponent): Fraction(value)}


def scaled(total: Total, factor: Fraction, exponent: Fraction | int = 0) -> Total:
    """Return factor e^exponent times a total."""
    return {b + exponent: c * factor for b, c in total.items()}


def known(name: str, text: str, place: int, event: Event, p: Total, q: Total) -> Truth:
    """Return the truth of a mechanism whose epsilon is the rational number `text`, for all neighbours.

    The pair is that at a place of the list, its first input first.
    """
    value = Fraction(text)
    return Truth(name, text, (value, value), BENCHMARK[name].pairs[place], event, p, q, ALL)


def tail(count: int, scale: Fraction) -> tuple[Total, Total]:
    """Return the chance that `count` Laplace numbers around 1 are all 1 or less, and that of those around 2."""
    return one(HALF**count), one(HALF**count, -count / scale)


def noisy_numbers() -> Iterator[Truth]:
    """Yield the mechanisms that release numbers with noise: by Laplace densities, and sums of independent ones."""
    yield known("Laplace", "1/10", 1, below(1, "<= 1"), *tail(1, Fraction(10)))
    yield known("LaplaceParallel", "1/10", 1, below(1, "all <= 1"), *tail(20, Fraction(200)))
    yield known("NoisyHist1", "1/10", 1, below(1, "first <= 1", first=1), *tail(1, Fraction(10)))
    yield known("NoisyHist2", "10", 1, below(1, "first <= 1", first=1), *tail(1, Fraction(1, 10)))
    yield known("PrefixSum", "1", 5, below(1, "every step <= 1", steps=True), *tail(10, Fraction(10)))
    yield known("ReportNoisyMax3", "1/4", 5, below(1, "<= 1"), *tail(5, Fraction(20)))


def counts() -> Iterator[Truth]:
    """Yield the mechanisms whose laws are finite: fractions, and for the snapping mechanism multiples of 2^-1074."""
    p, q = Fraction(9, 17), Fraction(8, 17)
    ratio = log_ratio(one(p), one(q))
    yield Truth("TruncatedGeometric", "ln(9/8)", ratio, ((0,), (1,)), equal(0, "0"), one(p), one(q), ALL)
    found = {x: laws.snapped(x) for x in (0, 1, 2)}
    ratios = [
        log_ratio(one(found[x][value]), one(found[y][value]))
        for x, y in ((1, 0), (0, 1), (1, 2), (2, 1))
        for value in found[x]
    ]
    bounds = max(low for low, _ in ratios), max(high for _, high in ratios)
    p, q = found[1][16.0], found[0][16.0]
    yield Truth("LaplaceFixed", None, bounds, ((1,), (0,)), equal(16, "16"), one(p), one(q), PAIRS, approached=True)
    for name, keep in (("OneTimeRAPPOR", Fraction(21, 40)), ("RAPPOR", Fraction(41, 80))):
        filters = bloom(0), bloom(1)
        differ = sum(a != b for a, b in zip(*filters, strict=True))
        p, q = keep**differ, (1 - keep) ** differ
        text = f"{differ} ln({keep / (1 - keep)})"
        yield Truth(name, text, log_ratio(one(p), one(q)), ((0,), (1,)), bits(*filters), one(p), one(q), PAIRS)


def noisy_maxima() -> Iterator[Truth]:
    """Yield the forms of report-noisy-max that release an index, and the one whose epsilon is infinite."""
    for name, density, less in (
        ("ReportNoisyMax1", laplace_density, laplace_below),
        ("ReportNoisyMax2", exponential_density, exponential_below),
    ):
        found = {
            x: {i: laws.argmax(x, i, scale=Fraction(20), density=density, below=less) for i in range(5)}
            for x in {x for pair in BENCHMARK[name].pairs for x in pair}
        }
        yield greatest(name, found, lambda index: equal(index, f"index {index}"))
    p = {Fraction(-k, 20): Fraction((-1) ** k * comb(5, k)) for k in range(6)}
    name, event = "ReportNoisyMax4", Event("< 2", lambda runs: runs < 2)
    yield Truth(name, INFINITE, None, BENCHMARK[name].pairs[5], event, p, {}, ALL)


def greatest(name: str, found: Mapping[Vector, Mapping[Any, Total]], event: Callable[[Any], Event]) -> Truth:
    """Return the truth of a mechanism from the laws of its discrete outcomes on all inputs of its pairs.

    Requires: every outcome to have a positive chance on every input.
    Claims:   the event is among those whose bounds reach highest; exact where p and e^(1/10) q are the same total.
    """
    rows = [
        (log_ratio(chance, found[y][outcome]), (x, y), outcome)
        for x, y in both_orders(BENCHMARK[name].pairs)
        for outcome, chance in found[x].items()
    ]
    _, pair, outcome = max(rows, key=lambda row: row[0][1])
    bounds = max(row[0][0] for row in rows), max(row[0][1] for row in rows)
    p, q = found[pair[0]][outcome], found[pair[1]][outcome]
    tenth = Fraction(1, 10)
    if p == scaled(q, ONE, tenth):
        return Truth(name, "1/10", (tenth, tenth), pair, event(outcome), p, q, ALL)
    return Truth(name, None, bounds, pair, event(outcome), p, q, PAIRS)


def both_orders(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """Yield each pair in both orders."""
    for x, y in pairs:
        yield x, y
        yield y, x


Patterns = Mapping[laws.Pattern, Total]


def capped(name: str, *, threshold: Fraction, rho: Fraction, nu: Fraction, cap: int) -> dict[Vector, Patterns]:
    """Return the laws of a sparse vector's answers on all inputs of the pairs of a mechanism."""
    inputs = {x for pair in BENCHMARK[name].pairs for x in pair}
    return {x: laws.all_answers(x, threshold=threshold, rho=rho, nu=nu, cap=cap) for x in inputs}


def sparse_vectors() -> Iterator[Truth]:
    """Yield the sparse vectors, c = 1 for the first four forms and 2 for the numerical and the parallel one."""
    twenty, forty = Fraction(20), Fraction(40)
    yield greatest("SVT1", capped("SVT1", threshold=HALF, rho=twenty, nu=forty, cap=1), pattern)
    yield greatest("SVT2", capped("SVT2", threshold=ONE, rho=twenty, nu=forty, cap=1), pattern)
    yield numbers_of_one()
    yield greatest("SVT4", capped("SVT4", threshold=ONE, rho=forty, nu=forty / 3, cap=1), pattern)
    pair = BENCHMARK["SVT5"].pairs[2]
    only_first = pattern((True, *(False,) * 9))
    yield Truth("SVT5", INFINITE, None, (pair[1], pair[0]), only_first, {**one(1), **one(-1, -ONE / 20)}, {}, ALL)
    yield uncapped()
    yield numerical()
    yield parallel()


def numbers_of_one() -> Truth:
    """Return the truth of SVT3: given rho, each of at most ten answers has a ratio of at most e^(1/20)."""
    p, q = (laws.low_answer((x,) * 10, threshold=ONE, rho=Fraction(20), nu=Fraction(20), most=ONE) for x in (1, 2))
    event = numbers((*(False,) * 9, True), [(-999.0, 1.0)])
    return known("SVT3", "1/2", 5, event, p, q)


def uncapped() -> Truth:
    """Return the truth of SVT6, from one answer of each class of like ones."""
    found = []
    known_chances: dict[frozenset[tuple[tuple[int, bool], int]], Total] = {}

    def chance(x: Vector, answers: laws.Pattern) -> Total:
        alike = frozenset(Counter(zip(x, answers, strict=True)).items())
        if alike not in known_chances:
            known_chances[alike] = laws.answers(x, answers, threshold=ONE, rho=Fraction(20), nu=Fraction(20))
        return known_chances[alike]

    for x, y in both_orders(BENCHMARK["SVT6"].pairs):
        for answers in laws.classes(x, y):
            p, q = chance(x, answers), chance(y, answers)
            found.append((log_ratio(p, q), (x, y), answers, p, q))
    _, pair, answers, p, q = max(found, key=lambda row: row[0][1])
    bounds = max(row[0][0] for row in found), max(row[0][1] for row in found)
    return Truth("SVT6", None, bounds, pair, pattern(answers), p, q, PAIRS)


def numerical() -> Truth:
    """Return the truth of NumericalSVT: that of its answers, and 1/60 for each number of an entry that changes.

    The numbers are drawn afresh, so that given the answers they are independent of all else; the density of each
    has the ratio e^(1/60) beyond its entry on the side away from the other, and nowhere more.
    """
    found = capped("NumericalSVT", threshold=ONE, rho=Fraction(30), nu=Fraction(120), cap=2)
    rows = []
    for x, y in both_orders(BENCHMARK["NumericalSVT"].pairs):
        for answers, chance in found[x].items():
            sides = [(a, b) for a, b, true in zip(x, y, answers, strict=False) if true]
            moved = sum(abs(a - b) for a, b in sides)
            q = scaled(found[y][answers], ONE, Fraction(-moved, 60))
            rows.append((log_ratio(chance, q), (x, y), answers, sides, chance, q))
    _, pair, answers, sides, p, q = max(rows, key=lambda row: row[0][1])
    ends = [(float(a), 999.0) if a > b else (-999.0, float(a) if a < b else 999.0) for a, b in sides]
    half = HALF ** sum(a != b for a, b in sides)
    bounds = max(row[0][0] for row in rows), max(row[0][1] for row in rows)
    event = numbers(answers, ends, false=0.0)
    return Truth("NumericalSVT", None, bounds, pair, event, scaled(p, half), scaled(q, half), PAIRS)


def parallel() -> Truth:
    """Return the truth of SVT34Parallel: the sum of what its halves need, on the pair and order where it is greatest.

    What SVT3 with c = 2 needs is at most 1/40 for each answer that can gain: a number whose entry changes, a FALSE
    whose entry is greater on the other input. On the pair found, FFFFFTT with both numbers just above 1 reaches it.
    """
    four = capped("SVT34Parallel", threshold=ONE, rho=Fraction(40), nu=Fraction(40, 3), cap=2)
    rows = []
    for x, y in both_orders(BENCHMARK["SVT34Parallel"].pairs):
        gains = {
            answers: sum(a != b if true else b > a for a, b, true in zip(x, y, answers, strict=False))
            for answers in four[x]
        }
        most = max(gains.values())
        for answers, chance in four[x].items():
            total = scaled(chance, ONE, Fraction(most, 40))
            rows.append((log_ratio(total, four[y][answers]), (x, y), answers, gains))
    bounds, pair, answers, gains = max(rows, key=lambda row: row[0][1])
    if gains[answers] != max(gains.values()) or pair != BENCHMARK["SVT34Parallel"].pairs[4]:
        raise ArithmeticError(f"the bound is greatest at {pair} and {answers}, where it was not shown to be reached")
    chances = [laws.high_numbers(x, answers, threshold=ONE, rho=Fraction(20), nu=Fraction(40), least=ONE) for x in pair]
    p, q = (multiplied(left, four[x][answers]) for x, left in zip(pair, chances, strict=True))
    event = both(numbers(answers, [(1.0, 999.0)] * 2), pattern(answers, start=10))
    return Truth("SVT34Parallel", None, bounds, pair, event, p, q, PAIRS, approached=True)


def multiplied(left: Total, right: Total) -> Total:
    """Return the product of two totals."""
    found: Total = {}
    for a, c in left.items():
        for b, d in right.items():
            add(found, a + b, c * d)
    return found


def decimal(bounds: Bounds | None, digits: int = 8) -> str:
    """Return the digits of both bounds where they agree, else raise."""
    if bounds is None:
        return INFINITE
    low, high = (f"{float(end):.{digits}f}" for end in bounds)
    if low != high:
        raise ArithmeticError(f"bounds {low} and {high} differ")
    return low


def rows() -> Iterator[tuple[str, ...]]:
    """Yield the rows of the table: name, epsilon exactly, in digits, the pair, the event, its chances, the scope."""
    for truth in truths().values():
        first, second = (" ".join(map(str, x)) for x in truth.pair)
        chances = tuple(f"{float(enclosed(total)[0]):.3g}" for total in (truth.p, truth.q))
        exact = truth.exact or ("enclosed, approached" if truth.approached else "enclosed")
        yield truth.name, exact, decimal(truth.epsilon), first, second, truth.event.words, *chances, truth.scope


def table() -> str:
    """Return the table in Markdown."""
    head = ("mechanism", "least epsilon", "in digits", "x", "y", "event", "p on x", "q on y", "least for")
    lines = [head, ("---",) * len(head), *rows()]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    print(table())
