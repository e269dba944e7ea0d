"""The search for what shows, or refutes, that sample-and-threshold is private on counts of any size."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice

from dpcert.audit.dominating import both_moves, dominating_pair
from dpcert.audit.kernel.claim import ApproxDP
from dpcert.audit.kernel.divergence import decide_pair
from dpcert.audit.measure import least_ratio_bounds, rounded_ratio
from dpcert.audit.unbounded.sample_and_threshold.premises import Hints, count_premises, rate_and_threshold
from dpcert.audit.unbounded.sample_and_threshold.two_bins import MoveBounds, move_bounds, move_hints, search_epsilon
from dpcert.audit.unbounded.theorem import Gap, HintCandidate, LeastBounds, Premise, UnboundedClaim
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.sample_and_threshold.all_counts import covering_reach, one_count_delta
from dpcert.mechanisms.sample_and_threshold.count_deltas import count_deltas
from dpcert.mechanisms.sample_and_threshold.sample_threshold import sample_threshold_law

BITS = 128
SMALL = 20
"""Up to which threshold more counts than needed are looked at, for a least epsilon that is exact."""
PROGRAM_MOST, FORM_MOST = 40, 400
"""Up to which count more than needed are looked at, with laws from the program and from the closed form."""
MOST_OUTCOMES = 4000
"""Up to how many outcomes of two bins their least epsilon is measured."""
PEOPLE = 16
"""Up to how many people in two bins their law may come from the program."""


def search(claim: UnboundedClaim) -> HintCandidate | Gap | Premise:
    """Return hints for a claim about `sample-threshold`, a premise that refutes it, or the gap between.

    Raises: InputError where counts up to 20,000 do not settle it.
    """
    return _search_moves(claim) if claim.neighbours == "substitute" else _search_counts(claim)


def _search_counts(claim: UnboundedClaim) -> HintCandidate | Premise:
    rate, threshold = rate_and_threshold(claim)
    most = PROGRAM_MOST if claim.law_source == "program" else max(FORM_MOST, 4 * threshold)
    reach = _reach(rate, threshold, claim.guarantee, most)
    if _needs_more(rate, threshold, claim.guarantee, reach):
        return count_premises(claim.parameters, reach, claim.guarantee, refutes=True)[0]
    return HintCandidate(Hints(reach).as_data())


def _needs_more(rate: Fraction, threshold: int, guarantee: ApproxDP, count: int) -> bool:
    """Whether this many people and one fewer certainly need more than delta, so that their premise is refuted."""
    if search_epsilon(guarantee.epsilon) != guarantee.epsilon:
        return False
    _, ratio = guarantee.epsilon.exp_bounds(BITS)
    return max(one_count_delta(rate=rate, threshold=threshold, ratio=ratio, count=count)) > guarantee.delta


def _reach(rate: Fraction, threshold: int, guarantee: ApproxDP, most: int) -> int:
    """Return a count that settles the claim: as all greater ones need no more than it does, or the least that refutes.

    Up to `most`, greater ones need no more than the counts up to it do, so that the least delta is exact.

    Raises: InputError where none that is looked at does.
    """
    ratio, _ = search_epsilon(guarantee.epsilon).exp_bounds(BITS)
    reach = covering_reach(rate=rate, threshold=threshold, ratio=ratio, delta=guarantee.delta)
    least = max(reach, 3 * threshold if threshold <= SMALL else 1)
    crowds = islice(count_deltas(rate=rate, threshold=1, ratio=ratio), 1, None)
    best, shown = Fraction(0), count_deltas(rate=rate, threshold=threshold, ratio=ratio)
    for count in range(1, max(reach, most) + 1):
        found, crowd = next(shown) if count >= threshold else None, next(crowds)
        if found is not None and found.exceeds(best):
            best = found.most
        if count == reach and best > guarantee.delta:
            return reach
        if count >= least and not crowd.exceeds(best):
            return count
    return least


def _search_moves(claim: UnboundedClaim) -> HintCandidate | Gap | Premise:
    rate, threshold = rate_and_threshold(claim)
    guarantee = claim.guarantee
    for most in (PROGRAM_MOST, None) if claim.law_source == "program" else (None,):
        bounds = move_bounds(rate=rate, threshold=threshold, epsilon=guarantee.epsilon, most=most)
        if bounds.lo > guarantee.delta:
            return _refuting(claim, bounds)
        hints = move_hints(bounds, rate=rate, guarantee=guarantee)
        if hints is not None:
            return HintCandidate(hints.as_data(), _measured(claim, hints, bounds))
        if bounds.reach != most:
            break
    return Gap(bounds.lo, bounds.hi, bounds.bins, "claim a little more, or audit moved-person")


def _refuting(claim: UnboundedClaim, bounds: MoveBounds) -> Premise:
    """Return the premise whose refutation refutes the claim: the two bins that need the most."""
    settings = (
        ("rate", claim.parameters["rate"]),
        ("threshold", claim.parameters["threshold"]),
        ("left", str(bounds.left)),
        ("entered", str(bounds.entered)),
    )
    closed = bounds.left + bounds.entered > PEOPLE
    return Premise("moved-person", settings, claim.guarantee, "substitute", closed=closed, refutes=True)


def _measured(claim: UnboundedClaim, hints: Hints, bounds: MoveBounds) -> LeastBounds:
    """Return what the two bins of greatest delta need, and what the nodes show to be enough for all."""
    pair = both_moves(dominating_pair(hints.losing, hints.gaining))
    guarantee = claim.guarantee
    _, _, enough = decide_pair(*pair, guarantee.epsilon, guarantee.delta)
    _, ratio = least_ratio_bounds(*pair, guarantee.delta)
    epsilon_hi = None if ratio is None else Epsilon.ln(rounded_ratio(ratio)[1])
    return LeastBounds(bounds.lo, enough, _least_epsilon(claim, bounds), epsilon_hi)


def _least_epsilon(claim: UnboundedClaim, bounds: MoveBounds) -> Epsilon:
    """Return an epsilon that the two bins of greatest delta need; 0 where their joint laws are long."""
    rate, threshold = rate_and_threshold(claim)
    law = sample_threshold_law(rate=rate, threshold=threshold)
    bins = (law(bounds.left), law(bounds.entered - 1)), (law(bounds.left - 1), law(bounds.entered))
    if max(len(first) * len(second) for first, second in bins) > MOST_OUTCOMES:
        return Epsilon.of(0)
    before, after = (first.product(second) for first, second in bins)
    ratio, _ = least_ratio_bounds(before, after, claim.guarantee.delta)
    return Epsilon.of(0) if ratio is None else Epsilon.ln(rounded_ratio(ratio)[0])
