"""Vectors, filters and single bits: the law of each fault at its default parameters."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise, product
from math import prod
from typing import Any

from dpcert.mechanisms.exact.epsilon import Epsilon

from .plain import Pairs, at_least, joint, noisy, then


def response(keep: Fraction) -> Callable[[int], Pairs]:
    return lambda bit: [(bit, keep), (1 - bit, 1 - keep)]


def one_sided(count: int, r: str, hi: int) -> Pairs:
    """The law of count + G, at most hi, Pr[G >= g] = r^-g."""
    chances = [Fraction(r) ** (count - z) for z in range(count, hi + 1)]
    return [(count + g, p - q) for g, (p, q) in enumerate(pairwise([*chances, Fraction(0)]))]


def vector(entries: Sequence[int], r: str, f: Callable[[Any], Any] = lambda z: z) -> Pairs:
    """The law of f of the entries with noise, clamped to 0 and 1."""
    return then(joint([noisy(c, r, 0, 1) for c in entries]), f)


def compared(entries: Sequence[int], first: int, second: int, *, number: bool = False) -> Pairs:
    """Of each entry whether q + Z >= 1 + R, ratios 2^first and 2^second, or the number clamped to 0 and 1.

    For 1 + R = 1 + k or -k, k >= 0, the chance of each answer is a + b beta^k, and products of these are summed over k
    as geometric series.
    """
    rho, r = Fraction(2) ** first, Fraction(2) ** second
    found: Pairs = []
    for up, weight in ((True, (rho - 1) / (rho + 1)), (False, (rho - 1) / (rho + 1) / rho)):
        rows = []
        for q in entries:
            beyond, at_zero = at_least(1 - q if up else q + 1, r), 1 - at_least(1 - q, r)
            if up:
                rows.append([(1 if number else True, (Fraction(0), beyond)), (False, (Fraction(1), -beyond))])
            elif number:
                parts = [(0, (at_zero, -beyond)), (1, (1 - at_zero, Fraction(0)))]
                rows.append([*parts, (False, (Fraction(0), beyond))])
            else:
                rows.append([(True, (Fraction(1), -beyond)), (False, (Fraction(0), beyond))])
        for row in product(*rows):
            total = Fraction(0)
            for powers in product((0, 1), repeat=len(row)):
                factor = prod((line[power] for (_, line), power in zip(row, powers, strict=True)), start=weight)
                total += factor / (1 - 1 / rho / r ** sum(powers))
            found.append((tuple(answer for answer, _ in row), total))
    return found


def capped_at_one(answers: tuple[Any, ...]) -> tuple[Any, ...]:
    """The answers up to the first that is not False."""
    ends = [i for i, answer in enumerate(answers) if answer is not False]
    return answers[: ends[0] + 1] if ends else answers


def uncompared(entries: Sequence[int]) -> Pairs:
    """Of each entry whether q >= 1 + R, of ratio 4, up to the first that is."""
    levels = [(0, Fraction(1, 5)), (1, Fraction(3, 5)), (2, Fraction(1, 5))]
    return [(capped_at_one(tuple(q >= level for q in entries)), p) for level, p in levels]


def summed_floats(c: int) -> Pairs:
    """The law of c plus a multiple of 1/10 as a float, the sum rounded from fractions."""
    return then(noisy(10 * c, "11/10", 0, 10), lambda z: float(c + Fraction(float(Fraction(z - 10 * c, 10)))))


def filter_bits(value: int, one_of_set: str, one_of_other: str) -> list[Pairs]:
    """The laws of two bits, of which the first is set for the value 3, the second for 0 to 2."""
    chances = [one_of_set if (place == 0) == (value == 3) else one_of_other for place in range(2)]
    return [[(1, Fraction(p)), (0, 1 - Fraction(p))] for p in chances]


def both(first: Pairs, second: Pairs) -> Pairs:
    return joint([first, second])


LAWS: dict[str, Callable[[Any], Pairs]] = {
    "randomized-response-float": response(Fraction(7205759403792794, 2**53)),
    "randomized-response-modulo": response(Fraction(2863311531, 2**32)),
    "randomized-response-type": lambda bit: [(bit, Fraction(3, 4)), (not bit, Fraction(1, 4))],
    "noisy-histogram-inverted": lambda entries: vector(entries, str(Epsilon.of(2).exp_bounds(64)[0])),
    "prefix-sums-all": lambda entries: vector(entries, "2", lambda row: tuple(accumulate(row))),
    "report-noisy-max-value": lambda entries: vector(entries, "2", max),
    "report-noisy-max-exponential-value": lambda entries: then(joint([one_sided(c, "2", 1) for c in entries]), max),
    "sparse-vector-number": lambda entries: then(compared(entries, 1, 2, number=True), capped_at_one),
    "sparse-vector-scale": lambda entries: then(compared(entries, 2, 6), capped_at_one),
    "sparse-vector-exact": uncompared,
    "sparse-vector-uncapped": lambda entries: compared(entries, 1, 2),
    "parallel-sparse-vectors-forms": lambda entries: both(
        then(compared(entries, 1, 2, number=True), capped_at_one), then(compared(entries, 1, 4), capped_at_one)
    ),
    "parallel-counts-whole": lambda c: both(noisy(c, 4, 0, 1), noisy(c, 4, 0, 1)),
    "count-on-grid-summed": summed_floats,
    "one-time-rappor-set-bits": lambda value: joint(filter_bits(value, "3/4", "0")),
    "rappor-redrawn": lambda value: both(*(joint(filter_bits(value, "7/10", "3/10")) for _ in range(2))),
}
