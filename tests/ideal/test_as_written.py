"""Programs as strangers write them: how they come by a generator, and what they do with noisy numbers and arrays."""

import random
import re

import numpy as np
import pytest

from dpcert import Epsilon, PureDP, Unauditable, target
from dpcert.api import audit
from dpcert.audit.ideal.explore import laws_of

from .claims import decided

COUNTS = range(3)


def by_annotation(count, noise: random.Random):
    return count + noise.expovariate(1) - noise.expovariate(1) > 1


def by_state(count, noise: np.random.RandomState):
    return bool(count + noise.laplace() > 1)


def by_another_name(count, generator):
    return bool(count + generator.laplace() > 1)


def by_its_own(count):
    return bool(count + np.random.default_rng().laplace() > 1)


def by_the_module(count):
    return bool(count + np.random.laplace() > 1)


def by_pythons_module(count):
    return count + random.expovariate(1) - random.expovariate(1) > 1


@pytest.mark.parametrize(
    "program", [by_annotation, by_state, by_another_name, by_its_own, by_the_module, by_pythons_module]
)
def test_a_generator_comes_in_many_ways(program):
    made = target(guarantee=PureDP(1), inputs=COUNTS, neighbours="counts_differ_by_one")(program)
    found = audit(made, method="ideal").seen
    assert (found.verdict, found.epsilon) == ("verified", (Epsilon.of(1), Epsilon.of(1)))


class Counter:
    """A mechanism that holds its generator, and counts its releases."""

    def __init__(self, rng):
        self.rng = rng
        self.releases = 0

    def above(self, count):
        self.releases += 1
        return bool(count + self.rng.laplace() > 1)

    def with_less_noise(self, count):
        return bool(count + self.rng.laplace(scale=0.5) > 1)

    def __call__(self, count):
        return self.above(count)


class Wrapper:
    def __init__(self, inner):
        self.inner = inner

    def above(self, count):
        return self.inner.above(count)


IN_THE_MODULE = Counter(np.random.default_rng())


@pytest.mark.parametrize(
    "program",
    [
        Counter(np.random.default_rng()).above,
        Counter(np.random.RandomState()).above,
        Counter(np.random.default_rng()),
        Wrapper(Counter(np.random.default_rng())).above,
        lambda count: IN_THE_MODULE.above(count),
    ],
)
def test_an_instance_holds_its_generator(program):
    held = IN_THE_MODULE.rng
    made = target(guarantee=PureDP(1), inputs=COUNTS, neighbours="counts_differ_by_one")(program)
    found = audit(made, method="ideal").seen
    assert (found.verdict, found.epsilon) == ("verified", (Epsilon.of(1), Epsilon.of(1)))
    assert len(found.held) == 1
    assert found.held[0].startswith("rng of the instance")
    assert IN_THE_MODULE.rng is held


def test_caught_an_instance_with_less_noise():
    program = Counter(np.random.default_rng()).with_less_noise
    made = target(guarantee=PureDP(1), inputs=COUNTS, neighbours="counts_differ_by_one")(program)
    found = audit(made, method="ideal").seen
    assert (found.verdict, found.epsilon[0]) == ("refuted", Epsilon.of(2))


class Spent(Counter):
    def above(self, count):
        self.releases += 1
        return bool(count + self.rng.laplace() > 1) if self.releases < 4 else None


def test_caught_an_instance_whose_runs_differ():
    program = Spent(np.random.default_rng()).above
    made = target(guarantee=PureDP(1), inputs=COUNTS, neighbours="counts_differ_by_one")(program)
    found = audit(made, method="ideal")
    assert found.verdict == "undecided"
    assert re.search(r"a path differs|other decisions|on floats in the same place", str(found.reason))


def test_a_generator_that_is_handed_over_is_not_held():
    made = target(guarantee=PureDP(1), inputs=COUNTS, neighbours="counts_differ_by_one")(by_annotation)
    assert audit(made, method="ideal").seen.held == ()


def filled(counts, rng):
    noisy = np.zeros(len(counts))
    for i, count in enumerate(counts):
        noisy[i] = count + rng.laplace(scale=2)
    return int(np.argmax(noisy))


def listed(counts, rng):
    return int(np.argmax(np.array([count + rng.laplace(scale=2) for count in counts], dtype=float)))


@pytest.mark.parametrize("program", [filled, listed])
def test_arrays_of_floats_take_noisy_numbers(program):
    found = decided(program, [(0, 0), (0, 1), (1, 0), (1, 1)], 1)
    assert found.verdict == "verified"
    assert found.epsilon[0].exp_bounds(64)[0] > 1


@pytest.mark.parametrize(
    "program",
    [
        lambda count, rng: round(count + rng.laplace()),
        lambda count, rng: int(np.round(count + rng.laplace())),
        lambda count, rng: np.round(count + rng.laplace()).astype(int),
        lambda count, rng: np.round(np.array([count]) + rng.laplace(size=1)).astype(int),
        lambda count, rng: np.clip(np.rint(count + rng.laplace()), 0, 5),
        lambda count, rng: np.clip(np.rint(np.array([count]) + rng.laplace(size=1)), 0, 5).astype(int).tolist(),
        lambda count, rng: (count + rng.laplace(size=1)).astype(int)[0],
    ],
)
def test_rounding_as_of_numpys_numbers(program):
    found = decided(program, COUNTS, 1, neighbours="counts_differ_by_one")
    assert (found.verdict, found.epsilon[1]) == ("verified", Epsilon.of(1))
    assert decided(program, COUNTS, "1/2", neighbours="counts_differ_by_one").verdict == "refuted"


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (lambda x, rng: np.argsort(np.array([0, 9]) + 0 * rng.laplace(size=2)).tolist(), [[0, 1]]),
        (lambda x, rng: np.argsort(np.array([0, 9]) + 0 * rng.laplace(size=2)), [np.array([0, 1])]),
        (lambda x, rng: bool((rng.laplace(size=2) > 0).dtype == bool), [True] * 4),
        (lambda x, rng: np.zeros(2, dtype=int).dtype == np.int64, [True]),
        (lambda x, rng: rng.laplace(size=1).astype(bool).tolist(), [[True]]),
        (lambda x, rng: (np.array([2.7]) + 0 * rng.laplace(size=1)).astype(int).tolist(), [[2]]),
    ],
)
def test_arrays_are_as_numpys(program, expected):
    found = [path.outcome for path in laws_of(program, [0])[0]]
    assert len(found) == len(expected)
    assert all(np.array_equal(a, b) for a, b in zip(found, expected, strict=True))


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (lambda x, rng: rng.laplace(size=1).astype(np.int8), "a noisy number as one of numpy's type 'b'"),
        (lambda x, rng: rng.laplace(size=1).astype(str), "hand it plain values"),
        (lambda x, rng: rng.no_such_noise(), "no attribute"),
    ],
)
def test_caught_what_arrays_do_not_follow(program, words):
    try:
        (path,) = laws_of(program, [0])[0]
    except Unauditable as error:
        found = str(error)
    else:
        found = str(path.outcome)
    assert words in found


def test_caught_a_program_that_sees_what_its_arrays_hold():
    """In an array of objects this would add noise, and in numpy's own it adds none."""

    def program(count, rng):
        noisy = np.zeros(1)
        noise = rng.laplace()
        noisy[0] = noise if noisy.dtype == object else 0 * noise
        return bool(count + noisy[0] > 1)

    with pytest.raises(Unauditable, match="a comparison of a dtype is not followed"):
        laws_of(program, [0])
