"""Built-in functions that run the program's code, in Python: the machine interprets them as it does the program.

Nothing here raises within a handler, so that no exception has a context that it would not have in CPython.
"""

from typing import Any

# -- functions that the machine answers itself


def find(value: Any, name: Any) -> Any:
    """The function of the program under a special name of a value's class, or None."""


def same(a: Any, b: Any) -> Any:
    """Whether two values are surely one object."""


def told_name(value: Any) -> Any:
    """The name of a value's type in errors."""


def refuse(reason: Any) -> Any:
    """Refuse the program."""


def store(owner: Any, name: Any, value: Any) -> Any:
    """Do what object.__setattr__ does."""


def kind(value: Any) -> Any:
    """Which kind of record a value is."""


def field(value: Any, name: Any) -> Any:
    """A field of a record."""


def fresh(value: Any) -> Any:
    """A copy of a state of `fold`."""


def native_order(keys: Any) -> Any:
    """The order in which plain keys are sorted, or None."""


def native_sum(row: Any, start: Any) -> Any:
    """The sum of plain numbers."""


def take_attributes(function: Any, wrapped: Any) -> Any:
    """Give a function the attributes of another."""


class Missing:
    """No value."""


# -- operators

WORDS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "** or pow()"}
MORE = {"and": "&", "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>", "matmul": "@"}
SPECIAL = {
    "<": ("__lt__", "__gt__"),
    "<=": ("__le__", "__ge__"),
    ">": ("__gt__", "__lt__"),
    ">=": ("__ge__", "__le__"),
    "==": ("__eq__", "__eq__"),
    "!=": ("__ne__", "__ne__"),
}


def _binary_or_not(a: Any, b: Any, name: Any) -> Any:
    forward, back = find(a, f"__{name}__"), find(b, f"__r{name}__")
    ta, tb = type(a), type(b)
    if ta is tb:
        back = None
    elif back is not None and issubclass(tb, ta) and back is not find(a, f"__r{name}__"):
        result = back(b, a)
        if result is not NotImplemented:
            return result
        back = None
    if forward is not None:
        result = forward(a, b)
        if result is not NotImplemented:
            return result
    if back is not None:
        return back(b, a)
    return NotImplemented


def _binary(a: Any, b: Any, name: Any, equals: Any) -> Any:
    result = _binary_or_not(a, b, name)
    if result is NotImplemented:
        raise _unsupported(a, b, name, equals)
    return result


def _unsupported(a: Any, b: Any, name: Any, equals: Any) -> Any:
    rows = [each for each in (a, b) if type(each) in (str, bytes) or kind(each) in ("list", "tuple", "named", "deque")]
    if "view" in (kind(a), kind(b)) or (rows and name in ("add", "mul", "mod")):
        refuse("an operator on an instance and a sequence or view is not followed")
    sign = WORDS.get(name) or MORE[name]
    if equals:
        sign = "**=" if name == "pow" else sign + "="
    return TypeError(f"unsupported operand type(s) for {sign}: {told_name(a)!r} and {told_name(b)!r}")


def _in_place(a: Any, b: Any, name: Any) -> Any:
    result = find(a, f"__i{name}__")(a, b)
    if result is NotImplemented:
        result = _binary_or_not(a, b, name)
    if result is NotImplemented:
        raise _unsupported(a, b, name, "=")
    return result


def _ask(a: Any, b: Any, name: Any) -> Any:
    function = find(a, name)
    if function is not None:
        return function(a, b)
    if name == "__ne__" and find(a, "__eq__") is not None:
        result = find(a, "__eq__")(a, b)
        return result if result is NotImplemented else not result
    return NotImplemented


def _compare(a: Any, b: Any, sign: Any) -> Any:
    name, back = SPECIAL[sign]
    first = type(a) is not type(b) and issubclass(type(b), type(a))
    if first:
        result = _ask(b, a, back)
        if result is not NotImplemented:
            return result
    result = _ask(a, b, name)
    if result is not NotImplemented:
        return result
    if not first:
        result = _ask(b, a, back)
        if result is not NotImplemented:
            return result
    if kind(a) == kind(b) == "dict" and sign in ("==", "!="):
        return _dicts_compared(a, b, sign)
    if sign == "==":
        return a is b
    if sign == "!=":
        return a is not b
    raise TypeError(f"{sign!r} not supported between instances of {told_name(a)!r} and {told_name(b)!r}")


def _rows_compared(a: Any, b: Any, sign: Any) -> Any:
    if sign in ("==", "!=") and len(a) != len(b) and kind(a) != "tuple":
        return sign == "!="
    place = 0
    while place < len(a) and place < len(b):
        x, y = a[place], b[place]
        if not (same(x, y) or x == y):
            break
        place += 1
    if place < len(a) and place < len(b):
        if sign in ("==", "!="):
            return sign == "!="
        return _ordered(a[place], b[place], sign)
    n, k = len(a), len(b)
    return n == k if sign == "==" else n != k if sign == "!=" else _ordered(n, k, sign)


def _ordered(x: Any, y: Any, sign: Any) -> Any:
    return x < y if sign == "<" else x <= y if sign == "<=" else x > y if sign == ">" else x >= y


def _dicts_compared(a: Any, b: Any, sign: Any) -> Any:
    if len(a) != len(b):
        return sign == "!="
    for key, value in list(a.items()):
        if key not in b or not (same(value, b[key]) or value == b[key]):
            return sign == "!="
    return sign == "=="


def _truth(value: Any) -> Any:
    function = find(value, "__bool__")
    if function is not None:
        result = function(value)
        if result is not True and result is not False:
            raise TypeError(f"__bool__ should return bool, returned {told_name(result)}")
        return result
    return _length(value, find(value, "__len__")) != 0


def _length(value: Any, function: Any) -> Any:
    result = function(value)
    if type(result) is not int or result < 0:
        refuse("__len__ returns other than an int of 0 or more")
    return result


def _converted(value: Any, name: Any, of: Any) -> Any:
    result = find(value, name)(value)
    if type(result) is not of:
        refuse(f"{name} returns other than a number of that type")
    return result


def _hash_of(value: Any) -> Any:
    result = find(value, "__hash__")(value)
    if type(result) is not int or not -(1 << 63) <= result < 1 << 63:
        refuse("__hash__ returns other than an int of 64 bits")
    return -2 if result == -1 else result


def _less(a: Any, b: Any) -> Any:
    return a < b


# -- classes and errors


def _make(cls: Any, new: Any, args: Any, keywords: Any) -> Any:
    made = new(cls, *args, **keywords)
    if isinstance(made, cls):
        function = find(made, "__init__")
        if function is not None:
            result = function(made, *args, **keywords)
            if result is not None:
                raise TypeError(f"__init__() should return None, not {told_name(result)!r}")
    return made


def _raise_new(cls: Any, with_cause: Any, cause: Any) -> Any:
    made = cls()
    if kind(made) != "error":
        refuse("a class of exceptions makes what is none")
    if with_cause:
        raise made from cause
    raise made


def _cached(function: Any, owner: Any, name: Any) -> Any:
    value = function(owner)
    store(owner, name, value)
    return value


def _missing(owner: Any, key: Any, factory: Any) -> Any:
    value = factory()
    owner[key] = value
    return value


# -- sequences


def _gather(append: Any, it: Any) -> None:
    """Append the items of an iterable to the list or tuple made of them: CPython first asks how many there are."""
    hint = (find(it, "__len__") or find(it, "__length_hint__")) if kind(it) == "instance" else None
    if hint is None:
        for each in it:
            append(each)
        return
    rest = iter(it)
    try:
        size = _length(it, hint)
    except TypeError:
        size = Missing
    if size is Missing or size > 1_000_000:
        refuse("a list or tuple is made of what has an odd length")
    _drain(append, rest)


def _drain(append: Any, rest: Any) -> None:
    each = next(rest, Missing)
    while each is not Missing:
        append(each)
        each = next(rest, Missing)


def _list_of(it: Any) -> Any:
    out: list[Any] = []
    _gather(out.append, it)
    return out


def _items_of(it: Any) -> Any:
    """The items of an iterable that is not itself asked how many there are; the iterator over it may be asked."""
    rest = iter(it)
    if kind(rest) == "instance" and (find(rest, "__len__") or find(rest, "__length_hint__")):
        refuse("an iterator that has a length is unpacked")
    out: list[Any] = []
    _drain(out.append, rest)
    return out


def _consumed(function: Any, before: Any, it: Any, after: Any, **keywords: Any) -> Any:
    return function(*before, _items_of(it), *after, **keywords)


def _tuple_of(cls: Any, it: Any) -> Any:
    return tuple.__new__(cls, _list_of(it))


def _set_of(it: Any) -> Any:
    out = set()
    for each in it:
        out.add(each)
    return out


def _frozenset_of(it: Any) -> Any:
    return frozenset(_set_of(it))


def _set_with(owner: Any, name: Any, *others: Any) -> Any:
    return getattr(owner, name)(*[_set_of(each) for each in others])


def _set_common(owner: Any, name: Any, *others: Any) -> Any:
    """The elements that a set has in common with iterables; each of these is read until all elements are found."""
    found = set(owner)
    for other in others:
        if kind(other) == "set":
            found = found & other
            continue
        common: set[Any] = set()
        for each in other:
            if each in found:
                common.add(each)
                if len(common) >= len(found):
                    break
        found = common
    return getattr(owner, name)(found)


def _set_changed(owner: Any, name: Any, *others: Any) -> None:
    """Add the items of iterables to a set, or remove them, one by one: an error leaves the changes before it."""
    change = owner.add if name == "update" else owner.discard
    for other in others:
        if kind(other) == "set":
            getattr(owner, name)(other)
        else:
            for each in other:
                change(each)


def _unpack(it: Any, count: Any) -> Any:
    it = iter(it)
    out: list[Any] = []
    while len(out) < count:
        each = next(it, Missing)
        if each is Missing:
            raise ValueError(f"not enough values to unpack (expected {count}, got {len(out)})")
        out.append(each)
    if next(it, Missing) is not Missing:
        raise ValueError(f"too many values to unpack (expected {count})")
    return tuple(out)


def _extended(owner: Any, it: Any) -> Any:
    _gather(owner.append, it)
    return owner


def _contains(value: Any, it: Any) -> Any:
    it, each = iter(it), Missing
    while True:
        each = next(it, Missing)
        if each is Missing or same(each, value) or each == value:
            return each is not Missing


def _index_in(row: Any, value: Any, *bounds: Any) -> Any:
    place, last = _bounds(len(row), *bounds)
    while place < last and place < len(row):
        each = row[place]
        if same(each, value) or each == value:
            return place
        place += 1
    if kind(row) == "list":
        raise ValueError(f"{value!r} is not in list")
    if kind(row) == "deque":
        raise ValueError(f"{value!r} is not in deque")
    raise ValueError("tuple.index(x): x not in tuple")


def _bounds(size: Any, start: Any = 0, stop: Any = None) -> Any:
    stop = size if stop is None else stop
    return max(start + size, 0) if start < 0 else start, max(stop + size, 0) if stop < 0 else stop


def _count_in(row: Any, value: Any) -> Any:
    found = 0
    for each in row:
        if same(each, value) or each == value:
            found += 1
    return found


def _remove_in(row: Any, value: Any) -> Any:
    place = 0
    while place < len(row):
        each = row[place]
        if same(each, value) or each == value:
            del row[place]
            return
        place += 1
    raise ValueError("list.remove(x): x not in list")


def _update(owner: Any, other: Any, /, **named: Any) -> None:
    if kind(other) == "other" or (kind(other) == "instance" and hasattr(other, "keys")):
        refuse("a dict is updated by what is no dict, and no iterator of pairs")
    for place, pair in enumerate(other if kind(other) != "tuple" or len(other) else []):
        single = kind(pair) in ("scalar", "other") and type(pair) not in (str, bytes, range)
        try:
            row = [] if single else _items_of(pair)
        except TypeError:
            refuse("a dict is updated by what is no pair")
        if len(row) != 2 and type(owner) is not dict:
            refuse("a dict of the standard library's kinds is updated by what are no pairs")
        if single:
            raise TypeError(f"cannot convert dictionary update sequence element #{place} to a sequence")
        if len(row) != 2:
            raise ValueError(f"dictionary update sequence element #{place} has length {len(row)}; 2 is required")
        owner[row[0]] = row[1]
    for key in named:
        owner[key] = named[key]


def _count_elements(owner: Any, it: Any) -> Any:
    if kind(owner) != "dict":
        refuse("elements are counted in what is no dict")
    for each in it:
        owner[each] = owner.get(each, 0) + 1
