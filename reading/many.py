"""The reason in words why a program has many states: the variable in which most of them differ."""

from collections.abc import Iterator
from os.path import basename
from typing import Any

from dpcert.reading.decode import Code
from dpcert.reading.keys import thaw
from dpcert.reading.machine import Machine
from dpcert.reading.preludes import FILES
from dpcert.reading.values import SCALARS, Cell, Deque, Dict, Frame, Instance, List, Named, Set, Undecided, Value

SAMPLE = 100
DEEP = 6
Variable = tuple[Code, str]


def told(value: Value, deep: int = DEEP) -> Any:
    """A description of a value that distinguishes it in a sample, as data of the host."""
    kind = value.__class__
    if kind in SCALARS:
        return repr(value)
    if kind is Undecided:
        return repr(value.chain), value.draw.lo, value.draw.hi
    if not deep:
        return kind.__name__
    if isinstance(value, (List, Deque, Named, Cell)):
        return kind.__name__, *(told(part, deep - 1) for part in value.items)
    if kind is tuple:
        return kind.__name__, *(told(part, deep - 1) for part in value)
    if isinstance(value, Dict):
        return kind.__name__, *((told(key, deep - 1), told(part, deep - 1)) for key, part in value.items.values())
    if isinstance(value, Set):
        return kind.__name__, *sorted(str(told(part, deep - 1)) for part in value.items.values())
    return kind.__name__


def variables(m: Machine) -> Iterator[tuple[Variable, Value]]:
    """The live variables of the frames in progress, and the attributes of the instances that these hold."""
    for frame in m.frames:
        if frame.code.host.co_filename not in FILES:
            yield from _of_frame(frame)


def _of_frame(frame: Frame) -> Iterator[tuple[Variable, Value]]:
    for name, value in zip(frame.code.slots, frame.locals, strict=False):
        value = value.items[0] if type(value) is Cell and value.items else value
        own = type(value) is Instance
        parts = [(f"{name}.{part}", each) for part, each in value.items.items()] if own else [(name, value)]
        for words, each in parts:
            yield (frame.code, words), each
    code, place = frame.code, max(frame.place - 1, 0)
    loaded = [
        op.arg
        for at, op in enumerate(code.ops[:place])
        if op.name == "load_fast" and code.lines[at] == code.lines[place]
    ]
    for value in frame.stack if loaded else ():  # what was loaded from variables that may be needed no more
        yield (code, code.slots[loaded[0]]), value


def differing(explorer: Any) -> tuple[str, str]:
    """The variable in which most of some states differ, in words, and what to do about it."""
    found: dict[Variable, dict[Any, Any]] = {}
    questions = explorer.questions
    for question in questions[:: 1 + len(questions) // SAMPLE]:
        m = Machine(explorer.pins)
        thaw(m, question.key, {})
        for variable, value in variables(m):
            found.setdefault(variable, {})[told(value)] = value
    if not found:
        return "it has many states", "draw in a function that returns one number"
    best = max(reversed(found), key=lambda variable: len(found[variable]))  # of the innermost frame, if alike
    code, name = best
    values = found[best].values()
    sizes = {len(each.items) for each in values if isinstance(each, (List, Deque, Dict, Set))}
    grows = len(sizes) > 1
    remedy = "keep of it only what is read again" + (", such as a count" if grows else "")
    if any(type(each) is float for each in values):
        remedy = "add up integers, and make a float of the sum"
    where = f"{basename(code.host.co_filename)}:{_line(code, name)}, in {code.host.co_qualname}"
    return f"{where}: {name!r} {'grows' if grows else 'differs'}", remedy


def _line(code: Code, name: str) -> int:
    """The first line in a function's loops that uses a variable, or an attribute of one; else the function's own."""
    loops = [(op.target, place) for place, op in enumerate(code.ops) if op.target is not None and op.target < place]
    owner, _, attribute = name.rpartition(".")
    for place, op in enumerate(code.ops):
        uses = op.arg == attribute if owner else "fast" in op.name or "deref" in op.name
        if uses and (owner or code.slots[op.arg] == name) and any(a <= place <= b for a, b in loops):
            return code.lines[place] or code.host.co_firstlineno
    return code.host.co_firstlineno
