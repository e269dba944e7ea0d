"""Exact twins: the benchmark's samplers, many runs at once, against the plain programs, run by run."""

import numpy as np
import pytest
from literature.registry import BENCHMARK, linf_pairs
from literature.samplers import bloom

from dpcert.audit.sampling.patterns import vector_patterns


@pytest.mark.points(6)
@pytest.mark.parametrize("name", BENCHMARK)
def test_a_run_of_many_is_the_plain_program_on_the_same_noise(name: str) -> None:
    mechanism = BENCHMARK[name]
    for number, x in enumerate(value for pair in mechanism.pairs for value in pair):
        for seed in range(20):
            (many,) = mechanism.sample(x, 1, np.random.default_rng([seed, number]))
            one = mechanism.plain(x, np.random.default_rng([seed, number]))
            assert np.array_equal(many, np.asarray(one)), (x, seed)


@pytest.mark.parametrize("name", BENCHMARK)
def test_rows_are_as_many_as_asked_for_and_differ(name: str) -> None:
    mechanism = BENCHMARK[name]
    found = mechanism.sample(mechanism.pairs[0][0], 1000, np.random.default_rng(1))
    assert found.shape[0] == 1000
    assert len(np.unique(found, axis=0)) > 1


def test_there_are_21_and_their_pairs_are_neighbours() -> None:
    assert len(BENCHMARK) == 21
    for mechanism in BENCHMARK.values():
        for a, b in mechanism.pairs:
            changes = [abs(x - y) for x, y in zip(a, b, strict=True)]
            assert max(changes) == 1
            assert mechanism.neighbours == "linf" or sum(changes) == 1


def test_the_pairs_are_among_the_patterns_of_the_sampling_audit() -> None:
    patterns = set(map(tuple, vector_patterns(10)))
    assert {value for pair in linf_pairs(10) for value in pair} <= patterns


def test_bloom_filters_are_those_of_the_hash() -> None:
    assert [{bit for bit, on in enumerate(bloom(value)) if on} for value in range(3)] == [
        {0, 11, 18},
        {3, 10, 13},
        {7, 10, 11, 19},
    ]
