"""Draws of discrete noise: parameters as numpy checks them and as they are written, what is refused, what is caught."""

import math
from fractions import Fraction

import numpy as np
import pytest

from dpcert.audit.ideal.alignment import Region, aligned_part
from dpcert.audit.ideal.discrete.lattice import Quotient, Variables, power
from dpcert.audit.ideal.discrete.values import without_loss
from dpcert.audit.ideal.explore import laws_of
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.noise import Law, Rate

from .claims import counted, least
from .programs import two_sided
from .scipys import loaded


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
    assert rates(lambda: -np.expm1(-0.5)) == written
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
    assert {type(item) for item in path.outcome} <= {float, np.float64, bool, str, int}


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (lambda count, rng, e: rng.geometric(np.exp(-e)), "a p that is neither"),
        (lambda count, rng, e: rng.geometric(1 - 2 * np.exp(-e)), "no probability for every epsilon"),
        (lambda count, rng, e: rng.geometric(1 - np.exp(-e * e)), "no multiple of epsilon"),
        (lambda count, rng, e: 1 if np.exp(-e) > 0.5 else 0, "holds for some epsilon and not for others"),
        (lambda count, rng, e: float(np.exp(-e)), "a look at|turned into a float|depends on epsilon"),
        (lambda count, rng, e: math.exp(-e).real, "a look at a number that depends on epsilon"),
        (lambda count, rng, e: [1, 2] * math.exp(-e), "a look at a number that depends on epsilon"),
    ],
)
def test_refused_numbers_that_depend_on_an_open_epsilon(program, words):
    with pytest.raises(Unauditable, match=words):
        laws_of(program, [0], epsilon="open")


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (lambda count, rng: [3, 4][rng.geometric(0.5)], "needed as a plain number"),
        (lambda count, rng: rng.geometric(0.5) % 2, "% of a noisy number"),
        (lambda count, rng: bool(rng.geometric(0.5) + rng.laplace() > 1), "discrete noise beside real noise"),
        (lambda count, rng: bool(rng.geometric(0.5) > rng.normal()), "discrete noise beside"),
        (lambda count, rng: bool(rng.geometric(0.5) - 2 * rng.geometric(0.5) > 1), "multiples of discrete noise"),
        (lambda count, rng: bool(rng.geometric(0.5) + rng.geometric(0.5) + rng.geometric(0.5) > 5), "no tree"),
        (lambda count, rng: bool(rng.geometric(0.5) > rng.poisson(2)), "poisson noise in a comparison with other"),
        (lambda count, rng: round(rng.geometric(0.5) / 2), "rounded where it may lie at a half"),
        (lambda count, rng: rng.poisson(2) * rng.geometric(0.5) > 0.5, "a product of noisy numbers"),
        (lambda count, rng: rng.negative_binomial(1, 0.5), "negative_binomial"),
        (lambda count, rng: bool(rng.binomial(10**6, 0.5) > 1), "a binomial draw with such parameters"),
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
    with pytest.raises(Unauditable, match=r"number as (int|float) on one path, and as (int|float) on another"):
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


@pytest.fixture
def stats():
    with loaded() as module:
        yield module


def test_scipys_discrete_noise_is_ideal(stats):
    own = type(stats.geom).rvs
    assert least(counted(lambda count, rng: stats.dlaplace.rvs(1, loc=count), 1)) == ("1", "1")
    assert least(counted(lambda count, rng: count + stats.dlaplace.rvs(a=0.5), 1)) == ("1/2", "1/2")

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
