"""Calls of built-in functions, iterators and exceptions that a machine once ran unlike CPython."""

import copy
import functools
import itertools
from collections import deque

from masked import RETURNED, TRIED, define


def set_mut_iter(n, coins):
    s = {1}
    try:
        for x in s:
            s.add(x + 1)
    except RuntimeError as e:
        return str(e)
    return len(s)


def set_mut_iter2(n, coins):
    s = {1}
    try:
        for x in s:
            s.discard(x)
    except RuntimeError as e:
        return str(e)
    return "ok"


def rng_huge(n, coins):
    for i in range(10**30):
        return i + coins.below(2)
    return None


def deque_end(n, coins):
    d = deque([1])
    it = iter(d)
    next(it)
    next(it, 0)
    d.append(2)
    try:
        return next(it, "end")
    except RuntimeError:
        return "e"


def pop3(n, coins):
    try:
        return {}.pop(1, 2, 3)
    except TypeError:
        return "t"
    except KeyError:
        return "k"


def count_extra(n, coins):

    class A:
        pass

    try:
        return [A()].count(1, 2)
    except TypeError as e:
        return str(e)


def star_bad(n, coins):

    def f(*a):
        return a

    try:
        return f(*5)
    except TypeError as e:
        return ("must be an iterable" in str(e), "f()" in str(e))


def sum_side(n, coins):
    log = []

    def g():
        yield 0.5
        log.append(1)
        yield "a"
        log.append(2)

    try:
        sum(g())
    except TypeError:
        return log


def cache_reent(n, coins):
    k = [0]

    @functools.lru_cache(maxsize=4)
    def f(x):
        k[0] += 1
        me = k[0]
        if me < 3:
            f(x)
        return me

    return (f(1), f(1))


def deep_key(n, coins):

    class A:
        pass

    a = A()
    e = copy.deepcopy({a: 1})
    return a in e


def throw_new_ctx(n, coins):

    def g():
        yield 1

    try:
        raise KeyError(1)
    except KeyError:
        try:
            g().throw(ValueError(2))
        except ValueError as e:
            return e.__context__ is None


def throw_done_ctx(n, coins):

    def g():
        yield 1

    x = g()
    list(x)
    try:
        raise KeyError(1)
    except KeyError:
        try:
            x.throw(ValueError(2))
        except ValueError as e:
            return e.__context__ is None


def throw_other(n, coins):

    def g():
        yield 1

    try:
        g().throw(ValueError, KeyError(1))
    except Exception as e:
        return type(e).__name__


def gen_stop_throw_new(n, coins):

    def g():
        yield 1

    try:
        g().throw(StopIteration(3))
    except RuntimeError:
        return "r"
    except StopIteration:
        return "s"


def ctx_cycle(n, coins):
    a, b = (ValueError(1), KeyError(2))
    a.__context__ = b
    b.__context__ = a
    try:
        raise a
    except ValueError:
        try:
            raise TypeError(3)
        except TypeError as e:
            return type(e.__context__).__name__


def exc_keyrepr(n, coins):

    class E(KeyError):
        def __repr__(self):
            return "R"

    return str(E("a"))


def f_defaults(n, coins):

    def f(a, b=2):
        return (a, b)

    try:
        f.__defaults__ = [3]
    except TypeError as e:
        return str(e)
    return f(1)


ROW = [1]


PROGRAMS = {
    "set_min_two": lambda n, coins: min({1, 2}, {1}),
    "set_max_two_key": lambda n, coins: max({1, 2}, {1}, key=len),
    "set_iter_type": lambda n, coins: type(iter({1})).__name__,
    "rng_huge3": lambda n, coins: next(reversed(range(10**30))),
    "rng_huge7": lambda n, coins: list(itertools.islice(range(10**30), 3)),
    "rev_type": lambda n, coins: (type(reversed((1, 2))).__name__, type(reversed("ab")).__name__),
    "str_it_type": lambda n, coins: type(iter("é")).__name__,
}


class Five:
    def __int__(self):
        return 5

    def __round__(self, *digits):
        return digits


FORMED = {
    RETURNED: {
        "set_mut_iter4": ("s = {1}; it = iter(s); s.discard(1); s.add(2)", "next(it)"),
    },
    TRIED: {
        "sorted_items": ("d = {(2, 1.0): 'b', (2, -0.0): 'a'}", "return str(sorted(d.items()))", "TypeError", "'t'"),
        "sorted_counter": ("d = Counter('abca')", "return sorted(d), max(d.values())", "TypeError", "'t'"),
        "sorted_pairs": ("", "return sorted([(1, 'a'), (1, 2)])", "TypeError as e", "str(e)"),
        "greatest_of_keys_and_more": ("", "return max({1: 2}.keys(), 3)", "TypeError as e", "str(e)"),
        "greatest_of_a_list_and_more": ("", "return min([1], 3)", "TypeError as e", "str(e)"),
        "sum_of_pairs": ("d = {1: 2}", "return sum(d.items(), ())", "TypeError as e", "str(e)"),
        "sum_of_pairs_and_0": ("d = {1: 2}", "return sum(d.items())", "TypeError as e", "str(e)"),
        "any_of_pairs": ("d = {0: 0}", "return any(d.items()), any(d), all(d.keys())", "TypeError", "'t'"),
        "least_of_none": ("", "return min({}.values())", "ValueError as e", "str(e)"),
        "set_mut_iter3": ("s = set(); it = iter(s); s.add(1)", "return next(it, 'end')", "RuntimeError as e", "str(e)"),
        "deque_rot": ("d = deque([1]); it = iter(d); d.rotate(1)", "return next(it)", "RuntimeError", "'e'"),
        "deque_clear0": ("d = deque(); it = iter(d); d.clear()", "return next(it, 'end')", "RuntimeError", "'e'"),
        "heap_empty": ("", "heapq.heappop([])", "IndexError as e", "str(e)"),
        "heap_tuple2": ("", "heapq.heapify((1,))", "TypeError as e", "str(e)"),
        "bis_neg": ("", "return bisect.bisect([1, 2], 1, -1)", "ValueError as e", "str(e)"),
        "prod_neg": ("", "return list(itertools.product([1], repeat=-1))", "ValueError as e", "str(e)"),
        "rep_float": ("", "return list(itertools.repeat(1, 2.0))", "TypeError as e", "str(e)"),
        "next3": ("", "return next(iter([]), 1, 2)", "TypeError", "'t'"),
        "getattr4": ("", "return getattr(5, 'x', 1, 2)", "TypeError", "'t'"),
        "reduce_bad": ("", "return functools.reduce(lambda a, b: a, 5)", "TypeError as e", "str(e)"),
        "enum_noarg": ("", "return list(enumerate())", "TypeError as e", "'t' + str(e)"),
        "sorted_mixed": ("u = coins.below(3)", "return sorted([u, 1.5, 'a'])", "TypeError as e", "str(e)"),
        "sorted_mixed2": ("u = coins.below(3)", "return sorted([u, 1.5, 0, 2, 'a', 1, u])", "TypeError as e", "str(e)"),
        "third_argument": ("", "return operator.add(5, 2, 'mul')", "TypeError", "'t'"),
        "third_sign": ("", "return operator.lt(5, 2, '>')", "TypeError", "'t'"),
        "view_of_another_kind": ("", "return list({1: 2}.keys('values'))", "TypeError", "'t'"),
        "made_by_another": ("", "return Fraction('1', _made=complex)", "TypeError", "'t'"),
        "popitem_of_which": ("", "return {1: 2}.popitem(True)", "TypeError", "'t'"),
        "difference_of_three": ("", "return sorted({1}.symmetric_difference({2}, {3}))", "TypeError", "'t'"),
        "difference_of_one": ("", "return sorted({1}.symmetric_difference())", "TypeError", "'t'"),
        "int_in_a_base": ("", "return int(Five(), 10)", "TypeError", "'t'"),
        "rounded_twice": ("", "return round(Five(), 1, 2)", "TypeError", "'t'"),
        "attribute_of_a_number": ("", "return bool(operator.attrgetter(5))", "Exception as e", "e.args"),
        "item_of_nothing": ("", "return type(operator.itemgetter()).__name__", "Exception as e", "type(e).__name__"),
        "partial_of_a_number": ("", "return type(functools.partial(5)).__name__", "Exception as e", "type(e).__name__"),
        "cache_of_a_set": ("", "return type(functools.lru_cache({1})).__name__", "Exception as e", "type(e).__name__"),
        "default_of_a_set": ("", "return type(defaultdict({1})).__name__", "Exception as e", "type(e).__name__"),
        "tuple_of_a_number": ("", "return type(tuple.__new__(5)).__name__", "Exception as e", "type(e).__name__"),
        "object_of_a_number": ("", "return type(object.__new__(5)).__name__", "Exception as e", "type(e).__name__"),
        "iter_of_a_number": ("", "return type(iter(5, 5)).__name__", "Exception as e", "type(e).__name__"),
        "pop_from_an_empty_dict": ("", "return type({}.pop([1])).__name__", "Exception as e", "type(e).__name__"),
        "bisect_in_a_dict": ("", "return bool(bisect.bisect({1: 2}, 1))", "Exception as e", "e.args"),
        "index_between_lists": ("", "return bool([1, 2].index(int, []))", "Exception as e", "e.args"),
        "combinations_of_a_type": (
            "",
            "return bool(list(itertools.combinations(int, [1])))",
            "Exception as e",
            "e.args",
        ),
        "far_islice": ("", "return bool(next(itertools.islice([1], 2**70)))", "Exception as e", "e.args"),
        "pairs_of_ordered": ("", "return bool(OrderedDict('a'))", "Exception as e", "e.args"),
        "counted_of_three": ("", "return bool(Counter([1], 2, 3))", "Exception as e", "e.args"),
        "cache_of_types": ("", "return bool(functools.lru_cache(int, [1]))", "Exception as e", "e.args"),
        "views_of_ordered": ("d = OrderedDict(a=1)", "return type(d.keys()).__name__", "KeyError", "0"),
        "moved_of_none": ("d = OrderedDict(a=1)", "d.move_to_end(())", "KeyError as e", "e.args"),
        "text_of_a_namespace": ("", "return list(SimpleNamespace())", "TypeError as e", "str(e)"),
        "ascii_of_a_set": ("", "return ascii({1})", "TypeError", "'t'"),
        "in_a_plain_object": ("", "return 1 in Five()", "TypeError as e", "str(e)"),
        "index_of_host_list": ("", "return ROW[5]", "IndexError as e", "str(e)"),
        "assigned_index": ("row = [1]", "row[5] = 1", "IndexError as e", "str(e)"),
        "deleted_index": ("row = [1]", "del row[5]", "IndexError as e", "str(e)"),
    },
}
define(globals(), FORMED)
