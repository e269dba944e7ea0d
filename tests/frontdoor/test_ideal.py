"""The front door of ideal noise: the option, the target's own wish, the sentence, JSON and what is refused."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dpcert
from dpcert.mechanisms.exact.errors import InputError

Done = Any

TEXT = """
    import numpy as np

    COUNTS = dict(inputs=range(3), neighbours="element")

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


def test_verdicts_say_with_ideal_noise(quick: Callable[..., Done], write: Callable[..., Path]) -> None:
    path = write("user.py", TEXT)
    done = quick(path, "--noise", "ideal")
    assert done.verdicts() == VERDICTS
    for result in done.document["results"]:
        assert result["method"] == "ideal"
        assert result["claim"]["sentence"].startswith("with ideal noise, ")
    found = done.result("above")
    assert found["epsilon"] == {"lo": "1", "hi": "1"}
    assert found["delta"] == {"lo": "0/1", "hi": "0/1"}
    assert any("draws are ideal random variables" in assumption for assumption in found["assumptions"])
    refuted = done.result("wished")["worst"]
    assert refuted["event"] in ([True], [False])


def test_expectations_are_met(inside: Callable[..., Done], workers_inside: None, write: Callable[..., Path]) -> None:
    path = write("user.py", TEXT)
    assert inside("audit", path, "--noise", "ideal", "--expect").status == 0


def test_a_target_may_wish_for_ideal_noise(quick: Callable[..., Done], write: Callable[..., Path]) -> None:
    path = write("user.py", TEXT)
    (found,) = quick(f"{path}:wished").document["results"]
    assert found["method"] == "ideal"
    (found,) = quick(f"{path}:wished", "--noise", "machine", "--samples", "2000").document["results"]
    assert found["method"] == "exact"


def test_caught_a_program_that_depends_on_the_hash_seed(
    command: Callable[..., Done], write: Callable[..., Path]
) -> None:
    path = write(
        "user.py",
        """
    @target(guarantee=PureDP(1), inputs=range(3), neighbours="element", noise="ideal", expect="undecided")
    def hashed(count, rng):
        return bool(count + rng.laplace() > 1), hash("a text")
    """,
    )
    done = command("audit", path)
    assert "computed a second time, a path differs" in done.out


def test_a_line_for_a_person(inside: Callable[..., Done], workers_inside: None, write: Callable[..., Path]) -> None:
    path = write("user.py", TEXT)
    verified, refuted, undecided, _, counts = inside("audit", path, "--noise", "ideal").lines
    assert verified.startswith(f"verified   {path}:above: with ideal noise, above(scale=1) is (1, 0)-differentially")
    assert "; 4 pairs, least epsilon 1, " in verified
    assert ", least epsilon 1; " in refuted
    assert "ideal noise does not follow exp of a noisy number, at line" in undecided
    assert counts == "2 verified, 1 refuted, 1 undecided"


def test_certificates_are_written_and_checked_again(
    quick: Callable[..., Done], inside: Callable[..., Done], workers_inside: None, write: Callable[..., Path]
) -> None:
    path = write("user.py", TEXT)
    done = quick(path, "--noise", "ideal", "--certificates", path.parent / "c")
    names = {result["target"].rpartition(":")[2]: result["certificate"] for result in done.document["results"]}
    assert [name for name, file in names.items() if file is None] == ["not_followed"]
    for name in ("above", "wished", "redirected"):
        rechecked = inside("recheck", names[name], "--target", f"{path}:{name}")
        assert (rechecked.status, rechecked.out[:8]) == (0, "accepted")
    text = Path(names["above"]).read_text(encoding="utf-8")
    assert "dpcert/audit/ideal/measure.py" in text
    edited = path.parent / "edited.json"
    for before, after in (('"verdict": "verified"', '"verdict": "refuted"'), ('"epsilon": "1"', '"epsilon": "1/2"')):
        assert before in text
        edited.write_text(text.replace(before, after), encoding="utf-8")
        assert inside("recheck", edited, "--target", f"{path}:above").status == 1
    edited.write_text(text.replace('"pairs"', '"pears"'), encoding="utf-8")
    assert inside("recheck", edited, "--target", f"{path}:above").status == 2
    assert inside("recheck", names["above"]).status == 2


@pytest.mark.parametrize(
    "options",
    [("--sampling",), ("--timing", "both"), ("--eager",), ("--law-source", "closed-form")],
)
def test_refused_options_that_draw(inside: Callable[..., Done], options: tuple[str, ...]) -> None:
    done = inside("audit", "geosample", "--noise", "ideal", *options)
    assert done.status == 2
    assert "ideal noise is integrated, and never drawn" in done.err


def test_refused_ideal_noise_of_a_built_in(quick: Callable[..., Done]) -> None:
    done = quick("geosample", "--noise", "ideal")
    assert done.status == 2
    assert "a function that draws from a generator" in str(done.document)


def above(count: int, rng: Any) -> bool:
    return bool(count + rng.laplace() > 1)


def made(**settings: Any) -> Any:
    return dpcert.target(guarantee=dpcert.PureDP(1), inputs=range(3), neighbours="element", **settings)(above)


def test_reports_from_python() -> None:
    found = dpcert.ideal(made())
    assert found.verdict == "verified"
    assert found.epsilon[1] == dpcert.Epsilon.of(1)


def test_refused_values_from_python() -> None:
    with pytest.raises(InputError, match="noise='perfect': 'ideal' or 'machine'"):
        made(noise="perfect")
    with pytest.raises(InputError, match=r"call dpcert\.ideal"):
        dpcert.check(
            dpcert.target(guarantee=dpcert.PureDP(1), inputs=range(3), neighbours="element")(lambda x, coins: 0),
            options=dpcert.Options(noise="ideal"),
        )
