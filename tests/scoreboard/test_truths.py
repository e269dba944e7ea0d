"""The truths are those that the project holds, in the form that the schema asks for; a sample of runs agrees."""

import json
from fractions import Fraction
from itertools import islice
from pathlib import Path

import jsonschema
import pytest
from ideal.literature import WITHOUT_REAL_NOISE
from literature.registry import BENCHMARK
from scoreboard.bugs import BUGS, Bug
from scoreboard.cases import built_in
from scoreboard.known import FILE, known, records
from scoreboard.problem import COINS, IDEAL
from scoreboard.truths import (
    Truth,
    Witness,
    all_truths,
    breaks,
    of_bugs,
    of_correct,
    of_faults,
    of_formulas,
    on_grid,
    written,
)

from dpcert.mechanisms.catalogue import MECHANISMS
from dpcert.mechanisms.zoo import ZOO
from dpcert.reading.paths.enumerator import enumerate_law

SCHEMA = json.loads(FILE.with_name("truths.schema.json").read_text(encoding="utf-8"))
RECORDS = {entry["id"]: entry for entry in records()}


def test_the_file_has_the_form_of_its_schema() -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(FILE.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    ("field", "value"),
    [("private", None), ("witness", None), ("claim", {"epsilon": "1"}), ("id", "Not An Id"), ("from", "")],
)
def test_caught_an_entry_that_the_schema_refuses(field: str, value: object) -> None:
    entry = {**next(entry for entry in RECORDS.values() if not entry["private"]), field: value}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"schema": "dpcert.truths/1", "truths": [entry]}, SCHEMA)


def test_the_zoo_and_the_bugs_in_the_file_are_those_of_the_project() -> None:
    found = [truth.record() for part in (of_correct(), of_faults(), of_bugs()) for truth in part]
    assert [RECORDS[entry["id"]] for entry in found] == found
    groups = [entry["group"] for entry in RECORDS.values()]
    assert groups.count("correct") == len(MECHANISMS)
    assert groups.count("zoo") == len(ZOO)
    assert groups.count("literature") == len(BENCHMARK)
    assert groups.count("libraries") == len(BUGS)


@pytest.mark.nightly
def test_the_literature_in_the_file_is_by_its_formulas() -> None:
    for truth in of_formulas():
        assert RECORDS[truth.problem.id] == truth.record()


@pytest.mark.nightly
def test_the_file_is_what_is_written() -> None:
    assert FILE.read_text(encoding="utf-8") == written(all_truths())


def test_every_entry_has_its_problem_and_each_id_is_another() -> None:
    found = known()
    assert len({each.problem.id for each in found}) == len(found) == len(RECORDS)
    for each in found:
        claim = each.record["claim"]
        assert (str(each.problem.epsilon), each.problem.noise) == (claim["epsilon"], each.record["noise"])
        assert Fraction(claim["delta"]) == each.problem.delta
        assert claim["inputs"] == each.problem.claim.inputs_words()


def test_the_witness_of_every_false_claim_breaks_it() -> None:
    for each in known():
        assert each.private == (each.record["witness"] is None)
        if not each.private:
            p, q = (Fraction(each.record["witness"][name]) for name in "pq")
            assert p > each.problem.epsilon.exp_bounds(256)[1] * q + each.problem.delta


def test_the_literature_claims_what_its_least_epsilon_says() -> None:
    """A claim is private where its epsilon is at least the least one, with digits to spare elsewhere."""
    for name, row in BENCHMARK.items():
        entry = RECORDS[f"literature-{name.lower()}"]
        low, high = entry["least"]["low"], entry["least"]["high"]
        claimed = built_epsilon(row.claimed)
        assert entry["private"] == (high is not None and Fraction(high) <= claimed[1])
        assert entry["private"] or high is None or Fraction(low) > claimed[0]
        assert (entry["noise"] == IDEAL) == (name not in WITHOUT_REAL_NOISE)


def built_epsilon(text: str) -> tuple[Fraction, Fraction]:
    from dpcert.mechanisms.exact.epsilon import Epsilon
    from dpcert.mechanisms.logarithm import epsilon_bounds

    return epsilon_bounds(Epsilon.of(text), 128)


def test_caught_a_witness_that_breaks_nothing() -> None:
    problem = built_in(ZOO[0])
    expected = ZOO[0].fault.expected
    good = Witness(expected.a, expected.b, tuple(expected.event), Fraction(expected.p), Fraction(expected.q))
    assert breaks(problem, good)
    for bad in (
        Witness(good.b, good.b, good.event, good.p, good.q),
        Witness("no input", good.b, good.event, good.p, good.q),
        Witness(good.a, good.b, good.event, good.q, good.p),
    ):
        assert not breaks(problem, bad)
        with pytest.raises(ArithmeticError, match="does not break"):
            Truth(problem, bad, None, "nowhere").record()


@pytest.mark.parametrize(
    ("number", "up"), [(Fraction(1, 3), True), (Fraction(2, 3**80), False), (Fraction(1, 3**90), True)]
)
def test_a_rounded_number_is_near_and_on_its_side(number: Fraction, up: bool) -> None:
    found = on_grid(number, up=up)
    assert (found >= number) if up else (found <= number)
    assert abs(found / number - 1) < Fraction(1, 2**90)


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_the_program_of_a_bug_has_the_law_beside_it(bug: Bug) -> None:
    for value in bug.inputs:
        assert enumerate_law(bug.program, value).law == bug.law(value)


IDEAL_FAULTS = [
    "dipc-svt5-n2",
    "dipc-nmax3-n3",
    "checkdp-badsparsevector3-n2",
    "dipc-rr-n1",
    "dipc-sparse-c-1-delta-0-n3",
]


@pytest.mark.parametrize("name", IDEAL_FAULTS)
def test_an_event_found_by_integration_is_as_frequent_in_runs(name: str) -> None:
    """Within six standard errors of both probabilities, in 4,000 runs on each side."""
    (each,) = (each for each in known() if each.problem.id == name)
    claim, witness, runs = each.problem.claim, each.record["witness"], 4_000
    event = {json.dumps(outcome) for outcome in witness["event"]}
    from dpcert.mechanisms.forms import to_json

    for side, chance in (("a", witness["p"]), ("b", witness["q"])):
        (place,) = (i for i, value in enumerate(claim.inputs) if to_json(value) == witness[side])
        outcomes = islice(each.problem.runs(place, seed=5), runs)
        hits = sum(json.dumps(to_json(plain(outcome))) in event for outcome in outcomes)
        p = float(Fraction(chance))
        assert abs(hits - runs * p) <= 6 * (runs * p * (1 - p)) ** 0.5 + 1e-9


def plain(outcome: object) -> object:
    """The outcome with Python's own numbers and truth values."""
    if isinstance(outcome, list):
        return [plain(item) for item in outcome]
    return outcome.item() if hasattr(outcome, "item") else outcome


def test_a_program_on_coins_has_coins_and_the_sources_are_files() -> None:
    root = Path(__file__).resolve().parents[2]
    for entry in RECORDS.values():
        place = entry["program"].partition(":")[0]
        assert place.startswith("dpcert audit ") or (root / place).is_file()
        assert (entry["noise"] == COINS) == (entry["group"] in ("correct", "zoo", "libraries"))
