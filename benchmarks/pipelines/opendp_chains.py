"""OpenDP's measurements, from small data to noise, against their maps.

A transformation is deterministic: it is run on all data of up to three records of a small domain, and on all their
neighbours, and the exact distance of what it returns is the least that its stability map may say. Where discrete
Laplace noise on integers follows, that distance over the scale is the least epsilon: a count, a sum or a histogram
reaches it. Randomized response has its law by the probability that it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from itertools import combinations_with_replacement
from typing import Any

from dpcert.libraries.comparison import Comparison
from dpcert.mechanisms.adapters.balls import enclose

RECORDS = 3
"""The greatest number of records."""


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain of OpenDP by words: its transformation, its values, and how far neighbours are apart.

    `sized` chains replace one record of three; others add one to up to two. With a `scale`, `measurement` adds Laplace
    noise of that scale, and what is compared is its epsilon. `norm` is that of the distance of what is returned.
    """

    words: str
    transformation: Any
    values: Sequence[Any]
    norm: Callable[[Iterable[Fraction]], Fraction]
    measurement: Any = None
    scale: Fraction = Fraction(1)
    sized: bool = False

    @property
    def distance(self) -> int:
        """The symmetric distance of neighbours."""
        return 2 if self.sized else 1


def l1(steps: Iterable[Fraction]) -> Fraction:
    """Return the sum of absolute values."""
    return sum((abs(step) for step in steps), Fraction(0))


def linf(steps: Iterable[Fraction]) -> Fraction:
    """Return the greatest absolute value."""
    return max((abs(step) for step in steps), default=Fraction(0))


def neighbours(chain: Chain) -> Iterator[tuple[list[Any], list[Any]]]:
    """Yield each two small data sets at the chain's distance, up to order: the new record comes last."""
    for size in range(RECORDS):
        for rows in combinations_with_replacement(chain.values, size):
            if not chain.sized:
                yield from (([*rows], [*rows, value]) for value in chain.values)
            elif size == RECORDS - 1:
                yield from (([*rows, one], [*rows, two]) for one in chain.values for two in chain.values)


def numbers(returned: Any) -> list[Fraction]:
    """Return the numbers that a transformation returns."""
    return [Fraction(number) for number in (returned if isinstance(returned, list) else [returned])]


def compared(chain: Chain) -> Comparison:
    """Return what a chain's map claims of neighbours, against the exact distance of what it returns, over the scale."""
    furthest = Fraction(0)
    for one, two in neighbours(chain):
        pair = zip(numbers(chain.transformation(one)), numbers(chain.transformation(two)), strict=True)
        furthest = max(furthest, chain.norm(a - b for a, b in pair))
    claimed = (chain.measurement or chain.transformation).map(chain.distance)
    least = furthest / chain.scale
    return Comparison(chain.words, Fraction(claimed), (least, least))


def chains() -> Iterator[Chain]:
    """Yield the chains that are examined."""
    dp = import_module("opendp.prelude")
    dp.enable_features("contrib", "honest-but-curious", "idealized-numerics")
    near = dp.symmetric_distance()
    ints, texts = ((dp.vector_domain(dp.atom_domain(T=kind)), near) for kind in (int, str))
    floats = dp.vector_domain(dp.atom_domain(T=float, nan=False)), near
    few = dp.vector_domain(dp.atom_domain(bounds=(0.0, 1.0)), size=RECORDS), near
    some, words, parts = [-3, 0, 1, 2, 5], ["a", "b", "c"], [0.0, 0.3, 1.0]
    on_integers = [
        ("count", ints >> dp.t.then_count(), some),
        ("count_distinct", ints >> dp.t.then_count_distinct(), some),
        ("clamp to [0, 2], sum", ints >> dp.t.then_clamp((0, 2)) >> dp.t.then_sum(), some),
        ("clamp to [-3, 2], sum", ints >> dp.t.then_clamp((-3, 2)) >> dp.t.then_sum(), some),
        ("count_by_categories of two", texts >> dp.t.then_count_by_categories(["a", "b"]), words),
        (
            "count_by_categories without the others",
            texts >> dp.t.then_count_by_categories(["a", "b"], null_category=False),
            words,
        ),
        ("is_equal, sum", equal(dp, texts), words),
    ]
    for name, transformation, values in on_integers:
        for scale in (2.0, 0.3):
            measurement = transformation >> dp.m.then_laplace(scale)
            yield Chain(f"{name}, laplace({scale})", transformation, values, l1, measurement, Fraction(scale))
    yield Chain("clamp to [0, 1], sum of floats", floats >> dp.t.then_clamp((0.0, 1.0)) >> dp.t.then_sum(), parts, l1)
    yield Chain("mean of three floats", few >> dp.t.then_mean(), parts, l1, sized=True)
    yield Chain("variance of three floats", few >> dp.t.then_variance(), parts, l1, sized=True)
    for alpha in (0.5, 0.25):
        scores = ints >> dp.t.then_quantile_score_candidates([0, 1, 2], alpha=alpha)
        yield Chain(f"quantile_score_candidates, alpha = {alpha}", scores, some, linf)


def equal(dp: Any, texts: Any) -> Any:
    """Return the number of texts that are one."""
    equals = texts >> dp.t.then_is_equal("a") >> dp.t.then_cast_default(TOA=int)
    return equals >> dp.t.then_clamp((0, 1)) >> dp.t.then_sum()


def responses() -> Iterator[Comparison]:
    """Yield randomized response among categories: the map against ln(p (n - 1) / (1 - p))."""
    dp = import_module("opendp.prelude")
    for prob, names in ((0.75, "abc"), (0.5, "abc"), (0.9, "abcd"), (0.999, "ab")):
        claimed = Fraction(dp.m.make_randomized_response(list(names), prob).map(1))
        exact, others = Fraction(prob), len(names) - 1
        least = enclose(lambda odds: odds.log(), exact * others / (1 - exact), bits=256)
        yield Comparison(f"randomized_response of {len(names)}, prob = {prob}", claimed, least)
