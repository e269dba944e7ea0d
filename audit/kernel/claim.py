"""Guarantees and claims: an assertion of privacy, and the inputs that it is about."""

import hashlib
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcert.audit.kernel.neighbours import RELATIONS, Neighbours, custom
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.number import exact, need, ratio_text
from dpcert.mechanisms.exact.outcome import canonical, fresh, key, show

OBSERVABLES = ("outcome", "outcome and draws")


@dataclass(frozen=True, slots=True, init=False)
class ApproxDP:
    """(epsilon, delta)-differential privacy: Pr[M(a) in S] <= e^epsilon Pr[M(b) in S] + delta for all S.

    Requires: epsilon >= 0 as `Epsilon.of` takes it, delta in [0, 1] as `exact` takes it.
    Raises:   InputError otherwise.
    """

    epsilon: Epsilon
    delta: Fraction

    def __init__(self, epsilon: object, delta: object) -> None:
        number = exact(delta, "delta")
        need(0 <= number <= 1, f"delta = {ratio_text(number)}", "a number in [0, 1]", 'write for instance "1e-6"')
        object.__setattr__(self, "epsilon", Epsilon.of(epsilon))
        object.__setattr__(self, "delta", number)

    def __str__(self) -> str:
        return f"({self.epsilon}, {ratio_text(self.delta).removesuffix('/1')})-differentially private"


class PureDP(ApproxDP):
    """epsilon-differential privacy: `ApproxDP` with delta = 0; never verified while a tail is positive."""

    __slots__ = ()

    def __init__(self, epsilon: object) -> None:
        super().__init__(epsilon, 0)


@dataclass(frozen=True, slots=True)
class Claim:
    """A finite claim: this mechanism, on these inputs, for these neighbours, has this guarantee.

    `inputs` are distinct; `observes` is "outcome", or "outcome and draws" where the adversary
    also sees the bound of every draw. A relation means what its name says: the kernel's own, or `custom`.

    Raises: InputError otherwise.
    """

    mechanism: str
    parameters: tuple[tuple[str, str], ...]
    inputs: tuple[Any, ...]
    neighbours: Neighbours
    guarantee: ApproxDP
    observes: str = "outcome"

    def __post_init__(self) -> None:
        known = " or ".join(map(repr, OBSERVABLES))
        need(self.observes in OBSERVABLES, f"observes={self.observes!r}", known, "name one of them")
        distinct = len(set(map(key, self.inputs))) == len(self.inputs)
        need(distinct, "repeated inputs", "distinct ones", "pass them through distinct()")
        kinds = type(self.neighbours), type(self.guarantee)
        given = f"a {kinds[0].__name__} and a {kinds[1].__name__}"
        own = kinds in ((Neighbours, PureDP), (Neighbours, ApproxDP))
        need(own, given, "the kernel's own types", "use relation(...) and ApproxDP")
        given = f"a relation of one's own called {self.neighbours.name!r}"
        meant = RELATIONS.get(self.neighbours.name, custom(self.neighbours.predicate))
        need(self.neighbours == meant, given, "its predicate", "pass neighbours=predicate")

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Yield the positions of all neighbouring pairs of inputs, each in both orders, by their later input.

        The relation is asked once about each two inputs or, where it has marks, about each two that share one.
        """
        marked: dict[Hashable, list[int]] = {}
        for j, b in enumerate(self.inputs):
            marks = {0} if self.neighbours.marks is None else {*self.neighbours.marks(fresh(b))}
            for i in sorted({i for mark in marks for i in marked.get(mark, ())}):
                if self.neighbours(self.inputs[i], b):
                    yield from ((i, j), (j, i))
            for mark in marks:
                marked.setdefault(mark, []).append(j)

    def inputs_digest(self) -> str:
        """Return the SHA-256 of the inputs, in order."""
        parts = [canonical(value) for value in self.inputs]
        return hashlib.sha256(b"".join(len(part).to_bytes(8, "big") + part for part in parts)).hexdigest()

    def inputs_words(self) -> str:
        """Return the inputs in a few words."""
        values, count = self.inputs, len(self.inputs)
        in_a_row = count > 2 and all(type(x) is int and x == values[0] + i for i, x in enumerate(values))
        if count <= 4 and not in_a_row:
            return "the inputs " + ", ".join(map(show, values)) if values else "no inputs"
        return f"the {count} inputs {'' if in_a_row else 'from '}{show(values[0])} to {show(values[-1])}"

    def sentence(self) -> str:
        """Return the whole claim in words, with its scope."""
        parameters = ", ".join(f"{name}={text}" for name, text in self.parameters)
        name = f"{self.mechanism}({parameters})" if parameters else self.mechanism
        if self.neighbours.name == "program" and self.guarantee.epsilon == Epsilon.of("0"):
            near = f"laws at most {self.guarantee.delta} apart" if self.guarantee.delta else "one law"
            return f"{name}: {near} on each input, on {self.inputs_words()}"
        seen = "" if self.observes == "outcome" else ", its draws observed,"
        return f"{name}{seen} is {self.guarantee} for {self.neighbours.words}, on {self.inputs_words()}"
