"""Checks of sample-and-threshold, Section 5: its experiments made small, with the standard library and fixed seeds.

The whole experiments are `benchmarks/sampling_experiments.py`. Here every bucket is drawn by itself from the exact
marginal law of its estimate. The measurements are floats; no verdict on privacy rests on them.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from hashlib import sha256
from itertools import pairwise, product
from random import Random

from dpcert.proofs.check import check
from dpcert.proofs.sample_and_threshold.checks.sampling import binomial, exp_minus

ALPHA = Fraction(1, 6)
DELTA = Fraction(1, 10**8)
CLIENTS, THRESHOLD = 10**6, 20
DATA = ("Binomial", "Geometric", "Zipf")
SIZES = (64, 256, 1024, 4096)
EPSILONS = (0.1, 0.3, 1.0)
PLOTTED = tuple(2**j for j in range(6, 15, 2))
TENTHS = tuple(Fraction(j, 10) for j in range(1, 11))
WORDS = 20_000
GRID = 10_000


def bucket(word: str, size: int) -> int:
    """Return the bucket of a word, the same on every machine: the first 8 bytes of its SHA-256, modulo the size."""
    return int.from_bytes(sha256(word.encode()).digest()[:8], "big") % size


@cache
def least_noise(*, clients: int, epsilon: float) -> float:
    """Return, to 40 bits, the least q <= 1/2 at which Bin(clients, q) hides one more, up to (epsilon, DELTA).

    It is 1/2 where none does.
    """
    low, high = 0.0, 0.5
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if _shift_delta(clients, middle, epsilon) <= DELTA else (middle, high)
    return high


def _shift_delta(n: int, q: float, epsilon: float) -> float:
    """Return the delta at epsilon between Bin(n, q) and one more than it, of both orders the greater."""
    mean, reach = n * q, 12 * math.sqrt(n * q) + 60
    low, high = max(0, math.floor(mean - reach)), min(n, math.ceil(mean + reach))
    mass = math.exp(_log_mass(n, q, low))
    masses = [0.0, mass]
    for v in range(low, high):
        mass *= (n - v) / (v + 1) * q / (1 - q)
        masses.append(mass)
    masses.append(0.0)
    ratio = math.exp(epsilon)
    up = sum(max(0.0, b - ratio * a) for a, b in pairwise(masses))
    return max(up, sum(max(0.0, a - ratio * b) for a, b in pairwise(masses)))


def _log_mass(n: int, p: float, v: int) -> float:
    """Return ln Pr[Bin(n, p) = v], for 0 < p < 1."""
    ways = math.lgamma(n + 1) - math.lgamma(v + 1) - math.lgamma(n - v + 1)
    return ways + v * math.log(p) + (n - v) * math.log1p(-p)


@dataclass(frozen=True, slots=True)
class ErrorAndRecall:
    """Mean absolute errors in clients, and recalls of the heaviest tenth, by method."""

    error: Mapping[str, float]
    recall: Mapping[str, float]


@cache
def masses(name: str, size: int) -> tuple[int, ...]:
    """Return the number of clients in each bucket, rounded, if each bucket has its expected share."""
    match name:
        case "Binomial":
            shares = [math.exp(_log_mass(size, 0.5, v)) for v in range(size)]
        case "Geometric":
            shares = [(1 - 1 / math.sqrt(size)) ** v for v in range(size)]
        case _:
            shares = [0.0] * size
            for rank in range(1, WORDS + 1):
                shares[bucket(str(rank), size)] += 1 / rank
    whole = sum(shares)
    return tuple(round(CLIENTS * share / whole) for share in shares)


@cache
def measured(name: str, size: int, epsilon: float) -> ErrorAndRecall:
    """Return the errors and recalls of each method on one sample of the clients; the arguments are the seed."""
    rng = Random(f"{name} {size} {epsilon}")
    rate = float(ALPHA) * -math.expm1(-epsilon)
    truth = masses(name, size)
    sample = [_binomial(rng, count, rate) for count in truth]
    clients = sum(sample)
    mean = CLIENTS * rate
    noise = least_noise(clients=math.floor(mean - 6 * math.sqrt(mean)), epsilon=epsilon)
    found = {
        "threshold": [float(v) if v >= THRESHOLD else 0.0 for v in sample],
        "central": [float(v + _geometric(rng, epsilon) - _geometric(rng, epsilon)) for v in sample],
        "shuffle": [v + _binomial(rng, clients, noise) - clients * noise for v in sample],
        "local": [_local(rng, v, clients, epsilon) for v in sample],
    }
    top = _heaviest(rng, truth)
    return ErrorAndRecall(
        {
            how: math.fsum(abs(v / rate - c) for v, c in zip(values, truth, strict=True)) / size
            for how, values in found.items()
        },
        {how: len(_heaviest(rng, values) & top) / len(top) for how, values in found.items()},
    )


def _binomial(rng: Random, n: int, p: float) -> int:
    """Draw from Bin(n, p), by inversion from the mode outwards."""
    if n == 0:
        return 0
    up = down = min(n, math.floor((n + 1) * p))
    above = below = math.exp(_log_mass(n, p, up))
    left = rng.random() - above
    while left > 0 and (up < n or down > 0):
        above *= (n - up) / (up + 1) * p / (1 - p)
        up += 1
        left -= above
        if left <= 0:
            return up
        if down > 0:
            below *= down / (n - down + 1) * (1 - p) / p
            down -= 1
            left -= below
            if left <= 0:
                return down
    return math.floor((n + 1) * p)


def _geometric(rng: Random, epsilon: float) -> int:
    """Draw a number that is at least k with probability e^(-epsilon k)."""
    return math.floor(-math.log1p(-rng.random()) / epsilon)


def _local(rng: Random, count: int, clients: int, epsilon: float) -> float:
    """Draw Hadamard response's estimate of a count among the clients: how many reports agree with its row."""
    agree = _binomial(rng, count, 1 / (1 + math.exp(-epsilon))) + rng.getrandbits(clients - count).bit_count()
    return (2 * agree - clients) / math.tanh(epsilon / 2)


def _heaviest(rng: Random, values: Sequence[float]) -> set[int]:
    """Return the places of the heaviest tenth, those above 0, ties in a random order."""
    order = sorted(range(len(values)), key=lambda place: (-values[place], rng.random()))
    return {place for place in order[: len(values) // 10] if values[place] > 0}


@check("experiments-popular")
def popular() -> Iterator[str]:
    """The most popular bucket has about 1 % to 5 % from 256 Binomial, 1,024 Geometric buckets on, and not before."""
    for size in PLOTTED:
        middle, first = binomial(size, Fraction(1, 2), size // 2, size // 2), Fraction(1, math.isqrt(size))
        for name, share, least in (("Binomial", middle, 256), ("Geometric", first, 1024)):
            if (1 <= round(100 * share) <= 5) is not (size >= least):
                yield f"B = {size}, {name}: {share}"


@check("experiments-dropped")
def dropped() -> Iterator[str]:
    """At epsilon = 0.2, 1,000 of the million are dropped one time in forty at most, 651 less often than not.

    The rate is rounded down, which drops more, and more of fewer clients.
    """
    rate = Fraction(math.floor(GRID * ALPHA * (1 - exp_minus(Fraction(1, 5))[1])), GRID)
    return (
        f"{count} clients: {float(chance):.6f}"
        for count, most in ((1000, Fraction(1, 40)), (651, Fraction(1, 2)))
        for chance in [binomial(count, rate, 0, THRESHOLD - 1)]
        if chance > most
    )


def _noise_beyond(size: int, epsilon: Fraction) -> tuple[bool, Fraction]:
    """Return whether discrete Laplace noise alone, scaled up by 1/p, is beyond n/B on average, and a lower bound of it.

    With r = e^-epsilon and p <= alpha (1 - r), the mean of |Z|/p is at least 2 r / ((1 - r^2) alpha (1 - r)).
    """
    least, most = ((2 * r) / ((1 - r**2) * ALPHA * (1 - r)) for r in exp_minus(epsilon))
    zero = Fraction(CLIENTS, size)
    if least <= zero < most:
        raise AssertionError(f"not decided at B = {size}, epsilon = {epsilon}")
    return least > zero, least


@check("experiments-zero-printed")
def zero_printed() -> Iterator[str]:
    """To answer 0 everywhere is worse than discrete Laplace noise at every plotted size and epsilon."""
    return (
        f"B = {size}, epsilon = {epsilon}: noise alone errs by more than {math.floor(least)} clients, "
        f"answering 0 by less than {math.floor(Fraction(CLIENTS, size)) + 1}"
        for size in PLOTTED
        for epsilon in TENTHS
        for beyond, least in [_noise_beyond(size, epsilon)]
        if beyond
    )


@check("experiments-zero-corrected")
def zero_corrected() -> Iterator[str]:
    """Noise alone is beyond n/B exactly at B = 2^12, epsilon = 0.1, and at B = 2^14, epsilon <= 0.3."""
    last = {2**12: Fraction(1, 10), 2**14: Fraction(3, 10)}
    return (
        f"B = {size}, epsilon = {epsilon}"
        for size in PLOTTED
        for epsilon in TENTHS
        if _noise_beyond(size, epsilon)[0] is not (epsilon <= last.get(size, 0))
    )


@check("experiments-zero-threshold")
def zero_threshold() -> Iterator[str]:
    """Thresholding errs less than answering 0, by a factor of 3/2 or more."""
    return (
        f"{name}, B = {size}, epsilon = {epsilon}"
        for name, size, epsilon in product(DATA, SIZES, EPSILONS)
        if 1.5 * measured(name, size, epsilon).error["threshold"] > CLIENTS / size
    )


@check("experiments-local")
def local_error() -> Iterator[str]:
    """The local estimate errs ten times as much as each other method, or more."""
    return (
        f"{name}, B = {size}, epsilon = {epsilon}"
        for name, size, epsilon in product(DATA, SIZES, EPSILONS)
        for error in [measured(name, size, epsilon).error]
        if error["local"] < 10 * max(error["shuffle"], error["central"], error["threshold"])
    )


@check("experiments-shuffle")
def shuffle_error() -> Iterator[str]:
    """For small epsilon Bernoulli noise errs more than discrete Laplace and thresholding, and the gap grows with B."""
    for name, epsilon in product(DATA, (0.1, 0.3)):
        errors = [measured(name, size, epsilon).error for size in SIZES]
        if any(error["shuffle"] <= max(error["central"], error["threshold"]) for error in errors):
            yield f"{name}, epsilon = {epsilon}: not more"
        if not _rises(error["shuffle"] - error["threshold"] for error in errors[:: len(errors) - 1]):
            yield f"{name}, epsilon = {epsilon}: the gap does not grow"


@check("experiments-shuffle-or-threshold")
def shuffle_or_threshold() -> Iterator[str]:
    """On one sample thresholding errs less than Bernoulli noise, other than for Zipf data, B = 4,096, epsilon = 1."""
    return (
        f"{name}, B = {size}, epsilon = {epsilon}"
        for name, size, epsilon in product(DATA, SIZES, EPSILONS)
        for error in [measured(name, size, epsilon).error]
        if (error["threshold"] < error["shuffle"]) is ((name, size, epsilon) == ("Zipf", 4096, 1.0))
    )


@check("experiments-laplace")
def laplace_error() -> Iterator[str]:
    """At epsilon = 0.1 thresholding errs less than discrete Laplace, at 1 more on Zipf data in many buckets.

    At 0.1 the quotient of the errors grows with the number of buckets, Zipf data aside.
    """
    for name in DATA:
        errors = [measured(name, size, 0.1).error for size in SIZES]
        times = [error["central"] / error["threshold"] for error in errors]
        if min(times) <= 1 or (name != "Zipf" and not _rises(times)):
            yield f"{name}: {times}"
    for size in (1024, 4096):
        error = measured("Zipf", size, 1.0).error
        if error["threshold"] <= error["central"]:
            yield f"Zipf, B = {size}"


@check("experiments-size")
def size_error() -> Iterator[str]:
    """In sixteen times the buckets thresholding and discrete Laplace err less on each, the local estimate as before.

    As before is to a factor of 5/4.
    """
    for name, epsilon in product(DATA, EPSILONS):
        errors = [measured(name, size, epsilon).error for size in SIZES]
        for how, (few, many) in product(("threshold", "central"), zip(errors, errors[2:], strict=False)):
            if many[how] >= few[how]:
                yield f"{name}, {epsilon}: {how}"
        near = [error["local"] for error in errors]
        if max(near) > 1.25 * min(near):
            yield f"{name}, {epsilon}: local {near}"


@check("experiments-recall")
def recall_small() -> Iterator[str]:
    """In 256 buckets thresholding finds 95 % of the heaviest tenth, 85 % of Zipf data, and as many as Bernoulli noise.

    The local estimate finds a quarter at most at epsilon = 0.1.
    """
    for name, epsilon in product(DATA, EPSILONS):
        recall = measured(name, 256, epsilon).recall
        if recall["threshold"] < max(0.85 if name == "Zipf" else 0.95, recall["shuffle"]):
            yield f"{name}, epsilon = {epsilon}: {recall}"
        if epsilon == 0.1 and recall["local"] > 0.25:
            yield f"{name}, epsilon = {epsilon}: local {recall['local']}"


@check("experiments-recall-large")
def recall_large() -> Iterator[str]:
    """With 4,096 buckets thresholding finds more at a greater epsilon, and no more than discrete Laplace."""
    for name in DATA:
        recalls = [measured(name, 4096, epsilon).recall for epsilon in EPSILONS]
        if not _rises(recall["threshold"] for recall in recalls):
            yield f"{name}: {recalls}"
        if any(recall["threshold"] > recall["central"] for recall in recalls):
            yield f"{name}: more than discrete Laplace"


def _rises(values: Iterable[float]) -> bool:
    return all(a < b for a, b in pairwise(values))


@check("experiments-few-buckets")
def few_buckets_pass() -> Iterator[str]:
    """At epsilon = 1/10, fewer than a tenth of 4096 and of 16384 buckets of Zipf words expect 20 sampled people."""
    rate = Fraction(1, 6) * Fraction(951626, 10**7)  # 1 - e^(-1/10), rounded up
    for size in (4096, 16384):
        passing = sum(count * rate >= THRESHOLD for count in masses("Zipf", size))
        if 10 * passing >= size:
            yield f"{passing} of {size} buckets"
