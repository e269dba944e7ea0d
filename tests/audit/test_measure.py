"""Evidence for measure.py: least epsilon, worst events and smallest events beside a search of all events."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, combinations
from typing import Any

import mpmath
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from dpcert import Dist, Epsilon
from dpcert.audit.kernel.divergence import decide_pair, hockey_stick
from dpcert.audit.measure import (
    aligned,
    greatest_ratio,
    least_ratio_bounds,
    rounded_ratio,
    violating_event,
    worst_event,
)
from dpcert.mechanisms.exact.outcome import key

OUTCOMES = (0, 1, True, 2)
ZERO, ONE = Fraction(0), Fraction(1)


@st.composite
def laws(draw: Any, *, tail: int = 0) -> Dist:
    weights = draw(st.lists(st.integers(0, 6), min_size=len(OUTCOMES), max_size=len(OUTCOMES)))
    rest = draw(st.integers(0, tail))
    assume(sum(weights) + rest > 0)
    return Dist.from_weights(zip(OUTCOMES, weights, strict=True), sum(weights) + rest)


ratios = st.fractions(1, 5, max_denominator=4)
deltas = st.sampled_from([ZERO, Fraction(1, 100), Fraction(1, 7), Fraction(1, 2), ONE])


def events() -> Iterator[tuple[Any, ...]]:
    return chain.from_iterable(combinations(OUTCOMES, size) for size in range(len(OUTCOMES) + 1))


def prob(law: Dist, event: tuple[Any, ...]) -> Fraction:
    return sum((law.prob(outcome) for outcome in event), ZERO)


def names(event: tuple[Any, ...]) -> list[Any]:
    return [key(outcome) for outcome in event]


def least_ratio(p: Dist, q: Dist, delta: Fraction, p_tail: Fraction, q_tail: Fraction) -> Fraction | None:
    """The least E >= 1 with p(S) + p_tail <= E (q(S) + q_tail) + delta for all S; None where none is."""
    found = ONE
    for event in events():
        gap, other = prob(p, event) + p_tail - delta, prob(q, event) + q_tail
        if gap > 0 and other == 0:
            return None
        if gap > 0:
            found = max(found, gap / other)
    return found


@given(laws(tail=3), laws(tail=3))
def test_aligned_laws_keep_their_probabilities(p: Dist, q: Dist) -> None:
    ps, qs, common = aligned(p, q)
    for law, weights in ((p, ps), (q, qs)):
        assert {name: Fraction(weight, common) for name, weight in weights.items()} == {
            key(outcome): probability for outcome, probability in law.items()
        }
        assert common % law.denominator == 0


@given(laws(), laws(), deltas)
def test_exact_twin_of_the_least_ratio_is_the_worst_of_all_events(p: Dist, q: Dist, delta: Fraction) -> None:
    expected = least_ratio(p, q, delta, ZERO, ZERO)
    assert least_ratio_bounds(p, q, delta) == (expected, expected)


@given(laws(tail=4), laws(tail=4), deltas)
@example(Dist.of({0: "1/2"}, tail="1/2"), Dist.of({0: "1/2"}, tail="1/2"), ZERO)
def test_exact_twin_of_its_bounds_with_tails(p: Dist, q: Dist, delta: Fraction) -> None:
    lo, hi = least_ratio_bounds(p, q, delta)
    assert lo == least_ratio(p, q, delta, ZERO, q.tail)
    assert hi == least_ratio(p, q, delta, p.tail, ZERO)


@given(laws(), laws(), deltas, ratios)
def test_a_floor_that_is_enough_is_returned_and_any_other_changes_nothing(
    p: Dist, q: Dist, delta: Fraction, floor: Fraction
) -> None:
    expected = least_ratio(p, q, delta, ZERO, ZERO)
    found = None if expected is None else max(expected, floor)
    assert least_ratio_bounds(p, q, delta, floor) == (found, found)
    assert least_ratio_bounds(p, q, delta, None) == (None, None)


@given(laws(), laws(), deltas)
def test_the_least_ratio_is_within_for_the_kernel_and_nothing_less_is(p: Dist, q: Dist, delta: Fraction) -> None:
    least, _ = least_ratio_bounds(p, q, delta)
    if least is None:
        assert hockey_stick(p, q, Fraction(10**9)) > delta
        return
    assert decide_pair(p, q, Epsilon.ln(least), delta)[0] is True
    if least > 1:
        assert decide_pair(p, q, Epsilon.ln(max(ONE, least - Fraction(1, 10**50))), delta)[0] is False


@given(laws(tail=3), laws(tail=3))
def test_exact_twin_of_the_greatest_ratio(p: Dist, q: Dist) -> None:
    found, at = greatest_ratio(p, q)
    unbounded = [outcome for outcome in p.outcomes() if q.prob(outcome) == 0]
    by_outcome = {key(o): p.prob(o) / q.prob(o) for o in p.outcomes() if q.prob(o) > 0}
    if unbounded:
        assert found is None
        assert at in names(tuple(unbounded))
        return
    assert found == max([ONE, *by_outcome.values()])
    if at is not None:
        assert by_outcome[at] == found
    else:
        assert all(ratio < 1 for ratio in by_outcome.values())


@given(st.fractions(1) | st.builds(Fraction, st.integers(1 << 300, 1 << 400), st.integers(1, 1 << 300)))
@example(Fraction((1 << 128) - 1))
@example(Fraction(1 << 128))
@example(1 + Fraction(1, 1 << 200))
def test_a_rounded_ratio_encloses_it_closely(ratio: Fraction) -> None:
    lo, hi = rounded_ratio(ratio)
    assert 1 <= lo <= ratio <= hi
    assert hi - lo <= Fraction(1, 1 << 128)
    assert max(lo.denominator, hi.denominator) <= 1 << 128
    if max(ratio.numerator, ratio.denominator) < 1 << 128:
        assert lo == hi


@given(laws(tail=2), laws(tail=2), ratios, deltas)
def test_a_violating_event_is_a_smallest_one(p: Dist, q: Dist, ratio: Fraction, delta: Fraction) -> None:
    violating = [event for event in events() if prob(p, event) > ratio * (prob(q, event) + q.tail) + delta]
    found = violating_event(p, q, Epsilon.ln(ratio), delta)
    if not violating:
        assert found is None
        return
    assert len(found) == len(set(found)) == min(map(len, violating))
    event = tuple(outcome for outcome in OUTCOMES if key(outcome) in found)
    assert event in violating
    gains = [prob(p, other) - ratio * prob(q, other) for other in violating if len(other) == len(event)]
    assert prob(p, event) - ratio * prob(q, event) == max(gains)


def test_of_equal_outcomes_the_smallest_is_chosen() -> None:
    for order in ([5, 3, 4, -1], [-1, 4, 3, 5]):
        p, q = Dist.uniform(order), Dist.point("elsewhere")
        assert violating_event(p, q, Epsilon.ln(2), Fraction(1, 5)) == [key(-1)]
        assert violating_event(p, q, Epsilon.ln(2), Fraction(1, 2)) == names((-1, 3, 4))
        assert worst_event(p, q, Epsilon.ln(2)) == names((-1, 3, 4, 5))


@pytest.mark.parametrize("bits", [20, 100, 300, 3000])
def test_a_violation_that_only_many_digits_of_e_show_has_its_event(bits: int) -> None:
    ratio = Epsilon.of("1").exp_bounds(bits)[1]
    p = Dist.of({0: ratio / (1 + ratio), 1: 1 / (1 + ratio)})
    q = Dist.of({1: ratio / (1 + ratio), 0: 1 / (1 + ratio)})
    assert decide_pair(p, q, Epsilon.of("1"), ZERO)[0] is False
    assert violating_event(p, q, Epsilon.of("1"), ZERO) == [key(0)]


@given(laws(tail=2), laws(tail=2), st.sampled_from(["1/10", "1", "3/2", "2 + ln(3)", "1e9"]), deltas)
def test_a_violating_event_at_a_transcendental_ratio(p: Dist, q: Dist, text: str, delta: Fraction) -> None:
    epsilon = Epsilon.of(text)
    with mpmath.workdps(50):
        ratio = mpmath.exp(min(epsilon.rational.numerator / mpmath.mpf(epsilon.rational.denominator), 10**6))
        ratio *= epsilon.ratio.numerator

        def exceeds(event: tuple[Any, ...]) -> bool:
            gap, other = prob(p, event) - delta, prob(q, event) + q.tail
            return mpmath.mpf(gap.numerator) / gap.denominator > ratio * other.numerator / other.denominator

        sizes = [len(event) for event in events() if exceeds(event)]
    found = violating_event(p, q, epsilon, delta)
    assert (found is None) == (not sizes)
    if found is not None:
        assert len(found) == min(sizes)


@given(laws(tail=2), laws(tail=2), ratios)
def test_the_worst_event_attains_the_least_delta_or_else_the_greatest_ratio(p: Dist, q: Dist, ratio: Fraction) -> None:
    found = worst_event(p, q, Epsilon.ln(ratio))
    event = tuple(outcome for outcome in OUTCOMES if key(outcome) in found)
    excess = hockey_stick(p, q, ratio)
    if excess > 0:
        assert prob(p, event) - ratio * prob(q, event) == excess
        assert all(p.prob(outcome) > ratio * q.prob(outcome) for outcome in event)
        return
    greatest, at = greatest_ratio(p, q)
    assert found == ([] if at is None else [at])
    if found:
        assert prob(p, event) == greatest * prob(q, event)


def test_the_worst_event_beyond_every_ratio_is_what_q_never_does() -> None:
    p, q = Dist.of({0: "1/2", 1: "1/4", 2: "1/4"}), Dist.of({0: "1/8", 3: "7/8"})
    assert worst_event(p, q, Epsilon.of("1e9")) == names((1, 2))
    assert worst_event(q, q, Epsilon.of("1e9")) == [key(0)]
