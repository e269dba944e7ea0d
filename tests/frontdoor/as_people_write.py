"""Eight mechanisms with discrete noise, or one float of it, in the forms in which people write them."""

import random
import secrets
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

import dpcert

COUNTS = [[1, 2, 0, 3], [2, 3, 1, 4], [1, 3, 1, 3]]
WORDS = [[], ["a"], ["a", "a"], ["a", "a", "b"], ["a", "b"]]


def geometric(rng: random.Random) -> int:
    k = 0
    while rng.random() < 0.5:
        k += 1
    return k


@dpcert.target(guarantee=dpcert.PureDP("1/2"), inputs=[[0, 0], [0, 1]], neighbours="substitute", expect="refuted")
def noisy_sum(data: list[int], rng: np.random.Generator) -> float:
    return float(np.sum(data) + rng.laplace(0, 2.0))


@dpcert.target(guarantee=dpcert.PureDP("ln(3)"), inputs=["yes", "no"], neighbours="any")
def two_coins(answer: str) -> str:
    return answer if secrets.randbelow(2) else secrets.choice(["yes", "no"])


class GeometricMechanism:
    def __init__(self, alpha: float) -> None:
        self.alpha = alpha
        self._rng = random.Random()

    def _geometric(self) -> int:
        n = 0
        while self._rng.random() < self.alpha:
            n += 1
        return n

    def release(self, count: int) -> int:
        return count + self._geometric() - self._geometric()


release = dpcert.target(guarantee=dpcert.PureDP("ln(2)"), inputs=range(4), neighbours="counts_differ_by_one")(
    GeometricMechanism(0.5).release
)


@dataclass
class NoisyCounter:
    alpha: float
    rng: random.Random = field(default_factory=lambda: random.Random())

    def release(self, count: int) -> int:
        while self.rng.random() < self.alpha:
            count += 1
        while self.rng.random() < self.alpha:
            count -= 1
        return count


@dpcert.target(guarantee=dpcert.PureDP("ln(2)"), inputs=range(3), neighbours="counts_differ_by_one")
def counted(count: int) -> int:
    return NoisyCounter(alpha=0.5).release(count)


@dpcert.target(guarantee=dpcert.PureDP("ln(4)"), inputs=COUNTS, neighbours="linf")
def noisy_max(counts: list[int], rng: random.Random) -> int:
    noisy = [count + geometric(rng) for count in counts]
    return noisy.index(max(noisy))


@dpcert.target(guarantee=dpcert.PureDP("ln(2)"), inputs=[[0, 0, 1], [1, 1, 0]], neighbours="linf", expect="refuted")
def sparse_vector(queries: list[int], rng: random.Random) -> list[bool]:
    """Add noise to the threshold alone."""
    threshold = 1 + geometric(rng) - geometric(rng)
    return [query >= threshold for query in queries]


@dpcert.target(guarantee=dpcert.ApproxDP("ln(2)", "1/10"), inputs=WORDS, neighbours="add-remove", expect="refuted")
def histogram(words: list[str], rng: random.Random) -> dict[str, int]:
    noisy = {word: count + geometric(rng) - geometric(rng) for word, count in Counter(words).items()}
    return {word: count for word, count in noisy.items() if count > 2}


@dpcert.target(guarantee=dpcert.PureDP("ln(3)"), inputs=range(4), neighbours="any", expect="refuted")
def k_ary_response(value: int, rng: random.Random) -> int:
    if rng.random() < 0.5:
        return value
    others = [v for v in range(4) if v != value]
    return others[rng.randint(0, 1)]
