"""What the instructions of CPython take from the stack, what they push, and which variables they touch."""

from __future__ import annotations

import dis

NEVER_FALLS = frozenset(
    [
        "JUMP_FORWARD",
        "JUMP_BACKWARD",
        "JUMP_BACKWARD_NO_INTERRUPT",
        "JUMP_ABSOLUTE",
        "JUMP",
        "JUMP_NO_INTERRUPT",
        "RETURN_VALUE",
        "RETURN_CONST",
        "RAISE_VARARGS",
        "RERAISE",
    ]
)
CALLS = frozenset({"CALL", "CALL_KW", "CALL_FUNCTION_EX"})
NOTHING = frozenset(
    [
        "RESUME",
        "NOP",
        "CACHE",
        "PRECALL",
        "KW_NAMES",
        "EXTENDED_ARG",
        "MAKE_CELL",
        "COPY_FREE_VARS",
        "SETUP_ANNOTATIONS",
    ]
)
# How many items an instruction takes; what it pushes follows from its effect.
TAKES = {
    **dict.fromkeys(
        ["POP_TOP", "STORE_GLOBAL", "STORE_DEREF", "STORE_NAME", "RETURN_VALUE", "UNPACK_SEQUENCE", "LIST_APPEND"], 1
    ),
    **dict.fromkeys(
        ["LOAD_ATTR", "LOAD_METHOD", "GET_ITER", "GET_LEN", "TO_BOOL", "FORMAT_SIMPLE", "LIST_TO_TUPLE", "END_FOR"], 1
    ),
    **dict.fromkeys(
        ["UNARY_NOT", "UNARY_NEGATIVE", "UNARY_INVERT", "UNARY_POSITIVE", "CALL_INTRINSIC_1", "CONVERT_VALUE"], 1
    ),
    **dict.fromkeys(["LIST_EXTEND", "SET_UPDATE", "DICT_UPDATE", "DICT_MERGE", "SET_ADD", "DELETE_ATTR"], 1),
    **dict.fromkeys(
        ["BINARY_OP", "COMPARE_OP", "IS_OP", "CONTAINS_OP", "BINARY_SUBSCR", "STORE_ATTR", "DELETE_SUBSCR", "MAP_ADD"],
        2,
    ),
    **dict.fromkeys(["STORE_SUBSCR", "BINARY_SLICE"], 3),
    "STORE_SLICE": 4,
}
FAST_READS = frozenset(["LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_FAST_AND_CLEAR", "DELETE_FAST"])
FAST_WRITES = frozenset(["STORE_FAST", "DELETE_FAST", "LOAD_FAST_AND_CLEAR", "STORE_FAST_MAYBE_NULL"])
# Made of two, the names in the order of the argument; True stands for a write.
FAST_PAIRS = {
    "LOAD_FAST_LOAD_FAST": (False, False),
    "STORE_FAST_LOAD_FAST": (True, False),
    "STORE_FAST_STORE_FAST": (True, True),
}
NULL_LAST = "CALL_KW" in dis.opmap  # from 3.13 on, the callable comes first
SPECIAL_ATTR = "LOAD_METHOD" not in dis.opmap or dis.opmap["LOAD_METHOD"] > 255  # 3.12: LOAD_ATTR loads methods
SAFE_PUSHES = frozenset(
    [
        "FOR_ITER",
        "LOAD_NAME",
        "LOAD_CLOSURE",
        "LOAD_BUILD_CLASS",
        "LOAD_ASSERTION_ERROR",
        "MAKE_FUNCTION",
        "UNPACK_SEQUENCE",
        "JUMP_FORWARD",
        "JUMP_BACKWARD",
        "JUMP_BACKWARD_NO_INTERRUPT",
        "GET_LEN",
        "BUILD_TUPLE",
        "BUILD_LIST",
        "BUILD_SET",
        "BUILD_MAP",
        "BUILD_STRING",
    ]
)


def fast_uses(each: dis.Instruction) -> list[tuple[str, bool, bool]]:
    """Return the variables that an instruction touches in order: name, whether written, whether read."""
    if each.opname in FAST_PAIRS:
        names = each.argval
        return [(name, write, not write) for name, write in zip(names, FAST_PAIRS[each.opname], strict=True)]
    if each.opname in FAST_READS or each.opname in FAST_WRITES:
        return [(each.argval, each.opname in FAST_WRITES, each.opname in FAST_READS)]
    if "FAST" in each.opname:
        raise KeyError(each.opname)
    return []
