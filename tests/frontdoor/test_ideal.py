"""The front door of ideal noise: the option, the target's own wish, the sentence, JSON and what is refused."""

from pathlib import Path
from typing import Any

import pytest

import dpcert
from dpcert.mechanisms.exact.errors import InputError

TEXT = """
    import numpy as np

    COUNTS = dict(inputs=range(3), neighbours="counts_differ_by_one")

    @target(guarantee=PureDP(1), **COUNTS, params={"scale": [1]})
    def above(count, rng, scale):
        return bool(count + rng.laplace(0, scale) > 1)

    @target(guarantee=PureDP("1/2"), **COUNTS, noise="ideal", expect="refuted")
    def wished(count):
        return bool(count + np.random.laplace() > 1)

    @target(guarantee=PureDP(1), **COUNTS, expect="undecided")
    def not_followed(count, rng):
        return bool(np.exp(rng.laplace()) > count)

    @target(guarantee=PureDP(1), **COUNTS)
    @dpcert.redirect()
    def redirected(count, rng):
        return bool(count + rng.laplace() > 1)
"""
VERDICTS = {"above": "verified", "wished": "refuted", "not_followed": "undecided", "redirected": "verified"}


def test_verdicts_say_with_ideal_noise_and_certificates_are_checked_again(quick: Any, inside: Any, write: Any) -> None:
    path = write("user.py", TEXT)
    done = quick(path, "--noise", "ideal", "--certificates", path.parent / "c")
    assert done.verdicts() == VERDICTS
    for result in done.document["results"]:
        assert result["method"] == "ideal"
        assert result["claim"]["sentence"].startswith("with ideal noise, ")
    found = done.result("above")
    assert found["epsilon"] == {"lo": "1", "hi": "1"}
    assert found["delta"] == {"lo": "0/1", "hi": "0/1"}
    assert any("draws are ideal random variables" in assumption for assumption in found["assumptions"])
    assert done.result("wished")["worst"]["event"] in ([True], [False])
    names = {name: done.result(name)["certificate"] for name in VERDICTS}
    assert [name for name, file in names.items() if file is None] == ["not_followed"]
    for name in ("above", "wished", "redirected"):
        rechecked = inside("recheck", names[name], "--target", f"{path}:{name}")
        assert (rechecked.status, rechecked.out[:8]) == (0, "accepted")
    text = Path(names["above"]).read_text(encoding="utf-8")
    assert "dpcert/audit/ideal/measure.py" in text
    edited = path.parent / "edited.json"
    for before, after, status in (
        ('"verdict": "verified"', '"verdict": "refuted"', 1),
        ('"epsilon": "1"', '"epsilon": "1/2"', 1),
        ('"pairs"', '"pears"', 2),
    ):
        assert before in text
        edited.write_text(text.replace(before, after), encoding="utf-8")
        assert inside("recheck", edited, "--target", f"{path}:above").status == status
    assert inside("recheck", names["above"]).status == 2


SEEDED = """
    import numpy as np
    import random

    COUNTS = dict(guarantee=PureDP(1), inputs=range(3), neighbours="counts_differ_by_one", noise="ideal")
    FIXED, FRESH = np.random.default_rng(7), np.random.default_rng()
    random.seed(3)

    class Release:
        def __init__(self, seed=None):
            self.rng = np.random.default_rng(seed)

        def release(self, count):
            return bool(count + self.rng.laplace() > 1)

    @target(**COUNTS, expect="undecided")
    def of_the_module(count):
        return bool(count + FIXED.laplace() > 1)

    @target(**COUNTS, expect="undecided")
    def shared(count):
        return count + random.expovariate(1) - random.expovariate(1) > 1

    @target(**{**COUNTS, "noise": "machine"}, every="epsilon", expect="undecided")
    def for_every(count, epsilon):
        return bool(count + FIXED.laplace(scale=1 / epsilon) > 1)

    @target(**COUNTS)
    def fresh(count):
        return bool(count + FRESH.laplace() > 1)

    held = target(**COUNTS)(Release().release)
    seeded = target(**COUNTS, expect="undecided")(Release(7).release)
"""


@pytest.mark.nightly
def test_caught_generators_with_a_seed(quick: Any, write: Any) -> None:
    done = quick(write("user.py", SEEDED), "--expect")
    assert done.status == 0
    for name in ("of_the_module", "shared", "for_every", "seeded"):
        assert "is in the same state in each process" in done.result(name)["reason"]
    for name, words in (("fresh", "FRESH (user.py, line 9)"), ("held", "rng of the instance release")):
        (assumption,) = (each for each in done.result(name)["assumptions"] if "nothing may seed it" in each)
        assert assumption.startswith(words)


def test_caught_a_seeded_generator(quick: Any, write: Any) -> None:
    found = quick(f"{write('user.py', SEEDED)}:of_the_module").result("of_the_module")
    assert found["verdict"] == "undecided"
    assert "FIXED (user.py, line 9)" in found["reason"]


@pytest.mark.nightly
def test_a_target_may_wish_for_ideal_noise(quick: Any, write: Any) -> None:
    path = write("user.py", TEXT)
    (found,) = quick(f"{path}:wished").document["results"]
    assert found["method"] == "ideal"
    (found,) = quick(f"{path}:wished", "--noise", "machine", "--samples", "2000").document["results"]
    assert found["method"] == "exact"


def test_caught_a_state_that_is_another_in_another_process(quick: Any, write: Any) -> None:
    """Of a module that is another each time that it is loaded."""
    path = write(
        "user.py",
        """
        import pathlib
        NOTES = pathlib.Path(__file__).with_suffix(".txt")
        TURN = len(NOTES.read_text()) if NOTES.exists() else 0
        NOTES.write_text("x" * (TURN + 1))
        COUNTS = dict(guarantee=PureDP(1), inputs=range(3), neighbours="counts_differ_by_one")

        @target(**COUNTS, noise="ideal")
        def turning(count, rng):
            return bool(count + rng.laplace() > 1), TURN

        @target(**COUNTS, every="scale")
        def setting(count, rng, scale=1):
            return bool(count + rng.laplace(0, 1 / scale) > 1), TURN
        """,
    )
    for result in quick(path).document["results"]:
        assert "computed a second time, a path differs" in result["reason"]


@pytest.mark.parametrize(
    "options", [("--sampling",), ("--timing", "both"), ("--eager",), ("--law-source", "closed-form")]
)
def test_refused_options_that_draw(inside: Any, options: tuple[str, ...]) -> None:
    done = inside("audit", "geosample", "--noise", "ideal", *options)
    assert done.status == 2
    assert "ideal noise is integrated, and never drawn" in done.err


def test_refused_ideal_noise_of_a_built_in(quick: Any) -> None:
    done = quick("geosample", "--noise", "ideal")
    assert done.status == 2
    assert "a function that draws from a generator" in str(done.document)


def above(count: int, rng: Any) -> bool:
    return bool(count + rng.laplace() > 1)


def made(**settings: Any) -> Any:
    return dpcert.target(guarantee=dpcert.PureDP(1), inputs=range(3), neighbours="counts_differ_by_one", **settings)(
        above
    )


def test_reports_from_python() -> None:
    found = dpcert.audit(made(), method="ideal")
    assert (found.verdict, found.method) == ("verified", "ideal")
    assert found.seen.epsilon[1] == dpcert.Epsilon.of(1)
    assert dpcert.audit(made(noise="ideal"), method="exact").method == "exact"
    assert dpcert.audit(made(noise="ideal")).method == "ideal"


def test_refused_values_from_python() -> None:
    with pytest.raises(InputError, match="noise='perfect': 'ideal' or 'machine'"):
        made(noise="perfect")


EVERY = """
    COUNTS = dict(inputs=range(3), neighbours="counts_differ_by_one")

    @target(guarantee=PureDP(1), **COUNTS, every="epsilon")
    def above(count, rng, epsilon):
        return bool(count + rng.laplace(0, 1 / epsilon) > 1)

    @target(guarantee=PureDP("9/10"), **COUNTS, every="epsilon=1/2..2", expect="refuted")
    def claimed_less(count, rng, epsilon):
        return bool(count + rng.laplace(0, 1 / epsilon) > 1)

    @target(guarantee=ApproxDP(1, "1/20"), inputs=range(2), neighbours="counts_differ_by_one", every="small=0..1/10")
    def twice(count, rng, small):
        return [bool(count + rng.laplace(0, 1 / small) > 1) for _ in range(2)]

    @target(guarantee=PureDP(1), **COUNTS, noise="ideal")
    def by_default(count, rng, epsilon=1):
        return bool(count + rng.laplace(0, 1 / epsilon) > 1)
"""


def test_a_claim_of_every_epsilon_and_its_certificate(quick: Any, inside: Any, write: Any) -> None:
    path = write("user.py", EVERY)
    results = quick(path, "--expect", "--certificates", path.parent / "c").document["results"]
    first, second, third, _ = results
    assert (first["method"], first["verdict"]) == ("every", "verified")
    assert (
        "above(epsilon=epsilon) is (epsilon, 0)-differentially private for every float epsilon > 0, for"
        in first["claim"]["sentence"]
    )
    assert second["verdict"] == "refuted"
    assert (
        "(9/10 epsilon, 0)-differentially private for every float epsilon from 1/2 to 2" in second["claim"]["sentence"]
    )
    assert second["notes"] == ["refuted at epsilon = 1"]
    assert "(epsilon, 1/20)-differentially private for every float epsilon > 0 up to 1/10" in third["claim"]["sentence"]
    assert third["delta"]["hi"] == "1/20"
    (found,) = quick(f"{path}:by_default", "--every", "epsilon").document["results"]
    assert (found["method"], found["verdict"]) == ("every", "verified")
    for result in (first, second, third):
        name = result["target"].rpartition(":")[2]
        rechecked = inside("recheck", result["certificate"], "--target", f"{path}:{name}")
        assert (rechecked.status, rechecked.out[:8]) == (0, "accepted")
        text = Path(result["certificate"]).read_text(encoding="utf-8")
        edited = path.parent / "edited.json"
        edited.write_text(text.replace('"every": "', '"every": "in'), encoding="utf-8")
        assert inside("recheck", edited, "--target", f"{path}:{name}").status != 0


@pytest.mark.parametrize("text", ["", "not a name", "epsilon=", "epsilon=1", "epsilon=2..1", "epsilon=-1..1", "a=x..1"])
def test_refused_ranges(text: str, inside: Any, write: Any) -> None:
    done = inside("audit", write("user.py", EVERY), "--every", text)
    assert done.status == 2


def test_refused_every_epsilon_of_the_machines_noise(inside: Any, write: Any) -> None:
    done = inside("audit", write("user.py", EVERY), "--every", "epsilon", "--noise", "machine")
    assert done.status == 2
    assert "--every with --noise machine" in done.err


BESIDE = """
    @target(guarantee=PureDP(1), inputs=range(2), neighbours="counts_differ_by_one", expect="refuted")
    def released(count, rng):
        return count + rng.laplace()

    @target(guarantee=PureDP(1), inputs=range(2), neighbours="counts_differ_by_one", expect="refuted")
    def too_little(count, rng):
        return count + rng.laplace(scale=0.5)

    @target(guarantee=PureDP(1), inputs=range(2), neighbours="counts_differ_by_one", expect="refuted")
    def counted(count, coins):
        return coins.below(3) + count
"""


def test_the_machines_noise_has_a_line_of_ideal_noise(quick: Any, write: Any) -> None:
    path = write("user.py", BESIDE)
    (released,) = quick(f"{path}:released").document["results"]
    assert "with ideal noise it is verified, least epsilon 1 (--noise ideal)" in released["notes"]


TYPOS = """
    import numpy as np

    @target(guarantee=PureDP(1), inputs=range(2), neighbours="counts_differ_by_one")
    def method(count, rng):
        return count + rng.laplac(0, 1)

    @target(guarantee=PureDP(1), inputs=range(2), neighbours="counts_differ_by_one")
    def keyword(count, rng):
        return count + rng.laplace(scal=1)

    @target(guarantee=PureDP(1), inputs=range(2), neighbours="counts_differ_by_one")
    def function(count, coins):
        return count + np.random.laplce()
"""
RAISED = {
    "method": "has no attribute 'laplac' (user.py, line 9); rng is a numpy Generator; it has no .laplac: did you mean",
    "keyword": "TypeError: laplace() got an unexpected keyword argument 'scal' (user.py, line 13); rng is a numpy",
    "function": "'numpy.random' has no attribute 'laplce' (user.py, line 17)",
}


def test_a_typo_is_told_as_python_tells_it(quick: Any, write: Any) -> None:
    path = write("user.py", TYPOS)
    for noise in ("ideal", "machine"):
        for result in quick(path, "--noise", noise).document["results"]:
            assert result["verdict"] == "undecided"
            assert RAISED[result["target"].rpartition(":")[2]] in result["reason"]


def test_a_claim_without_neighbours_is_read_and_not_sampled(quick: Any, inside: Any, write: Any) -> None:
    path = write("user.py", BESIDE.replace("range(2)", "[0]"))
    (result,) = quick(f"{path}:released").document["results"]
    assert (result["method"], result["reason"][:18]) == ("exact", "the scope is empty")
    assert "  next     give it inputs that are neighbours" in inside("audit", f"{path}:released").out


@pytest.mark.nightly
def test_the_line_of_ideal_noise_is_left_out_where_it_is_not_asked_for(quick: Any, write: Any) -> None:
    path = write("user.py", BESIDE)
    _, too_little, counted = quick(path, "--expect").document["results"]
    assert "with ideal noise it is refuted, least epsilon 2 (--noise ideal)" in too_little["notes"]
    assert not any("ideal" in note for note in counted["notes"])
    (again,) = quick(f"{path}:released", "--noise", "machine").document["results"]
    assert not any("ideal" in note for note in again["notes"])
