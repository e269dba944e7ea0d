"""The inputs of mechanisms on anonymized histograms: lists of positive counts, and the compact format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.anonymized_histograms.geometric_cells import IN_CELLS
from dpcert.mechanisms.anonymized_histograms.partitions import histograms
from dpcert.mechanisms.anonymized_histograms.postprocess import Prevalences
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.domain import Domain
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.mechanism import Instance, rational_ratio


def histograms_up_to(most: int) -> tuple[list[int], ...]:
    """Return every anonymized histogram of at most `most` people as a list of counts, the largest first."""
    return tuple(list(counts) for counts in histograms(most))


def lists_of_counts(most: int | None) -> Domain:
    """Return the domain of the lists of counts, each an int >= 1, in any order, that sum to at most `most`."""

    def fault(value: object) -> str | None:
        if type(value) is not list:
            return f"which is of type {type(value).__name__}, not list"
        for place, count in enumerate(value):
            if type(count) is not int:
                return f"in which the count at place {place} is of type {type(count).__name__}, not int"
            if count < 1:
                return f"in which the count at place {place} is below 1"
        if most is not None and sum(value) > most:
            return f"of {sum(value)} people"
        return None

    bound = "" if most is None else f" that sum to at most {most}"
    raising = "" if most is None else ", or raise nmax"
    return Domain(f"a list of counts >= 1{bound}", fault, f"write such a list, as [3, 1, 1]{raising}")


def compact(pairs: Iterable[object]) -> Prevalences:
    """Return pairs (r, phi_r) as a histogram in the compact format; those with phi_r = 0 are left out.

    Raises: InputError unless each r is an int >= 1, the r are ascending with none twice, and each phi_r an int >= 0.
    """
    prevalences: list[tuple[int, int]] = []
    before = 0
    for pair in pairs:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2 or any(type(part) is not int for part in pair):
            remedy = "write [[1, 4], [3, 2]] for four counts of 1 and two of 3"
            raise InputError(given=f"the pair {pair!r}"[:120], needed="a pair of ints (r, phi_r)", remedy=remedy)
        r, many = pair
        if r <= before:
            needed = "counts r >= 1 in ascending order, each once"
            raise InputError(given=f"r = {r} after {before}", needed=needed, remedy="sort, and add what is repeated")
        if many < 0:
            raise InputError(given=f"phi_{r} = {many}", needed="prevalences >= 0", remedy="count the counts")
        before = r
        if many:
            prevalences.append((r, many))
    return tuple(prevalences)


def in_cells(
    most: int,
    program: Callable[[Sequence[int], Coins], Any],
    closed_form: Callable[[Sequence[int]], Dist],
    *,
    epsilon: Epsilon,
) -> Instance:
    """Return the instance of a program, and of its law, that releases cells and claims (epsilon, 0).

    Its inputs are all histograms of at most `most` people.
    """
    return Instance(
        program=program,
        closed_form=closed_form,
        inputs=histograms_up_to(most),
        neighbours="sorted-l1",
        epsilon=epsilon,
        domain=lists_of_counts(most),
        assumptions=(IN_CELLS,),
    )


def step_ratio(settings: Mapping[str, str]) -> tuple[Epsilon, Fraction]:
    """Return the parameter epsilon as one > 0 and a rational ratio > 1 at most e^epsilon, equal where that is rational.

    Raises: InputError for epsilon = 0, or so small that no such ratio of 64 binary places is above 1.
    """
    epsilon = Epsilon.of(settings["epsilon"])
    ratio = rational_ratio(epsilon)
    if ratio <= 1:
        given = f"epsilon={settings['epsilon']}"
        raise InputError(given=given, needed="an epsilon of which e^epsilon is at least 1 + 2^-64", remedy="raise it")
    return epsilon, ratio
