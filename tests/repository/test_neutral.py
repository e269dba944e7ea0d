"""The project's text names no one's machine and silences no tool; README's set-up is what CI runs."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

FORBIDDEN = {
    "a path of one machine": re.compile(r"(?<![\w.~-])/(?:root|home|Users|tmp|work)/"),
    "a package index": re.compile(r"--(?:extra-index|index|find-links|trusted-host)[-= ]"),
    "a silenced tool": re.compile(r"#\s*(?:type:\s*ignore|noqa|pyright:|pragma:)"),
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
    ],
)
def test_caught_text(start: str, rest: str, kind: str) -> None:
    assert faults(start + rest) == [kind]


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
