"""A command imports what it uses: help and version nothing of the auditor; `dpcert` names what it is asked for."""

import json
import pkgutil
import subprocess
import sys
from pathlib import Path

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
    assert len(seen) <= 7, seen


def test_the_process_of_the_command_line_leaves_the_auditor_to_its_workers(tmp_path: Path) -> None:
    path = tmp_path / "release.py"
    path.write_text(
        "import dpcert\n"
        "@dpcert.target(guarantee=dpcert.PureDP(1), inputs=[0, 1], neighbours='any')\n"
        "def release(bit, coins):\n    return coins.below(2)\n"
    )
    seen = loaded("audit", str(path))
    assert "dpcert.run.audits" in seen
    heavy = ("audit.decide", "audit.subject", "audit.unbounded", "mechanisms.enumerator", "reading.explore")
    assert [name for name in seen if name.startswith(tuple(f"dpcert.{part}" for part in heavy))] == []
    others = ("run.lock.lock", "run.remote", "show.findings", "show.pages", "targets.cases")
    assert seen & {f"dpcert.{name}" for name in others} == set()


def test_a_public_name_is_no_module_too_but_for_the_package_that_is_called() -> None:
    modules = {module.name for module in pkgutil.iter_modules(dpcert.__path__)}
    assert modules & set(dpcert.__all__) == {"audit"}


def test_the_package_audit_is_called_whatever_was_imported_before() -> None:
    code = "import dpcert{}\ntry: dpcert.audit(3)\nexcept dpcert.InputError as error: print(error)"
    for more in ("", "; from dpcert.audit import kernel"):
        done = subprocess.run([sys.executable, "-c", code.format(more)], capture_output=True, text=True, check=True)
        assert "a dpcert target; decorate it" in done.stdout


def test_every_public_name_is_listed_and_there() -> None:
    assert len(set(dpcert.__all__)) == len(dpcert.__all__)
    assert set(dpcert.__all__) <= set(dir(dpcert))
    assert dpcert.__version__
    for name in dpcert.__all__:
        assert getattr(dpcert, name) is not None
