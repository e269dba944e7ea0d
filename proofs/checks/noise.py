"""Checks of finite-computers, Section 4, formula by formula: geometric noise, its quantiles, and the cut-off."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

from dpcert.mechanisms.enumerator import enumerate_law
from dpcert.mechanisms.epsilons import at_most, less, scaled
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.finite_computers.basic_histogram import lists
from dpcert.mechanisms.finite_computers.fastsample import cutoff, fastsample_law
from dpcert.mechanisms.finite_computers.geometric import geometric, geometric_law
from dpcert.mechanisms.finite_computers.geosample import geosample_law, noise_exponent
from dpcert.proofs.check import Finding, first
from dpcert.proofs.checks.evidence import within

__all__ = ["NOISE", "cut_off_step"]

RATIOS = (Fraction(33, 32), Fraction(5, 4), Fraction(3, 2), Fraction(2), Fraction(7))
NEAR = 12
INVERSES = (*range(1, 20), 33, 65, 100)
GAMMAS = (Fraction(1, 2), Fraction(1, 10), Fraction(1, 1000))


def _mass(ratio: Fraction, z: int) -> Fraction:
    """Return f_Z(z) as printed, for c = 0 and e^(1/s) = ratio."""
    return (ratio - 1) / (ratio + 1) / ratio ** abs(z)


def _below(ratio: Fraction, z: int) -> Fraction:
    """Return F_Z(z) as printed, for c = 0 and e^(1/s) = ratio."""
    return ratio / (ratio + 1) / ratio**-z if z <= 0 else 1 - 1 / (ratio + 1) / ratio**z


def geometric_sums() -> Finding:
    """The printed distribution function is the sum of the printed masses, which are 1 in all."""

    def witnesses() -> Iterator[str]:
        for ratio in RATIOS:
            series = (ratio - 1) / (ratio + 1) / ratio**NEAR / (1 - 1 / ratio)  # what is at or below -NEAR
            if 2 * series + sum(_mass(ratio, z) for z in range(1 - NEAR, NEAR)) != 1:
                yield f"e^(1/s) = {ratio}"
            for z in range(-NEAR, NEAR):
                if _below(ratio, z) != series + sum(_mass(ratio, x) for x in range(1 - NEAR, z + 1)):
                    yield f"e^(1/s) = {ratio}, z = {z}"

    return first(witnesses())


def _log_ceiling(ratio: Fraction, x: Fraction) -> int:
    """Return ceil(log_ratio x) for any x > 0."""
    k = 0
    while ratio**k < x:
        k += 1
    while ratio ** (k - 1) >= x:
        k -= 1
    return k


def geometric_quantiles() -> Finding:
    """Both printed inverses are min{z : F(z) >= u}, at rational u, those among them where F jumps."""

    def witnesses() -> Iterator[str]:
        for ratio in RATIOS:
            grid = {Fraction(i, 40) for i in range(1, 40)} | {_below(ratio, z) for z in range(-6, 7)}
            for u in sorted(grid):
                z = -200
                while _below(ratio, z) < u:
                    z += 1
                two = (
                    _log_ceiling(ratio, u * (ratio + 1)) - 1
                    if u <= Fraction(1, 2)
                    else _log_ceiling(ratio, 1 / ((1 - u) * (ratio + 1)))
                )
                x = (1 - abs(2 * u - 1)) * (ratio + 1) / 2
                signed = x if u < Fraction(1, 2) else 1 / x if u > Fraction(1, 2) else Fraction(1)
                one = _log_ceiling(ratio, signed) + int(2 * u) - 1
                if not z == two == one:
                    yield f"e^(1/s) = {ratio}, u = {u}: {z}, {two}, {one}"

    return first(witnesses())


def geometric_program() -> Finding:
    """Algorithm 4.5, for rational e^(epsilon/2), is private at epsilon/2 and no less, and GeoSample one case of it."""

    def witnesses() -> Iterator[str]:
        for n, ratio in product((1, 2, 5), RATIOS):
            laws = [enumerate_law(geometric(n=n, ratio=ratio), c).law for c in range(n + 1)]
            if laws != [geometric_law(n=n, ratio=ratio)(c) for c in range(n + 1)]:
                yield f"n = {n}, e^(epsilon/2) = {ratio}: the law"
            if not within(laws, Epsilon.ln(ratio), Fraction(0)) or within(
                laws, Epsilon.ln(ratio - Fraction(1, 10**30)), Fraction(0)
            ):
                yield f"n = {n}, e^(epsilon/2) = {ratio}"
        for n, k in product((1, 4), (1, 3)):
            pair = geometric_law(n=n, ratio=1 + Fraction(1, 1 << k)), geosample_law(n=n, k=k)
            if any(pair[0](c) != pair[1](c) for c in range(n + 1)):
                yield f"n = {n}, k = {k}"

    return first(witnesses())


def rounded_epsilon() -> Finding:
    """e~ = 2 ln(1 + 2^-k) is at most epsilon and above 4/9 of it; above half of it, in fact."""

    def witnesses() -> Iterator[str]:
        for inverse in range(1, 1025):
            rounded = scaled(Epsilon.ln(1 + Fraction(1, 1 << noise_exponent(Fraction(1, inverse)))), 2)
            if not less(Epsilon.of(Fraction(1, 2 * inverse)), rounded) or not at_most(
                rounded, Epsilon.of(Fraction(1, inverse))
            ):
                yield f"epsilon = 1/{inverse}"

    return first(witnesses())


def integer_lengths() -> Finding:
    """d of GeoSample has at most n (k + 1) + 1 bits, d of FastSample (t + 1)(k + 1) + 1 more than (n + 1)/gamma."""

    def witnesses() -> Iterator[str]:
        for n, inverse in product((1, 2, 7, 50), INVERSES):
            k = noise_exponent(Fraction(1, inverse))
            if (((2 << k) + 1) * ((1 << k) + 1) ** (n - 1)).bit_length() > n * (k + 1) + 1:
                yield f"n = {n}, epsilon = 1/{inverse}: GeoSample"
            for gamma in GAMMAS:
                t = cutoff(n=n, epsilon=Fraction(1, inverse), gamma=gamma)
                short = ((2 << k) + 1) * ((1 << k) + 1) ** t
                if short.bit_length() > (t + 1) * (k + 1) + 1:
                    yield f"n = {n}, epsilon = 1/{inverse}, gamma = {gamma}: FastSample"

    return first(witnesses())


def carried_to_bins() -> Finding:
    """Lemma 4.4: lists that differ in one label have counts within one, and laws within the sampler's epsilon."""

    def witnesses() -> Iterator[str]:
        law = fastsample_law(n=3, epsilon=Fraction(1, 2), gamma=Fraction(1, 5))
        people = lists(3, 3)
        for a, b in product(people, people):
            if sum(x != y for x, y in zip(a, b, strict=True)) != 1:
                continue
            counts = [(a.count(x), b.count(x)) for x in range(3)]
            if sum(c != d for c, d in counts) > 2 or any(abs(c - d) > 1 for c, d in counts):
                yield f"{a}, {b}"
            if not all(within([law(c), law(d)], Epsilon.of("1/4"), Fraction(0)) for c, d in set(counts)):
                yield f"{a}, {b}: laws"

    return first(witnesses())


def cut_off_tail() -> Finding:
    """Pr[|Z| > t] is 2 F_Z(-t - 1), and at FastSample's t small enough for (3.1)."""

    def witnesses() -> Iterator[str]:
        for n, inverse, gamma in product((1, 2, 10, 1000), INVERSES, GAMMAS):
            epsilon = Fraction(1, inverse)
            t, ratio = cutoff(n=n, epsilon=epsilon, gamma=gamma), 1 + Fraction(1, 1 << noise_exponent(epsilon))
            tail = 2 * ratio / (ratio + 1) / ratio ** (t + 1)
            near = 1 - 2 / ratio**t / (ratio + 1)
            if tail != 1 - near or tail != 2 * _below(ratio, -t - 1):
                yield f"n = {n}, epsilon = {epsilon}, gamma = {gamma}: the tail"
            if tail > epsilon / 6 * gamma / (1 - gamma) / (n + 1):
                yield f"n = {n}, epsilon = {epsilon}, gamma = {gamma}"

    return first(witnesses())


def cut_off_step(*, rounded: bool) -> Finding:
    """Whether the tail is at most 4/3 x^-y for x = 8 (n + 1)(1 - gamma)/(epsilon gamma): the step of the proof.

    `rounded` is as printed, y = (e~/2) 9/(2 e~) = 9/4; else y = (e~/2) 9/(2 epsilon), which is at least 1: then
    4/3 x^-1 is compared, to which the proof goes on.
    """

    def witnesses() -> Iterator[str]:
        for inverse, gamma, n in product(INVERSES, GAMMAS, (1, 2, 10)):
            epsilon = Fraction(1, inverse)
            t, ratio = cutoff(n=n, epsilon=epsilon, gamma=gamma), 1 + Fraction(1, 1 << noise_exponent(epsilon))
            x = 8 * (n + 1) * (1 - gamma) / (epsilon * gamma)
            tail = 2 * ratio / (ratio + 1) / ratio ** (t + 1)
            power = 9 if rounded else 4
            if tail**4 * x**power > Fraction(4, 3) ** 4:
                yield f"epsilon = {epsilon}, gamma = {gamma}, n = {n}"

    return first(witnesses())


def cut_off_step_printed() -> Finding:
    """The proof's step with 9/(2 e~) in the exponent, as printed."""
    return cut_off_step(rounded=True)


def cut_off_step_corrected() -> Finding:
    """The proof's step with 9/(2 epsilon) in the exponent."""
    return cut_off_step(rounded=False)


def exponential_step() -> Finding:
    """(e^(epsilon/2) - 1)/(e^(epsilon/2) + 1) >= epsilon/6 for epsilon = 1/m, and at every epsilon = i/64 <= 1."""
    return first(
        f"epsilon = {epsilon}"
        for epsilon in (*(Fraction(1, m) for m in range(1, 200)), *(Fraction(i, 64) for i in range(1, 65)))
        if not at_most(Epsilon.ln((6 + epsilon) / (6 - epsilon)), Epsilon.of(epsilon / 2))
    )


def success_product() -> Finding:
    """(1 - gamma)(1 - (beta - gamma)) >= 1 - beta for gamma <= beta."""
    grid = [Fraction(i, 24) for i in range(25)]
    return first(
        f"beta = {beta}, gamma = {gamma}"
        for beta, gamma in product(grid, repeat=2)
        if gamma <= beta and (1 - gamma) * (1 - (beta - gamma)) < 1 - beta
    )


def cut_noise_sums() -> Finding:
    """F_Z'' as printed is the distribution function of noise cut at t, its rest moved to c, and clamped."""

    def witnesses() -> Iterator[str]:
        for n, ratio, t in product((1, 4, 6), RATIOS[1:4], (1, 2, 5)):
            for c in range(n + 1):
                lost = 2 * _below(ratio, -t - 1)
                law = [(j, _mass(ratio, j) + (lost if j == 0 else 0)) for j in range(-t, t + 1)]
                for z in range(-1, n + 1):
                    below = sum((p for j, p in law if min(max(c + j, 0), n) <= z), Fraction(0))
                    if z < max(0, c - t):
                        printed = Fraction(0)
                    elif z < c:
                        printed = _below(ratio, z - c) - _below(ratio, -t - 1)
                    elif z < min(c + t, n):
                        printed = _below(ratio, z - c) + (1 - _below(ratio, t))
                    else:
                        printed = Fraction(1)
                    if printed != below:
                        yield f"n = {n}, e^(1/s) = {ratio}, t = {t}, c = {c}, z = {z}"

    return first(witnesses())


NOISE: dict[str, Callable[[], Finding]] = {
    "carried-to-bins": carried_to_bins,
    "cut-noise-sums": cut_noise_sums,
    "cut-off-step-corrected": cut_off_step_corrected,
    "cut-off-step-printed": cut_off_step_printed,
    "cut-off-tail": cut_off_tail,
    "exponential-step": exponential_step,
    "geometric-program": geometric_program,
    "geometric-quantiles": geometric_quantiles,
    "geometric-sums": geometric_sums,
    "integer-lengths": integer_lengths,
    "rounded-epsilon": rounded_epsilon,
    "success-product": success_product,
}
