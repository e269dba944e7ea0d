"""docs/explanation/what-is-trusted.md names, for each status, just what the checks behind its rows can reach."""

import re
from pathlib import Path

import pytest

from dpcert.proofs import trust
from dpcert.proofs.ledger import STATUSES
from dpcert.proofs.registry import rows
from dpcert.proofs.trust import KERNEL, LIBRARIES, ROCQ, trusted

PAGE = (Path(__file__).resolve().parents[2] / "docs/explanation/what-is-trusted.md").read_text("utf-8")
NAMES = {KERNEL, ROCQ, *LIBRARIES.values()}


def _column(status: str) -> set[str]:
    row = re.search(rf"^\| `{status}` \|[^|]*\|([^|]*)\|$", PAGE, re.MULTILINE)
    assert row
    return {name for name in NAMES if re.search(rf"\b{name}\b", row[1])}


@pytest.mark.parametrize("status", STATUSES)
def test_each_status_names_what_its_checks_reach(status: str) -> None:
    methods = {method for row in rows() if row.status == status for method in row.methods}
    assert _column(status) == set().union(*map(trusted, methods))


def test_what_is_trusted_is_read_off_the_modules() -> None:
    assert trusted("sampled-constant-fifth") >= {"FLINT"}
    assert trusted("mixing-inequality") == {"z3"}
    assert trusted("Sampling.theorem_2") == {"Rocq"}
    with pytest.raises(KeyError):
        trusted("no such check")


def test_caught_an_import_inside_a_function() -> None:
    source = "def f():\n    import mpmath\n    from flint import arb\n"
    assert set(trust._names(trust.ast.parse(source))) == {"mpmath", "flint"}
