"""The hosted workflows, the citation and the pull request's list follow what the project says elsewhere."""

import re
import tomllib
from pathlib import Path

YAML_LIST = re.compile(r"(?:python|area): \[(.+)\]")


def listed(path: Path) -> list[str]:
    found = YAML_LIST.search(path.read_text())
    assert found, f"{path} has no matrix"
    return [each.strip(' "') for each in found[1].split(",")]


def test_each_python_of_the_ci_has_a_job(root: Path) -> None:
    versions = re.search(r"for version in (.+); do", (root / ".ci/run").read_text())
    assert versions
    assert listed(root / ".github/workflows/ci.yml") == versions[1].split()


def test_the_nightly_jobs_run_each_folder_of_tests_once(root: Path) -> None:
    areas = [area for job in listed(root / ".github/workflows/nightly.yml") for area in job.split()]
    assert sorted(areas) == sorted(path.name for path in (root / "tests").iterdir() if any(path.rglob("test_*.py")))


def test_the_version_is_cited_and_in_the_changelog(root: Path) -> None:
    version = tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"]
    assert f"\nversion: {version}\n" in (root / "CITATION.cff").read_text()
    assert f"## [{version}]" in (root / "CHANGELOG.md").read_text()
