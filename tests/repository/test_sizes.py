"""No folder of code is too large to look over, and no file of code too long to read."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

FILES, LINES = 40, 600
ALONE = {"audit/ideal/certificates/checker.py"}
"""One file by design, which stands alone: at most 800 lines, or 430 of code, as its own test holds it to."""


def crowded(files: Sequence[Path], root: Path) -> list[str]:
    """Return the folders with more files of code than may be."""
    found = Counter(path.parent.relative_to(root).as_posix() for path in files if path.suffix == ".py")
    return [folder for folder, count in found.items() if count > FILES]


def long(files: Sequence[Path], root: Path) -> set[str]:
    """Return the files of code with more lines than may be."""
    found = [path for path in files if path.suffix == ".py" and path.read_text(encoding="utf-8").count("\n") > LINES]
    return {path.relative_to(root).as_posix() for path in found}


def test_no_folder_of_code_has_more_than_40_files(files: list[Path], root: Path) -> None:
    assert crowded(files, root) == []


def test_no_file_of_code_has_more_than_600_lines(files: list[Path], root: Path) -> None:
    assert long(files, root) == ALONE


@pytest.mark.parametrize(("count", "lines", "expected"), [(40, 600, ([], 0)), (41, 601, (["code"], 41))])
def test_caught_a_file_or_a_line_too_many(
    count: int, lines: int, expected: tuple[list[str], int], tmp_path: Path
) -> None:
    (tmp_path / "code").mkdir()
    made = [tmp_path / "code" / f"{i}.py" for i in range(count)]
    for path in made:
        path.write_text("x = 1\n" * lines)
    assert (crowded(made, tmp_path), len(long(made, tmp_path))) == expected
