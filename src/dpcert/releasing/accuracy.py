"""How accurate a release will be: exact beside what a paper prints, before any data are there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import comb
from types import MappingProxyType

from dpcert.mechanisms.anonymized_histograms.moments import GeometricMoments
from dpcert.mechanisms.decimals import decimal_hi
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact, need
from dpcert.mechanisms.finite_computers.accuracy import log_ceiling
from dpcert.mechanisms.logarithm import ln_bounds, root_bounds
from dpcert.mechanisms.mechanism import integer, probability
from dpcert.planning.bisection import least
from dpcert.releasing.estimates import DIGITS, Estimates
from dpcert.releasing.intervals import need_beta, rare

MOST_PEOPLE = 10**5
"""The greatest number of people of an item whose chance to be omitted is summed exactly."""
BITS = 64
Row = tuple[str, str, str]
"""What is said, by what, and the number."""


def accuracy(mechanism: str, *, settings: Mapping[str, str], beta: object = "1/20") -> Estimates:
    """Return how accurate a mechanism is at settings: errors that are exceeded with probability `beta` at most, for one
    query and for all, and how likely items of some numbers of people are omitted.

    Sampled histograms have `rate`, `threshold` and `people`, a list; noisy ones `ratio`, the number of `labels`, and
    where they have one a `threshold` and `people`.

    Raises: InputError for another mechanism, and for settings of no use.
    """
    if mechanism not in KINDS:
        raise InputError(given=f"accuracy {mechanism}", needed=" or ".join(KINDS), remedy="name one of these")
    chance = need_beta(exact(beta, "beta"))
    rows = tuple(KINDS[mechanism](dict(settings), chance))
    notes = ("an exact number is that of the mechanism's law, rounded up; printed is what the paper prints",)
    return Estimates(mechanism, ("what", "by", "number"), rows, notes, "dpcert.accuracy/1")


def _need(settings: Mapping[str, str], *names: str, **optional: str) -> dict[str, str]:
    wrong = next((name for name in settings if name not in (*names, *optional)), None)
    missing = next((name for name in names if name not in settings), None)
    if wrong is not None or missing is not None:
        given = f"--set {wrong}" if wrong is not None else f"no {missing}"
        needed = f"the settings {', '.join((*names, *optional))}"
        raise InputError(given=given, needed=needed, remedy=f"write --set {missing or names[0]}=")
    return {**optional, **settings}


def _people(text: str) -> Iterator[int]:
    for part in filter(None, text.split(",")):
        yield integer({"people": part.strip()}, "people", least=1, greatest=MOST_PEOPLE)


def sampled(settings: Mapping[str, str], beta: Fraction) -> Iterator[Row]:
    """Yield the chance that an item is omitted, and the error of n/p, for items of some numbers of people.

    Source: sample-and-threshold, Lemmas 5 and 6; that of Lemma 5 holds where W p >= tau, and the constant of Lemma 6 is
            not printed: with 2 exp(-gamma^2 mu/3) it was tested.
    """
    own = _need(settings, "rate", "threshold", "people")
    rate, threshold = probability(own, "rate"), integer(own, "threshold", least=1, greatest=1000)
    for people in _people(own["people"]):
        mean, item = people * rate, f"of {people} people"
        yield f"an item {item} is omitted", "exact", decimal_hi(omitted(people, rate, threshold), DIGITS)
        if mean >= threshold:
            bound = 1 / Epsilon.of((mean - threshold) ** 2 / (2 * mean)).exp_bounds(BITS)[0]
            yield f"an item {item} is omitted", "printed, Lemma 5", decimal_hi(bound, DIGITS)
        error = f"the error of n/p {item} is at most"
        yield error, "exact, half of beta on each side", str(sampling_error(people, rate, beta))
        gamma = root_bounds(3 * ln_bounds(2 / beta, BITS)[1] / mean, BITS)[1]
        if gamma < 1:
            yield error, "Lemma 6 as corrected", decimal_hi(gamma * people, DIGITS)


def omitted(people: int, rate: Fraction, threshold: int) -> Fraction:
    """Return Pr[B(people, rate) < threshold], exactly."""
    up, whole = rate.numerator, rate.denominator
    down, most = whole - up, min(threshold, people + 1)
    total = sum(comb(people, v) * up**v * down ** (people - v) for v in range(most))
    return Fraction(total, whole**people)


def sampling_error(people: int, rate: Fraction, beta: Fraction) -> int:
    """Return the least a for which it is certain, each side by itself, that |n/p - people| > a has at most beta.

    Each side has beta/2, as in the intervals of estimates.
    """

    def enough(a: int) -> bool:
        above = (rate * (people + a)) // 1 + 1  # the least n with n/p > people + a
        below = -((-rate * (people - a)) // 1) - 1  # the greatest n with n/p < people - a
        few = below < 0 or rare(people, people - int(below), 1 - rate, beta / 2)
        return few and rare(people, int(above), rate, beta / 2)

    found = least(enough, 0, people * rate.denominator)
    return people * rate.denominator if found is None else found


def noisy(settings: Mapping[str, str], beta: Fraction) -> Iterator[Row]:
    """Yield the error of one count with two-sided geometric noise and of all, and the chance that items are omitted.

    Source: finite-computers, Theorem 4.6 ii, for one count; for all the same of beta/|X|, by the union bound.
    """
    own = _need(settings, "ratio", labels="1", threshold="", people="")
    ratio, labels = exact(own["ratio"], "ratio"), integer(own, "labels", least=1, greatest=10**9)
    need(ratio > 1, f"ratio={own['ratio']}", "e^epsilon of one count, above 1", "write --set ratio=3/2")
    law, step = GeometricMoments(1 / ratio), Epsilon.ln(ratio)

    def all_within(a: int) -> bool:
        """Whether all noises are within a with probability 1 - beta: (1 - b)^labels >= 1 - beta."""
        return labels * ln_bounds(1 - law.beyond(a), BITS)[0] >= ln_bounds(1 - beta, BITS)[1]

    one = least(lambda a: law.beyond(a) <= beta, 0, 1 << 40)
    every = least(lambda a: law.beyond(a) < 1 and all_within(a), one or 0, 1 << 40)
    yield "the error of one count is at most", "exact", str(one)
    yield "the error of one count is at most", "printed, Theorem 4.6 ii", str(log_ceiling(1 / beta, step))
    yield f"all {labels} errors are at most", "exact", str(every)
    yield f"all {labels} errors are at most", "union bound of Theorem 4.6 ii", str(log_ceiling(labels / beta, step))
    if own["threshold"]:
        threshold = integer(own, "threshold", least=0)
        for people in _people(own["people"]):
            chance = law.at_least(people - threshold)  # Pr[people + Z <= threshold]
            yield f"an item of {people} people is omitted", "exact", decimal_hi(chance, DIGITS)


KINDS: Mapping[str, Callable[[Mapping[str, str], Fraction], Iterator[Row]]] = MappingProxyType(
    {
        **dict.fromkeys(("sample-threshold-histogram", "heavy-hitters", "bounded-histogram"), sampled),
        **dict.fromkeys(("stability-histogram", "basic-histogram"), noisy),
    }
)
"""What says how accurate each mechanism is."""
