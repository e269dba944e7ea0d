"""The sampling audit's trees, where scikit-learn is installed: `pip install 'dpcert[sampling]'`."""

from typing import Any

import numpy as np

from dpcert.audit.kernel.claim import Claim, PureDP
from dpcert.audit.relations import relation
from dpcert.audit.sampling.decide import sample_claim
from dpcert.audit.sampling.hunt import Search
from dpcert.audit.sampling.sampler import Batched
from dpcert.audit.sampling.search import boosted_score, can_boost


def crossed(bit: int, n: int, rng: np.random.Generator) -> Any:
    """Return ten floats; how often the first and the fifth have the same sign is what the input says."""
    found = rng.normal(size=(n, 10))
    same = rng.random(n) < 0.2 + 0.6 * bit
    found[:, 5] = np.where(same, 1, -1) * np.sign(found[:, 0]) * np.abs(found[:, 5])
    return found


def test_trees_score_a_row_by_itself_alone() -> None:
    assert can_boost()
    rng = np.random.default_rng(1)
    a, b = crossed(1, 5000, rng), crossed(0, 5000, rng)
    score = boosted_score(a, b)
    whole = score.of(a, {})
    assert (score.of(a[::-1], {}) == whole[::-1]).all()
    assert (score.of(a[7:8], {}) == whole[7:8]).all()


def test_trees_find_entries_that_betray_the_input_together() -> None:
    """Of each entry by itself the law is the same: naive Bayes sees little, trees refute."""
    claim = Claim("crossed", (), (0, 1), relation("any"), PureDP("1"))
    reports = [
        sample_claim(
            claim,
            Batched(crossed, claim.inputs, seed=2),
            seed=2,
            most_runs=200_000,
            search=Search(learned=learned, bits=False),
        )
        for learned in (True, False)
    ]
    assert [report.refuted for report in reports] == [True, False]
    assert "trees" in reports[0].worst.event.words()


def test_a_mechanism_that_ignores_its_input_is_not_refuted() -> None:
    """alpha = 1e-3 for each of five runs, the seeds fixed."""
    claim = Claim("ignorant", (), (0, 1), relation("any"), PureDP("0"))
    for seed in range(5):
        source = Batched(lambda bit, n, rng: rng.normal(size=(n, 6)), claim.inputs, seed=seed)
        assert not sample_claim(claim, source, seed=seed, most_runs=40_000).refuted
