"""The question to `dpcert plan`: a mechanism, a budget, some of its parameters, and a file of frequencies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from dpcert.audit.relations import ALIASES
from dpcert.mechanisms.epsilons import at_most
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact, ratio_text
from dpcert.mechanisms.mechanism import integer

LEAST = Epsilon.of(Fraction(1, 1 << 100))


@dataclass(frozen=True, slots=True)
class Budget:
    """The epsilon and delta that may be spent, for neighbours of this relation; delta is 0 for pure privacy.

    `audited` is the relation of the audits, from which the guarantee for the other one follows.
    """

    epsilon: Epsilon
    delta: Fraction
    neighbours: str
    text: str
    audited: str

    @classmethod
    def of(cls, epsilon: str, delta: str | None, neighbours: str, *, relations: tuple[str, ...], pure: bool) -> Budget:
        """Return the budget of these texts for a family with these relations.

        Raises: InputError for an epsilon of 0 or below 2^-100, another relation, and a delta that is not in (0, 1), or
                that is not 0 or left out where the family is `pure`.
        """
        neighbours = ALIASES.get(neighbours, neighbours)
        spend = Epsilon.of(epsilon)
        if spend == Epsilon.of(0):
            raise InputError(given=f"--epsilon {epsilon}", needed="an epsilon above 0", remedy="write 1 or ln(3)")
        if not at_most(LEAST, spend):
            given = f"--epsilon {epsilon}"
            raise InputError(given=given, needed="an epsilon of 2^-100 or more", remedy="write 1/1000")
        if delta is None and not pure:
            raise InputError(given="no --delta", needed="a delta in (0, 1)", remedy="write --delta 1e-8")
        lost = exact("0" if delta is None else delta, "delta")
        if pure and lost != 0:
            needed = "no delta: the mechanism is private without one"
            raise InputError(given=f"--delta {delta}", needed=needed, remedy="leave it out")
        if not pure and not 0 < lost < 1:
            needed = "a delta in (0, 1): it releases nothing at delta = 0"
            raise InputError(given=f"--delta {delta}", needed=needed, remedy="write 1e-8")
        if neighbours not in relations:
            remedy = "name the one that your guarantee speaks of"
            raise InputError(given=f"--neighbours {neighbours}", needed=" or ".join(relations), remedy=remedy)
        text = f"({epsilon.strip()}, {'0' if delta is None else delta.strip()})"
        return cls(spend, lost, neighbours, text, neighbours)


@dataclass(frozen=True, slots=True)
class Question:
    """A call of `dpcert plan`, in texts, so that it can be sent to a worker process. `settings` are the given
    parameters; `frontier`, `against` ("paper" or None) and `frequencies` (a path) are options.
    """

    mechanism: str
    epsilon: str
    delta: str | None
    neighbours: str
    settings: Mapping[str, str] = field(default_factory=dict)
    frontier: bool = False
    against: str | None = None
    frequencies: str | None = None

    def take(self, defaults: Mapping[str, str]) -> dict[str, str]:
        """Return the settings over these defaults; a parameter with an empty default is left out unless it is given.

        Raises: InputError for a setting that is none of these.
        """
        return chosen_settings(f"plan {self.mechanism}", self.settings, **defaults)


def chosen_settings(action: str, settings: Mapping[str, str], *needed: str, **optional: str) -> dict[str, str]:
    """Return the settings of an action over the defaults of optional ones; an empty default is left out.

    Raises: InputError for one that is not there, or that is none of these.
    """
    known = (*needed, *optional)
    wrong = next((name for name in settings if name not in known), None)
    if wrong is not None:
        given, words = f"--set {wrong}={settings[wrong]} for {action}", f"one of {', '.join(known)}"
        raise InputError(given=given, needed=words if known else "no --set", remedy="leave it out")
    missing = next((name for name in needed if name not in settings), None)
    if missing is not None:
        words = f"the settings {' and '.join(needed)}"
        raise InputError(given=f"{action} without {missing}", needed=words, remedy=f"write --set {missing}=")
    return {**{name: text for name, text in optional.items() if text}, **settings}


def number_text(x: Fraction | int) -> str:
    """Return "p/q", or "p" for an integer."""
    return ratio_text(Fraction(x)).removesuffix("/1")


def steps_of(settings: Mapping[str, str]) -> int:
    """Return the number of steps of a unit that a planned rate is a multiple of.

    Raises: InputError unless it is an integer from 2 to 10^9.
    """
    return integer(settings, "steps", least=2, greatest=10**9)
