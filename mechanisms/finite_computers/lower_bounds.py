"""Lower bounds on the error of every private histogram: as printed, and exactly, by the packing behind the print."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import count

from dpcert.mechanisms.epsilons import at_most, scaled
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.number import exact, need


@dataclass(frozen=True, slots=True)
class ErrorLowerBounds:
    """The least integers a that two forms of a lower bound allow: the printed form, and its packing argument.

    Both are about every (epsilon, delta)-private mechanism of (a, beta)-accuracy; the packing excludes more.
    """

    printed: int
    packing: int


@dataclass(frozen=True, slots=True)
class _Setting:
    """The guarantee, the failure probability and the number of rows, checked."""

    epsilon: Epsilon
    delta: Fraction
    beta: Fraction
    n: int

    @classmethod
    def of(cls, epsilon: object, delta: object, beta: object, n: int) -> _Setting:
        setting = cls(Epsilon.of(epsilon), exact(delta, "delta"), exact(beta, "beta"), n)
        need(setting.epsilon != Epsilon.of(0), "epsilon = 0", "an epsilon > 0", "write '1/10'")
        need(0 <= setting.delta <= 1, setting.delta, "a delta in [0, 1]", "write '1e-6'")
        need(0 < setting.beta <= Fraction(1, 2), setting.beta, "a beta above 0, at most 1/2", "write '1/10'")
        need(type(n) is int and n >= 1, n, "an int n >= 1", "give the number of rows")
        return setting

    def printed(self, power: int, x: Fraction) -> int:
        """Return the least integer a >= min{ln(x)/(power epsilon) - 1, ln(epsilon/(4 delta))/epsilon - 1, n}/2."""

        def open_at(a: int) -> bool:
            m = 2 * a + 1
            return 2 * a >= self.n or self._reaches(power * m, x) or self._exceeds_delta(m)

        return next(a for a in count() if open_at(a))

    def _reaches(self, m: int, x: Fraction) -> bool:
        return x <= 1 or at_most(Epsilon.ln(x), scaled(self.epsilon, m))

    def _exceeds_delta(self, m: int) -> bool:
        """Whether 4 delta e^(m epsilon) >= epsilon, both as exponents of e, refined until it is decided.

        They are not equal for rational epsilon (Lindemann); for epsilon = ln r both sides are known.
        """
        if self.delta == 0:
            return False
        bits = 64
        while True:
            lo, hi = scaled(self.epsilon, m).exp_bounds(bits)
            if at_most(self.epsilon, Epsilon.of(4 * self.delta * lo)):
                return True
            if lo == hi or not at_most(self.epsilon, Epsilon.of(4 * self.delta * hi)):
                return False
            bits *= 2

    def excluded(self, m: int, many: int, few: Fraction) -> bool:
        """Whether many ((1 - beta) - delta (1 + E + ... + E^(m-1))) > few E^m, for E = e^epsilon.

        By group privacy over m rows, at its exact delta: take one event for each of `many` inputs, of probability >= 1
        - beta there. On the input from which all these differ in m rows, the probabilities of the events sum to more
        than `few`.
        """
        bits = 64
        while True:
            lo, hi = self.epsilon.exp_bounds(bits)
            if self._gap(hi, m, many, few) > 0:
                return True
            if self._gap(lo, m, many, few) <= 0:
                return False
            bits *= 2

    def _gap(self, ratio: Fraction, m: int, many: int, few: Fraction) -> Fraction:
        power = ratio**m
        group = (power - 1) / (ratio - 1) if ratio > 1 else Fraction(m)
        return many * (1 - self.beta - self.delta * group) - few * power

    def least(self, excluded: Callable[[int], bool]) -> int:
        """Return the least a that is not excluded; no packing excludes an a of at least n/2."""
        return next(a for a in count() if 2 * a >= self.n or not excluded(a))


def per_query_least(*, epsilon: object, delta: object, beta: object, n: int) -> ErrorLowerBounds:
    """Return the least a for (a, beta)-per-query accuracy, of any histogram over two labels or more.

    Requires: 0 < beta <= 1/2; the printed form is for beta < 1/2 only.
    Source:   finite-computers, Theorem 7.1 i: a >= min{ln(1/(4 beta))/e - 1, ln(e/(4 delta))/e - 1, n}/2.
    Raises:   InputError for values that are none.
    """
    setting = _Setting.of(epsilon, delta, beta, n)
    printed = setting.printed(1, 1 / (4 * setting.beta))
    return ErrorLowerBounds(printed, setting.least(lambda a: setting.excluded(2 * a + 1, 1, setting.beta)))


def simultaneous_least(*, epsilon: object, delta: object, beta: object, n: int, universe: int) -> ErrorLowerBounds:
    """Return the least a for (a, beta)-simultaneous accuracy, of any histogram over that many labels.

    Requires: universe >= 2; 0 < beta <= 1/2.
    Source:   finite-computers, Theorem 7.1 ii: the first term is ln((universe - 1)/(4 beta))/epsilon - 1.
    Raises:   InputError for values that are none.
    """
    setting = _Setting.of(epsilon, delta, beta, n)
    need(type(universe) is int and universe >= 2, universe, "an int universe >= 2", "give the number of labels")
    printed = setting.printed(1, (universe - 1) / (4 * setting.beta))
    return ErrorLowerBounds(printed, setting.least(lambda a: setting.excluded(2 * a + 1, universe - 1, setting.beta)))


def sparse_least(
    *, epsilon: object, delta: object, beta: object, n: int, universe: int, outputs: int
) -> ErrorLowerBounds:
    """Return the least a for (a, beta)-per-query accuracy, of any histogram that releases at most `outputs` labels.

    Requires: universe >= 2, outputs >= 1; 0 < beta <= 1/2.
    Source:   finite-computers, Theorem 7.2: the first term is ln(universe/(16 beta outputs))/(2 epsilon) - 1.
    Raises:   InputError for values that are none.
    """
    setting = _Setting.of(epsilon, delta, beta, n)
    need(type(universe) is int and universe >= 2, universe, "an int universe >= 2", "give the number of labels")
    need(type(outputs) is int and outputs >= 1, outputs, "an int outputs >= 1", "give the most labels released")
    printed = setting.printed(2, universe / (16 * setting.beta * outputs))

    def excluded(a: int) -> bool:
        """Whether one of the two packings excludes a: that of few outputs, or that of Theorem 7.1 i.

        With a = 0 a label of one row must be released, so 1 row moves, not 2a.
        """
        many_released = setting.excluded(max(1, 2 * a), universe, Fraction(outputs))
        return many_released or setting.excluded(2 * a + 1, 1, setting.beta)

    return ErrorLowerBounds(printed, setting.least(excluded))
