"""Programs as people write them, whose loops and draws stand where functions of Python call back."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager

from dpcert.mechanisms.exact.coins import Coins


class Sampled:
    """A mechanism whose constructor draws, and whose instances are called."""

    def __init__(self, n: int, coins: Coins) -> None:
        self.coins = coins
        self.kept = 0
        for _ in range(n):
            self.kept += int(coins.below(2))

    def __call__(self, n: int) -> int:
        total = self.kept
        for _ in range(n):
            total += int(self.coins.below(2))
        return total

    def __iter__(self) -> Iterator[int]:
        for _ in range(3):
            yield int(self.coins.below(2))

    def count(self, n: int) -> int:
        found = 0
        for _ in range(n):
            found += int(self.coins.below(2))
        return found


class Derived(Sampled):
    """A mechanism on another one."""

    def __init__(self, n: int, coins: Coins) -> None:
        super().__init__(n, coins)
        self.kept *= 2


class Stream:
    """An iterator."""

    def __init__(self, n: int, coins: Coins) -> None:
        self.n, self.coins = n, coins

    def __iter__(self) -> Stream:
        return self

    def __next__(self) -> int:
        self.n -= 1
        if self.n < 0:
            raise StopIteration
        return int(self.coins.below(2))


def made_by_a_constructor(n: int, coins: Coins) -> int:
    return Derived(n, coins).kept


def called_as_an_instance(n: int, coins: Coins) -> int:
    return Sampled(1, coins)(n)


def asked_by_a_method_with_the_name_of_one_of_lists(n: int, coins: Coins) -> int:
    return Sampled(0, coins).count(n)


def summed_over_an_instance(n: int, coins: Coins) -> int:
    return sum(Sampled(0, coins)) + sum(Stream(n, coins))


def counted(n: int, coins: Coins) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(Counter(int(coins.below(2)) for _ in range(n)).items()))


def reduced(n: int, coins: Coins) -> tuple[int, int]:
    first = functools.reduce(lambda total, part: total + part * int(coins.below(2)), [1] * n, 0)
    return first, functools.reduce(max, (int(coins.below(3)) for _ in range(n)))


def ranked_by_a_key_that_draws(n: int, coins: Coins) -> tuple[int, int | None, list[int]]:
    def noisy(place: int) -> int:
        score = place % 2
        for _ in range(2):
            score += int(coins.below(2))
        return score

    if n > 3:
        return max(range(n), key=noisy), min(range(n), key=noisy, default=None), []
    return max(1, n, key=noisy), 0, sorted(range(n), key=noisy, reverse=True)


def sorted_in_place(n: int, coins: Coins) -> list[int]:
    items = [3, 1, 2]
    for _ in range(n - 2):
        items.sort(key=lambda item: item * int(coins.below(2)))
    return items


def extended(n: int, coins: Coins) -> int:
    parts = [0]
    parts.extend(int(coins.below(2)) for _ in range(n))
    return sum(parts)


def reduced_without_the_list(n: int, coins: Coins) -> tuple[int, int, int]:
    kept = len([i for i in range(n) if coins.below(3) == 0])
    return kept, sum([coins.random() < 0.25 for _ in range(n)]), max([int(coins.below(2)) for _ in range(n)])


def given_one_by_one(n: int, coins: Coins) -> int:
    return max(*(int(coins.below(3)) for _ in range(n)), 1)


def accumulated(n: int, coins: Coins) -> tuple[int, int]:
    walk = itertools.accumulate((2 * int(coins.below(2)) - 1 for _ in range(n)), initial=0)
    *_, last = itertools.accumulate([0] * n, lambda total, _: min(total + int(coins.below(2)), 2))
    return max(walk), last


def accumulated_over_a_list(n: int, coins: Coins) -> int:
    total = 0
    for part in itertools.accumulate([1] * n):
        total += part * int(coins.below(2))
    return total


def taken_while(n: int, coins: Coins) -> tuple[int, int, int]:
    first = sum(1 for _ in itertools.takewhile(lambda _: coins.below(4), range(n)))
    second = sum(1 for _ in itertools.dropwhile(lambda _: coins.below(2), range(n)))
    return first, second, sum(1 for _ in itertools.filterfalse(lambda _: coins.below(2), range(2)))


def paired(n: int, coins: Coins) -> tuple[int, int]:
    changes = sum(a != b for a, b in itertools.pairwise(int(coins.below(2)) for _ in range(n)))
    return changes, sum(itertools.starmap(lambda a, b: a * int(coins.below(2)) + b, [(1, 0)] * n))


def chained(n: int, coins: Coins) -> int:
    first = (int(coins.below(2)) for _ in range(n))
    second = (3 * int(coins.below(2)) for _ in itertools.count())
    return sum(itertools.chain(first, [1], itertools.islice(second, 1, n)))


def over_cycles_and_combinations(n: int, coins: Coins) -> int:
    total = 0
    for weight, _ in zip(itertools.cycle([1, 2]), itertools.combinations(range(n), 2)):
        total += weight * int(coins.below(2))
    for order in itertools.permutations(range(2)):
        total += order[0] * int(coins.below(2))
    return total


def asked_until(n: int, coins: Coins) -> int:
    rest = iter(range(1, n + 1))
    return sum(1 for _ in iter(lambda: int(coins.below(3)) * next(rest, 0), 0))


@contextmanager
def _within(n: int) -> Iterator[int]:
    yield n


def within_a_context(n: int, coins: Coins) -> int:
    total = 0
    with _within(n) as count:
        for _ in range(count):
            total += int(coins.below(2))
    return total


def _flips(coins: Coins, n: int) -> Iterator[int]:
    for _ in range(n):
        yield int(coins.below(2))


def _counted(coins: Coins, n: int) -> Generator[int, None, int]:
    kept = 0
    for _ in range(n):
        kept += int(coins.below(2))
        yield kept
    return kept


def handed_on(n: int, coins: Coins) -> int:
    def all_of_them() -> Iterator[int]:
        yield from _flips(coins, n)
        yield from range(2)
        yield from (int(coins.below(2)) for _ in range(2))

    return sum(all_of_them())


def handed_on_with_a_value(n: int, coins: Coins) -> list[int]:
    def sums() -> Iterator[int]:
        first = yield from _counted(coins, n)
        second = (yield from _counted(coins, 2)) + first
        yield 10 * second

    last = 0
    for each in sums():
        last = each
    return [last]


def handed_on_by_recursion(n: int, coins: Coins) -> int:
    def nodes(depth: int) -> Iterator[int]:
        if depth:
            yield from nodes(depth - 1)
            yield int(coins.below(2))
            yield from nodes(depth - 1)

    return sum(nodes(min(n, 3)))


def counted_by_an_inner_function(n: int, coins: Coins) -> int:
    count = 0

    def step() -> None:
        nonlocal count
        if coins.random() < 0.25:
            count += 1

    for _ in range(n):
        step()
    return count


def counted_by_a_function_that_was_made(n: int, coins: Coins) -> int:
    def counter(start: int) -> Callable[[], int]:
        def more(by: int = start) -> int:
            nonlocal start
            start += by
            return start

        return more

    more, last = counter(1), 0
    for _ in range(n):
        if coins.below(2):
            last = more()
    return last


def with_a_limit_that_changes(n: int, coins: Coins) -> int:
    limit, total = 1, 0

    def hit(value: int) -> bool:
        return value >= limit

    for _ in range(n):
        if hit(int(coins.below(3))):
            total += 1
            limit = 3 - limit
    return total


def with_functions_that_share_the_last_of_a_loop(n: int, coins: Coins) -> int:
    shown: list[Callable[[], tuple[int, int]]] = []
    last = 0

    def show() -> None:
        shown.append(lambda by=last: (by, last))

    while last < 3:
        show()
        last += 1
    total = 0
    for k in range(n):
        total += sum(shown[k % 3]()) * int(coins.below(2))
    return total


def with_a_variable_that_changes_while_it_is_summed(n: int, coins: Coins) -> int:
    count = 0

    def step() -> int:
        nonlocal count
        count += int(coins.below(2))
        return count

    return sum(step() + 10 * count for _ in range(n))


def loops_in_a_handler(n: int, coins: Coins) -> tuple[int, str]:
    total, words = 0, ""
    for _ in range(2):
        try:
            if coins.below(3):
                raise ValueError("no")
        except (KeyError, ValueError) as error:
            for _ in range(n):
                total += int(coins.below(2))
            words = str(error)
        else:
            total += 1
    return total, words


def loops_in_a_finally(n: int, coins: Coins) -> int:
    total = 0
    try:
        try:
            if coins.below(2):
                raise ValueError
        finally:
            for _ in range(n):
                total += int(coins.below(2))
    except ValueError:
        total = -total
    return total


def asks_again_in_a_handler(n: int, coins: Coins) -> int:
    def attempt(left: int) -> int:
        try:
            if coins.below(3) == 0:
                raise RuntimeError
            return int(coins.below(2))
        except RuntimeError:
            return attempt(left - 1) if left else sum(int(coins.below(2)) for _ in range(2))

    return sum(attempt(1) for _ in range(n))
