"""Noise on all sorted counts, then isotonic regression: the earlier method for anonymized histograms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from dpcert.mechanisms.anonymized_histograms.partitions import histograms
from dpcert.mechanisms.anonymized_histograms.postprocess import isotonic, nearest
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.domain import Domain
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.finite_computers.geometric import geometric, geometric_law
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer

MOST_OUTCOMES = 10**5
Fitted = Callable[[Sequence[int], Coins], tuple[int, ...]]
"""A program from counts to as many fitted counts as there are labels."""


def fitted(noisy: tuple[int, ...]) -> tuple[int, ...]:
    """Return the isotonic regression of noisy counts, largest first, each rounded to the nearest integer >= 0.

    Source: anonymized-histograms, Section 3.1, on Hay, Li, Miklau and Jensen 2009.
    """
    return tuple(max(nearest(value), 0) for value in isotonic(noisy))


def laplace_isotonic(*, labels: int, sampler: Callable[[int, Coins], int]) -> Fitted:
    """Release as many counts as there are labels: the sorted counts, 0 where a label has none, noisy, then fitted.

    Requires: inputs are counts of at most `labels` labels, each one that `sampler` takes; `labels` is public.
    Claims:   (epsilon, 0)-DP for counts at sorted distance 1, if `sampler` is for counts that differ by one: sorted,
              the counts of neighbours differ in one place, by one. The fit is post-processing.
    Source:   anonymized-histograms, Section 3.1, with discrete Laplace for Laplace noise.
    """

    def release(counts: Sequence[int], coins: Coins) -> tuple[int, ...]:
        ranked = sorted((*counts, *[0] * (labels - len(counts))), reverse=True)
        return fitted(tuple([sampler(count, coins) for count in ranked]))

    return release


def laplace_isotonic_law(*, labels: int, nmax: int, ratio: Fraction) -> Callable[[Sequence[int]], Dist]:
    """Return the law of `laplace_isotonic`, with `geometric` as its sampler, from the product of its counts' laws."""
    one = geometric_law(n=nmax, ratio=ratio)

    def law(counts: Sequence[int]) -> Dist:
        first, *rest = (one(count) for count in sorted((*counts, *[0] * (labels - len(counts))), reverse=True))
        return first.product(*rest).map(fitted)

    return law


def count_lists(labels: int, most: int) -> Domain:
    """Return the domain of the lists of at most `labels` counts from 0 to `most`, in any order."""

    def fault(value: object) -> str | None:
        if type(value) is not list:
            return f"which is of type {type(value).__name__}, not list"
        if len(value) > labels:
            return f"which has {len(value)} counts"
        for place, count in enumerate(value):
            if type(count) is not int:
                return f"in which the count at place {place} is of type {type(count).__name__}, not int"
            if not 0 <= count <= most:
                return f"in which the count at place {place} is {'below 0' if count < 0 else f'above {most}'}"
        return None

    remedy = "write a list such as [1], or raise labels or nmax"
    return Domain(f"a list of at most {labels} counts from 0 to {most}", fault, remedy)


def scope_of(settings: Mapping[str, str]) -> tuple[int, int, Fraction, tuple[list[int], ...]]:
    """Return the labels, the greatest total, the ratio, and all histograms of the textual parameters.

    Raises: InputError for parameters out of range, or with more than MOST_OUTCOMES noisy vectors.
    """
    labels, nmax = integer(settings, "labels", least=1), integer(settings, "nmax", least=1)
    ratio = exact(settings["ratio"], "ratio")
    if ratio <= 1:
        raise InputError(given=f"ratio={settings['ratio']}", needed="a number above 1", remedy='write "2"')
    if labels > 16 or (nmax + 1) ** labels > MOST_OUTCOMES:
        raise InputError(
            given=f"labels={labels}, nmax={nmax}",
            needed=f"at most {MOST_OUTCOMES} noisy vectors, (nmax + 1)^labels",
            remedy="lower one of them",
        )
    return labels, nmax, ratio, tuple(list(counts) for counts in histograms(nmax) if len(counts) <= labels)


def _build(settings: Mapping[str, str]) -> Instance:
    labels, nmax, ratio, inputs = scope_of(settings)
    return Instance(
        program=laplace_isotonic(labels=labels, sampler=geometric(n=nmax, ratio=ratio)),
        closed_form=laplace_isotonic_law(labels=labels, nmax=nmax, ratio=ratio),
        inputs=inputs,
        neighbours="sorted-l1",
        epsilon=Epsilon.ln(ratio),
        domain=count_lists(labels, nmax),
    )


LAPLACE_ISOTONIC = Mechanism(
    name="laplace-isotonic",
    words="all sorted counts with geometric noise, then isotonic regression: what PrivHist is compared with",
    source="anonymized-histograms, Section 3.1",
    parameters=(
        Parameter("labels", "3", "the number of labels, which is public"),
        Parameter("nmax", "4", "the greatest total audited, and the greatest noisy count"),
        Parameter("ratio", "2", "e^epsilon, a number above 1"),
    ),
    build=_build,
)
