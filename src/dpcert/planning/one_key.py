"""The least threshold of one key's stability-based histogram, sampled by its value or not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.epsilons import at_most
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.finite_computers.geometric import geometric_law
from dpcert.mechanisms.mechanism import integer, rational_ratio
from dpcert.mechanisms.weighted_sampling.pws_rates import sampling_probabilities, sampling_probability
from dpcert.mechanisms.weighted_sampling.sbh import printed_threshold
from dpcert.planning.fixed import expected, geometric_at_least, shown
from dpcert.planning.frequencies import Frequencies
from dpcert.planning.proposal import OPTIMUM, FrontierPoint, PlannedAudit, Proposal
from dpcert.planning.question import Budget, Question

LEAST_NOISY = Fraction(1, 20)
IMAX = 10
"""The greatest frequency of a key that is audited."""


def plan_sbh(question: Question, budget: Budget, frequencies: Frequencies | None) -> Proposal:
    """Return the least threshold of one key's stability-based histogram, sampled by its value or not."""
    sampled = question.mechanism == "sbh-sampled"
    defaults = {"most": "", "imax": str(IMAX)} | ({"q": "priority:1/20"} if sampled else {})
    settings = question.take(defaults)
    ratio = rational_ratio(budget.epsilon)
    why = "the least threshold: at one below it, a key of frequency 1 is reported with more than delta"
    source = "Algorithm 6"
    if not at_most(Epsilon.of(LEAST_NOISY), budget.epsilon):
        needed = f"an epsilon of {LEAST_NOISY} or more, as every noisy frequency is listed"
        raise InputError(given=f"--epsilon {question.epsilon}", needed=needed, remedy="plan stability-histogram")
    integer(settings, "imax", least=1, greatest=1000)
    old = printed_threshold(ratio=ratio, delta=budget.delta)
    most = integer({"most": str(max(30, old + 10)), **settings}, "most", least=2, greatest=10**4)
    spent = _spent(geometric_law(n=most, ratio=ratio)(1), sampling_probabilities(settings.get("q", "1"), most))
    threshold = _first_within(spent, budget.delta)
    paper = {"threshold": str(old), **({"q": settings["q"]} if sampled else {})}
    if threshold is None:
        return Proposal(None, "", OPTIMUM, why, source, paper)
    chosen = {"most": str(most), "imax": settings["imax"]} | ({"q": settings["q"]} if sampled else {})
    own = {"epsilon": str(budget.epsilon), "delta": ratio_text(budget.delta), **chosen}

    def check(at: int, expect: str) -> PlannedAudit:
        return PlannedAudit.within(budget, question.mechanism, {**own, "threshold": str(at)}, expect)

    frontier = None
    if question.frontier:
        deltas = [budget.delta / 10**power for power in range(9)]
        points = [(x, _first_within(spent, x)) for x in deltas]
        frontier = tuple(
            FrontierPoint({"delta": ratio_text(x), "threshold": str(at)}) for x, at in points if at is not None
        )
    lines = [
        f"values from {threshold} on are reported, printed from {old} on, which spends a delta of "
        f"{shown(spent[min(old, most) - 1])}"
    ]
    utility = None
    if frequencies is not None:
        rates = sampling_probability(settings.get("q", "1"))
        utility = _reported(frequencies, ratio, threshold, most, rates if sampled else None)
        theirs = _reported(frequencies, ratio, old, most, rates if sampled else None)["keys reported"]
        lines.append(
            f"on the file {utility['keys reported']} of {frequencies.keys} keys, with the printed choice {theirs}"
        )
    return Proposal(
        answer={**own, "threshold": str(threshold)},
        scope=f"for frequencies that differ by one, audited up to {settings['imax']}",
        kind=OPTIMUM,
        why=why,
        source=source,
        paper=paper,
        bought=tuple(lines),
        answers=(check(threshold, "verified"),),
        beyond=(check(threshold - 1, "refuted"),) if threshold > 1 else (),
        frontier=frontier,
        utility=utility,
        where="which a key of frequency 1 needs",
    )


def _spent(law: Dist, q: Sequence[Fraction]) -> list[Fraction]:
    """Return the chance that a key of frequency 1 is reported for the thresholds 1, 2, ..., len(q), from its noisy law.

    Weights are added up over one denominator, and each sum is reduced once.
    """
    weights = {value: weight for _, value, weight in law.weights()}
    total, found = Fraction(0), []
    for value in range(len(q), 0, -1):
        total += weights.get(value, 0) * q[value - 1]
        found.append(total / law.denominator)
    return found[::-1]


def _first_within(spent: Sequence[Fraction], delta: Fraction) -> int | None:
    """Return the least threshold that spends at most delta; None where only one above all values does."""
    return next((threshold for threshold, chance in enumerate(spent, 1) if chance <= delta), None)


def _reported(
    frequencies: Frequencies, ratio: Fraction, threshold: int, most: int, rates: Callable[[int], Fraction] | None
) -> dict[str, str]:
    """Return the expected number of keys reported; values are sampled by the rates where there are any."""

    def chance(frequency: int) -> Fraction:
        if rates is None:
            return geometric_at_least(ratio, threshold - frequency)
        ends = [geometric_at_least(ratio, value - frequency) for value in range(threshold, most + 1)]
        masses = [a - b for a, b in zip(ends, [*ends[1:], Fraction(0)], strict=True)]
        return sum((mass * rates(value) for value, mass in enumerate(masses, threshold)), Fraction(0))

    return {"keys": str(frequencies.keys), "keys reported": shown(expected(frequencies, chance))}
