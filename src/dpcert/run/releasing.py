"""Releases of real data: the audited program on a file, with its guarantee, and the budget that it spends."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.mechanisms.coins import system_coins
from dpcert.mechanisms.decimals import decimal_hi
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact, need, ratio_text
from dpcert.planning.lone import DIGITS
from dpcert.releasing.data import Counts, Users, merged_counts, read_counts, read_labels
from dpcert.releasing.families import ready_for
from dpcert.releasing.plans import planned
from dpcert.releasing.ready import Drawn, Ready, Request
from dpcert.releasing.rows import Columns, opened
from dpcert.releasing.writing import Files, target_of
from dpcert.run.budget import Budget
from dpcert.run.planning import Plan
from dpcert.run.progress import Progress
from dpcert.targets.files import file_errors

SCHEMA = "dpcert.release/1"
Data = str | Path | Sequence[str | Path] | Counts
"""A file, several files, or the count of each value."""


@dataclass(frozen=True, slots=True)
class Release:
    """The released rows and their columns, the guarantee in words, its assumptions, and the columns that were read.

    `spent` is the budget's spent part, None without a budget; `notes` say how to read the rows.
    """

    mechanism: str
    parameters: dict[str, str]
    guarantee: str
    rests_on: str
    read: str
    spent: dict[str, str] | None
    columns: tuple[str, ...]
    released: tuple[tuple[Any, ...], ...]
    notes: dict[str, str] = field(default_factory=dict)

    def record(self) -> dict[str, Any]:
        """Return all but the rows as JSON data."""
        names = ("mechanism", "parameters", "guarantee", "rests_on", "read", "spent", "notes")
        return {"schema": SCHEMA, **{name: getattr(self, name) for name in names}, "columns": list(self.columns)}

    def as_json(self) -> dict[str, Any]:
        """Return the release as JSON data."""
        return {**self.record(), "released": [list(row) for row in self.released]}


def release(
    mechanism: str | None,
    data: Data,
    out: str | Path,
    *,
    settings: Mapping[str, str] | None = None,
    epsilon: object = None,
    delta: object = None,
    neighbours: str | None = None,
    plan: str | Path | Plan | None = None,
    labels: str | Path | Sequence[str] | None = None,
    budget: str | Path | None = None,
    columns: Columns | None = None,
    trusted: bool = False,
    executor: Executor | None = None,
    coins: Coins | None = None,
) -> Release:
    """Run a mechanism on data, and write its outcome: each row of a file is one person, or as many as its count says.

    `data` is a file of one value a line, CSV or Parquet of values, or of values and counts, or, for mechanisms on
    users, of users, values and counts; several such files, whose counts add up; or counts, as `read_counts` gives them.
    `out` ends in .json, or in .csv or .parquet for the rows, with the guarantee beside it in a file that ends in
    .guarantee.json. `plan` is a file of `dpcert plan --json`, or the result of `dpcert.plan`; no other argument may
    then repeat what it fixes. `labels` are public. The budget is spent when all files are written and before they are
    visible; if writing fails, nothing is spent. Where the terminal is `trusted`, errors show the content of a row. With
    an `executor`, any of `concurrent.futures`, its workers count several files; this process adds up and draws.

    Raises: InputError for an invalid mechanism, setting, plan or file, for a `delta` that is too small, and for a
            budget of another relation; BudgetExceeded where the budget is too small.
    """
    request = _request(mechanism, settings or {}, epsilon, delta, neighbours, plan, labels)
    files = Files(target_of(out))
    with Progress(1) as progress:
        progress.at("preparing")
        ready = ready_for(request)
        if request.delta and not ready.guarantee.delta:
            given, needed = f"delta = {request.delta} for {request.mechanism}", "no delta: it is private without one"
            raise InputError(given=given, needed=needed, remedy="leave it out")
        account = None if budget is None else Budget.open(budget)
        if account is not None:
            account.require(ready.relation)
        progress.at("reading")
        prepared, read = _prepared(data, columns or Columns(), ready.reads, request.labels, trusted, progress, executor)
        progress.at("drawing")
        spends = ready.guarantee
        drawn = ready.program(prepared, coins or system_coins())
        rows, chosen = (drawn.rows, drawn.settings) if isinstance(drawn, Drawn) else (drawn, {})
        released = Release(
            mechanism=request.mechanism,
            parameters={**ready.settings, **chosen},
            guarantee=_words(ready),
            rests_on=ready.rests_on,
            read=read,
            spent=None if account is None else {"epsilon": str(spends.epsilon), "delta": ratio_text(spends.delta)},
            columns=ready.columns,
            released=tuple(rows),
            notes=dict(ready.notes),
        )
        progress.at("writing")
        _write(released, files, ready, account)
    return released


def _write(release: Release, files: Files, ready: Ready, account: Budget | None) -> None:
    try:
        with file_errors(f"--out {files.target}", "a file that can be written", "make its folder, or room"):
            files.write(release.columns, release.released, release.record())
            if account is not None:
                note = f"{release.mechanism} to {files.target.name}"
                account.spend(ready.guarantee, neighbours=ready.relation, note=note)
        files.spent = True
    finally:
        files.clear()
    files.show()


def _words(ready: Ready) -> str:
    whom = "each user is one element" if ready.reads != "counts" else "each row is one person, or as many as it counts"
    epsilon, delta = ready.guarantee.epsilon, ready.guarantee.delta
    short = decimal_hi(delta, DIGITS)
    shown = short if Fraction(short) == delta else ratio_text(delta)
    relation = RELATIONS[ready.relation].words
    return f"what was released is ({epsilon}, {shown})-differentially private for {relation}: {whom}"


def _prepared(
    data: Data,
    columns: Columns,
    reads: str,
    labels: Sequence[str] | None,
    trusted: bool,
    progress: Progress,
    executor: Executor | None,
) -> tuple[Counts | Users, str]:
    """Return the data in the form that a mechanism takes, and in words the columns that were read."""
    paths: list[Path] = []
    if isinstance(data, str | Path):
        paths = [Path(data)]
    elif all(isinstance(part, str | Path) for part in data):
        paths = [Path(part) for part in data if isinstance(part, str | Path)]
    if reads != "counts":
        if len(paths) != 1:
            raise InputError(given="users in several parts", needed="one file of all users", remedy="join the files")
        items = None if reads == "records" else {label: place for place, label in enumerate(labels or ())}
        with opened(paths[0], columns, users=True, trusted=trusted, progress=_part(progress)) as rows:
            return Users.of(rows, items), rows.words
    if not paths:
        return merged_counts([_checked(data)]), "counts"
    if executor is None:
        parts = [read_counts(path, columns, trusted=trusted, progress=_part(progress)) for path in paths]
    else:
        parts = list(executor.map(partial(read_counts, columns=columns, trusted=trusted), paths))
    counts, words = merged_counts(part for part, _ in parts), parts[-1][1]
    return counts, words if len(parts) == 1 else f"{words}, of {len(parts)} files"


def _part(progress: Progress) -> Any:
    return lambda part: progress.at(f"reading, {part:.0%}")


def _checked(data: Any) -> Counts:
    """Return data as counts, if they are pairs of a text and a number.

    Raises: InputError for anything else.
    """
    for pair in data:
        whole = type(pair) is tuple and len(pair) == 2 and type(pair[0]) is str and type(pair[1]) is int
        if not whole or pair[1] < 1:
            needed = "pairs of a text and an int >= 1, as dpcert.read_counts gives them"
            raise InputError(given="data that are no counts", needed=needed, remedy="name a file, or pass such pairs")
    counts: Counts = list(data)
    return counts


def _request(
    mechanism: str | None,
    settings: Mapping[str, str],
    epsilon: object,
    delta: object,
    neighbours: str | None,
    plan: str | Path | Plan | None,
    labels: str | Path | Sequence[str] | None,
) -> Request:
    if plan is not None:
        mechanism, settings, epsilon, delta, neighbours = planned(
            plan.as_json() if isinstance(plan, Plan) else Path(plan), mechanism, settings, epsilon, delta, neighbours
        )
    if mechanism is None or epsilon is None:
        missing = "a mechanism" if mechanism is None else "an epsilon"
        raise InputError(given=f"release without {missing}", needed=missing, remedy="name it, or give a plan")
    listed = read_labels(labels) if isinstance(labels, str | Path) else labels
    spend = Epsilon.of(epsilon)
    lost = None if delta is None else Fraction(exact(delta, "delta"))
    need(lost is None or 0 <= lost <= 1, f"delta = {lost}", "a number from 0 to 1", "write --delta 1e-6")
    return Request(mechanism, dict(settings), spend, lost, neighbours, listed)
