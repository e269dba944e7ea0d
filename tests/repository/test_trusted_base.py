"""The trusted base is small, and holds no float outside the one module that models them.

What counts as a float is a rule about syntax; see `float_uses`.
"""

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

Modules = dict[str, Path]

EXACT, KERNEL = "dpcert.mechanisms.exact", "dpcert.audit.kernel"
IDEAL_CHECKER = "dpcert.audit.ideal.certificates.checker"
GAUSS_CHECKER = "dpcert.audit.ideal.certificates.gauss"
LIMITS = {KERNEL: 580, EXACT: 1420, IDEAL_CHECKER: 430, GAUSS_CHECKER: 150}
FLOATS = "dpcert.mechanisms.exact.floats"

INTEGER_MATH = frozenset({"ceil", "comb", "factorial", "floor", "gcd", "isqrt", "lcm", "perm", "prod", "trunc"})
FLOAT_TEXTS = frozenset({"__repr__", "fromhex", "hex"})
INEXACT_MODULES = frozenset({"cmath", "statistics"})
CONVERSIONS = frozenset({"__complex__", "__float__"})
IGNORED_TOKENS = frozenset(
    {
        tokenize.COMMENT,
        tokenize.DEDENT,
        tokenize.ENCODING,
        tokenize.ENDMARKER,
        tokenize.INDENT,
        tokenize.NEWLINE,
        tokenize.NL,
    }
)


def within(modules: Modules, package: str) -> Modules:
    return {name: path for name, path in modules.items() if name == package or name.startswith(f"{package}.")}


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a statement, or a module, and all statements inside of it."""
    yield node
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(node, name, ()):
            yield from statements(inner)


def docstrings(tree: ast.Module) -> Iterator[ast.expr]:
    for node in statements(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            match node.body:
                case [ast.Expr(value=ast.Constant(value=str()) as docstring), *_]:
                    yield docstring


def code_lines(source: str) -> int:
    """Count the lines of `source` that hold code: more than blanks, comments and docstrings."""
    ends = {
        (doc.lineno, doc.col_offset): (doc.end_lineno or 0, doc.end_col_offset or 0)
        for doc in docstrings(ast.parse(source))
    }
    lines: set[int] = set()
    end = (0, 0)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        end = ends.get(token.start, end)
        if token.type not in IGNORED_TOKENS and token.end > end:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines)


def total_code_lines(modules: Modules, package: str) -> int:
    return sum(code_lines(path.read_text()) for path in within(modules, package).values())


def names_a_type(node: ast.Name, parents: dict[ast.AST, ast.AST]) -> bool:
    """Return whether the name `float` or `complex` stands where nothing is computed with it.

    These places are: an operand of a comparison, the second argument of isinstance or issubclass, an
    annotation, a subscript, a class pattern, a key of a dict; in each also as a member of a tuple, list, set
    or union; a tuple of types that is given a name; and `float.hex`, `float.fromhex` and `float.__repr__`,
    which turn a float into its text and back.
    """
    child: ast.AST = node
    parent = parents[child]
    while isinstance(parent, ast.Tuple | ast.List | ast.Set) or (
        isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.BitOr)
    ):
        child, parent = parent, parents[parent]
    match parent:
        case ast.Compare() | ast.MatchClass() | ast.arg():
            return True
        case ast.Subscript(slice=place) | ast.FunctionDef(returns=place) | ast.AsyncFunctionDef(returns=place):
            return child is place
        case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, place]):
            return child is place
        case ast.Attribute(attr=attr):
            return attr in FLOAT_TEXTS
        case ast.Dict(keys=keys):
            return child in keys
        case ast.AnnAssign(annotation=place):
            return child is place or child is not node
        case ast.Assign(targets=[ast.Name()]):
            return child is not node
    return False


def float_uses(source: str) -> list[str]:
    """List, by line, every place of `source` that writes or computes a float or a complex number.

    Flagged: a literal such as 0.5 or 1j; the names `float` and `complex` except as `names_a_type` allows, so
    that neither is called, passed on or aliased; calls of `__float__` and `__complex__`; all of `math` but
    its functions from integers to integers; `cmath` and `statistics`. A float's bits may be read and written
    by `struct`.
    """
    tree = ast.parse(source)
    parents = {child: parent for parent in ast.walk(tree) for child in ast.iter_child_nodes(parent)}
    math_names = {"math"} | {
        alias.asname
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == "math" and alias.asname
    }
    found: list[tuple[int, str]] = []
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=float() | complex() as value):
                found.append((node.lineno, f"literal {value!r}"))
            case ast.Name(id="float" | "complex" as name) if not names_a_type(node, parents):
                found.append((node.lineno, f"use of {name}"))
            case ast.Call(func=ast.Attribute(attr=attr)) if attr in CONVERSIONS:
                found.append((node.lineno, f"call of {attr}"))
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if name in math_names and attr not in INTEGER_MATH:
                found.append((node.lineno, f"math.{attr}"))
            case ast.ImportFrom(module="math", names=aliases):
                found += [(node.lineno, f"math.{alias.name}") for alias in aliases if alias.name not in INTEGER_MATH]
            case ast.Import(names=aliases):
                found += [(node.lineno, alias.name) for alias in aliases if alias.name in INEXACT_MODULES]
            case ast.ImportFrom(module=str(module)) if module in INEXACT_MODULES:
                found.append((node.lineno, module))
    return [f"{line}: {text}" for line, text in sorted(found)]


@pytest.mark.parametrize("package", LIMITS)
def test_trusted_base_is_small(modules: Modules, package: str) -> None:
    assert within(modules, package)
    assert total_code_lines(modules, package) <= LIMITS[package]


def test_caught_a_kernel_that_grew(
    fake_tree: Callable[[dict[str, str]], Path], find_modules: Callable[[Path], Modules]
) -> None:
    root = fake_tree({"audit/kernel/a.py": "x = 1\n" * 300, "audit/kernel/b.py": '"""Doc."""\n' + "x = 1\n" * 301})
    assert total_code_lines(find_modules(root), KERNEL) == 601


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("", 0),
        ('"""One.\n\nTwo."""\n\n# comment\n', 0),
        ("x = 1  # comment\n\ny = 2\n", 2),
        ('def f():\n    """Doc\n    more."""\n    return 1\n', 2),
        ('def f(): "doc"\n', 1),
        ('class A:\n    "one" \\\n    "two"\n    x = (\n        1,\n        # comment\n    )\n', 4),
        ('x = """\n\ntext\n"""\n', 4),
        ('def f():\n    pass\n    """not a docstring"""\n', 3),
        ('x = f"""{1}\n\n"""\n', 3),
    ],
)
def test_code_lines_leave_out_blanks_comments_and_docstrings(source: str, count: int) -> None:
    assert code_lines(source) == count


FROM_EXACT = re.compile(rf"^\s*from {re.escape(EXACT)}[\w.]* import (\([^)]*\)|.*)$", re.MULTILINE)


def private_imports(source: str) -> list[str]:
    """List the names with an underscore that `source` imports from the exact layer."""
    return [name for names in FROM_EXACT.findall(source) for name in re.findall(r"(?<!as )\b_\w+", names)]


def test_no_private_name_of_the_exact_layer_is_imported_elsewhere(modules: Modules) -> None:
    others = {name: path for name, path in modules.items() if name not in within(modules, EXACT)}
    found = {name: private_imports(path.read_text()) for name, path in others.items()}
    assert {name: names for name, names in found.items() if names} == {}


@pytest.mark.parametrize("line", [f"from {EXACT}.chain import _x", f"def f():\n    from {EXACT}.run import a, _x as b"])
def test_caught_private_import(line: str) -> None:
    assert private_imports(line) == ["_x"]


def test_trusted_base_computes_no_float(modules: Modules) -> None:
    trusted = within(modules, KERNEL) | within(modules, EXACT)
    found = {name: float_uses(path.read_text()) for name, path in trusted.items() if name != FLOATS}
    assert {name: uses for name, uses in found.items() if uses} == {}


def test_the_module_that_models_floats_needs_its_exception(modules: Modules) -> None:
    assert float_uses(modules[FLOATS].read_text())


@pytest.mark.parametrize(
    "source",
    [
        "x = 0.5",
        "x = 1e-6",
        "x = 0j",
        "x = float('1')",
        "x = complex(1, 2)",
        "f = float",
        "f, g = float, int",
        "f: type = float",
        "class F(float): ...",
        "xs = list(map(float, range(3)))",
        "x = float.__add__(y, z)",
        "isinstance(float(x), int)",
        "isinstance(float, type)",
        "x = n.__float__()",
        "import math\nx = math.log(2)",
        "import math as m\nx = m.sqrt(2)",
        "import math\nx = math.inf",
        "from math import exp as e",
        "import cmath",
        "from statistics import mean",
        "def f(x=float): ...",
    ],
)
def test_caught_float(source: str) -> None:
    assert len(float_uses(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "isinstance(x, float)",
        "isinstance(x, (int, float | complex))",
        "type(x) is float",
        "type(x) in (float, complex)",
        "def f(x: float) -> float | None: ...",
        "x: list[float]",
        "TYPES = (bool, float)",
        "TYPES: tuple[type, ...] = (bool, float)",
        "encoders = {float: bits_of, int: str}",
        "match x:\n    case float():\n        pass",
        "def __float__(self): ...",
        "import math\nmath.gcd(4, 6) + math.isqrt(5)",
        "import struct\nstruct.unpack('<Q', struct.pack('<d', x))",
        "x = float.fromhex(float.hex(x))",
    ],
)
def test_recognising_a_float_is_allowed(source: str) -> None:
    assert float_uses(source) == []
