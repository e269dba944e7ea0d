"""The list of the board of real bugs: rows that name where each is said, and nothing twice."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROWS = tomllib.loads(Path("benchmarks/board/rows.toml").read_text())["row"]
NEEDED = {"id", "repository", "where", "truth", "kind", "says"}


def test_the_list_has_sixty_rows_each_with_its_place() -> None:
    assert len(ROWS) >= 60
    assert len({row["id"] for row in ROWS}) == len(ROWS)
    for row in ROWS:
        assert NEEDED <= set(row) <= NEEDED | {"package", "affected", "mended"}, row["id"]
        assert row["where"].startswith(f"https://github.com/{row['repository']}/"), row["id"]
        assert row["truth"] in {"violated", "holds", "equal", "unread"}, row["id"]
        assert row.get("package") or not row.get("affected") or "pull request" in row["affected"], row["id"]
