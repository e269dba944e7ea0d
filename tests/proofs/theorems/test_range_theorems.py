"""The theorems on several histograms hold of the laws of mechanisms: their deltas add up, their cells are samples."""

from fractions import Fraction

import pytest

from dpcert.audit.kernel.divergence import hockey_stick
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.sample_and_threshold.hierarchical import prefix_weight, probes
from dpcert.mechanisms.sample_and_threshold.sample_threshold import sample_threshold_law
from dpcert.mechanisms.sample_and_threshold.trie import trie_law

HALF = Fraction(1, 2)


@pytest.mark.parametrize("ratio", [Fraction(1), Fraction(3, 2), Fraction(2)])
def test_many_releases_need_what_the_steps_add_up_to(ratio: Fraction) -> None:
    p, q = Dist.from_weights([(0, 5), (1, 2), (2, 1)], 8), Dist.from_weights([(0, 2), (1, 5), (3, 1)], 8)
    delta = hockey_stick(p, q, ratio)
    first, second, before = p, q, delta
    for releases in range(2, 5):
        first, second = first.product(p), second.product(q)
        found = hockey_stick(first, second, ratio**releases)
        assert found <= before + delta
        assert found <= releases * delta
        before = found


@pytest.mark.parametrize("rate", [Fraction(1, 4), HALF])
def test_ranges_are_sums_of_sampled_cells(rate: Fraction) -> None:
    """With tau = 1 everybody sampled is shown: the mean square of a range is that of its people, one after another."""
    law = trie_law(rate=rate, threshold=1, branching=2, levels=2, ancestors=False)
    for people in ([0, 1, 1, 3], [0] * 4, [0, 0, 2, 2]):
        for end in range(5):
            k = sum(x < end for x in people)
            weights = [(prefix_weight(grown, end, branching=2) - k * rate, q) for grown, q in law(people).items()]
            assert sum(q * off**2 for off, q in weights) == k * rate * (1 - rate)
            assert len(list(probes(end, branching=2, levels=2))) <= 2 or end == 4
    for threshold in (1, 2, 3):
        whole = sample_threshold_law(rate=rate, threshold=1)(5)
        cut = sample_threshold_law(rate=rate, threshold=threshold)(5)
        assert whole.map(lambda count, least=threshold: count if count >= least else 0) == cut
