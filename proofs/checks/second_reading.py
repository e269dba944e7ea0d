"""Checks of what a second reading of finite-computers found beside the first: proofs' single steps and asides."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations, product
from math import ceil, floor, isqrt

from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.finite_computers.approx_sampling import approx_ordsample_law
from dpcert.mechanisms.finite_computers.basic_histogram import lists
from dpcert.mechanisms.finite_computers.fastsample import cutoff
from dpcert.mechanisms.finite_computers.geometric import geometric_law
from dpcert.mechanisms.finite_computers.geosample import geosample_law, noise_exponent
from dpcert.mechanisms.finite_computers.mixing import greatest_distance
from dpcert.mechanisms.finite_computers.ordsample import ordsample_law, scaled_cumulative
from dpcert.mechanisms.finite_computers.pure_sparse_histogram import pure_distance
from dpcert.mechanisms.finite_computers.sparse_histogram import precision, sparse_histogram_law
from dpcert.proofs.check import Finding, first
from dpcert.proofs.linear import greatest, proves

__all__ = ["SECOND_READING", "best_private", "cut_within", "domains"]

ONE = Fraction(1)
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

    A linear program in the probabilities; a premium on each of them fills every row up to 1, and is taken off again.
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


def geometric_optimal() -> Finding:
    """No private mechanism has less expected loss than the clamped geometric one with a best answer to each outcome."""
    return first(
        f"n = {n}, ratio {ratio}, prior {prior}, loss {name}"
        for n, priors in PRIORS.items()
        for ratio, prior, (name, loss) in product((Fraction(3, 2), Fraction(3)), priors, LOSSES.items())
        if best_processed(geometric_law(n=n, ratio=ratio), prior, loss) != best_private(ratio, prior, loss)
    )


def counts_of_lists() -> Finding:
    """The counts of a list of n labels sum to n, and at most n are positive; n are, where there are n labels."""

    def witnesses() -> Iterator[str]:
        for n, universe in ((1, 2), (2, 2), (3, 3), (3, 4), (4, 2)):
            occurring = set()
            for each in lists(n, universe):
                counts = [sum(label == x for label in each) for x in range(universe)]
                occurring.add(sum(count > 0 for count in counts))
                if sum(counts) != n:
                    yield f"D = {each}"
            if max(occurring) != min(n, universe):
                yield f"n = {n}, |X| = {universe}"

    return first(witnesses())


def mixing_steps() -> Finding:
    """Each line of the two displays in the proof of Lemma 3.2 is at most the next, for masses of one outcome."""

    def witnesses() -> Iterator[str]:
        grid = [Fraction(a, 6) for a in range(7)]
        for ratio, gamma, least in product((Fraction(3, 2), Fraction(4)), (Fraction(1, 3), Fraction(3, 4)), grid[1:4]):
            delta = greatest_distance(ratio=ratio, gamma=gamma, least=least)
            for p, a, b, shift, back in product((least, grid[3]), grid, grid, (-1, 0, 1), (-1, 0, 1)):
                near, far = a + shift * delta, b + back * delta
                if p < least or a > ratio * b or not (0 <= near <= 1 and 0 <= far <= 1):
                    continue
                rest = 1 - gamma
                lines = (
                    gamma * p + rest * near,
                    gamma * p + rest * (a + delta),
                    gamma * p + rest * (ratio * b + delta),
                    gamma * p + rest * (ratio * (far + delta) + delta),
                    ratio * rest * far + gamma * p + (ratio + 1) * rest * delta,
                    ratio * rest * far + gamma * p + (ratio - 1) * gamma * least,
                    ratio * (rest * far + gamma * p),
                )
                if list(lines) != sorted(lines):
                    yield f"e^epsilon = {ratio}, gamma = {gamma}, masses {p}, {a}, {b}, {near}, {far}"

    return first(witnesses())


def zero_mass(m: int) -> tuple[Fraction, Fraction]:
    """Return a and b of r/(r + 1) = a + b r, for r the root of m."""
    return Fraction(m, m - 1), Fraction(-1, m - 1)


def irrational_mass() -> Finding:
    """For e^(epsilon/2) the root of m, no square, Pr[0 stays 0] = r/(r + 1) is a quadratic irrational."""

    def witnesses() -> Iterator[str]:
        for m in range(2, 200):
            a, b = zero_mass(m)
            # (r + 1)(a + b r) = r, and (m - 1) y^2 - 2 m y + m = 0 for y = a + b r, as parts without and with r
            zero = (
                a + m * b,
                a + b - 1,
                (m - 1) * (a * a + m * b * b) - 2 * m * a + m,
                (m - 1) * 2 * a * b - 2 * m * b,
            )
            discriminant = 4 * m * m - 4 * m * (m - 1)
            rational = isqrt(discriminant) ** 2 == discriminant
            if any(zero) or rational != (isqrt(m) ** 2 == m):
                yield f"m = {m}"

    return first(witnesses())


def four_cases(z: int, *, c: int, n: int, r: Fraction) -> Fraction:
    """Return the four-case expression in the proof of Lemma 4.9, for r = e^(e~/2)."""
    if z < 0:
        return Fraction(0)
    if z < c:
        return r / (r + 1) * r ** (z - c)
    return 1 - r ** (c - z) / (r + 1) if z < n else ONE


def _unclamped(z: int, c: int, r: Fraction) -> Fraction:
    return r / (r + 1) * r ** (z - c) if z <= c else 1 - r ** (c - z) / (r + 1)


def _cumulative_cases(true: Callable[[int, int, int, int], Fraction]) -> Finding:
    """Whether the four cases are the distribution function that is given, by z, c, n and k."""
    return first(
        f"n = {n}, k = {k}, c = {c}, z = {z}"
        for n, k in product(range(1, 5), (1, 2, 3))
        for c, z in product(range(n + 1), sorted(range(-2, n + 3), key=lambda z: (abs(z), z)))
        if four_cases(z, c=c, n=n, r=1 + Fraction(1, 2**k)) != true(z, c, n, k)
    )


def cases_unclamped() -> Finding:
    """The four cases are the distribution function of c + Geo(2/e~), not clamped."""
    return _cumulative_cases(lambda z, c, _, k: _unclamped(z, c, 1 + Fraction(1, 2**k)))


def cases_clamped() -> Finding:
    """The four cases are the distribution function of c + Geo(2/e~) clamped to [0, n], as GeoSample has it."""
    return _cumulative_cases(
        lambda z, c, n, k: sum((p for y, p in geosample_law(n=n, k=k)(c).items() if y <= z), Fraction(0))
    )


def noise_within(ratio: Fraction, a: int) -> Fraction:
    """Return Pr[|Geo| <= a] for e^(1/s) = ratio."""
    return 1 - 2 * ratio**-a / (ratio + 1)


def cut_within(*, n: int, epsilon: Fraction, gamma: Fraction, a: int) -> Fraction:
    """Return Pr[|Z' - c| <= a] for the cut noise of FastSample, whose far mass is moved to c."""
    r = 1 + Fraction(1, 2 ** noise_exponent(epsilon))
    t = cutoff(n=n, epsilon=epsilon, gamma=gamma)
    return min(ONE, noise_within(r, a) + 1 - noise_within(r, t))


def _concentrated(scale: Callable[[Fraction], Fraction]) -> Finding:
    return first(
        f"epsilon = {epsilon}, gamma = {gamma}, n = {n}, a = {a}"
        for m in (*range(1, 20), 33, 100)
        for epsilon in [Fraction(1, m)]
        for gamma, n, a in product((Fraction(1, 2), Fraction(1, 50)), (1, 10), range(6))
        if cut_within(n=n, epsilon=epsilon, gamma=gamma, a=a) < noise_within(scale(epsilon), a)
    )


def concentrated_printed() -> Finding:
    """Cut noise is within a of c at least as often as Geo(2/epsilon) of 0; e^x > 1 + x + x^2/2 serves as its ratio."""
    return _concentrated(lambda epsilon: 1 + epsilon / 2 + epsilon**2 / 8)


def concentrated_rounded() -> Finding:
    """Cut noise is within a of c at least as often as Geo(2/e~) of 0, from which it is cut."""
    return _concentrated(lambda epsilon: 1 + Fraction(1, 2 ** noise_exponent(epsilon)))


def calls(i: int) -> int:
    """Return how often Algorithm 6.16 calls itself at i: with floor(i/2), down to 1."""
    return 0 if i == 1 else 1 + calls(i // 2)


def recursive_calls() -> Finding:
    """Algorithm 6.16 calls itself floor(log2 i) times."""
    return first(f"i = {i}" for i in range(1, 5000) if not 2 ** calls(i) <= i < 2 ** (calls(i) + 1))


PRECISIONS = [
    (n, universe, m)
    for n, universe, m in product((1, 2, 5, 40), (3, 17, 1024, 10**6), (1, 2, 10, 1000))
    if universe > 2 * n
]
"""n, the universe and 1/delta."""


def precision_bits() -> Finding:
    """s of Algorithm 6.21 is between n^2 |X|/delta and (n + 1)^2 |X|/delta, and so are its bits."""
    return first(
        f"n = {n}, |X| = {universe}, delta = 1/{m}"
        for n, universe, m in PRECISIONS
        for s in [precision(n=n, universe=universe, delta=Fraction(1, m))]
        if not n**2 * universe * m < s < (n + 1) ** 2 * universe * m
    )


def precision_above() -> Finding:
    """s of Algorithm 6.9 is above 2^n, and above (3 |X|)^n."""
    return first(
        f"n = {n}, |X| = {universe}, beta_1 = 1/{m + 1}"
        for n, universe, m in PRECISIONS
        for delta in [pure_distance(n=n, universe=universe, epsilon=ONE, beta=Fraction(1, m + 1))]
        if not 2**n < (3 * universe) ** n < precision(n=n, universe=universe, delta=delta)
    )


def _privacy_step(same: bool) -> Finding:
    """Whether Pr[KH'(D') in S] <= Pr[SparseHistogram(D or D') in S] + delta, for single releases S."""
    delta = Fraction(1, 100)

    def witnesses() -> Iterator[str]:
        for n, universe in ((1, 3), (1, 4)):
            sampler = geosample_law(n=n, k=2)
            cumulative = scaled_cumulative(sampler(0), n)
            s = precision(n=n, universe=universe, delta=delta)
            exact, near = (
                sparse_histogram_law(n=n, universe=universe, law=sampler, order_statistics=law)
                for law in (ordsample_law(cumulative=cumulative), approx_ordsample_law(cumulative=cumulative, s=s))
            )
            for a, b in permutations(lists(n, universe), 2):
                found = dict(near(a if same else b).items())
                for outcome, p in exact(b).items():
                    if p > found.get(outcome, 0) + delta:
                        yield f"n = {n}, |X| = {universe}, D = {a}, D' = {b}, S = {{{outcome}}}"

    return first(witnesses())


def privacy_step_printed() -> Finding:
    """The last line of the proof of Theorem 6.8, part ii, with D where D' must stand."""
    return _privacy_step(same=True)


def privacy_step() -> Finding:
    """The last line of the proof of Theorem 6.8, part ii, with D'."""
    return _privacy_step(same=False)


def _planted(n: int, m: int, x: int, universe: int) -> list[int]:
    return [m * (y == x) + (n - m) * (y == 0) for y in range(universe)]


def accurate_sets_disjoint() -> Finding:
    """No histogram is within a of two of the data sets with m = floor(2a) + 1 rows planted on different labels."""

    def witnesses() -> Iterator[str]:
        for n, universe in ((1, 2), (2, 3), (3, 3), (5, 3), (6, 4)):
            for quarters in range(2 * n):
                a = Fraction(quarters, 4)
                for x, y in permutations(range(universe), 2):
                    pair = [_planted(n, floor(2 * a) + 1, label, universe) for label in (x, y)]
                    if all(ceil(max(c, d) - a) <= min(c, d) + a for c, d in zip(*pair, strict=True)):
                        yield f"n = {n}, |X| = {universe}, a = {a}, labels {x} and {y}"

    return first(witnesses())


def _planted_count(rows: Callable[[Fraction], int]) -> Finding:
    return first(
        f"n = {n}, a = {a}: count {rows(a)} < {2 * a}"
        for n in range(1, 7)
        for a in (Fraction(quarters, 4) for quarters in range(2 * n))
        if rows(a) < 2 * a
    )


def planted_floor() -> Finding:
    """A label on floor(2a) rows occurs at least 2a times."""
    return _planted_count(lambda a: floor(2 * a))


def planted_ceiling() -> Finding:
    """A label on ceil(2a) rows occurs at least 2a times, and ceil(2a) is at most n and 2a + 1."""
    found = _planted_count(lambda a: ceil(2 * a))
    fits = all(-(-q // 2) <= n and 2 * -(-q // 2) <= q + 2 for n in range(1, 7) for q in range(2 * n))
    return found if fits else Finding(False, "ceil(2a) is too many rows")


def domains(*, n: int, epsilon: Fraction, gamma: Fraction) -> tuple[int, int]:
    """Return d of GeoSample and d of FastSample."""
    k = noise_exponent(epsilon)
    t = cutoff(n=n, epsilon=epsilon, gamma=gamma)
    whole = (n + 1) * (2 ** (k + 1) + 1) * (2**k + 1) ** t / gamma
    return (2 ** (k + 1) + 1) * (2**k + 1) ** (n - 1), int(whole)


def domains_differ() -> Finding:
    """The d of GeoSample and of FastSample is never a power of 2: it has an odd factor, 2^(k+1) + 1."""
    return first(
        f"n = {n}, epsilon = 1/{m}, gamma = 1/{inverse}"
        for n, m, inverse in product((1, 2, 5, 31), (1, 2, 3, 8, 20), (2, 7, 64))
        for d in domains(n=n, epsilon=Fraction(1, m), gamma=Fraction(1, inverse))
        if d & (d - 1) == 0 or d % (2 ** (noise_exponent(Fraction(1, m)) + 1) + 1)
    )


def cumulative_zero(answers: Sequence[int], n: int) -> list[int]:
    """Return F_M(0), ..., F_M(n) of Definition 4.3, from M(0, 1), ..., M(0, d)."""
    return [sum(answer <= z for answer in answers) for z in range(n + 1)]


def _cumulatives(fits: Callable[[list[int], tuple[int, ...]], bool]) -> Finding:
    return first(
        f"n = {n}, M(0, u) = {answers} for u = 1 to {d}: F_M = {found}"
        for n, d in product((1, 2, 3), (1, 2, 3))
        for answers in product(range(n + 1), repeat=d)
        for found in [cumulative_zero(answers, n)]
        if not fits(found, answers)
    )


def cumulative_positive() -> Finding:
    """F_M has values from 1 to d for every M."""
    return _cumulatives(lambda found, answers: min(found) >= 1 and max(found) <= len(answers))


def cumulative_range() -> Finding:
    """F_M does not decrease, ends at d, and is at least 1 everywhere exactly where M can give 0 at 0."""
    return _cumulatives(
        lambda found, answers: (
            found == sorted(found) and found[-1] == len(answers) and (found[0] >= 1) == (0 in answers)
        )
    )


def logarithm_of(*, n: int, epsilon: Fraction, gamma: Fraction) -> Fraction:
    """Return the number whose logarithm step 1 of Algorithm 4.11 takes."""
    return 8 * (n + 1) * (1 - gamma) / (epsilon * gamma)


def _cut_off_defined(inverses: Sequence[int]) -> Finding:
    return first(
        f"gamma = 1/{inverse}, n = {n}, epsilon = 1/{m}: the logarithm of {found}"
        for inverse, n, m in product(inverses, (1, 2, 10), (1, 2, 9))
        for found in [logarithm_of(n=n, epsilon=Fraction(1, m), gamma=Fraction(1, inverse))]
        if found < 8 * (n + 1)
    )


def cut_off_printed() -> Finding:
    """Step 1 of Algorithm 4.11 defines t for every 1/gamma a positive integer."""
    return _cut_off_defined(range(1, 30))


def cut_off_defined() -> Finding:
    """Step 1 of Algorithm 4.11 takes the logarithm of 8 (n + 1) at least for gamma < 1."""
    return _cut_off_defined(range(2, 30))


SECOND_READING: Mapping[str, Callable[[], Finding]] = {
    "geometric-optimal": geometric_optimal,
    "counts-of-lists": counts_of_lists,
    "mixing-steps": mixing_steps,
    "irrational-mass": irrational_mass,
    "four-cases-unclamped": cases_unclamped,
    "four-cases-clamped": cases_clamped,
    "cut-noise-printed-scale": concentrated_printed,
    "cut-noise-own-scale": concentrated_rounded,
    "cumulative-at-zero-positive": cumulative_positive,
    "cumulative-at-zero": cumulative_range,
    "cut-off-printed": cut_off_printed,
    "cut-off-defined": cut_off_defined,
    "recursive-calls": recursive_calls,
    "precision-bits": precision_bits,
    "precision-above": precision_above,
    "sparse-privacy-step-printed": privacy_step_printed,
    "sparse-privacy-step": privacy_step,
    "accurate-sets-disjoint": accurate_sets_disjoint,
    "planted-rows-floor": planted_floor,
    "planted-rows-ceiling": planted_ceiling,
    "sampler-domains-differ": domains_differ,
}
