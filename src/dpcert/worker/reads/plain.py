"""Plain programs, which cannot see their own comments, docstrings and line numbers: they use only the words of a table.

A program can read its own text (`open(__file__)`, `inspect`), its docstrings (`f.__doc__`, `vars`, a metaclass, a
format such as "{0.__doc__}") and its line numbers (tracebacks, frames, warnings). Each way begins with a built-in
function, a module, an attribute of a function, frame or traceback, or a special method. So each of these must be in a
table here, for every file that the process imported as a module. And only an import may bind a name to a module, since
one module leads to others (`dataclasses.inspect`). For a plain program, the syntax tree without docstrings determines
the audit. For any other program, every byte counts.
"""

import ast
import builtins
import hashlib
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import resolve_name
from pathlib import Path

MODULES = {
    "__future__": "annotations",
    "builtins": "Ellipsis NotImplemented abs all any ascii bin bool bytearray bytes callable chr "
    "classmethod complex dict divmod enumerate filter float frozenset int isinstance issubclass iter len list map max "
    "min next object oct ord pow print property range repr reversed round set slice sorted staticmethod str sum super "
    "tuple zip",
    "bisect": "bisect bisect_left bisect_right insort",
    "collections": "Counter OrderedDict defaultdict deque namedtuple",
    "collections.abc": "Callable Collection Generator Hashable Iterable Iterator Mapping Sequence Set",
    "copy": "copy deepcopy",
    "dataclasses": "asdict astuple dataclass replace",
    "decimal": "Context Decimal ROUND_CEILING ROUND_FLOOR ROUND_HALF_EVEN ROUND_HALF_UP getcontext localcontext",
    "dpcert": "ApproxDP Epsilon Neighbours PureDP counts counts_differ_by_one exact target",
    "enum": "Enum IntEnum auto",
    "fractions": "Fraction",
    "functools": "cache cmp_to_key lru_cache partial reduce",
    "heapq": "heapify heappop heappush nlargest nsmallest",
    "itertools": "accumulate chain combinations count cycle islice pairwise permutations product repeat starmap "
    "takewhile zip_longest",
    "math": "ceil comb cos e erf erfc exp expm1 fabs factorial floor fsum gcd hypot inf isclose isfinite isinf isnan "
    "isqrt lcm lgamma log log10 log1p log2 nan perm pi pow prod sin sqrt tan tanh tau trunc",
    "numbers": "Integral Number Rational Real",
    "numpy": "abs all any arange argmax argmin argsort array asarray bincount bool_ ceil clip concatenate cumsum "
    "diff divide dot exp float32 float64 floor full histogram inf int32 int64 isfinite isnan linspace log log1p "
    "log2 max maximum mean median min minimum nan ones pi power prod quantile rint round searchsorted sign "
    "sort sqrt stack std subtract sum trunc uint32 uint64 uint8 unique var where zeros zeros_like",
    "numpy.random": "Generator PCG64 RandomState SeedSequence binomial choice default_rng exponential gamma geometric "
    "laplace normal poisson randint random shuffle standard_normal uniform",
    "numpy.typing": "ArrayLike NDArray",
    "operator": "add itemgetter mul sub xor",
    "pytest": "approx fixture mark param",
    "random": "Random SystemRandom betavariate choice choices expovariate gammavariate gauss getrandbits "
    "normalvariate randint random randrange sample seed shuffle triangular uniform",
    "secrets": "SystemRandom choice randbelow randbits",
    "statistics": "fmean mean median pstdev pvariance stdev variance",
    "typing": "Any Callable ClassVar Final Generic Iterable Iterator Literal Mapping NamedTuple Optional Sequence "
    "TYPE_CHECKING TypeVar Union cast",
}
"""The names that a program may take from a module: none leads to a module, file, code, frame, or attribute by name.

Exceptions may be taken from `builtins`, too, but not `type`: it leads to metaclasses, which get docstrings. `field` of
`dataclasses` is absent, too: a program that renames a field makes `repr` read the attribute of that name.
"""
METHODS = (
    "abs add all bool call contains enter eq exit float floordiv future ge getitem gt hash index init int iter le len "
    "lt mod mul name ne neg next pos post_init pow radd repr rmul rsub setitem slots str sub truediv version"
)
SPECIAL = frozenset(f"__{name}__" for name in METHODS.split())
"""The names with two leading underscores that a program may use."""
LEADING = ("ag_", "co_", "cr_", "f_", "func_", "gi_", "tb_")
"""The beginnings of the attributes of code, frames, tracebacks and functions."""
LEADS = frozenset(
    {"_config", "_plain", "_program", "cffi", "claim", "ctypes", "format", "format_map", "law", "subject"}
)
"""Attributes of other values that lead to modules, that take attributes by name, or whose errors name lines."""
IMPORTS = (ast.Import, ast.ImportFrom)
UNREAD = (ImportError, MemoryError, OSError, RecursionError, SyntaxError, ValueError)
"""The errors where a file has no syntax tree, or an import in it no name."""


def tree_digest(path: Path) -> str | None:
    """Return the SHA-256 of a Python file's syntax tree, without docstrings and line numbers; None without a tree."""
    try:
        return hashlib.sha256(ast.dump(_tree(path)).encode("utf-8", "surrogatepass")).hexdigest()
    except UNREAD:
        return None


def _tree(path: Path) -> ast.Module:
    tree = ast.parse(path.read_bytes())
    for node in ast.walk(tree):
        match node:
            case (
                ast.Module(body=[ast.Expr(value=ast.Constant(value=str())), *rest])
                | ast.ClassDef(body=[ast.Expr(value=ast.Constant(value=str())), *rest])
                | ast.FunctionDef(body=[ast.Expr(value=ast.Constant(value=str())), *rest])
                | ast.AsyncFunctionDef(body=[ast.Expr(value=ast.Constant(value=str())), *rest])
            ):
                node.body = rest
    return tree


@dataclass(frozen=True, slots=True)
class Source:
    """A module of the user's: its file, and the package that its relative imports begin from."""

    file: str
    package: str


def trees_of(files: Iterable[str], own: Mapping[str, Source], loaded: Container[str]) -> dict[str, str]:
    """Return the digests of the syntax trees of files; an empty dict where the program is not plain."""
    plain = is_plain(own, loaded)
    found = {file: tree_digest(Path(file)) for file in files if plain and file.endswith(".py")}
    return {file: digest for file, digest in found.items() if digest is not None}


def is_plain(own: Mapping[str, Source], loaded: Container[str]) -> bool:
    """Whether a program, with these modules by name, uses only the tables.

    `loaded` are the modules of the process: an import of any other module was never executed, and binds nothing.
    """
    modules = {**dict.fromkeys(own, ""), **MODULES}
    try:
        for source in own.values():
            compile(Path(source.file).read_bytes(), source.file, "exec", dont_inherit=True)
        files = [_File(_tree(Path(source.file)), source.package, modules, loaded) for source in own.values()]
    except UNREAD:  # also for a SyntaxError: the program may import the file and see the error's line
        return False
    loose = frozenset(name for file in files for name in file.aliases)
    return own.keys().isdisjoint(MODULES) and all(file.is_plain(loose) for file in files)


class _File:
    """The nodes of a file, the modules that its imports bind, by name, and what they take from modules.

    `modules` has the words of the table for each listed module, and no words for a module of the user's.
    """

    def __init__(self, tree: ast.Module, package: str, modules: Mapping[str, str], loaded: Container[str]) -> None:
        self.nodes = list(ast.walk(tree))
        self.modules = modules
        self.aliases: dict[str, str] = {}
        self.taken: list[tuple[str, str]] = []
        for node in self.nodes:
            if isinstance(node, ast.Import):
                self._bind([alias for alias in node.names if alias.name in loaded])
            elif isinstance(node, ast.ImportFrom):
                base = resolve_name("." * node.level + (node.module or ""), package)
                if base in loaded:
                    self._take(base, node.names)

    def _bind(self, names: Iterable[ast.alias]) -> None:
        for alias in names:
            top = alias.name.partition(".")[0]
            if alias.name not in self.modules or top not in self.modules:
                raise ImportError(alias.name)
            self.aliases[alias.asname or top] = alias.name if alias.asname else top

    def _take(self, base: str, names: Iterable[ast.alias]) -> None:
        for alias in names:
            whole = f"{base}.{alias.name}"
            if whole in self.modules:
                self.aliases[alias.asname or alias.name] = whole
            elif base in self.modules:
                self.taken.append((base, alias.name))
            else:
                raise ImportError(base)

    def is_plain(self, loose: frozenset[str]) -> bool:
        """Whether the file uses only the tables; `loose` are the names of modules in all files of the program."""
        inner = {id(node.value) for node in self.nodes if isinstance(node, ast.Attribute)}
        return all(self._gives(base, name, loose) for base, name in self.taken) and all(
            self._stands(node, inner, loose) and all(map(_is_known, _identifiers(node))) for node in self.nodes
        )

    def _gives(self, base: str, name: str, loose: frozenset[str]) -> bool:
        words = self.modules[base].split()
        return name in words if words else name not in loose | {"*"} and _is_attribute(name)

    def _stands(self, node: ast.AST, inner: set[int], loose: frozenset[str]) -> bool:
        match node:
            case ast.ClassDef(keywords=keywords):
                return not keywords and not any(isinstance(part, IMPORTS) for part in ast.walk(node))
            case ast.MatchClass(patterns=patterns, kwd_attrs=names):  # positional patterns read attributes by name
                return not patterns and all(map(_is_attribute, names))
            case ast.Name(id=name):
                return _is_given(name) and (name not in self.aliases or id(node) in inner)
            case ast.Attribute(value=value, attr=name, ctx=context):
                base = self._module(value)
                if base is None:
                    return _is_attribute(name)
                if f"{base}.{name}" in self.modules:
                    return id(node) in inner
                return isinstance(context, ast.Load) and self._gives(base, name, loose)
        return True

    def _module(self, node: ast.expr) -> str | None:
        """Return the module that an expression means; None for any other expression."""
        match node:
            case ast.Name(id=name):
                return self.aliases.get(name)
            case ast.Attribute(value=value, attr=name):
                whole = f"{self._module(value)}.{name}"
                return whole if whole in self.modules else None
        return None


def _identifiers(node: ast.AST) -> Iterator[str]:
    """Yield the names in a node itself, which it binds or reads."""
    for field, value in ast.iter_fields(node):
        if not isinstance(node, ast.Constant) and field != "type_comment":
            yield from (part for part in (value if isinstance(value, list) else [value]) if isinstance(part, str))


def _is_known(name: str) -> bool:
    """Whether a name is in the table, or is neither special nor one that a class mangles."""
    return not name.startswith("__") or name in SPECIAL


def _is_attribute(name: str) -> bool:
    return _is_known(name) and not name.startswith(LEADING) and name not in LEADS


def _is_given(name: str) -> bool:
    """Whether a program may read a name: a built-in name must be an exception or in the table."""
    real = getattr(builtins, name, None)
    error = isinstance(real, type) and issubclass(real, BaseException)
    return error or name in SPECIAL or name in MODULES["builtins"].split() or not hasattr(builtins, name)
