"""What the sparse vectors of the benchmark need, from their laws as sums of exponentials."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction

from literature import laws
from literature.events import both, numbers, pattern
from literature.exponentials import Total, add, log_ratio
from literature.needs import ALL, HALF, INFINITE, ONE, PAIRS, Truth, both_orders, greatest, known, one, scaled
from literature.registry import BENCHMARK, Vector

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
