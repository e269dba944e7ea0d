"""Random programs of loops that end only by chance, count their turns, start again, copy, compare and swap counts."""

from __future__ import annotations

import random
from types import FunctionType, ModuleType
from typing import Any

HEAD = """
def geometric(coins):
    k = 0
    while not coins.below(3):
        k += 1
    return k

def program(n, coins):
    x, y, z, box = n, 0, 1, [0]
"""
EXPRESSIONS = (
    "{v}", "{v} + {w}", "{v} - {w}", "{v} + 2", "{v} - 1", "-{v}", "2 * {v}", "abs({v})", "max({v}, {w})",
    "min({v}, 3)", "box[0]", "0", "{v} * {w}", "{v} % 3",
)  # fmt: skip
CONDITIONS = (
    *["not coins.below({n})"] * 4, "coins.random() < 0.25", "{v} < {w}", "{v} <= 2", "{v} == {w}", "{v} != 3",
    "{v} - {w} > 1", "{v} in (1, 3)", "{v}",
)  # fmt: skip
STATEMENTS = (
    "{v} += 1", "{v} -= 1", "{v} += {w}", "{v} = {e}", "{v} = {e}", "box[0] = {e}", "x, y = y, x",
    "{v} += geometric(coins)",
)  # fmt: skip
RESULTS = ("{e}", "({e}, {v})", "[{e}, {v} > 2]", "{{'a': {e}}}", "{v} > {w}", "{v} - {w}")


class Writer:
    """Writes one program after the other, by a seed."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.loops = 0

    def one(self, choices: tuple[str, ...]) -> str:
        """One of some texts, filled."""
        chance = self.chance
        e = chance.choice(EXPRESSIONS)
        text = chance.choice(choices).replace("{e}", e)
        return text.format(v=chance.choice("xyz"), w=chance.choice("xyz"), n=chance.randint(2, 5))

    def statements(self, pad: str, loop: bool) -> list[str]:
        """Some lines, a loop or a condition with what is in it among them."""
        chance, kind = self.chance, self.chance.random()
        if kind < 0.3 and self.loops < 4 and len(pad) < 16:
            self.loops += 1
            v = chance.choice("xyz")
            before = [f"{pad}{v} = {chance.randint(0, 1)}"] * chance.randint(0, 1)
            inner = [*self.block(pad + "    ", True), *[f"{pad}    {v} += 1"] * chance.randint(0, 1)]
            if chance.random() < 0.5:
                return [*before, f"{pad}while not coins.below({chance.randint(2, 5)}):", *inner]
            return [*before, f"{pad}while True:", f"{pad}    if coins.below(2): break", *inner]
        if kind < 0.45 and len(pad) < 16:
            inner = self.block(pad + "    ", loop)
            return [f"{pad}if {self.one(CONDITIONS)}:", *inner, f"{pad}else:", *self.block(pad + "    ", loop)]
        if kind < 0.55:
            leave = chance.choice(["break", "continue"]) if loop else "return " + self.one(EXPRESSIONS)
            return [f"{pad}if {self.one(CONDITIONS)}:", f"{pad}    {leave}"]
        return [pad + self.one(STATEMENTS)]

    def block(self, pad: str, loop: bool) -> list[str]:
        """Lines of one depth."""
        return [line for _ in range(self.chance.randint(1, 3)) for line in self.statements(pad, loop)]

    def program(self) -> tuple[str, Any]:
        """The text of a program, and the program."""
        self.loops = 0
        lines = self.block("    ", False) + self.block("    ", False)
        text = HEAD + "\n".join([*lines, "    return " + self.one(RESULTS), ""])
        module = ModuleType("random_loops")
        FunctionType(compile(text, "<random_loops>", "exec", dont_inherit=True), vars(module))()
        return text, vars(module)["program"]
