"""The users of the experiments with user-level histograms: functions of the standard library, and check-ins."""

import ast
import re
import sysconfig
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

SEED = 2022
DATA = ("Functions", "Check-ins")
USERS = 2000
WORDS = ("self", "return", "if", "not", "none", "name")

Array = np.ndarray[Any, np.dtype[Any]]


@cache
def functions() -> tuple[Counter[str], ...]:
    """Return the words of each function of Python's standard library that is in no other function."""
    root = Path(sysconfig.get_paths()["stdlib"])
    found: list[Counter[str]] = []
    for path in sorted(root.rglob("*.py")):
        if {"site-packages", "dist-packages", "test", "tests", "idlelib", "lib2to3"} & set(path.parts):
            continue
        text = path.read_text("utf-8", errors="replace")
        try:
            tree = ast.parse(text)
        except SyntaxError:
            continue
        lines = text.splitlines()
        found += [
            Counter(re.findall("[a-z]+", "\n".join(lines[node.lineno - 1 : node.end_lineno]).lower()))
            for node in outermost(tree)
        ]
    return tuple(found)


def outermost(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield the functions and methods that are in no other one."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
        else:
            yield from outermost(node)


@cache
def histograms(name: str, size: int) -> Array:
    """Return a row of counts for each user, of the `size` most frequent items."""
    if name == "Functions":
        users = functions()
        whole: Counter[str] = Counter()
        for counts in users:
            whole.update(counts)
        items = sorted(whole, key=lambda word: (-whole[word], word))[:size]
        return np.array([[counts[word] for word in items] for counts in users])
    rng = np.random.default_rng([SEED, 1])
    places, people = 2000, 20_000
    popularity = 1 / np.arange(1, places + 1)
    visits = np.minimum(rng.lognormal(3.0, 1.3, people).astype(int) + 1, 5000)
    rows = np.zeros((people, places), dtype=np.int32)
    for person in range(people):
        own = rng.choice(places, size=12, replace=False, p=popularity / popularity.sum())
        rows[person, own] = rng.multinomial(visits[person], rng.dirichlet(np.full(12, 0.5)))
    return rows[:, np.argsort(-rows.sum(axis=0), kind="stable")[:size]]
