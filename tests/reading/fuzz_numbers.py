"""Random programs of one expression of undecided numbers, of Python and of numpy, whose draws are few."""

from __future__ import annotations

import builtins
import random
from types import FunctionType, ModuleType
from typing import Any

TEXT = """
import math, numpy as np
from decimal import Decimal
from fractions import Fraction
def program(n, coins):
    u, w = coins.below({most}){shift}, coins.below(7) / {unit}
    try:
        v = {value}
        return ('y' if v else 'n'), type(v).__name__, v {sign} {other}, {other} {sign} v, int(v * 3)
    except Exception as e:
        return type(e).__name__, str(e)
"""
DRAWN = (
    *("u", "u", "u", "w", "w", "coins.below(3)", "np.int64(u)", "np.float64(w)", "np.int8(u)", "np.uint8(u)"),
    *("np.float32(w)", "float(u)", "(u < 5)", "np.bool_(u < 5)"),
)
KNOWN = (
    *("0", "1", "2", "-1", "7", "0.5", "-0.5", "0.1", "-0.0", "1e-320", "True", "Fraction(-5, 2)", "Decimal(2)", "1j"),
    *("np.int8(100)", "np.float64(0.3)", "np.float32(0.1)", "np.bool_(True)", "np.uint64(2)", "2**53 + 1"),
    "float('inf')",
)
SIGNS = ("+", "-", "*", "/", "//", "%", "&", "|", "^", "<<", ">>")
FUNCTIONS = (
    *("abs({})", "-({})", "~({})", "(not {})", "int({})", "float({})", "bool({})", "round({})", "round({}, 1)"),
    *("math.floor({})", "math.ceil({})", "math.trunc({})", "math.fabs({})", "math.sqrt(abs({}))", "math.gcd({}, 6)"),
    *("math.copysign(1, {})", "math.copysign({}, -1)", "math.fmod({}, 3)", "math.log2(abs({}) + 1)", "math.exp({})"),
    *("min({}, 3)", "max({}, 1.5)", "divmod({}, 3)[1]", "sum([{}, 1])", "pow({}, 2)", "pow({}, 3, 5)", "Fraction({})"),
    *("({}).real", "({}).numerator", "({}).bit_length()", "({}).is_integer()", "({}).conjugate()", "({}).item()"),
    *("np.float16({})", "np.int16({})", "np.abs({})", "np.sqrt(abs({}))", "np.exp(-abs({}))", "np.floor({})"),
    *("np.rint({})", "np.trunc({})", "np.sign({})", "np.round({}, 1)", "np.minimum({}, 2)", "np.clip({}, 0, 2)"),
    *("np.where({}, 1, 2)", "np.logical_not({})", "np.square({})", "np.power({}, 2)", "np.add({}, 1)"),
)


def _value(chance: random.Random, depth: int) -> str:
    if depth == 0:
        return chance.choice(DRAWN if chance.random() < 0.7 else KNOWN)
    inner = _value(chance, depth - 1)
    if chance.random() < 0.5:
        return f"({inner} {chance.choice(SIGNS)} {_value(chance, chance.randrange(depth))})"
    return chance.choice(FUNCTIONS).format(inner)


def program(chance: random.Random) -> tuple[str, Any]:
    """The text of a program, and the program."""
    text = TEXT.format(
        most=chance.choice((2, 3, 6, 9, 17, 40)),
        shift=chance.choice(("", " - 3", " * 2", " + 1")),
        unit=chance.choice((2, 3, 7, 8)),
        value=_value(chance, chance.randrange(1, 4)),
        sign=chance.choice(("<", "<=", "==", "!=", ">", ">=")),
        other=chance.choice(KNOWN),
    )
    module = ModuleType("fuzz_numbers")
    vars(module)["__builtins__"] = builtins  # which numpy asks for where it warns
    FunctionType(compile(text, "<fuzz>", "exec", dont_inherit=True), vars(module))()
    return text, vars(module)["program"]
