"""Which mechanism releases most of a user's own frequencies within a budget, and how much each of them loses."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import partial
from math import isqrt
from typing import Any

from dpcert.audit.unbounded.sample_and_threshold.premises import search_epsilon
from dpcert.mechanisms.decimals import decimal_hi
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.finite_computers.compact_costs import finer_epsilon
from dpcert.mechanisms.finite_computers.geosample import noise_exponent
from dpcert.mechanisms.mechanism import rational_ratio
from dpcert.mechanisms.sample_and_threshold.all_counts import greatest_delta, least_threshold
from dpcert.mechanisms.weighted_sampling.pws_grid import grid_probabilities
from dpcert.mechanisms.weighted_sampling.pws_grid_rows import grid_rows, whole_cells
from dpcert.mechanisms.weighted_sampling.pws_rates import sampling_probabilities
from dpcert.planning.bisection import least
from dpcert.planning.compact import MOST_PEOPLE
from dpcert.planning.fixed import binomial_at_least, expected, geometric_at_least, shown
from dpcert.planning.frequencies import Frequencies
from dpcert.planning.lone import least_lone, lone_delta, noise_ratio
from dpcert.planning.noisy_count import inverse_within
from dpcert.planning.question import number_text

RATES = tuple(Fraction(i, 20) for i in (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18))
BITS, COUNT, POINTS = 64, 1000, 60
PEOPLE = 10**12
MOST_IMAX = 2000
PRIVATELY = "the choice was made by the frequencies themselves, which is not private: choose on public data"
NOTHING, VALUES = "keys alone", "keys with values in the order of their counts"
MOST_TOLD = 200
"""The greatest frequency that weighted sampling tells apart from greater ones here."""
Chance = Callable[[int], Fraction]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A mechanism with parameters within a budget, and the chance that it shows a key of each frequency.

    `error` is the standard deviation of the estimate of a count of 1,000, in words. `listed` says that the mechanism
    takes a public list of labels.
    """

    mechanism: str
    settings: Mapping[str, str]
    delta: Fraction
    chance: Chance
    error: str
    neighbours: str = "add-remove"
    listed: bool = False


@dataclass(frozen=True, slots=True)
class Compared:
    """The release of a mechanism on the frequencies: expected numbers of keys and of people in them, as texts.

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
    neighbours: str
    listed: bool


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
        return {"schema": "dpcert.comparison/1", **asdict(self), "notes": [PRIVATELY]}


def compared(frequencies: Frequencies, *, epsilon: object, delta: object, universe: int | None = None) -> Comparison:
    """Return the keys and people that each mechanism shows, for one person more or less, or one who moves.

    Those that need a public list of labels are among them where its length, the `universe`, is given. Such a release
    has counts of labels that do not occur, too: a key counts as shown where its noisy count is above a threshold that
    one label of those, or fewer, is above in expectation.

    For sample-and-threshold the rate is one of RATES that shows most keys, with the least threshold that all counts
    allow; for the stability-based histogram the least threshold; for weighted sampling every key may be sampled.

    Raises: InputError for an epsilon of 0, a delta that is not in (0, 1), and a universe with fewer labels than keys.
    """
    spend, lost = Epsilon.of(epsilon), exact(delta, "delta")
    if not 0 < lost < 1 or spend == Epsilon.of(0):
        given = f"epsilon = {spend}, delta = {lost}"
        raise InputError(given=given, needed="an epsilon above 0 and a delta in (0, 1)", remedy="write 1 and 1e-6")
    if universe is not None and universe < max(2, frequencies.keys):
        needed = f"at least {max(2, frequencies.keys)}: the file has {frequencies.keys} keys"
        raise InputError(given=f"a universe of {universe} labels", needed=needed, remedy="count all that may occur")
    found = [_sampled(frequencies, spend, lost), _stable(spend, lost), *_weighted(frequencies, spend, lost)]
    if universe is not None:
        found += _listed(frequencies, spend, universe)
    candidates = [one for one in found if one is not None]
    top = 2 * max((least(partial(_half_shown, one.chance), 1, 10**9) or 1 for one in candidates), default=1)
    at = tuple(sorted({1 + (top - 1) * step // POINTS for step in range(POINTS + 1)}))
    found_keys = [(expected(frequencies, one.chance), one) for one in candidates]
    found_keys.sort(key=lambda row: -row[0])
    rows = tuple(_row(frequencies, keys, one, at) for keys, one in found_keys)
    return Comparison(str(spend), number_text(lost), frequencies.keys, frequencies.total, rows, at)


def _half_shown(chance: Chance, frequency: int) -> bool:
    return chance(frequency) >= Fraction(1, 2)


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
        one.neighbours,
        one.listed,
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
    return Candidate(
        "stability-histogram",
        {"threshold": str(threshold)},
        lone_delta(PEOPLE, ratio, threshold),
        lambda frequency: geometric_at_least(ratio, threshold + 1 - frequency),
        _deviation(ratio),
    )


def _listed(frequencies: Frequencies, epsilon: Epsilon, universe: int) -> Iterator[Candidate]:
    """Yield the histograms with a count for every label of a public list, and those of at most n of its labels."""

    def candidate(mechanism: str, settings: Mapping[str, str], ratio: Fraction, neighbours: str) -> Candidate:
        absent = universe - frequencies.keys
        high = least(lambda at: absent * geometric_at_least(ratio, at + 1) <= 1, 0, PEOPLE) or 0

        def chance(frequency: int) -> Fraction:
            return geometric_at_least(ratio, high + 1 - frequency)

        return Candidate(mechanism, settings, Fraction(0), chance, _deviation(ratio), neighbours, listed=True)

    yield candidate("basic-histogram", {}, noise_ratio(epsilon, 1), "add-remove")
    people = {"n": str(frequencies.total)}
    if frequencies.total < universe:
        yield candidate("keep-heavy", people, noise_ratio(epsilon, 2), "substitute")
    short = inverse_within(epsilon, 1)
    if short is not None and frequencies.total <= MOST_PEOPLE:
        k = noise_exponent(finer_epsilon(short))
        yield candidate("compact-histogram", people, 1 + Fraction(1, 1 << k), "substitute")


def _weighted(frequencies: Frequencies, epsilon: Epsilon, delta: Fraction) -> Iterator[Candidate]:
    """Yield weighted sampling of keys, each sampled, and of frequencies: no mechanism that treats keys alike shows more
    of them.
    """
    imax = min(frequencies.greatest, MOST_IMAX)
    q = sampling_probabilities("1", MOST_IMAX)
    masses = list(grid_probabilities(q=q, ratio=rational_ratio(epsilon), delta=delta, bits=BITS))
    yield Candidate(
        "pws-keys",
        {"imax": str(imax)},
        delta,
        lambda frequency: Fraction(masses[min(frequency, MOST_IMAX) - 1], 1 << BITS),
        NOTHING,
    )
    told, one = sampling_probabilities("1", min(imax, MOST_TOLD)), 1 << BITS
    cells = whole_cells(len(told))
    rows = list(grid_rows(q=told, ratio=rational_ratio(epsilon), delta=delta, bits=BITS, cells=cells))
    yield Candidate(
        "pws-frequencies",
        {"imax": str(len(told))},
        delta,
        lambda frequency: Fraction(one - rows[min(frequency, len(told))].unreported, one),
        VALUES,
    )


def _deviation(ratio: Fraction) -> str:
    """Return the standard deviation of two-sided geometric noise of this ratio, in words."""
    alpha = 1 / ratio
    return _root(2 * alpha / (1 - alpha) ** 2)


def _root(square: Fraction) -> str:
    return decimal_hi(Fraction(isqrt(int(square * 10**8)) + 1, 10**4), 3)
