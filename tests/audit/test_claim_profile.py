"""Profiles of whole claims, against every pair by itself, and against laws whose tails are put everywhere."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert import Answer, ApproxDP, ClaimProfile, Dist, Epsilon, InputError, PureDP, Unauditable
from dpcert.audit import claim_profile
from dpcert.audit.accounting import basic
from dpcert.audit.claim_profile import curve_of, profile_of
from dpcert.audit.curves import group, maximum
from dpcert.audit.enclosure import EnclosedProfile
from dpcert.audit.kernel.check import claim_of
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.audit.profile import Profile, profile
from dpcert.audit.renyi import zcdp
from dpcert.audit.subject import Subject

columns = st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(sum), min_size=2, max_size=4)


def law(values: list[int], *, tail: int = 0) -> Dist:
    return Dist.from_weights(enumerate(values), sum(values) + tail)


def subject_of(laws: list[Dist], neighbours: str = "any") -> Subject:
    return Subject(
        "table",
        lambda value, coins: value,
        tuple(range(len(laws))),
        RELATIONS[neighbours],
        law_source="closed-form",
        closed_form=lambda value: laws[value],
    )


def profiled(laws: list[Dist], neighbours: str = "any") -> ClaimProfile:
    subject = subject_of(laws, neighbours)
    return profile_of(subject, claim_of(subject, PureDP(0)))


@given(columns, st.fractions(1, 12, max_denominator=12), st.fractions(0, 1, max_denominator=12))
def test_twin_every_ordered_pair_by_itself(values: list[list[int]], ratio: Fraction, delta: Fraction) -> None:
    laws = [law(column) for column in values]
    found, epsilon = profiled(laws), Epsilon.ln(ratio)
    each = {(a, b): profile(laws[a], laws[b]) for a, b in permutations(range(len(laws)), 2)}
    greatest = max(pair.delta(ratio) for pair in each.values())
    assert found.delta_at(epsilon) == Answer(greatest, greatest, "exact")
    assert each[found.worst_at(epsilon)].delta(ratio) == greatest
    needed = [pair.least_ratio(delta) for pair in each.values()]
    assert found.ratio_at(delta).hi == (None if None in needed else max(r for r in needed if r is not None))
    assert (found.method, found.tail, sorted(found.pairs)) == ("exact", 0, sorted(each))
    for at, height in found.breakpoints():
        assert height == max(pair.delta(at) for pair in each.values())
    for level, missed in found.trade_off():
        assert found.missed_at(level) == Answer(missed, missed, "exact")
    whole = maximum(each.values())
    assert isinstance(whole, Profile)
    assert found.sides == (whole, whole)
    assert found.group(2) == group(whole, 2)
    assert found.zcdp() == zcdp(whole)
    assert found.compose(3).delta_at(epsilon) == whole.power(3).delta_at(epsilon)


@given(columns, st.integers(1, 4), st.fractions(1, 12, max_denominator=12), st.data())
def test_tails_may_lie_anywhere(values: list[list[int]], tail: int, ratio: Fraction, data: st.DataObject) -> None:
    found, epsilon = profiled([law(column, tail=tail) for column in values]), Epsilon.ln(ratio)
    assert found.method == "enclosed"
    assert found.tail == max(Fraction(tail, sum(column) + tail) for column in values)
    for _ in range(4):
        places = [data.draw(st.integers(0, 4)) for _ in values]
        whole = [
            Dist.from_weights([*enumerate(column), (at, tail)], sum(column) + tail)
            for column, at in zip(values, places, strict=True)
        ]
        true, answer = profiled(whole), found.delta_at(epsilon)
        exact = true.delta_at(epsilon).lo
        assert answer.lo <= exact <= answer.hi
        least, bounds = true.ratio_at("1/3"), found.ratio_at("1/3")
        assert least.hi is None or (bounds.lo is not None and bounds.lo <= least.hi)
        assert bounds.hi is None or (least.hi is not None and least.hi <= bounds.hi)
        missed, error = found.missed_at("1/4"), true.missed_at("1/4").lo
        assert missed.lo <= error <= missed.hi


def test_tails_keep_composition_group_and_rho_between_bounds() -> None:
    values = [[30, 20, 9], [21, 30, 10]]
    cut, whole = (
        profiled([law(column, tail=1) for column in values]),
        profiled([law([*column, 1]) for column in values]),
    )
    epsilon = Epsilon.of("2")
    for one, two in (
        (cut.compose(5).delta_at(epsilon), whole.compose(5).delta_at(epsilon)),
        (cut.group(2).delta_at(epsilon), whole.group(2).delta_at(epsilon)),
    ):
        assert one.method == "enclosed"
        assert one.lo <= two.hi
        assert two.lo <= one.hi
    rho = cut.zcdp()
    assert rho.hi is None  # the tail may be an outcome that the other law never has
    assert rho.lo is not None


def test_too_long_to_be_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    values = [[3, 4, 5, 6], [4, 5, 3, 6], [5, 5, 5, 3]]
    exact = profiled([law(column) for column in values])
    monkeypatch.setattr(claim_profile, "EXACT_BITS", 20)
    assert isinstance(curve_of(law(values[0]), law(values[1])), EnclosedProfile)
    found = profiled([law(column) for column in values])
    assert (exact.method, found.method) == ("exact", "enclosed")
    for epsilon in ("0", "1/10", "1/5", "1/2"):
        true, answer = exact.delta_at(epsilon), found.delta_at(epsilon)
        assert answer.lo <= true.hi
        assert true.lo <= answer.hi <= answer.lo + Fraction(1, 2**120)
    assert found.worst_at("1/10") == exact.worst_at("1/10")


def test_each_law_is_asked_for_once_and_few_are_held(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    subject = subject_of([law([k + 1, 9 - k]) for k in range(9)], "counts_differ_by_one")

    def law_of(value: Any) -> Dist:
        asked.append(value)
        return law([value + 1, 9 - value])

    subject = replace(subject, closed_form=law_of)
    found = profile_of(subject, claim_of(subject, PureDP(0)))
    assert sorted(asked) == list(range(9))
    assert found.worst_at(0) in [(k, k + 1) for k in range(9)] + [(k + 1, k) for k in range(9)]
    assert repr(found) == "<profile of table, exact, 16 pairs>"


def test_the_worst_pair_is_that_of_the_greatest_ratio_where_delta_is_0() -> None:
    found = profiled([law([1, 1]), law([1, 2]), law([2, 9])])
    assert found.delta_at("5").hi == 0
    assert found.worst_at("5") == found.worst_at("1e9") == (0, 2)
    assert found.ratio_at(0).hi == Fraction(11, 4)
    same = profiled([law([1, 1]), law([1, 1])])
    assert (same.worst_at(0), same.worst_at(3)) == ((0, 1), (0, 1))


def test_least_epsilon_is_the_logarithm_of_the_ratio_within_bounds() -> None:
    found = profiled([law([1, 3]), law([3, 1])]).epsilon_at(0)
    assert Fraction("1.0986122886681096") < found.lo <= found.hi < Fraction("1.0986122886681098")
    endless = profiled([law([1, 0]), law([0, 1])])
    assert endless.epsilon_at(0).hi is None
    assert endless.epsilon_at(1) == Answer(Fraction(0), Fraction(0), "exact")


def test_composition_with_other_claims_and_below_the_basic_bound() -> None:
    one, two = profiled([law([1, 3]), law([3, 1])]), profiled([law([2, 3]), law([3, 2])])
    found = one.compose(2, (two, 3))
    total, _ = basic([(Epsilon.ln(3), Fraction(0), 2), (Epsilon.ln("3/2"), Fraction(0), 3)])
    assert found.delta_at(total).hi == 0
    assert isinstance(found, Profile)
    for wrong in (0, -1, True, Fraction(2)):
        with pytest.raises(InputError, match="uses"):
            one.compose(wrong)
        with pytest.raises(InputError, match="uses"):
            one.compose(1, (two, wrong))


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda found: found.delta_at(0.1), "A float is not the number"),
        (lambda found: found.delta_at("-1"), "at least 0"),
        (lambda found: found.ratio_at(0.1), "A float is not the number"),
        (lambda found: found.ratio_at("2"), r"a number in \[0, 1\]"),
        (lambda found: found.missed_at("-1/2"), r"a number in \[0, 1\]"),
        (lambda found: found.group(0), "a group of 0"),
        (lambda found: found.breakpoints(), "breakpoints of a profile known between bounds"),
        (lambda found: found.trade_off(), "trade-off curve of a profile known between bounds"),
    ],
)
def test_refused_questions(ask: Callable[[ClaimProfile], object], words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        ask(profiled([law([1, 3], tail=1), law([3, 1], tail=1)]))
    assert "\n" not in str(caught.value)


def test_refused_claims_without_pairs_and_malformed_laws() -> None:
    with pytest.raises(InputError, match="two inputs that are"):
        profiled([law([1, 1])])
    subject = subject_of([law([1, 1]), law([1, 2])])
    subject = replace(subject, closed_form=lambda value: Dist({(int, 0): (0, 1)}, 3, 1))
    with pytest.raises(Unauditable, match="malformed law"):
        profile_of(subject, claim_of(subject, ApproxDP(0, "1/2")))


def test_laws_without_a_common_outcome_and_claims_of_thousands_of_bits() -> None:
    far = profiled([law([1, 0]), law([0, 1])])
    assert far.delta_at("1e9").lo == 1
    assert far.missed_at("1/2").hi == 0
    assert far.worst_at("1e9") == (0, 1)
    deep = profiled([law([1, 1 << 3000]), law([1 << 3000, 1])])
    assert deep.worst_at("2000") in [(0, 1), (1, 0)]
    assert deep.delta_at("2000").lo is not None
