"""A function's syntax tree, lowered to statements in which every loop head, yield and followed call is a point.

A *point* is a statement at which the function can be entered again (`reenter.py`): the head of a loop, a call by
`_dp_go` that may itself hold a point, and a yield. Calls in expressions are taken out in the order of evaluation,
comprehensions and generator expressions become loops and generator functions, `for` becomes `while`, `with` becomes
`try`. What a construct would need beyond that stays as it is and holds no points.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

S = TypeVar("S", bound=ast.stmt)

GO, NEXT, HEAD, END, PRIME = "_dp_go", "_dp_next", "_dp_head", "_dp_end", "_dp_prime"
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
# Builtins and methods that never come to a point of a followed function.
PLAIN_NAMES = frozenset(vars(builtins)) - CONSUMERS - {"next", "iter", "super"}
PLAIN_METHODS = frozenset(name for kind in (list, dict, set, str, bytes, int, float, tuple) for name in dir(kind)) - {
    "join",
    "sort",
    "extend",
    "update",
    "copy",
} | frozenset(["below", "bernoulli", "random", "getrandbits"])
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
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
    return ast.Name(name, ast.Load())


def store(name: str) -> ast.Name:
    return ast.Name(name, ast.Store())


def call(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(load(name), list(args), [])


def assign(name: str, value: ast.expr) -> ast.Assign:
    return ast.Assign([store(name)], value)


def bound_names(node: ast.AST) -> set[str]:
    """Return the names that a target binds."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}


class _Rename(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.copy_location(ast.Name(self.names.get(node.id, node.id), node.ctx), node)


class Lowering:
    """The lowering of one function: fresh names, points, and the generator functions made of its expressions."""

    def __init__(self, is_global: Callable[[str], bool]) -> None:
        self.count = 0
        self.points: dict[int, ast.stmt] = {}
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
            if isinstance(function, ast.Name) and function.id == "super" and not node.args:
                return False
            return not (isinstance(function, ast.Attribute) and function.attr in PLAIN_METHODS)
        if isinstance(node, COMPREHENSIONS):
            return self._opens(node)
        return isinstance(node, (ast.Yield, ast.YieldFrom))

    def _opens(self, node: Any) -> bool:
        """Whether a comprehension is turned into a loop: something in it may be a point or a draw."""
        inside = [*ast.walk(node)]
        if any(
            isinstance(each, (*SCOPES, ast.NamedExpr, ast.Await)) or getattr(each, "is_async", 0) for each in inside
        ):
            return False
        return any(isinstance(each, ast.Call) for each in inside)

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
        raise NotImplementedError(type(node).__name__)

    def _result(self, value: ast.expr, out: list[ast.stmt]) -> ast.expr:
        name = self.name("t")
        out.append(self.point(assign(name, value)))
        return load(name)

    def _Call(self, node: ast.Call, out: list[ast.stmt]) -> ast.expr:
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

    def _Yield(self, node: ast.Yield, out: list[ast.stmt]) -> ast.expr:
        value = self.keep(self.expression(node.value, out) or ast.Constant(None), out)
        return self._result(ast.Yield(value), out)

    def _YieldFrom(self, node: ast.YieldFrom, out: list[ast.stmt]) -> ast.expr:
        name = self.name("t")
        out.append(assign(name, ast.YieldFrom(self.expression(node.value, out))))
        return load(name)

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
        return ast.Starred(self.expression(node.value, out), node.ctx)

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
        return ast.Dict(flat[::2], flat[1::2])  # type: ignore[arg-type]

    def _JoinedStr(self, node: ast.JoinedStr, out: list[ast.stmt]) -> ast.expr:
        parts = []
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                value = ast.FormattedValue(self.expression(part.value, out), part.conversion, part.format_spec)
                parts.append(ast.FormattedValue(self.keep(ast.JoinedStr([value]), out), -1, None))
            else:
                parts.append(part)
        return ast.JoinedStr(parts)

    # -- comprehensions

    def _ListComp(self, node: Any, out: list[ast.stmt]) -> ast.expr:
        if not self.is_site(node):
            node.generators[0].iter = self.expression(node.generators[0].iter, out)
            return node  # type: ignore[no-any-return]
        name = self.name("c")
        kind: ast.expr = {
            ast.ListComp: ast.List([], ast.Load()),
            ast.SetComp: ast.Call(load("set"), [], []),
            ast.DictComp: ast.Dict([], []),
        }[type(node)]
        out.append(assign(name, kind))

        def add(names: dict[str, str]) -> list[ast.stmt]:
            if isinstance(node, ast.DictComp):
                key, value = (_Rename(names).visit(part) for part in (node.key, node.value))
                pair = self.name("t")
                item = ast.Subscript(load(name), ast.Subscript(load(pair), ast.Constant(0), ast.Load()), ast.Store())
                return [
                    assign(pair, ast.Tuple([key, value], ast.Load())),
                    ast.Assign([item], ast.Subscript(load(pair), ast.Constant(1), ast.Load())),
                ]
            method = "append" if isinstance(node, ast.ListComp) else "add"
            value = self.name("t")
            return [
                assign(value, _Rename(names).visit(node.elt)),
                ast.Expr(ast.Call(ast.Attribute(load(name), method, ast.Load()), [load(value)], [])),
            ]

        out += self.block(self._loops(node, add))
        return load(name)

    _SetComp = _DictComp = _ListComp

    def _loops(self, node: Any, inner: Callable[[dict[str, str]], list[ast.stmt]]) -> list[ast.stmt]:
        """Return nested loops for the generators of a comprehension, whose variables get names of their own."""
        names: dict[str, str] = {}
        places: list[tuple[ast.expr, ast.expr, list[ast.expr]]] = []
        for each in node.generators:
            iterable = _Rename(dict(names)).visit(each.iter)
            names.update({name: self.name("v") for name in sorted(bound_names(each.target))})
            rename = _Rename(dict(names))
            places.append((rename.visit(each.target), iterable, [rename.visit(test) for test in each.ifs]))
        body = inner(names)
        for target, iterable, tests in reversed(places):
            for test in reversed(tests):
                body = [ast.If(test, body, [])]
            body = [ast.For(target, iterable, body, [])]
        return body

    def _GeneratorExp(self, node: ast.GeneratorExp, out: list[ast.stmt]) -> ast.expr:
        if not self.is_site(node):
            node.generators[0].iter = self.expression(node.generators[0].iter, out)
            return node
        return self._generator(node, out, at_once=False)

    def _generator(self, node: ast.GeneratorExp, out: list[ast.stmt], *, at_once: bool) -> ast.expr:
        """Turn a generator expression into a call of a generator function.

        One that is consumed at once gets the local variables that it names as arguments: nothing can assign to them
        meanwhile. Another one shares them, as it does in Python.
        """
        first = self.keep(call("iter", self.expression(node.generators[0].iter, out)), out)
        own = self.name("i")
        node.generators[0].iter = load(own)

        def inner(names: dict[str, str]) -> list[ast.stmt]:
            return [ast.Expr(ast.Yield(_Rename(names).visit(node.elt)))]

        body = self._loops(node, inner)
        made = self.name("g")
        used = {each.id for part in body for each in ast.walk(part) if isinstance(each, ast.Name)}
        bound = {name for part in body for name in bound_names(part)}
        given = sorted(name for name in used - bound - {own} if not self.is_global(name)) if at_once else []
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

    # -- statements

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """Lower a block."""
        return [lowered for statement in statements for lowered in self.statement(statement)]

    def statement(self, node: Any) -> list[ast.stmt]:
        """Return the statements that stand for one."""
        out: list[ast.stmt] = []
        how = getattr(self, f"_s_{type(node).__name__}", None)
        if how is not None:
            how(node, out)
        else:
            out.append(node)
        return [ast.copy_location(each, node) if not hasattr(each, "lineno") else each for each in out]

    def _s_Expr(self, node: ast.Expr, out: list[ast.stmt]) -> None:
        value = self.expression(node.value, out)
        if not isinstance(value, ast.Name):
            out.append(ast.Expr(value))

    def _s_Return(self, node: ast.Return, out: list[ast.stmt]) -> None:
        out.append(ast.Return(self.expression(node.value, out)))

    def _s_Assign(self, node: ast.Assign, out: list[ast.stmt]) -> None:
        value = self.expression(node.value, out)
        targets = node.targets
        if any(self.has_site(target) for target in targets):
            value = self.keep(value, out)
            for target in targets:
                target = self.target(target, out)
                out.append(ast.Assign([target], value))
            return
        out.append(ast.Assign(targets, value))

    def target(self, node: ast.expr, out: list[ast.stmt]) -> ast.expr:
        """Lower the expressions in a target."""
        if isinstance(node, (ast.Attribute, ast.Subscript)):
            return self.expression(node, out)  # type: ignore[no-any-return]
        if self.has_site(node):
            self._unknown(node)
        return node

    def _s_AnnAssign(self, node: ast.AnnAssign, out: list[ast.stmt]) -> None:
        if node.value is not None:
            self._s_Assign(ast.Assign([node.target], node.value), out)
        elif isinstance(node.target, ast.Name):
            out.append(ast.If(ast.Constant(False), [assign(node.target.id, ast.Constant(None))], []))  # it is a local

    def _s_AugAssign(self, node: ast.AugAssign, out: list[ast.stmt]) -> None:
        if not self.has_site(node):
            out.append(node)
            return
        target = node.target
        if isinstance(target, ast.Attribute):
            target = ast.Attribute(self.keep(self.expression(target.value, out), out), target.attr, ast.Store())
        elif isinstance(target, ast.Subscript):
            value = self.keep(self.expression(target.value, out), out)
            target = ast.Subscript(value, self.keep(self.expression(target.slice, out), out), ast.Store())
        before = self.keep(_loaded(target), out)
        held = self.name("t")
        value = self.expression(node.value, out)
        out.append(assign(held, before))
        out.append(ast.AugAssign(store(held), node.op, value))
        out.append(ast.Assign([target], load(held)))

    def _s_Assert(self, node: ast.Assert, out: list[ast.stmt]) -> None:
        if self.has_site(node):
            test = self.expression(node.test, out)
            fails: list[ast.stmt] = []
            fails.append(ast.Assert(ast.Constant(False), self.expression(node.msg, fails)))
            out.append(ast.If(ast.UnaryOp(ast.Not(), test), fails, []))
        else:
            out.append(node)

    def _s_Raise(self, node: ast.Raise, out: list[ast.stmt]) -> None:
        if node.exc is not None and self.has_site(node):
            values = self.all_of([each for each in (node.exc, node.cause) if each is not None], out)
            node = ast.Raise(values[0], values[1] if len(values) > 1 else None)
        out.append(node)

    def _s_If(self, node: ast.If, out: list[ast.stmt]) -> None:
        test = self.expression(node.test, out)
        out.append(ast.If(test, self.block(node.body), self.block(node.orelse)))

    def _looping(self, body: list[ast.stmt], orelse: list[ast.stmt], flag: str, out: list[ast.stmt]) -> None:
        """Add a loop without end, and what follows it where it was not left by `break`."""
        head = [self.point(ast.Expr(call(HEAD)))] if not self.plain else []
        if orelse:
            out.append(assign(flag, ast.Constant(False)))
        out.append(ast.While(ast.Constant(True), [*head, *body], []))
        if orelse:
            out.append(ast.If(load(flag), self.block(orelse), []))

    def _leave(self, flag: str, orelse: list[ast.stmt]) -> list[ast.stmt]:
        return [*([assign(flag, ast.Constant(True))] if orelse else []), ast.Break()]

    def _s_While(self, node: ast.While, out: list[ast.stmt]) -> None:
        flag = self.name("e")
        body: list[ast.stmt] = []
        test = self.expression(node.test, body)
        if not (isinstance(test, ast.Constant) and test.value):
            body.append(ast.If(ast.UnaryOp(ast.Not(), test), self._leave(flag, node.orelse), []))
        self._looping([*body, *self.block(node.body)], node.orelse, flag, out)

    def _s_For(self, node: ast.For, out: list[ast.stmt]) -> None:
        iterator, item, flag = self.name("i"), self.name("x"), self.name("e")
        out.append(assign(iterator, call("iter", self.expression(node.iter, out))))
        took: ast.stmt = assign(item, call(NEXT, load(iterator)))
        if not self.plain:
            took = self.point(took)
        ended = ast.Compare(load(item), [ast.Is()], [load(END)])
        begin: list[ast.stmt] = [took, ast.If(ended, self._leave(flag, node.orelse), [])]
        begin += self.statement(ast.Assign([node.target], load(item)))
        self._looping([*begin, *self.block(node.body)], node.orelse, flag, out)

    def _plainly(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """Lower a block in which no point may be."""
        self.plain += 1
        try:
            return self.block(statements)
        finally:
            self.plain -= 1

    def _s_Try(self, node: ast.Try, out: list[ast.stmt]) -> None:
        body, orelse = self.block(node.body), self.block(node.orelse)
        handlers = [ast.ExceptHandler(each.type, each.name, self._plainly(each.body)) for each in node.handlers]
        out.append(ast.Try(body, handlers, orelse, self._plainly(node.finalbody)))

    def _s_With(self, node: ast.With, out: list[ast.stmt]) -> None:
        first, rest = node.items[0], node.items[1:]
        body: list[ast.stmt] = [ast.With(rest, node.body)] if rest else node.body
        manager, leave, value, fine = (self.name("w") for _ in range(4))
        kind = call("type", load(manager))
        out.append(assign(manager, self.expression(first.context_expr, out)))
        out.append(assign(leave, ast.Attribute(kind, "__exit__", ast.Load())))
        enter = ast.Call(ast.Attribute(kind, "__enter__", ast.Load()), [load(manager)], [])
        out.append(assign(value, enter))
        out.append(assign(fine, ast.Constant(True)))
        bound: list[ast.stmt] = []
        if first.optional_vars is not None:
            bound = self.statement(ast.Assign([first.optional_vars], load(value)))
        nothing = [ast.Constant(None)] * 3
        told = ast.Call(load(leave), [load(manager), ast.Starred(call("_dp_exc_info"), ast.Load())], [])
        caught: list[ast.stmt] = [
            assign(fine, ast.Constant(False)),
            ast.If(ast.UnaryOp(ast.Not(), told), [ast.Raise()], []),
        ]
        ended = ast.If(load(fine), [ast.Expr(ast.Call(load(leave), [load(manager), *nothing], []))], [])
        handler = ast.ExceptHandler(load("_dp_base"), None, caught)
        inner = ast.Try([*bound, *self.block(body)], [handler], [], [])
        out.append(ast.Try([inner], [], [], [ended]))

    def _s_Match(self, node: Any, out: list[ast.stmt]) -> None:
        chosen = self.name("m")
        subject = self.expression(node.subject, out)
        out.append(assign(chosen, ast.Constant(-1)))
        cases = []
        blocks: list[list[ast.stmt]] = []
        for i, each in enumerate(node.cases):
            cases.append(ast.match_case(each.pattern, each.guard, [assign(chosen, ast.Constant(i))]))
            blocks.append(self.block(each.body))
        out.append(ast.Match(subject, cases))
        chain: list[ast.stmt] = []
        for i, block in reversed([*enumerate(blocks)]):
            chain = [ast.If(ast.Compare(load(chosen), [ast.Eq()], [ast.Constant(i)]), block, chain)]
        out += chain

    def _s_Delete(self, node: ast.Delete, out: list[ast.stmt]) -> None:
        out.append(ast.Delete([self.target(each, out) for each in node.targets]))


def _loaded(target: ast.expr) -> ast.expr:
    if isinstance(target, ast.Name):
        return load(target.id)
    if isinstance(target, ast.Attribute):
        return ast.Attribute(target.value, target.attr, ast.Load())
    assert isinstance(target, ast.Subscript)
    return ast.Subscript(target.value, target.slice, ast.Load())
