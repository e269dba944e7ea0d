"""Metaclasses, enums and keys that were there before, whose special methods a machine once overlooked."""

import abc
import enum

from masked import RETURNED, TRIED, define


class KeyX:
    def __init__(self, v=5):
        self.v = v

    def __hash__(self):
        return 5

    def __eq__(self, o):
        return o == 5


DX = {KeyX(): "x"}


SX = {KeyX()}


class Meta(type):
    def __eq__(cls, o):
        return True

    def __hash__(cls):
        return 7


class MA(metaclass=Meta):
    pass


class MB(metaclass=Meta):
    pass


class MI(type):
    def __instancecheck__(cls, o):
        return False

    def __subclasscheck__(cls, o):
        return False


class IA(metaclass=MI):
    pass


class IB(IA):
    pass


HA = abc.ABCMeta("HA", (), {"__subclasshook__": classmethod(lambda cls, c: False)})


class HB(HA):
    pass


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


class Color(enum.Enum):
    RED = 1
    BLUE = 2

    def __len__(self):
        return 0


class IE2(enum.IntEnum):
    A = 3
    B = 4

    def __rsub__(self, o):
        return "rsub"


class IE3(enum.IntEnum):
    A = 3

    def __ne__(self, o):
        return "ne"


class IE4(enum.IntEnum):
    A = 3

    def __abs__(self):
        return "abs"

    def __float__(self):
        return 9.0

    def __round__(self, *a):
        return "round"


class IE5(enum.IntEnum):
    A = 3

    def __iadd__(self, o):
        return "iadd"

    def __lshift__(self, o):
        return "ls"


class IE6(enum.IntEnum):
    A = 3

    def __rmul__(self, o):
        return "rm"

    def __divmod__(self, o):
        return "dm"


PROGRAMS = {
    "key_host_inst": lambda n, coins: (DX.get(5, "none"), 5 in DX),
    "set_host_inst": lambda n, coins: 5 in SX,
    "meta_inst": lambda n, coins: isinstance(IB(), IA),
    "meta_sub": lambda n, coins: (issubclass(IB, IA), issubclass(IA, IA)),
    "abc_hook": lambda n, coins: (isinstance(HB(), HA), issubclass(HB, HA)),
    "meta_bool": lambda n, coins: 1 if TL else 0,
    "ie2_rsub": lambda n, coins: 10 - IE2.A,
    "ie2_rsub_u": lambda n, coins: coins.below(5) - IE2.A,
    "ie3_ne": lambda n, coins: IE3.A != 3,
    "ie4": lambda n, coins: abs(IE4.A),
    "ie4b": lambda n, coins: float(IE4.A),
    "ie5b": lambda n, coins: IE5.A << 1,
    "ie6": lambda n, coins: 2 * IE6.A,
}


FORMED = {
    RETURNED: {
        "key_meta": ("d = {MA: 1}", "d.get(MB, 0)"),
        "ie5": ("a = IE5.A; a += 1", "a"),
    },
    TRIED: {
        "meta_len": ("", "return len(TL)", "TypeError", "'e'"),
        "meta_item": ("", "return TL[4]", "TypeError", "'e'"),
        "meta_in": ("", "return 3 in TL", "TypeError", "'e'"),
        "meta_add": ("", "return TL + 1", "TypeError", "'e'"),
        "meta_lt": ("", "return TL < TL", "TypeError", "'e'"),
        "meta_neg": ("", "return -TL", "TypeError", "'e'"),
        "meta_iter": ("", "return list(TL)", "TypeError", "'e'"),
        "enum_len": ("", "return len(Color)", "TypeError", "'e'"),
        "enum_rev": ("", "return [c.name for c in reversed(Color)]", "TypeError", "'e'"),
    },
}
define(globals(), FORMED)
