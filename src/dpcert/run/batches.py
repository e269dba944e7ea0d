"""Many audits: so many at a time, those of one target's grid together in one child process, results in order."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from typing import Any

from dpcert.mechanisms.exact.errors import DpcertError
from dpcert.run.single import Run, audit_one
from dpcert.targets.cases import Spec
from dpcert.worker.troubles import Trouble

__all__ = ["MOST_TOGETHER", "audited", "chunks"]

MOST_TOGETHER = 32
"""How many points of a grid share a child process at the most."""
SPREAD = 4
"""How many chunks there are for each job at the least, so that none waits long for the last."""

Labelled = tuple[str, Spec]


def chunks(specs: Sequence[Labelled], run: Run) -> list[list[Labelled]]:
    """Return the claims in order, those of one function that follow each other grouped where they are many.

    A lock or a budget is of single targets, and sampling takes all the time there is: then there are no groups.
    """
    most = max(1, min(MOST_TOGETHER, len(specs) // (SPREAD * run.jobs)))
    if run.lock is not None or run.budgets or run.options.sampling:
        most = 1
    found: list[list[Labelled]] = []
    for label, spec in specs:
        home = found[-1][0][1] if found else None
        same = home is not None and "path" in spec and _home(spec) == _home(home) and len(found[-1]) < most
        if same:
            found[-1].append((label, spec))
        else:
            found.append([(label, spec)])
    return found


def _home(spec: Spec) -> tuple[Any, Any]:
    return spec.get("path"), spec.get("function")


def audited(
    specs: Sequence[Labelled], run: Run, *, waiting: Callable[[str], None] = lambda label: None
) -> Generator[tuple[str, Spec, tuple[dict[str, Any], str] | Trouble, float], None, None]:
    """Audit claims, `run.jobs` chunks at a time, and yield each with what was found and in how many seconds, in order.

    These are the claims of one invocation: what samples show of them shares its confidence, and its seed. `waiting`
    hears which claim is waited for. Leaving early, by an exception too, ends all child processes.
    """
    run = replace(run, options=run.options.among(len(specs)))
    groups = chunks(specs, run)
    with ThreadPoolExecutor(run.jobs) as pool:
        futures = [pool.submit(_together, group, run) for group in groups]
        try:
            for group, future in zip(groups, futures, strict=True):
                waiting(group[0][0])
                for (label, spec), (found, seconds) in zip(group, future.result(), strict=True):
                    waiting(label)
                    yield label, spec, found, seconds
        except BaseException:
            run.children.end()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _together(group: list[Labelled], run: Run) -> list[tuple[tuple[dict[str, Any], str] | Trouble, float]]:
    """Audit a group in one child process; where that gives no answer in the time of one, halve it, down to singles."""
    begin = time.monotonic()
    if len(group) == 1:
        return [_alone(*group[0], run)]
    specs = [spec for _, spec in group]
    job = {"op": "audits", "specs": specs, "options": asdict(run.options), "certificates": run.certificates}
    try:
        answers = run.ask(job)["answers"]
    except DpcertError:
        half = len(group) // 2
        return _together(group[:half], run) + _together(group[half:], run)
    each = (time.monotonic() - begin) / len(group)
    return [
        _alone(label, spec, run) if _crowded(answer) else (audit_one(label, spec, run, answer=answer), each)
        for (label, spec), answer in zip(group, answers, strict=True)
    ]


def _alone(label: str, spec: Spec, run: Run) -> tuple[tuple[dict[str, Any], str] | Trouble, float]:
    """Audit one claim in a child process of its own; return what was found and in how many seconds."""
    begin = time.monotonic()
    return audit_one(label, spec, run), time.monotonic() - begin


def _crowded(answer: dict[str, Any]) -> bool:
    """Whether a claim wants a process of its own: it is sampled, or is without a result.

    Those before it may have left too little memory, another may have ended the second computation of all; and what was
    refuted before a program ended is heard of a claim by itself alone.
    """
    return "alone" in answer or answer.get("trouble") == "unauditable"
