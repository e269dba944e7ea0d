"""The rules for built-in functions and types: what each gives for each kind of value."""

from __future__ import annotations

import abc
import collections
import copy
import functools
import itertools
import math
import operator
import types
from collections import Counter, OrderedDict, defaultdict, deque
from decimal import Decimal
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.number import exact
from dpcert.reading import prelude, prelude_iterators
from dpcert.reading.actions import Act, call_act
from dpcert.reading.assign import delete_attribute, set_attribute, store
from dpcert.reading.border import mismatch, native, throw
from dpcert.reading.containers import index_of, plain, rows
from dpcert.reading.domains import coins as domain
from dpcert.reading.errors import NotPlain, Refused, Thrown, words
from dpcert.reading.iterate import reverse
from dpcert.reading.objects import attribute, find, lookup
from dpcert.reading.operators import binary, compare, contains, member, same_object, truth, unary
from dpcert.reading.sets import is_integer_set, make_set, ordered
from dpcert.reading.types_of import STANDS_FOR, is_class, is_exception, is_sub, mro_of, type_of
from dpcert.reading.values import (
    MISSING,
    SCALARS,
    Bound,
    Deque,
    Dict,
    Error,
    Function,
    Generator,
    Instance,
    Iter,
    List,
    Named,
    Partial,
    Rule,
    Set,
    Slice,
    Super,
    Undecided,
    Value,
    View,
    Wrapped,
)
from dpcert.reading.whitelist import call_method, rule, run_native

# -- draws


@rule(Coins.below, Coins._randbelow)
def _below(m: Any, owner: Value, bound: Value) -> Value:
    if bound.__class__ is Undecided:
        bound = domain.decide(bound)
    if bound.__class__ is not int or bound < 1:
        raise Refused("below() is called with other than an int of 1 or more")
    return m.draw(bound, "int")


@rule(Coins.random)
def _random(m: Any, owner: Value) -> Value:
    return m.draw(1 << 53, "float")


@rule(Coins.getrandbits)
def _getrandbits(m: Any, owner: Value, bits: Value) -> Value:
    count = index_of(bits)
    if type(count) is not int or count < 0:
        raise Refused("getrandbits() is called with other than an int of 0 or more")
    return m.draw(1 << count, "int")


@rule(Coins.bernoulli)
def _bernoulli(m: Any, owner: Value, p: Value) -> Value:
    chance = native(exact, (p, "probability"))
    if not 0 <= chance <= 1:
        raise Refused("bernoulli() is called with other than a probability")
    return call_act(m.prelude("less"), (m.draw(chance.denominator, "int"), chance.numerator))


@rule(Coins.fold)
def _fold(m: Any, owner: Value, items: Value, state: Value, step: Value) -> Act:
    return call_act(m.prelude("fold"), (owner, items, state, step))


@rule(prelude.fresh)
def fresh(m: Any, value: Value) -> Value:
    """A copy of a state of `fold`, of which nothing is shared."""
    kind = value.__class__
    if kind in SCALARS or kind is Undecided:
        return value
    if kind is tuple:
        return tuple([fresh(m, each) for each in value])
    if kind is List:
        return List([fresh(m, each) for each in value.items])
    if kind is Dict and value.kind is dict:
        return Dict({name: (key, fresh(m, part)) for name, (key, part) in value.items.items()})
    if kind is Set:
        return Set(dict(value.items), value.frozen)
    raise Refused(f"a {type_of(value).__name__} is not a state of fold that is followed")


# -- types


@rule(type)
def _type(m: Any, value: Value, *more: Value) -> Value:
    if more:
        raise Refused("type() with three arguments is not followed; write a class statement")
    return type_of(value)


@rule(isinstance)
def _isinstance(m: Any, value: Value, of: Value) -> Value:
    return is_sub(type_of(value), of)


@rule(issubclass)
def _issubclass(m: Any, cls: Value, of: Value) -> Value:
    if not is_class(cls):
        raise throw(TypeError, "issubclass() arg 1 must be a class")
    return is_sub(cls, of)


@rule(callable)
def _callable(m: Any, value: Value) -> bool:
    if isinstance(value, Instance):
        return lookup(m, value.cls, "__call__") is not MISSING
    return is_class(value) or value.__class__ in (Function, Bound, Rule, Partial) or type(value) in CALLED


CALLED = (types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType)


@rule(super)
def _super(m: Any, *args: Value) -> Super:
    if len(args) == 2:
        start, owner = args
    else:
        frame = m.frames[-1]
        slots = frame.code.slots
        if args or "__class__" not in slots:
            raise Refused("super() is followed in a method alone")
        owner, cell = frame.locals[0], frame.locals[slots.index("__class__")]
        owner = owner.items[0] if type(owner).__name__ == "Cell" else owner
        start = cell.items[0]
    cls = owner if is_class(owner) and any(base is start for base in mro_of(owner)) else type_of(owner)
    if not any(base is start for base in mro_of(cls)):
        raise throw(TypeError, "super(type, obj): obj must be an instance or subtype of type")
    return Super(start, owner, cls)


@rule(object.__new__)
def _new(m: Any, cls: Value, *args: Value, **keywords: Value) -> Value:
    if is_exception(cls):
        return Error(cls, args)
    return Instance(cls, {})


@rule(BaseException.__new__, Exception.__new__)
def _new_error(m: Any, cls: Value, *args: Value, **keywords: Value) -> Value:
    return Error(cls, args)


@rule(object.__init__)
def _nothing(m: Any, *args: Value, **keywords: Value) -> None:
    return None


@rule(object)
def _object(m: Any) -> Instance:
    return Instance(object, {})


@rule(types.SimpleNamespace)
def _namespace(m: Any, **named: Value) -> Instance:
    return Instance(types.SimpleNamespace, dict(named))


@rule(tuple.__new__)
def _new_tuple(m: Any, cls: Value, items: Value = ()) -> Value:
    listed = rows(items)
    if listed is None:
        return call_act(m.prelude("tuple_of"), (cls, items))
    return tuple(listed) if cls is tuple else Named(cls, tuple(listed))


@rule(property)
def _property(m: Any, fget: Value = None, fset: Value = None, fdel: Value = None, doc: Value = None) -> Wrapped:
    return Wrapped(property, (fget, fset, fdel))


rule(staticmethod)(lambda m, function: Wrapped(staticmethod, (function,)))
rule(classmethod)(lambda m, function: Wrapped(classmethod, (function,)))
rule(abc.abstractmethod)(lambda m, function: function)
rule(functools.partial)(lambda m, function, *args, **named: _partial(function, args, named))


def _partial(function: Value, args: tuple[Value, ...], named: dict[str, Value]) -> Partial:
    if function.__class__ is Partial:
        return Partial(function.function, (*function.args, *args), {**function.keywords, **named})
    return Partial(function, args, named)


# -- attributes


@rule(getattr)
def _getattr(m: Any, owner: Value, name: Value, *default: Value) -> Value:
    if name.__class__ is not str:
        raise mismatch(lambda each: getattr(0, each), name)
    try:
        found = attribute(m, owner, name)
    except Thrown as thrown:
        if default and is_sub(thrown.error.cls, AttributeError):
            return default[0]
        raise
    return found.then("default", default[0]) if found.__class__ is Act and default else found


@rule(hasattr)
def _hasattr(m: Any, owner: Value, name: Value) -> Value:
    found = _getattr(m, owner, name, MISSING)
    if found.__class__ is Act:
        return found.then("has")
    return found is not MISSING


@rule(setattr)
def _setattr(m: Any, owner: Value, name: Value, value: Value) -> Value:
    if name.__class__ is not str:
        raise Refused("setattr of a name that is no text")
    return set_attribute(m, owner, name, value)


@rule(delattr)
def _delattr(m: Any, owner: Value, name: Value) -> Value:
    return delete_attribute(m, owner, name)


@rule(object.__setattr__)
def _object_setattr(m: Any, owner: Value, name: Value, value: Value) -> Value:
    if not isinstance(owner, Instance):
        raise Refused("object.__setattr__ is followed on instances alone")
    return store(m, owner, name, value)


# -- numbers and texts


def _by_special(m: Any, value: Value, name: str, twin: str) -> Value:
    """The call of a special method of an instance that converts it, or None."""
    if isinstance(value, Instance) and find(m, value, name) is not None:
        return call_act(m.prelude(twin), (value,))
    return None


@rule(int)
def _int(m: Any, value: Value = 0, *base: Value) -> Value:
    value = member(value)
    if value.__class__ is Undecided and not base:
        return value if domain.kind_of(value) is int else domain.then(value, "int")
    return _by_special(m, value, "__int__", "to_int") or native(int, (value, *base))


@rule(float)
def _float(m: Any, value: Value = 0.0) -> Value:
    value = member(value)
    if value.__class__ is Undecided:
        return value if domain.kind_of(value) is float else domain.then(value, "float")
    return _by_special(m, value, "__float__", "to_float") or native(float, (value,))


def _rounding(host: Any, name: str) -> Any:
    def run(m: Any, value: Value, *digits: Value) -> Value:
        value = member(value)
        if value.__class__ is Undecided and not digits:
            return value if domain.kind_of(value) is int else domain.then(value, name)
        if isinstance(value, Instance) and find(m, value, f"__{name}__") is not None:
            return call_act(find(m, value, f"__{name}__"), (value, *digits))
        return native(host, (value, *digits))

    return run


for _host, _name in ((math.floor, "floor"), (math.ceil, "ceil"), (round, "round")):
    rule(_host)(_rounding(_host, _name))
rule(math.trunc)(lambda m, value: _int(m, value) if value.__class__ is Undecided else native(math.trunc, (value,)))


@rule(operator.index)
def _index(m: Any, value: Value) -> Value:
    if value.__class__ is Undecided and domain.kind_of(value) is int:
        return value
    return native(operator.index, (member(value),))


@rule(abs)
def _abs(m: Any, value: Value) -> Value:
    value = member(value)
    if value.__class__ is Undecided:
        first, last = domain.ends(value)
        whole = domain.kind_of(value) is int
        if whole and min(first, last) >= 0:
            return value
        return domain.then(value, "neg") if whole and max(first, last) <= 0 else native(abs, (value,))
    if isinstance(value, Instance) and (function := find(m, value, "__abs__")) is not None:
        return call_act(function, (value,))
    return native(abs, (value,))


@rule(bool)
def _bool(m: Any, value: Value = False) -> Value:
    return truth(m, value)


for _made in (complex, bytes, Fraction, Decimal):
    rule(_made)(lambda m, *args, _made=_made, **named: run_native(m, _made, tuple(map(member, args)), named))


@rule(hash)
def _hash(m: Any, value: Value) -> Value:
    parts = list(value) if value.__class__ is tuple else [value]
    if all(each.__class__ in (int, float, bool, Fraction, Undecided) for each in parts):
        return native(hash, (value,))
    if isinstance(value, Instance) and (function := find(m, value, "__hash__")) is not None:
        return call_act(function, (value,))
    if value.__class__ in (List, Dict, Set):
        raise mismatch(hash, value)
    raise Refused("a hash depends on the process; use the value itself")


@rule(str)
def _str(m: Any, value: Value = "", *more: Value) -> Value:
    return native(str, (value, *more)) if more or value.__class__ in SCALARS else shown(m, value, "text")


@rule(repr)
def _repr(m: Any, value: Value) -> Value:
    return shown(m, value, "shown")


def shown(m: Any, value: Value, how: str) -> Value:
    """The text of a value, or the call that finds it."""
    if value.__class__ in (Set, Deque, View) or (value.__class__ is Dict and value.kind is not dict):
        return call_act(m.prelude("shown"), (value,))
    try:
        return native(str if how == "text" else repr, (value,))
    except NotPlain:
        return call_act(m.prelude(how), (value,))


@rule(format)
def formatted(m: Any, value: Value, spec: Value = "") -> Value:
    """The text of a value in a format, or the call that finds it."""
    if value.__class__ in SCALARS or value.__class__ is Undecided:
        return native(format, (value, spec))
    return call_act(m.prelude("formatted"), (value, spec))


# -- containers


@rule(list)
def _list(m: Any, items: Value = ()) -> Value:
    listed = rows(items)
    return call_act(m.prelude("list_of"), (items,)) if listed is None else List(listed)


@rule(tuple)
def _tuple(m: Any, items: Value = ()) -> Value:
    return _new_tuple(m, tuple, items)


def _set_rule(frozen: bool) -> Any:
    def run(m: Any, items: Value = ()) -> Value:
        if items.__class__ is Set:
            return Set(dict(items.items), frozen)
        listed = rows(items)
        if listed is None:
            return call_act(m.prelude("frozenset_of" if frozen else "set_of"), (items,))
        return make_set(m, listed, frozen)

    return run


rule(set)(_set_rule(False))
rule(frozenset)(_set_rule(True))


def _dict_rule(kind: Any) -> Any:
    def run(m: Any, *args: Value, **named: Value) -> Value:
        found = Dict({}, kind, args[0] if kind is defaultdict and args else None)
        rest = args[1:] if kind is defaultdict else args
        if not rest and not named:
            return found
        if kind is Counter:
            call = call_act(lookup(m, Counter, "update"), (found, *rest), named)
        else:
            call = call_method(m, found, "update", rest, named)
        return found if call is None else call.then("instance", found)

    return run


for _kind in (dict, Counter, OrderedDict, defaultdict):
    rule(_kind)(_dict_rule(_kind))


@rule(vars(dict)["fromkeys"])
def _fromkeys(m: Any, cls: Value, keys: Value, value: Value = None) -> Act:
    if cls is not dict:
        raise Refused("fromkeys of a subclass of dict is not followed")
    return call_act(m.prelude("fromkeys"), (keys, value))


@rule(deque)
def _deque(m: Any, items: Value = (), maxlen: Value = None) -> Value:
    found = Deque([], index_of(maxlen) if maxlen is not None else None)
    call = call_method(m, found, "extend", (items,), {})
    return found if call is None else call.then("instance", found)


@rule(range)
def _range(m: Any, *args: Value) -> Value:
    return native(range, tuple(map(member, args)))


@rule(slice)
def _slice(m: Any, *args: Value) -> Slice:
    return Slice(None, *args) if len(args) == 1 else Slice(*args)


@rule(reversed)
def _reversed(m: Any, value: Value) -> Value:
    return reverse(m, value)


# -- functions of iterables


def _order_free(name: str, host: Any, allowed: Any) -> Any:
    """The rule of a function that gives one result for every order of a set."""

    def run(m: Any, *args: Value, **named: Value) -> Value:
        if args and args[0].__class__ is Set:
            args = (allowed(args[0]), *args[1:])
        listed = rows(args[0]) if args and args[0].__class__ in (List, tuple, range) else None
        if listed is not None and plain(listed) and len(args) < 3 and "key" not in named and plain(named.values()):
            if plain(args[1:]) and args[0].__class__ is not range:
                return native(host, args, named)
        return call_act(m.prelude(name), args, named)

    return run


def _summed(value: Set) -> List:
    if not is_integer_set(value):
        raise Refused("a sum over a set of floats depends on its order; sort it")
    return List(list(value.items.values()))


def _any_order(value: Set) -> List:
    if not plain(value.items.values()):
        raise Refused("any() or all() of a set of objects depends on its order; make a list")
    return List(list(value.items.values()))


for _host, _name, _allowed in (
    (sum, "sum_of", _summed),
    (min, "min_of", ordered),
    (max, "max_of", ordered),
    (sorted, "sorted_of", ordered),
    (any, "any_of", _any_order),
    (all, "all_of", _any_order),
):
    rule(_host)(_order_free(_name, _host, _allowed))


@rule(prelude.native_order)
def _native_order(m: Any, keys: Value) -> Value:
    """The order in which CPython's stable sort puts plain keys; None for keys that are not plain."""
    if not all(_sortable(each) for each in keys.items):
        return None
    return native(lambda row: sorted(range(len(row)), key=row.__getitem__), (keys,))


def _sortable(value: Value) -> bool:
    return value.__class__ in SCALARS or (value.__class__ is tuple and all(map(_sortable, value)))


def _twin(host: Any, name: str) -> None:
    twin = getattr(prelude, f"_{name}", None) or getattr(prelude_iterators, f"_{name}")
    skip = type(host) is types.ClassMethodDescriptorType
    rule(host)(lambda m, *args, **named: call_act(twin, args[skip:], named))
    if type(host) is type and type(twin) is type:
        STANDS_FOR[id(twin)] = host


for _host, _name in (
    *((zip, "Zip"), (map, "Map"), (filter, "Filter"), (enumerate, "Enumerate"), (functools.reduce, "reduce")),
    *((itertools.count, "Count"), (itertools.repeat, "Repeat"), (itertools.cycle, "Cycle"), (itertools.chain, "Chain")),
    *((itertools.islice, "Islice"), (itertools.takewhile, "Takewhile"), (itertools.dropwhile, "Dropwhile")),
    *((itertools.filterfalse, "Filterfalse"), (itertools.starmap, "Starmap"), (itertools.pairwise, "Pairwise")),
    *((itertools.accumulate, "Accumulate"), (itertools.compress, "Compress"), (itertools.zip_longest, "ZipLongest")),
    *(
        (itertools.product, "Product"),
        (itertools.combinations, "Combinations"),
        (itertools.permutations, "Permutations"),
    ),
    *((copy.copy, "copied"), (copy.deepcopy, "deep_copied"), (operator.itemgetter, "itemgetter")),
    *((operator.attrgetter, "attrgetter"), (functools.lru_cache, "lru_cache"), (functools.cache, "cache")),
    *((vars(collections)["_count_elements"], "count_elements"), (functools.wraps, "wraps")),
    (vars(itertools.chain)["from_iterable"], "chain_of"),
):
    _twin(_host, _name)


def _operator_rules() -> None:
    for name in words("add sub mul floordiv truediv mod pow and_ or_ xor lshift rshift"):
        word = name.rstrip("_")
        rule(getattr(operator, name))(lambda m, a, b, word=word: binary(m, word, False, a, b))
    for name, sign in (("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="), ("eq", "=="), ("ne", "!=")):
        rule(getattr(operator, name))(lambda m, a, b, sign=sign: compare(m, sign, a, b))
    rule(operator.neg)(lambda m, a: unary(m, "neg", a))
    rule(operator.is_)(lambda m, a, b: same_object(a, b))
    rule(operator.is_not)(lambda m, a, b: not same_object(a, b))
    rule(operator.contains)(lambda m, a, b: contains(m, b, a))
    rule(operator.truth)(lambda m, a: truth(m, a))


_operator_rules()


# -- what the prelude asks of the machine


@rule(prelude.find)
def _find(m: Any, value: Value, name: Value) -> Value:
    return find(m, value, name)


@rule(prelude.same)
def _same(m: Any, a: Value, b: Value) -> bool:
    """Whether two values are surely one object; two immutable ones count as two, for equality tells the same of them."""
    return a is b and a.__class__ not in SCALARS


@rule(prelude.refuse)
def _refuse(m: Any, reason: Value) -> None:
    raise Refused(reason)


@rule(prelude.store)
def _store(m: Any, owner: Value, name: Value, value: Value) -> Value:
    return store(m, owner, name, value)


@rule(prelude.kind)
def _kind_of(m: Any, value: Value) -> str:
    """Which kind of value this is, for the prelude's own cases."""
    names = {tuple: "tuple", List: "list", Dict: "dict", Set: "set", Deque: "deque", Named: "named", View: "view"}
    if isinstance(value, Instance):
        return "error" if isinstance(value, Error) else "instance"
    if value.__class__ in (Generator, Iter):
        return "iterator"
    return names.get(value.__class__, "scalar" if value.__class__ in (*SCALARS, Undecided) else "other")


@rule(prelude.field)
def _field(m: Any, value: Value, name: Value) -> Value:
    return getattr(value, name)
