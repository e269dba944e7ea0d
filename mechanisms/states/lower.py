"""A function's syntax tree, lowered to statements in which every loop head, yield and followed call is a point.

A *point* is a statement at which the function can be entered again (`reenter.py`): the head of a loop, a call by
`_dp_go` that may itself hold a point, and a yield. Calls in expressions are taken out in the order of evaluation,
comprehensions and generator expressions become loops and generator functions, `for` becomes `while`, `with` becomes
`try`. What a construct would need beyond that stays as it is and holds no points.
"""

from __future__ import annotations

import ast
import copy
from typing import Any

from dpcert.mechanisms.states.expressions import Expressions
from dpcert.mechanisms.states.syntax import END, HEAD, NEXT, PENDING, assign, beginning, call, load, store, walk_scope


class Lowering(Expressions):
    """The lowering of one function's statements."""

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
            lowered: ast.expr = self.expression(node, out)
            return lowered
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
        head = ast.Expr(call(HEAD, ast.Constant(PENDING))) if self.plain else self.point(ast.Expr(call(HEAD)))
        if orelse:
            out.append(assign(flag, ast.Constant(False)))
        out.append(ast.While(ast.Constant(True), [head, *body], []))
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
        value = self.expression(node.iter, out)
        out.append(assign(iterator, value if hasattr(node, "begun") else call(beginning(node), value)))
        took: ast.stmt = assign(item, call(NEXT, load(iterator)))
        if not self.plain:
            took = self.point(took)
        ended = ast.Compare(load(item), [ast.Is()], [load(END)])
        begin: list[ast.stmt] = [took, ast.If(ended, self._leave(flag, node.orelse), [])]
        if getattr(node, "turns", False):  # nothing reads what is taken
            none = ast.Compare(load(iterator), [ast.Eq()], [ast.Constant(0)])
            done = ast.If(none, self._leave(flag, node.orelse), [])
            turn = ast.AugAssign(store(iterator), ast.Sub(), ast.Constant(1))
            begin = [ast.If(call("_dp_counts", load(iterator), load("_dp_int")), [done, turn], begin)]
        else:
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
        leaves = (ast.Return, ast.Break, ast.Continue)
        if self._has_points(node.finalbody) and not any(isinstance(each, leaves) for each in walk_scope(node)):
            self._finally(node, out)
            return
        body, orelse = self.block(node.body), self.block(node.orelse)
        chosen, held = self.name("h"), self.name("x")
        handlers: list[ast.ExceptHandler] = []
        blocks: list[list[ast.stmt]] = []
        for each in node.handlers:
            if self._has_points(each.body):
                blocks.append(self._handling(each, held))
                number = ast.Constant(len(blocks))
                noted: list[ast.stmt] = [assign(chosen, number), assign(held, call("_dp_caught"))]
                handlers.append(ast.ExceptHandler(each.type, None, noted))
            else:
                handlers.append(ast.ExceptHandler(each.type, each.name, self._plainly(each.body)))
        found = ast.Try(body, handlers, orelse, self._plainly(node.finalbody))
        if not blocks:
            out.append(found)
            return
        chain: list[ast.stmt] = []
        for i, block in reversed([*enumerate(blocks, 1)]):
            chain = [ast.If(ast.Compare(load(chosen), [ast.Eq()], [ast.Constant(i)]), block, chain)]
        lowered: list[ast.stmt] = [assign(chosen, ast.Constant(0)), ast.Try(body, handlers, orelse, []), *chain]
        out += [ast.Try(lowered, [], [], found.finalbody)] if found.finalbody else lowered

    def _has_points(self, block: list[ast.stmt]) -> bool:
        """Whether a block of a handler, or of a `finally`, may come to a point once it is lowered."""
        if self.plain:
            return False
        loops = (ast.For, ast.While)
        return any(isinstance(each, loops) or self.is_site(each) for part in block for each in walk_scope(part))

    def _handling(self, node: ast.ExceptHandler, held: str) -> list[ast.stmt]:
        """Return the body of a handler, within one of the same error, which is raised again wherever it is entered."""
        names = [held, *([node.name] if node.name else [])]
        begin = [assign(node.name, load(held))] if node.name else []
        forget: list[ast.stmt] = [ast.Expr(load(held)), *(assign(name, ast.Constant(None)) for name in names)]
        if node.name:
            forget.append(ast.Delete([ast.Name(node.name, ast.Del())]))
        return self._within(held, [ast.Try([*begin, *self.block(node.body)], [], [], forget)])

    def _finally(self, node: ast.Try, out: list[ast.stmt]) -> None:
        """Lower a `try` that no statement leaves: its `finally` follows in a handler of its error, or after it."""
        held = self.name("x")
        body = self.statement(ast.Try(node.body, node.handlers, node.orelse, [])) if node.handlers else None
        noted = ast.ExceptHandler(load("_dp_base"), None, [assign(held, call("_dp_caught"))])
        out.append(assign(held, ast.Constant(None)))
        out.append(ast.Try(body or self.block(node.body), [noted], [], []))
        raised = [*self.block(copy.deepcopy(node.finalbody)), ast.Raise()]
        forget: list[ast.stmt] = [ast.Expr(load(held)), assign(held, ast.Constant(None))]
        failed = self._within(held, [ast.Try(raised, [], [], forget)])
        test = ast.Compare(load(held), [ast.IsNot()], [ast.Constant(None)])
        out.append(ast.If(test, failed, self.block(node.finalbody)))

    def _within(self, held: str, block: list[ast.stmt]) -> list[ast.stmt]:
        """Return a block in a handler of an error that is held."""
        context = self.name("x")
        raising: list[ast.stmt] = [assign(context, ast.Attribute(load(held), "__context__", ast.Load()))]
        raising.append(ast.Raise(load(held)))
        kept = ast.Assign([ast.Attribute(load(held), "__context__", ast.Store())], load(context))
        found = ast.Try(raising, [ast.ExceptHandler(load("_dp_base"), None, [kept, *block])], [], [])
        vars(found)["raises"] = True
        return [found]

    def _s_With(self, node: ast.With, out: list[ast.stmt]) -> None:
        first, rest = node.items[0], node.items[1:]
        body: list[ast.stmt] = [ast.With(rest, node.body)] if rest else node.body
        manager, leave, value, fine = (self.name("w") for _ in range(4))
        kind = call("type", load(manager))
        out.append(assign(manager, self.expression(first.context_expr, out)))
        out.append(assign(leave, ast.Attribute(kind, "__exit__", ast.Load())))
        enter = ast.Call(ast.Attribute(kind, "__enter__", ast.Load()), [load(manager)], [])
        out.append(assign(value, self.expression(enter, out)))
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
