"""The local variables that may still be read at each point of a lowered function: backwards over its statements."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.syntax import SCOPES, walk_scope

Names = frozenset[str]
NONE: Names = frozenset()


@dataclass(frozen=True, slots=True)
class _Ways:
    """What is read where a statement does not go on to the next: after an exception, a break, a continue, a return."""

    raised: Names = NONE
    left: Names = NONE
    again: Names = NONE
    returned: Names = NONE


def free_names(node: ast.AST) -> set[str]:
    """Return the names that an inner function or class may share with the functions around it."""
    used: set[str] = set()
    own: set[str] = set()
    shared: set[str] = set()
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg]
        own = {each.arg for each in every if each is not None}
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            shared |= {each.id for each in ast.walk(default) if isinstance(each, ast.Name)} if default else set()
    body: Any = vars(node)["body"]
    for part in body if isinstance(body, list) else [body]:
        for each in walk_scope(part):
            if isinstance(each, SCOPES):
                used |= free_names(each)
                if not isinstance(each, ast.Lambda):
                    own.add(each.name)
            elif isinstance(each, ast.Name):
                used.add(each.id)
                if isinstance(each.ctx, ast.Store) and not isinstance(node, ast.ClassDef):
                    own.add(each.id)
            elif isinstance(each, ast.Nonlocal):
                shared.update(each.names)
    return used - own | shared


@dataclass
class Liveness:
    """The liveness of one function: `at` gives the variables live at each point."""

    body: list[ast.stmt]
    names: Names
    at: dict[int, Names] = field(default_factory=dict)

    @cached_property
    def captured(self) -> Names:
        """The variables that inner functions read or assign to; they are always live."""
        found: set[str] = set()
        for part in self.body:
            for each in walk_scope(part):
                if isinstance(each, SCOPES):
                    found |= free_names(each)
        return frozenset(found & self.names)

    def find(self) -> dict[int, Names]:
        self._block(self.body, NONE, _Ways())
        return {point: live | self.captured for point, live in self.at.items()}

    def _block(self, block: list[ast.stmt], after: Names, ways: _Ways) -> Names:
        for statement in reversed(block):
            after = self._statement(statement, after, ways)
        return after

    def _used(self, *nodes: ast.AST | None) -> Names:
        found = {
            each.id
            for node in nodes
            if node is not None
            for each in ast.walk(node)
            if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Store)
        }
        return frozenset(found & self.names)

    def _statement(self, node: ast.stmt, after: Names, ways: _Ways) -> Names:
        match node:
            case ast.If():
                both = self._block(node.body, after, ways) | self._block(node.orelse, after, ways)
                return both | self._used(node.test) | ways.raised
            case ast.While():
                inside = replace(ways, left=after)
                live = NONE
                while True:
                    found = self._block(node.body, live, replace(inside, again=live))
                    if found == live:
                        return live
                    live = found | live
            case ast.Try():
                return self._try(node, after, ways)
            case ast.Match():
                bound = [
                    self._block(case.body, after, ways) | self._used(case.pattern, case.guard) for case in node.cases
                ]
                return after.union(*bound) | self._used(node.subject) | ways.raised
            case ast.Return():
                return self._used(node.value) | ways.returned | ways.raised
            case ast.Raise():
                return self._used(node.exc, node.cause) | ways.raised
            case ast.Break():
                return ways.left
            case ast.Continue():
                return ways.again
            case ast.For() | ast.AsyncFor() | ast.With() | ast.AsyncWith():
                raise NotRead(f"line {node.lineno}: a statement that is not followed")
        return self._simple(node, after, ways)

    def _simple(self, node: ast.stmt, after: Names, ways: _Ways) -> Names:
        own: set[str] = set()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            own.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            own.update((alias.asname or alias.name.partition(".")[0]) for alias in node.names)
        else:
            own.update(
                each.id for each in walk_scope(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
            )
        point = getattr(node, "point", None)
        if point is not None:
            self.at[point] = self.at.get(point, NONE) | (after - own) | ways.raised
        used = self._used(node)
        if isinstance(node, ast.AugAssign):
            used |= self._used(node.target) | (
                {node.target.id} & self.names if isinstance(node.target, ast.Name) else NONE
            )
        return (after - own) | used | ways.raised

    def _try(self, node: ast.Try, after: Names, ways: _Ways) -> Names:
        if node.finalbody:
            final = self._block(node.finalbody, after | ways.raised | ways.left | ways.again | ways.returned, ways)
            after, ways = final, _Ways(final, final, final, final)
        caught = ways.raised
        for handler in node.handlers:
            own = frozenset({handler.name} if handler.name else ())
            caught |= (self._block(handler.body, after, ways) - own) | self._used(handler.type)
        orelse = self._block(node.orelse, after, ways)
        return self._block(node.body, orelse, replace(ways, raised=caught)) | caught
