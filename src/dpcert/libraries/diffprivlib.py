"""diffprivlib: its mechanism objects as targets, with the guarantee that each of them documents.

Labels, counts and selections have exact laws. `Binary` and the exponential mechanisms on categories take the coins as
their own generator. Mechanisms that compute with numpy from one uniform draw are cut at their steps
(`dpcert.libraries.steps`). Mechanisms that release floats and claim no delta take the coins as their generator, too: an
outcome that one input can produce and another cannot refutes the claim. The others are sampled.
"""

import copy
import functools
import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from importlib import import_module
from types import ModuleType
from typing import Any

from dpcert.audit.kernel.claim import ApproxDP, PureDP
from dpcert.audit.kernel.neighbours import counts_differ_by_one
from dpcert.libraries.adapted import Relation, adapted, monotone, rebound
from dpcert.libraries.comparison import Comparison, least_delta
from dpcert.libraries.snapped import snapped
from dpcert.libraries.steps import UNIT, Fixed, Steps, steps
from dpcert.mechanisms.coins import summarize
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.user_level.gaussian_profile import delta_bounds
from dpcert.mechanisms.user_level.gaussian_profile import enclose as gaussian_weights
from dpcert.reading.paths.routed import routed
from dpcert.targets.extras import needs_extra
from dpcert.targets.taken import RNG
from dpcert.targets.target import Target

THIRD = 0.333333333333333333333333
"""From this p on, numpy draws a geometric number by a search."""
LABELS = ("Binary", "ExponentialCategorical")
COUNTS = ("Geometric", "GaussianDiscrete")
SELECTIONS = ("Exponential",)
REALS = ("Snapping", "Laplace", "Uniform", "Gaussian")
ON_COINS = ("Laplace", "LaplaceTruncated", "LaplaceFolded", "Staircase")
"""Float noise from a bounded, small number of draws; `LaplaceBoundedDomain` is absent, as it may draw for ever."""

Program = Callable[[Any, Coins], Any]


def _library() -> ModuleType:
    needs_extra("diffprivlib")
    return import_module("diffprivlib.mechanisms")


def guarantee(mechanism: Any) -> ApproxDP:
    """Return the guarantee of a mechanism: its epsilon and delta, the rational numbers that the floats are."""
    epsilon, delta = Fraction(mechanism.epsilon), Fraction(mechanism.delta)
    return ApproxDP(epsilon, delta) if delta else PureDP(epsilon)


def target(
    mechanism: Any,
    *,
    inputs: Iterable[Any] | None = None,
    claimed: ApproxDP | None = None,
    expect: str = "verified",
) -> Target:
    """Return a mechanism object of diffprivlib as a target that claims the documented guarantee.

    `inputs` are labels, counts, or real numbers, as the mechanism takes them; for `Exponential` and `PermuteAndFlip`,
    whose objects have the utilities as attributes, tuples of utilities. A mechanism on labels knows its inputs.
    Neighbours are any two labels; counts and numbers that differ by at most the sensitivity; utilities that each differ
    by at most the sensitivity, all in one direction where the object is monotonic. `claimed` replaces the documented
    guarantee.

    Raises: InputError for an object of another class; MissingExtra without diffprivlib.
    """
    kind = _kind(mechanism)
    program, neighbours = _audited(kind, mechanism)
    if inputs is None:
        inputs = _labels(mechanism) if kind in LABELS else ()
    cut = kind in ("Geometric", "Exponential", "Snapping") and type(mechanism).__name__ != "PermuteAndFlip"
    claimed = guarantee(mechanism) if claimed is None else claimed
    name, assumed = type(mechanism).__name__, [monotone()] if cut else []
    return adapted(program, claimed, inputs, neighbours, name=name, expect=expect, assumptions=assumed)


def claimed_delta(mechanism: Any) -> Comparison:
    """Return the delta that a Gaussian mechanism claims, against the least delta of noise with its scale.

    The noise is taken to be exactly normal, or exactly discrete Gaussian: this judges the scale that the object
    computes for its epsilon and delta.

    Raises: InputError for another mechanism.
    """
    library = _library()
    if not isinstance(mechanism, (library.Gaussian, library.GaussianDiscrete)):
        given = f"a {type(mechanism).__name__}"
        raise InputError(given=given, needed="a Gaussian mechanism", remedy="audit it as a target")
    scale, epsilon = Fraction(float(mechanism._scale)), Fraction(mechanism.epsilon)
    if isinstance(mechanism, library.GaussianDiscrete):
        weights = gaussian_weights(variance=scale**2, bits=256)
        least = delta_bounds(weights, [int(mechanism.sensitivity)], Epsilon.of(epsilon))
    else:
        least = least_delta(sigma=scale / Fraction(mechanism.sensitivity), epsilon=epsilon)
    words = f"{type(mechanism).__name__}(epsilon={mechanism.epsilon}, delta={mechanism.delta}): its delta"
    return Comparison(words, Fraction(mechanism.delta), least)


def _kind(mechanism: Any) -> str:
    library = _library()
    for name in (*LABELS, *COUNTS, *SELECTIONS, *REALS):
        if isinstance(mechanism, getattr(library, name)):
            return name
    names = ", ".join((*LABELS, *COUNTS, *SELECTIONS, *REALS))
    given = f"a {type(mechanism).__name__}"
    raise InputError(given=given, needed=f"a mechanism of diffprivlib, one of {names} or their forms", remedy="pass it")


def _audited(kind: str, mechanism: Any) -> tuple[Any, Relation]:
    if kind in LABELS:
        return lambda value, coins: _with(mechanism, coins).randomise(value), "any"
    if kind in COUNTS:
        program = _looping(mechanism) if kind == "GaussianDiscrete" else _one_draw(mechanism)
        return program, within(mechanism.sensitivity)
    if kind in SELECTIONS:
        return _selection(mechanism), utilities(mechanism)
    if kind == "Snapping":
        return snapped(mechanism), within(mechanism.sensitivity)
    return _floats(mechanism), within(mechanism.sensitivity)


def _labels(mechanism: Any) -> list[str]:
    if hasattr(mechanism, "value0"):
        return [mechanism.value0, mechanism.value1]
    return sorted({label for row in mechanism.utility_list for label in row[:2]})


def within(sensitivity: Any) -> Relation:
    """Return the relation of numbers that differ by at most a sensitivity."""
    if sensitivity == 1 and isinstance(sensitivity, int):
        return counts_differ_by_one
    bound = Fraction(sensitivity)

    def close(a: Any, b: Any) -> bool:
        return abs(Fraction(a) - Fraction(b)) <= bound

    close.__qualname__ = f"within_{bound}"
    return close


def utilities(mechanism: Any) -> Relation:
    """Return the relation of vectors of utilities, each of which differs by at most the mechanism's sensitivity."""
    bound, monotonic = Fraction(mechanism.sensitivity), mechanism.monotonic

    def close(a: Any, b: Any) -> bool:
        steps_taken = [Fraction(x) - Fraction(y) for x, y in zip(a, b, strict=True)]
        one_way = all(step >= 0 for step in steps_taken) or all(step <= 0 for step in steps_taken)
        return all(abs(step) <= bound for step in steps_taken) and (one_way or not monotonic)

    close.__qualname__ = f"{'monotonic_' if monotonic else ''}utilities_within_{bound}"
    return close


def _with(mechanism: Any, source: Any) -> Any:
    again = copy.copy(mechanism)
    again._rng = source
    return again


def _parts(mechanism: Any) -> tuple[type, tuple[tuple[str, Any], ...]]:
    """Return the class of a mechanism, and its attributes except for its generator."""
    return type(mechanism), tuple((name, part) for name, part in vars(mechanism).items() if name != "_rng")


def _made(kind: type, kept: tuple[tuple[str, Any], ...], source: Any) -> Any:
    """Return a mechanism of these parts with a source of randomness; the machine follows this, but not `copy.copy`."""
    again: Any = object.__new__(kind)
    for name, part in kept:
        setattr(again, name, part)
    again._rng = source
    return again


def _looping(mechanism: Any) -> Program:
    """Return the discrete Gaussian with the coins as its generator, in a form whose loops can be followed by states.

    The code is the library's, with one change: the function that makes a generator of a seed returns the coins.
    """
    base, own = import_module("diffprivlib.mechanisms.base"), import_module("diffprivlib.mechanisms.gaussian")

    def given(seed: Any, secure: bool) -> Any:
        return seed

    coin = rebound(base.bernoulli_neg_exp, base, check_random_state=given)
    coin.__globals__["bernoulli_neg_exp"] = coin
    randomise = rebound(type(mechanism).randomise, own, bernoulli_neg_exp=coin)
    kind, kept = _parts(mechanism)

    def program(value: Any, coins: Coins) -> Any:
        again = _made(kind, kept, coins)
        return randomise(again, value)

    return program


def _one_draw(mechanism: Any) -> Program:
    """Return a geometric mechanism as a function of its one `random()`.

    In each half, the noise is monotone before the mechanism truncates or folds it; the k between the halves gives the
    logarithm of 0.
    """
    unbounded = _library().Geometric.randomise

    @functools.cache
    def cut(value: Any) -> Steps:
        return steps(
            lambda k: unbounded(_with(mechanism, Fixed(k)), value),
            count=UNIT,
            pieces=(UNIT // 2, UNIT // 2 + 1),
            then=lambda k: _with(mechanism, Fixed(k)).randomise(value),
        )

    def program(value: Any, coins: Coins) -> Any:
        return cut(value).draw(coins)

    return program


def _again(mechanism: Any, utility: Any, source: Any) -> Any:
    given = {"epsilon": mechanism.epsilon, "sensitivity": mechanism.sensitivity, "monotonic": mechanism.monotonic}
    if mechanism.measure is not None:
        given["measure"] = mechanism.measure
    return type(mechanism)(**given, utility=list(utility), candidates=mechanism.candidates, random_state=source)


def _selection(mechanism: Any) -> Program:
    if type(mechanism).__name__ == "PermuteAndFlip":
        return _permuted(mechanism)

    @functools.cache
    def cut(utility: Any) -> Steps:
        prepared = _again(mechanism, utility, 0)
        return steps(lambda k: _plain(_with(prepared, Fixed(k)).randomise()), count=UNIT)

    def program(utility: Any, coins: Coins) -> Any:
        return cut(tuple(utility)).draw(coins)

    return program


def _plain(candidate: Any) -> Any:
    """Return a position as an int; numpy returns a number of its own."""
    return candidate.item() if hasattr(candidate, "item") else candidate


def _permuted(mechanism: Any) -> Program:
    """Return permute-and-flip with the paths of its coin e^-gap merged to the coin's two results."""
    module = import_module("diffprivlib.mechanisms.exponential")
    coin = module.bernoulli_neg_exp
    merged = coin if getattr(coin, "merged", False) else summarize(coin)

    def program(utility: Any, coins: Coins) -> Any:
        module.__dict__["bernoulli_neg_exp"] = merged
        try:
            return _again(mechanism, utility, coins).randomise()
        finally:
            module.__dict__["bernoulli_neg_exp"] = coin

    return program


def _floats(mechanism: Any) -> Callable[..., Any]:
    """Return float noise as a program over coins, if it claims no delta and can be followed; else one to be sampled."""
    name = type(mechanism).__name__
    if name not in ON_COINS or mechanism.delta:
        return _sampled(mechanism)

    kind, kept = _parts(mechanism)

    def program(value: Any, source: Any) -> Any:
        return float(_made(kind, kept, source).randomise(value))

    if name == "Staircase":
        seeded = isinstance(mechanism._rng, import_module("numpy.random").RandomState)
        if seeded or 1 - math.exp(-mechanism.epsilon) < THIRD:  # numpy's other way to draw a geometric number
            return _sampled(mechanism)
        return routed(program, RNG, told=False)
    return program


def _sampled(mechanism: Any) -> Callable[[Any], Any]:
    """Return the mechanism with its own randomness: it can only be sampled."""

    def program(value: Any) -> Any:
        return float(mechanism.randomise(value))

    return program


def balanced_by_half() -> Any:
    """Return an `ExponentialCategorical` whose labels are balanced at epsilon / 2, but not at epsilon.

    Let w = e^(-epsilon u / 2): 0.7 for the pair a, b, 0.4 within c, d, e, and 0.1 across. The sum of w is 2 for each
    label, so the library takes the labels for balanced. Then the sums of w^2 count: they are 1.52 and 1.34.
    """
    epsilon = 2 * math.log(10)

    def weight(x: str, y: str) -> float:
        return 0.7 if x + y == "ab" else 0.4 if x in "cde" else 0.1

    pairs = [(x, y) for x in "abcde" for y in "abcde" if x < y]
    distances = [[x, y, -2 * math.log(weight(x, y)) / epsilon] for x, y in pairs]
    return _library().ExponentialCategorical(epsilon=epsilon, utility_list=distances)
