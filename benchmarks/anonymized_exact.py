"""The expected error of PrivHist for few items and epsilon <= 1: `python benchmarks/anonymized_exact.py`.

Writes a table into docs/papers/anonymized-experiments.md. The fit at a boundary is at least y - 1/2 exactly where a
walk's maximum from there on is at least its maximum before, so that the law of each rounded fit follows from two walks
on integers. Probabilities are sums of products >= 0 in floats, with fewer than 10^6 roundings on any path, so that each
is off by less than 2 10^-10 of itself, and what is left of the whole by as little. The bounds leave room for that.
"""

import math
from fractions import Fraction

import numpy as np
from anonymized_data import Array
from tables import ROOT, filled, table

from dpcert.mechanisms.anonymized_histograms.moments import GeometricMoments
from dpcert.mechanisms.anonymized_histograms.parameters import boundaries, top_threshold
from dpcert.mechanisms.anonymized_histograms.partitions import Counts, histograms, prevalences
from dpcert.mechanisms.anonymized_histograms.smoothing import smoothed

REACH, TOTALS, ROOM = 50, 45, 1e-9
RATIOS = tuple(map(Fraction, ("25/18", "4/3")))


def later(law: Array, gap: int, centre: int, noise: Array) -> Array:
    """Return the law of max(0, x + P) for P of this law, x = gap (centre + 2Z); the last place is that or more."""
    found, sums, last = np.zeros_like(law), np.cumsum(law), law.size - 1
    for z, mass in zip(range(-REACH, REACH + 1), noise, strict=True):
        shift = gap * (centre + 2 * z)
        if shift >= last:
            found[last] += mass * sums[last]
        elif shift >= 0:
            found[shift:last] += mass * law[: last - shift]
            found[last] += mass * law[last - shift :].sum()
        elif -shift > last:
            found[0] += mass * sums[last]
        else:
            found[0] += mass * sums[-shift]
            found[1 : last + shift + 1] += mass * law[-shift + 1 :]
    return found


def reached(gaps: list[int], centres: list[int], least: int, noise: Array) -> list[float]:
    """Return for each boundary the probability that its rounded fit is at least `least`, with all |Z| <= REACH."""
    drift = [2 * g - gap * (2 * least - 1) for g, gap in zip(centres, gaps, strict=True)]
    most = 1 + sum(max(0, gap * (c + 2 * REACH)) for gap, c in zip(gaps, drift, strict=True))
    above = [np.eye(1, most + 1)[0]]
    for gap, c in zip(reversed(gaps), reversed(drift), strict=True):
        above.append(later(above[-1], gap, c, noise))
    upper_sums = [np.append(np.cumsum(law[::-1])[::-1], 0.0) for law in reversed(above)]
    below, found = np.eye(1, most + 1)[0], []
    for i, (gap, c) in enumerate(zip(gaps, drift, strict=True)):
        shifts = np.minimum(np.maximum(-gap * (c + 2 * np.arange(-REACH, REACH + 1)), 0), most + 1)
        level = float(noise @ upper_sums[i + 1][shifts])
        found.append(float(below[0]) * level + float(below[1:most] @ upper_sums[i][1:most]))
        below = later(below, gap, -c, noise[::-1])
    return found


def given_total(counts: Counts, total: int, ratio: Fraction) -> tuple[float, float]:
    """Return bounds on E[l1(h, H) | N = total]."""
    assert top_threshold(total, ratio) > 2 * total
    moments, edges = GeometricMoments(1 / ratio), boundaries(total, ratio, [])
    noise = np.array([float(moments.mass(z)) for z in range(-REACH, REACH + 1)])
    gaps = [high - low for low, high in zip([0, *edges], edges, strict=False)]
    centres = smoothed(prevalences(counts), edges)
    whole = noise.sum() ** len(edges)
    error = whole * sum(max(count - edges[-1], 0) for count in counts)
    spans = [
        [sum(count >= r for count in counts) for r in range(low + 1, high + 1)]
        for low, high in zip([0, *edges], edges, strict=False)
    ]
    for least in range(1, max(centres) + REACH + 2):
        for span, chance in zip(spans, reached(gaps, centres, least, noise), strict=True):
            under = sum(value >= least for value in span)
            error += under * max(whole - chance, 0.0) + (len(span) - under) * chance
    k, lost, n = len(edges), float(moments.beyond(REACH)), sum(counts)
    size = n + k * (n + k * float(moments.mean_size()) + REACH + 1 / float(1 - 1 / ratio)) + edges[-1] / 2
    return error * (1 - ROOM), error * (1 + ROOM) + k * lost * size + ROOM


def expected(counts: Counts, ratio: Fraction) -> tuple[float, float]:
    """Return bounds on E l1(h, H): every N up to n + TOTALS, and a bound for those beyond."""
    moments, n = GeometricMoments(1 / ratio), sum(counts)
    lo = hi = float(moments.at_least(n)) * n
    for total in range(1, n + TOTALS + 1):
        mass = float(moments.mass(total - n))
        bounds = given_total(counts, total, ratio)
        lo, hi = lo + mass * bounds[0], hi + mass * bounds[1]
    for total in range(n + TOTALS + 1, n + 10 * TOTALS):
        k = len(boundaries(total, ratio, []))
        size = n + k * (n + k * float(moments.mean_size())) + total
        hi += float(moments.mass(total - n)) * size
    return lo * (1 - ROOM), hi * (1 + ROOM)


def main() -> None:
    """Compute the table, and write it."""
    lines = []
    for counts in histograms(3):
        cells = []
        for ratio in RATIOS:
            lo, hi = expected(counts, ratio)
            cells.append(f"{lo:.3f} to {hi:.3f}")
        lines.append((f"`{counts}`", *cells))
    head = ("h", *(f"epsilon = {3 * math.log(ratio):.3f}" for ratio in RATIOS))
    path = ROOT / "docs" / "papers" / "anonymized-experiments.md"
    path.write_text(filled(path.read_text("utf-8"), "few", table(head, lines)), "utf-8")


if __name__ == "__main__":
    main()
