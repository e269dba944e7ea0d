"""Explorers whose keys leave something out: states that differ in that alone are one, and the first goes on for all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dpcert.reading import keys
from dpcert.reading.domains.rows import Column, Count, Log, Row, Turns
from dpcert.reading.explore import Explorer, Limits
from dpcert.reading.keys import SLOTS, Writer, encode
from dpcert.reading.known import Question
from dpcert.reading.values import Dict, Frame, Iter, Record, Set, Undecided, World

EMPTY = {(Frame, "place"): 0, (Iter, "count"): -1, (Frame, "stack"): (), (Dict, "items"): {}, (Set, "items"): {}}
OTHERS = (Frame, Undecided, World, Row, Log, Turns, Count, Column)  # told below, or records of ideal noise alone
OF_FRAMES = "after", "error", "generator", "names", "place", "locals", "stack", "space"
PARTS = {"REF": 1, "PIN": 1, "TUPLE": 1, "MARK": 1, "UNDECIDED": 2, "LIST": 1, "MAP": 1, "CODE": 1, "IMPORTED": 1}
PARTS |= {"FRACTION": 2, "DECIMAL": 3, "RANGE": 3, "NUMPY": 2, "DEFERRED": 3}
ROWS = keys.TUPLE, keys.LIST, keys.MAP  # of these, all parts count as one
FAULTS: dict[str, Any] = {
    # without the origin of what was imported, which stands beside each such record as well
    **{f"{kind.__name__}.{name}": (kind, name) for kind in SLOTS if kind not in OTHERS for name in SLOTS[kind][1:]},
    **{f"Frame.{name}": (Frame, name) for name in OF_FRAMES},
    **{f"{name} {place}": (getattr(keys, name), place) for name in PARTS for place in range(1, PARTS[name] + 1)},
    "tags of forms": (None, "forms"),
    "classes of records": (None, "records"),
    "types of numbers": (None, "numbers"),
}
"""What keys may leave out: a slot of the records of one class, a part of the forms of one kind, or all types."""
UNSEEN = {
    "Class.mro": "its bases determine the order of a class's bases",
    "Class.qualname": "its body determines it",
    "Super.cls": "its owner determines it",
    "Types.of": "the machine refuses calls of types with arguments",
    "Generator.name": "the machine refuses names of generators",
    "Generator.state": "its frame shows whether it has begun, and the frames which one runs",
    "Frame.generator": "the generators show which frame is whose",
    "Buffer.written": "that a key names memory of an array from before shows that the program wrote to it",
    "Series.shown": "it is asked only where a write is refused",
}
"""What no program shows, each with the reason."""


class Forgetful(Writer):
    """Tells a state but for one fault."""

    def __init__(self, state: Any, fault: tuple[Any, Any]) -> None:
        super().__init__(state)
        self.kind, self.part = fault

    def row(self, record: Record) -> Any:
        """The form of a record, with nothing in the slot."""
        if record.__class__ is not self.kind:
            tag, *rest = super().row(record)
            return None if self.part == "records" else tag, *rest
        kept = getattr(record, self.part)
        empty = [None] * len(kept) if self.part == "locals" else EMPTY.get((self.kind, self.part))
        setattr(record, self.part, empty)
        try:
            return super().row(record)
        finally:
            setattr(record, self.part, kept)

    def form(self, value: Any) -> Any:
        """The form of a value, with nothing in the part; of what has a row of parts, with none of them."""
        if self.part == "numbers" and value.__class__ in (bool, float) and value == value // 1:
            return super().form(int(value))
        found = super().form(value)
        if found.__class__ is not tuple or found[0] != (found[0] if self.part == "forms" else self.kind):
            return found
        if self.part == "forms":
            return None, *found[1:]
        return *found[: self.part], None, *([] if found[0] in ROWS else found[self.part + 1 :])


class Merging(Explorer):
    """Merges states that differ in one fault alone."""

    def __init__(self, program: Callable[..., Any], value: Any, fault: str) -> None:
        super().__init__(program, value, Limits(states=600))
        self.fault = FAULTS[fault]
        self.first: dict[Any, Question] = {}

    def question(self, m: Any, asked: Any = None, writer: Any = None) -> Question:
        found = super().question(m, asked, writer)
        if writer is not None:
            return found
        told, forgetful = encode(m, Forgetful(m, self.fault))
        name = told, asked and forgetful.numbers.get(id(asked.draw)), found.cuts
        return self.first.setdefault(name, found)
