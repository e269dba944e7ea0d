"""The faults of sparse-histogram."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import accumulate

from dpcert.mechanisms.broken.fault import FaultsOf, Program, Settings
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers import distinct
from dpcert.mechanisms.finite_computers.approx_sampling import approx_bin_sample, approx_conv_exp, approx_ordsample
from dpcert.mechanisms.finite_computers.basic_histogram import Bins, Sampler
from dpcert.mechanisms.finite_computers.ordsample import scaled_cumulative
from dpcert.mechanisms.finite_computers.sparse_histogram import SPARSE_HISTOGRAM, precision, scope, sparse_histogram
from dpcert.mechanisms.mechanism import Expected, integer, inverse

fault = FaultsOf(SPARSE_HISTOGRAM, defaults={"n": "1"})


def sparse(
    settings: Settings,
    *,
    binomial: Callable[..., int] = approx_bin_sample,
    elsewhere: Callable[..., tuple[int, ...]] = distinct.distinct_elsewhere,
) -> Callable[[Sequence[int], Coins], Bins]:
    """Return the sparse histogram with another binomial sampler, or another choice of labels that do not occur."""
    (n, universe), sampler = scope(settings), Sampler.of(settings)
    s = precision(n=n, universe=universe, delta=inverse(settings, "delta"))
    return sparse_histogram(
        n=n,
        universe=universe,
        sampler=sampler.program,
        order_statistics=approx_ordsample(cumulative=scaled_cumulative(sampler.law(0), n), s=s, binomial=binomial),
        elsewhere=elsewhere,
    )


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


@fault(
    "sparse-histogram-ceiling",
    source="finite-computers, Algorithm 6.18, step 4 d, as printed",
    fault="ceil(t'/2) as printed for floor(t'/2): a binomial number of 0 never comes",
    edit=("range((t + 1) // 2, t)", "range(t // 2, t)"),
    place=bin_sample_ceiling,
    defaults={"universe": "3"},
    expected=Expected([0], [1], [((1, 1),)], "2407/13500", "0"),
)
def sparse_histogram_ceiling(settings: Settings) -> Program:
    """sparse-histogram with the binomial sampler as printed, which never returns 0"""
    return sparse(settings, binomial=bin_sample_ceiling)


def elsewhere_a3(
    *, universe: int, held: Collection[int], most: int, amount: int, wanted: int, coins: Coins
) -> tuple[int, ...]:
    """Draw as `distinct_elsewhere` does, in the order of Algorithm A.3, from the labels that are not held alone."""
    return distinct.distinct_sample(universe=universe, held=held, amount=amount, coins=coins)[:wanted]


@fault(
    "sparse-histogram-draws",
    source="finite-computers, Algorithm 6.21, step 3, and Algorithm A.3",
    fault="draws below the number of labels that do not occur",
    edit=(
        "distinct.distinct_sample(universe=universe, held=held, amount=amount, coins=coins)[:wanted]",
        "distinct.distinct_elsewhere("
        "universe=universe, held=held, most=most, amount=amount, wanted=wanted, coins=coins)",
    ),
    place=elsewhere_a3,
    claim=lambda settings, meant: {"inputs": tuple(people for people in meant.inputs if max(people) <= 1)},
    defaults={"n": "2"},
    observes="outcome and draws",
    expected=Expected([0, 0], [0, 1], [((), (45, 45, 40_000, 40_000, 4, 3, 2))], "1028562263/3000000000", "0"),
)
def sparse_histogram_draws(settings: Settings) -> Program:
    """sparse-histogram, labels drawn by Algorithm A.3 as printed, on lists of labels 0 and 1; draws are observed"""
    return sparse(settings, elsewhere=elsewhere_a3)


def elsewhere_modulo(bits: int) -> Callable[..., tuple[int, ...]]:
    """Draw as `distinct_elsewhere` does, with getrandbits(bits) % d where below(d) is meant."""

    def draw(
        *, universe: int, held: Collection[int], most: int, amount: int, wanted: int, coins: Coins
    ) -> tuple[int, ...]:
        ranks = [coins.getrandbits(bits) % (universe - drawn) for drawn in range(most + amount)]
        free = [label for label in range(universe) if label not in held]
        skipped, labels = len(held), list[int]()
        for rank in ranks:
            if len(labels) == wanted:
                break
            if rank < skipped:
                skipped -= 1
            else:
                labels.append(free.pop(rank - skipped))
        return tuple(labels)

    return draw


@fault(
    "sparse-histogram-modulo",
    source="finite-computers, Algorithm A.3, step 3 b, with a biased uniform number",
    fault="`% d` of random bits for a uniform label of d",
    edit=("coins.getrandbits(bits) % (universe - drawn)", "coins.below(universe - drawn)"),
    place=elsewhere_modulo,
    defaults={"bits": "3"},
    about={"bits": "the bits reduced modulo the number of labels left"},
    expected=Expected([0], [3], [((2, 1),)], "127/3000", "127/5000"),
)
def sparse_histogram_modulo(settings: Settings) -> Program:
    """sparse-histogram with labels from getrandbits(bits) % d"""
    return sparse(settings, elsewhere=elsewhere_modulo(integer(settings, "bits", least=1, greatest=4096)))
