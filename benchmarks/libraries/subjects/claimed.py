"""The laws that samplers claim, as `Dist`: discrete Laplace and Gaussian, within 10^-25 in total variation.

Probabilities are irrational. Each is a certified lower bound, rounded down to a multiple of 2^-100; the mass that is
left, of rounding and of outcomes beyond those listed, goes to 0.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import dpcert
from dpcert.mechanisms.adapters.balls import enclose

UNIT = 1 << 100
NEAR = Fraction(1, 10**20)
"""The distance of a sampler from its law that is allowed for: what floats do is far above, tails and rounding below."""


def discrete_laplace(scale: Fraction) -> dpcert.Dist:
    """Return the law in proportion to e^(-|k| / scale)."""
    return _rounded(lambda k: k / scale, int(80 * scale) + 1)


def discrete_gaussian(variance: Fraction) -> dpcert.Dist:
    """Return the law in proportion to e^(-k^2 / (2 variance))."""
    last = 1
    while last * last < 160 * variance:
        last += 1
    return _rounded(lambda k: k * k / (2 * variance), last)


def _rounded(exponent: Callable[[Fraction], Fraction], last: int) -> dpcert.Dist:
    """Return the law in proportion to e^-exponent(|k|). Beyond `last` its mass is below 10^-30: exponents there are 80
    or more, and grow by 1/scale or more from one k to the next.
    """

    def share(k: int) -> int:
        def formula(*exponents: Any) -> Any:
            terms = [(-x).exp() for x in exponents]
            return terms[k] / (2 * sum(terms[1:], 0 * terms[0]) + terms[0])

        return int(enclose(formula, *exponents, bits=200)[0] * UNIT)

    exponents = [exponent(Fraction(k)) for k in range(last + 1)]
    found = {sign * k: Fraction(share(k), UNIT) for k in range(1, last + 1) for sign in (1, -1)}
    return dpcert.Dist.of({0: 1 - sum(found.values()), **found})
