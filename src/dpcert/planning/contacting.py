"""How many people to contact, and the threshold, so that a sample of random size from few people is private."""

from dataclasses import replace
from fractions import Fraction

from dpcert.audit.sampling.binomial import UpperSum
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.mechanism import integer, probability
from dpcert.planning.bisection import least
from dpcert.planning.frequencies import Frequencies
from dpcert.planning.proposal import SEARCH, PlannedAudit, Proposal
from dpcert.planning.question import Budget, Question, number_text
from dpcert.planning.sample_threshold import MOVED_MOST, threshold_for

NAME, SAMPLED = "contacted-histogram", "sample-threshold"
MOST_PEOPLE = 10**9
BITS, GRID = 512, 128
RESTS = (
    "the certificate is of sample-and-threshold at rate m/n; that too few are contacted costs the rest of delta, by "
    "Lemma 4 and an exact bound of the binomial tail"
)


def plan_contacted(question: Question, budget: Budget, frequencies: Frequencies | None) -> Proposal:
    """Return the least threshold that leaves a share of delta for the size, and for it the least number to contact.

    Source: sample-and-threshold, Lemma 4: (epsilon, delta + (1 + e^epsilon) Pr[B(n, m/n) > asked])-DP, wherever
            sample-and-threshold at rate m/n is (epsilon, delta)-DP.
    """
    settings = question.take({"n": "1000", "m": "100", "share": "1/100"})
    n = integer(settings, "n", least=2, greatest=MOST_PEOPLE)
    m = integer(settings, "m", least=1, greatest=n - 1)
    share, rate = probability(settings, "share"), Fraction(m, n)
    sampled = replace(budget, delta=(1 - share) * budget.delta)
    left = f"with {number_text(share)} of delta left for the size"
    why = f"the least threshold up to {MOVED_MOST} {left}, and for it the least number asked"
    threshold = threshold_for(sampled, rate)
    price = 1 + budget.epsilon.exp_bounds(BITS)[1]

    def enough(asked: int) -> bool:
        return price * beyond(n, m, asked) <= share * budget.delta

    asked = least(enough, m, n)
    base = Proposal(None, "", SEARCH, why, "Lemma 4")
    if threshold is None or asked is None:
        return base
    chosen = {"rate": number_text(rate), "threshold": str(threshold)}
    total = sampled.delta + price * beyond(n, m, asked)
    return replace(
        base,
        answer={"n": str(n), "m": str(m), "asked": str(asked), "threshold": str(threshold)},
        scope=f"for all lists of {n} labels, by Lemma 4",
        answers=(PlannedAudit.within(sampled, SAMPLED, chosen),),
        notes=(RESTS,),
        delta=("0/1", ratio_text(total)),
    )


def beyond(n: int, m: int, asked: int) -> Fraction:
    """Return an upper bound of Pr[B(n, m/n) > asked], close to it: all rounding is upwards.

    Requires: m <= asked <= n, so that probabilities fall beyond `asked`.
    """
    return UpperSum.of(n, asked + 1).bound(-(-(m << GRID) // n), GRID) if asked < n else Fraction(0)
