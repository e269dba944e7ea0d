"""The faults of laplace-isotonic."""

from __future__ import annotations

from collections.abc import Sequence

from dpcert.mechanisms.anonymized_histograms.laplace_isotonic import LAPLACE_ISOTONIC, Fitted, fitted, scope_of
from dpcert.mechanisms.broken.fault import FaultsOf, Settings
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.geometric import geometric
from dpcert.mechanisms.mechanism import Expected

fault = FaultsOf(LAPLACE_ISOTONIC)


@fault(
    "laplace-isotonic-occurring",
    source="anonymized-histograms, Section 4.1, the first incorrect algorithm, for sorted counts",
    fault="noise on the counts that occur alone",
    edit=("sorted(counts, reverse=True)", "sorted((*counts, *[0] * (_labels - len(counts))), reverse=True)"),
    defaults={"labels": "1", "nmax": "1"},
    expected=Expected([], [1], [()], "1", "0"),
)
def laplace_isotonic_occurring(settings: Settings) -> Fitted:
    """the sorted counts that are not 0 with geometric noise, then isotonic regression"""
    _labels, nmax, ratio, _ = scope_of(settings)
    sampler = geometric(n=nmax, ratio=ratio)

    def noisy(so_far: tuple[int, ...], count: int, coins: Coins) -> tuple[int, ...]:
        return (*so_far, sampler(count, coins))

    def release(counts: Sequence[int], coins: Coins) -> tuple[int, ...]:
        ranked = sorted(counts, reverse=True)
        start: tuple[int, ...] = ()
        return fitted(coins.fold(ranked, start, noisy))

    return release
