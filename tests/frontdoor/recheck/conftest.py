"""What tests of rechecks share: certificates made by audits, and a recheck that looks at both of its forms."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from in_process import keep_inside, run

PROGRAM = """
    @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
    def release(bit, coins):
        return bit if coins.below(4) < 3 else 1 - bit

    @target(guarantee=PureDP("ln(2)"), inputs=[0, 1], neighbours="any")
    def leaking(bit, coins):
        return bit if coins.below(4) < 3 else 1 - bit

    @target(guarantee=PureDP("ln(3)"), inputs=range(3), neighbours=lambda a, b: abs(a - b) == 1, params={"of": [4, 5]})
    def grid(count, coins, *, of):
        return count % 2 if coins.below(of) else 5
"""


@pytest.fixture(scope="session")
def made(writer: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Certificates made by audits, by name; and the program of a user's."""
    folder = tmp_path_factory.mktemp("certificates")
    path = writer(folder)("program.py", PROGRAM)
    with pytest.MonkeyPatch.context() as patch:
        keep_inside(patch)
        done = run(
            "audit", "randomized-response", "geosample-strict", path, "--certificates", folder / "made", "--json"
        )
    names = ("verified", "refuted", "release", "leaking", "grid4", "grid5")
    paths = (Path(result["certificate"]) for result in done.document["results"])
    return {"program": path, **dict(zip(names, paths, strict=True))}


@pytest.fixture
def recheck(
    inside: Callable[..., Any], workers_inside: None, check_json: Callable[..., None]
) -> Callable[..., tuple[int, str]]:
    """Re-check a certificate in this process; return the status and the line, after checking both forms."""

    def run(path: Path, *options: object) -> tuple[int, str]:
        done, told = (inside("recheck", path, *options, *form) for form in ((), ("--json",)))
        assert done.status == told.status
        if told.document["schema"] == "dpcert.error/1":
            check_json("error", told.document)
            return done.status, done.refusal()
        check_json("recheck", told.document)
        (line,) = done.lines
        assert told.document["line"] == line
        assert told.document["accepted"] is (done.status == 0)
        assert done.err == ""
        return done.status, line

    return run
