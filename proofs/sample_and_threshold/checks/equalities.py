"""Two equalities that sample-and-threshold prints where it means bounds: Section 3.3 and Appendix A."""

from collections.abc import Iterator
from fractions import Fraction

from dpcert.proofs.check import check
from dpcert.proofs.sample_and_threshold.checks.sampling import COUNTS, RATES, binomial, exp_minus, off


@check("sample-threshold-omitted-equal")
def omitted_equal() -> Iterator[str]:
    """For W p = w >= tau, at most tau are sampled with probability exp(-(w - tau)^2 / (2 w)), not less."""
    rate = Fraction(1, 2)
    for count in range(1, 61):
        mean, missed = count * rate, binomial(count, rate, 0, 1)
        if mean >= 1 and missed < exp_minus((mean - 1) ** 2 / (2 * mean))[0]:
            yield f"W = {count}, p = 1/2, tau = 1: the probability is {missed}, and the bound is greater"


@check("sample-threshold-relative-error-equal")
def relative_error_equal() -> Iterator[str]:
    """It is 2 exp(-gamma^2 mu / 3), not less."""
    gamma = Fraction(1, 2)
    return (
        f"p = {rate}, gamma = {gamma}, {count} people: {off(count, rate, gamma)} is less than that"
        for count in COUNTS
        for rate in RATES[3:]
        if off(count, rate, gamma) < 2 * exp_minus(gamma * gamma * count * rate / 3)[0]
    )
