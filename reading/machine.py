"""The machine runs from question to question, as a function of a state and of the refinement of its draws.

A state is the frames, the program's assignments to host objects, and all values that these reach. An instruction is
atomic: it first finds out all that it must know, for which it may ask, and then changes the state. An instruction that
asks has changed nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from os.path import basename
from typing import Any

import numpy

from dpcert.reading.border import error, name_of, note_context, throw, told_name
from dpcert.reading.border import thrown as thrown_by
from dpcert.reading.calls import resolved
from dpcert.reading.decode import VERSION, Code
from dpcert.reading.domains import coins as domain
from dpcert.reading.errors import Act, After, Ask, NotPlain, Raises, Refused, Thrown, wrap
from dpcert.reading.foreign import NO_TABLES, Tables
from dpcert.reading.imports import Importer, pure, written_in_python
from dpcert.reading.pins import Pins
from dpcert.reading.preludes import FILES, twin_of
from dpcert.reading.questions import worth_reading
from dpcert.reading.types_of import is_sub, type_of
from dpcert.reading.values import UNSET, Error, Frame, Generator, Instance, Ref, Value, Wrapped, changed
from dpcert.reading.whitelist import builtin_attribute

Do = Callable[[Any, Frame, Any], Any]
INSTRUCTIONS: dict[str, Do] = {}
DEEPEST, MOST_STEPS = 400, 3_000_000
NOTHING = Act("nothing")  # stands for a value that was used up


def instruction(*names: str) -> Callable[[Do], Do]:
    """Make a function the machine's rule for an instruction; it returns True where another frame is in progress."""

    def add(do: Do) -> Do:
        INSTRUCTIONS.update(dict.fromkeys(names, do))
        return do

    return add


def operation(name: str, count: int, compute: Callable[..., Value], *, keep: bool = False, drop: bool = False) -> None:
    """Make the rule of an instruction that replaces `count` operands by a value computed from its argument and them.

    With `keep` the operands stay below the value; with `drop` the value is dropped.
    """
    after: After = ("drop", None) if drop else None
    removed = 0 if keep else count

    def do(m: Any, f: Frame, arg: Any) -> Any:
        s = f.stack
        return m.give(f, removed, compute(m, arg, *s[len(s) - count :]), after)

    INSTRUCTIONS[name] = do


def link(host: Any) -> Any:
    """Decode a code object, with the rules of its instructions and the facts that `calls` needs."""
    return _linked(Ref(host))


@lru_cache(maxsize=2_000)
def _linked(ref: Ref) -> Any:
    code: Any = Code(ref.target)
    code.apart = worth_reading(code)
    code.returning = next((place for place, op in enumerate(code.ops) if op.name == "return_value"), None)
    code.run = [(INSTRUCTIONS[op.name], op.arg if op.target is None else (op.arg, op.target)) for op in code.ops]
    return code


class Pinned(Pins):
    """The pins of a law, and the facts that follow from the host's classes alone."""

    def __init__(self, program: Any, value: Any) -> None:
        super().__init__(program, value, link)
        self.python: dict[int, bool] = {}

    def is_python(self, cls: Any) -> bool:
        """Whether a class of the host was written in Python, so that its special methods can be run here."""
        if id(cls) not in self.python:
            self.python[id(cls)] = cls is not object and (written_in_python(cls) or pure(cls))
        return self.python[id(cls)]


class Machine:
    """One state, and the steps from it. `result` is the end of the program: None while it runs.

    `calls` may ask for the value of a call that is about to begin.
    """

    domain = domain
    prelude = staticmethod(twin_of)
    builtin_attribute = builtin_attribute
    merges = True  # whether draws of one law, on which nothing else depends, may be written as their count
    settles = True  # whether values that the program returns are decided
    tables: Tables = NO_TABLES  # their rules come first
    combines: Callable[..., Value] | None = None  # the result of an operator on two undecided numbers, or None
    compares: Callable[..., Value] | None = None  # the answer of a comparison of two, the call that finds it, or None

    def __init__(self, pins: Pinned) -> None:
        self.pins, self.heap = pins, Importer(pins)
        self.frames: list[Frame] = []
        self.over: dict[tuple[int, str], Value] = {}
        self.guarded: list[Generator] = []
        self.result: tuple[str, Value] | None = None
        self.steps = 0
        self.calls: Callable[[Machine], None] | None = None

    def run(self, most: int | None = None) -> None:
        """Run to the end or to a question; with `most`, at most so many instructions.

        Raises: Ask, with the state as it was before the instruction that asks; Refused, with the place;
            and the exceptions of `calls`.
        """
        with numpy.errstate(all="ignore"):  # a program sees none of numpy's warnings
            self.go(most)

    def go(self, most: int | None = None) -> None:
        """Run where numpy's warnings are ignored already."""
        while self.result is None and (most is None or self.steps < most):
            self._advance(most)

    def _advance(self, most: int | None) -> None:
        """Run until another frame is in progress."""
        frame = self.frames[-1]
        try:
            if frame.place == 0 and frame.code.apart and self.calls is not None:
                self.calls(self)
            self._run(frame, frame.code.run, most)
        except Thrown as thrown:
            self.unwind(thrown.error, thrown.again)
        except Raises as raised:
            self.unwind(thrown_by(raised.fault).error, again=False)
        except Ask:
            frame.place -= 1  # the instruction runs again, once the question is answered
            raise
        except Refused as refused:
            raise (refused if refused.place else Refused(refused.reason, self.where())) from None
        except NotPlain as unknown:
            reason = f"a {name_of(type_of(unknown.value))} reaches a function of the host; hand it plain values"
            raise Refused(reason, self.where()) from None
        except Exception as fault:
            large = isinstance(fault, (RecursionError, MemoryError, OverflowError))
            reason = "a value is too large, or nested too deep" if large else f"internal: {fault!r}"
            raise Refused(reason, self.where()) from fault

    def _run(self, frame: Frame, run: Any, most: int | None) -> None:
        limit = MOST_STEPS if most is None else most
        steps = self.steps
        try:
            while steps < limit:
                do, arg = run[frame.place]
                frame.place += 1
                steps += 1
                if do(self, frame, arg):
                    return
        finally:
            self.steps = steps
        if most is None:
            raise Refused("more than 3,000,000 instructions from one draw to the next")

    def where(self) -> str:
        """The line that is in progress, for messages."""
        for frame in reversed(self.frames):
            if (file := frame.code.host.co_filename) not in FILES:
                return f"line {frame.code.lines[max(frame.place - 1, 0)]} of {basename(file)}, in {frame.code.name}"
        return ""

    def defaults_of(self, function: Any) -> tuple[Value, ...] | None:
        """The default arguments of a function of the host, as the program left them."""
        number = self.pins.number(function)
        found = self.over.get((number, "__defaults__"), UNSET)
        if found is not UNSET:
            return None if found is None else tuple(found)
        stored = function.__defaults__
        if stored is None:
            return None
        return tuple([self.heap.take(part, number, "default", place) for place, part in enumerate(stored)])

    def in_prelude(self) -> bool:
        """Whether the prelude is in progress: it may look into its own iterators."""
        return self.frames[-1].code.host.co_filename in FILES

    def left(self) -> list[tuple[int, str]]:
        """All that the run changed of objects from before: the number of each, with an attribute's name or none."""
        return [*self.over, *((number, "") for number, each in self.heap.imports.items() if changed(each))]

    def draw(self, bound: int, kind: str) -> Value:
        """A new draw."""
        return self.domain.draw(bound, kind)

    def parts_of_property(self, owner: Any) -> tuple[Value, ...]:
        """The getter, setter and deleter of a property."""
        if isinstance(owner, Wrapped):
            return owner.parts
        number = self.pins.number(owner)
        names = ("fget", "fset", "fdel")
        return tuple([self.heap.take(getattr(owner, name), number, "attribute", name) for name in names])

    # -- the use of values

    def give(self, frame: Frame, count: int, result: Value, after: After = None) -> bool:
        """Replace `count` operands by a result, or perform the action that it is; True if this changes the frame."""
        if result.__class__ is Act:
            result = resolved(self, result)
        if count:
            del frame.stack[-count:]
        if result.__class__ is not Act and (after is None or after[0] == "drop"):
            if after is None:
                frame.stack.append(result)
            return False
        self.perform(result, after)
        return True

    def perform(self, act: Value, outer: After = None) -> None:
        """Do an action, or deliver a value."""
        act = resolved(self, act)
        if act.__class__ is not Act:
            self.deliver(outer, act)
            return
        after = wrap(act.after, outer)
        match act.kind:
            case "value":
                self.deliver(after, act.operands[0])
            case "enter":
                if len(self.frames) >= DEEPEST:
                    raise Refused(f"calls are nested more than {DEEPEST} deep")
                frame = act.operands[0]
                frame.after = after
                self.frames.append(frame)
            case "resume":
                generator, value = act.operands
                self.resume(generator, value, after)
            case "throw":
                generator, thrown = act.operands
                self.throw_into(generator, thrown, after)
            case _:
                raise Refused(f"internal: the action {act.kind} is not resolved")

    def deliver(self, after: After, value: Value) -> None:
        """Give a value to the frame in progress, as `after` says."""
        while after is not None:
            kind = after[0]
            if kind == "drop":
                return
            if kind == "instance" and value is not None:
                raise throw(TypeError, f"__init__() should return None, not '{told_name(value)}'")
            if kind == "instance":
                value = after[1]
            elif kind in DELIVER:
                value = DELIVER[kind](self, after, value)
                if value is NOTHING:
                    return
            after = after[-1]
        if self.frames:
            self.frames[-1].stack.append(value)
        else:
            self.result = ("value", value)

    # -- generators

    def resume(self, generator: Generator, value: Value, after: After) -> None:
        """Resume a generator, and send it a value."""
        if generator.state == "running":
            raise throw(ValueError, "generator already executing")
        if generator.state == "done":
            self.finish(after, None)
            return
        if len(self.frames) >= DEEPEST:
            raise Refused(f"generators are nested more than {DEEPEST} deep")
        frame = generator.frame
        frame.after, generator.state = after, "running"
        frame.stack.append(value)
        self.frames.append(frame)

    def suspend(self, frame: Frame, value: Value) -> None:
        """Leave a generator, which yields a value."""
        self.frames.pop()
        after, frame.after = frame.after, None
        generator = frame.generator
        generator.state = "suspended"
        if frame.code.guarded(frame.place) and not any(each is generator for each in self.guarded):
            self.guarded.append(generator)
        if after is not None and after[0] == "close":
            raise throw(RuntimeError, "generator ignored GeneratorExit")
        self.deliver(after, value)

    def finish(self, after: Any, value: Value) -> None:
        """End an iteration: a generator returned a value, or an iterator has no more."""
        kind = after[0] if after is not None else ""
        if kind in ("for", "send"):
            frame = self.frames[-1]
            frame.stack[-1:] = [value] if kind == "send" else []
            frame.place = after[1]
        elif kind == "next":
            if after[1] is UNSET:
                raise Thrown(error(StopIteration, *(() if value is None else (value,))))
            self.deliver(after[-1], after[1])
        elif kind == "close":
            self.deliver(after[-1], value if VERSION > (3, 12) else None)
        else:
            raise Refused(f"internal: an iteration ends as {kind!r}")

    def throw_into(self, generator: Generator, thrown: Error, after: After) -> None:
        """Throw an exception into a generator, at the place where it waits."""
        if generator.state == "running":
            raise throw(ValueError, "generator already executing")
        closing = after is not None and after[0] == "close"
        if generator.state in ("done", "new"):
            generator.state, generator.frame = "done", None
            if closing:
                self.finish(after, None)
                return
            if is_sub(thrown.cls, StopIteration):
                raise Refused("a StopIteration is thrown into a generator that does not wait")
            raise Thrown(thrown, again=True)
        frame = generator.frame
        inner = self._delegate(frame)
        if inner is not None and inner.state == "running":
            raise throw(ValueError, "generator already executing")
        frame.after, generator.state = after, "running"
        self.frames.append(frame)
        if inner is not None and frame.error is not None:
            raise Refused("an exception is thrown into a generator that handles one, within `yield from`")
        if inner is not None and not is_sub(thrown.cls, GeneratorExit):
            send = frame.code.ops[frame.place].target
            frame.place = send + 1
            self.throw_into(inner, thrown, ("send", frame.code.ops[send].target, None))
            return
        if inner is not None:
            if inner.state == "suspended" and inner.frame.code.guarded(inner.frame.place):
                raise Refused("a generator is closed within `yield from` of another that has a `finally`")
            inner.state, inner.frame = "done", None
        note_context(thrown, frame.error)
        raise Thrown(thrown, again=True)

    def _delegate(self, frame: Frame) -> Generator | None:
        """The generator from which a frame yields, if it waits in `yield from`."""
        ops = frame.code.ops
        if frame.place < len(ops) and ops[frame.place].name == "jump" and ops[frame.place].arg == "delegate":
            inner = frame.stack[-1]
            if isinstance(inner, Generator):
                return inner
            if isinstance(inner, Instance):
                raise Refused("an exception is thrown into an iterator of the program's own")
        return None

    def handled(self) -> Error | None:
        """The exception that is being handled, if any."""
        return next((frame.error for frame in reversed(self.frames) if frame.error is not None), None)

    def unwind(self, thrown: Error, again: bool) -> None:
        """Go on at the nearest handler of an exception, or end."""
        if not again:
            note_context(thrown, self.handled())
        while self.frames:
            frame = self.frames[-1]
            handler = frame.code.handlers[frame.place - 1]  # `place` is that of the next instruction already
            if handler is not None:
                del frame.stack[handler.depth :]
                frame.stack += [frame.place - 1] if handler.lasti else []
                frame.stack.append(thrown)
                frame.place = handler.target
                return
            self.frames.pop()
            found = self._leave(frame, thrown)
            if found is None:
                return
            thrown = found
        self.result = ("raised", thrown)

    def _leave(self, frame: Frame, thrown: Error) -> Error | None:
        """Take an exception out of a frame; None where the caller of the frame expects it."""
        after = frame.after
        stop = is_sub(thrown.cls, StopIteration)
        if frame.generator is not None:
            frame.generator.state, frame.generator.frame = "done", None
            if stop:
                changed = error(RuntimeError, "generator raised StopIteration")
                changed.cause = changed.context = thrown
                changed.suppress = True
                return changed
            closing = after is not None and after[0] == "close"
            if closing and is_sub(thrown.cls, GeneratorExit):
                self.finish(after, None)
                return None
            return thrown
        while after is not None:
            if (stop and after[0] in ("for", "send")) or (stop and after[0] == "next" and after[1] is not UNSET):
                self.finish(after, thrown.args[0] if thrown.args else None)
                return None
            missing = is_sub(thrown.cls, AttributeError)
            if missing and after[0] == "unsure" and not thrown.named:
                thrown.named = (("unsure", None),)  # CPython adds `name` and `obj`, unless it took a shorter way
            if missing and after[0] in CATCH:
                return CATCH[after[0]](self, after)
            after = after[-1]
        return thrown


DELIVER: dict[str, Callable[[Any, Any, Value], Value]] = {}
CATCH: dict[str, Callable[[Any, Any], Error | None]] = {}
