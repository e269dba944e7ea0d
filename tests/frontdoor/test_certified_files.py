"""What a certificate names of the files and packages that a program imports, and what recheck says of a change."""

import json
from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from dpcert.audit.sources import imported

OLD = Path(__file__).parent / "certificates"

PROGRAM = """
    import importlib
    from constants import KEPT
    import package.inner.weights as weights
    import numpy
    from package import nowhere_at_all

    plugin = importlib.import_module("plug" + "in")

    @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
    def release(bit, coins):
        import late
        late_too = importlib.import_module("late" + "_too")
        of = weights.OF + late.ZERO + plugin.ZERO + late_too.ZERO
        return bit if coins.below(of) < KEPT else 1 - bit
"""
FILES = {
    "constants.py": "from deep import KEPT\n",
    "deep.py": "KEPT = 3\n",
    "package/__init__.py": "nowhere_at_all = None\n",
    "package/inner/__init__.py": "",
    "package/inner/weights.py": "from .more import OF\n",
    "package/inner/more.py": "OF = 4\n",
    "late.py": "ZERO = 0\n",
    "late_too.py": "ZERO = 0\n",
    "plugin.py": "ZERO = 0\n",
}


@pytest.fixture
def program(writer: Callable[..., Any], tmp_path: Path) -> Path:
    """A program whose modules hold constants alone, and one that it does not import."""
    for name, text in {**FILES, "unrelated.py": "X = 1\n"}.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return writer(tmp_path)("program.py", PROGRAM)


@pytest.mark.nightly
def test_every_module_that_a_program_imports_is_certified_and_a_change_of_it_named(
    audited: Any, command: Any, program: Path
) -> None:
    """In processes: what is imported in this one stays."""
    (result,) = audited(program, "--certificates", program.parent / "made").document["results"]
    certificate = Path(result["certificate"])
    data = json.loads(certificate.read_text())
    theirs = {name for name in data["sources"] if not name.startswith("dpcert/")}
    assert theirs == {"program.py", *FILES}
    assert sorted(data["versions"]) == ["dpcert", "numpy", "python"]
    target = ("--target", f"{program}:release")
    for name, text in (("deep.py", "KEPT = 3  # as before\n"), ("package/inner/__init__.py", "# new\n")):
        path = program.parent / name
        path.write_text(text)
        done = command("recheck", certificate, *target)
        assert done.status == 1
        (line,) = done.lines
        assert line.startswith(f"rejected: sources {name} is ")
        assert line.endswith(" when recomputed; restore the files that were certified, or audit again")
        path.write_text(FILES[name])
    changed = program.parent / "changed.json"
    changed.write_text(json.dumps({**data, "versions": {**data["versions"], "numpy": "0.1"}}))
    done = command("recheck", changed, *target)
    assert done.lines[0].startswith("rejected: versions numpy is 0.1 in the certificate and ")
    (program.parent / "unrelated.py").write_text("X = 2\n")
    assert command("recheck", certificate, *target).status == 0


def code_in(path: Path, text: str) -> CodeType:
    path.write_text(text)
    return compile(text, str(path), "exec")


def test_what_is_installed_is_named_and_not_followed(tmp_path: Path) -> None:
    text = "import numpy.random, dpcert, json, os.path\nfrom hypothesis import given\nimport nowhere_to_be_found\n"
    found = imported([code_in(tmp_path / "a.py", text)])
    assert (found.files, found.packages) == (set(), {"numpy", "hypothesis"})


def test_a_package_that_no_distribution_has_is_named_by_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "site-packages"
    folder.mkdir()
    (folder / "copied_in.py").write_text("X = 1\n")
    monkeypatch.syspath_prepend(str(folder))
    found = imported([code_in(tmp_path / "a.py", "import copied_in\n")])
    assert (found.files, found.packages) == ({str(folder / "copied_in.py")}, set())


def test_a_module_of_the_users_with_a_name_of_the_standard_library_is_a_file_of_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "antigravity.py").write_text("X = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert imported([code_in(tmp_path / "a.py", "import antigravity\n")]).files == {str(tmp_path / "antigravity.py")}


@pytest.mark.parametrize("statement", ["import two", "from two import X", "from two import *", "__import__('two')"])
def test_modules_in_a_circle_and_under_any_statement_are_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, statement: str
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "two.py").write_text("def f():\n    import three\nX = 1\n")
    (tmp_path / "three.py").write_text("import one, broken\n")
    (tmp_path / "broken.py").write_text("this is no Python\n")
    code = code_in(tmp_path / "one.py", f"if False:\n    {statement}\n")
    assert {Path(file).name for file in imported([code]).files} == {"two.py", "three.py", "broken.py"}


@pytest.mark.parametrize("path", sorted(OLD.glob("version-1-*.json")), ids=lambda path: path.stem)
def test_a_certificate_of_the_first_version_is_refused_by_its_version(
    path: Path, inside: Any, workers_inside: None
) -> None:
    kind = "bundle" if "bundle" in path.name else "certificate"
    done = inside("recheck", path)
    needed = "dpcert.bundle/4" if kind == "bundle" else "dpcert.certificate/3"
    step = "audit again, or recheck with the dpcert that wrote it"
    words = f"its schema is dpcert.{kind}/1; needed: {needed}; {step}"
    assert (done.status, done.lines) == (2, [f"malformed: {path}: {words}"])
    assert json.loads(path.read_text())["schema"] == f"dpcert.{kind}/1"


def test_refused_what_is_no_certificate(tmp_path: Path, inside: Callable[..., Any], workers_inside: None) -> None:
    path = tmp_path / "release.json"
    path.write_text('{"schema": "dpcert.release/1"}')
    done = inside("recheck", path)
    words = "its schema is dpcert.release/1; needed: a certificate; name a file that dpcert audit --certificates wrote"
    assert (done.status, done.lines) == (2, [f"malformed: {path}: {words}"])
