"""The faults of moved-person."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dpcert.mechanisms.broken.fault import FaultsOf, Settings
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.basic_histogram import Bins
from dpcert.mechanisms.mechanism import Expected
from dpcert.mechanisms.sample_and_threshold.moved_person import MOVED_PERSON, moved_instance

fault = FaultsOf(MOVED_PERSON)


@fault(
    "moved-person-shown",
    source="sample-and-threshold, Section 3.1, where every bin has the threshold",
    fault="no threshold for one of the bins",
    edit=("(threshold if label == 0 else 1)", "threshold"),
    defaults={"entered": "1"},
    expected=Expected([0, 0, 1], [0, 0, 0], [((1, 1),)], "99/1000", "0"),
)
def moved_person_shown(settings: Settings) -> Callable[[Sequence[int], Coins], Bins]:
    """moved-person with no threshold for the second bin"""
    rate, threshold, _ = moved_instance(settings)

    def sample(counts: tuple[int, ...], label: int, coins: Coins) -> tuple[int, ...]:
        if coins.below(rate.denominator) >= rate.numerator:
            return counts
        return (*counts[:label], counts[label] + 1, *counts[label + 1 :])

    nobody: tuple[int, ...] = (0, 0)

    def release(people: Sequence[int], coins: Coins) -> Bins:
        sampled = coins.fold(people, nobody, sample)
        return tuple((label, n) for label, n in enumerate(sampled) if n >= (threshold if label == 0 else 1))

    return release
