"""Who may import whom, and nothing else: DESIGN's layers, read off the syntax of every module."""

import ast
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

Modules = dict[str, Path]

EXACT, MECHANISMS, READING = "dpcert.mechanisms.exact", "dpcert.mechanisms", "dpcert.reading"
KERNEL, AUDIT, PROOFS = "dpcert.audit.kernel", "dpcert.audit", "dpcert.proofs"
FOLDERS = frozenset({"audit", "mechanisms", "proofs", "reading"})


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer imports the standard library, the listed layers, and the listed packages (None: any).

    With `root` it may import `dpcert` itself, which tells where the package lies.
    """

    layers: tuple[str, ...]
    packages: frozenset[str] | None = frozenset()
    root: bool = False


def stage(*layers: str) -> Layer:
    """Return the rule of a stage: it imports itself, those before it, and what lies below all of them."""
    return Layer((*(f"dpcert.{layer}" for layer in layers), AUDIT, READING, MECHANISMS), None, root=True)


LAYERS = {
    EXACT: Layer((EXACT,)),
    f"{MECHANISMS}.adapters": Layer((MECHANISMS,), frozenset({"flint"})),
    f"{MECHANISMS}.ideal": Layer((MECHANISMS,), frozenset({"flint"})),
    MECHANISMS: Layer((MECHANISMS,)),
    READING: Layer((READING, MECHANISMS), frozenset({"flint", "numpy"})),
    KERNEL: Layer((KERNEL, EXACT)),
    AUDIT: Layer((AUDIT, READING, MECHANISMS)),
    f"{AUDIT}.convolution": Layer((AUDIT,), frozenset({"flint", "numpy"})),
    f"{AUDIT}.cumulants": Layer((AUDIT,), frozenset({"numpy"})),
    f"{AUDIT}.noise": Layer((AUDIT, MECHANISMS), frozenset({"flint"})),
    f"{AUDIT}.ideal": Layer((AUDIT, READING, MECHANISMS), frozenset({"flint", "numpy"})),
    f"{AUDIT}.sampling": Layer((AUDIT, MECHANISMS), frozenset({"numpy", "sklearn"})),
    f"{AUDIT}.timing": Layer((AUDIT, MECHANISMS), frozenset({"numpy"})),
    f"{PROOFS}.adapters": Layer((PROOFS, MECHANISMS, KERNEL), frozenset({"mpmath", "sympy", "z3"})),
    PROOFS: Layer((PROOFS, READING, MECHANISMS, KERNEL)),
    "dpcert.targets": stage("targets"),
    "dpcert.pipelines": stage("pipelines"),
    "dpcert.planning": stage("planning", "targets"),
    "dpcert.releasing": stage("releasing", "planning", "targets"),
    "dpcert.unbounded": stage("unbounded", "worker", "targets"),
    "dpcert.worker": stage("worker", "unbounded", "planning", "targets"),
    "dpcert.run": stage("run", "worker", "unbounded", "releasing", "planning", "targets", "proofs"),
    "dpcert.show": stage("show", "run", "worker", "targets", "proofs"),
    "dpcert": Layer(("dpcert",), None),
}


def inside(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def layer_of(name: str) -> Layer:
    """Return the rule of the innermost layer that holds the module `name`."""
    return LAYERS[max((layer for layer in LAYERS if inside(name, layer)), key=len)]


def dotted(node: ast.expr) -> str | None:
    """Return the text of a chain of names `a.b.c`, or None for any other expression."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attr):
            head = dotted(value)
            return head and f"{head}.{attr}"
    return None


def imported(name: str, modules: Modules) -> Iterator[tuple[int, str]]:
    """Yield the line and target of all that module `name` imports, in functions and under TYPE_CHECKING too.

    A chain `dpcert.x.y` reaches what another import loaded, so it counts as an import of that module. An
    import by a computed name yields the package that the name is sure to be in, `dpcert.proofs` for
    f"dpcert.proofs.{name}", and else the target "?".
    """
    path = modules[name]
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    inner: set[ast.expr] = set()
    for node in ast.walk(ast.parse(path.read_text(), str(path))):
        match node:
            case ast.Import(names=aliases):
                for alias in aliases:
                    yield node.lineno, alias.name
            case ast.ImportFrom(module=module, names=aliases, level=level):
                above = package.split(".")[: len(package.split(".")) + 1 - level] if level else []
                base = ".".join([*above, *([module] if module else [])])
                for alias in aliases:
                    member = f"{base}.{alias.name}"
                    yield node.lineno, member if member in modules else base
            case ast.Attribute(value=value) if (chain := dotted(node)) and chain.startswith("dpcert."):
                inner.add(value)
                if node not in inner:
                    while chain not in modules:
                        chain = chain.rpartition(".")[0]
                    yield node.lineno, chain
            case ast.Call(func=func, args=args) if (dotted(func) or "").split(".")[-1] in {
                "import_module",
                "__import__",
            }:
                match args:
                    case [ast.Constant(value=str(target)), *_]:
                        yield node.lineno, target
                    case [ast.JoinedStr(values=[ast.Constant(value=str(head)), *_]), *_] if head.endswith("."):
                        yield node.lineno, head[:-1]
                    case _:
                        yield node.lineno, "?"


KEPT: dict[Path, list[tuple[int, str]]] = {}


def imports(name: str, modules: Modules) -> list[tuple[int, str]]:
    """Return the imports of a module, whose file is parsed once for all tests."""
    if modules[name] not in KEPT:
        KEPT[modules[name]] = list(imported(name, modules))
    return KEPT[modules[name]]


def violations(modules: Modules) -> list[str]:
    """List every import, by module and line, that the module's layer does not allow."""
    found = []
    for name in modules:
        rule = layer_of(name)
        for line, target in imports(name, modules):
            head = target.partition(".")[0]
            if head == "dpcert":
                allowed = any(inside(target, layer) for layer in rule.layers) or (rule.root and target == "dpcert")
            elif head in FOLDERS:
                allowed = False
            else:
                allowed = head in sys.stdlib_module_names or rule.packages is None or head in rule.packages
            if not allowed:
                found.append(f"{name}:{line} imports {target}")
    return found


def test_no_module_imports_beyond_its_layer(modules: Modules) -> None:
    assert violations(modules) == []


@pytest.mark.parametrize(
    ("file", "source", "target"),
    [
        ("mechanisms/exact/a.py", "import numpy", "numpy"),
        ("mechanisms/exact/a.py", "from dpcert.mechanisms import broken", "dpcert.mechanisms"),
        ("mechanisms/exact/a.py", "from .. import b", "dpcert.mechanisms.b"),
        ("mechanisms/exact/a.py", "from ...audit import kernel", "dpcert.audit.kernel"),
        ("mechanisms/exact/__init__.py", "from ..b import x", "dpcert.mechanisms.b"),
        ("mechanisms/exact/a.py", "import mechanisms.b", "mechanisms.b"),
        ("mechanisms/a.py", "def f():\n    import sympy", "sympy"),
        ("mechanisms/a.py", "from dpcert import __version__", "dpcert"),
        ("mechanisms/a.py", "from dpcert.audit.kernel import check", "dpcert.audit.kernel"),
        ("mechanisms/a.py", "import flint", "flint"),
        ("mechanisms/adapters/a.py", "import numpy", "numpy"),
        ("audit/kernel/a.py", "from dpcert.audit import search", "dpcert.audit"),
        ("audit/kernel/a.py", "from dpcert.mechanisms import b", "dpcert.mechanisms.b"),
        ("audit/kernel/a.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import z3", "z3"),
        ("audit/kernel/a.py", "import dpcert.mechanisms.exact\ndpcert.audit.x()", "dpcert.audit"),
        ("audit/kernel/a.py", "import importlib\nimportlib.import_module('sympy.core')", "sympy.core"),
        ("audit/kernel/a.py", "import importlib as i\ni.import_module('sym' + 'py')", "?"),
        ("audit/kernel/a.py", "__import__(name='mpmath')", "?"),
        ("audit/a.py", "import hypothesis", "hypothesis"),
        ("proofs/a.py", "import importlib\nimportlib.import_module(f'dpcert.audit.{name}')", "dpcert.audit"),
        ("proofs/a.py", "import importlib\nimportlib.import_module(f'dpcert.{name}')", "dpcert"),
        ("proofs/a.py", "import importlib\nimportlib.import_module(f'dpcert.proofs{name}')", "?"),
        ("proofs/a.py", "import importlib\nimportlib.import_module(f'{name}.proofs.')", "?"),
        ("audit/a.py", "import dpcert.proofs", "dpcert.proofs"),
        ("proofs/a.py", "from dpcert.audit import decide", "dpcert.audit"),
        ("proofs/a.py", "from dpcert import audit", "dpcert.audit"),
        ("proofs/a.py", "import z3", "z3"),
        ("proofs/adapters/a.py", "import numpy", "numpy"),
        ("src/dpcert/a.py", "from audit import kernel", "audit"),
        ("src/dpcert/targets/a.py", "from dpcert.worker import jobs", "dpcert.worker"),
        ("src/dpcert/worker/a.py", "def f():\n    import dpcert.run.audits", "dpcert.run.audits"),
        ("src/dpcert/run/a.py", "import dpcert.show", "dpcert.show"),
        ("src/dpcert/show/a.py", "import dpcert.commands", "dpcert.commands"),
    ],
)
def test_caught_import_beyond_its_layer(
    fake_tree: Callable[[dict[str, str]], Path],
    find_modules: Callable[[Path], Modules],
    file: str,
    source: str,
    target: str,
) -> None:
    found = violations(find_modules(fake_tree({"mechanisms/b.py": "", file: source})))
    assert [fault.rpartition(" ")[2] for fault in found] == [target]


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("mechanisms/exact/a.py", "import math\nfrom . import c\nfrom dpcert.mechanisms.exact import c as d"),
        ("mechanisms/a.py", "from dpcert.mechanisms.exact import c\nfrom .b import x"),
        ("mechanisms/adapters/a.py", "from flint import arb"),
        (
            "audit/kernel/a.py",
            "import dpcert.mechanisms.exact.c\ndpcert.mechanisms.exact.c.x.y()\nfrom . import z",
        ),
        ("audit/a.py", "from dpcert.audit import kernel\nfrom dpcert.mechanisms import b"),
        ("proofs/a.py", "from dpcert.audit.kernel import check\nfrom dpcert.proofs import adapters"),
        ("proofs/a.py", "import importlib\nimportlib.import_module(f'dpcert.proofs.{name}.b')"),
        ("proofs/adapters/a.py", "import z3, sympy, mpmath"),
        ("src/dpcert/a.py", "import click, rich\nfrom dpcert import audit, proofs\nfrom . import mechanisms"),
    ],
)
def test_allowed_imports_are_allowed(
    fake_tree: Callable[[dict[str, str]], Path],
    find_modules: Callable[[Path], Modules],
    file: str,
    source: str,
) -> None:
    root = fake_tree({"mechanisms/exact/c.py": "", "mechanisms/b.py": "", file: source})
    assert violations(find_modules(root)) == []


def cycle(modules: Modules) -> list[str]:
    """Return modules that import each other in a circle, in functions and under TYPE_CHECKING too; none by default."""
    graph = {name: {target for _, target in imports(name, modules)} & modules.keys() - {name} for name in modules}
    lazy = {"dpcert"}  # it imports a name when it is asked for
    try:
        TopologicalSorter({name: targets - lazy for name, targets in graph.items() if name not in lazy}).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_modules_import_each_other(modules: Modules) -> None:
    assert cycle(modules) == []


@pytest.mark.parametrize("text", ["from dpcert.audit.b import x", "def f():\n    from dpcert.audit.b import x"])
def test_caught_a_cycle(
    fake_tree: Callable[[dict[str, str]], Path], find_modules: Callable[[Path], Modules], text: str
) -> None:
    root = fake_tree({"audit/a.py": text, "audit/b.py": "import dpcert.audit.a"})
    assert sorted(set(cycle(find_modules(root)))) == ["dpcert.audit.a", "dpcert.audit.b"]


def test_a_theorem_for_inputs_without_end_is_named_in_the_registry_alone(modules: Modules) -> None:
    """Plans, releases and pages about one mechanism name it, too; no audit, case or worker does."""
    home = "dpcert.audit.unbounded.sample_and_threshold"
    plans = {"dpcert.planning.sample_threshold", "dpcert.planning.comparing", "dpcert.planning.levels"}
    plans |= {f"dpcert.releasing.{name}" for name in ("sampling", "bounding", "estimates")}
    known = {"dpcert.audit.unbounded.theorems", "dpcert.show.pages.papers", *plans}
    front = [name for name in modules if not any(inside(name, part) for part in (home, MECHANISMS, PROOFS))]
    naming = {
        name
        for name in front
        for _, target in imports(name, modules)
        if inside(target, home) or inside(target, f"{MECHANISMS}.sample_and_threshold")
    }
    assert naming == known
    planning = ("dpcert.planning", "dpcert.commands.plan", "dpcert.releasing")
    audits = (path for name, path in modules.items() if name in front and not name.startswith(planning))
    assert [path for path in audits if re.search("sample-threshold|kmax|all counts", path.read_text())] == []
