"""The decision of a claim about finitely many outcomes on ideal noise, at one epsilon, from the paths to them."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from dpcert.audit.ideal.compare import BITS, Exponentials, Sum, added, at, minus
from dpcert.audit.ideal.discrete.lattice import Chances, chances_of
from dpcert.audit.ideal.measure import Units
from dpcert.audit.ideal.stars import bounds_of, is_enclosed
from dpcert.audit.kernel.claim import Claim
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import key
from dpcert.mechanisms.ideal.path import Path
from dpcert.mechanisms.ideal.terms import Value, total

ROUNDED = 80
"""The bits of a reported bound."""
TOO_NEAR = "the bounds of probabilities are too near to the claim to tell; claim a little more, or less"


ALL: Sum = {Fraction(0): Fraction(1)}


Law = dict[Hashable, tuple[Any, int]]
"""The outcomes of an input by key, each with the number of its probability."""


@dataclass(slots=True)
class Probabilities:
    """All probabilities that occur, by number, with certified bounds; number 0 belongs to the impossible event.

    The sums are the probabilities times `whole`, a number above 0: another one has no bounds.
    """

    h: Fraction
    whole: Sum = field(default_factory=lambda: dict(ALL))
    exponentials: Exponentials = field(default_factory=Exponentials)
    numbers: dict[frozenset[Any], int] = field(default_factory=dict)
    sums: list[Sum] = field(default_factory=lambda: [{}])
    bounds: list[tuple[Fraction, Fraction]] = field(default_factory=lambda: [(Fraction(0), Fraction(0))])

    def number(self, value: Value) -> int:
        name = frozenset(value.items())
        if name not in self.numbers:
            found = at(value, self.h)
            self.numbers[name] = self._add(found) if found else 0
        return self.numbers[name]

    def enclosed_law(self, paths: Sequence[Path]) -> Law:
        """Return a law of probabilities of which only bounds are known; no two are taken for the same.

        Raises: ArithmeticError where the bounds of all do not sum to about 1.
        """
        found: dict[Hashable, tuple[Any, Fraction, Fraction]] = {}
        for path in paths:
            name, (low, high) = key(path.outcome), bounds_of(path)
            _, before_low, before_high = found.get(name, (None, Fraction(0), Fraction(0)))
            found[name] = path.outcome, before_low + low, before_high + high
        if not sum(low for _, low, _ in found.values()) <= 1 <= sum(high for _, _, high in found.values()):
            raise ArithmeticError("the probabilities of all paths do not sum to 1")
        law: Law = {}
        for name, (outcome, low, high) in found.items():
            self.sums.append({})
            self.bounds.append((rounded(low, up=False), rounded(high, up=True)))
            law[name] = outcome, len(self.sums) - 1
        return law

    def _enclosed(self, found: Sum) -> tuple[Fraction, Fraction]:
        """Return bounds of a sum above 0 that are near to each other.

        Raises: ArithmeticError for another sum.
        """
        if self.exponentials.sign(found) <= 0:
            raise ArithmeticError("a negative probability")
        bits = BITS
        low, high = self.exponentials.enclose(found, bits)
        while low <= 0 or (high - low) * (1 << BITS // 2) > low:
            bits *= 2
            low, high = self.exponentials.enclose(found, bits)
        return low, high

    def _add(self, found: Sum) -> int:
        low, high = self._enclosed(found)
        if self.whole != ALL:
            whole_low, whole_high = self._enclosed(self.whole)
            low, high = low / whole_high, high / whole_low
        self.sums.append(found)
        self.bounds.append((rounded(low, up=False), rounded(high, up=True)))
        return len(self.sums) - 1


def rounded(x: Fraction, *, up: bool, bits: int = ROUNDED) -> Fraction:
    """Return a number of about so many bits, not on the other side of x."""
    if x == 0 or x.denominator.bit_length() <= bits:
        return x
    shift = bits - x.numerator.bit_length() + x.denominator.bit_length()
    scaled = x * (Fraction(2) ** shift)
    whole = -((-scaled.numerator) // scaled.denominator) if up else scaled.numerator // scaled.denominator
    return whole / (Fraction(2) ** shift)


def laws_in(paths: Sequence[Sequence[Path]], chances: Chances, number: Callable[[Value], int]) -> list[Law]:
    """Return the law of each input.

    Raises: ArithmeticError where the probabilities of an input's paths do not sum to 1, as a formula in h.
    """
    laws: list[Law] = []
    for row, known in zip(paths, chances.rows, strict=True):
        values: dict[Hashable, list[Value]] = {}
        shown: dict[Hashable, Any] = {}
        for path, chance in zip(row, known, strict=True):
            name = key(path.outcome)
            values.setdefault(name, []).append(chance)
            shown[name] = path.outcome
        sums = {name: total(parts) for name, parts in values.items()}
        if total(sums.values()) != chances.whole:
            raise ArithmeticError("the probabilities of all paths do not sum to 1")
        laws.append({name: (shown[name], number(value)) for name, value in sums.items()})
    return laws


class Decision:
    """A claim at one epsilon and the laws that decide it."""

    def __init__(self, claim: Claim, paths: Sequence[Sequence[Path]], at_epsilon: Fraction = Fraction(1)) -> None:
        self.claim = claim
        self.epsilon, self.delta = claim.guarantee.epsilon, claim.guarantee.delta
        self.enclosed = is_enclosed(paths)
        if self.enclosed:
            self.known = Probabilities(at_epsilon)
            self.laws = [self.known.enclosed_law(row) for row in paths]
        else:
            units = Units.of(path for row in paths for path in row)
            chances = chances_of(paths, units)
            self.known = Probabilities(units.h(at_epsilon), at(chances.whole, units.h(at_epsilon)))
            self.laws = laws_in(paths, chances, self.known.number)
        self.paths = sum(map(len, paths))
        self.ratio = self.epsilon.exp_bounds(BITS)
        self.signs: dict[tuple[int, int], int] = {}
        self.parts: dict[tuple[int, int], tuple[Fraction, Fraction]] = {}

    def faced(self, a: int, b: int) -> list[tuple[Any, int, int]]:
        """Return the outcomes of input a with their probabilities, by number, on a and on b."""
        other = self.laws[b]
        return [(outcome, p, other[name][1] if name in other else 0) for name, (outcome, p) in self.laws[a].items()]

    def kind(self, a: int, b: int) -> tuple[tuple[int, int], ...]:
        """Return which probabilities face which others, each as often as it does."""
        return tuple(sorted((p, q) for _, p, q in self.faced(a, b) if p != q))

    def sign(self, p: int, q: int) -> int:
        """Return the sign of p - e^epsilon q, exactly."""
        if (p, q) not in self.signs:
            (p_lo, p_hi), (q_lo, q_hi) = self.known.bounds[p], self.known.bounds[q]
            if p_hi < self.ratio[0] * q_lo:
                found = -1
            elif p_lo > self.ratio[1] * q_hi:
                found = 1
            elif self.enclosed:
                raise Unauditable(TOO_NEAR)
            else:
                found = self.known.exponentials.sign(minus(self.known.sums[p], self.known.sums[q], self.epsilon))
            self.signs[p, q] = found
        return self.signs[p, q]

    def part(self, p: int, q: int, ratio: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
        """Return bounds of the positive part of p - e^epsilon q."""
        (p_lo, p_hi), (q_lo, q_hi) = self.known.bounds[p], self.known.bounds[q]
        return max(Fraction(0), p_lo - ratio[1] * q_hi), max(Fraction(0), p_hi - ratio[0] * q_lo)

    def divergence(self, a: int, b: int, ratio: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
        """Return bounds of the least delta of an ordered pair at an epsilon."""
        rows = [(p, q) for _, p, q in self.faced(a, b)]
        if ratio == self.ratio and not self.enclosed:
            rows = [(p, q) for p, q in rows if self.sign(p, q) > 0]
        parts = [self.part(p, q, ratio) for p, q in rows]
        return sum((low for low, _ in parts), Fraction(0)), sum((high for _, high in parts), Fraction(0))

    def violated(self, a: int, b: int, bounds: tuple[Fraction, Fraction]) -> bool:
        """Whether the claim fails on an ordered pair, exactly, where bounds of its least delta are known."""
        if bounds[1] <= self.delta:
            return False
        if bounds[0] > self.delta:
            return True
        if self.enclosed:
            raise Unauditable(TOO_NEAR)
        above = [(p, q) for _, p, q in self.faced(a, b) if self.sign(p, q) > 0]
        sums = [minus(self.known.sums[p], self.known.sums[q], self.epsilon) for p, q in above]
        return self.known.exponentials.sign(self._over_delta(sums)) > 0

    def _over_delta(self, sums: list[Sum]) -> Sum:
        return added([*sums, {s: -self.delta * c for s, c in self.known.whole.items()}])
