"""Claims about lists of any length: a claim that holds on some lists, and a potential that pays for all turns.

A potential is a price of each state of a loop and its neighbour's. A carried number in which there is no noise of its
turn differs as its parts do; where the difference is known, it is part of a state. Where noise is in it, it may be
shifted at will: that is an unknown of a linear program, as potentials are. `certificates/lengths.py` checks the answer.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeVar

from dpcert.audit.ideal.certificates.lengths import BOTH_WAYS, UPWARDS, NotShown, bound, differences_on, need
from dpcert.audit.ideal.every_report import EveryReport
from dpcert.audit.ideal.opening import is_at_least
from dpcert.audit.ideal.outcomes import holds_post, noisy_parts
from dpcert.audit.ideal.report import IdealReport
from dpcert.audit.kernel.check import Rejected
from dpcert.audit.kernel.claim import Claim
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.linear import Unbounded, maximize
from dpcert.mechanisms.ideal.meant import OPEN
from dpcert.mechanisms.ideal.path import Inequality, Path
from dpcert.mechanisms.ideal.terms import Number
from dpcert.reading.floats.held import Holder, instances
from dpcert.reading.ideal.turns import Automaton, Turn, read_turns
from dpcert.reading.paths.watch import own_modules, refuse_hidden_sources

MOST_STATES, MOST_UNKNOWNS = 60, 600
"""The most states of a loop and its neighbour's, and the most unknowns of the linear program."""
Data = dict[str, Any]
State = tuple[int, int, tuple[Fraction | None, ...]]
"""A mode, the part of the difference that is used up, and the shifts of the mode's numbers, None for unknown ones."""
Linear = dict[int, Number]
"""A linear form of unknowns; UNIT stands for 1."""
UNIT = -1


class Search:
    """The linear program of the turns of a program, for one relation; each row is a form that is at least 0."""

    def __init__(self, automaton: Data, relation: str) -> None:
        self.automaton, self.relation = automaton, relation
        self.rows: list[Linear] = []
        self.unknowns = 0
        self.states: dict[State, int] = {}
        self.potentials: list[Linear] = []
        self.shifts: list[list[Linear]] = []
        self.moves: list[tuple[int, int, Fraction, int | None, list[Linear]]] = []
        self._state((0, 0, ()))

    def found(self) -> Data | None:
        """Return the data that `certificates/lengths.py` checks; None where no potential pays for all turns.

        Raises: Unauditable for a loop and its neighbour's with too many states.
        """
        place = 0
        while place < len(self.states):
            self._follow(place)
            place += 1
        rows = [({name: -c for name, c in row.items() if name != UNIT}, row.get(UNIT, 0)) for row in self.rows]
        if any(not form and offset < 0 for form, offset in rows):
            return None
        try:
            best = maximize({name: -c for name, c in self.potentials[0].items()}, [row for row in rows if row[0]])
        except Unbounded:
            return None
        if best is None:
            return None
        point = {UNIT: Fraction(1), **best.point}

        def text(form: Linear) -> str:
            return str(sum((c * point.get(name, Fraction(0)) for name, c in form.items()), Fraction(0)))

        states = [
            {"mode": mode, "phase": phase, "shifts": list(map(text, row)), "potential": text(potential)}
            for (mode, phase, _), row, potential in zip(self.states, self.shifts, self.potentials, strict=True)
        ]
        moves = [
            {"state": state, "turn": turn, "difference": str(d), "next": after, "shifts": list(map(text, noise))}
            for state, turn, d, after, noise in self.moves
        ]
        return {**self.automaton, "relation": self.relation, "states": states, "moves": moves}

    def _unknown(self) -> Linear:
        self.unknowns += 1
        if self.unknowns > MOST_UNKNOWNS:
            raise Unauditable(f"a loop of more than {MOST_UNKNOWNS} unknown shifts")
        return {self.unknowns: 1}

    def _state(self, state: State) -> int:
        """Return the number of a state, with new unknowns for a new one."""
        if state not in self.states:
            if len(self.states) >= MOST_STATES:
                raise Unauditable(f"a loop and its neighbour's of more than {MOST_STATES} states")
            self.states[state] = len(self.states)
            self.potentials.append(self._unknown())
            self.rows.append(self.potentials[-1])
            self.shifts.append([self._unknown() if x is None else {UNIT: x} for x in state[2]])
        return self.states[state]

    def _follow(self, place: int) -> None:
        mode, phase, known = list(self.states)[place]
        for number, turn in enumerate(self.automaton["turns"]):
            if turn["mode"] == mode:
                for d, then, others in differences_on(turn, self.relation, phase):
                    self._pay(place, number, turn, (d, *others), then, known)

    def _pay(
        self, place: int, number: int, turn: Data, ds: Sequence[Fraction], phase: int, known: Sequence[Fraction | None]
    ) -> None:
        """Have the potential pay for a turn from a state."""
        shifts = {-1 - slot: form for slot, form in enumerate(self.shifts[place])}
        given = {-1 - slot: x for slot, x in enumerate(known)}
        d, *others = ds
        if turn["asks"] or turn["winner"]:
            shifts[-1 - len(known)], given[-1 - len(known)] = {UNIT: d}, d
        used = {name for form in _forms(turn) for name, _ in form}
        price = self.potentials[place]
        noise: list[Linear] = []
        for name, (kind, rate) in enumerate(turn["noise"]):
            shifts[name] = self._unknown() if name in used and kind in BOTH_WAYS | UPWARDS else {}
            noise.append(shifts[name])
            if shifts[name]:
                size = self._unknown() if kind in BOTH_WAYS else shifts[name]
                self.rows += [_sum((1, size), (-1, shifts[name])), _sum((1, size), (1, shifts[name]))]
                price = _sum((1, price), (-Fraction(rate), size))
        for mark, side in turn["steps"]:
            if mark[0] == "row":
                self.rows.append(_along(mark[1], shifts, 1 if side else -1))
            for other in others if mark[0] == "winner" else ():
                whole: dict[int, Linear] = {**shifts, -2 - len(known): {UNIT: other}}
                self.rows.append(_along(mark[1], whole))
        for form in turn["released"]:
            self._equal(_along(form, shifts), {})
        after = None
        if turn["target"] is not None:
            after = self._state((turn["target"], phase, tuple(_value(form, given) for form in turn["carried"])))
            for form, x in zip(turn["carried"], self.shifts[after], strict=True):
                self._equal(_along(form, shifts), x)
            price = _sum((1, price), (-1, self.potentials[after]))
        self.rows.append(price)
        self.moves.append((place, number, d, after, noise))

    def _equal(self, one: Linear, other: Linear) -> None:
        difference = _sum((1, one), (-1, other))
        if difference:
            self.rows += [difference, _sum((-1, difference))]


def _forms(turn: Data) -> list[Any]:
    rows = [mark[1] for mark, _ in turn["steps"] if mark[0] in ("row", "winner")]
    return [*rows, *turn["released"], *turn["carried"]]


def _value(form: Any, given: Mapping[int, Fraction | None]) -> Fraction | None:
    """Return the shift of a carried number, None for an unknown one."""
    parts = [given.get(name) for name, _ in form]
    if None in parts:
        return None
    return sum((Fraction(c) * (x or 0) for (_, c), x in zip(form, parts, strict=True)), Fraction(0))


def _along(form: Any, shifts: Mapping[int, Linear], sign: int = 1) -> Linear:
    return _sum(*((sign * Fraction(c), shifts[name]) for name, c in form))


def _sum(*parts: tuple[Number, Linear]) -> Linear:
    total: Linear = {}
    for factor, form in parts:
        for name, c in form.items():
            total[name] = total.get(name, 0) + factor * c
    return {name: c for name, c in total.items() if c}


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
    Raises: Unauditable naming an operation that is not followed, or where no potential pays for all turns.
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

    Raises: Unauditable naming an operation that is not followed.
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

    Raises: Unauditable where it releases a function of noise.
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


ANY_LENGTH = "any length"
"""The method of a verdict on lists of any length."""
REMEDY = "; claim the lists that are given alone, without any_length"
Report = TypeVar("Report", bound=IdealReport | EveryReport)


def on_any_length(report: Report, claim: Claim, program: Callable[..., Any], *, epsilon: str | None = None) -> Report:
    """Return the report on a claim about lists of any length, from that on the claim's own inputs.

    A claim that these refute is refuted. With `OPEN` for an epsilon, the claim is of every one.
    """
    if report.verdict != "verified":
        return report
    try:
        found = bound_for_any_length(program, claim.neighbours.name, epsilon=epsilon)
        if not set(report.held) <= set(found.held) or not set(report.left) <= set(found.left):
            raise Unauditable("on lists of any length, another generator is drawn from than on those that are given")
        if not is_within(found, claim, epsilon):
            raise Unauditable(f"on lists of any length, alignments give no bound below {found.bound}")
    except Unauditable as error:
        own: dict[str, Any] = {"epsilon": (report.epsilon[0], None)} if isinstance(report, IdealReport) else {}
        bounds = report.delta[0], Fraction(1)
        return replace(report, verdict="undecided", reason=f"{error}{REMEDY}", delta=bounds, **own)
    more: dict[str, Any] = {}
    if isinstance(report, IdealReport):
        more = {"epsilon": (report.epsilon[0], Epsilon.of(found.bound)), "notes": ()}
    return replace(
        report,
        method=ANY_LENGTH,
        lengths=found.data,
        held=found.held,
        left=found.left,
        delta=(report.delta[0], report.delta[0]),
        alignments=(),
        **more,
    )


def is_within(found: AnyLength, claim: Claim, epsilon: object) -> bool:
    """Whether a bound is within a claim; with `OPEN` for an epsilon, the claim is a multiple of every one."""
    if found.power != int(epsilon == OPEN) and found.bound:
        raise Unauditable("on lists of any length, scales that do not depend on epsilon say nothing of every one")
    return is_at_least(claim.guarantee.epsilon, Epsilon.of(found.bound))


def need_any_length(
    data: Mapping[str, Any], claim: Claim, program: Callable[..., Any], epsilon: Fraction | str | None
) -> AnyLength:
    """Return the verdict that data shows on a claim about lists of any length, for which the program is read again.

    Raises: Rejected or NotShown, unless all is within the claim; Unauditable where the program is not followed.
    """
    found = found_again(program, dict(data), epsilon=epsilon)
    if data["relation"] != claim.neighbours.name or not is_within(found, claim, epsilon):
        raise Rejected("lists of any length are not shown to be within the claim")
    return found
