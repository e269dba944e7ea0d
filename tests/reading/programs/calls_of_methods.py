"""Programs whose special methods have loops, so that their calls may be read by themselves, or must not."""

from __future__ import annotations

from masked import TRIED, define


class Kept:
    total = 0

    def __init__(self, start, coins):
        for _ in range(2):
            start += coins.below(2)
        self.start = start

    def __eq__(self, other):
        for _ in range(2):
            pass
        return 5

    def __bool__(self):
        for _ in range(2):
            pass
        return False

    def __len__(self):
        return 3


def made_by_init(n, coins):
    one = Kept(1, coins)
    other = Kept(1, coins)
    return one.start, other.start, one is other, one == other, bool(one)


class Odd:
    def __init__(self, coins):
        while coins.below(2):
            pass
        return coins.below(2) or None

    def __contains__(self, k):
        while k:
            k -= 1
        return "yes"


class Steps:
    def __init__(self):
        self.left = 2

    def __iter__(self):
        return self

    def __next__(self):
        while not self.left:
            raise StopIteration
        self.left -= 1
        return self.left


class Holds:
    def __contains__(self, k):
        while k:
            k -= 1
        return self is None


HOLDS = Holds()


PROGRAMS = {
    "iterated": lambda n, coins: (list(Steps()), [k + coins.below(2) for k in Steps()]),
    "is_held": lambda n, coins: (coins.below(3) in HOLDS, coins.below(2) not in HOLDS),
}

FORMED = {
    TRIED: {
        "init_returns": ("", "return Odd(coins) is None", "TypeError as error", "str(error)"),
    },
}
define(globals(), FORMED)
