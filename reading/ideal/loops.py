"""Loops on ideal noise: a question that is asked in the state of an earlier one on its way is not asked again.

What a program does from a state on depends on two things alone: the state, and the law of the noise that it holds. The
state is all that can be read, as `keys.py` tells it. The law is that of the noise variables in it, given all that was
decided about them, and about variables that were compared with these. Variables are numbered as they are met, for
those of another turn have other names. A way that comes back to a state is a *repeat*: as a law, all that follows is
what followed when the state was there first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dpcert.mechanisms.ideal.known import Known
from dpcert.mechanisms.ideal.path import Inequality, Loop, Path
from dpcert.mechanisms.ideal.terms import Number
from dpcert.reading.decode import Code
from dpcert.reading.domains.forms import CLASSES, NAMES, Cut
from dpcert.reading.keys import UNDECIDED, Writer, encode
from dpcert.reading.values import Undecided

MOST_BACK = 1_000
"""How many questions back an equal state is looked for."""
Name = tuple[Any, ...]
"""What tells a state from others, and the law of its noise."""
Places = tuple[tuple[Code, int], ...]


class Numbered(Writer):
    """The form of a state in which noise variables are numbered as they are met; `met` has their numbers."""

    def __init__(self, state: Any) -> None:
        super().__init__(state)
        self.met: dict[int, int] = {}

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


def name_of(m: Any) -> Name:
    """What tells the state of a machine at a question from others, and the law of its noise."""
    writer = Numbered(m)
    key, _ = encode(m, writer)
    return key, *_law_of(m.world.known, writer.met)


def _law_of(known: Known, met: dict[int, int]) -> tuple[Any, ...]:
    """What is known of variables, and of those that they were compared with: kinds, and all that was decided."""
    links = [{name for name, _ in item.form} for item in known.inequalities]
    links += [{derived.uniform, derived.name} for derived, _, _ in known.derived.values()]
    names = set(met)
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
    and the question before it."""

    places: Places
    name: Name | None
    laws: int
    inequalities: int
    draws: int
    last: Inequality | None
    weight: Any
    before: Asked | None
    depth: int

    def back(self) -> Iterator[Asked]:
        """This question, and those before it."""
        asked: Asked | None = self
        while asked is not None:
            yield asked
            asked = asked.before


class Loops:
    """The questions of the ways of one program, and the ways that come back to one: `heads` has these by question."""

    def __init__(self) -> None:
        self.heads: dict[Asked, list[tuple[Path, Asked]]] = {}
        self.jumps: dict[Code, list[tuple[int, int]]] = {}

    def came_back(self, m: Any) -> Asked | None:
        """Note the question of a machine on its way; return the earlier one in whose state it is asked, if any."""
        known = m.world.known
        places = tuple((frame.code, frame.place) for frame in m.frames)
        before: Asked | None = known.asked
        name = name_of(m) if any(self._in_loop(*place) for place in places) else None
        if name is not None and before is not None:
            for _, asked in zip(range(MOST_BACK), before.back(), strict=False):
                if asked.places == places and asked.name == name and _is_start(known, asked):
                    return asked
        items = known.inequalities
        sizes = len(known.laws), len(items), len(known.draws)
        depth = 0 if before is None else before.depth + 1
        known.asked = Asked(places, name, *sizes, items[-1] if items else None, known.weight, before, depth)
        return None

    def _in_loop(self, code: Code, place: int) -> bool:
        """Whether a frame can come again to where it is, by a jump back."""
        if code not in self.jumps:
            ends = ((op.target, index + 1) for index, op in enumerate(code.ops) if op.target is not None)
            self.jumps[code] = [(target, index) for target, index in ends if target < index]
        return any(target <= place <= index for target, index in self.jumps[code])

    def note(self, head: Asked, path: Path, last: Asked) -> None:
        """Note a way that came back to a question; `last` is the last one on it."""
        self.heads.setdefault(head, []).append((path, last))

    def closed(self, ends: Sequence[tuple[Path, Any, Asked | None]]) -> list[tuple[Path, Any]]:
        """Each way that ends, with the loops in which it does, and what else is known of it."""
        loops: dict[Asked, Loop] = {}
        for head, repeats in sorted(self.heads.items(), key=lambda each: -each[0].depth):
            inner = [replace(path, loops=_on(last, loops, head.depth)) for path, last in repeats]
            loops[head] = Loop(_start(inner[0], head), tuple(inner))
        return [(replace(path, loops=_on(last, loops, -1)) if loops else path, more) for path, more, last in ends]


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
