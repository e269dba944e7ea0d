"""The mutants of a file: each is one edit of its syntax tree. `mutants.py` sees which of them the tests notice.

Texts are not changed, nor what stands in an f-string, an annotation or `slots=True`.
"""

import ast
import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
}
SWAPPED = {"min": "max", "max": "min", "any": "all", "all": "any", "floor": "ceil", "ceil": "floor"}
SWAPPED |= {"least": "greatest", "greatest": "least"}


@dataclass(frozen=True, slots=True)
class SourceMutant:
    """One edit: the file, the function around it, the lines, the text before and after, and the whole new source."""

    path: str
    scope: str
    lines: tuple[int, ...]
    before: str
    after: str
    source: str

    def name(self) -> str:
        """Return the mutant as benchmarks/mutants_explained.md names it."""
        return f"`{Path(self.path).name}` `{self.scope}`: `{self.before}` → `{self.after}`"


def replaced(node: Any, **changes: Any) -> Any:
    """Return a shallow copy of a node with some fields changed."""
    return type(node)(**{**dict(ast.iter_fields(node)), **changes})


def variants(node: ast.AST, alone: bool) -> Iterator[ast.AST]:
    """Yield what a node is replaced by; `alone` for a statement that is the whole body of an `if`."""
    match node:
        case ast.Compare(ops=ops):
            for i, op in enumerate(ops):
                yield replaced(node, ops=[*ops[:i], COMPARISONS[type(op)](), *ops[i + 1 :]])
        case ast.BoolOp(op=op):
            yield replaced(node, op=ast.Or() if isinstance(op, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert(), operand=operand):
            yield operand
        case ast.BinOp(op=op):
            yield replaced(node, op=ARITHMETIC[type(op)]())
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield from (ast.Constant(value + 1), ast.Constant(value - 1))
        case ast.IfExp():
            yield from (replaced(node, test=ast.Constant(value)) for value in (True, False))
        case ast.If(test=test) if not isinstance(test, ast.Constant) and "TYPE_CHECKING" not in ast.unparse(test):
            yield from (replaced(node, test=ast.Constant(value)) for value in (True, False))
        case ast.While(test=test) if not isinstance(test, ast.Constant):
            yield replaced(node, test=ast.Constant(False))
        case ast.comprehension(ifs=[_, *_]):
            yield replaced(node, ifs=[])
        case ast.Call(func=ast.Name(id=name)) if name in SWAPPED:
            yield replaced(node, func=ast.Name(SWAPPED[name]))
        case ast.Attribute(attr=name) if name in SWAPPED:
            yield replaced(node, attr=SWAPPED[name])
        case ast.ExceptHandler(type=ast.Tuple(elts=elts)):
            for kept in itertools.combinations(elts, len(elts) - 1):
                yield replaced(node, type=ast.Tuple(list(kept)))
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            yield ast.Return(ast.Constant(None))
        case ast.AugAssign(op=op):
            yield from (replaced(node, op=ARITHMETIC[type(op)]()), ast.Pass())
        case ast.Expr(value=value) if not isinstance(value, ast.Constant):
            yield ast.Pass()
        case ast.Raise() | ast.Delete() if not alone:
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript(), *_]):
            yield ast.Pass()
        case ast.Break() | ast.Continue():
            yield ast.Continue() if isinstance(node, ast.Break) else ast.Break()


def places(node: ast.AST, scope: tuple[str, ...] = ()) -> Iterator[tuple[ast.AST, Any, Any, ast.AST, str]]:
    """Yield each node below one that may change: the node around it, its holder and place there, it, its scope."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns"):
            continue
        for i, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr):
                continue
            if isinstance(child, ast.keyword) and child.arg == "slots":
                continue
            holder, place = (node, field) if i is None else (value, i)
            inner = (*scope, child.name) if isinstance(child, ast.FunctionDef | ast.ClassDef) else scope
            yield node, holder, place, child, ".".join(inner)
            yield from places(child, inner)


def put(holder: Any, place: Any, node: ast.AST) -> None:
    """Put a node in its place."""
    if isinstance(holder, list):
        holder[place] = node
    else:
        setattr(holder, place, node)


def brief(node: ast.AST) -> str:
    """Return the text of what was changed, of a compound statement the first line."""
    if isinstance(node, ast.comprehension):
        return " ".join(f"if {ast.unparse(test)}" for test in node.ifs) or "no if"
    return ast.unparse(node).partition("\n")[0].removesuffix(":")


def reach(node: Any) -> tuple[int, ...]:
    """Return the lines that show that a node was reached: its first, and of a condition all."""
    first = node.lineno if hasattr(node, "lineno") else node.target.lineno
    last = first if isinstance(node, ast.stmt) else getattr(node, "end_lineno", first)
    return tuple(range(first, last + 1))


def mutants(root: Path, path: str, start: int = 0, every: int = 1) -> Iterator[SourceMutant]:
    """Yield every Nth mutant of the file at a path below a root, from one on."""
    numbers = itertools.count(-start)
    tree = ast.parse((root / path).read_text(encoding="utf-8"))
    seen: Counter[tuple[str, str, str]] = Counter()
    for around, holder, place, node, scope in list(places(tree)):
        alone = isinstance(around, ast.If) and holder is around.body and len(holder) == 1 and not around.orelse
        shown = around if isinstance(node, ast.Constant) and not isinstance(around, ast.keyword) else node
        for variant in variants(node, alone):
            number, before = next(numbers), brief(shown)
            put(holder, place, variant)
            taken = number >= 0 and number % every == 0
            source = ast.unparse(ast.fix_missing_locations(tree)) if taken else ""
            after = brief(variant if shown is node else shown)
            put(holder, place, node)
            seen[scope, before, after] += 1
            count = seen[scope, before, after]
            if taken:
                name = after if count == 1 else f"{after} #{count}"
                yield SourceMutant(path, scope, reach(node), before, name, source)
