"""The sdist holds every file of the project, so that its tests run from it, and the wheel the packages and no more."""

import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

# What setuptools writes into an sdist.
WRITTEN = {"PKG-INFO", "setup.cfg"}
LINKED = ("audit/", "mechanisms/", "proofs/", "reading/")


Build = Callable[..., Path]


@pytest.fixture
def build(root: Path, files: list[Path], tmp_path: Path) -> Build:
    """Give a function that builds from a copy of the project's files; by default an sdist, and the wheel from it."""
    for path in files:
        copy = tmp_path / "checkout" / path.relative_to(root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    for name in LINKED:
        (tmp_path / "checkout/src/dpcert" / name.rstrip("/")).symlink_to(f"../../{name}")

    def run(*options: str) -> Path:
        command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", tmp_path / "dist", *options]
        done = subprocess.run([*command, tmp_path / "checkout"], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return tmp_path / "dist"

    return run


@pytest.mark.nightly
def test_the_sdist_holds_every_file_of_the_project(build: Build, root: Path, files: list[Path]) -> None:
    (sdist,) = build("--sdist").glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {member.name.partition("/")[2] for member in archive if member.isfile()}
    held = {name for name in names if not name.startswith(("src/dpcert.egg-info/", "dpcert.egg-info/"))} - WRITTEN
    own = {str(path.relative_to(root)) for path in files}
    linked = {f"src/dpcert/{name}" for name in own if name.startswith(LINKED)}  # a link is kept as what it leads to
    assert held == (own | linked) - WRITTEN


@pytest.mark.parametrize("options", [["--wheel"], pytest.param([], marks=pytest.mark.nightly)])
def test_the_wheel_holds_the_files_of_the_packages_and_no_others(
    build: Build, root: Path, files: list[Path], options: list[str]
) -> None:
    (wheel,) = build(*options).glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    folders = {root / "src/dpcert": "dpcert"} | {
        root / name: f"dpcert/{name}" for name in ("audit", "mechanisms", "proofs", "reading")
    }
    packages = {
        f"{package}/{path.relative_to(folder)}"
        for folder, package in folders.items()
        for path in files
        if path.is_relative_to(folder)
    }
    assert {"dpcert/py.typed", "dpcert/show/pages/templates/page.html", "dpcert/audit/kernel/check.py"} <= packages
    assert held == packages
