"""Enclosures hold the exact values, at full precision and at a few bits where roundings show; laws without end."""

from collections.abc import Callable
from fractions import Fraction
from math import comb
from types import SimpleNamespace

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert import Answer, Dist, Epsilon, InputError
from dpcert.audit import enclosure, recurrence
from dpcert.audit import profile as profiles
from dpcert.audit.enclosure import EnclosedProfile, RefinedProfile, enclosed_profile, profile_at_size
from dpcert.audit.profile import Profile, profile
from dpcert.audit.recurrence import EnclosedLaw, RecurrentLaw, binomial, geometric, hypergeometric, poisson

from .enclosures import binomial_probability, law

FULL = SimpleNamespace(profile=profiles, recurrence=recurrence, enclosure=enclosure)
Pairs = list[tuple[Dist, Dist, Profile]]
weights = st.lists(st.integers(0, 10**40) | st.integers(0, 9), min_size=2, max_size=6).filter(sum)


def exact_by_keys(build: SimpleNamespace, pairs: Pairs, ratios: list[Fraction]) -> None:
    """Exact profiles are exact however few bits their keys have: at their ratios, next to them, and elsewhere."""
    for p, q, exact in pairs:
        found, rows = build.profile.profile(p, q), exact.rows()
        near = [ratio * (1 + Fraction(side, 40)) for ratio, _ in rows for side in (-1, 0, 1)]
        for ratio in [*ratios, *near]:
            gained = sum((max(Fraction(0), at - ratio) * weight for at, weight in rows), exact.infinite)
            assert found.delta(ratio) == gained
            if ratio >= 1 and gained > exact.infinite:
                assert found.least_ratio(gained) == ratio
        assert found.rows() == rows


def holds_numbers(build: SimpleNamespace) -> None:
    """Bounds of numbers, and of sums of values of all sizes, hold them."""
    made, values = (
        build.recurrence.Scaled,
        [Fraction(1, 3), Fraction(10**40 + 1, 7), Fraction(1, 10**50 - 1), Fraction(5)],
    )
    for x in values:
        for y in values:
            found = made.of(x, x) * made.of(y, y)
            for bounds in (found, found.rounded(), made.of(min(x, y) * y, max(x, y) * y)):
                assert bounds.below <= x * y <= bounds.above
            for exponent in (-300, -120, -20, 0):
                lo, hi = found.at(exponent)
                assert lo * Fraction(2) ** exponent <= x * y <= hi * Fraction(2) ** exponent
    mantissas = [(k * 7919) % 4093 + (1 << build.recurrence.MANTISSA) for k in range(60)]
    for exponents in (
        [-k // 3 for k in range(60)],
        [k // 3 for k in range(60)],
        [k * k % 83 for k in range(60)],
        [0] * 60,
    ):
        total = build.recurrence.add_up(mantissas, build.recurrence.runs(exponents), 50)
        exact = sum(m * Fraction(2) ** e for m, e in zip(mantissas[:50], exponents[:50], strict=True))
        assert total.below <= exact <= total.above
        listed = build.recurrence.EnclosedLaw(
            range(50), mantissas[:50], build.recurrence.runs(exponents[:50]), made(1, 1, 0), Fraction(0)
        )
        merged = listed.merge(lambda _: 7)
        value = recurrence.scaled(merged.mantissas[0], merged.runs[0][1])
        assert (list(merged.outcomes), merged.unit.below) == ([(int, 7)], 1)
        assert value <= exact <= value * merged.unit.above


def holds_law(found: EnclosedLaw, exact: Callable[[int], Fraction], first: int) -> None:
    exponents = recurrence.spread(found.runs, len(found.mantissas))
    seen = Fraction(0)
    for i, (m, e) in enumerate(zip(found.mantissas, exponents, strict=True)):
        value = recurrence.scaled(m, e)
        probability = exact(first + i)
        assert value * found.unit.below <= probability <= value * found.unit.above
        seen += probability
    assert 1 - seen <= found.elsewhere


def holds_laws(build: SimpleNamespace) -> None:
    """The laws' enclosures hold the probabilities that closed forms give, and the rest is elsewhere.

    Mantissas are lower bounds in themselves: of weights, or of multiples of the mode's probability.
    """
    makers = build.recurrence
    for n, p in ((1, Fraction(1, 2)), (12, Fraction(1, 10)), (40, Fraction(2, 3)), (150, Fraction(1, 7))):
        for reach in (-100, 30, 10**6):
            found = makers.binomial(n, p).enclose(reach)
            exponents = recurrence.spread(found.runs, len(found.mantissas))
            values = [recurrence.scaled(m, e) for m, e in zip(found.mantissas, exponents, strict=True)]
            exact = [binomial_probability(n, k, p) for k in found.outcomes]
            holds_law(found, lambda k, exact=exact, at=found.outcomes.start: exact[k - at], found.outcomes.start)
            unit = max(values) / exact[values.index(max(values))]
            assert all(value <= probability * unit for value, probability in zip(values, exact, strict=True))
    found = makers.binomial(150, Fraction(1, 7)).then(lambda k: k % 2).enclose(10**6)
    even = (1 + Fraction(5, 7) ** 150) / 2
    order = [k for _, k in found.outcomes]
    holds_law(found, lambda i: even if order[i] == 0 else 1 - even, 0)
    found = makers.hypergeometric(60, 25, 20).enclose(10**6)
    holds_law(found, lambda k: Fraction(comb(25, k) * comb(35, 20 - k), comb(60, 20)), found.outcomes.start)
    for reach in (-100, 60):
        found = makers.geometric(Fraction(3, 5)).enclose(reach)
        holds_law(found, lambda k: Fraction(2, 5) * Fraction(3, 5) ** k, 0)
    found = makers.geometric(Fraction(3, 5), last=20).enclose(60)
    holds_law(found, lambda k: Fraction(2, 5) * Fraction(3, 5) ** k / (1 - Fraction(3, 5) ** 21), 0)
    weights = [3, 2**40 - 1, 2**90 - 1, 2**59 + 2**40 - 1]
    found = makers.EnclosedLaw.of(Dist.from_weights(enumerate(weights), sum(weights)))
    for m, e, weight in zip(found.mantissas, recurrence.spread(found.runs, 4), weights, strict=True):
        assert recurrence.scaled(m, e) <= weight


def holds_pairs(build: SimpleNamespace, pairs: Pairs, ratios: list[Fraction]) -> None:
    """Deltas and least ratios of enclosed pairs hold the exact ones, at their ratios and next to them."""
    made, law_of = build.enclosure.enclosed_profile, build.recurrence.EnclosedLaw.of
    for p, q, exact in pairs:
        found = made(law_of(p), law_of(q))
        near = [ratio * (1 + Fraction(side, part)) for ratio in exact.ratios for part in (30, 300) for side in (-1, 1)]
        for ratio in [*ratios, *exact.ratios, *near]:
            lo, hi = found.delta_between(ratio, ratio)
            assert lo <= exact.delta(ratio) <= hi
            assert found.delta_between(ratio, ratio * Fraction(9, 8))[0] <= exact.delta(ratio * Fraction(9, 8))
        for delta in (Fraction(0), Fraction(1, 10**12), Fraction(1, 50), Fraction(1, 7), Fraction(2, 3)):
            answer, least = found.ratio_at(delta), exact.least_ratio(delta)
            if least is None:
                assert (answer.lo, answer.hi) == (None, None)
            else:
                assert answer.lo <= least
                assert answer.hi is None or least <= answer.hi


def holds_tails(build: SimpleNamespace, ratios: list[Fraction]) -> None:
    """What is not listed may be anywhere: the bounds hold the profile for every place of it."""
    listed = Dist.from_weights([(0, 50), (1, 30), (2, 11)], 100), Dist.from_weights([(0, 40), (1, 45), (3, 8)], 100)
    made, law_of = build.enclosure.enclosed_profile, build.recurrence.EnclosedLaw.of
    found = made(law_of(listed[0]), law_of(listed[1]))
    answers = {delta: found.ratio_at(delta) for delta in (Fraction(1, 5), Fraction(1, 3))}
    for p_at in range(5):
        for q_at in range(5):
            p = Dist.from_weights([*((x, w) for _, x, w in listed[0].weights()), (p_at, 9)], 100)
            q = Dist.from_weights([*((x, w) for _, x, w in listed[1].weights()), (q_at, 7)], 100)
            for ratio in ratios:
                lo, hi = found.delta_between(ratio, ratio)
                assert lo <= profile(p, q).delta(ratio) <= hi
            for delta, answer in answers.items():
                least = profile(p, q).least_ratio(delta)
                assert least is None or answer.lo <= least
                assert answer.hi is None or (least is not None and least <= answer.hi)


def holds_refined(build: SimpleNamespace, ratios: list[Fraction]) -> None:
    """Pairs of recurrent laws, asked with little reach at first, hold the exact deltas; merged laws do too."""
    r, made = build.recurrence, build.enclosure
    for n, p, m, q in ((30, Fraction(1, 3), 29, Fraction(1, 3)), (25, Fraction(1, 2), 25, Fraction(3, 5))):
        for post in (None, lambda k: max(k, 9)):
            first, second = r.binomial(n, p), r.binomial(m, q)
            laws = [
                Dist.of((k, binomial_probability(size, k, at)) for k in range(size + 1))
                for size, at in ((n, p), (m, q))
            ]
            if post is not None:
                first, second, laws = first.then(post), second.then(post), [law.map(post) for law in laws]
            exact = profile(*laws)
            for reach in (8, 40, 10**6):
                found = made.enclosed_profile(first.enclose(reach), second.enclose(reach))
                for ratio in ratios:
                    lo, hi = found.delta_between(ratio, ratio)
                    assert lo <= exact.delta(ratio) <= hi
            answer = made.RefinedProfile(first, second).ratio_at(Fraction(1, 1000))
            assert answer.lo <= exact.least_ratio(Fraction(1, 1000)) <= answer.hi


def battery(build: SimpleNamespace, pairs: Pairs, ratios: list[Fraction]) -> None:
    exact_by_keys(build, pairs, ratios)
    holds_numbers(build)
    holds_laws(build)
    holds_pairs(build, pairs, ratios)
    holds_tails(build, ratios)
    holds_refined(build, ratios)


def test_twin_at_full_precision(pairs: Pairs, ratios: list[Fraction]) -> None:
    battery(FULL, pairs, ratios)


def test_twin_at_a_few_bits(build: Callable[..., SimpleNamespace], pairs: Pairs, ratios: list[Fraction]) -> None:
    battery(build(), pairs, ratios)


BY_MODULE = {
    "profile": {
        "exact keys without a margin": ("sure = floor + 3 + (floor >> _BITS - 2)", "sure = floor"),
        "exact keys cut too late": ("-floor, key=neg)", "-floor - 1, key=neg)"),
        "exact sums at doubtful keys": ("for i in range(first, last):", "for i in range(first, first):"),
    },
    "recurrence": {
        "a unit without the steps' losses": ("slack / total.below)", "1 / total.below)"),
        "a total without the steps' losses": ("total.above * slack + beyond", "total.above + beyond"),
        "a total without its tails": ("total.above * slack + beyond", "total.above * slack"),
        "no tails elsewhere": ("beyond / total.below).above if beyond else beyond", "beyond).above * 0"),
        "a tail without its ratio": ("e) / (bottom - top)", "e) / bottom"),
        "an upper bound rounded down": ("-_floor(-hi, exponent), exponent", "_floor(hi, exponent), exponent"),
        "a lower bound rounded up": ("cls(_floor(lo, exponent)", "cls(-_floor(-lo, exponent)"),
        "an upper bound shifted down": ("-(-self.hi >> -shift)", "(self.hi >> -shift)"),
        "a lower bound shifted up": ("(self.lo >> -shift,", "(-(-self.lo >> -shift),"),
        "a law's unit without what weights lose": ("unit * _slack(1)", "unit"),
        "weights rounded up": ("[w >> s if s >= 0", "[-(-w >> s) if s >= 0"),
        "a law without its tail": ("if law.tail_weight else Fraction(0)", "* 0"),
        "merging without its losses": ("_slack(2 * len(self.mantissas))", "Fraction(1)"),
        "merging rounded up": ("(m + (other >> e - at), e)", "(m - (-other >> e - at), e)"),
        "a step rounded up": (
            "        fallen = m * top // bottom\n        if",
            "        fallen = -(-m * top // bottom)\n        if",
        ),
        "a sum without its floors": ("low + sum(exponent < last for _, exponent in parts), last", "low, last"),
    },
    "enclosure": {
        "delta's lower bound with q rounded down": ("above.numerator * q_hi", "above.numerator * q_lo"),
        "delta's upper bound with q rounded up": ("below.numerator * q_lo", "below.numerator * q_hi"),
        "delta's lower bound with p rounded up": ("p_lo * above.denominator", "p_hi * above.denominator"),
        "delta's upper bound with p rounded down": ("p_hi * below.denominator", "p_lo * below.denominator"),
        "delta's lower bound at the lower ratio": ("- above.numerator * q_hi", "- below.numerator * q_hi"),
        "no tail of q": ("lo - above * self.q_rest if self.q_rest else lo", "lo"),
        "no tail of p": ("hi + self.p_rest if self.p_rest else hi", "hi"),
        "no doubtful outcomes": ("for i in range(first, last):", "for i in range(first, first):"),
        "doubtful outcomes with p rounded down": ("p.above - below * q.below)", "p.below - below * q.below)"),
        "doubtful outcomes with q rounded up": ("p.above - below * q.below)", "p.above - below * q.above)"),
        "doubtful outcomes gained with p rounded up": ("p.below - above * q.above)", "p.above - above * q.above)"),
        "doubtful outcomes gained with q rounded down": ("p.below - above * q.above)", "p.below - above * q.below)"),
        "no margin for keys": ("sure += 3 + (sure >> _BITS - 2)", "sure += 0"),
        "keys cut too late": ("-never, key=neg)", "-never - 1, key=neg)"),
        "a demand with p rounded up": ("excess, demand = p.below - delta", "excess, demand = p.above - delta"),
        "a demand with q rounded down": ("q.above + self.q_rest\n", "q.below + self.q_rest\n"),
        "a demand without the tail": ("q.above + self.q_rest\n", "q.above\n"),
        "a demand rounded up": ("_floor(excess / demand)", "-_floor(-excess / demand)"),
        "a ratio accepted too early": ("            if excess <= 0:", "            if excess <= Fraction(1, 1000):"),
        "p's own outcomes rounded down": ("hi + more_hi, at)", "hi + more_lo, at)"),
    },
}
FAULTS = {name: (module, *edit) for module, rows in BY_MODULE.items() for name, edit in rows.items()}


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
    p, q = law(a), law(b)
    exact, found = profile(p, q), enclosed_profile(EnclosedLaw.of(p), EnclosedLaw.of(q))
    lo, hi = found.delta_between(ratio, ratio)
    assert lo <= exact.delta(ratio) <= hi <= lo + Fraction(5, 2**150)
    answer, least = found.ratio_at(delta), exact.least_ratio(delta)
    if least is None:
        assert answer.hi is None
    else:
        assert answer.lo <= least <= answer.hi
        assert exact.delta(answer.lo) <= delta + Fraction(5, 2**120)


def test_twin_beyond_every_ratio() -> None:
    p, q = law([10**60, 1, 1]), law([1, 10**60, 0])
    found, exact = enclosed_profile(EnclosedLaw.of(p), EnclosedLaw.of(q)), profile(p, q)
    for epsilon in ("100", "200", "5000", "1e9"):
        lo, hi = exact.delta_bounds(Epsilon.of(epsilon))
        answer = found.delta_at(Epsilon.of(epsilon))
        assert answer.lo <= lo
        assert hi <= answer.hi
        assert answer.hi - answer.lo <= Fraction(1, 2**140)


def test_twin_a_ratio_of_thousands_of_bits() -> None:
    p, q = law([1, 1]), law([1, 1 << 6000])
    found, exact = enclosed_profile(EnclosedLaw.of(p), EnclosedLaw.of(q)), profile(p, q)
    for ratio in (Fraction(2), Fraction(1 << 5990), Fraction(1 << 6010)):
        lo, hi = found.delta_between(ratio, ratio)
        assert lo <= exact.delta(ratio) <= hi
    answer = found.delta_at(Epsilon.of("5000"))
    assert answer.lo <= exact.delta_at(Epsilon.of("5000")).lo <= answer.hi < Fraction(51, 100)


@pytest.mark.parametrize(("n", "epsilon"), [(1000, "1/10"), (10**5, "1/10"), (10**6, "1/100")])
def test_reference_values_of_binomial_pairs_by_mpmath(n: int, epsilon: str) -> None:
    answer = profile_at_size(binomial(n - 1, "1/10"), binomial(n - 2, "1/10")).delta_at(Epsilon.of(epsilon))
    assert answer.method == "enclosed"
    assert answer.bits > 100
    with mpmath.workdps(60):
        e, p = mpmath.exp(mpmath.mpf(1) / Fraction(epsilon).denominator), mpmath.mpf(1) / 10
        first = int(mpmath.floor((n - 1) * (1 - (1 - p) / e))) + 1
        choose = mpmath.loggamma(n) - mpmath.loggamma(first + 1) - mpmath.loggamma(n - first)
        probability = mpmath.exp(choose + first * mpmath.log(p) + (n - 1 - first) * mpmath.log(1 - p))
        total = mpmath.mpf(0)
        for k in range(first, n):
            total += probability * (1 - e * (n - 1 - k) / ((n - 1) * (1 - p)))
            probability *= (n - 1 - k) * p / ((k + 1) * (1 - p))
            if probability < total * mpmath.mpf(10) ** -50:
                break
        for bound in (answer.lo, answer.hi):
            assert abs(mpmath.mpf(bound.numerator) / bound.denominator / total - 1) < mpmath.mpf(10) ** -30


def test_the_choice_is_visible() -> None:
    short = profile_at_size(binomial(99, "1/10"), binomial(98, "1/10"))
    long = profile_at_size(binomial(999, "1/10"), binomial(998, "1/10"))
    assert short.delta_at(Epsilon.ln("11/10")) == Answer(*[profile_of(99, 98).delta(Fraction(11, 10))] * 2, "exact")
    assert (short.ratio_at(0).method, long.ratio_at(Fraction(1, 100)).method) == ("exact", "enclosed")
    assert isinstance(profile_at_size(law([1, 2]), law([2, 1])), Profile)
    wide = law([1 << 5_000_000, 1])
    assert isinstance(profile_at_size(wide, wide), EnclosedProfile)
    mixed = profile_at_size(law([1, 2]), binomial(600, "1/2"))
    assert isinstance(mixed, RefinedProfile)
    exact = profile(law([1, 2]), Dist.of((k, binomial_probability(600, k, Fraction(1, 2))) for k in range(601)))
    answer = mixed.delta_at(Epsilon.ln(3))
    assert answer.lo <= exact.delta(3) <= answer.hi


def profile_of(n: int, m: int) -> Profile:
    laws = [Dist.of((k, binomial_probability(size, k, Fraction(1, 10))) for k in range(size + 1)) for size in (n, m)]
    return profile(*laws)


def test_laws_without_an_end() -> None:
    answer = profile_at_size(poisson(20), poisson(15)).delta_at(Epsilon.of("1/2"))
    with mpmath.workdps(40):
        e, total = mpmath.exp(mpmath.mpf(1) / 2), mpmath.mpf(0)
        for k in range(200):
            at = [mpmath.exp(-rate) * mpmath.mpf(rate) ** k / mpmath.factorial(k) for rate in (20, 15)]
            total += max(0, at[0] - e * at[1])
        assert abs(mpmath.mpf(answer.lo.numerator) / answer.lo.denominator / total - 1) < mpmath.mpf(10) ** -30
    assert answer.bits > 100
    with pytest.raises(InputError, match="no end"):
        poisson(3).exact()


@pytest.mark.parametrize(
    ("p", "q"),
    [
        (binomial(9, "1/3"), binomial(7, "1/2")),
        (hypergeometric(12, 9, 8), binomial(6, "2/5")),
        (hypergeometric(12, 11, 9), binomial(6, "2/5")),
        (geometric("1/3", last=4), geometric("1/2", last=9)),
        (binomial(9, "1/3").then(lambda k: max(k, 3)), binomial(7, "1/2").then(lambda k: max(k, 3))),
        (RecurrentLaw(2, 6, ((7, -1),), ((1, 1),)), binomial(7, "1/2")),
    ],
)
def test_twin_exact_profiles_of_recurrent_laws(p: RecurrentLaw, q: RecurrentLaw) -> None:
    assert profile_at_size(p, q) == profile(p.exact(), q.exact())
    assert profile_at_size(q, p) == profile(q.exact(), p.exact())


@pytest.mark.parametrize("made", [binomial(9, "1/3"), hypergeometric(30, 12, 9), geometric("2/7", last=6)])
def test_twin_exact_laws_by_their_ratios(made: RecurrentLaw) -> None:
    found = made.exact()
    assert sum(probability for _, probability in found.items()) == 1
    first = next(found.outcomes())
    expected = {
        9: lambda k: binomial_probability(9, k, Fraction(1, 3)),
        12: lambda k: Fraction(comb(12, k) * comb(18, 9 - k), comb(30, 9)),
        7: lambda k: Fraction(2, 7) ** k * Fraction(5, 7) / (1 - Fraction(2, 7) ** 7),
    }[{(9, 1): 9, (9, 2): 12, (6, 1): 7}[len(made) - 1, len(made.tops)]]
    assert all(found.prob(first + i) == expected(first + i) for i in range(len(made)))


def test_refused_parameters_and_tails() -> None:
    for call in (
        lambda: binomial(0, "1/2"),
        lambda: binomial(3, 1),
        lambda: hypergeometric(5, 5, 2),
        lambda: poisson(0),
        lambda: geometric(1),
        lambda: profile_at_size(Dist.from_weights([(0, 1)], 2), law([1])),
    ):
        with pytest.raises(InputError):
            call()


def test_answers_state_their_precision() -> None:
    assert Answer(Fraction(1), Fraction(1), "exact").bits is None
    assert Answer(Fraction(7, 8), Fraction(1), "enclosed").bits == 3
    assert Answer(Fraction(0), Fraction(1), "enclosed").bits == 0
    assert Answer(Fraction(5), None, "enclosed").bits == 0
