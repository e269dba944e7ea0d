"""Clipping bounds that are chosen privately from users' counts, as a part of the release of a clipped sum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, isqrt

from dpcert.mechanisms.anonymized_histograms.geometric_noise import clamped_noise
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.logarithm import epsilon_bounds
from dpcert.mechanisms.mechanism import integer, probability
from dpcert.mechanisms.user_level.clipped_sum_l1 import ratio_within
from dpcert.mechanisms.user_level.dp_sgd import Descent
from dpcert.mechanisms.user_level.output_perturbation import Regularized
from dpcert.mechanisms.user_level.private_threshold import all_distances, drawn_threshold
from dpcert.mechanisms.user_level.user_weights import UserWeights
from dpcert.releasing.data import UserCounts
from dpcert.releasing.ready import Request, need_positive

METHODS = {"threshold": "clip-threshold", "perturbed": "clip-threshold-perturbed", "descent": "clip-threshold-descent"}
"""The names that may stand for a clip, and the mechanism that then chooses it."""
DEFAULTS = {"share": "1/10", "rounds": "10", "sparsity": "100"}
PARTS, BITS, MOST_CLIP = 4, 64, 1000
CHOSEN = (
    "the clip by the program of `dpcert audit {name}`, with draws that tests hold equal in law, at {first} of epsilon; "
    "then, at the rest, "
)

Counts = tuple[tuple[int, ...], ...]
"""The counts of each user, without those that are 0."""


@dataclass(frozen=True, slots=True)
class Choice:
    """How a clip is chosen: the method, its budget and the rest, the greatest clip, and the public number of users.

    A clip is an integer from 1 to `greatest`. There may be fewer users with items than `users`, and no more.
    """

    method: str
    spends: Epsilon
    left: Epsilon
    greatest: int
    users: int
    rounds: int
    weights: UserWeights

    @classmethod
    def of(cls, request: Request, settings: dict[str, str], norm: str) -> Choice:
        """Return the choice that settings name.

        Raises: InputError for settings out of range.
        """
        # Shares of a lower bound of epsilon: together they never exceed it.
        whole, share = epsilon_bounds(request.epsilon, BITS)[0], probability(settings, "share")
        sparsity = integer(settings, "sparsity", least=1, greatest=10**6)
        return cls(
            method=settings["clip"],
            spends=Epsilon.of(share * whole),
            left=Epsilon.of((1 - share) * whole),
            greatest=integer(settings, "greatest", least=1, greatest=MOST_CLIP),
            users=integer(settings, "users", least=1, greatest=10**9),
            rounds=integer(settings, "rounds", least=1, greatest=100),
            weights=UserWeights(norm, sparsity, 1 if norm == "l1" else PARTS),
        )

    def words(self) -> str:
        """Return the reasons for the guarantee of the choice."""
        return CHOSEN.format(name=METHODS[self.method], first=self.spends)

    def chosen(self, users: Sequence[UserCounts], eta: Fraction, coins: Coins) -> int:
        """Return a clip that is good where the release adds noise of mean l1 norm `eta` for each unit of it.

        Raises: InputError for more users than there may be.
        """
        if len(users) > self.users:
            needed = f"{self.users} at most, which is public"
            raise InputError(given="more users than that", needed=needed, remedy="set users before, to match")
        counts = tuple(tuple(count for _, count in user) for user in users)
        noise = ceil(eta * self.weights.parts)
        found = {"threshold": self._threshold, "perturbed": self._perturbed, "descent": self._descent}[self.method]
        return min(max(found(counts, noise, coins), 1), self.greatest)

    def _threshold(self, counts: Counts, noise: int, coins: Coins) -> int:
        ratio = ratio_within(self.spends, 2 * self.weights.most)
        distances = all_distances(counts, self.greatest, weights=self.weights, noise=noise)
        return drawn_threshold(distances, ratio, coins)

    def _perturbed(self, counts: Counts, noise: int, coins: Coins) -> int:
        """Take lambda about sqrt(2 n w/epsilon)/greatest, for n users of weight w: it balances bias and noise."""
        weight, spent = Fraction(self.weights.most, self.weights.parts), epsilon_bounds(self.spends, BITS)[0]
        strength = Fraction(1 + isqrt(ceil(2 * self.users * weight / spent)), self.greatest)
        regularized = Regularized(weights=self.weights, noise=noise, strength=strength, grid=1)
        noisy = clamped_noise(n=self.greatest, ratio=ratio_within(self.spends, regularized.sensitivity))
        return noisy(min(regularized.least(counts), self.greatest), coins)

    def _descent(self, counts: Counts, noise: int, coins: Coins) -> int:
        """Move by `greatest` times the share of the users' weight at each step, on a lattice of 1/(their weight)."""
        grid = self.users * self.weights.parts
        descent = Descent(
            weights=self.weights,
            noise=noise,
            grid=grid,
            greatest=self.greatest * grid,
            stride=self.greatest,
            users=self.users,
        )
        noisy = clamped_noise(n=descent.span, ratio=ratio_within(self.spends, self.rounds * self.weights.most))
        place = descent.greatest
        for _ in range(self.rounds):
            place = descent.next(place, noisy(descent.raised(counts, place), coins))
        return ceil(Fraction(place, grid))


def choice_of(
    request: Request, norm: str, *needed: str, more: Mapping[str, str], **optional: str
) -> tuple[dict[str, str], Choice | None]:
    """Return the settings, and how a clip is chosen: by its name, with the settings `more`; None where it is a number.

    Raises: InputError for settings that are not there, or of no use.
    """
    if request.settings.get("clip") not in METHODS:
        return request.take("clip", *needed, **optional), None
    settings = request.take("clip", "greatest", "users", *needed, **DEFAULTS, **more)
    need_positive(request.epsilon)
    return settings, Choice.of(request, settings, norm)
