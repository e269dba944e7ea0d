"""The rules of pandas' values on the machine.

pandas itself runs an operation on plain values, which are made anew each time. A Series of numbers keeps them in an
array. Where some are undecided, pandas works on a Series of ones, which gives the labels, the name, the type and the
errors of a result; the rules of arrays give the numbers. An operation that selects numbers is run by pandas on their
places. All else is refused.
"""

from __future__ import annotations

import inspect
import operator
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dpcert.reading import border
from dpcert.reading.domains.steps import BINARY, COMPARED
from dpcert.reading.errors import Refused, words
from dpcert.reading.foreign import FOREIGN, IMPORTED, Foreign
from dpcert.reading.numpy.elementwise import operated
from dpcert.reading.numpy.following import applied, is_undecided
from dpcert.reading.numpy.items import item, store
from dpcert.reading.numpy.memory import CODES, LARGEST, Call, fresh
from dpcert.reading.numpy.methods import METHODS
from dpcert.reading.numpy.records import Array
from dpcert.reading.operators import UNARY
from dpcert.reading.pandas.records import Part, Series, Table
from dpcert.reading.values import NUMBERS, Dict, List, Rule, Undecided, Value
from dpcert.reading.whitelist import KEYWORDS, rule

pandas: Any = sys.modules["pandas"]  # this module is loaded only where pandas is
Keywords = dict[str, Value]
INSTEAD = "is not followed; take .to_numpy()"
FOLLOWED = frozenset(words("add sub mul truediv"))
OPERATORS = FOLLOWED | frozenset(words("and or xor"))
NAMES = frozenset(words("name shape size ndim empty"))
INDEXES = frozenset({pandas.Index, pandas.RangeIndex, pandas.MultiIndex})
ATTRIBUTES = {
    pandas.Series: NAMES | frozenset({"index", "dtype"}),
    pandas.DataFrame: NAMES | frozenset({"index", "columns"}),
    **dict.fromkeys(INDEXES, NAMES | frozenset({"names"})),
}
MADE = {pandas.Series: words("data index dtype name"), pandas.DataFrame: words("data index columns")}
METHODS_OF_PANDAS: dict[str, list[str]] = {
    **{name: [] for name in words("sum mean min max count nunique any all copy to_list tolist to_dict")},
    "head": ["n"],
    "tail": ["n"],
    "isin": ["values"],
    "fillna": ["value"],
    "astype": ["dtype"],
    "round": ["decimals"],
    "sort_index": ["ascending"],
    "sort_values": ["by", "ascending"],
    "clip": ["lower", "upper"],
    "reindex": ["index", "fill_value"],
    "value_counts": ["normalize", "sort", "ascending", "dropna"],
    "groupby": ["by", "sort", "observed", "dropna"],
}
"""The methods, with the parameters that a call may give: none that writes, shares memory, or takes a function."""
OF_GROUPS = frozenset(words("size count sum mean min max nunique"))


# -- to pandas, and back


def form_of(found: Any) -> Any:
    """The whole content of a value of pandas, as rows of scalars.

    Raises: Refused for a value that has more than such rows record, and for a large value: each state would hold it.
    """
    kind = type(found)
    if kind in MADE and (found.attrs or found.flags != PLAIN_FLAGS):
        raise Refused(f"a {kind.__name__} of pandas with attrs or flags {INSTEAD}")
    if kind is pandas.DataFrame:
        columns = tuple(_column(found.iloc[:, place]) for place in range(found.shape[1]))
        return "DataFrame", columns, form_of(found.index), form_of(found.columns)
    if kind is pandas.Series:
        return "Series", _column(found), form_of(found.index), border.from_host(found.name)
    if kind is pandas.RangeIndex:
        return "RangeIndex", found.start, found.stop, found.step, border.from_host(found.name)
    if kind is pandas.MultiIndex:
        codes = tuple(np.asarray(each, int).tobytes() for each in found.codes)
        return "MultiIndex", tuple(map(form_of, found.levels)), codes, tuple(map(border.from_host, found.names))
    if kind is pandas.Index:
        return "Index", _column(found), border.from_host(found.name)
    raise Refused(f"a {kind.__name__} of pandas {INSTEAD}")


PLAIN_FLAGS = pandas.Series([0]).flags


def _column(found: Any) -> tuple[Any, ...]:
    """The numbers or texts of a Series or an Index, with their type."""
    dtype = found.dtype
    if is_numeric(dtype) and found.size * dtype.itemsize <= LARGEST:
        return dtype.char, found.to_numpy().tobytes()
    if type(dtype) is not pandas.StringDtype or found.size > LARGEST >> 6:
        raise Refused(f"{found.size:,} values of the type {dtype} of pandas are not followed; use numbers and texts")
    texts = tuple(None if missing else str(each) for each, missing in zip(found, found.isna(), strict=True))
    return "", dtype.storage, dtype.na_value is pandas.NA, texts


def is_numeric(dtype: Any) -> bool:
    """Whether a type is one of numpy's truth values or numbers."""
    return isinstance(dtype, np.dtype) and dtype.char in CODES and dtype.isnative


def _array(code: str, *content: Any) -> Any:
    if code:
        return np.frombuffer(content[0], code).copy()
    storage, missing, texts = content
    return pandas.array(texts, dtype=pandas.StringDtype(storage, pandas.NA if missing else np.nan))


def whole_of(value: Any) -> Any:
    """The value of pandas that the form of a record describes."""
    return _made_of(*value.items)


def _made_of(kind: str, *parts: Any) -> Any:
    match kind, parts:
        case "DataFrame", (columns, index, names):
            rows, labels = _made_of(*index), _made_of(*names)
            found = pandas.DataFrame({place: _array(*each) for place, each in enumerate(columns)}, index=rows)
            found.columns = labels
            return found
        case "Series", (column, index, name):
            return pandas.Series(_array(*column), index=_made_of(*index), name=name)
        case "RangeIndex", (start, stop, step, name):
            return pandas.RangeIndex(start, stop, step, name=name)
        case "MultiIndex", (levels, codes, names):
            places = [np.frombuffer(each, int) for each in codes]
            return pandas.MultiIndex([_made_of(*each) for each in levels], places, names=names)
    column, name = parts
    return pandas.Index(_array(*column), name=name)


def series(values: Value, like: Any) -> Series:
    """A Series of an array's numbers, with the labels and the name of one of pandas'."""
    if values.__class__ is not Array or np.dtype(values.base.dtype) != like.dtype or values.shape != like.shape:
        raise Refused(f"an operation of pandas that makes another type or shape than that of numpy {INSTEAD}")
    return Series(form_of(pandas.Series(np.ones(len(like), like.dtype), index=like.index, name=like.name)), values)


def taken(found: Any) -> Value:
    """A result of pandas, as a value of the machine.

    Raises: Refused for a result that is not known whole.
    """
    if type(found) not in ATTRIBUTES:
        return Call().from_host(found)
    items = form_of(found)
    numbers = type(found) is pandas.Series and is_numeric(found.dtype)
    return series(fresh(found.to_numpy().copy()), found) if numbers else Table(items)


def to_pandas(value: Value, twins: bool = False) -> Any:
    """A value for pandas; with `twins`, ones stand for undecided numbers.

    Raises: Ask or Refused for undecided numbers without `twins`.
    """
    kind = value.__class__
    if kind is Table:
        return whole_of(value)
    if kind is Series:
        like = whole_of(value)
        return pandas.Series(Call(twins).array(value.values).copy(), index=like.index, name=like.name)
    if kind is tuple or kind is List:
        parts = [to_pandas(part, twins) for part in (value if kind is tuple else value.items)]
        return tuple(parts) if kind is tuple else parts
    if kind is Dict and value.kind is dict:
        return {border.to_host(key): to_pandas(part, twins) for key, part in value.pairs()}
    found = Call(twins).to_host(value)
    return found.copy() if kind is Array else found


def run(function: Callable[..., Any], args: tuple[Value, ...], keywords: Keywords, twins: bool = False) -> Any:
    """The result of a function of pandas. Raises: Thrown with its exception; as `to_pandas`."""
    named = {key: to_pandas(each, twins) for key, each in keywords.items()}
    return Call().run_hosts(function, [to_pandas(each, twins) for each in args], named)


def is_noisy(*values: Value) -> bool:
    """Whether some value has an undecided number."""
    parts = [part for each in values if each.__class__ is Dict for _, part in each.pairs()]
    parts += [part for each in values if each.__class__ is List for part in each.items]
    parts += [part for each in values if each.__class__ is tuple for part in each]
    return any(is_undecided(each.values if each.__class__ is Series else each) for each in (*values, *parts))


def check_call(function: Any, args: tuple[Value, ...], keywords: Keywords, allowed: Sequence[str]) -> None:
    """Raises: Refused for a call with a parameter that is not allowed, or that does not bind."""
    try:
        given = inspect.signature(function).bind(*args, **keywords).arguments.keys() - {"self", *allowed}
    except TypeError as error:
        raise Refused(f"{function.__name__} of pandas: {error}") from None
    if given:
        raise Refused(f"{function.__name__} of pandas with {min(given)}= {INSTEAD}")


def _made(cls: Any) -> Callable[..., Value]:
    def make(m: Any, *args: Value, **keywords: Value) -> Value:
        check_call(cls, args, keywords, MADE[cls])
        if not is_noisy(*args, *keywords.values()):
            return taken(run(cls, args, keywords))
        data = keywords.get("data", args[0] if args else None)
        if cls is not pandas.Series or data.__class__ is not Array:
            raise Refused(f"a {cls.__name__} of undecided numbers, but for a Series of an array, {INSTEAD}")
        return series(_copy(m, data), run(cls, args, keywords, twins=True))

    return make


def _copy(m: Any, array: Array) -> Any:
    return applied(m, np.ndarray.copy, METHODS["copy"], (array,), {})


class Pandas(Foreign):
    """The rules of values of pandas."""

    name = "a value of pandas"
    rank = 1

    def _refuse(self, what: str) -> Any:
        raise Refused(f"{what} of {self.name} {INSTEAD}")

    def type_of(self, value: Value) -> Value:
        """The class."""
        return self._refuse("the type of a part") if value.__class__ is Part else type(whole_of(value))

    def take(self, importer: Any, value: Any, parent: int, step: str, name: Any) -> Value:
        """A value of the host, which is not written to."""
        number = importer.pins.pin(value, parent, step, name)
        known = importer.imports.get(number)
        if known is None:
            known = taken(value)
            if not importer.owned:
                known.origin, importer.imports[number] = number, known
        return known

    def content(self, thing: Any) -> list[Any]:
        """The whole content of a value of the host."""
        return [repr(form_of(thing)).encode()]

    def length(self, value: Value) -> Value:
        """The number of rows."""
        return self._refuse("the length of a part") if value.__class__ is Part else len(whole_of(value))

    def truth(self, m: Any, value: Value) -> Value:
        """Raises: Thrown with pandas' exception."""
        return run(bool, (value,), {}, twins=True)

    def contains(self, m: Any, value: Value, container: Value) -> Value:
        """Whether there is such a label."""
        return run(operator.contains, (container, border.to_host(value)), {}, twins=True)

    def _computed(self, host: Callable[..., Any], follow: Callable[..., Value], *values: Value) -> Value:
        if not is_noisy(*values):
            return taken(run(host, values, {}))
        if any(each.__class__ not in (Series, Array, Undecided, *NUMBERS) for each in values):
            self._refuse("an operator on other values than numbers")
        like = run(host, values, {}, twins=True)
        if not all(whole_of(each).index.equals(like.index) for each in values if each.__class__ is Series):
            self._refuse("an operator on Series of different labels")
        return series(follow(*(each.values if each.__class__ is Series else each for each in values)), like)

    def binary(self, m: Any, name: str, in_place: bool, a: Value, b: Value) -> Value:
        """The result of + - * /; for plain values of & | ^, too."""
        if name not in (FOLLOWED if is_noisy(a, b) else OPERATORS) or in_place:
            self._refuse(f"{name} in place" if in_place else name)
        return self._computed(BINARY[name], lambda *each: operated(m, name, BINARY[name], *each), a, b)

    def unary(self, m: Any, name: str, value: Value) -> Value:
        """The result of -; for plain values of ~, too."""
        if name == "pos" or (name != "neg" and is_noisy(value)):
            self._refuse(name)
        return self._computed(UNARY[name], lambda each: operated(m, name, UNARY[name], each), value)

    def compare(self, m: Any, sign: str, a: Value, b: Value) -> Value:
        """The result of a comparison."""
        return self._computed(COMPARED[sign], lambda *each: operated(m, sign, COMPARED[sign], *each), a, b)

    def attribute(self, m: Any, owner: Value, name: str) -> Value:
        """An attribute that depends on labels and types alone, a column, or a method of the table."""
        if owner.__class__ is Part:
            return Rule(name, owner) if owner.way == "groupby" and name in OF_GROUPS else self._refuse(name)
        like = whole_of(owner)
        if name in ("loc", "iloc") and type(like) in MADE:
            return Part(name, owner)
        if name == "values" and owner.__class__ is Series:
            return self.call(m, owner, "to_numpy", (), {})
        if name in ATTRIBUTES[type(like)] or (name in getattr(like, "columns", ()) and not hasattr(type(like), name)):
            return taken(getattr(like, name))
        known = name == "to_numpy" or (name in METHODS_OF_PANDAS and hasattr(like, name))
        return Rule(name, owner) if known else self._refuse(name)

    def call(self, m: Any, owner: Value, name: str, args: tuple[Value, ...], keywords: Keywords) -> Value:
        """The result of a method of the table."""
        if owner.__class__ is Part:
            return self._grouped(owner, name, args, keywords)
        if name == "to_numpy":
            if owner.__class__ is not Series or args or keywords:
                self._refuse("to_numpy, but without arguments and of one column of numbers,")
            owner.shown, found = True, _copy(m, owner.values)
            found.writeable = False
            return found
        method = getattr(type(whole_of(owner)), name)
        check_call(method, (owner, *args), keywords, METHODS_OF_PANDAS[name])
        if name == "groupby":
            return Part(name, owner, (args, Dict({key: (key, each) for key, each in keywords.items()})))
        if name == "copy" and owner.__class__ is Series:
            return Series(owner.items, _copy(m, owner.values))
        if is_noisy(owner, *args, *keywords.values()):
            self._refuse(f"{name} of undecided numbers")
        return taken(run(method, (owner, *args), keywords))

    def _grouped(self, part: Part, name: str, args: tuple[Value, ...], keywords: Keywords) -> Value:
        if args or keywords or is_noisy(part.owner, *part.args):
            self._refuse(f"{name} of groups with arguments, or of undecided numbers,")

        def of_groups(whole: Any, given: Any, named: Any, *columns: Any) -> Any:
            groups = whole.groupby(*given, **named)
            return getattr(groups[columns[0]] if columns else groups, name)()

        return taken(run(of_groups, (part.owner, *part.args), {}))

    def _placed(self, owner: Series, show: Callable[[Any], Any]) -> Any:
        """The places of the numbers that pandas selects: an integer for one, a Series for several."""
        like = whole_of(owner)
        places = pandas.Series(np.arange(len(like)), index=like.index, name=like.name)
        found = Call().run_hosts(show, [places], {})
        return found if found.dtype == places.dtype else self._refuse("a label that is not there")

    def get_item(self, m: Any, owner: Value, place: Value) -> Value:
        """The part that an index selects."""
        inner, way = (owner.owner, owner.way) if owner.__class__ is Part else (owner, None)
        if way == "groupby":
            return Part(way, inner, (*owner.args, place)) if len(owner.args) == 2 else self._refuse("[]")
        at = to_pandas(place)

        def show(whole: Any) -> Any:
            return (whole if way is None else getattr(whole, way))[at]

        if inner.__class__ is not Series:
            return taken(run(show, (inner,), {}))
        found = self._placed(inner, show)
        if type(found) is not pandas.Series:
            return item(inner.values, int(found))
        return series(item(inner.values, found.to_numpy().copy()), found.astype(inner.values.base.dtype))

    def set_item(self, m: Any, owner: Value, place: Value, value: Value) -> None:
        """Assign a plain number where a mask is true."""
        mask = place.values if place.__class__ is Series else place
        if owner.__class__ is not Series or getattr(getattr(mask, "base", None), "dtype", None) != "?":
            self._refuse("an assignment, but series[mask] = number,")
        if owner.shown or owner.origin is not None or value.__class__ not in NUMBERS:
            self._refuse("an assignment of other than a number, or where others may share the memory,")
        at, twin = to_pandas(place), to_pandas(owner, twins=True)
        Call().run_hosts(operator.setitem, [twin, at, value], {})
        if twin.dtype != np.dtype(owner.values.base.dtype):
            self._refuse("an assignment of another type")
        store(m, owner.values, self._placed(owner, lambda places: places[at]).to_numpy(), value)


for _cls in MADE:
    rule(_cls)(_made(_cls))
    KEYWORDS[id(_cls)] = None
for _record in (Series, Table, Part):
    FOREIGN[_record] = Pandas()
for _cls in ATTRIBUTES:
    IMPORTED[_cls] = FOREIGN[Table]
