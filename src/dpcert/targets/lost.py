"""Lost targets: no name of a file means them when it has been executed. Each is an error: none goes unnoticed."""

import ast
import functools
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from dpcert.mechanisms.exact.errors import one_line
from dpcert.targets.made import Bad, Lost, Made
from dpcert.targets.target import Target, target

UNRUN = frozenset({"__name__", "TYPE_CHECKING"})
"""The names in the condition of an `if` whose body an audit never runs."""
UNAUDITED = ", so nothing audits it"
TOP = "bind it to a name of its own at the top level of the file"


def targets_in(module: ModuleType) -> dict[str, Target]:
    """Return the targets of a module by the names they are bound to, each once."""
    named: dict[int, tuple[str, Target]] = {}
    for name, value in vars(module).items():
        if isinstance(value, Target):
            named.setdefault(id(value), (name, value))
    return dict(named.values())


def lost_in(module: ModuleType, made: Iterable[Made], *, threads: bool = True) -> list[Lost]:
    """Return the targets that a module's code made, or defines where it never runs, and that no name of it means.

    Attempts that made no target come first. With `threads`, targets made in threads count as the module's own.
    """
    space = vars(module)
    known = {id(target) for target in targets_in(module).values()}
    own = [each for each in made if (threads if each.space is None else _is_of(each.space, space))]
    missed = [each for each in own if id(each.target) not in known and not isinstance(each.target, Bad)]
    bad = [(each.line, each.target) for each in own if isinstance(each.target, Bad)]
    lost = [
        Lost(one_line(each.name), line, f"has {each.error.given}", each.error.remedy, each.error.needed)
        for line, each in bad
    ]
    for each in missed:
        why, remedy = _reason(each.target, space)
        lost.append(Lost(one_line(each.target.name), each.line, f"{why}{UNAUDITED}", remedy))
    return [*lost, *_never_run(module, {each.line for each in own})]


def _is_of(maker: Mapping[str, Any], space: Mapping[str, Any]) -> bool:
    """Whether globals are a module's, or a copy of them, as when the module calls `exec`."""
    return maker is space or all(maker.get(name) == space.get(name) for name in ("__name__", "__file__"))


def _reason(target: Target, space: Mapping[str, Any]) -> tuple[str, str]:
    """Return why no name means a target, and what to write instead."""
    for name, value in list(space.items()):
        if isinstance(value, type) and any(part is target for part in vars(value).values()):
            return f"is in the class {name}", "move it out of the class, to the top level of the file"
        if _leads_to(value, target):
            return f"is under another decorator of {name}", "put @dpcert.target above all other decorators"
        if _holds(value, target):
            return f"is in {name}, a {type(value).__name__}", TOP
    if isinstance(space.get(target.name), Target):
        return f"is hidden by a later target of the name {target.name}", "give each a name of its own"
    if space.get(target.name, target.function) is not target.function:
        words = (
            f"is not what {target.name} means at the end of the file, which is a {type(space[target.name]).__name__}"
        )
        return words, "put @dpcert.target above all other decorators, and give each function a name of its own"
    return "has no name at the end of the file", TOP


def _leads_to(value: object, target: Target) -> bool:
    """Whether a value wraps a target as decorators do, however often."""
    seen: set[int] = set()
    while value is not None and id(value) not in seen:
        seen.add(id(value))
        if isinstance(value, functools.partial):
            value = value.func
        elif isinstance(value, staticmethod | classmethod):
            value = value.__func__
        else:
            value = _attributes(value).get("__wrapped__")
        if value is target:
            return True
    return False


def _attributes(value: object) -> dict[str, Any]:
    """Return the attributes of a value; none where it does not let them be read."""
    try:
        return dict(vars(value))
    except Exception:  # a stand-in for another object may raise anything
        return {}


def _holds(value: object, target: Target, depth: int = 3) -> bool:
    if isinstance(value, dict):
        value = list(value.values())
    if depth == 0 or not isinstance(value, list | tuple | set | frozenset):
        return False
    return any(part is target or _holds(part, target, depth - 1) for part in value)


def _never_run(module: ModuleType, lines: set[int]) -> Iterator[Lost]:
    """Yield the targets under `if __name__ == "__main__":` and `if TYPE_CHECKING:`, none of them made."""
    try:
        source = Path(module.__file__ or "").read_bytes()
        if not any(word.encode() in source for word in UNRUN):
            return  # most files end here: parsing is slow
        tree = ast.parse(source)
    except (OSError, SyntaxError, ValueError, RecursionError):
        return
    ifs = [node for node in ast.walk(tree) if isinstance(node, ast.If)]
    named = ({getattr(part, "id", getattr(part, "attr", None)) for part in ast.walk(guard.test)} for guard in ifs)
    guards = [guard for guard, names in zip(ifs, named, strict=True) if not UNRUN.isdisjoint(names)]
    seen = set(lines)
    for guard in guards:
        for function in (node for part in guard.body for node in ast.walk(part) if isinstance(node, ast.FunctionDef)):
            for call in function.decorator_list:
                if call.lineno not in seen and _is_target(call, vars(module)):
                    seen.add(call.lineno)
                    why = f"is under `if {ast.unparse(guard.test)}:`, which an audit does not run{UNAUDITED}"
                    yield Lost(function.name, call.lineno, why, "move it out of the if")


def _is_target(call: ast.expr, space: Mapping[str, Any]) -> bool:
    """Whether a decorator is a call of `dpcert.target`, by what its name means in the module."""
    if not isinstance(call, ast.Call):
        return False
    match call.func:
        case ast.Name(id=name):
            return space.get(name) is target
        case ast.Attribute(value=ast.Name(id=name), attr=attribute):
            owner = space.get(name)
            # The package makes its public names when they are asked for: none stands among its attributes.
            ours = owner is sys.modules["dpcert"] and attribute == "target"
            return ours or _attributes(owner).get(attribute) is target
    return False
