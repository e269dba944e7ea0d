"""Sparse-histogram from the binomial sampler as printed: it starts its search behind 0, which never comes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import accumulate

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.approx_sampling import approx_conv_exp, approx_ordsample
from dpcert.mechanisms.finite_computers.basic_histogram import Sampler
from dpcert.mechanisms.finite_computers.ordsample import scaled_cumulative
from dpcert.mechanisms.finite_computers.sparse_histogram import SPARSE_HISTOGRAM, precision, scope, sparse_histogram
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, inverse

__all__ = ["SPARSE_HISTOGRAM_CEILING", "bin_sample_ceiling"]


def bin_sample_ceiling(*, m: int, p: int, q: int, s: int, cap: int, coins: Coins) -> int:
    """Draw as `approx_bin_sample` does, with ceil(t'/2) as printed where floor(t'/2) is meant."""
    u, t, hit = coins.below(s) + 1, 1, s * p // q
    while t < 2 * cap:
        sums = list(accumulate(approx_conv_exp([s - hit, hit, *[0] * t][:t], m, s=s)))
        for k in range((t + 1) // 2, t):
            if u <= sums[k]:
                return min(k, cap)
        t *= 2
    return cap


def _build(settings: Mapping[str, str]) -> Instance:
    meant, (n, universe), sampler = SPARSE_HISTOGRAM.build(settings), scope(settings), Sampler.of(settings)
    s = precision(n=n, universe=universe, delta=inverse(settings, "delta"))
    cumulative = scaled_cumulative(sampler.law(0), n)
    order_statistics = approx_ordsample(cumulative=cumulative, s=s, binomial=bin_sample_ceiling)
    program = sparse_histogram(n=n, universe=universe, sampler=sampler.program, order_statistics=order_statistics)
    return replace(meant, program=program, closed_form=None)


SPARSE_HISTOGRAM_CEILING = Mechanism(
    name="sparse-histogram-ceiling",
    words="sparse-histogram with the binomial sampler as printed, which never returns 0",
    source="finite-computers, Algorithm 6.18, step 4 d, as printed",
    parameters=(
        Parameter("n", "1", "the number of people"),
        Parameter("universe", "3", "the number of labels, 0 to universe - 1"),
        Parameter("epsilon", "1/2", "1/epsilon is an integer"),
        Parameter("sampler", "geosample", "geosample or fastsample"),
        Parameter("gamma", "1/100", "fastsample's weight of the uniform count"),
        Parameter("delta", "1/1000", "how far at most it is to be from keep-heavy"),
    ),
    build=_build,
    expect="refuted",
    twin="sparse-histogram",
    fault="ceil(t'/2) as printed for floor(t'/2): a binomial number of 0 never comes",
)
