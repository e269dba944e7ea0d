"""Checks of accuracy in finite-computers, Sections 4 and 5: exact errors of the laws beside the printed bounds."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.finite_computers.accuracy import (
    accuracy_of,
    counting,
    independent,
    log_ceiling,
    per_query,
    simultaneous,
    spread_beta,
    worst,
)
from dpcert.mechanisms.finite_computers.basic_histogram import basic_histogram_law, lists
from dpcert.mechanisms.finite_computers.fastsample import cutoff, fastsample_law
from dpcert.mechanisms.finite_computers.geometric import geometric_law
from dpcert.mechanisms.finite_computers.geosample import geosample_law, noise_exponent
from dpcert.mechanisms.finite_computers.stability_histogram import lone_label, stability_histogram_law
from dpcert.proofs.check import check

BETAS = tuple(Fraction(1, inverse) for inverse in (1, 2, 3, 10, 100, 10**4))
INVERSES = (1, 2, 3, 5)

Law = Callable[[int], Dist]


def printed_for_geometric(*, ratio: Fraction, beta: Fraction) -> int:
    """Return a = ceil((2/e) ln(1/beta)) of Theorems 4.6 ii and 4.7 i, for e^(e/2) = ratio."""
    return log_ceiling(1 / beta, Epsilon.ln(ratio))


def printed_for_fastsample(*, epsilon: Fraction, gamma: Fraction, beta: Fraction) -> int:
    """Return a = ceil((2/e~) ln(1/(beta - gamma))) of Theorem 4.10 ii, for beta > gamma."""
    return log_ceiling(1 / (beta - gamma), Epsilon.ln(_ratio(epsilon)))


def printed_by_nine_halves(*, epsilon: Fraction, x: Fraction) -> int:
    """Return ceil(9/(2 epsilon) ln x), the form of every bound of Theorems 5.3 and 5.6 and Figures 3 and 4."""
    return log_ceiling(x, Epsilon.of(2 * epsilon / 9))


def theorem_5_6(*, n: int, epsilon: Fraction, delta: Fraction, beta: Fraction) -> tuple[Fraction, int]:
    """Return gamma and b of Theorem 5.6, for beta_0 = beta."""
    return min(beta / (2 * n), delta / 2), 1 + printed_by_nine_halves(epsilon=epsilon, x=2 / delta)


def kept_above(law: Law, threshold: int) -> Law:
    """Return the law of a noisy count that is released if above the threshold, and else reads as 0.

    A true count of 0 is not released.
    """

    def released(count: int) -> Dist:
        return law(count).map(lambda noisy: noisy if noisy > threshold else 0) if count else Dist.point(0)

    return released


def _ratio(epsilon: Fraction) -> Fraction:
    """Return e^(e~/2) = 1 + 2^-k of Theorem 4.7."""
    return 1 + Fraction(1, 1 << noise_exponent(epsilon))


def _samplers(n: int, inverses: tuple[int, ...] = (1, 3)) -> Iterator[tuple[str, Fraction, Fraction, Law]]:
    """Return (name, epsilon, gamma, law) of geosample, for which gamma is 0, and fastsample."""
    for inverse in inverses:
        epsilon = Fraction(1, inverse)
        yield f"geosample, epsilon = {epsilon}", epsilon, Fraction(0), geosample_law(n=n, k=noise_exponent(epsilon))
        for gamma in (Fraction(1, 2), Fraction(1, 50)):
            law = fastsample_law(n=n, epsilon=epsilon, gamma=gamma)
            yield f"fastsample, epsilon = {epsilon}, gamma = {gamma}", epsilon, gamma, law


@check("geometric-accuracy")
def geometric_accuracy() -> Iterator[str]:
    """The clamped geometric count has the error of Theorem 4.6 ii, and geosample that of Theorem 4.7 i."""
    ratios = (Fraction(33, 32), Fraction(6, 5), Fraction(3, 2), Fraction(2), Fraction(10))
    for n, ratio in product((1, 2, 5, 20, 60), ratios):
        found = counting(geometric_law(n=n, ratio=ratio), range(n + 1))
        for beta in BETAS:
            if found.error(beta) > printed_for_geometric(ratio=ratio, beta=beta):
                yield f"n = {n}, e^(epsilon/2) = {ratio}, beta = {beta}"


@check("fastsample-accuracy")
def fastsample_accuracy() -> Iterator[str]:
    """FastSample has the error of Theorem 4.10 ii at every beta > gamma."""
    for n in (1, 4, 30):
        for name, epsilon, gamma, law in _samplers(n, INVERSES):
            found = counting(law, range(n + 1))
            for beta in BETAS:
                if beta > gamma > 0 and found.error(beta) > printed_for_fastsample(
                    epsilon=epsilon, gamma=gamma, beta=beta
                ):
                    yield f"n = {n}, {name}, beta = {beta}"


@check("fastsample-concentrated")
def fastsample_concentrated() -> Iterator[str]:
    """Noise cut at t is at least as concentrated as the noise itself: Pr[|Z' - c| <= a] >= Pr[|Z - c| <= a]."""
    for n, inverse in product((2, 9), INVERSES):
        epsilon, gamma = Fraction(1, inverse), Fraction(1, 3)
        cut = fastsample_law(n=n, epsilon=epsilon, gamma=gamma)
        whole = geosample_law(n=n, k=noise_exponent(epsilon))
        for c, a in product(range(n + 1), range(n + 1)):
            uniform = Fraction(min(n, c + a) - max(0, c - a) + 1, n + 1)
            near = (1 - accuracy_of(cut(c), _distance(c)).beta(a) - gamma * uniform) / (1 - gamma)
            if near < 1 - accuracy_of(whole(c), _distance(c)).beta(a):
                yield f"n = {n}, epsilon = {epsilon}, c = {c}, a = {a}"


@check("histogram-accuracy")
def histogram_accuracy() -> Iterator[str]:
    """Theorem 5.2 ii and iii: one count errs as the sampler does, all at once as independent ones."""
    for n, universe in ((1, 2), (2, 3), (3, 2)):
        for name, _, _, law in _samplers(n):
            whole = basic_histogram_law(universe=universe, law=law)
            laws = [(_counts(people), whole(people)) for people in lists(n, universe)]
            single = counting(law, range(n + 1))
            if per_query(laws, labels=range(universe)) != single:
                yield f"n = {n}, |X| = {universe}, {name}: one count"
            apart = [
                independent(accuracy_of(law(true.get(x, 0)), _distance(true.get(x, 0))) for x in range(universe))
                for true, _ in laws
            ]
            together = simultaneous(laws, labels=range(universe))
            if together != worst(apart):
                yield f"n = {n}, |X| = {universe}, {name}: all counts"
            by_count = [accuracy_of(law(c), _distance(c)) for c in range(n + 1)]
            for a in range(n + 1):
                beta = single.beta(a)
                bound = 1 - (1 - beta) ** universe
                spread = spread_beta(by_count, labels=universe, a=a)
                if not together.beta(a) == spread <= bound <= universe * beta:
                    yield f"n = {n}, |X| = {universe}, {name}, a = {a}: the union bound"


def _counts(people: list[int]) -> dict[int, int]:
    return {label: people.count(label) for label in people}


def _distance(count: int) -> Callable[[int], int]:
    return lambda noisy: abs(noisy - count)


@check("figure-3")
def figure_3() -> Iterator[str]:
    """Theorem 5.3 ii and iii and Figure 3: the histograms' errors are at most the printed ones."""
    for n, universe, inverse, beta in product((3, 12), (2, 5), INVERSES, BETAS[1:5]):
        epsilon, gamma = Fraction(1, inverse), beta / (2 * universe)
        plain, fast = (
            geosample_law(n=n, k=noise_exponent(epsilon)),
            fastsample_law(n=n, epsilon=epsilon, gamma=gamma),
        )
        for name, law, x in (("GeoSample", plain, Fraction(1)), ("FastSample", fast, Fraction(2))):
            by_count = [accuracy_of(law(c), _distance(c)) for c in range(n + 1)]
            where = f"{name}, n = {n}, |X| = {universe}, epsilon = {epsilon}, beta = {beta}"
            for b in (beta, 2 * gamma):
                if worst(by_count).error(b) > printed_by_nine_halves(epsilon=epsilon, x=x / b):
                    yield f"{where}: one count at beta {b}"
            a = printed_by_nine_halves(epsilon=epsilon, x=x * universe / beta)
            if spread_beta(by_count, labels=universe, a=a) > beta:
                yield f"{where}: all counts"


@check("stability-accuracy")
def stability_accuracy() -> Iterator[str]:
    """Theorem 5.5 ii and iii, for every a: counts above a + b, and all counts at once within a + b."""
    for n, b in product((1, 2, 6), (0, 1, 3)):
        for name, _, _, law in _samplers(n):
            single = counting(law, range(n + 1))
            kept = kept_above(law, b)
            by_count = [accuracy_of(kept(c), _distance(c)) for c in range(n + 1)]
            for a in range(n + 1):
                beta = single.beta(a)
                above = [one.beta(a) for c, one in enumerate(by_count) if c > a + b]
                together = spread_beta(by_count, labels=n + 1, a=a + b)
                if max(above, default=Fraction(0)) > beta or not together <= 1 - (1 - beta) ** n <= n * beta:
                    yield f"n = {n}, b = {b}, {name}, a = {a}"


@check("stability-law-read")
def stability_law_read() -> Iterator[str]:
    """The errors computed label by label are those of the stability histogram's whole law, on every list."""
    for n, universe, b in ((1, 2, 0), (2, 3, 1), (3, 2, 1)):
        for name, _, _, law in _samplers(n):
            whole = stability_histogram_law(threshold=b, law=law)
            laws = [(_counts(people), whole(people)) for people in lists(n, universe)]
            kept = kept_above(law, b)
            by_count = [accuracy_of(kept(c), _distance(c)) for c in range(n + 1)]
            together, labels = simultaneous(laws, labels=range(universe)), min(n, universe)
            spread = tuple(spread_beta(by_count, labels=labels, a=a) for a in range(n + 1))
            if any(together.beta(a) != beta for a, beta in enumerate(spread)):
                yield f"n = {n}, |X| = {universe}, b = {b}, {name}: all counts"
            for above in range(-1, n):
                single = per_query(laws, labels=range(universe), above=above)
                if single != worst(one for c, one in enumerate(by_count) if c > above):
                    yield f"n = {n}, |X| = {universe}, b = {b}, {name}: counts above {above}"


@check("theorem-5.6-accuracy")
def theorem_5_6_accuracy() -> Iterator[str]:
    """Theorem 5.6 ii and iii and Figure 4: the stability histogram's errors are at most the printed ones."""
    for n, inverse, inverse_delta, inverse_beta in product((4, 14), (1, 2), (2, 10, 1000), (2, 10, 100)):
        epsilon, delta, beta = Fraction(1, inverse), Fraction(1, inverse_delta), Fraction(1, inverse_beta)
        gamma, b = theorem_5_6(n=n, epsilon=epsilon, delta=delta, beta=beta)
        plain, k = 1 + printed_by_nine_halves(epsilon=epsilon, x=1 / delta), noise_exponent(epsilon)
        rows = (
            ("GeoSample", geosample_law(n=n, k=k), plain, Fraction(1), Fraction(1)),
            ("FastSample", fastsample_law(n=n, epsilon=epsilon, gamma=gamma), b, Fraction(2), Fraction(4)),
        )
        for name, law, threshold, x, y in rows:
            by_count = [accuracy_of(kept_above(law, threshold)(c), _distance(c)) for c in range(n + 1)]
            where = f"{name}, n = {n}, epsilon = {epsilon}, delta = {delta}, beta = {beta}"
            a = printed_by_nine_halves(epsilon=epsilon, x=x / beta)
            t = 2 + printed_by_nine_halves(epsilon=epsilon, x=y / (beta * delta))
            if any(one.beta(a) > beta for c, one in enumerate(by_count) if c > t):
                yield f"{where}: counts above t"
            together = 2 + printed_by_nine_halves(epsilon=epsilon, x=y * n / (beta * delta))
            if spread_beta(by_count, labels=n + 1, a=together) > beta:
                yield f"{where}: all counts"


def released_lone(*, n: int, epsilon: Fraction, gamma: Fraction, threshold: int) -> Fraction:
    """Return the probability that FastSample makes 1 more than the threshold, in closed form.

    That is (1 - gamma) (r^(1-b) - r^-t)/(r + 1) + gamma (n - b)/(n + 1), without the first term for b > t.
    """
    ratio, t = _ratio(epsilon), cutoff(n=n, epsilon=epsilon, gamma=gamma)
    beyond = (1 / ratio ** (threshold - 1) - 1 / ratio**t) / (ratio + 1) if threshold <= t else Fraction(0)
    return (1 - gamma) * beyond + gamma * Fraction(n - threshold, n + 1)


@check("theorem-5.6-delta")
def theorem_5_6_delta() -> Iterator[str]:
    """Theorem 5.6 i meets the condition of Theorem 5.5 i with less than 3/4 delta, but not always with half of it.

    Noise is above b - 1 with probability at most (delta/2)/(r + 1) < delta/4, a uniform count at most gamma <= delta/2.
    """
    for inverse, inverse_delta, beta in product((1, 2, 5, 9), (1, 2, 10, 10**4), (Fraction(1), Fraction(1, 100))):
        epsilon, delta = Fraction(1, inverse), Fraction(1, inverse_delta)
        for factor in (1, 2, 50):
            n = factor * (2 + printed_by_nine_halves(epsilon=epsilon, x=2 / delta))
            gamma, b = theorem_5_6(n=n, epsilon=epsilon, delta=delta, beta=beta)
            if gamma == Fraction(1, 2):
                continue
            spent = released_lone(n=n, epsilon=epsilon, gamma=gamma, threshold=b)
            where = f"epsilon = {epsilon}, delta = {delta}, beta_0 = {beta}, n = {n}"
            if not 0 < spent < 3 * delta / 4:
                yield where
            if n < 40 and spent != lone_label(threshold=b, law=fastsample_law(n=n, epsilon=epsilon, gamma=gamma)):
                yield f"{where}: closed form"
    n, epsilon, delta = 10**5, Fraction(1, 33), Fraction(1, 10**5)
    gamma, b = theorem_5_6(n=n, epsilon=epsilon, delta=delta, beta=Fraction(1))
    if (
        not Fraction("0.528")
        < released_lone(n=n, epsilon=epsilon, gamma=gamma, threshold=b) / delta
        < Fraction("0.529")
    ):
        yield f"n = {n}, epsilon = {epsilon}, delta = {delta}"


@check("figure-4-threshold")
def figure_4_threshold() -> Iterator[str]:
    """Figure 4's b for GeoSample is enough: r^(1-b)/(r + 1) <= delta; it is 1.2 to 3.2 times the least one."""
    for inverse, inverse_delta in product(range(1, 18), (10, 100, 10**4, 10**6, 10**12)):
        epsilon, delta = Fraction(1, inverse), Fraction(1, inverse_delta)
        b, ratio = 1 + printed_by_nine_halves(epsilon=epsilon, x=1 / delta), _ratio(epsilon)
        least = least_threshold(ratio=ratio, delta=delta)
        enough = 1 / ratio ** (b - 1) / (ratio + 1) <= delta
        if not (enough and 12 * least <= 10 * b <= 32 * least):
            yield f"epsilon = {epsilon}, delta = {delta}: b = {b}, least {least}"


def least_threshold(*, ratio: Fraction, delta: Fraction) -> int:
    """Return the least b >= 1 with Pr[1 + Z > b] = ratio^(1-b)/(ratio + 1) <= delta, for geometric Z."""
    return 1 + log_ceiling(max(Fraction(1), 1 / (delta * (ratio + 1))), Epsilon.ln(ratio))
