"""The premises of a conclusion as cases: subjects that premises share, and checks that their laws are the program's."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from dpcert.audit.subject import Subject
from dpcert.audit.unbounded.theorem import Premise
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.forms import distinct
from dpcert.mechanisms.rounding import EXACT_BITS, Rounding
from dpcert.targets.cases import Case, case_of
from dpcert.targets.options import Options
from dpcert.targets.spec import CatalogueSpec
from dpcert.worker.jobs import FindDigests


def spec_and_options(premise: Premise, options: Options) -> tuple[CatalogueSpec, Options]:
    """Return the spec and the options that make a premise a case: its own claim, and the source of its laws."""
    spec = CatalogueSpec(premise.mechanism, dict(premise.settings))
    own = replace(
        options,
        epsilon=str(premise.guarantee.epsilon),
        delta=ratio_text(premise.guarantee.delta),
        neighbours=premise.neighbours,
        observes=None,
        law_source="closed-form" if premise.closed else options.law_source,
    )
    return spec, own


class Subjects:
    """The subjects of premises: claims about one program on the same inputs share one, and its laws."""

    def __init__(self) -> None:
        self.jobs: list[FindDigests] = []
        self.subjects: list[Subject] = []
        self._places: dict[tuple[object, ...], int] = {}
        self._second: list[Sequence[str]] = []

    def find(self, premise: Premise, options: Options) -> tuple[Case, int]:
        """Return the case of a premise, whose subject earlier premises may share, and the place of the subject."""
        spec, own = spec_and_options(premise, options)
        case = case_of(spec, own)
        limits = case.subject.limits
        key = (premise.mechanism, premise.settings, own.law_source, limits, _rounding(case.subject))
        place = self._places.setdefault(key, len(self.subjects))
        if place == len(self.subjects):
            case.subject.keeps = True  # its laws: each premise on this subject asks for them
            self.subjects.append(case.subject)
            self.jobs.append(FindDigests(spec, own))
        return replace(case, subject=self.subjects[place]), place

    def second(self, place: int, digests: Callable[[], Sequence[str]]) -> Sequence[str]:
        """Return the digests of the laws of one subject; `digests` gives those of all in a row, and is called once."""
        if not self._second:
            row, start = digests(), 0
            for subject in self.subjects:
                self._second.append(row[start : start + len(subject.inputs)])
                start += len(subject.inputs)
        return self._second[place]

    def unbound(self, noun: str) -> str | None:
        """Return why the computed laws say nothing of the program on other inputs; None where they do.

        For each subject whose laws come from the program, the runs must reach every line and branch, and each law must
        be the exact closed form's. The texts call an input a `noun`.
        """
        for subject in self.subjects:
            if subject.law_source != "program":
                continue
            if subject.coverage.note is not None or subject.coverage.root is None:
                return f"what of {subject.name} the audited {noun}s reached is not known: {subject.coverage.note}"
            missed = subject.coverage.unreached()
            if missed is not None:
                lines = [f"line {line}" for line in missed.lines]
                where = ", ".join([*lines, *(f"branch {a} to {b}" for a, b in missed.branches)])
                return f"no audited {noun} reached {where} of {subject.name}: greater ones may"
            # On other inputs the theorem speaks of the closed form alone, so the program must equal it here.
            form = subject.closed_form.exact if isinstance(subject.closed_form, Rounding) else subject.closed_form
            if form is None or not all(subject.law(i) == form(value) for i, value in enumerate(subject.inputs)):
                return f"on an audited {noun} the law of {subject.name} is not that of its closed form"
        return None


def digests_of(premises: Sequence[FindDigests]) -> list[str]:
    """Return the digests of all laws of these jobs in a row, computed in reverse order."""
    row: list[str] = []
    for job in premises:
        subject = case_of(job.spec, job.options).subject
        subject.inputs = distinct(subject.inputs)
        row.extend(subject.digests())
    return row


def _rounding(subject: Subject) -> int | None:
    """Return the bits to which the closed form rounds a law of this subject; None where all are exact."""
    form = subject.closed_form
    if subject.law_source == "program" or not isinstance(form, Rounding):
        return None
    return form.bits if any(form.size(value) > EXACT_BITS for value in subject.inputs) else None
