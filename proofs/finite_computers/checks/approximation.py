"""Checks of the short numbers of finite-computers, Section 6.3 and Appendix A: binomials, order statistics, labels."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, chain, combinations, product
from math import comb, gcd

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins, Recorded
from dpcert.mechanisms.finite_computers.approx_sampling import (
    approx_bin_law,
    approx_bin_sample,
    approx_conv_exp,
    approx_ordsample,
    approx_ordsample_law,
    convolve,
)
from dpcert.mechanisms.finite_computers.distinct import distinct_elsewhere, distinct_law, distinct_sample
from dpcert.mechanisms.finite_computers.geosample import geosample_law
from dpcert.mechanisms.finite_computers.ordsample import ordsample_law, scaled_cumulative
from dpcert.proofs.check import check
from dpcert.reading.paths.enumerator import enumerate_law

Vector = list[Fraction]


def _vectors() -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Return t, s and every vector of t integers >= 0 that sum to at most s, for small t and s."""
    for t, most in ((1, 9), (2, 6), (3, 4)):
        for s in range(1, most + 1):
            yield from ((t, s, a) for a in product(range(s + 1), repeat=t) if sum(a) <= s)


def _convolved(a: Sequence[Fraction], b: Sequence[Fraction]) -> Vector:
    """Return a * b by its definition."""
    return [sum((a[i] * b[k - i] for i in range(k + 1)), Fraction(0)) for k in range(len(a))]


def _power(a: Sequence[int], i: int, s: int) -> Vector:
    """Return the i-fold convolution of a/s with itself."""
    scaled = [Fraction(x, s) for x in a]
    found = scaled
    for _ in range(i - 1):
        found = _convolved(found, scaled)
    return found


def _step_3(a: Sequence[int], b: Sequence[int], s: int, *, odd: bool) -> Vector:
    """Return c of step 3 of Algorithm 6.16, for odd i or for even i."""
    whole = [Fraction(x) for x in b]
    square = _convolved(whole, whole)
    if odd:
        return [c / s**2 for c in _convolved([Fraction(x) for x in a], square)]
    return [c / s for c in square]


def conv_exp(a: Sequence[int], i: int, s: int) -> list[int]:
    """Return the result of Algorithm 6.16, by its recursion, in fractions."""
    if i == 1:
        return list(a)
    return [c.__floor__() for c in _step_3(a, conv_exp(a, i // 2, s), s, odd=i % 2 == 1)]


def _error(d: Sequence[int], power: Vector, s: int) -> Fraction:
    return sum((abs(Fraction(x, s) - c) for x, c in zip(d, power, strict=True)), Fraction(0))


@check("approx-conv-law")
def conv_exp_law() -> Iterator[str]:
    """The program of Algorithm 6.16 is its recursion, keeps the norm, is within t (i - 1)/s, and ignores the rest."""
    for t, s, a in _vectors():
        for i in range(1, 8):
            d, where = approx_conv_exp(a, i, s=s), f"i = {i}, s = {s}, a = {a}"
            if d != conv_exp(a, i, s):
                yield f"{where}: not the recursion"
            if min(d) < 0 or sum(d) > s or _error(d, _power(a, i, s), s) > Fraction(t * (i - 1), s):
                yield where
            if any(d[:short] != approx_conv_exp(a[:short], i, s=s) for short in range(1, t)):
                yield f"{where}: a prefix differs"


@check("approx-conv-parity-printed")
def parity_printed() -> Iterator[str]:
    """The proof of part i has for odd i the product that step 3 has for even i, and the other way round."""
    return (
        f"i = {i}, s = {s}, a = {a}: {', '.join(map(str, printed))}, and {', '.join(map(str, meant))} in step 3"
        for i in (2, 3)
        for _, s, a in _vectors()
        for printed, meant in [(_step_3(a, a, s, odd=i % 2 == 0), _step_3(a, a, s, odd=i % 2 == 1))]
        if printed != meant
    )


@check("sums-convolve")
def sums_convolve() -> Iterator[str]:
    """The law of a sum of two independent counts is the convolution of their laws; a binomial law is a power."""
    laws = [a for a in product(range(4), repeat=3) if sum(a) == 3]
    for a, b in product(laws, laws):
        pairs = ((i + j, a[i] * b[j]) for i, j in product(range(3), repeat=2))
        sums = Dist.from_weights(pairs, 9)
        if [sums.prob(k) * 9 for k in range(3)] != convolve(a, b):
            yield f"{a}, {b}"
    for m, p in product(range(1, 8), (Fraction(0), Fraction(1, 3), Fraction(1))):
        row = [p.denominator - p.numerator, p.numerator, *[0] * (m - 1)]
        exact = binomial_law(m=m, p=p.numerator, q=p.denominator, cap=m)
        if _power(row, m, p.denominator) != [exact.prob(k) for k in range(m + 1)]:
            yield f"Bin({m}, {p})"


def binomial_law(*, m: int, p: int, q: int, cap: int) -> Dist:
    """Return the law of min(Bin(m, p/q), cap)."""
    return Dist.from_weights(((min(k, cap), comb(m, k) * p**k * (q - p) ** (m - k)) for k in range(m + 1)), q**m)


@check("binomial-denominators")
def binomial_denominators() -> Iterator[str]:
    """Bin(m, p/q) in lowest terms needs the denominator q^m, of m log2 q bits."""
    return (
        f"m = {m}, p/q = {p}/{q}"
        for m, q in product((1, 2, 7, 60), range(2, 7))
        for p in range(1, q)
        if gcd(p, q) == 1 and binomial_law(m=m, p=p, q=q, cap=m).prob(m).denominator != q**m
    )


GRID = [
    (m, p, q, s, cap)
    for s in range(1, 10)
    for m in range(1, min(s, 5) + 1)
    for q in (1, 2, 3)
    for p in range(q + 1)
    for cap in range(4)
]
"""m, p, q, s and the cap of Proposition 6.17, s <= 9."""


def printed_bin_sample(m: int, p: int, q: int, s: int, cap: int, u: int) -> int:
    """Return the result of Algorithm 6.18 as printed, on u: its search begins at ceil(t'/2)."""
    if cap == 0:
        return 0
    t, hit = 1, s * p // q
    while t < 2 * cap:
        sums = list(accumulate(approx_conv_exp([s - hit, hit, *[0] * t][:t], m, s=s)))
        for k in range(-(-t // 2), t):
            if sums[k] >= u:
                return min(k, cap)
        t *= 2
    return cap


def _printed_law(m: int, p: int, q: int, s: int, cap: int) -> Dist:
    return Dist.from_weights(((printed_bin_sample(m, p, q, s, cap, u), 1) for u in range(1, s + 1)), s)


@check("approx-bin-printed")
def bin_sample_printed() -> Iterator[str]:
    """Algorithm 6.18 as printed is within (m (cap + 1) - cap)/s of the binomial law."""
    return (
        f"m = {m}, p = {p}, q = {q}, s = {s}, t = {cap}: total variation {distance} > {bound}"
        for m, p, q, s, cap in GRID
        for distance in [_printed_law(m, p, q, s, cap).total_variation(binomial_law(m=m, p=p, q=q, cap=cap))]
        for bound in [Fraction(m * (cap + 1) - cap, s)]
        if distance > bound
    )


@check("approx-bin-output-printed")
def output_law_printed() -> Iterator[str]:
    """Algorithm 6.18 as printed returns k < cap with probability d_k/s."""
    return (
        f"m = {m}, p = {p}, q = {q}, s = {s}, t = {cap}: {k} has probability {law.prob(k)}, not {meant.prob(k)}"
        for m, p, q, s, cap in GRID
        for law, meant in [(_printed_law(m, p, q, s, cap), approx_bin_law(m=m, p=p, q=q, s=s, cap=cap))]
        for k in range(cap)
        if law.prob(k) != meant.prob(k)
    )


@check("approx-bin-law")
def bin_sample_law() -> Iterator[str]:
    """With floor(t'/2), every u in [1, s] gives the outcome by the rounded weights, with bounds tried first or not."""

    def draw(m: int, p: int, q: int, s: int, cap: int, u: int, long_bits: int) -> int:
        coins = Coins(Recorded([(s, u - 1)]))
        return approx_bin_sample(m=m, p=p, q=q, s=s, cap=cap, coins=coins, long_bits=long_bits)

    for m, p, q, s, cap in GRID:
        law = approx_bin_law(m=m, p=p, q=q, s=s, cap=cap)
        for long_bits in (0, 4096):
            drawn = Dist.from_weights(((draw(m, p, q, s, cap, u, long_bits), 1) for u in range(1, s + 1)), s)
            if drawn != law:
                yield f"m = {m}, p = {p}, q = {q}, s = {s}, t = {cap}"


@check("approx-bin-distance")
def bin_sample_distance() -> Iterator[str]:
    """The rounded binomial law is within (m (cap + 1) - cap)/s; rounding p alone costs at most m/s."""
    for m, p, q, s, cap in GRID:
        exact, hit = binomial_law(m=m, p=p, q=q, cap=cap), s * p // q
        where = f"m = {m}, p = {p}, q = {q}, s = {s}, t = {cap}"
        found = approx_bin_law(m=m, p=p, q=q, s=s, cap=cap).total_variation(exact)
        if found > Fraction(m * (cap + 1) - cap, s):
            yield f"{where}: {found}"
        coin = Fraction(p, q) - Fraction(hit, s)
        if binomial_law(m=m, p=hit, q=s, cap=cap).total_variation(exact) > m * coin or not 0 <= coin <= Fraction(1, s):
            yield f"{where}: rounding p"


@check("approx-bin-iterations")
def iterations() -> Iterator[str]:
    """The first of the prefixes 1, 2, 4, ... with more than k numbers is the (1 + ceil(log2(k + 1)))-th."""
    return (f"output {k}" for k in range(1000) if _iteration(k) != 1 + k.bit_length())


def _iteration(k: int) -> int:
    i = 1
    while 2 ** (i - 1) <= k:
        i += 1
    return i


@check("approx-bin-time")
def total_time() -> Iterator[str]:
    """They are at most 8 k for k >= 1, and 2 for k = 0."""
    return (f"output {k}" for k in range(1000) if _numbers(k) > (8 * k or 2))


def _numbers(k: int) -> int:
    return sum(2**i for i in range(1, _iteration(k) + 1))


ORDERS = (
    [(1, 2, s) for s in (2, 9, 100)] + [(1, 5, s) for s in (5, 64)] + [(2, 3, s) for s in (3, 32, 1000)] + [(2, 6, 200)]
)
"""n, m and s of Proposition 6.19, with geosample's counts of 0 at k = 1 and 2."""


def _orders() -> Iterator[tuple[int, int, int, tuple[int, ...], str]]:
    for n, m, s in ORDERS:
        for k in (1, 2):
            yield n, m, s, scaled_cumulative(geosample_law(n=n, k=k)(0), n), f"n = {n}, m = {m}, s = {s}, k = {k}"


@check("approx-ord-law")
def ord_sample_law() -> Iterator[str]:
    """The program of Algorithm 6.20 has the law of its closed form, and always makes n draws below s."""
    for n, m, s, cumulative, where in _orders():
        found = enumerate_law(approx_ordsample(cumulative=cumulative, s=s), m, draws=True).law
        meant = approx_ordsample_law(cumulative=cumulative, s=s)(m)
        if {*found.outcomes()} != {(counts, (s,) * n) for counts in meant.outcomes()}:
            yield f"{where}: the draws"
        if found.map(lambda outcome: outcome[0]) != meant:
            yield where


@check("approx-ord-distance")
def ord_sample_distance() -> Iterator[str]:
    """Algorithm 6.20 is within m (n^2 + 2n)/s of the order statistics, and within the sum of its levels' distances."""
    for n, m, s, cumulative, where in _orders():
        levels = []
        for v in range(1, n + 1):
            hit, whole = cumulative[v] - cumulative[v - 1], cumulative[v]
            distances = [
                approx_bin_law(m=m - K, p=hit, q=whole, s=s, cap=n + 1 - K).total_variation(
                    binomial_law(m=m - K, p=hit, q=whole, cap=n + 1 - K)
                )
                for K in range(n + 1)
            ]
            levels.append(max(distances))
            if max(distances) > Fraction(m * (n + 2), s):
                yield f"{where}: level {v}"
        exact = ordsample_law(cumulative=cumulative)(m)
        found = approx_ordsample_law(cumulative=cumulative, s=s)(m).total_variation(exact)
        if not found <= sum(levels) <= Fraction(m * (n * n + 2 * n), s):
            yield f"{where}: {found}"


def _sets(universe: int) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(range(universe), size) for size in range(universe))


@check("distinct-labels")
def distinct_labels() -> Iterator[str]:
    """Algorithm A.3 gives every sequence of r distinct labels outside A the same probability; so do public draws."""
    for universe in range(1, 5):
        for held in _sets(universe):
            for r in range(universe - len(held) + 1):
                meant = distinct_law(universe=universe, held=held, amount=r)

                def printed(_: None, coins: Coins, u: int = universe, a: tuple[int, ...] = held, r: int = r) -> object:
                    return distinct_sample(universe=u, held=a, amount=r, coins=coins)

                def public(_: None, coins: Coins, u: int = universe, a: tuple[int, ...] = held, r: int = r) -> object:
                    return distinct_elsewhere(universe=u, held=a, most=u - r, amount=r, wanted=r, coins=coins)

                if not enumerate_law(printed, None).law == enumerate_law(public, None).law == meant:
                    yield f"{universe} labels, A = {held}, r = {r}"


@check("distinct-ranks")
def ranks() -> Iterator[str]:
    """x - |{x' in A: x' <= x}| counts the labels outside A up to x, and step 3 c inverts it on the labels outside A."""
    for universe in range(1, 8):
        for held in _sets(universe):
            labels = range(1, universe + 1)
            taken = {x + 1 for x in held}
            rank = {x: x - sum(y <= x for y in taken) for x in labels}
            if any(rank[x] != sum(y not in taken for y in range(1, x + 1)) for x in labels):
                yield f"{universe} labels, A = {sorted(taken)}"
            found = [min(x for x in labels if rank[x] == z) for z in range(1, universe - len(held) + 1)]
            if found != [x for x in labels if x not in taken]:
                yield f"{universe} labels, A = {sorted(taken)}: step 3 c"


def calls(i: int) -> int:
    """Return the number of times that Algorithm 6.16 calls itself at i: with floor(i/2), down to 1."""
    return 0 if i == 1 else 1 + calls(i // 2)


@check("recursive-calls")
def recursive_calls() -> Iterator[str]:
    """Algorithm 6.16 calls itself floor(log2 i) times."""
    return (f"i = {i}" for i in range(1, 5000) if not 2 ** calls(i) <= i < 2 ** (calls(i) + 1))
