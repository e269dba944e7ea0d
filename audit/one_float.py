"""Whether one float is released: the law of a program whose outcome is post-processed to that, on few inputs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from dpcert.audit.kernel.check import Rejected
from dpcert.audit.kernel.examine import Answer
from dpcert.audit.subject import Subject
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Record
from dpcert.mechanisms.exact.outcome import canonical, show
from dpcert.reading.paths.reach import Impossible, never_releases, probability_of

RELEASED, DRAWN = "released", "on the draws"
"""The parameters of a claim about one float that is released or not: the float, and draws on which it is."""

OTHER = "any other outcome"


@dataclass(slots=True, kw_only=True)
class OneFloat(Subject):
    """A program whose outcome is post-processed to one float, released or not; its laws are known on few inputs.

    Where the draws of `record` release the float on an input, the law gives that outcome the probability of these
    draws, and the rest is tail. Where no state can release it, the law gives the other outcome all mass.
    """

    point: float
    record: Record
    known: dict[bytes, Impossible | None] = field(init=False, default_factory=dict)

    def source(self, read: Callable[[Any, Any], Any], value: Any) -> Answer:
        """Return the law on an input, as a subject's."""
        return self._noted(value, Answer(self._told(read, value), read, canonical(value), ("states", "floats")))

    def _told(self, program: Callable[[Any, Any], Any], value: Any) -> Dist:
        chance = probability_of(program, value, self.point, self.record)
        if chance is not None:
            return Dist.of([(self.point, chance)], tail=1 - chance)
        never = self.never(value)
        if never is None:
            raise Unauditable(f"on {show(value)} it may release {self.point!r}, and on other draws than were given")
        self.assumed.update(dict.fromkeys(never.assumptions))
        self.coverage.files |= never.files
        return Dist.of([(OTHER, Fraction(1))])

    def hold_to(self, position: int, law: Dist) -> None:
        """Do nothing: `never` has made runs of its own, before the outcomes are post-processed."""

    def never(self, value: Any) -> Impossible | None:
        """Return why an input cannot release the float; None where it may."""
        name = canonical(value)
        if name not in self.known:
            self.known[name] = never_releases(self.program, value, self.point)
        return self.known[name]


def one_float(subject: Subject, point: float, record: Record) -> OneFloat:
    """Return the subject whose outcome is only whether one float is released; the draws of a record release it."""
    draws = ", ".join(f"{number:#x} of {bound:#x}" for bound, number in record)
    return OneFloat(
        name=subject.name,
        program=subject.program,
        inputs=subject.inputs,
        neighbours=subject.neighbours,
        parameters=(*subject.parameters, (RELEASED, point.hex()), (DRAWN, draws)),
        limits=subject.limits,
        stated=subject.stated,
        point=point,
        record=record,
    )


def point_of(released: str, draws: str, verdict: str) -> tuple[float, Record]:
    """Return the float and the draws in a certificate's parameters, for a verdict about them.

    Raises: Rejected for other texts, and for a verdict that does not carry over to the outcomes themselves.
    """
    if verdict != "refuted":
        raise Rejected(f"a claim about one float that is {RELEASED!r} can only be refuted")
    try:
        point = float.fromhex(released)
        pairs = [tuple(int(number, 16) for number in part.split(" of ")) for part in draws.split(", ")]
        record = tuple((bound, number) for number, bound in pairs)
    except (ValueError, OverflowError):
        raise Rejected(f"the parameters {RELEASED!r} and {DRAWN!r} are no float and draws") from None
    if not all(0 <= number < bound for bound, number in record):
        raise Rejected(f"a draw of {DRAWN!r} is not below its bound")
    return point, record
