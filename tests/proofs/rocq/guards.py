"""What is wrong with a test that binds a theorem in Rocq to the code."""

import ast
from collections.abc import Iterator

THEOREMS = "dpcert.proofs.rocq"


def fault_of(text: str, name: str) -> str | None:
    """Return why a test of a file binds nothing: it is not there, or skipped, or compares nothing with the product."""
    tree = ast.parse(text)
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    if name not in functions:
        return "no such test"
    if any(mark in ast.unparse(each) for each in functions[name].decorator_list for mark in ("skip", "xfail")):
        return "it is skipped"
    reached = list(_reached(name, functions))
    compared = {word for node in reached for each in ast.walk(node) if _compares(each) for word in _names(each)}
    if not compared:
        return "it compares nothing"
    named = {word for node in reached for word in _names(node)}
    return None if named & set(_product(tree)) else "it names nothing of the product"


def _reached(name: str, functions: dict[str, ast.FunctionDef]) -> Iterator[ast.FunctionDef]:
    """Yield a function of a file and those of the file that it calls."""
    waiting, seen = [name], {name}
    while waiting:
        node = functions[waiting.pop()]
        yield node
        new = {word for word in _names(node) if word in functions} - seen
        seen |= new
        waiting += sorted(new)


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _compares(node: ast.AST) -> bool:
    """Whether a node is an assertion that depends on something."""
    return isinstance(node, ast.Assert) and bool(_names(node.test))


def _product(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a file imports from the project, but for the theorems themselves."""
    for node in tree.body:
        module = f"{node.module or ''}." if isinstance(node, ast.ImportFrom) else ""
        if isinstance(node, ast.ImportFrom) and module.startswith("dpcert.") and not module.startswith(THEOREMS):
            yield from (alias.asname or alias.name for alias in node.names)
