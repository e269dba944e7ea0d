"""Command lines in the process of the tests, and their workers in it too: for all that needs no process of its own."""

import contextlib
import io
import json
import os
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy
import pytest

import dpcert.cli
from dpcert.targets.load import AsWritten
from dpcert.worker.attempt import Attempt
from dpcert.worker.auditing import Workplace
from dpcert.worker.codec import decode, encode
from dpcert.worker.exchange import Reply, reply_from
from dpcert.worker.jobs import Digests, FindDigests, FindStates, Job
from dpcert.worker.operations import OPERATIONS
from dpcert.worker.process import Children
from dpcert.worker.seeded import Seeds

NOWHERE = Workplace(Path(os.devnull).parent)


def strict(text: str) -> Any:
    """Read JSON as a strict reader does: no repeated keys, no NaN, nothing before or after."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        assert len(found) == len(pairs), f"a key is repeated: {[key for key, _ in pairs]}"
        return found

    def never(text: str) -> Any:
        raise AssertionError(f"not JSON: {text}")

    return json.loads(text, object_pairs_hook=once, parse_constant=never, parse_float=never)


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def document(self) -> Any:
        return strict(self.out)

    def verdicts(self) -> dict[str, str]:
        """Map the functions of a JSON audit to their verdicts; each name once."""
        results = self.document["results"]
        found = {result["target"].rpartition(":")[2]: result["verdict"] for result in results}
        assert len(found) == len(results)
        return found

    def result(self, name: str) -> dict[str, Any]:
        """Return the one result of a JSON audit about a function."""
        (found,) = (r for r in self.document["results"] if r["target"].rpartition(":")[2] == name)
        assert isinstance(found, dict)
        return found

    def refusal(self, status: int = 2) -> str:
        """Return the one line that refuses bad input, after seeing that it is one, and no traceback."""
        assert self.status == status, (self.status, self.out, self.err)
        (line,) = self.err.splitlines()
        assert line.startswith("dpcert: ")
        assert "; needed: " in line
        assert line.isprintable()
        assert len(line) < 1000
        assert "Traceback" not in self.out + self.err
        return line


def answer_of(job: Job[Any], here: Workplace) -> Any:
    """Carry out a job as a worker process does, and return its answer, or a failure."""
    with Attempt[Any]() as attempt:
        attempt.answer = OPERATIONS[type(job)](job, here)
    return attempt.answer


def run(*arguments: object) -> Done:
    """Run a command line in this process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = dpcert.cli.main([str(argument) for argument in arguments])
    return Done(status, out.getvalue(), err.getvalue())


@dataclass(frozen=True)
class Alone:
    """The second computation of laws, in this process."""

    job: Any

    def digests(self, scope: str, position: int | None = None) -> list[str]:
        job = self.job if position is None else FindDigests(self.job.specs[position], self.job.options)
        with files_forgotten():
            found: Digests = Reply(answer_of(job, NOWHERE)).delivered()
        assert found.scope == scope
        return found.digests


@contextlib.contextmanager
def files_forgotten() -> Iterator[None]:
    """Import inside what nobody installed as if for the first time, and forget it and the way to it afterwards."""
    path, finders, kept = list(sys.path), list(sys.meta_path), _from_files()
    for name in kept:
        del sys.modules[name]
    try:
        yield
    finally:
        for name in _from_files():
            del sys.modules[name]
        sys.modules.update(kept)
        sys.path[:], sys.meta_path[:] = path, finders


def _from_files() -> dict[str, Any]:
    own = {name: module for name, module in sys.modules.items() if not name.startswith("dpcert.")}
    return {name: module for name, module in own.items() if type(getattr(module, "__loader__", 0)) is AsWritten}


def _reply(children: Children, job: Any, *, timeout: float | None = None, recording: bool = False) -> Reply[Any]:
    job = decode(type(job), json.loads(json.dumps(encode(job))))
    with files_forgotten():
        answer = answer_of(job, replace(NOWHERE, seconds=timeout))
    found = reply_from(job, json.loads(json.dumps(encode(Reply(answer)))))
    found.delivered()
    return found


@contextlib.contextmanager
def shared_as_new() -> Iterator[None]:
    """Let the generators that all code shares be as in a new process, and put them back."""
    kept = random.getstate(), numpy.random.get_state()
    random.seed()
    numpy.random.seed()
    try:
        yield
    finally:
        random.setstate(kept[0])
        numpy.random.set_state(kept[1])


def _states(seeds: Seeds) -> list[dict[str, str]]:
    while len(seeds.found) < 2:
        with files_forgotten(), shared_as_new():
            states = Reply(answer_of(FindStates(seeds.spec, seeds.options), NOWHERE)).delivered().states
        seeds.found.append(states)
    return seeds.found


def keep_inside(patch: pytest.MonkeyPatch) -> None:
    """Have the jobs of worker processes carried out in this process."""
    patch.setattr(Children, "reply", _reply)
    patch.setattr(Seeds, "_states", _states)
    patch.setattr(Children, "forking", lambda children, **how: contextlib.nullcontext())
    patch.setattr(Workplace, "again", lambda here, job: contextlib.nullcontext(Alone(job)))
