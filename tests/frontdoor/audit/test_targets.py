"""`dpcert audit`: what a target's text stands for, and what the options change."""

from pathlib import Path
from typing import Any

import pytest

from dpcert.run.single import TimedAnswer
from dpcert.targets.catalogue import MECHANISMS, ZOO
from dpcert.worker.troubles import Trouble

BITS = 'guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any"'
HONEST = f"""
    @target({BITS})
    def release(bit, coins):
        return bit if coins.below(4) < 3 else 1 - bit
"""
LEAKING = f"""
    @target({BITS}, expect="refuted")
    def release(bit, coins):
        return bit if coins.below(5) < 4 else 1 - bit
"""


@pytest.mark.usefixtures("workers_inside")
@pytest.mark.parametrize(("arguments", "mechanisms"), [([], MECHANISMS), (["zoo"], ZOO)])
def test_without_a_target_all_that_ships_is_audited_and_zoo_is_the_zoo(
    inside: Any, monkeypatch: pytest.MonkeyPatch, arguments: list[str], mechanisms: Any
) -> None:
    def named(label: str, spec: Any, run: Any) -> TimedAnswer:
        return TimedAnswer(label, spec, Trouble(label, spec.name, str(spec.settings), 2), 0.0)

    monkeypatch.setattr("dpcert.run.batches.audit_one", named)
    done = inside("audit", *arguments, "--set", "epsilon=1/2")
    assert done.err.splitlines() == [
        f"dpcert: {mechanism.name}; needed: {mechanism.name}; {{'epsilon': '1/2'}}" for mechanism in mechanisms
    ]


@pytest.mark.nightly
def test_results_are_one_line_each_and_the_last_line_counts(command: Any, write: Any) -> None:
    write("a.py", HONEST)
    write("b.py", LEAKING)
    three = ("b.py", "a.py", "randomized-response")
    done = command("audit", *three, "--format", "oneline", cwd=write("c.txt", "").parent)
    assert done.lines == [
        "b.py:6:1: refuted: release is (ln(3), 0)-differentially private for any two inputs, on the "
        "inputs 0, 1; event {0} has probability 4/5 on 0, 1/5 on 1; 4/5 > 3 * 1/5 + 0: 0.8 > 0.6, law by paths",
        "a.py:6:1: verified: release is (ln(3), 0)-differentially private for any two inputs, on the "
        "inputs 0, 1; 2 pairs, least epsilon ln(3), law by paths",
        "randomized-response: verified: randomized-response(epsilon=ln(3)) is (ln(3), 0)-differentially private for "
        "any two inputs, on the inputs 0, 1; 2 pairs, least epsilon ln(3), law by paths",
        "2 verified, 1 refuted, 0 undecided",
    ]
    assert (done.status, done.err) == (1, "")


@pytest.mark.nightly
def test_two_jobs_print_what_one_prints_byte_for_byte(command: Any, write: Any) -> None:
    slow = HONEST.replace("return", "sum(range(10**5)); return", 1)
    folder = write("a.py", slow).parent
    write("b.py", LEAKING)
    write("c.py", "raise ValueError", head="")
    write("d.py", HONEST)
    one, two = (command("audit", "d.py", "geosampel", ".", "--jobs", jobs, cwd=folder) for jobs in (1, 2))
    assert (one.out, one.err, one.status) == (two.out, two.err, two.status)
    assert [line.split()[0] for line in one.lines if not line.startswith(" ")] == [
        "verified",
        "verified",
        "refuted",
        "verified",
        "3",
    ]


@pytest.mark.nightly
def test_a_folder_is_its_python_files_in_order_and_those_below(
    quick: Any, write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / ".hidden" / "project"  # hidden folders around it do not hide it
    for name in ("b.py", "a.py", "below/c.py", "package/__init__.py", ".git/d.py", ".e.py", "__main__.py"):
        write(f".hidden/project/{name}", HONEST)
    write(".hidden/project/notes.txt", "no Python", head="")
    write(".hidden/project/without.py", "x = 1", head="")
    for folder, cwd in (("project", root.parent), (".", root), ("..", root / "below")):
        monkeypatch.chdir(cwd)
        done = quick(folder)
        names = [(cwd / r["target"]).resolve().relative_to(root) for r in done.document["results"]]
        assert list(map(str, names)) == [
            "a.py:release",
            "b.py:release",
            "below/c.py:release",
            "package/__init__.py:release",
        ]
        assert done.status == 0


def test_a_file_in_a_package_imports_relatively(quick: Any, write: Any) -> None:
    write("outer/__init__.py", "")
    write("outer/inner/__init__.py", "")
    write("outer/rates.py", "KEEP = 3")
    write("outer/inner/helper.py", "from ..rates import KEEP\ndef kept(u): return u < KEEP", head="")
    path = write(
        "outer/inner/mechanism.py",
        f"""
        from . import helper
        @target({BITS})
        def release(bit, coins):
            return bit if helper.kept(coins.below(4)) else 1 - bit
        """,
    )
    sibling = write("outer/beside.py", "from rates import KEEP", head="")
    done = quick(path)
    assert done.verdicts() == {"release": "verified"}
    assert "No module named 'rates'" in quick(sibling).document["given"]


def test_a_file_beside_others_imports_them(quick: Any, write: Any) -> None:
    write("rates.py", "KEEP = 3")
    path = write(
        "mechanism.py",
        f"""
        import rates
        @target({BITS})
        def release(bit, coins):
            return bit if coins.below(4) < rates.KEEP else 1 - bit
        """,
    )
    assert quick(path).verdicts() == {"release": "verified"}


@pytest.mark.parametrize("name", ["my-mechanism.v2.py", "types.py", "random.py", "dpcert.py", "näme with blanks.py"])
def test_a_file_may_have_any_name(quick: Any, write: Any, name: str) -> None:
    done = quick(write(name, HONEST))
    assert (done.status, done.verdicts()) == (0, {"release": "verified"})


def test_a_folder_named_like_a_mechanism_needs_a_dot(quick: Any, write: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write("randomized-response/a.py", LEAKING).parent
    monkeypatch.chdir(folder.parent)
    assert quick("randomized-response").verdicts() == {"randomized-response": "verified"}
    assert quick("./randomized-response").verdicts() == {"release": "refuted"}


FACTORY = """
    def honest(bit, coins):
        return coins.below(2)

    def make():
        return target(guarantee=PureDP(0), inputs=[0, 1], neighbours="any")(honest)
"""


def test_two_names_of_one_target_are_one_and_imported_ones_count(quick: Any, write: Any) -> None:
    write("first.py", HONEST + "    same = release")
    second = write("second.py", "from first import same as borrowed", head="")
    assert quick(second.with_name("first.py")).verdicts() == {"release": "verified"}
    assert quick(second).verdicts() == {"borrowed": "verified"}
    assert quick(second.parent).verdicts() == {"release": "verified"}  # once, where it is made
    write("made.py", FACTORY)
    third = write("third.py", "from made import make\nown = make()", head="")
    assert quick(third.parent).verdicts() == {"release": "verified", "own": "verified"}


GRID = """
    @target(
        guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any",
        params={"keep": [2, 3, 4], "of": [4, 5]},
    )
    def release(bit, coins, *, keep, of):
        return bit if coins.below(of) < keep else 1 - bit
"""


@pytest.mark.nightly
def test_params_are_a_grid_of_claims(quick: Any, write: Any) -> None:
    path = write("grid.py", GRID)
    results = quick(path).document["results"]
    assert [(r["claim"]["parameters"], r["verdict"]) for r in results] == [
        ({"keep": "2", "of": "4"}, "verified"),
        ({"keep": "2", "of": "5"}, "verified"),
        ({"keep": "3", "of": "4"}, "verified"),
        ({"keep": "3", "of": "5"}, "verified"),
        ({"keep": "4", "of": "4"}, "refuted"),
        ({"keep": "4", "of": "5"}, "refuted"),
    ]
    assert "release(keep=2, of=5) is" in results[1]["claim"]["sentence"]
    chosen = quick(f"{path}:release", "--set", "keep=4", "--set", "of=5").document["results"]
    assert [r["claim"]["parameters"] for r in chosen] == [{"keep": "4", "of": "5"}]


@pytest.mark.points(5)
@pytest.mark.parametrize(
    ("options", "verdict", "status"),
    [
        (["--epsilon", "ln(3)"], "verified", 0),
        (["--epsilon", "ln(2.999999)"], "refuted", 1),
        (["--epsilon", "1.0986122886681098"], "verified", 0),
        (["--epsilon", "1/2", "--delta", "0.4"], "verified", 0),
        (["--epsilon", "0", "--delta", "1/2"], "verified", 0),
        (["--epsilon", "0", "--delta", "0.4999999"], "refuted", 1),
        (["--epsilon", "1e9"], "verified", 0),
        (["--neighbours", "counts_differ_by_one"], "verified", 0),
        (["--neighbours", "add-remove"], "undecided", 3),
        (["--set", "epsilon=ln(2)"], "verified", 0),
        (["--set", "epsilon=1/3", "--epsilon", "ln(4/3)"], "refuted", 1),
        (["--law-source", "closed-form"], "verified", 0),
        (["--eager"], "verified", 0),
        (["--max-runs", "1"], "verified", 0),
    ],
)
def test_options_change_the_claim_and_its_audit(quick: Any, options: list[str], verdict: str, status: int) -> None:
    done = quick("randomized-response", *options)
    assert (done.verdicts(), done.status, done.err) == ({"randomized-response": verdict}, status, "")
    result = done.result("randomized-response")
    assert result["law_source"] == ("closed-form" if "closed-form" in options else "paths")
    assert result["claim"]["neighbours"] == (options[1] if "--neighbours" in options else "any")


def test_a_scope_without_neighbours_is_undecided_never_verified(quick: Any, write: Any) -> None:
    path = write(
        "empty.py",
        """
        @target(guarantee=PureDP(0), inputs=[], neighbours="any")
        def no_inputs(x, coins): return 0
        @target(guarantee=PureDP(0), inputs=range(0), neighbours=counts_differ_by_one)
        def empty_range(x, coins): return 0
        @target(guarantee=PureDP(0), inputs=[3, 3, 3], neighbours="any")
        def one_input(x, coins): return 0
        @target(guarantee=PureDP(0), inputs=[0, 2, 4], neighbours=counts_differ_by_one)
        def no_pair(x, coins): return 0
        """,
    )
    done = quick(path)
    assert set(done.verdicts().values()) == {"undecided"}
    assert done.status == 3
    assert all("the scope is empty" in result["reason"] for result in done.document["results"])


def test_draws_are_observed_where_the_target_says_so(quick: Any, write: Any) -> None:
    path = write(
        "draws.py",
        """
        def once_or_twice(bit, coins):  # the outcome is private, the number of draws is not
            kept = coins.below(4) < 3 if bit == 0 else coins.below(2) + coins.below(2) > 0
            return bit if kept else 1 - bit
        BITS = dict(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
        unseen = target(**BITS)(once_or_twice)
        seen = target(**BITS, observes="outcome and draws")(once_or_twice)
        """,
    )
    done = quick(path)
    assert done.verdicts() == {"unseen": "verified", "seen": "refuted"}
    assert "its draws observed" in done.result("seen")["claim"]["sentence"]
    assert done.result("seen")["worst"]["event"] == [{"tuple": [0, {"tuple": [4]}]}]


@pytest.mark.nightly
def test_the_claim_names_what_no_input_reached_and_what_is_raised(quick: Any, command: Any, write: Any) -> None:
    path = write(
        "corners.py",
        f"""
        @target({BITS})
        def release(bit, coins):
            if bit > 5:
                return bit
            if coins.below(4) == 3:
                raise RuntimeError("both inputs")
            return 0
        """,
        head="from dpcert import PureDP, target\n",
    )
    result = quick(path).result("release")
    assert (result["unreached"]["file"], result["unreached"]["lines"]) == ("corners.py", [6])
    assert result["notes"] == [f"on {bit} it raises RuntimeError('both inputs')" for bit in (0, 1)]
    (line, _) = command("audit", path, "--format", "oneline").lines
    assert "; not reached in corners.py: line 6" in line
    assert line.endswith("".join(f"; on {bit} it raises RuntimeError('both inputs')" for bit in (0, 1)))
