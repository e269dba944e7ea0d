"""Checks of finite-computers, Section 4, formula by formula: geometric noise, its quantiles, and the cut-off."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product

from dpcert.mechanisms.epsilons import at_most, less, scaled
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.finite_computers.basic_histogram import lists
from dpcert.mechanisms.finite_computers.fastsample import cutoff, fastsample_law
from dpcert.mechanisms.finite_computers.geometric import geometric, geometric_law
from dpcert.mechanisms.finite_computers.geosample import geosample_law, noise_exponent
from dpcert.proofs.check import check, checks
from dpcert.proofs.evidence import within
from dpcert.reading.paths.enumerator import enumerate_law

ONE = Fraction(1)

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


@check("geometric-sums")
def geometric_sums() -> Iterator[str]:
    """The printed distribution function is the sum of the printed masses, which are 1 in all."""
    for ratio in RATIOS:
        series = (ratio - 1) / (ratio + 1) / ratio**NEAR / (1 - 1 / ratio)  # the mass at or below -NEAR
        if 2 * series + sum(_mass(ratio, z) for z in range(1 - NEAR, NEAR)) != 1:
            yield f"e^(1/s) = {ratio}"
        for z in range(-NEAR, NEAR):
            if _below(ratio, z) != series + sum(_mass(ratio, x) for x in range(1 - NEAR, z + 1)):
                yield f"e^(1/s) = {ratio}, z = {z}"


def _log_ceiling(ratio: Fraction, x: Fraction) -> int:
    """Return ceil(log_ratio x) for any x > 0."""
    k = 0
    while ratio**k < x:
        k += 1
    while ratio ** (k - 1) >= x:
        k -= 1
    return k


@check("geometric-quantiles")
def geometric_quantiles() -> Iterator[str]:
    """Both printed inverses are min{z : F(z) >= u}, at rational u, those among them where F jumps."""
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


@check("geometric-program")
def geometric_program() -> Iterator[str]:
    """Algorithm 4.5, for rational e^(epsilon/2), is private at epsilon/2 and no less, and GeoSample one case of it."""
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


@check("rounded-epsilon")
def rounded_epsilon() -> Iterator[str]:
    """e~ = 2 ln(1 + 2^-k) is at most epsilon and above 4/9 of it; above half of it, in fact."""
    for inverse in range(1, 1025):
        rounded = scaled(Epsilon.ln(1 + Fraction(1, 1 << noise_exponent(Fraction(1, inverse)))), 2)
        if not less(Epsilon.of(Fraction(1, 2 * inverse)), rounded) or not at_most(
            rounded, Epsilon.of(Fraction(1, inverse))
        ):
            yield f"epsilon = 1/{inverse}"


@check("integer-lengths")
def integer_lengths() -> Iterator[str]:
    """d of GeoSample has at most n (k + 1) + 1 bits, d of FastSample (t + 1)(k + 1) + 1 more than (n + 1)/gamma."""
    for n, inverse in product((1, 2, 7, 50), INVERSES):
        k = noise_exponent(Fraction(1, inverse))
        if (((2 << k) + 1) * ((1 << k) + 1) ** (n - 1)).bit_length() > n * (k + 1) + 1:
            yield f"n = {n}, epsilon = 1/{inverse}: GeoSample"
        for gamma in GAMMAS:
            t = cutoff(n=n, epsilon=Fraction(1, inverse), gamma=gamma)
            short = ((2 << k) + 1) * ((1 << k) + 1) ** t
            if short.bit_length() > (t + 1) * (k + 1) + 1:
                yield f"n = {n}, epsilon = 1/{inverse}, gamma = {gamma}: FastSample"


@check("carried-to-bins")
def carried_to_bins() -> Iterator[str]:
    """Lemma 4.4: lists that differ in one label have counts within one, and laws within the sampler's epsilon."""
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


@check("cut-off-tail")
def cut_off_mass() -> Iterator[str]:
    """Pr[|Z| > t] is 2 F_Z(-t - 1), and at FastSample's t small enough for (3.1)."""
    for n, inverse, gamma in product((1, 2, 10, 1000), INVERSES, GAMMAS):
        epsilon = Fraction(1, inverse)
        t, ratio = cutoff(n=n, epsilon=epsilon, gamma=gamma), 1 + Fraction(1, 1 << noise_exponent(epsilon))
        beyond = 2 * ratio / (ratio + 1) / ratio ** (t + 1)
        near = 1 - 2 / ratio**t / (ratio + 1)
        if beyond != 1 - near or beyond != 2 * _below(ratio, -t - 1):
            yield f"n = {n}, epsilon = {epsilon}, gamma = {gamma}: the tail"
        if beyond > epsilon / 6 * gamma / (1 - gamma) / (n + 1):
            yield f"n = {n}, epsilon = {epsilon}, gamma = {gamma}"


@checks({"cut-off-step-printed": True, "cut-off-step-corrected": False})
def cut_off_step(rounded: bool) -> Iterator[str]:
    """Whether Pr[|Z| > t] is at most 4/3 x^-y for x = 8 (n + 1)(1 - gamma)/(epsilon gamma): the step of the proof.

    `rounded` is as printed, y = (e~/2) 9/(2 e~) = 9/4; else y = (e~/2) 9/(2 epsilon), which is at least 1: then
    4/3 x^-1 is compared, to which the proof goes on.
    """
    for inverse, gamma, n in product(INVERSES, GAMMAS, (1, 2, 10)):
        epsilon = Fraction(1, inverse)
        t, ratio = cutoff(n=n, epsilon=epsilon, gamma=gamma), 1 + Fraction(1, 1 << noise_exponent(epsilon))
        x = 8 * (n + 1) * (1 - gamma) / (epsilon * gamma)
        beyond = 2 * ratio / (ratio + 1) / ratio ** (t + 1)
        power = 9 if rounded else 4
        if beyond**4 * x**power > Fraction(4, 3) ** 4:
            yield f"epsilon = {epsilon}, gamma = {gamma}, n = {n}"


@check("cut-noise-sums")
def cut_noise_sums() -> Iterator[str]:
    """F_Z'' as printed is the distribution function of noise cut at t, its rest moved to c, and clamped."""
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


def noise_within(ratio: Fraction, a: int) -> Fraction:
    """Return Pr[|Geo| <= a] for e^(1/s) = ratio."""
    return 1 - 2 * ratio**-a / (ratio + 1)


def cut_within(*, n: int, epsilon: Fraction, gamma: Fraction, a: int) -> Fraction:
    """Return Pr[|Z' - c| <= a] for the cut noise of FastSample, whose far mass is moved to c."""
    r = 1 + Fraction(1, 2 ** noise_exponent(epsilon))
    t = cutoff(n=n, epsilon=epsilon, gamma=gamma)
    return min(ONE, noise_within(r, a) + 1 - noise_within(r, t))


@checks(
    {
        "cut-noise-printed-scale": lambda epsilon: 1 + epsilon / 2 + epsilon**2 / 8,
        "cut-noise-own-scale": lambda epsilon: 1 + Fraction(1, 2 ** noise_exponent(epsilon)),
    }
)
def _concentrated(scale: Callable[[Fraction], Fraction]) -> Iterator[str]:
    """Cut noise is within a of c at least as often as Geo(2/epsilon) of 0, for whose ratio e^x > 1 + x + x^2/2 serves,
    or as Geo(2/e~) of 0, from which it is cut.
    """
    return (
        f"epsilon = {epsilon}, gamma = {gamma}, n = {n}, a = {a}"
        for m in (*range(1, 20), 33, 100)
        for epsilon in [Fraction(1, m)]
        for gamma, n, a in product((Fraction(1, 2), Fraction(1, 50)), (1, 10), range(6))
        if cut_within(n=n, epsilon=epsilon, gamma=gamma, a=a) < noise_within(scale(epsilon), a)
    )


def logarithm_of(*, n: int, epsilon: Fraction, gamma: Fraction) -> Fraction:
    """Return the number whose logarithm step 1 of Algorithm 4.11 takes."""
    return 8 * (n + 1) * (1 - gamma) / (epsilon * gamma)


@checks({"cut-off-printed": range(1, 30), "cut-off-defined": range(2, 30)})
def _cut_off_defined(inverses: Sequence[int]) -> Iterator[str]:
    """Step 1 of Algorithm 4.11 defines t for every 1/gamma a positive integer; corrected, it takes the logarithm of 8
    (n + 1) at least for gamma < 1.
    """
    return (
        f"gamma = 1/{inverse}, n = {n}, epsilon = 1/{m}: the logarithm of {found}"
        for inverse, n, m in product(inverses, (1, 2, 10), (1, 2, 9))
        for found in [logarithm_of(n=n, epsilon=Fraction(1, m), gamma=Fraction(1, inverse))]
        if found < 8 * (n + 1)
    )
