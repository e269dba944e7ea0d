"""The oldest dependencies that pyproject.toml admits will do, of those that are Python alone and install everywhere."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

PURE = ("click", "hypothesis", "mpmath", "rich", "sympy")
TESTS = ("tests/frontdoor/bad_input", "tests/frontdoor/test_json.py", "tests/frontdoor/test_list.py")


@pytest.mark.nightly
def test_the_command_line_is_the_same_with_the_oldest_dependencies(root: Path, tmp_path: Path) -> None:
    listed = tomllib.loads((root / "pyproject.toml").read_text())["project"]["dependencies"]
    oldest = [text.replace(">=", "==") for text in listed if text.partition(">=")[0] in PURE]
    assert len(oldest) == len(PURE)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", tmp_path, *oldest]
    environment = {name: value for name, value in os.environ.items() if name != "PIP_CONSTRAINT"}
    subprocess.run(pip, check=True, env=environment)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS],
        cwd=root,
        env=environment | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
