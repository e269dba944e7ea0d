"""Special methods and bases that a machine once overlooked, or did not check."""

import enum
import operator
from collections import Counter
from typing import NamedTuple

from masked import RETURNED, TRIED, define


class V(NamedTuple):
    x: int
    y: int = 0

    def __add__(self, o):
        return V(self.x + o.x, self.y + o.y)


class V2(NamedTuple):
    x: int

    def __lt__(self, o):
        return self.x > o.x


class V3(NamedTuple):
    x: int

    def __bool__(self):
        return False


class V4(NamedTuple):
    x: int

    def __contains__(self, v):
        return True


class V6(NamedTuple):
    x: int

    def __mul__(self, o):
        return "mul"


class V8(NamedTuple):
    x: int

    def __radd__(self, o):
        return "radd"


class V10(NamedTuple):
    x: int

    def __reversed__(self):
        return iter("ab")


def nt_sub_in_run(n, coins):

    class Q(V):
        def z(self):
            return self.x + 1

    return Q(1, 2).z()


class MyInt(int):
    def f(self):
        return 1


def int_sub_in_run(n, coins):

    class N(MyInt):
        pass

    try:
        return N(5) + 1
    except TypeError:
        return "e"


def oserr_in_run(n, coins):

    class E(OSError):
        pass

    return str(E(1, "x"))


def sysexit_in_run(n, coins):

    class E(SystemExit):
        pass

    return E(3).code


def grp_in_run(n, coins):

    class E(ExceptionGroup):
        pass

    try:
        return E(1).args
    except TypeError:
        return "e"


class EM2(type):
    log: list[int]

    def __init__(cls, *a):
        EM2.log.append(1)
        super().__init__(*a)

    def __instancecheck__(cls, o):
        return False


EM2.log = []


class EBase2(Exception, metaclass=EM2):
    pass


def exc_meta2(n, coins):

    class E(EBase2):
        pass

    return (isinstance(E(1), E), isinstance(E(1), EBase2))


def keyerr_str(n, coins):

    class E(KeyError):
        def __str__(self):
            return "k" + super().__str__()

    return str(E("a"))


class KE(KeyError):
    def __str__(self):
        return "k" + super().__str__()


class OE:
    def __init__(self, v):
        self.v = v

    def __eq__(self, o):
        return True


def obj_eq3(n, coins):

    class A:
        pass

    a = A()
    return (a.__eq__(a), a.__eq__(A()) is NotImplemented)


class HashBig:
    def __hash__(self):
        return 2**70 + 3


class HashU:
    def __init__(self, v):
        self.v = v

    def __hash__(self):
        return self.v


class StrInt:
    def __str__(self):
        return 5

    def __repr__(self):
        return 6

    def __format__(self, s):
        return 7


def prop_none(n, coins):

    class A:
        x = property(None, lambda s, v: None)

    try:
        return A().x
    except AttributeError:
        return "attr"
    except TypeError:
        return "type"


def itemgetter_class(n, coins):

    class A:
        get = operator.itemgetter(0)

    return A().get([5])


class CE(enum.Enum):
    A = 1

    def __call__(self):
        return 4


class DelLater:
    pass


def del_later2(n, coins):
    log = []
    a = DelLater()
    DelLater.__del__ = lambda s: log.append(1)
    del a
    del DelLater.__del__
    return len(log)


PROGRAMS = {
    "nt_add": lambda n, coins: V(1, 2) + V(3, 4),
    "nt_lt": lambda n, coins: V2(1) < V2(2),
    "nt_bool": lambda n, coins: 1 if V3(1) else 0,
    "nt_in": lambda n, coins: 9 in V4(1),
    "nt_mul": lambda n, coins: V6(1) * 2,
    "nt_rev": lambda n, coins: list(reversed(V10(1))),
    "keyerr_str2": lambda n, coins: str(KE("a")),
    "cnt_eq": lambda n, coins: dict.__eq__(Counter(a=0), Counter()),
    "hash_big": lambda n, coins: hash(HashBig()),
    "hash_u": lambda n, coins: hash(HashU(coins.below(3) - 1)),
    "callable_enum": lambda n, coins: callable(CE.A),
}


FORMED = {
    RETURNED: {
        "nt_radd": ("row = (1,)", "row + V8(1)"),
        "obj_eq": ("r = object.__eq__(OE(1), OE(2))", "r is NotImplemented"),
    },
    TRIED: {
        "lacked_by_a_made_class": ("class K: pass", "return K().x", "AttributeError as e", "(str(e), e.name)"),
        "cnt_del": ("c = Counter()", "del c['a']; return 'ok'", "KeyError", "'e'"),
        "str_int": ("", "return str(StrInt())", "TypeError as e", "str(e)"),
        "repr_int": ("", "return repr(StrInt())", "TypeError as e", "str(e)"),
        "repr_int_list": ("", "return repr([StrInt()])", "TypeError as e", "str(e)"),
        "fmt_int": ("", "return f'a{StrInt()}'", "TypeError as e", "str(e)"),
    },
}
define(globals(), FORMED)
