"""The closed registry of what ships: every built-in mechanism by name.

The first look-up of a mechanism imports the modules of all correct ones: most processes audit a file, and need none.
The first look-up of any other name imports the zoo.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.mechanisms.nearest import nearest


def _by_name(mechanisms: tuple[Mechanism, ...]) -> Mapping[str, Mechanism]:
    return MappingProxyType({mechanism.name: mechanism for mechanism in mechanisms})


@cache
def _correct() -> Mapping[str, Mechanism]:
    from dpcert.mechanisms.catalogue import MECHANISMS

    return _by_name(MECHANISMS)


@cache
def _faulty() -> Mapping[str, Mechanism]:
    from dpcert.mechanisms.zoo import ZOO

    return _by_name(ZOO)


class BuiltIn(Mapping[str, Mechanism]):
    """Every built-in mechanism by its name."""

    __slots__ = ()

    def __getitem__(self, name: str) -> Mechanism:
        return _correct()[name] if name in _correct() else _faulty()[name]

    def __iter__(self) -> Iterator[str]:
        yield from _correct()
        yield from _faulty()

    def __len__(self) -> int:
        return len(_correct()) + len(_faulty())


BUILT_IN: Mapping[str, Mechanism] = BuiltIn()


def __getattr__(name: str) -> tuple[Mechanism, ...]:
    """Return `MECHANISMS`, the correct ones, or `ZOO`, those with a fault."""
    if name not in ("MECHANISMS", "ZOO"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return tuple((_correct() if name == "MECHANISMS" else _faulty()).values())


def find(name: str) -> Mechanism:
    """Return the built-in mechanism of that name.

    Raises: InputError with the nearest name.
    """
    if name in BUILT_IN:
        return BUILT_IN[name]
    raise InputError(
        given=f"target {name!r}",
        needed="a name from `dpcert list`, FILE.py, FILE.py:function, a folder, or zoo",
        remedy=nearest(name, [*BUILT_IN, "zoo"], "see `dpcert list`"),
    )
