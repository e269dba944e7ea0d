"""A search for the parameters of the example after Theorem 5.2: `python benchmarks/user_level_example.py`.

Prints how many combinations were tried, and those whose term is from 0.0217 to 0.0218, by floats. What came out is in
docs/papers/user-level-debiasing.md.
"""

import math
from collections.abc import Iterator

LOWER = (0, 0.1, 0.2, 0.25, 0.5, 0.8, 0.9, 1, 1.5, 2, 3, 4, 5)
UPPER = (0.5, 0.75, 1, 1.1, 1.2, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
MEANS = (0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3, 4, 5)
CLIPS = range(1, 9)


def clipped_mean(rate: float, clip: int) -> float:
    """Return psi_C(rate) = E min(Poi(rate), C)."""
    term, total = 1.0, 0.0
    for k in range(clip):
        total += (clip - k) * term
        term *= rate / (k + 1)
    return clip - math.exp(-rate) * total


def slope(rate: float, clip: int) -> float:
    """Return Pr[Poi(rate) < C]."""
    return math.exp(-rate) * sum(rate**k / math.factorial(k) for k in range(clip))


def inverse(mean: float, clip: int) -> float:
    """Return the rate at which a clipped count has a mean, by bisection."""
    low, high = 0.0, 80.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if clipped_mean(middle, clip) < mean else (low, middle)
    return high


def terms(clip: int, a: float, b: float, x: float) -> Iterator[tuple[str, float]]:
    """Yield what the first term may be, for rates of a and b of mean x, each with its formula.

    psibar is the mean of psi, on the chord; g its inverse, k the slope at b and k' that at x.
    """
    low, high = clipped_mean(a, clip), clipped_mean(b, clip)
    chord, psi = low + (x - a) * (high - low) / (b - a), clipped_mean(x, clip)
    g, k, at = inverse(chord, clip), slope(b, clip), slope(x, clip)
    yield "(x - psibar)^2 - (x - g)^2", (x - chord) ** 2 - (x - g) ** 2
    yield "(x - psi)^2 - (x - g)^2", (x - psi) ** 2 - (x - g) ** 2
    yield "(g - psibar)^2", (g - chord) ** 2
    yield "(x - psi)^2 - ((psi - psibar)/k)^2", (x - psi) ** 2 - ((psi - chord) / k) ** 2
    yield "(x - psibar)^2 - ((psi - psibar)/k)^2", (x - chord) ** 2 - ((psi - chord) / k) ** 2
    yield "(x - psi)^2 - ((psi - psibar)/k')^2", (x - psi) ** 2 - ((psi - chord) / at) ** 2
    for part in (0.25, 0.5, 0.75, 1):
        yield f"{part} (x - psi)^2", part * (x - psi) ** 2
    yield "(x - psi)^2 - (psi - psibar)^2", (x - psi) ** 2 - (psi - chord) ** 2
    yield "(x - psibar)^2 - (psi - psibar)^2", (x - chord) ** 2 - (psi - chord) ** 2


def main() -> None:
    """Try every combination and print what was found."""
    tried, found = 0, []
    for clip in CLIPS:
        for a, b in ((a, b) for a in LOWER for b in UPPER if a < b):
            means = {*MEANS, (a + b) / 2, a + (b - a) / 3, a + 2 * (b - a) / 3, clip / 2, clip, clip - 1}
            for x in sorted(mean for mean in means if a <= mean <= b):
                for formula, value in terms(clip, a, b, x):
                    tried += 1
                    if 0.0217 <= value < 0.0218:
                        found.append(f"C = {clip}, rates {a}, {b}, x = {x:.4g}: {formula} = {value:.6f}")
    print(f"{len(found)} of {tried:,}")
    print("\n".join(found))


if __name__ == "__main__":
    main()
