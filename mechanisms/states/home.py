"""The data that all runs of one reading share: analyses by code object, names, words met."""

from __future__ import annotations

import sys
import types
from typing import Any

from dpcert.mechanisms.states.bytecode import Analysis, analyse
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.library import is_library
from dpcert.mechanisms.states.names import imported, nested


class Home:
    """What all runs of one reading share."""

    def __init__(self) -> None:
        self.alive: list[Any] = []  # tokens hold the addresses of these
        self.names: dict[types.CodeType, tuple[str, ...]] = {}
        self.imports: dict[types.CodeType, tuple[types.ModuleType, ...]] = {}
        self.ids: set[int] = set()
        self.singles: dict[types.CodeType, set[str]] = {}  # shared variables of executed code that hold single objects
        self.by_address: dict[int, Analysis] = {}
        self.of_tuples: set[str] = set()  # names of methods of the program's classes of tuples
        self.trusted: set[str] = set()  # names taken to mean what they meant when they were loaded, or first met
        self.stored: set[str] = set()  # names of attributes that executed code assigns to
        self.reaches: dict[types.CodeType, str] = {}  # code that names what a library keeps, with its words
        self.told: set[tuple[types.CodeType, int]] = set()  # code, and its globals by address, that some walk told
        self.executed: dict[tuple[types.CodeType, int], str] = {}  # the user's that was executed, with its place

    def analysis(self, code: types.CodeType) -> Analysis:
        """Return the analysis of a code object, made once."""
        found = self.by_address.get(id(code))
        if found is None:
            found = self.by_address[id(code)] = analyse(code)  # keeps the code object alive
        return found

    def address(self, value: Any) -> int:
        """Return a number that no other object ever gets, for an object that is kept alive from now on."""
        if id(value) not in self.ids:
            self.ids.add(id(value))
            self.alive.append(value)
        return id(value)

    def names_of(self, code: types.CodeType) -> tuple[str, ...]:
        """Return the names that a code object and those in it may look up, in texts as well."""
        found = self.names.get(code)
        if found is None:
            names: dict[str, None] = {}
            for each in nested(code):
                names.update(dict.fromkeys(each.co_names))
                names.update({text: None for text in each.co_consts if type(text) is str and text.isidentifier()})
            found = self.names[code] = tuple(names)
        return found

    def imports_of(self, code: types.CodeType) -> tuple[types.ModuleType, ...]:
        """Return the modules of libraries that a code object, or one in it, imports, as far as they are loaded."""
        found = self.imports.get(code)
        if found is None:
            words = {name for each in nested(code) for name in imported(each) if is_library(name)}
            tops = {name.partition(".")[0] for name in words}
            loaded = [sys.modules.get(name) for name in sorted(words | tops)]
            found = self.imports[code] = tuple(each for each in loaded if isinstance(each, types.ModuleType))
        return found

    def tell(self, code: types.CodeType, space: dict[str, Any]) -> None:
        """Note that a walk visits what a code object, and those in it, name among their globals."""
        address = self.address(space)
        if (code, address) not in self.told:
            self.told.update((each, address) for each in nested(code))

    def join(self, other: Home) -> None:
        """Add what another reading noted of the code that it executed, and of the names that it relied on."""
        self.trusted |= other.trusted
        self.stored |= other.stored

    def exchanged(self) -> str | None:
        """Return why a name that was assumed to keep its meaning may have another, or None."""
        both = self.trusted & self.stored
        return f"{min(both)!r} is assigned to, and taken to mean what it meant" if both else None

    def conclude(self) -> None:
        """Look back on all that was executed.

        Raises: NotRead where some of it may have kept state that no walk told.
        """
        words = self.exchanged()
        if words is not None:
            raise NotRead(words)
        untold = [place for code, place in self.executed.items() if code not in self.told]
        if untold:
            raise NotRead(f"{untold[0]}: it is called, and was not found by its name")
