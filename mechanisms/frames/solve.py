"""A Markov chain of states, discovered best first, and the law of its ends: exact, or from below with a tail."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from fractions import Fraction

from dpcert.mechanisms.exact.chain import absorb
from dpcert.mechanisms.exact.run import ONE_BIT

START = ("start",)
STEP = 16 * ONE_BIT
MAX_EXACT = 2_000  # states of a chain that is solved over the rationals where it is closed
MAX_CUT = 300  # and where it is not
MAX_LAYERS = 20_000

Moves = dict[Hashable, Fraction]
Expand = Callable[[Hashable, int], Moves]  # from a state, and the bits that what follows it is worth


@dataclass(frozen=True, slots=True)
class Ends:
    """The law of a chain's ends: lower bounds of the probability of each end, and the missing mass as `tail`."""

    masses: dict[Hashable, Fraction]
    tail: Fraction


@dataclass(slots=True)
class Chain:
    """States by name, each with its moves; a name for which `is_end` holds has none.

    The expanded states are those that some path of probability at least 2^-b reaches, for b = 16, 32, .... They depend
    on the chain alone, so another order of discovery gives the same law.
    """

    expand: Expand
    is_end: Callable[[Hashable], bool]
    max_tail: Fraction
    moves: dict[Hashable, Moves] = field(default_factory=dict)

    def solve(self, *, closed_only: bool = False) -> Ends:
        """Return the law of the ends: exact where finitely many states are reached, else from below.

        With `closed_only`, a chain that does not close within the same depth has no ends and all is tail.
        """
        bits = bits_of(self.max_tail)
        least = (bits + 4) * ONE_BIT
        depths: dict[Hashable, int] = {START: 0}
        heap: list[tuple[int, int, Hashable]] = [(0, 0, START)]
        limit, count = 0, 0
        best = Ends({}, Fraction(1))
        while heap:
            limit = limit + STEP if limit >= least else min(limit + STEP, least)
            while heap and heap[0][0] <= limit:
                depth, _, name = heapq.heappop(heap)
                if name in self.moves or depth > depths[name]:
                    continue
                self.moves[name] = self.expand(name, max(bits + 8 - (depth >> 16), 0))
                for after, mass in self.moves[name].items():
                    further = depth + log2(mass.denominator) - log2(mass.numerator)
                    if not self.is_end(after) and further < depths.get(after, further + 1):
                        depths[after] = further
                        count += 1
                        heapq.heappush(heap, (further, count, after))
            heap = [entry for entry in heap if entry[2] not in self.moves]
            heapq.heapify(heap)
            if heap and limit >= least:
                if closed_only:
                    return best
                best, before = self._cut(bits), best
                if best.tail <= self.max_tail or best.tail * 2 > before.tail:
                    return best
        lossless = all(sum(out.values()) == 1 for out in self.moves.values())
        if not lossless or len(self.moves) > MAX_EXACT:
            return self._cut(bits)
        return self._ends(absorb({name: dict(out) for name, out in self.moves.items()}, START))

    def _ends(self, masses: Moves) -> Ends:
        ends = {name: mass for name, mass in masses.items() if self.is_end(name) and mass}
        return Ends(ends, 1 - sum(ends.values(), Fraction(0)))

    def _cut(self, bits: int) -> Ends:
        """Return the ends with every probability rounded down to a multiple of 2^-(bits + 64), or finer."""
        grid = 1 << (bits + 64)
        known: dict[Hashable, Moves] = {}
        for name, out in self.moves.items():
            there = {after: mass for after, mass in out.items() if after in self.moves or self.is_end(after)}
            kept = {after: _down(mass, grid) for after, mass in there.items()}
            known[name] = {after: mass for after, mass in kept.items() if mass}
        masses = absorb(known, START) if len(known) <= MAX_CUT else self._forward(known, grid)
        return self._ends({name: _down(mass, grid) for name, mass in masses.items()})

    def _forward(self, moves: dict[Hashable, Moves], grid: int) -> Moves:
        """Return what reaches each end, layer by layer in multiples of 1 / grid, rounded down."""
        place = {name: i for i, name in enumerate(moves)}
        ends = {
            after: i
            for i, after in enumerate({after: None for out in moves.values() for after in out if self.is_end(after)})
        }
        shift, ended = grid.bit_length() - 1, [0] * len(ends)
        rows = []
        for out in moves.values():
            inner: list[tuple[int, int, int]] = []  # in multiples of 1 / grid where that is exact, else a fraction
            outer: list[tuple[int, int, int]] = []
            for after, p in out.items():
                n, d = (
                    (p.numerator * (grid // p.denominator), 0)
                    if not grid % p.denominator
                    else (p.numerator, p.denominator)
                )
                if after in ends:
                    outer.append((ends[after], n, d))
                else:
                    inner.append((place[after], n, d))
            rows.append((inner, outer))
        layer = [0] * len(rows)
        layer[place[START]] = grid
        stop = int(grid * self.max_tail) // 16
        for _ in range(MAX_LAYERS):
            if sum(layer) <= stop:
                break
            further = [0] * len(rows)
            for mass, (inner, outer) in zip(layer, rows, strict=True):
                if mass:
                    for i, n, d in inner:
                        further[i] += mass * n // d if d else mass * n >> shift
                    for i, n, d in outer:
                        ended[i] += mass * n // d if d else mass * n >> shift
            layer = further
        return {name: Fraction(ended[i], grid) for name, i in ends.items() if ended[i]}


def log2(n: int) -> int:
    """Return about 2^16 log2(n), to within 1 or 2, an integer that depends on n alone.

    Chains are hundreds of steps long: what a step is wrong by adds up, and the states that are cut off with it.
    """
    length = n.bit_length()
    mantissa = n << (64 - length) if length <= 64 else n >> (length - 64)
    found = length - 1
    for _ in range(16):
        mantissa = mantissa * mantissa >> 63
        found <<= 1
        if mantissa >> 64:
            mantissa >>= 1
            found += 1
    return found


def bits_of(tail: Fraction) -> int:
    """Return b >= 8 with 2^-b <= tail, one bit more than needed at most."""
    return max(tail.denominator.bit_length() - tail.numerator.bit_length() + 1, 8)


def _down(mass: Fraction, grid: int) -> Fraction:
    """Return a probability rounded down to a multiple of 1 / grid, unless its denominator is no larger than that."""
    return mass if mass.denominator <= grid else Fraction(mass.numerator * grid // mass.denominator, grid)
