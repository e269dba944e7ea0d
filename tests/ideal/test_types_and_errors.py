"""What a caller sees is told apart, a generator is one, and errors are those that floats raise."""

import random

import numpy as np
import pytest

import dpcert
from dpcert.audit.ideal.every_report import decide_every
from dpcert.audit.ideal.explore import laws_of
from dpcert.audit.ideal.verdict import decide_ideal
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.targets.every import Every
from tests.ideal import types_and_errors


def verdict(function):
    """Return the verdict of a claim of epsilon 1 on two counts, and its reason."""
    made = dpcert.target(guarantee=dpcert.PureDP(1), inputs=[0, 1], neighbours="counts_differ_by_one", noise="ideal")(
        function
    )
    try:
        found = decide_ideal(made.claim({}), made.on_ideal_noise({}))
    except Unauditable as error:
        return "undecided", str(error)
    return found.verdict, found.reason


@pytest.mark.parametrize("program", types_and_errors.PROGRAMS, ids=lambda each: each[0].__name__)
def test_no_program_gets_a_false_verdict(program):
    function, truth = program
    found, _ = verdict(function)
    assert found in {"V": ("verified",), "R": ("refuted", "undecided"), "U": ("undecided",)}[truth]


DRAWS = [
    (np.random.Generator, "choice", (2,)),
    (np.random.Generator, "choice", (["a", "b"],)),
    (np.random.Generator, "binomial", (1, 0.5)),
    (np.random.Generator, "binomial", (1, 0.5, 2)),
    (np.random.Generator, "integers", (2,)),
    (np.random.Generator, "integers", (0, 2, 1, bool)),
    (np.random.Generator, "integers", (0, 2, (1, 1), np.uint8)),
    (np.random.RandomState, "choice", (2,)),
    (np.random.RandomState, "choice", ([0.5, 1.5], 2)),
    (np.random.RandomState, "binomial", (1, 0.5)),
    (np.random.RandomState, "randint", (2,)),
    (np.random.RandomState, "randint", (0, 2, 1)),
]


def seen(draw):
    kind = type(draw).__name__
    return (kind, draw.dtype.str, draw.shape) if isinstance(draw, np.ndarray) else kind


@pytest.mark.parametrize(("kind", "name", "given"), DRAWS)
def test_draws_have_the_types_that_numpy_gives_them(kind, name, given):
    real = np.random.default_rng(1) if kind is np.random.Generator else np.random.RandomState(1)
    expected = seen(getattr(real, name)(*given))

    def program(n, rng):
        return seen(getattr(rng, name)(*given))

    program.__annotations__ = {"rng": kind}
    made = dpcert.target(guarantee=dpcert.PureDP(1), inputs=[0], neighbours="any", noise="ideal")(program)
    (found,) = laws_of(made.on_ideal_noise({}), [0])
    assert {path.outcome for path in found} == {expected}


def test_caught_a_scale_that_the_type_of_epsilon_tells():
    def program(n, rng, epsilon):
        scale = 1 / (3 * epsilon) if isinstance(epsilon, float) else 1 / epsilon
        return n + rng.laplace(scale=scale)

    found = decide_every(program, [0, 1], RELATIONS["counts_differ_by_one"])
    assert found.verdict == "refuted"


def test_a_claim_for_every_epsilon_says_its_type():
    def program(n, rng, epsilon):
        return n + rng.laplace(scale=1 / epsilon)

    assert decide_every(program, [0, 1], RELATIONS["counts_differ_by_one"]).verdict == "verified"
    made = dpcert.target(guarantee=dpcert.PureDP(1), inputs=[0, 1], neighbours="counts_differ_by_one", every="epsilon")(
        program
    )
    assert "for every float epsilon > 0," in Every.from_text("epsilon").sentence(made.claim({}))


def test_caught_the_class_of_a_draw():
    def program(n, rng):
        x = rng.laplace()
        return n if x.__class__ is float and x > types_and_errors.FAR else 0

    assert verdict(program)[0] == "refuted"


def test_hidden_state_is_said_with_what_the_next_run_sees():
    kept = []

    def program(n, rng):
        kept.append(0)
        return len(kept) % 2

    found, reason = verdict(program)
    assert found == "undecided"
    assert "it returns 1, and 0 on floats in the same place (on 1); it leaves program.kept changed" in reason


def test_caught_a_first_run_that_is_another():
    kept = []

    def program(n, rng):
        kept.append(0)
        return n + 1 if len(kept) == 1 else 0

    assert verdict(program)[0] == "undecided"


def test_new_arrays_in_numpys_own_code_stay_arrays_of_floats():
    def program(n, rng):
        cells = np.zeros(2)
        cells[0] = n + rng.laplace()
        cells[1] = rng.laplace(size=1)[0]
        return bool(cells[0] > cells[1])

    assert verdict(program)[0] == "verified"


def test_refused_a_seeded_generator():
    for made in (lambda: np.random.Generator(np.random.PCG64(1)), lambda: random.Random(1)):
        assert verdict(lambda n, rng, made=made: n + made().random())[0] == "undecided"
