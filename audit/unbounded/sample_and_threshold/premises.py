"""The finite claims from which it follows that sample-and-threshold is private on counts of any size.

docs/explanation/all-counts.md has the theorems and their proofs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

from dpcert.audit.kernel.claim import ApproxDP
from dpcert.audit.unbounded.sample_and_threshold.moves import Moves, places_of
from dpcert.audit.unbounded.theorem import Premise, UnboundedClaim, Unfounded
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.mechanism import integer, probability
from dpcert.mechanisms.sample_and_threshold.all_counts import crowd_delta
from dpcert.mechanisms.sample_and_threshold.count_deltas import count_deltas

NAMES = {"counts_differ_by_one": "all counts", "add-remove": "all counts", "substitute": "all moves"}
"""The name of the theorem for each neighbour relation."""
KERNEL_MOST = {"program": 60, "closed-form": 400}
"""Up to how many counts each is a premise for the kernel, by where its law comes from."""
TIED = 8
"""The greatest threshold at which the program itself is tied to the bounds that are computed for all counts."""
MOST_REACH, MOST_POINTS, MOST_GRID = 100_000, 1024, 256
MOST_POWER = 900
"""The power of 2 beyond which all e^epsilon count as one."""
BITS = 128


@dataclass(frozen=True, slots=True)
class Hints:
    """The result of a search: the count beyond which the number sampled covers all, and for people who move points.

    A point x stands for e^epsilon = x / 2**grid: there it is bounded what all bins need that lose a person, or, below
    1, that gain one.
    """

    reach: int
    grid: int = 0
    points: tuple[int, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """Return the hints as they stand in a bundle."""
        return {"reach": self.reach, "grid": self.grid, "points": list(self.points)}

    @classmethod
    def from_data(cls, data: object) -> Hints:
        """Return the hints that stand in a bundle.

        Raises: Unfounded where they are malformed.
        """
        if not isinstance(data, dict) or set(data) != {"reach", "grid", "points"}:
            raise Unfounded("hints need reach, grid and points")
        if type(data["reach"]) is not int or not 1 <= data["reach"] <= MOST_REACH:
            raise Unfounded(f"the hint 'reach' needs an integer from 1 to {MOST_REACH:,}")
        if type(data["grid"]) is not int or not 0 <= data["grid"] <= MOST_GRID:
            raise Unfounded(f"the hint 'grid' needs an integer from 0 to {MOST_GRID}")
        points = data["points"]
        if not isinstance(points, list) or len(points) > MOST_POINTS or any(type(x) is not int for x in points):
            raise Unfounded(f"the hint 'points' needs a list of at most {MOST_POINTS} integers")
        if any(x < 1 or x.bit_length() > MOST_GRID + MOST_POWER for x in points):
            raise Unfounded("a point needs an integer of moderate size")
        return cls(data["reach"], data["grid"], tuple(points))


def rate_and_threshold(claim: UnboundedClaim) -> tuple[Fraction, int]:
    """Return the rate and the threshold that a claim is about.

    Raises: InputError where they are of no use.
    """
    return probability(claim.parameters, "rate"), integer(claim.parameters, "threshold", least=1)


def search_epsilon(epsilon: Epsilon) -> Epsilon:
    """Return the epsilon to compute with: itself, or a smaller one where it is astronomic."""
    return epsilon if epsilon.power_of_two_lo() < MOST_POWER else Epsilon.ln(1 << MOST_POWER)


def premises_of(claim: UnboundedClaim, data: object) -> tuple[tuple[Premise, ...], tuple[str, ...]]:
    """Return the premises of a claim about `sample-threshold` with these hints, and further assumptions.

    Up to `KERNEL_MOST` counts are premises themselves. What more need, and what people who move need, is computed here
    from running sums; then a premise ties them to the program.

    Raises: Unfounded where the guarantee does not follow; InputError for a rate or a threshold of no use.
    """
    hints = Hints.from_data(data)
    rate, threshold = rate_and_threshold(claim)
    ratio, _ = search_epsilon(claim.guarantee.epsilon).exp_bounds(BITS)
    if NAMES[claim.neighbours] == "all counts":
        if hints != Hints(hints.reach):
            raise Unfounded("the theorem of all counts takes no points")
        if hints.reach <= KERNEL_MOST[claim.law_source]:
            premises = count_premises(claim.parameters, hints.reach, claim.guarantee, refutes=True)
            return premises, _assumptions(claim, hints.reach, f"2 finite claims: counts to {hints.reach} one by one")
        _require_counts(rate, threshold, ratio, hints.reach, claim.guarantee.delta)
        parts = f"1 finite claim and the deltas of counts to {hints.reach}, each a difference of two upper sums"
    else:
        _require_moves(rate, threshold, ratio, hints, claim.guarantee.delta)
        parts = f"1 finite claim and what any two of the counts to {hints.reach} need, by upper sums and blocks"
    tie = _tie(rate, threshold, claim.parameters["rate"])
    return (tie,), _assumptions(claim, hints.reach, parts, tie)


def count_premises(
    parameters: Mapping[str, str], reach: int, guarantee: ApproxDP, *, refutes: bool = False
) -> tuple[Premise, Premise]:
    """Return the claims that counts up to `reach`, and the number sampled of more people, have a guarantee.

    `refutes` says of the first whether its refutation refutes the claim on all counts.
    """
    shared = (("rate", parameters["rate"]), ("threshold", parameters["threshold"]))
    counts = (*shared, ("kmax", str(reach)))
    crowd = (*shared, ("least", str(reach)))
    return (
        Premise("sample-threshold", counts, guarantee, "counts_differ_by_one", refutes=refutes),
        Premise("sampled-count", crowd, guarantee, "counts_differ_by_one"),
    )


def _require_counts(rate: Fraction, threshold: int, ratio: Fraction, reach: int, delta: Fraction) -> None:
    """Return if at e^epsilon = ratio no count up to the reach needs more than delta, nor any crowd above it.

    Raises: Unfounded otherwise.
    """
    for found in count_deltas(rate=rate, threshold=threshold, ratio=ratio):
        if found.count > reach:
            break
        if found.exceeds(delta):
            raise Unfounded(f"{found.count} people and one fewer need more than delta")
    if crowd_delta(rate=rate, ratio=ratio, count=reach) > delta:
        raise Unfounded(f"the number sampled of {reach} people needs more than delta")


def _require_moves(rate: Fraction, threshold: int, ratio: Fraction, hints: Hints, delta: Fraction) -> None:
    """Return if delta is enough at e^epsilon = ratio for any two bins, one of which loses and one gains a person.

    Raises: Unfounded otherwise.
    """
    try:
        moves = Moves(
            rate=rate,
            threshold=threshold,
            reach=hints.reach,
            grid=hints.grid,
            points=hints.points,
            places=places_of(delta),
        )
    except InputError as error:
        raise Unfounded(str(error)) from None
    if moves.enough(ratio, delta).delta > delta:
        raise Unfounded("the bounds of one bin, composed for two, are not within the guarantee")


def _tie(rate: Fraction, threshold: int, text: str) -> Premise:
    """Return the claim, at the least delta, of the counts that tie the computed bounds to the program."""
    shown, ratio = min(threshold, TIED), 2 / (1 - rate)
    deltas = islice(count_deltas(rate=rate, threshold=shown, ratio=ratio), 2 * shown + 1)
    settings = (("rate", text), ("threshold", str(shown)), ("kmax", str(3 * shown)))
    guarantee = ApproxDP(Epsilon.ln(ratio), max(found.most for found in deltas))
    return Premise("sample-threshold", settings, guarantee, "counts_differ_by_one")


def _assumptions(claim: UnboundedClaim, reach: int, parts: str, tie: Premise | None = None) -> tuple[str, str]:
    crowd = f"greater ones by the number sampled of {reach} and {reach + 1}"
    by = f"by the theorem of {NAMES[claim.neighbours]} (docs/explanation/all-counts.md) from {parts}, {crowd}"
    if claim.law_source != "program":
        return by, "the law on every count is the closed form's, a binomial with counts below the threshold at 0"
    there = "up to there, where every line and branch of it was reached and its laws are those of the closed form"
    if tie is None:
        return by, f"above {reach} people the program samples and reports as it does {there}"
    settings = dict(tie.settings)
    least = f"above {settings['kmax']} people"
    if settings["threshold"] != claim.parameters["threshold"]:
        least = f"with threshold {claim.parameters['threshold']} on any count"
        there = (
            f"with threshold {settings['threshold']} up to {settings['kmax']} people{there.removeprefix('up to there')}"
        )
    return by, f"{least} the program samples and reports as it does {there}"
