"""The least noise of compact histograms that Theorem 8.6 knows within an epsilon."""

from dataclasses import replace

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.finite_computers.compact_costs import GREATEST_BITS
from dpcert.mechanisms.finite_computers.compact_histogram import theorem_settings
from dpcert.mechanisms.finite_computers.fastsample import MAX_BITS, cutoff
from dpcert.mechanisms.finite_computers.geosample import noise_exponent
from dpcert.mechanisms.mechanism import integer, inverse
from dpcert.planning.frequencies import Frequencies
from dpcert.planning.noisy_count import error_of, inverse_within, noise_utility
from dpcert.planning.proposal import SEARCH, PlannedAudit, Proposal
from dpcert.planning.question import Budget, Question, number_text

NAME = "compact-histogram"
MOST_PEOPLE = 10**5
AUDITED_PEOPLE = 2
"""Of how many people the audited lists are: the release of so few, from the same universe, on one label more."""
RESTS = (
    "for n people it rests on Theorem 8.6 i, whose row in `dpcert claims` is tested at points and not proved; the "
    "certificate is of the release at n = {few}, from the same universe"
)


def plan_compact(question: Question, budget: Budget, frequencies: Frequencies | None) -> Proposal:
    """Return the greatest epsilon of Theorem 8.6, which takes inverses of integers, within the budget."""
    settings = question.take({"n": "1000", "universe": str(2**64), "beta": "1/100"})
    people, beta = integer(settings, "n", least=1, greatest=MOST_PEOPLE), inverse(settings, "beta", least=2)
    universe = integer(settings, "universe", least=2, greatest=1 << GREATEST_BITS)
    why = "the greatest epsilon of the form 1/m, as Theorem 8.6 asks; whether a greater one would do is not tried"
    epsilon = inverse_within(budget.epsilon, 1)
    base = Proposal(None, "", SEARCH, why, "Theorem 8.6")
    if epsilon is None:
        return base
    few = min(people, AUDITED_PEOPLE)
    audited = theorem_settings(n=few, universe=universe, epsilon=epsilon, beta=beta)
    audited |= {"universe": str(min(universe, few + 1)), "view": "counts"}
    k = noise_exponent(inverse(audited, "epsilon"))
    bits = cutoff(n=few, epsilon=inverse(audited, "epsilon"), gamma=inverse(audited, "gamma")) * (k + 1)
    if bits >= MAX_BITS:
        given, needed = f"a noisy count of about {bits} bits", f"fewer than {MAX_BITS} bits, to audit its law"
        raise InputError(given=given, needed=needed, remedy="take a greater epsilon or beta, or a smaller universe")
    own = {"n": str(people), "universe": str(universe)}
    answer = {**own, "beta": number_text(beta), "epsilon": number_text(epsilon)}
    return replace(
        base,
        answer=answer,
        scope="for all lists of n labels, by Theorem 8.6 i",
        paper=answer,
        bought=(f"noise is within {error_of(k, beta)} but for a probability of about {number_text(beta)}",),
        answers=(PlannedAudit.within(budget, NAME, audited),),
        utility=None if frequencies is None else noise_utility(frequencies, k, beta),
        notes=(RESTS.format(few=few),),
    )
