"""What the tests of the repository share: its root, its files, its modules by name, and a tree to break."""

import os
import shutil
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LINKED = ("audit", "mechanisms", "proofs", "reading")
"""The top-level folders that are packages of `dpcert`, by links of the same name in src/dpcert."""


def walked(root: Path) -> Iterator[tuple[Path, list[str], list[str]]]:
    """Yield each folder under `root` with the folders and files in it that .gitignore does not cover."""
    ignored = [".git", *((line.rstrip("/")) for line in (root / ".gitignore").read_text().split())]

    def kept(name: str) -> bool:
        return not any(fnmatch(name, pattern) for pattern in ignored)

    for folder, folders, files in os.walk(root):
        folders[:] = sorted(filter(kept, folders))
        yield Path(folder), folders, sorted(filter(kept, files))


def find_files(root: Path) -> Iterator[Path]:
    """Yield every file under `root` that .gitignore does not cover."""
    return (folder / name for folder, _, files in walked(root) for name in files)


def find_links_out(root: Path) -> list[Path]:
    """Return the links under `root` that lead out of it, and that .gitignore does not cover."""
    every = (folder / name for folder, folders, files in walked(root) for name in (*folders, *files))
    return [path for path in every if path.is_symlink() and not path.resolve().is_relative_to(root)]


def find_modules(root: Path) -> dict[str, Path]:
    """Map every module under src/, through the links in it, to its file in the top-level folders."""
    found = {}
    for folder, folders, files in os.walk(root / "src", followlinks=True):
        folders.sort()
        for name in sorted(files):
            if name.endswith(".py"):
                path = Path(folder, name)
                parts = path.relative_to(root / "src").with_suffix("").parts
                found[".".join(parts).removesuffix(".__init__")] = path.resolve()
    return found


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def files() -> list[Path]:
    return list(find_files(ROOT))


@pytest.fixture(name="find_links_out", scope="session")
def find_links_out_fixture() -> Callable[[Path], list[Path]]:
    return find_links_out


@pytest.fixture(scope="session")
def modules() -> dict[str, Path]:
    return find_modules(ROOT)


@pytest.fixture(name="find_modules", scope="session")
def find_modules_fixture() -> Callable[[Path], dict[str, Path]]:
    return find_modules


@pytest.fixture
def fake_tree(tmp_path: Path) -> Callable[[dict[str, str]], Path]:
    """Give a function that writes files under a root with this project's links and empty packages."""

    def build(files: dict[str, str]) -> Path:
        shutil.copy(ROOT / "pyproject.toml", tmp_path)
        packages = ["src/dpcert", "audit", "audit/kernel", "mechanisms", "mechanisms/exact", "proofs", "reading"]
        (tmp_path / "src/dpcert").mkdir(parents=True)
        for name in LINKED:
            (tmp_path / "src/dpcert" / name).symlink_to(f"../../{name}")
        for name, text in ({f"{folder}/__init__.py": "" for folder in packages} | files).items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path

    return build
