"""How accurate a release will be: exact numbers beside the printed ones of a paper, before any data are there."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType

from dpcert.mechanisms.decimals import decimal_hi
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact, need
from dpcert.mechanisms.finite_computers.accuracy import log_ceiling
from dpcert.mechanisms.logarithm import ln_bounds, root_bounds
from dpcert.mechanisms.mechanism import integer, probability
from dpcert.planning.bisection import least
from dpcert.planning.fixed import power_bounds
from dpcert.planning.lone import POWER_BITS
from dpcert.planning.question import chosen_settings
from dpcert.releasing.intervals import MOST, geometric_reach, need_beta, rare
from dpcert.releasing.made import DIGITS, Estimates

MOST_PEOPLE = 10**5
"""The greatest number of people of an item whose chance to be omitted is summed exactly."""
BITS = 64
Row = tuple[str, str, str]
"""A quantity, its source, and the number."""


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


def _people(text: str) -> Iterator[int]:
    for part in filter(None, text.split(",")):
        yield integer({"people": part.strip()}, "people", least=1, greatest=MOST_PEOPLE)


def sampled(settings: Mapping[str, str], beta: Fraction) -> Iterator[Row]:
    """Yield the chance that an item is omitted, and the error of n/p, for items of some numbers of people.

    Source: sample-and-threshold, Lemmas 5 and 6; that of Lemma 5 holds where W p >= tau, and the constant of Lemma 6 is
            not printed: with 2 exp(-gamma^2 mu/3) it was tested.
    """
    own = chosen_settings("accuracy", settings, "rate", "threshold", "people")
    rate, threshold = probability(own, "rate"), integer(own, "threshold", least=1, greatest=1000)
    for people in _people(own["people"]):
        mean, item = people * rate, f"of {people} people"
        top, bottom = omitted(people, rate, threshold)
        short = max(0, bottom.bit_length() - top.bit_length()) + 2 * BITS
        chance = Fraction(-((-top << short) // bottom), 1 << short)  # by no gcd: both may have millions of digits
        yield f"an item {item} is omitted", "exact", decimal_hi(chance, DIGITS)
        if mean >= threshold:
            bound = 1 / Epsilon.of((mean - threshold) ** 2 / (2 * mean)).exp_bounds(BITS)[0]
            yield f"an item {item} is omitted", "printed, Lemma 5", decimal_hi(bound, DIGITS)
        error = f"the error of n/p {item} is at most"
        yield error, "exact, half of beta on each side", str(sampling_error(people, rate, beta))
        gamma = root_bounds(3 * ln_bounds(2 / beta, BITS)[1] / mean, BITS)[1]
        if gamma < 1:
            yield error, "Lemma 6 as corrected", decimal_hi(gamma * people, DIGITS)


def omitted(people: int, rate: Fraction, threshold: int) -> tuple[int, int]:
    """Return Pr[B(people, rate) < threshold], exactly, as a numerator and a denominator."""
    up, whole = rate.numerator, rate.denominator
    weight, total = (whole - up) ** people, 0
    for v in range(min(threshold, people + 1)):
        total += weight
        weight = weight * ((people - v) * up) // ((v + 1) * (whole - up))  # the next term, an integer
    return total, whole**people


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
    own = chosen_settings("accuracy", settings, "ratio", labels="1", threshold="", people="")
    ratio, labels = exact(own["ratio"], "ratio"), integer(own, "labels", least=1, greatest=10**9)
    need(ratio > 1, f"ratio={own['ratio']}", "e^epsilon of one count, above 1", "write --set ratio=3/2")
    step = Epsilon.ln(ratio)

    def all_within(a: int) -> bool:
        """Whether it is certain that all noises are within a with probability 1 - beta: (1 - b)^labels >= 1 - beta."""
        beyond = tail(ratio, a + 1) * 2
        return beyond < 1 and labels * ln_bounds(1 - beyond, POWER_BITS)[0] >= ln_bounds(1 - beta, POWER_BITS)[1]

    one = geometric_reach(ratio, beta)
    every = least(all_within, one, MOST)
    yield "the error of one count is at most", "exact", str(one)
    yield "the error of one count is at most", "printed, Theorem 4.6 ii", str(log_ceiling(1 / beta, step))
    yield f"all {labels} errors are at most", "exact", str(every)
    yield f"all {labels} errors are at most", "union bound of Theorem 4.6 ii", str(log_ceiling(labels / beta, step))
    if "threshold" in own:
        threshold = integer(own, "threshold", least=0)
        for people in _people(own.get("people", "")):
            far, bits = people - threshold, POWER_BITS + people * int(ratio).bit_length()
            # Pr[people + Z <= threshold]
            chance = tail(ratio, far, bits) if far > 0 else 1 - tail(ratio, 1 - far, up=False)
            yield f"an item of {people} people is omitted", "exact", decimal_hi(chance, DIGITS)


def tail(ratio: Fraction, z: int, bits: int = POWER_BITS, *, up: bool = True) -> Fraction:
    """Return a bound of Pr[Z >= z] = ratio^-z/(1 + 1/ratio), for z > 0, within about z 2^-bits.

    The noise is two-sided geometric: Pr[Z = z] is proportional to ratio^-|z|.
    """
    return power_bounds(1 / ratio, z, bits)[up] / (1 + 1 / ratio)


KINDS: Mapping[str, Callable[[Mapping[str, str], Fraction], Iterator[Row]]] = MappingProxyType(
    {
        **dict.fromkeys(("sample-threshold-histogram", "heavy-hitters", "bounded-histogram"), sampled),
        **dict.fromkeys(("stability-histogram", "basic-histogram"), noisy),
    }
)
"""The function that says how accurate each mechanism is."""
