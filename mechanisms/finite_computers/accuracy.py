"""Accuracy: the exact probability that a noisy count, or some count of a noisy histogram, errs by more than a."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from math import ceil, prod
from typing import Any

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.epsilons import at_most, scaled
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.number import exact, need
from dpcert.mechanisms.logarithm import epsilon_bounds

BITS = 128
Read = Callable[[Any, Any], int]
"""A reader of released histograms: it returns the noisy count of a label."""


@dataclass(frozen=True, slots=True)
class Accuracy:
    """For each a, the least beta of (a, beta)-accuracy: `failures[a]`, and 0 beyond the last.

    Claims: the failures do not increase; errors are integers, and so is a.
    Source: finite-computers, Definitions 2.5 to 2.7 and 4.2.
    """

    failures: tuple[Fraction, ...]

    def beta(self, a: int) -> Fraction:
        """Return the probability of an error above a.

        Raises: InputError unless a is an int >= 0.
        """
        need(type(a) is int and a >= 0, a, "an error that is an int >= 0", "round it down")
        return self.failures[a] if a < len(self.failures) else Fraction(0)

    def error(self, beta: object) -> int:
        """Return the least a that is exceeded with probability at most beta.

        Raises: InputError unless beta is a number >= 0 as `exact` takes it.
        """
        allowed = exact(beta, "beta")
        need(allowed >= 0, allowed, "a beta >= 0", "write '1/10'")
        return next((a for a, failure in enumerate(self.failures) if failure <= allowed), len(self.failures))


def accuracy_of(law: Dist, error: Callable[[Any], int]) -> Accuracy:
    """Return the accuracy of one law, for the error of each outcome.

    Raises: InputError where the law has a tail, or an error is no int >= 0.
    """
    need(not law.tail_weight, law.tail, "a law without a tail", "write the loop that leaves it as coins.loop")
    weights: dict[int, int] = {}
    for _, outcome, weight in law.weights():
        a = error(outcome)
        need(type(a) is int and a >= 0, a, "an error that is an int >= 0", "return a distance of counts")
        weights[a] = weights.get(a, 0) + weight
    left, failures = law.denominator, []
    for a in range(max(weights)):
        left -= weights.get(a, 0)
        failures.append(Fraction(left, law.denominator))
    return Accuracy(tuple(failures))


def worst(accuracies: Iterable[Accuracy]) -> Accuracy:
    """Return the accuracy of the worst of these at each a: the greatest beta."""
    columns = zip_longest(*(one.failures for one in accuracies), fillvalue=Fraction(0))
    return Accuracy(tuple(map(max, columns)))


def independent(accuracies: Iterable[Accuracy]) -> Accuracy:
    """Return the simultaneous accuracy of independent counts, whose 1 - beta is the product of their 1 - beta.

    Source: finite-computers, Theorem 5.2 iii.
    """
    columns = zip_longest(*(one.failures for one in accuracies), fillvalue=Fraction(0))
    return Accuracy(tuple(1 - prod((1 - beta for beta in column), start=Fraction(1)) for column in columns))


def spread_beta(by_count: Sequence[Accuracy], *, labels: int, a: int) -> Fraction:
    """Return the simultaneous beta at this a, for the worst way to spread n people over the labels.

    `by_count[c]` is the accuracy of one count whose true value is c, for c = 0, ..., n; counts are independent.

    Requires: labels >= 1.
    """
    n, kept = len(by_count) - 1, [1 - one.beta(a) for one in by_count]
    least: list[Fraction | None] = [Fraction(1), *[None] * n]  # by people, over the occupied labels so far
    chances = [kept[0] ** labels] if n == 0 else []
    for occupied in range(1, min(labels, n) + 1):
        least = [
            min((kept[c] * rest for c in range(1, s + 1) if (rest := least[s - c]) is not None), default=None)
            for s in range(n + 1)
        ]
        whole = least[n]
        if whole is not None:
            chances.append(whole * kept[0] ** (labels - occupied))
    return 1 - min(chances)


def counting(law: Callable[[int], Dist], counts: Iterable[int]) -> Accuracy:
    """Return the accuracy of a noisy count on the worst of the given counts.

    Source: finite-computers, Definition 4.2.
    """

    def distance(count: int) -> Callable[[int], int]:
        return lambda noisy: abs(noisy - count)

    return worst(accuracy_of(law(count), distance(count)) for count in counts)


def listed(outcome: Iterable[tuple[Hashable, int]], label: Hashable) -> int:
    """Return the count of a label in a released list of (label, count); one that is not listed has 0."""
    return next((count for name, count in outcome if name == label), 0)


def per_query(
    laws: Iterable[tuple[Mapping[Any, int], Dist]], *, labels: Iterable[Any], above: int = -1, read: Read = listed
) -> Accuracy:
    """Return the accuracy of one count of a histogram, for the worst input and label.

    `laws` are pairs of the true counts, in which a missing label has 0, and the law on that input. Labels with a true
    count of at most `above` are left out. `read` reads a label's count from an outcome.

    Source: finite-computers, Definition 2.5, and 2.7 for `above`.
    """
    names = tuple(labels)

    def distance(label: Any, count: int) -> Callable[[Any], int]:
        return lambda outcome: abs(read(outcome, label) - count)

    return worst(
        accuracy_of(law, distance(label, true.get(label, 0)))
        for true, law in laws
        for label in names
        if true.get(label, 0) > above
    )


def simultaneous(
    laws: Iterable[tuple[Mapping[Any, int], Dist]], *, labels: Iterable[Any], read: Read = listed
) -> Accuracy:
    """Return the simultaneous accuracy of a histogram, for the worst input; arguments as for `per_query`.

    Requires: labels are all that have a true or a released count.
    Source:   finite-computers, Definition 2.6.
    """
    names = tuple(labels)

    def greatest(true: Mapping[Any, int]) -> Callable[[Any], int]:
        return lambda outcome: max(abs(read(outcome, label) - true.get(label, 0)) for label in names)

    return worst(accuracy_of(law, greatest(true)) for true, law in laws)


def log_ceiling(x: Fraction, step: Epsilon) -> int:
    """Return ceil(ln(x) / step), exactly: the least k with e^(k step) >= x.

    Requires: x >= 1 and step > 0.
    Raises:   InputError otherwise.
    """
    need(x >= 1, x, "a number >= 1", "take the logarithm of its inverse")
    need(step != Epsilon.of(0), "the step 0", "a step > 0", "write Epsilon.of('1/10')")
    whole = Epsilon.ln(x)
    bits = BITS + step.ratio.denominator.bit_length()  # ln(1 + 1/d) is above 1/(2 d)
    (top_lo, top_hi), (step_lo, step_hi) = epsilon_bounds(whole, bits), epsilon_bounds(step, bits)
    low, high = ceil(top_lo / step_hi), ceil(top_hi / step_lo)
    while low < high and not at_most(whole, scaled(step, low)):  # powers decide where bounds do not
        low += 1
    return low
