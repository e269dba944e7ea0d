"""The faults of stability-histogram."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dpcert.mechanisms.broken.fault import FaultsOf, Program, Settings
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.finite_computers.basic_histogram import Bins, Sampler
from dpcert.mechanisms.finite_computers.stability_histogram import STABILITY_HISTOGRAM, stability_histogram
from dpcert.mechanisms.mechanism import Expected, integer

fault = FaultsOf(STABILITY_HISTOGRAM, defaults={"n": "2", "universe": "2", "threshold": "1"})


@fault(
    "stability-histogram-at",
    source="finite-computers, Algorithm 5.4, step 3, misread",
    fault="`>=` for `>` at the threshold",
    edit=("if count >= threshold", "if count > threshold"),
    expected=Expected([0, 1], [0, 0], [((1, 2),), ((0, 2), (1, 2)), ((1, 1),), ((0, 1), (1, 2))], "12/25", "0"),
)
def stability_histogram_at(settings: Settings) -> Callable[[Sequence[int], Coins], Bins]:
    """stability-histogram that releases the counts equal to the threshold as well"""
    threshold, sampler = integer(settings, "threshold", least=0), Sampler.of(settings).program

    def release(people: Sequence[int], coins: Coins) -> Bins:
        noisy = ((label, sampler(people.count(label), coins)) for label in sorted(set(people)))
        return tuple((label, count) for label, count in noisy if count >= threshold)

    return release


def least_threshold(settings: Settings, noise: Dist) -> int:
    """Return the least threshold that a noisy count exceeds with probability at most delta."""
    n, delta = integer(settings, "n", least=1, greatest=1000), exact(settings["delta"], "delta")
    return next((b for b in range(n) if sum(p for count, p in noise.items() if count > b) <= delta), n)


@fault(
    "stability-histogram-lone",
    source="finite-computers, Theorem 5.5 i, with M(0, U) for M(1, U)",
    fault="a threshold judged by the noise on 0 for that on 1",
    edit=("sampler.law(0)", "sampler.law(1)"),
    defaults={"n": "4", "delta": "1/5"},
    names=("n", "universe", "epsilon", "sampler", "gamma", "delta"),
    meant=lambda settings: {**settings, "threshold": str(least_threshold(settings, Sampler.of(settings).law(1)))},
    about={"delta": "the claimed delta, for which the threshold is chosen"},
    expected=Expected(
        [0, 0, 0, 1], [0, 0, 0, 0], [((1, 4),), ((0, 4), (1, 4)), ((1, 3),), ((0, 3), (1, 4))], "16/75", "0"
    ),
)
def stability_histogram_lone(settings: Settings) -> Program:
    """stability-histogram with the least threshold that noise on 0 exceeds with probability <= delta"""
    sampler = Sampler.of(settings)
    threshold = least_threshold(settings, sampler.law(0))
    return stability_histogram(threshold=threshold, sampler=sampler.program)


@fault(
    "stability-histogram-true",
    source="finite-computers, Algorithm 5.4, step 3, with c_x(D) for its noisy count",
    fault="the true count released for the noisy one that was tested",
    edit=("(label, counts[label])", "(label, noisy[label])"),
    expected=Expected([0, 0], [0, 1], [((0, 2),)], "3/5", "0"),
)
def stability_histogram_true(settings: Settings) -> Callable[[Sequence[int], Coins], Bins]:
    """stability-histogram that releases true counts where the noisy ones pass the threshold"""
    threshold, sampler = integer(settings, "threshold", least=0), Sampler.of(settings).program

    def release(people: Sequence[int], coins: Coins) -> Bins:
        counts = {label: people.count(label) for label in sorted(set(people))}
        noisy = {label: sampler(count, coins) for label, count in counts.items()}
        return tuple((label, counts[label]) for label in counts if noisy[label] > threshold)

    return release


@fault(
    "stability-histogram-twice",
    source="finite-computers, Lemma 2.4 and Theorem 5.5 i, with delta for 2 delta",
    fault="a delta that is spent twice and counted once",
    edit=("return first, once(people, coins)", "return first"),
    claim=lambda settings, meant: {"epsilon": meant.epsilon + meant.epsilon},
    about={"epsilon": "1/epsilon is an integer; the claim is for two releases"},
    expected=Expected(
        [0, 1],
        [0, 0],
        [
            ((), ((1, 2),)),
            (((1, 2),), ()),
            ((), ((0, 2), (1, 2))),
            (((0, 2),), ((1, 2),)),
            (((1, 2),), ((0, 2),)),
            (((1, 2),), ((1, 2),)),
        ],
        "252/625",
        "0",
    ),
)
def stability_histogram_twice(settings: Settings) -> Callable[[Sequence[int], Coins], tuple[Bins, Bins]]:
    """two stability histograms of the same people, at twice the epsilon and the same delta"""
    threshold, sampler = integer(settings, "threshold", least=0), Sampler.of(settings).program
    once = stability_histogram(threshold=threshold, sampler=sampler)

    def release(people: Sequence[int], coins: Coins) -> tuple[Bins, Bins]:
        first = once(people, coins)
        return first, once(people, coins)

    return release
