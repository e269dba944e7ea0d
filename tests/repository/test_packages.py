"""Every folder of modules is a package, and so found by setuptools; what ships beside modules is listed."""

import tomllib
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import dpcert

Modules = dict[str, Path]


def project(root: Path) -> dict[str, Any]:
    return tomllib.loads((root / "pyproject.toml").read_text())


def package_faults(modules: Modules) -> list[str]:
    """List each folder of modules that would be lost in a wheel, as it is no package."""
    packages = {name for name, path in modules.items() if path.name == "__init__.py"}
    homes = {name.rpartition(".")[0] for name in modules.keys() - packages}
    return sorted(f"{name}: no __init__.py" for name in homes - packages)


def test_every_folder_of_modules_is_a_package(modules: Modules) -> None:
    assert {"dpcert", "dpcert.audit.kernel", "dpcert.mechanisms.exact", "dpcert.proofs"} <= modules.keys()
    assert package_faults(modules) == []


def test_caught_a_folder_that_is_no_package(
    fake_tree: Callable[[dict[str, str]], Path], find_modules: Callable[[Path], Modules]
) -> None:
    assert package_faults(find_modules(fake_tree({"proofs/bare/module.py": ""}))) == [
        "dpcert.proofs.bare: no __init__.py"
    ]


def test_the_version_is_the_one_of_the_metadata(root: Path) -> None:
    assert dpcert.__version__ == version("dpcert") == project(root)["project"]["version"]


def test_the_classifiers_claim_the_systems_and_versions_that_the_code_is_for(root: Path) -> None:
    described = project(root)["project"]
    prefix, versions = "Programming Language :: Python :: 3.", described["requires-python"]
    minors = [int(text.removeprefix(prefix)) for text in described["classifiers"] if text.startswith(prefix)]
    assert versions == f">=3.{min(minors)},<3.{max(minors) + 1}"
    assert minors == list(range(min(minors), max(minors) + 1))
    systems = {text for text in described["classifiers"] if text.startswith("Operating System :: ")}
    assert "os.killpg" in (root / "src/dpcert/worker/process.py").read_text()
    assert systems == {"Operating System :: POSIX"}
