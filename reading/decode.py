"""CPython's bytecode of 3.11, 3.12 and 3.13 as one instruction set.

Bytecode needs no source, serves lambdas and functions made by `exec`, and takes the order of evaluation and `finally`
from CPython itself. An opcode that is not in the table is refused by name; one that is known and not followed decodes
to `refuse`, which refuses when it is executed.
"""

import dis
import sys
from collections.abc import Iterator
from types import CodeType
from typing import Any, NamedTuple

from dpcert.reading.errors import Refused, words

VERSION = sys.version_info[:2]


class Op(NamedTuple):
    """One instruction: its name in the machine's set, its argument, and the place that it may jump to."""

    name: str
    arg: Any = None
    target: int | None = None


class Handler(NamedTuple):
    """Where an exception at an instruction goes on, the height of the stack there, and if the place is pushed."""

    target: int
    depth: int
    lasti: bool


DROPPED = frozenset(words("NOP RESUME PRECALL EXTENDED_ARG COPY_FREE_VARS CACHE TO_BOOL END_FOR END_SEND"))
FOLLOWED = frozenset(
    words(
        """
        POP_TOP PUSH_NULL LOAD_FAST STORE_FAST DELETE_FAST LOAD_FAST_AND_CLEAR MAKE_CELL LOAD_CLOSURE LOAD_DEREF
        STORE_DEREF DELETE_DEREF LOAD_CLASSDEREF SWAP COPY UNARY_NOT BINARY_SUBSCR STORE_SUBSCR DELETE_SUBSCR
        RETURN_VALUE RETURN_GENERATOR YIELD_VALUE GET_ITER UNPACK_SEQUENCE UNPACK_EX LIST_APPEND SET_ADD MAP_ADD
        LIST_EXTEND SET_UPDATE DICT_UPDATE DICT_MERGE LIST_TO_TUPLE LOAD_BUILD_CLASS LOAD_ASSERTION_ERROR
        SETUP_ANNOTATIONS PUSH_EXC_INFO POP_EXCEPT CHECK_EXC_MATCH RERAISE RAISE_VARARGS BEFORE_WITH WITH_EXCEPT_START
        GET_LEN MATCH_SEQUENCE MATCH_MAPPING MATCH_KEYS MATCH_CLASS CALL_FUNCTION_EX SET_FUNCTION_ATTRIBUTE
        CLEANUP_THROW STORE_GLOBAL DELETE_GLOBAL LOAD_NAME STORE_NAME DELETE_NAME STORE_ATTR DELETE_ATTR LOAD_METHOD
        IMPORT_NAME IMPORT_FROM FORMAT_SIMPLE FORMAT_WITH_SPEC CONVERT_VALUE
        """
    )
)
LIKE = {"LOAD_FAST_CHECK": "load_fast", "GET_YIELD_FROM_ITER": "get_iter"}
BUILT = frozenset(words("BUILD_TUPLE BUILD_LIST BUILD_SET BUILD_MAP BUILD_CONST_KEY_MAP BUILD_STRING BUILD_SLICE"))
UNARY = {"UNARY_NEGATIVE": "neg", "UNARY_POSITIVE": "pos", "UNARY_INVERT": "invert"}
JUMPS = {
    "JUMP_FORWARD": ("jump", None),
    "JUMP_BACKWARD": ("jump", None),
    "JUMP_BACKWARD_NO_INTERRUPT": ("jump", "delegate"),
    "JUMP_IF_FALSE_OR_POP": ("jump_or_pop", False),
    "JUMP_IF_TRUE_OR_POP": ("jump_or_pop", True),
    "SEND": ("send", None),
    "FOR_ITER": ("for", None),
} | {
    f"POP_JUMP_{way}IF_{end}": rule
    for way in ("", "FORWARD_", "BACKWARD_")
    for end, rule in {
        "FALSE": ("jump_if", False),
        "TRUE": ("jump_if", True),
        "NONE": ("jump_none", True),
        "NOT_NONE": ("jump_none", False),
    }.items()
}
TWICE = {
    f"{first}_FAST_{second}_FAST": (f"{first.lower()}_fast", f"{second.lower()}_fast")
    for first, second in (("LOAD", "LOAD"), ("STORE", "STORE"), ("STORE", "LOAD"))
}
REFUSED = frozenset(
    words(
        "CHECK_EG_MATCH GET_AITER GET_ANEXT BEFORE_ASYNC_WITH END_ASYNC_FOR PRINT_EXPR IMPORT_STAR "
        "ASYNC_GEN_WRAP PREP_RERAISE_STAR GET_AWAITABLE LOAD_FROM_DICT_OR_GLOBALS CALL_INTRINSIC_2 "
        "INTERPRETER_EXIT LOAD_LOCALS"
    )
)
INTRINSICS = {3: Op("stop_to_error"), 5: Op("unary", "pos"), 6: Op("list_to_tuple")}
ARITHMETIC = words("add and floordiv lshift matmul mul mod or pow rshift sub truediv xor")


class Code:
    """A code object of CPython, decoded.

    `ops[i]` is an instruction, `lines[i]` its line and `handlers[i]` where its exceptions go; `slots` names the local
    variables, of which those from `free` on are cells that the function brings along; `live` are those that are read
    from an instruction on.
    """

    def __init__(self, host: CodeType) -> None:
        if host.co_flags & 0x380:
            raise Refused(f"{host.co_name} is async code, which is not followed; write a plain function")
        self.host, self.name = host, host.co_name
        self.ops: list[Op] = []
        self.lines: list[int | None] = []
        inner = [name for name in host.co_cellvars if name not in host.co_varnames]
        self.slots = (*host.co_varnames, *inner, *host.co_freevars)
        self.free = len(self.slots) - len(host.co_freevars)
        self.positional, self.keyword_only = host.co_argcount, host.co_kwonlyargcount
        self.star, self.keywords = bool(host.co_flags & 4), bool(host.co_flags & 8)
        self.handlers: list[Handler | None] = []
        self._decode()
        self.live = live_slots(self)
        self.unread = unread_argument(self)

    def _decode(self) -> None:
        instructions = list(dis.get_instructions(self.host))
        at: dict[int, int] = {}
        jumps: list[tuple[int, int]] = []
        reader = _Reader(self.host, instructions)
        for place, instruction in enumerate(instructions):
            at[instruction.offset] = len(self.ops)
            for op, offset in reader.read(place):
                if offset is not None:
                    jumps.append((len(self.ops), offset))
                self.ops.append(op)
                self.lines.append(instruction.positions.lineno if instruction.positions else None)
        for index, offset in jumps:
            self.ops[index] = self.ops[index]._replace(target=at[offset])
        self.handlers = [None] * len(self.ops)
        entries: Any = dis.Bytecode(self.host)
        for entry in entries.exception_entries:
            for index in range(at[entry.start], at.get(entry.end, len(self.ops))):
                self.handlers[index] = Handler(at[entry.target], entry.depth, entry.lasti)

    def guarded(self, place: int) -> bool:
        """Whether an exception at the instruction before `place` is handled by the program's own text."""
        handler = self.handlers[place - 1] if place else None
        return handler is not None and self.ops[handler.target].name != "stop_to_error"


class _Reader:
    """Reads one instruction of CPython at a time: what it is here, and the offset that it jumps to."""

    def __init__(self, host: CodeType, instructions: list[dis.Instruction]) -> None:
        self.host, self.instructions = host, instructions
        self.names: tuple[str, ...] = ()

    def read(self, place: int) -> Iterator[tuple[Op, int | None]]:
        each = self.instructions[place]
        name, arg = each.opname, each.arg or 0
        if name in DROPPED or (name == "LOAD_LOCALS" and self._follows(place, "LOAD_FROM_DICT_OR_DEREF")):
            return
        if name in JUMPS:
            yield Op(*JUMPS[name]), self._beyond(each.argval) if name == "FOR_ITER" else each.argval
        elif name == "KW_NAMES":
            self.names = self.host.co_consts[arg]
        elif name == "LOAD_CONST" and self._follows(place, "CALL_KW"):
            self.names = each.argval
        else:
            for op in self._simple(name, arg, each.argval, each.opcode in dis.hasname):
                yield op, None

    def _follows(self, place: int, name: str) -> bool:
        """Whether the next instruction has a name."""
        after = (each.opname for each in self.instructions[place + 1 :] if each.opname != "EXTENDED_ARG")
        return next(after, "") == name

    def _beyond(self, offset: int) -> int:
        """The offset behind END_FOR, and behind the POP_TOP after it in 3.13: the iterator is gone by then."""
        if VERSION == (3, 11):
            return offset
        place = next(i for i, each in enumerate(self.instructions) if each.offset == offset)
        return self.instructions[place + (1 if VERSION == (3, 12) else 2)].offset

    def _simple(self, name: str, arg: int, value: Any, named: bool) -> Iterator[Op]:
        if name in FOLLOWED or name in LIKE:
            yield Op(LIKE.get(name, name.lower()), value if named else arg)
        elif name in BUILT:
            yield Op("build", (name.removeprefix("BUILD_"), arg))
        elif name in UNARY:
            yield Op("unary", UNARY[name])
        elif name in TWICE:
            first, second = TWICE[name]
            yield Op(first, arg >> 4)
            yield Op(second, arg & 15)
        elif name in REFUSED:
            yield Op("refuse", name)
        else:
            yield from self._special(name, arg, value)

    def _special(self, name: str, arg: int, value: Any) -> Iterator[Op]:
        match name:
            case "LOAD_CONST":
                yield Op("load_const", value)
            case "RETURN_CONST":
                yield Op("load_const", value)
                yield Op("return_value", 0)
            case "LOAD_GLOBAL":
                yield Op("global", (value, arg & 1))
            case "LOAD_ATTR":
                yield Op("load_method" if VERSION > (3, 11) and arg & 1 else "attribute", value)
            case "LOAD_SUPER_ATTR":
                yield Op("super_attribute", (self.host.co_names[arg >> 2], arg & 1))
            case "LOAD_FROM_DICT_OR_DEREF":
                yield Op("load_classderef", arg)
            case "BINARY_OP":
                yield Op("binary", (ARITHMETIC[arg % 13], arg >= 13))
            case "COMPARE_OP":
                yield Op("compare", value.removeprefix("bool(").removesuffix(")"))
            case "IS_OP":
                yield Op("is", bool(arg))
            case "CONTAINS_OP":
                yield Op("contains", bool(arg))
            case "CALL" | "CALL_KW":
                yield Op("call", (arg, self.names))
                self.names = ()
            case "BINARY_SLICE" | "STORE_SLICE":
                yield Op("build", ("SLICE", 2))
                yield Op(name.replace("SLICE", "SUBSCR").lower(), 0)
            case "MAKE_FUNCTION":
                yield Op("make_function", arg if VERSION < (3, 13) else 0)
            case "CALL_INTRINSIC_1":
                yield INTRINSICS.get(arg, Op("refuse", f"CALL_INTRINSIC_1 {arg}"))
            case _:
                yield from self._format(name, arg)

    def _format(self, name: str, arg: int) -> Iterator[Op]:
        """Conversions and formats: a conversion stands below the text of the format, where there is one."""
        match name:
            case "FORMAT_VALUE":
                around = [Op("swap", 2)] if arg & 3 and arg & 4 else []
                yield from [*around, *([Op("convert_value", arg & 3)] if arg & 3 else []), *around]
                yield Op("format_with_spec" if arg & 4 else "format_simple", 0)
            case _:
                raise Refused(f"the opcode {name} is not known; use Python 3.11, 3.12 or 3.13")


# -- which local variables may still be read: only these are part of a state. A variable is read by the instructions
# that name it, and by two that do not: `super()` reads the first variable and `__class__`, and a frame that waits for a
# call may go on at a handler, or behind a loop.

READS = frozenset(words("load_fast delete_fast load_fast_and_clear make_cell load_closure"))
READS |= frozenset(words("load_deref store_deref delete_deref load_classderef"))
ENDS = frozenset(["return_value", "raise_varargs", "reraise", "jump"])


def _next(code: Code, index: int, op: Op) -> list[int]:
    """The instructions that may come after one."""
    found = [] if op.name in ENDS or index + 1 == len(code.ops) else [index + 1]
    handler = code.handlers[index]
    return [*found, *([] if op.target is None else [op.target]), *([handler.target] if handler else [])]


def _before(op: Op, after: frozenset[int]) -> frozenset[int]:
    if op.name == "store_fast":
        return after - {op.arg}
    return after | {op.arg} if op.name in READS else after


def live_slots(code: Code) -> list[tuple[int, ...]]:
    """Return, for each instruction, the slots that are read at it or later, or at the handler of the one before.

    Claims: a slot that is not listed is written before it is read, on every way from the instruction on.
    """
    above = {0, code.slots.index("__class__")} if "__class__" in code.host.co_freevars else ()  # what super() reads
    always, count = frozenset(above), len(code.ops)
    live = [always] * count
    changed = True
    while changed:  # from the end to the beginning, and again while a jump back adds something
        changed = False
        for index in range(count - 1, -1, -1):
            op, handler = code.ops[index], code.handlers[index]
            found = _before(op, always.union(*(live[place] for place in _next(code, index, op))))
            found |= live[handler.target] if handler else always
            changed |= found != live[index]
            live[index] = found
    waiting = [always, *(always.union(*(live[each] for each in _later(code, index))) for index in range(count))]
    return [tuple(sorted(here | there)) for here, there in zip(live, waiting, strict=False)]


def _later(code: Code, index: int) -> list[int]:
    """Where a frame that waits for the call of an instruction may go on, other than at the next one."""
    handler, target = code.handlers[index], code.ops[index].target
    return [*([handler.target] if handler else []), *([] if target is None else [target])]


def unread(code: Code, place: int) -> bool:
    """Whether a `for` at a place, or behind what begins a comprehension, stores its items where nobody reads them."""
    ops = code.ops
    while ops[place].name in ("load_fast_and_clear", "swap") or (ops[place].name == "build" and ops[place].arg[1] == 0):
        place += 1
    if [op.name for op in ops[place : place + 2]] != ["for", "store_fast"]:
        return False
    return ops[place + 1].arg not in code.live[place + 2]


def unread_argument(code: Code) -> bool:
    """Whether a comprehension or generator expression is handed an iterator whose items nobody reads."""
    uses = [place for place, op in enumerate(code.ops) if op.name in READS and op.arg == 0]
    return code.slots[:1] == (".0",) and len(uses) == 1 and unread(code, uses[0] + 1)
