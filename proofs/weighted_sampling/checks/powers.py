"""Checks of weighted-sampling, Appendix A: the sum of powers that sympy calculates, taken again exactly."""

from collections.abc import Iterator
from fractions import Fraction

from dpcert.proofs.check import check
from dpcert.proofs.sample_and_threshold.checks.derivative import grid


@check("power-sum-by-sympy")
def power_sum_by_sympy() -> Iterator[str]:
    """sympy's sum of E^0, ..., E^(n-1) is 0 for n = 0 and grows by E^n from n to n + 1, as a rational function."""
    from dpcert.proofs.adapters.sympy import geometric_sum

    found = geometric_sum()
    for E, G in grid(2 * found.degree + 2):
        if found.at(E, Fraction(1)) != 0 or found.at(E, E * G) - found.at(E, G) != G:
            yield f"E = {E}, E^n = {G}"
