"""Bad input is one clear line: what was given, what was needed, what to do; the right status; no traceback."""

import string
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert.targets.catalogue import BUILT_IN, MECHANISMS

words = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=30)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--epsilon", "-1/2"], "needed: at least 0"),
        (["--epsilon", "1 + -1"], "needed: at least 0"),
        (["--epsilon", "ln(1/2)"], "needed: at least 1"),
        (["--epsilon", "many"], "an exact number is"),
        (["--epsilon", "nan"], "a finite number"),
        (["--epsilon", "inf"], "a finite number"),
        (["--epsilon", "1e99999"], "an exponent within +-10,000"),
        (["--epsilon", "9" * 100_001], "at most 100,000 digits"),
        (["--epsilon", "2*ln(3)"], "for 2*ln(3) write 'ln(9)'"),
        (["--epsilon", "log(3)"], "write '1/10', 'ln(3)' or '1/2 + ln(3/2)'"),
        (["--epsilon", "1/0"], "a denominator that is not zero"),
        (["--epsilon", ""], "an exact number is"),
        (["--delta", "1.0000001"], "needed: a number in [0, 1]"),
        (["--delta", "-1e-9"], "needed: a number in [0, 1]"),
        (["--delta", "1e-10001"], "an exponent within +-10,000"),
        (["--delta", "1_0"], "without underscores"),
        (["--delta", "1/0"], "a denominator that is not zero"),
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
def test_refused_option(refused: Callable[..., str], arguments: list[str], words: str) -> None:
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
    ],
)
def test_refused_command(inside: Callable[..., Any], arguments: list[str], words: str) -> None:
    assert words in inside(*arguments).refusal()


@given(st.sampled_from(sorted(BUILT_IN)), st.integers(0, 100), st.sampled_from(string.ascii_lowercase))
def test_a_misspelt_name_is_offered_the_nearest(
    refused: Callable[..., str], name: str, position: int, letter: str
) -> None:
    position %= len(name)
    for misspelt in (name[:position] + name[position + 1 :], name[:position] + letter + name[position:], name.upper()):
        if misspelt not in BUILT_IN and misspelt != name.upper():
            assert "did you mean '" in refused("audit", misspelt)
    assert "needed: a name from `dpcert list`" in refused("audit", f"{position}")


@given(words.filter(lambda text: text and not text.startswith("-") and text not in BUILT_IN and text != "zoo"))
def test_refused_target_of_any_text(inside: Callable[..., Any], refused: Callable[..., str], text: str) -> None:
    if not Path(text).exists():
        assert "needed: a" in refused("audit", text)


@pytest.mark.parametrize(
    "text", ["a" * 5000, "a" * 5000 + ".py", "missing.py", "missing.py:f", "./missing", "a\nb.py", ":"]
)
def test_refused_path_that_is_not_there(refused: Callable[..., str], text: str) -> None:
    refused("audit", text)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (["n=0"], "an integer from 1 to"),
        (["n=2.5"], "an integer from 1 to"),
        (["n=-1"], "an integer from 1 to"),
        (["n=1e9"], "an integer from 1 to"),
        (["n=many"], "an exact number is"),
        (["epsilon=0"], "the inverse of "),
        (["epsilon=2/3"], "the inverse of "),
        (["epsilon=-1/2"], "the inverse of "),
        (["epsilon=1e99999"], "an exponent within"),
        (["N=3"], "one of its parameters: n, epsilon"),
        (["epsilo=1/3"], "one of its parameters: n, epsilon"),
    ],
)
def test_refused_setting_of_a_mechanism(
    inside: Callable[..., Any], workers_inside: None, settings: list[str], words: str
) -> None:
    options = [part for text in settings for part in ("--set", text)]
    assert words in inside("audit", "geosample", *options).refusal()
    assert words in inside("law", "geosample", "--input", "1", *options).refusal()


TWO_LABELS = "or audit basic-histogram at any universe, by the two labels between which one person moves"
FEWER = "set n=3 or take 2 labels"


@pytest.mark.points(17)
@pytest.mark.parametrize(
    ("mechanism", "settings", "words"),
    [
        (
            "keep-heavy",
            "n=4 universe=4",
            "universe >= 5, the (n+1)-st greatest count is one of its labels'; set universe=5",
        ),
        ("keep-heavy-sparse", "n=2 universe=4", "universe >= 5, so that n + 1 labels do not occur; set universe=5"),
        ("sparse-histogram", "n=3 universe=6", "universe >= 7, so that n + 1 labels do not occur; set universe=7"),
        ("pure-sparse-histogram", "n=1 universe=2", "universe >= 3, so that n + 1 labels do not occur; set universe=3"),
        ("keep-heavy", "n=2 universe=1000", f"at most 500000 outcomes; set universe=22, {TWO_LABELS}"),
        (
            "keep-heavy",
            "n=1000 universe=1000000",
            f"at most 500000 outcomes; lower n: n=3, universe=4 can be, {TWO_LABELS}",
        ),
        (
            "keep-heavy-sparse",
            "n=4 universe=9",
            f"at most 500000 outcomes; lower n: n=3, universe=7 can be, {TWO_LABELS}",
        ),
        ("sparse-histogram", f"n=2 universe={2**64}", f"at most 500000 outcomes; set universe=22, {TWO_LABELS}"),
        ("pure-sparse-histogram", "n=3 universe=100", f"at most 500000 outcomes; set universe=7, {TWO_LABELS}"),
        (
            "compact-histogram",
            "n=3 universe=100",
            "2^18 at most, to enumerate all polynomials; lower these, or set view=counts, universe=4, bits=18: two",
        ),
        ("compact-histogram", "n=3 universe=100 view=counts", "universe <= n + 1, as no more labels; set universe=4"),
        ("compact-histogram", "n=9 universe=10 view=counts", f"universe^n <= 5000; {FEWER}"),
        ("basic-histogram", "n=100 universe=1000", "n <= 60 to audit the two labels; lower n, or audit the sampler"),
        ("stability-histogram", "n=1000 universe=2", "n <= 60 to audit the two labels; lower n, or audit the sampler"),
        (
            "sample-threshold-histogram",
            "n=10 universe=10",
            "at most 5000 sorted lists; set n=5 or take 5 labels, or audit sample-threshold",
        ),
        (
            "trie-heavy-hitters",
            "n=9 levels=5",
            "at most 5000 lists; set n=2 or take 2 labels, or audit sample-threshold",
        ),
        ("quantile-search", "n=1000 halvings=12", "at most 5000 lists; set n=1, or audit sample-threshold"),
        ("mixing", "gamma=1/1000000", "a distance that mixing makes up for; set gamma=1/"),
        ("geosample", "n=100000 epsilon=1/100000", "n (k + 1) < 1000000, the bits of the one draw; lower n"),
        ("fastsample", "epsilon=1/1000", "fewer than 20000 bits; take a greater epsilon, or geosample"),
        ("compact-histogram", "bits=4", "0, or 2 * 3^l for some l: 2, 6, 18, 54; set one of these"),
        ("compact-histogram", "view=all", "polynomial or counts; set one of these"),
        ("keep-heavy", "sampler=laplace", "geosample, words or fastsample; set one of these"),
        ("geometric", "ratio=1", "a number above 1"),
        ("geometric", "method=loop", "draw or flips or words"),
        ("stability-histogram", "threshold=-1", "an integer from 0 to"),
    ],
)
def test_refused_settings_name_what_can_be(
    inside: Callable[..., Any], workers_inside: None, mechanism: str, settings: str, words: str
) -> None:
    options = [part for text in settings.split() for part in ("--set", text)]
    for command in (["audit", mechanism], ["law", mechanism, "--input", "0"]):
        line = inside(*command, *options).refusal()
        needed, remedy = words.split("; ") if "; " in words else (words, "")
        assert needed in line.partition("; needed: ")[2]
        assert remedy in line


@pytest.mark.points(43)
@pytest.mark.parametrize("value", ["2/3", "0", "-1/2", "1.5", "3/10", "2"])
@pytest.mark.parametrize(
    ("mechanism", "name"),
    [(mechanism.name, "epsilon") for mechanism in MECHANISMS if "1/epsilon" in str(mechanism.parameters)]
    + [(mechanism.name, "gamma") for mechanism in MECHANISMS if "1/gamma" in str(mechanism.parameters)]
    + [("sparse-histogram", "delta"), ("pure-sparse-histogram", "beta")],
)
def test_refused_what_is_not_the_inverse_of_an_integer(
    inside: Callable[..., Any], workers_inside: None, mechanism: str, name: str, value: str
) -> None:
    line = inside("audit", mechanism, "--set", f"{name}={value}").refusal()
    assert f"dpcert: {name}={value}; needed: the inverse of an integer >= " in line


THRESHOLDS = [found.name for found in MECHANISMS if "threshold" in {each.name for each in found.parameters}]


@pytest.mark.points(8)
@pytest.mark.parametrize("mechanism", THRESHOLDS)
def test_refused_thresholds_and_rates_that_release_all_or_nothing(
    inside: Callable[..., Any], workers_inside: None, mechanism: str
) -> None:
    names = [parameter.name for parameter in BUILT_IN[mechanism].parameters]
    noisy = mechanism == "stability-histogram" or "sparse-vector" in mechanism
    least = 0 if noisy else 1  # of noisy numbers, with nothing below 0
    for value in (str(least - 1), "-1", "3/2", "0.5"):
        line = inside("audit", mechanism, "--set", f"threshold={value}").refusal()
        assert f"dpcert: threshold={value}; needed: an integer from {least} to " in line
    for value in ("0", "1", "-1/10", "11/10") if "rate" in names else ():
        line = inside("audit", mechanism, "--set", f"rate={value}").refusal()
        assert f"dpcert: rate={value}; needed: a number strictly between 0 and 1" in line


@pytest.mark.parametrize("mechanism", ["pws-keys", "pws-frequencies"])
@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("q=1/2, 1/3", "non-decreasing numbers in [0, 1]"),
        ("q=-1/2, 1/3", "non-decreasing numbers in [0, 1]"),
        ("q=1/2, 3/2", "non-decreasing numbers in [0, 1]"),
        ("q=priority:0", "tau > 0"),
        ("q=ppswor:-1", "tau > 0"),
        ("q=ppswor", "ppswor:TAU, with a number tau > 0"),
        ("q=uniform:1/2", "ppswor:TAU, with a number tau > 0"),
        ("bits=3", "0, or 8 to 4096"),
        ("bits=-1", "an integer from 0 to 4096"),
        ("delta=0", "with delta = 0 no key can ever be reported"),
        ("delta=2", "a number in (0, 1]"),
    ],
)
def test_refused_sampling_of_keys(
    inside: Callable[..., Any], workers_inside: None, mechanism: str, setting: str, words: str
) -> None:
    assert words in inside("audit", mechanism, "--set", setting).refusal()
