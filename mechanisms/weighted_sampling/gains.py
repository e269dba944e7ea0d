"""The expected number of reported keys: frequencies by Zipf's law, and the baseline's reporting probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from dpcert.mechanisms.bisecting import least
from dpcert.mechanisms.exact.errors import InputError


def zipf_frequencies(*, keys: int, alpha: Fraction, most: int) -> list[int]:
    """Return the numbers of keys of frequency 1, 2, ..., most - 1, and of at least `most`.

    Key r = 1, ..., keys has frequency floor((keys / r)^alpha), so that the last one occurs once. This is how the
    authors' published code makes its Zipf data; the paper does not say how many keys there are.

    Requires: keys >= 1, alpha > 0 and most >= 1.
    Source:   weighted-sampling, Section 8.2.
    Raises:   InputError otherwise.
    """
    if keys < 1 or alpha <= 0 or most < 1:
        raise InputError(
            given=f"keys={keys}, alpha={alpha}, most={most}",
            needed="keys >= 1, alpha > 0 and most >= 1",
            remedy="set them within these",
        )
    power, root = alpha.numerator, alpha.denominator

    def at_least(frequency: int) -> int:
        """Return the greatest r with (keys / r)^alpha >= frequency: r^power frequency^root <= keys^power."""
        weight, limit = frequency**root, keys**power
        return least(1, keys + 1, lambda r: r**power * weight > limit) - 1

    above = [at_least(j) for j in range(1, most + 1)]
    return [*(a - b for a, b in pairwise(above)), above[-1]]


def expected_reports(*, frequencies: Sequence[int], probabilities: Sequence[Fraction]) -> Fraction:
    """Return the expected number of reported keys, where `frequencies[i - 1]` keys have frequency i.

    Requires: as many probabilities as frequencies; keys of greater frequency are counted at the last one, and reported
              with its probability.
    """
    weighted = (count * p for count, p in zip(frequencies, probabilities, strict=True) if count)
    return sum(weighted, Fraction(0))


def laplace_reporting(*, imax: int, ratio: Fraction, delta: Fraction) -> list[Fraction]:
    """Return phi_1, ..., phi_imax: the probabilities that stability-based histograms with Laplace noise report a key.

    With g = delta ratio^(i - 1), phi_i is g/2 for g <= 1 and 1 - 1/(2g) beyond; it grows with the ratio. So a rational
    below e^epsilon gives a lower bound, and one above it an upper bound.

    Requires: ratio = e^epsilon >= 1 and delta in (0, 1].
    Source:   weighted-sampling, equation (49).
    """
    reporting, grown = [], delta
    for _ in range(imax):
        reporting.append(grown / 2 if grown <= 1 else 1 - 1 / (2 * grown))
        grown *= ratio
    return reporting


def sampled_reporting(*, q: Sequence[Fraction], imax: int, ratio: Fraction, threshold: int) -> list[Fraction]:
    """Return the probabilities with which `sbh_sampled` reports a key of frequency 1, ..., imax, without the clamp.

    `q[j - 1]` is the probability that a value j is kept; greater values have the last probability.

    Requires: ratio = e^epsilon > 1; threshold >= 1; len(q) >= imax and >= threshold.
    Claims:   the sum over j >= threshold of q_j (ratio - 1)/(ratio + 1) ratio^-|j - i|, in closed form beyond len(q).
    Source:   weighted-sampling, Section 8.1 and Appendix G, with geometric noise.
    """
    if len(q) < max(imax, threshold) or ratio <= 1 or threshold < 1:
        raise InputError(
            given=f"{len(q)} rates for frequencies up to {imax}, ratio={ratio}, threshold={threshold}",
            needed="as many rates as frequencies and as the threshold, ratio > 1, threshold >= 1",
            remedy="give more rates",
        )
    scale = (ratio - 1) / (ratio + 1)
    above = [q[-1] * ratio / (ratio - 1)]  # the sums of q_j ratio^-(j - i) over j >= i, i = len(q) + 1 and down
    for i in range(len(q), 0, -1):
        above.append((q[i - 1] if i >= threshold else 0) + above[-1] / ratio)
    above.reverse()
    reporting, below = [], Fraction(0)
    for i in range(1, imax + 1):
        reporting.append(scale * (above[i - 1] + below))
        below = (below + (q[i - 1] if i >= threshold else 0)) / ratio
    return reporting
