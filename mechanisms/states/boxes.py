"""Variables that inner functions share and that are assigned to again, kept in boxes that a state can tell.

A cell of a closure cannot be given to a frame. So such a variable becomes the content of a box, an object that the
function and those inside of it share under a name that is assigned to once.
"""

from __future__ import annotations

import ast
from typing import Any

from dpcert.mechanisms.states.liveness import free_names
from dpcert.mechanisms.states.syntax import assign, bound_names, call, load, local_names, walk_scope

CONTENT = "content"
PREFIX = "_dp_b_"


class Box:
    """The place of a variable; reading one that is unset is an error, as it is of a variable."""

    __slots__ = (CONTENT,)

    def __getattr__(self, name: str) -> Any:
        raise NameError("cannot access a variable that is not associated with a value")


def boxed(names: set[str], arguments: list[str], body: list[ast.stmt]) -> list[ast.stmt]:
    """Return the statements of a function with some of its variables in boxes."""
    begin: list[ast.stmt] = []
    for name in sorted(names):
        begin.append(assign(PREFIX + name, call("_dp_box")))
        if name in arguments:
            begin.append(ast.Assign([_content(name, ast.Store())], load(name)))
    boxes = _Boxes(frozenset(names))
    return [*begin, *(part for each in body for part in boxes.lowered(each))]


def can_be_boxed(name: str, body: list[ast.stmt]) -> bool:
    """Whether a variable is bound by assignments and definitions alone, and no class body uses it."""
    for part in body:
        for each in ast.walk(part):
            if isinstance(each, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and each.name == name:
                return False
            if isinstance(each, ast.MatchMapping) and each.rest == name:
                return False
            if isinstance(each, (ast.Import, ast.ImportFrom)) and name in local_names([each]):
                return False
            if isinstance(each, ast.NamedExpr) and each.target.id == name:
                return False
            if isinstance(each, ast.ClassDef) and (name == each.name or name in free_names(each)):
                return False
    return True


def _content(name: str, context: ast.expr_context) -> ast.Attribute:
    return ast.Attribute(load(PREFIX + name), CONTENT, context)


class _Boxes(ast.NodeTransformer):
    """Replaces variables by the contents of their boxes, wherever they mean the same variable."""

    def __init__(self, names: frozenset[str]) -> None:
        self.names = names

    def lowered(self, node: ast.stmt) -> list[ast.stmt]:
        found = self.visit(node)
        return found if isinstance(found, list) else [found]

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.copy_location(_content(node.id, node.ctx), node) if node.id in self.names else node

    def _inner(self, node: Any, own: set[str]) -> Any:
        """Replace in a function what is not its own; its defaults and decorators belong to the scope around it."""
        made: Any = _Boxes(self.names - own).generic_visit(node)
        made.args.defaults = [self.visit(each) for each in made.args.defaults]
        made.args.kw_defaults = [each and self.visit(each) for each in made.args.kw_defaults]
        if isinstance(made, ast.FunctionDef):
            made.decorator_list = [self.visit(each) for each in made.decorator_list]
        return made

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        declared = {name for part in node.body for each in walk_scope(part) for name in _global_names(each)}
        made = self._inner(node, _arguments(node.args) | local_names(node.body) | declared)
        if node.name not in self.names:
            return made
        return [made, ast.copy_location(ast.Assign([_content(node.name, ast.Store())], load(node.name)), node)]

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        return self._inner(node, _arguments(node.args))

    def _comprehension(self, node: Any) -> Any:
        own = {name for each in node.generators for name in bound_names(each.target)}
        made: Any = _Boxes(self.names - own).generic_visit(node)
        made.generators[0].iter = self.visit(made.generators[0].iter)
        return made

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    def visit_Nonlocal(self, node: ast.Nonlocal) -> ast.stmt:
        node.names = [name for name in node.names if name not in self.names]
        return node if node.names else ast.copy_location(ast.Pass(), node)


def _arguments(args: ast.arguments) -> set[str]:
    every = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
    return {each.arg for each in every if each is not None}


def _global_names(node: ast.AST) -> list[str]:
    return node.names if isinstance(node, ast.Global) else []
