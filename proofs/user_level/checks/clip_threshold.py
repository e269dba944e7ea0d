"""Checks of user-level-histograms, Section 4 and Appendix A.1: the error of a clipped sum by its threshold."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, pairwise, product
from math import isqrt
from typing import Any

from dpcert.mechanisms.adapters.balls import enclose
from dpcert.mechanisms.user_level.clipping import histograms
from dpcert.mechanisms.user_level.surds import Surd
from dpcert.mechanisms.user_level.threshold import NORMS, Objective, norm_square, top_size, weight
from dpcert.proofs.check import check

Users = tuple[tuple[int, ...], ...]
Noise = tuple[tuple[Fraction, Fraction], ...]
"""A symmetric law of one count's noise for C = 1: (size, probability), the two signs together."""

NOISES: tuple[Noise, ...] = (
    ((Fraction(1), Fraction(1)),),
    ((Fraction(1, 2), Fraction(1)),),
    ((Fraction(0), Fraction(1, 2)), (Fraction(1), Fraction(1, 2))),
    ((Fraction(1, 4), Fraction(2, 3)), (Fraction(3, 2), Fraction(1, 3))),
)
ETAS = tuple(map(Fraction, ("1/2", "1", "7/5", "2", "5/2", "4")))


@cache
def data(users: int, dimension: int, most: int) -> tuple[Users, ...]:
    """Return the data sets of 1 to `users` users with counts from 0 to `most`, each up to the order of its users."""
    one = histograms(dimension=dimension, most=most)
    return tuple(
        chosen for n in range(1, users + 1) for chosen in combinations_with_replacement(one, n) if any(map(any, chosen))
    )


def _cases(users: int = 3, step: int = 1) -> Iterator[tuple[Users, Fraction, str]]:
    for norm, chosen, eta in product(NORMS, data(users, 2, 2), ETAS[::step]):
        yield chosen, eta, norm


@check("threshold-rule")
def rule_is_least() -> Iterator[str]:
    """The rule of Theorem 4.2 holds exactly where U is least, and `best` is such a threshold; U is convex."""
    for users, eta, norm in _cases(2, 2):
        objective = Objective(users, eta, norm)
        # Squares of thresholds to try: the corners, points between them, and one beyond all.
        corners = objective.corners()
        between = [Fraction(a + b, 2) for a, b in pairwise(corners)] + [
            Fraction((isqrt(64 * a) + isqrt(64 * b)) ** 2, 256) for a, b in pairwise(corners)
        ]
        squares = sorted({*map(Fraction, corners), *between, Fraction(corners[-1] + 1)})
        values = {square: objective.value(square) for square in squares}
        least = values[Fraction(objective.best())]
        for square in squares:
            if values[square] < least or objective.is_stationary(square) is not (values[square] == least):
                yield f"{norm}, users {users}, eta = {eta}, C^2 = {square}"


@check("threshold-top")
def top_is_best() -> Iterator[str]:
    """In l1 the rule's threshold is the ceil(eta)-th greatest size, or 0 where there are fewer users."""
    return (
        f"users {users}, eta = {eta}"
        for users, eta, norm in _cases()
        if norm == "l1" and Objective(users, eta, norm).best() != top_size(users, eta) ** 2
    )


def error_law(users: Sequence[Sequence[int]], threshold: Fraction, noise: Noise) -> Fraction:
    """Return the mean l1 error of the l1-clipped sum with noise of sizes times C, exactly, one sign after the other."""
    total = Fraction(0)
    for j in range(len(users[0])):
        lost = sum(
            (Fraction(counts[j]) * (1 - threshold / sum(counts)) for counts in users if sum(counts) > threshold),
            Fraction(0),
        )
        for size, p in noise:
            total += p / 2 * (abs(size * threshold - lost) + abs(size * threshold + lost))
    return total


def least_error(users: Sequence[Sequence[int]], noise: Noise) -> Fraction:
    """Return the least mean l1 error over all thresholds C >= 0, as a piecewise linear function of C takes it.

    Its corners are the sizes and where one count's loss is as great as its noise.
    """
    sizes = sorted({0, *(sum(counts) for counts in users)})
    corners = {Fraction(size) for size in sizes}
    for high in sizes[1:]:
        for j in range(len(users[0])):
            kept = [counts for counts in users if sum(counts) >= high]
            lost = sum(counts[j] for counts in kept)
            slope = sum((Fraction(counts[j], sum(counts)) for counts in kept), Fraction(0))
            corners |= {lost / (slope + size) for size, _ in noise if slope + size}
    return min(error_law(users, corner, noise) for corner in corners)


def within_factor(factor: Fraction) -> Iterator[str]:
    """The rule's threshold errs at most `factor` times as much as the best threshold."""
    for users, noise in product(data(2, 2, 3), NOISES):
        eta = len(users[0]) * sum((size * p for size, p in noise), Fraction(0))
        chosen = Fraction(isqrt(Objective(users, eta, "l1").best()))
        if error_law(users, chosen, noise) > factor * least_error(users, noise):
            yield f"users {users}, noise {noise}"


@check("threshold-two")
def two_approximation() -> Iterator[str]:
    """The rule's threshold errs at most twice as much as the best one, and twice as much for one count, noise C."""
    noise, users = NOISES[0], ((1,),)
    if not error_law(users, Fraction(1), noise) == 2 * least_error(users, noise) == 1:
        yield "one user with one count is not the worst"
    yield from within_factor(Fraction(2))


def _laplace(lost: Any, mean: Any) -> Any:
    """E|lost + Z| for Laplace noise of E|Z| = mean."""
    return lost + mean * (-lost / mean).exp()


def _gaussian(lost: Any, mean: Any) -> Any:
    """E|lost + Z| for Gaussian noise of E|Z| = mean, which is sigma sqrt(2/pi)."""
    root = (4 * (mean / mean).atan()).sqrt()
    scaled = lost / mean / root
    return lost * scaled.erf() + mean * (-scaled * scaled).exp()


ERRORS = {"l1": _laplace, "l2": _gaussian}
PIECES = 16


def _lost(users: Users, threshold: tuple[Fraction, Fraction], norm: str, item: int) -> tuple[Fraction, Fraction]:
    """Return bounds of the count that an item loses at a threshold that is known by bounds."""
    lo = hi = Fraction(0)
    scale = 1 << 40
    for counts in users:
        own = norm_square(counts, norm)
        root = isqrt(own << 80)
        low, high = Fraction(root, scale), Fraction(root + (root * root != own << 80), scale)
        if low:
            lo += counts[item] * max(1 - threshold[1] / low, Fraction(0))
            hi += counts[item] * max(1 - threshold[0] / high, Fraction(0))
    return lo, hi


def _error(lost: Sequence[Fraction], mean: Fraction, norm: str, end: int) -> Fraction:
    if mean == 0:
        return sum(lost, Fraction(0))
    return sum((enclose(ERRORS[norm], one, mean, bits=64)[end] for one in lost), Fraction(0))


def noise_approximation(norm: str, factor: Fraction, *, users: int = 2) -> Iterator[str]:
    """With Laplace noise in l1, Gaussian in l2, the rule errs at most `factor` times as much as any threshold.

    On a piece [c, c'] of thresholds the error is at least that of the loss at c' and the noise at c; beyond all norms
    it is the noise, and more for a greater one.
    """
    for people, eta in product(data(users, 2, 2), ETAS[::2]):
        mean, items = eta / len(people[0]), range(len(people[0]))
        square = Objective(people, eta, norm).best()
        root = isqrt(square << 80)
        chosen = Fraction(root, 1 << 40), Fraction(root + 1, 1 << 40) if square else Fraction(0)
        most = _error([_lost(people, chosen, norm, j)[1] for j in items], mean * chosen[1], norm, 1)
        end = isqrt(max(norm_square(counts, norm) for counts in people)) + 1
        least = eta * end
        for piece in range(PIECES):
            c, after = Fraction(end * piece, PIECES), Fraction(end * (piece + 1), PIECES)
            lost = [_lost(people, (after, after), norm, j)[0] for j in items]
            least = min(least, _error(lost, mean * c, norm, 0))
        if most > factor * least:
            yield f"{norm}, users {people}, eta = {eta}: {float(most):.4f} against {float(least):.4f}"


@check("threshold-laplace")
def laplace_two() -> Iterator[str]:
    """With Laplace noise and l1 clipping the rule errs at most twice as much as any threshold."""
    return noise_approximation("l1", Fraction(2))


@check("threshold-gaussian")
def gaussian_two() -> Iterator[str]:
    """With Gaussian noise and l2 clipping the rule errs at most twice as much as any threshold."""
    return noise_approximation("l2", Fraction(2))


LAPLACE_FACTOR = (Fraction(14659, 10000), Fraction(14660, 10000))
GAUSSIAN_FACTOR = (Fraction(15426, 10000), Fraction(15427, 10000))


@check("threshold-laplace-factor")
def laplace_factor() -> Iterator[str]:
    """1.4660 (x + e^-x) >= 1 + x for all x >= 0, and 1.4659 is too little.

    The difference is convex with its least value, (k - 1) ln(k/(k - 1)) + k - 2, where e^-x = (k - 1)/k.
    """
    low, high = (enclose(lambda k: (k - 1) * (k / (k - 1)).log() + k - 2, factor) for factor in LAPLACE_FACTOR)
    if not low[1] < 0 <= high[0]:
        yield f"{low}, {high}"


@check("threshold-gaussian-factor")
def gaussian_factor() -> Iterator[str]:
    """1.5427 (x erf(x/sqrt(pi)) + e^(-x^2/pi)) >= 1 + x for all x >= 0, and 1.5426 is too little.

    The difference is convex in x, and where k erf(t) = 1 for t = x/sqrt(pi) it is least: k e^(-t^2) - 1. That is at
    least 0 exactly if erf(sqrt(ln k)) k >= 1, as e^(-t^2) >= 1/k says t <= sqrt(ln k), and erf rises.
    """
    low, high = (enclose(lambda k: k * k.log().sqrt().erf() - 1, factor) for factor in GAUSSIAN_FACTOR)
    if not low[1] < 0 <= high[0]:
        yield f"{low}, {high}"


@check("threshold-factors-attained")
def factors_attained() -> Iterator[str]:
    """For one user with one count and eta = 1 these factors are needed, up to 1/1000."""
    return (
        f"{norm}: {least}"
        for norm, part, (factor, _) in (("l1", "7/15", LAPLACE_FACTOR), ("l2", "46/100", GAUSSIAN_FACTOR))
        for threshold in [Fraction(part)]
        for least in [_error([1 - threshold], threshold, norm, 1)]
        if (factor - Fraction(1, 1000)) * least > 1 or Objective(((1,),), Fraction(1), norm).best() != 1
    )


@check("threshold-cauchy-schwarz")
def cauchy_schwarz() -> Iterator[str]:
    """|h|_1 <= sqrt(s) |h|_2 for a histogram of s items, with equality exactly if they have one count."""
    for counts in histograms(dimension=4, most=4):
        held = [count for count in counts if count]
        bound, own = Surd.root(len(held)), weight(counts, "l2")
        if bound < own or (own == bound) is not (len(set(held)) <= 1):
            yield f"{counts}"


@check("threshold-unbounded")
def unbounded_sensitivity() -> Iterator[str]:
    """Replacing one user may move the best threshold, or its slope's weight, by any amount: of m, by m or sqrt(m)."""
    for amount in range(1, 40):
        for norm in NORMS:
            moved = [Objective(((count,),), Fraction(1), norm).best() for count in (0, amount)]
            if moved != [0, amount * amount]:
                yield f"{norm}, one user of {amount}"
        if weight((1,) * amount, "l2") != Surd.root(amount):
            yield f"one user of {amount} items"


@check("threshold-norms-suffice")
def norms_suffice() -> Iterator[str]:
    """The rule's threshold is a function of the users' two norms: other histograms with the same give the same."""
    for norm, eta in product(NORMS, ETAS[::3]):
        chosen: dict[tuple[tuple[int, int], ...], int] = {}
        for users in product(histograms(dimension=3, most=2), repeat=2):
            norms = tuple((sum(counts), norm_square(counts, "l2")) for counts in users)
            best = Objective(users, eta, norm).best()
            if chosen.setdefault(norms, best) != best:
                yield f"{norm}, users {users}, eta = {eta}"
