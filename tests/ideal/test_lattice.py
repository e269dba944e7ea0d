"""Whole-valued noise: exact laws against enumerations of the draws, wrong programs that are caught, what is refused."""

import math
import sys
from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from dpcert.audit.ideal.alignment import Region, aligned_part
from dpcert.audit.ideal.certificate import certificate_of, check_ideal
from dpcert.audit.ideal.decide import Decision
from dpcert.audit.ideal.every_report import decide_every
from dpcert.audit.ideal.explore import laws_of
from dpcert.audit.ideal.noise import Law, Rate
from dpcert.audit.ideal.quotients import Quotient, Variables, power
from dpcert.audit.ideal.values import without_loss
from dpcert.audit.kernel.claim import ApproxDP, Claim, PureDP
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import key

from .claims import decided, vectors

COUNTS = range(4)
ONE_APART = "counts_differ_by_one"


def two_sided(rng, epsilon=1):
    p = 1 - math.exp(-epsilon)
    return rng.geometric(p) - rng.geometric(p)


class Scripted:
    """A generator that returns the draws of a list, and notes their weights."""

    def __init__(self, draws):
        self.draws, self.weight = list(draws), 1.0

    def geometric(self, p, size=None):
        if size is not None:
            return np.array([self.geometric(p) for _ in range(size)])
        k = self.draws.pop(0)
        self.weight *= p * (1 - p) ** (k - 1)
        return k

    def poisson(self, lam):
        k = self.draws.pop(0) - 1
        self.weight *= math.exp(-lam) * lam**k / math.factorial(k)
        return k


def probabilities(program, value):
    """Return bounds of the probability of each outcome on an input."""
    claim = Claim("program", (), (value,), RELATIONS["linf"], PureDP(1))
    decision = Decision(claim, laws_of(program, [value]))
    return {name: decision.known.bounds[number] for name, (_, number) in decision.laws[0].items()}


def enumerated(program, value, draws, most):
    """Return the weight of each outcome over all draws up to a number, in floats, and that of all others."""
    found = {}
    for each in product(range(1, most + 1), repeat=draws):
        rng = Scripted(each)
        name = key(program(value, rng))
        found[name] = found.get(name, 0.0) + rng.weight
    return found, 1 - sum(found.values())


def above(counts, rng):
    return bool(counts[0] + two_sided(rng) > counts[1])


def at_least(counts, rng):
    return bool(counts[0] + two_sided(rng) >= counts[1])


def equal(counts, rng):
    return bool(counts[0] + two_sided(rng) == counts[1])


def clamped(counts, rng):
    noisy = counts[0] + two_sided(rng)
    return 1 if noisy >= 2 else 0 if noisy > -1 else -1


def halved(counts, rng):
    return bool((counts[0] + two_sided(rng)) // 2 >= 1)


def third(counts, rng):
    return bool(round((counts[0] + two_sided(rng)) / 3) == 0)


def up(counts, rng):
    down, ceiling = -math.floor((counts[0] - two_sided(rng)) / 2), math.ceil(rng.geometric(0.25) / 2)
    return bool(down > 0), bool(ceiling < 2)


def half_as_tie(counts, rng):
    return bool((counts[0] + two_sided(rng)) / 2 > 0.5)


def different_rates(counts, rng):
    return bool(counts[0] + rng.geometric(0.5) - rng.geometric(1 - math.exp(-2)) > 1)


def one_draw_for_two(counts, rng):
    noise = two_sided(rng)
    return tuple(bool(count + noise > 0) for count in counts)


def first_of_two(counts, rng):
    return int(np.argmax(np.array(counts) + rng.geometric(0.75, size=2)))


def last_of_two(counts, rng):
    noisy = [count + two_sided(rng, 2) for count in counts]
    return 1 if noisy[1] >= noisy[0] else 0


def order_of_three(counts, rng):
    noisy = [*(count + rng.geometric(0.75) for count in counts), rng.geometric(0.75)]
    return tuple(sorted(range(3), key=lambda place: noisy[place]))


def sum_of_two_poissons(counts, rng):
    return bool(counts[0] + rng.poisson(0.25) + rng.poisson(0.5) > 1)


def poisson_between(counts, rng):
    noisy = counts[0] + rng.poisson(0.25)
    return 0 if noisy < 1 else 1 if noisy <= 2 else 2


def sparse_vector(counts, rng):
    threshold = two_sided(rng, 3)
    return "above" if counts[0] + two_sided(rng, 3) >= threshold else "below"


@pytest.mark.parametrize(
    ("program", "draws", "most"),
    [
        *((program, 2, 60) for program in (above, at_least, equal, clamped, halved, third, half_as_tie)),
        *((program, 2, 60) for program in (different_rates, one_draw_for_two, first_of_two)),
        (up, 3, 30),
        (last_of_two, 4, 10),
        (sparse_vector, 4, 8),
        (order_of_three, 3, 20),
        (sum_of_two_poissons, 2, 30),
        (poisson_between, 1, 40),
    ],
)
@pytest.mark.parametrize("counts", [(0, 0), (2, 1), (-1, 2)])
def test_probabilities_enclose_a_long_part_of_the_law(program, draws, most, counts):
    found = probabilities(program, counts)
    seen, rest = enumerated(program, counts, draws, most)
    assert set(seen) <= set(found)
    for name, (low, high) in found.items():
        weight = seen.get(name, 0.0)
        assert weight - 1e-9 <= high
        assert low <= weight + rest + 1e-9
        assert high - low < Fraction(1, 10**15)


def counted(program, epsilon, delta=0, counts=COUNTS):
    return decided(program, counts, epsilon, delta, neighbours=ONE_APART)


def least(report):
    return tuple(map(str, report.epsilon))


@pytest.mark.parametrize(
    ("program", "epsilon"),
    [
        (lambda count, rng: count + two_sided(rng), "1"),
        (lambda count, rng: -count - two_sided(rng, 2), "2"),
        (lambda count, rng: 3 * (count + two_sided(rng)), "1"),
        (lambda count, rng: (count + two_sided(rng)) / 2, "1"),
        (lambda count, rng: max(0, min(3, count + two_sided(rng))), "1"),
        (lambda count, rng: int(np.clip(count + two_sided(rng), 0, 3)), "1"),
        (lambda count, rng: round(count + two_sided(rng)), "1"),
        (lambda count, rng: (count + two_sided(rng)) // 2, "1"),
        (lambda count, rng: [count + two_sided(rng)] * 2, "1"),
        (lambda count, rng: count + rng.geometric(0.5) - rng.geometric(0.5), "ln(2)"),
        (lambda count, rng: (count + rng.geometric(0.5) - rng.geometric(0.5)) // 3, "ln(2)"),
        (lambda count, rng: 0 if rng.random() < 0.5 else count + two_sided(rng), "1"),
        (lambda count, rng: bool(count + two_sided(rng) == 1), "1"),
        (lambda count, rng: bool(count + rng.poisson(10) > 3), "ln(11)"),
    ],
)
def test_the_least_epsilon_of_counts_is_exact(program, epsilon):
    assert least(counted(program, 9)) == (epsilon, epsilon)
    assert counted(program, Epsilon.of(epsilon)).verdict == "verified"


@pytest.mark.parametrize("epsilon", ["1/2", "1", "3/2"])
def test_the_least_delta_of_a_count_is_the_sum_of_all_excesses(epsilon):
    found = counted(lambda count, rng: count + two_sided(rng, 2), epsilon, "1/1000000", range(2))
    alpha, ratio = math.exp(-2), math.exp(Fraction(epsilon))
    size = (1 - alpha) / (1 + alpha)
    excess = sum(max(0.0, size * (alpha ** abs(k) - ratio * alpha ** abs(k - 1))) for k in range(-200, 200))
    assert found.delta[0] == pytest.approx(excess, rel=1e-12)
    assert found.delta[1] - found.delta[0] < Fraction(1, 10**15)


def half_of_the_noise(count, rng):
    """The noise of sensitivity 1/2."""
    return count + two_sided(rng, 2)


def from_one_on(count, rng):
    """A geometric draw is at least 1: its least value tells the count."""
    return count + rng.geometric(1 - math.exp(-1))


def zero_twice(count, rng):
    """A random sign has two ways to 0."""
    noise = rng.geometric(1 - math.exp(-1)) - 1
    return count + noise if rng.random() < 0.5 else count - noise


def one_noise_for_two(count, rng):
    noise = two_sided(rng)
    return count + noise, noise


def noise_of_the_count(count, rng):
    return count + two_sided(rng, 2 if count else 1)


def multiples_of_three(count, rng):
    return count + 3 * two_sided(rng)


def poisson_noise(count, rng):
    return max(5, count + rng.poisson(10))


@pytest.mark.parametrize(
    ("program", "epsilon"),
    [
        (half_of_the_noise, 1),
        (zero_twice, 1),
        *((program, 9) for program in (from_one_on, one_noise_for_two, multiples_of_three)),
        (noise_of_the_count, 5),
        (poisson_noise, 2),
    ],
)
def test_caught_noise_that_is_not_enough(program, epsilon):
    assert counted(program, epsilon).verdict == "refuted"


def test_strictness_is_a_step_of_the_count():
    def strictly(count, rng):
        return bool(count + two_sided(rng) > 1)

    def or_equal(count, rng):
        return bool(count + two_sided(rng) >= 1)

    assert probabilities(strictly, 1) == probabilities(or_equal, 0) != probabilities(or_equal, 1)


def noisy_max(counts, rng):
    p = 1 - np.exp(-1 / 2)
    noise = rng.geometric(p, size=len(counts)) - rng.geometric(p, size=len(counts))
    return int(np.argmax(np.array(counts) + noise))


def first_above(queries, rng):
    threshold = two_sided(rng, Fraction(1, 2))
    for place, query in enumerate(queries):
        if query + two_sided(rng, Fraction(1, 4)) >= threshold:
            return place
    return None


def all_above(queries, rng):
    threshold = two_sided(rng, Fraction(1, 2))
    return [bool(query >= threshold) for query in queries]


def gap(queries, rng):
    threshold = two_sided(rng, Fraction(1, 2))
    for place, query in enumerate(queries):
        above = query + two_sided(rng, Fraction(1, 4)) - threshold
        if above >= 0:
            return place, above
    return None


def greatest(queries, rng):
    return max(query + two_sided(rng) for query in queries)


def histogram(counts, rng):
    return [count + rng.geometric(0.5) - rng.geometric(0.5) for count in counts]


@pytest.mark.parametrize(
    ("program", "epsilon", "verdict"),
    [
        (noisy_max, "1", "verified"),
        (first_above, "1", "verified"),
        (all_above, "1", "refuted"),
        (gap, "1/2", "verified"),
        (greatest, "1", "refuted"),
        (histogram, "7/5", "verified"),
        (histogram, "13/10", "refuted"),
    ],
)
def test_vectors_of_noisy_counts(program, epsilon, verdict):
    assert decided(program, vectors(2), epsilon).verdict == verdict


EVERY = {
    "a count": (lambda count, rng, e: count + two_sided(rng, e), 1, "verified"),
    "clamped": (lambda count, rng, e: max(0, min(3, count + two_sided(rng, e))), 1, "verified"),
    "above": (lambda count, rng, e: bool(count + two_sided(rng, e) > 1), 1, "verified"),
    "half": (lambda count, rng, e: bool(count + two_sided(rng, e) > 1), Fraction(1, 2), "refuted"),
    "double": (lambda count, rng, e: count + two_sided(rng, 2 * e), 1, "refuted"),
    "one-sided": (lambda count, rng, e: count + rng.geometric(-math.expm1(-e)), 1, "refuted"),
    "as a quotient": (lambda count, rng, e: bool(count + rng.geometric(1 - 1 / np.exp(e)) > 1), 1, "refuted"),
}


@pytest.mark.parametrize("name", EVERY)
def test_every_epsilon(name):
    program, factor, verdict = EVERY[name]
    found = decide_every(program, list(COUNTS), RELATIONS[ONE_APART], factor=factor)
    assert found.verdict == verdict


def test_every_epsilon_by_values():
    """No alignment bounds p = 1 - e^-epsilon / 2, as its cost is no multiple of epsilon; the values decide it."""

    def program(count, rng, epsilon):
        p = 1 - np.exp(-epsilon) / 2
        return bool(count + rng.geometric(p) - rng.geometric(p) > 1)

    def released(count, rng, epsilon):
        p = 1 - np.exp(-epsilon) / 2
        return count + rng.geometric(p) - rng.geometric(p)

    for each in (program, released):
        assert decide_every(each, list(COUNTS), RELATIONS[ONE_APART]).verdict == "refuted"
    found = decide_every(released, list(COUNTS), RELATIONS[ONE_APART], factor=1, delta=Fraction(1, 2))
    assert (found.verdict, found.method) == ("verified", "intervals")


@pytest.mark.parametrize("program", [half_of_the_noise, histogram])
def test_a_certificate_of_values_is_checked(program):
    inputs = tuple(COUNTS) if program is half_of_the_noise else tuple(vectors(2))
    relation = RELATIONS[ONE_APART if program is half_of_the_noise else "linf"]
    claim = Claim("program", (), inputs, relation, ApproxDP("7/5", "1/10"))
    report = decided(program, inputs, "7/5", "1/10", neighbours=relation.name)
    said = {"sentence": "", "assumptions": [], "sources": {}, "versions": {}}
    certificate = certificate_of(report, **said)
    assert certificate is not None
    assert report.method == "intervals"
    check_ideal(certificate, claim, program, **said)


@pytest.mark.parametrize(
    ("draw", "words"),
    [
        (lambda rng: rng.geometric(0), "p <= 0"),
        (lambda rng: rng.geometric(1.5), "p > 1"),
        (lambda rng: rng.geometric([0.5, -1.0]), "p <= 0|p < 0"),
        (lambda rng: rng.poisson(-1), "lam < 0"),
        (lambda rng: rng.binomial(-1, 0.5), "n < 0"),
        (lambda rng: rng.binomial(3, 1.5), "p"),
    ],
)
def test_parameters_are_checked_as_numpy_does(draw, words):
    for plain, program in (
        (np.random.default_rng(), lambda count, rng: draw(rng)),
        (np.random.RandomState(), lambda count, rng: draw(np.random)),
    ):
        with pytest.raises(ValueError, match=words) as refused:
            draw(plain)
        ((path,),) = laws_of(program, [0])
        assert path.outcome.name == "ValueError"
        assert path.outcome.args == refused.value.args


def test_draws_of_one_value_are_constants():
    ((path,),) = laws_of(lambda count, rng: (rng.geometric(1.0) + 0, rng.poisson(0) + 0), [0])
    assert path.outcome == (1, 0)


def test_shapes_are_those_of_numpy():
    def program(count, rng):
        draws = rng.geometric([[0.5], [0.25]], size=(2, 3)), rng.poisson([1.0, 2.0]), rng.binomial(2, [0.5, 0.25])
        return [draw.shape for draw in draws]

    assert [path.outcome for path in laws_of(program, [0])[0]] == [[(2, 3), (2,), (2,)]] * 9


def test_binomial_draws_have_the_weights_of_each_parameter():
    paths = laws_of(lambda count, rng: rng.binomial([1, 2], [0.25, 0.5]).tolist(), [0])[0]
    assert {tuple(path.outcome): path.weight for path in paths}[1, 2] == Fraction(1, 16)
    assert sum(path.weight for path in paths) == 1


def test_p_is_read_as_it_is_written():
    def rates(p):
        ((path,),) = laws_of(lambda count, rng: bool(rng.geometric(p()) > 0), [0])
        return path.laws[0].rate

    written = Rate(Fraction(1, 2))
    assert rates(lambda: 1 - math.exp(-0.5)) == written
    assert rates(lambda: 1 - np.exp(-1 / 2)) == written
    assert rates(lambda: -np.expm1(Fraction(-1, 2))) == written
    assert rates(lambda: (np.exp(0.5) - 1) / np.exp(0.5)) == written
    assert rates(lambda: 1 - 0.5 * math.exp(-0.5)) == Rate(Fraction(1, 2), 0, Fraction(2))
    assert rates(lambda: 0.5) == Rate(Fraction(0), 0, Fraction(2))
    assert rates(lambda: 0.1) == Rate(Fraction(0), 0, 1 / (1 - Fraction(0.1)))
    assert rates(lambda: float(math.exp(-0.5))) == Rate(Fraction(0), 0, 1 / (1 - Fraction(math.exp(-0.5))))


def test_numbers_with_exp_go_on_as_floats():
    def program(count, rng):
        x = np.exp(-1.0)
        return [x, x.item(), x + 1, -x, math.exp(-1) * 2, float(x), isinstance(x, float), f"{x:.3f}", x**2, {x: 1}[x]]

    x = np.exp(-1.0)
    ((path,),) = laws_of(program, [0])
    assert path.outcome == [x, x, x + 1, -x, x * 2, x, True, "0.368", x**2, 1]
    assert {type(item) for item in path.outcome} <= {float, bool, str, int}


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (lambda count, rng, e: rng.geometric(np.exp(-e)), "a p that is neither"),
        (lambda count, rng, e: rng.geometric(1 - 2 * np.exp(-e)), "no probability for every epsilon"),
        (lambda count, rng, e: rng.geometric(1 - np.exp(-e * e)), "no multiple of epsilon"),
        (lambda count, rng, e: 1 if np.exp(-e) > 0.5 else 0, "a look at a number that depends on epsilon"),
        (lambda count, rng, e: float(np.exp(-e)), "a look at|turned into a float|depends on epsilon"),
        (lambda count, rng, e: math.exp(-e).real, "real of a number that depends on epsilon"),
        (lambda count, rng, e: [1, 2] * math.exp(-e), "such a number"),
    ],
)
def test_refused_numbers_that_depend_on_an_open_epsilon(program, words):
    with pytest.raises(Unauditable, match=words):
        laws_of(program, [0], epsilon="open")


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (lambda count, rng: [3, 4][rng.geometric(0.5)], "as an index"),
        (lambda count, rng: rng.geometric(0.5) % 2, "% of a noisy number"),
        (lambda count, rng: bool(rng.geometric(0.5) + rng.laplace() > 1), "whole noise beside real noise"),
        (lambda count, rng: bool(rng.geometric(0.5) > rng.normal()), "whole noise beside"),
        (lambda count, rng: bool(rng.geometric(0.5) - 2 * rng.geometric(0.5) > 1), "multiples of whole noise"),
        (lambda count, rng: bool(rng.geometric(0.5) + rng.geometric(0.5) + rng.geometric(0.5) > 5), "no tree"),
        (lambda count, rng: bool(rng.geometric(0.5) > rng.poisson(2)), "poisson noise in a comparison with other"),
        (lambda count, rng: round(rng.geometric(0.5) / 2), "rounded where it may lie at a half"),
        (lambda count, rng: rng.poisson(2) * rng.geometric(0.5) > 0.5, "a product of noisy numbers"),
        (lambda count, rng: isinstance(rng.geometric(0.5), int), "on ideal noise it returns False, and True"),
        (lambda count, rng: rng.negative_binomial(1, 0.5), "negative_binomial"),
        (lambda count, rng: bool(rng.binomial(10**6, 0.5) > 1), "binomial with such parameters"),
    ],
)
def test_refused_by_name(program, words):
    with pytest.raises(Unauditable, match=words):
        counted(program, 1)


def test_a_constant_is_not_told_from_noise_of_its_value():
    """That 0 is returned without noise half of the time is not seen: what is above must not refute the claim alone."""

    def program(count, rng):
        if rng.random() < 0.5:
            return 0
        noisy = count + two_sided(rng)
        return noisy if noisy == 0 else None

    assert [counted(program, each, counts=range(2)).verdict for each in ("1", "1/2", "2/5")] == [
        "verified",
        "undecided",
        "refuted",
    ]

    def at_zero(count, rng):
        noisy = count + rng.geometric(0.5) - rng.geometric(0.5)
        return 5 if rng.random() < 0.5 else noisy

    cut = without_loss(laws_of(at_zero, range(2)))
    assert cut.tells_constants()
    assert least(counted(at_zero, 1, counts=range(2))) == ("ln(2)", "ln(2)")


@pytest.mark.parametrize(
    "program",
    [
        lambda count, rng: float(count + two_sided(rng)) if count else count + two_sided(rng),
        lambda count, rng: {"n": [1.0 * count + two_sided(rng) if count else count + two_sided(rng)]},
        lambda count, rng: float(round(count + rng.laplace())) if count else round(count + rng.laplace()),
    ],
)
def test_caught_a_type_that_tells_the_count(program):
    with pytest.raises(Unauditable, match="as an int on one path, and as a float on another"):
        counted(program, 1)


def test_caught_a_text_in_the_place_of_noise():
    def program(count, rng):
        noisy = count + rng.geometric(0.5) - rng.geometric(0.5)
        return "above 11/2" if count == 1 and noisy > 5 else noisy

    found = None
    try:
        found = counted(program, 1, counts=range(2))
    except Unauditable:
        return
    assert found.verdict != "verified"


def test_caught_a_shift_of_whole_noise_by_a_half():
    region = Region((Law("geometric", Rate(Fraction(1))),), (), None)
    assert aligned_part(region, region, {0: Fraction(1)}) == (1, region)
    for shift, words in ((Fraction(1, 2), "no integer"), (Fraction(-1), "down")):
        with pytest.raises(ArithmeticError, match=words):
            aligned_part(region, region, {0: shift})
    region = Region((Law("geometric", Rate(Fraction(0), 0, Fraction(2))),), (), None)
    with pytest.raises(ArithmeticError, match="no bound"):
        aligned_part(region, region, {0: Fraction(1)})


def test_rates_share_a_variable_only_where_they_are_small_multiples():
    variables = Variables.of([6, 4, 10**9 + 7])
    assert variables.sizes == (2, 10**9 + 7)
    assert variables.exponents(6) == (3, 0, 0, 0)
    with pytest.raises(Unauditable, match="more than 4 rates"):
        Variables.of([10**k + 1 for k in range(3, 15, 2)])


def test_quotients_are_in_lowest_terms():
    x = power((Fraction(1), (1, 0, 0, 0)), 1)
    one = Quotient.of(1)
    assert (one - x * x) / (one - x) == one + x
    assert (one - x) / (one - x) == one
    assert not x - x
    assert power((Fraction(2), (1, 0, 0, 0)), -1) * x == Quotient.of(Fraction(1, 2))


class Discrete:
    """As scipy makes a discrete distribution: parameters of its own, then a location."""

    def __init__(self, shapes, method):
        self.shapes, self.method = shapes, method
        self._random_state = np.random.RandomState(0)

    def rvs(self, *args, size=None, loc=0, **named):
        values = dict(zip(self.shapes.split(", "), args, strict=False)) | named
        if self.method == "dlaplace":
            return self._random_state.geometric(-np.expm1(-values["a"]), size) + loc
        return getattr(self._random_state, self.method)(*values.values(), size=size) + loc


@pytest.fixture
def stats(monkeypatch):
    laws = {"geom": ("p", "geometric"), "poisson": ("mu", "poisson"), "binom": ("n, p", "binomial")}
    laws |= {"dlaplace": ("a", "dlaplace")}
    made = SimpleNamespace(**{name: type(name, (Discrete,), {})(*shapes) for name, shapes in laws.items()})
    monkeypatch.setitem(sys.modules, "scipy.stats", made)
    return made


def test_scipys_discrete_noise_is_ideal(stats):
    own = type(stats.geom).rvs
    assert least(counted(lambda count, rng: stats.dlaplace.rvs(1, loc=count), 1)) == ("1", "1")
    assert least(counted(lambda count, rng: count + stats.dlaplace.rvs(a=Fraction(1, 2)), 1)) == ("1/2", "1/2")

    def geometric(count, rng):
        draws = stats.geom.rvs(0.5, size=2, random_state=rng)
        return bool(count + draws[0] - draws[1] > 1)

    assert least(counted(geometric, 1)) == ("ln(2)", "ln(2)")
    assert least(counted(lambda count, rng: bool(count + stats.poisson.rvs(mu=10) > 3), 3)) == ("ln(11)", "ln(11)")
    paths = laws_of(lambda count, rng: int(stats.binom.rvs(2, 0.5)), [0])[0]
    assert {path.outcome: path.weight for path in paths} == {0: Fraction(1, 4), 1: Fraction(1, 2), 2: Fraction(1, 4)}
    with pytest.raises(Unauditable, match="a random_state with a seed"):
        laws_of(lambda count, rng: stats.geom.rvs(0.5, random_state=3), [0])
    assert type(stats.geom).rvs is own
