"""A check for seeds: the state of each generator that a program keeps is compared in two fresh processes.

Fair coins stand for such a generator in an audit, and a verdict says so. A generator that is seeded when the program
is loaded has the same state in every process, whatever seeds it; its program is then undecided.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from dpcert.audit.decide import Report
from dpcert.audit.kernel.examine import Undecided
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.reading.floats.held import same_state, seeding_line, states, words_in
from dpcert.reading.paths.routed import holders
from dpcert.targets.cases import case_of
from dpcert.targets.options import Options
from dpcert.targets.spec import FileSpec, Spec
from dpcert.worker.jobs import FindStates
from dpcert.worker.process import HASH_SEEDS, Child
from dpcert.worker.troubles import ChildEnded, ChildFailed, TimedOut

REMEDY = "leave the seed out, or pass the generator in as a parameter called rng"


def states_of(spec: Spec, options: Options) -> dict[str, str]:
    """Return {generator in words: its state} for a program that was loaded just now and has not run."""
    return states(holders(case_of(spec, options).subject.program))


class Seeds:
    """The comparison for one case; its processes run at the first question about a generator."""

    def __init__(
        self, spec: Spec, options: Options, *, folder: str | None = None, seconds: float | None = None
    ) -> None:
        self.spec, self.options, self.folder, self.seconds = spec, options, folder, seconds
        self.found: list[dict[str, str]] = []

    def checked(self, report: Report) -> Report:
        """Return the report, made undecided where it takes a seeded generator for fair coins."""
        held = words_in(report.assumptions)
        reason = None if isinstance(report.verdict, Undecided) else self.reason(held)
        if reason is None:
            return report
        return replace(report, verdict=Undecided(report.claim, reason), certificate=None)

    def reason(self, held: Sequence[str]) -> str | None:
        """Return why one of these generators, named in words, has or may have a seed; None where none has."""
        if not held:
            return None
        try:
            return self._reason(held)
        except (ChildEnded, ChildFailed, TimedOut, Unauditable) as error:
            return f"whether {held[0]} is seeded is not known: {error}"

    def _reason(self, held: Sequence[str]) -> str | None:
        first, second = self._states()
        for words in held:
            if words not in first or words not in second:
                return f"{words}, is not there in each process; make it when the module is loaded"
            if first[words] == second[words]:
                return f"{words}, is in the same state in each process: {self._line(words)}; {REMEDY}"
            if (other := same_state(words, held, first)) is not None:
                return f"{words}, is in the same state as {other}, and draws the same: keep one of them"
        return None

    def _line(self, words: str) -> str:
        return seeding_line(Path(self.spec.path), words) if isinstance(self.spec, FileSpec) else "in this package"

    def _states(self) -> list[dict[str, str]]:
        if not self.found:
            job = FindStates(self.spec, self.options)
            with ExitStack() as stack:
                children = []
                for seed in HASH_SEEDS:
                    child = Child(job, seed, folder=self.folder, seconds=self.seconds)
                    stack.callback(child.close)
                    children.append(child)
                self.found = [child.reply(waits=False).delivered().states for child in children]
        return self.found
