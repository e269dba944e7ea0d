"""Scores auditors: `python -m scoreboard.run` in `benchmarks/` writes docs/findings/scoreboard.md.

    python -m scoreboard.run [AUDITOR...] [--group G] [--only ID] [--command 'WORDS'] [--answers FILE]

With any argument but `--answers`, only those auditors or problems are scored and printed, and nothing is written. Each
question is put to a process of its own, with at most LIMIT seconds of processor time. `--answers` keeps the answers in
a file, and takes those from it that it has already.
"""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from scoreboard.cases import GROUPS
from scoreboard.command import command
from scoreboard.known import Known, known
from scoreboard.ours import exact, ideal, sampling
from scoreboard.page import HEAD, TOGETHER, page, table, totals
from scoreboard.problem import Answer, Auditor
from scoreboard.score import LIMIT, Scored, asked, together
from scoreboard.statdp import statdp

PAGE = Path(__file__).resolve().parents[2] / "docs" / "findings" / "scoreboard.md"
WAYS: Mapping[str, Auditor] = {"dpcert, exact": exact, "dpcert, ideal noise": ideal, "dpcert, sampling": sampling}
AUDITORS: Mapping[str, Auditor] = {**WAYS, "StatDP, re-implemented": statdp}


class Answers:
    """The answers given so far, in a file if there is one: an object a line."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.known: dict[tuple[str, str], dict[str, Any]] = {}
        if path is not None and path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                entry = json.loads(line)
                self.known[entry["auditor"], entry["id"]] = entry

    def of(self, name: str, auditor: Auditor, each: Known, limit: int) -> Scored:
        """Return an auditor's answer to a problem, and keep it."""
        found = self.known.get((name, each.problem.id))
        if found is not None:
            return Scored(each, Answer(found["verdict"], found["reason"]), found["seconds"])
        scored = asked(auditor, each, limit)
        if self.path is not None:
            entry = {"auditor": name, "id": each.problem.id, "verdict": scored.answer.verdict}
            entry |= {"reason": scored.answer.reason, "seconds": scored.seconds}
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(entry) + "\n")
        return scored


@click.command()
@click.argument("names", nargs=-1)
@click.option("--group", "groups", multiple=True, type=click.Choice(GROUPS), help="Only the problems of a group.")
@click.option("--only", multiple=True, help="Only the problem of this id.")
@click.option("--command", "words", help="Score a command instead.")
@click.option("--answers", type=click.Path(path_type=Path), help="Keep the answers in this file.")
@click.option("--limit", default=LIMIT, show_default=True, help="Seconds of processor time for an answer.")
def main(
    names: tuple[str, ...],
    groups: tuple[str, ...],
    only: tuple[str, ...],
    words: str | None,
    answers: Path | None,
    limit: int,
) -> None:
    """Score the named auditors, or all."""
    auditors = {words: command(shlex.split(words))} if words else AUDITORS
    auditors = {name: auditor for name, auditor in auditors.items() if not names or name in names}
    problems = [each for each in known() if not groups or each.problem.group in groups]
    problems = [each for each in problems if not only or each.problem.id in only]
    start, kept, scores = time.monotonic(), Answers(answers), dict[str, list[Scored]]()
    for name, auditor in auditors.items():
        scores[name] = []
        for each in problems:
            scores[name].append(kept.of(name, auditor, each, limit))
            click.echo(f"{name}: {scores[name][-1]}")
    if WAYS.keys() <= scores.keys():
        first = {name: scores[name] for name in WAYS}
        scores = {**first, TOGETHER: together(list(first.values())), **scores}
    click.echo(table([HEAD, *(totals(name, scored) for name, scored in scores.items())]))
    click.echo(f"{time.monotonic() - start:.0f} s by the clock")
    if not (names or groups or only or words):
        PAGE.write_text(page(scores, problems), encoding="utf-8")


if __name__ == "__main__":
    main()
