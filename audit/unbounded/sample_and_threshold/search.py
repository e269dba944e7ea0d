"""The search for hints that show, or a premise that refutes, that sample-and-threshold is private on all counts."""

from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import islice

from dpcert.audit.kernel.claim import ApproxDP
from dpcert.audit.measure import least_ratio_bounds, rounded_ratio
from dpcert.audit.unbounded.sample_and_threshold.premises import (
    BITS,
    KERNEL_MOST,
    Hints,
    count_premises,
    rate_and_threshold,
    search_epsilon,
)
from dpcert.audit.unbounded.sample_and_threshold.two_bins import MoveBounds, move_bounds
from dpcert.audit.unbounded.theorem import Gap, HintCandidate, LeastBounds, Premise, UnboundedClaim
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.sample_and_threshold.all_counts import covering_reach, greatest_delta, one_count_delta
from dpcert.mechanisms.sample_and_threshold.count_deltas import count_deltas
from dpcert.mechanisms.sample_and_threshold.sample_threshold import sample_threshold_law

HALVES = 12
"""How often the interval of a least epsilon is halved where counts are many."""
SMALL = 20
"""Up to which threshold more counts than needed are looked at, for a least epsilon that is exact."""
PROGRAM_MOST, FORM_MOST = 40, KERNEL_MOST["closed-form"]
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
    guarantee = claim.guarantee
    ratio, _ = search_epsilon(guarantee.epsilon).exp_bounds(BITS)
    reach = covering_reach(rate=rate, threshold=threshold, ratio=ratio, delta=guarantee.delta)
    if reach <= KERNEL_MOST[claim.law_source]:
        most = PROGRAM_MOST if claim.law_source == "program" else FORM_MOST
        reach = _reach(rate, threshold, guarantee, reach, most)
    if _needs_more(rate, threshold, guarantee, reach):
        counts, _ = count_premises(claim.parameters, reach, guarantee, refutes=True)
        return replace(counts, closed=reach > KERNEL_MOST["program"])
    hints = Hints(reach).as_data()
    if reach <= KERNEL_MOST[claim.law_source]:
        return HintCandidate(hints)
    return HintCandidate(hints, _measured_counts(rate, threshold, guarantee))


def _needs_more(rate: Fraction, threshold: int, guarantee: ApproxDP, count: int) -> bool:
    """Whether this many people and one fewer certainly need more than delta, so that their premise is refuted."""
    if search_epsilon(guarantee.epsilon) != guarantee.epsilon:
        return False
    _, ratio = guarantee.epsilon.exp_bounds(BITS)
    return max(one_count_delta(rate=rate, threshold=threshold, ratio=ratio, count=count)) > guarantee.delta


def _reach(rate: Fraction, threshold: int, guarantee: ApproxDP, reach: int, most: int) -> int:
    """Return a count that settles the claim: as all greater ones need no more than it does, or the least that refutes.

    Up to `most`, greater ones need no more than the counts up to it do, so that the least delta is exact.
    """
    ratio, _ = search_epsilon(guarantee.epsilon).exp_bounds(BITS)
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


def _measured_counts(rate: Fraction, threshold: int, guarantee: ApproxDP) -> LeastBounds:
    """Return the least delta of all counts, and an epsilon that the counts which need it need at the claimed delta."""
    epsilon = search_epsilon(guarantee.epsilon)
    below, above = epsilon.exp_bounds(BITS)
    needed = greatest_delta(rate=rate, threshold=threshold, ratio=below) if below > 1 else None
    if needed is None:
        return LeastBounds(Fraction(0), guarantee.delta, Epsilon.of(0), epsilon)
    pair = partial(one_count_delta, rate=rate, threshold=threshold, count=needed.count)
    low, high = Fraction(1), below
    for _ in range(HALVES):
        middle = Fraction((low + high) / 2).limit_denominator(1 << BITS)
        low, high = (middle, high) if max(pair(ratio=middle)) > guarantee.delta else (low, middle)
    least = Epsilon.ln(rounded_ratio(low)[0])
    return LeastBounds(max(pair(ratio=above)), needed.delta, least, epsilon)


def _search_moves(claim: UnboundedClaim) -> HintCandidate | Gap | Premise:
    rate, threshold = rate_and_threshold(claim)
    guarantee = claim.guarantee
    bounds = move_bounds(rate=rate, threshold=threshold, epsilon=guarantee.epsilon, delta=guarantee.delta)
    if bounds.lo > guarantee.delta:
        return _refuting(claim, bounds)
    if bounds.hi > guarantee.delta:
        return Gap(bounds.lo, bounds.hi, bounds.bins, "claim a little more, or audit moved-person")
    return HintCandidate(bounds.hints.as_data(), _measured_moves(claim, bounds))


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


def _measured_moves(claim: UnboundedClaim, bounds: MoveBounds) -> LeastBounds:
    """Return the delta that the two worst bins need, and a delta that is known to be enough for all."""
    rate, threshold = rate_and_threshold(claim)
    law = sample_threshold_law(rate=rate, threshold=threshold)
    bins = (law(bounds.left), law(bounds.entered - 1)), (law(bounds.left - 1), law(bounds.entered))
    least = Epsilon.of(0)
    if max(len(first) * len(second) for first, second in bins) <= MOST_OUTCOMES:
        before, after = (first.product(second) for first, second in bins)
        ratio, _ = least_ratio_bounds(before, after, claim.guarantee.delta)
        least = least if ratio is None else Epsilon.ln(rounded_ratio(ratio)[0])
    return LeastBounds(bounds.lo, bounds.hi, least, search_epsilon(claim.guarantee.epsilon))
