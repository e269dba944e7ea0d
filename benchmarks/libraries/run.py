"""Write the tables of docs/findings/samplers-of-libraries.md: `python benchmarks/libraries/run.py FOLDER [SUBJECT...]`.

FOLDER keeps an environment for each library, and under `checkouts/OWNER/NAME` the repository that is not on the package
index. Each target of a subject's file is audited in its library's environment; its table is written between the marks
of the subject's name on the page.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "docs" / "findings" / "samplers-of-libraries.md"


def judged(folder: Path, subject: dict[str, Any]) -> Iterable[dict[str, Any]]:
    """Return what is said of each target of a subject."""
    sys.path.insert(0, str(HERE.parent))
    from board.run import environment

    python = environment(folder, subject["packages"], [])
    variables = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    if "checkout" in subject:
        variables["PYTHONPATH"] = str(folder / "checkouts" / subject["checkout"])
    command = [python, HERE / "judged.py", HERE / "subjects" / f"{subject['name']}.py"]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
    return map(json.loads, done.stdout.splitlines())


def written(name: str, rows: Iterable[dict[str, Any]]) -> None:
    """Write the table of a subject into the page."""
    lines = ["| what | verdict | by | seconds |", "| --- | --- | --- | ---: |"]
    lines += [f"| `{row['name']}` | {row['verdict']} | {row['method']} | {row['seconds']} |" for row in rows]
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    found = "\n".join(["", *lines, "", ""])
    mark = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    PAGE.write_text(mark.sub(lambda _: begin + found + end, PAGE.read_text()))


def main(folder: Path, names: list[str]) -> None:
    for subject in tomllib.loads((HERE / "subjects.toml").read_text())["subject"]:
        if not names or subject["name"] in names:
            written(subject["name"], judged(folder, subject))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit("usage: python benchmarks/libraries/run.py FOLDER [SUBJECT...]")
    main(Path(sys.argv[1]).resolve(), sys.argv[2:])
