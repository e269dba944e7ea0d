"""Bad input is one clear line: what was given, what was needed, what to do; the right status; no traceback."""

import string
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpcert
from dpcert.targets.catalogue import BUILT_IN, MECHANISMS
from dpcert.worker.process import Children

# -- the command line, before any other process is started


@pytest.fixture(scope="module")
def refused(inside: Callable[..., Any], check_json: Callable[..., None]) -> Any:
    """Run a command line that must be refused by this process alone; return its line."""

    def never(*rest: Any, **more: Any) -> None:
        raise AssertionError("a process was started")

    def run(*arguments: object) -> str:
        line: str = inside(*arguments).refusal()
        done = inside(arguments[0], "--json", *arguments[1:])
        assert done.status == 2
        check_json("error", done.document)
        parts = done.document
        assert line == f"dpcert: {parts['given']}; needed: {parts['needed']}; {parts['remedy']}"
        return line

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Children, "reply", never)
        yield run


words = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=30)


@given(st.fractions(max_value=0).filter(bool) | st.decimals(max_value="-1e-9", allow_infinity=False, allow_nan=False))
def test_refused_epsilon_below_0(refused: Callable[..., str], value: Any) -> None:
    assert "needed: at least 0" in refused("audit", "geosample", "--epsilon", str(value))
    assert "needed: at least 0" in refused("audit", "geosample", "--epsilon", f"1 + {value}")


@given(st.fractions(max_value=1).filter(lambda x: x < 1))
def test_refused_ln_of_less_than_1(refused: Callable[..., str], value: Fraction) -> None:
    assert "needed: at least 1" in refused("audit", "geosample", "--epsilon", f"ln({value})")


@given(st.fractions().filter(lambda x: not 0 <= x <= 1))
def test_refused_delta_outside_0_and_1(refused: Callable[..., str], value: Fraction) -> None:
    assert "needed: a number in [0, 1]" in refused("audit", "geosample", "--delta", str(value))


def is_number(text: str) -> bool:
    try:
        dpcert.exact(text)
    except dpcert.InputError:
        return False
    return True


@given(words.filter(lambda text: not is_number(text) and "ln" not in text and "+" not in text))
def test_refused_what_is_no_number(refused: Callable[..., str], text: str) -> None:
    for option in ("--epsilon", "--delta", "--max-tail"):
        assert "needed: " in refused("audit", "geosample", f"{option}={text}")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--epsilon", "nan"], "a finite number"),
        (["--epsilon", "inf"], "a finite number"),
        (["--epsilon", "1e99999"], "an exponent within +-10,000"),
        (["--epsilon", "9" * 100_001], "at most 100,000 digits"),
        (["--epsilon", "2*ln(3)"], "for 2*ln(3) write 'ln(9)'"),
        (["--epsilon", "log(3)"], "write '1/10', 'ln(3)' or '1/2 + ln(3/2)'"),
        (["--epsilon", "1/0"], "a denominator that is not zero"),
        (["--epsilon", ""], "an exact number is"),
        (["--delta", "1e-10001"], "an exponent within +-10,000"),
        (["--delta", "1_0"], "without underscores"),
        (["--delta", "1/0"], "a denominator that is not zero"),
        (["--neighbours", "elemnt"], "did you mean 'element'?"),
        (["--neighbours", "add_remove"], "did you mean 'add-remove'?"),
        (["--neighbours", ""], "one of add-remove, substitute, element, any"),
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
        ([], "dpcert alone; needed: a command: audit, law, recheck, "),
        (["adit"], "Did you mean 'audit'?"),
        (["audits", "geosample"], "Did you mean 'audit'?"),
        (["law"], "TARGET"),
        (["law", "geosample"], "--input"),
        (["law", "geosample", "--input", "1", "--expect"], "--expect"),
        (["recheck"], "CERTIFICATE"),
        (["list", "geosample"], "unexpected extra argument"),
        (["--jsn"], "No such option '--jsn'"),
        (["recheck", "a", "b"], "unexpected extra argument"),
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
        ("compact-histogram", "n=3 universe=100", "bits (n + 1) <= 18; or set view=counts, universe=4, bits=18: two"),
        ("compact-histogram", "n=3 universe=100 view=counts", "universe <= n + 1, as no more labels; set universe=4"),
        ("compact-histogram", "n=9 universe=10 view=counts", f"universe^n <= 5000; {FEWER}"),
        ("basic-histogram", "n=100 universe=1000", "n <= 60 to audit the two labels; lower n, or audit the sampler"),
        ("stability-histogram", "n=1000 universe=2", "n <= 60 to audit the two labels; lower n, or audit the sampler"),
        ("sample-threshold-histogram", "n=10 universe=10", f"at most 5000 lists; {FEWER}, or audit sample-threshold"),
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
        ("keep-heavy", "sampler=laplace", "geosample or fastsample; set one of these"),
        ("geometric", "ratio=1", "a number above 1"),
        ("geometric", "method=loop", "draw or flips"),
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


# -- inputs


@pytest.fixture
def refused_input(
    inside: Callable[..., Any], workers_inside: None, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., str]:
    """Ask for a law on an input that must be refused before anything is computed; return the line."""

    def never(*rest: Any, **more: Any) -> None:
        raise AssertionError("a law was computed")

    def run(mechanism: str, text: str, settings: str) -> str:
        options = [part for setting in settings.split() for part in ("--set", setting)]
        found = set()
        for source in ("program", "closed-form"):
            command = ["law", mechanism, "--input", text, *options, "--law-source", source]
            found.add(inside(*command).refusal())
            assert inside(*command, "--json").document["schema"] == "dpcert.error/1"
        (line,) = found
        return str(line)

    monkeypatch.setattr("dpcert.worker.operations.enumerate_law", never)
    monkeypatch.setattr("dpcert.audit.subject.Subject.closed_law", never)
    return run


@pytest.mark.parametrize(
    ("mechanism", "settings", "text", "words"),
    [
        ("keep-heavy", "n=2", "[0,0,0]", "[0, 0, 0], which has length 3; needed: a list of 2 labels from 0 to 4; "),
        ("keep-heavy", "n=2", "[0]", "[0], which has length 1; needed: a list of 2 labels from 0 to 4; write a list"),
        ("keep-heavy", "n=2", "[]", "[], which has length 0; needed: a list of 2 labels"),
        ("keep-heavy", "n=2", "[0,9]", "in which label 9 at place 1 is above 4; needed: a list of 2 labels"),
        ("keep-heavy", "n=2", "[-1,0]", "in which label -1 at place 0 is below 0"),
        ("keep-heavy", "n=2", "[0,true]", "in which label True at place 1 is of type bool, not int"),
        ("keep-heavy", "n=2", '[0,"1"]', "in which label '1' at place 1 is of type str, not int"),
        ("keep-heavy", "n=2", '[0,{"fraction":"1/1"}]', "in which label Fraction(1, 1) at place 1 is of type Fraction"),
        ("keep-heavy", "n=2", '[0,{"float":"0x1p+0"}]', "in which label 1.0 at place 1 is of type float, not int"),
        ("keep-heavy", "n=2", "[[0],1]", "in which label [0] at place 0 is of type list, not int"),
        ("keep-heavy", "n=2", '{"tuple":[0,1]}', "(0, 1), which is of type tuple, not list"),
        ("keep-heavy", "n=2", '{"set":[0,1]}', "{0, 1}, which is of type set, not list"),
        ("keep-heavy", "n=2", "7", "7, which is of type int, not list"),
        ("keep-heavy-sparse", "n=2", "[0,5]", "label 5 at place 1 is above 4"),
        ("sparse-histogram", "n=2", "[0,5]", "label 5 at place 1 is above 4"),
        ("pure-sparse-histogram", "n=2", "[0,1,2]", "which has length 3"),
        ("compact-histogram", "n=1", "[2]", "label 2 at place 0 is above 1"),
        ("basic-histogram", "n=3", "[0,1,3]", "label 3 at place 2 is above 2"),
        ("basic-histogram", "universe=1000", "[0,2,1]", "needed: a list of 1 to 3 labels from 0 to 1, the two between"),
        ("stability-histogram", "n=3 universe=1000", "[0,1000]", "needed: a list of 1 to 3 labels from 0 to 999"),
        ("sample-threshold-histogram", "", "[0,2]", "needed: a list of any number of labels from 0 to 1"),
        ("trie-heavy-hitters", "", "[4]", "needed: a list of any number of labels from 0 to 3"),
        ("heavy-hitters", "", "[4]", "needed: a list of any number of labels from 0 to 3"),
        ("hierarchical-histogram", "", "[4]", "needed: a list of any number of labels from 0 to 3"),
        ("quantile-search", "", "[4]", "needed: a list of any number of labels from 0 to 3"),
        (
            "geosample",
            "n=3",
            "7",
            "7, which is above 3; needed: a count from 0 to 3; write such an integer, or raise n",
        ),
        ("geosample", "n=3", "-1", "-1, which is below 0; needed: a count from 0 to 3"),
        ("geosample", "n=3", "true", "True, which is of type bool, not int"),
        ("geosample", "n=3", "null", "None, which is of type NoneType, not int"),
        ("geosample", "n=3", '"1"', "'1', which is of type str, not int"),
        ("geosample", "n=3", '{"float":"0x1p+0"}', "1.0, which is of type float, not int"),
        ("fastsample", "n=3", "4", "4, which is above 3"),
        ("mixing", "n=3 epsilon=1/2", "4", "4, which is above 3"),
        ("geometric", "n=3", "4", "4, which is above 3"),
        ("randomized-response", "", "2", "2, which is above 1; needed: a bit, 0 or 1"),
        ("randomized-response", "", "false", "False, which is of type bool, not int"),
        ("sample-threshold", "", "-1", "-1, which is below 0; needed: a count >= 0"),
        ("sample-threshold", "", '{"fraction":"1/2"}', "Fraction(1, 2), which is of type Fraction, not int"),
        ("sampled-count", "", "-1", "-1, which is below 0; needed: a count >= 0"),
        ("pws-keys", "imax=9", "-1", "-1, which is below 0; needed: a frequency >= 0"),
        ("pws-keys", "imax=9", '{"fraction":"1/2"}', "Fraction(1, 2), which is of type Fraction, not int"),
        ("pws-frequencies", "imax=9", "-1", "-1, which is below 0; needed: a frequency >= 0"),
        ("pws-frequencies", "imax=9", '{"fraction":"1/2"}', "Fraction(1, 2), which is of type Fraction, not int"),
    ],
)
def test_refused_input_of_a_mechanism(
    refused_input: Callable[..., str], mechanism: str, settings: str, text: str, words: str
) -> None:
    line = refused_input(mechanism, text, settings)
    assert line.startswith("dpcert: --input ")
    assert words in line


@pytest.mark.parametrize("fault", ["geosample-floor", "geosample-raises"])
def test_a_fault_refuses_what_the_correct_mechanism_does(
    inside: Callable[..., Any], workers_inside: None, fault: str
) -> None:
    assert "needed: a count from 0 to 2" in inside("law", fault, "--set", "n=2", "--input", "3").refusal()


@pytest.mark.parametrize(
    ("mechanism", "text"),
    [
        ("geosample", "3"),
        ("keep-heavy", "[4, 0]"),
        ("sample-threshold", "50"),
        ("sample-threshold-histogram", "[0, 1, 1, 1, 1, 1]"),
        ("randomized-response", "1"),
    ],
)
def test_an_input_of_the_domain_has_a_law_even_beyond_the_scope(
    inside: Callable[..., Any], workers_inside: None, mechanism: str, text: str
) -> None:
    done = inside("law", mechanism, "--input", text)
    assert (done.status, done.err) == (0, "")


# -- files


@pytest.fixture
def of_file(quick: Callable[..., Any], inside: Callable[..., Any], write: Callable[..., Path]) -> Callable[..., str]:
    """Audit a file that must be refused and return the line, after seeing that a good one beside it is audited."""
    good = """
        @target(guarantee=PureDP(0), inputs=[0, 1], neighbours="any")
        def constant(bit, coins): return 0
    """

    def run(text: str, *options: str, head: str | None = None) -> str:
        path = write("bad.py", text) if head is None else write("bad.py", text, head=head)
        done = quick(path, write("good.py", good))
        assert (done.status, done.verdicts()) == (2, {"constant": "verified"})
        (error,) = done.document["errors"]
        assert str(path) in error["given"]
        line: str = inside("audit", path, *options).refusal()
        return line

    return run


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "at least one function decorated with @dpcert.target"),
        ("x = 1", "at least one function decorated with @dpcert.target"),
        ("def release(x, coins): return x", "at least one function decorated with @dpcert.target"),
        ("def release(x, coins) return x", "SyntaxError: "),
        ("if True:\nx = 1", "IndentationError: "),
        ("x = (", "SyntaxError: "),
        ("import a_module_that_nobody_has", "ModuleNotFoundError: No module named 'a_module_that_nobody_has'"),
        ("from . import sibling", "ImportError: "),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("raise ValueError('two\\nlines')", "does not import: ValueError: two lines"),
        ("raise SystemExit(0)", "does not import: SystemExit: 0"),
        ("import sys; sys.exit()", "does not import: SystemExit"),
        ("raise KeyboardInterrupt", "does not import: KeyboardInterrupt"),
        ("raise BaseException('base')", "does not import: BaseException: base"),
        ("def f(): f()\nf()", "RecursionError"),
        (
            "class E(Exception):\n    def __str__(self): return 1\nraise E",
            "does not import: bad.E: <exception str() failed>",
        ),
        ("\0", "SyntaxError"),
        ("x = '\\ud800'; raise ValueError(x)", r"ValueError: \ud800"),
    ],
)
def test_refused_file(of_file: Callable[..., str], text: str, words: str) -> None:
    assert words in of_file(text, head="")


TARGET = "@target(guarantee=PureDP(1), inputs=[0, 1], neighbours='any'{more})\ndef release({parameters}): return 0"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("PureDP(0.1)", "A float is not the number it prints as; write '0.1' or Fraction(1, 10)."),
        ("PureDP(epsilon=float('nan'))", "a finite number"),
        ("PureDP(True)", "a truth value is not a number"),
        ("PureDP(-1)", "epsilon = -1; needed: at least 0"),
        ("PureDP('-1/2')", "epsilon = -1/2; needed: at least 0"),
        ("PureDP('ln(1/2)')", "at least 1"),
        ("PureDP(None)", "epsilon of type NoneType"),
        ("ApproxDP(1, 1e-6)", "A float is not the number it prints as; write '1e-06'"),
        ("ApproxDP(1, -1)", "delta = -1/1; needed: a number in [0, 1]"),
        ("ApproxDP(1, '1.0000001')", "needed: a number in [0, 1]"),
        ("ApproxDP('1', delta=2)", "needed: a number in [0, 1]"),
        (TARGET.format(more=", expect='private'", parameters="x, c"), "needed: verified or refuted or undecided"),
        (TARGET.format(more=", observes='time'", parameters="x, c"), "needed: 'outcome' or 'outcome and draws'"),
        (TARGET.format(more=", params={'rate': 3}", parameters="x, c, rate"), "a list of values"),
        (TARGET.format(more=", params={'rate': '3'}", parameters="x, c, rate"), "a list of values"),
        (TARGET.format(more=", params={'rate': []}", parameters="x, c, rate"), "at least one value"),
        (TARGET.format(more=", params={'rate': [object()]}", parameters="x, c, rate"), "params['rate']: type object"),
        (TARGET.format(more=", params={'rat': [1]}", parameters="x, c, rate"), "missing a required argument: 'rate'"),
        (TARGET.format(more=", params={'rat': [1]}", parameters="x, c"), "unexpected keyword argument 'rat'"),
        (TARGET.format(more="", parameters="*, x"), "called as release(input, coins)"),
        (TARGET.format(more="", parameters=""), "called as release(input, coins)"),
        (TARGET.format(more="", parameters="x, c, rate"), "missing a required argument: 'rate'"),
        ("target(guarantee=1, inputs=[0], neighbours='any')", "needed: PureDP or ApproxDP"),
        ("target(guarantee=PureDP(1), inputs=3, neighbours='any')", "a finite collection of inputs"),
        ("target(guarantee=PureDP(1), inputs='01', neighbours='any')", "a finite collection of inputs"),
        ("target(guarantee=PureDP(1), inputs=[object()], neighbours='any')", "inputs: type object"),
        ("target(guarantee=PureDP(1), inputs=[0, 1])", "TypeError"),
        ("@target\ndef release(x, coins): return x", "TypeError"),
        (
            "@target(guarantee=PureDP(1), inputs=[0, 1], neighbours='every')\ndef release(x, coins): return x",
            "neighbours 'every'; needed: one of add-remove",
        ),
        (
            "@target(guarantee=PureDP(1), inputs=[0, 1], neighbours=lambda a, b: 1)\ndef release(x, coins): return x",
            "answered int; needed: True or False",
        ),
        (
            "@target(guarantee=PureDP(1), inputs=[0, 1], neighbours=lambda a, b: a.x)\ndef release(x, coins): return x",
            "raised AttributeError",
        ),
        (
            "class Near(dpcert.Neighbours): __slots__ = ()\n"
            "target(guarantee=PureDP(1), inputs=[0, 1], neighbours=Near('any', lambda a, b: True, 'any two inputs'))",
            "needed: a plain dpcert.Neighbours, a name or a predicate",
        ),
        (
            "@target(guarantee=PureDP(1), inputs=[0, 1], neighbours=dpcert.Neighbours('any', lambda a, b: False, ''))\n"
            "def release(x, coins): return x",
            "a relation of one's own called 'any'",
        ),
    ],
)
def test_refused_target_in_a_file(of_file: Callable[..., str], text: str, words: str) -> None:
    assert words in of_file(text)


def test_a_syntax_error_names_its_line(of_file: Callable[..., str]) -> None:
    assert "SyntaxError: '(' was never closed (line 3)" in of_file("x = 1\n\ny = (", head="")


@pytest.mark.parametrize(
    ("suffix", "options", "words"),
    [
        (":relase", [], "did you mean 'release'?"),
        (":", [], "a function of the file decorated with @dpcert.target: release, other"),
        (":plain", [], "a function of the file decorated with @dpcert.target: release, other"),
        ("", ["--set", "rate=3"], "it has no params"),
        (":other", ["--set", "rate=3"], "it has {'rate': (1, 2)}"),
        (":other", ["--set", "rat=1"], "it has {'rate': (1, 2)}"),
        (":release", ["--law-source", "closed-form"], "needed: a mechanism with a closed form"),
    ],
)
def test_refused_function_or_parameter_of_a_file(
    inside: Callable[..., Any],
    workers_inside: None,
    write: Callable[..., Path],
    suffix: str,
    options: list[str],
    words: str,
) -> None:
    path = write(
        "file.py",
        """
        BITS = dict(guarantee=PureDP(1), inputs=[0, 1], neighbours="any")
        @target(**BITS)
        def release(x, coins): return 0
        @target(**BITS, params={"rate": [1, 2]})
        def other(x, coins, rate): return 0
        def plain(x, coins): return 0
        """,
    )
    done = inside("audit", f"{path}{suffix}", *options)
    assert done.status == 2
    assert words in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "needed: Python files in it"),
        ({"notes.txt": "", ".hidden.py": "", "__main__.py": ""}, "needed: Python files in it"),
        ({"a.py": "", "b.py": "x = 1"}, "at least one function decorated with @dpcert.target in its files"),
    ],
)
def test_refused_folder_without_targets(
    quick: Callable[..., Any], inside: Callable[..., Any], tmp_path: Path, files: dict[str, str], words: str
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert words in inside("audit", tmp_path).refusal()
    assert quick(tmp_path).document["schema"] == "dpcert.error/1"


def test_a_folder_with_one_file_that_does_not_import_still_audits_the_others(
    quick: Callable[..., Any], write: Callable[..., Path]
) -> None:
    write("a.py", "x = (")
    folder = write("b.py", TARGET.format(more="", parameters="x, coins")).parent
    done = quick(folder)
    assert (done.status, done.verdicts()) == (2, {"release": "verified"})


@pytest.mark.parametrize("name", ["file.txt", "file", "file.pyc"])
def test_refused_file_that_is_not_python(
    inside: Callable[..., Any], workers_inside: None, write: Callable[..., Path], name: str
) -> None:
    path = write(name, TARGET.format(more="", parameters="x, coins"))
    assert "needed: a Python file" in inside("audit", path).refusal()


# -- mechanisms


def verdict_of(function: Callable[..., Any], **claim: Any) -> Any:
    claim = {"guarantee": dpcert.PureDP(1), "inputs": [0, 1], "neighbours": "any", **claim}
    return dpcert.check(dpcert.target(**claim)(function))


class Plain:
    """An object that is no outcome."""


class Whole(int):
    """A number that is no outcome, as it could carry more."""


@given(
    st.sampled_from(
        [
            Plain(),
            Plain,
            Whole(1),
            object(),
            iter([1]),
            (bit for bit in (0, 1)),
            range(3),
            bytearray(b"x"),
            memoryview(b"x"),
            len,
            dpcert,
            NotImplemented,
            ...,
            {1: 2}.keys(),
        ]
    ),
    st.recursive(
        st.just(lambda value: value),
        lambda inner: (
            inner.map(lambda wrap: lambda value: [wrap(value)])
            | inner.map(lambda wrap: lambda value: (0, wrap(value)))
            | inner.map(lambda wrap: lambda value: {"key": wrap(value)})
        ),
    ),
)
def test_an_outcome_outside_the_registry_is_undecided_with_its_type(
    value: object, wrap: Callable[[object], object]
) -> None:
    verdict = verdict_of(lambda bit, coins: wrap(value))
    assert isinstance(verdict, dpcert.Undecided)
    kind = type(value).__qualname__
    assert f"{kind} is not in the registry of outcomes; " in verdict.reason
    assert verdict.reason.isprintable()


@given(
    st.sampled_from([ValueError, KeyError, ZeroDivisionError, StopIteration, OSError, Warning]),
    st.sampled_from([0, 1, 2]),
    st.integers(2, 9),
)
def test_an_exception_on_some_inputs_is_an_outcome_like_any_other(kind: type[Exception], failing: int, of: int) -> None:
    def release(count: int, coins: dpcert.Coins) -> int:
        if coins.below(of) == 0 or count == failing:
            raise kind("text", count == failing)
        return 0

    claim = {"inputs": range(3), "neighbours": dpcert.counts_differ_by_one}
    verdict = verdict_of(release, **claim)
    assert isinstance(verdict, dpcert.Refuted)
    assert failing in (verdict.a, verdict.b)

    def evenly(count: int, coins: dpcert.Coins) -> int:
        if coins.below(of) == 0:
            raise kind("text")
        return 0

    report = dpcert.report(dpcert.target(guarantee=dpcert.PureDP(0), **claim)(evenly))
    assert isinstance(report.verdict, dpcert.Verified)
    assert report.notes == tuple(f"on {count} it raises {kind.__name__}('text')" for count in range(3))


@pytest.mark.parametrize("kind", [RecursionError, MemoryError, SystemExit, GeneratorExit, BaseException])
def test_what_is_no_outcome_of_a_program_is_undecided(kind: type[BaseException]) -> None:
    def release(bit: int, coins: dpcert.Coins) -> int:
        if coins.below(2):
            raise kind
        return 0

    verdict = verdict_of(release)
    assert isinstance(verdict, dpcert.Undecided)
    assert f"the program ended with {kind.__name__}, which is no " in verdict.reason


HIDDEN = """
    import datetime, itertools, os, random, secrets, ssl, subprocess, time, uuid
    BITS = dict(guarantee=PureDP(5), inputs=[0, 1], neighbours="any", expect="undecided")
    COUNT, SEEN, STEPS = itertools.count(), [], iter(range(10**9))

    def hidden(function):
        return target(**BITS)(function)

    def noisy(bit, noise):
        return bit ^ (noise % 2)

    global_random = hidden(lambda bit, coins: noisy(bit, random.getrandbits(8)))
    global_choice = hidden(lambda bit, coins: random.choice([bit, 1 - bit]))
    own_generator = hidden(lambda bit, coins: noisy(bit, random.Random().getrandbits(8)))
    system_random = hidden(lambda bit, coins: noisy(bit, random.SystemRandom().getrandbits(8)))
    os_urandom = hidden(lambda bit, coins: noisy(bit, os.urandom(1)[0]))
    secret_bits = hidden(lambda bit, coins: noisy(bit, secrets.randbits(8)))
    secret_token = hidden(lambda bit, coins: secrets.token_hex())
    clock = hidden(lambda bit, coins: noisy(bit, time.time_ns()))
    counter = hidden(lambda bit, coins: noisy(bit, int(time.perf_counter() * 10**9)))
    today = hidden(lambda bit, coins: str(datetime.datetime.now()))
    unique = hidden(lambda bit, coins: str(uuid.uuid4()))
    count = hidden(lambda bit, coins: noisy(bit, next(COUNT)))
    steps = hidden(lambda bit, coins: noisy(bit, next(STEPS)) if coins.below(2) else 0)
    grows = hidden(lambda bit, coins: SEEN.append(coins.below(2)) or len(SEEN))
    process = hidden(lambda bit, coins: os.getpid())
    hash_of_text = hidden(lambda bit, coins: hash("salt"))
    order_of_a_set = hidden(lambda bit, coins: "".join({"alpha", "beta", "gamma", "delta", "epsilon"}))

    # rare enough for no run to see it
    of_ssl = hidden(lambda bit, coins: 1 - bit if ssl.RAND_bytes(2) == bytes(2) else bit)
    shell = hidden(lambda bit, coins: 1 - bit if os.popen("od -N2 -tu2 /dev/urandom").read() == "0" else bit)
    forks = hidden(lambda bit, coins: (os.fork(), bit ^ (coins.below(4) == 0))[1])

    @hidden
    def device(bit, coins):
        with open("/dev/urandom", "rb") as file:
            return bit if file.read(2) == bytes(2) else None

    @hidden
    def keeps_a_draw(bit, coins):
        SEEN.append(coins.below(4))
        return 0 if SEEN[0] < 2 else 1

    @hidden
    def state_on_the_coins(bit, coins):
        coins.before = bit
        return 0

    @hidden
    def caught(bit, coins):
        try:
            return noisy(bit, os.urandom(1)[0])
        except BaseException:
            return 0
"""


def test_hidden_randomness_or_state_is_undecided_by_name(
    audited: Callable[..., Any], write: Callable[..., Path]
) -> None:
    done = audited(write("hidden.py", HIDDEN), "--expect")
    assert set(done.verdicts().values()) == {"undecided"}
    assert (done.status, done.err, len(done.verdicts())) == (0, "", 24)
    for name, words in {
        "global_random": "random.",
        "own_generator": "random.Random() without a seed",
        "system_random": "SystemRandom",
        "os_urandom": "os.urandom",
        "secret_token": "hidden randomness",
        "clock": "time.time_ns",
        "today": "datetime.now",
        "unique": "hidden randomness",
        "count": "no function of its input and coins",
        "process": "os.getpid",
        "of_ssl": "uses ssl.RAND_bytes; draw from its coins instead",
        "shell": "starts a process (subprocess.Popen), which no audit follows; pass what it says as an input",
        "forks": "starts a process (os.fork)",
        "device": "uses '/dev/urandom', a device or what the system makes up; draw from its coins instead",
        "hash_of_text": "computed a second time, a law differs",
        "order_of_a_set": "computed a second time, a law differs",
        "keeps_a_draw": "no function of its input and coins",
        "state_on_the_coins": "hidden state",
        "caught": "os.urandom",
    }.items():
        assert words in done.result(name)["reason"]


NEVER = """
    import itertools
    BITS = dict(guarantee=PureDP(5), inputs=[0, 1], neighbours="any")

    @target(**BITS)
    def without_drawing(bit, coins):
        while True:
            pass

    @target(**BITS)
    def with_drawing(bit, coins):
        while True:
            coins.below(2)

    @target(**BITS)
    def with_deciding(bit, coins):
        while coins.below(2) < 2:
            pass

    @target(**BITS)
    def inside_of_c(bit, coins):
        return sum(itertools.repeat(0))
"""


def test_what_never_stops_is_stopped_and_undecided(audited: Callable[..., Any], write: Callable[..., Path]) -> None:
    done = audited(write("never.py", NEVER), "--time-limit", "1.5")
    assert (done.status, done.err) == (3, "")
    assert set(done.verdicts().values()) == {"undecided"}
    for name in ("without_drawing", "inside_of_c"):
        result = done.result(name)
        assert result["reason"].startswith(
            "stopped by the time limit of 1.5 s of processor time (--time-limit), at line "
        )
        assert f"of never.py ({name})" in result["reason"]
        assert (result["pairs"], result["worst"], result["tail"]) == (0, None, "1/1")
        assert name in result["claim"]["sentence"]


def test_an_import_that_never_ends_is_bad_input(command: Callable[..., Any], write: Callable[..., Path]) -> None:
    path = write(
        "endless.py", "import itertools\ntarget(guarantee=PureDP(1), inputs=itertools.count(), neighbours='any')"
    )
    done = command("audit", path, "--time-limit", "1")
    assert (
        f"{path} does not import: stopped by the time limit of 1 s of processor time (--time-limit)" in done.refusal()
    )
