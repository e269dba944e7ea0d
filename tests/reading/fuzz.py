"""Random programs of closures, generators, handlers, matches, classes and containers, whose draws are few."""

from __future__ import annotations

import random
from types import FunctionType, ModuleType
from typing import Any

HEAD = """
class Box:
    count = 0
    def __init__(self): self.n = 0
    def __enter__(self): self.n += 1; return self
    def __exit__(self, kind, e, tb): self.n -= 2; return kind is KeyError and self.n < 0

def helper(p, coins, q=1, *more, s=0, **kw):
    for i in range(2):
        if coins.below(3) == 0: p += q
    Box.count = p % 3
    return p + s + Box.count

def program(n, coins):
    a, b, c, xs, d, box = n, 0, 1, [], {}, Box()
    def bump(t):
        nonlocal c
        c = (c + t) % 5
        return c
    def flips():
        i = 0
        while i < 4:
            i += 1
            yield i * int(coins.below(2))
    def pairs(m):
        got = yield m
        yield from (x + (got or 0) for x in range(m))
        return 5
    gen = flips()
"""
TAIL = "    return a % 7, b % 7, c, tuple(xs[:3]), len(d), box.n % 5\n"
EXPRESSIONS = (
    "({e} + {g})", "({e} - {g})", "({e} * {g})", "({e} % 3)", "({e} if {k} else {g})", "max({e}, {g})", "bump({e})",
    "sum(i * {e} for i in range(2))", "next(gen, {e})", "d.get({e} % 2, {g})", "len([i for i in xs if {k}])", "box.n",
    "(lambda q, r={e}: q + r)({g})", "int(f'{{{e} % 5}}')", "(xs[{e} % len(xs)] if xs else {g})", "[*xs, {e}][-1]",
    "sorted([{e}, {g}, 1], key=lambda t: -t)[0]", "divmod({e}, 3)[1]", "abs({e})", "[*zip(xs, (7, 8))][:1].__len__()",
)  # fmt: skip
SIMPLE = ("{v}", "1", "-2", "3", "int(coins.below(2))", "n", "len(xs)", "sum(xs)", "coins.below(3)")
CONDITIONS = (
    "coins.below(3) == 0", "coins.random() < 0.25", "any(t > 1 for t in xs)", "{v} in xs", "not {e}", "{e} < {g}",
    "{e} == {g}", "({e} > 1 and {g} <= 2)", "({e} != 0 or {g} >= 1)",
)  # fmt: skip
STATEMENTS = (
    "{v} = {e}", "{v} += {e}", "xs.append({e} % 4)", "if xs: {v} = xs.pop()", "d[{e} % 2] = {g}", "box.n += {e}",
    "if {k}: raise {x}({v})", "a, *rest, b = [{e}, {g}, 1]", "xs[:1] = [{e}]",
    "{v} = helper({e}, coins, *xs[:1], s={g})",
    "{v} = sum(t + 0 for t in pairs({e} % 3))", "(xs if {k} else list(xs)).append(1)", "del xs[-1:]", "Box.count += 1",
)  # fmt: skip


class Writer:
    """Writes one program after the other, by a seed."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def one(self, forms: tuple[str, ...], depth: int = 0) -> str:
        parts = {"v": self.chance.choice("abc"), "x": self.chance.choice(("ValueError", "KeyError"))}
        if depth < 3:
            parts |= {"e": self.value(depth + 1), "g": self.value(depth + 1), "k": self.test(depth + 1)}
        else:
            parts |= {"e": "1", "g": "2", "k": "a > 1"}
        return self.chance.choice(forms).format(**parts)

    def value(self, depth: int) -> str:
        return self.one(SIMPLE if depth > 1 or self.chance.random() < 0.5 else EXPRESSIONS, depth)

    def test(self, depth: int) -> str:
        return self.one(CONDITIONS, depth)

    def block(self, indent: int, depth: int, loop: bool) -> list[str]:
        return [line for _ in range(self.chance.randrange(1, 4)) for line in self.statement(indent, depth, loop)]

    def statement(self, indent: int, depth: int, loop: bool) -> list[str]:
        pad = "    " * indent
        if loop and self.chance.random() < 0.1:
            return [f"{pad}if {self.test(0)}: {self.chance.choice(('break', 'continue'))}"]
        if depth > 2 or self.chance.random() < 0.5:
            return [pad + self.one(STATEMENTS)]
        return self.compound(pad, indent + 1, depth + 1, loop)

    def compound(self, pad: str, indent: int, depth: int, loop: bool) -> list[str]:
        inner, v = self.block(indent, depth, loop), self.chance.choice("abc")
        match self.chance.randrange(6):
            case 0:
                return [f"{pad}if {self.test(0)}:", *inner, f"{pad}else:", *self.block(indent, depth, loop)]
            case 1:
                head = f"{pad}for i{depth} in range({self.chance.randrange(1, 3)}):"
                return [head, *self.block(indent, depth, True), f"{pad}else:", *inner]
            case 2:
                caught = [f"{pad}except (ValueError, KeyError) as e:", *inner, f"{pad}    {v} = e.args[0]"]
                return [f"{pad}try:", *self.block(indent, depth, loop), *caught]
            case 3:
                return [f"{pad}try:", *inner, f"{pad}finally:", *self.block(indent, depth, False)]
            case 4:
                return [f"{pad}with box as it:", *inner, f"{pad}    {v} = it.n"]
        cases = [f"{pad}    case [0, x]:", f"{pad}        {v} = x", f"{pad}    case [x, 1 | 2] if x > 0:"]
        return [f"{pad}match [{v}, {self.value(1)}]:", *cases, *self.block(indent + 1, depth, loop)]

    def program(self) -> tuple[str, Any]:
        """The text of a program, and the program."""
        while True:
            text = HEAD + "\n".join(self.block(1, 0, False) + self.block(1, 0, False)) + "\n" + TAIL
            try:
                code = compile(text, "<fuzz>", "exec", dont_inherit=True)
            except SyntaxError:
                continue
            module = ModuleType("fuzz")
            FunctionType(code, vars(module))()
            return text, vars(module)["program"]
