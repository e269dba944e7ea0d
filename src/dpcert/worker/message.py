"""Messages: frozen dataclasses that share their methods.

Python compiles six methods for each frozen dataclass when its module is imported: a sixth of what a worker's start
took.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from typing import Any, NoReturn, TypeVar, dataclass_transform, overload

KindT = TypeVar("KindT")


@overload
def message(kind: type[KindT], /) -> type[KindT]: ...


@overload
def message(*, kw_only: bool) -> Callable[[type[KindT]], type[KindT]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def message(kind: Any = None, /, *, kw_only: bool = False) -> Any:
    """Return a class as a dataclass that is frozen, has slots, and is equal by type and values.

    With `kw_only` its values are to be named, which type checkers see to.
    """
    if kind is None:
        return message
    made = dataclass(init=False, repr=False, eq=False, slots=True)(kind)
    for name, method in vars(_Methods).items():
        if callable(method):
            setattr(made, name, method)
    return made


def _values(self: Any) -> tuple[Any, ...]:
    return tuple(getattr(self, name) for name in self.__dataclass_fields__)


class _Methods:
    """The methods of all messages."""

    def __init__(self: Any, *values: Any, **named: Any) -> None:
        """Set the fields, in order or by name.

        Raises: TypeError for a field that is missing, and for values of none.
        """
        own = fields(self)
        given = {**dict(zip((each.name for each in own), values, strict=False)), **named}
        unfit = len(given) < len(values) + len(named)
        for each in own:
            if each.name in given:
                value = given.pop(each.name)
            elif each.default is not MISSING:
                value = each.default
            elif each.default_factory is not MISSING:
                value = each.default_factory()
            else:
                raise TypeError(f"{type(self).__name__} needs {each.name}")
            object.__setattr__(self, each.name, value)
        if given or unfit:
            raise TypeError(f"{type(self).__name__} has the fields {', '.join(each.name for each in own)}")

    def __repr__(self) -> str:
        names: Any = vars(type(self))["__dataclass_fields__"]
        parts = (f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__qualname__}({', '.join(parts)})"

    def __eq__(self, other: object) -> bool:
        return _values(self) == _values(other) if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash(_values(self))

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), _values(self)
