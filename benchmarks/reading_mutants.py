"""Count what a mistake in the machine would do: `python benchmarks/reading_mutants.py --every 60`.

Each mutant is one edit of `reading/` (`mutant_edits.py`); or keys do not tell one slot of the records of one class, or
the types of numbers, so that states are merged which differ in that alone. With it, the programs of `tests/reading` are
read: each has its law as before, another law, or none. What is counted is mutants that give some program another law,
by the part of the machine that they change: without replays, and with as many replays of ways as an audit makes.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from mutant_edits import mutants
from mutants import function_of
from tables import table

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.law import Law
from dpcert.reading.domains.rows import Column, Count, Log, Row, Turns
from dpcert.reading.explore import Explorer, Limits, Question, read_law
from dpcert.reading.keys import SLOTS, Writer, encode
from dpcert.reading.replay import replay
from dpcert.reading.values import Dict, Frame, Set, Undecided, World

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "tests" / "reading"
PARTS: dict[str, tuple[str, ...]] = {
    "a slot that no key tells": (),
    "keys and thaw": ("keys", "values"),
    "what is live": ("decode",),
    "questions and their answers": ("explore", "machine", "questions"),
    "undecided numbers": ("domains/coins", "draws"),
    "states as one": ("together",),
    "the border to the host": ("imports", "pins", "border"),
    "the chain": ("solve",),
    "what instructions do": ("calls", "objects", "instructions", "containers", "control", "operators"),
    "iteration": ("iterate", "prelude", "prelude_iterators", "prelude_functions"),
}
SECONDS, LONG, CHEAP, REPLAYS = 2, 40, 0.3, 20
"""Processor time of one reading, and of all with one mutant; of a program that is taken; replays of a program."""
Known = tuple[str, Callable[..., Any], Any, Law]


def late(*_: object) -> None:
    """End a reading that takes too long."""
    raise TimeoutError


def law(program: Callable[..., Any], value: Any) -> Law | None:
    """Return the law that is read, or None where there is none."""
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        return read_law(program, value, Limits(states=600)).law
    except (Exception, Unauditable):  # a mutant may raise anything
        return None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def programs() -> list[Known]:
    """Return the programs of the tests with their inputs and laws, which the tests hold to be right."""
    sys.path[:0] = [str(FOLDER), str(FOLDER / "programs")]
    tests = import_module("test_adversaries")
    named = [each.values for each in tests.found(*tests.OWN)] + tests.MOVED_PROGRAMS
    found = []
    for module, program in named:
        value, start = tests.value_for(module), time.process_time()
        known = law(program, value)
        if known is not None and time.process_time() - start < CHEAP:
            found.append((program.__name__, program, value, known))
    return found


def replayed(program: Callable[..., Any], value: Any) -> bool:
    """Whether replays find nothing wrong with a program."""
    try:
        replay(program, value, REPLAYS)
    except (Exception, Unauditable):
        return False
    return True


class Forgetful(Writer):
    """Tells a state but for one slot of the records of one class; without a class, but for the types of numbers."""

    kind: Any = None
    slot = ""

    def row(self, record: Any) -> Any:
        """The form of a record, with nothing in the slot."""
        if record.__class__ is not self.kind:
            return super().row(record)
        kept = getattr(record, self.slot)
        empty = [None] * len(kept) if self.slot == "locals" else EMPTY.get((self.kind, self.slot))
        setattr(record, self.slot, empty)
        try:
            return super().row(record)
        finally:
            setattr(record, self.slot, kept)

    def undecided(self, value: Undecided) -> Any:
        """The form of an undecided number, with no steps where these are not told."""
        return super().undecided(Undecided(value.draw) if self.kind is Undecided else value)

    def form(self, value: Any) -> Any:
        """The form of a value."""
        if self.kind is None and value.__class__ in (bool, float) and value == value // 1:
            return super().form(int(value))
        return super().form(value)


EMPTY = {(Frame, "place"): 0, (Frame, "stack"): (), (Dict, "items"): {}, (Set, "items"): {}}
OTHERS = (Frame, Undecided, World, Row, Log, Turns, Count, Column)  # told below, or records of ideal noise alone
FORGOTTEN = [  # without the origin of what was imported, which stands beside each such record as well
    *((kind, slot) for kind, slots in SLOTS.items() if kind not in OTHERS for slot in slots[1:]),
    *((Frame, slot) for slot in ("after", "error", "generator", "names", "place", "locals", "stack", "space")),
    *((Undecided, "chain"), (None, "")),
]


def forget(kind: Any, slot: str) -> None:
    """Merge states that differ in one slot alone: the first goes on for the others."""
    whole = Explorer.question
    Forgetful.kind, Forgetful.slot = kind, slot

    def question(self: Explorer, m: Any, asked: Any = None, writer: Any = None) -> Question:
        found = whole(self, m, asked, writer)
        if writer is not None:
            return found
        told, forgetful = encode(m, Forgetful(m))
        name = told, asked and forgetful.numbers.get(id(asked.draw)), found.cuts
        first: Question = vars(self).setdefault("first", {}).setdefault(name, found)
        return first

    type.__setattr__(Explorer, "question", question)


def changed(patch: tuple[FunctionType, CodeType]) -> None:
    """Give a function the code of a mutant."""
    patch[0].__code__ = patch[1]


def wrong(plant: Callable[[], None], known: list[Known]) -> list[list[str]]:
    """Return the programs that have another law with a fault: all, and those in which replays see nothing."""
    unlike = import_module("oracle").unlike
    plant()
    found, unseen = [], []
    for name, program, value, right in known:
        read = law(program, value)
        masses = {key: Fraction(weight, right.denominator) for key, _, weight in right.weights()}
        if read is not None and unlike(read, masses, right.tail) is not None:
            found.append(name)
            if replayed(program, value):
                return [found, [name]]
    return [found, unseen]


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


def faults(modules: tuple[str, ...], start: int, every: int) -> tuple[int, list[tuple[str, Callable[[], None]]]]:
    """Return how many mutants a part has, and of every Nth its name and what plants it."""
    if not modules:
        names = [f"{kind.__name__}.{slot}" if kind else "the types of numbers" for kind, slot in FORGOTTEN]
        return len(names), [(name, partial(forget, *each)) for name, each in zip(names, FORGOTTEN, strict=True)]
    pool = [each for module in modules for each in mutants(ROOT, f"reading/{module}.py")]
    patches = [(each.name(), function_of(each)) for each in islice(pool, start, None, every)]
    return len(pool), [(name, partial(changed, patch)) for name, patch in patches if patch is not None]


def main() -> None:
    """Judge every Nth mutant of each part, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--every", type=int, default=60, help="only every Nth mutant of each part")
    parser.add_argument("--start", type=int, default=0, help="the place of the first of these, counted from 0")
    parser.add_argument("--part", default="", help="only parts with this in their names")
    chosen = parser.parse_args()
    signal.signal(signal.SIGPROF, late)
    known = programs()
    print(f"{len(known)} programs", flush=True)
    rows = []
    for part, modules in PARTS.items():
        if chosen.part not in part:
            continue
        size, planted = faults(modules, chosen.start, chosen.every)
        counts: Counter[str] = Counter()
        for name, plant in planted:
            found = forked(partial(wrong, plant, known))
            counts.update(["judged"] if found else ["judged", "died"])
            if found and found[0]:
                counts.update(["wrong", "unseen"] if found[1] else ["wrong"])
            if not modules or (found and found[0]):
                print(f"{name}: {found and found[0][:3]}; replays see nothing in {found and found[1]}", flush=True)
        of_all = f"{counts['judged']} of {size:,}"
        rows.append([part, of_all, *(str(counts[each]) for each in ("died", "wrong", "unseen"))])
    head = ["part", "mutants judged, of all", "died", "another law", "another law that no replay sees"]
    print(table(head, rows))


if __name__ == "__main__":
    main()
