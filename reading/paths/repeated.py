"""Repeated runs, on plain coins, of a program whose law has a single outcome."""

import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from itertools import product
from typing import Any

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.enumerator import Program
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import key, show
from dpcert.reading.paths.reach import plain_run
from dpcert.reading.paths.watch import refuse_hidden_sources

RUNS = 32
"""The number of runs: they meet another outcome of probability 1/256 with probability 12 %."""
SECONDS, OWN_SECONDS = 2.0, 0.25
"""The processor time after which no further run begins, on plain coins, and on a program's own randomness."""


def is_one_outcome(law: Dist) -> bool:
    """Whether a law has a single outcome, as that of every program that draws no coins."""
    return law.tail_weight == 0 and len(law) == 1


def hold_to_one_outcome(
    program: Program, value: Any, law: Dist, *, draws: bool, possible: Callable[[Any], bool] | None = None
) -> None:
    """Check that runs of a program, each on fresh plain coins, show no outcome but that of the law. With `draws` the
    law is that of the outcome and the draws. `possible`, if any, says which outcomes there are, where that of the law
    names a part of them.

    Requires: `is_one_outcome(law)`.
    Raises:   Unauditable where another outcome shows that the program is no function of its input and coins.
    """
    (found,) = law.outcomes()
    expected = found[0] if draws else found
    started = time.process_time()
    with refuse_hidden_sources(program):
        for seed in range(RUNS):
            outcome, _ = plain_run(program, value, seed=seed)
            if not (key(outcome) == key(expected) if possible is None else possible(outcome)):
                both = f"{show(expected)} in the law, {show(outcome)} when run again"
                raise Unauditable(f"the program is no function of its input and coins: {both}; {REMEDY}")
            if time.process_time() - started > SECONDS:
                return


def hold_to_own_randomness(
    plain: Program, value: Any, law: Dist, *, possible: Callable[[Any], bool] | None = None
) -> None:
    """Check that runs of a program on its own randomness show no outcome that the law has not, which was read with its
    generators routed to coins. A law with a tail of more than `MOST_TAIL` is not checked. `possible`, if any, says
    which outcomes there are, where those of the law name a part of them.

    Raises: Unauditable where one shows that the program draws from what was not routed.
    """
    if law.tail > MOST_TAIL:
        return
    known = {name for name, _, _ in law.weights()}
    started = time.process_time()
    with module_generators_kept():
        for seed in range(RUNS):
            outcome, _ = plain_run(plain, value, seed=seed)
            if not (key(outcome) in known if possible is None else possible(outcome)):
                seen = f"{show(outcome)}, which its law does not have, comes of a run on its own randomness"
                raise Unauditable(f"{seen}: it draws from what is not routed to coins, as compiled code; {ROUTE}")
            if time.process_time() - started > OWN_SECONDS:
                return


def differing_runs(program: Program, inputs: Sequence[Any]) -> str | None:
    """Return in words two runs on one input and the same draws that have two outcomes; None where none is found soon,
    or where runs cannot be made."""
    seen: dict[tuple[int, Any], Any] = {}
    started = time.process_time()
    with suppress(Unauditable):
        for _, seed in product(range(2), range(RUNS)):
            for place, value in enumerate(inputs):
                outcome, drawn = plain_run(program, value, seed=seed)
                before = seen.setdefault((place, drawn), outcome)
                if key(before) != key(outcome):
                    return f"on {show(value)}, with the same draws, it shows {show(before)} and then {show(outcome)}"
                if time.process_time() - started > SECONDS:
                    return None
    return None


@contextmanager
def module_generators_kept() -> Iterator[None]:
    """Run the body, and put the generators of the modules random and numpy.random back."""
    numpy: Any = sys.modules.get("numpy")
    before = random.getstate(), None if numpy is None else numpy.random.get_state()
    try:
        yield
    finally:
        random.setstate(before[0])
        if numpy is not None and before[1] is not None:
            numpy.random.set_state(before[1])


ROUTE = "draw from a generator of random or numpy, passed in as a parameter called rng"
MOST_TAIL = Fraction(1, 1 << 60)
REMEDY = "draw what is random from its coins"
