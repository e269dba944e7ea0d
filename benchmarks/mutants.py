"""Change code that a verdict rests on in one place at a time, and see whether its tests notice.

`python benchmarks/mutants.py kernel exact sources` copies the checkout to a temporary folder and never touches the
working tree. `audit/kernel/` is held against `tests/kernel`, `mechanisms/exact/` against `tests/exact`, and what stands
between the kernel and the program, `sources`, against the tests that `PARTS` names. Each mutant is one edit
of the syntax tree; it runs in a process of its own, against the tests that reach its lines, until one fails. Where the
edit is inside a function, that is a fork of a process that has collected the tests, and the function's code is
replaced; where it is not, or the function also ran before the tests did, all is imported again from the changed file.

A mutant that passes must be explained in benchmarks/mutants_explained.md, else the exit status is 1.
"""

import argparse
import ast
import functools
import gc
import importlib
import inspect
import itertools
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import hypothesis
import pytest
from mutant_edits import SourceMutant, mutants
from mutant_reach import Reached, Tracer

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "benchmarks" / "mutants_explained.md"
PACKAGE = ROOT / "src" / "dpcert"
"""The package as it is imported; it links to the folders of the root."""
STATES: dict[str, tuple[str, ...]] = {
    "keys and thaw": ("keys", "values"),
    "what is live": ("decode",),
    "from question to question": ("explore", "known", "machine"),
    "calls as questions": ("questions",),
    "undecided numbers": ("domains/coins", "domains/chains", "domains/steps", "draws"),
    "states as one": ("together",),
    "the border to the host": ("imports", "pins", "border"),
    "the chain": ("solve",),
    "sets and their order": ("containers", "container_rules"),
}
INSTRUCTIONS: dict[str, tuple[str, ...]] = {
    "what instructions do": ("calls", "objects", "instructions", "control", "operators"),
    "iteration": ("iterate", "prelude", "prelude_iterators", "prelude_functions"),
}
"""The modules of `reading/` by what they do."""
WORDS = "adversaries", "decode", "keys", "known", "laws", "questions", "random_calls", "solve", "table", "together"
READING = tuple(f"tests/reading/test_{name}.py" for name in WORDS)
PARTS = {
    "kernel": (("audit/kernel/*.py",), ("tests/kernel",)),
    "exact": (("mechanisms/exact/*.py",), ("tests/exact",)),
    "sources": (
        (
            *("audit/subject.py", "audit/reading.py", "audit/closed_form.py", "audit/registry.py"),
            *("reading/paths/enumerator.py", "worker/recomputed.py"),
        ),
        (
            *("tests/audit/test_law_sources.py", "tests/audit/test_decide.py", "tests/audit/test_decide_again.py"),
            *("tests/audit/test_layout.py", "tests/audit/test_shared.py", "tests/audit/test_foresight.py"),
            *("tests/reading/test_series_verdicts.py", "tests/frontdoor/processes/test_recomputed.py"),
        ),
    ),
    "states": (tuple(f"reading/{module}.py" for module in chain(*STATES.values())), READING),
    "instructions": (tuple(f"reading/{module}.py" for module in chain(*INSTRUCTIONS.values())), READING),
}
"""The files of each part, and the tests that it is held against."""
PROFILE = "mutants"
EXAMPLES = 25
LEAST_SECONDS = 3.0
SLOWER = 10
MEMORY = 4 << 30


class Jury:
    """A pytest plugin that runs chosen tests, each within its processor time, until one fails.

    Those that killed the most mutants come first, then the fastest; after `enough` seconds in all, it stops.
    """

    def __init__(self, seconds: dict[str, float], kills: Counter[str], enough: float) -> None:
        self.seconds, self.kills, self.enough = seconds, kills, enough
        self.failed = ""

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.failed = report.nodeid

    def run(self, items: Iterable[Any], tests: set[str]) -> dict[str, Any]:
        """Return which test failed, if one did, and whether all were run."""
        chosen = [item for item in items if item.nodeid in tests]
        chosen.sort(key=lambda item: (-self.kills[item.nodeid], self.seconds.get(item.nodeid, 0.0)))
        last = time.process_time() + self.enough
        for item, following in itertools.zip_longest(chosen, chosen[1:]):
            if time.process_time() > last:
                return {"by": "", "whole": False}
            signal.setitimer(signal.ITIMER_PROF, max(LEAST_SECONDS, SLOWER * self.seconds.get(item.nodeid, 60.0)))
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.failed:
                break
        return {"by": self.failed, "whole": True}


class Loop:
    """A pytest plugin that does something else with the tests than to run them in order."""

    def __init__(self, then: Callable[[Any], Any]) -> None:
        self.then, self.found = then, None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> bool:
        self.found = None if session.testsfailed else self.then(session)
        return True


def collected(tests: Sequence[str], then: Callable[[Any], Any], *plugins: object, marks: str) -> Any:
    """Return what `then` makes of the collected session of tests with these marks, None where collection failed."""
    loop = Loop(then)
    options = ["-p", "no:dpcert", "-p", "no:cacheprovider", "-q", "--tb=no", f"--hypothesis-profile={PROFILE}"]
    # none that coverage makes too slow, or in which it sees what the garbage collector calls
    chosen = ["-m", marks, "-k", "not speed and not have_one_certificate"]
    pytest.main([*options, *chosen, *tests], plugins=[loop, *plugins])
    return loop.found


def forked(work: Callable[[], Any], folder: Path) -> Any:
    """Return what `work()` returns in a fork of this process, silently; {"ended": status} where it dies."""
    answer = folder / "answer.json"
    answer.unlink(missing_ok=True)
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
            os.dup2(nowhere.fileno(), 2)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.setitimer(signal.ITIMER_PROF, 1200)
        try:
            answer.write_text(json.dumps(work()))
        except BaseException:
            answer.write_text(json.dumps({"ended": 0, "error": traceback.format_exc()}))
        finally:
            os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return json.loads(answer.read_text()) if status == 0 and answer.exists() else {"ended": status}


def codes(source: str) -> list[CodeType]:
    """Return the code of each function of a source that is not in another function, lambdas among them, in order."""
    found, left = [], [compile(source, "mutant", "exec")]
    while left:
        for code in left.pop().co_consts:
            if isinstance(code, CodeType):
                (found if code.co_flags & inspect.CO_OPTIMIZED else left).append(code)
    return found


def placeless(code: CodeType) -> CodeType:
    """Return a code without its place in the file."""
    consts = tuple([placeless(each) if isinstance(each, CodeType) else each for each in code.co_consts])
    return code.replace(co_firstlineno=1, co_linetable=b"", co_consts=consts)


def functions() -> list[FunctionType]:
    """Return all functions of this process."""
    return [each for each in gc.get_objects() if type(each) is FunctionType]


@functools.cache
def whole(path: str) -> tuple[list[CodeType], list[CodeType]]:
    """Return the codes of a file without a mutant, as mutants are written and as they are imported."""
    text = (PACKAGE / path).read_text(encoding="utf-8")
    return codes(ast.unparse(ast.parse(text))), codes(text)


def function_of(mutant: SourceMutant, among: Sequence[FunctionType]) -> tuple[FunctionType, CodeType] | None:
    """Return the one function of the imported module that a mutant changes, and its new code."""
    new, (old, here) = codes(mutant.source), whole(mutant.path)
    changed = [place for place, (a, b) in enumerate(zip(new, old, strict=False)) if placeless(a) != placeless(b)]
    if len(new) != len(old) or len(changed) != 1:
        return None
    module, code = f"dpcert.{mutant.path.removesuffix('.py').replace('/', '.')}", new[changed[0]]
    found = [each for each in among if each.__module__ == module and each.__code__ == here[changed[0]]]
    return (found[0], code) if len(found) == 1 and len(found[0].__closure__ or ()) == len(code.co_freevars) else None


class Court:
    """Judges the mutants of one part of the code by its tests."""

    def __init__(
        self, folder: Path, suite: Sequence[str], enough: float, note: Callable[[dict[str, Any]], None], marks: str
    ) -> None:
        self.folder, self.suite, self.enough, self.note, self.marks = folder, suite, enough, note, marks
        self.kills: Counter[str] = Counter()
        self.reached = Reached({}, {}, set())
        self.results: dict[str, dict[str, Any]] = {}

    def judge(self, pool: Sequence[SourceMutant]) -> list[dict[str, Any]]:
        """Return the fates of mutants, in order.

        Raises: SystemExit where a test fails without any change.
        """
        found = forked(lambda: self._quickly(pool), self.folder)
        if "results" not in found:
            fault = {key: value for key, value in found.items() if key != "reached"}
            raise SystemExit(f"the tests in {', '.join(self.suite)} fail without any change: {fault}")
        self._learn(found["reached"])
        self.results, self.kills = found["results"], Counter(found["kills"])
        for mutant in pool:
            if mutant.name() not in self.results:
                self._slowly(mutant)
        return [self.results[mutant.name()] for mutant in pool]

    def _learn(self, reached: dict[str, Any]) -> None:
        tests = {(path, line): names for path, line, names in reached["tests"]}
        self.reached = Reached(reached["seconds"], tests, {(path, line) for path, line in reached["early"]})

    def _decide(self, mutant: SourceMutant, found: dict[str, Any], seconds: float) -> None:
        by = found.get("by")
        if found.get("ended", -1) >= 0:
            raise SystemExit(f"the run of a mutant itself failed: {mutant.name()}: {found}")
        fate = "survived" if by == "" else "killed"
        self.kills[by or ""] += 1
        fields = {key: value for key, value in asdict(mutant).items() if key != "source"}
        self.results[mutant.name()] = {**fields, "name": mutant.name(), "fate": fate, "seconds": seconds, **found}
        self.note(self.results[mutant.name()])

    def _tests(self, mutant: SourceMutant) -> set[str]:
        """The tests that reach a mutant; all where none is known: the machine interprets its prelude, unseen."""
        tests = {test for line in mutant.lines for test in self.reached.tests.get((mutant.path, line), [])}
        return tests or set(self.reached.seconds)

    def _quickly(self, pool: Sequence[SourceMutant]) -> dict[str, Any]:
        """Judge the mutants of functions, by a fork after collection; leave those that ran before, unless killed."""
        tracer = Tracer(self.folder / "site" / "dpcert", {mutant.path for mutant in pool})
        tracer.coverage.start()
        for mutant in pool:
            importlib.import_module(f"dpcert.{mutant.path.removesuffix('.py').replace('/', '.')}")
        among = functions()
        patches = [function_of(mutant, among) for mutant in pool]  # pytest's collection hides functions from `gc`
        jury = Jury({}, self.kills, self.enough)

        def baseline(session: Any, before: dict[str, set[tuple[str, int]]]) -> dict[str, Any]:
            found = Jury({}, self.kills, 1200.0)
            session.config.pluginmanager.register(found)
            fate = found.run(session.items, {item.nodeid for item in session.items})
            tracer.stop()
            return {**fate, "reached": tracer.reached(before)}

        def then(session: Any) -> dict[str, Any]:
            before = tracer.lines()  # a fork begins without
            first: dict[str, Any] = forked(lambda: baseline(session, before), self.folder)
            tracer.stop()
            if first.get("by") != "":
                return first
            self._learn(first["reached"])
            jury.seconds = self.reached.seconds
            sound: set[str] = set()
            for mutant, patch in zip(pool, patches, strict=True):
                tests, start = self._tests(mutant), time.monotonic()
                if patch is None:
                    continue

                def work(patch: Any = patch, tests: set[str] = tests) -> dict[str, Any]:
                    patch[0].__code__ = patch[1]
                    return jury.run(session.items, tests)

                found = forked(work, self.folder) if tests else {"by": "", "whole": True}
                by = found.get("by")
                if by and by not in sound:  # it must pass in a fork without any change, too
                    alone = forked(lambda by=by: jury.run(session.items, {by}), self.folder)
                    if alone.get("by") != "":
                        return {**alone, "by": by}
                    sound.add(by)
                code = patch[0].__code__
                body = {line or 0 for _, _, line in code.co_lines()} - {code.co_firstlineno}
                early = any((mutant.path, line) in self.reached.early for line in body)
                if found.get("by") != "" or not early:
                    self._decide(mutant, found, round(time.monotonic() - start, 2))
            return {"results": self.results, "kills": self.kills, "reached": first["reached"]}

        found = collected(self.suite, then, tracer, jury, marks=self.marks)
        return found if isinstance(found, dict) else {"collection": "failed"}

    def _slowly(self, mutant: SourceMutant) -> None:
        """Judge a mutant by importing all from its file."""
        target, tests = self.folder / "site" / "dpcert" / mutant.path, self._tests(mutant)
        kept = target.read_bytes()

        def work() -> dict[str, Any]:
            sys.dont_write_bytecode = True
            signal.setitimer(signal.ITIMER_PROF, 60)
            jury = Jury(self.reached.seconds, self.kills, self.enough)
            files = sorted({test.partition("::")[0] for test in tests})
            found = collected(files, lambda session: jury.run(session.items, tests), jury, marks=self.marks)
            return found if isinstance(found, dict) else {"by": None}

        start = time.monotonic()
        try:
            target.write_text(mutant.source, encoding="utf-8")
            found = forked(work, self.folder) if tests else {"by": "", "whole": True}
        finally:
            target.write_bytes(kept)
        self._decide(mutant, found, round(time.monotonic() - start, 2))


def copied(folder: Path) -> None:
    """Lay out a copy of the checkout: the package as it is installed, the tests and what they read."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src", folder / "site", ignore=ignored)
    for name in ("tests", "docs"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", folder)


def files_like(pattern: str) -> list[str]:
    """Return the files of the package whose names match a pattern, in order."""
    return sorted(str(path.relative_to(PACKAGE)) for path in PACKAGE.glob(pattern))


def score(results: Sequence[dict[str, Any]]) -> str:
    """Return the table of scores, a line for each file."""
    lines = ["| file | mutants | killed | survived |", "|---|---:|---:|---:|"]
    groups = {path: [x for x in results if x["path"] == path] for path in dict.fromkeys(x["path"] for x in results)}
    for path, found in [*((f"`{path}`", found) for path, found in groups.items()), ("in all", list(results))]:
        alive = sum(x["fate"] == "survived" for x in found)
        lines.append(f"| {path} | {len(found)} | {len(found) - alive} | {alive} |")
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    """Run the mutants; return 0 if every survivor is explained."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", nargs="+", help="kernel, exact, sources, or files in them, such as audit/subject.py")
    parser.add_argument("--every", type=int, default=1, help="only every Nth mutant of each file")
    parser.add_argument("--start", type=int, default=0, help="the place of the first of these, counted from 0")
    parser.add_argument("--again", type=Path, help="only what survived an earlier run, by its --out file")
    parser.add_argument("--enough", type=float, default=1000.0, help="processor seconds after which a mutant survives")
    parser.add_argument("--out", type=Path, help="write a line of JSON for each mutant")
    parser.add_argument("--plain", action="store_true", help="without nightly tests")
    parser.add_argument("--list", action="store_true", help="only list the mutants")
    chosen = parser.parse_args(arguments)
    files = {part: [name for pattern in PARTS[part][0] for name in files_like(pattern)] for part in PARTS}
    wanted = [n for part in PARTS for n in files[part] if part in chosen.what or n in chosen.what]
    pool = [m for path in wanted for m in mutants(PACKAGE, path, chosen.start, chosen.every)]
    if chosen.again:
        lines = map(json.loads, chosen.again.read_text(encoding="utf-8").splitlines())
        alive = {line["name"] for line in lines if line["fate"] == "survived"}
        pool = [mutant for mutant in pool if mutant.name() in alive]
    if chosen.list:
        print(*(mutant.name() for mutant in pool), f"{len(pool)} mutants", sep="\n")
        return 0
    phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
    hypothesis.settings.register_profile(
        PROFILE, max_examples=EXAMPLES, derandomize=True, database=None, deadline=None, phases=phases
    )
    importlib.import_module("numpy")  # once, before the forks
    results: list[dict[str, Any]] = []
    page = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""

    def note(result: dict[str, Any]) -> None:
        if chosen.out:
            with open(chosen.out, "a", encoding="utf-8") as out:
                print(json.dumps(result), file=out)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        copied(folder)
        os.environ["PYTHONPATH"] = str(folder / "site")
        sys.path.insert(0, str(folder / "site"))
        for part, (_, suite) in PARTS.items():
            group = [mutant for mutant in pool if mutant.path in files[part]]
            if group:
                results += Court(folder, suite, chosen.enough, note, "not nightly" if chosen.plain else "").judge(group)
    print(score(results))
    if chosen.every == 1 and not chosen.again:
        heads = tuple(f"- `{Path(path).name}` " for path in wanted)
        explained = [line for line in page.splitlines() if line.startswith(heads)]
        gone = [line for line in explained if not any(mutant.name() in line for mutant in pool)]
        print(*gone, f"{len(gone)} explanations are of no mutant", sep="\n")
    unexplained = [x["name"] for x in results if x["fate"] == "survived" and x["name"] not in page]
    print(*unexplained, f"{len(unexplained)} survivors are not explained in benchmarks/mutants_explained.md", sep="\n")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
