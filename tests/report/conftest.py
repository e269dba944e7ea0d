"""What the tests of reports share: targets with names and outcomes that a page must escape, and their document."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from in_process import Done, keep_inside, run

NASTY = """
import dpcert

def named(name):
    def rename(function):
        function.__name__ = name
        return function
    return rename

@dpcert.target(guarantee=dpcert.PureDP("ln(2)"), inputs=[0, 1], neighbours="any", expect="refuted")
@named("<script>alert(1)</script>")
def loud(bit, coins):
    told = bit if coins.below(4) < 3 else 1 - bit
    return ["</svg><img src=x onerror=alert(2)>", "$\\\\frac{x$ & 'quoted' \\"too\\" \\u0416\\u4e2d"][told]

COUNTS = dict(inputs=range(4), neighbours="counts_differ_by_one")

@dpcert.target(guarantee=dpcert.ApproxDP("1", "1/1000"), **COUNTS, expect="refuted")
def many(count, coins):
    return min(count + coins.below(40) + coins.below(2), 41)

@dpcert.target(guarantee=dpcert.PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
def calm(bit, coins):
    return bit if coins.below(4) < 3 else 1 - bit
"""


@pytest.fixture(scope="session")
def dpcert_command() -> Callable[..., Done]:
    return run


@pytest.fixture(scope="session")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the document of three targets of a file and of sample-and-threshold, as a file."""
    folder = tmp_path_factory.mktemp("results")
    (folder / "nasty.py").write_text(NASTY)
    with pytest.MonkeyPatch.context() as patch:
        keep_inside(patch)
        done = run("report", str(folder / "nasty.py"), "sample-threshold", "--expect", "--json")
    assert (done.status, done.err) == (0, "")
    path = folder / "results.json"
    path.write_text(done.out)
    return path


@pytest.fixture(scope="session")
def document(results: Path) -> dict[str, Any]:
    return json.loads(results.read_text())


@pytest.fixture(scope="session")
def page(results: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the whole page of the document."""
    path = tmp_path_factory.mktemp("page") / "page.html"
    done = run("report", "--from", str(results), "--expect", "--papers", "--no-stamp", "--output", str(path))
    assert (done.status, done.out, done.err) == (0, f"written: {path}\n", "")
    return path
