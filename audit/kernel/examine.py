"""The decision: every ordered pair of neighbours is examined, and only a whole examination says verified."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NoReturn

from dpcert.audit.kernel.claim import Claim
from dpcert.audit.kernel.divergence import PRECISIONS, decide_pair, event_bounds
from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import canonical, key


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


class _ThreeValued:
    """An answer without a truth value."""

    __slots__ = ()

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "a verdict has no truth value: 'not refuted' is not 'verified'; "
            "ask isinstance(verdict, dpcert.Verified) or match on it"
        )


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


class Examination:
    """What has been examined of a claim; laws are handed in by position and dropped after their last pair."""

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.pairs = claim.pairs()
        self.open: dict[tuple[int, int], None] = dict.fromkeys(self.pairs)
        self.held: dict[int, Dist] = {}
        self.digests: dict[int, str] = {}
        self.tail = Fraction(0)
        self.violated: list[tuple[int, int]] = []
        self.tailed: list[tuple[int, int]] = []

    def law(self, position: int, law: Dist) -> None:
        """Take the law of one input, once.

        Raises: Unauditable for a malformed law, ValueError for a second one.
        """
        if position in self.digests:
            raise ValueError(f"the law of input {position} was handed in before")
        self.held[position] = sound(law)
        self.digests[position] = law.digest()
        self.tail = max(self.tail, law.tail)

    def pair(self, a: int, b: int) -> Answer:
        """Decide one ordered pair from its two laws, which must be held.

        Raises: ValueError for a pair that is none of the claim's, or was decided before.
        """
        if (a, b) not in self.open:
            raise ValueError(f"pair {(a, b)} is no open pair of this examination")
        guarantee = self.claim.guarantee
        within, lo, hi = decide_pair(self.held[a], self.held[b], guarantee.epsilon, guarantee.delta)
        del self.open[a, b]
        if within is False:
            self.violated.append((a, b))
        elif within is not True:
            self.tailed.append((a, b))
        return Answer(a, b, within, lo, hi)

    def refute(self, witness: Witness, p: Dist, q: Dist) -> Refuted | None:
        """Return the refutation if the event's exact probabilities bear it out, else None.

        Raises: Unauditable for a malformed law.
        """
        if (witness.a, witness.b) not in self.pairs:
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
        for bits in PRECISIONS:
            below, above = epsilon.exp_bounds(bits)
            if ratio > above or ratio <= below:
                return ratio > above
        return False

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
        if self.open or self.violated or sorted(self.digests) != list(range(len(claim.inputs))):
            return Undecided(claim, "not every pair was examined and within the bound")
        if self.tailed or (claim.guarantee.delta == 0 and self.tail > 0):
            return Undecided(claim, self._tail_reason())
        if again is None:
            return Undecided(claim, "the laws were computed only once")
        if tuple(again) != laws:
            return Undecided(claim, "computed a second time, a law differs: the program keeps hidden state")
        return Verified(claim, len(self.pairs), self.tail, laws, assumptions)

    def _tail_reason(self) -> str:
        if self.tail == 0:
            return f"delta is met to within 2^-{PRECISIONS[-1]}: too near to tell; claim a little more"
        pure = "" if self.claim.guarantee.delta else "pure differential privacy is never verified with one; "
        return (
            f"a tail of at most 2^-{_bits(self.tail)} was not enumerated: {pure}"
            "write the loop with coins.loop or coins.fold, or raise --max-runs"
        )


def _bits(tail: Fraction) -> int:
    """Return a k with tail <= 2^-k, for 0 < tail <= 1."""
    return max(0, tail.denominator.bit_length() - 1 - tail.numerator.bit_length())


def stream(examination: Examination, law_of: Callable[[int], Dist]) -> Iterator[tuple[Answer, Dist, Dist]]:
    """Examine every pair, asking for each law once and keeping it only as long as a later pair needs it."""
    last = {i: position for position, pair in enumerate(examination.pairs) for i in pair}
    held = examination.held
    for position, (a, b) in enumerate(examination.pairs):
        for i in (a, b):
            if i not in held:
                examination.law(i, law_of(i))
        yield examination.pair(a, b), held[a], held[b]
        for i in (a, b):
            if last[i] == position:
                del held[i]
    for i in range(len(examination.claim.inputs)):
        if i not in last:
            examination.law(i, law_of(i))
            del held[i]
