"""Bad input is one clear line: what was given, what was needed, what to do; the right status; no traceback."""

import string
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert.targets import files
from dpcert.targets.catalogue import BUILT_IN

words = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=30)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--epsilon", "-1/2"], "needed: at least 0"),
        (["--epsilon", "many"], "an exact number is"),
        (["--epsilon", "9" * 100_001], "at most 100,000 digits"),
        (["--epsilon", "2*ln(3)"], "for 2*ln(3) write 'ln(9)'"),
        (["--delta", "1.0000001"], "needed: a number in [0, 1]"),
        (["--delta", "-1e-9"], "needed: a number in [0, 1]"),
        (["--neighbours", "elemnt"], "did you mean 'counts_differ_by_one'?"),
        (["--neighbours", "add_remove"], "did you mean 'add-remove'?"),
        (["--neighbours", ""], "one of add-remove, substitute, counts_differ_by_one, any"),
        (["--time-limit", "0"], "seconds above 0"),
        (["--time-limit", "-1"], "seconds above 0"),
        (["--time-limit", "nan"], "seconds above 0"),
        (["--time-limit", "inf"], "seconds above 0"),
        (["--time-limit", "soon"], "'soon' is not a valid float"),
        (["--max-runs", "0"], "an integer >= 1"),
        (["--max-runs", "1.5"], "'1.5' is not a valid integer"),
        (["--max-tail", "1"], "a number in [0, 1)"),
        (["--max-tail", "-1e-9"], "a number in [0, 1)"),
        (["--jobs", "0"], "at least one job"),
        (["--jobs", "-2"], "at least one job"),
        (["--jobs", "many"], "'many' is not a valid integer"),
        (["--law-source", "closed"], "'closed' is not one of 'program', 'closed-form'"),
        (["--set", "n"], "needed: name=value"),
        (["--set", "=3"], "needed: name=value"),
        (["--set", ""], "needed: name=value"),
        (["--set", "n=3", "--set", "n=4"], "one value for each name"),
        (["--epsilom", "1"], "Did you mean '--epsilon'?"),
        (["--set"], "requires an argument"),
        (["--certificate", "x"], "--certificates"),
        (["--junit", "x", "--sarif", "x"], "needed: a file for each"),
        (["--junit", "./x", "--sarif", "x"], "needed: a file for each"),
        (["--sarif", "x", "--code-quality", "x"], "--sarif and --code-quality x; needed: a file for each"),
        (["--eager", "--law-source", "closed-form"], "--eager with --law-source closed-form"),
        (["--relock", "--lock", "x", "--changed"], "--changed with --relock"),
        (["--relock", "--lock", "x", "--sampling"], "--relock with --sampling"),
        (["--relock", "--lock", "x", "--timing", "both"], "--relock with --timing"),
        ([""], "an empty target"),
    ],
)
def test_refused_option(refused: Any, arguments: list[str], words: str) -> None:
    assert words in refused("audit", "geosample", *arguments)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "dpcert alone; needed: a command: audit, watch, law, same, recheck, "),
        (["law"], "TARGET"),
        (["law", "geosample"], "--input"),
        (["law", "geosample", "--input", "1", "--expect"], "--expect"),
        (["recheck"], "CERTIFICATE"),
        (["list", "geosample", "x"], "unexpected extra argument"),
        (["--jsn"], "No such option '--jsn'"),
        (["report", "--output", "x" * 300], "needed: a file that can be written"),
        (["audit", "--certificates", "x" * 300], "needed: a folder that can be written"),
        (["release", "geosample", "--data", "x", "--out", ""], "--out; needed: a name that ends in .json"),
    ],
)
def test_refused_command(inside: Any, arguments: list[str], words: str) -> None:
    assert words in inside(*arguments).refusal()


@given(st.sampled_from(sorted(BUILT_IN)), st.integers(0, 100), st.sampled_from(string.ascii_lowercase))
def test_a_misspelt_name_is_offered_the_nearest(refused: Any, name: str, position: int, letter: str) -> None:
    position %= len(name)
    for misspelt in (name[:position] + name[position + 1 :], name[:position] + letter + name[position:], name.upper()):
        if misspelt not in BUILT_IN and misspelt != name.upper():
            assert "did you mean '" in refused("audit", misspelt)
    assert "needed: a name from `dpcert list`" in refused("audit", f"{position}")


@given(words.filter(lambda text: text and not text.startswith("-") and text not in BUILT_IN and text != "zoo"))
def test_refused_target_of_any_text(inside: Any, refused: Any, text: str) -> None:
    if not Path(text).exists():
        assert "needed: a" in refused("audit", text)


@pytest.mark.parametrize(
    "text", ["a" * 5000, "a" * 5000 + ".py", "missing.py", "missing.py:f", "./missing", "a\nb.py", ":"]
)
def test_refused_path_that_is_not_there(refused: Any, text: str) -> None:
    refused("audit", text)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (["n=0"], "an integer from 1 to"),
        (["n=many"], "an exact number is"),
        (["epsilon=0"], "the inverse of "),
        (["epsilo=1/3"], "one of its parameters: n, epsilon"),
    ],
)
def test_refused_setting_of_a_mechanism(inside: Any, workers_inside: None, settings: list[str], words: str) -> None:
    options = [part for text in settings for part in ("--set", text)]
    assert words in inside("audit", "geosample", *options).refusal()
    assert words in inside("law", "geosample", "--input", "1", *options).refusal()


@pytest.mark.parametrize(
    "arguments",
    [
        ["estimate", "FILE"],
        ["report", "--from", "FILE"],
        ["release", "--plan", "FILE", "--data", "data", "--out", "out.csv"],
        ["release", "basic-histogram", "--labels=data", "--epsilon=1", "--data=data", "--out=out.csv", "--budget=FILE"],
    ],
)
@pytest.mark.parametrize(
    ("content", "words"),
    [("[" * 100_000, "nested too deep"), ("", "Expecting value"), ("\0" * 9, "more than 8 bytes"), (None, "directory")],
)
def test_refused_json_of_a_file(
    refused: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], content: str | None, words: str
) -> None:
    file = tmp_path / "file.json"
    if content is None:
        file.mkdir()
    else:
        file.write_text(content)
    if words.startswith("more"):
        monkeypatch.setattr(files, "MOST", 8)
    monkeypatch.chdir(tmp_path)
    Path("data").write_text("a\n")
    assert words in refused(*(part.replace("FILE", str(file)) for part in arguments))
    assert not Path("out.csv").exists()
