"""Checks by exact computation: each returns whether a statement holds on its scope, and else the smallest witness."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from dpcert.audit.kernel.divergence import decide_pair
from dpcert.mechanisms.enumerator import enumerate_law
from dpcert.mechanisms.exact.coins import Coins, Recorded
from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.fastsample import fastsample, fastsample_law
from dpcert.mechanisms.geosample import geosample, geosample_law
from dpcert.mechanisms.pws_keys import reporting_probabilities, sampling_probabilities
from dpcert.mechanisms.sample_threshold import kl_delta, sample_threshold_law
from dpcert.proofs.ledger import Finding

__all__ = ["CHECKS"]

GEOSAMPLE_GRID = [(n, k) for n in range(1, 7) for k in range(1, 5)]
FASTSAMPLE_GRID: list[dict[str, Any]] = [
    {"n": n, "epsilon": Fraction(1, inverse), "gamma": gamma}
    for n in range(1, 6)
    for inverse in (1, 2, 3)
    for gamma in (Fraction(1, 2), Fraction(1, 10))
]
RATIOS = (Fraction(3, 2), Fraction(2), Fraction(3))


def _first(witnesses: Iterator[str]) -> Finding:
    witness = next(witnesses, None)
    return Finding(witness is None, witness)


def _pairs(laws: list[Dist]) -> Iterator[tuple[Dist, Dist]]:
    for a, b in itertools.pairwise(laws):
        yield a, b
        yield b, a


def geosample_law_check() -> Finding:
    """F(z)/d of Algorithm 4.8 is the clamped geometric distribution function, and the program's law has it."""

    def witnesses() -> Iterator[str]:
        for n, k in GEOSAMPLE_GRID:
            ratio = 1 + Fraction(1, 2**k)
            d = (2 ** (k + 1) + 1) * (2**k + 1) ** (n - 1)
            for c in range(n + 1):
                law = enumerate_law(geosample(n=n, k=k), c).law
                if law != geosample_law(n=n, k=k)(c):
                    yield f"n = {n}, k = {k}, c = {c}: program and closed form differ"
                for z in range(n):
                    printed = (
                        2 ** (k * (c - z)) * (2**k + 1) ** (n - (c - z))
                        if z < c
                        else d - 2 ** (k * (z - c + 1)) * (2**k + 1) ** (n - 1 - (z - c))
                    )
                    geometric = (
                        ratio / (ratio + 1) / ratio ** (c - z) if z <= c else 1 - 1 / (ratio + 1) / ratio ** (z - c)
                    )
                    below = sum((law.prob(x) for x in range(z + 1)), Fraction(0))
                    if not Fraction(printed, d) == geometric == below:
                        yield f"n = {n}, k = {k}, c = {c}, z = {z}"

    return _first(witnesses())


def _private(laws: list[Dist], epsilon: Epsilon, delta: Fraction) -> bool:
    return all(decide_pair(p, q, epsilon, delta)[0] is True for p, q in _pairs(laws))


def geosample_private() -> Finding:
    """GeoSample is (ln(1 + 2^-k), 0)-DP for counts that differ by one."""
    return _first(
        f"n = {n}, k = {k}"
        for n, k in GEOSAMPLE_GRID
        if not _private(
            [enumerate_law(geosample(n=n, k=k), c).law for c in range(n + 1)],
            Epsilon.ln(1 + Fraction(1, 2**k)),
            Fraction(0),
        )
    )


def geosample_monotone() -> Finding:
    """GeoSample(c, u) does not decrease in u: every u is tried where there are at most 3,000 of them."""

    def witnesses() -> Iterator[str]:
        for n, k in GEOSAMPLE_GRID:
            d = (2 ** (k + 1) + 1) * (2**k + 1) ** (n - 1)
            if d > 3_000:
                continue
            release = geosample(n=n, k=k)
            for c in range(n + 1):
                outcomes = [release(c, Coins(Recorded([(d, u)]))) for u in range(d)]
                if outcomes != sorted(outcomes):
                    yield f"n = {n}, k = {k}, c = {c}"

    return _first(witnesses())


def fastsample_law_check() -> Finding:
    """The program of Algorithm 4.11 has the law that Lemma 4.12 describes."""
    return _first(
        f"n = {grid['n']}, epsilon = {grid['epsilon']}, gamma = {grid['gamma']}, c = {c}"
        for grid in FASTSAMPLE_GRID
        for c in range(int(grid["n"]) + 1)
        if enumerate_law(_fastsample(grid), c).law != _fastsample_law(grid)(c)
    )


def _fastsample(grid: dict[str, Any]) -> Callable[[int, Coins], int]:
    return fastsample(n=grid["n"], epsilon=grid["epsilon"], gamma=grid["gamma"])


def _fastsample_law(grid: dict[str, Any]) -> Callable[[int], Dist]:
    return fastsample_law(n=grid["n"], epsilon=grid["epsilon"], gamma=grid["gamma"])


def fastsample_private() -> Finding:
    """FastSample is (epsilon/2, 0)-DP for counts that differ by one."""
    return _first(
        f"n = {grid['n']}, epsilon = {grid['epsilon']}, gamma = {grid['gamma']}"
        for grid in FASTSAMPLE_GRID
        if not _private(
            [_fastsample_law(grid)(c) for c in range(int(grid["n"]) + 1)],
            Epsilon.of(Fraction(grid["epsilon"]) / 2),
            Fraction(0),
        )
    )


def _keys_grid() -> Iterator[tuple[Fraction, Fraction, str, list[Fraction], list[Fraction]]]:
    for ratio in RATIOS:
        for delta in (Fraction(1, 100), Fraction(1, 10), Fraction(1, 2)):
            for text in ("1", "1/10, 1/2, 1", "0, 0, 1/3, 1/2", "1/5", "priority:1/8"):
                q = sampling_probabilities(text, 12)
                yield ratio, delta, text, q, reporting_probabilities(q=q, ratio=ratio, delta=delta)


def pws_keys_private() -> Finding:
    """Reporting a key with the probabilities of Algorithm 3 is (epsilon, delta)-DP, and pi_i <= q_i."""
    return _first(
        f"e^epsilon = {ratio}, delta = {delta}, q = {text}"
        for ratio, delta, text, q, pi in _keys_grid()
        if not _private([Dist.bernoulli(p) for p in (0, *pi)], Epsilon.ln(ratio), delta)
        or any(p > most for p, most in zip(pi, q, strict=True))
    )


def pws_keys_greatest() -> Finding:
    """No pi_i can be raised with those below it kept, and pi does not decrease."""

    def witnesses() -> Iterator[str]:
        for ratio, delta, text, q, pi in _keys_grid():
            for i, (p, most) in enumerate(zip(pi, q, strict=True)):
                before = pi[i - 1] if i else Fraction(0)
                more = p + Fraction(1, 1 << 40)
                fits = more <= most and _private(
                    [Dist.bernoulli(before), Dist.bernoulli(min(more, Fraction(1)))], Epsilon.ln(ratio), delta
                )
                if fits or p < before:
                    yield f"e^epsilon = {ratio}, delta = {delta}, q = {text}, i = {i + 1}"

    return _first(witnesses())


def _closed_form(shift: int) -> Finding:
    """Compare Lemma 4.2's closed form, with 2L + shift - i in its second case, with the recurrence."""

    def witnesses() -> Iterator[tuple[int, Fraction, str]]:
        for ratio in RATIOS:
            for length in range(1, 7):
                delta = (ratio - 1) / (ratio**length * (ratio + 1) - 2)  # makes L(epsilon, delta) = length
                pi = reporting_probabilities(q=[Fraction(1)] * (2 * length + 3), ratio=ratio, delta=delta)
                for i, p in enumerate(pi, 1):
                    if i <= length + 1:
                        printed = delta * (ratio**i - 1) / (ratio - 1)
                    elif i <= 2 * length + 1:
                        printed = 1 - delta * (ratio ** (2 * length + shift - i) - 1) / (ratio - 1)
                    else:
                        printed = Fraction(1)
                    if printed != p:
                        where = f"e^epsilon = {ratio}, delta = {delta} (L = {length}), i = {i}"
                        yield i, ratio.denominator * ratio, f"{where}: printed {printed}, Algorithm 3 gives {p}"

    found = min(witnesses(), default=None)
    return Finding(found is None, None if found is None else found[2])


def pws_closed_form_printed() -> Finding:
    """Lemma 4.2 as printed: exponent 2L + 2 - i."""
    return _closed_form(2)


def pws_closed_form_corrected() -> Finding:
    """Lemma 4.2 with exponent 2L + 1 - i."""
    return _closed_form(1)


def sample_threshold_theorem2() -> Finding:
    """The printed delta of Theorem 2 bounds the exact one, for one bin and counts that differ by one."""

    def witnesses() -> Iterator[str]:
        for rate in (Fraction(1, 20), Fraction(1, 10), Fraction(1, 4)):
            for threshold in range(1, 9):
                law = sample_threshold_law(rate=rate, threshold=threshold)
                laws = [law(count) for count in range(41)]
                for factor in (1, 2, 4):
                    ratio = factor / (1 - rate)
                    delta = kl_delta(rate=rate, threshold=threshold, ratio=ratio)
                    for count, (p, q) in enumerate(_pairs(laws)):
                        if decide_pair(p, q, Epsilon.ln(ratio), delta)[0] is not True:
                            yield f"p = {rate}, tau = {threshold}, e^epsilon = {ratio}, k = {count // 2 + 1}"

    return _first(witnesses())


CHECKS: dict[str, Callable[[], Finding]] = {
    "fastsample-law": fastsample_law_check,
    "fastsample-private": fastsample_private,
    "geosample-law": geosample_law_check,
    "geosample-monotone": geosample_monotone,
    "geosample-private": geosample_private,
    "pws-closed-form-corrected": pws_closed_form_corrected,
    "pws-closed-form-printed": pws_closed_form_printed,
    "pws-keys-greatest": pws_keys_greatest,
    "pws-keys-private": pws_keys_private,
    "sample-threshold-theorem2": sample_threshold_theorem2,
}
