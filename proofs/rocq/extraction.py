"""The kernel's decision, translated from Rocq: its extraction as JSON to Python.

The translation has few rules, and refuses all else. Integers are `int`, a list is an iterable that is read once. A
function that recurs on the rest of a list, as its last act, becomes a loop over the list.
"""

import json
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

from dpcert.proofs.rocq.record import hashes

MODULE = "audit/kernel/decision.py"
FUNCTIONS = ("verifies", "refutes", "refutes_always")
NATIVE = {"add": "+", "sub": "-", "mul": "*", "leb": "<=", "ltb": "<", "eqb": "=="}
"""Functions of Rocq's integers, and the same of Python's."""
SCRIPT = "\n".join(
    [
        "From Coq Require Import Extraction ZArith.",
        "From DP.definitions Require Import Decision.",
        "Extraction Language JSON.",
        *(f'Extract Inlined Constant Z.{name} => "{python}".' for name, python in NATIVE.items()),
        f'Extraction "decision.json" {" ".join(FUNCTIONS)}.',
    ]
)
"""The script by which Rocq writes the functions; no file of the development may extract."""
HEAD = '''"""The decision on a pair of finite laws, in integers: extracted from `proofs/rocq/definitions/Decision.v`.

Do not edit: the gate of the theorems extracts it again. Theorems verdict_verified, verdict_refuted and
verdict_refuted_always of `proofs/rocq/statements/Kernel.v` say that it is right. A row has the weights of one outcome,
over g m and over g n; the claim is e^epsilon = a/b and delta = c/d.
"""

from collections.abc import Iterable
'''
Tree = Mapping[str, Any]


def changed(kept: Mapping[str, Any]) -> Iterator[str]:
    """Yield that the module of the kernel is not the one that the gate has extracted."""
    text = files("dpcert.audit.kernel").joinpath("decision.py").read_text("utf-8")
    if kept["extracted"] != hashes({MODULE: text}):
        yield f"{MODULE} is not as the gate has extracted it"


def python(extracted: str) -> str:
    """Return the Python module of an extraction.

    Raises: ValueError for a construct that has no rule, and for a function that is not there.
    """
    found: dict[str, Tree] = {}
    types: dict[str, Tree] = {}
    for each in json.loads(extracted)["declarations"]:
        if each["what"] == "decl:type":
            types[each["name"]] = each["value"]
        found |= {part["name"]: part for part in each.get("fixlist", [each]) if "value" in part and "type" in part}
    if missing := {*FUNCTIONS} - {*found}:
        raise ValueError(f"Rocq extracted no {sorted(missing)[0]}")
    used = set(FUNCTIONS)
    while more := {name for each in used for name in _globals(found[each]["value"])} - used - {*NATIVE.values()}:
        used |= more
    named = "".join(f"\n{name.capitalize()} = {_type(types[name], {})}" for name in types)
    functions = ("\n".join(_function(name, found[name], types)) + "\n" for name in found if name in used)
    return "\n\n".join([f"{HEAD}{named}\n", *functions])


def _globals(tree: Any) -> Iterator[str]:
    if isinstance(tree, dict):
        if tree.get("what") == "expr:global":
            yield tree["name"]
        tree = list(tree.values())
    if isinstance(tree, list):
        for each in tree:
            yield from _globals(each)


def _function(name: str, tree: Tree, types: Mapping[str, Tree]) -> Iterator[str]:
    arguments, body, kind, typed = tree["value"]["argnames"], tree["value"]["body"], tree["type"], []
    for argument in arguments:
        typed.append(f"{argument}: {_type(kind['left'], types)}")
        kind = kind["right"]
    yield f"def {name}({', '.join(typed)}) -> {_type(kind, types)}:"
    yield f'    """Return `{name}` of these, as Decision.v defines it."""'
    if body["what"] == "expr:case" and [each["pat"]["name"] for each in body["cases"]] == ["Nil", "Cons"]:
        yield from _loop(name, arguments, body)
    else:
        yield f"    return {_bare(body, set(arguments))}"


def _type(tree: Tree, types: Mapping[str, Tree]) -> str:
    name, inner = tree["name"], [_type(each, types) for each in tree["args"]]
    if name in types:
        return str(name).capitalize()
    shown = {"z": "int", "bool": "bool", "list": "Iterable[{}]", "prod": "tuple[{}, {}]"}
    if name not in shown:
        raise ValueError(f"no rule for the type {name}")
    return shown[name].format(*inner)


def _loop(name: str, arguments: list[str], body: Tree) -> Iterator[str]:
    """Yield the loop over a list of pairs that a function is; it passes all but one argument on as they are."""
    empty, (row, rest), pair = body["cases"][0], body["cases"][1]["pat"]["argnames"], body["cases"][1]["body"]
    (case,) = pair["cases"]
    call, listed, names = case["body"], body["expr"]["name"], set(arguments) - {body["expr"]["name"]}
    own, lets = list(case["pat"]["argnames"]), []
    while call["what"] == "expr:let":
        lets.append(f"        {call['name']} = {_bare(call['nameval'], {*names, *own})}")
        own, call = [*own, call["name"]], call["body"]
    whole = call["what"] == "expr:apply" and call["func"] == {"what": "expr:global", "name": name}
    if not (whole and pair["expr"]["name"] == row and case["pat"]["name"] == "Pair"):
        raise ValueError(f"{name} is no loop over a list of pairs")
    given = [_bare(each, {*names, *own, rest}) for each in call["args"]]
    pairs = [*zip(arguments, given, strict=True)]
    moved = [(old, new) for old, new in pairs if new != old and (old, new) != (listed, rest)]
    every = [*own, *arguments, row, rest]
    if len(moved) != 1 or (listed, rest) not in pairs or rest in moved[0][1] or len({*every}) < len(every):
        raise ValueError(f"{name} passes more than one argument on changed, or not the rest of its list")
    yield f"    for {', '.join(case['pat']['argnames'])} in {listed}:"
    yield from lets
    yield f"        {moved[0][0]} = {moved[0][1]}"
    yield f"    return {_bare(empty['body'], names)}"


def _bare(tree: Tree, names: set[str]) -> str:
    """Return an expression that stands alone, and needs no parentheses around it."""
    shown = _expression(tree, names)
    return shown[1:-1] if shown.startswith("(") else shown  # each rule that opens one closes it at its end


def _expression(tree: Tree, names: set[str]) -> str:
    what = tree["what"]
    if what == "expr:rel" and tree["name"] in names:
        return str(tree["name"])
    if what == "expr:apply" and tree["func"]["what"] == "expr:global":
        name = tree["func"]["name"]
        if name in NATIVE.values():
            return f"({f' {name} '.join(_expression(each, names) for each in tree['args'])})"
        return f"{name}({', '.join(_bare(each, names) for each in tree['args'])})"
    if what == "expr:constructor":
        return str(_number(tree))
    if what == "expr:case" and [each["pat"]["name"] for each in tree["cases"]] == ["True", "False"]:
        yes, no = (_expression(each["body"], names) for each in tree["cases"])
        return f"({yes} if {_bare(tree['expr'], names)} else {no})"
    raise ValueError(f"no rule for {what} {tree.get('name', '')}")


def _number(tree: Tree) -> int:
    rules = {"Z0": (0, 0), "XH": (0, 1), "Zpos": (1, 0), "Zneg": (-1, 0), "XO": (2, 0), "XI": (2, 1)}
    if tree["name"] not in rules:
        raise ValueError(f"no rule for the constructor {tree['name']}")
    times, plus = rules[tree["name"]]
    return plus + (times * _number(tree["args"][0]) if times else 0)
