"""The zoo: every mechanism with a fault. Each module of `broken/` holds those of one correct mechanism."""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

from dpcert.mechanisms import broken
from dpcert.mechanisms.catalogue import MECHANISMS
from dpcert.mechanisms.mechanism import Fault, Mechanism


def _faulty() -> Iterator[tuple[Fault, Mechanism]]:
    for found in iter_modules(broken.__path__):
        module = import_module(f"dpcert.mechanisms.broken.{found.name}")
        for value in vars(module).values():
            if isinstance(value, Mechanism) and value.fault is not None:
                yield value.fault, value


_PLACES = {mechanism.name: place for place, mechanism in enumerate(MECHANISMS)}

ZOO: tuple[Mechanism, ...] = tuple(
    mechanism for _, mechanism in sorted(_faulty(), key=lambda pair: _PLACES[pair[0].of.name])
)
"""The faults, in the order of the correct mechanisms in the catalogue, and of one of these as its module has them."""
