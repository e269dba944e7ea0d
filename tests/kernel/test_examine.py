"""Evidence for examine.py: only a whole examination verifies, and what is handed in is checked."""

import re
from collections.abc import Hashable, Iterator
from dataclasses import FrozenInstanceError, fields
from fractions import Fraction
from typing import Any

import pytest
from given_laws import examination

from dpcert import ApproxDP, Dist, Epsilon, PureDP, Refuted, Unauditable, Undecided, Verified
from dpcert.audit.kernel import examine as examine_module
from dpcert.audit.kernel.divergence import decide_pair
from dpcert.audit.kernel.examine import OPEN, Examination, Witness, name_outcome
from dpcert.mechanisms.exact.law import Law
from dpcert.mechanisms.exact.outcome import key

from .claims import HALF, PLAIN, QUARTER, THIRD, Examine, answers, claim, digests, left, reason

CHANGED = "computed a second time, a law differs"


@pytest.mark.parametrize(("few", "decided"), [(9, 1), (1, 0)])
def test_pairs_of_equal_tables_are_decided_once_if_these_are_short(
    few: int, decided: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    law = Dist.of({0: "1/1009", 1: "1008/1009"})  # which no other test has
    monkeypatch.setattr(examine_module, "FEW", few)
    found = examination(claim(0, 1, 2), [law, law.map(lambda x: 1 - x), law].__getitem__)
    before = examine_module._decided.cache_info().misses
    for position in range(3):
        found.hold(position)
    answers = [found.pair(a, b) for a, b in left(found)]
    assert {answer[:3] for answer in answers} == {decide_pair(law, found.held[1], *given(found))}
    assert examine_module._decided.cache_info().misses - before == decided


def given(found: Examination) -> tuple[Epsilon, Fraction]:
    return found.claim.guarantee.epsilon, found.claim.guarantee.delta


def test_verified_says_what_was_examined(examine: Examine) -> None:
    asked, laws = claim(0, 1, 2), [HALF, THIRD, HALF]
    found = examine(asked, laws)
    verdict = found.verdict(digests(found), ("an assumption",))
    assert verdict == Verified(asked, 4, Fraction(0), tuple(law.digest() for law in laws), ("an assumption",))
    assert found.verdict(tuple(digests(found))) == Verified(asked, 4, Fraction(0), tuple(digests(found)))


def test_verified_says_the_greatest_tail(examine: Examine) -> None:
    laws = [Dist.of({0: 1 - Fraction(tail, 1000)}, tail=Fraction(tail, 1000)) for tail in (1, 3, 2)]
    found = examine(claim(0, 1, 9), laws)
    verdict = found.verdict(digests(found))
    assert isinstance(verdict, Verified)
    assert verdict.tail == Fraction(3, 1000)


@pytest.mark.parametrize("answered", range(4))
def test_undecided_while_a_pair_is_open(answered: int) -> None:
    found = examination(claim(0, 1, 2), [HALF, HALF, HALF].__getitem__)
    for position in range(3):
        found.hold(position)
    for a, b in left(found)[:answered]:
        assert found.pair(a, b)[0] is True
    assert found.left() == 4 - answered
    assert "not every pair was examined" in reason(found.verdict([HALF.digest()] * 3))


def test_undecided_where_only_one_order_of_a_pair_is_violated(examine: Examine) -> None:
    laws = [Dist.of({0: "1/4", 1: "3/4"}), Dist.of({0: "5/8", 1: "3/8"})]
    for order in ([0, 1], [1, 0]):
        found = examine(claim(0, 1), [laws[i] for i in order])
        assert found.answers == {True: 1, False: 1, None: 0}
        assert answers(claim(0, 1), [laws[i] for i in order], False) == [(order[1], order[0])]
        assert "not every pair" in reason(found.verdict(digests(found)))


def test_undecided_without_inputs() -> None:
    assert reason(examination(claim(), [].__getitem__).verdict([])) == "the scope is empty: there are no inputs"


def test_undecided_where_no_inputs_are_neighbours(examine: Examine) -> None:
    found = examine(claim(0, 2, 4), [HALF] * 3)
    words = "no two of the inputs 0, 2, 4 are counts that differ by one"
    assert reason(found.verdict(digests(found))) == f"the scope is empty: {words}"


def test_undecided_where_the_law_of_an_input_without_neighbours_was_not_handed_in() -> None:
    found = examination(claim(0, 1, 9), [HALF, HALF].__getitem__)
    for position in range(2):
        found.hold(position)
    for a, b in left(found):
        found.pair(a, b)
    for again in ([HALF.digest()] * 2, [HALF.digest()] * 3):
        assert reason(found.verdict(again)) == "not every pair was examined and within the bound"
    with pytest.raises(IndexError):
        found.hold(7)


def test_undecided_where_the_laws_were_computed_once(examine: Examine) -> None:
    found = examine(claim(0, 1), [HALF, THIRD])
    assert reason(found.verdict(None)) == "the laws were computed only once"
    assert reason(found.verdict(None, ("they do not change",))) == "the laws were computed only once"


@pytest.mark.parametrize(
    "again",
    [
        [],
        [HALF.digest()],
        [THIRD.digest(), HALF.digest()],
        [HALF.digest(), HALF.digest()],
        [HALF.digest(), THIRD.digest(), THIRD.digest()],
        [HALF.digest(), THIRD.digest().upper()],
    ],
)
def test_undecided_where_a_law_differs_the_second_time(again: list[str], examine: Examine) -> None:
    found = examine(claim(0, 1), [HALF, THIRD])
    said = reason(found.verdict(again, ("an assumption",)))
    assert said == CHANGED


def test_pure_dp_is_never_verified_with_a_tail(examine: Examine) -> None:
    tailed = Dist.of({True: "1/2", False: "1/4"}, tail="1/4")
    for laws in ([tailed, HALF, HALF], [HALF, HALF, tailed], [tailed] * 3):
        for epsilon in ("0", "ln(2)", "3", "1e9"):
            found = examine(claim(0, 1, 9, guarantee=PureDP(epsilon)), laws)
            assert found.answers[False] == 0
            assert reason(found.verdict(digests(found))) == OPEN


def test_undecided_where_the_tails_leave_a_pair_open(examine: Examine) -> None:
    tail = Fraction(3, 1 << 20)
    tailed = Dist.of({True: "1/2", False: Fraction(1, 2) - tail}, tail=tail)
    asked = claim(0, 1, guarantee=ApproxDP(0, Fraction(2, 1 << 20)))
    found = examine(asked, [tailed, HALF])
    assert found.answers == {True: 0, False: 0, None: 2}
    assert answers(asked, [tailed, HALF], None) == [(0, 1), (1, 0)]
    assert reason(found.verdict(digests(found))) == OPEN


def test_undecided_where_delta_is_too_near_to_tell(monkeypatch: pytest.MonkeyPatch, examine: Examine) -> None:
    monkeypatch.setattr("dpcert.audit.kernel.divergence.PRECISIONS", (32, 64, 128))
    laws = [HALF, Dist.bernoulli("1/8")]
    near = Fraction(1, 2) - Epsilon.of("1").exp_bounds(400)[0] / 8
    found = examine(claim(0, 1, guarantee=ApproxDP("1", near)), laws)
    assert reason(found.verdict(digests(found))) == OPEN


@pytest.mark.parametrize(
    "verdict",
    [
        Verified(claim(), 0, Fraction(0), ()),
        Refuted(claim(), Witness(0, 1, ()), 0, 1, (), Fraction(1), Fraction(0)),
        Undecided(claim(), ""),
    ],
)
def test_a_verdict_has_no_truth_value(verdict: object) -> None:
    line = "a verdict has no truth value: 'not refuted' is not 'verified'; ask isinstance(verdict, "
    with pytest.raises(TypeError, match="^" + re.escape(line)):
        bool(verdict)
    with pytest.raises(TypeError):
        assert not verdict


@pytest.mark.parametrize("kind", [Witness, Verified, Refuted, Undecided])
def test_what_was_said_cannot_be_changed(kind: Any) -> None:
    names = [entry.name for entry in fields(kind)]
    found = kind(*names)
    with pytest.raises(FrozenInstanceError):
        setattr(found, names[0], None)
    assert not hasattr(found, "__dict__")


Look = type("Look", (), {"__class__": Law})  # a law by its looks


class Lie(Dist):
    """A law whose methods say that it is another."""

    tail = Fraction(0)

    def weights(self) -> Iterator[tuple[Hashable, Any, int]]:
        return HALF.weights()

    def scaled(self, factor: int) -> dict[Hashable, int]:
        return HALF.scaled(factor)

    def digest(self) -> str:
        return HALF.digest()


def crafted(rows: list[tuple[Any, Any, Any]], denominator: Any, tail: Any) -> Dist:
    """A law made without from_weights: rows of (outcome of the key, outcome, weight)."""
    return Dist({key(name): (outcome, weight) for name, outcome, weight in rows}, denominator, tail)


MALFORMED = [
    None,
    {0: Fraction(1)},
    Look(),
    Lie({key(0): (0, 2)}, 1, 0),
    crafted([], 1, 0),
    crafted([], 0, 0),
    crafted([(0, 0, 1)], 2, 0),
    crafted([(0, 0, 2)], 1, 0),
    crafted([(0, 0, 1)], 1, 1),
    crafted([(0, 0, 2)], 1, -1),
    crafted([(0, 0, 2), (1, 1, -1)], 1, 0),
    crafted([(0, 0, 1.0)], 1, 0),
    crafted([(0, 0, True)], 1, 0),
    crafted([(0, 0, Fraction(1))], 1, 0),
    crafted([(0, 0, 1)], 1, 0.0),
    crafted([(0, 0, 1)], 1, False),
    crafted([(0, 0, 1)], 1.0, 0),
    crafted([(0, 0, 1)], True, 0),
    crafted([(0, 1, 1), (1, 0, 2)], 3, 0),
    crafted([(0, 0, 1), (1, True, 1)], 2, 0),
]


@pytest.mark.parametrize("law", MALFORMED, ids=lambda law: "")
def test_refused_law_that_is_malformed(law: Any, examine: Examine) -> None:
    line = "a malformed law: build laws with Dist.of or Dist.from_weights"
    if not issubclass(type(law), Law):
        line = f"a {type(law).__name__} where the law of an input was needed"
    for laws in ([law, HALF], [HALF, law], [law, law]):
        with pytest.raises(Unauditable, match=f"^{line}$"):
            examine(claim(0, 1, guarantee=ApproxDP("1e9", 1)), laws)
    witness = Witness(0, 1, (name_outcome(True),))
    for laws in ([law, HALF], [HALF, law]):
        with pytest.raises(Unauditable, match=f"^{line}$"):
            examination(claim(0, 1, guarantee=PureDP(0)), laws.__getitem__).refute(witness)


def test_exact_twin_a_law_is_what_its_rows_say_and_not_what_its_class_does(examine: Examine) -> None:
    for guarantee in (PureDP(0), PureDP("ln(3/2)"), PLAIN):
        asked = claim(0, 1, guarantee=guarantee)
        true, lied = (examine(asked, [HALF, law]) for law in (QUARTER, Lie.like(QUARTER)))
        assert lied.answers == true.answers
        assert digests(lied) == digests(true) == [HALF.digest(), QUARTER.digest()]
    found = examination(claim(0, 1), [HALF, Lie.from_weights([(0, 1)], 3)].__getitem__)
    assert type(found.hold(1)) is Law
    assert found.tail == Fraction(2, 3)


def test_refused_law_that_is_not_the_one_before(examine: Examine) -> None:
    doubled = Dist.from_weights([(True, 2), (False, 4)], 6)
    assert doubled == THIRD
    for law in (QUARTER, HALF, doubled):
        laws = [HALF, THIRD]
        done = examine(claim(0, 1), laws)
        laws[1] = law
        with pytest.raises(Unauditable, match=r"^computed a second time, a law differs$"):
            done.hold(1)
        assert done.held == {}
        laws[1] = THIRD
        assert done.hold(1) == THIRD
        assert done.held == {1: THIRD}
        assert digests(done) == [HALF.digest(), THIRD.digest()]


def test_refused_pair_that_is_not_open() -> None:
    found = examination(claim(0, 1, 3), lambda position: HALF)
    for position in range(3):
        found.hold(position)
    for a, b in ((0, 0), (0, 2), (2, 0), (1, 3), (-3, 1), (0, -2), (-2, -3), (-1, -1), (0, 10**17), (-(10**17), 1)):
        with pytest.raises(ValueError, match="no open pair of this examination"):
            found.pair(a, b)
    assert found.pair(0, 1)[:3] == (True, Fraction(0), Fraction(0))
    with pytest.raises(ValueError, match=r"^pair \(0, 1\) is no open pair of this examination$"):
        found.pair(0, 1)
    assert found.pair(1, 0)[0] is True


def test_refused_pair_whose_laws_are_not_held() -> None:
    found = examination(claim(0, 1), lambda position: HALF)
    found.hold(0)
    for a, b in ((0, 1), (1, 0)):
        with pytest.raises(KeyError):
            found.pair(a, b)
    assert left(found) == [(0, 1), (1, 0)]


def test_an_answer_bounds_delta(examine: Examine) -> None:
    laws = [Dist.of({0: "1/2", 1: "1/4"}, tail="1/4"), Dist.of({0: "1/8", 1: "7/8"})]
    found = examination(claim(0, 1, guarantee=ApproxDP(0, "1/2")), laws.__getitem__)
    found.hold(0)
    found.hold(1)
    assert found.beyond is None
    assert found.pair(0, 1)[:3] == (None, Fraction(3, 8), Fraction(5, 8))
    assert found.beyond == (0, 1)
    assert found.pair(1, 0)[:3] == (None, Fraction(3, 8), Fraction(5, 8))
    assert found.answers == {True: 0, False: 0, None: 2}


def test_a_law_of_one_outcome_is_a_law_and_before_any_there_is_no_tail() -> None:
    found = examination(claim(0, 1), lambda position: Dist.point("a"))
    assert found.tail == 0
    assert found.hold(0).denominator == 1
    assert found.tail == 0
