"""The least noise of compact histograms that Theorem 8.6 knows within an epsilon."""

from __future__ import annotations

from dpcert.mechanisms.finite_computers.compact_costs import GREATEST_BITS, settled
from dpcert.mechanisms.finite_computers.geosample import noise_exponent
from dpcert.mechanisms.mechanism import integer, inverse
from dpcert.planning.frequencies import Frequencies
from dpcert.planning.noisy_count import error_of, inverse_within, noise_utility
from dpcert.planning.proposal import SEARCH, PlannedAudit, Proposal
from dpcert.planning.question import Budget, Question, number_text

NAME = "compact-histogram"
MOST_PEOPLE = 10**5
AUDITED_PEOPLE, AUDITED_LABELS = 2, 3
"""Of how many people and labels the audited lists are."""
RESTS = (
    "for n people it rests on Theorem 8.6 i, whose row in `dpcert claims` is tested at points and not proved; the "
    f"certificate is of {AUDITED_PEOPLE} people, with the noise of the plan"
)


def plan_compact(question: Question, budget: Budget, frequencies: Frequencies | None) -> Proposal:
    """Return the greatest epsilon of Theorem 8.6, which takes inverses of integers, within the budget."""
    question.refuse_frontier()
    settings = question.take({"n": "1000", "universe": str(2**64), "beta": "1/100"})
    people, beta = integer(settings, "n", least=1, greatest=MOST_PEOPLE), inverse(settings, "beta", least=2)
    universe = integer(settings, "universe", least=2, greatest=1 << GREATEST_BITS)
    why = "the greatest epsilon of the form 1/m, as Theorem 8.6 asks; whether a greater one would do is not tried"
    epsilon = inverse_within(budget.epsilon, 1)
    if epsilon is None:
        return Proposal(None, "", SEARCH, why, "Theorem 8.6")
    chosen = settled(n=people, universe=universe, epsilon=epsilon, beta=beta)
    few = min(people, AUDITED_PEOPLE)
    audited = {
        "n": str(few),
        "universe": str(few + 1),
        "sampler": "fastsample",
        "epsilon": number_text(chosen.epsilon),
        "gamma": number_text(chosen.gamma),
        "field": "prime",
        "view": "counts",
    }
    k = noise_exponent(chosen.epsilon)
    own = {"n": str(people), "universe": str(universe)}
    answer = {**own, "beta": number_text(beta), "epsilon": number_text(epsilon)}
    return Proposal(
        answer=answer,
        scope="for all lists of n labels, by Theorem 8.6 i",
        kind=SEARCH,
        why=why,
        source="Theorem 8.6",
        paper=answer,
        bought=(f"noise is within {error_of(k, beta)} but for a probability of about {number_text(beta)}",),
        answers=(PlannedAudit.within(budget, NAME, audited),),
        utility=None if frequencies is None else noise_utility(frequencies, k, beta),
        notes=(RESTS,),
    )
