"""Guards around statements, so that a function that is entered again comes to its point and does nothing else."""

from __future__ import annotations

import ast
import types
from collections.abc import Callable

from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.syntax import FROM, HEAD, assign, call, load, walk_scope


class Mangle(ast.NodeTransformer):
    """Gives private names of a class the names that they have in its code."""

    def __init__(self, code: types.CodeType) -> None:
        parts = [part for part in code.co_qualname.split(".")[:-1] if part != "<locals>"]
        inside = "." in code.co_qualname and not code.co_qualname.rpartition(".")[0].endswith("<locals>")
        self.kind = parts[-1].lstrip("_") if inside and parts else ""

    def _name(self, name: str) -> str:
        private = self.kind and name.startswith("__") and not name.endswith("__") and "." not in name
        return f"_{self.kind}{name}" if private else name

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._name(node.id)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        node.attr = self._name(node.attr)
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = self._name(node.arg)
        return node

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        node.arg = node.arg and self._name(node.arg)
        return self.generic_visit(node)


def _points(node: ast.AST) -> tuple[int, ...]:
    return tuple(sorted(each.point for each in walk_scope(node) if hasattr(each, "point")))


def _not_entering() -> ast.expr:
    return ast.UnaryOp(ast.Not(), load("_dp_pc"))


def _within(points: tuple[int, ...]) -> ast.expr:
    if len(points) == 1:
        return ast.Compare(load("_dp_pc"), [ast.Eq()], [ast.Constant(points[0])])
    return ast.Compare(load("_dp_pc"), [ast.In()], [ast.Tuple([ast.Constant(point) for point in points], ast.Load())])


class Guards:
    """Puts statements under guards, which let a function that is entered again come to its point alone.

    `frame` is the variable for what it restores, and `restore` gives the statements that do so.
    """

    def __init__(self, frame: str, restore: Callable[[], list[ast.stmt]]) -> None:
        self.frame = frame
        self.restore = restore

    def block(self, block: list[ast.stmt]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        group: list[ast.stmt] = []

        def flush() -> None:
            if group:
                found.append(ast.If(_not_entering(), [*group], []))
                group.clear()

        for statement in block:
            points = _points(statement)
            if not points:
                if isinstance(statement, (ast.Global, ast.Nonlocal)):
                    found.append(statement)
                else:
                    group.append(statement)
                continue
            flush()
            found.append(ast.copy_location(self._guarded(statement, points), statement))
        flush()
        return found

    def _guarded(self, node: ast.stmt, points: tuple[int, ...]) -> ast.stmt:
        if hasattr(node, "point"):
            return self._point(node, points[0])
        if isinstance(node, ast.If):
            test = ast.IfExp(_not_entering(), node.test, _within(_points(ast.Module(node.body, [])) or (-1,)))
            within: ast.stmt = ast.If(test, self.block(node.body) or [ast.Pass()], self.block(node.orelse))
        elif isinstance(node, ast.While):
            within = ast.While(node.test, self.block(node.body), [])
        elif isinstance(node, ast.Try) and hasattr(node, "raises"):  # what it begins with is executed in any case
            (handler,) = node.handlers
            first, *rest = handler.body
            within = ast.Try(node.body, [ast.ExceptHandler(handler.type, None, [first, *self.block(rest)])], [], [])
        elif isinstance(node, ast.Try):
            within = ast.Try(self.block(node.body), node.handlers, self.block(node.orelse), node.finalbody)
        else:
            raise NotRead(f"line {node.lineno}: a statement that is not followed")
        return ast.If(ast.BoolOp(ast.Or(), [_not_entering(), _within(points)]), [ast.copy_location(within, node)], [])

    def _point(self, node: ast.stmt, point: int) -> ast.stmt:
        done = assign("_dp_pc", ast.Constant(0))
        at = assign("_dp_at", ast.Constant(point))
        if isinstance(node, ast.Expr):
            given = ast.Compare(load(self.frame), [ast.IsNot()], [ast.Constant(None)])
            restored = [*self.restore(), assign(self.frame, ast.Constant(None)), done]
            head = [assign(self.frame, call(HEAD, ast.Constant(point))), ast.If(given, restored, [])]
            return ast.If(_not_entering(), head, [ast.If(_within((point,)), [done], [])])
        assert isinstance(node, ast.Assign)
        resumed: ast.expr = call("_dp_again")
        if isinstance(node.value, ast.Yield):
            resumed = ast.Yield(load("_dp_prime"))
        elif isinstance(node.value, ast.Call) and getattr(node.value.func, "id", "") == FROM:
            resumed = call("_dp_from_again")
        again: list[ast.stmt] = [done, at, ast.Assign(node.targets, resumed)]
        return ast.If(_not_entering(), [at, node], [ast.If(_within((point,)), again, [])])
