"""The second reading: each statement that a second pass through the papers met, and the item that covers it."""

import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from importlib.resources import files
from itertools import pairwise
from math import floor
from types import ModuleType
from typing import Any

import pytest

from dpcert.mechanisms.finite_computers.geometric import geometric_law
from dpcert.mechanisms.finite_computers.mixing import greatest_distance
from dpcert.proofs.checks import second_reading, second_reading_users
from dpcert.proofs.checks.second_reading import SECOND_READING, best_private, cut_within, domains
from dpcert.proofs.checks.second_reading_users import SECOND_READING_USERS, clipped_error
from dpcert.proofs.ledger import items

READ_WHOLE = ("finite-computers", "user-level")
"""Papers of which every item, numbered or not, is in the second reading."""

Entry = dict[str, str]


@pytest.fixture
def reading() -> list[Entry]:
    found: list[Entry] = json.loads(files("dpcert.proofs").joinpath("second_reading.json").read_text("utf-8"))
    return found


def faults(reading: list[Entry], index: list[dict[str, Any]]) -> list[str]:
    """List entries without an item of their paper, entries given twice, and items that were read over."""
    papers = {item["id"]: item["paper"] for item in index}
    found = [f"{e['location']}: {e['item']}" for e in reading if papers.get(e["item"]) != e["paper"]]
    twice = Counter((entry["paper"], entry["location"], entry["topic"]) for entry in reading)
    found += [f"{where}: twice" for where, n in twice.items() if n > 1]
    read = {entry["paper"] for entry in reading}
    named = {(entry["item"], entry["location"].partition(",")[0]) for entry in reading}
    found += [
        f"{item['id']}: read over"
        for item in index
        if item["paper"] in read and item["number"] and (item["id"], item["location"]) not in named
    ]
    covered = {entry["item"] for entry in reading}
    return found + [f"{i['id']}: not read" for i in index if i["paper"] in READ_WHOLE and i["id"] not in covered]


def test_every_entry_has_its_item_and_every_numbered_item_its_entry(reading: list[Entry]) -> None:
    assert set(READ_WHOLE) <= {entry["paper"] for entry in reading}
    assert faults(reading, items()) == []


def test_the_entries_are_well_formed_one_a_line_in_the_order_of_the_papers(reading: list[Entry]) -> None:
    text = files("dpcert.proofs").joinpath("second_reading.json").read_text("utf-8")
    assert text == "[\n" + ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in reading) + "\n]\n"
    assert {tuple(entry) for entry in reading} == {("paper", "location", "topic", "item")}
    assert [entry["topic"] for entry in reading if not 2 <= len(entry["topic"].split()) <= 10] == []
    order = list(dict.fromkeys(item["paper"] for item in items()))
    assert all(order.index(a["paper"]) <= order.index(b["paper"]) for a, b in pairwise(reading))


@pytest.mark.parametrize(
    ("edit", "fault"),
    [
        (lambda reading: reading.append(reading[0]), "twice"),
        (lambda reading: reading[0].update(item="UL/Definition3.1"), "UL/Definition3.1"),
        (lambda reading: reading[0].update(item="BV/Definition9.9"), "BV/Definition9.9"),
        (lambda reading: reading.remove(next(e for e in reading if e["item"] == "BV/Algorithm4.11")), "read over"),
        (lambda reading: reading.remove(next(e for e in reading if e["item"] == "BV/Section2/Formula1")), "not read"),
    ],
)
def test_caught_a_damaged_reading(reading: list[Entry], edit: Callable[[list[Entry]], Any], fault: str) -> None:
    start = next(i for i, entry in enumerate(reading) if entry["paper"] == "finite-computers")
    reading[:] = reading[start:]
    edit(reading)
    assert [found for found in faults(reading, items()) if found.endswith(fault)]


def less(x: Fraction) -> Fraction:
    return x * 9 / 10


@pytest.mark.parametrize(
    ("check", "module", "name", "wrong"),
    [
        (
            "geometric-optimal",
            second_reading,
            "geometric_law",
            lambda n, ratio: geometric_law(n=n, ratio=ratio - Fraction(1, 8)),
        ),
        ("counts-of-lists", second_reading, "lists", lambda n, universe: [[0] * (n + 1)]),
        ("mixing-steps", second_reading, "greatest_distance", lambda **k: 2 * greatest_distance(**k)),
        ("irrational-mass", second_reading, "zero_mass", lambda m: (Fraction(1, m), Fraction(1, m))),
        ("four-cases-clamped", second_reading, "four_cases", lambda z, c, n, r: Fraction(z >= c)),
        ("cut-noise-own-scale", second_reading, "cut_within", lambda **k: less(cut_within(**k))),
        ("cumulative-at-zero", second_reading, "cumulative_zero", lambda answers, n: [len(answers)] * (n + 1)),
        ("cut-off-defined", second_reading, "logarithm_of", lambda n, epsilon, gamma: n / gamma),
        ("recursive-calls", second_reading, "calls", lambda i: i.bit_length()),
        ("precision-bits", second_reading, "precision", lambda n, universe, delta: n * universe / delta),
        ("precision-above", second_reading, "pure_distance", lambda **k: Fraction(1)),
        ("sparse-privacy-step", second_reading, "precision", lambda **k: 5),
        ("accurate-sets-disjoint", second_reading, "floor", lambda x: floor(x) - 1),
        ("planted-rows-ceiling", second_reading, "ceil", floor),
        ("sampler-domains-differ", second_reading, "domains", lambda **k: (64, domains(**k)[1])),
        ("poisson-near-binomial", second_reading_users, "poisson_mass", lambda rate, k: (Fraction(0), Fraction(0))),
        ("fixed-quantile-poor", second_reading_users, "clipped_error", lambda *a: 1 + less(clipped_error(*a)) / 10**6),
        ("dirichlet-closer", second_reading_users, "share_spread", lambda users, alpha: Fraction(users, alpha)),
    ],
)
def test_caught_a_fault_in_what_a_check_rests_on(
    monkeypatch: pytest.MonkeyPatch, check: str, module: ModuleType, name: str, wrong: Callable[..., Any]
) -> None:
    checks = {**SECOND_READING, **SECOND_READING_USERS}
    assert checks[check]().holds
    monkeypatch.setattr(module, name, wrong)
    assert not checks[check]().holds


@pytest.mark.parametrize(
    "check",
    [
        "four-cases-unclamped",
        "cumulative-at-zero-positive",
        "cut-noise-printed-scale",
        "cut-off-printed",
        "sparse-privacy-step-printed",
        "planted-rows-floor",
    ],
)
def test_what_the_text_has_and_a_proof_does_not_need_is_refuted(check: str) -> None:
    assert not SECOND_READING[check]().holds


def test_exact_twin_of_the_least_loss_for_two_counts() -> None:
    """For n = 1 a private mechanism errs by at least 1/(r + 1) on one of two counts: randomized response."""
    assert best_private(Fraction(3), (1, 1), lambda gap: gap) == 2 * Fraction(1, 4)
    assert best_private(Fraction(3), (9, 1), lambda gap: gap) == 1
