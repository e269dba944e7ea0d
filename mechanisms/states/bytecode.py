"""What a frame holds at a call, decided from its bytecode: the values below the call, and the variables that live.

The stack is simulated symbolically, instruction by instruction, along every edge of the control flow, exception
handlers included: its height is CPython's own `dis.stack_effect`, and an item is known where it was pushed by a load
whose variable was not assigned since. Liveness is the usual backward flow. An instruction that is not known here
makes what it touches unknown, which refuses a capture and never allows one.
"""

from __future__ import annotations

import dis
import inspect
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.instructions import (
    CALLS,
    FAST_PAIRS,
    FAST_READS,
    FAST_WRITES,
    NEVER_FALLS,
    NOTHING,
    NULL_LAST,
    SAFE_PUSHES,
    SPECIAL_ATTR,
    TAKES,
    fast_uses,
)
from dpcert.mechanisms.states.names import GETTERS, SETTERS, nested

# What is on the stack: ("fast", name), ("deref", name), ("global", name), ("const", value), ("attr", item, name),
# ("null",), ("self",) beside a method, or ("?", words) for what is not known.
Item = tuple[Any, ...]
VALUE: Item = ("?", "a value computed before the call is on the stack")
ITERATOR: Item = ("?", "the iterator of a for loop is on the stack")
EXIT: Item = ("?", "the exit of a with block is on the stack")
HANDLED: Item = ("?", "an exception is being handled")
NULL: Item = ("null",)
SELF: Item = ("self",)

NO_FUNCTION = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR | inspect.CO_ITERABLE_COROUTINE
FUNCTION = inspect.CO_OPTIMIZED | inspect.CO_NEWLOCALS


@dataclass(frozen=True, slots=True)
class Site:
    """A call: what is called, what lies below it on the stack, and the variables that are read after it."""

    callee: Item
    below: tuple[Item, ...]
    live: frozenset[str]


@dataclass(slots=True)
class Analysis:
    """One code object: its calls by offset, its tests of identity, and why none of its frames can be captured."""

    code: CodeType
    starts: list[int] = field(default_factory=list)
    sites: dict[int, Site] = field(default_factory=dict)
    compared: list[tuple[Item, Item]] = field(default_factory=list)
    fault: str | None = None
    named: dict[str, int] = field(default_factory=dict)  # calls of GETTERS and SETTERS with the name as a constant
    loops: bool = False
    assigns: bool = False  # to an argument

    def start(self, offset: int) -> int:
        """Return the offset of the instruction that an offset is in, with its cache."""
        return self.starts[bisect_right(self.starts, offset) - 1]

    def site(self, offset: int) -> Site:
        """Return the call at an offset, or at the instruction whose cache it is in.

        Raises: NotRead where there is none, or the code cannot be captured anywhere.
        """
        if self.fault is not None:
            raise NotRead(self.fault)
        place = self.start(offset)
        if place not in self.sites:
            raise NotRead("an operator, an attribute or an import runs code of its own")
        return self.sites[place]


def computed(analysis: Analysis, words: frozenset[str]) -> bool:
    """Whether a code object has one of some functions that take the name of an attribute, and not with a constant."""
    if not words.intersection(analysis.code.co_names):
        return False
    uses = [each.argval for each in dis.get_instructions(analysis.code) if each.opname.startswith("LOAD_")]
    return any(uses.count(word) > analysis.named.get(word, 0) for word in words)


def analyse(code: CodeType) -> Analysis:
    """Return what can be said of the calls of a code object; what cannot is a `fault`, never an exception."""
    analysis = Analysis(code)
    if code.co_flags & NO_FUNCTION:
        analysis.fault = "a generator or a coroutine is suspended"
    elif code.co_flags & FUNCTION != FUNCTION:
        analysis.fault = "it is the body of a module or of a class"
    else:
        _Flow(analysis).run()
    return analysis


class _Flow:
    def __init__(self, analysis: Analysis) -> None:
        code = analysis.code
        self.analysis = analysis
        self.code = code
        self.instructions = list(dis.get_instructions(code))
        self.place = {each.offset: i for i, each in enumerate(self.instructions)}
        self.handlers: list[tuple[int, int, int, int, bool]] = []
        for entry in vars(dis.Bytecode(code))["exception_entries"]:
            self.handlers.append((entry.start, entry.end, entry.target, entry.depth, entry.lasti))
        self.stacks: dict[int, tuple[Item, ...]] = {}

    def run(self) -> None:
        analysis = self.analysis
        analysis.starts = [each.offset for each in self.instructions]
        analysis.loops = any(target <= i for i in range(len(self.instructions)) for target, _ in self._targets(i))
        analysis.assigns = self._assigns()
        try:
            self._simulate()
        except (ValueError, IndexError, KeyError):
            analysis.fault = "its bytecode could not be followed"
            return
        analysis.fault = self._shared_variable()
        live = self._live()
        for i, stack in self.stacks.items():
            each = self.instructions[i]
            if each.opname == "IS_OP":
                analysis.compared.append((stack[-2], stack[-1]))
            elif each.opname in CALLS:
                taken = self._taken(each, stack)
                callee = [item for item in stack[-taken:][:2] if item not in (NULL, SELF)]
                self._note_name(callee, stack[len(stack) - taken :])
                analysis.sites[each.offset] = Site(
                    callee[0] if len(callee) == 1 else VALUE, stack[: len(stack) - taken], live[i]
                )

    def _note_name(self, callee: list[Item], taken: tuple[Item, ...]) -> None:
        """Note a call that asks for an attribute, or assigns to one, of which the name is a constant."""
        word = callee[0][-1] if len(callee) == 1 and callee[0][0] in ("global", "attr") else None
        if word not in SETTERS | GETTERS or len(taken) < 4:
            return
        name = taken[-1 if word in ("delattr", "__delattr__", "__getattribute__") else -2]
        if word in ("getattr", "hasattr"):
            name = taken[3]
        if name[0] == "const" and type(name[1]) is str:
            self.analysis.named[word] = self.analysis.named.get(word, 0) + 1

    # -- the stack

    def _targets(self, i: int) -> Iterator[tuple[int, bool]]:
        each = self.instructions[i]
        if each.opname not in NEVER_FALLS:
            yield i + 1, False
        if each.opcode in dis.hasjrel or each.opcode in dis.hasjabs:
            yield self.place[each.argval], True

    def _caught(self, offset: int) -> tuple[int, int, bool] | None:
        for start, end, target, depth, lasti in self.handlers:
            if start <= offset < end:
                return self.place[target], depth, lasti
        return None

    def _simulate(self) -> None:
        pending = [0]
        self.stacks[0] = ()
        while pending:
            i = pending.pop()
            stack = self.stacks[i]
            for target, jump in self._targets(i):
                self._join(target, self._step(i, stack, jump), pending)
            caught = self._caught(self.instructions[i].offset)
            if caught is not None:
                target, depth, lasti = caught
                kept = tuple(item if item[0] == "?" else VALUE for item in stack[:depth])
                if len(kept) != depth:
                    raise ValueError
                self._join(target, (*kept, *(HANDLED,) * (1 + lasti)), pending)

    def _join(self, i: int, stack: tuple[Item, ...], pending: list[int]) -> None:
        if i not in self.stacks:
            self.stacks[i] = stack
            pending.append(i)
            return
        known = self.stacks[i]
        if len(known) != len(stack):
            raise ValueError
        both = tuple(
            a if _same(a, b) else next((x for x in (a, b) if x[0] == "?"), VALUE)
            for a, b in zip(known, stack, strict=True)
        )
        if not all(map(_same, both, known)):
            self.stacks[i] = both
            pending.append(i)

    def _taken(self, each: dis.Instruction, stack: tuple[Item, ...]) -> int:
        argument = each.arg or 0
        taken = {"CALL": argument + 2, "CALL_KW": argument + 3}.get(each.opname, 3 + (argument & 1))
        if taken > len(stack):
            raise ValueError
        return taken

    def _step(self, i: int, stack: tuple[Item, ...], jump: bool) -> tuple[Item, ...]:
        each = self.instructions[i]
        name, argument = each.opname, each.arg or 0
        if name in NOTHING:  # the arguments that PRECALL is said to take are taken by CALL
            return stack
        if name in CALLS:
            return (*stack[: -self._taken(each, stack)], VALUE)
        if name in FAST_READS or name in FAST_WRITES or name in FAST_PAIRS:
            return self._fast(each, stack)
        items: list[Item]
        match name:
            case "PUSH_NULL":
                return (*stack, NULL)
            case "LOAD_CONST":
                return (*stack, ("const", each.argval))
            case "LOAD_DEREF":
                return (*stack, ("deref", each.argval))
            case "LOAD_GLOBAL":
                items = [("global", each.argval)]
                if argument & 1:
                    items.insert(1 if NULL_LAST else 0, NULL)
                return (*stack, *items)
            case "LOAD_METHOD":
                return (*stack[:-1], ("attr", stack[-1], each.argval), SELF)
            case "LOAD_ATTR":
                method = SPECIAL_ATTR and argument & 1
                return (*stack[:-1], ("attr", stack[-1], each.argval), *((SELF,) if method else ()))
            case "COPY":
                return (*stack, stack[-argument])
            case "SWAP":
                items = list(stack)
                items[-argument], items[-1] = items[-1], items[-argument]
                return tuple(items)
        effect = dis.stack_effect(each.opcode, each.arg, jump=jump)
        takes = TAKES.get(name)
        if name.startswith("POP_JUMP"):
            takes = 1
        elif name in ("BUILD_TUPLE", "BUILD_LIST", "BUILD_SET", "BUILD_STRING", "BUILD_SLICE"):
            takes = argument
        elif name == "BUILD_MAP":
            takes = 2 * argument
        elif name == "BUILD_CONST_KEY_MAP":
            takes = argument + 1
        elif name in ("FOR_ITER", "JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT") or effect > 0:
            takes = takes or 0
            if name in ("BEFORE_WITH", "SEND", "UNPACK_EX") or (name not in SAFE_PUSHES and takes == 0):
                takes = None
        if takes is not None and takes + effect < 0:
            takes = -effect
        pushed = {"GET_ITER": ITERATOR, "BEFORE_WITH": EXIT}.get(name, VALUE)
        if takes is None:
            height = len(stack) + effect
            rest = [item if item[0] == "?" else VALUE for item in stack]
            if height < 0 or (name == "BEFORE_WITH" and not rest):
                raise ValueError
            if name == "BEFORE_WITH":
                rest[-1] = EXIT
            return tuple([*rest, *[pushed] * effect][:height])
        if takes > len(stack) or takes + effect < 0:
            raise ValueError
        return (*stack[: len(stack) - takes], *(pushed,) * (takes + effect))

    def _fast(self, each: dis.Instruction, stack: tuple[Item, ...]) -> tuple[Item, ...]:
        for name, write, read in fast_uses(each):
            if write and each.opname not in ("DELETE_FAST", "LOAD_FAST_AND_CLEAR"):
                if not stack:
                    raise ValueError
                stack = stack[:-1]
            if write:
                stack = tuple(VALUE if _mentions(item, name) else item for item in stack)
            if each.opname == "LOAD_FAST_AND_CLEAR":
                stack = (*stack, VALUE)
            elif read and each.opname != "DELETE_FAST":
                stack = (*stack, ("fast", name))
        return stack

    # -- variables

    def _live(self) -> list[frozenset[str]]:
        """Return for each instruction the variables that may be read after it before they are written."""
        before: list[frozenset[str]] = [frozenset()] * (len(self.instructions) + 1)
        after = list(before)
        changed = True
        while changed:
            changed = False
            for i in range(len(self.instructions) - 1, -1, -1):
                each = self.instructions[i]
                flows = [before[target] for target, _ in self._targets(i)]
                caught = self._caught(each.offset)
                handler = before[caught[0]] if caught is not None else frozenset()
                after[i] = frozenset().union(*flows) | handler
                now = after[i]
                for name, write, read in reversed(fast_uses(each)):
                    now = now - {name} if write else now
                    now = now | {name} if read else now
                now = now | handler
                if now != before[i]:
                    before[i] = now
                    changed = True
        return after

    def _assigns(self) -> bool:
        """Whether an argument may be assigned to, or deleted."""
        arguments = self.code.co_varnames[: _argument_count(self.code)]
        written = (each.argval for each in self.instructions if each.opname.startswith(("STORE_", "DELETE_")))
        return any(name in arguments for names in written for name in _texts(names))

    def _shared_variable(self) -> str | None:
        """Return why a variable that an inner function shares is not told by its value alone, or None."""
        code = self.code
        arguments = code.co_varnames[: _argument_count(code)]
        for name in code.co_cellvars:
            for inner in nested(code):
                for each in dis.get_instructions(inner) if inner is not code else ():
                    if each.opname in ("STORE_DEREF", "DELETE_DEREF") and each.argval == name:
                        return f"{name!r} is assigned in an inner function"
            stores = [
                i
                for i, each in enumerate(self.instructions)
                if each.opname in ("STORE_DEREF", "DELETE_DEREF") and each.argval == name
            ]
            if len(stores) + (name in arguments) > 1 or any(i in self._reached(i) for i in stores):
                return f"{name!r} is shared with an inner function and assigned more than once"
        return None

    def _reached(self, i: int) -> set[int]:
        """Return the instructions that may follow one."""
        found: set[int] = set()
        pending = [i]
        while pending:
            at = pending.pop()
            following = [target for target, _ in self._targets(at)]
            caught = self._caught(self.instructions[at].offset)
            if caught is not None:
                following.append(caught[0])
            for target in following:
                if target not in found:
                    found.add(target)
                    pending.append(target)
        return found


def _same(a: Item, b: Item) -> bool:
    """Whether two items are the same, 1 and True apart."""
    if a[0] == b[0] == "const":
        return a[1] is b[1]
    if a[0] == b[0] == "attr":
        return a[2] == b[2] and _same(a[1], b[1])
    return a[0] == b[0] and a[0] != "const" and a[0] != "attr" and a == b


def _mentions(item: Item, name: str) -> bool:
    return item == ("fast", name) or (item[0] == "attr" and _mentions(item[1], name))


def _texts(value: object) -> tuple[object, ...]:
    """Return the names that an instruction has: one, or several together."""
    return value if isinstance(value, tuple) else (value,)


def _argument_count(code: CodeType) -> int:
    stars = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return code.co_argcount + code.co_kwonlyargcount + stars
