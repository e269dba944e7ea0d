"""Questions about laws that no verdict needs: means, distances, clamped and conditioned laws."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.exact.dist import Dist, as_law, need


def clamp(law: Dist, lo: int, hi: int) -> Dist:
    """The law of min(max(outcome, lo), hi): outer mass moves to the ends; to drop it, use `given`.

    Raises: InputError unless the outcomes, lo and hi are ints and lo <= hi.
    """
    for value in (lo, hi, *as_law(law).outcomes()):
        need(type(value) is int, value, "int outcomes, and int ends, to clamp", "map the outcomes to int")
    need(lo <= hi, lo, "a lower end that is at most the upper one", "swap the ends")
    return law.map(lambda value: min(max(value, lo), hi))


def given(law: Dist, predicate: Callable[[Any], object]) -> Dist:
    """The law conditioned on the predicate: outer mass is dropped; to move it, use `clamp`.

    Raises: InputError where the tail is positive, or the event has probability 0.
    """
    _need_no_tail(law, "given")
    kept = [(outcome, weight) for _, outcome, weight in law.weights() if predicate(outcome)]
    need(bool(kept), "an event of probability 0", "a positive one to condition on", "check the predicate")
    return Dist.from_weights(kept, sum(weight for _, weight in kept))


def total_variation(a: Dist, b: Dist) -> Fraction:
    """The largest difference between the two probabilities of one event.

    Raises: InputError where a tail is positive; `total_variation_bounds` takes tails.
    """
    for law in (a, b):
        _need_no_tail(law, "total_variation", "use total_variation_bounds")
    return total_variation_bounds(a, b)[0]


def total_variation_bounds(a: Dist, b: Dist) -> tuple[Fraction, Fraction]:
    """The least and the greatest total variation that the two laws can have, however their tails lie.

    Raises: InputError unless both are laws.
    """
    p, q = as_law(a).denominator, as_law(b).denominator
    others = b.scaled(p)
    excess = sum(max(0, weight - others.get(name, 0)) for name, weight in a.scaled(q).items())
    lo = max(0, excess - b.tail_weight * p)
    return Fraction(lo, p * q), Fraction(excess + a.tail_weight * q, p * q)


def expectation(law: Dist, f: Callable[[Any], int | Fraction] | None = None) -> Fraction:
    """The mean of the outcomes, or of f(outcome).

    Raises: InputError where the tail is positive, or a value is no int or Fraction.
    """
    _need_no_tail(law, "expectation")
    total = Fraction(0)
    for _, outcome, weight in law.weights():
        value = outcome if f is None else f(outcome)
        need(type(value) in (int, Fraction), value, "int or Fraction values to average", "pass f=")
        total += weight * value
    return total / law.denominator


def _need_no_tail(law: Dist, verb: str, remedy: str = "write the loop that leaves it as coins.loop") -> None:
    need(not as_law(law).tail_weight, law.tail, f"a tail of 0 for {verb}", remedy)
