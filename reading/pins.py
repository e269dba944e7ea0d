"""Objects of the host by reference: each has one number in a law, and a path by which a fresh process finds it again.

A row of the table says how an object was reached first: from the object of which row, by which step. Nothing of the
table outlives the law.
"""

import sys
from collections.abc import Callable
from pathlib import PurePath
from typing import Any

import numpy

from dpcert.reading.errors import Refused

Row = tuple[int, str, Any]


def _named(thing: Any, how: str, step: Any, parent: Any) -> Any:
    """The name of a step for people: of a module for its globals, of a variable for a cell or a default."""
    match how:
        case "program":
            return getattr(thing, "__name__", "the program")
        case "globals":
            return PurePath(thing.get("__file__") or thing.get("__name__") or "").stem  # by any name it is loaded under
        case "cell":
            return parent.__code__.co_freevars[step]
        case "default":
            code = parent.__code__
            return code.co_varnames[code.co_argcount - len(parent.__defaults__) + step]
    return step


class Pins:
    """The table of one law. Rows 0 and 1 are the program and its input; `link` decodes a code object.

    `drawn` is what some run rests on: the generators that it draws from, by number, with None for those that it makes
    or is handed, and the functions that are followed by bounds, by name. A program that is handed coins `draws` from
    nothing else.
    """

    def __init__(self, program: Any, value: Any, link: Callable[[Any], Any]) -> None:
        self.link = link
        self.rows: list[Row] = [(-1, "program", None), (-1, "input", None)]
        self.objects: list[Any] = [program, value]
        self.numbers: dict[int, int] = {id(program): 0}
        self.codes: dict[int, Any] = {}
        self.known: dict[tuple[int, str], Any] = {}
        self.contents: dict[int, Any] = {}  # what objects hold that hold no others which can change
        self.drawn: set[int | str | None] = set()
        self.draws = False

    def pin(self, thing: Any, parent: int, step: str, name: Any = None) -> int:
        """Return the number of an object, which is now reached from that of row `parent` by a step."""
        number = self.numbers.get(id(thing))
        if number is None:
            number = self.numbers[id(thing)] = len(self.rows)
            self.rows.append((parent, step, name))
            self.objects.append(thing)
        return number

    def number(self, thing: Any) -> int:
        """Return the number of an object that is pinned already, or that its module has under its name.

        Raises: Refused for an object that came from nowhere.
        """
        number = self.numbers.get(id(thing))
        if number is None:
            self.builtin(thing)
            number = self.numbers[id(thing)]
        return number

    def builtin(self, thing: Any) -> Any:
        """Return an object that its module has under its own name, pinned."""
        if isinstance(thing, numpy.dtype):
            self.pin(thing, -1, "dtype", thing.char)
        module, name = getattr(thing, "__module__", None) or "builtins", getattr(thing, "__name__", "")
        home = getattr(thing, "__objclass__", None)
        if home is not None and vars(home).get(name) is thing:
            self.pin(thing, self.number(home), "static", name)
        if id(thing) not in self.numbers:
            if getattr(sys.modules.get(module), name, None) is not thing:
                raise Refused(f"{module}.{name or type(thing).__name__} is not found again under its name")
            self.pin(thing, self.module(module), "attribute", name)
        return thing

    def code(self, host: Any) -> Any:
        """Return a pinned code object, decoded."""
        found = self.codes.get(id(host))
        if found is None:
            found = self.codes[id(host)] = self.link(host)
        return found

    def module(self, name: str) -> int:
        """Return the number of a module."""
        return self.pin(sys.modules[name], -1, "module", name)

    def words(self, number: int, name: str = "") -> str:
        """An attribute of an object by its number, or the object, in words for people: names along its path."""
        names = [name] if name else []
        while number >= 0:
            known = self.objects[number]
            number, how, step = self.rows[number]
            step = _named(known, how, step, self.objects[number])
            names += [step] if type(step) is str and not step.startswith("__") else []
        return ".".join(names[1::-1])
