"""Pure-sparse-histogram without its random histogram: what was lost in rounding shows without a delta."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dpcert.mechanisms.finite_computers import pure_sparse_histogram as pure
from dpcert.mechanisms.finite_computers.approx_sampling import approx_ordsample
from dpcert.mechanisms.finite_computers.basic_histogram import Sampler
from dpcert.mechanisms.finite_computers.ordsample import scaled_cumulative
from dpcert.mechanisms.finite_computers.sparse_histogram import precision, scope, sparse_histogram
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, inverse

__all__ = ["PURE_SPARSE_HISTOGRAM_UNMIXED"]


def _build(settings: Mapping[str, str]) -> Instance:
    meant, (n, universe), sampler = pure.PURE_SPARSE_HISTOGRAM.build(settings), scope(settings), Sampler.of(settings)
    epsilon, beta = inverse(settings, "epsilon"), inverse(settings, "beta", least=2)
    s = precision(n=n, universe=universe, delta=pure.pure_distance(n=n, universe=universe, epsilon=epsilon, beta=beta))
    order_statistics = approx_ordsample(cumulative=scaled_cumulative(sampler.law(0), n), s=s)
    sparse = sparse_histogram(n=n, universe=universe, sampler=sampler.program, order_statistics=order_statistics)
    return replace(meant, program=sparse, closed_form=None, epsilon=sampler.epsilon)


PURE_SPARSE_HISTOGRAM_UNMIXED = Mechanism(
    name="pure-sparse-histogram-unmixed",
    words="pure-sparse-histogram without its random histogram, at the epsilon of keep-heavy",
    source="finite-computers, Algorithm 6.9, step 1 alone",
    parameters=(
        Parameter("n", "1", "the number of people"),
        Parameter("universe", "3", "the number of labels, 0 to universe - 1"),
        Parameter("epsilon", "1/3", "1/epsilon is an integer; the claim is twice that of the sampler"),
        Parameter("sampler", "geosample", "geosample or fastsample"),
        Parameter("gamma", "1/100", "fastsample's weight of the uniform count"),
        Parameter("beta", "1/100", "the weight of the random histogram, which is left out"),
    ),
    build=_build,
    expect="refuted",
    twin="pure-sparse-histogram",
    fault="rounded order statistics without the random histogram that makes up for it",
)
