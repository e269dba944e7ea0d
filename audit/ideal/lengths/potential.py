"""The search for a potential: states of a loop and its neighbour's, and the least price at which all turns are paid.

A carried number in which there is no noise of its turn differs by what its parts do; where that is known, it is part of
a state. Where noise is in it, it may be shifted at will: that is an unknown of a linear program, as potentials are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from dpcert.audit.ideal.certificates.lengths import BOTH_WAYS, UPWARDS, differences_on
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.linear import Unbounded, maximize
from dpcert.mechanisms.ideal.terms import Number

MOST_STATES, MOST_UNKNOWNS = 60, 600
"""The most states of a loop and its neighbour's, and the most unknowns of the linear program."""
Data = dict[str, Any]
State = tuple[int, int, tuple[Fraction | None, ...]]
"""A mode, what of the difference is used up, and the shifts of what the mode carries, None for unknown ones."""
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
