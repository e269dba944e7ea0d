"""The jobs of a worker process, and its answers: each job names the type of its answer.

Where there is no answer, a `Failure` stands in its place. `dpcert.worker.codec` writes and reads all of them as JSON.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Generic, TypeVar

from dpcert.planning.proposal import Proposal
from dpcert.planning.question import Question
from dpcert.targets.made import Lost
from dpcert.targets.options import Options
from dpcert.targets.spec import CatalogueSpec, FileSpec, Spec
from dpcert.worker.failure import Failure
from dpcert.worker.result import Count, Decimal, Drawn, Probability, Result, SeenEvent
from dpcert.worker.troubles import Trouble

AnswerT = TypeVar("AnswerT")
Json = dict[str, Any]
"""A part of a document that `dpcert` prints, such as one result of `dpcert audit --json`."""


class Job(Generic[AnswerT]):
    """A job whose answer is an `AnswerT`."""

    __slots__ = ()
    answer: ClassVar[Any]


@dataclass(frozen=True, slots=True)
class Listing:
    """The targets of a file, and those that no name in it refers to; `skipped` says why the file was not imported.

    `imported` has the file that made a target, by the target's name, where this is another file.
    """

    specs: list[FileSpec]
    lost: list[Lost]
    skipped: str | None = None
    imported: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ListTargets(Job[Listing]):
    """List the targets of a file, or one of them, at the points of its grid that `settings` leave."""

    answer = Listing
    file: str
    function: str | None = None
    settings: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Description:
    """A result before the audit, the verdict that the target declares, and whether it takes no coins.

    A target that takes none may be sampled instead.
    """

    result: Result
    expect: str
    coinless: bool = False


@dataclass(frozen=True, slots=True)
class Describe(Job[Description]):
    """Describe a claim, without an audit."""

    answer = Description
    spec: Spec
    options: Options


@dataclass(frozen=True, slots=True)
class Audited:
    """The result of an audit, the verdict that the target declares, and why its certificate could not be written.

    `unread` says why a program that takes no coins could not be read exactly; it may be sampled instead.
    """

    result: Result
    expect: str
    unwritten: Trouble | None = None
    unread: str | None = None


@dataclass(frozen=True, slots=True)
class Audit(Job[Audited]):
    """Audit a claim; its certificate is written into the folder `certificates`, if there is one.

    `laws` asks for the laws behind the verdict, in a file beside the certificate.
    """

    answer = Audited
    spec: Spec
    options: Options
    certificates: str | None = None
    laws: bool = False


@dataclass(frozen=True, slots=True)
class Alone:
    """The reason why a claim needs a process of its own."""

    reason: str


@dataclass(frozen=True, slots=True)
class Answers:
    """The answer for each of several claims, in order."""

    answers: list[Audited | Alone | Failure]


@dataclass(frozen=True, slots=True)
class AuditMany(Job[Answers]):
    """Audit several claims, one after the other; `certificates` and `laws` are as for `Audit`."""

    answer = Answers
    specs: list[Spec]
    options: Options
    certificates: str | None = None
    laws: bool = False


@dataclass(frozen=True, slots=True)
class Digests:
    """The digests of a claim's laws, one for each input, and the digest of its pairs, as `Case.scope` has it."""

    digests: list[str]
    scope: str


@dataclass(frozen=True, slots=True)
class FindDigests(Job[Digests]):
    """Compute the laws of a claim's inputs."""

    answer = Digests
    spec: Spec
    options: Options


@dataclass(frozen=True, slots=True)
class DigestsOfMany:
    """The digests of each of several claims, in order."""

    answers: list[Digests | Alone | Failure]


@dataclass(frozen=True, slots=True)
class FindDigestsOfMany(Job[DigestsOfMany]):
    """Compute the laws of several claims, the last claim first."""

    answer = DigestsOfMany
    specs: list[Spec]
    options: Options


@dataclass(frozen=True, slots=True)
class FindDigestsOfPremises(Job[Digests]):
    """Compute the laws of the subjects of a theorem's premises; the digests of all stand in one row."""

    answer = Digests
    premises: list[FindDigests]


@dataclass(frozen=True, slots=True)
class States:
    """The state of each generator that a program keeps, by the generator's name in words."""

    states: dict[str, str]


@dataclass(frozen=True, slots=True)
class FindStates(Job[States]):
    """Read the states of the generators that a program keeps before any run."""

    answer = States
    spec: Spec
    options: Options


@dataclass(frozen=True, slots=True)
class Compared:
    """The number of the smallest inputs on which program and closed form agree, these in words, and one where not."""

    inputs: int
    words: str = ""
    differs: str | None = None


@dataclass(frozen=True, slots=True)
class Compare(Job[Compared]):
    """Compare the laws of a built-in's program with those of its closed form, the smallest inputs first."""

    answer = Compared
    spec: CatalogueSpec
    options: Options


@dataclass(frozen=True, slots=True)
class LawFound:
    """A law as rows [outcome, probability], its tail, notes, and the bits drawn, {"lo", "hi"}, if they are observed.

    Where the outcome is an array of independent elements with too many values for rows, `elements` are [index, rows].
    """

    law: list[Any]
    tail: str
    notes: list[str]
    bits: dict[str, int] | None = None
    elements: list[Any] | None = None


@dataclass(frozen=True, slots=True)
class FindLaw(Job[LawFound]):
    """Compute the law of a target on one input, which is given as JSON data."""

    answer = LawFound
    spec: Spec
    options: Options
    input: Any


@dataclass(frozen=True, slots=True)
class Missing:
    """The reason why a picture has no such part."""

    reason: str


@dataclass(frozen=True, slots=True)
class Bar:
    """An outcome, its probabilities p on input a and q on input b, and whether it is in the event."""

    outcome: Any
    p: Probability
    q: Probability
    event: bool


@dataclass(frozen=True, slots=True)
class Others:
    """The number of outcomes without a bar, and the sums of their probabilities."""

    count: Count
    p: Probability
    q: Probability


@dataclass(frozen=True, slots=True)
class Tails:
    """The tails of the laws on both inputs."""

    p: Probability
    q: Probability


@dataclass(frozen=True, slots=True)
class Bars:
    """The laws on the two inputs of a witness."""

    rows: list[Bar]
    others: Others
    tail: Tails


Points = Annotated[list[tuple[Drawn, Drawn, Drawn]], lambda points: len(points) > 1]
Enclosing = Annotated[str, lambda text: text in ("exact", "enclosed")]


@dataclass(frozen=True, slots=True)
class Curve:
    """A privacy profile: points (epsilon, least delta >=, <=), and the claimed point, with epsilons up to `end`.

    `least` is the least epsilon at the claimed delta.
    """

    points: Points
    method: Enclosing
    pairs: Count
    least: Decimal | None
    claimed: tuple[Decimal, Drawn]
    end: Drawn


@dataclass(frozen=True, slots=True)
class Picture:
    """The pictures of a result: the laws on its witness, and the claim's privacy profile."""

    witness: Bars | Missing | None
    profile: Curve | Missing


@dataclass(frozen=True, slots=True)
class Draw(Job[Picture]):
    """Compute the picture of a result; `worst` is the event of a refutation."""

    answer = Picture
    spec: Spec
    options: Options
    worst: SeenEvent | None


@dataclass(frozen=True, slots=True)
class Rechecked:
    """The result of a recheck: "accepted", "rejected" or "malformed", the reason, and the verdict with its sentence."""

    kind: str
    reason: str = ""
    verdict: str = ""
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Recheck(Job[Rechecked]):
    """Check a certificate again, against a built-in or the function of a file."""

    answer = Rechecked
    certificate: str
    file: str | None
    function: str | None
    limits: Json


@dataclass(frozen=True, slots=True)
class Propose(Job[Proposal]):
    """Search for the best parameters within a budget."""

    answer = Proposal
    question: Question


JOBS: dict[str, type[Job[Any]]] = {
    kind.__name__: kind
    for kind in (
        Audit,
        AuditMany,
        Compare,
        Describe,
        Draw,
        FindDigests,
        FindDigestsOfMany,
        FindDigestsOfPremises,
        FindLaw,
        FindStates,
        ListTargets,
        Propose,
        Recheck,
    )
}


def file_of(job: Job[Any]) -> str | None:
    """Return the file of a job's target, None for a built-in."""
    match job:
        case ListTargets(file=file) | Recheck(file=file):
            return file
        case AuditMany(specs=[FileSpec(path=path), *_]) | FindDigestsOfMany(specs=[FileSpec(path=path), *_]):
            return path
    spec = getattr(job, "spec", None)
    return spec.path if isinstance(spec, FileSpec) else None
