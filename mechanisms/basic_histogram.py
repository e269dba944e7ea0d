"""The basic histogram: every label of a fixed universe with its noisy count."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.fastsample import FASTSAMPLE, fastsample_law
from dpcert.mechanisms.geosample import GEOSAMPLE, geosample_law, noise_exponent
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, inverse

__all__ = ["BASIC_HISTOGRAM", "PARAMETERS", "Sampler", "basic_histogram", "basic_histogram_law", "lists"]

MAX_LISTS = 5_000

Bins = tuple[tuple[int, int], ...]
"""Labels, each with a count."""


@dataclass(frozen=True, slots=True)
class Sampler:
    """A noisy count by name: its program, its law in closed form, and what it costs when one person moves.

    One person who moves from one label to another changes two counts by one: `epsilon` is for both together.
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
            case "fastsample":
                law = fastsample_law(n=n, epsilon=epsilon, gamma=gamma)
                return cls(FASTSAMPLE.build(settings).program, law, Epsilon.of(epsilon))
        raise InputError(
            given=f"sampler={settings['sampler']}", needed="geosample or fastsample", remedy="set one of these"
        )


def lists(n: int, universe: int) -> list[list[int]]:
    """Return every list of n labels from 0 to universe - 1.

    Raises: InputError where there are more than MAX_LISTS.
    """
    if universe**n > MAX_LISTS:
        raise InputError(
            given=f"n={n}, universe={universe}",
            needed=f"universe^n <= {MAX_LISTS}, the lists to audit",
            remedy="lower one of them",
        )
    return [list(people) for people in product(range(universe), repeat=n)]


def basic_histogram(*, universe: int, sampler: Callable[[int, Coins], int]) -> Callable[[Sequence[int], Coins], Bins]:
    """Release every label from 0 to universe - 1, in order, with its noisy count.

    Requires: inputs are lists of labels, one for each person, as long as the sampler takes counts.
    Claims:   (2e, 0)-DP for lists that differ in one label, if the sampler is (e, 0)-DP for counts that differ
              by one.
    Source:   finite-computers, Algorithm 5.1 with A = the universe, and Theorem 5.2 i.
    """

    def release(people: Sequence[int], coins: Coins) -> Bins:
        return tuple((label, sampler(people.count(label), coins)) for label in range(universe))

    return release


def basic_histogram_law(*, universe: int, law: Callable[[int], Dist]) -> Callable[[Sequence[int]], Dist]:
    """Return the law of `basic_histogram` in closed form: the product of its counts' laws."""

    def product_law(people: Sequence[int]) -> Dist:
        counts = [sum(person == label for person in people) for label in range(universe)]
        return Dist.point(()).product(*map(law, counts)).map(lambda row: tuple(enumerate(row[1:])))

    return product_law


def _build(settings: Mapping[str, str]) -> Instance:
    n = integer(settings, "n", least=1, greatest=1000)
    universe = integer(settings, "universe", least=2, greatest=1000)
    inputs, sampler = lists(n, universe), Sampler.of(settings)
    return Instance(
        program=basic_histogram(universe=universe, sampler=sampler.program),
        closed_form=basic_histogram_law(universe=universe, law=sampler.law),
        inputs=tuple(inputs),
        neighbours="substitute",
        epsilon=sampler.epsilon,
        delta=Fraction(0),
    )


PARAMETERS = (
    Parameter("n", "3", "the number of people, each with one label"),
    Parameter("universe", "3", "the number of labels, 0 to universe - 1"),
    Parameter("epsilon", "1/2", "1/epsilon is an integer; the claim is at most this"),
    Parameter("sampler", "geosample", "what makes the counts noisy: geosample or fastsample"),
    Parameter("gamma", "1/100", "1/gamma is an integer above 1: fastsample's weight of the uniform count"),
)

BASIC_HISTOGRAM = Mechanism(
    name="basic-histogram",
    words="every label of a fixed universe with its noisy count",
    source="finite-computers, Algorithm 5.1, Theorem 5.2 i",
    parameters=PARAMETERS,
    build=_build,
)
