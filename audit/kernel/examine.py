"""The decision: every ordered pair of neighbours is examined, and only a whole examination says verified."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, NoReturn, Protocol

from dpcert.audit.kernel.certificate import SOURCES
from dpcert.audit.kernel.claim import Claim
from dpcert.audit.kernel.divergence import Table, decide_pair, decide_table, event_bounds
from dpcert.audit.kernel.neighbours import Neighbours
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.law import Law
from dpcert.mechanisms.exact.outcome import canonical, fresh, key, show

CHANGED = "computed a second time, a law differs"
NO_VIOLATION = "the witness does not violate the bound"
WIDTH = 512
FEW = 512
"""The most rows, equal ones counted once, of a table whose answer is kept for equal tables."""
OPEN = "a tail that was not enumerated, or a delta too near to tell, leaves it open"


def name_outcome(outcome: Any) -> str:
    """Return the SHA-256 of an outcome, by which witnesses name it."""
    return hashlib.sha256(canonical(outcome)).hexdigest()


def sound(law: Law) -> Law:
    """Return the law, if its weights and its tail sum to 1 and each weight stands under its outcome's key.

    For a subclass, it is the plain law with the same rows: no method of another class is called.

    Raises: Unauditable otherwise.
    """
    if not issubclass(type(law), Law):
        raise Unauditable(f"a {type(law).__name__} where the law of an input was needed")
    law = Law.like(law)
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
    """Neither verified nor refuted; the reason is one line."""

    claim: Claim
    reason: str


Verdict = Verified | Refuted | Undecided


_decided = lru_cache(128)(decide_table)


def marks(rows: Mapping[tuple[int, int], int], a: int, b: int) -> bool:
    """Whether the bit of one input is set in the rows of another."""
    return rows.get((a, b // WIDTH), 0) >> b % WIDTH & 1 == 1


class Answer(NamedTuple):
    """A source's law of the program or closed form that it `read`, on the input whose canonical bytes are `given`.

    `sources` are the names of all sources that the law rests on.
    """

    law: Law
    read: object
    given: bytes
    sources: tuple[str, ...]


class Program(Protocol):
    """The program, with its scope, against which a certificate is checked; the front door makes it.

    `read` is the program or its closed form; `limits` are those of its enumeration; `source` is handed `read` and a
    copy of an input.
    """

    name: str
    parameters: tuple[tuple[str, str], ...]
    inputs: tuple[Any, ...]
    neighbours: Neighbours
    observes: str
    limits: Any
    read: Any

    def source(self, read: Callable[..., Any], value: Any) -> Answer:
        """Return the law of `read` on `value`, computed afresh within the limits."""

    def assumptions(self) -> tuple[str, ...]:
        """Return the assumptions on the program, and those of the laws computed until now."""

    def sources(self) -> dict[str, str]:
        """Return the SHA-256 of each source file that the program imports, or executed until now."""

    def versions(self) -> dict[str, str]:
        """Return the versions of Python, of this package and of each package that the program imports."""


def own(answer: Answer, read: object, name: bytes, handed: Any, value: Any) -> Answer:
    """Return the answer of a law source that was handed a program and a copy of the input whose canonical bytes are
    `name`.

    Raises: Unauditable for an answer on another program or input, for a source that changed the input or the copy, and
            for a source that is not in the registry.
    """
    if type(answer) is not Answer or not answer.sources or not {*answer.sources} <= {*SOURCES}:
        raise Unauditable(f"a law source must answer with a law and its own name, one of {', '.join(SOURCES)}")
    if answer.read is not read or {canonical(value), canonical(handed), answer.given} != {name}:
        raise Unauditable(f"handed the input {show(value)}, the law source answered on another, or changed it")
    return answer


def ask(program: Program, value: Any) -> Answer:
    """Hand a program and a copy of an input to its law source, and return the answer.

    Raises: Unauditable as `own`.
    """
    read, name, handed = program.read, canonical(value), fresh(value)
    return own(program.source(read, handed), read, name, handed, value)


class Examination:
    """The examined part of a claim, in any order of pairs. It asks the program for laws by position, drops them, and
    asks for them again. `whole` marks the neighbours of each input by bits, WIDTH positions a row; `open` marks those
    of its pairs that are not yet decided. `sources` has the sources of each law.
    """

    def __init__(self, claim: Claim, program: Program) -> None:
        self.claim, self.program = claim, program
        self.open: dict[tuple[int, int], int] = {}
        for a, b in claim.pairs():
            self.open[a, b // WIDTH] = self.open.get((a, b // WIDTH), 0) | 1 << b % WIDTH
        self.whole = dict(self.open)
        self.pairs = sum(row.bit_count() for row in self.whole.values())
        self.held: dict[int, Law] = {}
        self.digests, self.sources = dict[int, str](), dict[int, tuple[str, ...]]()
        self.tail = Fraction(0)
        self.answers: dict[bool | None, int] = {True: 0, False: 0, None: 0}
        self.beyond: tuple[int, int] | None = None

    def left(self) -> int:
        """Return the number of pairs left to decide."""
        return self.pairs - sum(self.answers.values())

    def hold(self, position: int) -> Law:
        """Ask for the law of one input, as `ask` does, and hold it. A law asked for before must be the same again.

        Raises: Unauditable for a malformed law or another than before, and as `ask`.
        """
        read, value = self.program.read, self.claim.inputs[position]
        name, handed = canonical(value), fresh(value)  # before the source runs, which may change both of its arguments
        answer = own(self.program.source(read, handed), read, name, handed, value)
        law = sound(answer.law)
        digest, self.sources[position] = law.digest(), answer.sources
        if self.digests.setdefault(position, digest) != digest:
            raise Unauditable(CHANGED)
        self.held[position] = law
        self.tail = max(self.tail, law.tail)
        return law

    def pair(self, a: int, b: int) -> tuple[bool | None, Fraction, Fraction, Table]:
        """Decide one ordered pair from its two laws, which must be held; return the answer as `decide_pair` does, and
        the table that was decided. Equal tables of few rows are decided once.

        Raises: ValueError for a pair that is not one of the claim's, or was decided before.
        """
        if not marks(self.open, a, b):
            raise ValueError(f"pair {(a, b)} is no open pair of this examination")
        table, guarantee = Table.of(self.held[a], self.held[b]), self.claim.guarantee
        answer = (_decided if len(table.times) <= FEW else decide_table)(table, guarantee.epsilon, guarantee.delta)
        self.answers[answer[0]] += 1
        self.open[a, b // WIDTH] ^= 1 << b % WIDTH
        if answer[0] is not True:
            self.beyond = (a, b)
        return *answer, table

    def refute(self, witness: Witness) -> Refuted | Undecided:
        """Return the refutation if the event's exact probabilities, by laws that are held or asked for, confirm it.

        Raises: Unauditable for a malformed law or another than before.
        """
        claim, guarantee = self.claim, self.claim.guarantee
        if not marks(self.whole, witness.a, witness.b):
            return Undecided(claim, f"the witness names inputs {witness.a} and {witness.b}, which are no neighbours")
        p, q = (self.held[i] if i in self.held else self.hold(i) for i in (witness.a, witness.b))
        names = {name_outcome(outcome): (name, outcome) for law in (p, q) for name, outcome, _ in law.weights()}
        event = set(witness.event)
        if len(event) != len(witness.event) or not names.keys() >= event:
            return Undecided(claim, NO_VIOLATION)
        p_lo, q_hi = event_bounds(p, q, [names[name][0] for name in witness.event])
        both = Law.bernoulli(p_lo), Law.bernoulli(q_hi)  # whether the event happens
        if p_lo <= q_hi or decide_pair(*both, guarantee.epsilon, guarantee.delta)[0] is not False:
            return Undecided(claim, NO_VIOLATION)
        outcomes = tuple(names[name][1] for name in witness.event)
        return Refuted(claim, witness, claim.inputs[witness.a], claim.inputs[witness.b], outcomes, p_lo, q_hi)

    def verdict(self, again: Sequence[str] | None, assumptions: tuple[str, ...] = ()) -> Verified | Undecided:
        """Return Verified if every pair was examined and is within the bound, and a second computation gave these laws.

        `again` holds the digests of all laws from a second computation; it is None where there was none.
        """
        claim, laws = self.claim, tuple(digest for _, digest in sorted(self.digests.items()))
        if not claim.inputs:
            return Undecided(claim, "the scope is empty: there are no inputs")
        if not self.pairs:
            none = f"no two of {claim.inputs_words()} are {claim.neighbours.words}"
            return Undecided(claim, f"the scope is empty: {none}")
        if self.left() or self.answers[False] or sorted(self.digests) != list(range(len(claim.inputs))):
            return Undecided(claim, "not every pair was examined and within the bound")
        if self.answers[None] or (claim.guarantee.delta == 0 and self.tail > 0):
            return Undecided(claim, OPEN)
        if again is None:
            return Undecided(claim, "the laws were computed only once")
        if tuple(again) != laws:
            return Undecided(claim, CHANGED)
        return Verified(claim, self.pairs, self.tail, laws, assumptions)
