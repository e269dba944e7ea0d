"""Mechanisms of diffprivlib that compute with floats, unmodified: a logarithm of a draw, a table of probabilities.

`GeometricTruncated` inverts a distribution function with `numpy.log`. What it makes of each of the 2^53 draws is
followed (docs/reference/float-code.md): its probabilities are multiples of 2^-53 and not quite those on paper.
`Exponential` compares its draw with the sums of its probabilities.
"""

from importlib import import_module

import dpcert

dpcert.needs_extra("diffprivlib")
mechanisms = import_module("diffprivlib.mechanisms")


@dpcert.target(guarantee=dpcert.PureDP("1"), inputs=range(4), neighbours="counts_differ_by_one", expect="refuted")
def geometric(count: int, coins: dpcert.Coins) -> int:
    """Release a count with geometric noise, clamped."""
    mechanism = mechanisms.GeometricTruncated(epsilon=1.0, lower=0, upper=3, random_state=coins)
    result: int = mechanism.randomise(count)
    return result


@dpcert.target(guarantee=dpcert.ApproxDP("1", "1e-15"), inputs=range(4), neighbours="counts_differ_by_one")
def geometric_approximate(count: int, coins: dpcert.Coins) -> int:
    """Release the same, with room for rounding."""
    mechanism = mechanisms.GeometricTruncated(epsilon=1.0, lower=0, upper=3, random_state=coins)
    result: int = mechanism.randomise(count)
    return result


@dpcert.target(guarantee=dpcert.PureDP("1"), inputs=[[0, 0], [0, 1]], neighbours="any")
def exponential(scores: list[int], coins: dpcert.Coins) -> str:
    """Release the name of a high score."""
    mechanism = mechanisms.Exponential(
        epsilon=1.0, sensitivity=1, utility=scores, candidates=["first", "second"], random_state=coins
    )
    result: str = mechanism.randomise()
    return result
