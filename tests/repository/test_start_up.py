"""A command imports what it uses: help and version nothing of the auditor; `dpcert` names what it is asked for."""

import json
import pkgutil
import subprocess
import sys

import dpcert

LOADED = """
import io, json, sys
from contextlib import redirect_stdout
from dpcert.cli import main
with redirect_stdout(io.StringIO()):
    main(sys.argv[1:])
print(json.dumps(sorted(name for name in sys.modules if name.startswith("dpcert."))))
"""


def loaded(*arguments: str) -> set[str]:
    done = subprocess.run([sys.executable, "-c", LOADED, *arguments], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


def test_help_and_version_import_nothing_but_what_prints_them() -> None:
    seen = loaded("--version")
    assert {"dpcert.cli", "dpcert.worker.troubles", "dpcert.mechanisms.exact.errors"} <= seen
    assert seen == loaded("--help")
    assert len(seen) <= 6, seen


def test_a_public_name_is_no_module_too() -> None:
    modules = {module.name for module in pkgutil.iter_modules(dpcert.__path__)}
    assert modules & set(dpcert.__all__) == set()


def test_every_public_name_is_listed_and_there() -> None:
    assert set(dpcert.__all__) <= set(dir(dpcert))
    for name in dpcert.__all__:
        assert getattr(dpcert, name) is not None
