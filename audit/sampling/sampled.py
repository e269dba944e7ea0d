"""The result of a sampling audit: events with their counts and limits, and the power."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcert.audit.kernel.claim import Claim
from dpcert.audit.sampling.events import Event
from dpcert.audit.sampling.limits import ConfidenceLimits, EventCounts
from dpcert.mechanisms.exact.epsilon import Epsilon


@dataclass(frozen=True, slots=True)
class Confirmed:
    """An event, its counts on two inputs, and their limits at the confidence of the run.

    `again` are the counts of the second confirmation, where there was one; then the limits are the weaker of both.
    """

    a: Any
    b: Any
    event: Event
    counts: EventCounts
    limits: ConfidenceLimits
    again: EventCounts | None


@dataclass(frozen=True, slots=True)
class Power:
    """An event of probability >= p on a and <= q on b, had it been proposed first, would have refuted with chance 9/10.

    This is for two confirmations, each with as many runs on a and on b as the one that was made.
    """

    p: Fraction
    q: Fraction
    excess: Fraction


@dataclass(frozen=True, slots=True)
class Sampled:
    """The result of a sampling audit: a refutation at a confidence, or none, with the power; never a verification.

    `worst` refutes the claim where `refuted`; else it is the event that needs the greatest epsilon. `pairs` counts the
    ordered pairs that were sampled, of `all_pairs`; `looks` counts the looks. `delta_lo` and `epsilon_lo` are lower
    bounds; with the confidence, they and those of all other `claims` of the invocation are right together. `seed` is
    the seed of the audit's coins, None where the system drew.
    """

    claim: Claim
    refuted: bool
    reason: str | None
    confidence: Fraction
    pairs: int
    all_pairs: int
    looks: int
    runs: int
    delta_lo: Fraction
    epsilon_lo: Epsilon
    worst: Confirmed | None
    power: tuple[Power, ...]
    notes: tuple[str, ...]
    claims: int
    seed: int | None
