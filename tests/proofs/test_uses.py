"""What falls when something falls: every row above a falsified one turns red, and nothing beside them."""

import pytest

from dpcert.proofs.check import CheckResult
from dpcert.proofs.ledger import FAILING, LedgerError, Row
from dpcert.proofs.registry import rows, uses
from dpcert.proofs.rocq.bindings import BINDINGS
from dpcert.proofs.uses import above, below, require_sound
from dpcert.run import claims


def as_recorded() -> dict[str, CheckResult]:
    """What the checks find where every recorded status is right."""
    found = {name: CheckResult(True) for row in rows() for name in row.methods}
    return found | {
        name: CheckResult(False, row.witness) for row in rows() if row.status in FAILING for name in row.methods
    }


def rests_on(name: str, fallen: str) -> bool:
    return fallen in uses()[name] or any(rests_on(other, fallen) for other in uses()[name])


@pytest.mark.parametrize("fallen", sorted(BINDINGS)[::20])
def test_a_theorem_that_falls_turns_every_row_above_it_red_and_no_other(fallen: str) -> None:
    findings = as_recorded() | {fallen: CheckResult(False, "falsified")}
    red = {entry.id for entry, _ in claims.not_borne_out(claims.entries(), findings)}
    named = {row.id for row in rows() if fallen in row.methods}
    assert red == named | {row.id for row in rows() if any(rests_on(row.id, name) for name in named)}
    assert red == named.union(*(above(name, uses()) for name in named))
    assert red


def test_a_row_that_another_one_uses_turns_it_red() -> None:
    used = {name for row in rows() for name in row.uses}
    assert len(used) > 50
    by_id = {row.id: row for row in rows()}
    for name in sorted(used)[::5]:
        findings = as_recorded() | {by_id[name].methods[-1]: CheckResult(False, "n = 1")}
        red = {entry.id for entry, _ in claims.not_borne_out(claims.entries(), findings)}
        assert {row.id for row in rows() if rests_on(row.id, name)} <= red


def test_what_is_above_is_what_rests_on_it() -> None:
    graph = {"a": (), "b": ("a",), "c": ("b", "a"), "d": ()}
    assert set(below(["c"], graph)) == {"a", "b"}
    assert above("a", graph) == {"b", "c"}
    assert above("d", graph) == set()


def _row(name: str, status: str, *used: str) -> Row:
    return Row(name, "s", status, (), "n = 1", uses=used)


@pytest.mark.parametrize(
    ("found", "fault"),
    [
        ([_row("X/1", "tested", "X/2")], "X/1: no row is X/2"),
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
        require_sound(found)


def test_the_ledger_itself_is_sound() -> None:
    require_sound(rows())
