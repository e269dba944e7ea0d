"""The least threshold of releases in several levels, each a sample-and-threshold histogram of a sample of its own."""

from dataclasses import replace
from fractions import Fraction

from dpcert.audit.composition import composed
from dpcert.audit.unbounded.sample_and_threshold.premises import search_epsilon
from dpcert.audit.unbounded.sample_and_threshold.profile import dominating_profile
from dpcert.mechanisms.decimals import decimal_hi
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.number import exact, ratio_text
from dpcert.mechanisms.logarithm import epsilon_bounds
from dpcert.mechanisms.mechanism import integer, probability
from dpcert.mechanisms.sample_and_threshold.all_counts import greatest_delta, least_threshold
from dpcert.mechanisms.sample_and_threshold.sample_threshold import kl_delta
from dpcert.planning.bisection import least
from dpcert.planning.frequencies import Frequencies
from dpcert.planning.lone import DIGITS
from dpcert.planning.proposal import OPTIMUM, SEARCH, PlannedAudit, Proposal
from dpcert.planning.question import Budget, Question, number_text
from dpcert.planning.sample_threshold import BITS, PAPER_MOST, half_shown

MOST_THRESHOLD, MOST_BRANCHING, MOST_ROUNDS = 1000, 1000, 200
NO_CERTIFICATE = (
    "the levels together have no certificate: they rest on the pair that dominates all counts "
    "(docs/explanation/all-counts.md) and on composition"
)
SOURCES = {
    "trie-heavy-hitters": "Lemma 7",
    "heavy-hitters": "the remark of Section 4.1",
    "quantile-search": "Lemma 8",
    "hierarchical-histogram": "Lemma 9",
}


def plan_levels(question: Question, budget: Budget, frequencies: Frequencies | None) -> Proposal:
    """Return the least threshold at which the levels together are within the budget, for any number of people.

    Given what the levels before have shown, a level is a histogram of some of the people, in one bin of which one
    person more counts, or in none. So the pair of laws that dominates all counts, composed as often as there are
    levels, dominates the release. One level alone is a part of it: its least delta is a lower bound.
    """
    own, rounds = _settings(question)
    rate = probability(own, "rate")
    ratio = search_epsilon(budget.epsilon).exp_bounds(BITS)[0]
    deltas: dict[int, Fraction] = {}

    def within(threshold: int) -> bool:
        together = composed([(dominating_profile(rate=rate, threshold=threshold), rounds)])
        needed = together.delta_at(budget.epsilon).hi
        deltas[threshold] = Fraction(1) if needed is None else exact(decimal_hi(needed, DIGITS), "delta")
        return deltas[threshold] <= budget.delta

    alone = least_threshold(rate=rate, ratio=ratio, delta=budget.delta, most=MOST_THRESHOLD)
    found = alone if alone is None or rounds == 1 else least(within, alone, MOST_THRESHOLD)
    printed = _printed(rate, rounds, budget)
    source = f"Theorem 2 and {SOURCES[question.mechanism]}"
    paper = None if printed is None else {**own, "threshold": str(printed)}
    base = Proposal(None, "", SEARCH, f"a threshold of up to {MOST_THRESHOLD:,}", source, paper)
    if alone is None or found is None:
        return base
    if found == alone:
        why = "the least threshold at this rate: with one below it, one level alone needs more"
    else:
        why = f"no lower threshold was found whose bound is within delta; below {alone} one level alone needs more"
    bins = ({"rate": number_text(rate), "threshold": str(at)} for at in (found, alone - 1))
    one, beyond = (PlannedAudit.within(budget, "sample-threshold", chosen) for chosen in bins)
    return replace(
        base,
        answer={**own, "threshold": str(found)},
        scope="for any number of people" + ("" if rounds == 1 else f", as {rounds} counts of any size, composed"),
        kind=OPTIMUM if found == alone else SEARCH,
        why=why,
        answers=(one,) if rounds == 1 else (),
        beyond=(replace(beyond, expect="refuted"),) if found == alone > 1 else (),
        bought=_bought(rate, found, printed),
        notes=() if rounds == 1 else (NO_CERTIFICATE,),
        delta=None if rounds == 1 else _bounds(rate, found, budget, deltas[found]),
    )


def _settings(question: Question) -> tuple[dict[str, str], int]:
    """Return the settings that are given, and how many levels there are."""
    if question.mechanism == "quantile-search":
        own = question.take({"rate": "1/10", "phi": "1/2", "halvings": "2"})
        return own, integer(own, "halvings", least=1, greatest=MOST_ROUNDS)
    own = question.take({"rate": "1/10", "branching": "2", "levels": "2"})
    integer(own, "branching", least=2, greatest=MOST_BRANCHING)
    levels = integer(own, "levels", least=1, greatest=MOST_ROUNDS)
    return own, 1 if question.mechanism == "heavy-hitters" else levels


def _bounds(rate: Fraction, threshold: int, budget: Budget, hi: Fraction) -> tuple[str, str]:
    """Return the delta that one level alone needs, and a delta that is enough for all."""
    ratio = search_epsilon(budget.epsilon).exp_bounds(BITS)[1]
    lo = greatest_delta(rate=rate, threshold=threshold, ratio=ratio).delta
    return ratio_text(min(lo, hi)), ratio_text(hi)


def _printed(rate: Fraction, rounds: int, budget: Budget) -> int | None:
    """Return the least threshold at which Theorem 2's bound for each level is within its share, where there is one."""
    ratio = Epsilon.of(epsilon_bounds(budget.epsilon, BITS)[0] / rounds).exp_bounds(BITS)[0]
    if ratio * (1 - rate) < 1:
        return None
    return least(lambda at: rounds * kl_delta(rate=rate, threshold=at, ratio=ratio) <= budget.delta, 1, PAPER_MOST)


def _bought(rate: Fraction, threshold: int, printed: int | None) -> tuple[str, ...]:
    if printed is None:
        return ("the printed bound meets the budget nowhere: without exact bounds there is no plan",)
    ours, theirs = half_shown(rate, threshold), half_shown(rate, printed)
    return (f"a level shows a prefix of {ours} people with probability 1/2, of the printed choice one of {theirs}",)
