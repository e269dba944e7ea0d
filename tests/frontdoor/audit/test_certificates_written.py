"""Certificates of `dpcert audit`: of the file as it is now, with the files and packages that it imports."""

import json
import os
import py_compile
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from dpcert.audit.sources import imported

BITS = 'guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any"'
HONEST = f"""
    @target({BITS})
    def release(bit, coins):
        return bit if coins.below(4) < 3 else 1 - bit
"""
GRID = """
    @target(
        guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any",
        params={"keep": [2, 3, 4], "of": [4, 5]},
    )
    def release(bit, coins, *, keep, of):
        return bit if coins.below(of) < keep else 1 - bit
"""


@pytest.mark.nightly
def test_certificates_are_written_whole_and_named_apart(quick: Any, write: Any, tmp_path: Path) -> None:
    first, second = write("one/same.py", HONEST), write("two/same.py", HONEST)
    grid = write("grid.py", GRID)
    certificates = tmp_path / "deep" / "certificates"
    for _ in range(2):  # the second time they are overwritten
        done = quick(first, second, grid, "geosample", "--certificates", certificates)
    paths = [Path(result["certificate"]) for result in done.document["results"]]
    assert len(set(paths)) == len(paths) == 9
    assert sorted(certificates.iterdir()) == sorted(paths)
    for path, result in zip(paths, done.document["results"], strict=True):
        data = json.loads(path.read_text())
        assert (data["verdict"], data["sentence"]) == (result["verdict"], result["claim"]["sentence"])
        assert re.fullmatch(r"[A-Za-z0-9._=+-]+\.json", path.name)
        assert str(tmp_path) not in path.read_text()


MADE = """
    def made(of):
        @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
        def release(bit, coins):
            return bit if coins.below(of) < of - 1 else 1 - bit
        return release

    three, four, five, six = map(made, (3, 4, 5, 6))
"""


def test_certificates_of_functions_of_one_name_are_their_own(
    quick: Any, inside: Any, write: Any, tmp_path: Path
) -> None:
    path = write("made.py", MADE)
    results = quick(path, "--certificates", tmp_path / "certificates").document["results"]
    assert len({result["certificate"] for result in results}) == 4
    for result in results:
        function = result["target"].rpartition(":")[2]
        assert inside("recheck", result["certificate"], "--target", f"{path}:{function}").status == 0


LONG = """
    WEIGHTS = [tuple(range(100)) + (of,) for of in (3, 4)]
    FACTORS = [(1 << 500) + of for of in (3, 4)]

    @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any", params={"weights": WEIGHTS})
    def weighted(bit, coins, weights):
        return bit if coins.below(weights[-1]) < weights[-1] - 1 else 1 - bit

    @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any", params={"factor": FACTORS})
    def scaled(bit, coins, factor):
        return bit if coins.below(factor % 8) < factor % 8 - 1 else 1 - bit
"""


@pytest.mark.nightly
def test_claims_with_long_parameters_alike_are_told_apart(quick: Any, inside: Any, write: Any, tmp_path: Path) -> None:
    path = write("long.py", LONG)
    results = quick(path, "--certificates", tmp_path / "certificates").document["results"]
    assert [result["verdict"] for result in results] == 4 * ["verified"]
    assert len({result["claim"]["sentence"] for result in results}) == 4
    for result in results:
        assert inside("recheck", result["certificate"], "--target", path).status == 0


@pytest.mark.nightly
def test_certificates_of_two_claims_about_one_program_are_two(quick: Any, tmp_path: Path) -> None:
    for claim in (["--epsilon", "1"], ["--epsilon", "2"], ["--epsilon", "2", "--delta", "1e-9"]):
        quick("geosample", *claim, "--certificates", tmp_path)
    assert len(list(tmp_path.iterdir())) == 3


def test_an_undecided_claim_has_no_certificate(quick: Any, tmp_path: Path) -> None:
    done = quick("geosample", "--max-runs", "1", "--law-source", "program", "--certificates", tmp_path / "none")
    assert (done.status, done.document["results"][0]["certificate"]) == (3, None)
    assert not (tmp_path / "none").exists()


def test_a_folder_that_cannot_be_written_is_named(inside: Any, write: Any) -> None:
    taken = write("taken", "a file")
    for folder in (taken, taken / "below"):
        done = inside("audit", "randomized-response", "--certificates", folder)
        line = done.refusal()
        assert f"--certificates {folder}" in line
        assert "needed: a folder that can be written" in line
        assert not done.out
    assert list(taken.parent.iterdir()) == [taken]


@pytest.mark.nightly
def test_a_stored_compilation_of_an_older_text_is_not_audited(command: Any, quick: Any, write: Any) -> None:
    """Python takes a stored compilation for the source's while length and second of change are the same."""
    path = write("mechanism.py", HONEST)
    helper = write("helper.py", "KEEP = 3", head="")
    path.write_text(path.read_text().replace("< 3", "< helper.KEEP").replace("import dpcert", "import helper, dpcert"))
    for file in (path, helper):
        os.utime(file, (10**9, 10**9))
        py_compile.compile(str(file))
    assert quick(path).verdicts() == {"release": "verified"}
    helper.write_text("KEEP = 4")
    os.utime(helper, (10**9, 10**9))
    assert quick(path).verdicts() == {"release": "refuted"}
    helper.write_text("KEEP = 3")
    path.write_text(path.read_text().replace("below(4)", "below(9)"))
    for file in (path, helper):
        os.utime(file, (10**9, 10**9))
    law = command("law", path, "--input", "0", "--json").document["law"]
    assert [(name, Fraction(p)) for name, p in law] == [(0, Fraction(1, 3)), (1, Fraction(2, 3))]


def test_numbers_are_rounded_once_with_their_direction(inside: Any, workers_inside: None, write: Any) -> None:
    path = write(
        "rounded.py",
        """
        @target(guarantee=ApproxDP(1, "1/7"), inputs=[0, 1], neighbours="any")
        def release(bit, coins):
            thrown = 0
            def throw():
                nonlocal thrown
                thrown += 1
                return coins.below(7)
            while (u := throw()) == 6:
                pass
            return bit if u < 4 else 1 - bit
        """,
    )
    (line, _) = inside("audit", path, "--max-tail", "1e-6", "--format", "oneline").lines
    assert re.search(r"least epsilon >= 0\.\d{5} and <= 0\.\d{5}, least delta <= \d\.\d+e-\d+, ", line)
    lo, hi = (Fraction(text) for text in re.findall(r"epsilon >= ([\d.]+) and <= ([\d.]+)", line)[0])
    assert lo < hi


@pytest.mark.nightly
def test_a_short_upper_bound_is_not_called_the_least(inside: Any, workers_inside: None, write: Any) -> None:
    """With a tail of 1/64 the least delta is between 59/256 and 67/256: it is not said to be the latter."""
    path = write(
        "tailed.py",
        """
        @target(guarantee=ApproxDP(0, "3/4"), inputs=[0, 1], neighbours="any")
        def release(bit, coins):
            count = 0
            while coins.below(2):
                count += 1
                if count > 40:
                    return count
            return count if coins.below(4) else bit
        """,
    )
    options = ("audit", path, "--max-tail", "1/8", "--eager")  # by paths, of which some are left out
    (result,) = inside(*options, "--json").document["results"]
    assert result["delta"] == {"lo": "59/256", "hi": "67/256"}
    assert ", least delta <= 0.26172, " in inside(*options, "--format", "oneline").lines[0]


OLD = Path(__file__).parents[1] / "certificates"

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
def test_every_imported_module_is_certified_and_a_change_of_it_named(audited: Any, command: Any, program: Path) -> None:
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


def test_a_package_of_no_distribution_is_named_by_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_a_certificate_of_the_first_version_is_refused_by_name(path: Path, inside: Any, workers_inside: None) -> None:
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
