"""The findings of a run, one a claim, from which the reports for other tools are written."""

import hashlib
import os
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from dpcert.mechanisms.exact.errors import one_line
from dpcert.run.audits import Outcome
from dpcert.show.blocks import block_text
from dpcert.show.lines import result_line
from dpcert.show.place import Place, place_of, repository_of
from dpcert.show.severity import gravity, headed, label_of
from dpcert.targets.files import file_errors, replace_file
from dpcert.targets.spec import FileSpec
from dpcert.worker.result import BY_FLOATS, BY_ROUNDING

KINDS = {BY_FLOATS: "floats", BY_ROUNDING: "rounding"}
"""The kinds of findings that are refuted, and are no leak of their algorithm."""
GRAVEST = ("refuted", "unexpected", "floats", "rounding", "undecided", "passed")
"""The kinds of findings about claims, the gravest first."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One claim or error: its `kind` is passed, refuted, floats, rounding, undecided, unexpected, skipped or error.

    `verdict` is None where there is none; `line` says all in a line, `text` at length; `function` is the name that the
    file at `place` binds the target to. `accepted` says until when and why a finding is, and is None for others.
    """

    target: str
    kind: str
    verdict: str | None
    line: str
    text: str
    sentence: str
    seconds: float
    place: Place | None
    function: str = field(default="", kw_only=True)
    accepted: str | None = field(default=None, kw_only=True)

    @property
    def claim_digest(self) -> str:
        """The SHA-256 of the target and the claim: it tells findings apart when lines have moved."""
        name = self.target if self.place is None else f"{self.place.name}:{self.function}"
        return hashlib.sha256(unicode_text(f"{name}\n{self.sentence}").encode()).hexdigest()


def unicode_text(text: str) -> str:
    """Return a text with escapes for characters that UTF-8 does not have."""
    return text.encode("utf-8", "backslashreplace").decode()


def findings_of(outcome: Outcome, *, expect: bool, folder: Path) -> list[Finding]:
    """Return the findings of a run, the gravest first, then what was skipped, then its errors; places are within
    `folder`'s repository. With `expect`, a verdict passes when it is the declared one."""
    root = repository_of(folder)
    rated: list[tuple[tuple[int, Fraction], Finding]] = []
    rows = zip(outcome.results, outcome.expected, outcome.specs, outcome.seconds, outcome.accepted, strict=True)
    for result, declared, spec, seconds, accepted in rows:
        verdict = result.verdict
        passed = verdict == declared if expect else verdict == "verified"
        named = KINDS.get(result.kind, "refuted") if verdict == "refuted" else verdict
        kind = "passed" if passed else "unexpected" if verdict == "verified" else named
        said = one_line(result_line(result))
        colon = "" if headed(result) else ":"
        head = f"{verdict}, but declared {declared}:" if kind == "unexpected" else f"{label_of(result)}{colon}"
        line = f"{head} {said}"
        text = line if passed or kind == "unexpected" else block_text(result)
        finding = Finding(
            *(result.target, kind, verdict, line, text, result.claim.sentence, seconds, place_of(spec, root)),
            function=spec.function if isinstance(spec, FileSpec) else "",
            accepted=None if passed else accepted,
        )
        rated.append(((GRAVEST.index(kind), gravity(result)[1]), finding))
    found = [finding for _, finding in sorted(rated, key=lambda row: row[0])]
    for name, reason in outcome.skipped:
        found.append(Finding(name, "skipped", None, reason, reason, name, 0.0, None))
    for trouble in outcome.troubles:
        line = trouble.line()
        found.append(Finding(one_line(trouble.given), "error", None, line, line, line, 0.0, None))
    return found


def write_report(path: str, text: str, option: str) -> None:
    """Write a report to a file, whole or not at all, or into a pipe or device of that name, or where a link leads.

    So /dev/stdout stays a link, also where standard output is a file.

    Raises: InputError where it cannot be written.
    """
    with file_errors(f"{option} {path}", "a file that can be written"):
        if os.path.islink(path) or (os.path.exists(path) and not os.path.isfile(path)):
            Path(path).write_text(text, encoding="utf-8")
        else:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            replace_file(Path(path), text)
