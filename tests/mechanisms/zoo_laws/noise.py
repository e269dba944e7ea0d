"""Counts with noise, and histograms of them: the law of each fault at its default parameters."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise, product
from math import ceil, inf, nextafter
from typing import Any

from dpcert.mechanisms.exact.outcome import Raised

from .plain import Pairs, at_least, bins, counts, noisy, present, then


def from_sums(sums: Sequence[Fraction]) -> Pairs:
    """The law on 0, 1, ... of which these are the distribution function's values."""
    return [(z, b - a) for z, (a, b) in enumerate(pairwise([Fraction(0), *sums]))]


def strict(c: int) -> Pairs:
    """u < F(z) takes one u from 0 and gives it to n; d = 9 * 5^2."""
    law = dict(noisy(c, "5/4", 0, 3))
    return list({**law, 0: law[0] - Fraction(1, 225), 3: law[3] + Fraction(1, 225)}.items())


def exponent(c: int) -> Pairs:
    """The part above z of the law on z >= c is a quarter, 2^-k, of what it is to be."""
    below = list(accumulate(p for _, p in noisy(c, "5/4", 0, 3)))
    return from_sums([s if z < c or z == 3 else 1 - (1 - s) / 4 for z, s in enumerate(below)])


def raises(c: int) -> Pairs:
    def clamp(z: int) -> Any:
        inside = 0 <= z <= 2
        return z if inside else Raised("ValueError", (f"{c} with noise {z - c} is outside 0..2",))

    return then(noisy(c, "5/4", c - 2, c + 2), clamp)


def rejection(c: int) -> Pairs:
    inside = [(z, p) for z, p in noisy(c, "5/4", c - 3, c + 3) if 0 <= z <= 3]
    return [(z, p / sum(p for _, p in inside)) for z, p in inside]


def short_draw(c: int) -> Pairs:
    """d = 225, and F is 125, 145, 161 for 0; 100, 125, 145 for 1; 80, 100, 125 for 2; 64, 80, 100 for 3."""
    return then(noisy(c, "5/4", 0, 3), lambda z: (z, ([225, 45, 45, 225][c],)))


def early_stop(c: int) -> Pairs:
    """At ratio 2 and n = 2: no noise, of one draw; or up or down, by 1 or 2, of one draw more."""
    third, sixth = Fraction(1, 3), Fraction(1, 6)
    noise = [(0, (3,), third), *((j, (3, 2), sixth) for j in (-2, -1, 1, 2))]
    return [((min(max(c + j, 0), 2), bounds), p) for j, bounds, p in noise]


def rounded(c: int, r: str, n: int, bits: int) -> Pairs:
    sums = accumulate(p for _, p in noisy(c, r, 0, n))
    return from_sums([Fraction((s * 2**bits).__floor__(), 2**bits) for s in sums])


def early_exit(c: int) -> Pairs:
    few = then(rounded(c, "5/4", 2, 8), lambda z: (z, (256, 10)))
    return [(x, p * Fraction(9, 10)) for x, p in few] + [((z, (256, 10, 3)), Fraction(1, 30)) for z in range(3)]


def unmixed(c: int) -> Pairs:
    """Noise beyond 40 on either side is moved to 0."""
    r = Fraction(3, 2)
    near = [(j, (r - 1) / (r + 1) * r ** -abs(j)) for j in range(-40, 41)]
    far = [(0, 2 * at_least(41, r))]
    return then(near + far, lambda j: min(max(c + j, 0), 41))


def by_count(people: list[int]) -> Pairs:
    laws = {x: noisy(c, "5/4", 0, 2) for x, c in counts(people, 2).items()}
    first = 1 if people == [1, 1] else 0
    return then(bins(laws), lambda row: row if first == 0 else row[::-1])


def insertion_order(people: list[int]) -> Pairs:
    laws = {x: noisy(c, "5/4", 0, 1) for x, c in counts(people, 2).items()}
    return then(bins(laws), lambda row: row if people == [0] else row[::-1])


def zeros(people: list[int]) -> Pairs:
    return bins({x: noisy(c, "5/4", 0, 1) if c else [(0, Fraction(1))] for x, c in counts(people, 2).items()})


def shared_noise(people: list[int]) -> Pairs:
    return then(
        noisy(0, "5/4", -2, 2), lambda j: tuple((x, min(max(c + j, 0), 2)) for x, c in counts(people, 2).items())
    )


def stable(people: list[int], n: int, kept: Callable[[int], bool]) -> Pairs:
    return bins({x: noisy(c, "3/2", 0, n) for x, c in present(people).items()}, kept)


def true_counts(people: list[int]) -> Pairs:
    passes = {x: Fraction(2, 5) if c == 1 else Fraction(3, 5) for x, c in present(people).items()}
    laws = {x: [(c, passes[x]), (0, 1 - passes[x])] for x, c in present(people).items()}
    return bins(laws, lambda count: count > 0)


def twice(people: list[int]) -> Pairs:
    once = stable(people, 2, lambda z: z > 1)
    return [((x, y), p * q) for (x, p), (y, q) in product(once, once)]


def scaled_float(c: int) -> Pairs:
    """The law of the least z with fl(u d) < d Pr[c + Z <= z] at ratio 512 and n = 6, where d = 2^54 + 2^45 is a float.

    fl(x) is below a number where x is below the middle of the two floats around it, or at it and rounded down.
    """
    r, d = Fraction(512), 513 * 512**5

    def below(number: Fraction) -> Fraction:
        hi = float(number) if Fraction(float(number)) >= number else nextafter(float(number), inf)
        lo = nextafter(hi, 0)
        middle = (Fraction(lo) + Fraction(hi)) / 2
        draws = middle * 2**53 / d
        tie = draws.denominator == 1 and float(middle) == lo
        return Fraction(min(ceil(draws) + tie, 2**53), 2**53)

    return from_sums([*(below(d * (1 - at_least(z + 1 - c, r))) for z in range(6)), Fraction(1)])


LAWS: dict[str, Callable[[Any], Pairs]] = {
    "geosample-strict": strict,
    "geosample-exponent": exponent,
    "geosample-floor": lambda c: noisy(c, "5/4", 0, 3),
    "geosample-half-scale": lambda c: noisy(c, "3/2", 0, 3),
    "geosample-natural-log": lambda c: noisy(c, "9/8", 0, 3),
    "geosample-raises": raises,
    "geosample-rejection": rejection,
    "geosample-short-draw": short_draw,
    "geosample-unclamped": lambda c: noisy(c, "5/4", c - 3, c + 3),
    "geometric-early-stop": early_stop,
    "geometric-float": scaled_float,
    "geosample-rounded": lambda c: rounded(c, "3/2", 12, 8),
    "fastsample-unmixed": unmixed,
    "mixing-early-exit": early_exit,
    "basic-histogram-add-remove": lambda people: bins({x: noisy(c, "3/2", 0, 1) for x, c in counts(people, 2).items()}),
    "basic-histogram-by-count": by_count,
    "basic-histogram-insertion-order": insertion_order,
    "basic-histogram-shared-noise": shared_noise,
    "basic-histogram-zeros": zeros,
    "stability-histogram-at": lambda people: stable(people, 2, lambda z: z >= 1),
    "stability-histogram-lone": lambda people: stable(people, 4, lambda z: z > 2),
    "stability-histogram-true": true_counts,
    "stability-histogram-twice": twice,
}
