"""Parts of syntax trees: the names that lowered functions call, scopes, and small nodes."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator

GO, ITER, NEXT, HEAD, END, PRIME = "_dp_go", "_dp_iter", "_dp_next", "_dp_head", "_dp_end", "_dp_prime"
TURNS = "_dp_turns"
CONSUMERS = frozenset(
    [
        "sum",
        "any",
        "all",
        "min",
        "max",
        "list",
        "tuple",
        "dict",
        "set",
        "frozenset",
        "sorted",
        "enumerate",
        "zip",
        "map",
        "filter",
    ]
)
REDUCERS = frozenset(["sum", "min", "max", "len"])
# Builtins and methods that never come to a point of a followed function.
PLAIN_NAMES = frozenset(vars(builtins)) - CONSUMERS - {"next", "iter"}
PLAIN_METHODS = frozenset(
    [
        *("append", "add", "get", "pop", "items", "keys", "values", "setdefault", "startswith", "strip", "bit_length"),
        *("below", "bernoulli", "random", "getrandbits"),
    ]
)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
FROM = "_dp_from"
PENDING = -1
"""Stands for the point of a loop in a `finally` behind which a `return`, a `break` or a `continue` may be pending."""
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def walk_scope(node: ast.AST) -> Iterable[ast.AST]:
    """Yield a node and those below it that belong to the same function; inner functions and classes themselves too."""
    yield node
    for child in ast.iter_child_nodes(node):
        if isinstance(child, SCOPES):
            yield child
        else:
            yield from walk_scope(child)


def load(name: str) -> ast.Name:
    """Return a name that is read."""
    return ast.Name(name, ast.Load())


def store(name: str) -> ast.Name:
    """Return a name that is assigned to."""
    return ast.Name(name, ast.Store())


def call(name: str, *args: ast.expr) -> ast.Call:
    """Return a call of a name."""
    return ast.Call(load(name), list(args), [])


def assign(name: str, value: ast.expr) -> ast.Assign:
    """Return an assignment to a name."""
    return ast.Assign([store(name)], value)


def bound_names(node: ast.AST) -> set[str]:
    """Return the names that a target binds."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}


class Rename(ast.NodeTransformer):
    """Gives variables other names."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.copy_location(ast.Name(self.names.get(node.id, node.id), node.ctx), node)


def mark_turns(function: ast.AST) -> None:
    """Mark the loops of a function, and of those inside of it, whose variable nothing reads: only their turns count."""
    loops = [each for each in ast.walk(function) if isinstance(each, (ast.For, ast.comprehension))]
    read: set[str] = set()
    for each in ast.walk(function):
        if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Store):
            read.add(each.id)
        elif isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name):
            read.add(each.target.id)
        elif isinstance(each, (ast.Global, ast.Nonlocal)):
            read.update(each.names)
    for loop in loops:
        vars(loop)["turns"] = isinstance(loop.target, ast.Name) and loop.target.id not in read


def beginning(loop: ast.For | ast.comprehension) -> str:
    """Return the name of the function that makes the iterator of a loop."""
    return TURNS if getattr(loop, "turns", False) else ITER


def local_names(body: list[ast.stmt]) -> set[str]:
    """Return the names that a function's body binds in its own scope."""
    found: set[str] = set()
    outer: set[str] = set()
    for part in body:
        for each in _of_scope(part):
            if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load):
                found.add(each.id)
            elif isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                found.add(each.name)
            elif isinstance(each, (ast.Import, ast.ImportFrom)):
                found.update((alias.asname or alias.name.partition(".")[0]) for alias in each.names)
            elif (isinstance(each, ast.ExceptHandler) and each.name) or (
                isinstance(each, (ast.MatchAs, ast.MatchStar)) and each.name
            ):
                found.add(each.name)
            elif isinstance(each, ast.MatchMapping) and each.rest:
                found.add(each.rest)
            elif isinstance(each, (ast.Global, ast.Nonlocal)):
                outer.update(each.names)
    return found - outer


def _of_scope(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what belongs to a function's own scope; the targets of comprehensions are in scopes of their own."""
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        yield from (each for each in ast.walk(node) if isinstance(each, ast.NamedExpr))
        for each in ast.walk(node):
            if isinstance(each, ast.NamedExpr):
                yield each.target
        return
    yield node
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
        return
    for child in ast.iter_child_nodes(node):
        yield from _of_scope(child)
