"""Programs as people write them, each with values of Python that a state must tell."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from dpcert.mechanisms.exact.coins import Coins

SENTINEL = object()


class Pair(NamedTuple):
    """Two numbers."""

    left: int
    right: int


@dataclass
class Tally:
    """Counts with a method that draws."""

    counts: dict[str, int] = field(default_factory=dict)

    def add(self, name: str, coins: Coins) -> None:
        for _ in range(2):
            self.counts[name] = self.counts.get(name, 0) + int(coins.bernoulli("1/3"))


class Slots:
    """State in slots, a property and a private name."""

    __slots__ = ("__hits", "limit")

    def __init__(self, limit: int) -> None:
        self.__hits = 0
        self.limit = limit

    @property
    def hits(self) -> int:
        return self.__hits

    def run(self, coins: Coins) -> int:
        while self.__hits < self.limit and coins.below(3):
            self.__hits += 1
        return self.hits


class Base:
    """A method that its subclass calls by super()."""

    def draw(self, coins: Coins) -> int:
        return sum(int(coins.below(2)) for _ in range(2))


class Derived(Base):
    """A subclass."""

    def draw(self, coins: Coins) -> int:
        total = super().draw(coins)
        for _ in range(2):
            total *= 1 + coins.below(2)
        return total


class Manager:
    """A context manager that swallows one kind of error."""

    def __init__(self, log: list[str]) -> None:
        self.log = log

    def __enter__(self) -> int:
        self.log.append("in")
        return 1

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        self.log.append("out" if kind is None else kind.__name__)
        return kind is KeyError


def dataclasses(n: int, coins: Coins) -> Any:
    tally = Tally()
    for name in ("a", "b"):
        tally.add(name, coins)
    return tuple(tally.counts.items())


def slots(n: int, coins: Coins) -> int:
    thing = Slots(n)
    return thing.run(coins) + thing.hits


def inherited(n: int, coins: Coins) -> int:
    return Derived().draw(coins)


def named(n: int, coins: Coins) -> Any:
    pair = Pair(0, 0)
    for _ in range(n):
        pair = pair._replace(left=pair.left + int(coins.below(2)))
    return pair.left, pair.right


def managed(n: int, coins: Coins) -> Any:
    log: list[str] = []
    for i in range(2):
        with Manager(log) as one, Manager(log):
            while coins.below(2):
                if i == 0:
                    raise KeyError(one)
                break
    return tuple(log)


def containers(n: int, coins: Coins) -> Any:
    counts: Counter[str] = Counter()
    groups: defaultdict[int, list[int]] = defaultdict(list)
    queue: deque[int] = deque(maxlen=2)
    for i in range(n):
        side = "ab"[coins.below(2)]
        counts[side] += 1
        groups[len(side)].append(i)
        queue.append(int(coins.below(2)))
    return tuple(sorted(counts.items())), tuple(groups[1]), tuple(queue)


def aliased(n: int, coins: Coins) -> Any:
    inner: list[int] = []
    outer = [inner, inner if coins.below(2) else list(inner)]
    for _ in range(n):
        inner.append(int(coins.below(2)))
    return len(outer[0]), len(outer[1])


def assignments(n: int, coins: Coins) -> Any:
    def one(x: int) -> int:
        while x < 1 and coins.below(2):
            x += 1
        return x

    values = [0, 0, 0]
    values[one(0)] += one(0) + 1
    first, *rest = one(0), 5, one(0)
    thing = Tally()
    thing.counts["a"] = one(0)
    thing.counts["a"] += one(0)
    del values[one(0)]
    assert one(0) < 2, f"never {n}"
    return tuple(values), first, tuple(rest), thing.counts["a"]


def sentinel(n: int, coins: Coins) -> Any:
    best: Any = SENTINEL
    for _ in range(n):
        drawn = coins.below(3) + 0
        if best is SENTINEL or drawn > best:
            best = drawn
    return best


def numbers(n: int, coins: Coins) -> Any:
    x, zero = Fraction(1, 2), 0.0
    flag: Any = False
    for _ in range(n):
        if coins.below(2):
            x, zero, flag = x / 2, -zero, 1
    return x, str(zero), flag


def shuffled(n: int, coins: Coins) -> Any:
    items = [1, 2, 3]
    coins.shuffle(items)
    return tuple(items), coins.choice("ab")


def chosen(n: int, coins: Coins) -> Any:
    return coins.choices("abc", weights=[1, 2, 1], k=2)[0], len(coins.sample(range(3), 2))
