"""Loops on ideal noise: a question that is asked in the state of an earlier one on its way is not asked again.

What a program does from a state on depends on two things alone: the state, and the law of the noise that it holds. The
state is all that can be read, as `keys.py` tells it. The law is that of the noise variables in it, given all that was
decided about them, and about variables that were compared with these. Variables are numbered as they are met, for
those of another turn have other names. A way that comes back to a state is a *repeat*: as a law, all that follows is
what followed when the state was there first.

A loop that counts has another state in each turn: local variables that differ by the same steps from those in the turn
before. Where many turns differ so, the program is read again, and the first of these states stands for all: a variable
is k + step (n - 1) in it, for geometric noise n that nothing has decided yet. A way back to the state with n + 1 in the
place of n is one more turn, whatever n is; and n = 1 is the state itself. Where no way leads back so, or the program
does with the variable what is not followed for noise, it is read without.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.ideal.known import Known
from dpcert.mechanisms.ideal.noise import Law, Rate
from dpcert.mechanisms.ideal.path import Inequality, Loop, Path
from dpcert.mechanisms.ideal.terms import Number
from dpcert.reading.decode import Code
from dpcert.reading.domains.forms import CLASSES, NAMES, Cut, Form, data_of, form, number
from dpcert.reading.errors import Refused
from dpcert.reading.keys import UNDECIDED, Writer, encode
from dpcert.reading.values import Frame, Undecided, Value

MOST_BACK = 200
"""How many questions back an equal state is looked for."""
MANY_TURNS = 20
"""So many states that differ in what they count alone are taken for one."""
MOST_COUNTED = 8
"""The most loops of a way that count."""
Slot = tuple[int, int]
"""A local variable: the frame, and its place there."""
Counts = dict[Slot, Number]
Name = tuple[Any, ...]
"""What tells a state from others, and the law of its noise, but for the integers that local variables hold."""
Places = tuple[tuple[Code, int], ...]


class Counting(BaseException):
    """Many turns of a loop differ in what they count alone: local variables, each by a step."""

    def __init__(self, places: Places, steps: Counts) -> None:
        self.places, self.steps = places, steps


class Numbered(Writer):
    """The form of a state in which noise variables are numbered as they are met; `met` has their numbers.

    Integers that local variables hold are 0 in it, as are the constants of noisy ones; `counts` has them.
    """

    def __init__(self, state: Any) -> None:
        super().__init__(state)
        self.met: dict[int, int] = {}
        self.counts: Counts = {}
        self.frames = {id(frame): place for place, frame in enumerate(state.frames)}

    def _frame(self, frame: Frame) -> Iterable[Any]:
        place, kept = self.frames.get(id(frame)), frame.locals
        if place is not None:
            frame.locals = list(kept)
            for slot in frame.code.live[frame.place]:
                found = _form_of(kept[slot])
                if found is not None:
                    self.counts[place, slot] = found.offset
                    frame.locals[slot] = _put(kept[slot], replace(found, offset=0))
        try:
            return tuple(super()._frame(frame))
        finally:
            frame.locals = kept

    def undecided(self, value: Undecided) -> Any:
        """The form of a number on ideal noise."""
        ((step, (place, *row)),) = value.chain
        kind = CLASSES[place]
        parts = zip(NAMES[kind], row, strict=True)
        numbered = [self._numbered(kind, field, part) for field, part in parts]
        return UNDECIDED, self.ref(value.draw), step, self.form((place, *numbered))

    def _numbered(self, kind: Any, field: str, part: Any) -> Any:
        if field == "terms":
            return tuple([(self._number(name), c) for name, c in part])
        return self._number(part) if kind is Cut and field == "name" else part

    def _number(self, name: int) -> int:
        """The number of a variable; an open input is the same in all states."""
        return name if name < 0 else self.met.setdefault(name, len(self.met))


def _form_of(value: Value) -> Form | None:
    """An integer that a local variable holds, noisy or not, as a form; None for anything else."""
    if value.__class__ is int:
        return Form(("int",), (), value)
    if isinstance(value, Undecided) and value.draw.kind == "ideal":
        data = data_of(value)
        return data if type(data) is Form and data.kinds == ("int",) else None
    return None


def _put(value: Value, data: Form) -> Value:
    """A form in the place of a value: an integer for an integer."""
    return data.offset if value.__class__ is int else number(value.draw, data)


def name_of(m: Any) -> tuple[Name, Counts]:
    """What tells the state of a machine at a question from others, and the law of its noise; and what it counts."""
    writer = Numbered(m)
    key, _ = encode(m, writer)
    return (key, *_law_of(m.world.known, writer.met)), writer.counts


def _law_of(known: Known, met: dict[int, int]) -> tuple[Any, ...]:
    """What is known of variables, and of those that they were compared with: kinds, and all that was decided."""
    names = set(met)
    derived = [{each.uniform, each.name} for each, _, _ in known.derived.values()]
    linked = not names.isdisjoint(known.bound.union(*derived))
    links = [{name for name, _ in item.form} for item in known.inequalities] if linked else []
    links += derived
    while more := {name for link in links if not names.isdisjoint(link) for name in link} - names:
        names |= more
    others = sorted(name for name in names - set(met) if name >= 0)
    number = met | {name: len(met) + place for place, name in enumerate(others)}

    def renamed(form: Sequence[tuple[int, Number]]) -> tuple[tuple[int, Number], ...]:
        return tuple(sorted((number.get(name, name), c) for name, c in form))  # an open input has no number

    return (
        tuple(known.laws[name] for name in number),
        frozenset(
            (renamed(item.form), item.threshold, item.above)
            for item, link in zip(known.inequalities, links, strict=False)
            if not names.isdisjoint(link)
        ),
        frozenset((number[name], each.low, each.high) for name, each in known.narrowed.items() if name in names),
        frozenset(
            (number[each.uniform], number[each.name], each.factor, each.offset, ends, sign)
            for each, ends, sign in known.derived.values()
            if each.uniform in names
        ),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A question on a way, with how many variables, inequalities and draws were there, the last of these inequalities,
    and the question before it. Where its state stands for those of all turns, `counter` is the noise that counts."""

    places: Places
    name: Name | None
    counts: Counts
    laws: int
    inequalities: int
    draws: int
    last: Inequality | None
    weight: Any
    before: Asked | None
    depth: int
    counter: int | None

    def back(self) -> Iterator[Asked]:
        """This question, and those before it."""
        asked: Asked | None = self
        while asked is not None:
            yield asked
            asked = asked.before


class Loops:
    """The questions of the ways of one program, and the ways that come back to one: `heads` has these by question, and
    whether they count. `counters` are the loops that count, by their places, and `barred` those that are not to."""

    def __init__(self, counters: Mapping[Places, Counts], barred: Collection[Places]) -> None:
        self.counters, self.barred = counters, barred
        self.heads: dict[Asked, list[tuple[Path, Asked, bool]]] = {}
        self.counted: list[Asked] = []
        self.jumps: dict[Code, list[tuple[int, int]]] = {}

    def came_back(self, m: Any) -> tuple[Asked, bool] | None:
        """Note the question of a machine on its way; return the earlier one in whose state it is asked, if any, and
        whether that counts a turn.

        Raises: Counting.
        """
        known = m.world.known
        places = tuple((frame.code, frame.place) for frame in m.frames)
        before: Asked | None = known.asked
        # a state to which no jump leads back is not met again: it needs no name
        name, counts = name_of(m) if any(self._in_loop(*place) for place in places) else (None, {})
        alike: list[Asked] = []
        near = before.back() if name is not None and before is not None else ()
        for _, asked in zip(range(MOST_BACK), near, strict=False):
            if asked.places == places and asked.name == name:
                counted = asked.counter is not None and _steps(asked.counts, counts) == self.counters[places]
                if (counted or counts == asked.counts) and _is_start(known, asked):
                    return asked, counted
                alike.append(asked)
        if len(alike) >= MANY_TURNS and places not in self.barred and places not in self.counters:
            steps = _steps(alike[0].counts, counts)
            if steps == _steps(alike[1].counts, alike[0].counts):
                raise Counting(places, steps)
        counter = None
        if name is not None and not alike and places in self.counters:
            counter = self._count(m, self.counters[places])
            name, counts = name_of(m)
        items = known.inequalities
        sizes = len(known.laws), len(items), len(known.draws)
        depth = 0 if before is None else before.depth + 1
        last = items[-1] if items else None
        known.asked = Asked(places, name, counts, *sizes, last, known.weight, before, depth, counter)
        if counter is not None:
            self.counted.append(known.asked)
        return None

    def _count(self, m: Any, steps: Counts) -> int:
        """Have a state stand for those of all turns, and return the noise that counts these."""
        known = m.world.known
        if known.asked is not None and sum(each.counter is not None for each in known.asked.back()) >= MOST_COUNTED:
            raise Refused(f"more than {MOST_COUNTED} loops that count on one way")
        # a law of its own, so that no other noise is taken for it; the rate is computed later
        counter: int = known.fresh(Law("geometric", Rate(Fraction(-1 - len(self.counted)))))
        for (place, slot), step in steps.items():
            values = m.frames[place].locals
            found = _form_of(values[slot])
            if found is None:
                raise Refused("a variable that a loop counts is no integer")
            counting = form(found.kinds, {**dict(found.terms), counter: step}, found.offset - step)
            values[slot] = number(m.world, counting)
        return counter

    def _in_loop(self, code: Code, place: int) -> bool:
        """Whether a frame can come again to where it is, by a jump back."""
        if code not in self.jumps:
            ends = ((op.target, index + 1) for index, op in enumerate(code.ops) if op.target is not None)
            self.jumps[code] = [(target, index) for target, index in ends if target < index]
        return any(target <= place <= index for target, index in self.jumps[code])

    def note(self, head: Asked, path: Path, last: Asked, *, counts: bool) -> None:
        """Note a way that came back to a question; `last` is the last one on it."""
        self.heads.setdefault(head, []).append((path, last, counts))

    def closed(self, ends: Sequence[tuple[Path, Any, Asked | None]]) -> list[tuple[Path, Any]]:
        """Each way that ends, with the loops in which it does, and what else is known of it.

        Raises: Refused where a state stands for all turns, and no way leads back to it with one more.
        """
        if any(not any(counts for *_, counts in self.heads.get(asked, ())) for asked in self.counted):
            raise Refused("a loop does not count its turns")
        loops: dict[Asked, Loop] = {}
        for head, repeats in sorted(self.heads.items(), key=lambda each: -each[0].depth):
            inner = [(replace(path, loops=_on(last, loops, head.depth)), counts) for path, last, counts in repeats]
            again, counted = (tuple(path for path, counts in inner if counts is each) for each in (False, True))
            loops[head] = Loop(_start(inner[0][0], head), again, counter=head.counter, counted=counted)
        return [(replace(path, loops=_on(last, loops, -1)) if loops else path, more) for path, more, last in ends]


def _steps(before: Counts, after: Counts) -> Counts:
    """By how much what is counted differs between two states, where it does."""
    return {slot: count - before[slot] for slot, count in after.items() if count != before[slot]}


def _is_start(known: Known, asked: Asked) -> bool:
    """Whether a way still begins as it did up to a question: where a uniform number became the side of Laplace noise,
    inequalities were written anew."""
    items = known.inequalities[: asked.inequalities]
    same = not items or items[-1] is asked.last
    return same and all(name < asked.laws for item in items for name, _ in item.form)


def _on(last: Asked | None, loops: dict[Asked, Loop], depth: int) -> tuple[Loop, ...]:
    """The loops on a way whose heads are deeper, the outermost one first."""
    heads = [] if last is None else [asked for asked in last.back() if asked.depth > depth and asked in loops]
    return tuple(loops[head] for head in reversed(heads))


def _start(path: Path, head: Asked) -> Path:
    """The beginning of a way, up to a question."""
    return Path(
        path.laws[: head.laws],
        path.inequalities[: head.inequalities],
        head.weight,
        None,
        path.drawn[: head.draws],
        derived=tuple(each for each in path.derived if each.name < head.laws),
        draws=path.draws[: head.draws],
    )
