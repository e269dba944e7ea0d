"""A frequency file of `dpcert plan`: what it holds, and a bad row named, in every form that one has."""

from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from dpcert.mechanisms.exact.errors import InputError
from dpcert.planning import frequencies
from dpcert.planning.frequencies import Frequencies, read_frequencies


def read(folder: Path, text: str | bytes) -> Frequencies:
    path = folder / "counts.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_frequencies(str(path))


@pytest.mark.parametrize(
    ("text", "frequencies"),
    [
        ("a,3\nb,1\nc,3", [3, 1, 3]),
        ("key,frequency\na,3\n", [3]),
        ("\ufeffuser,Count\r\na,3\r\nb, 4 \r\n", [3, 4]),
        ("frequency\n5\n6\n", [5, 6]),
        ("5\n", [5]),
        ('"x, y",7\n"say ""no""",8\n', [7, 8]),
        (b"\xff\x00,9\n", [9]),
        ("a,b,c,2\n", [2]),
        (f"a,{10**18 - 1}\n", [10**18 - 1]),
    ],
)
def test_what_a_file_holds(tmp_path: Path, text: str | bytes, frequencies: list[int]) -> None:
    found = read(tmp_path, text)
    assert found.keys_of == tuple(sorted(Counter(frequencies).items()))
    assert (found.keys, found.total, found.greatest) == (len(frequencies), sum(frequencies), max(frequencies))


def test_rows_of_0_are_counted_apart(tmp_path: Path) -> None:
    assert read(tmp_path, "a,0\nb,2\nc,0\n") == Frequencies(((2, 1),), 2)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a,1\nb,-2\n", "line 2: '-2' is negative"),
        ("a,1\nb,1.5\n", "line 2: '1.5' is no integer"),
        ("a,1\nb,1e3\n", "line 2: '1e3' is no integer"),
        ("a,1\nb,\n", "line 2: there is no frequency"),
        ("a,1\n\nb,2\n", "line 2: there is no frequency"),
        ("a,1\nb\n", "line 2: 'b' is no integer"),
        ("a,1\nkey,frequency\n", "line 2: 'frequency' is no integer"),
        ("a,x\n", "line 1: 'x' is no integer"),
        ("a;3\nb;4\n", "line 1: 'a;3' is no integer; columns are split by a comma, not by a semicolon"),
        ("a,1\nb\t4\n", "line 2: 'b\\t4' is no integer; columns are split by a comma, not by a tab"),
        (b"\x1f\x8b\x08\x00abc", "which is packed by gzip: unpack it"),
        (b"PK\x03\x04abc", "which is packed, as a spreadsheet is"),
        ("a,3\n".encode("utf-16"), "which is text in UTF-16"),
        (b"\xfe\xff\x00a\x00,", "which is text in UTF-16"),
        ("a,1\nb,٣\n", "line 2: '٣' is no integer"),
        (f"a,{10**18}\n", "line 1: a frequency of 19 digits"),
        ('a,1\n"two\nlines",3\n', "line 2: it is no line of CSV by itself"),
        ("a,1\n" + "b" * (1 << 16) + ",2\n", "line 2: it has 65,536 characters"),
        (b"a,1\n\x80,\x80\n", "line 2: "),
        ("", "has no rows"),
        ("key,frequency\n", "has no rows"),
        ("a,0\nb,0\n", "2 rows of 0"),
    ],
)
def test_refused_in_one_line_with_the_line_named(tmp_path: Path, text: str | bytes, words: str) -> None:
    with pytest.raises(InputError) as refused:
        read(tmp_path, text)
    assert words in refused.value.given


@pytest.mark.nightly
def test_a_bad_row_at_line_3_000_001_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 3,000,001: '-1' is negative"):
        read(tmp_path, "k,1\n" * 3_000_000 + "k,-1\nk,x\n")


def test_refused_what_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="which does not exist"):
        read_frequencies(str(tmp_path / "missing.csv"))
    with pytest.raises(InputError, match="which is no file"):
        read_frequencies(str(tmp_path))


def test_parquet_without_its_package_names_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(InputError) as refused:
        read(tmp_path, b"PAR1 and more")
    assert "pip install 'dpcert[parquet]'" in refused.value.remedy


@pytest.mark.parametrize("value", [-1, None, 1.5, True, 10**18, "3"])
def test_a_bad_value_of_parquet_is_named_by_its_row(value: object) -> None:
    with pytest.raises(InputError, match="row 3,000,001: "):
        frequencies._checked("x.parquet", 3_000_001, value)


def test_the_column_of_parquet_is_the_one_that_is_named_or_alone() -> None:
    assert frequencies._column("x", ["key", "Frequency"]) == "Frequency"
    assert frequencies._column("x", ["anything"]) == "anything"
    for names in (["a", "b"], ["count", "frequency"]):
        with pytest.raises(InputError, match="columns"):
            frequencies._column("x", names)


@pytest.mark.nightly
def test_parquet_with_the_extra_parquet(tmp_path: Path) -> None:
    """With `pip install 'dpcert[parquet]'`."""
    arrow, parquet = _pyarrow()
    path = tmp_path / "counts.parquet"
    parquet.write_table(arrow.table({"key": ["a", "b", "c", "d"], "frequency": [3, 4, 0, 4]}), path)
    assert read_frequencies(str(path)) == Frequencies(((3, 1), (4, 2)), 1)
    for values, words in (([3, None], "row 2: there is no"), ([3, -4], "row 2: '-4'"), ([3.0], "row 1: '3.0'")):
        parquet.write_table(arrow.table({"count": values}), path)
        with pytest.raises(InputError, match=words):
            read_frequencies(str(path))
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(InputError, match="no Parquet file that can be read"):
        read_frequencies(str(path))


def _pyarrow() -> tuple[ModuleType, ModuleType]:
    import pyarrow
    import pyarrow.parquet

    return pyarrow, pyarrow.parquet
