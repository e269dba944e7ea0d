"""Signs and enclosures of values: sums of c h^i e^(h b) at one rational h.

At a rational h such a number is a sum of C e^s with rational C and distinct rational s. By the theorem of Lindemann
and Weierstrass it is 0 only where every C is 0; so its sign is always found.
"""

from dataclasses import dataclass, field
from fractions import Fraction

from dpcert.mechanisms.exact.epsilon import Epsilon, exp_near
from dpcert.mechanisms.ideal.terms import Number, Value

BITS = 128
Sum = dict[Fraction, Fraction]
"""A sum of C e^s, as {s: C}."""


@dataclass(slots=True)
class Exponentials:
    """Enclosures of e^s for rational s, kept by precision."""

    known: dict[tuple[Fraction, int], tuple[Fraction, Fraction]] = field(default_factory=dict)

    def bounds(self, s: Fraction, bits: int) -> tuple[Fraction, Fraction]:
        """Return rational numbers lo <= e^s <= hi with hi - lo <= lo 2^-bits, or nearly that for s < 0."""
        if s == 0:
            return Fraction(1), Fraction(1)
        found = self.known.get((s, bits))
        if found is None:
            lo, hi, width = exp_near(abs(s), bits)
            if s > 0:
                found = Fraction(lo, 1 << width), Fraction(hi, 1 << width)
            else:  # rounded to a power of two, so that denominators stay short
                place = bits + hi.bit_length()
                found = (
                    Fraction((1 << (width + place)) // hi, 1 << place),
                    Fraction(-((-1 << (width + place)) // lo), 1 << place),
                )
            self.known[s, bits] = found
        return found

    def enclose(self, sum_: Sum, bits: int = BITS) -> tuple[Fraction, Fraction]:
        low = high = Fraction(0)
        for s, c in sum_.items():
            lo, hi = self.bounds(s, bits)
            low += c * (lo if c > 0 else hi)
            high += c * (hi if c > 0 else lo)
        return low, high

    def sign(self, sum_: Sum) -> int:
        """Return the sign of a sum, exactly."""
        kept = {s: c for s, c in sum_.items() if c}
        if not kept:
            return 0
        if all(c > 0 for c in kept.values()) or all(c < 0 for c in kept.values()):
            return 1 if next(iter(kept.values())) > 0 else -1
        bits = BITS
        while True:
            low, high = self.enclose(kept, bits)
            if low > 0 or high < 0:
                return 1 if low > 0 else -1
            bits *= 2


def at(value: Value, h: Fraction) -> Sum:
    """Return a value at a rational h."""
    found: Sum = {}
    for (i, b), c in value.items():
        s = h * b
        found[s] = found.get(s, Fraction(0)) + c * h**i
    return {s: c for s, c in found.items() if c}


def minus(x: Sum, y: Sum, epsilon: Epsilon) -> Sum:
    """Return x - e^epsilon y."""
    found = dict(x)
    for s, c in y.items():
        place = s + epsilon.rational
        found[place] = found.get(place, Fraction(0)) - epsilon.ratio * c
    return {s: c for s, c in found.items() if c}


def added(sums: list[Sum], constant: Number = 0) -> Sum:
    """Return the sum of sums and a constant."""
    found: Sum = {Fraction(0): Fraction(constant)}
    for item in sums:
        for s, c in item.items():
            found[s] = found.get(s, Fraction(0)) + c
    return {s: c for s, c in found.items() if c}
