"""Programs on ideal noise that tell what noise hides by a type, or by an error that floats do not raise.

Each has its truth for `PureDP(1)` on the inputs 0 and 1: "R" where no such claim holds, "V" where it does.
"""

import contextlib
import functools
import json
import math
import random
import sys
from decimal import Decimal

import numpy as np
from numpy.random import Generator as Named

FAR = 25
PROGRAMS = []


def truth(kind):
    def note(function):
        PROGRAMS.append((function, kind))
        return function

    return note


R, V, U = truth("R"), truth("V"), truth("U")


@R
def one_item_and_its_float(n, rng):
    x = n + rng.laplace(size=1)
    return x[0] if n else x[0].item()


@R
def items_and_a_list(n, rng):
    x = n + rng.laplace(size=2)
    return list(x) if n else x.tolist()


@R
def a_narrow_array(n, rng):
    x = n + rng.laplace(size=2, scale=2)
    return x.astype(np.float32) if n else x


@R
def an_array_in_another_order(n, rng):
    x = n + rng.laplace(size=(2, 2), scale=4)
    return np.asfortranarray(x) if n else x


@R
def whole_numbers_and_floats(n, rng):
    x = np.round(n + rng.laplace(size=1))
    return x.astype(int) if n else x


@R
def a_type_in_an_error(n, rng):
    x = n + rng.laplace(size=1)
    raise ValueError(x[0] if n else x[0].item())


@V
def a_zero_of_an_array(n, rng):
    x = n + rng.laplace(size=1)
    return np.zeros(1) if x[0] < 0 else x


@R
def a_pattern_for_the_generator(n, rng):
    match rng:
        case np.random.Generator():
            return n
    return n + rng.laplace()


@R
def the_class_of_pythons_generator(n, rng: random.Random):
    return n if isinstance(rng, random.Random) else n + rng.gauss(0, 1)


@R
def dispatch_on_the_generator(n, rng):
    @functools.singledispatch
    def drawn(generator):
        return n + generator.laplace()

    drawn.register(np.random.Generator, lambda generator: n)
    return drawn(rng)


@V
def a_generator_that_is_checked(n, rng):
    if not isinstance(rng, np.random.Generator):
        raise TypeError("give a Generator")
    return n + rng.laplace()


@R
def the_type_of_a_draw(n, rng):
    x = rng.laplace()
    return n if type(x) is float and x > FAR else 0


@R
def a_draw_that_is_a_float(n, rng):
    x = rng.laplace()
    return n if isinstance(x, float) and x > FAR else 0


@R
def a_pattern_for_a_draw(n, rng):
    match rng.laplace():
        case float() as x if x > FAR:
            return n
    return 0


@R
def a_draw_of_numpys(n, rng):
    x = rng.laplace(size=1)[0]
    return n if isinstance(x, np.floating) and x > FAR else 0


@R
def the_dtype_of_draws(n, rng):
    x = np.array([rng.laplace()])
    return n if x.dtype == float and x[0] > FAR else 0


@R
def the_common_dtype(n, rng):
    x = rng.laplace(size=1)
    return n if np.result_type(x).kind == "f" and x[0] > FAR else 0


@R
def what_a_float_has(n, rng):
    x = rng.laplace()
    return n if hasattr(x, "__getformat__") and x > FAR else 0


@R
def an_array_and_a_number(n, rng):
    x = rng.laplace(scale=0.1)
    try:
        y = np.array([n, 7]) + x
    except Exception:
        return 0
    return int(y[0] > FAR)


@R
def an_error_that_is_dropped(n, rng):
    x = rng.laplace(scale=0.1)
    with contextlib.suppress(TypeError):
        return int((np.array([n, 7]) + x)[0] > FAR)
    return 0


KIND_OF = functools.partial(type)


@R
def a_type_that_is_asked_for_in_another_way(n, rng):
    x = rng.laplace()
    return n if KIND_OF(x) is float and x > FAR else 0


@R
def the_size_of_a_number(n, rng):
    x = rng.laplace()
    return n if sys.getsizeof(x) == sys.getsizeof(0.5) and x > FAR else 0


@R
def the_same_item_is_another_object(n, rng):
    x = rng.laplace(size=1)
    return n if x[0] is not x[0] and x[0] > FAR else 0


@R
def what_numpys_numbers_have(n, rng):
    x = rng.laplace(size=1)[0]
    return n if hasattr(x, "__array__") and x > FAR else 0


@R
def the_docstring_of_a_float(n, rng):
    x = rng.laplace()
    return n if x.__doc__ == float.__doc__ and x > FAR else 0


@R
def a_look_at_one_draw_decides_on_another(n, rng):
    x, y = rng.laplace(), rng.laplace()
    return n if all(look() for look in (lambda: KIND_OF(x) is float, lambda: y > FAR)) else 0


@R
def the_type_of_an_array(n, rng):
    x = rng.laplace(size=1)
    return [0.0, x[0]][type(x) is np.ndarray] > FAR and n


@V
def an_array_that_is_checked(n, rng):
    x = n + rng.laplace(size=1)
    return x[0] if x.__class__ is np.ndarray and type(x) is np.ndarray else None


class Silent:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return True


@R
def a_refusal_that_is_dropped(n, rng):
    x = rng.laplace(scale=0.1)
    with Silent():
        return int(math.sqrt(x * x) + n > FAR)
    return 0


@R
def noise_in_place(n, rng):
    cells = np.zeros(1)
    try:
        cells += n + rng.laplace(size=1, scale=0.1)
    except TypeError:
        return 0
    return int(cells[0] > FAR)


@R
def a_decimal(n, rng):
    try:
        return int(Decimal(rng.laplace(scale=0.1)) + n > FAR)
    except TypeError:
        return 0


@R
def a_text(n, rng):
    x = n + rng.laplace(scale=0.1)
    try:
        return int(float(json.dumps(x)) > FAR)
    except TypeError:
        return 0


@R
def a_setting_that_is_not_followed(n, rng):
    try:
        x = rng.standard_normal(size=1, dtype=np.float64)[0]
    except TypeError:
        return 0
    return int(0.1 * x + n > FAR)


@V
def errors_of_its_own(n, rng):
    x = n + rng.laplace()
    try:
        if x < 0:
            raise ValueError("below")
        return {}[1]
    except ValueError:
        return 0.0
    except KeyError:
        return x


@V
def an_error_of_the_library(n, rng):
    with contextlib.suppress(ValueError):
        rng.laplace(scale=-1)
    return n + rng.laplace()


@V
def an_error_that_escapes(n, rng):
    if n + rng.laplace() < 0:
        raise ValueError("below")
    return 1


@R
def the_name_of_the_generators_class(n, rng):
    return n if type(rng).__name__ == "Generator" and type(rng).__module__.startswith("numpy") else n + rng.laplace()


def hardly_integrated(n, rng):
    """Return a number that alignments bound, and of which no event is integrated."""
    return n + rng.laplace() + rng.gumbel() + rng.logistic()


ONE_LINE = {
    "a_zero": (lambda n, rng: max(0.0, n + rng.laplace()), "V"),
    "the_generators_class": (lambda n, rng: n if isinstance(rng, np.random.Generator) else n + rng.laplace(), "R"),
    "the_generators_class_by_another_name": (
        lambda n, rng: n if isinstance(rng, Named) and type(rng) is np.random.Generator else n + rng.laplace(),
        "R",
    ),
    "the_type_of_a_choice": (lambda n, rng: 0 if isinstance(rng.choice(2), np.integer) else n, "R"),
    "the_type_of_a_count": (lambda n, rng: n if type(rng.binomial(1, 0.5)) is int else 0, "R"),
    "the_dtype_of_integers": (lambda n, rng: rng.integers(0, 2, size=1, dtype=np.int8 if n else np.int64), "R"),
    "the_types_of_plain_numbers": (
        lambda n, rng: round(n + rng.laplace()) if type(n) is int and type(n / 2) is float else n,
        "V",
    ),
    "a_method_by_name": (lambda n, rng: int(float(FAR).__lt__(n + rng.laplace(scale=0.1)) is True), "R"),
    "zeros_of_two_signs": (lambda n, rng: (-0.0 if n else 0.0, hardly_integrated(n, rng)), "R"),
    "zeros_of_two_signs_in_an_array": (lambda n, rng: np.array([-0.0 if n else 0.0, hardly_integrated(n, rng)]), "R"),
    "a_truth_value_of_numpy": (lambda n, rng: (True if n else np.True_, hardly_integrated(n, rng)), "R"),
    "a_float_of_numpy": (lambda n, rng: (np.float64(1) if n else 1.0, hardly_integrated(n, rng)), "R"),
    "an_int_beside_its_float": (
        lambda n, rng: (n**0, hardly_integrated(n, rng)) if n else (1.0, hardly_integrated(n, rng)),
        "R",
    ),
    "infinities_of_two_signs": (lambda n, rng: (math.inf if n else -math.inf, hardly_integrated(n, rng)), "R"),
    "no_number": (lambda n, rng: (math.nan, n + rng.laplace()), "U"),
    "a_list_of_no_number": (lambda n, rng: [math.nan, math.inf, n + rng.laplace()], "U"),
}
for name, (program, kind) in ONE_LINE.items():
    program.__name__ = name
    truth(kind)(program)
