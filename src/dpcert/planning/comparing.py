"""Which mechanism releases most of a user's own frequencies within a budget, and what each of them loses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from math import isqrt
from typing import Any

from dpcert.audit.unbounded.sample_and_threshold.premises import search_epsilon
from dpcert.mechanisms.decimals import decimal_hi
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.mechanism import rational_ratio
from dpcert.mechanisms.sample_and_threshold.all_counts import greatest_delta, least_threshold
from dpcert.mechanisms.weighted_sampling.pws_grid import grid_probabilities
from dpcert.mechanisms.weighted_sampling.pws_rates import sampling_probabilities
from dpcert.planning.bisection import least
from dpcert.planning.fixed import binomial_at_least, expected, geometric_at_least, shown
from dpcert.planning.frequencies import Frequencies
from dpcert.planning.lone import least_lone, lone_delta, noise_ratio
from dpcert.planning.question import number_text

RATES = tuple(Fraction(i, 20) for i in (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18))
BITS, COUNT, POINTS = 64, 1000, 60
PEOPLE = 10**12
MOST_IMAX = 2000
PRIVATELY = "the choice was made by the frequencies themselves, which is not private: choose on public data"
NOTHING = "keys alone"
Chance = Callable[[int], Fraction]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A mechanism with parameters within a budget, and the chance that it shows a key of each frequency.

    `error` is the standard deviation of the estimate of a count of 1,000, in words.
    """

    mechanism: str
    settings: Mapping[str, str]
    delta: Fraction
    chance: Chance
    error: str


@dataclass(frozen=True, slots=True)
class Compared:
    """What a mechanism releases of the frequencies: expected numbers of keys and of people in them, as texts.

    `chances` are those that a key is shown, at each of the frequencies of the comparison.
    """

    mechanism: str
    settings: dict[str, str]
    delta: str
    keys: str
    people: str
    lost_keys: str
    lost_people: str
    error: str
    chances: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The mechanisms in the order of the keys that they show, best first, and the frequencies of the chances."""

    epsilon: str
    delta: str
    keys: int
    people: int
    rows: tuple[Compared, ...]
    frequencies: tuple[int, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the comparison as JSON data."""
        return {"schema": "dpcert.comparison/1", **asdict(self), "notes": [PRIVATELY]}


def compared(frequencies: Frequencies, *, epsilon: object, delta: object) -> Comparison:
    """Return what each mechanism that needs no list of labels shows of the frequencies, for one person more or less.

    For sample-and-threshold the rate is one of RATES that shows most keys, with the least threshold that all counts
    allow; for the stability-based histogram the least threshold; for weighted sampling every key may be sampled.

    Raises: InputError for an epsilon of 0, and a delta that is not in (0, 1).
    """
    spend, lost = Epsilon.of(epsilon), exact(delta, "delta")
    if not 0 < lost < 1 or spend == Epsilon.of(0):
        given = f"epsilon = {spend}, delta = {lost}"
        raise InputError(given=given, needed="an epsilon above 0 and a delta in (0, 1)", remedy="write 1 and 1e-6")
    found = [_sampled(frequencies, spend, lost), _stable(spend, lost), _weighted(frequencies, spend, lost)]
    candidates = [one for one in found if one is not None]
    top = 2 * max((_half_shown(one.chance) for one in candidates), default=1)
    at = tuple(sorted({1 + (top - 1) * step // POINTS for step in range(POINTS + 1)}))
    rows = [(expected(frequencies, one.chance), one) for one in candidates]
    rows.sort(key=lambda row: -row[0])
    return Comparison(
        str(spend),
        number_text(lost),
        frequencies.keys,
        frequencies.total,
        tuple(_row(frequencies, keys, one, at) for keys, one in rows),
        at,
    )


def _half_shown(chance: Chance) -> int:
    """Return the least frequency of which a key is shown with probability 1/2 or more."""
    return least(lambda frequency: chance(frequency) >= Fraction(1, 2), 1, 10**9) or 1


def _row(frequencies: Frequencies, keys: Fraction, one: Candidate, at: tuple[int, ...]) -> Compared:
    people = expected(frequencies, lambda frequency: frequency * one.chance(frequency))
    return Compared(
        one.mechanism,
        dict(one.settings),
        decimal_hi(one.delta),
        shown(keys),
        shown(people),
        shown(frequencies.keys - keys),
        shown(frequencies.total - people),
        one.error,
        tuple(shown(one.chance(frequency)) for frequency in at),
    )


def _sampled(frequencies: Frequencies, epsilon: Epsilon, delta: Fraction) -> Candidate | None:
    """Return sample-and-threshold at the rate that shows most keys."""
    ratio = search_epsilon(epsilon).exp_bounds(128)[0]
    best: tuple[Fraction, Candidate] | None = None
    for rate in RATES:
        try:
            threshold = least_threshold(rate=rate, ratio=ratio, delta=delta)
        except InputError:  # not settled by the counts that are examined
            continue
        if threshold is None:
            continue

        def chance(frequency: int, rate: Fraction = rate, threshold: int = threshold) -> Fraction:
            return binomial_at_least(frequency, rate, threshold)

        keys = expected(frequencies, chance)
        if best is None or keys > best[0]:
            needed = greatest_delta(rate=rate, threshold=threshold, ratio=ratio).delta
            settings = {"rate": number_text(rate), "threshold": str(threshold)}
            square = COUNT * (1 - rate) / rate
            best = keys, Candidate("sample-threshold-histogram", settings, needed, chance, _root(square))
    return None if best is None else best[1]


def _stable(epsilon: Epsilon, delta: Fraction) -> Candidate:
    """Return the stability-based histogram at its least threshold, as it is released."""
    ratio = noise_ratio(epsilon, 1)
    threshold = least_lone(PEOPLE, ratio, delta)
    alpha = 1 / ratio
    return Candidate(
        "stability-histogram",
        {"threshold": str(threshold)},
        lone_delta(PEOPLE, ratio, threshold),
        lambda frequency: geometric_at_least(ratio, threshold + 1 - frequency),
        _root(2 * alpha / (1 - alpha) ** 2),
    )


def _weighted(frequencies: Frequencies, epsilon: Epsilon, delta: Fraction) -> Candidate:
    """Return weighted sampling of keys, each sampled: no mechanism that treats keys alike shows more of them."""
    imax = min(frequencies.greatest, MOST_IMAX)
    q = sampling_probabilities("1", MOST_IMAX)
    masses = list(grid_probabilities(q=q, ratio=rational_ratio(epsilon), delta=delta, bits=BITS))
    return Candidate(
        "pws-keys",
        {"imax": str(imax)},
        delta,
        lambda frequency: Fraction(masses[min(frequency, MOST_IMAX) - 1], 1 << BITS),
        NOTHING,
    )


def _root(square: Fraction) -> str:
    return decimal_hi(Fraction(isqrt(int(square * 10**8)) + 1, 10**4), 3)
