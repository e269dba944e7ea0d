"""Theorems for inputs without end, or too many: the claims of each, and the finite claims that are enough.

Search proposes hints. The premises are computed from the claim and the hints, never taken from a file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from dpcert.audit.between import Between
from dpcert.audit.kernel.claim import ApproxDP
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.audit.profile import Profile
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import DpcertError, InputError
from dpcert.mechanisms.mechanism import Mechanism


class Unfounded(DpcertError):
    """A claim does not follow from these hints; the line says why."""


@dataclass(frozen=True, slots=True)
class UnboundedClaim:
    """A built-in mechanism, at settings that mean inputs without end, has a guarantee for a neighbour relation.

    `law_source` says where the laws of premises come from: the program, where a premise allows it, or the closed form.
    """

    mechanism: str
    parameters: Mapping[str, str]
    guarantee: ApproxDP
    neighbours: str
    law_source: str


@dataclass(frozen=True, slots=True)
class Premise:
    """One finite claim, for the kernel: a built-in mechanism at these settings has this guarantee for its inputs.

    `closed` says that its laws come from the closed form, whatever was asked. `refutes` says that the claim on all
    inputs is false if this premise is.
    """

    mechanism: str
    settings: tuple[tuple[str, str], ...]
    guarantee: ApproxDP
    neighbours: str
    closed: bool = False
    refutes: bool = False


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The conclusion once every premise is verified: a sentence, its inputs in words, and its assumptions."""

    theorem: str
    sentence: str
    inputs: str
    premises: tuple[Premise, ...]
    assumptions: tuple[str, ...]


class LeastBounds(NamedTuple):
    """Bounds of the least delta at the claimed epsilon, and of the least epsilon at the claimed delta.

    `epsilon_hi` is None where no finite epsilon is known to do.
    """

    delta_lo: Fraction
    delta_hi: Fraction
    epsilon_lo: Epsilon
    epsilon_hi: Epsilon | None


@dataclass(frozen=True, slots=True)
class HintCandidate:
    """Hints, as JSON data, from which a claim follows if their premises are verified; and measurements.

    Without `bounds`, the first premise is about inputs of the claim itself, so that all inputs need its delta; and a
    delta that is enough for every premise is enough for all inputs. `pairs` is how many ordered pairs the claim is
    about, if finitely many.
    """

    hints: dict[str, Any]
    bounds: LeastBounds | None = None
    pairs: int | None = None


@dataclass(frozen=True, slots=True)
class RefutingPair:
    """Two of a claim's own finitely many inputs, by position, that refute it; `bounds` are those of all its pairs."""

    a: int
    b: int
    bounds: LeastBounds


@dataclass(frozen=True, slots=True)
class Gap:
    """Why search ends without hints: some inputs, in words, need a delta of `lo`, and `hi` is enough for all."""

    lo: Fraction
    hi: Fraction
    inputs: str
    remedy: str


@dataclass(frozen=True, slots=True)
class UnboundedTheorem:
    """A theorem about one built-in mechanism, for inputs without end, or for many by the closed form.

    `setting` at `value`, if any, means inputs without end, each of which is called a `noun`; at `example` it means
    finitely many. `many` says of parameters whether there are too many inputs to compute the closed form on each.
    `names` has the theorem's name for each neighbour relation that it covers. The adversary sees the outcome
    alone; `draws` says why not the draws.

    - `subject(claim)` returns in words the mechanism that has the guarantee, and its inputs.
    - `search(claim)` returns hints, or why there are none: a premise whose refutation refutes the claim, a pair of the
      claim that refutes it, or a gap.
      No verdict rests on it. It raises InputError where it stops.
    - `check_hints(data)` raises Unfounded unless JSON data have the form of hints.
    - `profile(parameters)`, where there is one, returns the profile on all inputs, from both sides.
    - `premises(claim, hints)` returns the premises from which the claim follows, and further assumptions. It raises
      Unfounded where the claim does not follow, and InputError for parameters that the theorem is not about.

    A verdict on premises whose laws come from the program counts only if the audited inputs reached every line and
    branch of it, and each law is that of the closed form: `premises` may state as an assumption that it goes on so.
    """

    mechanism: Mechanism
    setting: str
    value: str | None
    example: str
    noun: str
    names: Mapping[str, str]
    draws: str
    subject: Callable[[UnboundedClaim], tuple[str, str]]
    search: Callable[[UnboundedClaim], HintCandidate | Gap | Premise | RefutingPair]
    check_hints: Callable[[object], object]
    premises: Callable[[UnboundedClaim, object], tuple[tuple[Premise, ...], tuple[str, ...]]]
    profile: Callable[[Mapping[str, str]], Between[Profile]] | None = None
    many: Callable[[Mapping[str, str]], bool] | None = None

    def is_endless(self, parameters: Mapping[str, str]) -> bool:
        """Whether these parameters of the mechanism mean inputs without end."""
        return self.value is not None and parameters.get(self.setting) == self.value

    def is_about(self, parameters: Mapping[str, str], law_source: str) -> bool:
        """Whether these parameters mean inputs without end, or too many for laws from this source."""
        return self.is_endless(parameters) or (
            self.many is not None and law_source == "closed-form" and self.many(parameters)
        )

    def require(self, *, neighbours: str | None, observes: str | None) -> None:
        """Return if the theorem covers a relation and an observation of the adversary; None is the mechanism's own.

        Raises: InputError otherwise.
        """
        finite = f"audit {self.noun}s up to some number, as with --set {self.setting}={self.example}"
        on_all = f"for {self.mechanism.name} on all {self.noun}s"
        if neighbours is not None and neighbours not in self.names:
            *first, last = self.names
            needed = f"{', '.join(first)} or {last}" if first else last
            remedy = f"name one of these, or {finite}"
            raise InputError(given=f"--neighbours {neighbours} {on_all}", needed=needed, remedy=remedy)
        if observes not in (None, "outcome"):
            needed = f"the outcome alone: {self.draws}"
            raise InputError(given=f"--observe draws {on_all}", needed=needed, remedy=finite)

    def sentence(self, claim: UnboundedClaim) -> tuple[str, str]:
        """Return the sentence of a claim, and its inputs in words, as they stand in it."""
        subject, inputs = self.subject(claim)
        return f"{subject} is {claim.guarantee} for {RELATIONS[claim.neighbours].words}, on {inputs}", inputs

    def conclusion(self, claim: UnboundedClaim, hints: object) -> Conclusion:
        """Return the conclusion that a claim holds, with its premises, from hints as JSON data.

        Raises: Unfounded where it does not follow; InputError for parameters or a relation that the theorem is not
                about.
        """
        self.require(neighbours=claim.neighbours, observes=None)
        names = [parameter.name for parameter in self.mechanism.parameters]
        if claim.parameters.keys() != set(names) or not self.is_about(claim.parameters, claim.law_source):
            others = ", ".join(name for name in names if name != self.setting)
            raise Unfounded(f"a conclusion for all {self.noun}s is about {others} and {self.setting}={self.value}")
        claim = replace(claim, parameters={name: claim.parameters[name] for name in names})
        premises, assumptions = self.premises(claim, hints)
        if not premises:
            raise Unfounded("nothing follows from no premise")
        sentence, inputs = self.sentence(claim)
        return Conclusion(self.names[claim.neighbours], sentence, inputs, premises, assumptions)
