"""A theorem for inputs without end about another mechanism: audits and rechecks know the interface alone.

A die of so many sides is added to a number. The law on k + 1 is that on k, shifted: so a claim about two numbers that
follow each other is one about all.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import dpcert
from dpcert import Coins, Dist, Epsilon
from dpcert.audit.unbounded.theorem import (
    Gap,
    HintCandidate,
    LeastBounds,
    Premise,
    UnboundedClaim,
    UnboundedTheorem,
    Unfounded,
)
from dpcert.audit.unbounded.theorems import THEOREMS
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer
from dpcert.targets import catalogue

ALL_NUMBERS = "shifted-die(sides=3, start=anywhere) is (0, 1/2)-differentially private for counts that differ by one"
CLAIM = ("shifted-die", "--delta", "1/2")


def shifted(sides: int) -> Callable[[int, Coins], int]:
    return lambda number, coins: number + coins.below(sides)


def late(sides: int) -> Callable[[int, Coins], int]:
    """Add a die to a number below 9, and nothing to a greater one."""

    def release(number: int, coins: Coins) -> int:
        if number >= 9:
            return number
        return number + coins.below(sides)

    return release


def doubled(sides: int) -> Callable[[int, Coins], int]:
    return lambda number, coins: number + 2 * coins.below(sides)


def law(sides: int) -> Callable[[int], Dist]:
    return lambda number: Dist.from_weights([(number + side, 1) for side in range(sides)], sides)


def mechanism(name: str, program: Callable[[int], Callable[[int, Coins], int]]) -> Mechanism:
    def build(settings: Mapping[str, str]) -> Instance:
        sides = integer(settings, "sides", least=1)
        start = 0 if settings["start"] == "anywhere" else integer(settings, "start", least=0)
        return Instance(
            program=program(sides),
            closed_form=law(sides),
            inputs=(start, start + 1),
            neighbours="counts_differ_by_one",
            epsilon=Epsilon.of(0),
            delta=Fraction(1, sides),
        )

    parameters = Parameter("sides", "3", "how many sides the die has"), Parameter("start", "anywhere", "a number")
    return Mechanism(name, "add a die to a number", "a test", parameters, build)


DIE = mechanism("shifted-die", shifted)
OTHERS = {"late-die": mechanism("late-die", late), "doubled-die": mechanism("doubled-die", doubled)}


def subject(claim: UnboundedClaim) -> tuple[str, str]:
    return f"shifted-die(sides={claim.parameters['sides']}, start={claim.parameters['start']})", "all numbers"


def check_hints(data: object) -> int:
    if not isinstance(data, dict) or set(data) != {"start"} or type(data["start"]) is not int:
        raise Unfounded("hints need a start")
    return data["start"]


def premises(claim: UnboundedClaim, data: object) -> tuple[tuple[Premise, ...], tuple[str, ...]]:
    settings = (("sides", claim.parameters["sides"]), ("start", str(check_hints(data))))
    premise = Premise("shifted-die", settings, claim.guarantee, "counts_differ_by_one", refutes=True)
    return (premise,), (f"by translation, law from the {claim.law_source}",)


def search(claim: UnboundedClaim) -> HintCandidate | Premise:
    if claim.guarantee.delta < Fraction(1, integer(claim.parameters, "sides", least=1)):
        return premises(claim, {"start": 1})[0][0]
    return HintCandidate({"start": 1})


TRANSLATION = UnboundedTheorem(
    mechanism=DIE,
    setting="start",
    value="anywhere",
    example="5",
    noun="number",
    names={"counts_differ_by_one": "translation"},
    draws="a draw of its own shows nothing here",
    subject=subject,
    search=search,
    check_hints=check_hints,
    premises=premises,
)

Use = Callable[..., None]


@pytest.fixture(autouse=True)
def use(monkeypatch: pytest.MonkeyPatch) -> Use:
    """Let the mechanisms and the theorem be registered, the theorem with some of its parts replaced."""
    shipped = catalogue._correct()
    monkeypatch.setattr(catalogue, "_correct", lambda: {**shipped, DIE.name: DIE, **OTHERS})

    def register(**parts: Any) -> None:
        monkeypatch.setitem(THEOREMS, DIE.name, replace(TRANSLATION, **parts))

    register()
    return register


@pytest.fixture
def audit(quick: Callable[..., Any]) -> Callable[..., dict[str, Any]]:
    def run(*arguments: object) -> dict[str, Any]:
        (result,) = quick(*arguments).document["results"]
        assert isinstance(result, dict)
        return result

    return run


@pytest.fixture
def recheck(inside: Callable[..., Any], tmp_path: Path) -> Callable[[Any], tuple[int, str]]:
    """Re-check what a JSON document says, as the file that it came from or as data that were edited."""

    def run(found: Any) -> tuple[int, str]:
        path = found if isinstance(found, Path) else tmp_path / "edited.json"
        if path is not found:
            path.write_text(json.dumps(found))
        done = inside("recheck", path)
        return done.status, done.out.strip() or done.err.strip()

    return run


@pytest.mark.parametrize("source", ["program", "closed-form"])
def test_a_claim_on_all_inputs_is_verified_and_rechecked(audit: Any, recheck: Any, tmp_path: Path, source: str) -> None:
    result = audit(*CLAIM, "--law-source", source, "--certificates", tmp_path)
    assert (result["verdict"], result["assumptions"]) == ("verified", [f"by translation, law from the {source}"])
    assert result["claim"]["sentence"] == f"{ALL_NUMBERS}, on all numbers"
    assert (result["claim"]["inputs"], result["pairs"]) == ("all numbers", 2)
    assert result["delta"] == {"lo": "1/3", "hi": "1/3"}
    assert recheck(Path(result["certificate"])) == (0, f"accepted: verified: {ALL_NUMBERS}, on all numbers")
    data = json.loads(Path(result["certificate"]).read_text())
    assert (data["theorem"], data["hints"], data["premises"][0]["parameters"]["start"]) == (
        "translation",
        {"start": 1},
        "1",
    )


def test_bounds_of_the_search_stand_for_those_of_the_premises(audit: Any, use: Use) -> None:
    bounds = LeastBounds(Fraction(1, 4), Fraction(2, 5), Epsilon.of(0), Epsilon.ln(2))
    use(search=lambda claim: HintCandidate({"start": 1}, bounds))
    result = audit(*CLAIM)
    assert result["delta"] == {"lo": "1/4", "hi": "2/5"}
    assert result["epsilon"] == {"lo": "0", "hi": "ln(2)"}


@pytest.mark.parametrize("proposed", [search, lambda claim: HintCandidate({"start": 1})])
def test_a_false_premise_refutes_the_claim_by_search_or_by_the_kernel(audit: Any, use: Use, proposed: Any) -> None:
    use(search=proposed)
    result = audit("shifted-die", "--delta", "1/4")
    assert (result["verdict"], result["claim"]["parameters"]["start"]) == ("refuted", "1")
    assert result["notes"][0].startswith("so it is false that shifted-die(sides=3, start=anywhere) is (0, 1/4)-diff")


def test_a_false_premise_that_refutes_nothing_leaves_it_undecided(audit: Any, use: Use) -> None:
    def harmless(claim: UnboundedClaim, data: object) -> Any:
        found, assumptions = premises(claim, data)
        return tuple(replace(premise, refutes=False) for premise in found), assumptions

    use(search=lambda claim: HintCandidate({"start": 1}), premises=harmless)
    result = audit("shifted-die", "--delta", "1/4")
    assert result["verdict"] == "undecided"
    assert result["reason"].startswith("a premise is not verified: shifted-die(sides=3, start=1) is ")


def test_a_premise_that_was_to_refute_and_holds_leaves_it_undecided(audit: Any, use: Use) -> None:
    use(search=lambda claim: premises(claim, {"start": 1})[0][0])
    result = audit(*CLAIM)
    assert result["verdict"] == "undecided"
    assert result["reason"].endswith("was to refute it and is verified")


def test_a_gap_is_printed_with_both_sides(audit: Any, use: Use) -> None:
    use(search=lambda claim: Gap(Fraction(1, 3), Fraction(1, 2), "0 and 1", "claim more"))
    result = audit("shifted-die", "--delta", "2/5")
    assert result["reason"].endswith("0.33333 is needed, by 0 and 1, and 0.5 is enough, for all; claim more")
    assert result["delta"] == {"lo": "1/3", "hi": "1/2"}


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"search": lambda claim: HintCandidate({"begin": 1})}, "hints need a start"),
        ({"premises": lambda claim, data: ((), ())}, "nothing follows from no premise"),
    ],
)
def test_caught_hints_from_which_nothing_follows(audit: Any, use: Use, parts: dict[str, Any], words: str) -> None:
    use(**parts)
    result = audit(*CLAIM)
    assert (result["verdict"], result["reason"]) == ("undecided", f"the search for premises stopped: {words}")


@pytest.mark.parametrize(
    ("other", "delta", "words"),
    [
        ("late-die", "1/2", "no audited number reached line"),
        ("doubled-die", "1", "on an audited number the law of doubled-die is not that of its closed form"),
    ],
)
def test_caught_premises_that_are_not_of_the_program(audit: Any, use: Use, other: str, delta: str, words: str) -> None:
    def about(claim: UnboundedClaim, data: object) -> Any:
        found, assumptions = premises(claim, data)
        return tuple(replace(premise, mechanism=other) for premise in found), assumptions

    use(premises=about)
    result = audit("shifted-die", "--delta", delta)
    assert (result["verdict"], words in result["reason"]) == ("undecided", True), result["reason"]


EDITS: dict[str, tuple[Callable[[dict[str, Any]], object], int, str]] = {
    "hints of another form": (lambda data: data.update(hints={"begin": 1}), 2, "hints need a start"),
    "another hint": (lambda data: data.update(hints={"start": 2}), 1, "parameters of premise 1"),
    "a smaller delta": (lambda data: data.update(delta="0x1/0x4"), 1, "sentence"),
    "another theorem": (lambda data: data.update(theorem="all counts"), 1, "theorem"),
    "no premise": (lambda data: data["premises"].clear(), 1, "number of premises"),
    "a finite claim": (lambda data: data["parameters"].update(start="1"), 1, "is about sides and start=anywhere"),
    "a target without a theorem": (lambda data: data.update(target="late-die"), 1, "no theorem is about"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_caught_an_edited_bundle(audit: Any, recheck: Any, tmp_path: Path, edit: str) -> None:
    data = json.loads(Path(audit(*CLAIM, "--certificates", tmp_path)["certificate"]).read_text())
    change, expected, words = EDITS[edit]
    change(data)
    status, line = recheck(data)
    assert (status, words in line) == (expected, True), line


def test_caught_a_certificate_of_two_numbers_that_says_all(audit: Any, recheck: Any, tmp_path: Path) -> None:
    finite = audit(*CLAIM, "--set", "start=5", "--certificates", tmp_path)
    assert finite["claim"]["sentence"].endswith("on the inputs 5, 6")
    data = json.loads(Path(finite["certificate"]).read_text())
    data["parameters"]["start"] = "anywhere"
    words = "finitely many inputs are not all numbers of shifted-die: a bundle is needed for start=anywhere"
    assert recheck(data) == (1, f"rejected: {words}")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("shifted-die", "--neighbours", "any"),
            "on all numbers; needed: counts_differ_by_one; name one of these, or audit numbers",
        ),
        (("shifted-die", "--observe", "draws"), "needed: the outcome alone: a draw of its own shows nothing here"),
        (("late-die",), "start=anywhere: no theorem covers every number of late-die; needed: the greatest number"),
    ],
)
def test_refused_in_words_of_the_theorem(quick: Any, arguments: tuple[str, ...], words: str) -> None:
    assert words in quick(*arguments).refusal()


def test_refused_a_profile_of_all_inputs() -> None:
    with pytest.raises(dpcert.InputError, match="the greatest number to look at") as refused:
        dpcert.profile("shifted-die")
    assert "start=5" in str(refused.value)
    assert dpcert.profile("shifted-die", start=5).delta_at(0).hi == Fraction(1, 3)
