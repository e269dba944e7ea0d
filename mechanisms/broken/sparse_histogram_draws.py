"""Sparse-histogram that draws labels as the appendix has it: the bounds of the draws tell how many labels occur."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers import distinct
from dpcert.mechanisms.finite_computers.approx_sampling import approx_ordsample
from dpcert.mechanisms.finite_computers.basic_histogram import Sampler
from dpcert.mechanisms.finite_computers.ordsample import scaled_cumulative
from dpcert.mechanisms.finite_computers.sparse_histogram import SPARSE_HISTOGRAM, precision, scope, sparse_histogram
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, inverse

__all__ = ["SPARSE_HISTOGRAM_DRAWS"]


def elsewhere_a3(
    *, universe: int, held: Collection[int], most: int, amount: int, wanted: int, coins: Coins
) -> tuple[int, ...]:
    """Draw as `distinct_elsewhere` does, in the order of Algorithm A.3, from the labels that are not held alone."""
    return distinct.distinct_sample(universe=universe, held=held, amount=amount, coins=coins)[:wanted]


def _build(settings: Mapping[str, str]) -> Instance:
    meant, (n, universe), sampler = SPARSE_HISTOGRAM.build(settings), scope(settings), Sampler.of(settings)
    s = precision(n=n, universe=universe, delta=inverse(settings, "delta"))
    program = sparse_histogram(
        n=n,
        universe=universe,
        sampler=sampler.program,
        order_statistics=approx_ordsample(cumulative=scaled_cumulative(sampler.law(0), n), s=s),
        elsewhere=elsewhere_a3,
    )
    inputs = tuple(people for people in meant.inputs if max(people) <= 1)
    return replace(meant, program=program, closed_form=None, inputs=inputs, observes="outcome and draws")


SPARSE_HISTOGRAM_DRAWS = Mechanism(
    name="sparse-histogram-draws",
    words="sparse-histogram, labels drawn by Algorithm A.3 as printed, on lists of labels 0 and 1; draws are observed",
    source="finite-computers, Algorithm 6.21, step 3, and Algorithm A.3",
    parameters=(
        Parameter("n", "2", "the number of people"),
        Parameter("universe", "5", "the number of labels, 0 to universe - 1"),
        Parameter("epsilon", "1/2", "1/epsilon is an integer"),
        Parameter("sampler", "geosample", "geosample or fastsample"),
        Parameter("gamma", "1/100", "fastsample's weight of the uniform count"),
        Parameter("delta", "1/1000", "how far at most it is to be from keep-heavy"),
    ),
    build=_build,
    expect="refuted",
    twin="sparse-histogram",
    fault="draws below the number of labels that do not occur",
)
