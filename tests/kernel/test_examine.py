"""Evidence for examine.py: only a whole examination verifies, only a real violation refutes."""

import random
import re
import time
import tracemalloc
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import FrozenInstanceError, fields
from fractions import Fraction
from itertools import chain, combinations, permutations
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dpcert.audit.kernel.claim import ApproxDP, Claim, PureDP
from dpcert.audit.kernel.examine import (
    OPEN,
    Examination,
    Refuted,
    Undecided,
    Verified,
    Witness,
    marks,
    name_outcome,
)
from dpcert.audit.kernel.neighbours import RELATIONS, custom
from dpcert.audit.passes import examined
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.law import Law
from dpcert.mechanisms.exact.outcome import key

Examine = Callable[[Claim, Sequence[Dist]], Examination]

CHANGED = "computed a second time, a law differs: the program keeps hidden state"
HALF, THIRD, QUARTER = (Dist.bernoulli(p) for p in ("1/2", "1/3", "1/4"))
PLAIN = ApproxDP("ln(2)", "1/100")


def claim(*inputs: Any, guarantee: ApproxDP = PLAIN, neighbours: str = "element") -> Claim:
    return Claim("m", (), inputs, RELATIONS[neighbours], guarantee)


def left(examination: Examination) -> list[tuple[int, int]]:
    """The ordered pairs that are open, in their order."""
    return [pair for pair in examination.claim.pairs() if marks(examination.open, *pair)]


def answers(asked: Claim, laws: Sequence[Dist], within: bool | None) -> list[tuple[int, int]]:
    """The ordered pairs that are answered so."""
    found = examined(Examination(asked, laws.__getitem__))
    return [(answer.a, answer.b) for answer in found if answer.within is within]


def digests(examination: Examination) -> list[str]:
    return [digest for _, digest in sorted(examination.digests.items())]


def reason(verdict: object) -> str:
    assert isinstance(verdict, Undecided)
    return verdict.reason


# -- verified


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
    found = Examination(claim(0, 1, 2), [HALF, HALF, HALF].__getitem__)
    for position in range(3):
        found.hold(position)
    for a, b in left(found)[:answered]:
        assert found.pair(a, b)[0] is True
    assert found.left() == 4 - answered
    assert "not every pair was examined" in reason(found.verdict([HALF.digest()] * 3))


@pytest.mark.parametrize("violating", range(3))
def test_undecided_where_a_pair_is_violated(violating: int, examine: Examine) -> None:
    laws = [HALF] * 3
    laws[violating] = Dist.bernoulli("9/10")
    found = examine(claim(0, 1, 2), laws)
    assert "not every pair was examined and within" in reason(found.verdict(digests(found)))


def test_undecided_where_only_one_order_of_a_pair_is_violated(examine: Examine) -> None:
    laws = [Dist.of({0: "1/4", 1: "3/4"}), Dist.of({0: "5/8", 1: "3/8"})]
    for order in ([0, 1], [1, 0]):
        found = examine(claim(0, 1), [laws[i] for i in order])
        assert found.answers == {True: 1, False: 1, None: 0}
        assert answers(claim(0, 1), [laws[i] for i in order], False) == [(order[1], order[0])]
        assert "not every pair" in reason(found.verdict(digests(found)))


def test_undecided_without_inputs() -> None:
    assert reason(Examination(claim(), [].__getitem__).verdict([])) == "the scope is empty: there are no inputs"


def test_undecided_where_no_inputs_are_neighbours(examine: Examine) -> None:
    found = examine(claim(0, 2, 4), [HALF] * 3)
    words = "no two of the inputs 0, 2, 4 are counts that differ by one"
    assert reason(found.verdict(digests(found))) == f"the scope is empty: {words}"


def test_undecided_where_the_law_of_an_input_without_neighbours_was_not_handed_in() -> None:
    found = Examination(claim(0, 1, 9), {0: HALF, 1: HALF, 7: HALF}.__getitem__)
    for position in range(2):
        found.hold(position)
    for a, b in left(found):
        found.pair(a, b)
    for again in ([HALF.digest()] * 2, [HALF.digest()] * 3):
        assert reason(found.verdict(again)) == "not every pair was examined and within the bound"
    found.hold(7)
    assert "not every pair was examined" in reason(found.verdict([HALF.digest()] * 3))


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


# -- what is handed in


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
            Examination(claim(0, 1, guarantee=PureDP(0)), laws.__getitem__).refute(witness)


def test_exact_twin_a_law_is_what_its_rows_say_and_not_what_its_class_does(examine: Examine) -> None:
    for guarantee in (PureDP(0), PureDP("ln(3/2)"), PLAIN):
        asked = claim(0, 1, guarantee=guarantee)
        true, lied = (examine(asked, [HALF, law]) for law in (QUARTER, Lie.like(QUARTER)))
        assert lied.answers == true.answers
        assert digests(lied) == digests(true) == [HALF.digest(), QUARTER.digest()]
    found = Examination(claim(0, 1), [HALF, Lie.from_weights([(0, 1)], 3)].__getitem__)
    assert type(found.hold(1)) is Law
    assert found.tail == Fraction(2, 3)


def test_refused_law_that_is_not_the_one_before(examine: Examine) -> None:
    doubled = Dist.from_weights([(True, 2), (False, 4)], 6)
    assert doubled == THIRD
    for law in (QUARTER, HALF, doubled):
        laws = [HALF, THIRD]
        done = examine(claim(0, 1), laws)
        laws[1] = law
        with pytest.raises(
            Unauditable, match=r"^computed a second time, a law differs: the program keeps hidden state$"
        ):
            done.hold(1)
        assert done.held == {}
        laws[1] = THIRD
        assert done.hold(1) == THIRD
        assert done.held == {1: THIRD}
        assert digests(done) == [HALF.digest(), THIRD.digest()]


def test_refused_pair_that_is_not_open() -> None:
    found = Examination(claim(0, 1, 3), lambda position: HALF)
    for position in range(3):
        found.hold(position)
    for a, b in ((0, 0), (0, 2), (2, 0), (1, 3), (-3, 1), (0, -2), (-2, -3), (-1, -1), (0, 10**17), (-(10**17), 1)):
        with pytest.raises(ValueError, match="no open pair of this examination"):
            found.pair(a, b)
    assert found.pair(0, 1) == (True, Fraction(0), Fraction(0))
    with pytest.raises(ValueError, match=r"^pair \(0, 1\) is no open pair of this examination$"):
        found.pair(0, 1)
    assert found.pair(1, 0)[0] is True


def test_refused_pair_whose_laws_are_not_held() -> None:
    found = Examination(claim(0, 1), lambda position: HALF)
    found.hold(0)
    for a, b in ((0, 1), (1, 0)):
        with pytest.raises(KeyError):
            found.pair(a, b)
    assert left(found) == [(0, 1), (1, 0)]


def test_an_answer_bounds_delta(examine: Examine) -> None:
    laws = [Dist.of({0: "1/2", 1: "1/4"}, tail="1/4"), Dist.of({0: "1/8", 1: "7/8"})]
    found = Examination(claim(0, 1, guarantee=ApproxDP(0, "1/2")), laws.__getitem__)
    found.hold(0)
    found.hold(1)
    assert found.beyond is None
    assert found.pair(0, 1) == (None, Fraction(3, 8), Fraction(5, 8))
    assert found.beyond == (0, 1)
    assert found.pair(1, 0) == (None, Fraction(3, 8), Fraction(5, 8))
    assert found.answers == {True: 0, False: 0, None: 2}


def test_a_law_of_one_outcome_is_a_law_and_before_any_there_is_no_tail() -> None:
    found = Examination(claim(0, 1), lambda position: Dist.point("a"))
    assert found.tail == 0
    assert found.hold(0).denominator == 1
    assert found.tail == 0


# -- refuted


def refute(p: Dist, q: Dist, event: Sequence[Any], guarantee: ApproxDP, a: int = 0, b: int = 1) -> Refuted | None:
    """The refutation by an event, given as outcomes, of a claim on the inputs 0, 1 and 5."""
    return refuted_by(tuple(map(name_outcome, event)), p, q, guarantee, a, b)


def refuted_by(event: tuple[str, ...], p: Dist, q: Dist, guarantee: ApproxDP, a: int = 0, b: int = 1) -> Refuted | None:
    """The refutation by an event, given by the names of its outcomes; None where it says that there is none."""
    asked: list[int] = []

    def law_of(position: int) -> Dist:
        asked.append(position)
        return {a: p, b: q}[position]

    found = Examination(claim(0, 1, 5, guarantee=guarantee), law_of).refute(Witness(a, b, event))
    if isinstance(found, Refuted):
        return found
    near = {a, b} == {0, 1}
    assert asked == ([a, b] if near else [])
    words = f"the witness names inputs {a} and {b}, which are no neighbours"
    assert found.reason == ("the witness does not violate the bound" if near else words)
    return None


P = Dist.of({"a": "1/2", "b": "1/4", "c": "1/4"})
Q = Dist.of({"a": "1/4", "b": "1/4", "d": "1/2"})


def test_a_refutation_holds_inputs_event_and_both_probabilities() -> None:
    guarantee = ApproxDP(0, "1/10")
    found = refute(P, Q, ["c", "a"], guarantee)
    asked = claim(0, 1, 5, guarantee=guarantee)
    witness = Witness(0, 1, (name_outcome("c"), name_outcome("a")))
    assert found == Refuted(asked, witness, 0, 1, ("c", "a"), Fraction(3, 4), Fraction(1, 4))
    swapped = refute(Q, P, ["d"], guarantee, 1, 0)
    assert swapped is not None
    assert (swapped.a, swapped.b, swapped.p_lo, swapped.q_hi) == (1, 0, Fraction(1, 2), 0)


@pytest.mark.parametrize(
    ("event", "guarantee"),
    [
        (["a"], PureDP("ln(2)")),
        (["a"], ApproxDP("0", "1/4")),
        (["b"], PureDP(0)),
        (["a", "d"], PureDP(0)),
        (["d"], PureDP(0)),
        (["c"], ApproxDP("0", "1/4")),
        (["c"], ApproxDP("1e9", "1/4")),
        (["a", "c"], ApproxDP("ln(2)", "1/4")),
        (["a", "b", "c", "d"], PureDP(0)),
    ],
)
def test_refused_event_that_does_not_violate(event: list[str], guarantee: ApproxDP) -> None:
    assert refute(P, Q, event, guarantee) is None


def test_refused_event_with_an_outcome_that_breaks_the_violation() -> None:
    assert refute(P, Q, ["a", "c"], ApproxDP(0, "1/4")) is not None
    assert refute(P, Q, ["a", "c", "d"], ApproxDP(0, "1/4")) is None


@pytest.mark.parametrize(
    "event",
    [(), ("a", "a"), ("c", "a", "c"), ("nothing",), ("a", "nothing"), (b"a",)],
    ids=lambda event: str(event),
)
def test_refused_event_that_is_empty_repeats_or_names_no_outcome(event: tuple[Any, ...]) -> None:
    assert refute(P, Q, ["a"], PureDP(0)) is not None
    assert refute(P, Q, event, PureDP(0)) is None


def test_refused_event_that_is_no_name() -> None:
    name = name_outcome("a")
    for event in (("a",), (name[:-1],), (name.upper(),), (name, name), ()):
        assert refuted_by(event, P, Q, PureDP(0)) is None
    assert refuted_by((name,), P, Q, PureDP(0)) is not None


@pytest.mark.parametrize(
    ("a", "b"), [(0, 0), (1, 1), (0, 2), (2, 0), (1, 2), (0, 3), (-1, 1), (-3, 1), (0, -2), (-2, -3), (10**17, 0)]
)
def test_refused_witness_that_is_no_pair_of_neighbours(a: int, b: int) -> None:
    assert refute(P, Q, ["a"], PureDP(0), a, b) is None


def test_a_tail_counts_against_a_refutation() -> None:
    p, q = Dist.of({"a": "1/2"}, tail="1/2"), Dist.of({"a": "1/8"}, tail="7/8")
    assert refute(p, Dist.of({"a": "1/8", "b": "7/8"}), ["a"], PureDP(0)) is not None
    assert refute(p, q, ["a"], PureDP(0)) is None
    small = Dist.of({"a": "1/8", "b": "3/4"}, tail="1/8")
    found = refute(p, small, ["a"], ApproxDP("ln(3/2)", "1/10"))
    assert found is not None
    assert (found.p_lo, found.q_hi) == (Fraction(1, 2), Fraction(1, 4))
    assert refute(p, small, ["a"], ApproxDP("ln(2)", 0)) is None


@pytest.mark.parametrize("epsilon", ["1e9", "1e300 + ln(3)", "90000"])
def test_a_huge_epsilon_is_refuted_by_what_q_never_does_and_by_nothing_else(epsilon: str) -> None:
    start = time.process_time()
    assert refute(P, Q, ["a"], PureDP(epsilon)) is None
    assert refute(P, Q, ["c"], ApproxDP(epsilon, "1/4")) is None
    assert refute(P, Q, ["c"], ApproxDP(epsilon, "1/5")) is not None
    assert refute(P, Q, ["a", "c"], ApproxDP(epsilon, "1/5")) is None
    assert time.process_time() - start < 0.1


def test_an_epsilon_beyond_reach_is_compared_by_bit_lengths() -> None:
    p, q = (Dist.from_weights([(0, (1 << 80_000) - x), (1, x)], 1 << 80_000) for x in (1, 3))
    assert refute(p, q, [0], PureDP("100001")) is None


def test_an_event_is_weighed_by_the_digits_of_e() -> None:
    for bits in (20, 64, 100, 128, 400):  # at 64 and 128 the event meets a bound of e itself, and e decides
        for ratio, violates in zip(Epsilon.of("1").exp_bounds(bits), (False, True), strict=True):
            p = Dist.of({0: ratio / (1 + ratio), 1: 1 / (1 + ratio)})
            q = Dist.of({1: ratio / (1 + ratio), 0: 1 / (1 + ratio)})
            assert (refute(p, q, [0], PureDP("1")) is not None) is violates


def test_an_event_too_near_to_tell_does_not_refute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpcert.audit.kernel.divergence.PRECISIONS", (64, 128))
    for ratio in Epsilon.of("1").exp_bounds(400):
        p = Dist.of({0: ratio / (1 + ratio), 1: 1 / (1 + ratio)})
        q = Dist.of({1: ratio / (1 + ratio), 0: 1 / (1 + ratio)})
        assert refute(p, q, [0], PureDP("1")) is None


@st.composite
def laws(draw: Any) -> Dist:
    weights = draw(st.lists(st.integers(0, 5), min_size=3, max_size=3))
    rest = draw(st.sampled_from([0, 0, 1, 2]))
    assume(sum(weights) + rest > 0)
    return Dist.from_weights(zip((1, True, 1.0), weights, strict=True), sum(weights) + rest)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(laws(), laws(), st.fractions(1, 3, max_denominator=3), st.sampled_from([Fraction(0), Fraction(1, 7)]))
def test_exact_twin_an_event_refutes_where_its_probabilities_say_so(
    p: Dist, q: Dist, ratio: Fraction, delta: Fraction
) -> None:
    outcomes = [*p.outcomes(), *(o for o in q.outcomes() if p.prob(o) == 0)]
    events = chain.from_iterable(combinations(outcomes, size) for size in range(1, len(outcomes) + 1))
    for event in events:
        p_lo = sum((p.prob(outcome) for outcome in event), Fraction(0))
        q_hi = sum((q.prob(outcome) for outcome in event), q.tail)
        found = refute(p, q, event, ApproxDP(Epsilon.ln(ratio), delta))
        assert (found is not None) == (p_lo > ratio * q_hi + delta)


def test_outcomes_are_named_by_their_sha_256() -> None:
    assert name_outcome(0) == "c0ebd8fb0bfd3c1f945ed80c5711ae2707d74fadd6710ff04eaa45c447cb3d7f"
    assert len({name_outcome(x) for x in (0, False, 0.0, -0.0, None, "0", b"0", (), [], 0j)}) == 10


# -- pairs as bits


def some_claims() -> Iterator[Claim]:
    """Claims with relations by chance, from none to any two."""
    toss = random.Random(7)
    for count in range(2, 9):
        for chance in (0.15, 0.4, 0.8, 1):
            related = {pair for pair in permutations(range(count), 2) if toss.random() < chance}
            near = custom(lambda a, b, related=related: (a, b) in related)
            yield Claim("m", (), tuple(range(count)), near, PLAIN)


def test_exact_twin_bits_are_the_pairs_of_the_claim() -> None:
    for asked in some_claims():
        found, pairs = Examination(asked, lambda position: HALF), list(asked.pairs())
        assert left(found) == pairs
        assert found.pairs == found.left() == len(pairs)
        positions = [*range(-3, len(asked.inputs) + 3), 10**17, -(10**17)]
        for a in positions:
            for b in positions:
                assert marks(found.whole, a, b) is marks(found.open, a, b) is ((a, b) in pairs)


@pytest.mark.parametrize("seed", range(5))
def test_pairs_are_examined_in_any_order_and_each_once(seed: int) -> None:
    asked = claim(*range(6), guarantee=ApproxDP(0, 1), neighbours="any")
    laws = [Dist.bernoulli(Fraction(1, 2 + i)) for i in range(6)]
    found, pairs = Examination(asked, laws.__getitem__), list(asked.pairs())
    for position in range(6):
        found.hold(position)
    random.Random(seed).shuffle(pairs)
    again = [law.digest() for law in laws]
    for pair in pairs:
        assert isinstance(found.verdict(again), Undecided)
        assert found.pair(*pair)[0] is True
        assert marks(found.whole, *pair)
        with pytest.raises(ValueError, match="no open pair"):
            found.pair(*pair)
    verdict = found.verdict(again)
    assert isinstance(verdict, Verified)
    assert (verdict.pairs, found.left(), found.beyond) == (len(pairs), 0, None)


def test_a_relation_that_changes_its_mind_is_held_to_its_first_answers() -> None:
    said = [True, False, True]

    def fickle(a: int, b: int) -> bool:
        return bool(said) and said.pop(0)

    found = Examination(Claim("m", (), (0, 1), custom(fickle), PLAIN), lambda position: HALF)
    assert said == [False, True]
    assert [(answer.a, answer.b) for answer in examined(found)] == [(0, 1), (1, 0)]
    assert said == [False, True]
    assert marks(found.whole, 0, 1)


def test_160000_pairs_take_a_bit_each_and_not_a_row_of_a_list() -> None:
    asked = claim(*range(401), neighbours="any")
    tracemalloc.start()
    found = Examination(asked, lambda position: HALF)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.pairs == 160_400
    assert peak < 300_000


def test_a_refutation_takes_laws_that_are_held_and_asks_for_the_others() -> None:
    asked: list[int] = []

    def law_of(position: int) -> Dist:
        asked.append(position)
        return [P, Q][position]

    found = Examination(claim(0, 1, guarantee=PureDP(0)), law_of)
    found.hold(1)
    assert isinstance(found.refute(Witness(0, 1, (name_outcome("c"),))), Refuted)
    assert asked == [1, 0]


def test_what_a_program_raises_is_passed_on() -> None:
    def law_of(position: int) -> Dist:
        if position == 2:
            raise Unauditable("it cannot be followed")
        return HALF

    found = Examination(claim(0, 1, 2), law_of)
    with pytest.raises(Unauditable, match="it cannot be followed"):
        for _ in examined(found):
            pass
    assert left(found) == [(1, 2), (2, 1)]
    assert "not every pair" in reason(found.verdict([HALF.digest()] * 3))


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_the_order_of_inputs_does_not_change_a_verdict(order: tuple[int, ...], examine: Examine) -> None:
    laws = [HALF, THIRD, Dist.bernoulli("1/6")]
    found = examine(claim(*order, guarantee=PureDP("ln(2)")), [laws[i] for i in order])
    assert isinstance(found.verdict(digests(found)), Verified)
    tight = answers(claim(*order, guarantee=PureDP("ln(199/100)")), [laws[i] for i in order], False)
    assert [(order[a], order[b]) for a, b in tight] == [(1, 2)]
