"""The item index of the five papers: strict form, stable ids, gapless printed numbering, pinned counts."""

import json
from collections import Counter
from collections.abc import Callable

import pytest

from dpcert.proofs import ledger

from .item_index import COUNTS, KINDS, PAPERS, PASSAGES, PROOFS, Item, faults, form_faults, order_faults, unique_fields


@pytest.fixture
def items() -> list[Item]:
    """Give a fresh copy of the index, which a test may damage."""
    return ledger.items()


def test_the_index_is_well_formed_and_has_no_gap(items: list[Item]) -> None:
    assert faults(items) == []


@pytest.mark.parametrize("paper", PAPERS.values())
def test_the_index_has_one_item_a_line_and_no_field_twice(paper: str) -> None:
    text = (PROOFS / paper.replace("-", "_") / "items.json").read_text(encoding="utf-8")
    items = json.loads(text, object_pairs_hook=unique_fields)
    lines = ",\n".join(json.dumps(item, ensure_ascii=False) for item in items)
    assert text == f"[\n{lines}\n]\n"


READ_WHOLE = ("finite-computers", "user-level")
"""Papers of which every item, numbered or not, has a passage."""


def passage_faults(items: list[Item]) -> list[str]:
    """List passages of another form or given twice, and items that no passage states."""
    found = []
    passages = [(item, passage) for item in items for passage in item.get("passages", [])]
    for item, passage in passages:
        if set(passage) != {"location", "topic"} or not 2 <= len(passage["topic"].split()) <= 10:
            found.append(f"{item['id']}: {passage}")
    twice = Counter((item["paper"], passage["location"], passage["topic"]) for item, passage in passages)
    found += [f"{where}: twice" for where, n in twice.items() if n > 1]
    named = {(item["id"], passage["location"].partition(",")[0]) for item, passage in passages}
    found += [f"{i['id']}: not at its place" for i in items if i["number"] and (i["id"], i["location"]) not in named]
    covered = {item["id"] for item, _ in passages}
    return found + [f"{i['id']}: no passage" for i in items if i["paper"] in READ_WHOLE and i["id"] not in covered]


def test_every_numbered_item_has_a_passage_at_its_place(items: list[Item]) -> None:
    assert passage_faults(items) == []
    assert sum(len(item.get("passages", [])) for item in items) == PASSAGES


@pytest.mark.parametrize(
    ("name", "edit", "fault"),
    [
        ("ST/Lemma1", lambda passages: passages.append(passages[0]), "twice"),
        ("ST/Lemma1", lambda passages: passages[0].update(topic="ratio"), "'topic': 'ratio'}"),
        ("BV/Algorithm4.11", lambda passages: passages.clear(), "not at its place"),
        ("BV/Section2/Formula1", lambda passages: passages.clear(), "no passage"),
    ],
)
def test_caught_damaged_passages(
    items: list[Item], name: str, edit: Callable[[list[Item]], object], fault: str
) -> None:
    edit(next(item for item in items if item["id"] == name)["passages"])
    assert [found for found in passage_faults(items) if found.endswith(fault)]


def test_no_two_rows_of_a_paper_have_one_topic(items: list[Item]) -> None:
    topics = Counter((item["paper"], item["topic"]) for item in items)
    assert [topic for topic, n in topics.items() if n > 1] == []


@pytest.mark.parametrize("paper", PAPERS.values())
def test_pinned_counts(items: list[Item], paper: str) -> None:
    rows = [item for item in items if item["paper"] == paper]
    assert (Counter(row["kind"] for row in rows), sum(not row["checkable"] for row in rows)) == COUNTS[paper]


def test_every_kind_occurs(items: list[Item]) -> None:
    assert {item["kind"] for item in items} == KINDS


def test_what_is_proved_counts_as_checkable(items: list[Item]) -> None:
    proved = ("theorem", "lemma", "proposition", "corollary", "algorithm", "example", "formula")
    assert [i["id"] for i in items if i["kind"] in proved and not i["checkable"]] == ["BV/PropositionA.2"]


EDITS: dict[str, Callable[[Item], object]] = {
    "a missing field": lambda item: item.pop("topic"),
    "an unknown field": lambda item: item.update(statement="text"),
    "a flag that is a number": lambda item: item.update(checkable=1),
    "a flag that is text": lambda item: item.update(checkable="true"),
    "a number that is no text": lambda item: item.update(number=9),
    "another number than the id's": lambda item: item.update(number="8"),
    "an unknown kind": lambda item: item.update(kind="conjecture", id="ST/Conjecture9"),
    "a kind that the id denies": lambda item: item.update(kind="theorem"),
    "a paper that the prefix denies": lambda item: item.update(paper="user-level"),
    "an unknown prefix": lambda item: item.update(id="XX/Lemma9"),
    "an id of no form": lambda item: item.update(id="ST/Lemma 9"),
    "a location of another item": lambda item: item.update(location="Lemma 7"),
    "an empty topic": lambda item: item.update(topic=""),
    "a topic of eleven words": lambda item: item.update(topic=" ".join(["word"] * 11)),
    "a topic in two lines": lambda item: item.update(topic="two\nlines"),
    "a topic with markup": lambda item: item.update(topic="the rate $p_s$"),
    "an empty second place": lambda item: item.update(also=""),
    "a second place of no form": lambda item: item.update(also="see the appendix"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_refused_item(items: list[Item], edit: str) -> None:
    item = next(item for item in items if item["id"] == "ST/Lemma9")
    assert form_faults(item) == []
    EDITS[edit](item)
    assert len(faults(items)) == 1


@pytest.mark.parametrize(
    "change", [{"number": "1"}, {"location": "Section 3.1, "}, {"location": "Section 3.2, sampling rate"}]
)
def test_refused_unnumbered_item(items: list[Item], change: Item) -> None:
    item = next(item for item in items if item["id"] == "ST/Section3.1/Claim1")
    assert form_faults(item) == []
    assert len(form_faults(item | change)) == 1


@pytest.mark.nightly
def test_caught_any_numbered_item_that_is_left_out(items: list[Item]) -> None:
    numbered = [item for item in items if item["number"]]
    assert len(numbered) == 254
    for item in numbered:
        assert order_faults([other for other in items if other is not item]), item["id"]


def test_caught_an_unnumbered_item_that_is_left_out(items: list[Item]) -> None:
    names = ("ST/Section3.1/Claim1", "PWS/AppendixG.3/Formula5")
    kept = [item for item in items if item["id"] not in names]
    assert [fault.split(":")[0] for fault in order_faults(kept)] == [
        "'ST/Section3.1/Claim'",
        "'PWS/AppendixG.3/Formula'",
    ]


def test_caught_an_item_given_twice(items: list[Item]) -> None:
    assert "'BV/Footnote3': used 2 times" in order_faults([*items, *(i for i in items if i["id"] == "BV/Footnote3")])


@pytest.mark.parametrize(
    ("name", "after", "fault"),
    [
        ("BV/Section5.1/Claim1", "BV/Theorem5.5", "'BV/Section5.1/Claim1': stands after 'BV/Section5.2/Claim2'"),
        ("BV/Section7/Formula1", "BV/Lemma8.1", "'BV/Section7/Formula1': stands after 'BV/Lemma8.1'"),
        ("PWS/AppendixC.2/Claim1", "PWS/TheoremD.1", "'PWS/AppendixC.2/Claim1': stands after 'PWS/TheoremD.1'"),
        ("UL/Equation5", "UL/Equation6", "user-level: equation numbered"),
        ("ST/Lemma9", "BV/Lemma2.2", "papers are missing or out of order"),
    ],
)
def test_caught_an_item_out_of_place(items: list[Item], name: str, after: str, fault: str) -> None:
    moved = next(item for item in items if item["id"] == name)
    items.remove(moved)
    items.insert(1 + next(i for i, item in enumerate(items) if item["id"] == after), moved)
    assert [found for found in order_faults(items) if found.startswith(fault)]


def test_refused_a_field_given_twice() -> None:
    with pytest.raises(ValueError, match="a field given twice"):
        json.loads('[{"id": "ST/Lemma1", "id": "ST/Lemma3"}]', object_pairs_hook=unique_fields)
