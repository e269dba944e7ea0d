"""Values of libraries: the rules that the machine asks for those whose classes it does not know itself."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NoReturn

from dpcert.reading.errors import Refused
from dpcert.reading.values import Value


class Foreign:
    """The operations on values of one class. Each is refused by name, unless a class of rules below allows it."""

    name = "value of a library"
    pace = 1  # how far an iteration moves on with each item
    rank = 0  # whose rules hold for an operator: those of the greater rank

    def _refuse(self, what: str) -> NoReturn:
        raise Refused(f"{what} of {self.name} is not followed")

    def type_of(self, value: Value) -> Value:
        """The type of a value."""
        self._refuse("the type")

    def take(self, importer: Any, value: Any, parent: int, step: str, name: Any) -> Value:
        """A value of the host, reached from row `parent` by a step, as a value of the machine."""
        self._refuse("a value that was there before")

    def content(self, thing: Any) -> list[Any] | None:
        """The whole content of a value of the host; None where its attributes are the whole content."""
        return None

    def twin(self, value: Value) -> Any:
        """A host value of the type, on which CPython raises the same TypeError."""
        self._refuse("an operation")

    def to_host(self, value: Value) -> Any:
        """A plain copy of a value."""
        self._refuse("a copy")

    def outcome(self, m: Any, value: Value) -> Any:
        """A value as an outcome."""
        self._refuse("an outcome")

    def parts(self, value: Value) -> list[Value]:
        """The values that it holds."""
        self._refuse("the content")

    def attribute(self, m: Any, owner: Value, name: str) -> Value:
        """The value of `owner.name`."""
        self._refuse(name)

    def call(self, m: Any, owner: Value, name: str, args: tuple[Value, ...], keywords: dict[str, Value]) -> Value:
        """The result of `owner.name(...)`."""
        self._refuse(name)

    def binary(self, m: Any, name: str, in_place: bool, a: Value, b: Value) -> Value:
        """The result of `a + b` and its like."""
        self._refuse(name)

    def unary(self, m: Any, name: str, value: Value) -> Value:
        """The result of `-value` and its like."""
        self._refuse(name)

    def compare(self, m: Any, sign: str, a: Value, b: Value) -> Value:
        """The answer of `a < b` and its like."""
        self._refuse("a comparison")

    def truth(self, m: Any, value: Value) -> Value:
        """Whether a value is true."""
        self._refuse("the truth")

    def contains(self, m: Any, value: Value, container: Value) -> Value:
        """Whether a container holds a value."""
        self._refuse("membership")

    def length(self, value: Value) -> Value:
        """The value of `len(value)`."""
        self._refuse("the length")

    def begin(self, value: Value) -> None:
        """Check that a value can be iterated over."""
        self._refuse("iteration")

    def own(self, m: Any, value: Value) -> list[Value] | None:
        """The rows that an iteration gives, last one first, where its iterator alone refers to them; else None."""
        return None

    def rows(self, value: Value) -> list[Value]:
        """All items of an iteration over a value, where nothing can change on the way."""
        self._refuse("iteration")

    def item(self, value: Value, place: int) -> Value:
        """The next item of an iteration over a value; MISSING at its end."""
        self._refuse("iteration")

    def get_item(self, m: Any, owner: Value, place: Value) -> Value:
        """The value of `owner[place]`."""
        self._refuse("an index")

    def set_item(self, m: Any, owner: Value, place: Value, value: Value) -> None:
        """Do `owner[place] = value`."""
        self._refuse("an assignment")

    def convert(self, m: Any, host: Callable[..., Any], args: tuple[Value, ...]) -> Value:
        """The value of `float(value)`, `int(value)`, `abs(value)` or `round(value)`."""
        self._refuse(getattr(host, "__name__", "a call"))


@dataclass(frozen=True, slots=True)
class Tables:
    """Rules that a machine of one kind has, which come before those of the tables of all.

    `rules` are for functions and `followed` for functions of numpy on undecided values, by their ids; `elements` are
    for ufuncs, and `methods` for those of undecided numbers of numpy's types.
    """

    rules: Mapping[int, Callable[..., Any]] = field(default_factory=lambda: MappingProxyType({}))
    elements: Mapping[Any, Callable[..., Any]] = field(default_factory=lambda: MappingProxyType({}))
    methods: Mapping[str, Callable[..., Any]] = field(default_factory=lambda: MappingProxyType({}))
    followed: Mapping[int, Callable[..., Any]] = field(default_factory=lambda: MappingProxyType({}))


NO_TABLES = Tables()
FOREIGN: dict[type, Foreign] = {}  # by the class of a record
IMPORTED: dict[type, Foreign] = {}  # by the class of a value of the host


def foreign(*values: Value) -> Foreign | None:
    """The rules of the first value of the greatest rank that has rules of a library, or None."""
    found = None
    for value in values:
        other = FOREIGN.get(value.__class__)
        if other is not None and (found is None or other.rank > found.rank):
            found = other
    return found


def foreign_import(kind: type) -> Foreign | None:
    """The rules of a library for taking over values of a class of the host, or None."""
    return IMPORTED.get(kind)
