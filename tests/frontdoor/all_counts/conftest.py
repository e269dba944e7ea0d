"""What tests of counts of any size share: bundles of each relation, and edits of them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bundles import SMALL, one
from in_process import keep_inside, run


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Bundles made by audits, by neighbours, each when it is asked for."""
    folder = tmp_path_factory.mktemp("bundles")

    class Made(dict[str, Path]):
        def __missing__(self, name: str) -> Path:
            with pytest.MonkeyPatch.context() as patch:
                keep_inside(patch)
                asked = (*SMALL, "--neighbours", name, "--certificates", folder, "--json")
                done = run("audit", "sample-threshold", *asked)
            self[name] = Path(one(done)["certificate"])
            return self[name]

    return Made()


@pytest.fixture
def recheck(inside: Callable[..., Any], workers_inside: None) -> Callable[..., tuple[int, str]]:
    def run(path: Path, *options: object) -> tuple[int, str]:
        done = inside("recheck", path, *options)
        return done.status, done.out.strip() or done.err.strip()

    return run


@pytest.fixture
def edited(made: dict[str, Path], tmp_path: Path, recheck: Callable[..., Any]) -> Callable[..., tuple[int, str]]:
    """Re-check a bundle after an edit of its data."""

    def run(name: str, edit: Callable[[dict[str, Any]], object]) -> tuple[int, str]:
        data = json.loads(made[name].read_text())
        edit(data)
        path = tmp_path / "edited.json"
        path.write_text(json.dumps(data))
        return recheck(path)

    return run
