"""The premises of a conclusion as cases: subjects that several premises share, and what ties them to the program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dpcert.audit.conclusion import Premise
from dpcert.audit.kernel.claim import distinct
from dpcert.audit.subject import Subject
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.rounding import EXACT_BITS, Rounding
from dpcert.targets.cases import Case, case_of
from dpcert.targets.options import Options
from dpcert.targets.spec import CatalogueSpec
from dpcert.worker.jobs import FindDigests

__all__ = ["Subjects", "digests_of", "options_for"]


def options_for(premise: Premise, options: Options) -> Options:
    """Return the options under which a premise is a case: its own claim, and where its laws come from."""
    return replace(
        options,
        epsilon=str(premise.epsilon),
        delta=ratio_text(premise.delta),
        neighbours=premise.neighbours,
        observes=None,
        law_source="closed-form" if premise.closed else options.law_source,
    )


@dataclass(frozen=True, slots=True)
class Found:
    """A premise as a case, and the place of its subject among all."""

    case: Case
    place: int


class Subjects:
    """The subjects of premises: claims about one program on the same inputs share one, whose laws are found once."""

    def __init__(self) -> None:
        self.jobs: list[FindDigests] = []
        self.subjects: list[Subject] = []
        self._places: dict[tuple[object, ...], int] = {}

    def find(self, premise: Premise, options: Options) -> Found:
        """Return the case of a premise, its subject shared with those before."""
        own = options_for(premise, options)
        spec = CatalogueSpec(premise.mechanism, dict(premise.settings))
        case = case_of(spec, own)
        limits = case.subject.limits
        key = (premise.mechanism, premise.settings, own.law_source, limits, _rounding(case.subject))
        place = self._places.setdefault(key, len(self.subjects))
        if place == len(self.subjects):
            case.subject.keeps = True
            self.subjects.append(case.subject)
            self.jobs.append(FindDigests(spec, own))
        return Found(replace(case, subject=self.subjects[place]), place)

    def split(self, digests: Sequence[str]) -> list[Sequence[str]]:
        """Return the digests of each subject's laws, from those of all in a row."""
        found, start = [], 0
        for subject in self.subjects:
            found.append(digests[start : start + len(subject.inputs)])
            start += len(subject.inputs)
        return found

    def unbound(self) -> str | None:
        """Return why the laws found do not speak for the program on greater counts; None where they do.

        Of each subject whose laws come from the program, every line and branch must have been reached, and each law
        be the exact closed form's.
        """
        for subject in self.subjects:
            if subject.law_source != "program":
                continue
            if subject.coverage.note is not None or subject.coverage.root is None:
                return f"what of {subject.name} the audited counts reached is not known: {subject.coverage.note}"
            missed = subject.coverage.unreached()
            if missed is not None:
                lines = [f"line {line}" for line in missed.lines]
                where = ", ".join([*lines, *(f"branch {a} to {b}" for a, b in missed.branches)])
                return f"no audited count reached {where} of {subject.name}: greater ones may"
            if not _is_closed_form(subject):
                return f"on an audited count the law of {subject.name} is not that of its closed form"
        return None


def digests_of(premises: Sequence[FindDigests]) -> list[str]:
    """Return the digests of all laws of these jobs in a row, found in reverse order."""
    found: list[str] = []
    for job in premises:
        subject = case_of(job.spec, job.options).subject
        subject.inputs = distinct(subject.inputs)
        found.extend(subject.digests())
    return found


def _rounding(subject: Subject) -> int | None:
    """Return the bits to which the closed form rounds a law of this subject; None where all are exact."""
    form = subject.closed_form
    if subject.law_source == "program" or not isinstance(form, Rounding):
        return None
    return form.bits if any(form.size(value) > EXACT_BITS for value in subject.inputs) else None


def _is_closed_form(subject: Subject) -> bool:
    form = subject.closed_form.exact if isinstance(subject.closed_form, Rounding) else subject.closed_form
    if form is None:
        return False
    return all(subject.law(i).digest() == form(value).digest() for i, value in enumerate(subject.inputs))
