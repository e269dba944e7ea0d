"""Metaclasses, enums and keys that were there before, whose special methods a machine once overlooked."""

import abc
import enum


class KeyX:
    def __init__(self, v=5):
        self.v = v

    def __hash__(self):
        return 5

    def __eq__(self, o):
        return o == 5


DX = {KeyX(): "x"}


def key_host_inst(n, coins):
    return (DX.get(5, "none"), 5 in DX)


SX = {KeyX()}


def set_host_inst(n, coins):
    return 5 in SX


class Meta(type):
    def __eq__(cls, o):
        return True

    def __hash__(cls):
        return 7


class MA(metaclass=Meta):
    pass


class MB(metaclass=Meta):
    pass


def key_meta(n, coins):
    d = {MA: 1}
    return d.get(MB, 0)


class MI(type):
    def __instancecheck__(cls, o):
        return False

    def __subclasscheck__(cls, o):
        return False


class IA(metaclass=MI):
    pass


class IB(IA):
    pass


def meta_inst(n, coins):
    return isinstance(IB(), IA)


def meta_sub(n, coins):
    return (issubclass(IB, IA), issubclass(IA, IA))


HA = abc.ABCMeta("HA", (), {"__subclasshook__": classmethod(lambda cls, c: False)})


class HB(HA):
    pass


def abc_hook(n, coins):
    return (isinstance(HB(), HA), issubclass(HB, HA))


def meta_match(n, coins):
    match IB():
        case IA():
            return 1
        case _:
            return 0


class Truthless(type):
    def __bool__(cls):
        return False

    def __len__(cls):
        return 3

    def __getitem__(cls, k):
        return k

    def __contains__(cls, k):
        return True

    def __add__(cls, k):
        return 9

    def __or__(cls, k):
        return 8

    def __lt__(cls, k):
        return True

    def __neg__(cls):
        return 4

    def __iter__(cls):
        return iter((1, 2))

    def __call__(cls):
        return 3


class TL(metaclass=Truthless):
    pass


def meta_bool(n, coins):
    return 1 if TL else 0


def meta_len(n, coins):
    try:
        return len(TL)
    except TypeError:
        return "e"


def meta_item(n, coins):
    try:
        return TL[4]
    except TypeError:
        return "e"


def meta_in(n, coins):
    try:
        return 3 in TL
    except TypeError:
        return "e"


def meta_add(n, coins):
    try:
        return TL + 1
    except TypeError:
        return "e"


def meta_lt(n, coins):
    try:
        return TL < TL
    except TypeError:
        return "e"


def meta_neg(n, coins):
    try:
        return -TL
    except TypeError:
        return "e"


def meta_iter(n, coins):
    try:
        return list(TL)
    except TypeError:
        return "e"


class Color(enum.Enum):
    RED = 1
    BLUE = 2

    def __len__(self):
        return 0


def enum_len(n, coins):
    try:
        return len(Color)
    except TypeError:
        return "e"


def enum_rev(n, coins):
    try:
        return [c.name for c in reversed(Color)]
    except TypeError:
        return "e"


class IE2(enum.IntEnum):
    A = 3
    B = 4

    def __rsub__(self, o):
        return "rsub"


def ie2_rsub(n, coins):
    return 10 - IE2.A


def ie2_rsub_u(n, coins):
    return coins.below(5) - IE2.A


class IE3(enum.IntEnum):
    A = 3

    def __ne__(self, o):
        return "ne"


def ie3_ne(n, coins):
    return IE3.A != 3


class IE4(enum.IntEnum):
    A = 3

    def __abs__(self):
        return "abs"

    def __float__(self):
        return 9.0

    def __round__(self, *a):
        return "round"


def ie4(n, coins):
    return abs(IE4.A)


def ie4b(n, coins):
    return float(IE4.A)


class IE5(enum.IntEnum):
    A = 3

    def __iadd__(self, o):
        return "iadd"

    def __lshift__(self, o):
        return "ls"


def ie5(n, coins):
    a = IE5.A
    a += 1
    return a


def ie5b(n, coins):
    return IE5.A << 1


class IE6(enum.IntEnum):
    A = 3

    def __rmul__(self, o):
        return "rm"

    def __divmod__(self, o):
        return "dm"


def ie6(n, coins):
    return 2 * IE6.A
