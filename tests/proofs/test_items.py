"""The item index of the five papers: strict form, stable ids, gapless printed numbering, pinned counts."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from dpcert.proofs import ledger

PROOFS = Path(__file__).resolve().parents[2] / "proofs"

PAPERS = {
    "ST": "sample-and-threshold",
    "BV": "finite-computers",
    "PWS": "weighted-sampling",
    "AH": "anonymized-histograms",
    "UL": "user-level",
}
THEOREM_LIKE = ("theorem", "lemma", "proposition", "corollary", "definition", "problem")
KINDS = frozenset(THEOREM_LIKE) | {
    "remark",
    "algorithm",
    "equation",
    "figure",
    "table",
    "example",
    "formula",
    "footnote",
    "claim",
}
FIELDS = {"id": str, "paper": str, "kind": str, "location": str, "topic": str, "checkable": bool}

NUMBERED = re.compile(r"(?P<prefix>[A-Z]+)/(?P<word>[A-Z][a-z]+)(?P<number>\d+(\.\d+)?|[A-Z]\.\d+)")
UNNUMBERED = re.compile(
    r"(?P<prefix>[A-Z]+)/(?P<place>Abstract|Section\d+(\.\d+)*|Appendix[A-Z](\.\d+)*)"
    r"/(?P<word>[A-Z][a-z]+)(?P<ordinal>[1-9]\d*)"
)
PLACE = re.compile(r"(Section \d+|Appendix [A-Z]|Theorem \d+)(\.\d+)*")

Item = dict[str, Any]


def count(*lengths: tuple[str, int]) -> list[str]:
    """List section.1 to section.n for each (section, n), and 1 to n where the section is empty."""
    return [f"{section}.{i}".lstrip(".") for section, n in lengths for i in range(1, n + 1)]


# Each paper's printed counters: the kinds that share one, and the numbers in the order of the paper.
# One gap: the text at hand of the user-level paper mentions no Figure 3.
COUNTERS: dict[str, list[tuple[tuple[str, ...], list[str]]]] = {
    "sample-and-threshold": [
        (("theorem", "lemma"), count(("", 9))),
        (("equation",), count(("", 7))),
        (("figure",), count(("", 2))),
        (("footnote",), count(("", 2))),
    ],
    "finite-computers": [
        (
            ("theorem", "lemma", "proposition", "corollary", "definition", "algorithm"),
            count(*zip("12345678A", (6, 13, 2, 12, 6, 21, 2, 6, 3), strict=True)),
        ),
        (("equation",), ["3.1"]),
        (("figure",), count(("", 6))),
        (("footnote",), count(("", 6))),
    ],
    "weighted-sampling": [
        (THEOREM_LIKE, count(*zip("13456ACDEF", (1, 1, 4, 2, 1, 3, 3, 1, 1, 1), strict=True))),
        (("algorithm",), count(("", 6))),
        (("equation",), count(("", 51))),
        (("figure",), count(("", 9))),
    ],
    "anonymized-histograms": [
        (("theorem",), count(("", 3))),
        (("lemma",), count(("", 10))),
        (("corollary",), count(("", 1))),
        (("definition",), count(("", 3))),
        (("equation",), count(("", 20))),
        (("footnote",), count(("", 5))),
    ],
    "user-level": [
        (THEOREM_LIKE, count(*zip("345A", (2, 4, 2, 2), strict=True))),
        (("algorithm",), count(("", 4))),
        (("equation",), count(("", 6))),
        (("figure",), ["1", "2", "4"]),
        (("footnote",), count(("", 1))),
    ],
}

# Rows per paper and kind, and how many of the paper's rows nothing can check.
COUNTS: dict[str, tuple[dict[str, int], int]] = {
    "sample-and-threshold": (
        {
            "theorem": 1,
            "lemma": 8,
            "remark": 7,
            "algorithm": 3,
            "equation": 7,
            "figure": 2,
            "example": 11,
            "formula": 22,
            "footnote": 2,
            "claim": 29,
        },
        3,
    ),
    "finite-computers": (
        {
            "theorem": 20,
            "lemma": 15,
            "proposition": 6,
            "corollary": 1,
            "definition": 12,
            "algorithm": 17,
            "equation": 1,
            "figure": 6,
            "formula": 62,
            "footnote": 6,
            "claim": 37,
            "remark": 6,
        },
        17,
    ),
    "weighted-sampling": (
        {
            "theorem": 3,
            "lemma": 12,
            "corollary": 1,
            "definition": 1,
            "problem": 1,
            "remark": 4,
            "algorithm": 6,
            "equation": 51,
            "figure": 9,
            "example": 2,
            "formula": 37,
            "claim": 52,
        },
        11,
    ),
    "anonymized-histograms": (
        {
            "theorem": 3,
            "lemma": 10,
            "corollary": 1,
            "definition": 3,
            "remark": 2,
            "algorithm": 3,
            "equation": 20,
            "example": 4,
            "formula": 44,
            "footnote": 5,
            "claim": 34,
        },
        13,
    ),
    "user-level": (
        {
            "theorem": 3,
            "lemma": 3,
            "corollary": 2,
            "definition": 2,
            "remark": 5,
            "algorithm": 4,
            "equation": 6,
            "figure": 3,
            "table": 1,
            "example": 1,
            "formula": 10,
            "footnote": 1,
            "claim": 16,
        },
        11,
    ),
}


def form_faults(item: Item) -> list[str]:
    """List what is wrong with one item taken alone."""
    where = f"{item.get('id')!r}"
    if item.keys() - {"also", "passages"} != FIELDS.keys() | {"number"}:
        return [f"{where}: fields {sorted(item)}"]
    found = [f"{where}: {name} is {item[name]!r}" for name, kind in FIELDS.items() if type(item[name]) is not kind]
    if found:
        return found
    numbered, unnumbered = NUMBERED.fullmatch(item["id"]), UNNUMBERED.fullmatch(item["id"])
    match = numbered or unnumbered
    if match is None or item["kind"] not in KINDS or match["word"].lower() != item["kind"]:
        return [f"{where}: not an id of kind {item['kind']!r}"]
    if PAPERS.get(match["prefix"]) != item["paper"]:
        found.append(f"{where}: not an id of paper {item['paper']!r}")
    if numbered and (item["number"], item["location"]) != (numbered["number"], printed(numbered)):
        found.append(f"{where}: number {item['number']!r} at {item['location']!r}")
    if unnumbered and (item["number"] is not None or not names_place(item["location"], unnumbered["place"])):
        found.append(f"{where}: number {item['number']!r} at {item['location']!r}")
    if not re.fullmatch(r"[^\s\\${}]+( [^\s\\${}]+){1,9}", item["topic"]):
        found.append(f"{where}: topic {item['topic']!r}")
    if "also" in item and not all(PLACE.fullmatch(place) for place in item["also"].split("; ")):
        found.append(f"{where}: also {item['also']!r}")
    return found


def printed(match: re.Match[str]) -> str:
    """Write a numbered item's location as its paper prints it."""
    word, number = match["word"], match["number"]
    return {"Equation": f"Equation ({number})", "Problem": f"Informal Problem {number}"}.get(word, f"{word} {number}")


def names_place(location: str, place: str) -> bool:
    """Tell whether `location` is the section or appendix `place`, a comma, and words on where in it."""
    head, comma, rest = location.partition(", ")
    return head.replace(" ", "") == place and bool(comma and rest.strip() == rest != "")


def place_key(item: Item) -> tuple[int, str, tuple[int, ...]] | None:
    """Order an item that names its section: abstract, sections, appendices; None for the others."""
    if unnumbered := UNNUMBERED.fullmatch(item["id"]):
        place = unnumbered["place"]
        if place.startswith("Appendix"):
            return 2, place[8], tuple(map(int, place[10:].split("."))) if place[10:] else ()
        return (1, "", tuple(map(int, place[7:].split(".")))) if place.startswith("Section") else (0, "", ())
    return None


def section_key(item: Item) -> tuple[int, str, int] | None:
    """Order an item by the top of its section, from its place or dotted number; None for the others."""
    if key := place_key(item):
        return key[0], key[1], key[2][0] if key[0] == 1 else 0
    head, dot, _ = item["number"].partition(".")
    if not dot:
        return None
    return (1, "", int(head)) if head.isdigit() else (2, head, 0)


def order_faults(items: list[Item]) -> list[str]:
    """List ids used twice, papers and sections out of order, and every gap in a numbering."""
    found = [f"{name!r}: used {n} times" for name, n in Counter(item["id"] for item in items).items() if n > 1]
    papers = [item["paper"] for item in items]
    if list(dict.fromkeys(papers)) != list(PAPERS.values()) or papers != sorted(
        papers, key=list(PAPERS.values()).index
    ):
        found.append("papers are missing or out of order")
    ordinals: defaultdict[str, list[int]] = defaultdict(list)
    for paper in PAPERS.values():
        rows = [item for item in items if item["paper"] == paper]
        for key in (place_key, section_key):
            keys = [(where, item["id"]) for item in rows if (where := key(item)) is not None]
            found += [f"{b!r}: stands after {a!r}" for (x, a), (y, b) in pairwise(keys) if y < x]
        for kinds, numbers in COUNTERS[paper]:
            have = [item["number"] for item in rows if item["number"] and item["kind"] in kinds]
            if have != numbers:
                found.append(f"{paper}: {'/'.join(kinds)} numbered {have}")
        counted = {kind for kinds, _ in COUNTERS[paper] for kind in kinds}
        found += [f"{i['id']!r}: no counter" for i in rows if i["number"] and i["kind"] not in counted]
        for item in rows:
            if unnumbered := UNNUMBERED.fullmatch(item["id"]):
                ordinals[item["id"].removesuffix(unnumbered["ordinal"])].append(int(unnumbered["ordinal"]))
    found += [f"{k!r}: numbered {v}" for k, v in ordinals.items() if v != list(range(1, len(v) + 1))]
    return found


def faults(items: list[Item]) -> list[str]:
    return [fault for item in items for fault in form_faults(item)] or order_faults(items)


def unique_fields(pairs: list[tuple[str, Any]]) -> Item:
    if len(dict(pairs)) != len(pairs):
        raise ValueError(f"a field given twice: {pairs}")
    return dict(pairs)


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
    assert sum(len(item.get("passages", [])) for item in items) == 869


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
        (
            "BV/Section5.1/Claim1",
            "BV/Theorem5.5",
            "'BV/Section5.1/Claim1': stands after 'BV/Section5.2/Claim2'",
        ),
        ("BV/Section7/Formula1", "BV/Lemma8.1", "'BV/Section7/Formula1': stands after 'BV/Lemma8.1'"),
        (
            "PWS/AppendixC.2/Claim1",
            "PWS/TheoremD.1",
            "'PWS/AppendixC.2/Claim1': stands after 'PWS/TheoremD.1'",
        ),
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
