"""The least threshold, the greatest rate and the frontier of sample-and-threshold, for counts of any size."""

from dataclasses import replace
from fractions import Fraction
from math import ceil

from dpcert.audit.unbounded.sample_and_threshold.premises import search_epsilon
from dpcert.audit.unbounded.sample_and_threshold.printed_bounds import ParameterPoint, lemma_3
from dpcert.audit.unbounded.sample_and_threshold.two_bins import MoveBounds, move_bounds
from dpcert.mechanisms.decimals import decimal_lo
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.mechanism import integer, probability
from dpcert.mechanisms.sample_and_threshold.all_counts import greatest_delta, greatest_rate, least_threshold
from dpcert.mechanisms.sample_and_threshold.sample_threshold import kl_delta
from dpcert.planning.bisection import least
from dpcert.planning.fixed import binomial_at_least, expected, shown
from dpcert.planning.frequencies import Frequencies
from dpcert.planning.proposal import OPTIMUM, FrontierPoint, PlannedAudit, Proposal
from dpcert.planning.question import Budget, Question, number_text, steps_of

BITS = 128
FRONTIER = 100
MOST_THRESHOLD = 10_000
MOVED_MOST = 200
"""The greatest thresholds tried: for one person more, and for one who moves."""
PAPER_MOST = 10_000
NAME = "sample-threshold"
Settings = dict[str, str]


def plan_sample_threshold(question: Question, budget: Budget, frequencies: Frequencies | None) -> Proposal:
    """Return the least threshold of a rate, or the greatest rate of a threshold among the multiples of 1/steps."""
    settings = question.take({"rate": "", "threshold": "", "steps": "1000"})
    if ("rate" in settings) == ("threshold" in settings):
        given = "both a rate and a threshold" if "rate" in settings else "neither a rate nor a threshold"
        remedy = "write --set rate=1/10, or --set threshold=20"
        raise InputError(given=given, needed="one of them; the other one is planned", remedy=remedy)
    steps = steps_of(settings)
    rate: Fraction | None
    threshold: int | None
    if "rate" in settings:
        rate = probability(settings, "rate")
        threshold, next_best = threshold_for(budget, rate), (rate, -1)
        paper = _paper_threshold(rate, budget)
    else:
        threshold = integer(settings, "threshold", least=1, greatest=1000)
        rate, next_best = _rate_for(budget, threshold, steps), (Fraction(1, steps), 0)
        paper = _paper_rate(threshold, budget, steps)
    curve = _frontier(budget, steps) if question.frontier else None
    why = "least threshold at this rate" if "rate" in settings else f"greatest rate, in steps of 1/{steps}"
    base = Proposal(None, "on all counts", OPTIMUM, f"the {why}", "Theorem 2", paper, frontier=curve)
    if threshold is None:
        most = MOVED_MOST if budget.neighbours == "substitute" else MOST_THRESHOLD
        return replace(base, why=f"{base.why}, of those up to {most:,}")
    if rate is None:
        return base
    answer = _settings(rate, threshold)
    step, down = next_best
    better = (rate if down else rate + step, threshold + down)
    refuted = PlannedAudit.within(budget, NAME, _settings(*better), "refuted")
    return replace(
        base,
        answer=answer,
        answers=(PlannedAudit.within(budget, NAME, answer),),
        beyond=(refuted,) if better[1] >= 1 and better[0] < 1 else (),
        where=_where(budget, rate, threshold),
        bought=_bought(rate, threshold, paper, frequencies, budget),
        utility=None if frequencies is None else _utility(frequencies, rate, threshold),
    )


def _settings(rate: Fraction, threshold: int) -> Settings:
    return {"rate": number_text(rate), "threshold": str(threshold)}


def _ratio(budget: Budget) -> Fraction:
    return search_epsilon(budget.epsilon).exp_bounds(BITS)[0]


def threshold_for(budget: Budget, rate: Fraction) -> int | None:
    """Return the least threshold within the budget at a rate; for `substitute` the least with a certified bound."""
    found = least_threshold(rate=rate, ratio=_ratio(budget), delta=budget.delta, most=MOST_THRESHOLD)
    if budget.neighbours != "substitute" or found is None:
        return found
    return next((at for at in range(found, MOVED_MOST + 1) if _moved(budget, rate, at) is not None), None)


def _rate_for(budget: Budget, threshold: int, steps: int) -> Fraction | None:
    rate = greatest_rate(threshold=threshold, ratio=_ratio(budget), delta=budget.delta, steps=steps)
    if budget.neighbours != "substitute" or rate is None:
        return rate
    most = int(rate * steps)
    lost = least(lambda down: _moved(budget, Fraction(most - down, steps), threshold) is not None, 0, most - 1)
    return None if lost is None else Fraction(most - lost, steps)


def _moved(budget: Budget, rate: Fraction, threshold: int) -> MoveBounds | None:
    """Return bounds for people who move where a guarantee within the budget can be certified; None where not."""
    found = move_bounds(rate=rate, threshold=threshold, epsilon=budget.epsilon, delta=budget.delta)
    return found if found.hi <= budget.delta else None


def _paper_threshold(rate: Fraction, budget: Budget) -> Settings | None:
    """Return the least threshold at which Theorem 2's printed bound is within delta, where there is one."""
    ratio = _ratio(budget)
    if ratio * (1 - rate) < 1:
        return None
    at = least(lambda tau: kl_delta(rate=rate, threshold=tau, ratio=ratio) <= budget.delta, 1, PAPER_MOST)
    return None if at is None else {"rate": ratio_text(rate), "threshold": str(at)}


def _paper_rate(threshold: int, budget: Budget, steps: int) -> Settings | None:
    """Return the greatest multiple of 1/steps at which Theorem 2's printed bound is within delta.

    The bound rises with the rate, as its exponent tau D(q||p)/q falls.
    """
    ratio = _ratio(budget)

    def too_much(step: int) -> bool:
        rate = Fraction(step, steps)
        if ratio * (1 - rate) < 1:
            return True
        return kl_delta(rate=rate, threshold=threshold, ratio=ratio) > budget.delta

    at = least(too_much, 1, steps) or 1
    return {"rate": ratio_text(Fraction(at - 1, steps)), "threshold": str(threshold)} if at > 1 else None


def _frontier(budget: Budget, steps: int) -> tuple[FrontierPoint, ...]:
    """Return the greatest rate of each threshold, up to the first that no rate below 1 - 1/steps bounds."""
    found = []
    for threshold in range(1, FRONTIER + 1):
        rate = _rate_for(budget, threshold, steps)
        if rate is not None:
            settings = {"threshold": str(threshold), "rate": ratio_text(rate)}
            found.append(FrontierPoint(settings, PlannedAudit.within(budget, NAME, settings)))
        if rate == Fraction(steps - 1, steps):
            break
    return tuple(found)


def _where(budget: Budget, rate: Fraction, threshold: int) -> str:
    if budget.neighbours != "substitute":
        return f"needed at count {greatest_delta(rate=rate, threshold=threshold, ratio=_ratio(budget)).count}"
    moved = move_bounds(rate=rate, threshold=threshold, epsilon=budget.epsilon)
    return f"{moved.bins} need >= {decimal_lo(moved.lo)}"


def _bought(
    rate: Fraction, threshold: int, paper: Settings | None, found: Frequencies | None, budget: Budget
) -> tuple[str, ...]:
    printed = _by_lemma_3(rate, budget)
    if paper is None:
        return ("the printed bound meets the budget nowhere: without exact bounds there is no plan", *printed)
    theirs = Fraction(paper["rate"]), int(paper["threshold"])
    ours = half_shown(rate, threshold)
    lines = [
        f"a bin of {ours} people is shown with probability 1/2, of the printed choice one of {half_shown(*theirs)}"
    ]
    spent = greatest_delta(rate=theirs[0], threshold=theirs[1], ratio=_ratio(budget)).delta
    lines.append(f"one person added or removed costs the printed choice a delta of >= {decimal_lo(spent)}")
    if found is not None:
        mine, other = (_utility(found, *at)["keys shown"] for at in ((rate, threshold), theirs))
        lines.append(f"on the file {mine} of {found.keys} keys are shown, with the printed choice {other}")
    return (*lines, *printed)


def _by_lemma_3(rate: Fraction, budget: Budget) -> tuple[str, ...]:
    """Return the paper's recommendation at a rate in words: alpha, and the least tau >= ln(1/delta)/C_alpha.

    Source: sample-and-threshold, Lemma 3.
    """
    ratio = _ratio(budget)

    def within(threshold: int) -> bool:
        bounds = lemma_3(ParameterPoint(threshold, rate, ratio))
        return bounds is not None and bounds[1] <= budget.delta

    found = least(within, 1, PAPER_MOST)
    if found is None:
        return ("Lemma 3 has no threshold at this rate: it needs epsilon <= 1 and alpha = p/(1 - e^-epsilon) < 1",)
    return (
        f"by Lemma 3, at alpha = p/(1 - e^-epsilon) = {shown(rate / (1 - 1 / ratio))}, it would be threshold={found}",
    )


def half_shown(rate: Fraction, threshold: int) -> int | None:
    """Return the least number of people in a bin that is shown with probability 1/2 or more.

    By Chernoff's bound it is no more than 700 or 4 threshold over the rate, the greater of them.
    """
    most = ceil(max(700, 4 * threshold) / rate) + 1
    return least(lambda people: binomial_at_least(people, rate, threshold) >= Fraction(1, 2), 1, most)


def _utility(frequencies: Frequencies, rate: Fraction, threshold: int) -> Settings:
    keys = expected(frequencies, lambda frequency: binomial_at_least(frequency, rate, threshold))
    people = expected(frequencies, lambda frequency: frequency * binomial_at_least(frequency, rate, threshold))
    return {"keys": str(frequencies.keys), "keys shown": shown(keys), "people in keys shown": shown(people)}
