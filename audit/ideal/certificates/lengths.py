"""The check of a claim about lists of any length: shifts of the noise, and a potential that pays for them.

A program is given as *turns* between modes. A turn has what was decided on it, as forms of noise drawn on it (variables
from 0 on), of the numbers that its mode carries (-1, -2 and so on) and of the list's number (the next one below); what
it releases; and the numbers that the next mode carries. On a neighbour of the list, the same turns are taken: carried
numbers and the list's differ by *shifts*, and noise is shifted so that every decision on a turn holds there, too, and
every released number is the same. A *state* is a mode, how much of the lists' difference is used up, the shifts of what
the mode carries, and a potential >= 0. From each state, each turn and each difference of the list's number leads to a
state of which the potential, plus the cost of the turn's shifts, is not greater. So the first state's potential bounds
the cost of all turns together, and with it epsilon, on lists of any length.

A turn may have a *winner*: the greatest entry of an array that has one for each number of the list, with noise of its
own. It is above the greatest of the others, whose noise is not shifted: that is one more variable below, which differs
by any number between the least and the greatest difference of a number. One shift must do for all of these.

The differences that are asked for are the corners of a polytope: between them, the mixture of shifts does. Numbers are
texts of fractions. This file uses the standard library alone. That the turns are the program's is shown elsewhere, by
reading it again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

CORNERS = {"linf": ("-1", "1"), "increasing": ("0", "1"), "decreasing": ("-1", "0")}
"""The differences of each number of two lists, by relation. In "l1", one number differs, by 1 or -1, and no other."""
NUMBER = re.compile(r"-?[0-9]{1,1000}(/[1-9][0-9]{0,999})?")
BOTH_WAYS, UPWARDS = {"laplace", "logistic"}, {"exponential", "gumbel"}


class NotShown(ValueError):
    """A certificate does not show its claim."""


def need(holds: bool, words: str) -> None:
    """Raises: NotShown with these words, unless something holds."""
    if not holds:
        raise NotShown(words)


def number(text: Any) -> Fraction:
    """Return the number that a text is."""
    need(isinstance(text, str) and NUMBER.fullmatch(text) is not None, "a number is no text of a fraction")
    return Fraction(text)


def differences(relation: str, phase: int) -> list[tuple[Fraction, int]]:
    """Return by how much the next number of two lists may differ, and the part of the difference used up then."""
    if relation == "l1":
        after = [(Fraction(0), phase)]
        return after if phase else [*after, (Fraction(1), 1), (Fraction(-1), 1)]
    need(relation in CORNERS, f"no differences of {relation} lists are known")
    return [(Fraction(each), phase) for each in CORNERS[relation]]


def differences_on(turn: Mapping[str, Any], relation: str, phase: int) -> list[tuple[Fraction, int, list[Fraction]]]:
    """Return by how much the number of a turn may differ, the part that is used up then, and how much all others may.

    Raises: NotShown for a turn with a winner that is not all of a run, or in which it is not known by how much.
    """
    if not turn["winner"]:
        own = differences(relation, phase) if turn["asks"] else [(Fraction(0), phase)]
        return [(d, after, [Fraction(0)]) for d, after in own]
    need((turn["mode"], turn["asks"], turn["target"]) == (0, False, None), "a winner of what a loop reads, too")
    need(relation != "l1", "the greatest entry of lists of which one number differs is not followed")
    own = differences(relation, phase)
    return [(d, after, [other for other, _ in own]) for d, after in own]


def bound(data: Mapping[str, Any]) -> Fraction:
    """Return the bound of epsilon, in units of the scales' own, that data shows.

    Raises: NotShown; TypeError, KeyError, IndexError, AttributeError or ValueError for data of another form.
    """
    states, turns = data["states"], data["turns"]
    for mode, carried in enumerate(data["modes"]):
        _need_tree([_steps(turn) for turn in turns if turn["mode"] == mode], 0)
        need(type(carried) is int and carried >= 0, "a mode that carries no number of numbers")
    moves = {(move["state"], move["turn"], number(move["difference"])): move for move in data["moves"]}
    need((states[0]["mode"], states[0]["phase"], data["modes"][0]) == (0, 0, 0), "another state is the first one")
    for place, state in enumerate(states):
        need(len(state["shifts"]) == data["modes"][state["mode"]], "a state without shifts of what it carries")
        need(number(state["potential"]) >= 0, "a potential below 0")
        for row, turn in enumerate(turns):
            if turn["mode"] == state["mode"]:
                for d, phase, others in differences_on(turn, data["relation"], state["phase"]):
                    for other in others:
                        _need_paid(state, turn, (d, other), phase, moves[place, row, d], states)
    return number(states[0]["potential"])


def _need_paid(
    state: Mapping[str, Any],
    turn: Mapping[str, Any],
    d: tuple[Fraction, Fraction],
    phase: int,
    move: Mapping[str, Any],
    states: Sequence[Mapping[str, Any]],
) -> None:
    """Raises: NotShown, unless shifts keep the decisions and the releases of a turn, at the price of the potential."""
    shifts = {-1 - place: number(text) for place, text in enumerate(state["shifts"])}
    if turn["asks"] or turn["winner"]:
        shifts |= {-1 - len(shifts): d[0], -2 - len(shifts): d[1]}
    cost = Fraction(0)
    for name, ((kind, rate), text) in enumerate(zip(turn["noise"], move["shifts"], strict=True)):
        shift = shifts[name] = number(text)
        need(number(rate) > 0, "noise of no scale")
        need(kind in BOTH_WAYS or (kind in UPWARDS and shift >= 0) or shift == 0, f"{kind} noise is shifted so")
        cost += number(rate) * abs(shift)

    def along(form: Any) -> Fraction:
        return sum((number(c) * shifts[name] for name, c in form), Fraction(0))

    for mark, side in turn["steps"]:
        if mark[0] != "draw":
            need(along(mark[1]) * (1 if side else -1) >= 0, "a decision is another one on the neighbour")
    need(all(along(form) == 0 for form in turn["released"]), "another number is released on the neighbour")
    if turn["target"] is not None:
        after = states[move["next"]]
        need((after["mode"], after["phase"]) == (turn["target"], phase), "a turn leads to another mode")
        need([along(form) for form in turn["carried"]] == [number(text) for text in after["shifts"]], "other shifts")
        cost += number(after["potential"])
    need(number(state["potential"]) >= cost, "a turn costs more than the fall of the potential")


Step = tuple[Any, Any]


def _steps(turn: Mapping[str, Any]) -> list[Step]:
    """Return the decisions of a turn: rows of forms and thresholds, and draws. All but those from the first mode
    begin with whether the list has a number."""
    asked = [(["asks"], turn["asks"])] if turn["mode"] else []
    need(bool(asked) or turn["asks"] is False, "a turn that asks for a number before all questions")
    return [*asked, *((mark, side) for mark, side in turn["steps"])]


def _need_tree(rows: Sequence[Sequence[Step]], depth: int) -> None:
    """Raises: NotShown, unless turns are all ways of some decisions: after the same ones, the next is the same, and is
    decided both ways; of a draw, each value of a positive weight is taken."""
    if len(rows) == 1 and len(rows[0]) == depth:
        return
    need(bool(rows) and all(len(row) > depth for row in rows), "a turn is decided in two ways, or in none")
    marks = [row[depth][0] for row in rows]
    need(all(mark == marks[0] for mark in marks), "turns decide one thing and another at once")
    sides = set(_sides(marks[0]))
    need({row[depth][1] for row in rows} == sides, "a decision with one answer alone")
    for side in sides:
        _need_tree([row for row in rows if row[depth][1] == side], depth + 1)


def _sides(mark: Sequence[Any]) -> Iterator[Any]:
    """Yield the answers of a decision."""
    if mark[0] == "draw":
        weights = [number(text) for text in mark[1]]
        need(sum(weights) == 1 and min(weights) >= 0, "a draw by other weights than chances")
        yield from (place for place, weight in enumerate(weights) if weight)
    else:
        need(mark[0] in ("row", "asks", "winner"), "a decision of no kind")
        yield from (True,) if mark[0] == "winner" else (True, False)
