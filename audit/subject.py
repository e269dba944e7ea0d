"""A subject: a program with its scope, its limits, and the source of its laws, against which a claim is checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from types import CodeType
from typing import Any

from dpcert.audit.closed_form import by_closed_form
from dpcert.audit.coverage import Coverage, code_of
from dpcert.audit.kernel.check import in_order
from dpcert.audit.kernel.examine import Answer, ask, sound
from dpcert.audit.kernel.neighbours import Neighbours
from dpcert.audit.reading import Reader, Reading
from dpcert.audit.registry import files_of
from dpcert.audit.sources import Imported, certified_versions, imported, source_digests
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.explore import Limits
from dpcert.mechanisms.exact.outcome import Raised, canonical, show
from dpcert.mechanisms.forms import distinct
from dpcert.mechanisms.rounding import Rounding
from dpcert.reading.paths.enumerator import enumerate_law
from dpcert.reading.paths.repeated import hold_to_one_outcome, hold_to_own_randomness, is_one_outcome

FORM = "closed-form"


@dataclass(slots=True)
class Subject:
    """A program and everything that determines its laws; satisfies the kernel's `Program`.

    `closed_form` maps an input to its law where `law_source` is "closed-form"; a test holds it equal to the
    program's. With `keeps` each law is computed once and kept, for several claims about one subject. `stated` are the
    assumptions under which the program fits its name; `assumed` are those of the laws computed until now, and
    `used` their sources. `plain`, if any, is the program with its own randomness, which `program` routes to coins: each
    law is held to runs of it. With `sums`, far outcomes of loops that count their turns are summed: laws then have no
    tail, and one outcome that stands for those beyond some place, where all laws of the subject allow it. `before`, if
    any, hears of each law before it is computed from the program. `backwards` says that this is the second computation.
    """

    name: str
    program: Callable[[Any, Any], Any]
    inputs: tuple[Any, ...]
    neighbours: Neighbours
    parameters: tuple[tuple[str, str], ...] = ()
    observes: str = "outcome"
    law_source: str = "program"
    closed_form: Callable[[Any], Dist] | None = None
    limits: Limits = field(default_factory=Limits)
    eager: bool = False
    stated: tuple[str, ...] = ()
    plain: Callable[[Any, Any], Any] | None = None
    notes: dict[str, None] = field(default_factory=dict)
    keeps: bool = False
    sums: bool = False
    before: Callable[[Subject], None] | None = None
    backwards: bool = False
    read: Any = field(init=False)  # the program, or its closed form where laws come from that
    kept: dict[bytes, Answer] = field(init=False, default_factory=dict)
    reader: Reader = field(init=False)
    returns: bool = field(init=False, default=False)
    assumed: dict[str, None] = field(init=False, default_factory=dict)
    used: dict[str, None] = field(init=False, default_factory=dict)
    found: list[bytes] = field(init=False, default_factory=list)  # the inputs of the laws computed until now
    tailed: Fraction = field(init=False, default=Fraction(0))  # the greatest tail of a law until now

    def __post_init__(self) -> None:
        self.inputs = distinct(self.inputs)
        self.read = self.program if self.law_source != FORM or self.closed_form is None else self.closed_form
        coverage, draws = Coverage(self.program), self.observes != "outcome"
        self.reader = Reader(
            self.inputs, coverage, self.limits, self.eager, draws=draws, sums=self.sums, backwards=self.backwards
        )

    def source(self, read: Callable[..., Any], value: Any) -> Answer:
        """Return the law of the program on an input; notes name outcomes left out and exceptions.

        Raises: Unauditable when the program cannot be followed.
        """
        if (kept := self.kept.get(canonical(value))) is not None:
            self.used.update(dict.fromkeys(kept.sources))
            return kept
        if self.law_source == FORM:
            return self._noted(value, self.closed(read, value))
        if self.before is not None:
            self.before(self)
        found = enumerate_law(read, value, **self.reader.how())
        reading = self.reader.reading(read, value, found)
        if self.plain is not None and self.observes == "outcome" and not self.backwards:
            hold_to_own_randomness(self.plain, value, reading.law, possible=reading.possible)
        self.assumed.update(dict.fromkeys(reading.assumptions))
        self._note(value, reading)
        return self._noted(value, Answer(reading.law, reading.read, reading.given, reading.sources))

    def _noted(self, value: Any, answer: Answer) -> Answer:
        """Take note of an answer on an input, and return it."""
        name = canonical(value)
        self.tailed = max(self.tailed, answer.law.tail)
        self.found.append(name)
        self.used.update(dict.fromkeys(answer.sources))
        if self.keeps:
            self.kept[name] = answer
        return answer

    def law(self, position: int) -> Dist:
        """Return the exact law on the input at a position, as the kernel asks for it."""
        return Dist.like(ask(self, self.inputs[position]).law)

    def digests(self) -> list[str]:
        """Return the digest of every law, computed anew with inputs and branches in reverse, without replays."""
        other = replace(self, notes={}, keeps=False, before=None, backwards=True)
        return [sound(ask(other, value).law).digest() for value in reversed(self.inputs)][::-1]

    def _note(self, value: Any, reading: Reading) -> None:
        """Take note of the outcomes that a law left out, and of the program's exceptions."""
        self.notes.update(dict.fromkeys(reading.followed.notes))
        self.returns = self.returns or self.reader.layout is not None
        for outcome in reading.followed.law.outcomes() if self.reader.layout is None else ():
            seen = outcome[0] if self.observes != "outcome" else outcome
            self.returns = self.returns or type(seen) is not Raised
            if type(seen) is Raised:
                self.notes[f"on {show(value)} it {show(seen)}"] = None
        if self.coverage.note is not None:
            self.notes[self.coverage.note] = None

    def closed(self, form: Callable[[Any], Any] | None, value: Any) -> Answer:
        """Return the law on an input by the closed form, with a note where it was rounded.

        Raises: InputError where the observation has no closed form, Unauditable where the closed form gives no law.
        """
        if form is None or self.closed_form is None or self.observes != "outcome":
            raise InputError(
                given=f"the closed form of {self.name}",
                needed="one that gives the law of the outcome, and nothing else observed",
                remedy="take the law from the program",
            )
        answer = by_closed_form(form, value)
        if answer.law.tail_weight and isinstance(form, Rounding):
            self.notes[f"{form.words}; what they lost is tail"] = None
        return answer

    def hold_to(self, position: int, law: Dist) -> None:
        """Check by repeated runs that a law of one outcome is right; do nothing for laws of several outcomes.

        Raises: Unauditable where it does not.
        """
        if self.law_source == "program" and is_one_outcome(law):
            draws, value = self.observes == "outcome and draws", self.inputs[position]
            possible = self.reader.possible(self.program, value)
            hold_to_one_outcome(self.program, value, law, draws=draws, possible=possible)

    def aside(self) -> Callable[[int], None]:
        """Return a function that computes the law at a position as `law` does, to take its time: it leaves nothing.

        Its laws share among themselves as those of `law` do, and nothing with those of `law`.
        """
        reader = self.reader.aside(Coverage(self.program))
        return lambda position: reader.look(self.program, self.inputs[position])

    def forget(self, *, but: Sequence[int] = ()) -> None:
        """Compute laws anew from now on, and forget the files, imports and assumptions of earlier ones, so that later
        statements name only later laws.

        Where the laws until now are those of the positions `but`, in this order, it is not forgotten: the same laws are
        computed anew without replays.
        """
        self.reader.kept.forget()
        self.reader.shared = None
        self.reader.replays = not but or self.found != [canonical(self.inputs[position]) for position in but]
        if self.reader.replays:
            self.coverage.forget()
            self.assumed.clear()
            self.used.clear()
        self.found.clear()

    @property
    def coverage(self) -> Coverage:
        """The lines and branches that the program's runs have reached."""
        return self.reader.coverage

    def assumptions(self) -> tuple[str, ...]:
        """Return the assumptions on the program, and of the laws computed until now."""
        return *self.stated, *self.assumed

    def sources(self) -> dict[str, str]:
        """Return the SHA-256 of the trusted base, of the law sources used, of the program's file, and of all that it
        imports or executed.
        """
        codes = self._codes()
        files = {*self.coverage.files, *(code.co_filename for code in codes), *self._imported().files}
        code = code_of(self.program)
        folder = Path(code.co_filename).parent if code is not None else None
        return source_digests(files.union(*map(files_of, in_order([self.used]))), folder)

    def versions(self) -> dict[str, str]:
        """Return the versions of Python, of this package, and of each installed package that the program imports."""
        return certified_versions(self._imported().packages)

    def _imported(self) -> Imported:
        return imported(self._codes(), tuple(self.coverage.names))

    def _codes(self) -> list[CodeType]:
        parts: list[Any] = [self.program]
        if self.law_source == FORM:
            form = self.closed_form
            parts += [form, form.exact, form.rounded] if isinstance(form, Rounding) else [form]
        return [code for code in map(code_of, parts) if code is not None]
