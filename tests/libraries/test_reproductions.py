"""The lines of docs/findings/field-report.md that reproduce a finding do so, wherever their library is installed."""

import doctest
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "findings" / "field-report.md"
PACKAGES = {
    "diffpriv-pure": "diffpriv_pure",
    "diffprivlib": "diffprivlib",
    "opendp": "opendp",
    "pipeline-dp": "pipeline_dp",
    "pydp": "pydp",
}
BLOCK = re.compile(r"<!-- (file|needs):? (\S+) -->\n```(?:python|console)\n(.*?)```\n", re.DOTALL)


def run(command: str, folder: Path) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "80"}
    done = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.stdout


def test_every_finding_is_reproduced_by_its_lines_where_its_library_is_installed(tmp_path: Path) -> None:
    checker, libraries, failures = doctest.OutputChecker(), set(), []
    for kind, name, text in BLOCK.findall(PAGE.read_text()):
        if kind == "file":
            (tmp_path / name).write_text(text)
            continue
        libraries.add(name)
        if find_spec(PACKAGES[name]) is None:
            continue
        for step in text.removeprefix("$ ").split("\n$ "):
            command, _, shown = step.partition("\n")
            printed = run(command, tmp_path)
            if not checker.check_output(shown.rstrip() + "\n", printed, doctest.ELLIPSIS):
                failures.append(f"{command}\n{printed}")
    assert libraries == PACKAGES.keys()
    assert failures == []
