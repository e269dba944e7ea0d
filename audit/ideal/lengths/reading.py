"""The turns of a program on lists of any length as data, and the bound of epsilon that a potential shows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcert.audit.ideal.certificates.lengths import BOTH_WAYS, UPWARDS, NotShown, bound, need
from dpcert.audit.ideal.lengths.potential import Data, Search
from dpcert.audit.ideal.outcomes import holds_post, noisy_parts
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.meant import OPEN
from dpcert.mechanisms.ideal.path import Inequality, Path
from dpcert.reading.floats.held import Holder, instances
from dpcert.reading.ideal.turns import Automaton, Turn, read_turns
from dpcert.reading.paths.watch import own_modules, refuse_hidden_sources


@dataclass(frozen=True, slots=True)
class AnyLength:
    """A bound of epsilon for lists of any length, in units of epsilon^power, and the data that shows it; `held` and
    `left` are as of an `IdealReport`."""

    bound: Fraction
    power: int
    data: Data
    held: tuple[str, ...]
    left: tuple[str, ...]


def bound_for_any_length(
    program: Callable[..., Any], relation: str, *, epsilon: Fraction | str | None = None
) -> AnyLength:
    """Return a bound of epsilon for a program on lists of real numbers of any length that differ as in a relation.

    With an `epsilon`, a number or `OPEN`, the program gets it as a third argument.
    Raises: Unauditable naming what is not followed, or that no potential pays for all turns.
    """
    turns, automaton = turns_of(program, epsilon=epsilon)
    try:
        found = Search(turns, relation).found()
        if found is None:
            raise Unauditable("on lists of any length, no shifts of the noise pay for all turns of the loop")
        return _shown(found, automaton)
    except NotShown as error:
        raise Unauditable(f"on lists of any length, {error}") from None


def found_again(program: Callable[..., Any], data: Data, *, epsilon: Fraction | str | None = None) -> AnyLength:
    """Return the bound that data shows, of which the turns must be those of a program.

    Raises: NotShown; Unauditable naming what is not followed; as `certificates.lengths.bound` for data of another form.
    """
    turns, automaton = turns_of(program, epsilon=epsilon)
    need(all(data[name] == part for name, part in turns.items()), "the turns of the program are others")
    return _shown(data, automaton)


def _shown(data: Data, automaton: Automaton) -> AnyLength:
    laws = [law for turn in automaton.turns for law in turn.path.laws if law.kind in BOTH_WAYS | UPWARDS]
    powers = {law.rate.power for law in laws}
    if len(powers) > 1:
        raise Unauditable("scales of the form c/epsilon beside plain numbers are not decided together")
    paths = [turn.path for turn in automaton.turns]
    held, left = (
        tuple(sorted({words for path in paths for words in getattr(path, name)})) for name in ("held", "left")
    )
    return AnyLength(bound(data), max(powers, default=0), data, held, left)


def turns_of(program: Callable[..., Any], *, epsilon: Fraction | str | None = None) -> tuple[Data, Automaton]:
    """Return the turns of a program, read twice in other orders, as data and as they were read.

    Raises: Unauditable naming what is not followed.
    """
    parameters = () if epsilon is None else (None if epsilon == OPEN else Fraction(epsilon),)
    spaces = own_modules(program)
    holders = [*map(Holder, spaces), *instances(program, spaces)]
    with refuse_hidden_sources(program):
        automaton = read_turns(program, parameters=parameters, holders=holders)
        again = read_turns(program, parameters=parameters, holders=holders, reverse=True)
    found, other = _data(automaton), _data(again)
    if not alike(found, other):
        raise Unauditable("computed a second time, a turn differs")
    return found, automaton


def digest_of_turns(data: Data) -> str:
    """Return the SHA-256 of modes and turns."""
    return hashlib.sha256(json.dumps([data["modes"], data["turns"]]).encode()).hexdigest()


def alike(one: Data, other: Data) -> bool:
    """Whether the turns of two readings are the same but for the numbers of their modes."""
    names, left = {0: 0}, [0]
    while left:
        mode = left.pop()
        mine, its = _by_steps(one, mode), _by_steps(other, names[mode])
        if mine.keys() != its.keys() or one["modes"][mode] != other["modes"][names[mode]]:
            return False
        for steps, turn in mine.items():
            if any(turn[part] != its[steps][part] for part in ("noise", "released", "carried", "winner")):
                return False
            target, its_target = turn["target"], its[steps]["target"]
            if target is not None and target not in names:
                names[target] = its_target
                left.append(target)
            if (None if target is None else names[target]) != its_target:
                return False
    return len(one["turns"]) == len(other["turns"])


def _by_steps(data: Data, mode: int) -> dict[str, Data]:
    return {str((turn["asks"], turn["steps"])): turn for turn in data["turns"] if turn["mode"] == mode}


def _data(automaton: Automaton) -> Data:
    return {"modes": list(automaton.modes), "turns": [_data_of(turn) for turn in automaton.turns]}


def _data_of(turn: Turn) -> Data:
    """Return a turn as `certificates/lengths.py` reads it.

    Raises: Unauditable where it releases what a function makes of noise.
    """
    path = turn.path
    if holds_post(path.outcome):
        raise Unauditable("on lists of any length, what a function makes of noise is not released")
    return {
        "mode": turn.mode,
        "asks": turn.asks,
        "noise": [[law.kind, str(law.rate.factor)] for law in path.laws],
        "steps": list(_steps(path, turn.winner)),
        "released": [_form(part.terms) for part in noisy_parts(path.outcome)],
        "target": turn.target,
        "carried": [_form(terms) for terms, _ in turn.carried],
        "winner": turn.winner is not None,
    }


def _form(terms: Any) -> list[list[Any]]:
    return [[name, str(c)] for name, c in terms]


def _steps(path: Path, winner: tuple[int, int] | None) -> list[Any]:
    """Return the comparisons and draws on a path, in order."""

    def step(item: Inequality) -> Any:
        if winner is not None and winner[1] in dict(item.form):
            return [["winner", _form(item.inward()[0].items())], True]
        return [["row", _form(item.form), str(item.threshold)], item.above]

    order: list[tuple[int, int, Any]] = [(2 * n + 1, 0, step(item)) for n, item in enumerate(path.inequalities)]
    order += [
        (2 * before, place, [["draw", list(map(_chance, weights))], choice])
        for place, ((before, weights), choice) in enumerate(zip(path.draws, path.drawn, strict=True))
    ]
    return [step for _, _, step in sorted(order, key=lambda each: each[:2])]


def _chance(weight: Any) -> str:
    if not isinstance(weight, Fraction):
        raise Unauditable("on lists of any length, a draw by exponentials is not followed")
    return str(weight)
