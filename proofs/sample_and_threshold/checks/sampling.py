"""Checks of sample-and-threshold, Sections 3 and 4: the binomial law, its upper sums, and the numbers in the text."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import ceil, comb

from dpcert.mechanisms.broken.threshold_histogram import fixed_size
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.finite_computers.basic_histogram import Bins
from dpcert.mechanisms.sample_and_threshold.sample_threshold import sample_threshold, sample_threshold_law
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import threshold_histogram, threshold_histogram_law
from dpcert.proofs.check import check, checks
from dpcert.reading.paths.enumerator import enumerate_law

RATES = (Fraction(1, 20), Fraction(1, 10), Fraction(1, 4), Fraction(1, 2))
FACTORS = (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(4))
THRESHOLDS = range(1, 5)
COUNTS = range(1, 41)
BITS = 64


def binomial(n: int, p: Fraction, low: int, high: int | None = None) -> Fraction:
    """Return Pr[low <= Bin(n, p) <= high]; without a high end, Pr[low <= Bin(n, p)]."""
    up, down = p.numerator, p.denominator - p.numerator
    stop = n if high is None else min(high, n)
    return Fraction(sum(comb(n, v) * up**v * down ** (n - v) for v in range(max(low, 0), stop + 1)), p.denominator**n)


def exp_minus(x: Fraction) -> tuple[Fraction, Fraction]:
    """Return lo <= e^-x <= hi for rational x >= 0, a part in 2^64 apart."""
    lo, hi = Epsilon.of(x).exp_bounds(BITS)
    return 1 / hi, 1 / lo


def _settings() -> Iterator[tuple[Fraction, Fraction, Fraction]]:
    """Return p, E = e^epsilon with E (1 - p) >= 1, and q = 1 - (1 - p)/E."""
    for rate, factor in product(RATES, FACTORS):
        ratio = factor / (1 - rate)
        yield rate, ratio, 1 - (1 - rate) / ratio


@check("sample-threshold-support")
def sample_threshold_support() -> Iterator[str]:
    """The release of a count is 0, or between the threshold and the count itself."""
    return (
        f"tau = {threshold}, k = {count}"
        for threshold, count in product(THRESHOLDS, range(9))
        for v in enumerate_law(sample_threshold(rate=Fraction(1, 3), threshold=threshold), count).law.outcomes()
        if v and not threshold <= v <= count
    )


@check("sample-threshold-law")
def sample_threshold_law_check() -> Iterator[str]:
    """The program that samples person by person has the law of a binomial with small counts moved to 0."""
    return (
        f"p = {rate}, tau = {threshold}, k = {count}"
        for rate, threshold, count in product(RATES, THRESHOLDS, range(9))
        if enumerate_law(sample_threshold(rate=rate, threshold=threshold), count).law
        != sample_threshold_law(rate=rate, threshold=threshold)(count)
    )


@check("sample-threshold-bins")
def sample_threshold_bins() -> Iterator[str]:
    """A histogram shows labels that occur, at least tau and at most their count; each bin has its own law alone."""
    rate = Fraction(1, 3)
    for threshold, counts in product((1, 2), product(range(3), repeat=3)):
        people = [label for label, count in enumerate(counts) for _ in range(count)]
        law = enumerate_law(threshold_histogram(rate=rate, threshold=threshold, universe=3), people).law
        if law != threshold_histogram_law(rate=rate, threshold=threshold, universe=3)(people):
            yield f"tau = {threshold}, counts {counts}: not a product over bins"
        for shown in law.outcomes():
            if not all(threshold <= v <= counts[label] for label, v in shown):
                yield f"tau = {threshold}, counts {counts}: {shown}"


@check("sample-threshold-mean")
def sample_size() -> Iterator[str]:
    """With p = m/n the mean sample size is m; of a bin, k p less the mean that the threshold suppresses."""
    for rate, threshold, count in product(RATES, THRESHOLDS, range(1, 20)):
        mean = sample_threshold_law(rate=rate, threshold=threshold)(count).expectation()
        lost = sum(v * binomial(count, rate, v, v) for v in range(threshold))
        if mean != count * rate - lost or (threshold == 1 and mean != count * rate):
            yield f"p = {rate}, tau = {threshold}, k = {count}"


@check("sample-threshold-mass-ratio-printed")
def mass_ratio_printed() -> Iterator[str]:
    """Lemma 1 as printed: the ratio of masses at v is at most (1 - p)^k / (k - v)."""
    return (
        f"p = {rate}, k = {k}, v = {v}: the ratio is {_mass_ratio(rate, k, v)}, printed {(1 - rate) ** k / (k - v)}"
        for k in range(1, 6)
        for v in range(k)
        for rate in (Fraction(1, 2), Fraction(1, 4))
        if _mass_ratio(rate, k, v) > (1 - rate) ** k / (k - v)
    )


def _mass_ratio(rate: Fraction, k: int, v: int) -> Fraction:
    return binomial(k, rate, v, v) / binomial(k - 1, rate, v, v)


def upper_sum_of(rate: Fraction, threshold: int, q: Fraction, k: int, *, strict: bool) -> Fraction:
    """Return Pr[B(k, p) > max(k q, tau)], or, where reports at tau itself count, Pr[B(k, p) > k q and >= tau]."""
    beyond = k * q // 1 + 1
    return binomial(k, rate, int(max(beyond, threshold + strict)))


def needed(rate: Fraction, threshold: int, ratio: Fraction, k: int) -> Fraction:
    """Return the least delta at E for the counts k and k - 1, in the order in which k comes first."""
    p, q = sample_threshold_law(rate=rate, threshold=threshold)(k), sample_threshold_law(rate=rate, threshold=threshold)
    before = q(k - 1)
    return sum((max(Fraction(0), x - ratio * before.prob(v)) for v, x in p.items()), Fraction(0))


@checks({"sample-threshold-bad-event-printed": True, "sample-threshold-bad-event-corrected": False})
def bad_event(strict: bool) -> Iterator[str]:
    """The greatest upper sum over k bounds the delta that each k needs; `strict` is the event as printed, more than
    max(k q, tau) copies sampled, and not at least tau copies, and more than k q.
    """
    for threshold in THRESHOLDS:
        for rate, ratio, q in _settings():
            most = max(upper_sum_of(rate, threshold, q, k, strict=strict) for k in COUNTS)
            for k in COUNTS:
                least = needed(rate, threshold, ratio, k)
                if least > most:
                    where = f"p = {rate}, tau = {threshold}, e^epsilon = {ratio}, k = {k}"
                    yield f"{where}: {least} is needed, no tail exceeds {most}"


@checks({"sample-threshold-edge-printed": True, "sample-threshold-edge-corrected": False})
def upper_sum_at_edge(strict: bool) -> Iterator[str]:
    """The upper sum at the greatest k <= tau/q bounds the delta that each k needs; `strict` counts above tau only."""
    for threshold in THRESHOLDS:
        for rate, ratio, q in _settings():
            edge = int(threshold / q)
            most = binomial(edge, rate, threshold + strict)
            for k in COUNTS:
                least = needed(rate, threshold, ratio, k)
                if least > most:
                    where = f"p = {rate}, tau = {threshold}, e^epsilon = {ratio}"
                    yield f"{where}: k = {k} needs {least}, the tail at {edge} is {most}"


@check("sample-threshold-chernoff")
def chernoff() -> Iterator[str]:
    """Pr[B(k, p) >= k q] <= exp(-k D(q||p)), that is (p/q)^(k q) ((1-p)/(1-q))^(k - k q); it falls with k."""
    for rate in RATES:
        for k in range(1, 21):
            for a in range(1, k):
                q = Fraction(a, k)
                if q <= rate:
                    continue
                bound = (rate / q) ** a * ((1 - rate) / (1 - q)) ** (k - a)
                mirrored = binomial(k, 1 - rate, 0, k - a)
                if not binomial(k, rate, a) == mirrored <= bound < 1:
                    yield f"p = {rate}, k = {k}, k q = {a}"


@check("sample-threshold-sixth")
def sixth() -> Iterator[str]:
    """At epsilon = 1, alpha = 1/6: p = 0.105, C = 0.935, and exp(-20 C) < 1e-8, so that tau = 20 meets 1e-8, 19 not."""
    e_lo, e_hi = Epsilon.of(1).exp_bounds(BITS)
    rates = [(1 - 1 / e) / 6 for e in (e_lo, e_hi)]
    # C = ln 6 - 6/7, so that exp(-tau C) = e^(6 tau/7) / 6^tau
    lo, hi = Epsilon.of(Fraction(6 * 20, 7)).exp_bounds(BITS)
    before = Epsilon.of(Fraction(6 * 19, 7)).exp_bounds(BITS)[0] / 6**19
    c_above = Epsilon.of(Fraction("0.9355") + Fraction(6, 7)).exp_bounds(BITS)[0]
    c_below = Epsilon.of(Fraction("0.9345") + Fraction(6, 7)).exp_bounds(BITS)[1]
    holds = (
        all(Fraction("0.1045") < rate < Fraction("0.1055") for rate in rates)
        and c_below < 6 < c_above
        and lo <= hi < Fraction(6**20, 10**8)
        and before > Fraction(1, 10**8)
    )
    if not holds:
        yield "the printed digits"


@check("sample-threshold-fixed-size")
def fixed_size_leak() -> Iterator[str]:
    """Of n - 1 equal items and a unique one, m - 1 are shown with probability m/n; of n equal ones, never."""
    for n, m, threshold in ((4, 3, 2), (5, 3, 2), (5, 4, 2), (5, 4, 3)):
        release = fixed_size(size=m, threshold=threshold)

        def shown(people: list[int], release: Callable[..., Bins] = release) -> Dist:
            return enumerate_law(release, people).law.map(lambda bins: sum(count for _, count in bins))

        unique, equal = shown([0] * (n - 1) + [1]), shown([0] * n)
        if unique.prob(m - 1) != Fraction(m, n) or equal != Dist.point(m):
            yield f"n = {n}, m = {m}, tau = {threshold}"


@checks({"sample-threshold-excess-printed": range(1, 13), "sample-threshold-excess-corrected": range(0)})
def _sample_excess(slacks: range) -> Iterator[str]:
    """Pr[s > m + c sqrt(m)] <= exp(-c^2/3) for the sample of n people at rate m/n, for every c > 0; corrected, where c
    <= sqrt(m).
    """
    for n in range(2, 26):
        for root in (1, 2, 3, 4):
            m = root * root
            for c in slacks or range(1, root + 1):
                if m < n and m + c * root < n:
                    beyond = binomial(n, Fraction(m, n), m + c * root + 1)
                    if beyond > exp_minus(Fraction(c * c, 3))[1]:
                        yield f"n = {n}, m = {m}, c = {c}: the tail is {beyond}"


@checks({"sample-threshold-omitted-printed": False, "sample-threshold-omitted-corrected": True})
def _omitted(heavy: bool) -> Iterator[str]:
    """An item of count W is omitted with probability at most exp(-(W p - tau)^2 / (2 W p)), for every W; corrected, for
    W p >= tau, and so is the probability that at most tau are sampled.
    """
    for count in range(1, 61):
        for threshold in range(1, 6):
            for rate in (Fraction(1, 2), Fraction(1, 4), Fraction(1, 10)):
                mean = count * rate
                if heavy and mean < threshold:
                    continue
                missed = binomial(count, rate, 0, threshold if heavy else threshold - 1)
                if missed > exp_minus((mean - threshold) ** 2 / (2 * mean))[1]:
                    yield f"W = {count}, p = {rate}, tau = {threshold}: omitted with probability {missed}"


@check("sample-threshold-omitted-example")
def omitted_example() -> Iterator[str]:
    """For w = 100 and tau = 20 the bound is exp(-32) < 1e-13; 1,000 sampled at 1/10 are missed less often."""
    exponent = Fraction((100 - 20) ** 2, 2 * 100)
    bound = exp_minus(exponent)
    missed = binomial(1000, Fraction(1, 10), 0, 19)
    holds = exponent == 32 and bound[1] < Fraction(1, 10**13) and missed < bound[0]
    if not holds:
        yield "the printed digits"


@check("sample-threshold-relative-error-printed")
def relative_error_printed() -> Iterator[str]:
    """The relative error of a count of mean mu exceeds 1/2 with probability at most 100 exp(-mu/4)."""
    rate, gamma = Fraction(1, 10), Fraction(1, 2)
    counts = range(40, 1001, 40)
    return (
        f"p = {rate}, gamma = {gamma}, {count} people: the probability is more than 100 exp(-gamma^2 mu)"
        for count in counts
        if off(count, rate, gamma) > 100 * exp_minus(gamma * gamma * count * rate)[1]
    )


@check("sample-threshold-relative-error-corrected")
def relative_error_corrected() -> Iterator[str]:
    """It exceeds gamma < 1 with probability at most 2 exp(-gamma^2 mu / 3)."""
    return (
        f"k = {count}, p = {rate}, gamma = {gamma}"
        for count in COUNTS
        for rate in RATES
        for gamma in (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))
        if off(count, rate, gamma) > 2 * exp_minus(gamma * gamma * count * rate / 3)[1]
    )


def off(count: int, rate: Fraction, gamma: Fraction) -> Fraction:
    """Return Pr[|X - mu| > gamma mu]."""
    mean = count * rate
    return 1 - binomial(count, rate, ceil(mean - gamma * mean), int(mean + gamma * mean))


@check("sample-threshold-mean-solved-printed")
def solved_for_mean_printed() -> Iterator[str]:
    """With mu = (3/gamma^2) ln(1/(2 beta)), 2 exp(-gamma^2 mu/3) is beta: that is 2 (2 beta)."""
    betas = Fraction(1, 2), Fraction(1, 10), Fraction(1, 10**9)
    return (f"beta = {beta}: 2 exp(-gamma^2 mu/3) is {2 * (2 * beta)}" for beta in betas if 4 * beta != beta)


@check("sample-threshold-section-4")
def numbers_of_section_4() -> Iterator[str]:
    """The places of 1/3 and of [0, 0.7] in base 4, the most probes of a prefix range, and the two numeric examples."""
    third, range_end = Fraction(1, 3), Fraction(7, 10)
    if not (Fraction(1, 4) <= third <= Fraction(2, 4) and Fraction(5, 16) <= third <= Fraction(6, 16)):
        yield "1/3"
    if [int(range_end * 4**level) % 4 for level in (1, 2)] != [2, 3]:
        yield "[0, 0.7]"
    for base, levels in ((2, 6), (3, 4), (4, 3)):
        probes = [sum(end // base**i % base for i in range(levels)) for end in range(base**levels)]
        if max(probes) != levels * (base - 1):
            yield f"branching factor {base}, {levels} levels: {max(probes)} probes"
    if (2 - 1) * (10 * 10) ** 2 != 10**4 or Fraction(10**4, 10**6) != Fraction(1, 100):
        yield "tau = 10, L = 10"
    gamma_squared, rate = Fraction(1, 10), Fraction(1, 10)
    if 3 / gamma_squared * 10 / rate != 3 * 10**3 or Fraction(3 * 10**3, 3 * 10**5) != Fraction(1, 100):
        yield "phi = 3 * 10^3 / n"
