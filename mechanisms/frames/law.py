"""The law of a program by its captured states."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.enumerator import LazyRun
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Limits, Settings, Watch
from dpcert.mechanisms.exact.number import on_one_denominator
from dpcert.mechanisms.exact.outcome import fresh
from dpcert.mechanisms.frames.engine import Engine, NotesNeeded, internal
from dpcert.mechanisms.frames.errors import NotCaptured
from dpcert.mechanisms.frames.scope import Scope
from dpcert.mechanisms.frames.solve import Chain, bits_of

MOST_RUNS = 30_000


@dataclass(frozen=True, slots=True)
class MergedLaw:
    """A law by captured states, the number of runs that it took, and its notes."""

    law: Dist
    runs: int
    states: int
    notes: tuple[str, ...]


def merged_law(
    program: Callable[[Any, Coins], Any],
    value: Any,
    *,
    limits: Limits | None = None,
    reverse: bool = False,
    watch: Watch | None = None,
    closed_only: bool = False,
) -> MergedLaw:
    """Return the law of `program(value, coins)` with equal states merged, where its states can be told whole.

    The law is exact where finitely many states are reached and solved. Else its probabilities are lower bounds, and the
    missing mass is its tail. With `closed_only` all mass is tail unless finitely many states are reached.

    Raises: NotCaptured where states cannot be told whole, or replays contradict them; the line says where and why.
    """
    limits = limits or Limits()
    most, spent, noting = min(MOST_RUNS, limits.max_runs), 0, False
    while True:
        settings = Settings(LazyRun, limits, reverse=reverse, watch=watch or Watch())
        engine = Engine(settings, most - spent, bits=bits_of(limits.max_tail) + 24, noting=noting)
        scope = Scope(engine, program, lambda coins: ((fresh(value), coins), {}), None)
        chain = Chain(scope.expand, scope.is_end, limits.max_tail)
        try:
            engine.begin(program, fresh(value))
            ends = chain.solve(closed_only=closed_only)
            engine.conclude()
            break
        except NotesNeeded:
            spent, noting = spent + engine.runs, True
        except (NotCaptured, Unauditable) as error:
            raise NotCaptured(str(error)) from None
        except Exception as error:
            raise NotCaptured(internal(error)) from error
    names = [*ends.masses]
    masses = [ends.masses[name] for name in names]
    if ends.tail:
        grid = 1 << (bits_of(limits.max_tail) + 16)
        masses = [Fraction(mass.numerator * grid // mass.denominator, grid) for mass in masses]
    weights, total = on_one_denominator(masses)
    outcomes = [scope.arrivals[name].outcome for name in names]
    law = Dist.from_weights(zip(outcomes, weights, strict=True), total)
    if law.tail_weight and len(chain.moves) == 1:
        raise NotCaptured(next(iter(engine.reasons), "it has no state to come back to"))
    return MergedLaw(
        law, spent + engine.runs, len(chain.moves), (*settings.notes, *[*engine.reasons][: 2 if law.tail_weight else 0])
    )
