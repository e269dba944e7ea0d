"""What can be said of a code object from its bytecode: which values it compares by `is`, and which names it computes.

The stack is simulated symbolically, instruction by instruction, along every edge of the control flow, exception
handlers included: its height is CPython's own `dis.stack_effect`, and an item is known where it was pushed by a load
whose variable was not assigned since. An instruction that is not known here makes what it touches unknown.
"""

from __future__ import annotations

import dis
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

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
from dpcert.mechanisms.states.names import GETTERS, SETTERS

# What is on the stack: ("fast", name), ("deref", name), ("global", name), ("const", value), ("attr", item, name),
# ("null",), ("self",) beside a method, or ("?",) for what is not known.
Item = tuple[Any, ...]
VALUE: Item = ("?",)
ONE = "attrgetter", "methodcaller"
NULL: Item = ("null",)
SELF: Item = ("self",)


Asked = tuple[str, bool, int, Item]
"""A name that is looked up, whether only to call what it means, the place, and the item that it is an attribute of."""


@dataclass(slots=True)
class Analysis:
    """One code object: its tests of identity, and its calls of GETTERS and SETTERS with the name as a constant."""

    code: CodeType
    compared: list[tuple[Item, Item]] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)  # attributes and globals
    named: dict[str, int] = field(default_factory=dict)


def computed(analysis: Analysis, words: frozenset[str]) -> bool:
    """Whether a code object has one of some functions that take the name of an attribute, and not with a constant."""
    if not words.intersection(analysis.code.co_names):
        return False
    uses = [each.argval for each in dis.get_instructions(analysis.code) if each.opname.startswith("LOAD_")]
    return any(uses.count(word) > analysis.named.get(word, 0) for word in words)


def analyse(code: CodeType) -> Analysis:
    """Return what can be said of a code object; where its bytecode cannot be followed, its tests are of unknowns."""
    analysis = Analysis(code)
    flow = _Flow(analysis)
    try:
        flow.run()
    except (ValueError, IndexError, KeyError):
        analysis.named.clear()
        tests = sum(each.opname == "IS_OP" for each in flow.instructions)
        analysis.compared = [(VALUE, VALUE)] * tests
        analysis.asked = [(name, False, 0, VALUE) for name in code.co_names]
    return analysis


class _Flow:
    def __init__(self, analysis: Analysis) -> None:
        code = analysis.code
        self.analysis = analysis
        self.instructions = list(dis.get_instructions(code))
        self.place = {each.offset: i for i, each in enumerate(self.instructions)}
        self.handlers: list[tuple[int, int, int, int, bool]] = []
        for entry in vars(dis.Bytecode(code))["exception_entries"]:
            self.handlers.append((entry.start, entry.end, entry.target, entry.depth, entry.lasti))
        self.stacks: dict[int, tuple[Item, ...]] = {}

    def run(self) -> None:
        self._simulate()
        for i, stack in self.stacks.items():
            each = self.instructions[i]
            if each.opcode in dis.hasname and not each.opname.startswith(("STORE", "DELETE")):
                owner = stack[-1] if "ATTR" in each.opname or each.opname == "LOAD_METHOD" else ()
                self.analysis.asked.append((each.argval, self._is_called(i, stack), each.offset, owner))
            elif each.opname == "MATCH_CLASS":
                self.analysis.asked += [(name, False, each.offset, VALUE) for name in stack[-1][-1]]
            elif each.opname == "IS_OP":
                self.analysis.compared.append((stack[-2], stack[-1]))
            elif each.opname in CALLS:
                taken = stack[len(stack) - self._taken(each, stack) :]
                self._note_name([item for item in taken[:2] if item not in (NULL, SELF)], taken)

    def _is_called(self, i: int, stack: tuple[Item, ...]) -> bool:
        """Whether an attribute is asked for as what is called next: the place beside it is a method's, or empty."""
        each = self.instructions[i]
        if each.opname == "LOAD_METHOD" or (SPECIAL_ATTR and "ATTR" in each.opname and (each.arg or 0) & 1):
            return True
        if NULL_LAST:
            return self.instructions[i + 1].opname == "PUSH_NULL"
        return stack[-2:-1] == (NULL,)

    def _note_name(self, callee: list[Item], taken: tuple[Item, ...]) -> None:
        """Note a call that asks for an attribute, or assigns to one, of which the name is a constant."""
        word = callee[0][-1] if len(callee) == 1 and callee[0][0] in ("global", "attr") else None
        if word not in SETTERS | GETTERS or len(taken) < 3 + (word not in ONE):
            return
        name = taken[-1 if word in ("delattr", "__delattr__", "__getattribute__") else -2]
        if word in ("getattr", "hasattr", *ONE):
            name = taken[3 - (word in ONE)]
        if name[0] == "const" and type(name[1]) is str and (name[1].isidentifier() or word not in ONE):
            self.analysis.named[word] = self.analysis.named.get(word, 0) + 1
            if word in GETTERS:
                self.analysis.asked.append((name[1], word in ("hasattr", "methodcaller"), 0, VALUE))

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
                if len(stack) < depth:
                    raise ValueError
                self._join(target, (VALUE,) * (depth + 1 + lasti), pending)

    def _join(self, i: int, stack: tuple[Item, ...], pending: list[int]) -> None:
        if i not in self.stacks:
            self.stacks[i] = stack
            pending.append(i)
            return
        known = self.stacks[i]
        if len(known) != len(stack):
            raise ValueError
        both = tuple(a if _same(a, b) else VALUE for a, b in zip(known, stack, strict=True))
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
            case "RETURN_GENERATOR":  # the generator, which is thrown away
                return (*stack, VALUE)
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
        if takes is None:
            if len(stack) + effect < 0:
                raise ValueError
            return (VALUE,) * (len(stack) + effect)
        if takes > len(stack) or takes + effect < 0:
            raise ValueError
        return (*stack[: len(stack) - takes], *(VALUE,) * (takes + effect))

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


def _same(a: Item, b: Item) -> bool:
    """Whether two items are the same, 1 and True apart."""
    if a[0] == b[0] == "const":
        return a[1] is b[1]
    if a[0] == b[0] == "attr":
        return a[2] == b[2] and _same(a[1], b[1])
    return a[0] == b[0] and a[0] != "const" and a[0] != "attr" and a == b


def _mentions(item: Item, name: str) -> bool:
    return item == ("fast", name) or (item[0] == "attr" and _mentions(item[1], name))
