"""Contacting few clients: a sample of random size from a fixed number of people asked, and its release.

Where the choice treats people alike, all samples of one size have the same probability. So the law of the size gives
the law of the sample. Poisson sampling of n people has the size B(n, m/n).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import comb, isqrt, prod
from typing import Any

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.domain import label_lists
from dpcert.mechanisms.drawn import bit_by_bit, coin_by_coin
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.number import need
from dpcert.mechanisms.finite_computers.basic_histogram import Bins, tally
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer
from dpcert.mechanisms.sample_and_threshold.sample_threshold import kl_delta
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import Released

MOST_LISTS = 20_000


def binomial(n: int, p: Fraction) -> Dist:
    """Return the law of the number of successes among n, each with probability p."""
    return Dist.binomial(n, p)


def capped(size: Dist, most: int) -> Dist:
    """Return the law of the lesser of a size and `most`."""
    return size.map(lambda value: min(value, most))


def survival(n: int, p: Fraction, value: int) -> Fraction:
    """Return the probability that more than `value` of n succeed, each with probability p."""
    return sum((q for v, q in binomial(n, p).items() if v > value), Fraction(0))


def contacted(m: int, slack: int) -> int:
    """Return m + ceil(c sqrt(m)), for c = `slack`: how many clients are contacted."""
    square = slack * slack * m
    return m + isqrt(square) + (isqrt(square) ** 2 < square)


def contacted_histogram(
    *, n: int, m: int, asked: int, threshold: int, universe: int
) -> Callable[[Sequence[int], Coins], Bins]:
    """Ask `asked` of n people, take as many of them as Poisson sampling would, and show labels taken often enough.

    The size is drawn first, as B(n, m/n), and cut off at `asked`.

    Requires: 1 <= m < n, m <= asked <= n, threshold >= 1; inputs are lists of n labels 0..universe-1.
    Claims:   the release is within Pr[B(n, m/n) > asked] of that of sample-and-threshold at rate m/n, in total
              variation; so it is (epsilon, delta + (1 + e^epsilon) Pr[B(n, m/n) > asked])-DP wherever that is (epsilon,
              delta)-DP.
    Source:   sample-and-threshold, Lemma 4; the printed realisation is another one.
    """

    by_counts = contacted_counts(n=n, m=m, asked=asked, threshold=threshold)
    return lambda people, coins: by_counts(tally(people), coins)


def contacted_counts(
    *, n: int, m: int, asked: int, threshold: int, quick: bool = False
) -> Callable[[Sequence[tuple[Any, int]], Coins], Released]:
    """Ask people and show labels as `contacted_histogram` does, which is this program on the counts of a list.

    With `quick`, `bit_by_bit` draws the size and `taken_at_places` takes people.

    Requires: inputs are labels in order, each once, with how many of the n people have it.
    """
    sample = (bit_by_bit if quick else coin_by_coin)(Fraction(m, n))
    taken = taken_at_places if quick else taken_and_shown
    return lambda counts, coins: taken(counts, min(sample(n, coins), asked), n, threshold, coins)


def taken_and_shown(counts: Sequence[tuple[Any, int]], size: int, n: int, threshold: int, coins: Coins) -> Released:
    """Take `size` of the n people at random, and show the labels taken at least `threshold` times with their counts."""

    def take(state: tuple[int, int], place: int, coins: Coins) -> tuple[int, int]:
        left, taken = state
        return (left - 1, taken + 1) if coins.below(n - place) < left else state

    left, first, shown = size, 0, []
    for label, count in counts:
        left, taken = coins.fold(range(first, first + count), (left, 0), take)
        first += count
        if taken >= threshold:
            shown.append((label, taken))
    return tuple(shown)


def taken_at_places(counts: Sequence[tuple[Any, int]], size: int, n: int, threshold: int, coins: Coins) -> Released:
    """Do as `taken_and_shown` does, by one draw for each person taken.

    Claims: each set of `size` of the n places is as likely as any other: the j-th draw is of a new place among the
            first ones, or else the last of these is taken.
    Source: Bentley and Floyd 1987, Programming Pearls: a sample of brilliance.
    """
    chosen: set[int] = set()
    for last in range(n - size, n):
        place = coins.below(last + 1)
        chosen.add(last if place in chosen else place)
    places, first, shown = sorted(chosen), 0, []
    for label, count in counts:
        taken = bisect_left(places, first + count) - bisect_left(places, first)
        first += count
        if taken >= threshold:
            shown.append((label, taken))
    return tuple(shown)


def contacted_histogram_law(*, size: Dist, threshold: int, universe: int) -> Callable[[Sequence[int]], Dist]:
    """Return the law of the release for a sample of random size; all samples of one size are equally likely."""

    def law(people: Sequence[int]) -> Dist:
        counts = [sum(person == label for person in people) for label in range(universe)]
        rows = []
        for taken in product(*(range(count + 1) for count in counts)):
            alike = prod(map(comb, counts, taken)) * size.prob(sum(taken))
            shown = tuple((label, amount) for label, amount in enumerate(taken) if amount >= threshold)
            rows.append((shown, alike / comb(len(people), sum(taken))))
        return Dist.of(rows)

    return law


def people_lists(n: int, universe: int) -> Iterator[list[int]]:
    """Yield all lists of n labels, in order.

    Raises: InputError where there are more than MOST_LISTS lists.
    """
    need(universe**n <= MOST_LISTS, f"n={n}, universe={universe}", f"at most {MOST_LISTS} lists", "lower one of them")
    return (list(people) for people in product(range(universe), repeat=n))


def settings_of(settings: Mapping[str, str]) -> tuple[int, int, int, int, int]:
    """Return n, m, the number asked, the threshold and the universe.

    Raises: InputError for a mean that is no integer from 1 to n - 1, or a number asked that is not from m to n.
    """
    n = integer(settings, "n", least=2, greatest=1000)
    m = integer(settings, "m", least=1, greatest=n - 1)
    asked = integer(settings, "asked", least=m, greatest=n)
    return n, m, asked, integer(settings, "threshold", least=1), integer(settings, "universe", least=1, greatest=100)


def _build(settings: Mapping[str, str]) -> Instance:
    n, m, asked, threshold, universe = settings_of(settings)
    rate = Fraction(m, n)
    ratio = 2 / (1 - rate)
    delta = kl_delta(rate=rate, threshold=threshold, ratio=ratio) + (1 + ratio) * survival(n, rate, asked)
    size = capped(binomial(n, rate), asked)
    return Instance(
        program=contacted_histogram(n=n, m=m, asked=asked, threshold=threshold, universe=universe),
        closed_form=contacted_histogram_law(size=size, threshold=threshold, universe=universe),
        inputs=tuple(people_lists(n, universe)),
        neighbours="substitute",
        epsilon=Epsilon.ln(ratio),
        delta=min(delta, Fraction(1)),
        domain=label_lists(n, universe),
    )


CONTACTED_HISTOGRAM = Mechanism(
    name="contacted-histogram",
    words="contact a fixed number of people, take a sample of random size of them, and report the labels taken often",
    source="sample-and-threshold, Section 3.2, Lemma 4",
    parameters=(
        Parameter("n", "5", "the number of people"),
        Parameter("m", "1", "the mean of the sample's size"),
        Parameter("asked", "3", "how many people are contacted"),
        Parameter("threshold", "2", "the least count that is reported"),
        Parameter("universe", "2", "the number of labels, 0 to universe - 1"),
    ),
    build=_build,
)
