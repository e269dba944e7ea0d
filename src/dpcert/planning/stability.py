"""The least thresholds of stability-based histograms: exactly for delta, and as they are printed."""

from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.decimals import rounded_text
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact, ratio_text
from dpcert.mechanisms.finite_computers.accuracy import log_ceiling
from dpcert.mechanisms.finite_computers.basic_histogram import MAX_UNIVERSE
from dpcert.mechanisms.finite_computers.fastsample import MAX_BITS, cutoff
from dpcert.mechanisms.finite_computers.geosample import noise_exponent
from dpcert.mechanisms.mechanism import integer, inverse
from dpcert.planning.bisection import least
from dpcert.planning.fixed import expected, geometric_at_least, power_bounds, shown
from dpcert.planning.frequencies import Frequencies
from dpcert.planning.noisy_count import inverse_within, least_exponent, parameter_for
from dpcert.planning.proposal import OPTIMUM, FrontierPoint, PlannedAudit, Proposal
from dpcert.planning.question import Budget, Question, number_text

AUDITED, LISTED = 60, 16
"""The greatest number of people for which two labels are audited, and the greatest with others elsewhere."""
AT = "audited at n = {people} on the two labels between which one moves"
WITH = " with the printed k and cut-off"
BITS, SHORT = 512, 1 << 16
"""The bits of powers in a search, and those of the longest powers that are computed exactly at once."""
FEW, MANY = 12, 5001
"""For more people than FEW, and this many labels, every way to share two labels is audited, not every list."""


class Lone:
    """The probability that a label that occurs once is released, by threshold: exactly, from closed forms.

    `gamma` is 0 for GeoSample, and FastSample's weight of the uniform count otherwise; t is its cut-off.
    """

    def __init__(self, *, n: int, k: int, gamma: Fraction = Fraction(0), t: int = 0) -> None:
        self.n, self.gamma, self.t = n, gamma, t
        self.alpha = Fraction(1 << k, (1 << k) + 1)

    def delta(self, b: int) -> Fraction:
        """Return Pr[M(1) > b], for b >= 0; 0 from b = n on."""
        if b >= self.n:
            return Fraction(0)
        noisy = self.alpha**b / (1 + self.alpha)
        if not self.gamma:
            return noisy
        cut = self.alpha ** (self.t + 1) / (1 + self.alpha)
        if b == 0:
            noisy += cut  # what is cut off on the lower side is moved to the true count
        else:
            noisy = max(Fraction(0), noisy - cut)
        return (1 - self.gamma) * noisy + self.gamma * Fraction(self.n - b, self.n + 1)

    def bounds(self, b: int, *, bits: int = BITS) -> tuple[Fraction, Fraction]:
        """Return bounds of `delta` from powers of `bits` bits; where its numbers are short, both equal it.

        Claims: they are within 2^(80 - bits) of each other, for n and t up to 10^9.
        """
        if b >= self.n or max(b, self.t) * self.alpha.denominator.bit_length() <= SHORT:
            exactly = self.delta(b)
            return exactly, exactly
        lo, hi = (x / (1 + self.alpha) for x in power_bounds(self.alpha, b, bits))
        if not self.gamma:
            return lo, hi
        # The cut mass is subtracted but at b = 0, so that its upper bound belongs to the lower one of the whole.
        cut_lo, cut_hi = (x / (1 + self.alpha) for x in power_bounds(self.alpha, self.t + 1, bits))
        lo, hi = (
            (lo + cut_lo, hi + cut_hi) if b == 0 else (max(Fraction(0), lo - cut_hi), max(Fraction(0), hi - cut_lo))
        )
        mixed = self.gamma * Fraction(self.n - b, self.n + 1)
        return (1 - self.gamma) * lo + mixed, (1 - self.gamma) * hi + mixed

    def least(self, delta: Fraction) -> int:
        """Return the least b that is within delta; it is at most n."""
        bits = BITS + delta.denominator.bit_length()

        def within(b: int) -> bool:
            lo, hi = self.bounds(b, bits=bits)
            return hi <= delta if hi <= delta or lo > delta else self.delta(b) <= delta

        found = least(within, 0, self.n)
        return self.n if found is None else found

    def shown(self, frequency: int, b: int) -> Fraction:
        """Return approximately the probability that a label of this frequency, up to n, is released."""
        if b >= self.n:
            return Fraction(0)
        ratio, m = 1 / self.alpha, b + 1 - min(frequency, self.n)
        cut = geometric_at_least(ratio, self.t + 1) if self.gamma else Fraction(0)
        beyond = max(Fraction(0), geometric_at_least(ratio, m if m >= 1 else 1 - m) - cut)
        noisy = beyond if m >= 1 else 1 - beyond
        return (1 - self.gamma) * noisy + self.gamma * Fraction(self.n - b, self.n + 1)


def printed_stability_threshold(*, epsilon: Fraction, delta: Fraction, fast: bool) -> int:
    """Return b = 1 + ceil(9/(2 epsilon) ln(1/delta)), with 2/delta for FastSample.

    Source: finite-computers, Figure 4 and Theorem 5.6.
    """
    return 1 + log_ceiling((2 if fast else 1) / delta, Epsilon.of(2 * epsilon / 9))


def plan_stability(question: Question, budget: Budget, frequencies: Frequencies | None) -> Proposal:
    """Return the least threshold of the stability-based histogram for delta, with the least noise within epsilon."""
    settings = question.take({"n": "20", "universe": "3", "sampler": "geosample", "gamma": "", "beta0": "1"})
    n = integer(settings, "n", least=1, greatest=10**9)
    integer(settings, "universe", least=2, greatest=MAX_UNIVERSE)
    if settings["sampler"] not in ("geosample", "fastsample"):
        given = f"sampler={settings['sampler']}"
        raise InputError(given=given, needed="geosample or fastsample", remedy="set one of these")
    fast, printed = settings["sampler"] == "fastsample", inverse_within(budget.epsilon, 1)
    source = "Theorem 5.6" if fast else "Figure 4"
    why = "the least threshold" + (WITH if fast else "")
    why += ": one below it, a label that occurs once is shown with more than delta"
    k = noise_exponent(printed) if fast and printed is not None else least_exponent(budget.epsilon, 2)
    base = Proposal(None, "by Theorem 5.5 i", OPTIMUM, why, source)
    if k is None or printed is None:
        return base
    gamma, t = Fraction(0), 0
    if fast:
        gamma = inverse(settings, "gamma", least=2) if "gamma" in settings else _printed_gamma(settings, n, budget)
        t = cutoff(n=n, epsilon=printed, gamma=gamma)
        if t * (k + 1) >= MAX_BITS:
            given, needed = f"a draw of about {t * (k + 1)} bits", f"fewer than {MAX_BITS} bits"
            raise InputError(given=given, needed=needed, remedy="take a greater epsilon, or sampler=geosample")
    lone = Lone(n=n, k=k, gamma=gamma, t=t)
    b = lone.least(budget.delta)
    old = printed_stability_threshold(epsilon=printed, delta=budget.delta, fast=fast)
    chosen = {"epsilon": number_text(printed if fast else parameter_for(k)), "sampler": settings["sampler"]}
    if fast:
        chosen["gamma"] = number_text(gamma)
    answer = {"n": str(n), "universe": settings["universe"], **chosen, "threshold": str(b)}
    people = n if fast else min(n, b + 1)
    audited = 1 <= people <= AUDITED

    def check(threshold: int, expect: str) -> PlannedAudit:
        elsewhere = people <= (LISTED if expect == "verified" else FEW)
        universe = str(MANY) if elsewhere else "2"
        own = {**answer, "n": str(people), "universe": universe, "threshold": str(threshold)}
        return PlannedAudit.within(budget, "stability-histogram", own, expect)

    notes = [] if b < n else [f"with n = {n} people no noisy count is above the threshold: nothing is shown"]
    if not audited:
        notes.append(f"not audited: two labels are audited for up to {AUDITED} people, and this takes {people}")
    scope = "for every list of n people, by Theorem 5.5 i"
    frontier, spent = None, lone.bounds(b)
    if question.frontier:
        deltas = [budget.delta / 10**power for power in range(9)]
        frontier = tuple(FrontierPoint({"delta": ratio_text(x), "threshold": str(lone.least(x))}) for x in deltas)
    alone = " alone" if people > LISTED else ""
    return replace(
        base,
        answer=answer,
        scope=f"{scope}; {AT.format(people=people)}{alone}" if audited else scope,
        paper={**answer, "epsilon": number_text(printed), "threshold": str(old)},
        bought=_bought(b, old, lone, k, noise_exponent(printed), frequencies),
        answers=(check(b, "verified"),) if audited else (),
        beyond=(check(b - 1, "refuted"),) if audited and b >= 1 else (),
        frontier=frontier,
        utility=None if frequencies is None else _utility(frequencies, b, lone),
        notes=tuple(notes),
        where="which a label that occurs once needs",
        delta=(rounded_text(spent[0], up=False), rounded_text(spent[1], up=True)),
    )


def _printed_gamma(settings: dict[str, str], n: int, budget: Budget) -> Fraction:
    """Return the greatest inverse of an integer that is at most min(beta_0/(2n), delta/2), of Theorem 5.6."""
    beta = exact(settings["beta0"], "beta0")
    if not 0 < beta <= 1:
        raise InputError(given=f"beta0={settings['beta0']}", needed="a number in (0, 1]", remedy="write 1/100")
    most = min(beta / (2 * n), budget.delta / 2)
    return Fraction(1, -(-most.denominator // most.numerator))


def _bought(b: int, old: int, lone: Lone, k: int, printed: int, frequencies: Frequencies | None) -> tuple[str, ...]:
    _, spent = lone.bounds(old)
    spends = f"a delta of {shown(spent)}" if spent else "none of delta"
    lines = [f"counts above {b} are shown, with the printed threshold those above {old}, which spends {spends}"]
    if k != printed:
        lines.append(f"noise of k = {k}, printed k = {printed}: half of it for each one less")
    if frequencies is not None:
        by_print = Lone(n=lone.n, k=printed, gamma=lone.gamma, t=lone.t)
        ours, theirs = (_utility(frequencies, at, of)["keys shown"] for at, of in ((b, lone), (old, by_print)))
        lines.append(f"on the file {ours} of {frequencies.keys} keys are shown, with the printed choice {theirs}")
    return tuple(lines)


def _utility(frequencies: Frequencies, b: int, lone: Lone) -> dict[str, str]:
    keys = expected(frequencies, lambda frequency: lone.shown(frequency, b))
    return {"keys": str(frequencies.keys), "keys shown": shown(keys)}
