"""The basic histogram: every label of a fixed universe with its noisy count."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from dpcert.mechanisms.anonymized_histograms.geometric_noise import clamped_noise
from dpcert.mechanisms.bisecting import least
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.domain import Domain, label_lists, label_lists_up_to
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.finite_computers.fastsample import FASTSAMPLE, fastsample_law
from dpcert.mechanisms.finite_computers.geosample import GEOSAMPLE, geosample_law, noise_exponent, noise_ratio_of
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, inverse

MAX_LISTS = 5_000
MAX_BINS = 5
"""Every list is audited where the labels outnumber the people by at most this."""
MAX_UNIVERSE = 1 << 64
MAX_PEOPLE = 60
"""The greatest number of people for which every way to share two labels is audited: 1,890 lists."""

TWO_LABELS = (
    "assumed: the law depends on the counts of the labels alone, and each count is released by coins of its own, the "
    "same way for every label, so that one person who moves changes the law of two labels, here 0 and 1, and all "
    "others cancel"
)

Bins = tuple[tuple[int, int], ...]
"""Labels, each with a count."""


def tally(people: Iterable[int]) -> Bins:
    """Return the labels that occur, in order, each with how often."""
    counts: dict[int, int] = {}
    for label in people:
        counts[label] = counts.get(label, 0) + 1
    return tuple(sorted(counts.items()))


@dataclass(frozen=True, slots=True)
class Sampler:
    """A noisy count by name: its program, its law in closed form, and its epsilon when one person moves.

    A person who moves from one label to another changes two counts by one; `epsilon` is for both together.
    """

    program: Callable[[int, Coins], int]
    law: Callable[[int], Dist]
    epsilon: Epsilon

    @classmethod
    def of(cls, settings: Mapping[str, str]) -> Sampler:
        """Return the sampler that the parameters n, epsilon, sampler and gamma name.

        Raises: InputError for a value that is none of theirs.
        """
        n = integer(settings, "n", least=1)
        epsilon, gamma = inverse(settings, "epsilon"), inverse(settings, "gamma", least=2)
        match settings["sampler"]:
            case "geosample":
                built = GEOSAMPLE.build(settings)
                return cls(built.program, geosample_law(n=n, k=noise_exponent(epsilon)), built.epsilon + built.epsilon)
            case "words":
                law, ratio = geosample_law(n=n, k=noise_exponent(epsilon)), noise_ratio_of(epsilon)
                return cls(clamped_noise(n=n, ratio=ratio), law, Epsilon.ln(ratio**2))
            case "fastsample":
                built = FASTSAMPLE.build(settings)  # first, as it refuses a draw that is too long for a law
                return cls(built.program, fastsample_law(n=n, epsilon=epsilon, gamma=gamma), Epsilon.of(epsilon))
        raise InputError(
            given=f"sampler={settings['sampler']}",
            needed="geosample, words or fastsample",
            remedy="set one of these",
        )


def lists(n: int, universe: int) -> list[list[int]]:
    """Return every list of n labels from 0 to universe - 1.

    Raises: InputError where there are more than MAX_LISTS.
    """
    if universe**n > MAX_LISTS:
        raise InputError(
            given=f"n={n}, universe={universe}",
            needed=f"universe^n <= {MAX_LISTS}, the lists to audit",
            remedy=fewer(n, universe, lambda n, universe: universe**n),
        )
    return [list(people) for people in product(range(universe), repeat=n)]


def fewer(n: int, universe: int, amount: Callable[[int, int], int]) -> str:
    """Return in words a lower n, or universe, for which `amount(n, universe)` lists are at most MAX_LISTS.

    Requires: `amount` rises with both.
    """

    def greatest(most: int, few: Callable[[int], bool]) -> int:
        return least(1, min(most, MAX_LISTS + 1), lambda many: not few(many)) - 1

    people = greatest(n, lambda lower: amount(lower, universe) <= MAX_LISTS)
    labels = greatest(universe, lambda lower: amount(n, lower) <= MAX_LISTS)
    remedies = [f"set n={people}"] * (people >= 1) + [f"take {labels} labels"] * (labels >= 2)
    return " or ".join(remedies) or "lower both"


@dataclass(frozen=True, slots=True)
class AuditedLists:
    """The lists to audit, the number of labels in them, and the assumptions under which they stand for all lists."""

    inputs: tuple[list[int], ...]
    universe: int
    assumptions: tuple[str, ...]


def scope_of(n: int, universe: int, *, released: int) -> AuditedLists:
    """Return every list of n labels, or, where those or their outcomes are too many, every way to share two labels. An
    outcome has at most `released` noisy counts. The ways to share two labels are sorted lists of 1 to n people (of n,
    where there are no other labels). Those of equal length that differ in one person are all pairs of counts between
    which one person moves.

    Raises: InputError where there are too many of the latter.
    """
    if universe**n <= MAX_LISTS and released <= n + MAX_BINS:
        return AuditedLists(tuple(lists(n, universe)), universe, ())
    if n > MAX_PEOPLE:
        raise InputError(
            given=f"n={n}, universe={universe}",
            needed=f"universe^n <= {MAX_LISTS}, or n <= {MAX_PEOPLE} to audit the two labels between which one moves",
            remedy="lower n, or audit the sampler, which has half the epsilon and composes (Theorem 5.2 i)",
        )
    lengths = range(n, n + 1) if universe == 2 else range(1, n + 1)
    shares = tuple([0] * (length - moved) + [1] * moved for length in lengths for moved in range(length + 1))
    return AuditedLists(shares, 2, (TWO_LABELS,))


def basic_histogram(*, universe: int, sampler: Callable[[int, Coins], int]) -> Callable[[Sequence[int], Coins], Bins]:
    """Release every label from 0 to universe - 1, in order, with its noisy count.

    Requires: inputs are lists of labels, one for each person, as long as the sampler takes counts.
    Claims:   (2e, 0)-DP for lists that differ in one label, if the sampler is (e, 0)-DP for counts that differ
              by one.
    Source:   finite-computers, Algorithm 5.1 with A = the universe, and Theorem 5.2 i.
    """

    by_counts = basic_counts(universe=universe, sampler=sampler)
    return lambda people, coins: by_counts(tally(people), coins)


def basic_counts(*, universe: int, sampler: Callable[[int, Coins], int]) -> Callable[[Bins, Coins], Bins]:
    """Release every label from 0 to universe - 1, in order, with its noisy count.

    Requires: inputs are labels in order, each once, with how many people have it.
    Claims:   those of `basic_histogram`, which is this program on the counts of a list.
    """

    def release(counts: Bins, coins: Coins) -> Bins:
        by_label = dict(counts)
        return tuple((label, sampler(by_label.get(label, 0), coins)) for label in range(universe))

    return release


def basic_histogram_law(*, universe: int, law: Callable[[int], Dist]) -> Callable[[Sequence[int]], Dist]:
    """Return the law of `basic_histogram` in closed form: the product of its counts' laws."""

    def bin_law(label: int, count: int) -> Dist:
        return law(count).map(lambda noisy: (label, noisy))

    def product_law(people: Sequence[int]) -> Dist:
        bins = [bin_law(label, sum(person == label for person in people)) for label in range(universe)]
        return bins[0].product(*bins[1:])

    return product_law


def _domain(n: int, universe: int, scope: AuditedLists) -> Domain:
    if scope.universe == universe:
        return label_lists(n, universe)
    return label_lists_up_to(n, scope.universe, least=1, words=", the two between which one person moves")


def _build(settings: Mapping[str, str]) -> Instance:
    n = integer(settings, "n", least=1, greatest=1000)
    universe = integer(settings, "universe", least=2, greatest=MAX_UNIVERSE)
    scope, sampler = scope_of(n, universe, released=universe), Sampler.of(settings)
    return Instance(
        program=basic_histogram(universe=scope.universe, sampler=sampler.program),
        closed_form=basic_histogram_law(universe=scope.universe, law=sampler.law),
        inputs=scope.inputs,
        neighbours="substitute",
        epsilon=sampler.epsilon,
        assumptions=scope.assumptions,
        domain=_domain(n, universe, scope),
    )


PARAMETERS = (
    Parameter("n", "3", "the number of people, each with one label"),
    Parameter("universe", "3", "the number of labels, 0 to universe - 1"),
    Parameter("epsilon", "1/2", "1/epsilon is an integer; the claim is at most this"),
    Parameter(
        "sampler",
        "geosample",
        "what makes the counts noisy: geosample; words, its law from short draws at any n; or fastsample",
    ),
    Parameter("gamma", "1/100", "1/gamma is an integer above 1: fastsample's weight of the uniform count"),
)

BASIC_HISTOGRAM = Mechanism(
    name="basic-histogram",
    words="every label of a fixed universe with its noisy count",
    source="finite-computers, Algorithm 5.1, Theorem 5.2 i",
    parameters=PARAMETERS,
    build=_build,
)
