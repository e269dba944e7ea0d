"""What generators draw on ideal noise: the methods of numpy's generators and of `random.Random`, bound as they are.

Each call is first made on a generator of the library that is thrown away, with plain numbers in the place of noisy
ones: what that refuses is refused with its exception, and what it returns has the type and the shape of what is drawn.
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from math import comb
from typing import Any

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.exact import ONE, Exact, Weight, simplest, total
from dpcert.mechanisms.ideal.noise import Law, Rate
from dpcert.mechanisms.ideal.parameter import exactly
from dpcert.reading.border import to_host
from dpcert.reading.containers import rows
from dpcert.reading.domains import parameter, written
from dpcert.reading.domains.forms import Form, Way, number
from dpcert.reading.domains.kinds import FLOAT, INT, Kinds
from dpcert.reading.errors import Act, Raises, Refused, call_act
from dpcert.reading.numpy.kinds import SPARE
from dpcert.reading.numpy.records import Array
from dpcert.reading.operators import binary
from dpcert.reading.values import Instance, List, Value

Rule = Callable[..., Value]
MOST_CHOICES = 10_000
"""The most values of a draw from finitely many."""
MOST_EXACT = 12
"""The most trials of a binomial draw with a p of exponentials."""


def fresh(m: Any, kind: str, rate: Rate | None, kinds: Kinds = FLOAT) -> Value:
    """A fresh noise variable around 0."""
    law = Law(kind) if rate is None else Law(kind, rate)
    return number(m.world, Form(kinds, ((m.world.known.fresh(law), 1),), 0))


def constant(m: Any, value: Any, kinds: Kinds) -> Value:
    """A number without noise that was drawn."""
    return number(m.world, Form(kinds, (), value))


def about(kind: str, m: Any, loc: Value, scale: Value) -> Value:
    """Noise of a scale around a location, a float."""
    rate = parameter.rate_of(scale)
    start = binary(m, "add", False, constant(m, 0, FLOAT), loc)
    return start if rate is None else binary(m, "add", False, start, fresh(m, kind, rate))


def geometric(m: Any, p: Value) -> Value:
    """Geometric noise of at least 1."""
    rate = parameter.falling_of(p)
    return constant(m, 1, INT) if rate is None else fresh(m, "geometric", rate, INT)


def poisson(m: Any, lam: Value) -> Value:
    """Poisson noise."""
    rate = parameter.mean_of(lam)
    return constant(m, 0, INT) if rate is None else fresh(m, "poisson", rate, INT)


def uniform(m: Any, low: Value, high: Value) -> Value:
    """Uniform noise between two numbers."""
    width = binary(m, "sub", False, high, low)
    return binary(m, "add", False, low, binary(m, "mul", False, width, fresh(m, "uniform", None)))


def chosen(m: Any, weights: Sequence[Weight]) -> int:
    """The position of one of finitely many values, by weights that sum to 1.

    Raises: Ask.
    """
    known: Way = m.world.known
    if not 1 <= len(weights) <= MOST_CHOICES:
        raise Refused(f"a draw from {len(weights)} values is not followed")
    return known.choose(weights)


def below(m: Any, n: int) -> int:
    """An integer below another one.

    Raises: Ask.
    """
    if n > MOST_CHOICES:
        raise Refused(f"a draw from {n} values is not followed")
    return chosen(m, [Fraction(1, n)] * n)


def position(m: Any, weights: Value, summed: bool = False) -> int:
    """The position of one of finitely many values, by weights; with `summed`, their sum must be 1, of floats about 1.

    Raises: Ask.
    """
    known = [written.weight_of(m.world.known, each) for each in rows(weights) or ()]
    exact = [each for each in known if each is not None]
    if None in known or not exact:
        raise Refused("a draw with such weights is not followed")
    rational = [each for each in map(Exact.rational, exact) if each is not None]
    if len(rational) == len(exact):
        if min(rational) < 0 or not sum(rational):
            raise Refused("a draw with such weights is not followed")
        return chosen(m, [each / sum(rational) for each in rational])
    try:
        whole = total(exact)
        if summed and whole.is_open():
            raise Refused("a draw with weights of which the sum depends on epsilon is not followed")
        return chosen(m, [simplest(each / whole) for each in exact])
    except Unauditable as error:
        raise Refused(str(error)) from None


def binomial(m: Any, n: Value, p: Value) -> int:
    """A count of successes.

    Raises: Ask.
    """
    trials, chance = exactly(to_host(n)), written.weight_of(m.world.known, p)
    if trials is None or chance is None or trials.denominator > 1 or not 0 <= trials <= MOST_CHOICES:
        raise Refused("a binomial draw with such parameters is not followed")
    try:
        proper = min(chance.sign(), (ONE - chance).sign()) >= 0
    except Unauditable:
        proper = False
    if not proper:
        raise Refused("a binomial draw with a p that is no probability for every epsilon is not followed")
    count, q = int(trials), chance.rational()
    if q is not None:
        return chosen(m, [comb(count, k) * q**k * (1 - q) ** (count - k) for k in range(count + 1)])
    if count > MOST_EXACT:
        raise Refused("a binomial draw of so many trials with a p of exponentials is not followed")
    weights = [ONE]
    for _ in range(count):
        both = [x * (ONE - chance) for x in weights], [x * chance for x in weights]
        weights = [x + y for x, y in zip([*both[0], Exact(())], [Exact(()), *both[1]], strict=True)]
    return chosen(m, list(map(simplest, weights)))


# -- who draws


def draws(m: Any, owner: Value, kinds: tuple[Any, ...]) -> None:
    """Note a draw from a generator of one of some classes.

    Raises: Refused for what is none.
    """
    if not (isinstance(owner, Instance) and any(owner.cls is each for each in kinds)):
        raise Refused("a method of a generator is called on something else")
    if owner.origin is not None and owner.cls is not random.SystemRandom:
        m.world.known.held.add(owner.origin)


class Unmoved(random.Random):
    """A generator of `random` that draws nothing, which checks parameters."""

    def random(self) -> float:
        """One half."""
        return 0.5

    def getrandbits(self, k: int, /) -> int:
        """No bits."""
        return 0


def bound(host: Any, args: tuple[Value, ...], keywords: Mapping[str, Value]) -> dict[str, Value]:
    """The arguments of a call by the library's own names of its parameters.

    Raises: Raises with the exception of numpy where a method of a generator does not take them so; else Refused.
    """
    signature = inspect.signature(host)
    with suppress(TypeError):
        found = signature.bind(*args, **keywords)
        found.apply_defaults()
        return dict(found.arguments)
    name = getattr(host, "__name__", "a function")
    owner = args[0] if args and isinstance(args[0], Instance) else None
    if owner is not None and owner.cls in SPARE and name in vars(owner.cls) and host is vars(owner.cls)[name]:
        checked((), host, SPARE[owner.cls](), *[None for _ in args[1:]], **dict.fromkeys(keywords))
    raise Refused(f"{name} is called with arguments that it does not take")


def holds_open(value: Value) -> bool:
    """Whether a parameter, or a number in it, depends on an epsilon that is left open."""
    found = rows(value) if value.__class__ in (List, tuple, Array) else None
    return any(map(holds_open, found)) if found is not None else parameter.is_open(value)


def checked(given: Iterable[Value], host: Callable[..., Any], *args: Any, **named: Any) -> Any:
    """What the library itself gives for plain parameters, which stand for the ones that are given.

    Raises: Raises with its exception; Refused where that depends on epsilon.
    """
    try:
        return host(*args, **named)
    except Exception as fault:
        if any(map(holds_open, given)):
            raise Refused(f"a draw that the library refuses where epsilon is 1 is not followed ({fault})") from None
        raise Raises(fault) from None


# -- the generators of the standard library

PYTHONS: tuple[Any, ...] = (random.Random, random.SystemRandom)


def _random_of(kind: Any) -> Rule:
    def rule(m: Any, owner: Value) -> Value:
        draws(m, owner, (kind,))
        return fresh(m, "uniform", None)

    return rule


def _bits_of(kind: Any) -> Rule:
    def rule(m: Any, owner: Value, k: Value) -> Value:
        draws(m, owner, (kind,))
        bits = to_host(k)
        if type(bits) is not int or not 0 <= bits < MOST_CHOICES.bit_length():
            raise Refused(f"a draw of {bits} bits is not followed")
        return below(m, 1 << bits)

    return rule


def _randbelow(m: Any, owner: Value, n: Value) -> Value:
    draws(m, owner, PYTHONS)
    count = to_host(n)
    if type(count) is not int or not 1 <= count <= MOST_CHOICES:
        raise Refused(f"a draw from {count} values is not followed")
    return below(m, count)


def _expovariate(m: Any, owner: Value, lambd: Value = 1.0) -> Value:
    draws(m, owner, PYTHONS)
    return binary(m, "truediv", False, fresh(m, "exponential", None), lambd)


def _normalvariate(m: Any, owner: Value, mu: Value = 0.0, sigma: Value = 1.0) -> Value:
    draws(m, owner, PYTHONS)
    return binary(m, "add", False, mu, binary(m, "mul", False, sigma, fresh(m, "normal", None)))


def _choices(
    m: Any, owner: Value, population: Value, weights: Value = None, *, cum_weights: Value = None, k: Value = 1
) -> Act:
    draws(m, owner, PYTHONS)
    listed = [None if each is None else rows(each) for each in (weights, cum_weights)]
    plain = [None if each is None else [parameter.stand_in(part) for part in each] for each in listed]
    given = [each for each in (weights, cum_weights) if each is not None]
    checked(given, Unmoved(0).choices, range(len(rows(population) or ())), plain[0], cum_weights=plain[1], k=to_host(k))
    return call_act(m.prelude("choices_drawn"), (population, weights, cum_weights, k))


def rules_of_python() -> dict[int, Rule]:
    """The rules for the generators of the standard library, by the ids of what they are for."""
    base: Any = vars(random.Random)
    system: Any = vars(random.SystemRandom)
    core: Any = random.Random.__mro__[1]
    found: list[tuple[Any, Rule]] = [
        (vars(core)["random"], _random_of(random.Random)),
        (vars(core)["getrandbits"], _bits_of(random.Random)),
        (system["random"], _random_of(random.SystemRandom)),
        (system["getrandbits"], _bits_of(random.SystemRandom)),
        (base["_randbelow"], _randbelow),
        (base["expovariate"], _expovariate),
        (base["normalvariate"], _normalvariate),
        (base["gauss"], _normalvariate),
        (base["choices"], _choices),
    ]
    return {id(host): rule for host, rule in found}
