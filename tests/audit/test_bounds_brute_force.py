"""Certified bounds are held to brute force, and to the smallest cases in which a bound could go wrong."""

from collections.abc import Callable, Sequence
from fractions import Fraction

import mpmath
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpcert import Answer, Dist, Epsilon, InputError
from dpcert.audit import multiplicative
from dpcert.audit.accounting import advanced, basic
from dpcert.audit.composition import Canonical, Pair, _on_one_step, composed
from dpcert.audit.enclosure import Curve, EnclosedProfile, RefinedProfile, enclosed_profile, profile_at_size
from dpcert.audit.grids import Spread
from dpcert.audit.losses import outcomes_of
from dpcert.audit.multiplicative import lattice
from dpcert.audit.profile import Profile, profile
from dpcert.audit.recurrence import EnclosedLaw, RecurrentLaw, binomial, geometric, hypergeometric
from dpcert.mechanisms.logarithm import ln_bounds

ONE = Fraction(1)
Columns = tuple[list[int], list[int]]
Gains = dict[Fraction | None, tuple[Fraction, Fraction]]
"""What p and q give to each ratio p/q; None is the infinite one."""


def law(values: Sequence[int]) -> Dist:
    return Dist.from_weights(enumerate(values), sum(values))


def pair(p: Sequence[int], q: Sequence[int]) -> Profile:
    return profile(law(p), law(q))


def enclosed(p: Sequence[int], q: Sequence[int]) -> EnclosedProfile:
    return enclosed_profile(EnclosedLaw.of(law(p)), EnclosedLaw.of(law(q)))


def gains(parts: Sequence[tuple[Sequence[Fraction], Sequence[Fraction]]]) -> Gains:
    """Return the composition of these pairs of laws, outcome by outcome."""
    whole: Gains = {ONE: (ONE, ONE)}
    for p, q in parts:
        found: Gains = {}
        for ratio, (x, y) in whole.items():
            for a, b in zip(p, q, strict=True):
                if x * a:
                    to = ratio * a / b if ratio is not None and b else None
                    u, v = found.get(to, (Fraction(0), Fraction(0)))
                    found[to] = u + x * a, v + y * b
        whole = found
    return whole


def delta_of(whole: Gains, ratio: Fraction) -> Fraction:
    return sum((x if r is None else max(Fraction(0), x - ratio * y) for r, (x, y) in whole.items()), Fraction(0))


def shares(values: Sequence[int]) -> list[Fraction]:
    return [Fraction(value, sum(values)) for value in values]


def holds(curve: Curve, whole: Gains, ratio: Fraction) -> None:
    """The bounds of delta at a ratio, and of the least ratio at the true delta there, hold the true values."""
    true = delta_of(whole, ratio)
    found = curve.delta_at(Epsilon.ln(ratio))
    assert found.lo <= true <= found.hi
    if found.method == "exact":
        assert found.lo == found.hi
    if delta_of(whole, ONE) > true > delta_of(whole, Fraction(10) ** 400):
        least = curve.ratio_at(true)
        assert least.lo <= ratio
        assert least.hi is None or ratio <= least.hi


def near(whole: Gains) -> list[Fraction]:
    """Return ratios e^epsilon >= 1 where bounds are tight: at finite ratios that occur, next to them, and far off."""
    occur = sorted(ratio for ratio in whole if ratio is not None)
    found = [ratio * (1 + Fraction(side, 10**30)) for ratio in (occur[:1] + occur[-2:]) for side in (-1, 0, 1)]
    return [ONE, *(ratio for ratio in found if ratio >= 1), Fraction(9, 8), Fraction(10) ** 70]


columns = st.integers(1, 4).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 9) | st.integers(0, 10**12), min_size=n, max_size=n).filter(sum)] * 2)
)


@pytest.mark.nightly
@example([([1, 0], [0, 1])], 2, 3)
@example([([3], [5])], 2, 1)
@example([([1, 1, 0], [1, 0, 1]), ([2, 1], [1, 2])], 3, 4)
@given(st.lists(columns, min_size=1, max_size=2), st.integers(1, 3), st.integers(1, 4))
def test_twin_of_compositions_by_brute_force(parts: list[Columns], times: int, grid: int) -> None:
    whole = gains([(shares(p), shares(q)) for p, q in parts for _ in range(times)])
    exact = [(pair(p, q), times) for p, q in parts]
    for ratio in near(whole):
        holds(composed(exact), whole, ratio)
    for given_parts in (exact, [(enclosed(p, q), times) for p, q in parts]):
        on_grid = composed(given_parts, grid=grid)
        for ratio in near(whole):
            lo, hi = on_grid.delta_between(ratio, ratio)
            assert lo <= delta_of(whole, ratio) <= hi


recurrent = st.one_of(
    st.builds(binomial, st.integers(1, 20), st.fractions("1/50", "49/50", max_denominator=50)),
    st.builds(geometric, st.fractions("1/50", "49/50", max_denominator=50), st.integers(1, 20)),
    st.integers(2, 25).flatmap(
        lambda n: st.builds(hypergeometric, st.just(n), st.integers(1, n - 1), st.integers(1, n - 1))
    ),
    st.builds(
        lambda first, n, up, down: RecurrentLaw(
            first, first + n, (((n + first) * up, -up),), ((down - down * first, down),)
        ),
        st.integers(-5, 40),
        st.integers(0, 12),
        st.integers(1, 9),
        st.integers(1, 9),
    ),
)
posts = st.sampled_from([None, lambda k: k % 3, lambda k: max(k, 7), lambda k: -k])


@given(recurrent, recurrent, posts, st.integers(-100, 300))
def test_twin_of_recurrent_laws_wherever_they_lie(
    p: RecurrentLaw, q: RecurrentLaw, post: Callable[[int], int] | None, reach: int
) -> None:
    first, second = (p, q) if post is None else (p.then(post), q.then(post))
    exact = profile(first.exact(), second.exact())
    refined = RefinedProfile(first, second)
    for curve in (refined, refined.enclosed(reach)):
        for ratio in (ONE, Fraction(9, 8), Fraction(10) ** 1300, *exact.ratios[:2]):
            lo, hi = curve.delta_between(ratio, ratio)
            assert lo <= exact.delta(ratio) <= hi
        for delta in (Fraction(0), Fraction(1, 9), exact.infinite, Fraction(1, 10**90)):
            answer, least = curve.ratio_at(delta), exact.least_ratio(delta)
            assert (least is None) if answer.lo is None else (least is None or answer.lo <= least)
            assert answer.hi is None or (least is not None and least <= answer.hi)


def canonical(epsilon: Epsilon, delta: Fraction, side: int) -> tuple[list[Fraction], list[Fraction]]:
    ratio = epsilon.exp_bounds(400)[side]
    high, low = (1 - delta) * ratio / (1 + ratio), (1 - delta) / (1 + ratio)
    return [delta, Fraction(0), high, low], [Fraction(0), delta, low, high]


epsilons = st.sampled_from(["0", "1e-200", "1e-60", "1/3", "1/2", "2", "1 + ln(3/2)", "ln(3)"]).map(Epsilon.of)
deltas = st.sampled_from([Fraction(0), Fraction(1, 10**9), Fraction(1, 3)])
uses = st.lists(st.tuples(epsilons, deltas, st.integers(1, 2)), min_size=1, max_size=3)


@example([(Epsilon.of("1e-200"), Fraction(0), 2)])
@example([(Epsilon.of("1e-200"), Fraction(0), 2), (Epsilon.of("3e-200"), Fraction(0), 1)])
@given(uses)
def test_twin_of_canonical_compositions_and_what_the_theorems_promise(
    spent: list[tuple[Epsilon, Fraction, int]],
) -> None:
    """Different epsilons too: the optimal curve holds the true one, and advanced and basic composition stay above."""
    below, above = (gains([canonical(e, d, side) for e, d, n in spent for _ in range(n)]) for side in (0, 1))
    curve = composed([(Canonical(e, d), n) for e, d, n in spent])
    for ratio in (ONE, Fraction(9, 8), Fraction(4), Fraction(10) ** 20):
        found = curve.delta_at(Epsilon.ln(ratio))
        assert found.lo <= delta_of(above, ratio)
        assert found.hi >= delta_of(below, ratio)
    for slack in (Fraction(1, 2), Fraction(1, 10**6)):
        epsilon, delta = advanced(spent, slack)
        assert delta == min(sum((d * n for _, d, n in spent), slack), 1)
        assert delta_of(below, Epsilon.of(epsilon.hi).exp_bounds(64)[0]) <= delta
    epsilon, delta = basic(spent)
    assert delta_of(below, epsilon.exp_bounds(64)[1]) <= delta


@pytest.mark.parametrize("bits", [1, 8, 112, 128])
def test_caught_logarithm_whose_first_term_is_one_unit(bits: int) -> None:
    """For y = 2**-w the series ends before it begins, and what is left of it is a little more than y."""
    unit = Fraction(1, 1 << bits + 16)
    x = (1 + unit) / (1 - unit)
    lo, hi = ln_bounds(x, bits)
    with mpmath.workprec(2000):
        true = mpmath.log(mpmath.mpf(x.numerator) / x.denominator)
        assert mpmath.mpf(lo.numerator) / lo.denominator <= true <= mpmath.mpf(hi.numerator) / hi.denominator
    assert hi - lo <= (2 + Fraction(1, 2)) / (1 << bits)


@pytest.mark.parametrize("times", [1, 2, 3, 4])
def test_caught_infinite_mass_above_one(times: int) -> None:
    """Laws of disjoint supports: rounded up, what p alone has is above 1, and an even power of 1 - that is positive."""
    apart = enclosed([1, 2, 0, 0], [0, 0, 3, 5])
    assert outcomes_of(apart, above=True).infinite == 1
    found = composed([(apart, times)]).delta_at(Epsilon.of(1))
    assert found.hi == 1
    assert found.lo > Fraction(999, 1000)


@pytest.mark.parametrize("epsilon", ["1e-58", "1e-100", "1e-3000"])
def test_caught_epsilon_whose_ratio_rounds_to_one(epsilon: str) -> None:
    lower, upper = (side.ratios for side in Canonical(Epsilon.of(epsilon), Fraction(0)).sides())
    assert 1 < lower[0] < upper[0]
    assert (upper[0] - lower[0]) < (lower[0] - 1) * Fraction(1, 2**150)
    assert composed([(Canonical(Epsilon.of(epsilon), Fraction(0)), 5)]).delta_at(Epsilon.of(0)).hi < Fraction(1, 2**140)


def test_caught_step_that_is_short_beside_an_epsilon() -> None:
    """With a step of 10**-15, a law on its lattice would have 2 * 10**15 entries."""
    near_one = [(Canonical(Epsilon.of(text), Fraction(0)), 1) for text in ("1", "1.000000000000001")]
    assert _on_one_step(near_one) is None
    found = composed(near_one).delta_at(Epsilon.of(1))
    below, above = (gains([canonical(pair.epsilon, pair.delta, side) for pair, _ in near_one]) for side in (0, 1))
    e = Epsilon.of(1).exp_bounds(400)
    assert found.lo <= delta_of(above, e[0])
    assert found.hi >= delta_of(below, e[1])
    assert found.hi < found.lo * Fraction(21, 20)


def test_caught_powers_longer_than_the_ratio(monkeypatch: pytest.MonkeyPatch) -> None:
    """The exponent of a long ratio over a base as long is looked for among those that it can be."""
    spans = []

    def recorded(span: range, wanted: int, *, key: Callable[[int], int]) -> int:
        spans.append(len(span))
        return next((e for e in span if key(e) >= wanted), len(span))

    monkeypatch.setattr(multiplicative, "bisect_left", recorded)
    long = Fraction(3**400 + 1, 3**400)
    assert lattice([long, 1 / long, long**2, ONE]) == (long, [1, -1, 2, 0])
    assert max(spans) <= 3


def test_caught_weights_too_long_for_a_law_of_counts() -> None:
    """Two ratios in weights of 340,000 bits are no parameters of a binomial law; the grid takes them."""
    wide = pair([2 * 3**215_000, 3**215_000 + 1], [1, 2])
    found = composed([(wide, 12)]).delta_at(Epsilon.ln(2))
    short = gains([([Fraction(2, 3), Fraction(1, 3)], [Fraction(1, 3), Fraction(2, 3)])] * 12)
    assert abs(found.hi / delta_of(short, Fraction(2)) - 1) < Fraction(1, 10)
    assert found.lo < delta_of(short, Fraction(2)) * Fraction(1001, 1000) < found.hi * Fraction(1002, 1000)


def test_caught_grid_too_fine_for_far_ratios() -> None:
    """A loss of tiny deviation with ratios far apart asks for no more grid points than can be powered."""
    far = pair([2**60, 1 << 120, 1], [1, (1 << 120) + 2**60, 2**60])
    one: Pair = far
    assert Spread.of([(outcomes_of(one, above=True), 1)]).finest <= 1 << 10


def test_caught_ratio_asked_at_a_negative_delta() -> None:
    one = pair([3, 1], [1, 3])
    for curve in (composed([(one, 3)], grid=3), one, enclosed([3, 1], [1, 3])):
        assert curve.ratio_at(Fraction(-1, 2)).hi is None


def test_caught_lower_bound_beside_no_ratio() -> None:
    """Where no ratio does, the least one is infinite, and both bounds say so."""
    assert pair([1, 1], [0, 1]).ratio_at(Fraction(1, 4)) == Answer(None, None, "exact")


def test_caught_post_processing_that_replaced_the_one_before() -> None:
    twice = binomial(9, "1/3").then(lambda k: k // 2).then(lambda k: -k)
    assert twice.exact() == binomial(9, "1/3").exact().map(lambda k: -(k // 2))
    assert sorted(twice.enclose(300).outcomes) == [(int, -k) for k in (4, 3, 2, 1, 0)]


def test_caught_law_longer_than_a_length_can_say() -> None:
    whole, less = binomial(10**20, "1/3"), binomial(10**20 - 1, "1/3")
    assert len(whole) == 1 << 62
    assert isinstance(profile_at_size(whole, less), RefinedProfile)


@pytest.mark.parametrize(
    ("tops", "bottoms"),
    [
        (((1, 1),), ((5, 0),)),
        (((9, -1),), ((9, -2),)),
        (((3, -1),), ((1, 0),)),
        (((0, 1),), ((1, 1),)),
        (((5, 0), (1, 2)), ((1, 2), (5, 0), (1, -1))),
    ],
)
def test_refused_law_that_is_not_known_to_be_log_concave(
    tops: tuple[tuple[int, int], ...], bottoms: tuple[tuple[int, int], ...]
) -> None:
    """What lies beyond a walk is bounded by a geometric series only where ratios fall."""
    with pytest.raises(InputError, match=r"positive one at every step|do not rise with k"):
        RecurrentLaw(0, 4, tops, bottoms)


@pytest.mark.parametrize("grid", [0, -3, 25, 2000, 4.0, True])
def test_refused_grid(grid: object) -> None:
    with pytest.raises(InputError, match="an int from 1 to 24"):
        composed([(pair([3, 1], [1, 3]), 2)], grid=grid)


@pytest.mark.parametrize("theorem", [basic, lambda spent: advanced(spent, Fraction(1, 10))])
@pytest.mark.parametrize(
    ("delta", "times", "words"),
    [
        (Fraction(-1, 10), 1, r"in \[0, 1\]"),
        (Fraction(11, 10), 1, r"in \[0, 1\]"),
        (Fraction(0), -1, "an int >= 1"),
        (Fraction(0), 0, "an int >= 1"),
        (Fraction(0), True, "an int >= 1"),
    ],
)
def test_refused_uses(theorem: Callable[..., object], delta: Fraction, times: int, words: str) -> None:
    with pytest.raises(InputError, match=words):
        theorem([(Epsilon.of("1/10"), delta, times)])
