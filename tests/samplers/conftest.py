"""What is tested: every mechanism on up to three inputs, unbounded outcomes clamped or binned, and the coins.

A case is a sampler with the exact law of its outcome. The whole list is fixed here, before any sample is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from random import Random
from typing import Any

import pytest

from dpcert import Coins, Dist, Done, Epsilon, seeded_coins, summarize
from dpcert.audit.fit import Fit, fit
from dpcert.mechanisms.anonymized_histograms.geometric_cells import clamped as cells_between
from dpcert.mechanisms.anonymized_histograms.geometric_law import GeometricLaw
from dpcert.mechanisms.anonymized_histograms.geometric_noise import geometric_noise
from dpcert.mechanisms.anonymized_histograms.inputs import step_ratio
from dpcert.mechanisms.anonymized_histograms.printed import release_density
from dpcert.mechanisms.anonymized_histograms.privhist import PRIVHIST, layout_of, privhist
from dpcert.mechanisms.anonymized_histograms.smoothing import (
    PRIVHIST_SMOOTHED,
    boundaries_of,
    finished_smoothing,
    smoothed,
    smoothing_windows,
)
from dpcert.mechanisms.anonymized_histograms.split import PRIVHIST_SPLIT, finished, windows_of
from dpcert.mechanisms.anonymized_histograms.total import PRIVHIST_TOTAL, finished_total
from dpcert.mechanisms.catalogue import MECHANISMS
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.mechanisms.user_level.clipped_sum_l1 import (
    CLIPPED_SUM_L1,
    finish,
    ratio_within,
    sums_of,
    unbounded_clipped_sum_l1,
)
from dpcert.mechanisms.user_level.clipping import clip_l1, clipped_sum, sensitivity_l1
from dpcert.reading.paths.enumerator import enumerate_law

Draw = Callable[[Coins], Any]

HALVED = ({}, {"rate": "1/2"})
VARIANTS: dict[str, tuple[dict[str, str], ...]] = {
    "geometric": ({}, {"method": "flips"}),
    "basic-histogram": ({}, {"sampler": "fastsample"}),
    "compact-histogram": ({"sampler": "response"}, {"view": "counts"}),
    "sample-threshold": ({}, {"rate": "1/2", "threshold": "3", "kmax": "8"}),
    "sample-threshold-histogram": HALVED,
    "moved-person": HALVED,
    "trie-heavy-hitters": HALVED,
    "heavy-hitters": HALVED,
    "quantile-search": HALVED,
    "hierarchical-histogram": HALVED,
}
"""Parameters other than the defaults alone: where these show little, or have 4,096 outcomes (compact-histogram)."""


@dataclass(frozen=True, slots=True)
class Case:
    """A sampler by name, and the law that its outcome should have; `group` is what it is a case of."""

    group: str
    name: str
    draw: Draw
    law: Dist

    def fit(self, coins: Coins, samples: int) -> Fit:
        """Return how well so many outcomes on these coins fit the law."""
        return fit(self.law, (self.draw(coins) for _ in range(samples)))

    def seeded(self, samples: int, seed: object = "") -> Fit:
        """Return the fit on coins seeded by the case's name and a seed."""
        return self.fit(seeded_coins(Random(f"{self.name}/{seed}").getrandbits(64)), samples)


def mechanism_cases(mechanism: Mechanism) -> Iterator[Case]:
    """Yield the first input, the one at two fifths and the last of the scope, with the law that is audited."""
    for given in VARIANTS.get(mechanism.name, ({},)):
        instance = mechanism.build(mechanism.settings(given))
        inputs = instance.inputs
        for place in sorted({0, 2 * len(inputs) // 5, len(inputs) - 1}):
            value = inputs[place]
            words = ", ".join(f"{name}={setting}" for name, setting in given.items())
            law = enumerate_law(instance.program, value, replay=False).law
            yield Case(mechanism.name, f"{mechanism.name}({words}) of {value}", partial(instance.program, value), law)


def clamped(value: int, low: int, high: int) -> int:
    return min(max(value, low), high)


def clamped_law(noise: GeometricLaw, low: int, high: int) -> Dist:
    law = noise.clamp(low, high)
    return Dist.of((z, law.prob(z)) for z in range(low, high + 1))


def settings_of(mechanism: Mechanism, **given: str) -> dict[str, str]:
    return mechanism.settings(given)


def total_case(counts: list[int]) -> Case:
    """The total of PrivHist from its cell, at most 14."""
    settings = settings_of(PRIVHIST_TOTAL, nmax="9")
    ratio = step_ratio(settings)[1]
    cells = cells_between(ratio=ratio, low=0, high=9)
    program, end = PRIVHIST_TOTAL.build(settings).program, finished_total(cells)
    law = clamped_law(GeometricLaw.two_sided(1 / ratio).shift(sum(counts)).at_least(0), 0, 14)
    return Case("unbounded", f"finished total of {counts}", lambda c: min(end(program(counts, c), c), 14), law)


def split_case(counts: list[int], *, threshold: int, fakes: int) -> Case:
    """The finished split: a point of a box, by the density of the printed steps, or "beyond" it."""
    settings = settings_of(PRIVHIST_SPLIT, nmax="4", T=str(threshold), M=str(fakes))
    windows = windows_of(settings)
    alpha = 1 / step_ratio(settings)[1]
    release, end = PRIVHIST_SPLIT.build(settings).program, finished(windows)
    smalls = list(product(range(5), repeat=threshold))
    tops = range(5, 0, -1)
    larges = [row for size in range(3) for row in product(tops, repeat=size) if list(row) == sorted(row, reverse=True)]
    rows: list[tuple[Any, Fraction]] = [
        (
            (small, large),
            release_density(counts, alpha=alpha, threshold=threshold, fakes=fakes, small=small, large=large),
        )
        for small in smalls
        for large in larges
    ]
    box = {point for point, _ in rows}
    law = Dist.of([*rows, ("beyond", 1 - sum(p for _, p in rows))])

    def draw(coins: Coins) -> Any:
        found = end(release(counts, coins), coins)
        return found if found in box else "beyond"

    return Case("unbounded", f"finished split(T={threshold}, M={fakes}) of {counts}", draw, law)


def smoothing_case(counts: list[int]) -> Case:
    """The finished smoothed prevalences, one beyond the windows too, each clamped to [-1, 2]."""
    settings = settings_of(PRIVHIST_SMOOTHED)
    boundaries, ratio = boundaries_of(settings), step_ratio(settings)[1]
    most = max(sum(histogram) for histogram in PRIVHIST_SMOOTHED.build(settings).inputs)
    windows = smoothing_windows(ratio=ratio, boundaries=boundaries, most=most)
    release, end = PRIVHIST_SMOOTHED.build(settings).program, finished_smoothing(ratio=ratio, windows=windows)
    noise = GeometricLaw.two_sided(1 / ratio)
    centres = [*smoothed(sorted((x, counts.count(x)) for x in set(counts)), boundaries), 0]
    first, *rest = (clamped_law(noise.shift(centre), -1, 2) for centre in centres)

    def draw(coins: Coins) -> tuple[int, ...]:
        found = end(release(counts, coins), len(centres), coins)
        return tuple(clamped(z, -1, 2) for z in found)

    return Case("unbounded", f"finished smoothing of {counts}", draw, first.product(*rest))


def privhist_case(counts: list[int]) -> Case:
    """The total that PrivHist whole releases, at most 10."""
    plan = layout_of(settings_of(PRIVHIST))
    release = privhist(plan)
    law = clamped_law(GeometricLaw.two_sided(1 / plan.ratio).shift(sum(counts)).at_least(0), 0, 10)
    return Case("unbounded", f"total of privhist of {counts}", lambda c: min(release(counts, c)[1], 10), law)


def sum_cases(users: Sequence[Sequence[int]]) -> Iterator[Case]:
    """Clipped sums with unbounded noise, finished or drawn at once, each entry clamped beyond the stage's ends."""
    settings = settings_of(CLIPPED_SUM_L1)
    sums, instance = sums_of(settings), CLIPPED_SUM_L1.build(settings)
    steps = sensitivity_l1(dimension=sums.dimension, clip=sums.clip, grid=sums.grid)
    ratio = ratio_within(Epsilon.of(settings["epsilon"]), steps)
    clip = partial(clip_l1, clip=sums.clip, grid=sums.grid)
    data = tuple(tuple(user) for user in users)
    low, high = -3, sums.greatest + 3
    noise = GeometricLaw.two_sided(1 / ratio)
    first, *rest = (
        clamped_law(noise.shift(entry), low, high)
        for entry in clipped_sum(data, clipped=clip, dimension=sums.dimension)
    )
    law = first.product(*rest)
    whole = unbounded_clipped_sum_l1(clipped=clip, dimension=sums.dimension, ratio=ratio)

    def in_two(coins: Coins) -> tuple[int, ...]:
        return finish(instance.program(data, coins), coins, greatest=sums.greatest, ratio=ratio)

    for name, draw in (("finished", in_two), ("unbounded", partial(whole, data))):
        yield Case(
            "unbounded",
            f"{name} clipped sum of {data}",
            lambda coins, draw=draw: tuple(clamped(entry, low, high) for entry in draw(coins)),
            law,
        )


def noise_cases() -> Iterator[Case]:
    """Two-sided geometric noise, clamped where about one in a hundred lies beyond."""
    for ratio, end in (("6/5", 18), ("2", 6), ("5", 3)):
        draw = geometric_noise(ratio=Fraction(ratio))
        law = clamped_law(GeometricLaw.two_sided(1 / Fraction(ratio)), -end, end)
        yield Case(
            "unbounded",
            f"geometric noise of ratio {ratio}",
            lambda coins, draw=draw, end=end: clamped(draw(coins), -end, end),
            law,
        )


def shuffled(coins: Coins) -> tuple[int, ...]:
    items = [0, 1, 2, 3]
    coins.shuffle(items)
    return tuple(items)


def parity(coins: Coins) -> int:
    return sum(coins.below(3) for _ in range(3)) % 2


COINS: dict[str, Draw] = {
    "below(6)": lambda c: c.below(6),
    "below(2^70) by its seventh": lambda c: c.below(1 << 70) * 7 >> 70,
    "below(2^70) mod 7": lambda c: c.below(1 << 70) % 7,
    "getrandbits(4)": lambda c: c.getrandbits(4),
    "randbytes(1)": lambda c: c.randbytes(1)[0] >> 4,
    "bernoulli(1/3)": lambda c: c.bernoulli("1/3"),
    "randrange(2, 20, 3)": lambda c: c.randrange(2, 20, 3),
    "randint(-2, 2)": lambda c: c.randint(-2, 2),
    "choice": lambda c: c.choice("dpcert"),
    "choices": lambda c: c.choices([0, 1, 2], weights=[1, 2, 5])[0],
    "sample": lambda c: tuple(c.sample(range(4), 2)),
    "shuffle": shuffled,
    "random() by its tenth": lambda c: sum(c.random() >= edge for edge in (0.1, 0.25, 0.5, 0.999)),
    "fold": lambda c: c.fold(range(6), 0, lambda n, _, coins: n + coins.bernoulli("1/3")),
    "loop": lambda c: c.loop(0, lambda _, coins: Done(u) if (u := coins.below(8)) < 6 else 0),
    "summarize": summarize(parity),
}


def coin_cases() -> Iterator[Case]:
    """Each way to draw from coins."""
    for name, draw in COINS.items():
        law = enumerate_law(lambda _, coins, draw=draw: draw(coins), None).law
        yield Case("coins", f"coins: {name}", draw, law)


def unbounded_cases() -> Iterator[Case]:
    yield from noise_cases()
    for counts in ([], [2, 3], [1] * 9):
        yield total_case(counts)
    yield split_case([1, 3], threshold=1, fakes=0)
    yield split_case([4], threshold=2, fakes=1)
    for counts in ([], [1, 1, 3], [5]):
        yield smoothing_case(counts)
    for counts in ([], [1, 2]):
        yield privhist_case(counts)
    yield from sum_cases(((0, 2), (1, 1)))


def each_case() -> Iterator[Case]:
    """Yield every case, made when it is its turn."""
    for mechanism in MECHANISMS:
        yield from mechanism_cases(mechanism)
    yield from unbounded_cases()
    yield from coin_cases()


@pytest.fixture(scope="session")
def suite() -> tuple[Case, ...]:
    """Every case."""
    return (*each_case(),)


@pytest.fixture(scope="session")
def case_named() -> Callable[[str], Case]:
    """Find a case by its name, and make none after it."""
    return lambda name: next(case for case in each_case() if case.name == name)
