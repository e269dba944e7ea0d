"""Generators and open files that outlive a run: those that all code shares, and those that a program holds. Their
states are compared before and after a run, so a use is noticed even if C code makes it.
"""

from __future__ import annotations

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
from operator import is_
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
from dpcert.reading.paths.outside import HIDDEN, randomness

MOST_HELD = 200_000
"""The number of objects that are searched for generators that a program holds."""
DEVICE = "a device"
identity = object.__hash__
"""Tells objects apart as `id` does, but raises no audit event, which would cost more than the search."""
FILE: Any = io.IOBase.__base__  # no abstract class, which would be slow to ask
HOLDERS = (
    *(list, tuple, dict, set, frozenset, deque, CellType, MethodType, BuiltinFunctionType),
    *(partial, SimpleNamespace, MappingProxyType, GeneratorType),
)


def _states(held: Iterable[tuple[Any, Any]]) -> dict[str, Any]:
    """Return the states of the generators that all code shares, and of those that are held, by name.

    `held` has a pair for each of the latter: the generator, and its state.
    """
    states: dict[str, Any] = {"the random module": random.getstate()}
    if numpy := sys.modules.get("numpy"):
        state = numpy.random.get_state(legacy=False)
        name, inner = "numpy.random, or imports it while it runs", state["state"]
        states[name] = inner["key"].tobytes(), inner["pos"], state["has_gauss"]
    if get_state := getattr(sys.modules.get("torch"), "get_rng_state", None):
        states["the generator of torch"] = get_state().tolist()
    for i, (item, state) in enumerate(held):
        kept = "keeps open" if isinstance(item, FILE) else "keeps"
        states[f"a {type(item).__qualname__} that it {kept} between runs (number {i + 1})"] = state
    return states


@contextmanager
def refuse_shared_generators(
    spaces: Iterable[dict[str, Any]] = (), program: object = None, known: Held | None = None
) -> Iterator[None]:
    """Run the body and raise if it used a generator that all code shares, even through C code.

    The same holds for generators made before that the program, or the given globals, hold. `known` are those that an
    earlier body's program was found to hold.

    Raises: Hidden naming the generator, also where the body raises Unauditable without a name.
    """
    held = (known or Held()).states(spaces, program)
    for item, state in held:
        if state is DEVICE:
            raise randomness(f"an open device, pipe or connection that it keeps between runs, {item.name!r}")
    before = _states(held)

    def refuse_changed() -> None:
        after = _states((item, _state(item)) for item, _ in held)
        changed = [name for name, state in after.items() if before.get(name) != state]
        if changed:
            raise randomness(changed[0])

    try:
        yield
    except Unauditable as error:
        if HIDDEN not in str(error):
            refuse_changed()
        raise
    refuse_changed()


class Held:
    """The generators that a program and modules hold, in globals, containers, closures, defaults, classes, instances.

    They are looked for once more only where something that was looked at has other parts than before.
    """

    def __init__(self) -> None:
        self._begin: list[Any] = []  # the program, the kinds of generators, and the globals
        self._looked: dict[int, Any] = {}  # all whose parts tell which generators there are, by identity
        self._classes: list[type] = []  # those among them
        self._parts: list[Any] = []
        self._found: list[Any] = []

    def states(self, spaces: Iterable[dict[str, Any]], program: object) -> list[tuple[Any, Any]]:
        """Return the generators that modules, given by their globals, and a program hold, each with its state."""
        begin = [program, *_kinds(), *spaces]
        if not (_are(begin, self._begin) and _are(self._now(), self._parts)):
            self._looked = {}
            self._begin = begin if self._search(begin, len(begin) - len(list(spaces))) else []
            self._parts = self._now()
        states = ((item, _state(item)) for item in self._found)
        return [(item, state) for item, state in states if state is not None]

    def _now(self) -> list[Any]:
        """Return the parts of all that was looked at, and the modules that classes say they are of."""
        return [*gc.get_referents(*self._looked.values()), *[each.__module__ for each in self._classes]]

    def _search(self, begin: list[Any], first: int) -> bool:
        """Find the generators, what is near first; return whether the search came to its end.

        The program is the first of `begin`, and the globals those from `first` on.
        """
        program, spaces, kinds, looked = begin[0], begin[first:], _kinds(), self._looked
        own = {space.get("__name__") for space in spaces}
        pending: deque[Any] = deque((program, *(value for space in spaces for value in list(space.values()))))
        seen: dict[int, Any] = {}
        dull: set[int] = set()  # types whose instances hold nothing that is searched, such as `str`
        looked.update((identity(space), space) for space in spaces)
        while pending and len(seen) < MOST_HELD:
            item = pending.popleft()
            kind = type(item)
            if identity(kind) in dull or identity(item) in seen:
                continue
            looked[identity(kind)] = kind
            if kind is FunctionType or isinstance(item, type):
                follow = item.__module__ in own or kind.__module__ in own
            elif kind.__module__ in own or issubclass(kind, HOLDERS):
                follow = gc.is_tracked(item)
            else:
                follow = False
                if not isinstance(item, kinds):
                    dull.add(identity(kind))
                    continue
            looked[identity(item)] = item
            if not (follow or isinstance(item, kinds)):
                continue
            seen[identity(item)] = item
            if kind is FunctionType:
                parts = [part for part in (item.__defaults__, item.__closure__) if part]
                named = [part for part in (item.__kwdefaults__, item.__dict__) if part is not None]
                looked.update((identity(part), part) for part in named)
                pending += parts + [part for part in named if part]
            elif issubclass(kind, HOLDERS):
                pending += (part for part in gc.get_referents(item) if not isinstance(part, ModuleType))
            else:
                pending += gc.get_referents(item) if kind.__module__ in own else []
                if isinstance(item, type) and item.__module__ in own:
                    pending += vars(item).values()
                    looked.update((identity(part), part) for part in gc.get_referents(vars(item)))
        self._classes = [item for item in looked.values() if isinstance(item, type)]
        self._found = [item for item in seen.values() if isinstance(item, kinds)]
        return not pending


def _are(items: list[Any], others: list[Any]) -> bool:
    """Whether two lists hold the same objects in the same order."""
    return len(items) == len(others) and all(map(is_, items, others))


def _kinds() -> tuple[type, ...]:
    """Return the types of generators and open files, as far as their libraries are imported."""
    return random.Random, FILE, *numpys_generators()


def numpys_generators() -> tuple[type, ...]:
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
    if not isinstance(item, numpys_generators()):
        return None
    bits: Any = getattr(item, "bit_generator", getattr(item, "_bit_generator", item))
    return _plain(bits.state), _plain(getattr(getattr(bits, "seed_seq", None), "state", None))


def _plain(state: Any) -> Any:
    """Return what a state of numpy's says in a form that can be compared."""
    if isinstance(state, dict):
        return {name: _plain(part) for name, part in state.items()}
    return state.tobytes() if hasattr(state, "tobytes") else repr(state)


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
