"""Pure-sparse-histogram from numbers of a few bits: too coarse for what is mixed in to make up for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dpcert.mechanisms.finite_computers import sparse_histogram as plain
from dpcert.mechanisms.finite_computers.approx_sampling import approx_ordsample
from dpcert.mechanisms.finite_computers.basic_histogram import Sampler
from dpcert.mechanisms.finite_computers.ordsample import scaled_cumulative
from dpcert.mechanisms.finite_computers.pure_sparse_histogram import (
    PURE_SPARSE_HISTOGRAM,
    pure_distance,
    pure_sparse_histogram,
)
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, inverse

__all__ = ["PURE_SPARSE_HISTOGRAM_SHORT"]


def _build(settings: Mapping[str, str]) -> Instance:
    meant = PURE_SPARSE_HISTOGRAM.build({name: text for name, text in settings.items() if name != "bits"})
    (n, universe), sampler = plain.scope(settings), Sampler.of(settings)
    epsilon, beta = inverse(settings, "epsilon"), inverse(settings, "beta", least=2)
    delta = pure_distance(n=n, universe=universe, epsilon=epsilon, beta=beta)
    bits = min(integer(settings, "bits", least=1), int(1 / delta).bit_length())
    s = max(1 << bits, universe)
    order_statistics = approx_ordsample(cumulative=scaled_cumulative(sampler.law(0), n), s=s)
    sparse = plain.sparse_histogram(n=n, universe=universe, sampler=sampler.program, order_statistics=order_statistics)
    program = pure_sparse_histogram(n=n, universe=universe, sparse=sparse, weight=int(1 / beta))
    return replace(meant, program=program, closed_form=None)


PURE_SPARSE_HISTOGRAM_SHORT = Mechanism(
    name="pure-sparse-histogram-short",
    words="pure-sparse-histogram with order statistics from numbers of 5 bits",
    source="finite-computers, Algorithms 6.9 and 6.21, step 4, with another s",
    parameters=(
        Parameter("n", "1", "the number of people"),
        Parameter("universe", "3", "the number of labels, 0 to universe - 1"),
        Parameter("epsilon", "1/2", "1/epsilon is an integer; the claim"),
        Parameter("sampler", "geosample", "geosample or fastsample"),
        Parameter("gamma", "1/100", "fastsample's weight of the uniform count"),
        Parameter("beta", "1/100", "the weight of the random histogram"),
        Parameter("bits", "5", "the bits of the numbers from which order statistics are drawn; 16 are meant"),
    ),
    build=_build,
    expect="refuted",
    twin="pure-sparse-histogram",
    fault="numbers of a few bits for order statistics, whatever the weight of what is mixed in",
)
