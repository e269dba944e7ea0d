"""What a stranger does with docs/how-to/guard-a-repository.md alone: a broken edit fails each check, the repair passes.

The steps of the GitHub action, the GitLab job and the pre-commit hook are those of their files; pip, which they call to
install, is replaced by a stand-in that takes notes.
"""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = ROOT / "examples" / "ci" / "gitlab.yml"
PAGE = (ROOT / "docs" / "how-to" / "guard-a-repository.md").read_text()
FILE = re.compile(r"^<!-- file: (?P<name>[^\n]+) -->\n```\w+\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
BROKEN = re.search(r'^\$ (sed -i\.before "[^"]+" survey\.py)$', PAGE, re.MULTILINE)
REPAIR = "mv survey.py.before survey.py"
GIT = "git -c user.name=you -c user.email=you@example.org -c init.defaultBranch=main"


def steps_of_the_action() -> dict[str, str]:
    """Return the `run: |` text of each named step of action.yml."""
    text = (ROOT / "action.yml").read_text()
    found = re.findall(r"^    - name: (\w+)\n(?:      .*\n)*?      run: \|\n((?:        .*\n)+)", text, re.MULTILINE)
    return {name: re.sub(r"^ {8}", "", run, flags=re.MULTILINE) for name, run in found}


def lines_of_gitlab() -> tuple[dict[str, str], str]:
    """Return the variables and the script lines of the GitLab job."""
    text = TEMPLATE.read_text()
    variables = re.search(r"^  variables:\n((?:    .*\n)+)", text, re.MULTILINE)
    assert variables
    scripts = re.findall(r"^  (?:before_)?script:\n((?:    - .*\n)+)", text, re.MULTILINE)
    assert len(scripts) == 2
    values = dict(line.strip().split(": ", 1) for line in variables[1].splitlines())
    script = "\n".join(line.strip().removeprefix("- ") for part in scripts for line in part.splitlines())
    return {name: value.strip('"') for name, value in values.items()}, script


@pytest.fixture
def machine(tmp_path: Path) -> dict[str, str]:
    """Return the environment of a machine of one's own: an empty home, and a `python` that installs nothing."""
    tools = tmp_path / "tools"
    tools.mkdir()
    stand_in = tools / "python"
    stand_in.write_text(
        f'#!/bin/sh\nif [ "$1 $2" = "-m pip" ]; then echo "$@" >> "{tools}/pip.txt"; exit 0; fi\n'
        f'exec "{sys.executable}" "$@"\n'
    )
    stand_in.chmod(0o755)
    command = tools / "dpcert"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m dpcert "$@"\n')
    command.chmod(0o755)
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "GIT", "XDG", "DPCERT"))
    }
    return {**kept, "HOME": str(tmp_path / "home"), "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}


def run(command: str, folder: Path, environment: dict[str, str]) -> tuple[int, str]:
    """Run a command as code hosts do, ended by its first failing line."""
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


@pytest.fixture
def repository(tmp_path: Path, machine: dict[str, str]) -> Path:
    """Return a repository with the page's files, committed."""
    folder = tmp_path / "repository"
    for found in FILE.finditer(PAGE):
        path = folder / found["name"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(found["text"])
    status, printed = run(f"{GIT} init -q && git add . && {GIT} commit -q -m start", folder, machine)
    assert status == 0, printed
    return folder


def definition(repository: Path) -> int:
    """Return the line of survey.py on which the mechanism is defined."""
    lines = (repository / "survey.py").read_text().splitlines()
    return 1 + next(i for i, line in enumerate(lines) if line.startswith("def answer"))


def annotation(repository: Path) -> tuple[str, int]:
    """Return the file and line that the one finding of dpcert.sarif annotates."""
    (result,) = json.loads((repository / "dpcert.sarif").read_text())["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    return place["artifactLocation"]["uri"], place["region"]["startLine"]


def broken_then_repaired(check: str, repository: Path, machine: dict[str, str]) -> str:
    """Run a check on the mechanism as it is, on a broken edit and on the repair; return what it printed of the edit."""
    assert BROKEN
    before = (repository / "survey.py").read_text()
    outputs = []
    for edit, expected in (("true", 0), (BROKEN[1], 1), (REPAIR, 0)):
        assert run(edit, repository, machine)[0] == 0
        status, printed = run(check, repository, machine)
        assert status == expected, printed
        outputs.append(printed)
        if expected and "dpcert.sarif" in check:
            assert annotation(repository) == ("survey.py", definition(repository))
        if "quality.json" in check:
            entries = json.loads((repository / "quality.json").read_text())
            places = [(entry["location"]["path"], entry["location"]["lines"]["begin"]) for entry in entries]
            assert places == [("survey.py", definition(repository))] * expected
    assert (repository / "survey.py").read_text() == before
    return outputs[1]


def test_the_pages_files_are_those_of_a_whole_setup() -> None:
    assert [found["name"] for found in FILE.finditer(PAGE)] == [
        "survey.py",
        "pyproject.toml",
        ".github/workflows/dpcert.yml",
        ".pre-commit-config.yaml",
    ]


@pytest.mark.nightly
@pytest.mark.parametrize("check", ["dpcert audit", "python -m pytest -q -p no:cacheprovider -p no:benchmark"])
def test_a_broken_edit_fails_the_checks_and_a_repair_passes(
    repository: Path, machine: dict[str, str], check: str
) -> None:
    assert f"$ {check.removesuffix(' -p no:benchmark')}\n" in PAGE
    printed = broken_then_repaired(check, repository, machine)
    assert "5/6" in printed
    assert "1/6" in printed


def test_a_broken_edit_fails_the_action_and_a_repair_passes(
    repository: Path, machine: dict[str, str], tmp_path: Path
) -> None:
    steps = steps_of_the_action()
    assert list(steps) == ["Install", "Audit"]
    inputs = {"TARGETS": "", "ARGUMENTS": "--jobs 2", "BASE": "", "LOCK": "", "DPCERT_LOCK_KEY": ""}
    machine |= {**inputs, "INSTALL": "-r requirements.txt", "GITHUB_ACTION_PATH": str(ROOT)}
    assert run(steps["Install"], repository, machine) == (0, "")
    notes = (tmp_path / "tools" / "pip.txt").read_text()
    assert notes == f"-m pip install {ROOT}\n-m pip install -r requirements.txt\n"
    broken_then_repaired(steps["Audit"], repository, machine)
    status, printed = run(steps["Audit"], repository, machine)
    assert (status, "as locked in dpcert.lock" in printed) == (0, True)
    assert not (repository / "dpcert.lock").exists()  # its lock is in the cache, beside the key
    assert sorted(path.name for path in (tmp_path / "home/.local/state/dpcert").iterdir()) == [
        "dpcert.lock",
        "lock-key",
    ]


@pytest.mark.nightly
def test_the_action_with_a_base_audits_only_changes(repository: Path, machine: dict[str, str], tmp_path: Path) -> None:
    audit = steps_of_the_action()["Audit"]
    machine |= {"TARGETS": "survey.py", "ARGUMENTS": "", "BASE": "main", "LOCK": "dpcert.lock"}
    machine |= {"DPCERT_LOCK_KEY": "a secret of the repository"}
    assert run(audit, repository, machine)[0] == 0
    assert run(f"git add dpcert.lock && {GIT} commit -q -m lock", repository, machine)[0] == 0
    status, printed = run(audit, repository, machine)
    assert (status, printed.split()[0]) == (0, "skipped")
    assert not (tmp_path / "home/.local/state/dpcert/lock-key").exists()
    broken_then_repaired(audit, repository, machine)


@pytest.mark.nightly
def test_a_broken_edit_fails_the_gitlab_job_and_the_repair_passes(repository: Path, machine: dict[str, str]) -> None:
    variables, script = lines_of_gitlab()
    variables["XDG_STATE_HOME"] = variables["XDG_STATE_HOME"].replace("$CI_PROJECT_DIR", str(repository))
    assert re.findall(r"reports:\n +junit: (.+)\n +codequality: (.+)\n", TEMPLATE.read_text()) == [
        ("dpcert.xml", "quality.json")
    ]
    broken_then_repaired(script, repository, {**machine, **variables})
    counts = ElementTree.fromstring((repository / "dpcert.xml").read_text()).attrib
    assert (counts["tests"], counts["failures"], counts["errors"]) == ("1", "0", "0")
    assert (repository / ".dpcert-state/dpcert/lock-key").exists()


@pytest.mark.nightly
def test_a_broken_edit_fails_the_pre_commit_hook_and_a_repair_passes(repository: Path, machine: dict[str, str]) -> None:
    text = (ROOT / ".pre-commit-hooks.yaml").read_text()
    identifier = re.findall(r"^- id: (\S+)$", text, re.MULTILINE)
    assert identifier == ["dpcert"]
    own = (repository / ".pre-commit-config.yaml").read_text()
    assert f"      - id: {identifier[0]}\n" in own
    assert "\n  pass_filenames: false\n" in text
    assert "\n        pass_filenames: false\n" in own
    entry = re.search(r"^  entry: (.+)$", text, re.MULTILINE)
    assert entry
    assert f"        entry: {entry[1]}\n" in own
    broken_then_repaired(shlex.join(shlex.split(entry[1])), repository, machine)


@pytest.mark.nightly
def test_a_broken_edit_fails_the_workflow_and_the_repair_passes(repository: Path, machine: dict[str, str]) -> None:
    workflow = (repository / ".github/workflows/dpcert.yml").read_text()
    install, audit = re.findall(r"^      - run: (.+)$", workflow, re.MULTILINE)
    assert install == "python -m pip install dpcert"
    assert f"sarif_file: {audit.split()[-1]}\n" in workflow
    broken_then_repaired(audit, repository, machine)


def test_no_file_of_the_setup_has_a_placeholder_to_edit() -> None:
    texts = [found["text"] for found in FILE.finditer(PAGE)]
    texts += [(ROOT / name).read_text() for name in ("action.yml", ".pre-commit-hooks.yaml")]
    texts.append(TEMPLATE.read_text())
    assert len(texts) == 7
    assert [word for text in texts for word in re.findall(r"OWNER|YOUR|<[a-z-]+>|example\.(?:com|org)", text)] == []


def test_the_action_has_the_inputs_that_the_page_names() -> None:
    inputs = set(re.findall(r"^  ([a-z-]+):\n    description:", (ROOT / "action.yml").read_text(), re.MULTILINE))
    used = set(re.findall(r"\$\{\{ inputs\.([a-z-]+)", (ROOT / "action.yml").read_text()))
    used |= set(re.findall(r"inputs\.([a-z-]+) ==", (ROOT / "action.yml").read_text()))
    assert used == inputs
    named = re.search(r"`action\.yml`\s+describes its inputs: (.*?)\. For", PAGE, re.DOTALL)
    assert named
    assert set(re.findall(r"`([a-z-]+)`", named[1])) <= inputs
    assert "security-events: write" in PAGE
