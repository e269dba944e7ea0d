"""Programs that call inner functions which return geometric counts, with their laws in closed form: which count of two
is greater.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from dpcert.mechanisms.exact.coins import Coins

Law = dict[Any, Fraction]


def greater(x: int, y: int) -> str:
    return "first" if x > y else "second" if y > x else "tie"


def order(first: int, second: int) -> Law:
    """The law of `greater` of two geometric numbers, whose ratios are 1/first and 1/second."""
    r, s = Fraction(1, first), Fraction(1, second)
    both = 1 - r * s
    return {
        "tie": (1 - r) * (1 - s) / both,
        "first": r * (1 - s) / both,
        "second": s * (1 - r) / both,
    }


def cut_off(*bounds: int, more: tuple[Any, ...] = ()) -> Law:
    """The law of geometric numbers, each cut off at 2, and what follows them."""
    found: Law = {}
    for numbers in product(range(3), repeat=len(bounds)):
        p = Fraction(1)
        for j, bound in zip(numbers, bounds, strict=True):
            p *= Fraction(1, bound) ** j * (1 - Fraction(1, bound) if j < 2 else 1)
        found[*numbers, *more] = p
    return found


def counted(coins: Coins, bound: int) -> int:
    k = 0
    while not coins.below(bound):
        k += 1
    return k


# -- inner functions


def over_coins(n: int, coins: Coins) -> str:
    def geometric(bound: int) -> int:
        k = 0
        while not coins.below(bound):
            k += 1
        return k

    return greater(geometric(2), geometric(4))


def in_a_key(n: int, coins: Coins) -> str:
    def geometric() -> int:
        k = 0
        while not coins.below(2):
            k += 1
        return k

    counts = {"first": 1, "second": 1}
    return max(counts, key=lambda name: counts[name] + geometric() - geometric())


def two_cells(n: int, coins: Coins) -> str:
    def make(bound: int) -> Callable[[], int]:
        def geometric() -> int:
            k = 0
            while not coins.below(bound):
                k += 1
            return k

        return geometric

    return greater(make(2)(), make(4)())


def rebound(n: int, coins: Coins) -> str:
    bound = 2

    def geometric() -> int:
        k = 0
        while not coins.below(bound):
            k += 1
        return k

    x = geometric()
    bound = 4
    return greater(x, geometric())


def rebound_by_another(n: int, coins: Coins) -> str:
    bound = 1

    def double() -> None:
        nonlocal bound
        bound *= 2

    def geometric() -> int:
        k = 0
        while not coins.below(bound):
            k += 1
        return k

    double()
    x = geometric()
    double()
    return greater(x, geometric())


def bound_late(n: int, coins: Coins) -> str:
    found: list[Callable[[], int]] = []
    bound = 2

    def geometric() -> int:
        k = 0
        while not coins.below(bound):
            k += 1
        return k

    found.append(geometric)
    bound = 4
    found.append(geometric)
    return greater(found[0](), found[1]())


def by_default(n: int, coins: Coins) -> str:
    found = []
    for each in (2, 4):

        def geometric(bound: int = each, *, less: int = 0) -> int:
            k = 0
            while not coins.below(bound - less):
                k += 1
            return k

        found.append(geometric)
    return greater(found[0](), found[1](less=1))


def by_all_kinds_of_arguments(n: int, coins: Coins) -> str:
    def geometric(a: int, /, b: int = 0, *more: int, c: int = 0, **words: int) -> int:
        bound = a + b + c + sum(more) + sum(words.values())
        k = 0
        while not coins.below(bound):
            k += 1
        return k

    return greater(geometric(1, 1), geometric(0, 1, 1, c=1, d=1))


def changed_between(n: int, coins: Coins) -> str:
    bounds = [2]

    def geometric() -> int:
        k = 0
        while not coins.below(bounds[0]):
            k += 1
        return k

    x = geometric()
    bounds[0] = 4
    return greater(x, geometric())


def handed_lambdas(n: int, coins: Coins) -> str:
    fair, rare = (lambda: coins.below(2)), (lambda: coins.below(4))

    def geometric(draw: Callable[[], int]) -> int:
        k = 0
        while not draw():
            k += 1
        return k

    return greater(geometric(fair), geometric(rare))


def of_inner_functions(n: int, coins: Coins) -> str:
    def geometric(bound: int) -> int:
        k = 0
        while not coins.below(bound):
            k += 1
        return k

    def first_of(bound: int) -> int:
        for _ in range(1):
            found = geometric(bound)
        return found

    return greater(first_of(2), first_of(4))


def made_before(bound: int) -> Callable[[Coins], int]:
    def geometric(coins: Coins) -> int:
        k = 0
        while not coins.below(bound):
            k += 1
        return k

    return geometric


FAIR, RARE = made_before(2), made_before(4)


def of_the_module(n: int, coins: Coins) -> str:
    return greater(FAIR(coins), RARE(coins))


def far_away(n: int, coins: Coins) -> str:
    def geometric() -> int:
        k = 0
        while not coins.below(2):
            k += 1
        return k

    return "far" if geometric() > 500 else "near"


EXACT: dict[Callable[[int, Coins], Any], Law] = {
    over_coins: order(2, 4),
    two_cells: order(2, 4),
    rebound: order(2, 4),
    rebound_by_another: order(2, 4),
    bound_late: order(4, 4),
    by_default: order(2, 3),
    by_all_kinds_of_arguments: order(2, 4),
    changed_between: order(2, 4),
    handed_lambdas: order(2, 4),
    of_inner_functions: order(2, 4),
    of_the_module: order(2, 4),
    in_a_key: {"first": Fraction(16, 27), "second": Fraction(11, 27)},
    far_away: {"far": Fraction(1, 2) ** 501, "near": 1 - Fraction(1, 2) ** 501},
}
"""Each with its law, which is found without a tail."""


# -- calls that change what they are handed: they are followed, and leave a tail


def changes_a_variable(n: int, coins: Coins) -> tuple[int, ...]:
    calls = 0

    def geometric() -> int:
        nonlocal calls
        calls += 1
        k = 0
        while not coins.below(1 + calls):
            k += 1
        return k

    x, y = geometric(), geometric()
    return min(x, 2), min(y, 2), calls


def changes_a_list(n: int, coins: Coins) -> tuple[int, ...]:
    log: list[int] = []

    def geometric() -> int:
        k = 0
        while not coins.below(2 + len(log)):
            k += 1
        log.append(1)
        return k

    x, y = geometric(), geometric()
    return min(x, 2), min(y, 2), len(log)


def changes_and_puts_back(n: int, coins: Coins) -> str:
    bounds = [2]

    def geometric() -> int:
        bounds[0] = 4
        k = 0
        while not coins.below(bounds[0]):
            k += 1
        bounds[0] = 2
        return k

    return greater(geometric(), geometric())


def asks_for_its_own_attribute(n: int, coins: Coins) -> str:
    def geometric() -> int:
        k = 0
        while not coins.below(itself.bound):
            k += 1
        return k

    itself: Any = geometric
    itself.bound = 2
    x = geometric()
    itself.bound = 4
    return greater(x, geometric())


CHANGING: dict[Callable[[int, Coins], Any], Law] = {
    changes_a_variable: cut_off(2, 3, more=(2,)),
    changes_a_list: cut_off(2, 3, more=(2,)),
    changes_and_puts_back: order(4, 4),
    asks_for_its_own_attribute: order(2, 4),
}


# -- calls that put something equal in the place of what they were handed


def few(coins: Coins) -> int:
    k = 0
    while k < 3 and coins.below(2):
        k += 1
    return k


def replaces_an_item(box: list[list[int]], coins: Coins) -> int:
    box[0] = [0]
    k = 0
    while k < 3 and coins.below(2):
        k += 1
    return k


def equal_item(n: int, coins: Coins) -> int:
    few(coins)
    inner = [0]
    box = [inner]
    replaces_an_item(box, coins)
    box[0].append(1)
    return len(inner)


def equal_content(n: int, coins: Coins) -> int:
    few(coins)
    log = inner = [0]

    def draw() -> int:
        nonlocal log
        log = [0]
        k = 0
        while k < 3 and coins.below(2):
            k += 1
        return k

    draw()
    log.append(1)
    return len(inner)


EQUAL = (equal_item, equal_content)
"""Each returns 1."""


# -- functions in progress that read a variable which a state makes anew


def longer(seen: list[int], coins: Coins) -> int:
    while len(seen) < 3 and coins.below(2):
        seen.append(1)
    return len(seen)


def a_lambda_reads_on(n: int, coins: Coins) -> list[int]:
    seen: list[int] = []
    (each,) = (lambda i: longer(seen, coins) + 10 * len(seen),)
    return [each(i) for i in range(2)]


def a_lambda_with_a_default_reads_on(n: int, coins: Coins) -> list[int]:
    seen: list[int] = []
    (each,) = (lambda i=0: longer(seen, coins) + 10 * len(seen),)
    return [each(i) for i in range(2)]


READING_ON = (a_lambda_reads_on, a_lambda_with_a_default_reads_on)
