"""Checks of finite-computers, Section 7: the printed bounds against their packings, and mechanisms against both."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations, product
from math import ceil, floor

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.finite_computers.accuracy import Accuracy, accuracy_of, log_ceiling
from dpcert.mechanisms.finite_computers.lower_bounds import per_query_least, simultaneous_least, sparse_least
from dpcert.proofs.check import check

EPSILONS = tuple(map(Epsilon.of, ("1/50", "1", "ln(9/8)", "ln(3/2)", "1/3 + ln(5/4)")))
DELTAS = (Fraction(0), Fraction(1, 10**9), Fraction(1, 1000), Fraction(1, 10))
BETAS = tuple(Fraction(1, inverse) for inverse in (2, 3, 10, 1000, 10**6))
ROWS = (1, 7, 60)

Law = Callable[[int], Dist]


def _grid() -> Iterator[tuple[Epsilon, Fraction, Fraction, int]]:
    yield from product(EPSILONS, DELTAS, BETAS, ROWS)


def _where(epsilon: Epsilon, delta: Fraction, beta: Fraction, n: int) -> str:
    return f"epsilon = {epsilon}, delta = {delta}, beta = {beta}, n = {n}"


@check("per-query-packing")
def per_query_packing() -> Iterator[str]:
    """The packing of two inputs excludes every a that Theorem 7.1 i excludes."""
    for epsilon, delta, beta, n in _grid():
        if beta < Fraction(1, 2):
            least = per_query_least(epsilon=epsilon, delta=delta, beta=beta, n=n)
            if least.printed > least.packing:
                yield _where(epsilon, delta, beta, n)


@check("simultaneous-packing")
def simultaneous_packing() -> Iterator[str]:
    """The packing of |X| inputs excludes every a that Theorem 7.1 ii excludes; part ii excludes every a that part i
    does.
    """
    for (epsilon, delta, beta, n), universe in product(_grid(), (2, 100, 1 << 64)):
        if beta < Fraction(1, 2):
            least = simultaneous_least(epsilon=epsilon, delta=delta, beta=beta, n=n, universe=universe)
            single = per_query_least(epsilon=epsilon, delta=delta, beta=beta, n=n)
            if not single.printed <= least.printed <= least.packing or single.packing > least.packing:
                yield f"{_where(epsilon, delta, beta, n)}, |X| = {universe}"


@check("sparse-packing")
def sparse_packing() -> Iterator[str]:
    """The packings of Theorem 7.2 and of Theorem 7.1 i together exclude every a that Theorem 7.2 excludes."""
    for (epsilon, delta, beta, n), universe in product(_grid(), (2, 100, 1 << 64)):
        outputs = min(n, universe)
        least = sparse_least(epsilon=epsilon, delta=delta, beta=beta, n=n, universe=universe, outputs=outputs)
        if least.printed > least.packing:
            yield f"{_where(epsilon, delta, beta, n)}, |X| = {universe}, n' = {outputs}"


def errors_by_count(law: Law, n: int) -> list[Accuracy]:
    """Return the accuracy of a noisy count for each true count from 0 to n."""

    def distance(count: int) -> Callable[[int], int]:
        return lambda noisy: abs(noisy - count)

    return [accuracy_of(law(count), distance(count)) for count in range(n + 1)]


@check("first-bound")
def first_bound() -> Iterator[str]:
    """Before beta enters, a >= min{ln(|X|/4n')/e - 1, ln(e/4 delta)/e - 1, n}/2 follows from few outputs alone.

    At beta = 1/2 the packing of Theorem 7.1 i excludes nothing; the bound itself is that of 7.2 at beta = n'/|X|.
    """
    for (epsilon, delta, n), universe in product(product(EPSILONS, DELTAS, ROWS), (2, 100, 1 << 64)):
        outputs = max(1, min(n, universe // 2))
        printed, packed = (
            sparse_least(epsilon=epsilon, delta=delta, beta=beta, n=n, universe=universe, outputs=outputs)
            for beta in (Fraction(outputs, universe), Fraction(1, 2))
        )
        if printed.printed > packed.packing:
            yield f"epsilon = {epsilon}, delta = {delta}, n = {n}, |X| = {universe}, n' = {outputs}"


@check("near-optimal")
def near_optimal() -> Iterator[str]:
    """At small beta, geometric noise errs 3 to 5 times as much as the packings of Theorem 7.1 leave open.

    Noise of ratio r is above a with probability 2 r^-a/(r + 1); all |X| of them together, with at most |X| times that.
    """
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


def _upper(ratio: Fraction, x: Fraction) -> int:
    """Return ceil((2/epsilon) ln x) for e^(epsilon/2) = ratio, 0 for x <= 1."""
    return log_ceiling(max(x, Fraction(1)), Epsilon.ln(ratio))


@check("sparse-bound-tight")
def tight() -> Iterator[str]:
    """The lesser of (2/epsilon) ln(1/(beta delta)) and (2/epsilon) ln(|X|/beta) is at most 11 times Theorem 7.2.

    On a grid with |X| >= n'^2, epsilon^2 >= delta and beta >= delta, with n too great to matter. The lower bound is the
    packings', at least 1.
    """
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


def _planted(n: int, m: int, x: int, universe: int) -> list[int]:
    return [m * (y == x) + (n - m) * (y == 0) for y in range(universe)]


@check("accurate-sets-disjoint")
def accurate_sets_disjoint() -> Iterator[str]:
    """No histogram is within a of two of the data sets with m = floor(2a) + 1 rows planted on different labels."""
    for n, universe in ((1, 2), (2, 3), (3, 3), (5, 3), (6, 4)):
        for quarters in range(2 * n):
            a = Fraction(quarters, 4)
            for x, y in permutations(range(universe), 2):
                pair = [_planted(n, floor(2 * a) + 1, label, universe) for label in (x, y)]
                if all(ceil(max(c, d) - a) <= min(c, d) + a for c, d in zip(*pair, strict=True)):
                    yield f"n = {n}, |X| = {universe}, a = {a}, labels {x} and {y}"


@check("planted-rows-floor")
def planted_floor() -> Iterator[str]:
    """A label on floor(2a) rows occurs at least 2a times."""
    return (
        f"n = {n}, a = {a}: count {floor(2 * a)} < {2 * a}"
        for n in range(1, 7)
        for a in (Fraction(quarters, 4) for quarters in range(2 * n))
        if floor(2 * a) < 2 * a
    )
