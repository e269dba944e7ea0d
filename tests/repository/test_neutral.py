"""The project's text names no one's machine and silences no tool; README's set-up is what CI runs."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Interpreters = Callable[..., subprocess.CompletedProcess[str]]

FORBIDDEN = {
    "a path of one machine": re.compile(r"(?<![\w.~-])/(?:root|home|Users|tmp|work)/"),
    "a package index": re.compile(r"--(?:extra-index|index|find-links|trusted-host)[-= ]"),
    "a silenced tool": re.compile(r"#\s*(?:type:\s*ignore|noqa|pyright:|pragma:)"),
    "a mark of a merge": re.compile(r"^(?:<{7}|>{7}) ", re.MULTILINE),
    "a skipped test": re.compile(r"\bpytest\.(?:mark\.)?(?:skip|xfail|importorskip)"),
}


def faults(text: str) -> list[str]:
    return [kind for kind, pattern in FORBIDDEN.items() if pattern.search(text)]


def test_no_text_names_a_machine_or_silences_a_tool(root: Path, files: list[Path]) -> None:
    contents = {str(path.relative_to(root)): path.read_bytes() for path in files}
    texts = {name: content.decode() for name, content in contents.items() if b"\0" not in content}
    assert {"pyproject.toml", ".ci/run", "LICENSE", "src/dpcert/__init__.py"} <= texts.keys()
    assert {name: kinds for name, text in texts.items() if (kinds := faults(text))} == {}


@pytest.mark.parametrize(
    ("start", "rest", "kind"),
    [
        ("see /", "root/notes.txt", "a path of one machine"),
        ("'/", "tmp/x'", "a path of one machine"),
        ("file:///", "home/someone/x", "a path of one machine"),
        ("pip install --", "index-url=x", "a package index"),
        ("x = y  # ", "type: ignore[arg-type]", "a silenced tool"),
        ("x = y  #", "noqa", "a silenced tool"),
        ("@pytest.", "mark.skipif(True)", "a skipped test"),
        ("text\n<<<<<<", "< HEAD", "a mark of a merge"),
    ],
)
def test_caught_text(start: str, rest: str, kind: str) -> None:
    assert faults(start + rest) == [kind]


def test_no_link_leads_out_of_the_checkout(root: Path, find_links_out: Callable[[Path], list[Path]]) -> None:
    assert find_links_out(root) == []


@pytest.mark.parametrize("folder", [True, False])
def test_caught_a_link_that_leads_out(
    tmp_path: Path, find_links_out: Callable[[Path], list[Path]], folder: bool
) -> None:
    checkout, target = tmp_path / "checkout", tmp_path / "target"
    checkout.mkdir()
    (checkout / ".gitignore").touch()
    target.mkdir() if folder else target.touch()
    (checkout / "in").symlink_to(checkout / ".gitignore")
    (checkout / "up").symlink_to(target)
    assert find_links_out(checkout) == [checkout / "up"]


@pytest.mark.parametrize("text", ["https://example.org/home/x", "tests/root/x", "~/work/x", "p/q", "/usr/bin/env"])
def test_neutral_text_is_allowed(text: str) -> None:
    assert faults(text) == []


def readme_block(readme: str, name: str) -> str:
    """Return the code block that follows the line `<!-- name -->`."""
    found = re.search(rf"^<!-- {name} -->\n+```\w*\n(.+?)\n```$", readme, re.MULTILINE | re.DOTALL)
    assert found, f"README.md has no code block right after the line <!-- {name} -->"
    return found[1]


def ci_commands(root: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([root / ".ci/run", "commands"], capture_output=True, text=True, check=False)


@pytest.fixture
def interpreters(root: Path, tmp_path: Path) -> Interpreters:
    """Return what `.ci/run interpreters` does on a machine with files, each of which is of a version or of none."""
    for name in ("awk", "bash", "dirname"):
        (tmp_path / "path").mkdir(exist_ok=True)
        (tmp_path / "path" / name).symlink_to(str(shutil.which(name)))

    def run(files: dict[str, str | None], **more: str) -> subprocess.CompletedProcess[str]:
        for name, version in files.items():
            answers = 'case "$2" in *"({})"*) echo "$0";; *) exit 1;; esac'.format(str(version).replace(".", ", "))
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("#!/bin/sh\n" + answers)
            path.chmod(0o755)
        env = {"PATH": str(tmp_path / "path"), "PYENV_ROOT": str(tmp_path / "pyenv"), **more}
        script = ["bash", root / ".ci/run", "interpreters"]
        return subprocess.run(script, env=env, cwd=tmp_path, capture_output=True, text=True, check=False)

    return run


def test_ci_finds_pythons_on_the_path_and_where_pyenv_keeps_them(
    interpreters: Interpreters, root: Path, tmp_path: Path
) -> None:
    kept = "pyenv/versions/3.13.4/bin/python"
    files = {"path/python3.11": "3.11", "path/python3.13": None, "pyenv/versions/3.10.2/bin/python": "3.10"}
    done = interpreters(files | {kept: "3.13"})
    found = [f"{tmp_path}/path/python3.11", "not found", f"{tmp_path}/{kept}"]
    named = re.findall(r"Python :: (3\.\d+)", (root / "pyproject.toml").read_text())
    lines = [f"Python {version}: {place}" for version, place in zip(named, found, strict=True)]
    assert (done.returncode, done.stdout.splitlines()) == (0, lines)


def test_ci_takes_the_python_that_it_is_given_alone(interpreters: Interpreters) -> None:
    done = interpreters(
        {"path/python3.11": "3.11", "path/python3": "3.12", "own python": "3.13"}, PYTHON="./own python"
    )
    lines = ["Python 3.11: not found", "Python 3.12: not found", "Python 3.13: ./own python"]
    assert done.stdout.splitlines() == lines


def test_refused_a_machine_without_a_python_that_is_named(interpreters: Interpreters) -> None:
    done = interpreters({"path/python3": "3.14"})
    assert (done.returncode, done.stderr.startswith(".ci/run: no interpreter is Python 3.11, 3.12 or 3.13")) == (
        2,
        True,
    )


def test_ci_runs_the_two_commands_of_the_readme(root: Path) -> None:
    readme = (root / "README.md").read_text()
    setup, tests = readme_block(readme, "setup"), readme_block(readme, "tests")
    assert setup == "pip install . && dpcert audit examples --expect"
    assert tests == "pip install '.[test]' && pytest -n auto --dist worksteal"
    assert ci_commands(root).stdout.splitlines() == [setup, tests]


@pytest.mark.parametrize(
    ("readme", "name"),
    [
        ("<!-- tests -->\n```sh\nb\n```\n", "setup"),
        ("<!-- setup -->\n```sh\na\n```\n", "tests"),
        ("<!-- setup -->\n```sh\na\n```\n<!-- tests -->\ntext\n```sh\nb\n```\n", "tests"),
        ("<!-- setup -->\n```sh\n```\n<!-- tests -->\n```sh\nb\n```\n", "setup"),
    ],
)
def test_refused_a_readme_without_its_commands(root: Path, tmp_path: Path, readme: str, name: str) -> None:
    (tmp_path / ".ci").mkdir()
    shutil.copy(root / ".ci/run", tmp_path / ".ci/run")
    (tmp_path / "README.md").write_text(readme)
    done = ci_commands(tmp_path)
    assert done.returncode == 2
    assert done.stderr == f".ci/run: README.md has no code block right after the line <!-- {name} -->\n"
