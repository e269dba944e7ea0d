"""The clipping threshold: the exact bound U(C) on the error of a clipped sum, and its minimizers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.user_level.surds import Surd

NORMS = ("l1", "l2")

Users = Sequence[Sequence[int]]
"""A count of each item, for each user."""


def norm_square(counts: Sequence[int], norm: str) -> int:
    """Return the square of a user's norm: of the sum of the counts in l1, the sum of their squares in l2.

    Raises: InputError for another norm.
    """
    if norm not in NORMS:
        raise InputError(given=f"norm={norm}", needed=" or ".join(NORMS), remedy="set one of these")
    return sum(counts) ** 2 if norm == "l1" else sum(count * count for count in counts)


def weight(counts: Sequence[int], norm: str) -> Surd:
    """Return the l1 loss of a user's clipped histogram for each unit by which the threshold is lowered.

    It is 1 in l1, and |h|_1 / |h|_2 in l2, at most the root of the number of items of the user (Cauchy-Schwarz); 0
    for a user without items.

    Source: user-level-histograms, Section 4, Theorem 4.2.
    """
    size = sum(counts)
    return Surd.root(Fraction(size * size, norm_square(counts, norm))) if size else Surd.rational(0)


@dataclass(frozen=True, slots=True)
class Objective:
    """U(C) = sum over users of w_i max(nu_i - C, 0) + eta C: lost counts and noise, a bound on the l1 error.

    `noise` is eta >= 0, the mean l1 norm of the noise for each unit of C: d/epsilon times the sensitivity's factor
    for Laplace noise on d counts. U is convex and piecewise linear, with its corners at the norms nu_i. A threshold is
    given by its square, which is rational where the threshold is a norm.
    """

    users: Users
    noise: Fraction
    norm: str = "l2"

    def corners(self) -> list[int]:
        """Return the squares of 0 and of the norms, in ascending order, each once."""
        return sorted({0, *(norm_square(counts, self.norm) for counts in self.users)})

    def lost(self, square: Fraction | int) -> Surd:
        """Return the l1 distance of the clipped sum from the sum: a user above C keeps |h|_1 C/nu."""
        total = Surd.rational(0)
        for counts in self.users:
            size, own = sum(counts), norm_square(counts, self.norm)
            if own > square:
                total += Surd.rational(size) - Surd.root(Fraction(square) / own).times(size)
        return total

    def value(self, square: Fraction | int) -> Surd:
        """Return U(C) for C the root of `square` >= 0."""
        return self.lost(square) + Surd.root(square).times(self.noise)

    def _weights(self, taken: Callable[[int], bool]) -> Surd:
        total = Surd.rational(0)
        for counts in self.users:
            if taken(norm_square(counts, self.norm)):
                total += weight(counts, self.norm)
        return total

    def above(self, square: Fraction | int) -> Surd:
        """Return the weight of the users with a norm above C: eta - U' to the right of C."""
        return self._weights(lambda own: own > square)

    def from_on(self, square: Fraction | int) -> Surd:
        """Return the weight of the users with a norm of C or more: eta - U' to the left of C."""
        return self._weights(lambda own: own >= square)

    def is_stationary(self, square: Fraction | int) -> bool:
        """Whether the weight above C is at most eta, and that from C on at least eta where C > 0.

        Claims: for C >= 0, exactly then C minimizes U.
        Source: user-level-histograms, Theorem 4.2 and Equation (5), which are where 0 is a subgradient of U.
        """
        noise = Surd.rational(self.noise)
        return self.above(square) <= noise and (square == 0 or noise <= self.from_on(square))

    def best(self) -> int:
        """Return the square of the greatest norm from which on the users weigh eta or more, 0 where there is none.

        Claims: `is_stationary`; the l1 error of the clipped sum with independent symmetric noise of mean l1 norm
                eta C is, at this C, at most twice that at any other (docs/papers/user-level-threshold.md).
        Source: user-level-histograms, Lemma 4.1 and Theorem 4.2.
        """
        noise = Surd.rational(self.noise)
        return max((square for square in self.corners() if noise <= self.from_on(square)), default=0)


def top_size(users: Users, noise: Fraction) -> int:
    """Return the ceil(eta)-th greatest of |h_i|_1, or 0 where there are fewer users.

    Requires: eta > 0.
    Source:   user-level-histograms, Lemma 4.1: the top element among the users' sizes.
    """
    sizes = sorted((sum(counts) for counts in users), reverse=True)
    rank = ceil(noise)
    return sizes[rank - 1] if rank <= len(sizes) else 0
