"""Programs of one form, made of rows of texts, and a rare pattern of coins: what is hidden on a way shows only after
it, so that few runs see both.
"""

from __future__ import annotations

import bisect
import builtins
import collections
import copy
import functools
import heapq
import itertools
import math
import operator
import types
import typing
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Mapping
from decimal import Decimal
from dis import get_instructions
from fractions import Fraction
from textwrap import indent
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy
import pandas

from dpcert.mechanisms.exact.coins import Coins

NAMES: dict[str, Any] = {
    **{each.__name__: each for each in (bisect, collections, copy, functools, heapq, itertools, math)},
    **{each.__name__: each for each in (operator, types, typing)},
    **{each.__name__: each for each in (Counter, Decimal, Fraction, OrderedDict, SimpleNamespace, defaultdict, deque)},
}
"""What the texts may name besides what their module has."""
SHOWN = "{}\nreturn {} if rare(coins) else None"
"""What is done first, and what is shown."""
HIDDEN = "{}\n{}\nreturn {} if rare(coins) else None"
"""What is done first, what is hidden then, and what is shown."""
ASKED = "{}\nasks(coins)\nreturn {}"
RETURNED = "{}\nreturn {}"
LOOPED = "{}\n{}\nreturn {}"
TRIED = "{}\ntry:\n    {}\nexcept {}:\n    return {}"


def define(
    space: dict[str, Any], forms: Mapping[str, Mapping[str, tuple[Any, ...]]], given: str = "n, coins"
) -> list[Any]:
    """Define in a module a program for each row, and return all: its form, with the texts that the row begins with.

    Each is a function of what is `given`. Raises: KeyError for a name that stands for nothing.
    """
    made = []
    for form, rows in forms.items():
        for name, parts in rows.items():
            text = f"def {name}({given}):\n{indent(form.format(*parts), '    ')}"
            FunctionType(compile(text, f"{name} of {space['__name__']}", "exec"), space)()
            used = {each.argval for each in get_instructions(space[name]) if each.opname == "LOAD_GLOBAL"}
            space.update({each: NAMES[each] for each in used - space.keys() - vars(builtins).keys()})
            made.append(space[name])
    return made


def table(
    space: dict[str, Any], form: str, rows: Mapping[str, tuple[Any, ...]], given: str = "n, coins"
) -> dict[Any, Any]:
    """Define programs of one form; with what stands last in the row of each."""
    return dict(zip(define(space, {form: rows}, given), [parts[-1] for parts in rows.values()], strict=True))


def written(space: dict[str, Any], rows: Mapping[str, str], given: str) -> list[Any]:
    """Define in a module a program for each row, of which the whole body is one line."""
    return define(space, {"{}": {name: (text,) for name, text in rows.items()}}, given)


def rare(coins: Coins) -> bool:
    code = 0
    for _ in range(6):
        code = (code * 2 + coins.below(2)) % 64
    return code == 19


NAMES |= {"rare": rare, "np": numpy, "pd": pandas}
