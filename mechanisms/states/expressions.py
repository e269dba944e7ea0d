"""The lowering of expressions: calls that may come to a point are taken out, in the order of evaluation."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, TypeVar

from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.syntax import (
    COMPREHENSIONS,
    CONSUMERS,
    FROM,
    GO,
    PLAIN_METHODS,
    PLAIN_NAMES,
    REDUCERS,
    SCOPES,
    Rename,
    assign,
    beginning,
    bound_names,
    call,
    load,
)

S = TypeVar("S", bound=ast.stmt)


class Expressions:
    """The lowering of one function: fresh names, points, and the generator functions made of its expressions."""

    def __init__(self, is_global: Callable[[str], bool], changing: frozenset[str]) -> None:
        self.count = 0
        self.points: dict[int, ast.stmt] = {}
        self.changing = changing  # variables that functions inside assign to
        self.is_global = is_global  # whether a name means a global or a builtin here
        self.plain = 0  # > 0 where no point may be

    def name(self, kind: str) -> str:
        self.count += 1
        return f"_dp_{kind}{self.count}"

    def point(self, statement: S) -> S:
        """Make a statement a point."""
        number = len(self.points) + 1
        self.points[number] = statement
        vars(statement)["point"] = number
        return statement

    # -- expressions

    def is_site(self, node: ast.AST) -> bool:
        """Whether a node of an expression is taken out of it: a call that may come to a point, or the like."""
        if self.plain:
            return False
        if isinstance(node, ast.Call):
            function = node.func
            if isinstance(function, ast.Name) and function.id in PLAIN_NAMES and self.is_global(function.id):
                return False
            return not (isinstance(function, ast.Attribute) and function.attr in PLAIN_METHODS)
        if isinstance(node, COMPREHENSIONS):
            return self._opens(node)
        return isinstance(node, (ast.Yield, ast.YieldFrom))

    def _opens(self, node: Any) -> bool:
        """Whether a comprehension is turned into a loop: something in it may be a point or a draw."""
        first = {*ast.walk(node.generators[0].iter)}  # belongs to the scope around
        inside = [each for each in ast.walk(node) if each not in first]
        if any(
            isinstance(each, (*SCOPES, ast.NamedExpr, ast.Await)) or getattr(each, "is_async", 0) for each in inside
        ):
            return False
        return any(isinstance(each, ast.Call) for each in (*first, *inside))

    def has_site(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Lambda):
            return False
        if self.is_site(node):
            return True
        if isinstance(node, COMPREHENSIONS):
            return self.has_site(node.generators[0].iter)
        return any(map(self.has_site, ast.iter_child_nodes(node)))

    def keep(self, value: ast.expr, out: list[ast.stmt]) -> ast.expr:
        """Return an expression that still has the value when it is evaluated later."""
        if isinstance(value, ast.Constant) or (isinstance(value, ast.Name) and value.id.startswith("_dp_")):
            return value
        if isinstance(value, ast.Starred):
            return ast.Starred(self.keep(ast.Tuple([value], ast.Load()), out), ast.Load())
        name = self.name("t")
        out.append(assign(name, value))
        return load(name)

    def all_of(self, values: list[ast.expr], out: list[ast.stmt]) -> list[ast.expr]:
        """Lower expressions that are evaluated in this order."""
        last = max((i for i, value in enumerate(values) if self.has_site(value)), default=-1)
        found = []
        for i, value in enumerate(values):
            value = self.expression(value, out)
            found.append(self.keep(value, out) if i < last else value)
        return found

    def expression(self, node: Any, out: list[ast.stmt]) -> Any:
        """Return an expression without sites that has the value of this one, once the statements added are executed."""
        if node is None or not self.has_site(node):
            return node
        how = getattr(self, f"_{type(node).__name__}", None)
        if how is not None:
            return how(node, out)
        self._unknown(node)
        return node

    def _unknown(self, node: ast.AST) -> None:
        raise NotRead(f"line {getattr(node, 'lineno', '?')}: a {type(node).__name__} that is not followed")

    def _result(self, value: ast.expr, out: list[ast.stmt]) -> ast.expr:
        name = self.name("t")
        out.append(self.point(assign(name, value)))
        return load(name)

    def _Call(self, node: ast.Call, out: list[ast.stmt]) -> ast.expr:
        node = self._reduced(node)
        consumer = isinstance(node.func, ast.Name) and node.func.id in CONSUMERS and self.is_global(node.func.id)
        joins = isinstance(node.func, ast.Attribute) and node.func.attr == "join"
        parts = [node.func, *node.args, *(word.value for word in node.keywords)]
        if isinstance(node.func, ast.Attribute):
            parts[0] = node.func.value
        gives = consumer or joins
        made: list[ast.expr] = []
        last = max((i for i, value in enumerate(parts) if self.has_site(value)), default=-1)
        for i, value in enumerate(parts):
            if gives and isinstance(value, ast.GeneratorExp) and self.is_site(value):
                value = self._generator(value, out, at_once=True)
            else:
                value = self.expression(value, out)
            if i == 0 and isinstance(node.func, ast.Attribute):
                value = ast.Attribute(value, node.func.attr, ast.Load())
            made.append(self.keep(value, out) if i < last else value)
        function, args, words = made[0], made[1 : 1 + len(node.args)], made[1 + len(node.args) :]
        keywords = [ast.keyword(word.arg, value) for word, value in zip(node.keywords, words, strict=True)]
        if self.is_site(node):
            return self._result(ast.Call(load(GO), [function, *args], keywords), out)
        return ast.Call(function, args, keywords)

    def _reduced(self, node: ast.Call) -> ast.Call:
        """Return a call whose argument is a list that is reduced to a number at once, without that list."""
        name = node.func.id if isinstance(node.func, ast.Name) and self.is_global(node.func.id) else ""
        if name not in REDUCERS or len(node.args) != 1 or node.keywords or not isinstance(node.args[0], ast.ListComp):
            return node
        listed = node.args[0]
        if not self.is_site(listed) or not self.is_global("sum"):
            return node
        function, item = node.func, listed.elt
        if name == "len":
            function = load("sum")
            item = ast.Subscript(ast.Tuple([item, ast.Constant(1)], ast.Load()), ast.Constant(1), ast.Load())
        return ast.Call(function, [ast.copy_location(ast.GeneratorExp(item, listed.generators), listed)], [])

    def _Yield(self, node: ast.Yield, out: list[ast.stmt]) -> ast.expr:
        value = self.keep(self.expression(node.value, out) or ast.Constant(None), out)
        return self._result(ast.Yield(value), out)

    def _YieldFrom(self, node: ast.YieldFrom, out: list[ast.stmt]) -> ast.expr:
        """Hand on item by item, and what is sent or thrown to the iterator (PEP 380)."""
        items, sent, item = (self.name("y") for _ in range(3))
        value: ast.expr = node.value
        function: ast.expr = ast.Constant(None)
        if isinstance(value, ast.Call) and self.is_site(value):
            function = self.keep(self.expression(value.func, out), out)
            value = ast.copy_location(ast.Call(function, value.args, value.keywords), value)
        elif isinstance(value, ast.GeneratorExp) and self.is_site(value):
            function = ast.Constant(True)
        out.append(assign(items, call("_dp_handed", self.expression(value, out), function)))
        out.append(assign(sent, ast.Constant(None)))
        took = self.point(assign(item, call(FROM, load(items), load(sent))))
        over = ast.Compare(call("_dp_type", load(item)), [ast.Is()], [load("_dp_returned")])
        handed = self.point(assign(sent, ast.Yield(load(item))))
        thrown = ast.ExceptHandler(load("_dp_base"), None, [assign(sent, call("_dp_thrown"))])
        waits = ast.Try([handed], [thrown], [], [])
        vars(waits)["delegates"] = True
        out.append(ast.While(ast.Constant(True), [took, ast.If(over, [ast.Break()], []), waits], []))
        return ast.Attribute(load(item), "value", ast.Load())

    def _BinOp(self, node: ast.BinOp, out: list[ast.stmt]) -> ast.expr:
        left, right = self.all_of([node.left, node.right], out)
        return ast.BinOp(left, node.op, right)

    def _UnaryOp(self, node: ast.UnaryOp, out: list[ast.stmt]) -> ast.expr:
        return ast.UnaryOp(node.op, self.expression(node.operand, out))

    def _Compare(self, node: ast.Compare, out: list[ast.stmt]) -> ast.expr:
        if len(node.ops) == 1:
            left, right = self.all_of([node.left, node.comparators[0]], out)
            return ast.Compare(left, node.ops, [right])
        name = self.name("t")
        left = self.keep(self.expression(node.left, out), out)
        block = out
        for i, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
            right = self.expression(right, block)
            if i < len(node.ops) - 1:
                right = self.keep(right, block)
            block.append(assign(name, ast.Compare(left, [op], [right])))
            left = right
            if i < len(node.ops) - 1:
                test = ast.If(load(name), [], [])
                block.append(test)
                block = test.body
        return load(name)

    def _BoolOp(self, node: ast.BoolOp, out: list[ast.stmt]) -> ast.expr:
        name = self.name("t")
        block = out
        for i, value in enumerate(node.values):
            block.append(assign(name, self.expression(value, block)))
            if i < len(node.values) - 1:
                held = load(name)
                test = ast.If(held if isinstance(node.op, ast.And) else ast.UnaryOp(ast.Not(), held), [], [])
                block.append(test)
                block = test.body
        return load(name)

    def _IfExp(self, node: ast.IfExp, out: list[ast.stmt]) -> ast.expr:
        name = self.name("t")
        test = ast.If(self.expression(node.test, out), [], [])
        for block, value in ((test.body, node.body), (test.orelse, node.orelse)):
            block.append(assign(name, self.expression(value, block)))
        out.append(test)
        return load(name)

    def _NamedExpr(self, node: ast.NamedExpr, out: list[ast.stmt]) -> ast.expr:
        out.append(assign(node.target.id, self.expression(node.value, out)))
        return load(node.target.id)

    def _Attribute(self, node: ast.Attribute, out: list[ast.stmt]) -> ast.expr:
        return ast.Attribute(self.expression(node.value, out), node.attr, node.ctx)

    def _Subscript(self, node: ast.Subscript, out: list[ast.stmt]) -> ast.expr:
        value, index = self.all_of([node.value, node.slice], out)
        return ast.Subscript(value, index, node.ctx)

    def _Slice(self, node: ast.Slice, out: list[ast.stmt]) -> ast.expr:
        parts = [part or ast.Constant(None) for part in (node.lower, node.upper, node.step)]
        return ast.Slice(*self.all_of(parts, out))

    def _Starred(self, node: ast.Starred, out: list[ast.stmt]) -> ast.expr:
        value = node.value
        if isinstance(value, ast.GeneratorExp):  # all of it is taken before the call
            value = ast.ListComp(value.elt, value.generators)
        return ast.Starred(self.expression(value, out), node.ctx)

    def _Tuple(self, node: ast.Tuple, out: list[ast.stmt]) -> ast.expr:
        return ast.Tuple(self.all_of(node.elts, out), node.ctx)

    def _List(self, node: ast.List, out: list[ast.stmt]) -> ast.expr:
        return ast.List(self.all_of(node.elts, out), node.ctx)

    def _Set(self, node: ast.Set, out: list[ast.stmt]) -> ast.expr:
        return ast.Set(self.all_of(node.elts, out))

    def _Dict(self, node: ast.Dict, out: list[ast.stmt]) -> ast.expr:
        flat = [part for pair in zip(node.keys, node.values, strict=True) for part in pair]
        done = iter(self.all_of([part for part in flat if part is not None], out))
        flat = [part if part is None else next(done) for part in flat]
        values = [part for part in flat[1::2] if part is not None]
        return ast.Dict(flat[::2], values)

    def _JoinedStr(self, node: ast.JoinedStr, out: list[ast.stmt]) -> ast.expr:
        parts: list[ast.expr] = []
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                value = ast.FormattedValue(self.expression(part.value, out), part.conversion, part.format_spec)
                parts.append(ast.FormattedValue(self.keep(ast.JoinedStr([value]), out), -1, None))
            else:
                parts.append(part)
        return ast.JoinedStr(parts)

    # -- comprehensions

    def _ListComp(self, node: Any, out: list[ast.stmt]) -> Any:
        if not self.is_site(node):
            node.generators[0].iter = self.expression(node.generators[0].iter, out)
            return node
        name = self.name("c")
        kind: ast.expr = {
            ast.ListComp: ast.List([], ast.Load()),
            ast.SetComp: ast.Call(load("set"), [], []),
            ast.DictComp: ast.Dict([], []),
        }[type(node)]
        out.append(assign(name, kind))

        def add(names: dict[str, str]) -> list[ast.stmt]:
            if isinstance(node, ast.DictComp):
                key, value = (Rename(names).visit(part) for part in (node.key, node.value))
                pair = self.name("t")
                item = ast.Subscript(load(name), ast.Subscript(load(pair), ast.Constant(0), ast.Load()), ast.Store())
                return [
                    assign(pair, ast.Tuple([key, value], ast.Load())),
                    ast.Assign([item], ast.Subscript(load(pair), ast.Constant(1), ast.Load())),
                ]
            method = "append" if isinstance(node, ast.ListComp) else "add"
            value = self.name("t")
            return [
                assign(value, Rename(names).visit(node.elt)),
                ast.Expr(ast.Call(ast.Attribute(load(name), method, ast.Load()), [load(value)], [])),
            ]

        out += self.block(self._loops(node, add))
        return load(name)

    _SetComp = _DictComp = _ListComp

    def _loops(self, node: Any, inner: Callable[[dict[str, str]], list[ast.stmt]]) -> list[ast.stmt]:
        """Return nested loops for the generators of a comprehension, whose variables get names of their own."""
        names: dict[str, str] = {}
        places: list[tuple[ast.expr, ast.expr, list[ast.expr], dict[str, bool]]] = []
        for each in node.generators:
            iterable = Rename(dict(names)).visit(each.iter)
            names.update({name: self.name("v") for name in sorted(bound_names(each.target))})
            rename = Rename(dict(names))
            tests = [rename.visit(test) for test in each.ifs]
            marks = {mark: True for mark in ("turns", "begun") if getattr(each, mark, False)}
            places.append((rename.visit(each.target), iterable, tests, marks))
        body = inner(names)
        for target, iterable, tests, marks in reversed(places):
            for test in reversed(tests):
                body = [ast.If(test, body, [])]
            loop = ast.For(target, iterable, body, [])
            vars(loop).update(marks)
            body = [loop]
        return body

    def _GeneratorExp(self, node: ast.GeneratorExp, out: list[ast.stmt]) -> ast.expr:
        if not self.is_site(node):
            node.generators[0].iter = self.expression(node.generators[0].iter, out)
            return node
        return self._generator(node, out, at_once=False)

    def _generator(self, node: ast.GeneratorExp, out: list[ast.stmt], *, at_once: bool) -> ast.expr:
        """Turn a generator expression into a call of a generator function.

        One that is consumed at once gets the local variables that it names as arguments, unless functions inside assign
        to them: nothing else can meanwhile. Another one shares them, as it does in Python.
        """
        first = self.keep(call(beginning(node.generators[0]), self.expression(node.generators[0].iter, out)), out)
        own = self.name("i")
        node.generators[0].iter = load(own)
        vars(node.generators[0])["begun"] = True

        def inner(names: dict[str, str]) -> list[ast.stmt]:
            return [ast.Expr(ast.Yield(Rename(names).visit(node.elt)))]

        body = self._loops(node, inner)
        made = self.name("g")
        used = {each.id for part in body for each in ast.walk(part) if isinstance(each, ast.Name)}
        bound = {name for part in body for name in bound_names(part)}
        free = sorted(name for name in used - bound - {own} - self.changing if not self.is_global(name))
        given = free if at_once else []
        arguments = [ast.arg(name) for name in (own, *given)]
        function = ast.FunctionDef(
            name=made,
            args=ast.arguments([], arguments, None, [], [], None, []),
            body=body,
            decorator_list=[],
            returns=None,
        )
        vars(function)["generated"] = True
        if "type_params" in ast.FunctionDef._fields:
            vars(function)["type_params"] = []
        out.append(function)
        return call(made, first, *(load(name) for name in given))

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """Lower a block."""
        raise NotImplementedError
