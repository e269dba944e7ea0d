"""Under each kind of install, from the checkout and from elsewhere, every class exists once.

The folders mechanisms/, audit/ and proofs/ lie in the checkout beside their installed selves, so that a
second copy of a class is one wrong import away.
"""

import json
import os
import shutil
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

KINDS = ("wheel", "sdist", "editable", "strict-editable")
TREES = ("audit", "mechanisms", "proofs", "reading", "src")
BASE = ("dpcert.audit.kernel", "dpcert.mechanisms.exact")

# Imports the modules named on standard input and prints what it saw. A module that needs a package that is
# not installed, which the front door and the adapters may, is reported as left out.
PROBE = """
import importlib, json, os, sys
HEADS = {"dpcert", "audit", "mechanisms", "proofs", "reading"}
left_out = {}
for name in json.load(sys.stdin):
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name.partition(".")[0] in HEADS:
            raise
        left_out[name] = error.name
ours = {name: module for name, module in sys.modules.items() if name.partition(".")[0] in HEADS}
copies = {}
for module in ours.values():
    for value in vars(module).values():
        if isinstance(value, type) and value.__module__ in ours:
            relative = value.__module__.removeprefix("dpcert.")
            file = os.path.realpath(ours[value.__module__].__file__)
            for place in (relative, file):
                copies.setdefault((place, value.__qualname__), set()).add(id(value))
print(json.dumps({
    "files": {name: module.__file__ for name, module in ours.items()},
    "classes": len(copies),
    "twice": sorted(f"{place}: {name}" for (place, name), ids in copies.items() if len(ids) > 1),
    "strays": sorted(name for name in ours if name.partition(".")[0] != "dpcert"),
    "left_out": left_out,
}))
"""


@dataclass(frozen=True, slots=True)
class Install:
    """A copy of the checkout, and the python of a virtual environment in which it is installed."""

    kind: str
    checkout: Path
    python: Path

    def probe(self, cwd: Path, modules: list[str]) -> Any:
        """Import `modules` in a new process that runs in `cwd`, and return what the probe saw."""
        done = subprocess.run(
            [self.python, "-c", PROBE],
            input=json.dumps(modules),
            cwd=cwd,
            env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


def run(*command: str | Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def copy_checkout(root: Path, target: Path) -> Path:
    """Copy what a build reads, so that the checkout stays as it is."""
    target.mkdir()
    for tree in TREES:
        shutil.copytree(root / tree, target / tree, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "MANIFEST.in", "LICENSE", "README.md"):
        shutil.copy(root / name, target)
    return target


@pytest.fixture(scope="module")
def install(root: Path, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Install:
    """Install a copy of the checkout in a new virtual environment, in the way that the parameter names."""
    kind, home = str(request.param), tmp_path_factory.mktemp(str(request.param))
    checkout = copy_checkout(root, home / "checkout")
    venv.create(home / "venv", with_pip=False, symlinks=True)
    python = home / "venv/bin/python"
    source: list[str | Path] = [checkout]
    match kind:
        case "sdist":
            run(sys.executable, "-m", "build", "--sdist", "--outdir", home / "dist", checkout)
            source = list((home / "dist").glob("*.tar.gz"))
        case "editable":
            source = ["--editable", checkout]
        case "strict-editable":
            source = ["--config-settings", "editable_mode=strict", "--editable", checkout]
    run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", *source)
    return Install(kind, checkout, python)


@pytest.mark.nightly
@pytest.mark.parametrize("install", KINDS, indirect=True, scope="module")
@pytest.mark.parametrize("place", ["root", "elsewhere"])
def test_every_class_exists_once(install: Install, modules: dict[str, Path], tmp_path: Path, place: str) -> None:
    seen = install.probe(install.checkout if place == "root" else tmp_path, sorted(modules))
    assert modules.keys() - seen["left_out"].keys() <= seen["files"].keys()
    assert {"dpcert.mechanisms", "dpcert.audit", "dpcert.proofs", *BASE} <= seen["files"].keys()
    assert [name for name in seen["left_out"] if name.startswith(BASE)] == []
    assert seen["classes"] > 0
    assert (seen["twice"], seen["strays"]) == ([], [])
    home = install.checkout if "editable" in install.kind else install.python.parents[1]
    assert {name for name, file in seen["files"].items() if not Path(file).is_relative_to(home)} == set()


@pytest.mark.nightly
@pytest.mark.parametrize("install", ["wheel", "editable"], indirect=True, scope="module")
def test_caught_a_class_with_two_copies(install: Install, modules: dict[str, Path]) -> None:
    twin = next(name for name in modules if name.startswith(BASE) and "\nclass " in modules[name].read_text())
    copy = twin.removeprefix("dpcert.")
    seen = install.probe(install.checkout, [twin, copy])
    assert copy in seen["strays"]
    assert any(place.startswith(f"{copy}: ") for place in seen["twice"])
