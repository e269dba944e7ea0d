"""Eight mechanisms as one writes them with `random` and numpy, audited as they stand.

None of them takes coins. Those with discrete noise, or with a single float of noise, get an exact verdict; of the one
that compares noisy floats with each other the audit says what it cannot read, at which line, and samples it.
"""

import random
from collections import Counter

import numpy as np

import dpcert

RECORDS = [[], [1], [1, 2], [1, 2, 2]]
LABELS = [[], ["a"], ["a", "a"]]
WORDS = ["apple", "banana", "cherry"]


@dpcert.target(guarantee=dpcert.PureDP(1), inputs=RECORDS, neighbours="add-remove", expect="refuted")
def laplace_count(records: list[int], rng: np.random.Generator, epsilon: float = 1.0) -> float:
    """Release a count with Laplace noise in floats: some floats are reached from one count alone (Mironov, 2012)."""
    return len(records) + rng.laplace(0, 1 / epsilon)


@dpcert.target(guarantee=dpcert.PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
def randomized_response(bit: int, rng: random.Random) -> int:
    """Keep a bit with probability 3/4."""
    if rng.random() < 0.75:
        return bit
    return 1 - bit


class CountRelease:
    """A mechanism that holds its budget and its generator."""

    def __init__(self, epsilon: float) -> None:
        self.epsilon = epsilon
        self.rng = np.random.default_rng()

    def release(self, records: list[int]) -> int:
        """Release a count with Laplace noise, rounded."""
        return round(len(records) + self.rng.laplace(scale=1 / self.epsilon))


rounded_count = dpcert.target(guarantee=dpcert.ApproxDP(1, "1e-12"), inputs=RECORDS, neighbours="add-remove")(
    CountRelease(1.0).release
)


@dpcert.target(guarantee=dpcert.PureDP(1), inputs=[[0, 1, 2], [1, 1, 2], [1, 2, 3]], neighbours="linf")
def exponential(scores: list[int], rng: random.Random) -> str:
    """Choose a word by the exponential mechanism."""
    weights = [np.exp(score / 2) for score in scores]
    return rng.choices(WORDS, weights=weights)[0]


@dpcert.target(
    guarantee=dpcert.PureDP(1),
    inputs=[[0, 0, 0, 0], [1, 1, 1, 1], [0, 1, 1, 0]],
    neighbours="linf",
    expect="undecided",
)
def noisy_max(counts: list[int], rng: np.random.Generator) -> int:
    """Report the greatest of four noisy counts: four undecided floats meet, so this is sampled."""
    noisy = np.array(counts) + rng.laplace(scale=2.0, size=4)
    return int(np.argmax(noisy))


@dpcert.target(
    guarantee=dpcert.PureDP(1), inputs=[[0, 0, 0], [1, 1, 1], [0, 1, 0]], neighbours="linf", expect="refuted"
)
def sparse_vector(answers: list[int], threshold: float = 1.0) -> list[bool]:
    """Report which answers reach a noisy threshold, and forget the noise on the answers."""
    rng = np.random.default_rng()
    threshold += rng.laplace(scale=2.0)
    return [bool(answer >= threshold) for answer in answers]


@dpcert.target(guarantee=dpcert.ApproxDP(1, "1e-3"), inputs=LABELS, neighbours="add-remove", expect="refuted")
def histogram(records: list[str], rng: np.random.Generator) -> dict[str, int]:
    """Count labels with noise and keep the counts above 2: a threshold that is too low for its delta."""
    noisy = {label: round(count + rng.laplace(scale=1.0)) for label, count in Counter(records).items()}
    return {label: count for label, count in noisy.items() if count > 2}


@dpcert.target(guarantee=dpcert.PureDP("ln(3)"), inputs=range(4), neighbours="any", expect="refuted")
def k_ary_response(value: int, rng: np.random.Generator) -> int:
    """Keep one of four values with probability 1/2, else release one of the others, but never the last of them."""
    if rng.random() < 0.5:
        return value
    other = int(rng.integers(0, 2))
    return other if other < value else other + 1
