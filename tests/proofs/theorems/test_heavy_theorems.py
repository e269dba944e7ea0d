"""The labels that the theorem on KeepHeavy keeps are those that the mechanism releases, with their counts."""

from itertools import product

import pytest

from dpcert.mechanisms.finite_computers.keep_heavy import above, runner_up
from dpcert.proofs.finite_computers.theorems.heavy import occurs, reaches, shown


@pytest.mark.parametrize(("n", "universe"), [(1, 2), (1, 4), (2, 3), (2, 4), (3, 4)])
def test_kept_labels_are_those_that_few_reach(n: int, universe: int) -> None:
    for noisy in product(range(n + 1), repeat=universe):
        released = dict(above(tuple(enumerate(noisy)), runner_up(noisy, n)))
        kept = [int(sum(reaches(other, one) for other in noisy) <= n) for one in noisy]
        assert sorted(released) == [label for label, keep in enumerate(kept) if keep]
        assert sum(kept) <= n
        for label, keep in enumerate(kept):
            assert released.get(label, 0) == shown(keep, noisy[label])
        assert sum(map(occurs, noisy)) == sum(count >= 1 for count in noisy)
