"""The least precision of pure-sparse-histogram that keeps it private without a delta, in bits of its numbers."""

from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.epsilons import at_most
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.finite_computers.pure_sparse_histogram import PURE_SPARSE_HISTOGRAM, pure_distance
from dpcert.mechanisms.finite_computers.sparse_histogram import precision
from dpcert.mechanisms.mechanism import integer, inverse
from dpcert.planning.frequencies import Frequencies
from dpcert.planning.noisy_count import inverse_within
from dpcert.planning.proposal import OPTIMUM, PlannedAudit, Proposal
from dpcert.planning.question import Budget, Question, number_text

NAME = "pure-sparse-histogram"


def pure_at(settings: dict[str, str], ratio_of: Epsilon) -> bool:
    """Whether the mechanism with these settings is (epsilon, 0)-DP for lists that differ in one label, exactly.

    All lists of n labels are compared, from the closed form, in both orders.
    """
    instance = PURE_SPARSE_HISTOGRAM.build(settings)
    assert instance.closed_form is not None
    laws = {tuple(people): instance.closed_form(people) for people in instance.inputs}
    worst, labels = Fraction(1), range(int(settings["universe"]))
    for people, law in laws.items():
        places = ((place, label) for place in range(len(people)) for label in labels if label != people[place])
        for other in ((*people[:place], label, *people[place + 1 :]) for place, label in places):
            found = _greatest_ratio(law, laws[other])
            if found is None:
                return False
            worst = max(worst, found)
    return at_most(Epsilon.ln(worst), ratio_of)


def _greatest_ratio(p: Dist, q: Dist) -> Fraction | None:
    """Return the greatest quotient of two laws' probabilities; None where the second lacks an outcome of the first."""
    there = {outcome: weight for _, outcome, weight in q.weights()}
    best = Fraction(1)
    for _, outcome, weight in p.weights():
        if not weight:
            continue
        if not there.get(outcome):
            return None
        top, bottom = weight * q.denominator, there[outcome] * p.denominator
        if top * best.denominator > best.numerator * bottom:
            best = Fraction(top, bottom)
    return best


def plan_pure_sparse(question: Question, budget: Budget, frequencies: Frequencies | None) -> Proposal:
    """Return the least number of bits of its numbers at which the mechanism is pure; all smaller numbers of bits are
    tried.
    """
    settings = question.take(
        {"n": "1", "universe": "4", "sampler": "geosample", "gamma": "1/100", "beta": "1/100", "bits": "4096"}
    )
    printed = inverse_within(budget.epsilon, 1)
    why = "the least power of two: each lower one, down to the size of the universe, was decided and spends more"
    source = "Algorithms 6.9 and 6.21"
    base = Proposal(None, "", OPTIMUM, why, source)
    if printed is None:
        return base
    names = ("n", "universe", "sampler", "gamma", "beta")
    own = {**{name: settings[name] for name in names}, "epsilon": number_text(printed)}
    n, universe = integer(settings, "n", least=1), integer(settings, "universe", least=2)
    beta = inverse(settings, "beta", least=2)
    delta = pure_distance(n=n, universe=universe, epsilon=printed, beta=beta)
    old = precision(n=n, universe=universe, delta=delta)
    low = (universe - 1).bit_length()
    high = min(integer(settings, "bits", least=low, greatest=4096), old.bit_length())

    def at(bits: int) -> dict[str, str]:
        return {**own, "precision": str(1 << bits)}

    # One by one: nothing shows that the mechanism stays pure with more bits, as a bisection would need.
    bits = next((b for b in range(low, high + 1) if pure_at(at(b), budget.epsilon)), None)
    base = replace(base, scope=f"on all lists of {n} labels of {universe}", paper={**own, "precision": str(old)})
    if bits is None:
        return base
    return replace(
        base,
        answer=at(bits),
        bought=(f"numbers of {bits} bits, printed {(old - 1).bit_length()}, {n} of which each release draws",),
        answers=(PlannedAudit.within(budget, NAME, at(bits)),),
        beyond=(PlannedAudit.within(budget, NAME, at(bits - 1), "refuted"),) if bits > low else (),
    )
