"""The privacy profile of a pair of laws, exactly: delta as a function of epsilon, piecewise linear in e^epsilon.

Two laws matter only through their likelihood ratio p/q: a profile keeps, for each ratio that occurs, the probability
that p and q give it. All that is asked of a pair of laws in this field can be read off that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from dpcert.audit.kernel.divergence import aligned
from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError

__all__ = ["Profile", "profile"]


@dataclass(frozen=True, slots=True)
class Profile:
    """The law of the likelihood ratio of p against q, both without a tail.

    `ratios` are the finite positive values of p/q, descending; `q_weights` what q gives each, over `denominator`
    (p gives it ratio times that); `infinite` is what p gives to outcomes that q never has, `zero` what q gives to
    those that p never has, both over `denominator`.
    """

    ratios: tuple[Fraction, ...]
    q_weights: tuple[Fraction, ...]
    infinite: Fraction
    zero: Fraction

    def delta(self, ratio: Fraction | int) -> Fraction:
        """Return the least delta at e^epsilon = ratio, for any rational ratio >= 0."""
        total = self.infinite
        for at, weight in zip(self.ratios, self.q_weights, strict=True):
            if at <= ratio:
                break
            total += (at - ratio) * weight
        return total

    def delta_bounds(self, epsilon: Epsilon, *, bits: int = 128) -> tuple[Fraction, Fraction]:
        """Return lo <= delta <= hi for the least delta at an epsilon; equal where e^epsilon is rational."""
        if self.ratios and epsilon.power_of_two_lo() > self.ratios[0].numerator.bit_length():
            return self.infinite, self.infinite
        below, above = epsilon.exp_bounds(bits)
        return self.delta(above), self.delta(below)

    def least_ratio(self, delta: Fraction | int) -> Fraction | None:
        """Return the least e^epsilon >= 1 at which the pair is (epsilon, delta)-close; None where there is none."""
        if delta < self.infinite:
            return None
        p, q = self.infinite, Fraction(0)
        for at, weight in zip(self.ratios, self.q_weights, strict=True):
            if at <= 1 or p - at * q > delta:
                break
            p, q = p + at * weight, q + weight
        return max(Fraction(1), (p - delta) / q) if q else Fraction(1)

    def breakpoints(self) -> list[tuple[Fraction, Fraction]]:
        """Return (e^epsilon, delta) at every point where the profile bends, e^epsilon ascending.

        Between them it is linear; it is 1 at e^epsilon = 0 and `infinite` beyond the last.
        """
        found: list[tuple[Fraction, Fraction]] = []
        p, q = self.infinite, Fraction(0)
        for at, weight in zip(self.ratios, self.q_weights, strict=True):
            found.append((at, p - at * q))
            p, q = p + at * weight, q + weight
        return found[::-1]

    def trade_off(self) -> list[tuple[Fraction, Fraction]]:
        """Return the vertices (type I error, least type II error) of testing q against p, type I ascending.

        The curve through them is convex; it starts at type I error 0 and ends at type II error 0.
        """
        alpha, beta = Fraction(0), 1 - self.infinite
        found = [(alpha, beta)]
        for at, weight in zip(self.ratios, self.q_weights, strict=True):
            alpha, beta = alpha + weight, beta - at * weight
            found.append((alpha, beta))
        return found

    def reversed(self) -> Profile:
        """Return the profile of q against p."""
        return Profile(
            tuple(1 / at for at in reversed(self.ratios)),
            tuple(
                at * weight
                for at, weight in zip(reversed(self.ratios), reversed(self.q_weights), strict=True)
            ),
            self.zero,
            self.infinite,
        )

    def compose(self, other: Profile) -> Profile:
        """Return the profile of the two pairs observed together, independently: ratios multiply, equal ones merge."""
        merged: dict[Fraction, Fraction] = {}
        for a, u in zip(self.ratios, self.q_weights, strict=True):
            for b, v in zip(other.ratios, other.q_weights, strict=True):
                merged[a * b] = merged.get(a * b, Fraction(0)) + u * v
        both = 1 - (1 - self.infinite) * (1 - other.infinite), 1 - (1 - self.zero) * (1 - other.zero)
        return _built(merged.items(), *both)

    def power(self, times: int) -> Profile:
        """Return the profile of `times` independent observations of this pair.

        Where all ratios are powers of one rational, this takes the n-th power of a polynomial by a recurrence of
        n times its degree steps; else it multiplies by repeated squaring.

        Raises: InputError unless times >= 1.
        """
        if type(times) is not int or times < 1:
            raise InputError(
                given=f"{times} compositions", needed="an int >= 1", remedy="give how many there are"
            )
        lattice = _lattice(self.ratios)
        if lattice is None:
            half = self if times == 1 else self.power(times // 2)
            whole = half if times == 1 else half.compose(half)
            return whole.compose(self) if times > 1 and times % 2 else whole
        base, exponents = lattice
        common = lcm(*(weight.denominator for weight in self.q_weights))
        coefficients = [0] * (exponents[0] - exponents[-1] + 1)
        for exponent, weight in zip(exponents, self.q_weights, strict=True):
            coefficients[exponent - exponents[-1]] = int(weight * common)
        powered = _polynomial_power(coefficients, times)
        least = times * exponents[-1]
        masses = ((base ** (least + j), Fraction(c, common**times)) for j, c in enumerate(powered) if c)
        return _built(masses, 1 - (1 - self.infinite) ** times, 1 - (1 - self.zero) ** times)


def profile(p: Dist, q: Dist) -> Profile:
    """Return the privacy profile of p against q.

    Raises: InputError where a law has a tail: its profile is not known.
    """
    if p.tail or q.tail:
        raise InputError(
            given="a law with a tail", needed="whole laws", remedy="write its loop with coins.loop"
        )
    ps, qs, common = aligned(p, q)
    merged: dict[Fraction, int] = {}
    infinite = 0
    for name, weight in ps.items():
        other = qs.get(name, 0)
        if other:
            ratio = Fraction(weight, other)
            merged[ratio] = merged.get(ratio, 0) + other
        else:
            infinite += weight
    zero = sum(weight for name, weight in qs.items() if name not in ps)
    masses = ((ratio, Fraction(weight, common)) for ratio, weight in merged.items())
    return _built(masses, Fraction(infinite, common), Fraction(zero, common))


def _built(masses: Iterable[tuple[Fraction, Fraction]], infinite: Fraction, zero: Fraction) -> Profile:
    ordered = sorted(masses, reverse=True)
    return Profile(tuple(at for at, _ in ordered), tuple(weight for _, weight in ordered), infinite, zero)


def _lattice(ratios: Sequence[Fraction]) -> tuple[Fraction, list[int]] | None:
    """Return (base, exponents) with ratios == base ** exponents, descending; None where there is no such base."""
    others = [ratio for ratio in ratios if ratio != 1]
    if not others:
        return (Fraction(2), [0] * len(ratios)) if ratios else None
    base = min(max(ratio, 1 / ratio) for ratio in others)
    exponents = []
    for ratio in ratios:
        large, sign = (ratio, 1) if ratio >= 1 else (1 / ratio, -1)
        exponent = 0
        while large > 1:
            large /= base
            exponent += 1
        if large != 1:
            return None
        exponents.append(sign * exponent)
    return base, exponents


def _polynomial_power(coefficients: Sequence[int], times: int) -> list[int]:
    """Return the coefficients of the polynomial's power; its lowest coefficient is not 0.

    From P Q' = n P' Q for Q = P^n: k a_0 c_k = sum over i >= 1 of (n i - k + i) a_i c_(k-i).
    """
    steps = [(i, a) for i, a in enumerate(coefficients) if i and a]
    lowest = coefficients[0]
    found = [lowest**times]
    for k in range(1, times * (len(coefficients) - 1) + 1):
        total = sum((times * i - k + i) * a * found[k - i] for i, a in steps if i <= k)
        found.append(total // (k * lowest))
    return found
