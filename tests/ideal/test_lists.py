"""Releases of lists of several lengths: counts, clipped sums, means and histograms, aligned pair by pair."""

import math
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from dpcert.audit.ideal.every_report import decide_every
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.mechanisms.exact.epsilon import Epsilon

from .claims import decided

LISTS = [[], [1], [1, 2], [1, 2, 2], [2], [2, 2]]


def counted(records, rng, scale=1):
    return len(records) + rng.laplace(scale=scale)


def clipped(records, rng, most=1):
    return float(np.clip(np.array(records, dtype=float), 0, most).sum()) + rng.laplace()


def mean(records, rng, n=4):
    return sum(min(x, 1) for x in records) / n + rng.laplace(scale=Fraction(1, n))


def mean_of_own_number(records, rng):
    return sum(min(x, 1) for x in records) / max(len(records), 1) + rng.laplace(scale=Fraction(1, 4))


def histogram(records, rng):
    return {label: records.count(label) + rng.laplace() for label in (1, 2)}


def bins(records, rng, scale=1):
    return np.histogram(records, bins=[0, 1.5, 3])[0] + rng.laplace(scale=scale, size=2)


def rounded_and_clamped(records, rng):
    return max(0, round(len(records) + rng.laplace()))


@pytest.mark.parametrize(
    "program", [counted, clipped, mean, histogram, bins, rounded_and_clamped, partial(counted, scale=Fraction(3, 2))]
)
def test_releases_of_lists_of_several_lengths(program):
    found = decided(program, LISTS, 1, neighbours="add-remove")
    assert (found.verdict, found.method) == ("verified", "pairs")


@pytest.mark.parametrize(
    ("program", "least"),
    [
        (partial(counted, scale=Fraction(1, 2)), 2),
        (partial(clipped, most=2), 2),
        (mean_of_own_number, None),
        (lambda records, rng: {label: records.count(label) + rng.laplace() for label in sorted(set(records))}, None),
        (partial(bins, scale=Fraction(1, 3)), 3),
        (lambda records, rng: [1 + rng.laplace() for _ in records], None),
        (lambda records, rng: len(records) + rng.laplace(scale=1 + len(records)), None),
    ],
)
def test_caught_releases_of_lists_that_need_more(program, least):
    found = decided(program, LISTS, 1, neighbours="add-remove")
    assert found.verdict == "refuted"
    assert least is None or found.epsilon == (Epsilon.of(least), Epsilon.of(least))


def labels_above(most):
    """Return the stability histogram: noisy counts of the labels that occur, where they are above a threshold."""

    def program(records, rng):
        noisy = {label: records.count(label) + rng.laplace() for label in sorted(set(records))}
        return {label: count for label, count in noisy.items() if count > most}

    return program


def test_a_histogram_of_several_counts_at_a_delta_needs_what_its_threshold_misses():
    """A label of one record passes the threshold 4 with probability e^(-3) / 2, which is the least delta."""
    found = decided(labels_above(4), LISTS, 1, "1/40", neighbours="add-remove")
    assert (found.verdict, found.method) == ("verified", "pairs")
    assert math.isclose(found.delta[1], math.exp(-3) / 2)
    assert math.isclose(found.delta[0], found.delta[1])
    assert found.epsilon[1] == Epsilon.of(1)


@pytest.mark.parametrize(("epsilon", "delta"), [(1, "248/10000"), ("1/2", "1/40"), (1, 0)])
def test_caught_a_histogram_of_several_counts_at_a_smaller_delta_or_epsilon(epsilon, delta):
    found = decided(labels_above(4), LISTS, epsilon, delta, neighbours="add-remove")
    assert found.verdict == "refuted"


def test_a_list_of_several_lengths_for_every_epsilon():
    def program(records, rng, epsilon):
        return len(records) + rng.laplace(scale=1 / epsilon)

    neighbours = RELATIONS["add-remove"]
    assert decide_every(program, LISTS, neighbours).verdict == "verified"
    assert decide_every(program, LISTS, neighbours, factor=Fraction(1, 2)).verdict != "verified"
