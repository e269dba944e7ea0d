"""The faults of basic-histogram."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dpcert.mechanisms.broken.fault import FaultsOf, Program, Settings
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.basic_histogram import BASIC_HISTOGRAM, Bins, Sampler, basic_histogram
from dpcert.mechanisms.finite_computers.geosample import geosample, noise_exponent, settings_of
from dpcert.mechanisms.mechanism import Expected, integer, inverse

fault = FaultsOf(BASIC_HISTOGRAM, defaults={"n": "1", "universe": "2"})


@fault(
    "basic-histogram-add-remove",
    source="finite-computers, Algorithm 5.1, with M (epsilon, 0)-private where epsilon/2 is needed",
    fault="the noise of added or removed people under substitution",
    edit=("noise_exponent(2 * epsilon)", "noise_exponent(epsilon)"),
    names=("n", "universe", "epsilon"),
    about={"epsilon": "1/epsilon is an integer above 1"},
    expected=Expected([0], [1], [((0, 1), (1, 0))], "9/25", "4/25"),
)
def basic_histogram_add_remove(settings: Settings) -> Program:
    """every label with noise that hides a person who is added or removed, for people who move"""
    n, universe = integer(settings, "n", least=1), integer(settings, "universe", least=2)
    epsilon = inverse(settings, "epsilon", least=2)
    k = noise_exponent(2 * epsilon)
    return basic_histogram(universe=universe, sampler=geosample(n=n, k=k))


@fault(
    "basic-histogram-by-count",
    source="finite-computers, Algorithm 5.1, sorted by c_x(D)",
    fault="bins in the order of their true counts",
    edit=("sorted(range(universe), key=people.count, reverse=True)", "range(universe)"),
    defaults={"n": "2"},
    expected=Expected([0, 1], [1, 1], [((0, 0), (1, 0))], "16/81", "0"),
)
def basic_histogram_by_count(settings: Settings) -> Callable[[Sequence[int], Coins], Bins]:
    """every label with its noisy count, the most frequent label first"""
    universe, sampler = integer(settings, "universe", least=2), Sampler.of(settings).program

    def release(people: Sequence[int], coins: Coins) -> Bins:
        labels = sorted(range(universe), key=people.count, reverse=True)
        noisy = {label: sampler(people.count(label), coins) for label in range(universe)}
        return tuple((label, noisy[label]) for label in labels)

    return release


@fault(
    "basic-histogram-insertion-order",
    source="finite-computers, Algorithm 5.1, without the in-order traversal of Section 2.4",
    fault="bins in the order of their insertion",
    edit=("list(dict.fromkeys([*people, *range(universe)]))", "range(universe)"),
    expected=Expected([0], [1], [((0, 1), (1, 0))], "25/81", "0"),
)
def basic_histogram_insertion_order(settings: Settings) -> Callable[[Sequence[int], Coins], Bins]:
    """every label with its noisy count, in the order in which labels first occur"""
    universe, sampler = integer(settings, "universe", least=2), Sampler.of(settings).program

    def release(people: Sequence[int], coins: Coins) -> Bins:
        labels = list(dict.fromkeys([*people, *range(universe)]))
        return tuple((label, sampler(people.count(label), coins)) for label in labels)

    return release


@fault(
    "basic-histogram-shared-noise",
    source="finite-computers, Algorithm 5.1, with one u for all x",
    fault="the noise reused across bins",
    edit=("[shifted(n, coins) - n] * universe", "[shifted(n, coins) - n for _ in range(universe)]"),
    defaults={"n": "2"},
    names=("n", "universe", "epsilon"),
    expected=Expected([0, 0], [0, 1], [((0, 2), (1, 0))], "1/9", "0"),
)
def basic_histogram_shared_noise(settings: Settings) -> Callable[[Sequence[int], Coins], Bins]:
    """every label with its count plus one noise, drawn once"""
    n, k = settings_of(settings)
    universe = integer(settings, "universe", least=2)
    shifted = geosample(n=2 * n, k=k)

    def release(people: Sequence[int], coins: Coins) -> Bins:
        noise = [shifted(n, coins) - n] * universe
        noisy = [min(max(people.count(label) + noise[label], 0), n) for label in range(universe)]
        return tuple(enumerate(noisy))

    return release


@fault(
    "basic-histogram-zeros",
    source="finite-computers, Algorithm 5.1, with noise for c_x(D) > 0 only",
    fault="no noise on empty bins",
    edit=(" if count else 0", ""),
    expected=Expected([0], [1], [((0, 1), (1, 0))], "5/9", "0"),
)
def basic_histogram_zeros(settings: Settings) -> Program:
    """every label with its noisy count, empty ones with 0"""
    universe, sampler = integer(settings, "universe", least=2), Sampler.of(settings).program
    return basic_histogram(universe=universe, sampler=lambda count, coins: sampler(count, coins) if count else 0)
