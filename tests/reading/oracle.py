"""The law of a program by all scripts of coins, run by CPython on plain numbers; and the comparison with a law read."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.exact.coins import Coins, Plain
from dpcert.mechanisms.exact.enumerator import LazyRun, exact_law
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Limits, Settings, call
from dpcert.mechanisms.exact.law import Law
from dpcert.mechanisms.exact.outcome import fresh, key
from dpcert.mechanisms.exact.run import Signal

Program = Callable[[Any, Coins], Any]


class Long(Signal):
    """A script is too short for the run that draws on it."""


def law_by_scripts(
    program: Program, value: Any, *, longest: int = 30, most: int = 6_000
) -> tuple[dict[Hashable, Fraction], Fraction]:
    """Return the probability of each outcome, and that of the scripts that were left, likeliest scripts first.

    Raises: Unauditable for an outcome outside the registry, or a draw that is too large to be listed.
    """
    found: dict[Hashable, Fraction] = {}
    tail, runs = Fraction(0), 0
    waiting: list[tuple[list[int], Fraction]] = [([], Fraction(1))]
    while waiting:
        script, mass = waiting.pop(0)
        bounds: list[int] = []

        def answer(bound: int, script: list[int] = script, bounds: list[int] = bounds) -> int:
            if len(bounds) == len(script) and bound > 1:
                raise Long(bound)
            if bound == 1:
                return 0
            bounds.append(bound)
            return script[len(bounds) - 1]

        try:
            outcome, _ = call(lambda coins: fresh(program(fresh(value), coins)), Coins(Plain(answer)))
            found[key(outcome)] = found.get(key(outcome), Fraction(0)) + mass
        except Long as long:
            bound = long.args[0]
            if bound > 2_000:
                raise Unauditable("a draw is too large to be listed") from None
            if len(script) >= longest or runs + len(waiting) + bound > most:
                tail += mass
            else:
                waiting += [([*script, each], mass / bound) for each in range(bound)]
        runs += 1
    return found, tail


def unlike(law: Law, truth: dict[Hashable, Fraction], tail: Fraction) -> str | None:
    """Say where a law and the truth cannot both be right, given the tails of both; None where they can."""
    probs = {name: Fraction(weight, law.denominator) for name, _, weight in law.weights()}
    for name in probs.keys() | truth.keys():
        mine, true = probs.get(name, Fraction(0)), truth.get(name, Fraction(0))
        if mine > true + tail or true > mine + law.tail:
            tails = f"tails {float(law.tail):.2g} and {float(tail):.2g}"
            return f"{name}: {float(mine):.6g} read, {float(true):.6g} is true, {tails}"
    return None


def truth_of(program: Program, value: Any) -> tuple[dict[Hashable, Fraction], Fraction]:
    """The law by all scripts, or by the paths of undecided draws where a draw is too large to be listed."""
    try:
        return law_by_scripts(program, value, most=2_000)
    except Unauditable:
        limits = Limits(max_tail=Fraction(1, 10**6), max_runs=2_000, max_draws=80)
        law = exact_law(program, value, Settings(LazyRun, limits)).law
        return {name: Fraction(weight, law.denominator) for name, _, weight in law.weights()}, law.tail
