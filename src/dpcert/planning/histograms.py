"""The least noise of histograms that add it to every count: basic-histogram and keep-heavy."""

from dataclasses import replace

from dpcert.mechanisms.finite_computers.geosample import noise_exponent
from dpcert.mechanisms.mechanism import integer
from dpcert.planning.frequencies import Frequencies
from dpcert.planning.noisy_count import (
    beta_of,
    epsilon_for,
    inverse_within,
    least_exponent,
    noise_bought,
    noise_utility,
)
from dpcert.planning.proposal import OPTIMUM, PlannedAudit, Proposal
from dpcert.planning.question import Budget, Question, number_text

AUDITED_PEOPLE, AUDITED_LABELS = 2, 3
"""Of how many people and labels the audited lists are at most: the noise depends on neither."""
THEOREMS = {"basic-histogram": "Theorem 5.2 i", "keep-heavy": "Theorem 6.2 i"}
MOST_LABELS = 2**64


def plan_histogram(question: Question, budget: Budget, frequencies: Frequencies | None) -> Proposal:
    """Return the least k of a histogram with noise on every count: one person who moves changes two, and spends 2
    ln(1 + 2^-k) on them.
    """
    settings = question.take({"n": "1000", "universe": "100000", "beta": "1/20"})
    people, beta = integer(settings, "n", least=1, greatest=10**15), beta_of(settings)
    spare = people + 1 if question.mechanism == "keep-heavy" else 2
    labels = integer(settings, "universe", least=spare, greatest=MOST_LABELS)
    k, printed = least_exponent(budget.epsilon, 2), inverse_within(budget.epsilon, 1)
    other = None if printed is None else noise_exponent(printed)
    theorem = THEOREMS[question.mechanism]
    own = {"n": str(people), "universe": str(labels)}
    paper = None if printed is None else {**own, "epsilon": number_text(printed), "k": str(other)}
    base = Proposal(None, "", OPTIMUM, "the least k", theorem, paper)
    if k is None:
        return base
    few = min(people, AUDITED_PEOPLE)
    least_labels = few + 1 if question.mechanism == "keep-heavy" else 2

    def check(at: int, expect: str) -> PlannedAudit:
        universe = max(least_labels, min(labels, AUDITED_LABELS))
        chosen = {"n": str(few), "universe": str(universe), "epsilon": number_text(epsilon_for(at, printed))}
        return PlannedAudit.within(budget, question.mechanism, chosen, expect)

    return replace(
        base,
        answer={**own, "epsilon": number_text(epsilon_for(k, printed)), "k": str(k)},
        scope=f"for all lists of n labels, by {theorem}; audited on lists of {few}",
        why="the least k: the next one below spends more than epsilon" if k > 1 else "k = 1, the least that it has",
        source=f"{theorem} with the greatest 1/epsilon",
        bought=noise_bought(k, other, beta),
        answers=(check(k, "verified"),),
        beyond=(check(k - 1, "refuted"),) if k > 1 else (),
        utility=None if frequencies is None else noise_utility(frequencies, k, beta),
    )
