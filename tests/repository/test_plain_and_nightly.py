"""Of a grid marked `points(n)` a plain run takes n points, spread over the grid; a nightly run takes the others."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

GRID = """
import subprocess
import sys

import pytest

@pytest.mark.points(3)
@pytest.mark.parametrize("x", range(7))
def test_grid(x):
    pass

@pytest.mark.points(9)
@pytest.mark.parametrize("x", range(2))
def test_few(x):
    pass

@pytest.mark.points(1)
@pytest.mark.parametrize("x", [0, pytest.param(1, marks=pytest.mark.nightly)])
def test_marked(x):
    pass

def test_dear():
    work = "import time\\nwhile time.process_time() < 0.2: pass"
    subprocess.run([sys.executable, "-c", work], check=True)
"""
CONFIG = """
[pytest]
addopts = -p no:cacheprovider -m "not nightly"
markers =
    nightly: a longer check
    points(n): a grid
"""
PLAIN = {"test_grid[0]", "test_grid[2]", "test_grid[4]", "test_few[0]", "test_few[1]", "test_marked[0]", "test_dear"}
NIGHTLY = {"test_grid[1]", "test_grid[3]", "test_grid[5]", "test_grid[6]", "test_marked[1]"}


@pytest.fixture(scope="module")
def grid(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with a few tests and the `conftest.py` of all tests, to which a fifth of a second is dear."""
    folder = tmp_path_factory.mktemp("grid")
    (folder / "test_grid.py").write_text(GRID)
    (folder / "pytest.ini").write_text(CONFIG)
    common = (root / "tests/conftest.py").read_text()
    (folder / "conftest.py").write_text(common.replace("DEAR = 2.0", "DEAR = 0.2"))
    return folder


def printed(folder: Path, *options: str) -> list[str]:
    """Return the lines that pytest prints with no plugin but that of several processes."""
    command = [sys.executable, "-m", "pytest", "--strict-markers", "-p", "xdist.plugin", *options]
    env = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_nightly_are_the_points_that_a_plain_run_leaves(grid: Path) -> None:
    lines = printed(grid, "--collect-only", "-q", "-m", "nightly")
    assert {line.partition("::")[2] for line in lines if "::" in line} == NIGHTLY


def test_a_plain_run_takes_the_others_and_says_what_they_cost_in_all_processes(grid: Path) -> None:
    lines = printed(grid, "-v", "-n", "1")
    assert {line.rpartition("::")[2].strip() for line in lines if "PASSED" in line} == PLAIN
    (cost,) = (line for line in lines if "processor time" in line)
    assert float(cost.partition("processor time: ")[2].split()[0]) >= 0.2
    assert [line.split()[-1] for line in lines if " s  test_" in line] == ["test_grid.py::test_dear"]
