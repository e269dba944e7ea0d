"""The faults of bounded-histogram."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain, islice

from dpcert.mechanisms.broken.fault import FaultsOf, Settings
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.basic_histogram import Bins
from dpcert.mechanisms.mechanism import Expected, integer, probability
from dpcert.mechanisms.sample_and_threshold.bounded_histogram import BOUNDED_HISTOGRAM, Record
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import threshold_counts

fault = FaultsOf(BOUNDED_HISTOGRAM)


@fault(
    "bounded-histogram-repeated",
    source="sample-and-threshold, Section 3.1, with a bound on how many rows a user has",
    fault="a label that a user names twice counts twice",
    edit=("islice(record, bound)", "islice(dict.fromkeys(record), bound)"),
    defaults={"bound": "2", "universe": "1", "users": "1", "delta": "1/200"},
    about={"delta": "the claimed delta; with labels that count once it needs none here"},
    expected=Expected([[0, 0]], [[]], [((0, 2),)], "1/100", "0"),
)
def bounded_histogram_repeated(settings: Settings) -> Callable[[Sequence[Record], Coins], Bins]:
    """bounded-histogram of the first rows of each user, several of which may have one label"""
    bound = integer(settings, "bound", least=1)
    release = threshold_counts(rate=probability(settings, "rate"), threshold=integer(settings, "threshold", least=1))

    def rows(users: Sequence[Record], coins: Coins) -> Bins:
        counts = Counter(chain.from_iterable(islice(record, bound) for record in users))
        return release(sorted(counts.items()), coins)

    return rows
