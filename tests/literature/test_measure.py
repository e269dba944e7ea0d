"""The measuring of the benchmark, on few runs: alpha = 1/10 for each bound, the seeds fixed."""

import pytest
from literature.measure import claim_of, measured
from literature.registry import BENCHMARK


@pytest.mark.parametrize("name", ["ReportNoisyMax1", "SVT6", "RAPPOR"])
def test_the_claim_is_about_the_listed_pairs_in_both_orders(name: str) -> None:
    claim, listed = claim_of(BENCHMARK[name]), BENCHMARK[name].pairs
    found = {(claim.inputs[i], claim.inputs[j]) for i, j in claim.pairs()}
    assert found == {pair for a, b in listed for pair in ((a, b), (b, a))}


@pytest.mark.points(1)
@pytest.mark.parametrize(
    ("name", "least", "truth"), [("NoisyHist2", 4.7, 10.0), ("SVT5", 4.0, 99.0), ("TruncatedGeometric", 0.0, 0.1178)]
)
def test_a_small_measurement_finds_much_and_no_more_than_there_is(name: str, least: float, truth: float) -> None:
    row = measured(name, runs=60_000, seed=3, jobs=2, bits=False)
    assert least < row.epsilon <= truth
    assert row.runs <= 60_000
    assert row.counts[1] + row.counts[3] < row.runs


def test_the_last_bits_of_the_laplace_mechanism_show_more_than_its_numbers() -> None:
    plain, bits = (measured("Laplace", runs=60_000, seed=4, jobs=1, bits=bits).epsilon for bits in (False, True))
    assert plain <= 0.1 < 2 < bits
