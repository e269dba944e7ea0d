"""Frequency lists and distributions for the experiments of anonymized-histograms, each from a seed of its own."""

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from wordfreq import get_frequency_dict

from dpcert.mechanisms.anonymized_histograms.postprocess import Prevalences

__all__ = ["DISTRIBUTIONS", "LISTS", "Array", "of_counts", "sampled", "sorted_counts"]

SEED, LABELS = 2019, 10**6
PASSWORD_SCALE, PASSWORD_POWER = 0.037, 0.187
Array = np.ndarray[Any, np.dtype[Any]]


def _zipf(n: int, rng: np.random.Generator) -> Array:
    """n draws from a million labels, the r-th in proportion to 1/r."""
    mass = 1 / np.arange(1, LABELS + 1)
    return rng.multinomial(n, mass / mass.sum())


def _passwords(n: int, rng: np.random.Generator) -> Array:
    """n draws from a law on ranks with Pr[rank <= r] = 0.037 r^0.187, up to rank 45 million."""
    ranks = np.ceil((rng.random(n) / PASSWORD_SCALE) ** (1 / PASSWORD_POWER)).astype(np.int64)
    return np.unique(ranks, return_counts=True)[1]


def _words(n: int, rng: np.random.Generator) -> Array:
    """n draws from the English large list of `wordfreq`, by its frequencies."""
    mass = np.array(list(get_frequency_dict("en", wordlist="large").values()))
    return rng.multinomial(n, mass / mass.sum())


LISTS: Mapping[str, Callable[[int, np.random.Generator], Array]] = MappingProxyType(
    {"Zipf": _zipf, "Passwords": _passwords, "Words": _words}
)


def _mass(values: Array) -> Array:
    return values / values.sum()


DISTRIBUTIONS: Mapping[str, Array] = MappingProxyType(
    {
        "uniform": _mass(np.ones(1000)),
        "two halves": _mass(np.repeat([3.0, 1.0], 500)),
        "Zipf": _mass(1 / np.arange(1, 1001)),
    }
)
"""Distributions on 1,000 labels: even; one half of the labels thrice as likely as the other; the r-th as 1/r."""


def of_counts(counts: Array) -> Prevalences:
    """Return the histogram of counts in the compact format."""
    rows = np.unique(counts[counts > 0], return_counts=True)
    return tuple((int(r), int(many)) for r, many in zip(*rows, strict=True))


def sampled(name: str, n: int) -> Prevalences:
    """Return the list of that name with n items."""
    rng = np.random.default_rng([SEED, sorted(LISTS).index(name), round(100 * math.log10(n))])
    return of_counts(LISTS[name](n, rng))


def sorted_counts(histogram: Prevalences) -> Array:
    """Return the counts of a histogram, largest first."""
    rows = np.array(histogram[::-1], dtype=np.int64).reshape(-1, 2)
    return np.repeat(rows[:, 0], rows[:, 1])
