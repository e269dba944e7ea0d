"""Audit the rows of the board: `python benchmarks/board/run.py FOLDER [ROW...]` writes results.json beside itself.
With `--check` it writes nothing, and fails where a decided verdict is another one than in results.json.

FOLDER keeps an environment for each set of packages, and under `checkouts/OWNER/NAME` the repositories that are not on
the package index, as `git clone` makes them; what lies there already is used as it is. Each target of `audits.toml` is
audited by `dpcert audit` in its environment, with its own randomness and a limit of time. A result of a row that is not
named here stays as it is.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LIMIT = 60
"""Seconds of processor time for each audit."""


def rows() -> dict[str, dict[str, Any]]:
    """Return the rows of the board by their ids."""
    return {row["id"]: row for row in tomllib.loads((HERE / "rows.toml").read_text())["row"]}


def audits() -> dict[str, dict[str, Any]]:
    """Return how rows are audited, by their ids."""
    return {audit["row"]: audit for audit in tomllib.loads((HERE / "audits.toml").read_text())["audit"]}


def environment(folder: Path, packages: list[str], alone: list[str]) -> Path:
    """Return the interpreter of an environment with dpcert and the packages; those in `alone` come without what they
    depend on. It is made where it is not there yet.
    """
    name = hashlib.sha256(json.dumps([packages, alone]).encode()).hexdigest()[:12]
    python = folder / name / "bin" / "python"
    if not python.exists():
        uv = shutil.which("uv")
        subprocess.run(
            [
                *([uv, "venv", "--quiet", "--python", sys.executable] if uv else [sys.executable, "-m", "venv"]),
                folder / name,
            ],
            check=True,
        )
        install = [uv, "pip", "install", "--python", python] if uv else [python, "-m", "pip", "install"]
        install.append("--quiet")
        subprocess.run([*install, "--editable", ROOT, *packages], check=True)
        if alone:
            subprocess.run([*install, "--no-deps", *alone], check=True)
    return python


def audited(folder: Path, audit: dict[str, Any], side: str) -> dict[str, Any]:
    """Return the result of one target: its verdict, the sentence, and the seconds that it took.

    Raises: RuntimeError where no audit was made, as of a file that does not import.
    """
    packages = [*audit.get("packages", []), *audit.get(f"packages_{side}", [])]
    python = environment(folder, packages, [*audit.get(f"alone_{side}", [])])
    variables = dict(os.environ) | audit.get("variables", {})
    if "checkout" in audit:
        checkout = folder / "checkouts" / audit["checkout"]
        if not checkout.is_dir():
            raise RuntimeError(f"{checkout} is missing: clone {audit['checkout']} there")
        variables["PYTHONPATH"] = str(checkout)
    started = time.perf_counter()
    target = HERE / "subjects" / audit[side]
    replayed = [python, HERE / "replayed.py", target]
    command = [python, "-m", "dpcert", "audit", target, "--json", "--time-limit", str(LIMIT)]
    command = replayed if audit.get("replayed") else command
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    seconds = round(time.perf_counter() - started, 1)
    try:
        said = json.loads(done.stdout)
        [result] = [said] if audit.get("replayed") else said["results"]
    except (ValueError, KeyError):
        raise RuntimeError(done.stderr.strip().splitlines()[-1:] or "no output") from None
    if not audit.get("replayed"):
        result |= {"sentence": result["claim"]["sentence"], "worst": worst(result)}
    kept = ("verdict", "method", "sentence", "reason", "worst")
    return {name: result[name] for name in kept} | {"seconds": seconds}


def worst(result: dict[str, Any]) -> str | None:
    """Return the pair of inputs of a refutation."""
    found = result.get("worst")
    return f"{found['a']} against {found['b']}" if found else None


def outcome(truth: str, verdict: str, *, other: bool = False) -> str:
    """Return what a verdict is worth beside what the authors say; with `other`, another fault than theirs refutes."""
    if other and verdict == "refuted":
        return verdict
    match verdict, truth:
        case "undecided", _:
            return "undecided"
        case _, "unread":
            return verdict
        case "refuted", _:
            return "found" if truth == "violated" else "false alarm"
    return "missed" if truth == "violated" else "right"


def result(folder: Path, audit: dict[str, Any], truth: str) -> dict[str, Any]:
    """Return the results of a row and of its repair, each with its outcome."""
    found = {"affected": audited(folder, audit, "target")}
    verdict, other = found["affected"]["verdict"], audit.get("other_fault", False)
    found["affected"]["outcome"] = outcome(truth, verdict, other=other)
    if "repair" in audit:
        found["repair"] = audited(folder, audit, "repair")
        found["repair"]["outcome"] = outcome("holds", found["repair"]["verdict"])
    return found


def contradicts(found: dict[str, Any], kept: dict[str, Any]) -> bool:
    """Say whether a side is decided otherwise than it was; samples may leave undecided what they decided before."""
    sides = ({found[side]["verdict"], kept[side]["verdict"]} - {"undecided"} for side in set(found) & set(kept))
    return any(len(verdicts) > 1 for verdicts in sides)


def main(folder: Path, names: list[str], *, check: bool = False) -> int:
    """Audit the rows, and return how many contradict what is kept; without `check` keep what is found."""
    folder.mkdir(parents=True, exist_ok=True)
    path, known, how = HERE / "results.json", rows(), audits()
    wrong = 0
    for name in names or how:
        try:
            found = result(folder, how[name], known[name]["truth"])
        except (RuntimeError, subprocess.CalledProcessError) as error:
            print(name, "was not audited:", error, flush=True)
            continue
        results: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
        if check:
            wrong += contradicts(found, results.get(name, {}))
        else:
            results[name] = found
            path.write_text(json.dumps(dict(sorted(results.items())), indent=1, ensure_ascii=False) + "\n")
        print(name, *(f"{side}: {one['outcome']}, {one['seconds']} s;" for side, one in found.items()), flush=True)
    return wrong


if __name__ == "__main__":
    given = [name for name in sys.argv[1:] if name != "--check"]
    if not given:
        raise SystemExit("usage: python benchmarks/board/run.py FOLDER [ROW...] [--check]")
    sys.exit(min(main(Path(given[0]).resolve(), given[1:], check="--check" in sys.argv), 1))
