"""Random programs of numpy: the machine's end of a way against numpy itself on the same numbers.

A program is made statement by statement; a statement that fails is mostly left out. Its undecided numbers are elements
of arrays and scalars of few values, so that all can be decided. Both ends must be one outcome: type, element type, shape,
order in memory, bytes, aliases as they show, and exceptions with their texts.
"""

from __future__ import annotations

import random
import sys
import time
import traceback
import warnings
from collections import Counter
from typing import Any

import numpy as np

from dpcert.mechanisms.exact.coins import Coins, Plain
from dpcert.mechanisms.exact.explore import call
from dpcert.mechanisms.exact.outcome import canonical, fresh, show
from dpcert.reading.errors import Refused
from dpcert.reading.explore import Explorer, Limits
from dpcert.reading.replay import pick

START = (
    "a, f, g, b, i, o, w = data",
    "x = np.array([(np.float64(c.below(9)) - 4) / 4 for _ in range(3)])",
    "y = np.array([[np.float64(c.below(5)) - 2, 1.5, np.float64(c.below(3)) / 8], [0.25, np.float64(c.below(4)), -1.0]])",
    "s = (np.float64(c.below(7)) - 3) / 2",
    "z = np.array([np.int64(c.below(4)) - 1, 2, np.int64(c.below(5))])",
    "t = np.int64(c.below(4))",
    "u = np.array([np.float32(c.below(3)), np.float32(0.5)])",
    "v = np.array([np.int8(c.below(5)) + np.int8(100), np.int8(3), np.int8(c.below(2))], dtype=np.int8)",
    "p = c.below(5)",
    "q = (c.below(6) - 2) / 4",
    "k = 2",
)
NAMES = {"a": 1, "f": 2, "g": 1, "b": 1, "i": 1, "o": 0, "w": 2, "x": 1, "y": 2, "s": 0, "z": 1, "t": 0, "u": 1, "v": 1}
FIRST = [*NAMES, *"xyzxyzsuv", "p", "q", "k"]


def data() -> tuple[Any, ...]:
    """The arrays that a program is handed."""
    return (
        np.array([1, 5, 2]),
        np.array([[1.5, -2.0, 0.25], [3.0, 0.5, -1.0]]),
        np.array([0.5, -1.5, 4.0], dtype=np.float32),
        np.array([True, False, True]),
        np.array([100, -3, 7], dtype=np.int8),
        np.float64(0.75),
        np.asfortranarray(np.arange(6.0).reshape(3, 2)),
    )


BINARY = ["+", "-", "*", "+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>"]
COMPARE = ["<", "<=", ">", ">=", "==", "!="]
UFUNCS = [
    "add",
    "subtract",
    "multiply",
    "maximum",
    "minimum",
    "true_divide",
    "greater",
    "less_equal",
    "logical_and",
    "logical_or",
    "floor_divide",
    "power",
    "hypot",
    "arctan2",
    "fmax",
    "copysign",
    "equal",
    "not_equal",
    "remainder",
    "float_power",
    "bitwise_and",
]
ONE = [
    "abs",
    "negative",
    "square",
    "floor",
    "ceil",
    "rint",
    "sign",
    "exp",
    "isnan",
    "isfinite",
    "logical_not",
    "round",
    "sqrt",
    "log1p",
    "trunc",
    "reciprocal",
    "positive",
    "invert",
    "signbit",
    "conj",
    "cbrt",
]
REDUCE = (
    "sum mean max min cumsum argmin argmax all any median ptp diff prod std var count_nonzero cumprod sort argsort "
    "nanmax nansum average quantile({}, 0.5) percentile({}, 25)"
)
METHODS = [
    "T",
    "ravel()",
    "copy()",
    "flatten()",
    "reshape(-1)",
    "reshape(3,-1)",
    "tolist()",
    "item()",
    "item(0)",
    "astype(int)",
    "astype(np.float32)",
    "astype(float)",
    "astype(bool)",
    "astype(np.int8)",
    "shape",
    "dtype",
    "ndim",
    "size",
    "reshape(1,-1)",
    "transpose()",
    "squeeze()",
    "repeat(2)",
    "round()",
    "clip(0,1)",
    "dot(a)",
    "nbytes",
    "strides",
    "take([0,1])",
    "take(0)",
    "swapaxes(0,-1)",
    "diagonal()",
    "nonzero()",
    "fill(1)",
    "sort()",
    "flatten('F')",
    "copy('F')",
    "ravel('F')",
    "reshape((3,-1),order='F')",
    "argsort()",
    "searchsorted(1)",
    "clip(max=1)",
    "clip(0,a)",
    "astype(float,copy=False)",
    "conj()",
    "trace()",
    "tobytes()",
    "compress([True,False,True])",
    "any()",
    "all()",
    "put(0,1)",
    "cumsum()",
]
INDICES = [
    "[0]",
    "[-1]",
    "[1:]",
    "[::-1]",
    "[:,1]",
    "[0,1]",
    "[[0,2]]",
    "[None]",
    "[...,None]",
    "[:2]",
    "[::2]",
    "[5]",
    "[...]",
    "[()]",
    "[1:,::-1]",
    "[[True,False,True]]",
    "[np.array([0,1])]",
    "[t]",
    "[-t]",
    "[b]",
    "[:,None]",
    "[:0]",
    "[[0,0]]",
    "[np.newaxis,:]",
]
PLACES = [
    "[0]",
    "[1:]",
    "[:]",
    "[::2]",
    "[...,0]",
    "[[0,2]]",
    "[-1]",
    "[...]",
    "[b]",
    "[[0,0]]",
    "[:,1]",
    "[5]",
    "[::-1]",
]
FUNCTIONS = [
    "clip({},0,1)",
    "clip({},None,1)",
    "clip({},0,None)",
    "sort({})",
    "flip({})",
    "roll({},1)",
    "tile({},2)",
    "repeat({},2)",
    "zeros_like({})",
    "ones_like({})",
    "asarray({})",
    "asfortranarray({})",
    "ascontiguousarray({})",
    "append({},1)",
    "expand_dims({},0)",
    "dot({},a)",
    "outer({},a)",
    "reshape({},(-1,))",
    "diag({})",
    "atleast_2d({})",
    "atleast_1d({})",
    "full(3,{})",
    "asarray({},dtype=np.float32)",
    "linalg.norm({})",
    "argsort({})",
    "tril({})",
    "triu({})",
    "insert({},1,5)",
    "delete({},0)",
    "average({})",
    "where({})",
    "shape({})",
    "ndim({})",
    "transpose({})",
    "swapaxes({},0,-1)",
    "split({},3)",
    "array_split({},2)",
    "array({})",
    "array({},copy=False)",
    "array({},ndmin=2)",
    "copy({})",
    "take({},1)",
    "take({},[0,1],axis=0)",
    "broadcast_to({},(2,3))",
    "unique({})",
    "nonzero({})",
    "isclose({},1)",
    "allclose({},{})",
    "array_equal({},{})",
    "cumsum({},axis=0)",
    "bincount({})",
    "searchsorted({},1)",
    "nan_to_num({})",
    "full_like({},{})",
    "empty_like({}).shape",
    "linspace(0,{},3)",
    "arange({})",
    "isin({},a)",
    "moveaxis({},0,-1)",
    "squeeze({})",
    "ravel({})",
    "flatnonzero({})",
    "digitize({},[0,1])",
    "linalg.norm({},axis=0)",
    "std({})",
    "maximum.reduce({})",
    "add.outer({},a)",
    "minimum.accumulate({})",
    "trace({})",
    "rot90({})",
    "fliplr({})",
    "argpartition({},0)",
    "result_type({})",
    "eye(2)",
    "column_stack([{},{}])",
    "select([{}>0],[{}])",
    "interp({},[0,1],[1,2])",
    "histogram({},bins=2)",
    "cov({})",
    "issubdtype({}.dtype,np.floating)",
]
BUILTINS = [
    "float",
    "int",
    "round",
    "abs",
    "bool",
    "len",
    "list",
    "np.float64",
    "np.float32",
    "np.int64",
    "type",
    "str",
    "tuple",
    "sum",
    "max",
    "min",
    "sorted",
    "math.floor",
    "math.exp",
    "repr",
    "enumerate",
    "any",
    "all",
    "reversed",
    "iter",
    "np.dtype",
]


class Maker:
    """Makes one program; `names` are the variables that an expression may use."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.lines = list(START)
        self.names = list(FIRST)
        self.space: dict[str, Any] = {"np": np, "math": __import__("math"), "data": data()}
        self.space["c"] = Coins(Plain(lambda bound: self.chance.randrange(bound)))
        for line in self.lines:
            self.run(line)

    def run(self, line: str) -> bool:
        """Run a statement; whether it went well."""
        try:
            exec(line, self.space)  # noqa
        except Exception:
            return False
        return True

    def name(self) -> str:
        return self.chance.choice(self.names)

    def operand(self) -> str:
        constants = (
            "2 0.5 -1 3 np.float32(2) np.int64(2) True 1.5 np.array([1,2,3]) [1,2,3] (0.5,1) np.int8(3) 300 None"
        )
        return self.name() if self.chance.random() < 0.7 else self.chance.choice(constants.split())

    def filled(self, text: str) -> str:
        while "{}" in text:
            text = text.replace("{}", self.name(), 1)
        return text

    def expression(self) -> str:
        pick, name, operand = self.chance.choice, self.name, self.operand
        kind = self.chance.randrange(22)
        if kind < 4:
            return f"{operand()} {pick(BINARY)} {operand()}"
        if kind < 6:
            return f"{name()} {pick(COMPARE)} {operand()}"
        if kind == 6:
            return f"np.{pick(UFUNCS)}({operand()}, {operand()})"
        if kind == 7:
            return f"np.{pick(ONE)}({name()})"
        if kind == 8:
            function = pick(REDUCE.replace("({}, ", "({},").split())
            if "(" in function:
                return f"np.{self.filled(function)}"
            return f"np.{function}({name()}{pick(['', '', ',axis=0', ',axis=1', ',0', ',axis=-1', ',axis=None'])})"
        if kind == 9:
            how = pick(["sum", "mean", "max", "min", "argmax", "any", "all", "prod", "cumsum", "std"])
            more = pick(["", "", "axis=0", "0", "axis=-1", "axis=1", "keepdims=True", "dtype=int", "None,float"])
            return f"{name()}.{how}({more})"
        if kind in (10, 11):
            return f"{name()}{pick(INDICES)}"
        if kind == 12:
            return f"{name()}[{name()} {pick(COMPARE)} {pick(['0', '1', '0.5'])}]"
        if kind in (13, 14):
            return f"{name()}.{pick(METHODS)}"
        if kind == 15:
            join = pick(
                ["concatenate", "stack", "vstack", "hstack", "array", "column_stack", "concatenate", "mean", "asarray"]
            )
            return f"np.{join}([{operand()}, {name()}])"
        if kind == 16:
            return f"np.where({name()} {pick(COMPARE)} {pick('01')}, {operand()}, {operand()})"
        if kind in (17, 18):
            return f"np.{self.filled(pick(FUNCTIONS))}"
        if kind == 19:
            return f"{pick(BUILTINS)}({name()})"
        if kind == 20:
            return pick([f"-{name()}", f"~{name()}", f"+{name()}", f"[{operand()}, {operand()}]", f"({name()}, k)"])
        return pick(
            [
                f"isinstance({name()}, {pick(['float', 'np.floating', 'np.ndarray', 'int', '(int, float)', 'np.generic'])})",
                f"[e * 2 for e in {name()}]",
                f"sum(e for e in {name()})",
                f"{operand()} in {name()}",
                f"[*{name()}]",
                f"dict(zip('abc', {name()}))",
                f"{name()} if {name()} {pick(COMPARE)} 1 else {name()}",
                f"np.zeros({pick(['3', '(2, 3)', '3, dtype=int', '3, dtype=np.float32', '3, int'])})",
                f"{name()}.{pick(['dtype', 'shape', 'ndim', 'real', 'size', 'itemsize', 'foo', 'T'])}",
                f"not {name()}",
                f"{name()} is None",
                f"f'{{{name()}}}'",
                f"len({name()}) + {name()}[0]",
            ]
        )

    def statement(self, number: int) -> tuple[str, str]:
        """A statement, and the variable that it sets."""
        kind = self.chance.random()
        pick = self.chance.choice
        if kind < 0.18:
            return f"{self.name()} {pick(['+', '-', '*', '/', '**', '//', '%', '&'])}= {self.operand()}", ""
        if kind < 0.32:
            return f"{self.name()}{pick(PLACES)} {pick(['=', '=', '+=', '*=', '-='])} {self.operand()}", ""
        if kind < 0.38:
            return f"{self.name()}[{self.name()} {pick(COMPARE)} {pick('01')}] {pick(['=', '+='])} {self.operand()}", ""
        if kind < 0.42:
            calls = (
                "np.add({},{},{})|np.put({},0,{})|np.copyto({},{})|np.fill_diagonal({},{})|np.multiply({},{},out={})|"
                "{}.sort()|{}.fill({})|np.sum({},axis=0,out={})|np.cumsum({},0,None,{})|np.clip({},0,1,{})|"
                "np.maximum({},{},out=({},))|np.place({},{},[1])|np.putmask({},b,{})|np.add.at({},[0,0],{})|"
                "for e in {}: e += {}|(m, *n) = {}|m, n, l = {}|np.exp({},{})|np.nan_to_num({},copy=False)"
            )
            return self.filled(pick(calls.split("|"))), ""
        variable = f"v{number}"
        return f"{variable} = {self.expression()}", variable

    def made(self) -> str:
        """The source of a program."""
        more = self.chance.randrange(2, 8)
        for number in range(60):
            if len(self.lines) >= len(START) + more:
                break
            line, variable = self.statement(number)
            good = self.run(line)
            if not good and self.chance.random() < 0.9:
                continue
            self.lines.append(line)
            if not good:
                break
            if variable:
                self.names += [variable] * 4
        ends = ", ".join(self.name() for _ in range(3))
        return "def program(data, c):\n    " + "\n    ".join([*self.lines, f"return {ends}"]) + "\n"


def tried(seed: int) -> tuple[str, str, str]:
    """The source of a program, what became of it, and why."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        source = Maker(seed).made()
        space: dict[str, Any] = {"np": np, "math": __import__("math"), "__name__": __name__}
        exec(compile(source, f"<numpy {seed}>", "exec"), space)  # noqa
        program = space["program"]
        try:
            way = pick(Explorer(program, data(), Limits()), random.Random(seed))
        except Refused as refused:
            return source, "fault" if "internal" in str(refused) else "refused", str(refused)
        assert way is not None
        bounds: list[int] = []

        def answer(bound: int) -> int:
            bounds.append(bound)
            return way.numbers[len(bounds) - 1]

        try:
            outcome, _ = call(lambda coins: fresh(program(data(), coins)), Coins(Plain(answer)))
        except Exception as error:
            return source, "no outcome", str(error)
    mine, numpys = canonical(way.outcome), canonical(outcome)
    if mine == numpys:
        return source, "same", ""
    return source, "WRONG", f"{show(way.outcome)}\n   | {show(outcome)}"


def main(first: int, count: int, most: int = 5) -> None:
    """Print what became of programs, and of the wrong ones their sources."""
    tally: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    began = time.process_time()
    for seed in range(first, first + count):
        try:
            source, verdict, words = tried(seed)
        except Exception:
            source, verdict, words = "", "harness", traceback.format_exc(limit=-3)
        tally[verdict] += 1
        if verdict not in ("same", "WRONG"):
            reasons[f"{verdict}: {words.split(' (line')[0][:120]}"] += 1
        if verdict in ("WRONG", "fault", "harness") and most > 0:
            most -= 1
            print(seed, verdict, words)
            print("\n".join(source.splitlines()[len(START) + 1 :]))
    print(dict(tally), f"{time.process_time() - began:.1f} s")
    for reason, times in reasons.most_common(40):
        print("  ", times, reason)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
