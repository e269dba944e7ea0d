"""Evidence on single numbers of ideal noise: types and exceptions are those of real operators, the rest is refused."""

import math
import random
from decimal import Decimal
from fractions import Fraction
from itertools import permutations

import flint
import numpy as np
import pytest

from dpcert.audit.ideal.explore import Reader, laws_of
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import Raised
from dpcert.mechanisms.ideal.exact import Exact
from dpcert.mechanisms.ideal.noise import Law
from dpcert.mechanisms.ideal.parts import Noisy, Rounded
from dpcert.reading.domains.written import floor_of
from dpcert.reading.ideal.explore import read_ways


def outcomes(program):
    return [path.outcome for path in Reader(program).laws([0])[0]]


TYPES = [
    (lambda x, rng: rng.laplace(), float),
    (lambda x, rng: rng.laplace() + 1, float),
    (lambda x, rng: rng.laplace() + np.float64(1), np.float64),
    (lambda x, rng: rng.laplace(np.float64(1)), float),
    (lambda x, rng: rng.laplace(size=1)[0], np.float64),
    (lambda x, rng: rng.laplace(size=1)[0].item(), float),
    (lambda x, rng: rng.laplace(size=1).tolist()[0], float),
    (lambda x, rng: np.log(rng.random()), np.float64),
    (lambda x, rng: math.log(rng.random()), float),
    (lambda x, rng: round(rng.laplace()), int),
    (lambda x, rng: round(rng.laplace(), 1), float),
    (lambda x, rng: math.floor(rng.laplace()), int),
    (lambda x, rng: rng.laplace() // 1, float),
    (lambda x, rng: np.rint(rng.laplace()), np.float64),
    (lambda x, rng: np.rint(rng.laplace(size=1)).astype(int)[0], np.int64),
    (lambda x, rng: rng.geometric(0.5), int),
    (lambda x, rng: rng.geometric(0.5) / 2, float),
    (lambda x, rng: rng.geometric(0.5) * Fraction(1, 2), Fraction),
    (lambda x, rng: rng.poisson(3, size=1)[0], np.int64),
    (lambda x, rng: random.gauss(0, 1), float),
    (lambda x, rng: rng.random() < 0.5, bool),
    (lambda x, rng: rng.random(size=1)[0] < 0.5, np.bool_),
    (lambda x, rng: rng.integers(2), np.int64),
]


@pytest.mark.parametrize(("program", "kind"), TYPES)
def test_a_number_has_the_type_that_the_library_gives_it(program, kind):
    """A number on ideal noise says the type that a real one has, which the run on floats must have as well."""
    assert type(program(0, np.random.default_rng(0))) is kind
    (found,) = {
        *outcomes(lambda x, rng: [type(program(x, rng)) is kind, isinstance(program(x, rng), kind)] == [True] * 2)
    }
    assert found is True
    outcomes(program)


RAISED = [
    (lambda x, rng: rng.laplace() / 0, ZeroDivisionError),
    (lambda x, rng: rng.laplace() // 0, ZeroDivisionError),
    (lambda x, rng: rng.geometric(0.5) / 0, ZeroDivisionError),
    (lambda x, rng: rng.laplace() & 1, TypeError),
    (lambda x, rng: rng.laplace() + Decimal(1), TypeError),
    (lambda x, rng: rng.laplace() + 10**400, OverflowError),
    (lambda x, rng: rng.laplace(0, -1), ValueError),
    (lambda x, rng: rng.geometric(2), ValueError),
    (lambda x, rng: rng.laplace().no_such_name, AttributeError),
    (lambda x, rng: random.choices("ab", [1]), ValueError),
]


@pytest.mark.parametrize(("program", "kind"), RAISED)
def test_an_exception_is_that_of_the_real_operator(program, kind):
    with pytest.raises(kind) as caught:
        program(0, np.random.default_rng(0))

    def told(x, rng):
        try:
            program(x, rng)
        except Exception as error:
            return type(error).__name__, str(error)

    assert outcomes(told) == [(kind.__name__, str(caught.value))]


def test_an_exception_tells_the_noise_that_it_holds():
    def raising(x, rng):
        raise ValueError("too large", x + rng.laplace())

    (found,) = outcomes(raising)
    assert found == Raised("ValueError", ("too large", Noisy(((0, Fraction(1)),), Fraction(0))))


REFUSED = [
    (lambda x, rng: rng.poisson(1) * rng.laplace(), "a product of noisy numbers that is no float"),
    (lambda x, rng: 1 / rng.geometric(0.5), "a division by a noisy number that is no float"),
    (lambda x, rng: rng.laplace() ** 2, "write x"),
    (lambda x, rng: rng.laplace(size=1) ** 17, "a power of noise"),
    (lambda x, rng: rng.laplace(size=1) ** -1, "a power of noise"),
    (lambda x, rng: 2 ** rng.laplace(), "a power of noise"),
    (lambda x, rng: 1 / (rng.laplace(size=1) * 2) ** 2, "that may be 0"),
    (lambda x, rng: math.exp(rng.laplace() * rng.laplace()), "use numpy.exp"),
    (lambda x, rng: math.sqrt(rng.laplace() * rng.laplace()), "outside of it"),
    (lambda x, rng: math.log(x * x + (y := rng.laplace()) * y), "outside of it"),
    (lambda x, rng: rng.laplace() * rng.laplace() > 0, "compare its arguments"),
    (lambda x, rng: int(rng.laplace() / rng.laplace()), "release it as it is"),
    (lambda x, rng: round(rng.laplace() / rng.laplace()), "release it as it is"),
    (lambda x, rng: (rng.laplace() / rng.laplace()) // 1, "release it as it is"),
    (lambda x, rng: rng.laplace(0, (y := rng.laplace()) * y + 1), "a parameter of a draw"),
    (lambda x, rng: str(rng.laplace() / rng.laplace()), "needed as a plain number"),
    (lambda x, rng: {rng.laplace() / rng.laplace(): 1}, "needed as a plain number"),
    (lambda x, rng: rng.laplace() % 1, "% of a noisy number"),
    (lambda x, rng: np.sqrt(rng.laplace(size=1)), "gives NaN or an infinite number"),
    (lambda x, rng: np.log(rng.laplace(size=1)), "gives NaN or an infinite number"),
    (lambda x, rng: rng.laplace(size=1)[0] ** 2 / np.float64(0), "gives NaN or an infinite number"),
    (lambda x, rng: str(rng.laplace()), "needed as a plain number"),
    (lambda x, rng: {rng.laplace()}, "needed as a plain number"),
    (lambda x, rng: [0, 1][round(rng.laplace())], "needed as a plain number"),
    (lambda x, rng: rng.laplace() * math.inf, "infinite number"),
    (lambda x, rng: rng.laplace() + 1j, "add of a noisy number"),
    (lambda x, rng: rng.geometric(0.5) + Decimal(1), "add of a noisy number"),
    (lambda x, rng: rng.poisson(1) << 10**20, "lshift of a noisy number"),
    (lambda x, rng: rng.geometric(0.5) < Decimal(1), "no real number"),
    (lambda x, rng: rng.laplace() < np.float16(1), "a float16"),
    (lambda x, rng: rng.laplace(size=1).astype(np.float32)[0] < 0.1, "a float32"),
    (lambda x, rng: rng.laplace(size=1).astype(np.float32)[0] + 0.1, "a float32"),
    (lambda x, rng: rng.laplace(size=1).astype(np.float32)[0] * 1e39, "a float32"),
    (lambda x, rng: np.square(rng.laplace(size=1).astype(np.float32)), "no float of 64 bits"),
    (lambda x, rng: rng.laplace(size=1).astype(np.float16), "type 'e'"),
    (lambda x, rng: rng.laplace(size=1)[0] / np.float64(0), "zero"),
    (lambda x, rng: math.log(2 * rng.random()), "not uniform between 0 and 1"),
    (lambda x, rng: (u := rng.random()) + math.log(u), "beside its own logarithm"),
    (lambda x, rng: round(rng.laplace()) > round(rng.laplace()), "beside another noisy one"),
    (lambda x, rng: round(round(rng.laplace(), 1)), "rounded again"),
    (lambda x, rng: rng.laplace(0, rng.exponential()), "a scale"),
    (lambda x, rng: rng.standard_normal(dtype=np.float32), "another dtype"),
    (lambda x, rng: np.random.Generator.laplace(x, scal=1), "does not take"),
    (lambda x, rng: rng.choice(3, size=2, replace=False, shuffle=False), "without replacement"),
    (lambda x, rng: np.sum(rng.laplace(size=2), out=np.zeros(())), "needed as a plain number"),
    (lambda x, rng: np.clip(rng.laplace(size=1), np.array([np.nan]), 2), "a NaN is not followed"),
    (lambda x, rng: np.random.default_rng(0).laplace(), "seed"),
]


@pytest.mark.parametrize(("program", "words"), REFUSED)
def test_refused_by_name(program, words):
    with pytest.raises(Unauditable, match=words):
        Reader(program).laws([0])


@pytest.mark.parametrize("program", [lambda x, rng: rng.laplace(0, 1, None, 3), lambda x, rng: rng.laplace(scal=1)])
def test_what_a_method_does_not_take_raises_as_numpy_does(program):
    (found,) = outcomes(program)
    with pytest.raises(TypeError) as fault:
        program(0, np.random.default_rng(0))
    assert (found.name, found.args) == ("TypeError", fault.value.args)


def test_constants_are_exact():
    def program(x, rng):
        zero = rng.laplace(0, 0)
        return zero + 0.1, zero + 1, (zero + 2.5) // 2, round(zero + 3.5), int(zero - 1.5), max(zero, 0.0) == 0

    (found,) = outcomes(program)
    assert found == (0.1, 1.0, 1.0, 4, -1, True)
    assert [type(each) for each in found] == [float, float, float, int, int, bool]


def test_a_rounded_number_is_a_floor():
    (found,) = outcomes(lambda x, rng: 3 - 2 * round(rng.laplace()))
    assert found == Rounded(((0, Fraction(-1)),), Fraction(3, 2), Fraction(2), Fraction(1))


@pytest.mark.parametrize("power", [1, 20, 45, 64, 200])
def test_a_large_exponential_is_rounded_down_at_once(power):
    with flint.ctx.workprec(1000):
        expected = int(flint.arb(power).exp().floor().unique_fmpz())
    assert floor_of(Exact.power(number=power)) == expected
    assert floor_of(-Exact.power(number=power)) == -expected - 1


def test_draws_of_finitely_many_values_have_their_weights():
    (paths,) = [Reader(lambda x, rng: rng.choice(["a", "b"], p=[0.25, 0.75])).laws([0])[0]]
    assert sorted((str(path.outcome), path.weight * 4) for path in paths) == [("a", 1), ("b", 3)]


@pytest.mark.parametrize("weights", [None, [0.5, 0.25, 0.25], [0.5, 0.0, 0.5]])
def test_draws_without_replacement_are_those_of_what_is_left(weights):
    (paths,) = [Reader(lambda x, rng: rng.choice([7, 5, 9], size=2, replace=False, p=weights).tolist()).laws([0])[0]]
    masses = [Fraction(each) for each in weights or [Fraction(1, 3)] * 3]
    truth = {
        ((7, 5, 9)[i], (7, 5, 9)[j]): masses[i] * masses[j] / (1 - masses[i])
        for i, j in permutations(range(3), 2)
        if masses[i] * masses[j]
    }
    assert {tuple(path.outcome): path.weight for path in paths} == truth


def test_running_sums_are_those_of_the_elements():
    def one_by_one(x, rng):
        a, b, c = rng.laplace(size=3)
        return np.array([a + x, (b + x) + (a + x), (c + x) + (b + x) + (a + x)])

    assert outcomes(lambda x, rng: np.cumsum(rng.laplace(size=3) + x)) == outcomes(one_by_one)


def test_a_p_is_read_as_it_is_written():
    def program(x, rng):
        return rng.geometric(1 - math.exp(-0.5))

    (path,) = Reader(program).laws([0])[0]
    assert path.laws == (Law("geometric", path.laws[0].rate),)
    assert (path.laws[0].rate.factor, path.laws[0].rate.ratio) == (Fraction(1, 2), 1)


def test_types_that_differ_are_seen():
    def program(x, rng):
        noisy = round(rng.laplace())
        return noisy if noisy > 0 else float(noisy)

    with pytest.raises(Unauditable, match="a caller sees a released number as"):
        Reader(program).laws([0])


def test_an_exponential_is_the_number_that_it_is():
    def program(x, rng):
        k = math.exp(1)
        texts = f"{k}", {k: 1}, k > 2, bool(k), int(k), round(k, 2)
        return *texts, -k, k**2, k % 1, 1 / k, math.sqrt(k), np.exp(1.0), np.array([k]).sum(), sum([k, 0.1])

    (path,) = laws_of(program, [0], in_floats=True)[0]
    assert path.outcome == program(0, None)
    assert [type(each) for each in path.outcome] == [type(each) for each in program(0, None)]


KEPT: list[int] = []


def test_what_a_run_leaves_behind_is_named():
    def program(x, rng):
        KEPT.append(x)
        return rng.laplace()

    ((path,),) = laws_of(program, [0])
    assert path.left == ("test_ideal_numbers.KEPT",)


def test_caught_what_a_run_leaves_behind_and_the_next_one_shows():
    """The machine reads one run; those on floats are made one after another."""

    def program(x, rng):
        KEPT.append(x)
        return len(KEPT) % 2, rng.laplace() > x

    with pytest.raises(Unauditable, match="on floats in the same place"):
        Reader(program).laws([0, 1])


def test_an_error_that_names_a_generator_escapes():
    ((path, _),) = read_ways(lambda x, rng: rng.no_such_noise(), 0)
    with pytest.raises(AttributeError) as caught:
        np.random.default_rng().no_such_noise()
    assert (path.outcome.name, path.outcome.args) == ("AttributeError", caught.value.args)
