"""The faults of pure-sparse-histogram."""

from collections.abc import Callable, Sequence
from fractions import Fraction

from dpcert.mechanisms.broken.fault import FaultsOf, Program, Settings
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.approx_sampling import approx_ordsample
from dpcert.mechanisms.finite_computers.basic_histogram import Bins, Sampler
from dpcert.mechanisms.finite_computers.ordsample import scaled_cumulative
from dpcert.mechanisms.finite_computers.pure_sparse_histogram import (
    PURE_SPARSE_HISTOGRAM,
    pure_distance,
    pure_sparse_histogram,
)
from dpcert.mechanisms.finite_computers.sparse_histogram import precision, scope, sparse_histogram
from dpcert.mechanisms.mechanism import Expected, integer, inverse

fault = FaultsOf(PURE_SPARSE_HISTOGRAM, defaults={"n": "1", "universe": "3", "bits": "5"}, without=("precision",))


def parts(settings: Settings) -> tuple[int, int, Fraction, Fraction]:
    """Return the number of people, that of labels, the weight of the random histogram, and what it makes up for."""
    (n, universe), beta = scope(settings), inverse(settings, "beta", least=2)
    return n, universe, beta, pure_distance(n=n, universe=universe, epsilon=inverse(settings, "epsilon"), beta=beta)


def sparse_from(settings: Settings, s: int) -> Callable[[Sequence[int], Coins], Bins]:
    """Return the sparse histogram whose order statistics are drawn from numbers below s."""
    (n, universe), sampler = scope(settings), Sampler.of(settings)
    order_statistics = approx_ordsample(cumulative=scaled_cumulative(sampler.law(0), n), s=s)
    return sparse_histogram(n=n, universe=universe, sampler=sampler.program, order_statistics=order_statistics)


@fault(
    "pure-sparse-histogram-short",
    source="finite-computers, Algorithms 6.9 and 6.21, step 4, with another s",
    fault="numbers of a few bits for order statistics, whatever the weight of what is mixed in",
    edit=("max(1 << bits, universe)", "precision(n=n, universe=universe, delta=delta)"),
    about={"bits": "the bits of the numbers from which order statistics are drawn; 16 are meant"},
    expected=Expected([0], [1], [((0, 1),)], "833/4800", "503/4800"),
)
def pure_sparse_histogram_short(settings: Settings) -> Program:
    """pure-sparse-histogram with order statistics from numbers of 5 bits"""
    n, universe, beta, delta = parts(settings)
    bits = min(integer(settings, "bits", least=1), int(1 / delta).bit_length())
    sparse = sparse_from(settings, max(1 << bits, universe))
    return pure_sparse_histogram(n=n, universe=universe, sparse=sparse, weight=int(1 / beta))


@fault(
    "pure-sparse-histogram-unmixed",
    source="finite-computers, Algorithm 6.9, step 1 alone",
    fault="rounded order statistics without the random histogram that makes up for it",
    edit=(
        "return sparse_from(settings, s)",
        "return pure_sparse_histogram(n=n, universe=universe, sparse=sparse_from(settings, s), weight=int(1 / _beta))",
    ),
    claim=lambda settings, meant: {"epsilon": Sampler.of(settings).epsilon},
    defaults={"epsilon": "1/3"},
    names=("n", "universe", "epsilon", "sampler", "gamma", "beta"),
    about={"epsilon": "1/epsilon is an integer; the claim is twice that of the sampler"},
    expected=Expected([0], [1], [((0, 1),)], "6811/45900", "36323/309825"),
)
def pure_sparse_histogram_unmixed(settings: Settings) -> Program:
    """pure-sparse-histogram without its random histogram, at the epsilon of keep-heavy"""
    n, universe, _beta, delta = parts(settings)
    s = precision(n=n, universe=universe, delta=delta)
    return sparse_from(settings, s)
