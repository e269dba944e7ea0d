"""A mechanism for the rest of the project: a program, its parameters, and the guarantee that is claimed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.domain import Domain
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact

RATIO_BITS = 64


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter that `--set name=value` sets: its name, its default as text, and what it means."""

    name: str
    default: str
    words: str


class Texts(dict[str, str]):
    """A text for each parameter, by its name; another name is refused in one line."""

    def __missing__(self, name: str) -> str:
        raise InputError(
            given=f"no text for the parameter {name}",
            needed=f"one of the parameters that are defined: {', '.join(self)}",
            remedy=f"define {name} with its default and its words, those of a fault in `defaults` and `about`",
        )


@dataclass(frozen=True, slots=True)
class Instance:
    """A mechanism at given parameters.

    `program(input, coins)` is what samples and what is audited; `closed_form(input)` its law, where one is known;
    `inputs` and `neighbours` (a relation's name) are the scope of the default claim (`epsilon`, `delta`); `observes`
    is "outcome and draws" where the adversary sees the bounds of the draws as well. A verdict states the `assumptions`:
    under them the inputs stand for all inputs that the words of the claim cover. `domain` contains every input that the
    program takes: those of the scope and maybe more.
    """

    program: Callable[[Any, Coins], Any]
    inputs: tuple[Any, ...]
    neighbours: str
    epsilon: Epsilon
    delta: Fraction
    closed_form: Callable[[Any], Dist] | None = None
    observes: str = "outcome"
    assumptions: tuple[str, ...] = ()
    domain: Domain | None = None


@dataclass(frozen=True, slots=True)
class Mechanism:
    """A mechanism by name: one line of words, its source, its parameters, and a function that builds an instance.

    Its `fault` is None where it is correct.
    """

    name: str
    words: str
    source: str
    parameters: tuple[Parameter, ...]
    build: Callable[[Mapping[str, str]], Instance]
    fault: Fault | None = None

    @property
    def expect(self) -> str:
        """The verdict of its default claim."""
        return "verified" if self.fault is None else "refuted"

    def settings(self, given: Mapping[str, str]) -> dict[str, str]:
        """Return the text of every parameter, the given ones over the defaults.

        Raises: InputError for a name that is none of the parameters.
        """
        known = Texts({parameter.name: parameter.default for parameter in self.parameters})
        for name in given:
            if name not in known:
                names = ", ".join(known)
                raise InputError(
                    given=f"--set {name}={given[name]} for {self.name}",
                    needed=f"one of its parameters: {names}",
                    remedy="name one of these",
                )
        known.update(given)
        return known


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    """The smallest witness against a claim: the event has the probability `p` on the input `a`, and `q` on `b`."""

    a: Any
    b: Any
    event: list[Any]
    p: str
    q: str


@dataclass(frozen=True, slots=True, eq=False)
class Fault:
    """The one fault of a mechanism, in words, and the correct mechanism `of` which it is a fault. `edit` is the faulty
    text, which stands once in the source of `place`, and the correct text. `meant` maps settings to those of the
    correct mechanism. `expected` refutes the default claim.
    """

    of: Mechanism
    words: str
    edit: tuple[str, str]
    place: Callable[..., Any]
    meant: Callable[[Mapping[str, str]], dict[str, str]]
    expected: Expected


def integer(settings: Mapping[str, str], name: str, *, least: int, greatest: int = 10**6) -> int:
    """Return a parameter as an integer in [least, greatest].

    Raises: InputError otherwise.
    """
    number = exact(settings[name], name)
    if number.denominator != 1 or not least <= number <= greatest:
        raise InputError(
            given=f"{name}={settings[name]}",
            needed=f"an integer from {least} to {greatest}",
            remedy="set it within these",
        )
    return int(number)


def inverse(settings: Mapping[str, str], name: str, *, least: int = 1) -> Fraction:
    """Return a parameter as the inverse of an integer that is at least `least`.

    Raises: InputError otherwise.
    """
    number = exact(settings[name], name)
    if number <= 0 or number.numerator != 1 or number.denominator < least:
        raise InputError(
            given=f"{name}={settings[name]}",
            needed=f"the inverse of an integer >= {least}",
            remedy='write for instance "1/10"',
        )
    return number


def probability(settings: Mapping[str, str], name: str) -> Fraction:
    """Return a parameter as a number strictly between 0 and 1.

    Raises: InputError otherwise.
    """
    number = exact(settings[name], name)
    if not 0 < number < 1:
        raise InputError(
            given=f"{name}={settings[name]}", needed="a number strictly between 0 and 1", remedy='write "1/10"'
        )
    return number


def rational_ratio(epsilon: Epsilon) -> Fraction:
    """Return e^epsilon where it is rational, else a rational at most 2^-64 of it below."""
    return epsilon.exp_bounds(RATIO_BITS)[0]
