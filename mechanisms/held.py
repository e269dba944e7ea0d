"""Generators and open files that outlive a run: those that all code shares, and those that a program holds. Their
states are compared before and after a run, so a use is noticed even if C code makes it.
"""

import gc
import io
import os
import random
import stat
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from types import (
    BuiltinFunctionType,
    CellType,
    FunctionType,
    GeneratorType,
    MappingProxyType,
    MethodType,
    ModuleType,
    SimpleNamespace,
)
from typing import Any

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.outside import HIDDEN, randomness

MOST_HELD = 200_000
"""The number of objects that are searched for generators that a program holds."""
DEVICE = "a device"
FILE: Any = io.IOBase.__base__  # no abstract class, which would be slow to ask
HOLDERS = (
    *(list, tuple, dict, set, frozenset, deque, CellType, MethodType, BuiltinFunctionType),
    *(partial, SimpleNamespace, MappingProxyType, GeneratorType),
)


def _global_generators(held: Iterable[Any] = ()) -> dict[str, Any]:
    """Return the states of the generators that all code shares, and of those that are held, by name."""
    states: dict[str, Any] = {"the random module": random.getstate()}
    if numpy := sys.modules.get("numpy"):
        state = numpy.random.get_state(legacy=False)
        name, inner = "numpy.random, or imports it while it runs", state["state"]
        states[name] = inner["key"].tobytes(), inner["pos"], state["has_gauss"]
    if get_state := getattr(sys.modules.get("torch"), "get_rng_state", None):
        states["the generator of torch"] = get_state().tolist()
    for i, item in enumerate(held):
        kept = "keeps open" if isinstance(item, FILE) else "keeps"
        states[f"a {type(item).__qualname__} that it {kept} between runs (number {i + 1})"] = _state(item)
    return states


@contextmanager
def refuse_shared_generators(spaces: Iterable[dict[str, Any]] = (), program: object = None) -> Iterator[None]:
    """Run the body and raise if it used a generator that all code shares, even through C code.

    The same holds for generators made before that the program, or the given globals, hold.

    Raises: Hidden naming the generator, also where the body raises Unauditable without a name.
    """
    held = _held_generators(spaces, program)
    for item in held:
        if _state(item) is DEVICE:
            raise randomness(f"an open device, pipe or connection that it keeps between runs, {item.name!r}")
    before = _global_generators(held)
    try:
        yield
    except Unauditable as error:
        if HIDDEN not in str(error):
            _refuse(_changed(before, held))
        raise
    _refuse(_changed(before, held))


def _refuse(changed: list[str]) -> None:
    if changed:
        raise randomness(changed[0])


def _changed(before: dict[str, Any], held: list[Any]) -> list[str]:
    return [name for name, state in _global_generators(held).items() if before.get(name) != state]


def _held_generators(spaces: Iterable[dict[str, Any]], program: object) -> list[Any]:
    """Return the generators that modules hold: in globals, containers, closures, defaults, classes and instances."""
    spaces = list(spaces)
    own = {space.get("__name__") for space in spaces}
    pending: deque[Any] = deque([program, *(value for space in spaces for value in list(space.values()))])
    seen: dict[int, Any] = {}
    kinds = _kinds()
    while pending and len(seen) < MOST_HELD:
        item = pending.popleft()  # what is near first
        kind = type(item)
        if kind is FunctionType or isinstance(item, type):
            follow = item.__module__ in own or kind.__module__ in own
        else:
            follow = (kind.__module__ in own or issubclass(kind, HOLDERS)) and gc.is_tracked(item)
        if not (follow or isinstance(item, kinds)) or (name := id(item)) in seen:
            continue
        seen[name] = item
        if kind is FunctionType:
            pending += [item.__defaults__, item.__kwdefaults__, item.__closure__, item.__dict__]
        elif issubclass(kind, HOLDERS):
            pending += (part for part in gc.get_referents(item) if not isinstance(part, ModuleType))
        else:
            pending += gc.get_referents(item) if kind.__module__ in own else []
            pending += vars(item).values() if isinstance(item, type) and item.__module__ in own else []
    return [item for item in seen.values() if isinstance(item, kinds) and _state(item) is not None]


def _kinds() -> tuple[type, ...]:
    """Return the types of generators and open files, as far as their libraries are imported."""
    return random.Random, FILE, *_numpys()


def _numpys() -> tuple[type, ...]:
    """Return numpy's types of generators, of their bits and of their seeds."""
    numpy: Any = sys.modules.get("numpy")
    names = ("Generator", "RandomState", "BitGenerator", "SeedSequence")
    return () if numpy is None else tuple(getattr(numpy.random, name) for name in names)


def _state(item: Any) -> Any:
    """Return the state of a generator of `random` or numpy, or of a file; None for the system's and anything else.

    Of numpy's that is the state of the bits, and of the seeds that `spawn` takes others from.
    """
    if isinstance(item, FILE):
        return _place(item)
    if isinstance(item, random.Random):
        return item.getstate() if type(item).getstate is random.Random.getstate else None
    if not isinstance(item, _numpys()):
        return None
    bits: Any = getattr(item, "bit_generator", getattr(item, "_bit_generator", item))
    return repr((bits.state, getattr(getattr(bits, "seed_seq", None), "state", None)))


def _place(file: Any) -> Any:
    """Return the position in a file, DEVICE if it is not a regular file, None if it is not read or is in memory."""
    if isinstance(file, (io.BytesIO, io.StringIO)):
        return None
    try:
        number = file.fileno()
        if not file.readable() or number == 0 or os.isatty(number):
            return None
        if not stat.S_ISREG(os.fstat(number).st_mode):
            return None if file.name == os.devnull else DEVICE
        return file.tell(), os.lseek(number, 0, os.SEEK_CUR)
    except (OSError, ValueError, AttributeError):
        return None
