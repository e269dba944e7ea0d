"""One person who moves, with the threshold on one of the two bins alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.basic_histogram import Bins
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter
from dpcert.mechanisms.sample_and_threshold.moved_person import MOVED_PARAMETERS, MOVED_PERSON, moved_instance

__all__ = ["MOVED_PERSON_SHOWN"]


def moved_shown(*, rate: Fraction, threshold: int) -> Callable[[Sequence[int], Coins], Bins]:
    """Show the second bin whenever anybody of it was sampled."""

    def sample(counts: tuple[int, ...], label: int, coins: Coins) -> tuple[int, ...]:
        if coins.below(rate.denominator) >= rate.numerator:
            return counts
        return (*counts[:label], counts[label] + 1, *counts[label + 1 :])

    nobody: tuple[int, ...] = (0, 0)

    def release(people: Sequence[int], coins: Coins) -> Bins:
        sampled = coins.fold(people, nobody, sample)
        return tuple((label, n) for label, n in enumerate(sampled) if n >= (threshold if label == 0 else 1))

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    rate, threshold, _ = moved_instance(settings)
    meant = MOVED_PERSON.build(settings)
    return replace(meant, program=moved_shown(rate=rate, threshold=threshold), closed_form=None)


MOVED_PERSON_SHOWN = Mechanism(
    name="moved-person-shown",
    words="moved-person with no threshold for the second bin",
    source="sample-and-threshold, Section 3.1, where every bin has the threshold",
    parameters=(*MOVED_PARAMETERS[:3], Parameter("entered", "1", MOVED_PARAMETERS[3].words)),
    build=_build,
    expect="refuted",
    twin="moved-person",
    fault="no threshold for one of the bins",
)
