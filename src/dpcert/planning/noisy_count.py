"""The least noise of GeoSample and FastSample, and of histograms that add it to every count: the least k.

For FastSample's k it is also the least cut-off, or the least mixing weight.
"""

from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.anonymized_histograms.moments import GeometricMoments
from dpcert.mechanisms.epsilons import at_most
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.finite_computers.accuracy import log_ceiling
from dpcert.mechanisms.finite_computers.fastsample import MAX_BITS, cutoff
from dpcert.mechanisms.finite_computers.geosample import noise_exponent
from dpcert.mechanisms.mechanism import integer, inverse
from dpcert.planning.bisection import least
from dpcert.planning.fixed import power, shown
from dpcert.planning.frequencies import Frequencies
from dpcert.planning.proposal import OPTIMUM, PlannedAudit, Proposal
from dpcert.planning.question import Budget, Question, number_text

MOST_EXPONENT = 200
AUDITED = 60
"""The greatest n for which an audit is run; the noise does not depend on n."""
BITS = 256
MOST_WEIGHT = 10**100
GAMMA = "gamma, an inverse of an integer up to 10^100"
ENOUGH = "a lesser gamma was not tried; with this cut-off it may be private as well"
AUDITED_PEOPLE, AUDITED_LABELS = 2, 3
"""Of how many people and labels the audited lists are at most: the noise depends on neither."""
THEOREMS = {"basic-histogram": "Theorem 5.2 i", "keep-heavy": "Theorem 6.2 i"}
MOST_LABELS = 2**64
NEAR = Fraction(1, 1 << 120)
"""Beyond this distance fixed-point numbers decide."""


def least_exponent(epsilon: Epsilon, times: int = 1) -> int | None:
    """Return the least k >= 1 with times ln(1 + 2^-k) <= epsilon, None where it exceeds 200."""
    return least(lambda k: at_most(Epsilon.ln((1 + Fraction(1, 1 << k)) ** times), epsilon), 1, MOST_EXPONENT)


def inverse_within(epsilon: Epsilon, halves: int) -> Fraction | None:
    """Return the greatest 1/m, m a positive integer, with 1/(halves m) <= epsilon; None where m exceeds 2^200."""
    m = least(lambda m: at_most(Epsilon.of(Fraction(1, halves * m)), epsilon), 1, 1 << MOST_EXPONENT)
    return None if m is None else Fraction(1, m)


def parameter_for(k: int) -> Fraction:
    """Return an epsilon = 1/m of which `noise_exponent` is k."""
    return Fraction(1, 1 << (k - 1))


def epsilon_for(k: int, printed: Fraction | None) -> Fraction:
    """Return the printed epsilon where its exponent is k, else another epsilon with that exponent."""
    return printed if printed is not None and noise_exponent(printed) == k else parameter_for(k)


def noise_of(k: int) -> GeometricMoments:
    """Return the noise of GeoSample for k."""
    return GeometricMoments(Fraction(1 << k, (1 << k) + 1))


def error_of(k: int, beta: Fraction) -> int:
    """Return the least a that noise of exponent k exceeds in size with probability at most beta."""
    noise = noise_of(k)

    def rare(a: int) -> bool:
        near = 2 * power(noise.alpha, a + 1) / (1 + noise.alpha)
        return near <= beta if abs(near - beta) > NEAR else noise.beyond(a) <= beta

    found = least(rare, 0, 1 << (k + 12))
    if found is None:
        raise InputError(given=f"beta={beta}", needed="a beta of use", remedy="write beta=1/20")
    return found


def beta_of(settings: dict[str, str]) -> Fraction:
    """Return the setting beta, the probability with which noise may exceed a bound.

    Raises: InputError for one of no use.
    """
    beta = exact(settings["beta"], "beta")
    if not Fraction(1, 10**100) <= beta < 1:
        raise InputError(given=f"beta={settings['beta']}", needed="a number from 1e-100 to 1", remedy="write 1/20")
    return beta


def noise_bought(k: int, other: int | None, beta: Fraction) -> tuple[str, ...]:
    """Return lines on the noise of exponent k beside that of another, and beside the printed bound of the other.

    Source: finite-computers, Theorem 4.6 ii: ceil(ln(1/beta)/epsilon) at the epsilon of one count.
    """
    if other is None:
        return ()
    bounds = error_of(k, beta), error_of(other, beta)
    printed = log_ceiling(1 / beta, Epsilon.ln(1 + Fraction(1, 1 << other)))
    return (
        f"noise is within {bounds[0]} but for a probability of {number_text(beta)}, that of the printed choice within "
        f"{bounds[1]}, for which Theorem 4.6 ii prints {printed}",
        f"its mean size is {shown(noise_of(k).mean_size())}, that of the printed choice "
        f"{shown(noise_of(other).mean_size())}",
    )


def noise_utility(frequencies: Frequencies, k: int, beta: Fraction) -> dict[str, str]:
    """Return the errors that noise of exponent k makes in the frequencies of a file."""
    bound = error_of(k, beta)
    large = sum(many for frequency, many in frequencies.keys_of if frequency >= 10 * bound)
    return {
        "keys": str(frequencies.keys),
        f"keys within a tenth but for {number_text(beta)}": str(large),
        "sum of errors, expected": shown(frequencies.keys * noise_of(k).mean_size()),
    }


def plan_geosample(question: Question, budget: Budget, frequencies: Frequencies | None) -> Proposal:
    """Return the least k, and so the least noise, of GeoSample within epsilon."""
    settings = question.take({"n": "20", "beta": "1/20"})
    n, beta = integer(settings, "n", least=1, greatest=10**5), beta_of(settings)
    k, printed = least_exponent(budget.epsilon), inverse_within(budget.epsilon, 2)
    other = None if printed is None else noise_exponent(printed)
    why = "the least k: the next one below spends more than epsilon"
    scope = "for every n, by Theorem 4.7" + ("" if n <= AUDITED else f"; audited at n = {AUDITED}")
    paper = None if printed is None else {"n": str(n), "epsilon": number_text(printed), "k": str(other)}
    base = Proposal(None, scope, OPTIMUM, why, "Theorem 4.7", paper)
    if k is None or n * (k + 1) >= 10**6:
        return base

    def check(at: int, expect: str) -> PlannedAudit:
        chosen = {"n": str(min(n, AUDITED)), "epsilon": number_text(epsilon_for(at, printed))}
        return PlannedAudit.within(budget, "geosample", chosen, expect)

    return replace(
        base,
        answer={"n": str(n), "epsilon": number_text(epsilon_for(k, printed)), "k": str(k)},
        why=why if k > 1 else "k = 1, the least that GeoSample has",
        source="Theorem 4.7 with the greatest 1/epsilon",
        bought=noise_bought(k, other, beta),
        answers=(check(k, "verified"),),
        beyond=(check(k - 1, "refuted"),) if k > 1 else (),
        utility=None if frequencies is None else noise_utility(frequencies, k, beta),
    )


def within(*, n: int, k: int, t: int, weight: int, ratio: Fraction) -> bool:
    """Whether FastSample with this k and cut-off t, mixed with a uniform count at 1/weight, is (ln ratio, 0)-DP.

    With s_j the probability of a size j <= t on one side, T that of a size above t on both, and r = 1 + 2^-k, the
    excess of a mass over the ratio times the neighbour's is greatest at one of these, for every n: at the true count,
    s_0 + T against s_1; at distance t against t + 1, s_t against 0; where one side is clamped, the sums of s_j for j >=
    c and j > c; and at an end that is the true count. Each must be at most (ratio - 1) gamma / ((1 - gamma) (n + 1)),
    the bound by the uniform count.

    Requires: n >= 1, k >= 1, t >= 0, weight >= 2, ratio >= 1 + 2^-k.
    Claims:   equal to the comparison of all laws, which a test holds; it rises with t, and with 1/weight.
    """
    r = 1 + Fraction(1, 1 << k)
    alpha = 1 / r
    most = (ratio - 1) / ((weight - 1) * (n + 1))

    def upper_sum(c: int) -> Fraction:
        """Return the probability of c, ..., t on one side, for c >= 1."""
        return (alpha**c - alpha ** (t + 1)) / (1 + alpha) if c <= t else Fraction(0)

    def reach(count: int, z: int) -> Fraction:
        """Return the probability that the clamped truncated noise makes z of count."""
        distance = abs(z - count)
        if z in (0, n):
            inward = count if z == 0 else n - count
            return upper_sum(distance) if inward else 1 - upper_sum(1)
        if distance == 0:
            return 1 - 2 * upper_sum(1)
        return upper_sum(distance) - upper_sum(distance + 1)

    counts = sorted({c for base in (0, n // 2, n) for c in range(base - 2, base + 3)} | {t, t + 1, n - t, n - t - 1})
    for a in (c for c in counts if 0 <= c <= n):
        for b in (c for c in (a - 1, a + 1) if 0 <= c <= n):
            places = {0, 1, n - 1, n, a, b, a + 1, a - 1, b + 1, b - 1, a + t, a - t, b + t, b - t}
            if any(reach(a, z) - ratio * reach(b, z) > most for z in places if 0 <= z <= n):
                return False
    return True


def least_cutoff(*, n: int, k: int, weight: int, ratio: Fraction) -> int | None:
    """Return the least t at which `within` holds; None where its draw would have MAX_BITS bits."""
    return least(lambda t: within(n=n, k=k, t=t, weight=weight, ratio=ratio), 0, MAX_BITS // (k + 1) - 1)


def plan_fastsample(question: Question, budget: Budget, frequencies: Frequencies | None) -> Proposal:
    """Return the least k of FastSample within epsilon, and the least cut-off for gamma, or the least gamma for one."""
    settings = question.take({"n": "20", "beta": "1/20", "gamma": "", "cutoff": ""})
    if ("gamma" in settings) == ("cutoff" in settings):
        given = "both a gamma and a cutoff" if "gamma" in settings else "neither a gamma nor a cutoff"
        remedy = "write --set gamma=1/100, or --set cutoff=40"
        raise InputError(given=given, needed="one of them; the other one is planned", remedy=remedy)
    n, beta = integer(settings, "n", least=1, greatest=10**5), beta_of(settings)
    k, printed = least_exponent(budget.epsilon), inverse_within(budget.epsilon, 2)
    scope = "for this n" if n <= AUDITED else f"for this n, by the conditions of its cut-off; audited at n = {AUDITED}"
    why = f"the least k, and for it the least {'cutoff' if 'gamma' in settings else GAMMA}"
    why += f", of draws short of {MAX_BITS} bits"
    base = Proposal(None, scope, OPTIMUM, why, "Algorithm 4.11 with the greatest 1/epsilon")
    if k is None or printed is None:
        return base
    ratio = budget.epsilon.exp_bounds(BITS)[0]
    weight: int | None
    t: int | None
    if "gamma" in settings:
        weight = int(1 / inverse(settings, "gamma", least=2))
        t = least_cutoff(n=n, k=k, weight=weight, ratio=ratio)
        better = None if not t else (t - 1, weight)
    else:
        t = integer(settings, "cutoff", least=0, greatest=MAX_BITS // (k + 1) - 1)
        weight = _greatest_weight(n=n, k=k, t=t, ratio=ratio)
        better = None if weight is None or weight == MOST_WEIGHT else (t, weight + 1)
    paper = None
    if "gamma" in settings:
        old = cutoff(n=n, epsilon=printed, gamma=inverse(settings, "gamma", least=2))
        paper = {"epsilon": number_text(printed), "k": str(noise_exponent(printed)), "cutoff": str(old)}
    base = replace(base, paper=paper)
    if t is None or weight is None:
        return base

    def check(at: tuple[int, int], expect: str) -> PlannedAudit:
        chosen = {"epsilon": number_text(epsilon_for(k, printed)), "gamma": f"1/{at[1]}", "cutoff": str(at[0])}
        return PlannedAudit.within(budget, "fastsample", {"n": str(min(n, AUDITED)), **chosen}, expect)

    bits = t * (k + 1) + (n + 1).bit_length() + weight.bit_length()
    bought = noise_bought(k, noise_exponent(printed), beta)
    if paper is not None:
        long = int(paper["cutoff"]) * (int(paper["k"]) + 1) + (n + 1).bit_length() + weight.bit_length()
        bought += (f"its one number has about {bits} bits, printed {long}",)
    chosen = {"n": str(n), "epsilon": number_text(epsilon_for(k, printed))}
    return replace(
        base,
        answer={**chosen, "gamma": f"1/{weight}", "cutoff": str(t), "k": str(k)},
        bought=bought,
        answers=(check((t, weight), "verified"),),
        beyond=() if better is None or n > AUDITED else (check(better, "refuted"),),
        utility=None if frequencies is None else noise_utility(frequencies, k, beta),
        notes=(ENOUGH,) if weight == MOST_WEIGHT and "cutoff" in settings else (),
    )


def _greatest_weight(*, n: int, k: int, t: int, ratio: Fraction) -> int | None:
    """Return the greatest weight from 2 to MOST_WEIGHT at which `within` holds, None where it does not at 2."""
    over = least(lambda weight: not within(n=n, k=k, t=t, weight=weight, ratio=ratio), 2, MOST_WEIGHT)
    if over is None:
        return MOST_WEIGHT
    return None if over == 2 else over - 1


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
