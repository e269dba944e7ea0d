"""numpy's generators on the machine: they make their draws from fair coins, as numpy makes them from its bits.

numpy itself first tries each call, on a generator that is thrown away. Its exception there is raised in the program,
and its draws there show the type and layout of the draws. For each method that is followed, a rule in `LAWS` says how
numpy draws; all others are refused by name.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

import numpy

from dpcert.reading.domains import coins as domain
from dpcert.reading.domains.deferred import deferred
from dpcert.reading.domains.steps import STEPS, UNIT, finite, same
from dpcert.reading.draws import SEEDED, drawn_from
from dpcert.reading.errors import Refused, call_act
from dpcert.reading.numpy import kinds, prelude_draws
from dpcert.reading.numpy.asked import CHOSEN, FEW, INSTEAD, LEAST_P, MOST, THIRD, TRANSFORMS, Asked, of_population
from dpcert.reading.numpy.memory import Call, code_of, laid
from dpcert.reading.numpy.records import Array
from dpcert.reading.numpy.scalars import made
from dpcert.reading.values import SCALARS, Instance, List, Undecided, Value
from dpcert.reading.whitelist import KEYWORDS, rule

GENERATOR, STATE = kinds.GENERATORS
REMEDIES = {
    "permuted": "call permutation",
}


Law = Callable[[Any, Asked], Value]


def no_law(name: str) -> tuple[str, str]:
    """Why a method is not followed, and the remedy."""
    return TRANSFORMS, REMEDIES.get(name, INSTEAD)


def tried(kind: Any, name: str, host: Any, args: tuple[Value, ...], keywords: dict[str, Value]) -> Asked:
    """Try a call on a generator that is thrown away.

    Raises: Thrown with numpy's exception; Ask where an argument is undecided; NotPlain and Refused.
    """
    call = Call(scratch=True)
    owner, *rest = args
    if name == "shuffle" and rest and rest[0].__class__ is List:
        rest[0] = List([0] * len(rest[0].items))  # only the length of a list matters
    plain = [call.to_host(each) for each in rest]
    named = {key: call.to_host(each) for key, each in keywords.items()}
    check_size(host, plain, named)
    like = call.run_hosts(host, [kinds.SPARE[kind](), *plain], named)
    bound = inspect.signature(host).bind(None, *plain, **named).arguments
    return Asked(owner, f"numpy.random.{kind.__name__}.{name}", dict(bound), like)


def check_size(host: Any, plain: list[Any], named: dict[str, Any]) -> None:
    """Refuse a call with so many draws that a state could not hold them."""
    try:
        given = inspect.signature(host).bind(None, *plain, **named).arguments
    except TypeError:
        return  # numpy raises it again
    sizes = [given.get("size"), given.get("args")]
    numbers = [each for size in sizes for each in (size if isinstance(size, (tuple, list)) else [size])]
    if math.prod(each for each in numbers if isinstance(each, (int, numpy.integer))) > MOST:
        raise Refused(f"more than {MOST:,} numbers are drawn in one call; draw fewer")


def _typed(value: Value, like: Any) -> Value:
    """A draw in the type of a draw that numpy made."""
    if type(like) in kinds.SCALARS:
        return made(like.dtype.char, value)
    if type(like) is bool:
        return domain.answer(value, ">=", 1) if value.__class__ is Undecided else bool(value)
    return value


def _drawn(asked: Asked, one: Callable[[], Value]) -> Value:
    """As many draws as numpy made, each by itself, in the type and layout of numpy's draws."""
    if type(asked.like) is not numpy.ndarray:
        return _typed(one(), asked.like)
    code = code_of(asked.like.dtype)
    return laid([made(code, one()) for _ in range(asked.count)], asked.like)


def _step(value: Value, step: str, by: Value) -> Value:
    return domain.then(value, step, by) if value.__class__ is Undecided else STEPS[step](value, by)


# -- the draws of each method


def _random(m: Any, asked: Asked) -> Value:
    """u = k / 2^53."""
    if asked.given.get("out") is not None or numpy.dtype(asked.given.get("dtype", float)) != numpy.float64:
        asked.refuse("of another type, or with out=, is not followed")
    return _drawn(asked, lambda: m.draw(UNIT, "float"))


def _uniform(m: Any, asked: Asked) -> Value:
    """low + (high - low) * u, in doubles."""
    low, high = asked.number("low", 0.0), asked.number("high", 1.0)
    return _drawn(asked, lambda: _step(_step(m.draw(UNIT, "float"), "mul", high - low), "add", low))


def _integers(m: Any, asked: Asked) -> Value:
    """A uniform integer."""
    ends = [asked.whole("low")] if asked.given.get("high") is None else [asked.whole("low"), asked.whole("high")]
    least = 0 if len(ends) == 1 else ends[0]
    count = ends[-1] + bool(asked.given.get("endpoint", False)) - least
    return _drawn(asked, lambda: _step(m.draw(count, "int"), "add", least) if count > 1 else least)


def _choice(m: Any, asked: Asked) -> Value:
    """One of n places, or one element of an array with one axis."""
    population = of_population(asked.given["a"])
    if population is None:
        asked.refuse("is followed for a number, and for numbers or texts in a row", "draw a place by integers")
    p = asked.given.get("p")
    if not asked.given.get("replace", True):
        if asked.given.get("shuffle", True) is not True:
            asked.refuse("without replacement is followed without shuffle=", "draw a permutation")
        return _without_repeats(m, asked, population, p)
    count = population if isinstance(population, int) else len(population)
    place = partial(_below, m, asked.owner, count) if p is None else _by_weight(m, p)
    if isinstance(population, int):
        return _drawn(asked, place)
    return _elements(m, asked, tuple(population), place)


def _by_weight(m: Any, p: Any) -> Callable[[], Value]:
    """A function that draws a place by numpy's search of a uniform double in the sums of the probabilities."""
    sums = numpy.array(p, dtype=numpy.float64).cumsum()
    sums /= sums[-1]
    row = tuple(sums.tolist())
    return lambda: _step(m.draw(UNIT, "float"), "search", row)


def _elements(m: Any, asked: Asked, elements: tuple[Value, ...], place: Callable[[], Value]) -> Value:
    """Elements at drawn places; they are undecided where the elements are finite numbers in order."""
    places = [place() for _ in range(asked.count)]
    numbers = all(each.__class__ in kinds.NUMBERS and finite(each) for each in elements)
    if numbers and all(a < b or same(a, b) for a, b in pairwise(elements)):  # 0.0 and -0.0 have no order
        picked = iter([_pick(each, elements) for each in places])
        return _drawn(asked, lambda: next(picked))
    if asked.pattern is None:
        return call_act(m.prelude("picked"), (elements, *places))
    code = code_of(asked.like.dtype)
    return laid([_later(code, place, elements) for place in places], asked.like)


def _pick(place: Value, elements: tuple[Value, ...]) -> Value:
    if place.__class__ is not Undecided:
        return elements[place]
    return domain.settled(Undecided(place.draw, (*place.chain, ("pick", elements))))


def _later(code: str, place: Value, elements: tuple[Value, ...]) -> Value:
    """The element at a place, picked when it is needed."""
    found = deferred("pick", code, place, elements)
    return elements[domain.decide(place)] if found is None else found


def _without_repeats(m: Any, asked: Asked, population: Any, p: Any) -> Value:
    elements = range(population) if isinstance(population, int) else tuple(population)
    if p is not None:
        weights = tuple(numpy.array(p, dtype=numpy.float64).tolist())
        given = (asked.owner, elements, weights, asked.count, asked.pattern)
        return call_act(m.prelude("without_repeats_by_weight"), given)
    return call_act(m.prelude("without_repeats"), (asked.owner, elements, asked.count, asked.pattern))


def _permutation(m: Any, asked: Asked) -> Value:
    """The elements of an array with one axis, or places, in random order."""
    if type(asked.given["x"]) is not int and numpy.array(asked.given["x"]).ndim != 1:
        asked.refuse("is followed for a number, and for numbers in a row", "permute places")
    if asked.like.dtype.kind not in CHOSEN:
        asked.refuse("is followed for numbers in a row", "permute places")
    x = asked.given["x"]
    elements = tuple(numpy.arange(x) if type(x) is int else numpy.array(x))
    return call_act(m.prelude("permuted"), (asked.owner, elements, asked.pattern))


def _geometric(m: Any, asked: Asked) -> Value:
    """The number of trials to the first success, by a search."""
    p, state = asked.number("p"), asked.owner.cls is STATE
    if not (p > LEAST_P if state else p >= THIRD) or p > 1.0:
        asked.refuse(f"with p={p!r} is followed for p from {LEAST_P if state else '1/3'} to 1", INSTEAD)
    return _repeated(m, asked, "geometric" if p >= THIRD else "geometric_by_log", p)


def _binomial(m: Any, asked: Asked) -> Value:
    """The number of successes, by a search: for more than FEW of the rarer kind, numpy rejects."""
    n, p = asked.whole("n"), asked.number("p")
    if n * min(p, 1.0 - p) > FEW:
        asked.refuse(f"with n={n} and p={p!r} is followed where {FEW:g} successes or failures are expected, or fewer")
    return _repeated(m, asked, "binomial", n, p)


def _multinomial(m: Any, asked: Asked) -> Value:
    """Counts of categories, each binomial in the number of trials that are left."""
    n, left, conditional = asked.whole("n"), 1.0, []
    shares = numpy.array(asked.given["pvals"], float)
    if shares.ndim != 1 or not shares.size:
        asked.refuse("is followed for probabilities in a row", "draw row by row")
    for share in shares[:-1].tolist():
        conditional.append(share / left if left else 0.0)
        left -= share
    if n * max((min(p, 1.0 - p) for p in conditional), default=0.0) > FEW or not all(
        0.0 <= p <= 1.0 for p in conditional
    ):
        asked.refuse(f"with n={n} is followed where {FEW:g} of each category are expected, or fewer")
    rows = asked.count // shares.size
    return call_act(m.prelude("multinomial"), (asked.owner, n, tuple(conditional), rows, asked.as_value))


def _repeated(m: Any, asked: Asked, draw: str, *parameters: float) -> Value:
    """Draws that the prelude makes one by one."""
    return call_act(m.prelude("repeated"), (m.prelude(draw), asked.owner, parameters, asked.count, asked.as_value))


def _by_prelude(draw: str, **defaults: float | None) -> Law:
    """The law of draws with parameters that are single numbers; parameters without a default are positive."""

    def law(m: Any, asked: Asked) -> Value:
        given = {name: asked.number(name, default) for name, default in defaults.items()}
        for name, number in given.items():
            if defaults[name] is None and not 0.0 < number < math.inf:
                asked.refuse(f"with {number!r} for a parameter is not followed", "hand it a positive number")
        return _repeated(m, asked, draw, *given.values())

    return law


def _standard_exponential(m: Any, asked: Asked) -> Value:
    """-log(1 - u); of a Generator, the inverse transform alone."""
    if asked.owner.cls is STATE:
        return _repeated(m, asked, "standard_exponential")
    method, dtype = asked.given.get("method", "zig"), asked.given.get("dtype", float)
    if method != "inv" or asked.given.get("out") is not None or numpy.dtype(dtype) != numpy.float64:
        asked.refuse(f"with method={method!r} is not followed", 'write method="inv", in doubles and without out=')
    return _repeated(m, asked, "inverse_exponential")


def _of_state(law: Law) -> Law:
    """A law that a RandomState alone has: a Generator draws by a ziggurat."""

    def checked(m: Any, asked: Asked) -> Value:
        return law(m, asked) if asked.owner.cls is STATE else asked.refuse(TRANSFORMS)

    return checked


LAWS: dict[str, Law] = {
    **dict.fromkeys(("random", "random_sample", "rand"), _random),
    **dict.fromkeys(("integers", "randint"), _integers),
    "binomial": _binomial,
    "choice": _choice,
    "exponential": _of_state(_by_prelude("exponential", scale=1.0)),
    "geometric": _geometric,
    "gumbel": _by_prelude("gumbel", loc=0.0, scale=1.0),
    "laplace": _by_prelude("laplace", loc=0.0, scale=1.0),
    "logistic": _by_prelude("logistic", loc=0.0, scale=1.0),
    "multinomial": _multinomial,
    "pareto": _of_state(_by_prelude("pareto", a=None)),
    "permutation": _permutation,
    "power": _of_state(_by_prelude("power", a=None)),
    "rayleigh": _of_state(_by_prelude("rayleigh", scale=1.0)),
    "standard_exponential": _standard_exponential,
    "uniform": _uniform,
    "weibull": _of_state(_by_prelude("weibull", a=None)),
}


def _shuffle(m: Any, owner: Value, row: Value) -> Value:
    """Put a list, or an array with one axis, in random order."""
    if row.__class__ is not List and (row.__class__ is not Array or len(row.shape) != 1):
        raise Refused("a shuffle of other things than a list or a row of numbers is not followed; shuffle places")
    return call_act(m.prelude("shuffled"), (owner, row))


# -- the rules


def _method(kind: Any, name: str) -> None:
    """Have a method of a class of generators draw from objects of that class alone."""
    host = vars(kind)[name]

    def run(m: Any, owner: Value, *args: Value, **keywords: Value) -> Value:
        drawn_from(m, owner, kind)
        asked = tried(kind, name, host, (owner, *args), keywords)
        if name == "shuffle":
            return _shuffle(m, owner, args[0] if args else keywords["x"])
        law = LAWS.get(name)
        if law is None:
            asked.refuse(*no_law(name))
        return law(m, asked)

    rule(host)(run)
    KEYWORDS[id(host)] = None


def methods(kind: Any) -> list[str]:
    """The names of the methods of a class of generators that draw and have a signature in numpy."""
    found = [name for name, value in vars(kind).items() if type(value) is kinds.METHOD and name[0] != "_"]
    return [name for name in found if name not in NO_DRAWS and _has_signature(vars(kind)[name])]


def _has_signature(host: Any) -> bool:
    try:
        inspect.signature(host)
    except ValueError:
        return False
    return True


NO_DRAWS = frozenset({"seed", "get_state", "set_state", "spawn", "permuted"})
for _kind in kinds.GENERATORS:
    for _name in methods(_kind):
        _method(_kind, _name)


@rule(numpy.random.default_rng)
def _default_rng(m: Any, seed: Value = None) -> Value:
    if seed is None:
        return Instance(GENERATOR, {})
    if seed.__class__ is Instance and seed.cls is GENERATOR:
        return seed
    raise Refused(SEEDED)


@rule(STATE)
def _random_state(m: Any, seed: Value = None) -> Value:
    if seed is not None:
        raise Refused(SEEDED)
    return Instance(STATE, {})


KEYWORDS[id(numpy.random.default_rng)] = KEYWORDS[id(STATE)] = frozenset({"seed"})


@rule(GENERATOR)
def _generator(m: Any, bits: Value) -> Value:
    raise Refused("a Generator made of a bit generator is not followed; call numpy.random.default_rng()")


@rule(numpy.random.seed, vars(STATE)["seed"], vars(STATE)["set_state"])
def _seed(m: Any, *args: Value) -> Value:
    raise Refused(f"numpy.random.seed: {SEEDED}")


# -- questions of the prelude


@rule(prelude_draws.below)
def _below(m: Any, owner: Value, bound: Value) -> Value:
    return m.draw(bound, "int") if bound > 1 else 0


@rule(prelude_draws.uniform)
def _one_uniform(m: Any, owner: Value) -> Value:
    return m.draw(UNIT, "float")


@rule(prelude_draws.step)
def _by_name(m: Any, value: Value, name: Value, by: Value = None) -> Value:
    return _step(value, name, by)


@rule(prelude_draws.sums)
def _sums(m: Any, weights: Value, found: Value) -> Value:
    return prelude_draws.sums(weights, found.items)


@rule(prelude_draws.packed)
def _packed(m: Any, values: Value, like: Value) -> Value:
    """Values as an array with the type and layout of `like`, or as one number of its type."""
    if like.__class__ is not Array:
        return _typed(values.items[0], like)
    pattern = numpy.empty_like(Call().to_host(like))
    items = [each if each.__class__ in SCALARS or each.__class__ is Undecided else None for each in values.items]
    return laid([made(pattern.dtype.char, each) for each in items], pattern)
