"""Evidence for examine.py: only an event that violates the claim refutes it."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, combinations
from typing import Any

import pytest
from given_laws import examination
from hypothesis import assume, given
from hypothesis import strategies as st

from dpcert import ApproxDP, Dist, Epsilon, PureDP, Refuted
from dpcert.audit.kernel.examine import Witness, name_outcome

from .claims import P, Q, claim


def refute(p: Dist, q: Dist, event: Sequence[Any], guarantee: ApproxDP, a: int = 0, b: int = 1) -> Refuted | None:
    """The refutation by an event, given as outcomes, of a claim on the inputs 0, 1 and 5."""
    return refuted_by(tuple(map(name_outcome, event)), p, q, guarantee, a, b)


def refuted_by(event: tuple[str, ...], p: Dist, q: Dist, guarantee: ApproxDP, a: int = 0, b: int = 1) -> Refuted | None:
    """The refutation by an event, given by the names of its outcomes; None where it says that there is none."""
    asked: list[int] = []

    def law_of(position: int) -> Dist:
        asked.append(position)
        return {a: p, b: q}[position]

    found = examination(claim(0, 1, 5, guarantee=guarantee), law_of).refute(Witness(a, b, event))
    if isinstance(found, Refuted):
        return found
    near = {a, b} == {0, 1}
    assert asked == ([a, b] if near else [])
    words = f"the witness names inputs {a} and {b}, which are no neighbours"
    assert found.reason == ("the witness does not violate the bound" if near else words)
    return None


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
    "event", [(), ("a", "a"), ("c", "a", "c"), ("nothing",), ("a", "nothing"), (b"a",)], ids=lambda event: str(event)
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


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("epsilon", ["1e9", "1e300 + ln(3)", "90000"])
def test_a_huge_epsilon_is_refuted_by_what_q_never_does_and_by_nothing_else(epsilon: str) -> None:
    assert refute(P, Q, ["a"], PureDP(epsilon)) is None
    assert refute(P, Q, ["c"], ApproxDP(epsilon, "1/4")) is None
    assert refute(P, Q, ["c"], ApproxDP(epsilon, "1/5")) is not None
    assert refute(P, Q, ["a", "c"], ApproxDP(epsilon, "1/5")) is None


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
