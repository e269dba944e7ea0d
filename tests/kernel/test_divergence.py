"""Evidence for divergence.py: all events, all vertices of the tails, mpmath for e^epsilon, exact edges."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import chain, combinations, pairwise
from typing import Any

import mpmath
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from dpcert import Dist, Epsilon
from dpcert.audit.kernel import divergence
from dpcert.audit.kernel.decision import refutes, refutes_always, verifies
from dpcert.audit.kernel.divergence import (
    PRECISIONS,
    Table,
    decide,
    decide_pair,
    event_bounds,
    hockey_stick,
    ratio_bounds,
)
from dpcert.mechanisms.exact.outcome import key

OUTCOMES = (1, True, 1.0, "1")
NEW = ("nowhere else", 1), ("nowhere else", 2)
ZERO = Fraction(0)
TINY = Fraction(1, 1 << 400)


@st.composite
def laws(draw: Any, *, tail: int = 0) -> Dist:
    weights = draw(st.lists(st.integers(0, 6), min_size=len(OUTCOMES), max_size=len(OUTCOMES)))
    rest = draw(st.integers(0, tail))
    assume(sum(weights) + rest > 0)
    return Dist.from_weights(zip(OUTCOMES, weights, strict=True), sum(weights) + rest)


ratios = st.fractions(1, 5, max_denominator=4)


def events(outcomes: tuple[Any, ...] = OUTCOMES) -> Iterator[tuple[Any, ...]]:
    return chain.from_iterable(combinations(outcomes, size) for size in range(len(outcomes) + 1))


def prob(law: Dist, event: tuple[Any, ...]) -> Fraction:
    return sum((law.prob(outcome) for outcome in event), ZERO)


def completed(law: Dist, *shares: tuple[Any, Fraction]) -> Dist:
    """The law with its tail laid on outcomes."""
    return Dist.of([*law.items(), *shares])


def by_events(p: Dist, q: Dist, ratio: Fraction) -> Fraction:
    """The greatest p(S) - ratio q(S), over all events of all outcomes."""
    outcomes = (*OUTCOMES, *NEW)
    return max(prob(p, event) - ratio * prob(q, event) for event in events(outcomes))


@given(laws(tail=3), laws(tail=3), ratios)
def test_exact_twin_of_hockey_stick_is_the_worst_of_all_events(p: Dist, q: Dist, ratio: Fraction) -> None:
    assert hockey_stick(p, q, ratio) == by_events(p, q, ratio)


@given(laws(tail=3), laws(tail=3))
def test_exact_twin_of_event_bounds(p: Dist, q: Dist) -> None:
    for event in events():
        names = [key(outcome) for outcome in event]
        assert event_bounds(p, q, names) == (prob(p, event), prob(q, event) + q.tail)


def delta_bounds(p: Dist, q: Dist, below: Fraction, above: Fraction) -> tuple[Fraction, Fraction]:
    return decide(Table.of(p, q), below, above, Fraction(1))[1:]


@given(laws(tail=4), laws(tail=4), ratios)
@example(Dist.of({1: "1/2"}, tail="1/2"), Dist.of({1: "1/4"}, tail="3/4"), Fraction(1))
def test_delta_bounds_hold_wherever_the_tails_lie_and_hi_is_met(p: Dist, q: Dist, ratio: Fraction) -> None:
    lo, hi = delta_bounds(p, q, ratio, ratio)
    found = [
        hockey_stick(completed(p, (at_p, p.tail)), completed(q, (at_q, q.tail)), ratio)
        for at_p in (*OUTCOMES, *NEW)
        for at_q in (*OUTCOMES, *NEW)
    ]
    assert 0 <= lo <= min(found)
    assert max(found) == hi <= 1


@given(laws(), laws(tail=6), ratios)
def test_delta_lo_is_met_where_the_tail_of_q_covers_the_excess(p: Dist, q: Dist, ratio: Fraction) -> None:
    rest, shares = q.tail, []
    for outcome in OUTCOMES:
        share = min(rest, max(ZERO, p.prob(outcome) / ratio - q.prob(outcome)))
        rest -= share
        shares.append((outcome, share))
    worst = completed(q, *shares, (NEW[0], rest))
    assert delta_bounds(p, q, ratio, ratio)[0] == hockey_stick(p, worst, ratio)


@given(laws(tail=3), laws(tail=3), ratios, ratios)
def test_delta_bounds_hold_for_every_ratio_between(p: Dist, q: Dist, one: Fraction, two: Fraction) -> None:
    below, above = sorted((one, two))
    lo, hi = delta_bounds(p, q, below, above)
    for ratio in (below, (below + above) / 2, above):
        exact_lo, exact_hi = delta_bounds(p, q, ratio, ratio)
        assert lo <= exact_lo <= exact_hi <= hi


@given(laws(tail=3), laws(tail=3), st.permutations(range(len(OUTCOMES) + 3)))
def test_exact_twin_a_table_holds_each_outcome_once_whatever_its_name(p: Dist, q: Dist, order: list[int]) -> None:
    table = Table.of(p, q)
    both = [outcome for outcome in OUTCOMES if p.prob(outcome) or q.prob(outcome)]
    rows = [(p.prob(outcome) * table.g * table.m, q.prob(outcome) * table.g * table.n) for outcome in both]
    assert sorted(table.rows()) == sorted(rows)
    assert (table.g * table.m, table.g * table.n) == (p.denominator, q.denominator)
    assert (table.p_tail, table.q_tail) == (p.tail_weight, q.tail_weight)
    names = {key(outcome): order[place] for place, outcome in enumerate(OUTCOMES)}
    renamed = [law.map(lambda outcome: names[key(outcome)]) for law in (p, q)]
    assert Table.of(*renamed) == table


def test_tables_differ_in_rows_their_number_their_order_and_what_no_row_has() -> None:
    half, third = Dist.of({0: "1/2", 1: "1/2"}), Dist.of({0: "1/3", 1: "2/3"})
    other = Dist.from_weights([(0, 2), (1, 1)], 4)
    laws = (half, third, other, Dist.from_weights([(0, 1), (1, 1)], 3), Dist.uniform(4), Dist.from_weights([(0, 1)], 2))
    tables = [Table.of(p, q) for p in laws for q in laws if p is not q]
    assert len({*tables}) == len(tables)


@given(laws(tail=4), laws(tail=4), ratios)
def test_edges_at_a_rational_ratio(p: Dist, q: Dist, ratio: Fraction) -> None:
    epsilon, excess = Epsilon.ln(ratio), by_events(p, q, ratio)
    lo, hi = max(ZERO, excess - ratio * q.tail), excess + p.tail

    def answer(delta: Fraction) -> bool | None:
        within, found_lo, found_hi = decide_pair(p, q, epsilon, delta)
        assert (found_lo, found_hi) == (lo, hi)
        return within

    assert answer(hi) is True
    assert answer(hi + TINY) is True
    if hi > lo:
        assert answer(hi - TINY) is None
        assert answer(lo) is None
    if lo > 0:
        assert answer(lo - TINY) is False


def test_equality_at_the_bound_is_within_and_one_unit_beyond_is_not() -> None:
    unit = 10**50
    p = Dist.from_weights([(0, 3 * unit), (1, unit)], 4 * unit)
    q = Dist.from_weights([(0, unit), (1, 3 * unit)], 4 * unit)
    more = Dist.from_weights([(0, 3 * unit + 1), (1, unit - 1)], 4 * unit)
    assert decide_pair(p, q, Epsilon.ln(3), ZERO) == (True, 0, 0)
    assert decide_pair(more, q, Epsilon.ln(3), ZERO)[0] is False
    assert decide_pair(more, q, Epsilon.ln(3), Fraction(1, 4 * unit))[0] is True
    assert decide_pair(p, q, Epsilon.ln(Fraction(3 * unit, unit)), ZERO)[0] is True
    assert decide_pair(p, q, Epsilon.ln(3 - Fraction(1, unit)), ZERO)[0] is False


@given(laws(tail=3), laws(tail=3), st.sampled_from(["0", "ln(2)", "1/2", "3", "60", "1e9"]))
def test_pure_dp_is_never_within_while_p_has_a_tail(p: Dist, q: Dist, epsilon: str) -> None:
    assume(p.tail > 0)
    assert decide_pair(p, q, Epsilon.of(epsilon), ZERO)[0] is not True


@given(laws(tail=3), laws(tail=3), st.sampled_from(["0", "ln(5)", "1/2", "70", "1e9"]))
def test_delta_1_is_always_within_and_says_no_more_than_1(p: Dist, q: Dist, epsilon: str) -> None:
    within, lo, hi = decide_pair(p, q, Epsilon.of(epsilon), Fraction(1))
    assert within is True
    assert 0 <= lo <= hi <= 1


@pytest.mark.parametrize("epsilon", ["0", "ln(7)", "1/3", "50", "1e9"])
def test_disjoint_supports_need_delta_1(epsilon: str) -> None:
    p, q = Dist.uniform(["a", "b"]), Dist.uniform([1, True, 1.0])
    assert decide_pair(p, q, Epsilon.of(epsilon), 1 - TINY) == (False, 1, 1)
    assert decide_pair(p, q, Epsilon.of(epsilon), Fraction(1)) == (True, 1, 1)


def scaled_excess(p: Dist, q: Dist, epsilon: Epsilon, bits: int) -> int:
    """The hockey-stick divergence at e^epsilon times 2^bits, rounded down, by mpmath."""
    with mpmath.workprec(bits + 60):
        e = mpmath.exp(mpmath.mpf(epsilon.rational.numerator) / epsilon.rational.denominator)
        e = e * epsilon.ratio.numerator / epsilon.ratio.denominator
        excess = mpmath.mpf(0)
        for outcome in OUTCOMES:
            a, b = p.prob(outcome), q.prob(outcome)
            excess += max(mpmath.mpf(a.numerator) / a.denominator - e * b.numerator / b.denominator, 0)
        return int(mpmath.floor(mpmath.ldexp(excess, bits)))


@given(laws(), laws(), st.sampled_from(["1/10", "1/2", "1", "7/5", "1/100 + ln(3/2)"]), st.integers(40, 1000))
def test_mpmath_separates_the_same_deltas(p: Dist, q: Dist, text: str, bits: int) -> None:
    excess, unit = scaled_excess(p, q, Epsilon.of(text), bits), Fraction(1, 1 << bits)
    under, over = (excess - 1) * unit, (excess + 2) * unit
    within, lo, hi = decide_pair(p, q, Epsilon.of(text), over)
    assert within is True
    assert lo <= hi <= over
    if excess > 1:
        within, lo, hi = decide_pair(p, q, Epsilon.of(text), under)
        assert within is False
        assert under < lo <= hi
        assert lo <= over


def test_e_is_told_from_a_rational_near_it_at_any_distance() -> None:
    for bits in (30, 70, 200, 3000):
        lo, hi = Epsilon.of("1").exp_bounds(bits)
        for ratio, expected in ((lo, True), (hi, False)):
            p = Dist.of({0: ratio / (1 + ratio), 1: 1 / (1 + ratio)})
            q = Dist.of({1: ratio / (1 + ratio), 0: 1 / (1 + ratio)})
            assert decide_pair(p, q, Epsilon.of("1"), ZERO)[0] is expected


def test_a_delta_nearer_than_the_last_precision_is_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(divergence, "PRECISIONS", PRECISIONS[:3])
    p, q = Dist.bernoulli("1/2"), Dist.bernoulli("1/8")
    near = Fraction(1, 2) - Epsilon.of("1").exp_bounds(400)[0] / 8
    within, lo, hi = decide_pair(p, q, Epsilon.of("1"), near)
    assert within is None
    assert lo < near < hi < lo + Fraction(1, 1 << 256)
    assert decide_pair(p, q, Epsilon.of("1"), near + Fraction(1, 1 << 250))[0] is True
    assert decide_pair(p, q, Epsilon.of("1"), near - Fraction(1, 1 << 250))[0] is False


def test_precisions_double_from_64_to_65536_bits() -> None:
    assert PRECISIONS[0] == 64
    assert PRECISIONS[-1] == 65536
    assert all(b == 2 * a for a, b in pairwise(PRECISIONS))


def test_with_tails_refinement_stops_once_they_alone_leave_it_open(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    exp_bounds = Epsilon.exp_bounds

    def counted(self: Epsilon, bits: int) -> tuple[Fraction, Fraction]:
        asked.append(bits)
        return exp_bounds(self, bits)

    monkeypatch.setattr(Epsilon, "exp_bounds", counted)
    p, q = Dist.of({0: "1/2"}, tail="1/2"), Dist.of({0: "1/4"}, tail="3/4")
    assert decide_pair(p, q, Epsilon.of("1/10"), Fraction(1, 4))[0] is None
    assert asked == [64]
    asked.clear()
    small = Fraction(1, 1 << 90)
    p, q = Dist.of({0: 1 - small}, tail=small), Dist.of({0: "1/4", 1: "3/4"})
    delta = 1 - small - Epsilon.of("1/10").exp_bounds(500)[1] / 4 + small / 2
    asked.clear()
    assert decide_pair(p, q, Epsilon.of("1/10"), delta)[0] is None
    assert asked == [64, 128]


@given(laws(tail=3), laws(tail=3), st.sampled_from(["1/10", "2", "5 + ln(3)", "30"]), st.sampled_from([64, 256]))
def test_ratio_bounds_enclose_or_exceed(p: Dist, q: Dist, text: str, bits: int) -> None:
    epsilon = Epsilon.of(text)
    below, above = ratio_bounds(Table.of(p, q), epsilon, bits)
    with mpmath.workdps(200):
        value = mpmath.exp(mpmath.mpf(epsilon.rational.numerator) / epsilon.rational.denominator)
        value *= epsilon.ratio.numerator
        assert mpmath.mpf(below.numerator) / below.denominator < value
        if above is not None:
            assert value < mpmath.mpf(above.numerator) / above.denominator
            assert (above - below) * 2**bits <= below
            return
    common = [outcome for outcome in OUTCOMES if q.prob(outcome) > 0]
    assert all(p.prob(outcome) < below * q.prob(outcome) for outcome in common)
    assert q.tail == 0 or below * q.tail >= 1


def test_the_shortcut_starts_where_e_to_the_epsilon_reaches_the_ratios() -> None:
    p = Dist.of({0: 1 - Fraction(1, 1 << 30), 1: Fraction(1, 1 << 30)})
    q = Dist.of({0: Fraction(1, 1 << 30), 1: 1 - Fraction(1, 1 << 30)})
    assert ratio_bounds(Table.of(p, q), Epsilon.of("20.79"), 64)[1] is not None
    assert ratio_bounds(Table.of(p, q), Epsilon.of("20.8"), 64) == (1 << 30, None)
    tailed = Dist.of({0: "1/2"}, tail="1/2")
    assert ratio_bounds(Table.of(tailed, tailed), Epsilon.of("1"), 64)[1] is not None
    assert ratio_bounds(Table.of(tailed, tailed), Epsilon.of("3"), 64) == (4, None)


def test_a_tail_beyond_every_ratio_still_counts() -> None:
    tail = Fraction(1, 1 << 100)
    p, q = Dist.of({0: "1/2", 1: "1/2"}), Dist.of({1: 1 - tail}, tail=tail)
    within, lo, hi = decide_pair(p, q, Epsilon.of("40"), Fraction(1, 10))
    assert within is False
    assert Fraction(1, 2) - Fraction(1, 1 << 40) < lo < hi == Fraction(1, 2)
    assert decide_pair(p, q, Epsilon.of("400"), Fraction(1, 10)) == (None, 0, Fraction(1, 2))


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("epsilon", ["1e9", "1e9 + ln(3)", "1e300"])
def test_a_huge_epsilon_is_decided_at_once(epsilon: str, tilted: Callable[..., Dist]) -> None:
    p, q = tilted(1, 10**40), tilted(10**40, 1)
    partly = tilted(3, 0, 2, whole=5)
    huge = Epsilon.of(epsilon)
    assert decide_pair(p, q, huge, ZERO) == (True, 0, 0)
    assert decide_pair(partly, q, huge, Fraction(2, 5)) == (True, Fraction(2, 5), Fraction(2, 5))
    assert decide_pair(partly, q, huge, Fraction(2, 5) - TINY)[0] is False
    assert decide_pair(partly, tilted(1, 1, whole=3), huge, Fraction(1, 5)) == (None, 0, Fraction(2, 5))
    assert decide_pair(tilted(1, 1, whole=3), q, huge, Fraction(1, 5)) == (None, 0, Fraction(1, 3))
    assert decide_pair(tilted(1, 1, whole=3), q, huge, Fraction(1, 3))[0] is True


@pytest.mark.parametrize(("delta", "within"), [("1/8", False), ("1/4", True), ("1/2", True)])
def test_exact_answers_of_the_extracted_functions(delta: str, within: bool) -> None:
    """Rows (3/4, 1/4) and (1/4, 3/4) at e^epsilon = 2: the least delta is 3/4 - 2/4."""
    (c, d), rows = Fraction(delta).as_integer_ratio(), [(3, 1), (1, 3)]
    assert verifies(2, 1, c, d, 4, 1, 1, 0, rows) is within
    assert refutes(2, 1, c, d, 4, 1, 1, 0, rows) is (not within)


@pytest.mark.parametrize(("delta", "beyond"), [("1/8", True), ("1/4", False), ("1/2", False)])
def test_the_mass_that_only_one_law_has_refutes_at_every_epsilon(delta: str, beyond: bool) -> None:
    assert refutes_always(*Fraction(delta).as_integer_ratio(), 4, 1, [(1, 0), (3, 4)]) is beyond
