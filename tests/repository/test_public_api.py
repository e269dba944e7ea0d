"""What `import dpcert` offers is a list in the repository, with every signature: a change of it is seen, and meant.

A change of a line is a change for users: CHANGELOG.md names it, and a removal or a narrower signature waits for the
next major version. `python tests/repository/test_public_api.py` prints the list as it is now.
"""

import difflib
import inspect
from collections.abc import Iterator
from pathlib import Path

import dpcert
import dpcert.api

LIST = Path(__file__).with_name("public_api.txt")


def offered() -> Iterator[str]:
    """Yield a line for each public name, and for each public member of a class, those of its bases here too."""
    values = {name: getattr(dpcert, name) for name in sorted(dpcert.__all__)}  # all are there before one is looked at
    values["audit"] = dpcert.api.audit  # under its own name there is the package, too, which calls it
    for name, value in values.items():
        if not inspect.isclass(value):
            yield f"{name}{signature(value)}" if inspect.isroutine(value) else f"{name}: {type(value).__name__}"
            continue
        yield f"class {name}{signature(value)}"
        bases = [base for base in value.__mro__ if base.__module__.startswith("dpcert.")]
        for member in sorted(set().union(*map(vars, bases))):
            if not member.startswith("_"):
                yield f"    {member}{signature(getattr(value, member))}"


def signature(value: object) -> str:
    """Return the parameters of what can be called, with their kinds and defaults, else nothing."""
    if not callable(value):
        return ""
    try:
        found = inspect.signature(value)
    except ValueError:
        return "(...)"
    bare = [parameter.replace(annotation=parameter.empty) for parameter in found.parameters.values()]
    return str(found.replace(parameters=bare, return_annotation=found.empty))


def test_the_public_interface_is_the_listed_one() -> None:
    listed = LIST.read_text("utf-8").splitlines()
    assert list(difflib.unified_diff(listed, list(offered()), "listed", "offered", lineterm="", n=0)) == []


def test_every_public_name_says_its_claim() -> None:
    values = [getattr(dpcert, name) for name in dpcert.__all__]
    assert [value for value in values if callable(value) and not inspect.getdoc(value)] == []


if __name__ == "__main__":
    print("\n".join(offered()))
