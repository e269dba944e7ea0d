"""Element types of numpy: `x.dtype`, `np.dtype(float)`. Each is one object, which a fresh process finds by its name."""

from typing import Any

import numpy as np

from dpcert.reading.border import throw
from dpcert.reading.domains.steps import COMPARED
from dpcert.reading.errors import words
from dpcert.reading.foreign import FOREIGN, IMPORTED, Foreign
from dpcert.reading.numpy.memory import CODES, Call, code_of, is_named
from dpcert.reading.values import SCALARS, Value
from dpcert.reading.whitelist import rule

FIELDS = frozenset(words("alignment byteorder char isnative itemsize kind name num str type"))


class Dtypes(Foreign):
    """The rules of element types."""

    name = "a dtype"

    def take(self, importer: Any, value: Any, parent: int, step: str, name: Any) -> Value:
        """The type itself, where it is one that is followed."""
        if value is not np.dtype:
            code_of(value)
        return importer.pins.builtin(value)

    def type_of(self, value: Value) -> Value:
        """The class of one dtype, which is refused: it is not found again under its name."""
        self._refuse("the type")

    def to_host(self, value: Value) -> Any:
        """The type itself, which nobody can change."""
        return value

    def twin(self, value: Value) -> Any:
        """The type itself."""
        return value

    def attribute(self, m: Any, owner: Value, name: str) -> Value:
        """A field."""
        if name in FIELDS:
            found = getattr(owner, name)
            return m.pins.builtin(found) if name == "type" else found
        if hasattr(owner, name):
            self._refuse(name)
        text = f"{type(owner).__name__!r} object has no attribute {name!r}"
        raise throw(AttributeError, text, name=name, obj=owner)

    def compare(self, m: Any, sign: str, a: Value, b: Value) -> Value:
        """Whether two types are one: the other may be a class or a name."""
        if sign not in ("==", "!=") or not all(
            each.__class__ in SCALARS or isinstance(each, np.dtype) or is_named(each) for each in (a, b)
        ):
            self._refuse("a comparison")
        return Call().result(COMPARED[sign], (a, b), {})

    def truth(self, m: Any, value: Value) -> Value:
        """The answer of numpy."""
        return bool(value)


DTYPES = Dtypes()
for _code in CODES:
    FOREIGN[type(np.dtype(_code))] = IMPORTED[type(np.dtype(_code))] = DTYPES
IMPORTED[type(np.dtype)] = DTYPES


@rule(np.dtype)
def _dtype(m: Any, value: Value) -> Value:
    return m.pins.builtin(Call().result(np.dtype, (value,), {}))
