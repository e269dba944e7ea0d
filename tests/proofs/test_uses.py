"""What falls when something falls: every row and theorem above a falsified one turns red, and nothing beside them."""

import re
from dataclasses import replace

import pytest

from dpcert.proofs import registry
from dpcert.proofs.check import CheckResult
from dpcert.proofs.ledger import FAILING, LedgerError, Row
from dpcert.proofs.registry import THEOREMS, rows, uses
from dpcert.proofs.theorem import Theorem
from dpcert.proofs.uses import above, below, require_sound
from dpcert.run import claims

LEMMAS = {lemma.name: theorem.id for theorem in THEOREMS.values() for lemma in theorem.lemmas}


def as_recorded() -> dict[str, CheckResult]:
    """What the checks find where every recorded status is right."""
    found = {name: CheckResult(True) for row in rows() for name in row.methods}
    found |= {name: CheckResult(False, row.witness) for row in rows() if row.status in FAILING for name in row.methods}
    return found | {name: CheckResult(True) for name in THEOREMS}


def rests_on(name: str, fallen: str) -> bool:
    return fallen in uses()[name] or any(rests_on(other, fallen) for other in uses()[name])


@pytest.mark.parametrize("fallen", THEOREMS)
def test_a_falsified_theorem_turns_every_row_above_it_red_and_no_other(fallen: str) -> None:
    findings = as_recorded() | {fallen: CheckResult(False, "falsified")}
    red = {entry.id for entry, _ in claims.not_borne_out(claims.entries(), findings)}
    assert red == {row.id for row in rows() if rests_on(row.id, fallen)} == above(fallen, uses()) - set(THEOREMS)
    assert red


def test_a_row_that_another_one_uses_turns_it_red() -> None:
    used = {name for row in rows() for name in row.uses} - set(THEOREMS)
    assert len(used) > 50
    by_id = {row.id: row for row in rows()}
    for name in sorted(used)[::5]:
        findings = as_recorded() | {by_id[name].methods[-1]: CheckResult(False, "n = 1")}
        red = {entry.id for entry, _ in claims.not_borne_out(claims.entries(), findings)}
        assert {row.id for row in rows() if rests_on(row.id, name)} <= red


def test_a_lemma_made_false_is_found_by_the_solver_and_falls_on_what_rests_on_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    theorem = THEOREMS["rounded-binomials-proved"]
    false = replace(theorem.lemmas[0], conclusion=lambda v: v.d <= 0)
    changed: dict[str, Theorem] = {**THEOREMS, theorem.id: replace(theorem, lemmas=(false, *theorem.lemmas[1:]))}
    monkeypatch.setattr(claims, "THEOREMS", changed)
    entries = [entry for entry in claims.entries() if entry.id in ("BV/Section6.3/Formula3", "BV/Section6.3/Formula5")]
    wrong = claims.not_reproduced(entries, jobs=1)
    assert [entry.id for entry, _ in wrong] == [entry.id for entry in entries]
    assert all(reason.startswith("rounded-binomials-proved: ") for _, reason in wrong)


@pytest.mark.parametrize("theorem", THEOREMS.values(), ids=lambda theorem: theorem.id)
def test_an_argument_names_no_lemma_and_no_theorem_that_it_does_not_use(theorem: Theorem) -> None:
    own = {lemma.name for lemma in theorem.lemmas}
    named = set(re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)+", theorem.argument))
    assert named & set(THEOREMS) <= {theorem.id, *theorem.uses}
    assert {LEMMAS[name] for name in named & set(LEMMAS) - own} <= set(below([theorem.id], uses()))


def test_what_is_above_is_what_rests_on_it() -> None:
    graph = {"a": (), "b": ("a",), "c": ("b", "a"), "d": ()}
    assert set(below(["c"], graph)) == {"a", "b"}
    assert above("a", graph) == {"b", "c"}
    assert above("d", graph) == set()


def _row(name: str, status: str, *used: str, methods: tuple[str, ...] = ()) -> Row:
    return Row(name, "s", status, methods, "n = 1", uses=used)


@pytest.mark.parametrize(
    ("found", "fault"),
    [
        ([_row("X/1", "tested", "X/2")], "X/1: no row and no theorem is X/2"),
        ([_row("X/1", "tested", "X/1")], "X/1 rests on itself"),
        ([_row("X/1", "tested", "X/2"), _row("X/2", "tested", "X/1")], "X/1 rests on itself"),
        ([_row("X/1", "proved", "X/2"), _row("X/2", "tested")], "X/1 is proved and uses X/2, which is tested"),
        ([_row("X/1", "verified", "X/2"), _row("X/2", "tested")], "X/1 is verified and uses X/2, which is tested"),
        ([_row("X/1", "tested", "X/2"), _row("X/2", "measured")], "X/1 is tested and uses X/2, which is measured"),
        ([_row("X/1", "measured", "X/2"), _row("X/2", "refuted")], "X/1 is measured and uses X/2, which is refuted"),
        ([_row("X/1", "tested", "X/2"), _row("X/2", "open")], "X/1 is tested and uses X/2, which is open"),
    ],
)
def test_refused_uses(found: list[Row], fault: str) -> None:
    with pytest.raises(LedgerError, match=fault):
        require_sound(found, THEOREMS)


def test_refused_theorems_that_use_rows_or_themselves() -> None:
    name, theorem = next(iter(THEOREMS.items()))
    with pytest.raises(LedgerError, match=f"{name}: a theorem uses theorems, and X/1 is a row"):
        require_sound([_row("X/1", "tested")], {name: replace(theorem, uses=("X/1",))})
    with pytest.raises(LedgerError, match=f"{name} rests on itself"):
        require_sound([], {name: replace(theorem, uses=(name,))})


def test_the_ledger_itself_is_sound() -> None:
    require_sound(rows(), registry.THEOREMS)
