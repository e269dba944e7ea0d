"""Where a target is defined: its file and line, read off the text of the file, without running it."""

import ast
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from dpcert.targets.spec import FileSpec, Spec
from dpcert.worker.result import Count, Result

MOST = 60
"""How many lines of a function are shown."""


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file; `uri` is the file's, relative to the folder `root` where it is below that."""

    path: Path
    line: int
    root: Path

    @property
    def inside(self) -> bool:
        return self.path.is_relative_to(self.root)

    @property
    def name(self) -> str:
        """The file's path, relative to the folder where that is possible, with `/`."""
        return self.path.relative_to(self.root).as_posix() if self.inside else self.path.as_posix()

    @property
    def uri(self) -> str:
        """The file's URI reference, percent-encoded."""
        return quote(self.name) if self.inside else self.path.as_uri()


def repository_of(folder: Path) -> Path:
    """Return the repository that a folder is in, or the folder itself where it is in none."""
    whole = folder.resolve()
    return next((place for place in (whole, *whole.parents) if (place / ".git").exists()), whole)


def place_of(spec: Spec, root: Path) -> Place | None:
    """Return where the function of a spec is defined, line 1 where its text does not show it; None for a built-in."""
    if not isinstance(spec, FileSpec):
        return None
    path = Path(spec.path)
    try:
        lines = _lines(ast.parse(path.read_bytes()))
    except (OSError, SyntaxError, ValueError, RecursionError):
        lines = {}
    return Place(path.resolve(), lines.get(spec.function, 1), root)


def located(result: Result, spec: Spec) -> str:
    """Return where the function of a result is defined, as "FILE:LINE:COLUMN"; the target's name for a built-in."""
    place = place_of(spec, Path.cwd())
    if place is None:
        return result.target
    file = result.target.rpartition(":")[0] or place.name
    return f"{file}:{place.line}:1"


@dataclass(frozen=True, slots=True)
class Source:
    """The text of a function with its decorators, from a line of a file on."""

    file: str
    line: Count
    text: str


def source_of(spec: Spec, root: Path) -> Source | None:
    """Return the text of a target's function with its decorators; None where it is not seen.

    Of a long one these are the first MOST lines.
    """
    if not isinstance(spec, FileSpec):
        return None
    path = Path(spec.path)
    try:
        text = path.read_text("utf-8")
        tree = ast.parse(text)
    except (OSError, SyntaxError, ValueError, RecursionError):
        return None
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == spec.function]
    if not found:
        return None
    node = found[-1]
    start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    lines = text.splitlines()[start - 1 : node.end_lineno]
    more = [f"... {len(lines) - MOST} more lines"] if len(lines) > MOST else []
    place = Place(path.resolve(), start, root)
    return Source(place.name, start, "\n".join([*lines[:MOST], *more]))


def _lines(tree: ast.Module) -> dict[str, int]:
    """Return the line at which each name of a module was last bound; of a decorated function, that of its `def`."""
    found: dict[str, int] = {}
    waiting: list[tuple[ast.AST, int]] = [(tree, 1)]
    while waiting:
        node, line = waiting.pop()
        if isinstance(node, ast.stmt | ast.ExceptHandler):
            line = node.lineno
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found[node.name] = line
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {alias.asname or alias.name.partition(".")[0]: line for alias in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found[node.id] = line
        elif not isinstance(node, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            # The stack is popped from its end: children go on it in reverse, so that the last binding of a name counts.
            waiting += [(child, line) for child in ast.iter_child_nodes(node)][::-1]
    return found
