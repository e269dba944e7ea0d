"""Generators that modules hold: the assumptions on them, and whether something seeds them. A seeded generator is in the
same state in two fresh processes, whatever seeded it; an unseeded one is not.
"""

from __future__ import annotations

import ast
import hashlib
import random
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from os.path import basename
from pathlib import Path
from typing import Any

from dpcert.mechanisms.exact.coins import Coins

TAKEN = "taken for fair coins: "
"""The beginning of a note that is an assumption; the generator taken for fair coins follows."""
DREW = "what it draws from generators, handed to it or made by it without a seed, is taken for fair coins"
ENDING = ", is taken for fair coins: nothing may seed it"
GLOBAL = {
    "random": "the generator of the module random, which its functions share",
    "numpy.random": "the generator of the module numpy.random, which its functions share",
}
SEEDING = frozenset({"seed", "setstate", "set_state"})


def taken(words: str) -> Callable[[Coins], None]:
    """Return a function that notes, at a draw from a module's generator, that it was taken for fair coins."""

    def note(coins: Coins) -> None:
        settings = getattr(coins._source, "settings", None)
        if settings is not None:
            settings.notes[f"{TAKEN}{words}"] = None

    return note


def drew(coins: Coins) -> None:
    """Note that a run drew from coins, by a generator that was routed to them."""
    settings = getattr(coins._source, "settings", None)
    if settings is not None and getattr(coins._source, "tape", None):
        settings.notes[DREW] = None


def sentence(words: str) -> str:
    """Return the assumption about a module's generator."""
    return f"{words}{ENDING}"


def words_in(assumptions: Iterable[str]) -> list[str]:
    """Return, in words, the generators that assumptions are about."""
    return [text.removesuffix(ENDING) for text in assumptions if text.endswith(ENDING)]


@dataclass(frozen=True, slots=True)
class Holder:
    """A namespace that may hold generators: a module's globals, or the attributes of the instance at `path`."""

    space: dict[str, Any]
    path: str = ""


MOST_INSTANCES = 1000
"""The number of instances that are searched for generators."""
IMPORTING = frozenset({"__loader__", "__spec__"})
"""What the import system leaves in a module: the loader of pytest leads to all tests, and none is the program's."""


def instances(program: object, spaces: Iterable[dict[str, Any]]) -> list[Holder]:
    """Return the attributes of the instances that a program is a method of, that its modules hold, and that these hold.

    Only attributes in a `__dict__` are seen, and only of instances of classes that users or their libraries wrote.
    """
    found: list[Holder] = []
    pending: list[tuple[str, Any]] = [(str(getattr(program, "__name__", type(program).__name__)), program)]
    named = ((space.get("__name__"), *item) for space in spaces for item in space.items() if item[0] not in IMPORTING)
    pending += [(f"{module}.{name}", part) for module, name, part in named]
    seen: set[int] = set()
    while pending and len(found) < MOST_INSTANCES:
        path, item = pending.pop(0)
        if id(item) in seen:
            continue
        seen.add(id(item))
        inner = [(path, part) for name in ("__wrapped__", "__self__", "func") if (part := _attribute(item, name))]
        pending[:0] = inner
        space = _attribute(item, "__dict__")
        if type(space) is dict and _is_users(type(item)):
            found.append(Holder(space, path))
            pending += [(f"{path}.{name}", part) for name, part in space.items()]
    return found


def _attribute(item: Any, name: str) -> Any:
    try:
        return object.__getattribute__(item, name)
    except AttributeError:
        return None


def _is_users(kind: type) -> bool:
    package = kind.__module__.partition(".")[0]
    return package not in sys.stdlib_module_names and package not in ("numpy", "dpcert")


def held_words(holder: Holder, name: str) -> str:
    """Return the place of a generator in words: its name, and its module and line or the way to its instance."""
    if holder.path:
        return f"{name} of the instance {holder.path}, a generator that it holds"
    space = holder.space
    file = space.get("__file__") or ""
    line = _assigned(_text(Path(file)), name) if file else None
    where = basename(file) if line is None else f"{basename(file)}, line {line}"
    return f"{name} ({where or space.get('__name__')}), a generator that the module holds"


def states(holders: Iterable[Holder]) -> dict[str, str]:
    """Return {words: state} for the generators that modules and instances hold, and for those that all code shares.

    A state is its digest, and after a blank the words of the generator, the first where it has several names.
    """
    shared: Any = random
    found: dict[str, Any] = {GLOBAL["random"]: shared._inst}
    numpy: Any = sys.modules.get("numpy")
    kinds: tuple[type, ...] = (random.Random,)
    if numpy is not None:
        found[GLOBAL["numpy.random"]] = numpy.random.mtrand._rand
        kinds += (numpy.random.Generator, numpy.random.RandomState)
    for holder in holders:
        found |= {held_words(holder, name): value for name, value in holder.space.items() if type(value) in kinds}
    first: dict[int, str] = {}
    for words in sorted(found):
        first.setdefault(_source(found[words]), words)
    return {words: f"{_digest(value)} {first[_source(value)]}" for words, value in found.items()}


def same_state(words: str, held: Iterable[str], states: dict[str, str]) -> str | None:
    """Return another generator that is in the same state as this one, and so draws the same numbers."""
    digest, _, name = states[words].partition(" ")
    others = ((other, *states[other].partition(" ")[::2]) for other in held if other in states)
    return next((other for other, state, of in others if state == digest and of != name), None)


def _source(generator: Any) -> int:
    """Return the identity of a generator's source of bits."""
    return id(getattr(generator, "_bit_generator", generator))


def _digest(generator: Any) -> str:
    if isinstance(generator, random.Random):
        state: Any = generator.getstate()
    elif hasattr(generator, "bit_generator"):
        state = generator.bit_generator.state
    else:
        state = generator.get_state(legacy=False)
    parts = state if isinstance(state, tuple) else sorted(_flat("", state))
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _flat(name: str, value: Any) -> Iterable[tuple[str, Any]]:
    if isinstance(value, dict):
        return [part for key, inner in value.items() for part in _flat(f"{name}.{key}", inner)]
    return [(name, value.tolist() if hasattr(value, "tolist") else value)]


def _text(file: Path) -> bytes:
    """Return a file's text. A run may ask for it: `os.stat` would add the watcher of a worker to the files that ran."""
    try:
        return file.read_bytes()
    except (OSError, ValueError):
        return b""


def _tree(text: bytes) -> ast.Module:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return ast.Module(body=[], type_ignores=[])


@lru_cache(maxsize=1 << 8)
def _assigned(text: bytes, name: str) -> int | None:
    """Return the last line of a module's file that assigns to a global name, or imports it; None for none."""
    found: list[int] = []
    pending: list[ast.AST] = [_tree(text)]
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            continue
        stored = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id == name
        imported = isinstance(node, ast.alias) and (node.asname or node.name) == name
        if (stored or imported) and isinstance(node, (ast.Name, ast.alias)):
            found.append(node.lineno)
        pending += ast.iter_child_nodes(node)
    return max(found, default=None)


def seeding_line(file: Path, words: str) -> str:
    """Return in words the line at which a file seeds, or else assigns, the generator in question, where one is seen."""
    name = "random" if words in GLOBAL.values() else words.partition(" ")[0]
    lines = [
        node.lineno
        for node in ast.walk(_tree(_text(file)))
        if isinstance(node, ast.Call) and _seeds(node.func, name, numpy=words == GLOBAL["numpy.random"])
    ]
    if lines:
        return f"line {min(lines)} of {file.name} seeds it"
    calls = [node for node in ast.walk(_tree(_text(file))) if isinstance(node, ast.Call)]
    if words in GLOBAL.values() and (lines := [call.lineno for call in calls if _is_seeding(call.func)]):
        return f"line {min(lines)} of {file.name} seeds a generator"
    return "it was seeded when the program's files were loaded"


def _is_seeding(called: ast.expr) -> bool:
    """Whether what is called has the name of what seeds a generator, whatever it belongs to."""
    return isinstance(called, ast.Attribute) and called.attr in SEEDING


def _seeds(called: ast.expr, name: str, *, numpy: bool) -> bool:
    """Whether what is called is `NAME.seed` or the like, or a bare `seed` that was imported."""
    if isinstance(called, ast.Name):
        return called.id in SEEDING and name == "random"
    if not isinstance(called, ast.Attribute) or called.attr not in SEEDING:
        return False
    owner = called.value
    if isinstance(owner, ast.Attribute):
        return numpy and owner.attr == name
    return isinstance(owner, ast.Name) and owner.id == name and not numpy
