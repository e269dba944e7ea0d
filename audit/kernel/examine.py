"""The decision: every ordered pair of neighbours is examined, and only a whole examination says verified."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Container, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any, NoReturn

from dpcert.audit.kernel.claim import Claim
from dpcert.audit.kernel.divergence import PRECISIONS, decide_pair, event_bounds
from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import canonical, key

CHANGED = "computed a second time, a law differs: the program keeps hidden state"
BUDGET = 3 << 29
"""How many bytes of laws are held at once, about."""


def name_outcome(outcome: Any) -> str:
    """Return the SHA-256 of an outcome, by which witnesses name it."""
    return hashlib.sha256(canonical(outcome)).hexdigest()


def sound(law: Dist) -> Dist:
    """Return the law, if its weights and its tail make up the whole, each weight under its outcome's key.

    Raises: Unauditable otherwise.
    """
    if type(law) is not Dist:
        raise Unauditable(f"a {type(law).__name__} where the law of an input was needed")
    rows = list(law.weights())
    weights = [law.tail_weight, *(weight for _, _, weight in rows)]
    whole = all(type(weight) is int and weight >= 0 for weight in weights) and sum(weights) == law.denominator
    named = all(key(outcome) == name for name, outcome, _ in rows)
    if not (whole and named and type(law.denominator) is int and law.denominator > 0):
        raise Unauditable("a malformed law: build laws with Dist.of or Dist.from_weights")
    return law


def memory(law: Dist) -> int:
    """Return about how many bytes a law takes, by the longest of its first 100 outcomes."""
    longest = max((len(canonical(outcome)) for outcome in islice(law.outcomes(), 100)), default=0)
    return len(law) * (150 + 9 * longest + law.denominator.bit_length() // 8)


class _ThreeValued:
    """An answer without a truth value."""

    __slots__ = ()

    def __bool__(self) -> NoReturn:
        remedy = "ask isinstance(verdict, dpcert.Verified) or match on it"
        raise TypeError(f"a verdict has no truth value: 'not refuted' is not 'verified'; {remedy}")


@dataclass(frozen=True, slots=True)
class Witness:
    """Two neighbouring inputs, by position, and an event, as the hashes of its outcomes; no probabilities."""

    a: int
    b: int
    event: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verified(_ThreeValued):
    """The claim holds for every pair in its scope, under the stated assumptions."""

    claim: Claim
    pairs: int
    tail: Fraction
    laws: tuple[str, ...]
    assumptions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refuted(_ThreeValued):
    """The claim is false: on input a the event has probability >= p_lo, on its neighbour b <= q_hi, and
    p_lo > e^epsilon q_hi + delta."""

    claim: Claim
    witness: Witness
    a: Any
    b: Any
    event: tuple[Any, ...]
    p_lo: Fraction
    q_hi: Fraction


@dataclass(frozen=True, slots=True)
class Undecided(_ThreeValued):
    """Neither; the reason says why, in one line."""

    claim: Claim
    reason: str


Verdict = Verified | Refuted | Undecided


@dataclass(frozen=True, slots=True)
class Answer:
    """One ordered pair: whether it is within the guarantee (None: open), and bounds of its least delta."""

    a: int
    b: int
    within: bool | None
    delta_lo: Fraction
    delta_hi: Fraction


def _place(a: int, b: int) -> tuple[int, int]:
    """Return the row of an ordered pair, its later input, and its bit there: one for each distance and order."""
    return (b, 2 * (b - a) + 1) if a < b else (a, 2 * (a - b))


def _marks(rows: Mapping[int, int], a: int, b: int) -> bool:
    later, bit = _place(a, b)
    return rows.get(later, 0) >> bit & 1 == 1


def marked(later: int, row: int) -> list[tuple[int, int]]:
    """Return the ordered pairs that the row of an input marks, in the order of `Claim.pairs`."""
    bits = [bit for bit, digit in zip(reversed(range(row.bit_length())), f"{row:b}", strict=False) if digit == "1"]
    return [(later - bit // 2, later) if bit % 2 else (later, later - bit // 2) for bit in bits]


class Examination:
    """What has been examined of a claim; laws are handed in by position, and may be dropped and handed in again.

    Pairs are bits: `whole` has a row for each input that marks its pairs with earlier ones, `open` those of them that
    are left to decide. `last` is the last neighbour of each input.
    """

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.open: dict[int, int] = {}
        self.last: dict[int, int] = {}
        for a, b in claim.pairs():
            later, bit = _place(a, b)
            self.open[later] = self.open.get(later, 0) | 1 << bit
            self.last[a] = self.last[b] = later
        self.whole = dict(self.open)
        self.pairs = sum(row.bit_count() for row in self.whole.values())
        self.held: dict[int, Dist] = {}
        self.sizes: dict[int, int] = {}
        self.digests: dict[int, str] = {}
        self.tail = Fraction(0)
        self.answers: dict[bool | None, int] = {True: 0, False: 0, None: 0}

    def related(self, a: int, b: int) -> bool:
        """Whether (a, b) is an ordered pair of the claim."""
        return _marks(self.whole, a, b)

    def law(self, position: int, law: Dist) -> None:
        """Take the law of one input, and once more where it was dropped: the same.

        Raises: Unauditable for a malformed law or another than before, ValueError for one that is held.
        """
        if position in self.held:
            raise ValueError(f"the law of input {position} was handed in before")
        digest = sound(law).digest()
        if self.digests.setdefault(position, digest) != digest:
            raise Unauditable(CHANGED)
        self.held[position] = law
        self.sizes[position] = memory(law)
        self.tail = max(self.tail, law.tail)

    def pair(self, a: int, b: int) -> Answer:
        """Decide one ordered pair from its two laws, which must be held.

        Raises: ValueError for a pair that is none of the claim's, or was decided before.
        """
        if not _marks(self.open, a, b):
            raise ValueError(f"pair {(a, b)} is no open pair of this examination")
        guarantee = self.claim.guarantee
        within, lo, hi = decide_pair(self.held[a], self.held[b], guarantee.epsilon, guarantee.delta)
        self.answers[within] += 1
        later, bit = _place(a, b)
        self.open[later] ^= 1 << bit
        return Answer(a, b, within, lo, hi)

    def refute(self, witness: Witness, p: Dist, q: Dist) -> Refuted | None:
        """Return the refutation if the event's exact probabilities bear it out, else None.

        Raises: Unauditable for a malformed law.
        """
        if not self.related(witness.a, witness.b):
            return None
        names: dict[str, tuple[Hashable, Any]] = {}
        for law in (sound(p), sound(q)):
            names.update((name_outcome(outcome), (name, outcome)) for name, outcome, _ in law.weights())
        event = set(witness.event)
        if len(event) != len(witness.event) or not names.keys() >= event:
            return None
        p_lo, q_hi = event_bounds(p, q, [names[name][0] for name in witness.event])
        inputs, outcomes = self.claim.inputs, tuple(names[name][1] for name in witness.event)
        refuted = Refuted(self.claim, witness, inputs[witness.a], inputs[witness.b], outcomes, p_lo, q_hi)
        return refuted if self._exceeds(p_lo - self.claim.guarantee.delta, q_hi) else None

    def _exceeds(self, gap: Fraction, q_hi: Fraction) -> bool:
        """Whether gap > e^epsilon q_hi, as far as can be told."""
        epsilon = self.claim.guarantee.epsilon
        if q_hi == 0:
            return gap > 0
        ratio = gap / q_hi
        if epsilon.power_of_two_lo() > ratio.numerator.bit_length() - ratio.denominator.bit_length():
            return False
        bounds = map(epsilon.exp_bounds, PRECISIONS)
        return next((ratio > above for below, above in bounds if ratio > above or ratio <= below), False)

    def verdict(self, again: Sequence[str] | None, assumptions: tuple[str, ...] = ()) -> Verified | Undecided:
        """Return Verified if every pair was examined and within and a second computation found the same laws.

        `again` holds the digests of all laws as computed a second time, None where they were not.
        """
        claim, laws = self.claim, tuple(digest for _, digest in sorted(self.digests.items()))
        if not claim.inputs:
            return Undecided(claim, "the scope is empty: there are no inputs")
        if not self.pairs:
            words = f"no two of {claim.inputs_words()} are {claim.neighbours.words}"
            return Undecided(claim, f"the scope is empty: {words}")
        if any(self.open.values()) or self.answers[False] or sorted(self.digests) != list(range(len(claim.inputs))):
            return Undecided(claim, "not every pair was examined and within the bound")
        if self.answers[None] or (claim.guarantee.delta == 0 and self.tail > 0):
            return Undecided(claim, self._tail_reason())
        if again is None:
            return Undecided(claim, "the laws were computed only once")
        if tuple(again) != laws:
            return Undecided(claim, CHANGED)
        return Verified(claim, self.pairs, self.tail, laws, assumptions)

    def _tail_reason(self) -> str:
        if self.tail == 0:
            return f"delta is met to within 2^-{PRECISIONS[-1]}: too near to tell; claim a little more"
        pure = "" if self.claim.guarantee.delta else "pure differential privacy is never verified with one; "
        remedy = "write the loop with coins.loop or coins.fold, or raise --max-runs"
        bits = max(0, self.tail.denominator.bit_length() - 1 - self.tail.numerator.bit_length())
        return f"a tail of at most 2^-{bits} was not enumerated: {pure}{remedy}"


def stream(
    examination: Examination, law_of: Callable[[int], Dist], *, budget: int = BUDGET
) -> Iterator[tuple[Answer, Dist, Dist]]:
    """Examine every pair, keeping each law only as long as a later pair needs it.

    Each law is asked for once, in the order of the pairs, while those held take less than the budget, in bytes. From
    then on they are the block of this pass: every other law is asked for, meets the block's, and is dropped. Further
    passes are for the pairs that are left.
    """
    held, last = examination.held, examination.last
    while any(examination.open.values()):
        block: Container[int] = last
        for j, row in list(examination.open.items()):
            for a, b in marked(j, row):
                i = a + b - j
                if i not in block and j not in block:
                    continue
                for k in (a, b):
                    if k not in held:
                        examination.law(k, law_of(k))
                        if block is last and sum(examination.sizes[h] for h in held) >= budget:
                            block = frozenset(held)
                yield examination.pair(a, b), held[a], held[b]
                if a > b and (last[i] == j or i not in block):
                    del held[i]
            if j in held and (last[j] == j or j not in block):
                del held[j]
    for i in sorted(set(range(len(examination.claim.inputs))) - examination.digests.keys()):
        examination.law(i, law_of(i))
        del held[i]
