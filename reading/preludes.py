"""The parts of the prelude, and how a function of it is found."""

from typing import Any

from dpcert.reading import prelude, prelude_functions, prelude_iterators
from dpcert.reading.errors import Act
from dpcert.reading.ideal import prelude_ideal, prelude_libraries
from dpcert.reading.numpy import prelude_draws

PARTS = (prelude, prelude_functions, prelude_iterators, prelude_ideal, prelude_libraries, prelude_draws)
FILES = frozenset(str(part.__file__) for part in PARTS)


def twin_of(name: str) -> Any:
    """The function or class of the prelude under a name: there it has an underscore, for no module imports it."""
    return next((vars(part)[f"_{name}"] for part in PARTS if f"_{name}" in vars(part)), None)


def asked(name: str, *args: Any, **keywords: Any) -> Act:
    """The call of a function of the prelude."""
    return Act("call", twin_of(name), args, keywords)
