"""A subject: a program with its scope and limits. It supplies the laws against which a claim is checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from types import CodeType
from typing import Any

import dpcert.audit.layout
import dpcert.mechanisms.factored
import dpcert.mechanisms.floating
import dpcert.mechanisms.states
import dpcert.mechanisms.vectors
from dpcert.audit.certificates import SUMMED
from dpcert.audit.coverage import Coverage, code_of
from dpcert.audit.kernel.neighbours import Neighbours
from dpcert.audit.layout import Layout, law_by_elements, layout_of
from dpcert.audit.sources import Imported, certified_versions, imported, source_digests
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.enumerator import Followed, enumerate_law
from dpcert.mechanisms.exact.errors import InputError, Unauditable
from dpcert.mechanisms.exact.explore import Limits
from dpcert.mechanisms.exact.outcome import Raised, fresh, show
from dpcert.mechanisms.forms import distinct
from dpcert.mechanisms.repeated import hold_to_one_outcome, hold_to_own_randomness, is_one_outcome
from dpcert.mechanisms.rounding import Rounding
from dpcert.mechanisms.shared import Shared
from dpcert.mechanisms.states.choice import MERGED
from dpcert.mechanisms.states.kept import Kept
from dpcert.mechanisms.states.tails.far import Ends, Start, common_starts

STATES = frozenset(map(str, Path(dpcert.mechanisms.states.__path__[0]).rglob("*.py")))
"""The files that must be trusted, beside the trusted base, for a law that merged equal states."""

FLOATING = frozenset(
    str(file)
    for package in (dpcert.mechanisms.floating, dpcert.mechanisms.vectors)
    for file in Path(package.__path__[0]).glob("*.py")
)
"""The files to be trusted, beside the trusted base, for a law that enclosed float functions or merged vectors."""

FACTORS = frozenset((str(dpcert.audit.layout.__file__), str(dpcert.mechanisms.factored.__file__)))
"""The files to be trusted, beside these, for a law that left out elements of outcomes."""


@dataclass(slots=True)
class Subject:
    """A program and everything that determines its laws; satisfies the kernel's `Program`.

    `closed_form` maps an input to its law where `law_source` is "closed-form"; a test holds it equal to the
    program's. With `keeps` each law is computed once and kept, for several claims about one subject. `stated` are the
    assumptions under which the program is what its name says; `assumed` are those of the laws computed until now.
    `plain`, if any, is the program with its own randomness, which `program` routes to coins: each law is held to runs
    of it. With `sums`, far outcomes of loops that count their turns are summed: laws then have no tail, and one outcome
    that stands for those beyond some place, where all laws of the subject allow it. `before`, if any, hears of each
    law before it is computed from the program.
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
    kept: dict[int, Dist] = field(init=False, default_factory=dict)
    readings: Kept = field(init=False, default_factory=Kept)
    shared: Shared | None = field(init=False, default=None)  # while a second computation is to follow
    coverage: Coverage = field(init=False)
    returns: bool = field(init=False, default=False)
    assumed: dict[str, None] = field(init=False, default_factory=dict)
    starts: tuple[Start, ...] | None = field(init=False, default=None)  # of what all laws sum; empty where nothing
    found: list[int] = field(init=False, default_factory=list)  # the positions of the laws computed until now
    replays: bool = field(init=False, default=True)
    tailed: Fraction = field(init=False, default=Fraction(0))  # the greatest tail of a law until now
    layout: Layout | None = field(init=False, default=None)  # of the outcomes, where elements of them are left out
    laid: bool = field(init=False, default=False)  # whether it is known whether there is a layout

    def __post_init__(self) -> None:
        self.inputs = distinct(self.inputs)
        self.coverage = Coverage(self.program)

    def law(self, position: int) -> Dist:
        """Return the exact law on the input at a position; notes say what the law left out or the program raised.

        Raises: Unauditable when the program cannot be followed.
        """
        if position in self.kept:
            return self.kept[position]
        law = self._found(position)
        self.tailed = max(self.tailed, law.tail)
        self.found.append(position)
        if self.keeps:
            self.kept[position] = law
        return law

    def _found(self, position: int) -> Dist:
        value = self.inputs[position]
        if self.law_source == "closed-form":
            return self.closed_law(value)
        if self.before is not None:
            self.before(self)
        found = self._found_whole(
            value, observe=self.coverage.observe, kept=self.readings, shared=self.shared, replay=self.replays
        )
        law = found.law if self.layout is None else self.layout.law(found.elements)
        if self.plain is not None and self.observes == "outcome":
            hold_to_own_randomness(self.plain, value, law, possible=self._possible(found))
        for note in found.notes:
            self.notes[note] = None
        if found.assumptions:
            self.assumed.update(dict.fromkeys(found.assumptions))
            self.coverage.files |= STATES if MERGED in found.assumptions else frozenset()
            self.coverage.files |= FLOATING if {*found.assumptions} - {MERGED} else frozenset()
        if self.layout is not None:
            self.assumed[self.layout.words()] = None
            self.coverage.files |= FLOATING | FACTORS
            self.returns = True
            return law
        for outcome in found.law.outcomes():
            seen = outcome[0] if self.observes != "outcome" else outcome
            self.returns = self.returns or type(seen) is not Raised
            if type(seen) is Raised:
                self.notes[f"on {show(value)} it {show(seen)}"] = None
        if self.coverage.note is not None:
            self.notes[self.coverage.note] = None
        if found.ends is None:
            return found.law
        if self.starts is None:
            self.starts = self._common_starts() if common_starts([found.ends]) else ()
        law = _law_of(found, self.starts)
        if not law.tail_weight:
            self.assumed[SUMMED] = None
        return law

    def _read(self, value: Any, **how: Any) -> Followed:
        return enumerate_law(
            self.program,
            value,
            limits=self.limits,
            eager=self.eager,
            draws=self.observes == "outcome and draws",
            sums=self.sums,
            elements=None if self.laid else law_by_elements,
            **{"by": None if self.layout is None else law_by_elements, **how},
        )

    def _found_whole(self, value: Any, **how: Any) -> Followed:
        """Return the reading of the law on an input; the first finds whether elements are left out on all inputs."""
        found = self._read(value, **how)
        if not self.laid:
            self.layout, self.laid = self._common_layout(found), True
            if self.layout is None and found.elements is not None and found.law.tail_weight:
                return self._read(value, **how)  # few paths were not all
        return found

    def _possible(self, found: Followed) -> Callable[[Any], bool] | None:
        """Return what knows the outcomes of a reading, where those of its law name some elements of them."""
        return None if self.layout is None or found.elements is None else found.elements.possible

    def _common_layout(self, found: Followed) -> Layout | None:
        """Return the layout of the outcomes on all inputs, after one was found; others are found without replays."""
        every, kept = [], Kept()
        for value in self.inputs if found.elements is not None else ():
            elements = self._read(value, by=law_by_elements, replay=False, kept=kept).elements
            if elements is None:
                return None
            every.append(elements)
        return layout_of(every, self.limits.max_runs) if every else None

    def aside(self) -> Callable[[int], None]:
        """Return what computes the law at a position as `law` does, for the time that it takes: nothing of it is left.

        Its laws share with one another what `law` shares, and nothing with those of `law`.
        """
        coverage, kept, shared = Coverage(self.program), Kept(), None if self.shared is None else Shared()

        def look(position: int) -> None:
            self._read(self.inputs[position], observe=coverage.observe, kept=kept, shared=shared, replay=self.replays)

        return look

    def _common_starts(self) -> tuple[Start, ...]:
        """Return from where on outcomes are summed in the laws of all inputs, which are found without replays."""
        found, kept = [], Kept()
        for value in self.inputs:
            found.append(_ends(self._read(value, replay=False, kept=kept)))
            if found[-1] is None:
                return ()
        return common_starts(found)

    def hold_to(self, position: int, law: Dist) -> None:
        """Check by repeated runs that a law of one outcome is right; do nothing for laws of several outcomes.

        Raises: Unauditable where it does not.
        """
        if self.law_source == "program" and is_one_outcome(law):
            draws, value = self.observes == "outcome and draws", self.inputs[position]
            possible = None if self.layout is None else self._possible(self._read(value, replay=False))
            hold_to_one_outcome(self.program, value, law, draws=draws, possible=possible)

    def closed_law(self, value: Any) -> Dist:
        """Return the law on an input by the closed form, with a note where it was rounded.

        Raises: InputError where the observation has no closed form, Unauditable where the closed form gives no law.
        """
        if self.closed_form is None or self.observes != "outcome":
            raise InputError(
                given=f"the closed form of {self.name}",
                needed="one that gives the law of the outcome, and nothing else observed",
                remedy="take the law from the program",
            )
        law = self.closed_form(fresh(value))
        if type(law) is not Dist:
            raise Unauditable(f"the closed form on {show(value)} is of type {type(law).__name__}, not a law")
        if law.tail_weight and isinstance(self.closed_form, Rounding):
            self.notes[f"{self.closed_form.words}; what they lost is tail"] = None
        return law

    def digests(self) -> list[str]:
        """Return the digest of every law, computed with inputs and branches in reverse, without replays."""
        kept = Kept()
        if self.law_source == "closed-form":
            return [self.closed_law(value).digest() for value in reversed(self.inputs)][::-1]
        found = [self._found_whole(value, reverse=True, replay=False, kept=kept) for value in reversed(self.inputs)]
        if self.layout is not None:
            return [self.layout.law(each.elements).digest() for each in reversed(found)]
        starts = common_starts([*map(_ends, found)]) if any(each.ends for each in found) else ()
        return [_law_of(each, starts).digest() for each in reversed(found)]

    def forget(self, *, but: Sequence[int] = ()) -> None:
        """Compute laws anew from now on, and forget what those until now executed, imported and assumed, so that later
        statements name only later laws.

        Where the laws until now are those of the positions `but`, in this order, it is not forgotten: the same laws are
        computed anew without replays.
        """
        self.readings.forget()
        self.shared = None
        self.replays = not but or self.found != [*but]
        if self.replays:
            self.coverage.forget()
            self.assumed.clear()
        self.found.clear()

    def assumptions(self) -> tuple[str, ...]:
        """Return the assumptions on the program, and those of the laws computed until now."""
        return *self.stated, *self.assumed

    def sources(self) -> dict[str, str]:
        """Return the SHA-256 of the trusted base, of the program's file, and of all that it imports or executed."""
        codes = self._codes()
        files = {*self.coverage.files, *(code.co_filename for code in codes), *self._imported().files}
        code = code_of(self.program)
        return source_digests(files, Path(code.co_filename).parent if code is not None else None)

    def versions(self) -> dict[str, str]:
        """Return the versions of Python, of this package, and of each installed package that the program imports."""
        return certified_versions(self._imported().packages)

    def _imported(self) -> Imported:
        return imported(self._codes(), tuple(self.coverage.names))

    def _codes(self) -> list[CodeType]:
        parts: list[Any] = [self.program]
        if self.law_source == "closed-form":
            form = self.closed_form
            parts += [form, form.exact, form.rounded] if isinstance(form, Rounding) else [form]
        return [code for code in map(code_of, parts) if code is not None]


def _law_of(found: Followed, starts: tuple[Start, ...]) -> Dist:
    """Return the law whose tail is summed where its series, if any, begin at some starts; else as it was found."""
    whole = found.ends is not None and (starts or not found.ends.series())
    return found.ends.summed(starts) if found.ends is not None and whole else found.law


def _ends(found: Followed) -> Ends | None:
    """Return a law whose tail is summed, or that has none; None for another."""
    return found.ends or (None if found.law.tail_weight else Ends.of(found.law.items()))
