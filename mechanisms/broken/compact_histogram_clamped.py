"""A compact histogram whose empty-bin sampler cuts its number off at d in place of spreading d0 numbers over d."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.compact_histogram import Release, compact_histogram, polynomials, small
from dpcert.mechanisms.finite_computers.empty_bin import EmptyBin
from dpcert.mechanisms.finite_computers.hash_family import HashFamily
from dpcert.mechanisms.mechanism import Instance, Mechanism

__all__ = ["COMPACT_HISTOGRAM_CLAMPED"]


class Clamped(EmptyBin):
    """The sampler M(0, min(u0, d))."""

    def narrowed(self, u0: int) -> int:
        """Return min(u0, d), where f(u0) is meant."""
        return min(u0, self.zero.d)

    def last(self, u: int) -> int:
        """Return the greatest u0 with min(u0, d) <= u."""
        return u if u < self.zero.d else self.d0


def clamped(
    *, n: int, family: HashFamily, sampler: Callable[[int, Coins], int], empty: EmptyBin
) -> Callable[[Sequence[int], Coins], Release]:
    """Release as `compact_histogram` does, with that empty-bin sampler."""
    return compact_histogram(n=n, family=family, sampler=sampler, empty=Clamped(empty.zero, empty.d0))


def _build(settings: Mapping[str, str]) -> Instance:
    return polynomials(settings, clamped)


COMPACT_HISTOGRAM_CLAMPED = Mechanism(
    name="compact-histogram-clamped",
    words="a random polynomial, its value on an empty label read as a number from 1 to d, or d if beyond",
    source="finite-computers, Algorithm 8.5, with min(u0, d) for f(u0)",
    parameters=small(n="1", weight="1"),
    build=_build,
    expect="refuted",
    twin="compact-histogram",
    fault="an empty-bin sampler that is far from the noisy count of 0",
)
