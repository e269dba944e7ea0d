"""Users' weights in whole units, capped by the assumed sparsity; a private threshold is chosen from them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.mechanism import Parameter, integer
from dpcert.mechanisms.user_level.threshold import norm_square


@dataclass(frozen=True, slots=True)
class UserWeights:
    """The weights of users: floor(parts min(w, sqrt(s))) for w = 1 in l1, and w = |h|_1 / |h|_2 in l2.

    A user of at most s items has w <= sqrt(s), so the cap changes nothing. A user of more items weighs at most as much
    as s items, which costs accuracy and no privacy.

    Source: user-level-histograms, Section 4, sparse users, and Section 6, where weights are clipped.
    """

    norm: str
    sparsity: int
    parts: int

    @property
    def most(self) -> int:
        """The greatest weight, which bounds the change of a sum of weights when one user is replaced."""
        return self.parts if self.norm == "l1" else isqrt(self.parts**2 * self.sparsity)

    def uncapped(self, counts: Sequence[int]) -> int:
        """Return floor(parts w), 0 for a user without items."""
        size = sum(counts)
        return isqrt(self.parts**2 * size * size // norm_square(counts, self.norm)) if size else 0

    def of(self, counts: Sequence[int]) -> int:
        """Return a user's weight, from 0 to `most`."""
        return min(self.uncapped(counts), self.most)

    def above(self, users: Iterable[Sequence[int]], threshold: Fraction) -> int:
        """Return the weight of the users with a norm above a threshold >= 0, compared by squares."""
        return sum(self.of(counts) for counts in users if norm_square(counts, self.norm) > threshold**2)

    def from_on(self, users: Iterable[Sequence[int]], threshold: Fraction) -> int:
        """Return the weight of the users with a norm of a threshold >= 0 or more, compared by squares."""
        return sum(self.of(counts) for counts in users if norm_square(counts, self.norm) >= threshold**2)


def weights_of(settings: Mapping[str, str]) -> UserWeights:
    """Return the weights of the textual parameters norm, sparsity and parts.

    Raises: InputError for another norm than l1 or l2, and for numbers that are not integers from 1 on.
    """
    norm_square((), settings["norm"])
    return UserWeights(
        settings["norm"],
        integer(settings, "sparsity", least=1, greatest=10**6),
        integer(settings, "parts", least=1, greatest=1000),
    )


def units(settings: Mapping[str, str], weights: UserWeights) -> int:
    """Return eta of the textual parameter `noise` in units of the weights.

    Raises: InputError unless it is a whole number >= 0 of them.
    """
    noise = exact(settings["noise"], "noise") * weights.parts
    if noise < 0 or noise.denominator != 1:
        raise InputError(
            given=f"noise={settings['noise']}, parts={weights.parts}",
            needed="eta >= 0, a multiple of 1/parts",
            remedy="take more parts, or a rounded eta",
        )
    return int(noise)


WEIGHT_PARAMETERS = (
    Parameter("norm", "l1", "l1 or l2: which norm of a user's histogram is clipped"),
    Parameter("sparsity", "2", "s: users of more items are weighed as if they had s; of use in l2"),
    Parameter("parts", "1", "users are weighed in units of 1/parts"),
    Parameter("noise", "1", "eta, the mean l1 norm of the release's noise for each unit of the threshold"),
)
"""Parameters of every mechanism that chooses a threshold."""
