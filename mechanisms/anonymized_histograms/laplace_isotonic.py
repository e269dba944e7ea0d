"""Noise on all sorted counts, then isotonic regression: the earlier method for anonymized histograms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from dpcert.mechanisms.anonymized_histograms.partitions import histograms
from dpcert.mechanisms.anonymized_histograms.postprocess import isotonic, nearest
from dpcert.mechanisms.domain import Domain
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.finite_computers.geometric import geometric
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer

__all__ = ["LAPLACE_ISOTONIC", "PARAMETERS", "Fitted", "count_lists", "fitted", "laplace_isotonic", "scope_of"]

MOST_OUTCOMES = 10**5
Fitted = Callable[[Sequence[int], Coins], tuple[int, ...]]
"""A program from counts to as many fitted counts as there are labels."""


def fitted(noisy: tuple[int, ...]) -> tuple[int, ...]:
    """Return the counts that isotonic regression makes of noisy counts, largest first, each the nearest integer >= 0.

    Source: anonymized-histograms, Section 3.1, on Hay, Li, Miklau and Jensen 2009.
    """
    return tuple(max(nearest(value), 0) for value in isotonic(noisy))


def laplace_isotonic(*, labels: int, sampler: Callable[[int, Coins], int]) -> Fitted:
    """Release as many counts as there are labels: the sorted counts, 0 where a label has none, noisy, then fitted.

    Requires: inputs are counts of at most `labels` labels; the number of labels is public.
    Claims:   (epsilon, 0)-DP for counts at sorted distance 1, if `sampler` is for counts that differ by one: sorted,
              the counts of neighbours differ in one place, by one. What is fitted afterwards costs nothing.
    Source:   anonymized-histograms, Section 3.1, with discrete Laplace for Laplace noise.
    """

    def noisy(found: tuple[int, ...], count: int, coins: Coins) -> tuple[int, ...]:
        return (*found, sampler(count, coins))

    def release(counts: Sequence[int], coins: Coins) -> tuple[int, ...]:
        ranked = sorted((*counts, *[0] * (labels - len(counts))), reverse=True)
        start: tuple[int, ...] = ()
        return fitted(coins.fold(ranked, start, noisy))

    return release


def count_lists(labels: int) -> Domain:
    """Return the domain of the lists of at most so many counts >= 0, in any order."""

    def fault(value: object) -> str | None:
        if type(value) is not list:
            return f"which is of type {type(value).__name__}, not list"
        if len(value) > labels:
            return f"which has {len(value)} counts"
        wrong = next((count for count in value if type(count) is not int or count < 0), None)
        return None if wrong is None else "in which a count is no integer >= 0"

    return Domain(f"a list of at most {labels} counts >= 0", fault, "write a list such as [2, 1]")


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
        inputs=inputs,
        neighbours="sorted-l1",
        epsilon=Epsilon.ln(ratio),
        delta=Fraction(0),
        domain=count_lists(labels),
    )


PARAMETERS = (
    Parameter("labels", "4", "the number of labels, which is public"),
    Parameter("nmax", "4", "the greatest total audited, and the greatest noisy count"),
    Parameter("ratio", "2", "e^epsilon, a number above 1"),
)

LAPLACE_ISOTONIC = Mechanism(
    name="laplace-isotonic",
    words="all sorted counts with geometric noise, then isotonic regression: what PrivHist is compared with",
    source="anonymized-histograms, Section 3.1",
    parameters=PARAMETERS,
    build=_build,
)
