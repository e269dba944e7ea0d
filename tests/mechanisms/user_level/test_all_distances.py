"""The distances of all thresholds in one pass over the users: equal to those of each threshold by itself."""

from itertools import product

import pytest

from dpcert.mechanisms.user_level.private_threshold import all_distances, distance
from dpcert.mechanisms.user_level.user_weights import UserWeights


@pytest.mark.parametrize("norm", ["l1", "l2"])
@pytest.mark.parametrize("noise", [0, 3, 50])
def test_exact_twin_of_one_pass_by_each_threshold(norm: str, noise: int) -> None:
    users = [*product(range(5), repeat=2), (9, 12), (40, 0)]
    weights = UserWeights(norm, 2, 3)
    for greatest in (1, 3, 15, 60):
        found = all_distances(users, greatest, weights=weights, noise=noise)
        assert found == [distance(users, c, weights=weights, noise=noise) for c in range(1, greatest + 1)]
