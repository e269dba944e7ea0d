"""Undecided integers, split as far as a question needs.

A `Node` is an interval of integers, or a number in mixed radix over two such coordinates, which is how `u % m` is
followed and how an arithmetic progression is kept.
"""

from __future__ import annotations

from collections.abc import Callable

from dpcert.mechanisms.exact.run import Run


class Node:
    """An undecided integer: uniform on [lo, hi], or radix * high + low + shift with independent high and low."""

    __slots__ = ("hi", "high", "id", "lo", "low", "radix", "run", "shift")

    def __init__(self, run: Run, lo: int, hi: int) -> None:
        self.run = run
        self.lo = lo
        self.hi = hi
        self.radix = 0  # an interval
        self.id = run.nodes
        run.nodes += 1

    def become(self, radix: int, high: Node, low: Node, shift: int) -> Node:
        """Be radix * high + low + shift, for independent coordinates with low in [0, radix); return this node."""
        self.radix, self.high, self.low, self.shift = radix, high, low, shift
        return self

    def least(self) -> int:
        """Return the least value still possible."""
        return self.radix * self.high.least() + self.low.least() + self.shift if self.radix else self.lo

    def greatest(self) -> int:
        """Return the greatest value still possible."""
        return self.radix * self.high.greatest() + self.low.greatest() + self.shift if self.radix else self.hi

    def count(self) -> int:
        """Return how many values are still possible; each is equally likely."""
        return self.high.count() * self.low.count() if self.radix else self.hi - self.lo + 1

    def pick(self, choose: Callable[[int, int], int]) -> int:
        """Return a possible value, choosing each interval's with `choose(lo, hi)`."""
        if self.radix:
            return self.radix * self.high.pick(choose) + self.low.pick(choose) + self.shift
        return choose(self.lo, self.hi)

    def at_most(self, bound: int) -> bool:
        """Decide whether the value is <= bound, splitting undecided intervals with exact weights."""
        if self.radix:
            quotient, remainder = divmod(bound - self.shift, self.radix)
            if remainder < self.low.greatest() and self.high.at_most(quotient - 1):
                return True
            if remainder < self.low.least():
                return False
            return self.high.at_most(quotient) and self.low.at_most(remainder)
        lo, hi = self.lo, self.hi
        if bound < lo or hi <= bound:
            return hi <= bound
        if self.run.split((self.id, bound), (bound - lo + 1, hi - bound), hi - lo + 1) == 0:
            self.hi = bound
            return True
        self.lo = bound + 1
        return False

    def modulo(self, shift: int, modulus: int) -> tuple[Node, int] | None:
        """Return (node, c) with (self + shift) % modulus == node + c, or None where that cannot be followed."""
        if not self.radix:
            return self._modulo_interval(shift, modulus)
        offset = self.shift + shift
        if offset % self.radix == 0:
            if self.radix % modulus == 0:
                return self.low.modulo(0, modulus)
            high = None if modulus % self.radix else self.high.modulo(offset // self.radix, modulus // self.radix)
            if high is not None:
                node, constant = high
                return Node(self.run, 0, 0).become(self.radix, node, self.low, self.radix * constant), 0
        return None

    def _modulo_interval(self, shift: int, modulus: int) -> tuple[Node, int]:
        """Do so for an interval, after deciding whether the value is in a block that an end of the interval cuts."""
        if head := (self.lo + shift) % modulus:
            self.at_most(self.lo + modulus - head - 1)
        self.at_most(self.hi - (self.hi + shift + 1) % modulus)
        first, last = (self.lo + shift) // modulus, (self.hi + shift) // modulus
        if first == last:
            return self, shift - modulus * first
        self.become(modulus, Node(self.run, first, last), Node(self.run, 0, modulus - 1), -shift)
        return self.low, 0
