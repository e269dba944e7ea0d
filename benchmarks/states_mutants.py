"""Count what a mistake in the layer of states would do: `python benchmarks/states_mutants.py --every 40`.

Each mutant is one edit of `mechanisms/states/` (`mutant_edits.py`). With it, the corpus and the adversary's programs of
`tests/states` are read by their states. Each reading has the law of the paths, another law, or none. What is counted is
mutants that give some program another law, by the part of the table in docs/explanation/what-is-trusted.md: without
replays; with replays that take every way; and with those of random paths as well, as an audit runs them, once in each
of the two orders that its two processes take, whose laws must be the same.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from importlib import import_module
from itertools import islice
from pathlib import Path
from types import FunctionType
from typing import Any

from mutant_edits import SourceMutant, mutants
from mutants import function_of
from tables import table

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.enumerator import LazyRun, exact_law
from dpcert.mechanisms.exact.explore import Limits, Settings
from dpcert.mechanisms.exact.law import Law
from dpcert.mechanisms.states.read import merged_law
from dpcert.mechanisms.states.replaying import replays

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "explanation" / "what-is-trusted.md"
FOLDER = ROOT / "tests" / "states"
LIMITS = Limits(max_tail=Fraction(1, 10**6), max_runs=2_000, max_draws=40)
SECONDS, LONG = 2, 30
"""Processor time of one reading, and of all readings with one mutant."""
PARTS = (
    "rewriting",
    "following",
    "states as one",
    "equal keys are equal states",
    "nothing else is a state",
    "the chain",
)
CORPUS_INPUT = 3
MODES = ("without replays", "with every way", "with random paths")
Program = Callable[[Any, Any], Any]


def programs() -> Iterator[tuple[str, Program, Any, Law]]:
    """Yield the programs with their inputs and the laws of their paths."""
    sys.path[:0] = [str(FOLDER)]
    careless, adversary = import_module("test_careless"), import_module("careless")
    reader = import_module("test_reader")
    given = [(name, careless.CUNNING[name]) for name in careless.CUNNING if name.startswith("in_")]
    given += [(name, value) for name, value in vars(adversary).items() if name.startswith("in_")]
    named = [(each.__name__, each, CORPUS_INPUT) for each in reader.PROGRAMS]
    named += [
        (name, each, Fraction(1, 2) if name in careless.OF_A_FRACTION else adversary.Mode.A)
        for name, each in given
        if type(each) is FunctionType
    ]
    for name, program, value in named:
        yield name, program, value, exact_law(program, value, Settings(LazyRun, LIMITS)).law


def parts() -> dict[str, list[str]]:
    """Return the modules of each part of the table, by its name, but of replays and of tails that are summed: a mistake
    in a replay alone changes no law, and these programs sum no tail."""
    text = PAGE.read_text(encoding="utf-8")
    return {
        part: [f"mechanisms/states/{each}.py" for each in re.findall(r"`([a-z_/]+)`", modules)]
        for part in PARTS
        for modules in re.findall(rf"^  \| {part} \| ([^|]+) \|", text, re.MULTILINE)[:1]
    }


def agree(one: Dist, other: Law) -> bool:
    """Whether two laws can be of one program."""
    careless = import_module("test_careless")
    return bool(careless._agree(one, other))


def law(program: Program, value: Any, *, reverse: bool, replay: bool) -> Dist | None:
    """Return the law by states, or None where there is none."""
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        return merged_law(program, value, limits=LIMITS, reverse=reverse, replay=replay).law
    except Exception:  # a mutant may raise anything; without a change, `main` asks for the laws of the corpus
        return None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def wrong(known: list[tuple[str, Program, Any, Law]]) -> dict[str, list[str]]:
    """Return the programs that have another law than that of their paths, in each mode."""
    found: dict[str, list[str]] = {mode: [] for mode in MODES}
    random = replays.RANDOM
    for name, program, value, paths in known:
        alone = law(program, value, reverse=False, replay=False)
        if alone is None or agree(alone, paths):
            continue
        found[MODES[0]].append(name)
        for mode, count in ((MODES[1], 0), (MODES[2], random)):
            replays.RANDOM = count
            one = law(program, value, reverse=False, replay=True)
            if one is None or agree(one, paths):
                break
            other = law(program, value, reverse=True, replay=False)
            if other is None or other.digest() != one.digest():
                break
            found[mode].append(name)
        replays.RANDOM = random
    return found


def forked(work: Callable[[], Any]) -> Any:
    """Return what `work()` returns in a fork of this process, silently; None where it dies or takes too long."""
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "answer.json"
        child = os.fork()
        if child == 0:
            resource.setrlimit(resource.RLIMIT_CPU, (LONG, LONG))
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
            with open(os.devnull, "w") as nowhere:
                os.dup2(nowhere.fileno(), 1)
                os.dup2(nowhere.fileno(), 2)
            try:
                answer.write_text(json.dumps(work()), encoding="utf-8")
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        return json.loads(answer.read_text(encoding="utf-8")) if answer.exists() else None


def late(*_: object) -> None:
    """End a reading that takes too long."""
    raise TimeoutError


def main() -> None:
    """Judge every Nth mutant of each part, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--every", type=int, default=40, help="only every Nth mutant of each part")
    parser.add_argument("--start", type=int, default=0, help="the place of the first of these, counted from 0")
    parser.add_argument("--part", default="", help="only parts with this in their names")
    chosen = parser.parse_args()
    signal.signal(signal.SIGPROF, late)
    known = [*programs()]
    corpus = [each for each in known if each[2] == CORPUS_INPUT]
    unread = [name for name, program, value, _ in corpus if law(program, value, reverse=False, replay=True) is None]
    if unread or not corpus:
        raise SystemExit(f"without any change, these have no law: {unread}")
    before = wrong(known)
    if any(before.values()):
        raise SystemExit(f"without any change, these have another law than that of their paths: {before}")
    rows = []
    for part, paths in parts().items():
        if chosen.part not in part:
            continue
        pool = [each for path in paths for each in mutants(ROOT, path)]
        counts = Counter(dict.fromkeys(MODES, 0))
        judged = dead = 0
        for mutant in islice(pool, chosen.start, None, chosen.every):
            patch = function_of(mutant)
            if patch is None:
                continue
            found = forked(lambda patch=patch: _with(patch, known))
            judged += 1
            dead += found is None
            counts.update(mode for mode in MODES if found and found[mode])
            if found and found[MODES[1]]:
                print(told(mutant, found), flush=True)
        rows.append([part, str(len(pool)), str(judged), str(dead), *(str(counts[mode]) for mode in MODES)])
        print(table(["part", "mutants", "judged", "died", *MODES], rows), flush=True)


def told(mutant: SourceMutant, found: dict[str, list[str]]) -> str:
    """Say what a mutant does, in a line."""
    return f"{mutant.name()}: {found[MODES[1]][:3]}; with random paths {found[MODES[2]][:3]}"


def _with(patch: tuple[FunctionType, Any], known: list[tuple[str, Program, Any, Law]]) -> dict[str, list[str]]:
    patch[0].__code__ = patch[1]
    return wrong(known)


if __name__ == "__main__":
    main()
