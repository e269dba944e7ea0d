"""The rules for containers and for functions of iterables, and what the prelude asks of the machine."""

from __future__ import annotations

import bisect
import collections
import copy
import functools
import heapq
import itertools
import operator
import random
import types
from collections import Counter, OrderedDict, defaultdict, deque
from decimal import Decimal
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.exact.coins import Coins
from dpcert.reading import prelude
from dpcert.reading.border import native, told_name
from dpcert.reading.builtin_rules import is_callable, new_tuple
from dpcert.reading.containers import index_of, make_set, one_order, ordered, plain, rows
from dpcert.reading.errors import Act, Refused, call_act, words
from dpcert.reading.iterate import reverse
from dpcert.reading.objects import store
from dpcert.reading.operators import binary, compare, contains, member, same_object, truth, unary
from dpcert.reading.preludes import asked, twin_of
from dpcert.reading.types_of import STANDS_FOR, find, lookup
from dpcert.reading.values import (
    NUMBERS,
    SCALARS,
    Deque,
    Dict,
    Error,
    Function,
    Generator,
    Instance,
    Iter,
    List,
    Named,
    Set,
    Slice,
    Undecided,
    Value,
    View,
)
from dpcert.reading.whitelist import KEYWORDS, call_method, rule

COMPENSATES = sum([0.1] * 10) == 1.0
"""Whether `sum` makes up for the rounding of floats, as it does from CPython 3.12 on."""

# -- containers


@rule(list)
def _list(m: Any, items: Value = ()) -> Value:
    listed = rows(items)
    return asked("list_of", items) if listed is None else List(listed)


rule(tuple)(lambda m, items=(): new_tuple(m, tuple, items))


def _set_rule(frozen: bool) -> Any:
    def run(m: Any, items: Value = ()) -> Value:
        if items.__class__ is Set:
            return Set(dict(items.items), frozen)
        listed = rows(items)
        if listed is None:
            return asked("frozenset_of" if frozen else "set_of", items)
        return make_set(m, listed, frozen)

    return run


rule(set)(_set_rule(False))
rule(frozenset)(_set_rule(True))


def _dict_rule(kind: Any) -> Any:
    def run(m: Any, *args: Value, **named: Value) -> Value:
        found = Dict({}, kind, args[0] if kind is defaultdict and args else None)
        rest = args[1:] if kind is defaultdict else args
        if found.factory is not None and not is_callable(m, found.factory):
            raise Refused("defaultdict() is called with what is no function")
        if len(rest) > 1:
            raise Refused(f"{kind.__name__}() is called with arguments that it does not take")
        if not rest and not named:
            return found
        counter = kind is Counter
        act = call_act(lookup(m, Counter, "update"), (found, *rest), named) if counter else None
        call = act or call_method(m, found, "update", rest, named)
        return found if call is None else call.then("instance", found)

    return run


for _kind in (dict, Counter, OrderedDict, defaultdict):
    rule(_kind)(_dict_rule(_kind))


@rule(vars(dict)["fromkeys"])
def _fromkeys(m: Any, cls: Value, keys: Value, value: Value = None) -> Act:
    if cls is not dict:
        raise Refused("fromkeys of a subclass of dict is not followed")
    return asked("fromkeys", keys, value)


@rule(deque)
def _deque(m: Any, items: Value = (), maxlen: Value = None) -> Value:
    limit = None if maxlen is None else index_of(maxlen)
    if limit is not None and (type(limit) is not int or limit < 0):
        raise Refused("deque() is followed with a maxlen that is None or an int of 0 or more")
    found = Deque([], limit)
    call = call_method(m, found, "extend", (items,), {})
    return found if call is None else call.then("instance", found)


rule(range)(lambda m, *args: native(range, tuple(map(member, args))))
rule(reversed)(reverse)


@rule(slice)
def _slice(m: Any, *args: Value) -> Slice:
    if not 1 <= len(args) <= 3:
        raise Refused("slice() is called with arguments that it does not take")
    return Slice(None, *args) if len(args) == 1 else Slice(*args)


# -- functions of iterables


def _order_free(name: str, host: Any, allowed: Any) -> Any:
    """The rule of a function that gives one result for every order of a set."""

    def run(m: Any, *args: Value, **named: Value) -> Value:
        if args and args[0].__class__ is Set and (len(args) == 1 or host is sum):
            if named.get("key") is not None and len(args[0].items) > 1:
                raise Refused("elements of a set are compared by a key, which may be alike; sort the set first")
            args = (allowed(args[0]), *args[1:])
        kinds = (List, tuple, Dict, View) if len(args) == 1 or host is sum else (List, tuple)
        listed = rows(args[0]) if args and args[0].__class__ in kinds else None
        known = listed is not None and all(map(_sortable, listed)) and plain(args[1:])
        if known and len(args) < 3 and "key" not in named and plain(named.values()):
            return native(host, (args[0] if args[0].__class__ is tuple else List(listed), *args[1:]), named)
        return call_act(m.prelude(name), args, named)

    return run


def _only(known: Any, reason: str) -> Any:
    """The elements of a set, if all of them are known to give one result in every order."""

    def listed(value: Set) -> List:
        parts = list(value.items.values())
        if not known(parts):
            raise Refused(reason)
        return List(parts)

    return listed


def _extreme(name: str, host: Any, sign: str) -> Any:
    """The rule of `max` or `min`, which compares numbers that it is handed one by one."""
    of_items = _order_free(name, host, ordered)

    def run(m: Any, *args: Value, **named: Value) -> Value:
        if named or len(args) < 2 or not all(each.__class__ in NUMBERS or each.__class__ is Undecided for each in args):
            return of_items(m, *args, **named)
        best = args[0]
        for each in args[1:]:
            found = compare(m, sign, each, best)
            if found.__class__ not in SCALARS:
                return of_items(m, *args)
            best = each if found else best
        return best

    return run


_summed = _only(
    lambda parts: all(each.__class__ in (int, bool, Fraction) for each in parts),
    "a sum over a set of floats depends on its order; sort it",
)
_any_order = _only(plain, "any() or all() of a set of objects depends on its order; make a list")
for _host, _name, _allowed in (
    (sum, "sum_of", _summed),
    (sorted, "sorted_of", ordered),
    (any, "any_of", _any_order),
    (all, "all_of", _any_order),
):
    rule(_host)(_order_free(_name, _host, _allowed))
rule(min)(_extreme("min_of", min, "<"))
rule(max)(_extreme("max_of", max, ">"))


@rule(prelude.native_order)
def _native_order(m: Any, keys: Value) -> Value:
    """The order in which CPython's stable sort puts plain keys; None for keys that are not plain."""
    if any(_holds_records(each) for each in keys.items):
        raise Refused("instances are sorted, in an order of comparisons of its own; sort by a key of plain values")
    if not all(_sortable(each) for each in keys.items) and one_order(keys.items):
        return None
    return native(lambda row: sorted(range(len(row)), key=row.__getitem__), (keys,))


@rule(prelude.native_sum)
def _sum(m: Any, row: List, start: Value) -> Value:
    """The sum of numbers, which makes up for the rounding of floats from CPython 3.12 on."""
    if COMPENSATES or not any(each.__class__ is Undecided for each in row.items):
        return native(sum, (row, start))
    return functools.reduce(functools.partial(binary, m, "add", False), row.items, start)


def _holds_records(value: Value) -> bool:
    if value.__class__ is tuple:
        return any(map(_holds_records, value))
    return value.__class__ not in SCALARS and value.__class__ is not Undecided


@rule(prelude.take_attributes)
def _take_attributes(m: Any, function: Value, wrapped: Value) -> None:
    """Give a function what `functools.wraps` copies of another that can be seen."""
    if function.__class__ is not Function or (wrapped.__class__ is not Function and getattr(wrapped, "__dict__", True)):
        raise Refused("wraps() is followed for functions without attributes of their own")
    if wrapped.__class__ is Function:
        function.edit().update(wrapped.items)


def _sortable(value: Value) -> bool:
    return value.__class__ in SCALARS or (value.__class__ is tuple and all(map(_sortable, value)))


class Sequence:
    """Something with items, whose iterator shows its type."""

    def __getitem__(self, place: int) -> int:
        raise IndexError(place)


def _twin(host: Any) -> None:
    """Have a function or class of the host be interpreted: that of the prelude under its name, or ZipLongest so."""
    name = str(host.__name__).removeprefix("_")
    twin = twin_of(name) or twin_of("".join(map(str.capitalize, name.split("_"))))
    skip = type(host) is types.ClassMethodDescriptorType

    def run(m: Any, *args: Value, **named: Value) -> Value:
        if skip and not (args and args[0] is host.__objclass__):
            raise Refused(f"{name} of a subclass is not followed")
        return call_act(twin, args[skip:], named)

    rule(host)(run)
    if type(host) is type and type(twin) is type:
        STANDS_FOR[id(twin)] = host


TWINS: tuple[Any, ...] = (
    *(zip, map, filter, enumerate, functools.reduce, functools.lru_cache, functools.cache, functools.wraps, copy.copy),
    *(getattr(itertools, name) for name in words("count repeat cycle chain islice takewhile dropwhile filterfalse")),
    *(getattr(itertools, name) for name in words("starmap pairwise accumulate compress zip_longest product")),
    *(itertools.combinations, itertools.permutations, vars(itertools.chain)["from_iterable"]),
    *(operator.itemgetter, operator.attrgetter, vars(collections)["_count_elements"]),
    *(heapq.heappush, heapq.heappop, heapq.heapify, heapq.heapreplace, heapq.heappushpop),
    *(bisect.bisect_right, bisect.bisect_left),
)
for _host in TWINS:
    _twin(_host)
SHOWN: tuple[tuple[str, Any], ...] = (
    *(("ByItems", type(iter(Sequence()))), ("Downwards", reversed), ("Until", type(iter(list, None)))),
)
STANDS_FOR.update({id(twin_of(name)): kind for name, kind in SHOWN})
NAMED: tuple[tuple[Any, str], ...] = (
    *((sum, "start"), (min, "key default"), (max, "key default"), (sorted, "key reverse"), (enumerate, "start")),
    *((zip, "strict"), (itertools.accumulate, "initial"), (itertools.zip_longest, "fillvalue"), (deque, "maxlen")),
    *((itertools.product, "repeat"), (itertools.count, "start step"), (functools.lru_cache, "maxsize typed")),
    *((bisect.bisect_left, "lo hi key"), (bisect.bisect_right, "lo hi key"), (int, "base"), (Coins.below, "bound")),
    *((Coins.bernoulli, "p"), (Coins.fold, "items state step"), (random.Random.randrange, "start stop step")),
)
KEYWORDS.update({id(host): frozenset(names.split()) for host, names in NAMED})
FREE: tuple[Any, ...] = (dict, Counter, OrderedDict, defaultdict, types.SimpleNamespace, functools.partial, Fraction)
KEYWORDS.update({id(host): None for host in (*FREE, complex, Decimal)})


def _operator_rules() -> None:
    for name in words("add sub mul floordiv truediv mod pow and_ or_ xor lshift rshift"):
        word = name.rstrip("_")
        rule(getattr(operator, name))(lambda m, a, b, *, word=word: binary(m, word, False, a, b))
    for name, sign in (("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="), ("eq", "=="), ("ne", "!=")):
        rule(getattr(operator, name))(lambda m, a, b, *, sign=sign: compare(m, sign, a, b))
    rule(operator.neg)(lambda m, a: unary(m, "neg", a))
    rule(operator.is_)(lambda m, a, b: same_object(a, b))
    rule(operator.is_not)(lambda m, a, b: not same_object(a, b))
    rule(operator.contains)(lambda m, a, b: contains(m, b, a))
    rule(operator.truth)(lambda m, a: truth(m, a))


_operator_rules()


# -- what the prelude asks of the machine


rule(prelude.find)(find)
rule(prelude.told_name)(lambda m, value: told_name(value))
rule(prelude.store)(store)
rule(prelude.field)(lambda m, value, name: getattr(value, name))


@rule(prelude.same)
def _same(m: Any, a: Value, b: Value) -> bool:
    """Whether two values are surely one object; immutable values count as two, for which equality is enough."""
    return a is b and a.__class__ not in SCALARS


@rule(prelude.refuse)
def _refuse(m: Any, reason: Value) -> None:
    raise Refused(reason)


@rule(prelude.kind)
def _kind_of(m: Any, value: Value) -> str:
    """Which kind of value this is, for the prelude's own cases."""
    names = {tuple: "tuple", List: "list", Dict: "dict", Set: "set", Deque: "deque", Named: "named", View: "view"}
    if isinstance(value, Instance):
        return "error" if isinstance(value, Error) else "instance"
    if value.__class__ in (Generator, Iter):
        return "iterator"
    return names.get(value.__class__, "scalar" if value.__class__ in (*SCALARS, Undecided) else "other")
