"""The faults of keep-heavy."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dpcert.mechanisms.broken.fault import FaultsOf, Program, Settings
from dpcert.mechanisms.broken.geosample import unclamped
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers import geosample
from dpcert.mechanisms.finite_computers.basic_histogram import Bins, Sampler, basic_histogram
from dpcert.mechanisms.finite_computers.keep_heavy import KEEP_HEAVY, above, keep_heavy, runner_up
from dpcert.mechanisms.mechanism import Expected, integer

fault = FaultsOf(KEEP_HEAVY, defaults={"n": "1", "universe": "2"})


@fault(
    "keep-heavy-order",
    source="finite-computers, Algorithm 6.1, without the order of Footnote 3",
    fault="heavy bins in the order of their insertion",
    edit=("dict.fromkeys([*people, *range(universe)])", "range(universe)"),
    defaults={"n": "2", "universe": "3"},
    expected=Expected([0, 0], [0, 2], [((1, 2), (2, 2))], "1024/18225", "0"),
)
def keep_heavy_order(settings: Settings) -> Callable[[Sequence[int], Coins], Bins]:
    """keep-heavy, the released bins in the order in which their labels first occur"""
    n, universe = integer(settings, "n", least=1), integer(settings, "universe", least=2)
    everything = basic_histogram(universe=universe, sampler=Sampler.of(settings).program)

    def release(people: Sequence[int], coins: Coins) -> Bins:
        bins = dict(everything(people, coins))
        order = dict.fromkeys([*people, *range(universe)])
        return above(tuple((label, bins[label]) for label in order), runner_up(bins.values(), n))

    return release


@fault(
    "keep-heavy-ties",
    source="finite-computers, Algorithm 6.1, step 3, as Footnote 4 warns",
    fault="the n heaviest bins, ties broken by the order of the input",
    edit=(
        "sorted(order, key=lambda label: -bins[label])[:n]",
        "[label for label in order if bins[label] > sorted(bins.values())[-n - 1]]",
    ),
    expected=Expected([0], [1], [((0, 1),)], "5/9", "16/81"),
)
def keep_heavy_ties(settings: Settings) -> Callable[[Sequence[int], Coins], Bins]:
    """the n heaviest bins, where of equal counts those of labels that occur come first"""
    n, universe = integer(settings, "n", least=1), integer(settings, "universe", least=2)
    everything = basic_histogram(universe=universe, sampler=Sampler.of(settings).program)

    def release(people: Sequence[int], coins: Coins) -> Bins:
        bins = dict(everything(people, coins))
        order = dict.fromkeys([*people, *range(universe)])
        heaviest = sorted(order, key=lambda label: -bins[label])[:n]
        return tuple((label, bins[label]) for label in sorted(heaviest) if bins[label])

    return release


@fault(
    "keep-heavy-true",
    source="finite-computers, Algorithm 6.1, step 3, with c for the noisy count",
    fault="the true counts released for the noisy ones that were compared",
    edit=("tuple((label, people.count(label)) for label, _ in heavy)", "heavy"),
    expected=Expected([0], [1], [((0, 1),)], "25/81", "0"),
)
def keep_heavy_true(settings: Settings) -> Callable[[Sequence[int], Coins], Bins]:
    """the labels that keep-heavy releases, with their true counts"""
    n, universe = integer(settings, "n", least=1), integer(settings, "universe", least=2)
    everything = basic_histogram(universe=universe, sampler=Sampler.of(settings).program)

    def release(people: Sequence[int], coins: Coins) -> Bins:
        bins = everything(people, coins)
        heavy = above(bins, runner_up((count for _, count in bins), n))
        return tuple((label, people.count(label)) for label, _ in heavy)

    return release


@fault(
    "keep-heavy-occurring",
    source="finite-computers, Algorithm 6.1, step 2, with |A| for n",
    fault="as many bins as labels occur, for n",
    edit=("len(set(people))", "len(people)"),
    defaults={"n": "2", "universe": "3"},
    expected=Expected([0, 0], [0, 1], [()], "3056/6075", "1100/6075"),
)
def keep_heavy_occurring(settings: Settings) -> Callable[[Sequence[int], Coins], Bins]:
    """the bins above the (|A| + 1)-st greatest noisy count, for the number |A| of labels that occur"""
    universe = integer(settings, "universe", least=2)
    everything = basic_histogram(universe=universe, sampler=Sampler.of(settings).program)

    def release(people: Sequence[int], coins: Coins) -> Bins:
        bins = everything(people, coins)
        return above(bins, runner_up((count for _, count in bins), len(set(people))))

    return release


@fault(
    "keep-heavy-unclamped",
    source="finite-computers, Algorithm 6.1 with Algorithm 4.5, without its clamp",
    fault="noisy counts above n among those to choose from",
    edit=("unclamped(n=n, k=k)", "geosample.geosample(n=n, k=k)"),
    names=("n", "universe", "epsilon"),
    expected=Expected([0], [1], [((0, 2),)], "4/9", "0"),
)
def keep_heavy_unclamped(settings: Settings) -> Program:
    """keep-heavy of counts with bounded noise that are not clamped to [0, n]"""
    n, k = geosample.settings_of(settings)
    universe = integer(settings, "universe", least=2)
    return keep_heavy(n=n, universe=universe, sampler=unclamped(n=n, k=k))


@fault(
    "keep-heavy-zeros",
    source="finite-computers, Algorithm 6.1, step 1, with noise on A alone",
    fault="no noise on the empty among the bins to choose from",
    edit=(" if count else 0", ""),
    expected=Expected([0], [1], [((0, 1),)], "5/9", "0"),
)
def keep_heavy_zeros(settings: Settings) -> Program:
    """keep-heavy of a histogram whose empty bins have no noise"""
    n, universe = integer(settings, "n", least=1), integer(settings, "universe", least=2)
    sampler = Sampler.of(settings).program
    return keep_heavy(n=n, universe=universe, sampler=lambda count, coins: sampler(count, coins) if count else 0)
