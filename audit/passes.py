"""The order in which pairs are examined, chosen to keep few laws in memory. Nothing here is trusted.

The kernel asks for each law itself, and counts the pairs. A wrong order can only use too much memory, or leave a claim
undecided.
"""

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, islice

from dpcert.audit.kernel.divergence import Table
from dpcert.audit.kernel.examine import WIDTH, Examination, marks
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.outcome import canonical

BUDGET = 3 << 29
"""About the number of bytes of laws that are held at once."""


@dataclass(frozen=True, slots=True)
class PairBounds:
    """One ordered pair: whether it is within the guarantee (None: open), bounds of its least delta, and its table."""

    a: int
    b: int
    within: bool | None
    delta_lo: Fraction
    delta_hi: Fraction
    table: Table


def memory(law: Dist) -> int:
    """Return about how many bytes a law takes, by the longest of its first 100 outcomes."""
    longest = max((len(canonical(outcome)) for outcome in islice(law.outcomes(), 100)), default=0)
    return len(law) * (150 + 9 * longest + law.denominator.bit_length() // 8)


def columns_of(rows: Mapping[tuple[int, int], int]) -> dict[int, list[int]]:
    """Return, for each input that has neighbours, in order, the columns of its rows of bits."""
    found: dict[int, list[int]] = {}
    for a, column in sorted(rows):
        found.setdefault(a, []).append(column)
    return found


def marked(row: int, column: int) -> list[int]:
    """Return the positions that a row of bits marks, in order."""
    return [column * WIDTH + place for place, bit in enumerate(reversed(f"{row:b}")) if bit == "1"]


def examined(examination: Examination, *, budget: int = BUDGET) -> Iterator[int | PairBounds]:
    """Examine every pair that is left, in both orders, keeping each law only as long as a later pair needs it.

    Yield the position of each law that is needed next, which the caller holds, and the bounds of each pair. Each law is
    asked for once, in the order of the later inputs of the pairs, while those held take less than the budget, in bytes.
    From then on they are the block of this pass: every other law is asked for, compared with each of the block, and
    dropped. Further passes decide the pairs that are left. Both laws of a pair are held when its bounds are yielded.
    """
    held, whole = examination.held, examination.whole
    columns = columns_of(whole)
    last = {i: max(i, marked(whole[i, found[-1]], found[-1])[-1]) for i, found in columns.items()}
    sizes = {i: memory(Dist.like(law)) for i, law in held.items()}
    while examination.left():
        block: Container[int] = last
        for j, found in columns.items():
            for i in chain.from_iterable(marked(whole[j, column], column) for column in found):
                if i > j:
                    break
                pairs = [pair for pair in ((i, j), (j, i)) if marks(examination.open, *pair)]
                if not pairs or (i not in block and j not in block):
                    continue
                for k in (i, j):
                    if k not in held:
                        yield k  # the caller holds the law before it asks for the next step
                        sizes[k] = memory(Dist.like(held[k]))
                        if block is last and sum(sizes[h] for h in held) >= budget:
                            block = frozenset(held)
                for a, b in pairs:
                    yield PairBounds(a, b, *examination.pair(a, b))
                if last[i] == j or i not in block:
                    del held[i]
            if j in held and (last[j] == j or j not in block):
                del held[j]
    for i in sorted(set(range(len(examination.claim.inputs))) - examination.digests.keys()):
        yield i
        del held[i]
