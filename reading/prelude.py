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


def _binary(a, b, name):
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


def binary(a, b, name):
    result = _binary(a, b, name)
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


def in_place(a, b, name):
    result = find(a, f"__i{name}__")(a, b)
    if result is NotImplemented:
        result = _binary(a, b, name)
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


def compare(a, b, sign):
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


def rows_compared(a, b, sign):
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


def dicts_compared(a, b, sign):
    if len(a) != len(b):
        return sign == "!="
    for key, value in list(a.items()):
        if key not in b or not (same(value, b[key]) or value == b[key]):
            return sign == "!="
    return sign == "=="


def truth(value):
    function = find(value, "__bool__")
    if function is not None:
        result = function(value)
        if result is not True and result is not False:
            raise TypeError(f"__bool__ should return bool, returned {type(result).__name__}")
        return result
    return length(value, find(value, "__len__")) != 0


def length(value, function):
    result = function(value)
    if type(result) is not int or result < 0:
        refuse("__len__ returns other than an int of 0 or more")
    return result


def to_int(value):
    result = find(value, "__int__")(value)
    if type(result) is not int:
        refuse("__int__ returns other than an int")
    return result


def to_float(value):
    result = find(value, "__float__")(value)
    if type(result) is not float:
        refuse("__float__ returns other than a float")
    return result


def less(a, b):
    return a < b


# -- classes and errors


def make(cls, new, args, keywords):
    made = new(cls, *args, **keywords)
    if isinstance(made, cls):
        function = find(made, "__init__")
        if function is not None:
            result = function(made, *args, **keywords)
            if result is not None:
                raise TypeError(f"__init__() should return None, not {type(result).__name__!r}")
    return made


def raise_new(cls, with_cause, cause):
    made = cls()
    if with_cause:
        raise made from cause
    raise made


def throw_new(generator, cls, args):
    return generator.throw(cls(*args))


def cached(function, owner, name):
    value = function(owner)
    store(owner, name, value)
    return value


def missing(owner, key, factory):
    value = factory()
    owner[key] = value
    return value


# -- texts


def error_text(error):
    args = error.args
    return "" if not args else str(args[0]) if len(args) == 1 else str(args)


def error_shown(error):
    args = error.args
    inner = repr(args[0]) if len(args) == 1 else ", ".join([repr(each) for each in args])
    return f"{type(error).__name__}({inner})"


def text(value):
    function = find(value, "__str__")
    if function is not None:
        return function(value)
    if kind(value) == "error":
        if find(value, "__repr__") is None and isinstance(value, KeyError) and len(value.args) == 1:
            return repr(value.args[0])
        return error_text(value)
    return repr(value)


def shown(value):
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
        return error_shown(value)
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


def formatted(value, spec):
    function = find(value, "__format__")
    if function is not None:
        return function(value, spec)
    if spec:
        refuse(f"a format of a {type(value).__name__} is not followed; format str(...) of it")
    return str(value)


# -- sequences


def list_of(it):
    out = []
    for each in it:
        out.append(each)
    return out


def consumed(function, before, it, after, **keywords):
    return function(*before, list_of(it), *after, **keywords)


def tuple_of(cls, it):
    return tuple.__new__(cls, list_of(it))


def set_of(it):
    out = set()
    for each in it:
        out.add(each)
    return out


def frozenset_of(it):
    return frozenset(set_of(it))


def set_with(owner, name, *others):
    return getattr(owner, name)(*[set_of(each) for each in others])


def unpack(it, count):
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


def extend(owner, it):
    for each in it:
        owner.append(each)


def extended(owner, it):
    extend(owner, it)
    return owner


def contains(value, it):
    for each in it:
        if same(each, value) or each == value:
            return True
    return False


def index_in(row, value, *bounds):
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


def count_in(row, value):
    found = 0
    for each in row:
        if same(each, value) or each == value:
            found += 1
    return found


def remove_from(row, value):
    place = 0
    while place < len(row):
        each = row[place]
        if same(each, value) or each == value:
            del row[place]
            return
        place += 1
    raise ValueError("list.remove(x): x not in list")


def by_items(value):
    return ByItems(value)


def reversed_of(value):
    function = find(value, "__reversed__")
    if function is not None:
        return function(value)
    return Downwards(value, len(value) - 1)


def call_until(function, end):
    return Until(function, end)


def update(owner, other, /, **named):
    if other != () or kind(other) != "tuple":
        for pair in other:
            key, value = pair
            owner[key] = value
    for key in named:
        owner[key] = named[key]


def count_elements(owner, it):
    for each in it:
        owner[each] = owner.get(each, 0) + 1


def fromkeys(keys, value):
    out = {}
    for key in keys:
        out[key] = value
    return out


def fold(coins, items, state, step):
    state = fresh(state)
    for item in list(items):
        state = fresh(step(state, item, coins))
    return state


def copied(value):
    what = kind(value)
    if what in ("list", "dict", "set"):
        return value.copy()
    if what in ("scalar", "tuple"):
        return value
    return refuse(f"a copy of a {type(value).__name__} is not followed")


def deep_copied(value):
    return fresh(value)


# -- functions of iterables


def sum_of(it, start=0):
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


def any_of(it):
    for each in it:
        if each:
            return True
    return False


def all_of(it):
    for each in it:
        if not each:
            return False
    return True


def max_of(*args, key=None, default=Missing):
    return _extreme("max", True, args, key, default)


def min_of(*args, key=None, default=Missing):
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


def sorted_of(it, /, *, key=None, reverse=False):
    out = list_of(it)
    sort_in_place(out, key=key, reverse=reverse)
    return out


def sort_in_place(row, *, key=None, reverse=False):
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


def reduce(function, it, *start):
    it = iter(it)
    result = start[0] if start else next(it, Missing)
    if result is Missing:
        raise TypeError("reduce() of empty iterable with no initial value")
    for each in it:
        result = function(result, each)
    return result


def wraps(wrapped, assigned=None, updated=None):
    if assigned is not None or updated is not None:
        refuse("wraps() is followed with one argument")

    def decorate(function):
        function.__name__ = wrapped.__name__
        function.__qualname__ = wrapped.__qualname__
        function.__wrapped__ = wrapped
        return function

    return decorate


def itemgetter(*keys):
    if len(keys) == 1:
        return lambda owner: owner[keys[0]]
    return lambda owner: tuple([owner[key] for key in keys])


def attrgetter(*names):
    for name in names:
        if "." in name:
            refuse("attrgetter is followed for names without dots")
    if len(names) == 1:
        return lambda owner: getattr(owner, names[0])
    return lambda owner: tuple([getattr(owner, name) for name in names])


def cache(function):
    return _cache(function, None, False)


def lru_cache(maxsize=128, typed=False):
    if callable(maxsize):
        return _cache(maxsize, 128, False)
    return lambda function: _cache(function, maxsize, typed)


def _cache(function, maxsize, typed):
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


# -- iterators


class Iterator:
    """An iterator that runs the program's code."""

    def __iter__(self):
        return self


class ByItems(Iterator):
    def __init__(self, row):
        self.row, self.place = row, 0

    def __next__(self):
        if self.row is None:
            raise StopIteration
        each = Missing
        try:
            each = self.row[self.place]
        except (IndexError, StopIteration):
            self.row = None
        if each is Missing:
            raise StopIteration
        self.place += 1
        return each


class Downwards(Iterator):
    def __init__(self, row, place):
        self.row, self.place = row, place

    def __next__(self):
        if self.place < 0:
            raise StopIteration
        self.place -= 1
        return self.row[self.place + 1]


class Until(Iterator):
    def __init__(self, function, end):
        self.function, self.end = function, end

    def __next__(self):
        if self.function is None:
            raise StopIteration
        each = self.function()
        if each == self.end:
            self.function = None
            raise StopIteration
        return each


class Enumerate(Iterator):
    def __init__(self, iterable, start=0):
        self.it, self.place = iter(iterable), start

    def __next__(self):
        each = next(self.it)
        self.place += 1
        return self.place - 1, each


class Zip(Iterator):
    def __init__(self, *its, strict=False):
        if strict:
            refuse("zip(strict=True) is not followed; compare the lengths")
        self.its = tuple([iter(it) for it in its])

    def __next__(self):
        if not self.its:
            raise StopIteration
        return tuple([next(it) for it in self.its])


class Map(Iterator):
    def __init__(self, function, it, *its):
        self.function, self.its = function, tuple([iter(each) for each in (it, *its)])

    def __next__(self):
        return self.function(*[next(it) for it in self.its])


class Filter(Iterator):
    def __init__(self, function, it):
        self.function, self.it = function, iter(it)

    def __next__(self):
        while True:
            each = next(self.it)
            if self.function is None or self.function is bool:
                if each:
                    return each
            elif self.function(each):
                return each


class Filterfalse(Iterator):
    def __init__(self, function, it):
        self.function, self.it = function, iter(it)

    def __next__(self):
        while True:
            each = next(self.it)
            if not (each if self.function is None else self.function(each)):
                return each


class Count(Iterator):
    def __init__(self, start=0, step=1):
        if type(start) is not int or type(step) is not int:
            refuse("count() is followed for ints")
        self.place, self.step = start, step

    def __next__(self):
        self.place += self.step
        return self.place - self.step


class Repeat(Iterator):
    def __init__(self, value, times=None):
        self.value, self.left = value, times

    def __next__(self):
        if self.left is not None:
            if self.left <= 0:
                raise StopIteration
            self.left -= 1
        return self.value


class Cycle(Iterator):
    def __init__(self, it):
        self.it, self.kept, self.place = iter(it), [], -1

    def __next__(self):
        if self.place < 0:
            each = next(self.it, Missing)
            if each is not Missing:
                self.kept.append(each)
                return each
            self.place = 0
        if not self.kept:
            raise StopIteration
        self.place += 1
        return self.kept[(self.place - 1) % len(self.kept)]


class Chain(Iterator):
    def __init__(self, *its):
        self.its, self.it = iter(its), None

    def __next__(self):
        while True:
            if self.it is None:
                self.it = iter(next(self.its))
            each = next(self.it, Missing)
            if each is not Missing:
                return each
            self.it = None


def chain_of(its):
    made = Chain()
    made.its = iter(its)
    return made


class Islice(Iterator):
    def __init__(self, it, *bounds):
        start, stop, step = _slice_bounds(*bounds)
        for each in (start, stop, step):
            if each is not None and (type(each) is not int or each < 0):
                refuse("islice() is followed for ints of 0 or more")
        self.it, self.seen, self.following, self.stop, self.step = iter(it), 0, start or 0, stop, step or 1

    def __next__(self):
        if self.it is None:
            raise StopIteration
        if self.stop is not None and self.following >= self.stop:
            while self.seen < self.stop:
                self.seen += 1
                next(self.it)
            self.it = None
            raise StopIteration
        while self.seen < self.following:
            self.seen += 1
            next(self.it)
        self.seen += 1
        self.following += self.step
        return next(self.it)


def _slice_bounds(start, stop=Missing, step=None):
    return (None, start, None) if stop is Missing else (start, stop, step)


class Takewhile(Iterator):
    def __init__(self, function, it):
        self.function, self.it = function, iter(it)

    def __next__(self):
        if self.function is None:
            raise StopIteration
        each = next(self.it)
        if self.function(each):
            return each
        self.function = None
        raise StopIteration


class Dropwhile(Iterator):
    def __init__(self, function, it):
        self.function, self.it = function, iter(it)

    def __next__(self):
        while True:
            each = next(self.it)
            if self.function is None:
                return each
            if not self.function(each):
                self.function = None
                return each


class Starmap(Iterator):
    def __init__(self, function, it):
        self.function, self.it = function, iter(it)

    def __next__(self):
        return self.function(*next(self.it))


class Pairwise(Iterator):
    def __init__(self, it):
        self.it, self.last = iter(it), Missing

    def __next__(self):
        if self.last is Missing:
            self.last = next(self.it)
        before, self.last = self.last, next(self.it)
        return before, self.last


class Accumulate(Iterator):
    def __init__(self, it, func=None, *, initial=None):
        self.it, self.function, self.first, self.total = iter(it), func, initial, Missing

    def __next__(self):
        if self.total is Missing:
            self.total = next(self.it) if self.first is None else self.first
            return self.total
        each = next(self.it)
        self.total = self.total + each if self.function is None else self.function(self.total, each)
        return self.total


class Compress(Iterator):
    def __init__(self, data, selectors):
        self.data, self.selectors = iter(data), iter(selectors)

    def __next__(self):
        while True:
            each = next(self.data)
            if next(self.selectors):
                return each


class ZipLongest(Iterator):
    def __init__(self, *its, fillvalue=None):
        self.its, self.other, self.live = [iter(it) for it in its], fillvalue, len(its)

    def __next__(self):
        if not self.live:
            raise StopIteration
        out = []
        for place in range(len(self.its)):
            each = Missing if self.its[place] is None else next(self.its[place], Missing)
            if each is Missing and self.its[place] is not None:
                self.its[place] = None
                self.live -= 1
                if not self.live:
                    raise StopIteration
            out.append(self.other if each is Missing else each)
        return tuple(out)


class Listed(Iterator):
    def __init__(self, rows):
        self.it = iter(rows)

    def __next__(self):
        return next(self.it)


class Product(Listed):
    def __init__(self, *its, repeat=1):
        rows = [()]
        for pool in [tuple(it) for it in its] * repeat:
            rows = [(*row, each) for row in rows for each in pool]
        self.it = iter(rows)


class Combinations(Listed):
    def __init__(self, it, r):
        rows = [((), 0)]
        pool = tuple(it)
        for _ in range(r):
            rows = [((*row, pool[k]), k + 1) for row, first in rows for k in range(first, len(pool))]
        self.it = iter([row for row, _ in rows])


class Permutations(Listed):
    def __init__(self, it, r=None):
        pool = tuple(it)
        rows = [()]
        for _ in range(len(pool) if r is None else r):
            rows = [(*row, k) for row in rows for k in range(len(pool)) if k not in row]
        self.it = iter([tuple([pool[k] for k in row]) for row in rows])
