"""What the theorem on debiasing says of psi_C holds of the mechanism's, by certified bounds, and so does its error."""

from fractions import Fraction
from itertools import combinations, combinations_with_replacement

import pytest

from dpcert.mechanisms.user_level.debiasing import clipped_mean, clipped_slope, debiased, poisson_mass

RATES = [Fraction(place, 2) for place in range(8)]


@pytest.mark.parametrize("clip", [1, 2, 4])
def test_the_bounds_are_those_of_whole_laws(clip: int) -> None:
    """The slope is at least kappa, Taylor's bounds hold at the mean rate, and means beyond the ends are put back."""
    top = RATES[-1]
    kappa = clipped_slope(top, clip)[0]
    psi = {rate: clipped_mean(rate, clip) for rate in RATES}
    for a, b in combinations(RATES, 2):
        assert kappa * (b - a) <= psi[b][1] - psi[a][0]
    most = max(poisson_mass(min(top, Fraction(max(clip - 1, 0))), clip - 1)[1], poisson_mass(top, clip - 1)[1])
    for rates in combinations_with_replacement(RATES, 2):
        x = sum(rates) / 2
        (low, high), slope = clipped_mean(x, clip), clipped_slope(x, clip)
        for rate in rates:
            step = rate - x
            assert psi[rate][0] <= high + max(slope[0] * step, slope[1] * step)
            assert psi[rate][1] >= low + min(slope[0] * step, slope[1] * step) - most * step**2 / 2
    for total in range(-3, 4 * clip + 4):
        mean = min(max(Fraction(total, 2), Fraction(0)), psi[top][0])
        found = debiased(total, users=2, clip=clip, cap=top)
        if mean in (0, psi[top][0]):
            assert found[0] <= (0 if mean == 0 else top) <= found[1]
