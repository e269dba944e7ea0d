"""Functions that can be entered again at their points, made from their syntax trees.

Each stays one Python function: its statements are guarded by `_dp_pc`, the point at which it is entered again, 0 when
it runs. Where a function's source is not at hand, or is not what its code was compiled from, it stays as it is.
"""

from __future__ import annotations

import ast
import copy
import linecache
import types
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from dpcert.mechanisms.states.boxes import PREFIX, boxed, can_be_boxed
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.guards import Guards, Mangle
from dpcert.mechanisms.states.liveness import Liveness
from dpcert.mechanisms.states.lower import Lowering
from dpcert.mechanisms.states.syntax import assign, bound_names, call, load, local_names, mark_turns, store, walk_scope

FUTURES = 0x1FF0000  # flags of `from __future__` among those of a code object
MARK = "_dp_fr_"


@dataclass(frozen=True)
class Points:
    """A function that can be entered again: the names that it restores, and those live at each point.

    `finishes` says that it may do something when it is thrown away half-way, `loops` that it has loops and is no
    generator. `rebound` are variables of its own cells
    that may be assigned to more than once, or in another function.
    """

    number: int
    names: tuple[str, ...]
    live: dict[int, tuple[str, ...]]
    cells: tuple[str, ...]
    rebound: frozenset[str]
    finishes: bool
    loops: bool
    source: tuple[int, str]  # the line on which its definition begins, and the name that its code has there

    @cached_property
    def places(self) -> dict[int, tuple[int, ...]]:
        """The places of the live names among all names that are restored, for each point."""
        return {point: tuple(map(self.names.index, names)) for point, names in self.live.items()}


@dataclass
class Rewriter:
    """Functions by their originals, and what is known of the code of each; `helpers` are the names its code calls."""

    helpers: dict[str, Any]
    infos: dict[types.CodeType, Points] = field(default_factory=dict)
    codes: dict[types.CodeType, types.CodeType | str] = field(default_factory=dict)  # or why not
    trees: dict[str, tuple[ast.Module, list[types.CodeType]] | str] = field(default_factory=dict)
    numbered: list[Points] = field(default_factory=list)
    inner: set[int] = field(default_factory=set)  # addresses of codes of functions inside of those made here
    originals: dict[types.CodeType, types.CodeType] = field(default_factory=dict)  # by the code of such a function
    inside: dict[types.CodeType, types.CodeType] = field(default_factory=dict)  # the other way round

    def __post_init__(self) -> None:
        self.cells = {name: types.CellType(value) for name, value in self.helpers.items()}

    def again(self, function: types.FunctionType) -> types.FunctionType | None:
        """Return the function that can be entered again for a function, or None."""
        code = function.__code__
        found = self.code(code)
        if isinstance(found, str):
            return None
        own = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
        known = {**own, **self.cells}
        if not known.keys() >= {*found.co_freevars}:
            return None
        closure = tuple(known[name] for name in found.co_freevars)
        made = types.FunctionType(found, function.__globals__, function.__name__, function.__defaults__, closure)
        made.__kwdefaults__ = function.__kwdefaults__
        made.__qualname__ = function.__qualname__
        return made

    def code(self, code: types.CodeType) -> types.CodeType | str:
        """Return the code that can be entered again for a code object, or why there is none."""
        found = self.codes.get(code)
        if found is None:
            try:
                found = self._made(code)
            except NotRead as error:
                found = str(error)
            except Exception as error:
                found = f"{code.co_qualname}: {type(error).__name__}: {error}"
            self.codes[code] = found
        return found

    def _made(self, code: types.CodeType) -> types.CodeType:
        if code.co_flags & 0x380:  # a coroutine, or the like
            raise NotRead(f"{code.co_qualname} is asynchronous")
        node = self._tree(code)
        if isinstance(node, ast.Lambda):
            node = ast.copy_location(
                ast.FunctionDef(
                    "_dp_lambda", node.args, [ast.copy_location(ast.Return(node.body), node.body)], [], None
                ),
                node,
            )
            if "type_params" in ast.FunctionDef._fields:
                vars(node)["type_params"] = []
        node = Mangle(code).visit(copy.deepcopy(node))
        mark_turns(node)
        node.decorator_list, node.returns = [], None
        for argument in ast.walk(node.args):
            if isinstance(argument, ast.arg):
                argument.annotation = None
        node.args.defaults = [ast.Constant(None)] * len(node.args.defaults)
        node.args.kw_defaults = [each and ast.Constant(None) for each in node.args.kw_defaults]
        node.name = "_dp_made"  # so that its own name means what it does elsewhere
        made = self._function(node, [frozenset(code.co_freevars)])
        names = [*self.helpers, *code.co_freevars]
        arguments = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
        factory = ast.FunctionDef("_dp_factory", arguments, [made, ast.Return(load(made.name))], [], None)
        if "type_params" in ast.FunctionDef._fields:
            vars(factory)["type_params"] = []
        module = ast.fix_missing_locations(ast.Module([factory], []))
        compiled = compile(module, code.co_filename, "exec", flags=code.co_flags & FUTURES, dont_inherit=True)
        outside = next(each for each in compiled.co_consts if isinstance(each, types.CodeType))
        inside = next(each for each in outside.co_consts if isinstance(each, types.CodeType))
        inside = inside.replace(co_name=code.co_name, co_qualname=code.co_qualname)
        originals = {*_nested(code)}
        for each in _nested(inside):
            if each is not inside:
                self.inner.add(id(each))
            mark = next((name for name in each.co_varnames if name.startswith(MARK)), None)
            found = [one for one in originals if one == each]  # a lambda stays as it is
            if mark is not None:
                info = self.infos[each] = self.numbered[int(mark.removeprefix(MARK))]
                found = [one for one in originals if (one.co_firstlineno, one.co_name) == info.source]
            if each is not inside:
                self._note(each, found)
        return inside

    def _note(self, made: types.CodeType, found: list[types.CodeType]) -> None:
        """Note of which code that of an inner function was made: one alone, with the same arguments and variables."""
        if len(found) == 1 and _arguments_of(made) == _arguments_of(found[0]):
            shared = [name.removeprefix(PREFIX) for name in made.co_freevars if name not in self.helpers]
            if sorted(shared) == sorted(found[0].co_freevars):
                self.originals[made] = found[0]
                self.inside.setdefault(found[0], made)

    def _tree(self, code: types.CodeType) -> Any:
        """Return the syntax tree of a code object's function.

        Raises: NotRead unless its source, compiled again, is that code.
        """
        file = code.co_filename
        lines = linecache.getlines(file)
        where = f"{file.rpartition('/')[2]}:{code.co_firstlineno}, in {code.co_qualname}"
        known = self.trees.get(file)
        if known is None:
            text = "".join(lines)
            if not text:
                known = "its source is not at hand"
            else:
                tree = ast.parse(text)
                known = tree, []
                for flags in dict.fromkeys((code.co_flags & FUTURES, 0)):
                    whole = compile(text, file, "exec", flags=flags, dont_inherit=True)
                    known[1].extend(_nested(whole))
            self.trees[file] = known
        if isinstance(known, str):
            raise NotRead(f"{where}: {known}")
        tree, codes = known
        if code not in codes:
            raise NotRead(f"{where}: its source is not what its code was compiled from")
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
                first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
                if first == code.co_firstlineno:
                    return node
            if isinstance(node, ast.Lambda) and code.co_name == "<lambda>" and node.lineno == code.co_firstlineno:
                here = [each for each in ast.walk(tree) if isinstance(each, ast.Lambda) and each.lineno == node.lineno]
                if len(here) == 1:
                    return node
        raise NotRead(f"{where}: its definition is not found in its source")

    def _function(self, node: ast.FunctionDef, outside: list[frozenset[str]]) -> ast.FunctionDef:
        """Return a function that can be entered again; those inside of it are rewritten too, where they can be."""
        every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        every += [each for each in (node.args.vararg, node.args.kwarg) if each is not None]
        arguments = [each.arg for each in every]
        own = frozenset(local_names(node.body) | {*arguments})
        scopes = [*outside, own]

        def is_global(name: str) -> bool:
            return not name.startswith("_dp_") and not any(name in scope for scope in scopes)

        changing = {name for each in ast.walk(node) if isinstance(each, ast.Nonlocal) for name in each.names}
        lowering = Lowering(is_global, frozenset(changing))
        body = lowering.block(node.body)
        names = frozenset(local_names(body) | {*arguments})
        shared = {name for name in Liveness(body, names).captured if _rebound(name, arguments, body)}
        shared = {name for name in shared if can_be_boxed(name, body)}
        if shared:
            body = boxed(shared, arguments, body)
            names = frozenset(local_names(body) | {*arguments})
        liveness = Liveness(body, names)
        live = {0: frozenset(arguments), **liveness.find()}
        captured = liveness.captured
        kept = tuple(sorted({name for each in live.values() for name in each}))
        cells = tuple(sorted(captured))
        number = len(self.numbered)
        nodes = [each for part in body for each in walk_scope(part)]
        kinds = {*map(type, nodes)}
        info = Points(
            number,
            kept,
            {point: tuple(sorted(each)) for point, each in live.items()},
            cells,
            frozenset(name for name in captured if _rebound(name, arguments, body)),
            any(isinstance(each, ast.Try) and not hasattr(each, "delegates") for each in nodes),
            bool(kinds & {ast.While}) and not kinds & {ast.Yield, ast.YieldFrom},
            (min([getattr(node, "lineno", 0), *(each.lineno for each in node.decorator_list)]), node.name),
        )
        self.numbered.append(info)
        inner = _Inner(self, [*scopes[:-1], names])
        frame = f"{MARK}{number}"
        others = sorted(names - {*kept})

        def restored() -> list[ast.stmt]:
            """Let all variables be what they are where the function is entered again; those that are dead, nothing."""
            targets: list[ast.expr] = [store("_dp_pc"), *(store(name) for name in kept)]
            found: list[ast.stmt] = [ast.Assign([ast.Tuple(targets, ast.Store())], load(frame))]
            for name in kept:
                unset = ast.Compare(load(name), [ast.Is()], [load("_dp_unset")])
                found.append(ast.If(unset, [ast.Delete([ast.Name(name, ast.Del())])], []))
            return found

        def restored_here() -> list[ast.stmt]:
            dead = [ast.Assign([store(name) for name in others], load("_dp_unset"))] if others else []
            return [*dead, *restored()]

        guarded = [inner.visit(each) for each in Guards(frame, restored_here).block(body)]
        begin: list[ast.stmt] = [
            assign(frame, call("_dp_enter")),
            ast.If(
                ast.Compare(load(frame), [ast.Is()], [ast.Constant(None)]),
                [assign("_dp_pc", ast.Constant(0))],
                restored(),
            ),
            assign(frame, ast.Constant(None)),
        ]
        if captured:
            shown = ast.Lambda(
                ast.arguments([], [], None, [], [], None, []), ast.Tuple([load(name) for name in cells], ast.Load())
            )
            begin.append(assign("_dp_cells", ast.Attribute(shown, "__closure__", ast.Load())))
        declared = [each for each in body if isinstance(each, (ast.Global, ast.Nonlocal))]
        rest = [each for each in guarded if not isinstance(each, (ast.Global, ast.Nonlocal))]
        found = ast.FunctionDef(node.name, node.args, [*declared, *begin, *rest], node.decorator_list, node.returns)
        vars(found).update({name: value for name, value in vars(node).items() if name not in vars(found)})
        return ast.copy_location(found, node)


def _arguments_of(code: types.CodeType) -> tuple[Any, ...]:
    """Return what tells the arguments of a function."""
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
    kinds = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags & 12
    return *kinds, code.co_varnames[:count]


def _nested(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from _nested(each)


def _rebound(name: str, arguments: list[str], body: list[ast.stmt]) -> bool:
    """Whether a variable that inner functions share may be assigned to after they were made."""
    times = int(name in arguments)
    for part in body:
        for each in walk_scope(part):
            if isinstance(each, ast.Name) and each.id == name and not isinstance(each.ctx, ast.Load):
                times += 1
            if isinstance(each, (ast.FunctionDef, ast.ClassDef)) and each.name == name:
                times += 1
            if isinstance(each, (ast.Import, ast.ImportFrom, ast.ExceptHandler, ast.Match, ast.Try)):
                names = {child for node in ast.walk(each) for child in _names_of(node)}
                times += 2 * (name in names)
            if isinstance(each, ast.While):
                times += name in bound_names(each) or name in {
                    inner.name for inner in ast.walk(each) if isinstance(inner, (ast.FunctionDef, ast.ClassDef))
                }
            for inner in ast.walk(each) if isinstance(each, (ast.FunctionDef, ast.ClassDef, ast.Lambda)) else ():
                times += 2 * (isinstance(inner, ast.Nonlocal) and name in inner.names)
    return times > 1


def _names_of(node: ast.AST) -> Iterator[str]:
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from ((alias.asname or alias.name.partition(".")[0]) for alias in node.names)
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
        yield node.name


class _Inner(ast.NodeTransformer):
    """Rewrites the functions inside of one."""

    def __init__(self, rewriter: Rewriter, scopes: list[frozenset[str]]) -> None:
        self.rewriter, self.scopes = rewriter, scopes

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        before = len(self.rewriter.numbered)
        try:
            return self.rewriter._function(copy.deepcopy(node), self.scopes)
        except (NotRead, NotImplementedError):
            if hasattr(node, "generated"):
                raise
            del self.rewriter.numbered[before:]
            return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        return node
