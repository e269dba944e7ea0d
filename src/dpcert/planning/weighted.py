"""Private weighted sampling planned on a user's frequencies: the keys reported at an epsilon, a delta and a tau."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.epsilons import at_most
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact, ratio_text
from dpcert.mechanisms.finite_computers.accuracy import log_ceiling
from dpcert.mechanisms.mechanism import integer, rational_ratio
from dpcert.mechanisms.weighted_sampling.pws_grid import grid_probabilities
from dpcert.mechanisms.weighted_sampling.pws_rates import sampling_probabilities, sampling_probability
from dpcert.planning.bisection import least
from dpcert.planning.fixed import expected, geometric_at_least, shown
from dpcert.planning.frequencies import Frequencies
from dpcert.planning.proposal import OPTIMUM, FrontierPoint, PlannedAudit, Proposal
from dpcert.planning.question import Budget, Question, number_text, steps_of

SBH = "Algorithm 6 (stability-based histograms, and sampling)"
MOST_IMAX = 2000
"""The greatest frequency that is told from greater ones by default."""
CHOSEN = "chosen by the frequencies themselves, which is not private: choose it on public data"


class Reported:
    """The expected number of keys of a file that the greatest reporting probabilities report, exactly.

    The probabilities are those of Algorithm 3, each rounded down to a multiple of 2^-bits: they are as private, and
    smaller by less than 2^-bits at each step. A frequency above imax counts as imax.
    """

    def __init__(self, frequencies: Frequencies, *, imax: int, bits: int) -> None:
        self.imax, self.bits = imax, bits
        many: dict[int, int] = {}
        for frequency, keys in frequencies.keys_of:
            many[min(frequency, imax)] = many.get(min(frequency, imax), 0) + keys
        self.many = tuple(sorted(many.items()))

    def masses(self, epsilon: Epsilon, delta: Fraction, q: str) -> Sequence[int]:
        """Return the reporting probabilities of frequencies 1 to imax, times 2^bits."""
        rates = sampling_probabilities(q, self.imax)
        return list(grid_probabilities(q=rates, ratio=rational_ratio(epsilon), delta=delta, bits=self.bits))

    def keys(self, epsilon: Epsilon, delta: Fraction, q: str) -> Fraction:
        """Return the expected number of keys reported."""
        masses = self.masses(epsilon, delta, q)
        return Fraction(sum(keys * masses[frequency - 1] for frequency, keys in self.many), 1 << self.bits)


def plan_pws(question: Question, budget: Budget, frequencies: Frequencies | None) -> Proposal:
    """Return the greatest tau = 1/j that reports at most `size` keys, or the least epsilon that reports `keys`.

    Without either, plan for the sampling q.
    """
    settings = question.take({"q": "1", "size": "", "keys": "", "imax": "", "bits": "64", "steps": "1000"})
    if frequencies is None:
        needed = "--frequencies FILE: what is reported depends on the frequencies"
        raise InputError(given=f"plan {question.mechanism} without a file", needed=needed, remedy="name a CSV file")
    if "size" in settings and ("keys" in settings or "q" in question.settings):
        given = "a size beside keys or q"
        raise InputError(given=given, needed="one of them: a size plans tau, and so q", remedy="leave one out")
    bits = integer(settings, "bits", least=8, greatest=4096)
    imax = integer({"imax": str(min(frequencies.greatest, MOST_IMAX)), **settings}, "imax", least=1, greatest=10**5)
    reported, q, spend = Reported(frequencies, imax=imax, bits=bits), settings["q"], budget.epsilon
    why = (
        "no sanitizer of that sample reports a key of any frequency up to imax more often (Lemma 4.1), but for rounding"
    )
    notes: tuple[str, ...] = ()
    base = Proposal(None, "", OPTIMUM, why, SBH)
    if "size" in settings:
        size = _count(settings, "size")
        why = f"the greatest tau = 1/j that reports at most {settings['size']} keys in expectation; for it, {why}"
        j = least(lambda j: reported.keys(spend, budget.delta, f"priority:1/{j}") <= size, 1, 10**18)
        if j is None:
            return replace(base, why=why)
        q, notes = f"priority:1/{j}", (f"tau was {CHOSEN}",)
    elif "keys" in settings:
        wanted, steps = _count(settings, "keys"), steps_of(settings)
        why = f"the least epsilon, in steps of 1/{steps}, that reports {settings['keys']} keys; for it, {why}"
        over = least(lambda i: not at_most(Epsilon.of(Fraction(i, steps)), budget.epsilon), 1, 10**12)
        most = 0 if over is None else over - 1
        i = least(lambda i: reported.keys(Epsilon.of(Fraction(i, steps)), budget.delta, q) >= wanted, 1, max(most, 1))
        if i is None or i > most:
            return replace(base, why=why)
        spend, notes = Epsilon.of(Fraction(i, steps)), (f"epsilon was {CHOSEN}",)
    if frequencies.greatest > imax:
        notes += (f"frequencies above {imax} are taken for it; a greater --set imax= tells more of them apart",)
    answer = {"epsilon": str(spend), "delta": ratio_text(budget.delta), "q": q, "imax": str(imax), "bits": str(bits)}
    keys = reported.keys(spend, budget.delta, q)
    threshold = 1 + log_ceiling(1 / budget.delta, spend)
    ratio, rate = rational_ratio(spend), sampling_probability(q)

    def thresholded(frequency: int) -> Fraction:
        """Return the chance of a key by a threshold, then kept by the sampling of its true frequency."""
        return rate(frequency) * geometric_at_least(ratio, threshold - frequency)

    baseline = shown(expected(frequencies, thresholded))
    sampled = shown(expected(frequencies, rate))
    frontier = tuple(_points(reported, spend, budget.delta, q)) if question.frontier else None
    check = PlannedAudit(question.mechanism, answer, str(spend), ratio_text(budget.delta), budget.audited)
    return Proposal(
        answer=answer,
        scope="for all frequencies, those above imax taken for it",
        kind=OPTIMUM,
        why=why,
        source=SBH,
        paper={"threshold": str(threshold), "q": q},
        bought=(f"{shown(keys)} of {frequencies.keys} keys are reported, by thresholds and sampling about {baseline}",),
        answers=(check,),
        frontier=frontier,
        utility={"keys": str(frequencies.keys), "keys sampled": sampled, "keys reported": shown(keys)},
        notes=notes,
    )


def _count(settings: dict[str, str], name: str) -> Fraction:
    number = exact(settings[name], name)
    if number <= 0:
        raise InputError(given=f"{name}={settings[name]}", needed="a number of keys above 0", remedy="write 1000")
    return number


def _points(reported: Reported, epsilon: Epsilon, delta: Fraction, q: str) -> list[FrontierPoint]:
    """Return the reports at quarters of epsilon, tenths of delta and halves of tau, with one factor changed at a
    time.
    """
    floor = least(lambda i: not at_most(Epsilon.of(Fraction(i, 1000)), epsilon), 1, 10**9)
    top = Fraction(0 if floor is None else floor - 1, 1000)
    spends = [epsilon, *(Epsilon.of(top * quarter / 4) for quarter in (3, 2, 1) if top)]
    rates = [q]
    if q.startswith("priority:"):
        tau = exact(q.partition(":")[2], "tau")
        rates = [f"priority:{number_text(tau / 2**half)}" for half in range(4)]
    rows = [*((e, delta, q) for e in spends), *((epsilon, delta / 10**n, q) for n in (1, 2, 3))]
    rows += [(epsilon, delta, rate) for rate in rates[1:]]
    return [
        FrontierPoint(
            {"epsilon": str(e), "delta": ratio_text(d), "q": rate, "keys reported": shown(reported.keys(e, d, rate))}
        )
        for e, d, rate in rows
    ]
