"""The choice between paths and captured states to compute a law."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from math import gcd
from typing import Any

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.enumerator import EagerRun, Enumeration, exact_law
from dpcert.mechanisms.exact.explore import Settings
from dpcert.mechanisms.exact.law import Law
from dpcert.mechanisms.slow import NOT_MERGED, PLAINLY, SLOW
from dpcert.mechanisms.states.errors import NotRead, TooMany
from dpcert.mechanisms.states.kept import Kept
from dpcert.mechanisms.states.read import MergedLaw, merged_law
from dpcert.reading.tails.far import Ends

FEW = 300
GIVEN_UP = "undecided bits was needed as a plain"
MERGED = "equal states were merged"


@dataclass(frozen=True, slots=True)
class Chosen(Enumeration):
    """An enumeration, and where its tail could be summed, or its outcome is an array of independent elements, the exact
    law: `Elements` of `mechanisms/vectors/independent.py`, which is not imported here, as numpy would be with it.
    """

    ends: Ends | None = None
    elements: Any = None


ByElements = Callable[[Callable[[Any, Coins], Any], Any, Settings], Chosen]


def law_by_states_or_paths(
    program: Callable[[Any, Coins], Any],
    value: Any,
    settings: Settings,
    kept: Kept | None = None,
    *,
    sums: bool = False,
    elements: ByElements | None = None,
) -> Enumeration:
    """Return the law of a program by `exact_law`, or where that leaves a tail, by its captured states.

    Few paths are tried first, or twice as many as those of the last input on which paths alone left no tail, or no
    states merged; where these leave a tail, few paths count, so that the tail is a function of the input alone. Where
    the states of the last input without a tail are kept, states are tried first. States are chosen where they leave no
    tail, or a smaller one than the paths and these more than `max_tail`; then `MERGED` is among the notes, and else,
    under a tail above `max_tail`, why states were not merged. Value by value (`EagerRun`), and where draws are
    observed, there are paths alone. The law is in lowest terms, so that it does not matter by which it was found.

    `kept` is what readings of the program on other inputs left. With `sums`, states are chosen where their tail can be
    summed, and the result has the exact law beside. `elements`, if any, finds the law of an array of independent
    elements; where it does so, the result has it beside, and few paths alone were tried.

    Raises: Unauditable as `exact_law`.
    """
    if settings.run is EagerRun or settings.draws:
        return exact_law(program, value, settings)
    found = _chosen(program, value, settings, kept, sums, elements)
    return replace(found, law=_lowest(found.law))


def _arrays(law: Law) -> bool:
    """Whether all outcomes are arrays of numpy's."""
    numpy: Any = sys.modules.get("numpy")
    return numpy is not None and all(type(outcome) is numpy.ndarray for _, outcome, _ in law.weights())


def _chosen(
    program: Callable[[Any, Coins], Any],
    value: Any,
    settings: Settings,
    kept: Kept | None,
    sums: bool,
    elements: ByElements | None,
) -> Enumeration:
    limits = settings.limits
    SLOW.tell("", "")

    def paths(runs: int) -> Enumeration:
        return exact_law(program, value, replace(settings, limits=replace(limits, max_runs=runs)))

    def states() -> MergedLaw:
        return merged_law(
            program,
            value,
            limits=limits,
            reverse=settings.reverse,
            watch=settings.watch,
            replay=settings.replay,
            kept=kept,
            sums=sums,
        )

    if kept is not None and kept.whole is not None:
        with suppress(NotRead):
            merged = states()
            if not merged.law.tail_weight:
                return Chosen(merged.law, merged.runs, (*merged.notes, MERGED), merged.ends)
    runs = min(limits.max_runs, max(FEW, 0 if kept is None else 2 * kept.paths))
    found = paths(runs)
    if runs > FEW and found.law.tail_weight:  # what is left open must not depend on the inputs before
        runs = FEW
        found = paths(runs)
    if elements is not None and _arrays(found.law):
        alone = elements(program, value, settings)
        if alone.elements is not None:
            return replace(alone, law=found.law, notes=alone.notes if found.law.tail_weight else found.notes)
    if _gave_up(found) and runs < limits.max_runs:  # a number with more than FEW values was needed
        runs = limits.max_runs
        found = paths(runs)
    if not found.law.tail_weight or _gave_up(found):  # what was given up would be so by its states too
        return found
    enough = found.law.tail <= limits.max_tail
    try:
        merged = states()
        reason = None
        if merged.ends is not None:
            return Chosen(merged.law, merged.runs, (*merged.notes, MERGED), merged.ends)
        better = merged.law.tail <= limits.max_tail or merged.law.tail < found.law.tail
        if kept is not None and not merged.merges:
            kept.forget()
            kept.paths = merged.runs
        if better and not (enough and merged.law.tail_weight):
            return Enumeration(merged.law, merged.runs, (*merged.notes, MERGED))
    except NotRead as error:
        reason = str(error)
        if not isinstance(error, TooMany):  # of which it was told what there are too many of
            SLOW.tell(f"{NOT_MERGED}{reason}", "" if "; " in reason else PLAINLY)
    if enough:
        return found
    if runs < limits.max_runs:
        found = paths(limits.max_runs)
        if kept is not None and not found.law.tail_weight:
            kept.paths = found.leaves
    if found.law.tail > limits.max_tail and reason is not None:
        return replace(found, notes=(*found.notes, f"{NOT_MERGED}{reason}"))
    return found


def _lowest(law: Law) -> Law:
    """Return a law over the least denominator."""
    rows = [(outcome, weight) for _, outcome, weight in law.weights()]
    common = gcd(law.denominator, *(weight for _, weight in rows))
    if common == 1:
        return law
    return Law.from_weights([(outcome, weight // common) for outcome, weight in rows], law.denominator // common)


def _gave_up(found: Enumeration) -> bool:
    return any(GIVEN_UP in note for note in found.notes)
