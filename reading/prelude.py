"""Built-in functions that run the program's code, in Python: the machine interprets them as it does the program.

Nothing here raises within a handler, so that no exception has a context that CPython's has not.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, misc"

import sys

OLD = sys.version_info < (3, 12)

# -- what the machine answers itself


def find(value, name):
    """The function of the program under a special name of a value's class, or None."""


def same(a, b):
    """Whether two values are surely one object."""


def refuse(reason):
    """Refuse the program."""


def store(owner, name, value):
    """Do what object.__setattr__ does."""


def kind(value):
    """Which kind of record a value is."""


def field(value, name):
    """What a record holds."""


def fresh(value):
    """A copy of a state of `fold`."""


def native_order(keys):
    """The order in which plain keys are sorted, or None."""


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


def _binary_or_not(a, b, name):
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


def _binary(a, b, name):
    result = _binary_or_not(a, b, name)
    if result is NotImplemented:
        raise _unsupported(a, b, name, "")
    return result


def _unsupported(a, b, name, equals):
    sequences = [each for each in (a, b) if kind(each) in ("list", "tuple", "deque") or type(each) in (str, bytes)]
    if sequences and name in ("add", "mul", "mod"):
        refuse("a sequence and an instance are added or multiplied")
    sign = WORDS.get(name) or MORE.get(name)
    if equals:
        sign = "**=" if name == "pow" else sign + "="
    return TypeError(f"unsupported operand type(s) for {sign}: {type(a).__name__!r} and {type(b).__name__!r}")


def _in_place(a, b, name):
    result = find(a, f"__i{name}__")(a, b)
    if result is NotImplemented:
        result = _binary_or_not(a, b, name)
    if result is NotImplemented:
        raise _unsupported(a, b, name, "=")
    return result


def _ask(a, b, name):
    function = find(a, name)
    if function is not None:
        return function(a, b)
    if name == "__ne__" and find(a, "__eq__") is not None:
        result = find(a, "__eq__")(a, b)
        return result if result is NotImplemented else not result
    return NotImplemented


def _compare(a, b, sign):
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
    if sign == "==":
        return a is b
    if sign == "!=":
        return a is not b
    raise TypeError(f"{sign!r} not supported between instances of {type(a).__name__!r} and {type(b).__name__!r}")


def _rows_compared(a, b, sign):
    if sign in ("==", "!=") and len(a) != len(b):
        return sign == "!="
    place = 0
    while place < len(a) and place < len(b):
        x, y = a[place], b[place]
        if not (same(x, y) or x == y):
            if sign == "==":
                return False
            if sign == "!=":
                return True
            return x < y if sign == "<" else x <= y if sign == "<=" else x > y if sign == ">" else x >= y
        place += 1
    n, k = len(a), len(b)
    if sign == "==":
        return n == k
    if sign == "!=":
        return n != k
    return n < k if sign == "<" else n <= k if sign == "<=" else n > k if sign == ">" else n >= k


def _dicts_compared(a, b, sign):
    if len(a) != len(b):
        return sign == "!="
    for key, value in list(a.items()):
        if key not in b or not (same(value, b[key]) or value == b[key]):
            return sign == "!="
    return sign == "=="


def _truth(value):
    function = find(value, "__bool__")
    if function is not None:
        result = function(value)
        if result is not True and result is not False:
            raise TypeError(f"__bool__ should return bool, returned {type(result).__name__}")
        return result
    return _length(value, find(value, "__len__")) != 0


def _length(value, function):
    result = function(value)
    if type(result) is not int or result < 0:
        refuse("__len__ returns other than an int of 0 or more")
    return result


def _to_int(value):
    result = find(value, "__int__")(value)
    if type(result) is not int:
        refuse("__int__ returns other than an int")
    return result


def _to_float(value):
    result = find(value, "__float__")(value)
    if type(result) is not float:
        refuse("__float__ returns other than a float")
    return result


def _less(a, b):
    return a < b


# -- classes and errors


def _make(cls, new, args, keywords):
    made = new(cls, *args, **keywords)
    if isinstance(made, cls):
        function = find(made, "__init__")
        if function is not None:
            result = function(made, *args, **keywords)
            if result is not None:
                raise TypeError(f"__init__() should return None, not {type(result).__name__!r}")
    return made


def _raise_new(cls, with_cause, cause):
    made = cls()
    if with_cause:
        raise made from cause
    raise made


def _throw_new(generator, cls, args):
    return generator.throw(cls(*args))


def _cached(function, owner, name):
    value = function(owner)
    store(owner, name, value)
    return value


def _missing(owner, key, factory):
    value = factory()
    owner[key] = value
    return value


# -- texts


def _error_text(error):
    args = error.args
    return "" if not args else str(args[0]) if len(args) == 1 else str(args)


def _error_shown(error):
    args = error.args
    inner = repr(args[0]) if len(args) == 1 else ", ".join([repr(each) for each in args])
    return f"{type(error).__name__}({inner})"


def _text(value):
    function = find(value, "__str__")
    if function is not None:
        return function(value)
    if kind(value) == "error":
        if find(value, "__repr__") is None and isinstance(value, KeyError) and len(value.args) == 1:
            return repr(value.args[0])
        return _error_text(value)
    return repr(value)


def _shown(value):
    what = kind(value)
    if what == "list":
        return "[" + ", ".join([repr(each) for each in value]) + "]"
    if what == "tuple":
        return "(" + ", ".join([repr(each) for each in value]) + ("," if len(value) == 1 else "") + ")"
    if what == "dict":
        return _dict_shown(value)
    if what == "deque":
        return _deque_shown(value)
    if what == "set":
        return _set_shown(value)
    function = find(value, "__repr__")
    if function is not None:
        return function(value)
    if what == "error":
        return _error_shown(value)
    return refuse(f"the text of a {type(value).__name__} tells an address")


def _dict_shown(value):
    inner = "{" + ", ".join([f"{key!r}: {each!r}" for key, each in value.items()]) + "}"
    if type(value) is dict:
        return inner
    return refuse(f"the text of a {type(value).__name__} is not followed; show dict(...) of it")


def _deque_shown(value):
    limit = "" if value.maxlen is None else f", maxlen={value.maxlen}"
    return f"deque({list(value)!r}{limit})"


def _set_shown(value):
    inner = ", ".join([repr(each) for each in value])
    if type(value) is frozenset:
        return f"frozenset({{{inner}}})" if inner else "frozenset()"
    return f"{{{inner}}}" if inner else "set()"


def _formatted(value, spec):
    function = find(value, "__format__")
    if function is not None:
        return function(value, spec)
    if spec:
        refuse(f"a format of a {type(value).__name__} is not followed; format str(...) of it")
    return str(value)


# -- sequences


def _list_of(it):
    out = []
    for each in it:
        out.append(each)
    return out


def _consumed(function, before, it, after, **keywords):
    return function(*before, _list_of(it), *after, **keywords)


def _tuple_of(cls, it):
    return tuple.__new__(cls, _list_of(it))


def _set_of(it):
    out = set()
    for each in it:
        out.add(each)
    return out


def _frozenset_of(it):
    return frozenset(_set_of(it))


def _set_with(owner, name, *others):
    return getattr(owner, name)(*[_set_of(each) for each in others])


def _unpack(it, count):
    if kind(it) not in ("instance", "iterator"):
        it = iter(it)
    it = iter(it)
    out = []
    while len(out) < count:
        each = next(it, Missing)
        if each is Missing:
            raise ValueError(f"not enough values to unpack (expected {count}, got {len(out)})")
        out.append(each)
    if next(it, Missing) is not Missing:
        raise ValueError(f"too many values to unpack (expected {count})")
    return tuple(out)


def _extend(owner, it):
    for each in it:
        owner.append(each)


def _extended(owner, it):
    _extend(owner, it)
    return owner


def _contains(value, it):
    it, each = iter(it), Missing
    while True:
        each = next(it, Missing)
        if each is Missing or same(each, value) or each == value:
            return each is not Missing


def _index_in(row, value, *bounds):
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


def _bounds(size, start=0, stop=None):
    stop = size if stop is None else stop
    return max(start + size, 0) if start < 0 else start, max(stop + size, 0) if stop < 0 else stop


def _count_in(row, value):
    found = 0
    for each in row:
        if same(each, value) or each == value:
            found += 1
    return found


def _remove_from(row, value):
    place = 0
    while place < len(row):
        each = row[place]
        if same(each, value) or each == value:
            del row[place]
            return
        place += 1
    raise ValueError("list.remove(x): x not in list")


def _update(owner, other, /, **named):
    if other != () or kind(other) != "tuple":
        for pair in other:
            key, value = pair
            owner[key] = value
    for key in named:
        owner[key] = named[key]


def _count_elements(owner, it):
    for each in it:
        owner[each] = owner.get(each, 0) + 1


def _fromkeys(keys, value):
    out = {}
    for key in keys:
        out[key] = value
    return out


def _fold(coins, items, state, step):
    state = fresh(state)
    for item in list(items):
        state = fresh(step(state, item, coins))
    return state


def _copied(value):
    what = kind(value)
    if what in ("list", "dict", "set"):
        return value.copy()
    if what in ("scalar", "tuple"):
        return value
    return refuse(f"a copy of a {type(value).__name__} is not followed")


def _deep_copied(value):
    return fresh(value)


# -- functions of iterables


def _sum_of(it, start=0):
    if isinstance(start, str):
        raise TypeError("sum() can't sum strings [use ''.join(seq) instead]")
    it = iter(it)
    for each in it:
        if type(each) is float or type(start) is float:
            return _sum_floats([start, each, *it])
        start = start + each
    return start


def _sum_floats(row):
    for each in row:
        if kind(each) != "scalar":
            refuse("a sum of floats and instances is not followed")
    return sum(row[1:], row[0])


def _any_of(it):
    it, each = iter(it), None
    while each is not Missing and not each:
        each = next(it, Missing)
    return each is not Missing


def _all_of(it):
    it, each = iter(it), Missing
    while True:
        each = next(it, Missing)
        if each is Missing or not each:
            return each is Missing


def _max_of(*args, key=None, default=Missing):
    return _extreme("max", True, args, key, default)


def _min_of(*args, key=None, default=Missing):
    return _extreme("min", False, args, key, default)


def _extreme(name, greatest, args, key, default):
    if not args:
        refuse(f"{name}() without arguments")
    if len(args) > 1 and default is not Missing:
        raise TypeError(f"Cannot specify a default for {name}() with multiple positional arguments")
    best = top = Missing
    for each in args if len(args) > 1 else args[0]:
        measure = each if key is None else key(each)
        if best is Missing or (measure > top if greatest else measure < top):
            best, top = each, measure
    if best is not Missing:
        return best
    if default is Missing:
        raise ValueError(f"{name}() {'arg is an empty sequence' if OLD else 'iterable argument is empty'}")
    return default


def _sorted_of(it, /, *, key=None, reverse=False):
    out = _list_of(it)
    _sort_in_place(out, key=key, reverse=reverse)
    return out


def _sort_in_place(row, *, key=None, reverse=False):
    items = row[:]
    row[:] = []
    keys = items
    try:
        if key is not None:
            keys = [key(each) for each in items]
        if reverse:
            keys = keys[::-1]
        order = _order(keys)
    finally:
        row[:] = items
    if reverse:
        items = items[::-1]
    out = [items[place] for place in order]
    row[:] = out[::-1] if reverse else out


def _order(keys):
    order = native_order(keys)
    if order is not None:
        return order
    for each in keys:
        if kind(each) not in ("scalar", "tuple"):
            refuse("instances are sorted, which compares them in an order of its own; sort by a key of plain values")
    done = []
    for place in range(len(keys)):
        low, high = 0, len(done)
        while low < high:
            middle = (low + high) // 2
            if keys[place] < keys[done[middle]]:
                high = middle
            else:
                low = middle + 1
        done.insert(low, place)
    return done


def _reduce(function, it, *start):
    it = iter(it)
    result = start[0] if start else next(it, Missing)
    if result is Missing:
        raise TypeError("reduce() of empty iterable with no initial value")
    for each in it:
        result = function(result, each)
    return result


def _wraps(wrapped, assigned=None, updated=None):
    if assigned is not None or updated is not None:
        refuse("wraps() is followed with one argument")

    def decorate(function):
        function.__name__ = wrapped.__name__
        function.__qualname__ = wrapped.__qualname__
        function.__wrapped__ = wrapped
        return function

    return decorate


def _itemgetter(*keys):
    if len(keys) == 1:
        return lambda owner: owner[keys[0]]
    return lambda owner: tuple([owner[key] for key in keys])


def _attrgetter(*names):
    for name in names:
        if "." in name:
            refuse("attrgetter is followed for names without dots")
    if len(names) == 1:
        return lambda owner: getattr(owner, names[0])
    return lambda owner: tuple([getattr(owner, name) for name in names])


def _cache(function):
    return _cache_of(function, None, False)


def _lru_cache(maxsize=128, typed=False):
    if callable(maxsize):
        return _cache_of(maxsize, 128, False)
    return lambda function: _cache_of(function, maxsize, typed)


def _cache_of(function, maxsize, typed):
    kept = {}

    def wrapper(*args, **keywords):
        if typed:
            refuse("a cache that tells types is not followed")
        single = len(args) == 1 and not keywords and type(args[0]) in (int, str)
        key = args[0] if single else (args, tuple(keywords.items()))
        if key in kept:
            value = kept.pop(key)
            kept[key] = value
            return value
        value = function(*args, **keywords)
        if maxsize is None or maxsize > 0:
            kept[key] = value
            if maxsize is not None and len(kept) > maxsize:
                del kept[next(iter(kept))]
        return value

    wrapper.__wrapped__ = function
    wrapper.__name__ = function.__name__
    wrapper.__qualname__ = function.__qualname__
    wrapper.cache_clear = kept.clear
    return wrapper
