"""The stability-based histogram: the labels that occur, each with a noisy count above a threshold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.domain import label_lists_up_to
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.basic_histogram import MAX_UNIVERSE, Bins, Sampler, scope_of, tally
from dpcert.mechanisms.finite_computers.basic_histogram import PARAMETERS as BASIC_PARAMETERS
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, with_defaults

Label = Any


def stability_histogram(
    *, threshold: int, sampler: Callable[[int, Coins], int]
) -> Callable[[Sequence[int], Coins], Bins]:
    """Release the labels that occur, in order, each with its noisy count if that is above the threshold.

    Requires: inputs are lists of labels, one for each person, as long as the sampler takes counts.
    Claims:   (2e, delta)-DP for lists that differ in one label, if the sampler is (e, 0)-DP for counts that
              differ by one, where delta is the probability that it makes 1 more than the threshold. No smaller delta is
              enough, however great epsilon is.
    Source:   finite-computers, Algorithm 5.4 and Theorem 5.5 i.
    """

    by_counts = stability_counts(threshold=threshold, sampler=sampler)
    return lambda people, coins: by_counts(tally(people), coins)


def stability_counts(
    *, threshold: int, sampler: Callable[[int, Coins], int]
) -> Callable[[Sequence[tuple[Label, int]], Coins], tuple[tuple[Label, int], ...]]:
    """Release the labels that occur, in order, each with its noisy count if that is above the threshold.

    Requires: inputs are labels in order, each once, with how many people have it, 1 or more.
    Claims:   those of `stability_histogram`, which is this program on the counts of a list. For lists of which one has
              one person more, (e, delta)-DP in place of (2e, delta): one count differs, by one.
    """

    def release(counts: Sequence[tuple[Label, int]], coins: Coins) -> tuple[tuple[Label, int], ...]:
        noisy = ((label, sampler(count, coins)) for label, count in counts)
        return tuple([(label, count) for label, count in noisy if count > threshold])

    return release


def stability_histogram_law(*, threshold: int, law: Callable[[int], Dist]) -> Callable[[Sequence[int]], Dist]:
    """Return the law of `stability_histogram` in closed form: a product over labels, small counts dropped."""

    def bin_law(label: int, count: int) -> Dist:
        return law(count).map(lambda noisy: ((label, noisy),) if noisy > threshold else ())

    def product_law(people: Sequence[int]) -> Dist:
        counts = {label: sum(person == label for person in people) for label in people}
        bins = [bin_law(label, count) for label, count in sorted(counts.items())]
        return Dist.point(()).product(*bins).map(lambda parts: sum(parts, ()))

    return product_law


def lone_label(*, threshold: int, law: Callable[[int], Dist]) -> Fraction:
    """Return the probability that a label that occurs once is released: the delta of Theorem 5.5 i."""
    return law(1).prob_of(lambda noisy: noisy > threshold)


def _build(settings: Mapping[str, str]) -> Instance:
    n = integer(settings, "n", least=1, greatest=1000)
    universe = integer(settings, "universe", least=2, greatest=MAX_UNIVERSE)
    threshold = integer(settings, "threshold", least=0)
    scope, sampler = scope_of(n, universe, released=min(n, universe)), Sampler.of(settings)
    return Instance(
        program=stability_histogram(threshold=threshold, sampler=sampler.program),
        closed_form=stability_histogram_law(threshold=threshold, law=sampler.law),
        inputs=scope.inputs,
        neighbours="substitute",
        epsilon=sampler.epsilon,
        delta=lone_label(threshold=threshold, law=sampler.law),
        assumptions=scope.assumptions,
        domain=label_lists_up_to(n, universe, least=n if scope.universe == universe else 1),
    )


PARAMETERS = (
    *with_defaults(BASIC_PARAMETERS, n="4", epsilon="1"),
    Parameter("threshold", "3", "noisy counts at or below it are not released"),
)

STABILITY_HISTOGRAM = Mechanism(
    name="stability-histogram",
    words="the labels that occur, each with its noisy count if that is above a threshold",
    source="finite-computers, Algorithm 5.4, Theorem 5.5 i",
    parameters=PARAMETERS,
    build=_build,
)
