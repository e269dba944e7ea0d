"""Hulls of enclosed pairs, their maxima, groups and rho hold the exact ones, at a few bits and point by point."""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, product
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert import Dist, Epsilon, InputError
from dpcert.audit import between, curves, enclosure, hull, recurrence, renyi
from dpcert.audit import profile as profiles
from dpcert.audit.curves import group, maximum
from dpcert.audit.enclosure import EnclosedProfile, RefinedProfile, enclosed_profile
from dpcert.audit.hull import Hull, greatest, sides
from dpcert.audit.profile import Profile, profile
from dpcert.audit.recurrence import EnclosedLaw, binomial
from dpcert.audit.renyi import zcdp
from dpcert.mechanisms.finite_computers.geosample import geosample_law

from .enclosures import law

FULL = SimpleNamespace(
    profile=profiles, recurrence=recurrence, enclosure=enclosure, hull=hull, curves=curves, renyi=renyi, between=between
)
Pairs = list[tuple[Dist, Dist, Profile]]

weights = st.lists(st.integers(0, 10**40) | st.integers(0, 9), min_size=2, max_size=6).filter(sum)
small = st.lists(st.integers(0, 9), min_size=3, max_size=4).filter(sum)


def enclosed(build: SimpleNamespace, p: Dist, q: Dist) -> EnclosedProfile:
    of = build.recurrence.EnclosedLaw.of
    return build.enclosure.enclosed_profile(of(p), of(q))


def points(exact: Profile, ratios: list[Fraction]) -> list[Fraction]:
    """Return the ratios at which curves are compared: below 1 too, at those of the pair, and next to them."""
    return [
        *(1 / ratio for ratio in ratios),
        *ratios,
        *exact.ratios,
        *(ratio * Fraction(41, 40) for ratio in exact.ratios),
    ]


def holds(lower: Profile, upper: Profile, exact: Profile, ratios: list[Fraction]) -> None:
    for ratio in points(exact, ratios):
        assert lower.delta(ratio) <= exact.delta(ratio) <= upper.delta(ratio)
    for side in (lower, upper):
        assert side.delta(0) == 1
        assert side.p_only + sum(side.p_weights) == side.p_denominator
        assert side.q_only + sum(side.q_weights) == side.q_denominator
        assert side.q_only >= 0


def holds_sides(build: SimpleNamespace, pairs: Pairs, ratios: list[Fraction]) -> None:
    """Two profiles bound an enclosed pair's, and an exact one that is rounded."""
    for p, q, exact in pairs:
        holds(*build.hull.sides(enclosed(build, p, q)), exact, ratios)
        whole = build.hull.Hull.of(build.profile.profile(p, q))
        for bits in (3, 9, 40):
            lower, upper = (whole.rounded(bits, up=up).profile() for up in (False, True))
            holds(lower, upper, exact, ratios)


def holds_tails(build: SimpleNamespace, ratios: list[Fraction]) -> None:
    """What is not listed may be anywhere, at an outcome that the other law alone has, or at one that neither lists."""
    listed = Dist.from_weights([(0, 50), (1, 30), (2, 11)], 100), Dist.from_weights([(0, 40), (1, 45), (3, 8)], 100)
    lower, upper = build.hull.sides(enclosed(build, *listed))
    for p_at in range(5):
        for q_at in range(5):
            p = Dist.from_weights([*((x, w) for _, x, w in listed[0].weights()), (p_at, 9)], 100)
            q = Dist.from_weights([*((x, w) for _, x, w in listed[1].weights()), (q_at, 7)], 100)
            holds(lower, upper, profile(p, q), ratios)


def holds_maximum(build: SimpleNamespace, pairs: Pairs, ratios: list[Fraction]) -> None:
    """The maximum of pairs of all kinds is bounded on both sides, in whichever order they come."""
    chosen = [pairs[i] for i in (0, 1, 3, 7)]
    kinds = [
        build.profile.profile(*chosen[0][:2]),
        enclosed(build, *chosen[1][:2]),
        build.profile.profile(*chosen[2][:2]),
        build.between.Between(*build.hull.sides(enclosed(build, *chosen[3][:2]))),
    ]
    for order in ((0, 1, 2, 3), (3, 1, 0, 2)):
        found = build.curves.maximum(kinds[i] for i in order)
        for ratio in {ratio for _, _, exact in chosen for ratio in points(exact, ratios)}:
            greatest = max(exact.delta(ratio) for _, _, exact in chosen)
            assert found.lower.delta(ratio) <= greatest <= found.upper.delta(ratio)
    for p, q, exact in chosen:
        found = build.curves.maximum([enclosed(build, p, p), build.profile.profile(p, q)])
        holds(found.lower, found.upper, exact, ratios)


def holds_group(build: SimpleNamespace, pairs: Pairs, ratios: list[Fraction]) -> None:
    """Groups of an enclosed pair's neighbours are bounded by those of profiles on both sides of it."""
    for p, q, exact in (pairs[i] for i in (0, 1, 4)):
        expected = group(exact, 3)
        assert isinstance(expected, Profile)
        twice = build.between.Between(build.profile.profile(p, q), build.profile.profile(p, q))
        for pair in (enclosed(build, p, q), twice):
            found = build.curves.group(pair, 3)
            holds(found.lower, found.upper, expected, ratios)
        assert build.curves.group(enclosed(build, p, q), 1).upper.delta(1) >= exact.delta(1)


def holds_zcdp(build: SimpleNamespace, pairs: Pairs) -> None:
    """rho of an enclosed pair is bounded on both sides; it is infinite only where that of the upper profile is."""
    for p, q, exact in (pairs[i] for i in (0, 1, 4)):
        found, true = build.renyi.zcdp(enclosed(build, p, q), precision=Fraction(1, 1000)), zcdp(exact)
        assert found.method == "enclosed"
        if true.hi is None:
            assert found.hi is None
        else:
            assert found.lo is not None
            assert found.lo <= true.hi
            assert found.hi is None or (true.lo is not None and true.lo <= found.hi)
    private, leaking = (build.profile.profile(*pairs[i][:2]) for i in (0, 4))
    found = build.renyi.zcdp(build.between.Between(private, leaking))
    assert (found.lo, found.hi) == (build.renyi.zcdp(private).lo, build.renyi.zcdp(leaking).hi)


def battery(build: SimpleNamespace, pairs: Pairs, ratios: list[Fraction]) -> None:
    holds_sides(build, pairs, ratios)
    holds_tails(build, ratios)
    holds_maximum(build, pairs, ratios)
    holds_group(build, pairs, ratios)
    holds_zcdp(build, pairs)


def test_twin_at_full_precision(pairs: Pairs, ratios: list[Fraction]) -> None:
    battery(FULL, pairs, ratios)


def test_twin_at_a_few_bits(build: Callable[..., SimpleNamespace], pairs: Pairs, ratios: list[Fraction]) -> None:
    battery(build(), pairs, ratios)


FAULTS = {
    "from below, p rounded up": ("hull", "low_p + p[0], low_q", "low_p + p[1], low_q"),
    "from below, q rounded down": ("hull", "low_q + q[1]", "low_q + q[0]"),
    "from below, what p alone has rounded up": ("hull", "= only[0], rest[1]", "= only[1], rest[1]"),
    "from below, no tail of q": ("hull", "only[0], rest[1], only[1]", "only[0], 0, only[1]"),
    "from above, p rounded down": ("hull", "rows.append((p[1], q[0]))", "rows.append((p[0] or 1, q[0]))"),
    "from above, q rounded up": ("hull", "rows.append((p[1], q[0]))", "rows.append((p[1], q[1]))"),
    "from above, what p alone has rounded down": ("hull", "only[1] + rest[0]\n", "only[0] + rest[0]\n"),
    "from above, no tail of p": ("hull", "only[1] + rest[0]\n", "only[1]\n"),
    "from above, outcomes whose q rounds to 0 left out": ("hull", "high_p += p[1]", "high_p += 0"),
    "from above, outcomes in any order": ("hull", "_descending(rows):", "reversed(rows):"),
    "from above, ratios rounded up": ("hull", "b[0] * a[1] - a[0] * b[1]", "a[0] * b[1] - b[0] * a[1]"),
    "tails rounded down": ("hull", "return -((-x.numerator << places) // x.denominator)", "return 0"),
    "a rounded hull, up, q rounded up": ("hull", "((x << bits) // q, -((", "(-((-x << bits) // q), -(("),
    "a rounded hull, up, p rounded down": ("hull", "-((-y << bits) // p), tag)", "(y << bits) // p, tag)"),
    "a rounded hull, down, q rounded down": ("hull", "[(-((-x << bits) // q), (y", "[((x << bits) // q, (y"),
    "a rounded hull, down, p rounded up": ("hull", "q), (y << bits) // p, tag)", "q), -((-y << bits) // p), tag)"),
    "a hull without its turns": (
        "hull",
        "                    break\n                found.pop()",
        "                    found.pop()\n                break",
    ),
    "a maximum rounded down": ("hull", "hulls[1].rounded(FIXED, up=True)", "hulls[1].rounded(FIXED, up=False)"),
    "a maximum rounded up": ("hull", "hulls[0].rounded(FIXED, up=False)", "hulls[0].rounded(FIXED, up=True)"),
    "a group rounded down": (
        "curves",
        "a // x.denominator, -(-b // y.denominator), 0",
        "a // x.denominator, b // y.denominator, 0",
    ),
    "a group's levels rounded up": ("curves", "(a // x.denominator, -(-b", "(-(-a // x.denominator), -(-b"),
    "a group rounded up": (
        "curves",
        "x.denominator), b // y.denominator, 0",
        "x.denominator), -(-b // y.denominator), 0",
    ),
    "a group's levels rounded down": ("curves", "(-(-a // x.denominator), b //", "(a // x.denominator, b //"),
    "rho from the wrong sides": ("renyi", "for side in sides(pair))", "for side in sides(pair)[::-1])"),
}


@pytest.mark.points(2)
@pytest.mark.parametrize("fault", FAULTS)
def test_caught_a_rounding_to_the_wrong_side(
    build: Callable[..., SimpleNamespace], pairs: Pairs, ratios: list[Fraction], fault: str
) -> None:
    with pytest.raises(AssertionError):
        battery(build(FAULTS[fault]), pairs, ratios)


@pytest.mark.nightly
@given(weights, weights, st.fractions(1, 5, max_denominator=50), st.fractions(0, 1, max_denominator=12))
def test_twin_of_any_two_laws_and_narrow(a: list[int], b: list[int], ratio: Fraction, delta: Fraction) -> None:
    exact = profile(law(a), law(b))
    found = maximum([enclosed_profile(EnclosedLaw.of(law(a)), EnclosedLaw.of(law(b)))])
    assert isinstance(found, between.Between)
    assert found.lower.delta(ratio) <= exact.delta(ratio) <= found.upper.delta(ratio)
    assert found.upper.delta(ratio) - found.lower.delta(ratio) <= Fraction(1, 2**150)
    answer, least = found.ratio_at(delta), exact.least_ratio(delta)
    assert answer.method == "enclosed"
    assert answer.hi is None if least is None else answer.lo <= least
    assert answer.hi is None or (least is not None and least <= answer.hi)


@pytest.mark.nightly
@given(small, small, small, small, st.fractions(0, 40, max_denominator=12))
def test_the_greatest_of_exact_pairs_is_exact_and_says_whose_it_is(
    a: list[int], b: list[int], c: list[int], d: list[int], ratio: Fraction
) -> None:
    each = [profile(law(a), law(b)), profile(law(c), law(d)), profile(law(b), law(a))]
    found = greatest(zip(each, range(3), strict=True))
    assert found[0] is found[1]
    deltas = [one.delta(ratio) for one in each]
    assert found[0].profile().delta(ratio) == max(deltas)
    if ratio >= 1:
        whose = found[0].whose(ratio)
        assert deltas[whose] == max(deltas)
        if not max(deltas):
            assert max(each[whose].ratios) == max(max(one.ratios) for one in each)


def test_the_greatest_of_none_is_none() -> None:
    assert greatest([]) is None


def test_exact_until_it_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    each = [profile(law([3, k, 5, 7]), law([k, 4, 9, 2])) for k in range(1, 9)]
    exact = maximum(each)
    assert isinstance(exact, Profile)
    monkeypatch.setattr(hull, "EXACT_BITS", 60)
    found = maximum(each)
    assert isinstance(found, between.Between)
    holds(found.lower, found.upper, exact, [Fraction(n, 8) for n in range(8, 40)])
    monkeypatch.setattr(curves, "EXACT_BITS", 60)
    both, expected = group(each[0], 4), Hull.of(each[0])
    assert isinstance(both, between.Between)
    monkeypatch.undo()
    once = group(expected.profile(), 4)
    assert isinstance(once, Profile)
    holds(both.lower, both.upper, once, [Fraction(n, 8) for n in range(8, 40)])


def test_binomial_pairs_between_narrow_bounds() -> None:
    p, q = binomial(30_000, "1/10"), binomial(29_999, "1/10")
    ordered = [RefinedProfile(p, q), RefinedProfile(q, p)]
    found = maximum(ordered)
    for epsilon in ("1/1000", "1/50", "1/20"):
        answer, each = found.delta_at(Epsilon.of(epsilon)), [one.delta_at(Epsilon.of(epsilon)) for one in ordered]
        assert max(one.lo for one in each) <= answer.hi
        assert answer.lo <= max(one.hi for one in each)
        assert answer.hi <= answer.lo * (1 + Fraction(1, 2**100))


@pytest.mark.nightly
def test_rho_of_whole_laws_is_finite_and_narrow() -> None:
    p, q = binomial(600, "1/10"), binomial(600, "1/9")
    found = zcdp(RefinedProfile(p, q))
    exact = zcdp(profile(p.exact(), q.exact()))
    assert found.lo <= exact.hi
    assert exact.lo <= found.hi <= found.lo * Fraction(257, 256)


def test_sides_of_an_exact_pair_are_itself() -> None:
    one = profile(law([1, 2]), law([2, 1]))
    assert sides(one) == (one, one)
    for (x, y, _), (u, v, _) in pairwise(Hull.of(one).points):
        assert x <= u
        assert y <= v


few = st.lists(st.integers(0, 9), min_size=3, max_size=4).filter(sum)
positive = st.lists(st.integers(1, 9), min_size=3, max_size=3)
ratios = st.fractions(0, 40, max_denominator=12)


def power(one: Profile, level: Fraction) -> Fraction:
    """The greatest probability under p of a randomized event of this probability under q."""
    total = one.infinite
    for ratio, weight in one.rows():
        total += ratio * min(level, weight)
        level -= min(level, weight)
    return total


@pytest.mark.nightly
@given(few, few, st.integers(1, 4))
def test_twin_a_group_is_the_power_function_repeated(a: list[int], b: list[int], size: int) -> None:
    one = profile(law(a), law(b))
    found = group(one, size)
    for level in (Fraction(k, 24) for k in range(25)):
        expected = level
        for _ in range(size):
            expected = power(one, expected)
        assert power(found, level) == expected


@given(few, few, few, few, ratios)
def test_twin_a_group_bounds_the_first_law_against_the_last(
    a: list[int], b: list[int], c: list[int], d: list[int], ratio: Fraction
) -> None:
    laws = [law(each) for each in (a, b, c, d)]
    each = maximum(profile(p, q) for p, q in pairwise(laws))
    assert profile(laws[0], laws[-1]).delta(ratio) <= group(each, 3).delta(ratio)


def test_a_group_of_a_pure_mechanism_has_the_ratio_to_its_size() -> None:
    laws = [geosample_law(n=6, k=2)(count) for count in range(7)]
    each = maximum(profile(p, q) for p, q in [*pairwise(laws), *pairwise(laws[::-1])])
    assert each.least_ratio(0) == Fraction(5, 4)
    for size in range(1, 7):
        found = group(each, size)
        assert found.least_ratio(0) == Fraction(5, 4) ** size
        for i, j in product(range(7), repeat=2):
            if abs(i - j) == size:
                assert profile(laws[i], laws[j]).delta(Fraction(6, 5)) <= found.delta(Fraction(6, 5))


@given(st.lists(st.tuples(few, few), min_size=1, max_size=4), ratios)
def test_twin_the_maximum_at_every_ratio(columns: list[tuple[list[int], list[int]]], ratio: Fraction) -> None:
    each = [profile(law(a), law(b)) for a, b in columns]
    found = maximum(each)
    for at in {ratio, *(x for one in each for x, _ in one.breakpoints()), *found.ratios, Fraction(0), Fraction(99)}:
        assert found.delta(at) == max(one.delta(at) for one in each)
    assert found.infinite + sum((x * w for x, w in found.rows()), Fraction(0)) == 1


@given(positive, positive)
def test_the_maximum_of_one_is_itself(a: list[int], b: list[int]) -> None:
    one = profile(law(a), law(b))
    assert maximum([one]) == maximum([one, one]) == group(one, 1) == one


def test_laws_without_a_common_outcome() -> None:
    one = profile(law([1, 0]), law([0, 1]))
    assert (group(one, 3).infinite, maximum([one, one]).infinite) == (1, 1)


def test_refused_groups_and_claims_without_pairs() -> None:
    one = profile(law([1, 2]), law([2, 1]))
    for size in (0, True, Fraction(2)):
        with pytest.raises(InputError, match="group"):
            group(one, size)
    with pytest.raises(InputError, match="profiles"):
        maximum([])
