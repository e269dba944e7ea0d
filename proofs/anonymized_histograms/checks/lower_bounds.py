"""Checks of lower bounds for anonymized histograms: Lemma 10, Theorem 2 and Appendix E, by exact linear programs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from dpcert.mechanisms.anonymized_histograms.packing import (
    encoded,
    histogram_least,
    paper_capacity,
)
from dpcert.mechanisms.anonymized_histograms.partitions import Counts, histograms, partitions
from dpcert.mechanisms.anonymized_histograms.sorted_distance import sorted_l1
from dpcert.proofs.check import check
from dpcert.proofs.linear import greatest, proves

ZERO, ONE = Fraction(0), Fraction(1)
Bits = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LeastCost:
    """The least worst-case expected cost of a private release, proved by a dual vector, and whether it is attained."""

    value: Fraction
    proved: bool
    attained: bool


def least_worst_error(
    *,
    inputs: Sequence[Any],
    outputs: Sequence[Any],
    cost: Callable[[Any, Any], Fraction | int],
    near: Callable[[Any, Any], bool],
    ratio: Fraction,
) -> LeastCost:
    """Return the least over all private mechanisms of the greatest expected cost over the inputs.

    A mechanism is a table of Pr[o | x], private where near(x, y) bounds Pr[o | x] by ratio Pr[o | y]. The linear
    program lets probabilities sum to less than 1 and charges the missing mass at the greatest cost. Its value is a
    lower bound for every mechanism, attained where its solution is a mechanism.
    """
    most = Fraction(max(cost(x, o) for x in inputs for o in outputs))
    place = {(x, o): i for i, (x, o) in enumerate(product(range(len(inputs)), range(len(outputs))))}
    width = len(place) + 1  # the last variable is the least expected saving over the inputs
    matrix, bounds = [], []

    def line(entries: Mapping[int, Fraction], bound: Fraction) -> None:
        row = [ZERO] * width
        for i, value in entries.items():
            row[i] += value
        matrix.append(row)
        bounds.append(bound)

    for x, given in enumerate(inputs):
        line({place[x, o]: ONE for o in range(len(outputs))}, ONE)
        savings = {place[x, o]: Fraction(cost(given, out) - most) for o, out in enumerate(outputs)}
        line({**savings, width - 1: ONE}, ZERO)
        for y, other in enumerate(inputs):
            if near(given, other):
                for o in range(len(outputs)):
                    line({place[x, o]: ONE, place[y, o]: -ratio}, ZERO)
    objective = [ZERO] * (width - 1) + [ONE]
    solution = greatest(matrix, bounds, objective)
    sums = [sum((solution.point[place[x, o]] for o in range(len(outputs))), ZERO) for x in range(len(inputs))]
    return LeastCost(most - solution.value, proves(solution, matrix, bounds, objective), set(sums) == {ONE})


def hamming(x: Bits, y: Bits) -> int:
    """Return the number of places at which two vectors of bits differ."""
    return sum(a != b for a, b in zip(x, y, strict=True))


def vectors(k: int) -> list[Bits]:
    """Return all vectors of k bits."""
    return list(product((0, 1), repeat=k))


def flips(k: int, probability: Fraction) -> dict[Bits, dict[Bits, Fraction]]:
    """Return the table that flips each of k bits with a probability."""
    return {
        x: {o: probability ** hamming(x, o) * (1 - probability) ** (k - hamming(x, o)) for o in vectors(k)}
        for x in vectors(k)
    }


def lopsided(k: int) -> dict[Bits, dict[Bits, Fraction]]:
    """Return a table with no symmetry: the j-th estimate has a weight of 1 + (i + 1) j mod 7 on the i-th input."""
    tables = {}
    for i, x in enumerate(vectors(k)):
        weights = [Fraction(1 + (i + 1) * j % 7) for j in range(2**k)]
        tables[x] = {o: weight / sum(weights) for o, weight in zip(vectors(k), weights, strict=True)}
    return tables


@check("ah-bits-pairs-average")
def anonymized_pairs_average() -> Iterator[str]:
    """Equation (19): the worst error is at least the mean over inputs, which is a sum over pairs, for any table."""
    for k in (1, 2, 3):
        for name, table in (("flips", flips(k, Fraction(1, 5))), ("lopsided", lopsided(k))):
            errors = {x: sum(p * hamming(x, o) for o, p in law.items()) for x, law in table.items()}
            over_pairs = sum(
                sum(p * (x[i] != o[i]) for x in (_with(v, i, 0), _with(v, i, 1)) for o, p in table[x].items()) / 2
                for i in range(k)
                for v in vectors(k - 1)
            ) / Fraction(2 ** (k - 1))
            mean = sum(errors.values()) / Fraction(2**k)
            if mean != over_pairs or max(errors.values()) < mean:
                yield f"{name}, k = {k}"


def _with(v: Bits, i: int, bit: int) -> Bits:
    return (*v[:i], bit, *v[i:])


@check("ah-encoding-printed")
def anonymized_encoding_printed() -> Iterator[str]:
    """Appendix E: with the last count n less the items at counts up to 4k, the encoding of k bits has n items."""
    for k in (1, 2):
        n = 100 * k * k
        for x in vectors(k):
            pairs = [4 * i + shift for i, bit in enumerate(x, 1) for shift in ((0, 3) if bit else (1, 2))]
            rest = n - sum(count for count in pairs if count <= 4 * k)
            if sum(pairs) + rest != n:
                shown = ", ".join(map(str, (*pairs, rest)))
                yield f"n = {n}, x = {x}: the counts {shown} have {sum(pairs) + rest} items"


@check("ah-encoding-corrected")
def anonymized_encoding() -> Iterator[str]:
    """Appendix E, corrected: n items for every n >= 4k^2 + 7k, one way to the bits back, twice the Hamming distance."""
    for k in (1, 2, 3, 4):
        least = 4 * k * k + 7 * k
        for n in (least, least + 1, 100 * k * k):
            codes = {x: encoded(x, n) for x in vectors(k)}
            for x, h in codes.items():
                if sum(h) != n or any(sorted_l1(h, g) != 2 * hamming(x, y) for y, g in codes.items()):
                    yield f"k = {k}, n = {n}, x = {x}"
        if paper_capacity(least) != k or paper_capacity(least - 1) != k - 1:
            yield f"k = {k}: the fewest items"


@check("ah-encoding-neighbours")
def anonymized_encoding_neighbours() -> Iterator[str]:
    """Appendix E: codes of neighbouring bits have a neighbour in common among the histograms of n or n + 1 items."""
    for k in (1, 2, 3):
        n = 4 * k * k + 7 * k
        for x, y in product(vectors(k), repeat=2):
            if hamming(x, y) == 1:
                i = next(i for i in range(k) if x[i] != y[i])
                shared = [4 * (i + 1) + 1, 4 * (i + 1) + 3]
                others = [4 * j + s for j, b in enumerate(x, 1) if j != i + 1 for s in ((0, 3) if b else (1, 2))]
                between = tuple(sorted((*others, *shared), reverse=True))
                if sum(between) != n + 1 or {sorted_l1(between, encoded(z, n)) for z in (x, y)} != {1}:
                    yield f"x = {x}, y = {y}"


def released(n: int) -> list[Counts]:
    """Return the outputs that a mechanism on the histograms of n or n + 1 items needs.

    To cut a release to the boxes that some of these histograms have, and to fill the boxes that all have, brings it
    nearer to each of them.
    """
    rows = [h for total in (n, n + 1) for h in partitions(total)]
    top = [max(h[i] if i < len(h) else 0 for h in rows) for i in range(n + 1)]
    low = [min(h[i] if i < len(h) else 0 for h in rows) for i in range(n + 1)]
    return [
        h
        for h in histograms(sum(top))
        if len(h) <= n + 1 and all(a <= x <= b for a, x, b in zip(low, (*h, *[0] * (n + 1 - len(h))), top, strict=True))
    ]


@check("ah-least-error")
def anonymized_least() -> Iterator[str]:
    """Theorem 2: over all private mechanisms, the least worst error on n and n + 1 items is above the packing's."""
    for n, ratio in ((1, Fraction(1)), (1, Fraction(3, 2)), (1, Fraction(2)), (1, Fraction(10)), (2, Fraction(2))):
        rows = [h for total in (n, n + 1) for h in partitions(total)]
        found = least_worst_error(
            inputs=rows,
            outputs=released(n),
            cost=sorted_l1,
            near=lambda a, b: sorted_l1(a, b) == 1,
            ratio=ratio,
        )
        if not (found.proved and found.attained) or found.value < histogram_least(n=n, ratio=ratio):
            yield f"n = {n}, e^epsilon = {ratio}: {found.value}"
