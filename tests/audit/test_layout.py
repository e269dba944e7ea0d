"""Evidence for elements of outcomes that are left out: exact twins with the whole laws; leaks by them are seen."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import dpcert
from dpcert import ApproxDP, Dist, Limits, Refuted, Report, Unauditable, Undecided, Verified, redirect
from dpcert.audit import layout
from dpcert.audit.decide import decide
from dpcert.audit.kernel.check import Rejected, check
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.audit.layout import CHANGED, LEFT_OUT
from dpcert.audit.passes import examined
from dpcert.audit.subject import Subject
from dpcert.reading import choice
from dpcert.reading.paths.repeated import hold_to_one_outcome, hold_to_own_randomness

Program = Callable[[Any, Any], Any]
RATIOS = (Fraction(0), Fraction(1, 3), Fraction(1), Fraction(2), Fraction(3), Fraction(100))


def flipped(bits: Any, rng: Any) -> Any:
    return np.where(rng.random(len(bits)) < 0.25, 1 - np.array(bits), np.array(bits))


def subject(program: Program, *inputs: Any) -> Subject:
    return Subject("program", redirect()(program), inputs, RELATIONS["any"])


def decided(program: Program, *inputs: Any, epsilon: str = "ln(3)", delta: str = "0") -> Report:
    found = subject(program, *inputs)
    return decide(found, ApproxDP(epsilon, delta), again=subject(program, *inputs).digests)


def ones(length: int, *places: int) -> list[int]:
    return [int(place in places) for place in range(length)]


@pytest.fixture(autouse=True)
def few_replays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Elements are left out of laws, of which replays know nothing."""
    monkeypatch.setattr(choice, "REPLAYS", 2)


@pytest.fixture
def none_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave elements out of short arrays, too."""
    monkeypatch.setattr(layout, "FEW", 0)


def divergences(p: Dist, q: Dist) -> list[Fraction]:
    outcomes = Dist.of([(outcome, Fraction(1, len(p) + len(q))) for law in (p, q) for outcome in law.outcomes()])
    found = []
    for ratio in RATIOS:
        pairs = [(p.prob(outcome), q.prob(outcome)) for outcome in outcomes.outcomes()]
        found.append(sum((max(Fraction(0), a - ratio * b) for a, b in pairs), Fraction(0)))
    return found


def assigned(bits: Any, rng: Any) -> Any:
    v = (rng.random(len(bits)) < 0.25) * 1
    v[-1] = bits[-1]
    return v


TWINS: dict[str, tuple[Program, list[Any]]] = {
    "flipped": (flipped, [ones(4), ones(4, 3), ones(4, 3, 1)]),
    "alike": (lambda bits, rng: rng.random(4) < 0.25, [ones(4), ones(4, 3)]),
    "certain": (assigned, [ones(4), ones(4, 3)]),
    "two axes": (
        lambda bits, rng: (rng.random((2, 2)) < 0.25) ^ (np.array(bits).reshape(2, 2) > 0),
        [ones(4), ones(4, 3)],
    ),
    "integers": (lambda bits, rng: rng.integers(0, 3, size=3) + np.array(bits), [ones(3), ones(3, 0), [0, 0, 2]]),
    "doubles": (lambda bits, rng: np.where(rng.random(3) < 0.25, -0.0, np.array(bits) / 4), [ones(3), ones(3, 0)]),
}


@pytest.mark.usefixtures("none_few")
@pytest.mark.parametrize("name", TWINS)
def test_divergences_of_what_is_left_are_those_of_the_whole(name: str) -> None:
    program, inputs = TWINS[name]
    left, whole = subject(program, *inputs), subject(program, *inputs)
    whole.reader.laid = True
    laws = [left.law(i) for i in range(len(inputs))]
    wholes = [whole.law(i) for i in range(len(inputs))]
    assert left.reader.layout is not None
    assert 0 < len(laws[0]) < len(wholes[0])
    for p, a in zip(laws, wholes, strict=True):
        for q, b in zip(laws, wholes, strict=True):
            assert divergences(p, q) == divergences(a, b)
    assert left.digests() == [law.digest() for law in laws]


def copies(bits: Any, rng: Any) -> Any:
    """Each element has one law on all inputs, and all together have not."""
    v = rng.integers(0, 2, size=len(bits))
    if bits[0]:
        v[1] = v[0]
    return v


def adds(bits: Any, rng: Any) -> Any:
    v = rng.integers(0, 2, size=len(bits))
    v[-1:] = (v[:1] + bits[0]) % 2
    return v


def of_another_dtype(bits: Any, rng: Any) -> Any:
    mask = rng.random(len(bits)) < 0.25
    return mask.astype(np.int8) if bits[0] else mask


def of_another_width(bits: Any, rng: Any) -> Any:
    mask = (rng.random(len(bits)) < 0.25) * 1
    return mask.astype(np.int32) if bits[0] else mask


def of_another_shape(bits: Any, rng: Any) -> Any:
    mask = rng.random(len(bits)) < 0.25
    return mask[None] if bits[0] else mask


LEAKS: dict[str, Program] = {
    "copies": copies,
    "adds": adds,
    "dtype": of_another_dtype,
    "width": of_another_width,
    "shape": of_another_shape,
    "length": lambda bits, rng: rng.random(len(bits) + bits[0]) < 0.25,
    "count": lambda bits, rng: (v := rng.random(len(bits)) < 0.25, v.sum() + bits[0]),
    "two thresholds": lambda bits, rng: (u := rng.random(len(bits)), (u < 0.25, u < (0.75 if bits[0] else 0.5)))[1],
    "sorted": lambda bits, rng: np.sort(rng.random(len(bits)) < 0.25) if bits[0] else rng.random(len(bits)) < 0.25,
    "after a comparison": lambda bits, rng: (
        v := rng.integers(0, 2, size=len(bits)),
        ~v & 1 if bits[0] and v[0] else v,
    )[1],
    "raises": lambda bits, rng: (v := rng.random(len(bits)) < 0.25, 1 // int(v.sum()) if bits[0] else 0, v)[2],
}


@pytest.mark.usefixtures("none_few")
@pytest.mark.parametrize("name", LEAKS)
def test_refuted_leak_that_no_element_by_itself_shows(name: str) -> None:
    found = subject(LEAKS[name], ones(3), ones(3, 0))
    assert isinstance(decide(found, ApproxDP("0", "0"), again=found.digests).verdict, Refuted)
    assert found.reader.layout is None


@pytest.mark.points(3)
@pytest.mark.parametrize("name", ["copies", "adds", "dtype", "width", "shape", "length", "after a comparison"])
def test_undecided_long_arrays_that_leak_by_what_no_element_shows(name: str) -> None:
    found = subject(LEAKS[name], ones(64), ones(64, 0))
    found = replace(found, limits=Limits(max_runs=20))
    report = decide(found, ApproxDP("0", "1/2"), again=found.digests)
    assert isinstance(report.verdict, Undecided)
    assert found.reader.layout is None
    assert ("of one shape" in report.verdict.reason) == (name in ("dtype", "width", "shape", "length"))


def test_the_flips_of_a_long_array_are_audited_exactly() -> None:
    report = decided(flipped, ones(64), ones(64, 63))
    assert isinstance(report.verdict, Verified)
    assert str(report.epsilon_lo) == str(report.epsilon_hi) == "ln(3)"
    assert report.tail == 0
    assert f"{LEFT_OUT}63 of its 64, each of one law on all inputs" in report.assumptions[-1]
    assert "dpcert/audit/layout.py is trusted" in report.assumptions[-1]
    assert isinstance(check(report.certificate, subject(flipped, ones(64), ones(64, 63)), examined), Verified)
    assert {"reading/numpy/independent.py", "reading/numpy/factored.py", "audit/layout.py"} <= {
        name.removeprefix("dpcert/") for name in report.certificate.sources
    }


def test_draws_from_coins_are_left_out_as_well() -> None:
    def release(bits: Any, coins: Any) -> Any:
        return np.array([coins.below(4) + bit for bit in bits])

    found = Subject("release", release, (ones(16), ones(16, 3)), RELATIONS["any"])
    assert [len(found.law(0)), len(found.law(1))] == [4, 4]
    assert found.assumptions() == (found.reader.layout.words(),)


def test_flips_of_a_long_array_are_refuted_by_an_event_of_the_elements_that_differ() -> None:
    report = decided(flipped, ones(64), ones(64, 63, 5), epsilon="2")
    assert isinstance(report.verdict, Refuted)
    assert report.worst.event == ({5: 0, 63: 0},)
    assert (report.worst.p, report.worst.q) == (Fraction(9, 16), Fraction(1, 16))
    assert isinstance(check(report.certificate, subject(flipped, ones(64), ones(64, 63, 5)), examined), Refuted)


@pytest.mark.nightly
def test_the_flips_of_a_thousand_elements_are_audited_exactly() -> None:
    report = decided(flipped, ones(1000), ones(1000, 63))
    assert isinstance(report.verdict, Verified)
    assert str(report.epsilon_hi) == "ln(3)"


def test_refused_certificate_of_another_program() -> None:
    report = decided(flipped, ones(64), ones(64, 63))
    for program in (
        lambda bits, rng: rng.integers(0, 2, size=len(bits)),
        lambda bits, rng: flipped([*bits[:-1], 0], rng),
        lambda bits, rng: ~flipped(bits, rng),
    ):
        with pytest.raises(Rejected):
            check(report.certificate, subject(program, ones(64), ones(64, 63)), examined)
    with pytest.raises(Rejected):
        check(report.certificate, subject(flipped, ones(65), ones(65, 63)), examined)


def test_caught_laws_of_another_layout() -> None:
    first, second = subject(flipped, ones(64), ones(64, 63)), subject(flipped, ones(64), ones(64, 62))
    first.law(0), second.law(0)
    second.reader.layout = first.reader.layout
    assert len(second.law(0)) == 2
    with pytest.raises(Unauditable, match=CHANGED):
        second.law(1)
    longer = subject(flipped, ones(65), ones(65, 63))
    longer.reader.layout, longer.reader.laid = first.reader.layout, True
    with pytest.raises(Unauditable, match=CHANGED):
        longer.law(0)


def test_undecided_inputs_that_differ_in_too_many_elements() -> None:
    report = decided(flipped, ones(64), ones(64, *range(20)))
    assert isinstance(report.verdict, Undecided)
    assert "between its inputs 20 of 64 elements of the outcome differ in law" in report.verdict.reason
    assert "; audit inputs that differ in fewer" in report.verdict.reason


def test_short_arrays_and_those_of_which_nothing_is_left_out_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    short = subject(flipped, ones(3), ones(3, 1))
    assert short.law(0).prob(np.zeros(3, int)) == Fraction(3, 4) ** 3
    assert short.reader.layout is None
    monkeypatch.setattr(layout, "FEW", 4)
    monkeypatch.setattr(choice, "FEW", 4)
    differ = subject(flipped, ones(3), [1] * 3)
    assert differ.law(0).prob(np.zeros(3, int)) == Fraction(3, 4) ** 3
    assert differ.law(0).tail == 0  # once few paths were tried
    assert (differ.reader.layout, len(differ.law(1))) == (None, 8)


def test_of_laws_that_are_alike_the_first_element_that_is_not_certain_stays() -> None:
    def alike(bits: Any, rng: Any) -> Any:
        v = (rng.random(64) < 0.25) * 1
        v[0] = 7
        return v

    assert subject(alike, ones(64), ones(64, 1)).law(1) == Dist.of([({1: 1}, Fraction(1, 4)), ({1: 0}, Fraction(3, 4))])


def test_a_law_of_one_outcome_is_held_to_runs_of_the_whole() -> None:
    found = subject(assigned, ones(64), ones(64, 63))
    law = found.law(1)
    assert [*law.outcomes()] == [{63: 1}]
    found.hold_to(1, law)
    possible = found.reader.possible(found.program, found.inputs[1])
    for other in (lambda x, coins: np.ones(64, int), lambda x, coins: np.zeros(64, int)):
        kept = other(0, None)[63] == 1
        if kept:
            hold_to_one_outcome(other, 0, law, draws=False, possible=possible)
            hold_to_own_randomness(other, 0, law, possible=possible)
            continue
        with pytest.raises(Unauditable, match="no function of its input"):
            hold_to_one_outcome(other, 0, law, draws=False, possible=possible)
        with pytest.raises(Unauditable, match="on its own randomness"):
            hold_to_own_randomness(other, 0, law, possible=possible)


def test_caught_own_randomness_of_an_element_that_is_left_out() -> None:
    def program(bits: Any, rng: Any) -> Any:
        return np.where(np.arange(64) == 7, 0, rng.random(64) < 0.25)

    def plain(bits: Any, coins: Any) -> Any:
        return np.where(np.arange(64) == 7, 1, 0)

    found = subject(program, ones(64), ones(64, 63))
    found.plain = lambda bits, coins: np.where(np.arange(64) == 7, 0, 1)
    found.law(0)
    found.plain = plain
    with pytest.raises(Unauditable, match="on its own randomness"):
        found.law(0)


def targets(length: int) -> dpcert.Target:
    inputs = [ones(length), ones(length, 1)]

    @dpcert.target(guarantee=dpcert.PureDP(1), inputs=inputs, neighbours="any")
    def release(bits: Any, rng: np.random.Generator) -> Any:
        return flipped(bits, rng)

    return release


@pytest.mark.parametrize("length", [3, 64])
def test_events_name_elements_by_index(length: int) -> None:
    release, scope = targets(length), {"a": ones(length), "b": ones(length, 1)}
    with pytest.raises(AssertionError, match=r"is 3/4 on .* and 1/4 on"):
        dpcert.assert_event(release, **scope, event=[{1: 0}])
    dpcert.assert_event(release, **scope, event=[{0: 0}])
    with pytest.raises(AssertionError, match=r"is 15/16 on .* and 13/16 on|is 9/16 on .* and 3/16 on"):
        dpcert.assert_event(release, **scope, event=[{1: 0, 0: 0}])
