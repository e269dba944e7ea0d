"""Operators: arithmetic, comparisons, identity, truth and membership, by the types of their operands.

The host computes exact scalars, their domain computes undecided numbers, and sets are computed by their elements. The
prelude calls the methods of instances, in the order of CPython.
"""

import operator
from collections import Counter, OrderedDict
from collections.abc import Callable
from decimal import Decimal
from enum import Enum
from functools import partial
from types import SimpleNamespace
from typing import Any

from dpcert.reading import containers
from dpcert.reading.border import from_host, is_numpys, mismatch, name_of, native, refuse_numpys, thrown
from dpcert.reading.containers import plain, refuse_set, rows, settle_key
from dpcert.reading.domains import coins as domain
from dpcert.reading.domains.steps import BINARY, COMPARED, TRUTHS, WHOLE, inverted
from dpcert.reading.errors import Refused, Thrown, call_act
from dpcert.reading.floats import functions as near
from dpcert.reading.foreign import FOREIGN, Foreign, foreign
from dpcert.reading.imports import check_scalar, takes_from
from dpcert.reading.numpy.kinds import whole
from dpcert.reading.numpy.records import Array
from dpcert.reading.preludes import asked
from dpcert.reading.types_of import find, is_class, is_iterable, is_number_member, type_of
from dpcert.reading.values import (
    NUMBERS,
    SCALARS,
    TRACEBACK,
    Bound,
    Deque,
    Dict,
    Instance,
    List,
    Mark,
    Named,
    Partial,
    Record,
    Rule,
    Set,
    Slice,
    Super,
    Types,
    Undecided,
    Value,
    View,
)

IN_PLACE: dict[str, Callable[[Any, Any], Any]] = {name: getattr(operator, f"i{name}") for name in BINARY}
REMADE = (Slice, Bound, Rule, Types, Super, View, Partial)  # each look-up may make another object
UNARY: dict[str, Callable[[Any], Any]] = {"neg": operator.neg, "pos": operator.pos, "invert": inverted}
TEXTS = (str, bytes)


def computed(function: Callable[..., Any], *values: Any) -> Value:
    """The result of the host's operation on exact scalars.

    Raises: Thrown with its exception; Refused for a NaN.
    """
    if Decimal in map(type, values):
        return native(function, values)
    try:
        result = function(*values)
    except Exception as fault:
        raise thrown(fault) from None
    return check_scalar(result) if result.__class__ in SCALARS else from_host(result)


def member(value: Value) -> Value:
    """The int of an enum's member that computes as an int; any other value as it is."""
    return int.__int__(value) if is_number_member(value) else value


def _of_bases(compute: Callable[..., Value], *values: Value) -> Value:
    """A result for the ints that members of enums are, and for the tuples that named tuples are.

    Raises: Refused for a TypeError, whose text names the types of these.
    """
    try:
        return compute(*[each.items if each.__class__ is Named else member(each) for each in values])
    except Thrown as thrown:
        if thrown.error.cls is TypeError:
            raise Refused("an error tells the type of a member of an enum, or of a named tuple") from None
        raise


# -- arithmetic


def binary(m: Any, name: str, in_place: bool, a: Value, b: Value) -> Value:
    """The result of `a + b` and its like, or the call that finds it."""
    ta, tb = a.__class__, b.__class__
    if ta in SCALARS and tb in SCALARS:
        return computed((IN_PLACE if in_place else BINARY)[name], a, b)
    if (other := foreign(a, b) or _array_of(a, b)) is not None:
        return other.binary(m, name, in_place, a, b)
    if isinstance(a, Instance) or isinstance(b, Instance) or Counter in (_kind(a), _kind(b)):
        refuse_numpys(a, b)
        if in_place and ta is List and name == "add" and find(m, b, "__radd__") is None:
            return _extended(m, a, b)
        if name == "or" and _kind(a) not in (None, Counter):
            raise Refused("| of a dict and another mapping is not followed; use update")
        if in_place and find(m, a, f"__i{name}__") is not None:
            return asked("in_place", a, b, name)
        return asked("binary", a, b, name, "=" if in_place else "")
    if ta is Undecided or tb is Undecided:
        return _undecided(m, name, in_place, a, b)
    if name == "mod" and ta in TEXTS:
        return native(operator.mod, (a, b))
    if isinstance(a, Enum) or isinstance(b, Enum):
        return _members(m, name, in_place, a, b)
    return _containers(m, name, in_place, a, b)


def _array_of(a: Value, b: Value) -> Foreign | None:
    """The rules of arrays, where a scalar of numpy's makes an array of the list or tuple beside it."""
    beside = a.__class__ in (List, tuple) or b.__class__ in (List, tuple)
    return FOREIGN[Array] if beside and (is_numpys(a) or is_numpys(b)) else None


def _kind(value: Value) -> Any:
    return value.kind if value.__class__ is Dict else None


def _members(m: Any, name: str, in_place: bool, a: Value, b: Value) -> Value:
    if is_number_member(a) or is_number_member(b):
        return _of_bases(partial(binary, m, name, in_place), a, b)
    raise Refused("an operator on a member of an enum is not followed; use its value")


def _undecided(m: Any, name: str, in_place: bool, a: Value, b: Value) -> Value:
    number, other = (a, b) if a.__class__ is Undecided else (b, a)
    found = near.of_floats(m, name, a, b)
    if found is not None:
        return found
    if other.__class__ in NUMBERS or other.__class__ is Undecided:
        return domain.binary(name, a, b)
    if is_number_member(other):
        return _members(m, name, in_place, a, b)
    decided = domain.decide(number)
    return binary(m, name, in_place, *((decided, b) if number is a else (a, decided)))


def _containers(m: Any, name: str, in_place: bool, a: Value, b: Value) -> Value:
    ta, tb = a.__class__, b.__class__
    if name in containers.OPERATIONS and (ta is Set or View in (ta, tb)):
        if (found := _set_operation(name, in_place, a, b)) is not None:
            return found
        if View in (ta, tb):  # which makes a set of any iterable beside it
            raise Refused("an operator on a view and what is no set is not followed")
    if name == "or" and (ta is Types or is_class(a)):
        return _union(in_place, a, b)
    if name == "or" and ta is Dict and tb is Dict:
        return _merged(m, in_place, a, b)
    if ta is List and in_place and name == "add":
        return _extended(m, a, b)
    if name == "add" and ta is tb and ta in (List, tuple):
        return List([*a.items, *b.items]) if ta is List else a + b
    if Named in (ta, tb) and name in ("add", "mul"):
        return _of_bases(partial(_containers, m, name, False), a, b)
    if name == "mul" and (ta in (List, tuple) or tb in (List, tuple)):
        return repeated(in_place, a, b)
    raise mismatch((IN_PLACE if in_place else BINARY)[name], a, b)


def _set_operation(name: str, in_place: bool, a: Value, b: Value) -> Value:
    left, right = containers.keys_of(a), containers.keys_of(b)
    if left is None or right is None:
        return None
    found = containers.combined(name, left, right)
    sets = a.__class__ is b.__class__ is Set  # with keys of a dict, CPython makes a new set
    if in_place and sets and not a.frozen:
        containers.replace(a, found)
        return a
    return Set(found, sets and a.frozen)


def _union(in_place: bool, a: Value, b: Value) -> Types:
    parts = [
        part for each in (a, b) for part in (each.args if each.__class__ is Types and each.of is None else (each,))
    ]
    if all(each is None or is_class(each) or each.__class__ is Types for each in parts):
        return Types(None, tuple(parts))
    raise mismatch((IN_PLACE if in_place else BINARY)["or"], a, b)


def _merged(m: Any, in_place: bool, a: Dict, b: Dict) -> Dict:
    if not in_place and (a.kind is not dict or b.kind is not dict):
        raise Refused("a union of dicts of the standard library's kinds is not followed; use update")
    found = a if in_place else Dict(dict(a.items))
    for name, pair in b.items.items():
        found.put(name, *pair)
    return found


def _extended(m: Any, a: List, b: Value) -> Value:
    items = rows(b)
    if items is None:
        return asked("extended", a, b)
    a.edit().extend(items)
    return a


def repeated(in_place: bool, a: Value, b: Value) -> Value:
    """A list or tuple, repeated as often as an integer says."""
    row: Any = a if a.__class__ in (List, tuple) else b
    times = whole(member(b if row is a else a))
    if times.__class__ not in (int, bool):
        raise mismatch(operator.imul if in_place else operator.mul, a, b)
    if row.__class__ is tuple:
        return row * times
    if in_place and row is a:
        row.edit()[:] = row.items * times
        return row
    return List(list(row.items) * times)


def unary(m: Any, name: str, value: Value) -> Value:
    """The result of `-value` and its like, or the call that finds it."""
    value = member(value)
    kind = value.__class__
    if kind in SCALARS:
        return computed(UNARY[name], value)
    if kind is Undecided:
        number = domain.kind_of(value)
        if name == "pos" and number not in TRUTHS:
            return value
        if name == "neg" or (name == "invert" and number in WHOLE | TRUTHS):
            return domain.then(value, name)
        return computed(UNARY[name], domain.decide(value))
    if isinstance(value, Instance) and (function := find(m, value, f"__{name}__")) is not None:
        return call_act(function, (value,))
    if (other := foreign(value)) is not None:
        return other.unary(m, name, value)
    raise mismatch(UNARY[name], value)


# -- comparisons


def compare(m: Any, sign: str, a: Value, b: Value) -> Value:
    """The answer of a comparison, or the call that finds it."""
    ta, tb = a.__class__, b.__class__
    if ta in SCALARS and tb in SCALARS:
        return computed(COMPARED[sign], a, b)
    if (ta in NUMBERS or ta is Undecided) and (tb in NUMBERS or tb is Undecided) and complex not in (ta, tb):
        return domain.compare(a, sign, b)
    if (other := foreign(a, b) or _array_of(a, b)) is not None:
        return other.compare(m, sign, a, b)
    if any(kind is not Undecided and kind not in SCALARS for kind in (ta, tb)):
        refuse_numpys(a, b)
    if _own(a) or _own(b):
        return asked("compare", a, b, sign)
    if ta is Undecided or tb is Undecided:
        return _compare_undecided(m, sign, a, b)
    if isinstance(a, Enum) or isinstance(b, Enum):
        return _compare_members(m, sign, a, b)
    return _compare_containers(m, sign, a, b)


def _own(value: Value) -> bool:
    """Whether a value is compared by code of its class.

    Raises: Refused for a class that is compared by its metaclass.
    """
    if is_class(value) and not (isinstance(value, Record) or takes_from(type(value), object, "__eq__")):
        raise Refused("a class that is compared by its metaclass is not followed")
    if isinstance(value, Instance) and value.cls is SimpleNamespace:
        raise Refused("namespaces are compared; compare their attributes")
    return isinstance(value, Instance) or _kind(value) is Counter


def _compare_undecided(m: Any, sign: str, a: Value, b: Value) -> Value:
    a, b = member(a), member(b)
    if all(each.__class__ in NUMBERS or each.__class__ is Undecided for each in (a, b)):
        if complex in (a.__class__, b.__class__) and sign not in ("==", "!="):
            raise mismatch(COMPARED[sign], a, b)
        return domain.compare(a, sign, b)
    if is_numpys(a) or is_numpys(b):
        return compare(m, sign, *(domain.decide(each) if each.__class__ is Undecided else each for each in (a, b)))
    if sign in ("==", "!="):
        return sign == "!="
    raise mismatch(COMPARED[sign], a, b)


def _compare_members(m: Any, sign: str, a: Value, b: Value) -> Value:
    if is_number_member(a) or is_number_member(b):
        return _of_bases(partial(compare, m, sign), a, b)
    plain_kinds = all(takes_from(type(each), object, "__eq__") for each in (a, b) if isinstance(each, Enum))
    if sign in ("==", "!=") and plain_kinds and not isinstance(a, (str, tuple)) and not isinstance(b, (str, tuple)):
        return (a is b) == (sign == "==")
    raise Refused("a member of an enum that is compared in its own way is not followed; compare its value")


def _compare_containers(m: Any, sign: str, a: Value, b: Value) -> Value:
    ta, tb = a.__class__, b.__class__
    keys, others = containers.keys_of(a), containers.keys_of(b)
    if keys is not None and others is not None:
        return containers.compared(sign, keys, others)
    if any(each.__class__ is View and each.kind == "items" for each in (a, b)):
        raise Refused("items() of a dict are compared; compare the dicts")
    if Set in (ta, tb) or View in (ta, tb):
        return _unlike(sign, a, b)
    if Named in (ta, tb) and {ta, tb} <= {Named, tuple}:
        return _of_bases(partial(compare, m, sign), a, b)
    if ta is tb and ta in (List, tuple, Deque):
        left, right = (each if each.__class__ is tuple else each.items for each in (a, b))
        if plain(left) and plain(right):
            return native(COMPARED[sign], (tuple(left), tuple(right)))
        return asked("rows_compared", a, b, sign)
    if ta is tb is Dict and a.kind is b.kind is OrderedDict:
        raise Refused("two OrderedDicts are compared; compare list(...) of their items")
    if ta is tb is Dict:
        return asked("dicts_compared", a, b, sign) if sign in ("==", "!=") else _unlike(sign, a, b)
    if ta is Slice or tb is Slice:
        raise Refused("a comparison of slices is not followed")
    return _unlike(sign, a, b)


def _unlike(sign: str, a: Value, b: Value) -> bool:
    """The answer for values that are equal only if they are one object."""
    if sign not in ("==", "!="):
        raise mismatch(COMPARED[sign], a, b)
    return same_object(a, b) == (sign == "==")


# -- identity, truth, membership


def same_object(a: Value, b: Value) -> bool:
    """Whether two values are one object, where Python determines it.

    Raises: Refused for immutable values: equal ones may or may not be one object.
    """
    if a is None or b is None or a.__class__ is bool or b.__class__ is bool or a is ... or b is ...:
        return a is b
    if a is TRACEBACK or b is TRACEBACK:
        raise Refused("a traceback is followed as far as it is none or not")
    ka, kb = type_of(a), type_of(b)
    if ka is not kb or a is NotImplemented:
        return False if ka is not kb else a is b
    if a.__class__ in SCALARS or a.__class__ in (tuple, Undecided, Named, *REMADE) or foreign(a) is not None:
        raise Refused(f"which {name_of(ka)} an object is, is not followed; compare by ==")
    if a.__class__ is Set and a.frozen:
        raise Refused("which frozenset an object is, is not followed; compare by ==")
    return a is b


def truth(m: Any, value: Value) -> Value:
    """Whether a value is true, or the call that finds it."""
    kind = value.__class__
    if kind in SCALARS:
        return bool(value)
    if kind is Undecided:
        return bool(domain.compare(value, "!=", 0))
    if kind in (List, Dict, Set, Deque, Named, tuple):
        return bool(value if kind is tuple else value.items)
    if isinstance(value, Instance):
        has = find(m, value, "__bool__") is not None or find(m, value, "__len__") is not None
        return asked("truth", value) if has else True
    if (other := foreign(value)) is not None:
        return other.truth(m, value)
    return _truth_rarely(value)


def _truth_rarely(value: Value) -> bool:
    if value.__class__ is View:
        return bool(value.source.items)
    if isinstance(value, Enum) and not isinstance(value, Mark):
        if type(value).__bool__ is not int.__bool__ if isinstance(value, int) else hasattr(type(value), "__bool__"):
            raise Refused("the truth of a member of an enum is not followed; compare it")
        return bool(int.__int__(value)) if isinstance(value, int) else True
    return True


def contains(m: Any, value: Value, container: Value) -> Value:
    """Whether a container holds a value, or the call that finds it."""
    kind = container.__class__
    if kind in (Dict, Set) or (kind is View and container.kind == "keys"):
        items = container.source.items if kind is View else container.items
        refuse_set(value)
        return settle_key(m, value)[0] in items
    if kind in (List, tuple, Deque, Named):
        items = container if kind is tuple else container.items
        if value.__class__ in SCALARS and plain(items):
            return value in items
        return asked("contains", value, container)
    if kind is View and container.kind == "items":
        raise Refused("membership in items() of a dict is not followed; ask the dict")
    if (other := foreign(container)) is not None:
        return other.contains(m, value, container)
    if kind in SCALARS:
        return _in_scalar(m, value, container)
    if isinstance(container, Instance) and (function := find(m, container, "__contains__")) is not None:
        return call_act(function, (container, value)).then("truth")
    if kind is View or is_iterable(m, container):
        return asked("contains", value, container)
    raise mismatch(lambda a, b: a in b, value, container)


def _in_scalar(m: Any, value: Value, container: Value) -> Value:
    if value.__class__ in SCALARS or value.__class__ is Undecided:
        return native(lambda each, row: each in row, (value, container))
    if container.__class__ is range:
        return asked("contains", value, container)
    raise mismatch(lambda each, row: each in row, value, container)
