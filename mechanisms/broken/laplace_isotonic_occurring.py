"""Noisy sorted counts of the labels that occur alone: how many do is told without noise."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.anonymized_histograms.laplace_isotonic import (
    LAPLACE_ISOTONIC,
    PARAMETERS,
    Fitted,
    fitted,
    scope_of,
)
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.geometric import geometric
from dpcert.mechanisms.mechanism import Instance, Mechanism

__all__ = ["LAPLACE_ISOTONIC_OCCURRING"]


def occurring(*, labels: int, sampler: Callable[[int, Coins], int]) -> Fitted:
    """Release the sorted counts of the labels that occur, noisy, then fitted, where those of all labels are meant."""

    def noisy(found: tuple[int, ...], count: int, coins: Coins) -> tuple[int, ...]:
        return (*found, sampler(count, coins))

    def release(counts: Sequence[int], coins: Coins) -> tuple[int, ...]:
        ranked = sorted(counts, reverse=True)
        start: tuple[int, ...] = ()
        return fitted(coins.fold(ranked, start, noisy))

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    labels, nmax, ratio, _ = scope_of(settings)
    program = occurring(labels=labels, sampler=geometric(n=nmax, ratio=ratio))
    return replace(LAPLACE_ISOTONIC.build(settings), program=program, closed_form=None)


DEFAULTS = {"labels": "1", "nmax": "1"}

LAPLACE_ISOTONIC_OCCURRING = Mechanism(
    name="laplace-isotonic-occurring",
    words="the sorted counts that are not 0 with geometric noise, then isotonic regression",
    source="anonymized-histograms, Section 4.1, the first incorrect algorithm, for sorted counts",
    parameters=tuple(replace(one, default=DEFAULTS.get(one.name, one.default)) for one in PARAMETERS),
    build=_build,
    expect="refuted",
    twin="laplace-isotonic",
    fault="noise on the counts that occur alone",
)
