"""Checks of finite-computers, Section 1 and after Theorem 7.2: Laplace noise, orders of errors, what beats what."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations, product
from operator import itemgetter

from dpcert.audit.kernel.divergence import hockey_stick
from dpcert.mechanisms.broken.geometric_early_stop import GEOMETRIC_EARLY_STOP
from dpcert.mechanisms.enumerator import enumerate_law
from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.finite_computers.accuracy import counting, log_ceiling, spread_beta
from dpcert.mechanisms.finite_computers.basic_histogram import lists
from dpcert.mechanisms.finite_computers.compact_costs import costs, settled
from dpcert.mechanisms.finite_computers.empty_bin import EmptyBin, geosample_zero
from dpcert.mechanisms.finite_computers.fastsample import fastsample_law
from dpcert.mechanisms.finite_computers.geosample import geosample_law, noise_exponent
from dpcert.mechanisms.finite_computers.lower_bounds import sparse_least
from dpcert.proofs.check import Finding, first
from dpcert.proofs.checks.accuracy import kept_above, least_threshold
from dpcert.proofs.checks.lower_bounds import errors_by_count

__all__ = ["REMAINING", "laplace_exponent", "tail_bracket"]

HUGE = Fraction(10**9)
"""An e^epsilon beyond any that is claimed."""


def laplace_exponent(a: list[int], b: list[int], z: tuple[Fraction, ...]) -> Fraction:
    """Return 2/epsilon times the logarithm of the ratio of the densities of c(a) and c(b) plus Lap(2/epsilon) at z."""
    counts = [(a.count(x), b.count(x)) for x in range(len(z))]
    return sum((abs(z_x - d) - abs(z_x - c) for (c, d), z_x in zip(counts, z, strict=True)), Fraction(0))


def laplace_private() -> Finding:
    """The ratio of the densities is at most e^epsilon for lists that differ in one label, and reaches it.

    Its logarithm is linear in each coordinate between integers and constant beyond the counts.
    """

    def witnesses() -> Iterator[str]:
        for n, universe in ((1, 2), (2, 2), (2, 3)):
            grid = [Fraction(z, 2) for z in range(-2, 2 * n + 3)]
            greatest = Fraction(0)
            for a, b in permutations(lists(n, universe), 2):
                if sum(x != y for x, y in zip(a, b, strict=True)) != 1:
                    continue
                greatest = max(greatest, *(laplace_exponent(a, b, z) for z in product(grid, repeat=universe)))
            if greatest != 2:
                yield f"n = {n}, |X| = {universe}: epsilon/2 times {greatest}"

    return first(witnesses())


def tail_bracket(step: Fraction, cells: int) -> tuple[Fraction, Fraction]:
    """Return bounds on Pr[|Lap| > cells w], for cells of width w with e^(epsilon w/2) = step, from step functions.

    In units of the density at 0 times w, the mass beyond a cell is at most the sum of the densities at the left ends
    of the cells that follow, and at least that at their right ends: both are geometric series.
    """
    density = [1 / step**i for i in range(cells + 64)]
    rest = density[-1] / (1 - 1 / step)

    def mass(start: int) -> tuple[Fraction, Fraction]:
        left = sum(density[start:-1], Fraction(0)) + rest
        return left - density[start], left

    (lo, hi), (all_lo, all_hi) = mass(cells), mass(0)
    return lo / all_hi, hi / all_lo


def laplace_errors() -> Finding:
    """Pr[|Lap(2/epsilon)| > a] = e^(-a epsilon/2); of m bins together it is of the order m times that.

    At a = (2/epsilon) ln(m/beta) some bin of m errs more with probability at most beta; at (2/epsilon) ln m with more
    than 1/2.
    """

    def witnesses() -> Iterator[str]:
        for step, cells in product((1 + Fraction(1, 2**6), 1 + Fraction(1, 2**12)), (1, 5, 40)):
            lo, hi = tail_bracket(step, cells)
            if not lo <= 1 / step**cells <= hi <= lo * step**2:
                yield f"e^(epsilon w/2) = {step}, a = {cells} w"
        for bins, beta in product((2, 16, 300), (Fraction(1, 2), Fraction(1, 10), Fraction(1, 1000))):
            if not 0 < 1 - (1 - beta / bins) ** bins <= beta or (1 - Fraction(1, bins)) ** bins >= Fraction(1, 2):
                yield f"|X| = {bins}, beta = {beta}"

    return first(witnesses())


def truncation_leaks() -> Finding:
    """Noise cut at a distance, and draws that stop early, are not (epsilon, 0)-private at any epsilon."""

    def witnesses() -> Iterator[str]:
        for ratio, t in product((Fraction(5, 4), Fraction(3)), (1, 3, 10)):
            weights = [(z, 1 / ratio ** abs(z)) for z in range(-t, t + 1)]
            whole = sum((p for _, p in weights), Fraction(0))
            one, other = (Dist.of([(z + c, p / whole) for z, p in weights]) for c in (0, 1))
            if hockey_stick(one, other, HUGE) != weights[0][1] / whole:
                yield f"e^(epsilon/2) = {ratio}, t = {t}: every outcome of one count is one of the next"
        instance = GEOMETRIC_EARLY_STOP.build(GEOMETRIC_EARLY_STOP.settings({}))
        seen, other = (enumerate_law(instance.program, c, draws=True).law for c in (0, 1))
        alone = [law.map(itemgetter(0)) for law in (seen, other)]
        if hockey_stick(seen, other, HUGE) == 0:
            yield "the draws of geometric-early-stop tell nothing"
        if hockey_stick(alone[0], alone[1], instance.epsilon.ratio) != 0:
            yield "the outcomes of geometric-early-stop tell too much"

    return first(witnesses())


def surviving_bins() -> Finding:
    """With t = ceil((2/e) ln |X|), fewer than one empty label is expected above t, and fewer than n + 1 in all.

    All of them can be above it; and at half of that threshold more than one is expected.
    """

    def witnesses() -> Iterator[str]:
        for k, j in product((1, 2, 4), (4, 8, 20, 64)):
            ratio, universe = 1 + Fraction(1, 1 << k), 1 << j
            t = log_ceiling(Fraction(universe), Epsilon.ln(ratio))
            if universe / ratio**t / (ratio + 1) >= 1:
                yield f"e^(epsilon/2) = {ratio}, |X| = 2^{j}: t = {t}"
            if universe / ratio ** (t // 2) / (ratio + 1) <= 1:
                yield f"e^(epsilon/2) = {ratio}, |X| = 2^{j}: half of t = {t} is enough"
        for n, universe, k in ((5, 4, 1), (8, 6, 1), (20, 16, 2)):
            ratio, law = 1 + Fraction(1, 1 << k), geosample_law(n=n, k=k)
            t = log_ceiling(Fraction(universe), Epsilon.ln(ratio))
            above = [law(count).prob_of(t.__lt__) for count in range(n + 1)]
            empty = (universe - 1) * above[0]
            if not 0 <= empty < 1 or empty + above[n] >= n + 1 or (t < n) != (above[0] > 0):
                yield f"n = {n}, |X| = {universe}, k = {k}"

    return first(witnesses())


def stability_against_laplace() -> Finding:
    """Over 256 labels, 40 people: all counts of stability err less than 17 at delta >= 2^-6, and more at 2^-8.

    17 is the error of a basic histogram with the same noise, e^(epsilon/2) = 3/2, which takes the place of Laplace's.
    """
    n, ratio, beta = 40, Fraction(3, 2), Fraction(1, 10)
    law = geosample_law(n=n, k=1)

    def least(found: Callable[[int], Fraction], a: int) -> bool:
        return found(a) <= beta < found(a - 1)

    def dense(a: int) -> Fraction:
        return spread_beta(errors_by_count(law, n), labels=256, a=a)

    def sparse(delta: Fraction) -> Callable[[int], Fraction]:
        kept = errors_by_count(kept_above(law, least_threshold(ratio=ratio, delta=delta)), n)
        return lambda a: spread_beta(kept, labels=n, a=a)

    held = [
        least(dense, 17),
        *(least(sparse(Fraction(1, 1 << j)), a) for j, a in ((1, 13), (6, 15), (8, 19))),
    ]
    return first(f"case {i}" for i, one in enumerate(held) if not one)


def domains_matched() -> Finding:
    """What matching the two domains costs, e2 + e3 of Theorem 8.3, is 0 only if d divides d0, and at most 3 d/d0."""

    def witnesses() -> Iterator[str]:
        for n, k, bits in ((1, 1, 6), (2, 1, 6), (2, 2, 18), (3, 1, 18)):
            zero = geosample_zero(n=n, k=k)
            found = costs(n=n, law=geosample_law(n=n, k=k), zero=EmptyBin(zero, 1 << bits).law())
            lost = found.below * found.above
            if not 1 < lost <= Epsilon.of(Fraction(3 * zero.d, 1 << bits)).exp_bounds(64)[0]:
                yield f"n = {n}, k = {k}, {bits} bits: a factor of {lost}"
            divided = costs(n=n, law=geosample_law(n=n, k=k), zero=EmptyBin(zero, 4 * zero.d).law())
            if divided.below * divided.above != 1:
                yield f"n = {n}, k = {k}, d0 = 4 d: a factor of {divided.below * divided.above}"

    return first(witnesses())


def dense_beats_sparse() -> Finding:
    """At epsilon = 1 each count of a compact histogram errs less than a sparse histogram must for some label.

    Over 2^64 labels with n = n' = 80 and beta = 1/10, and over 2^256 with n = n' = 120 and beta = 1/1000. The error is
    that of FastSample at the parameters of Theorem 8.6; Lemma 8.4 has it for the labels that do not occur.
    """

    def witnesses() -> Iterator[str]:
        for j, n, beta in ((64, 80, Fraction(1, 10)), (256, 120, Fraction(1, 1000))):
            chosen = settled(n=n, universe=1 << j, epsilon=Fraction(1), beta=Fraction(1, 10))
            law = fastsample_law(n=n, epsilon=chosen.epsilon, gamma=chosen.gamma)
            error = counting(law, range(0, n + 1, n // 4)).error(beta)
            least = sparse_least(epsilon="1", delta=0, beta=beta, n=n, universe=1 << j, outputs=n)
            if error >= least.packing:
                yield f"n = {n}, |X| = 2^{j}, beta = {beta}: {error} against {least}"

    return first(witnesses())


def _upper(ratio: Fraction, x: Fraction) -> int:
    """Return ceil((2/epsilon) ln x) for e^(epsilon/2) = ratio, 0 for x <= 1."""
    return log_ceiling(max(x, Fraction(1)), Epsilon.ln(ratio))


def tight_printed() -> Finding:
    """Within a factor of 100, the threshold that delta forces on Section 5.2 is no more than Theorem 7.2 leaves open.

    A label that occurs as often as the threshold is dropped with probability 1/2 or more, so that it is an error.
    """

    def witnesses() -> Iterator[str]:
        ratio, n = Fraction(3, 2), 10**4
        for digits in range(1, 200):
            delta = Fraction(1, 10**digits)
            b = least_threshold(ratio=ratio, delta=delta)
            least = sparse_least(
                epsilon=Epsilon.ln(ratio**2), delta=delta, beta="1/4", n=n, universe=n * n, outputs=n
            ).packing
            if b > 100 * least:
                where = f"e^(epsilon/2) = 3/2, n = n' = {n}, |X| = n^2, beta = 1/4, delta = 10^-{digits}"
                yield f"{where}: {b} > 100 * {least}"

    return first(witnesses())


def tight() -> Finding:
    """The lesser of (2/epsilon) ln(1/(beta delta)) and (2/epsilon) ln(|X|/beta) is at most 11 times Theorem 7.2.

    On a grid with |X| >= n'^2, epsilon^2 >= delta and beta >= delta, with n too great to matter. The lower bound is the
    packings', at least 1.
    """

    def witnesses() -> Iterator[str]:
        for ratio, j, digits, outputs in product((Fraction(9, 8), Fraction(3, 2)), (8, 64, 256), (4, 40), (1, 16)):
            universe, delta = 1 << j, Fraction(1, 10**digits)
            for beta in (Fraction(1, 2), Fraction(1, 100), delta):
                found = sparse_least(
                    epsilon=Epsilon.ln(ratio**2), delta=delta, beta=beta, n=10**6, universe=universe, outputs=outputs
                )
                upper = min(_upper(ratio, 1 / (beta * delta)), _upper(ratio, universe / beta))
                if upper > 11 * max(found.packing, 1):
                    yield (
                        f"e^(epsilon/2) = {ratio}, |X| = 2^{j}, n' = {outputs}, beta = {beta}, delta = 10^-{digits}: "
                        f"{upper} against {found.packing}"
                    )

    return first(witnesses())


def informal_errors() -> Finding:
    """At beta = 1/10 one count of GeoSample is off by at most 10/epsilon, and 4096 of them by at most 43/epsilon.

    The constants are 4 ln 10 and 4 ln 40960, as e~ > epsilon/2; at 7/epsilon and 31/epsilon both fail.
    """

    def witnesses() -> Iterator[str]:
        beta = Fraction(1, 10)
        for m in (1, 2, 3, 4, 5):
            n, k = 30 * m, noise_exponent(Fraction(1, m))
            law = geosample_law(n=n, k=k)
            errors = counting(law, (0, n // 2, n))
            if errors.error(beta) > 10 * m:
                yield f"1/epsilon = {m}: one count is off by {errors.error(beta)}"
            if errors.error(beta / 4096) > 43 * m:
                yield f"1/epsilon = {m}: 4096 counts are off by {errors.error(beta / 4096)}"

    return first(witnesses())


REMAINING: dict[str, Callable[[], Finding]] = {
    "dense-beats-sparse": dense_beats_sparse,
    "domains-matched": domains_matched,
    "informal-errors": informal_errors,
    "laplace-errors": laplace_errors,
    "laplace-private": laplace_private,
    "sparse-bound-tight": tight,
    "sparse-bound-tight-printed": tight_printed,
    "stability-against-laplace": stability_against_laplace,
    "surviving-bins": surviving_bins,
    "truncation-leaks": truncation_leaks,
}
