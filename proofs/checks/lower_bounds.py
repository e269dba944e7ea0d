"""Checks of finite-computers, Section 7: the printed bounds against their packings, and mechanisms against both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.finite_computers.accuracy import Accuracy, accuracy_of, log_ceiling, spread_beta, worst
from dpcert.mechanisms.finite_computers.fastsample import fastsample_law
from dpcert.mechanisms.finite_computers.geosample import geosample_law, noise_exponent
from dpcert.mechanisms.finite_computers.lower_bounds import per_query_least, simultaneous_least, sparse_least
from dpcert.mechanisms.finite_computers.stability_histogram import lone_label
from dpcert.proofs.check import Finding, first
from dpcert.proofs.checks.accuracy import kept_above

__all__ = ["LOWER_BOUNDS", "errors_by_count"]

EPSILONS = tuple(map(Epsilon.of, ("1/50", "1", "ln(9/8)", "ln(3/2)", "1/3 + ln(5/4)")))
DELTAS = (Fraction(0), Fraction(1, 10**9), Fraction(1, 1000), Fraction(1, 10))
BETAS = tuple(Fraction(1, inverse) for inverse in (2, 3, 10, 1000, 10**6))
ROWS = (1, 7, 60)

Law = Callable[[int], Dist]


def _grid() -> Iterator[tuple[Epsilon, Fraction, Fraction, int]]:
    yield from product(EPSILONS, DELTAS, BETAS, ROWS)


def _where(epsilon: Epsilon, delta: Fraction, beta: Fraction, n: int) -> str:
    return f"epsilon = {epsilon}, delta = {delta}, beta = {beta}, n = {n}"


def per_query_packing() -> Finding:
    """Theorem 7.1 i asks for no more than what its packing of two inputs excludes."""

    def witnesses() -> Iterator[str]:
        for epsilon, delta, beta, n in _grid():
            if beta < Fraction(1, 2):
                least = per_query_least(epsilon=epsilon, delta=delta, beta=beta, n=n)
                if least.printed > least.packing:
                    yield _where(epsilon, delta, beta, n)

    return first(witnesses())


def simultaneous_packing() -> Finding:
    """Theorem 7.1 ii asks for no more than what its packing of |X| inputs excludes, and for no less than part i."""

    def witnesses() -> Iterator[str]:
        for (epsilon, delta, beta, n), universe in product(_grid(), (2, 100, 1 << 64)):
            if beta < Fraction(1, 2):
                least = simultaneous_least(epsilon=epsilon, delta=delta, beta=beta, n=n, universe=universe)
                single = per_query_least(epsilon=epsilon, delta=delta, beta=beta, n=n)
                if not single.printed <= least.printed <= least.packing or single.packing > least.packing:
                    yield f"{_where(epsilon, delta, beta, n)}, |X| = {universe}"

    return first(witnesses())


def sparse_packing() -> Finding:
    """Theorem 7.2 asks for no more than what its packing and that of Theorem 7.1 i exclude together."""

    def witnesses() -> Iterator[str]:
        for (epsilon, delta, beta, n), universe in product(_grid(), (2, 100, 1 << 64)):
            outputs = min(n, universe)
            least = sparse_least(epsilon=epsilon, delta=delta, beta=beta, n=n, universe=universe, outputs=outputs)
            if least.printed > least.packing:
                yield f"{_where(epsilon, delta, beta, n)}, |X| = {universe}, n' = {outputs}"

    return first(witnesses())


def errors_by_count(law: Law, n: int) -> list[Accuracy]:
    """Return the accuracy of a noisy count for each true count from 0 to n."""

    def distance(count: int) -> Callable[[int], int]:
        return lambda noisy: abs(noisy - count)

    return [accuracy_of(law(count), distance(count)) for count in range(n + 1)]


def _samplers(n: int) -> Iterator[tuple[str, Epsilon, Law]]:
    """Return (name, epsilon of two counts that differ by one each, law)."""
    for inverse in (1, 10):
        epsilon, k = Fraction(1, inverse), noise_exponent(Fraction(1, inverse))
        ratio = (1 + Fraction(1, 1 << k)) ** 2
        yield f"geosample, epsilon = {epsilon}", Epsilon.ln(ratio), geosample_law(n=n, k=k)
        gamma = Fraction(1, 100)
        law = fastsample_law(n=n, epsilon=epsilon, gamma=gamma)
        yield f"fastsample, epsilon = {epsilon}, gamma = {gamma}", Epsilon.of(epsilon), law


def basic_histogram_above() -> Finding:
    """No basic histogram is more accurate than Theorem 7.1 allows, by the packings, which ask for more."""

    def witnesses() -> Iterator[str]:
        for n, universe in product((2, 12), (2, 5)):
            for name, epsilon, law in _samplers(n):
                errors = errors_by_count(law, n)
                single = worst(errors)
                for beta in BETAS:
                    where = f"{name}, n = {n}, |X| = {universe}, beta = {beta}"
                    if single.error(beta) < per_query_least(epsilon=epsilon, delta=0, beta=beta, n=n).packing:
                        yield f"{where}: one count"
                    least = simultaneous_least(epsilon=epsilon, delta=0, beta=beta, n=n, universe=universe).packing
                    if least and spread_beta(errors, labels=universe, a=least - 1) <= beta:
                        yield f"{where}: all counts"

    return first(witnesses())


def stability_histogram_above() -> Finding:
    """No stability histogram is more accurate than Theorem 7.2 allows, by the packings, over 2^64 labels."""

    def witnesses() -> Iterator[str]:
        for n, threshold in product((2, 16), (0, 1, 5)):
            for name, epsilon, law in _samplers(n):
                delta = lone_label(threshold=threshold, law=law)
                single = worst(errors_by_count(kept_above(law, threshold), n))
                for beta in BETAS:
                    least = sparse_least(epsilon=epsilon, delta=delta, beta=beta, n=n, universe=1 << 64, outputs=n)
                    if single.error(beta) < least.packing:
                        yield f"{name}, n = {n}, b = {threshold}, beta = {beta}"

    return first(witnesses())


def first_bound() -> Finding:
    """Before beta enters, a >= min{ln(|X|/4n')/e - 1, ln(e/4 delta)/e - 1, n}/2 follows from few outputs alone.

    At beta = 1/2 the packing of Theorem 7.1 i excludes nothing; the bound itself is that of 7.2 at beta = n'/|X|.
    """

    def witnesses() -> Iterator[str]:
        for (epsilon, delta, n), universe in product(product(EPSILONS, DELTAS, ROWS), (2, 100, 1 << 64)):
            outputs = max(1, min(n, universe // 2))
            printed, packed = (
                sparse_least(epsilon=epsilon, delta=delta, beta=beta, n=n, universe=universe, outputs=outputs)
                for beta in (Fraction(outputs, universe), Fraction(1, 2))
            )
            if printed.printed > packed.packing:
                yield f"epsilon = {epsilon}, delta = {delta}, n = {n}, |X| = {universe}, n' = {outputs}"

    return first(witnesses())


def combination() -> Finding:
    """The greater of ln(|X|/4n')/e - 1 and ln(1/4 beta)/e - 1 is at least ln(|X|/16 beta n')/2e - 1: their mean."""

    def witnesses() -> Iterator[str]:
        for universe, outputs, beta in product((2, 100, 1 << 64), (1, 7, 1000), BETAS):
            first_term, second, printed = (
                universe / Fraction(4 * outputs),
                1 / (4 * beta),
                universe / (16 * beta * outputs),
            )
            if first_term * second != printed or max(first_term, second) ** 2 < printed:
                yield f"|X| = {universe}, n' = {outputs}, beta = {beta}"

    return first(witnesses())


def near_optimal() -> Finding:
    """At small beta, geometric noise errs 3 to 5 times as much as the packings of Theorem 7.1 leave open.

    Noise of ratio r is above a with probability 2 r^-a/(r + 1); all |X| of them together, with at most |X| times that.
    """

    def witnesses() -> Iterator[str]:
        for ratio, beta in product(
            (Fraction(33, 32), Fraction(9, 8), Fraction(3, 2)), (Fraction(1, 10**6), Fraction(1, 10**12))
        ):
            epsilon = Epsilon.ln(ratio**2)
            one = per_query_least(epsilon=epsilon, delta=0, beta=beta, n=10**6).packing
            every = simultaneous_least(epsilon=epsilon, delta=0, beta=beta, n=10**6, universe=1 << 64).packing
            for labels, least in ((1, one), (1 << 64, every)):
                error = log_ceiling(2 * labels / (beta * (ratio + 1)), Epsilon.ln(ratio))
                if not 3 * least <= error <= 5 * least:
                    yield f"e^(epsilon/2) = {ratio}, beta = {beta}, |X| = {labels}: {error} against {least}"

    return first(witnesses())


LOWER_BOUNDS: dict[str, Callable[[], Finding]] = {
    "basic-histogram-above": basic_histogram_above,
    "combination": combination,
    "first-bound": first_bound,
    "near-optimal": near_optimal,
    "per-query-packing": per_query_packing,
    "simultaneous-packing": simultaneous_packing,
    "sparse-packing": sparse_packing,
    "stability-histogram-above": stability_histogram_above,
}
