"""How modules are loaded: those of a user as they are written now, this package's and python-flint with less work."""

import sys
from pathlib import Path

import pytest

from dpcert.mechanisms.adapters.late import late
from dpcert.targets.load import AsWritten, Sources


def test_what_nobody_installed_is_loaded_as_written_and_this_package_as_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "beside.py").write_text("", encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    package = sys.modules["dpcert.reading"].__path__
    loaders = [Sources.find_spec("beside"), Sources.find_spec("dpcert.reading.replay", package)]
    assert [type(spec.loader) is AsWritten for spec in loaders if spec is not None] == [True, False]


def test_a_late_module_is_executed_at_its_first_attribute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    executed = tmp_path / "executed"
    text = f"open({str(executed)!r}, 'w').close()\nvalue = 3\n"
    (tmp_path / "later.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr(sys, "modules", {**sys.modules})
    found = late("later")
    assert not executed.exists()
    assert late("later") is found
    assert found.value == 3
    assert executed.exists()


def test_refused_late_module_that_is_not_there() -> None:
    with pytest.raises(ImportError, match="no_such_module"):
        late("no_such_module")
