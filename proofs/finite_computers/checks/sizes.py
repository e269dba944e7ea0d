"""Checks of sizes in finite-computers: bits drawn, computed with and released, and their growth."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb

from dpcert.mechanisms.finite_computers.basic_histogram import basic_histogram, lists
from dpcert.mechanisms.finite_computers.compact_costs import settled
from dpcert.mechanisms.finite_computers.empty_bin import fastsample_zero, geosample_zero
from dpcert.mechanisms.finite_computers.fastsample import cutoff, fastsample
from dpcert.mechanisms.finite_computers.geosample import geosample, geosample_law, noise_exponent
from dpcert.mechanisms.finite_computers.pure_sparse_histogram import pure_distance
from dpcert.mechanisms.finite_computers.sparse_histogram import precision
from dpcert.mechanisms.finite_computers.stability_histogram import stability_histogram
from dpcert.proofs.check import check
from dpcert.proofs.finite_computers.checks.accuracy import theorem_5_6
from dpcert.reading.paths.enumerator import enumerate_law


def _bits(d: int) -> int:
    """Return the number of bits that `below(d)` costs."""
    return (d - 1).bit_length()


@check("histogram-bits")
def histogram_bits() -> Iterator[str]:
    """The bits drawn grow with |X| as |X|, with 1/epsilon as 1/epsilon up to a logarithm, with n as its logarithm.

    For basic histograms with FastSample at the gamma of Theorem 5.3, and for stability histograms at that of Theorem
    5.6 with n different labels, where n takes the place of |X| and log(1/delta) that of log |X|.
    """
    beta = Fraction(1, 10)
    for m, n, j in product((1, 8, 64), (10, 10**4), (4, 10)):

        def drawn(m: int, n: int, j: int) -> int:
            universe = 1 << j
            zero = fastsample_zero(n=n, epsilon=Fraction(1, m), gamma=beta / (2 * universe))
            return universe * _bits(zero.d)

        here = drawn(m, n, j)
        more = drawn(m, n, j + 1), drawn(2 * m, n, j), drawn(m, n * n, j)
        if not (2 * here <= more[0] <= 3 * here and here < more[1] <= 4 * here and here < more[2] <= 2 * here):
            yield f"1/epsilon = {m}, n = {n}, |X| = 2^{j}: {here} bits, then {more}"
    for m, n, j in product((1, 8), (10, 1000), (10, 40)):

        def own(m: int, n: int, j: int) -> int:
            gamma, _ = theorem_5_6(n=n, epsilon=Fraction(1, m), delta=Fraction(1, 1 << j), beta=beta)
            return n * _bits(fastsample_zero(n=n, epsilon=Fraction(1, m), gamma=gamma).d)

        here = own(m, n, j)
        more = own(m, 2 * n, j), own(2 * m, n, j), own(m, n, 2 * j)
        if not (2 * here <= more[0] <= 3 * here and here < more[1] <= 4 * here and here < more[2] <= 2 * here):
            yield f"1/epsilon = {m}, n = {n}, delta = 2^-{j}: {here} bits, then {more}"
    yield from _drawn()


def _drawn() -> Iterator[str]:
    """Return where the programs do not draw the bits of these formulas: one number a label, or a label that occurs."""
    epsilon, gamma = Fraction(1), Fraction(1, 2)
    sampler, d = fastsample(n=2, epsilon=epsilon, gamma=gamma), fastsample_zero(n=2, epsilon=epsilon, gamma=gamma).d
    programs = (basic_histogram(universe=2, sampler=sampler), stability_histogram(threshold=1, sampler=sampler))
    for program, people in product(programs, ([0, 1], [0, 0])):
        bounds = {bounds for _, bounds in enumerate_law(program, people, draws=True).law.outcomes()}
        expected = 2 if program is programs[0] else len(set(people))
        if bounds != {(d,) * expected}:
            yield f"D = {people}: draws below {bounds}"


@check("sparse-bits")
def sparse_bits() -> Iterator[str]:
    """The bits of one number of pure-sparse-histogram grow as n log |X|, those of sparse-histogram as their logarithms.

    Both draw n such numbers; beside them n noisy counts and 2n + 1 labels.
    """
    for n, j, m in product((10, 1000), (16, 64), (1, 8)):

        def pure(n: int, j: int, m: int) -> int:
            delta = pure_distance(n=n, universe=1 << j, epsilon=Fraction(1, m), beta=Fraction(1, 100))
            return _bits(precision(n=n, universe=1 << j, delta=delta))

        def plain(n: int, j: int) -> int:
            return _bits(precision(n=n, universe=1 << j, delta=Fraction(1, 10**6)))

        here, short = pure(n, j, m), plain(n, j)
        grown = pure(2 * n, j, m), pure(n, 2 * j, m), pure(n, j, 2 * m)
        if not (here < grown[0] <= 2 * here and here < grown[1] <= 2 * here and here < grown[2] <= here + 2):
            yield f"n = {n}, |X| = 2^{j}, 1/epsilon = {m}: {here} bits, then {grown}"
        if not n * j <= here <= 2 * n * j + 60 or not short < plain(2 * n, j) <= short + 2:
            yield f"n = {n}, |X| = 2^{j}, 1/epsilon = {m}: {here} and {short} bits"
        if not short + j <= plain(n, 2 * j) <= short + j + 1:
            yield f"n = {n}, |X| = 2^{j}: {short} bits"


@check("compact-release-bits")
def compact_release_bits() -> Iterator[str]:
    """The n + 1 numbers of a release have at least log2(|X|/epsilon) bits each, and at most 6 times those needed.

    These are max{log2 |X|, log2(30 d/epsilon)}: 6 times, as the least l with 2 * 3^l bits is taken; and d has about
    9 log2(16 n/(epsilon gamma))/(2 epsilon) times k + 1 bits, for k = ceil(log2(2/epsilon)).
    """
    for n, j, m in product((1, 100, 10**4), (1, 20, 64), (1, 4, 16)):
        chosen = settled(n=n, universe=1 << j, epsilon=Fraction(1, m), beta=Fraction(1, 10))
        bits, wanted = 2 * 3**chosen.exponent, max(j, (30 * chosen.d * m).bit_length())
        if not max(j, m.bit_length()) <= wanted <= bits <= 6 * wanted:
            yield f"n = {n}, |X| = 2^{j}, 1/epsilon = {m}: {bits} bits for {wanted}"
        t = cutoff(n=n, epsilon=chosen.epsilon, gamma=chosen.gamma)
        length = (t + 1) * (noise_exponent(chosen.epsilon) + 1) + 2 + _bits(2 * n * int(1 / chosen.gamma))
        if chosen.d.bit_length() > length:
            yield f"n = {n}, |X| = 2^{j}, 1/epsilon = {m}: d has {chosen.d.bit_length()} bits"


@check("index-sets")
def index_sets() -> Iterator[str]:
    """[n] has n + 1 numbers and [n]_+ has n: those that a noisy count can be, and those that a draw below n can."""
    return (
        f"n = {n}"
        for n in range(1, 30)
        if sorted(geosample_law(n=n, k=1)(0).outcomes()) != [*range(n + 1)]
        or sorted(enumerate_law(lambda n, coins: int(coins.below(n)) + 1, n).law.outcomes()) != [*range(1, n + 1)]
    )


def histograms(*, n: int, outputs: int, universe: int) -> int:
    """Return how many histograms H_(n, n')(X) has: at most n' counts from 1 to n."""
    return sum(comb(universe, r) * n**r for r in range(outputs + 1))


@check("partial-vectors")
def partial_vectors() -> Iterator[str]:
    """n' pairs of a label and a count in [0, n] hold every histogram of H_(n, n')(X), in n' (log n + log |X|) bits.

    That is less than a vector's for n' < |X|/(1 + log |X|), and at most twice what any code needs for n'^3 <= |X|; for
    n' = |X| it is more.
    """
    for n, universe in product((1, 3, 100), (2, 5, 64, 1000)):
        count, label = n.bit_length(), (universe - 1).bit_length()
        for outputs in range(1, min(universe, 100) + 1):
            size, needed = outputs * (count + label), (histograms(n=n, outputs=outputs, universe=universe) - 1)
            where = f"n = {n}, |X| = {universe}, n' = {outputs}"
            if needed.bit_length() > size:
                yield f"{where}: {size} bits do not do"
            if outputs * (1 + label) < universe and size >= universe * count:
                yield f"{where}: no shorter than a vector"
            if outputs**3 <= universe and 2 * needed.bit_length() < size:
                yield f"{where}: {size} bits, {needed.bit_length()} are enough"
        if universe * (count + label) <= universe * count:
            yield f"n = {n}, |X| = {universe}: shorter for n' = |X|"


@check("stability-length")
def stability_length() -> Iterator[str]:
    """A stability histogram releases only labels that occur, with counts from 1 to n: at most n, and it can be n."""
    for n, universe in ((1, 2), (2, 2), (3, 4)):
        program = stability_histogram(threshold=0, sampler=geosample(n=n, k=1))
        lengths = set()
        for people in lists(n, universe):
            if people != sorted(people):
                continue
            for bins in enumerate_law(program, people).law.outcomes():
                lengths.add(len(bins))
                if not {x for x, _ in bins} <= set(people) or any(not 0 < z <= n for _, z in bins):
                    yield f"n = {n}, D = {people}: {bins}"
        if max(lengths) != min(n, universe):
            yield f"n = {n}, |X| = {universe}: lengths {sorted(lengths)}"


@check("geosample-bits")
def geosample_bits() -> Iterator[str]:
    """GeoSample draws one number of more than k n and at most n (k + 1) + 1 bits."""
    for n, k in product((1, 2, 3, 10, 100, 10**4), (1, 2, 7)):
        d = geosample_zero(n=n, k=k).d
        if not k * n < _bits(d) <= n * (k + 1) + 1:
            yield f"n = {n}, k = {k}: {_bits(d)} bits"
        if n <= 3:
            drawn = {bounds for _, bounds in enumerate_law(geosample(n=n, k=k), 0, draws=True).law.outcomes()}
            if drawn != {(d,)}:
                yield f"n = {n}, k = {k}: draws below {drawn}"


@check("cut-off-order")
def cut_off_order() -> Iterator[str]:
    """t is between 9/(2 epsilon) log(n/gamma) and 9/(2 epsilon) (log(n/gamma) + log(1/epsilon) + 4)."""
    for n, m, g in product((1, 2, 10, 10**4, 10**9), (1, 2, 3, 10, 1000), (2, 3, 100, 10**12)):
        t = cutoff(n=n, epsilon=Fraction(1, m), gamma=Fraction(1, g))
        least = Fraction(9 * m, 2) * ((n * g).bit_length() - 1)
        if not least <= t <= Fraction(9 * m, 2) * (_bits(n * g) + _bits(m) + 4):
            yield f"n = {n}, epsilon = 1/{m}, gamma = 1/{g}: t = {t}"
