"""Random programs of numpy: the machine's end of a way against numpy itself on the same numbers.

A program is made statement by statement; a statement that fails is mostly left out. Its undecided numbers are elements
of arrays and scalars of few values, so that all can be decided. Both ends must be one outcome: type, element type,
shape, order in memory, bytes, aliases as they show, and exceptions with their texts.

    python tests/reading/numpy/fuzz_numpy.py FIRST COUNT
"""

from __future__ import annotations

import builtins
import math
import random
import sys
import time
import warnings
from code import InteractiveInterpreter
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from dpcert.mechanisms.exact.coins import Coins, Plain
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import call
from dpcert.mechanisms.exact.outcome import canonical, fresh, show
from dpcert.reading.errors import Refused, words
from dpcert.reading.explore import Explorer, Limits
from dpcert.reading.replay import pick

START = (
    "a, f, g, b, i, o, w = data",
    "x = np.array([(np.float64(c.below(9)) - 4) / 4 for _ in range(3)])",
    "y = np.array([[np.float64(c.below(5)) - 2, 1.5, c.below(3) / 8], [0.25, np.float64(c.below(4)), -1.0]])",
    "s = (np.float64(c.below(7)) - 3) / 2",
    "z = np.array([np.int64(c.below(4)) - 1, 2, np.int64(c.below(5))])",
    "t = np.int64(c.below(4))",
    "u = np.array([np.float32(c.below(3)), np.float32(0.5)])",
    "v = np.array([np.int8(c.below(5)) + np.int8(100), np.int8(3), np.int8(c.below(2))], dtype=np.int8)",
    "p = c.below(5)",
    "q = (c.below(6) - 2) / 4",
    "k = 2",
)
NAMES = words("a f g b i o w x x x y y y z z z s s u u v v t p q k")
CONSTANTS = words("2 0.5 -1 3 np.float32(2) np.int64(2) True 1.5 np.array([1,2,3]) [1,2,3] (0.5,1) np.int8(3) 300 None")
BINARY = words("+ - * + - * / // % ** @ & | ^ << >>")
COMPARED = words("< <= > >= == !=")
UFUNCS = words(
    "add subtract multiply maximum minimum true_divide greater less_equal logical_and logical_or floor_divide power "
    "hypot arctan2 fmax copysign equal not_equal remainder float_power bitwise_and"
)
ONE = words(
    "abs negative square floor ceil rint sign exp isnan isfinite logical_not round sqrt log1p trunc reciprocal "
    "positive invert signbit conj cbrt"
)
FOLDS = words(
    "sum mean max min cumsum argmin argmax all any median ptp diff prod std var count_nonzero cumprod sort argsort "
    "nanmax nansum average"
)
AXES = ("", "", ",axis=0", ",axis=1", ",0", ",axis=-1", ",axis=None")
OF_FOLDS = ("", "", "axis=0", "0", "axis=-1", "axis=1", "keepdims=True", "dtype=int", "None,float")
METHODS = words(
    "T ravel() copy() flatten() reshape(-1) reshape(3,-1) tolist() item() item(0) astype(int) astype(np.float32) "
    "astype(float) astype(bool) astype(np.int8) shape dtype ndim size reshape(1,-1) transpose() squeeze() repeat(2) "
    "round() clip(0,1) dot(a) nbytes strides take([0,1]) take(0) swapaxes(0,-1) diagonal() nonzero() fill(1) sort() "
    "flatten('F') copy('F') ravel('F') reshape((3,-1),order='F') argsort() searchsorted(1) clip(max=1) clip(0,a) "
    "astype(float,copy=False) conj() trace() tobytes() compress([True,False,True]) any() all() put(0,1) cumsum()"
)
INDICES = words(
    "[0] [-1] [1:] [::-1] [:,1] [0,1] [[0,2]] [None] [...,None] [:2] [::2] [5] [...] [()] [1:,::-1] "
    "[[True,False,True]] [np.array([0,1])] [t] [-t] [b] [:,None] [:0] [[0,0]] [np.newaxis,:]"
)
PLACES = words("[0] [1:] [:] [::2] [...,0] [[0,2]] [-1] [...] [b] [[0,0]] [:,1] [5] [::-1]")
FUNCTIONS = words(
    "clip({},0,1) clip({},None,1) clip({},0,None) sort({}) flip({}) roll({},1) tile({},2) repeat({},2) zeros_like({}) "
    "ones_like({}) asarray({}) asfortranarray({}) ascontiguousarray({}) append({},1) expand_dims({},0) dot({},a) "
    "outer({},a) reshape({},(-1,)) diag({}) atleast_2d({}) atleast_1d({}) full(3,{}) asarray({},dtype=np.float32) "
    "linalg.norm({}) argsort({}) tril({}) triu({}) insert({},1,5) delete({},0) average({}) where({}) shape({}) "
    "ndim({}) transpose({}) swapaxes({},0,-1) split({},3) array_split({},2) array({}) array({},copy=False) "
    "array({},ndmin=2) copy({}) take({},1) take({},[0,1],axis=0) broadcast_to({},(2,3)) unique({}) nonzero({}) "
    "isclose({},1) allclose({},{}) array_equal({},{}) cumsum({},axis=0) bincount({}) searchsorted({},1) nan_to_num({}) "
    "full_like({},{}) empty_like({}).shape linspace(0,{},3) arange({}) isin({},a) moveaxis({},0,-1) squeeze({}) "
    "ravel({}) flatnonzero({}) digitize({},[0,1]) linalg.norm({},axis=0) std({}) maximum.reduce({}) add.outer({},a) "
    "minimum.accumulate({}) trace({}) rot90({}) fliplr({}) argpartition({},0) result_type({}) eye(2) "
    "column_stack([{},{}]) select([{}>0],[{}]) interp({},[0,1],[1,2]) histogram({},bins=2) cov({}) quantile({},0.5) "
    "percentile({},25) issubdtype({}.dtype,np.floating)"
)
BUILT_IN = words(
    "float int round abs bool len list np.float64 np.float32 np.int64 type str tuple sum max min sorted math.floor "
    "math.exp repr enumerate any all reversed iter np.dtype"
)
JOINS = words("concatenate stack vstack hstack array column_stack concatenate mean asarray")
CLASSES = ("float", "np.floating", "np.ndarray", "int", "(int, float)", "np.generic")
OTHERS = (
    *("-{}", "~{}", "+{}", "({}, k)", "[e * 2 for e in {}]", "sum(e for e in {})", "{} in {}", "[*{}]", "not {}"),
    *(
        "dict(zip('abc', {}))",
        "{} if {} < 1 else {}",
        "{} is None",
        "f'{{{}}}'",
        "len({}) + {}[0]",
        "{}.foo",
        "{}.real",
    ),
    *("np.zeros(3)", "np.zeros((2, 3))", "np.zeros(3, dtype=int)", "np.zeros(3, np.float32)", "{}.itemsize", "{}.real"),
)
EFFECTS = (
    *("np.add({},{},{})", "np.put({},0,{})", "np.copyto({},{})", "np.fill_diagonal({},{})", "{}.sort()", "{}.fill({})"),
    *("np.multiply({},{},out={})", "np.sum({},axis=0,out={})", "np.cumsum({},0,None,{})", "np.clip({},0,1,{})"),
    *("np.maximum({},{},out=({},))", "np.place({},{},[1])", "np.putmask({},b,{})", "np.add.at({},[0,0],{})"),
    *("for e in {}: e += {}", "(m, *n) = {}", "m, n, l = {}", "np.exp({},{})", "np.nan_to_num({},copy=False)"),
)


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


class Runner(InteractiveInterpreter):
    """Runs statements in a namespace, and notes whether one failed."""

    failed = False

    def showtraceback(self) -> None:
        """Say nothing."""
        self.failed = True


def executed(text: str, space: dict[str, Any]) -> bool:
    """Run statements in a namespace; whether they went well."""
    runner = Runner(space)
    runner.runcode(compile(text, "<numpy>", "exec"))
    return not runner.failed


class Maker:
    """Makes one program; `names` are the variables that an expression may use."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.lines = list(START)
        self.names = list(NAMES)
        coins = Coins(Plain(self.chance.randrange))
        self.space: dict[str, Any] = {"np": np, "math": math, "data": data(), "c": coins}
        for line in self.lines:
            executed(line, self.space)

    def runs(self, line: str) -> bool:
        """Whether a statement goes well after those that were kept."""
        return executed(line, self.space)

    def name(self) -> str:
        """A variable."""
        return self.chance.choice(self.names)

    def operand(self) -> str:
        """A variable, or a constant."""
        return self.name() if self.chance.random() < 0.7 else self.chance.choice(CONSTANTS)

    def filled(self, text: str) -> str:
        """A text with variables, and at times constants, for its gaps."""
        while "{}" in text:
            constant = self.chance.random() < 0.1
            text = text.replace("{}", f"({self.chance.choice(CONSTANTS)})" if constant else self.name(), 1)
        return text

    def expression(self) -> str:
        """An expression, of a kind by chance."""
        choose, name, operand = self.chance.choice, self.name, self.operand
        kinds: tuple[tuple[int, Callable[[], str]], ...] = (
            (4, lambda: f"{operand()} {choose(BINARY)} {operand()}"),
            (2, lambda: f"{name()} {choose(COMPARED)} {operand()}"),
            (1, lambda: f"np.{choose(UFUNCS)}({operand()}, {operand()})"),
            (1, lambda: f"np.{choose(ONE)}({name()})"),
            (1, lambda: f"np.{choose(FOLDS)}({name()}{choose(AXES)})"),
            (1, lambda: f"{name()}.{choose(FOLDS[:9])}({choose(OF_FOLDS)})"),
            (2, lambda: f"{name()}{choose(INDICES)}"),
            (1, lambda: f"{name()}[{name()} {choose(COMPARED)} {choose(('0', '1', '0.5'))}]"),
            (2, lambda: f"{name()}.{choose(METHODS)}"),
            (1, lambda: f"np.{choose(JOINS)}([{operand()}, {name()}])"),
            (1, lambda: f"np.where({name()} {choose(COMPARED)} {choose('01')}, {operand()}, {operand()})"),
            (2, lambda: f"np.{self.filled(choose(FUNCTIONS))}"),
            (1, lambda: f"{choose(BUILT_IN)}({name()})"),
            (1, lambda: f"isinstance({name()}, {choose(CLASSES)})"),
            (1, lambda: f"[{operand()}, {operand()}]"),
            (2, lambda: self.filled(choose(OTHERS))),
        )
        return self.chance.choices([make for _, make in kinds], [weight for weight, _ in kinds])[0]()

    def statement(self, number: int) -> tuple[str, str]:
        """A statement, and the variable that it sets."""
        kind, choose = self.chance.random(), self.chance.choice
        if kind < 0.18:
            return f"{self.name()} {choose(['+', '-', '*', '/', '**', '//', '%', '&'])}= {self.operand()}", ""
        if kind < 0.32:
            return f"{self.name()}{choose(PLACES)} {choose(('=', '=', '+=', '*=', '-='))} {self.operand()}", ""
        if kind < 0.38:
            mask = f"{self.name()} {choose(COMPARED)} {choose('01')}"
            return f"{self.name()}[{mask}] {choose(('=', '+='))} {self.operand()}", ""
        if kind < 0.44:
            return self.filled(choose(EFFECTS)), ""
        return f"v{number} = {self.expression()}", f"v{number}"

    def made(self) -> str:
        """The source of a program."""
        more = self.chance.randrange(2, 8)
        for number in range(60):
            if len(self.lines) >= len(START) + more:
                break
            line, variable = self.statement(number)
            good = self.runs(line)
            if not good and self.chance.random() < 0.9:
                continue
            self.lines.append(line)
            if not good:
                break
            self.names += [variable] * 4 if variable else []
        ends = ", ".join(self.name() for _ in range(3))
        return "def program(data, c):\n    " + "\n    ".join([*self.lines, f"return {ends}"]) + "\n"


def compared(program: Any, given: Callable[[], Any], seed: int) -> tuple[str, str]:
    """What became of one way of a program, and why: "same" if numpy ends as the machine does on the same numbers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            way = pick(Explorer(program, given(), Limits()), random.Random(seed))
        except Refused as refused:
            return "fault" if "internal" in str(refused) else "refused", str(refused)
        if way is None:
            return "long", ""
        left = iter(way.numbers)
        try:
            outcome, _ = call(lambda coins: fresh(program(given(), coins)), Coins(Plain(lambda bound: next(left))))
        except Unauditable as error:
            return "no outcome", str(error)
    if canonical(way.outcome) == canonical(outcome):
        return "same", ""
    return "WRONG", f"{show(way.outcome)}\n   | {show(outcome)}"


def tried(seed: int) -> tuple[str, str, str]:
    """The source of a program, what became of it, and why."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        source = Maker(seed).made()
        space: dict[str, Any] = {"np": np, "math": math, "__name__": __name__, "__builtins__": builtins}
        executed(source, space)
    return source, *compared(space["program"], data, seed)


def main(first: int, count: int, most: int = 5) -> None:
    """Print what became of programs, and of the wrong ones their sources."""
    tally: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    began = time.process_time()
    for seed in range(first, first + count):
        source, verdict, why = tried(seed)
        tally[verdict] += 1
        if verdict not in ("same", "WRONG"):
            reasons[f"{verdict}: {why.split(' (line')[0][:120]}"] += 1
        if verdict in ("WRONG", "fault") and most > 0:
            most -= 1
            print(seed, verdict, why)
            print("\n".join(source.splitlines()[len(START) + 1 :]))
    print(dict(tally), f"{time.process_time() - began:.1f} s")
    for reason, times in reasons.most_common(40):
        print("  ", times, reason)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
