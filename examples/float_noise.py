"""Noise in floating point, audited as it runs: what its law is exactly, and what Laplace noise in floats reveals.

The draws are k / 2^53, as CPython's and numpy's are, and what logarithms make of them is followed
(docs/reference/float-code.md). A geometric sampler by inverse transform is verified at a delta that is positive and
tiny, and at no epsilon with delta = 0, as its support is bounded. The Laplace mechanism is refuted by a single float,
which one count leads to and its neighbour never does. Rounding to a grid before the release (snapping) leaves a law
with few outcomes.
"""

import math

import numpy as np

import dpcert

COUNTS = range(3)
ALPHA = 0.5


def two_sided(coins: dpcert.Coins) -> int:
    """Return noise of which each value is meant to have probability (1 - a) / (1 + a) a^|z|, for a = ALPHA."""
    u = (coins.random() - 0.5) * (1.0 + ALPHA)
    sign = -1 if u < 0 else 1
    if u == 0:
        return 0
    return sign * math.floor(math.log(sign * u) / math.log(ALPHA))


@dpcert.target(guarantee=dpcert.PureDP("ln(2)"), inputs=COUNTS, neighbours="counts_differ_by_one", expect="refuted")
def geometric(count: int, coins: dpcert.Coins) -> int:
    """Add the noise, and claim what holds on paper: the noise ends at 52, so that the support tells the count."""
    return count + two_sided(coins)


@dpcert.target(guarantee=dpcert.ApproxDP("ln(2)", "1e-14"), inputs=COUNTS, neighbours="counts_differ_by_one")
def geometric_with_delta(count: int, coins: dpcert.Coins) -> int:
    """Add the same noise, and claim what holds."""
    return count + two_sided(coins)


@dpcert.target(guarantee=dpcert.PureDP(1), inputs=COUNTS, neighbours="counts_differ_by_one", expect="refuted")
def laplace(count: int, coins: dpcert.Coins) -> float:
    """Add Laplace noise by inverse transform: about one float in three is reached from one count alone."""
    u = coins.random() - 0.5
    return count - math.copysign(1.0, u) * math.log(1.0 - 2.0 * abs(u))


@dpcert.target(guarantee=dpcert.PureDP(1), inputs=COUNTS, neighbours="counts_differ_by_one", expect="refuted")
@dpcert.redirect()
def numpys_laplace(count: int) -> float:
    """Add numpy's Laplace noise, from its global generator: the module is routed to the coins for the audit."""
    return count + np.random.laplace(scale=1.0)


@dpcert.target(
    guarantee=dpcert.ApproxDP(1, "1e-15"), inputs=COUNTS, neighbours="counts_differ_by_one", expect="refuted"
)
@dpcert.redirect()
def too_little(count: int, rng: np.random.Generator) -> float:
    """Add Laplace noise of half the scale: ranges of outcomes show it, at any small delta."""
    return count + rng.laplace(scale=0.5)


@dpcert.target(guarantee=dpcert.ApproxDP(1, "1e-14"), inputs=COUNTS, neighbours="counts_differ_by_one")
@dpcert.redirect()
def rounded(count: int, rng: np.random.Generator) -> int:
    """Release numpy's Laplace noise rounded to whole numbers: integers have a law that can be listed."""
    return round(count + rng.laplace(scale=1.0))


@dpcert.target(guarantee=dpcert.ApproxDP(1, "1e-14"), inputs=COUNTS, neighbours="counts_differ_by_one")
def snapped(count: int, coins: dpcert.Coins) -> float:
    """Snap the sum to a grid of 1/2 and clamp it to [-16, 16]."""
    sign = 1.0 if coins.below(2) else -1.0
    noisy = count + sign * math.log(1.0 - coins.random())
    return min(max(0.5 * math.floor(noisy / 0.5 + 0.5), -16.0), 16.0)
