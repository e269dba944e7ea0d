"""Sparse-histogram whose labels are drawn by `%` from random bits: some labels come more often than others."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.approx_sampling import approx_ordsample
from dpcert.mechanisms.finite_computers.basic_histogram import Sampler
from dpcert.mechanisms.finite_computers.ordsample import scaled_cumulative
from dpcert.mechanisms.finite_computers.sparse_histogram import SPARSE_HISTOGRAM, precision, scope, sparse_histogram
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, inverse

__all__ = ["SPARSE_HISTOGRAM_MODULO", "elsewhere_modulo"]


def elsewhere_modulo(bits: int) -> Callable[..., tuple[int, ...]]:
    """Draw as `distinct_elsewhere` does, with getrandbits(bits) % d where below(d) is meant."""

    def draw(
        *, universe: int, held: Collection[int], most: int, amount: int, wanted: int, coins: Coins
    ) -> tuple[int, ...]:
        ranks = [coins.getrandbits(bits) % (universe - drawn) for drawn in range(most + amount)]
        free = [label for label in range(universe) if label not in held]
        skipped, found = len(held), list[int]()
        for rank in ranks:
            if len(found) == wanted:
                break
            if rank < skipped:
                skipped -= 1
            else:
                found.append(free.pop(rank - skipped))
        return tuple(found)

    return draw


def _build(settings: Mapping[str, str]) -> Instance:
    meant = SPARSE_HISTOGRAM.build({name: text for name, text in settings.items() if name != "bits"})
    (n, universe), sampler = scope(settings), Sampler.of(settings)
    s = precision(n=n, universe=universe, delta=inverse(settings, "delta"))
    program = sparse_histogram(
        n=n,
        universe=universe,
        sampler=sampler.program,
        order_statistics=approx_ordsample(cumulative=scaled_cumulative(sampler.law(0), n), s=s),
        elsewhere=elsewhere_modulo(integer(settings, "bits", least=1, greatest=4096)),
    )
    return replace(meant, program=program, closed_form=None)


SPARSE_HISTOGRAM_MODULO = Mechanism(
    name="sparse-histogram-modulo",
    words="sparse-histogram with labels from getrandbits(bits) % d",
    source="finite-computers, Algorithm A.3, step 3 b, with a biased uniform number",
    parameters=(
        Parameter("n", "1", "the number of people"),
        Parameter("universe", "5", "the number of labels, 0 to universe - 1"),
        Parameter("epsilon", "1/2", "1/epsilon is an integer"),
        Parameter("sampler", "geosample", "geosample or fastsample"),
        Parameter("gamma", "1/100", "fastsample's weight of the uniform count"),
        Parameter("delta", "1/1000", "how far at most it is to be from keep-heavy"),
        Parameter("bits", "3", "the bits reduced modulo the number of labels left"),
    ),
    build=_build,
    expect="refuted",
    twin="sparse-histogram",
    fault="`% d` of random bits for a uniform label of d",
)
