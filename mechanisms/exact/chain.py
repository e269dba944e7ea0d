"""Merging equal states: `fold` and `loop` on undecided draws.

A loop over k people has 2^k paths and a rejection loop has infinitely many, but few states. Each step is explored
once for each distinct state; the law of the result is then one decision of the run around it. Every state keeps
the draws of one path that leads to it, so that a leaf of the run around is replayed from end to end on plain
numbers, by the program's own loop.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Any

from dpcert.mechanisms.exact.coins import Coins, Done
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Leaf, Record, bounds_of, explore, settle
from dpcert.mechanisms.exact.lazy import Lazy
from dpcert.mechanisms.exact.number import on_one_denominator
from dpcert.mechanisms.exact.outcome import fresh, key
from dpcert.mechanisms.exact.run import Run

MAX_STATES = 2_000


@dataclass(slots=True)
class State:
    """A reached state: its value, its probability, the draws of two paths to it; `error` where a step raised."""

    value: Any
    mass: Fraction
    record: Record = ()
    last: Record = ()
    error: Exception | None = None


States = dict[Hashable, State]


def _start(run: Run, value: Any) -> State:
    try:
        return State(settle(value), Fraction(1))
    except Unauditable as error:
        run.poison(f"a state of fold, loop or summarize: {error}")


def _paths(run: Run, step: Callable[..., Any], before: State, *item: Any) -> list[tuple[Leaf, Fraction]]:
    """Return the leaves of a step from a state, each with its probability."""
    run.busy = True
    try:
        while True:
            decided = run.decided()
            leaves = explore(step, (before.value, *item), run.settings, settle, run)
            if run.decided() == decided:  # else the leaves are void: the run around decided more
                return [(leaf, Fraction(leaf.numerator, leaf.denominator)) for leaf in leaves]
    except Unauditable as error:
        run.poison(str(error))
    finally:
        run.busy = False


def _arrive(run: Run, states: States, before: State, leaf: Leaf, mass: Fraction) -> Hashable:
    """Add mass to the state that a leaf leads to from `before`; return the state's name."""
    record = before.record + leaf.record
    bounds = bounds_of(record) if run.settings.draws else ()
    name = (key(leaf.outcome), bounds, None if leaf.error is None else record)  # exceptions may carry more
    state = states.setdefault(name, State(leaf.outcome, Fraction(0), record, (), leaf.error))
    state.last = before.last + leaf.last
    state.mass += mass
    return name


def _choose(run: Run, find: Callable[[], States]) -> Any:
    """Decide which of the states that `find` finds was reached, and return it.

    Runs that share the decisions before this point share the states. Missing probability stays in the tail of the run.
    """
    run.ready()
    name = (tuple(run.path), len(run.tape))
    if name in run.memo:
        found, weights, total = run.memo[name]
    else:
        decided = run.decided()
        found = [state for state in find().values() if state.mass]
        weights, total = on_one_denominator([state.mass for state in found])
        if run.decided() == decided:
            run.memo[name] = found, weights, total
    if sum(weights) < total:
        run.settings.notes["a step of fold, loop or summarize left a tail"] = None
    if not found:
        run.give_up("a merged loop did not end within the limits")
    place = run.split((run.nodes, len(weights)), weights, total) if weights[0] < total else 0
    run.numerator *= weights[place]
    run.denominator *= total
    state = found[place]
    run.tape.append((0, (state.record, state.last)))
    if state.error is not None:
        raise state.error.with_traceback(None)
    return fresh(state.value)


def fold(run: Run, coins: Coins, items: Iterable[Any], state: Any, step: Any) -> Any:
    """Decide the result of `coins.fold`: after each item, equal states are merged."""
    items = [settle(item) if isinstance(item, Lazy) else item for item in items]

    def find() -> States:
        states: States = {None: _start(run, state)}
        for item in items:
            after: States = {}
            for name, before in states.items():
                if before.error is None:
                    for leaf, mass in run.settings.share(_paths, run, step, before, item):
                        _arrive(run, after, before, leaf, before.mass * mass)
                else:
                    after[name] = before
            states = after
            if len(states) > run.settings.limits.max_runs:
                run.give_up(f"a fold reached more than {run.settings.limits.max_runs} states")
        return states

    return _choose(run, find)


def loop(run: Run, coins: Coins, state: Any, step: Any) -> Any:
    """Decide the result of `coins.loop`: the absorbing chain of its states is solved exactly."""
    return _choose(run, lambda: _solve(run, _start(run, state), step)).value


def _solve(run: Run, first: State, step: Any) -> States:
    """Return the ends of a loop, each with its probability.

    States are discovered in layers; where a layer would exceed MAX_STATES, its mass stays in the tail.
    """
    start: Hashable = ("start",)
    states: States = {start: first}
    moves: dict[Hashable, dict[Hashable, Fraction]] = {}
    layer = [start]
    while layer and len(states) <= MAX_STATES:
        discovered: list[Hashable] = []
        for name in layer:
            out = moves[name] = {}
            before = states[name]
            for leaf, mass in run.settings.share(_paths, run, step, before):
                count = len(states)
                after = _arrive(run, states, before, leaf, Fraction(0))
                if len(states) > count and not _ended(states[after]):
                    discovered.append(after)
                out[after] = out.get(after, Fraction(0)) + mass
        layer = discovered
    ended = {name: state for name, state in states.items() if _ended(state) and name not in moves}
    for name, mass in absorb(moves, start).items():
        if name in ended:
            ended[name].mass = mass
    return ended


def _ended(state: State) -> bool:
    return state.error is not None or type(state.value) is Done


def absorb(moves: dict[Hashable, dict[Hashable, Fraction]], start: Hashable) -> dict[Hashable, Fraction]:
    """Return the law of the chain's ends; `start` leads to each of its states, and moves have a probability > 0.

    The expected numbers of visits to states, each over the denominator of the state's moves, solve linear equations in
    integers. The states' equations are eliminated one at a time, the shortest first, and kept without common factors.
    Probability that never leaves a set of states is missing from the result.
    """
    equations: dict[Hashable, Counter[Hashable]] = defaultdict(Counter)
    for name, out in moves.items():
        weights, total = on_one_denominator(list(out.values()))
        for after, weight in zip((name, *out), (-total, *weights), strict=True):
            equations[after][name] -= weight
    equations[start][None] -= 1  # the constant
    solved = [(end, equations.pop(end), 1) for end in [*equations] if end not in moves]
    while equations:
        name = min(reversed(equations), key=lambda name: len(equations[name]))
        row = equations.pop(name)
        pivot = row.pop(name) or 1  # 0 where no end can be reached: then it may as well leak
        solved.append((name, row, pivot))
        for other, equation in equations.items():
            if weight := equation.pop(name, 0):
                new = Counter({before: pivot * x for before, x in equation.items()})
                for before, x in row.items():
                    new[before] -= weight * x
                common = gcd(*new.values())
                equations[other] = Counter({before: x // common for before, x in new.items()})
    visits: dict[Hashable, Fraction] = {None: Fraction(1)}
    for name, row, pivot in reversed(solved):
        counts, total = on_one_denominator([visits[before] for before in row])
        visits[name] = Fraction(-sum(x * n for x, n in zip(row.values(), counts, strict=True)), total * pivot)
    return {name: mass for name, mass in visits.items() if name is not None and name not in moves}
