"""Checks, on all small chains, of Theorem 3 of anonymized-histograms: composition that depends on the dataset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from dpcert.proofs.check import check

Law = dict[int, int]
"""A law by weights; those of two laws that are compared have one sum."""
NOISES = ((1, 2), (1, 4), (1, 3))
"""The weights of 0 and 1 for Z_1, Z_2 and Z_3."""


@dataclass(frozen=True, slots=True)
class BinaryChain:
    """X_1 = f_1(x, Z_1) and X_i = f_i(X_(i-1), Z_i) for x, X_i and Z_i in {0, 1}: four values of each f_i in a row."""

    steps: tuple[tuple[int, ...], ...]

    def path(self, x: int, noises: Sequence[int]) -> int:
        """Return X_i for i noises."""
        state = x
        for step, z in zip(self.steps, noises, strict=False):
            state = step[2 * state + z]
        return state

    def law(self, x: int, i: int, given: Sequence[int] = ()) -> Law:
        """Return the law of X_i on x, given the first noises."""
        found: Law = {}
        for rest in product((0, 1), repeat=i - len(given)):
            state = self.path(x, (*given, *rest))
            mass = 1
            for place, z in enumerate(rest, len(given)):
                mass *= NOISES[place][z]
            found[state] = found.get(state, 0) + mass
        return found

    def worst(self, i: int) -> Fraction | None:
        """Return the greatest ratio of X_i's probabilities on 0 and 1, over all values of the noises before it."""
        ratios = [
            greatest_ratio(self.law(0, i, given), self.law(1, i, given)) for given in product((0, 1), repeat=i - 1)
        ]
        return None if None in ratios else max(ratio for ratio in ratios if ratio is not None)

    def bound(self) -> Fraction | None:
        """Return the least over i of the greatest ratio given the noises before i: the left side of (7)."""
        found = [ratio for i in range(1, len(self.steps) + 1) if (ratio := self.worst(i)) is not None]
        return min(found, default=None)


def greatest_ratio(p: Mapping[int, int], q: Mapping[int, int]) -> Fraction | None:
    """Return the greatest p / q over all values with p > 0, None where one has q = 0."""
    if any(not q.get(value, 0) for value, mass in p.items() if mass):
        return None
    return max(Fraction(mass, q[value]) for value, mass in p.items() if mass)


def chains(length: int) -> Iterator[BinaryChain]:
    """Yield every chain of `length` steps."""
    for steps in product(product((0, 1), repeat=4), repeat=length):
        yield BinaryChain(steps)


def _exceeds(value: Fraction | None, bound: Fraction | None) -> bool:
    """Whether a ratio is above a bound; None is infinite."""
    return bound is not None and (value is None or value > bound)


def _every() -> Iterator[BinaryChain]:
    for length in (1, 2, 3):
        yield from chains(length)


@check("ah-dependent-composition")
def dependent_composition() -> Iterator[str]:
    """If (7) holds at e^epsilon, no ratio of X_n's probabilities is above e^epsilon."""
    for chain in _every():
        n = len(chain.steps)
        if _exceeds(greatest_ratio(chain.law(0, n), chain.law(1, n)), chain.bound()):
            yield f"steps {chain.steps}"


@check("ah-dependent-marginals")
def dependent_marginals() -> Iterator[str]:
    """For every i the ratio of the marginals of X_i is at most the greatest one given the noises before."""
    for chain in _every():
        for i in range(1, len(chain.steps) + 1):
            if _exceeds(greatest_ratio(chain.law(0, i), chain.law(1, i)), chain.worst(i)):
                yield f"steps {chain.steps}, i = {i}"


@check("ah-dependent-last")
def dependent_last() -> Iterator[str]:
    """For every i the greatest ratio of X_n is at most that of X_i."""
    for chain in _every():
        n = len(chain.steps)
        last = greatest_ratio(chain.law(0, n), chain.law(1, n))
        for i in range(1, n):
            if _exceeds(last, greatest_ratio(chain.law(0, i), chain.law(1, i))):
                yield f"steps {chain.steps}, i = {i}"
