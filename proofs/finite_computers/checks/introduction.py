"""Checks of finite-computers, Section 1: Laplace noise, informal theorems, comparisons, optimal noise."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import permutations, product
from operator import itemgetter

from dpcert.audit.kernel.divergence import hockey_stick
from dpcert.mechanisms.broken.geometric import geometric_early_stop
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.finite_computers.accuracy import counting, log_ceiling, spread_beta
from dpcert.mechanisms.finite_computers.basic_histogram import lists
from dpcert.mechanisms.finite_computers.compact_costs import settled
from dpcert.mechanisms.finite_computers.fastsample import fastsample_law
from dpcert.mechanisms.finite_computers.geometric import geometric_law
from dpcert.mechanisms.finite_computers.geosample import geosample_law, noise_exponent
from dpcert.mechanisms.finite_computers.lower_bounds import sparse_least
from dpcert.proofs.check import check
from dpcert.proofs.finite_computers.checks.accuracy import kept_above, least_threshold
from dpcert.proofs.finite_computers.checks.lower_bounds import errors_by_count
from dpcert.proofs.linear import greatest, proves
from dpcert.reading.paths.enumerator import enumerate_law

ONE = Fraction(1)

HUGE = Fraction(10**9)
"""An e^epsilon beyond any that is claimed."""


def laplace_exponent(a: list[int], b: list[int], z: tuple[Fraction, ...]) -> Fraction:
    """Return 2/epsilon times the logarithm of the ratio of the densities of c(a) and c(b) plus Lap(2/epsilon) at z."""
    counts = [(a.count(x), b.count(x)) for x in range(len(z))]
    return sum((abs(z_x - d) - abs(z_x - c) for (c, d), z_x in zip(counts, z, strict=True)), Fraction(0))


@check("laplace-private")
def laplace_private() -> Iterator[str]:
    """The ratio of the densities is at most e^epsilon for lists that differ in one label, and reaches it.

    Its logarithm is linear in each coordinate between integers and constant beyond the counts.
    """
    for n, universe in ((1, 2), (2, 2), (2, 3)):
        grid = [Fraction(z, 2) for z in range(-2, 2 * n + 3)]
        greatest = Fraction(0)
        for a, b in permutations(lists(n, universe), 2):
            if sum(x != y for x, y in zip(a, b, strict=True)) != 1:
                continue
            greatest = max(greatest, *(laplace_exponent(a, b, z) for z in product(grid, repeat=universe)))
        if greatest != 2:
            yield f"n = {n}, |X| = {universe}: epsilon/2 times {greatest}"


def beyond_bracket(step: Fraction, cells: int) -> tuple[Fraction, Fraction]:
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


@check("laplace-errors")
def laplace_errors() -> Iterator[str]:
    """Pr[|Lap(2/epsilon)| > a] = e^(-a epsilon/2); of m bins together it is of the order m times that.

    At a = (2/epsilon) ln(m/beta) some bin of m errs more with probability at most beta; at (2/epsilon) ln m with more
    than 1/2.
    """
    for step, cells in product((1 + Fraction(1, 2**6), 1 + Fraction(1, 2**12)), (1, 5, 40)):
        lo, hi = beyond_bracket(step, cells)
        if not lo <= 1 / step**cells <= hi <= lo * step**2:
            yield f"e^(epsilon w/2) = {step}, a = {cells} w"
    for bins, beta in product((2, 16, 300), (Fraction(1, 2), Fraction(1, 10), Fraction(1, 1000))):
        if not 0 < 1 - (1 - beta / bins) ** bins <= beta or (1 - Fraction(1, bins)) ** bins >= Fraction(1, 2):
            yield f"|X| = {bins}, beta = {beta}"


@check("truncation-leaks")
def truncation_leaks() -> Iterator[str]:
    """Noise cut at a distance, and draws that stop early, are not (epsilon, 0)-private at any epsilon."""
    for ratio, t in product((Fraction(5, 4), Fraction(3)), (1, 3, 10)):
        weights = [(z, 1 / ratio ** abs(z)) for z in range(-t, t + 1)]
        whole = sum((p for _, p in weights), Fraction(0))
        one, other = (Dist.of([(z + c, p / whole) for z, p in weights]) for c in (0, 1))
        if hockey_stick(one, other, HUGE) != weights[0][1] / whole:
            yield f"e^(epsilon/2) = {ratio}, t = {t}: every outcome of one count is one of the next"
    instance = geometric_early_stop.build(geometric_early_stop.settings({}))
    seen, other = (enumerate_law(instance.program, c, draws=True).law for c in (0, 1))
    alone = [law.map(itemgetter(0)) for law in (seen, other)]
    if hockey_stick(seen, other, HUGE) == 0:
        yield "the draws of geometric-early-stop tell nothing"
    if hockey_stick(alone[0], alone[1], instance.epsilon.ratio) != 0:
        yield "the outcomes of geometric-early-stop tell too much"


@check("surviving-bins")
def surviving_bins() -> Iterator[str]:
    """With t = ceil((2/e) ln |X|), fewer than one empty label is expected above t, and fewer than n + 1 in all.

    All of them can be above it; and at half of that threshold more than one is expected.
    """
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


@check("stability-against-laplace")
def stability_against_laplace() -> Iterator[str]:
    """Over 256 labels, 40 people: all counts of stability err less than 17 at delta >= 2^-6, and more at 2^-8.

    17 is the error of a basic histogram with the same noise, e^(epsilon/2) = 3/2, which takes the place of Laplace's.
    """
    n, ratio, beta = 40, Fraction(3, 2), Fraction(1, 10)
    law = geosample_law(n=n, k=1)

    def least(failure: Callable[[int], Fraction], a: int) -> bool:
        return failure(a) <= beta < failure(a - 1)

    def dense(a: int) -> Fraction:
        return spread_beta(errors_by_count(law, n), labels=256, a=a)

    def sparse(delta: Fraction) -> Callable[[int], Fraction]:
        kept = errors_by_count(kept_above(law, least_threshold(ratio=ratio, delta=delta)), n)
        return lambda a: spread_beta(kept, labels=n, a=a)

    held = [
        least(dense, 17),
        *(least(sparse(Fraction(1, 1 << j)), a) for j, a in ((1, 13), (6, 15), (8, 19))),
    ]
    return (f"case {i}" for i, one in enumerate(held) if not one)


@check("dense-beats-sparse")
def dense_beats_sparse() -> Iterator[str]:
    """At epsilon = 1 each count of a compact histogram errs less than a sparse histogram must for some label.

    Over 2^64 labels with n = n' = 80 and beta = 1/10, and over 2^256 with n = n' = 120 and beta = 1/1000. The error is
    that of FastSample at the parameters of Theorem 8.6; Lemma 8.4 has it for the labels that do not occur.
    """
    for j, n, beta in ((64, 80, Fraction(1, 10)), (256, 120, Fraction(1, 1000))):
        chosen = settled(n=n, universe=1 << j, epsilon=Fraction(1), beta=Fraction(1, 10))
        law = fastsample_law(n=n, epsilon=chosen.epsilon, gamma=chosen.gamma)
        error = counting(law, range(0, n + 1, n // 4)).error(beta)
        least = sparse_least(epsilon="1", delta=0, beta=beta, n=n, universe=1 << j, outputs=n)
        if error >= least.packing:
            yield f"n = {n}, |X| = 2^{j}, beta = {beta}: {error} against {least}"


@check("informal-errors")
def informal_errors() -> Iterator[str]:
    """At beta = 1/10 one count of GeoSample is off by at most 10/epsilon, and 4096 of them by at most 43/epsilon.

    The constants are 4 ln 10 and 4 ln 40960, as e~ > epsilon/2; at 7/epsilon and 31/epsilon both fail.
    """
    beta = Fraction(1, 10)
    for m in (1, 2, 3, 4, 5):
        n, k = 30 * m, noise_exponent(Fraction(1, m))
        law = geosample_law(n=n, k=k)
        errors = counting(law, (0, n // 2, n))
        if errors.error(beta) > 10 * m:
            yield f"1/epsilon = {m}: one count is off by {errors.error(beta)}"
        if errors.error(beta / 4096) > 43 * m:
            yield f"1/epsilon = {m}: 4096 counts are off by {errors.error(beta / 4096)}"


LOSSES: Mapping[str, Callable[[int], int]] = {
    "|i - r|": lambda gap: gap,
    "(i - r)^2": lambda gap: gap**2,
    "[i != r]": lambda gap: int(gap > 0),
}
PRIORS = {1: ((1, 1), (3, 1)), 2: ((1, 1, 1), (3, 2, 1), (1, 0, 4)), 3: ((1, 1, 1, 1), (4, 1, 2, 1))}
"""Weights of the counts 0 to n, by n."""


def best_processed(law: Callable[[int], Dist], prior: tuple[int, ...], loss: Callable[[int], int]) -> Fraction:
    """Return the least expected loss, times the weights' sum, of a best answer to each outcome."""
    counts = range(len(prior))
    laws = [dict(law(i).items()) for i in counts]
    return sum(
        (min(sum(prior[i] * laws[i].get(o, 0) * loss(abs(i - r)) for i in counts) for r in counts) for o in counts),
        Fraction(0),
    )


def best_private(ratio: Fraction, prior: tuple[int, ...], loss: Callable[[int], int]) -> Fraction | None:
    """Return the least such loss of all mechanisms that are private at the ratio; None where it was not found.

    It solves a linear program in the probabilities. A premium on each probability fills every row up to 1, and is
    subtracted again.
    """
    size = len(prior)
    premium = Fraction(100 * size**2 * sum(prior))

    def row(entries: Mapping[int, Fraction]) -> list[Fraction]:
        return [entries.get(j, Fraction(0)) for j in range(size * size)]

    matrix = [row({i * size + r: ONE for r in range(size)}) for i in range(size)]
    bounds = [ONE] * size
    for i, j in permutations(range(size), 2):
        if abs(i - j) == 1:
            matrix += [row({i * size + r: ONE, j * size + r: -ratio}) for r in range(size)]
            bounds += [Fraction(0)] * size
    objective = [premium - prior[i] * loss(abs(i - r)) for i, r in product(range(size), repeat=2)]
    found = greatest(matrix, bounds, objective)
    if not proves(found, matrix, bounds, objective) or sum(found.point) != size:
        return None
    return premium * size - found.value


@check("geometric-optimal")
def geometric_optimal() -> Iterator[str]:
    """No private mechanism has less expected loss than the clamped geometric one with a best answer to each outcome."""
    return (
        f"n = {n}, ratio {ratio}, prior {prior}, loss {name}"
        for n, priors in PRIORS.items()
        for ratio, prior, (name, loss) in product((Fraction(3, 2), Fraction(3)), priors, LOSSES.items())
        if best_processed(geometric_law(n=n, ratio=ratio), prior, loss) != best_private(ratio, prior, loss)
    )
