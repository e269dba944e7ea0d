"""What `dpcert audit` writes: certificates, and numbers rounded once; of the file as it is now."""

import json
import os
import py_compile
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

BITS = 'guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any"'
HONEST = f"""
    @target({BITS})
    def release(bit, coins):
        return bit if coins.below(4) < 3 else 1 - bit
"""
GRID = """
    @target(
        guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any",
        params={"keep": [2, 3, 4], "of": [4, 5]},
    )
    def release(bit, coins, *, keep, of):
        return bit if coins.below(of) < keep else 1 - bit
"""


@pytest.mark.nightly
def test_certificates_are_written_whole_and_named_apart(quick: Any, write: Any, tmp_path: Path) -> None:
    first, second = write("one/same.py", HONEST), write("two/same.py", HONEST)
    grid = write("grid.py", GRID)
    certificates = tmp_path / "deep" / "certificates"
    for _ in range(2):  # the second time they are overwritten
        done = quick(first, second, grid, "geosample", "--certificates", certificates)
    paths = [Path(result["certificate"]) for result in done.document["results"]]
    assert len(set(paths)) == len(paths) == 9
    assert sorted(certificates.iterdir()) == sorted(paths)
    for path, result in zip(paths, done.document["results"], strict=True):
        data = json.loads(path.read_text())
        assert (data["verdict"], data["sentence"]) == (result["verdict"], result["claim"]["sentence"])
        assert re.fullmatch(r"[A-Za-z0-9._=+-]+\.json", path.name)
        assert str(tmp_path) not in path.read_text()


MADE = """
    def made(of):
        @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
        def release(bit, coins):
            return bit if coins.below(of) < of - 1 else 1 - bit
        return release

    three, four, five, six = map(made, (3, 4, 5, 6))
"""


def test_certificates_of_targets_whose_functions_have_one_name_are_their_own(
    quick: Any, inside: Any, write: Any, tmp_path: Path
) -> None:
    path = write("made.py", MADE)
    results = quick(path, "--certificates", tmp_path / "certificates").document["results"]
    assert len({result["certificate"] for result in results}) == 4
    for result in results:
        function = result["target"].rpartition(":")[2]
        assert inside("recheck", result["certificate"], "--target", f"{path}:{function}").status == 0


LONG = """
    WEIGHTS = [tuple(range(100)) + (of,) for of in (3, 4)]
    FACTORS = [(1 << 500) + of for of in (3, 4)]

    @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any", params={"weights": WEIGHTS})
    def weighted(bit, coins, weights):
        return bit if coins.below(weights[-1]) < weights[-1] - 1 else 1 - bit

    @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any", params={"factor": FACTORS})
    def scaled(bit, coins, factor):
        return bit if coins.below(factor % 8) < factor % 8 - 1 else 1 - bit
"""


@pytest.mark.nightly
def test_claims_with_long_parameters_that_begin_alike_are_told_apart(
    quick: Any, inside: Any, write: Any, tmp_path: Path
) -> None:
    path = write("long.py", LONG)
    results = quick(path, "--certificates", tmp_path / "certificates").document["results"]
    assert [result["verdict"] for result in results] == 4 * ["verified"]
    assert len({result["claim"]["sentence"] for result in results}) == 4
    for result in results:
        assert inside("recheck", result["certificate"], "--target", path).status == 0


@pytest.mark.nightly
def test_certificates_of_two_claims_about_one_program_are_two(quick: Any, tmp_path: Path) -> None:
    for claim in (["--epsilon", "1"], ["--epsilon", "2"], ["--epsilon", "2", "--delta", "1e-9"]):
        quick("geosample", *claim, "--certificates", tmp_path)
    assert len(list(tmp_path.iterdir())) == 3


def test_an_undecided_claim_has_no_certificate(quick: Any, tmp_path: Path) -> None:
    done = quick("geosample", "--max-runs", "1", "--law-source", "program", "--certificates", tmp_path / "none")
    assert (done.status, done.document["results"][0]["certificate"]) == (3, None)
    assert not (tmp_path / "none").exists()


def test_a_folder_that_cannot_be_written_is_named(inside: Any, write: Any) -> None:
    taken = write("taken", "a file")
    for folder in (taken, taken / "below"):
        done = inside("audit", "randomized-response", "--certificates", folder)
        line = done.refusal()
        assert f"--certificates {folder}" in line
        assert "needed: a folder that can be written" in line
        assert not done.out
    assert list(taken.parent.iterdir()) == [taken]


@pytest.mark.nightly
def test_a_stored_compilation_of_an_older_text_is_not_audited(command: Any, quick: Any, write: Any) -> None:
    """Python takes a stored compilation for the source's while length and second of change are the same."""
    path = write("mechanism.py", HONEST)
    helper = write("helper.py", "KEEP = 3", head="")
    path.write_text(path.read_text().replace("< 3", "< helper.KEEP").replace("import dpcert", "import helper, dpcert"))
    for file in (path, helper):
        os.utime(file, (10**9, 10**9))
        py_compile.compile(str(file))
    assert quick(path).verdicts() == {"release": "verified"}
    helper.write_text("KEEP = 4")
    os.utime(helper, (10**9, 10**9))
    assert quick(path).verdicts() == {"release": "refuted"}
    helper.write_text("KEEP = 3")
    path.write_text(path.read_text().replace("below(4)", "below(9)"))
    for file in (path, helper):
        os.utime(file, (10**9, 10**9))
    law = command("law", path, "--input", "0", "--json").document["law"]
    assert [(name, Fraction(p)) for name, p in law] == [(0, Fraction(1, 3)), (1, Fraction(2, 3))]


def test_numbers_are_rounded_once_with_their_direction(inside: Any, workers_inside: None, write: Any) -> None:
    path = write(
        "rounded.py",
        """
        @target(guarantee=ApproxDP(1, "1/7"), inputs=[0, 1], neighbours="any")
        def release(bit, coins):
            thrown = 0
            def throw():
                nonlocal thrown
                thrown += 1
                return coins.below(7)
            while (u := throw()) == 6:
                pass
            return bit if u < 4 else 1 - bit
        """,
    )
    (line, _) = inside("audit", path, "--max-tail", "1e-6", "--format", "oneline").lines
    assert re.search(r"least epsilon >= 0\.\d{5} and <= 0\.\d{5}, least delta <= \d\.\d+e-\d+, ", line)
    lo, hi = (Fraction(text) for text in re.findall(r"epsilon >= ([\d.]+) and <= ([\d.]+)", line)[0])
    assert lo < hi


@pytest.mark.nightly
def test_a_short_fraction_that_is_an_upper_bound_is_not_called_the_least(
    inside: Any, workers_inside: None, write: Any
) -> None:
    """With a tail of 1/64 the least delta is between 59/256 and 67/256: it is not said to be the latter."""
    path = write(
        "tailed.py",
        """
        @target(guarantee=ApproxDP(0, "3/4"), inputs=[0, 1], neighbours="any")
        def release(bit, coins):
            count = 0
            while coins.below(2):
                count += 1
                if count > 40:
                    return count
            return count if coins.below(4) else bit
        """,
    )
    options = ("audit", path, "--max-tail", "1/8", "--eager")  # by paths, of which some are left out
    (result,) = inside(*options, "--json").document["results"]
    assert result["delta"] == {"lo": "59/256", "hi": "67/256"}
    assert ", least delta <= 0.26172, " in inside(*options, "--format", "oneline").lines[0]
