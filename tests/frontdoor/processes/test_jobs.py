"""Evidence that jobs and answers survive the way to a worker and back, and that nothing else is taken for one."""

import json
from dataclasses import fields, replace
from typing import Any

import pytest

from dpcert import DpcertError, InputError, Options, Unauditable
from dpcert.planning.proposal import SEARCH, Proposal
from dpcert.planning.question import Question
from dpcert.targets.cases import case_of
from dpcert.targets.made import Lost
from dpcert.targets.spec import CatalogueSpec, FileSpec
from dpcert.worker import jobs
from dpcert.worker.codec import Unfit, decode, encode
from dpcert.worker.exchange import Assignment, Reply, reply_from
from dpcert.worker.failure import Failure
from dpcert.worker.operations import OPERATIONS
from dpcert.worker.reads.record import Reads, Record
from dpcert.worker.result import SeenEvent, Slack, UnreachedCode
from dpcert.worker.results import described
from dpcert.worker.troubles import ChildEnded, ChildFailed, TimedOut, Trouble

SHIPS, WRITTEN = CatalogueSpec("geosample", {"n": "3"}), FileSpec("/a/b.py", "release", 2, "b")
OPTIONS = Options(epsilon="ln(3)", seed=7)
QUESTION = Question("geosample", "1", None, "counts_differ_by_one", {"n": "3"})
PLAIN = described(case_of(SHIPS, OPTIONS))
SEEN = SeenEvent(0, [1], [{"tuple": []}], 1, "1/2", "0/1")
RESULT = replace(PLAIN, worst=SEEN, rounding=Slack("1e-9", "1"), unreached=UnreachedCode("b.py", [3], [(1, 2)]))
AUDITED = jobs.Audited(RESULT, "refuted", Trouble("a", "b", "c", 2))
DIGESTS = jobs.Digests(["ab", "cd"], "")
FAILURE = Failure("ended", "it ended", status=-9)

EXCHANGES: list[tuple[jobs.Job[Any], Any]] = [
    (jobs.ListTargets("/a/b.py", "release", {"k": "1"}), jobs.Listing([WRITTEN], [Lost("f", 3, "why", "write")])),
    (jobs.Describe(WRITTEN, OPTIONS), jobs.Description(PLAIN, "verified")),
    (jobs.Audit(SHIPS, OPTIONS, "/certificates"), AUDITED),
    (jobs.AuditMany([SHIPS, WRITTEN], OPTIONS), jobs.Answers([AUDITED, jobs.Alone("by itself"), FAILURE])),
    (jobs.Compare(SHIPS, OPTIONS), jobs.Compared(2, "the inputs", "3")),
    (jobs.FindDigests(SHIPS, OPTIONS), DIGESTS),
    (jobs.FindDigestsOfMany([WRITTEN], OPTIONS), jobs.DigestsOfMany([DIGESTS, FAILURE])),
    (jobs.FindDigestsOfPremises([jobs.FindDigests(SHIPS, OPTIONS)]), DIGESTS),
    (jobs.FindStates(WRITTEN, OPTIONS), jobs.States({"R": "ab"})),
    (jobs.FindLaw(SHIPS, OPTIONS, [1, None]), jobs.LawFound([[0, "1/1"]], "0/1", ["note"], {"lo": 1, "hi": 2})),
    (jobs.Draw(SHIPS, OPTIONS, None), jobs.Picture(None, jobs.Missing("none"))),
    (jobs.Recheck("/c.json", None, None, {"max_runs": 3}), jobs.Rechecked("rejected", "why")),
    (jobs.Propose(QUESTION), Proposal(None, "", SEARCH, "why", "source", delta=("0/1", "1/2"))),
]


def sent(data: Any) -> Any:
    return json.loads(json.dumps(data))


def test_every_kind_of_job_is_carried_out_and_tried_here() -> None:
    assert set(OPERATIONS) == set(jobs.JOBS.values()) == {type(job) for job, _ in EXCHANGES}


@pytest.mark.parametrize(("job", "answer"), EXCHANGES, ids=lambda part: type(part).__name__)
def test_a_job_and_its_answer_come_over_as_they_are(job: jobs.Job[Any], answer: Any) -> None:
    there = Assignment(job, "/folder", 1 << 30, 1.5, 17, ["/a"], recording=True)
    assert Assignment.from_data(sent(there.to_data())) == there
    record = Record({"/a/b.py": None}, {"/a": (("b",), "ab")}, {"numpy": "2"}, ("c",), {"HOME": "ab"}, {"locale": None})
    for reply in (Reply(answer), Reply(FAILURE), Reply(answer, Reads(record, "a link"), early=True, files={"c": "{}"})):
        assert reply_from(job, sent(encode(reply))) == reply


@pytest.mark.parametrize(("job", "answer"), EXCHANGES, ids=lambda part: type(part).__name__)
def test_refused_what_is_no_answer_to_the_job(job: jobs.Job[Any], answer: Any) -> None:
    whole = sent(encode(Reply(answer)))
    name = fields(answer)[0].name
    for other in ({}, {**whole["answer"], "more": 1}, {**whole["answer"], name: 0.5}, [], None):
        with pytest.raises(Unfit):
            reply_from(job, {**whole, "answer": other})


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (int, True),
        (int, "1"),
        (str, None),
        (float, True),
        (list[int], [1, "2"]),
        (tuple[int, str], [1]),
        (tuple[int, ...], [1, None]),
        (dict[str, int], {"a": "1"}),
        (int | None, "1"),
        (CatalogueSpec, {"name": "a"}),
        (FileSpec | CatalogueSpec, {"name": "a", "settings": {}, "path": "b"}),
    ],
)
def test_refused_data_of_another_form(kind: Any, data: Any) -> None:
    with pytest.raises(Unfit):
        decode(kind, data)


@pytest.mark.parametrize(
    "error",
    [
        InputError(given="a", needed="b", remedy="c"),
        Unauditable("it sleeps"),
        TimedOut("late"),
        ChildEnded("killed", -9),
        ChildFailed("ours"),
    ],
)
def test_an_error_comes_over_as_it_is(error: DpcertError) -> None:
    failure = decode(Failure, sent(encode(Failure.of(error))))
    assert (type(failure.error()), str(failure.error())) == (type(error), str(error))
    assert getattr(failure.error(), "status", None) == getattr(error, "status", None)
    with pytest.raises(type(error)):
        Reply(failure).delivered()


def test_another_kind_of_job_is_not_taken_for_it() -> None:
    data = Assignment(jobs.Describe(SHIPS, OPTIONS), "/folder", 1, None, 1, [], recording=False).to_data()
    with pytest.raises(Unfit):
        Assignment.from_data({**sent(data), "kind": "Audit"})
