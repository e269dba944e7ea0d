"""The data of the figures of weighted-sampling, and what share of its keys each way of sampling reports."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache

import numpy as np
from weighted_sampling_formulas import (
    Array,
    reporting,
)
from wordfreq import get_frequency_dict

from dpcert.mechanisms.weighted_sampling.gains import zipf_frequencies

KEYS, TOKENS = 10**5, 10**7

Frequencies = tuple[Array, Array]
"""Frequencies, in order, and how many keys have each."""


@cache
def zipf(alpha: Fraction) -> Frequencies:
    """Return the Zipf data of the authors' code: key r of KEYS has frequency floor((KEYS / r)^alpha)."""
    most = min(int(KEYS**alpha) + 1, 10**6)
    counts = np.array(zipf_frequencies(keys=KEYS, alpha=alpha, most=min(most, 20_000)))
    (places,) = np.nonzero(counts)
    return (places + 1).astype(float), counts[places].astype(float)


@cache
def words() -> Frequencies:
    """Return English words by their share of a text of TOKENS words, rounded down, those that occur."""
    shares = np.array(list(get_frequency_dict("en", wordlist="large").values()))
    found, counts = np.unique(np.floor(shares * TOKENS + 1e-9), return_counts=True)
    return found[found > 0], counts[found > 0].astype(float)


DATA: dict[str, Callable[[], Frequencies]] = {
    "Zipf 1/2": lambda: zipf(Fraction(1, 2)),
    "Zipf 1": lambda: zipf(Fraction(1)),
    "Zipf 2": lambda: zipf(Fraction(2)),
    "English words": words,
}


def share(name: str, of: Callable[[Array], Array]) -> float:
    """Return the expected share of a data set's keys that are reported; `of` is given their frequencies."""
    frequencies, counts = DATA[name]()
    return float((of(frequencies) * counts).sum() / counts.sum())


def reported(rates: Callable[[Array], Array], epsilon: float, delta: float) -> Callable[[Array], Array]:
    """Return PWS's reporting probabilities as a function of frequencies."""

    def of(frequencies: Array) -> Array:
        top = int(min(frequencies.max(), 20_000))
        pi = reporting(rates(np.arange(top + 1.0)), epsilon, delta)
        return np.where(frequencies > top, rates(frequencies), pi[np.minimum(frequencies, top).astype(int)])

    return of


def every(frequencies: Array) -> Array:
    """Return 1 for every frequency above 0."""
    return (frequencies > 0).astype(float)


def ppswor(tau: float) -> Callable[[Array], Array]:
    """Return the rates of ppswor sampling."""
    return lambda frequencies: -np.expm1(-tau * frequencies)
