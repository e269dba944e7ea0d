"""Programs that draw by numpy's generators: in every way that is followed, and in ways that are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
from masked import table, written
from numpy.random import Generator, RandomState

RNG = np.random.default_rng()
SEEDED = np.random.default_rng(3)


class Held:
    """Holds a generator, as practitioners' classes do."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng()

    def release(self, n: int) -> Any:
        return self.rng.integers(3) + n


HELD = Held()


def integers_of_python(n: int, rng: Generator) -> Any:
    return rng.integers(3, dtype=int), rng.integers(2, dtype=bool), rng.integers(2, dtype=np.bool_), rng.integers(1)


def integers_in_a_row(n: int, rng: Generator) -> Any:
    x = rng.integers(-1, 2, size=2)
    return x, rng.integers(2, size=()), rng.integers(0, 2, (1, 2), np.uint8)


def uniforms(n: int, rng: Generator) -> Any:
    u = rng.uniform(1, 3)
    return rng.random() < 0.25, u < 1.5, u >= 2.5, type(u).__name__, rng.uniform(2, 2)


def choices(n: int, rng: Generator) -> Any:
    return rng.choice(3), rng.choice([3.5, 1.5]), rng.choice(["no", "yes", "a"]), rng.choice(range(2)) + n


def weighted(n: int, rng: Generator) -> Any:
    return rng.choice(3, p=[0.25, 0.25, 0.5]), rng.choice([2, 1], p=[0.75, 0.25]), rng.choice([True, False], p=(0, 1))


def of_signed_zeros(n: int, rng: Generator) -> Any:
    """0.0 and -0.0 are equal, and in no order."""
    first, second = rng.choice([0.0, -0.0, 0.0]), rng.choice([-1.0, 0.0, -0.0, 1.0])
    return first, second, second > 0, rng.choice([0.0, -0.0, 0.0], 2)


def choices_in_a_row(n: int, rng: Generator) -> Any:
    return rng.choice([1, 2], 2), rng.choice([2, 1], size=(1, 2)), rng.choice(2, 2, p=[0.25, 0.75])


def without_repeats_by_weight(n: int, rng: Generator) -> Any:
    weights = [0.5, 0.25, 0.25]
    return rng.choice([5, 7, 9], 2, False, weights), rng.choice(3, p=[0.5, 0, 0.5], replace=False)


def in_random_order(n: int, rng: Generator) -> Any:
    row, other = [(1, 2), None, "c"], np.array([1.0, 2.0])
    rng.shuffle(row)
    rng.shuffle(other)
    return row, rng.permutation(2), rng.permutation([5, 6.5]), other


def successes(n: int, rng: Generator) -> Any:
    return rng.binomial(1, 0.25), rng.binomial(2, 0.75), rng.binomial(1, 0.5, size=(1, 2)), rng.binomial(0, 0.5)


def categories(n: int, rng: Generator) -> Any:
    return rng.multinomial(2, [0.25, 0.5, 0.25]), rng.multinomial(1, [0.5, 0.5], size=2), rng.multinomial(1, [1.0])


def of_a_state(n: int, rng: RandomState) -> Any:
    return rng.randint(3), rng.randint(2, dtype=np.int64), rng.rand() < 0.5, rng.random_sample(1) < 0.5, rng.choice(2)


def of_the_module(n: int) -> Any:
    return np.random.randint(2), np.random.random() < 0.5, np.random.choice(["b", "a"]), np.random.uniform() < 0.5


def made(n: int) -> Any:
    rng, state = np.random.default_rng(), np.random.RandomState()
    again = np.random.default_rng(rng)
    return again.integers(3), state.randint(2), isinstance(rng, Generator), type(state) is RandomState


def of_the_module_that_made_it(n: int) -> Any:
    return RNG.integers(3)


def of_an_instance(n: int) -> Any:
    return HELD.release(n)


def asked_what_it_is(n: int, rng: Any) -> Any:
    draw = rng.integers if hasattr(rng, "integers") else rng.randint
    return draw(0, 3), hasattr(rng, "randint"), callable(draw)


def in_error(n: int, rng: Generator) -> Any:
    """Errors of numpy's own, of each kind of argument."""
    found = []
    for call in (
        lambda: rng.integers(0),
        lambda: rng.choice(0),
        lambda: rng.choice(2, p=[0.5, 0.6]),
        lambda: rng.choice(2, 3, replace=False),
        lambda: rng.random(-1),
        lambda: rng.integers(300, dtype=np.int8),
        lambda: rng.geometric(1.5),
        lambda: rng.shuffle(3),
    ):
        try:
            found.append(call())
        except (TypeError, ValueError) as error:
            found.append(str(error))
    return found


def attributes(n: int, rng: Generator) -> Any:
    try:
        rng.seen = 0
    except AttributeError as error:
        return str(error), error.args


def arguments(n: int, rng: Generator) -> Any:
    """Arguments that numpy does not take."""
    try:
        return rng.integers(3, 4, 5, 6, 7, 8), 0
    except TypeError:
        return 1


def of_texts_and_infinities(n: int, rng: Generator) -> Any:
    """Such elements are known at once: no number of a state is undecided among them."""
    return rng.choice(["a", "b"]), rng.choice(["x", "y"], p=[0.25, 0.75]), rng.choice([1.0, np.inf])


OF_GENERATORS = {
    "integers": "return [rng.integers(3), rng.integers(2, 4, endpoint=True), rng.integers(0, high=2, dtype=np.int8)]",
    "uniforms_in_a_row": "return rng.random(2) < 0.25, rng.uniform(high=4, size=(2, 1)) > 1",
    "without_repeats": "return rng.choice(4, 2, replace=False), rng.choice([3, 1], replace=False)",
    "trials": "return rng.geometric(0.75) > 2",
}
OF_STATES = {
    "without_repeats_by_weight_of_a_state": "return rng.choice(3, (1, 2), False, [0.5, 0.25, 0.25])",
    "successes_of_a_state": "return rng.binomial(1, 0.9) == 1, rng.binomial(3, 0.125)",
    "of_a_state_in_a_row": "return rng.randint(0, 2, 2), rng.rand(1, 2) < 0.5, rng.permutation(3)",
}
PROGRAMS = (
    *written(globals(), OF_GENERATORS, "n, rng: Generator"),
    *written(globals(), OF_STATES, "n, rng: RandomState"),
    *(of_texts_and_infinities, integers_of_python, integers_in_a_row, uniforms, choices, weighted, choices_in_a_row),
    *(of_signed_zeros, without_repeats_by_weight, in_random_order, successes, of_a_state, of_the_module, made),
    *(of_an_instance, of_the_module_that_made_it, asked_what_it_is, in_error, attributes, arguments),
)


REFUSED_OF_MODULES = {
    "seeded": ("return np.random.default_rng(3).integers(3)", "seeded"),
    "seeded_state": ("return np.random.RandomState(seed=3).randint(3)", "seeded"),
    "seeded_module": ("np.random.seed(0); return np.random.randint(3)", "seeded"),
    "of_bits": ("return np.random.Generator(np.random.PCG64()).integers(3)", "PCG64"),
}
REFUSED_OF_GENERATORS = {
    "bits": ('return rng.bit_generator.state["state"]', "bit_generator"),
    "written_into": ("x = np.zeros(2); rng.random(out=x); return x < 0.5", "out="),
    "written_into_by_place": ("x = np.zeros(2); rng.random(None, np.float64, x); return x < 0.5", "out="),
    "narrow_floats": ("return rng.random(dtype=np.float32) < 0.5", "another type"),
    "of_two_axes": ("return rng.choice(np.array([[0, n], [0, n]]), 1, axis=1)", "in a row"),
    "shuffled_along_an_axis": ("x = np.array([[0, 0], [n, n]]); rng.shuffle(x, 1); return x", "a row of numbers"),
    "permuted_rows": ("return rng.permutation(np.array([[n, n]]), axis=0)", "in a row"),
    "bounds_in_a_row": ("return rng.integers([2, 3])", "for a parameter"),
    "noise": ("return n + rng.normal()", "inverse transform"),
    "drawn_otherwise": ("return RandomState.randint(rng, 3)", "something else"),
    "too_many": ("return rng.random((10**6, 10**6)).shape", "100,000 numbers"),
}
REFUSED_OF_STATES = {
    "state_told": ("return rng.get_state()[0]", "get_state"),
}
REFUSED = {
    **table(globals(), "{}", REFUSED_OF_MODULES, "n"),
    **table(globals(), "{}", REFUSED_OF_GENERATORS, "n, rng: Generator"),
    **table(globals(), "{}", REFUSED_OF_STATES, "n, rng: RandomState"),
}
