"""Weighted samples, clipped users and anonymized histograms: the law of each fault at its default parameters."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from .plain import Pairs, joint, merged, noisy


def bernoulli(p: Fraction) -> Pairs:
    return [(True, p), (False, 1 - p)]


def one_of(*probabilities: str) -> Callable[[int], Pairs]:
    """The coin of each frequency; those above the last are taken for it."""
    return lambda frequency: bernoulli(Fraction([*probabilities][min(frequency, len(probabilities) - 1)]))


def one_row(*rows: str) -> Callable[[int], Pairs]:
    """The row of each frequency; those above the last are taken for it."""
    return lambda frequency: [
        (value, Fraction(p)) for value, p in enumerate([*rows][min(frequency, len(rows) - 1)].split())
    ]


def occurring_counts(counts: list[int]) -> Pairs:
    """One label at most: no count, or one that is noisy, at a ratio of 2, on 0 and 1."""
    return [((z,), p) for z, p in noisy(counts[0], 2, 0, 1)] if counts else [((), Fraction(1))]


def exact_total(frequencies: Sequence[int]) -> Pairs:
    (frequency,) = frequencies
    p = Fraction(frequency, 10)  # pi_1 = delta
    return [((frequency, (0,)), p), ((frequency, ()), 1 - p)]


def capped_sample(frequencies: Sequence[int]) -> Pairs:
    """Of the keys below tau = 2/N, min(1, 2) = 2 for N <= 1, the first alone; pi_1 = 1/10, pi_2 = 2/10 + 1/10."""
    found: defaultdict[tuple[int, tuple[int, ...]], Fraction] = defaultdict(Fraction)
    for total, mass in noisy(sum(frequencies), 2, 0, 4):
        tau, left = Fraction(2, max(total, 1)), Fraction(1)
        for key, i in enumerate(frequencies):
            if i:
                kept = Fraction(("1/10", "3/10")[i - 1])
                found[total, (key,)] += mass * left * kept
                left *= 1 - min(Fraction(1), tau * i)
        found[total, ()] += mass - sum(found[total, (key,)] for key in range(len(frequencies)))
    return list(found.items())


def symmetric(count: int, weights: Sequence[Fraction]) -> Pairs:
    """The law of count + Z, where Z and -Z have the weight of |Z|."""
    total = 2 * sum(weights) - weights[0]
    return [(count + z, weights[abs(z)] / total) for z in range(1 - len(weights), len(weights))]


def clipped(
    shorten: Callable[[tuple[int, ...]], tuple[int, ...]], noise: Callable[[int], Pairs]
) -> Callable[[tuple[tuple[int, ...]]], Pairs]:
    """One user, whose counts are shortened and made noisy, each by itself."""

    def law(users: tuple[tuple[int, ...]]) -> Pairs:
        rows = product(*map(noise, shorten(*users)))
        return [(tuple(z for z, _ in row), prod((p for _, p in row), start=Fraction(1))) for row in rows]

    return law


def sampled_user(users: tuple[tuple[int, ...]]) -> Pairs:
    """One user, in the sample with 1/4, whose counts sum to 1 at most, with noise of ratio 13: e^epsilon = 1 + 12/4."""
    law = clipped(lambda h: h if sum(h) <= 1 else (0, 0), lambda c: noisy(c, 13, 0, 1))
    return merged([*((z, p / 4) for z, p in law(users)), *((z, 3 * p / 4) for z, p in law(((0, 0),)))])


def missed(users: Sequence[Sequence[int]], c: int) -> int:
    """How far c is from the greatest size of two users, at eta = 1: who is above it but for one, or none from it on."""
    sizes = [sum(counts) for counts in users]
    return max(sum(size > c for size in sizes) - 1, 1 - sum(size >= c for size in sizes), 0)


def best_threshold(users: Sequence[Sequence[int]]) -> Pairs:
    far = [missed(users, c) for c in range(1, 5)]
    return [(1 + far.index(min(far)), Fraction(1))]


def numerators(users: Sequence[Sequence[int]]) -> Pairs:
    chances = [Fraction(1, 4 ** missed(users, c)) for c in range(1, 5)]
    return [(c, chance / sum(chances)) for c, chance in enumerate(chances, 1)]


def half_noise(users: Sequence[Sequence[int]]) -> Pairs:
    """Of the half integers the first at which 1 + C is at least the number of users above, with noise of ratio 4."""
    sizes = [sum(counts) for counts in users]
    return noisy(next(k for k in range(9) if 2 + k >= 2 * sum(2 * size > k for size in sizes)), 4, 0, 8)


def dense_user(users: Sequence[Sequence[int]]) -> Pairs:
    """A user of m items, each once, has norm sqrt(m), and weight sqrt(m) rounded down; C = 2 has 2 for four items."""
    least = {0: 0, 1: 1, 2: 1, 3: 1, 4: 2}[sum(users[0])]
    return noisy(least, 2, 0, 2)


def descent_once(users: Sequence[Sequence[int]]) -> Pairs:
    """From 2, C becomes C - 1 and how many users are above it, with noise of ratio 4, within [0, 2]; twice."""

    def step(c: int) -> Pairs:
        return noisy(c - 1 + sum(sum(counts) > c for counts in users), 4, 0, 2)

    return [((first, second), p * q) for first, p in step(2) for second, q in step(first)]


def histogram_parts(counts: Sequence[int], m: int, t: int, fakes: int, most: int) -> tuple[list[Pairs], list[Pairs]]:
    """The noisy prevalences up to t and the noisy counts above it, when m counts are noted as large; e^epsilon = 2."""
    over, ranked = max(0, m - fakes), sorted(counts, reverse=True) + [0] * most
    cumulative = [sum(c >= r for c in counts) for r in range(1, t + 1)]
    lower = [noisy(max(0, c - over), 2, 0, max(0, most // r - over)) for r, c in enumerate(cumulative, 1)]
    shown = range(1, min(m + fakes, most // (t + 1)) + 1)
    return lower, [noisy(max(ranked[i - 1], t + 1), 2, t + 1, most // i) for i in shown]


def histogram_split(counts: Sequence[int], fault: str, t: int, fakes: int, most: int) -> Pairs:
    """The split of PrivHist at e^epsilon = 2 with one fault; m is clamped to [0, 3] at these parameters."""
    above = sum(c > t for c in counts)
    moves = [(above, Fraction(1))] if fault == "naive" else noisy(above, 2, 0, 3)
    found: Pairs = []
    for m, p in moves:
        if fault == "cut":
            m = max(m, sum(c > t + 1 for c in counts))
        for taken, q in moves if fault == "unshared" else [(m, Fraction(1))]:
            lower, upper = (
                histogram_parts(counts, taken, t, fakes, most)[0],
                histogram_parts(counts, m, t, fakes, most)[1],
            )
            if fault == "nonzero":
                lower = [law for r, law in enumerate(lower, 1) if r in counts]
            if fault == "occurring":
                upper = upper[:above]
            for low, x in joint(lower):
                for high, y in joint(upper):
                    found.append(((m, tuple(z + m - taken for z in low), high), p * q * x * y))
    return found


def true_total(counts: Sequence[int]) -> Pairs:
    """e^(epsilon/3) = 2: T = 1 and M = 2 for one person, T = 2 and M = 4 for two; cells of m from 1 to M are one."""
    t, fakes = (2, 4) if sum(counts) == 2 else (1, 2)
    found: Pairs = []
    for n, p in noisy(sum(counts), 2, 0, 2):
        if n == 0:
            found.append(((0, None, ()), p))
            continue
        for m, q in noisy(sum(c > t for c in counts), 2, 0, fakes + 2):
            cell = min(m, 1) if m <= fakes else m
            lower, upper = histogram_parts(counts, cell, t, fakes, 2)
            found += [
                ((n, (cell, low, high), ()), p * q * x * y) for low, x in joint(lower) for high, y in joint(upper)
            ]
    return found


LAWS: dict[str, Callable[[Any], Pairs]] = {
    "pws-keys-heavy": one_of("0", "1/10", "3/10", "1"),
    "pws-keys-thinned": one_of("0", "1/40", "3/20", "21/40", "9/10"),
    "pws-keys-two-terms": one_of("0", "1/10", "3/10", "7/10", "1"),
    "pws-keys-unsanitized": one_of("0", "1/4", "1/2", "3/4", "1"),
    "pws-frequencies-each": one_row(
        "1", "9/10 1/10", "7/10 1/5 1/10", "3/10 3/10 3/10 1/10", "1/10 3/20 7/20 3/10 1/10"
    ),
    "pws-frequencies-shifted": one_row("1", "7/10 1/5 1/10", "3/10 2/5 1/5 1/10", *["1/10 1/5 2/5 1/5 1/10"] * 2),
    "pws-frequencies-silent": one_row("1", "3/4 1/4", "1/6 7/12 1/4", "0 1/9 23/36 1/4", "0 0 1/6 7/12 1/4"),
    "pws-frequencies-true": one_row(
        "1", "9/10 1/10", "7/10 0 3/10", "3/10 0 0 7/10", "1/10 0 0 0 9/10", "1/10 0 0 0 0 9/10"
    ),
    "pws-frequencies-upward": one_row("1", "4/5 1/5", "1/2 3/10 1/5", "1/2 0 3/10 1/5", "1/2 0 0 3/10 1/5"),
    "pws-private-threshold-capped": capped_sample,
    "pws-private-threshold-exact": exact_total,
    "sbh-early": one_row("1", "2/3 0 1/6 1/6"),
    "sbh-sampled-first": one_row("1", "59/60 0 0 1/60", "2/3 0 0 1/3"),
    "laplace-isotonic-occurring": occurring_counts,
    "clip-threshold-exact": best_threshold,
    "clip-threshold-numerator": numerators,
    "clip-threshold-halved": half_noise,
    "clip-threshold-dense": dense_user,
    "clip-threshold-once": descent_once,
    "clipped-sum-l1-add-remove": clipped(lambda h: h if sum(h) <= 1 else (0, 0), lambda c: noisy(c, 4, 0, 1)),
    "clipped-sum-l1-l2-scale": clipped(
        lambda h: h if sum(h) <= 3 else tuple(3 * x // sum(h) for x in h), lambda c: noisy(c, "3/2", 0, 3)
    ),
    "clipped-sum-l1-by-l2": clipped(
        lambda h: tuple(2 * x if sum(h) == 1 else x for x in h), lambda c: noisy(c, "3/2", 0, 2)
    ),
    "clipped-sum-l1-coordinates": clipped(lambda h: h, lambda c: noisy(c, 2, 0, 1)),
    "clipped-sum-l1-up": clipped(lambda h: h, lambda c: noisy(c, 2, 0, 1)),
    "sampled-sum-l1-joined": sampled_user,
    "clipped-sum-l2-add-remove": clipped(
        lambda h: h if sum(h) <= 1 else (0, 0),
        lambda c: symmetric(c, [Fraction(1), Fraction(29, 48), Fraction(1, 9), Fraction(29, 48) / 81]),
    ),
    "clipped-sum-l2-nearest": clipped(lambda h: h, lambda c: symmetric(c, [Fraction(1), Fraction(1, 3)])),
    "privhist-total-empty": lambda counts: noisy(sum(counts), 2, 0, 2) if counts else [(0, Fraction(1))],
    "privhist-split-naive": lambda counts: histogram_split(counts, "naive", 1, 1, 2),
    "privhist-split-unshared": lambda counts: histogram_split(counts, "unshared", 1, 1, 2),
    "privhist-split-cut": lambda counts: histogram_split(counts, "cut", 1, 0, 3),
    "privhist-split-nonzero": lambda counts: histogram_split(counts, "nonzero", 2, 1, 2),
    "privhist-split-occurring": lambda counts: histogram_split(counts, "occurring", 1, 1, 2),
    "privhist-smoothed-plain": lambda counts: joint(
        [noisy(list(counts).count(1), 2, 0, 2), noisy(list(counts).count(2), 2, 0, 1)]
    ),
    "privhist-true-total": true_total,
}
