"""The least threshold of one key's stability-based histogram, sampled by its value or not."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.epsilons import at_most
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.mechanism import integer, rational_ratio
from dpcert.mechanisms.weighted_sampling.pws_rates import sampling_probability
from dpcert.mechanisms.weighted_sampling.sbh import printed_threshold
from dpcert.planning.fixed import expected, geometric_at_least, shown
from dpcert.planning.frequencies import Frequencies
from dpcert.planning.lone import least_reported, noise_ratio, reported_once
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
    if not at_most(Epsilon.of(LEAST_NOISY), budget.epsilon):
        needed = f"an epsilon of {LEAST_NOISY} or more, as every noisy frequency is listed"
        raise InputError(given=f"--epsilon {question.epsilon}", needed=needed, remedy="plan stability-histogram")
    kept = {"q": settings["q"]} if sampled else {}
    integer(settings, "imax", least=1, greatest=1000)
    old = printed_threshold(ratio=ratio, delta=budget.delta)
    ratio = noise_ratio(budget.epsilon, 1)  # that of the release
    rates = sampling_probability(settings.get("q", "1"))
    threshold = least_reported(ratio, budget.delta, rates)
    most = integer({"most": str(max(30, old + 10, threshold + 10)), **settings}, "most", least=2, greatest=10**4)
    paper = {"threshold": str(old), **kept}
    base = Proposal(None, "", OPTIMUM, why, "Algorithm 6", paper)
    if threshold > most:
        return base
    own = {"ratio": ratio_text(ratio), **kept}
    scope = {"epsilon": str(Epsilon.ln(ratio)), "most": str(most), "imax": settings["imax"]}

    def check(at: int, expect: str) -> PlannedAudit:
        rest = {**scope, "threshold": str(at), "delta": ratio_text(budget.delta), **kept}
        return PlannedAudit.within(budget, question.mechanism, rest, expect)

    frontier = None
    if question.frontier:
        points = [(x, least_reported(ratio, x, rates)) for x in (budget.delta / 10**power for power in range(9))]
        frontier = tuple(
            FrontierPoint({"delta": ratio_text(x), "threshold": str(at)}) for x, at in points if at <= most
        )
    lines = [
        f"values from {threshold} on are reported, printed from {old} on, which spends a delta of "
        f"{shown(reported_once(ratio, old, rates))}"
    ]
    utility = None
    if frequencies is not None:
        utility = _reported(frequencies, ratio, threshold, most, rates if sampled else None)
        theirs = _reported(frequencies, ratio, old, most, rates if sampled else None)["keys reported"]
        ours = utility["keys reported"]
        lines.append(f"on the file {ours} of {frequencies.keys} keys, with the printed choice {theirs}")
    return replace(
        base,
        answer={**own, "threshold": str(threshold)},
        scope=f"for frequencies that differ by one, audited up to {settings['imax']}, with noisy ones up to {most}",
        bought=tuple(lines),
        answers=(check(threshold, "verified"),),
        beyond=(check(threshold - 1, "refuted"),) if threshold > 1 else (),
        frontier=frontier,
        utility=utility,
        where="which a key of frequency 1 needs",
    )


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
