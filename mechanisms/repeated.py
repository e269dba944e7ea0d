"""A program that is said to give one outcome, run again and again on plain coins."""

from __future__ import annotations

import time
from typing import Any

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.enumerator import Program
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import key, show
from dpcert.mechanisms.reach import plain_run
from dpcert.mechanisms.watch import refuse_hidden_sources

__all__ = ["hold_to_one_outcome", "is_one_outcome"]

RUNS = 32
"""How many runs are made: one outcome in 256 that is another is met by them with probability 12 %."""
SECONDS = 2.0
"""How much processor time they may take, after which no other begins."""


def is_one_outcome(law: Dist) -> bool:
    """Whether a law says that there is one outcome, as that of every program does which draws no coins."""
    return law.tail_weight == 0 and len(law) == 1


def hold_to_one_outcome(program: Program, value: Any, law: Dist, *, draws: bool) -> None:
    """Return if runs of a program on plain coins, each with coins of its own, have the outcome of the law alone.

    With `draws` the law is that of the outcome and what was drawn.

    Requires: `is_one_outcome(law)`.
    Raises:   Unauditable where another outcome shows that the program is no function of its input and coins.
    """
    (found,) = law.outcomes()
    expected = found[0] if draws else found
    started = time.process_time()
    with refuse_hidden_sources(program):
        for seed in range(RUNS):
            outcome, _ = plain_run(program, value, seed=seed)
            if key(outcome) != key(expected):
                both = f"{show(expected)} in the law, {show(outcome)} when run again"
                raise Unauditable(f"the program is no function of its input and coins: {both}; {REMEDY}")
            if time.process_time() - started > SECONDS:
                return


REMEDY = "draw what is random from its coins"
