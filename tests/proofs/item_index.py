"""The form of the item index: its fields, each paper's printed counters, and what is wrong with a list of items."""

import re
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

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
PASSAGES = 869
"""How many passages the items of all papers have."""

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
