"""Six objects that analysts ask, each as it should be and with a fault, against every analyst to the depth given.

The noise is geometric, cut to a range: counts that differ by one are answered within a factor of `weight` of `whole`.
"""

import dpcert

MOST = 2
NEAR = [(0, 0), (0, 1), (1, 0), (1, 1)]


def noisy(count, coins, weight=1, whole=2):
    """Return the count with two-sided geometric noise of ratio weight/whole, cut to 0 .. MOST."""
    ends = [whole if z in (0, MOST) else whole - weight for z in range(MOST + 1)]
    chances = [end * weight ** abs(z - count) * whole ** (MOST - abs(z - count)) for z, end in enumerate(ends)]
    left = coins.below(sum(chances))
    z = 0
    while left >= chances[z]:
        left -= chances[z]
        z += 1
    return z


def claim(queries, depth, ratio, inputs=NEAR, neighbours="l1", expect="verified"):
    """Return the decorator of a claim of epsilon ln(ratio)."""
    guarantee = dpcert.PureDP(f"ln({ratio})")
    return dpcert.interactive(
        queries=queries, depth=depth, guarantee=guarantee, inputs=inputs, neighbours=neighbours, expect=expect
    )


COUNTS = [("count", 0), ("count", 1)]
ABOVE = [("above", 0), ("above", 1)]


@claim(COUNTS, 3, "4")
class PrivacyFilter:
    """Answers while the budget of two answers lasts."""

    def __init__(self, counts, coins):
        self.counts, self.coins, self.left = counts, coins, 2

    def count(self, i):
        if self.left < 1:
            raise PermissionError("no budget is left")
        self.left -= 1
        return noisy(self.counts[i], self.coins)


@claim(COUNTS, 3, "4", expect="refuted")
class LateFilter:
    """Refuses only once the budget is overdrawn."""

    def __init__(self, counts, coins):
        self.counts, self.coins, self.left = counts, coins, 2

    def count(self, i):
        if self.left < 0:
            raise PermissionError("no budget is left")
        self.left -= 1
        return noisy(self.counts[i], self.coins)


@claim(COUNTS, 4, "2")
class ExactCache:
    """Answers a query that was asked before as it did then."""

    def __init__(self, counts, coins):
        self.counts, self.coins, self.known = counts, coins, {}

    def count(self, i):
        if i not in self.known:
            self.known[i] = noisy(self.counts[i], self.coins)
        return self.known[i]


@claim(COUNTS, 4, "2", expect="refuted")
class ForgetfulCache:
    """Keeps the answer to the last query alone."""

    def __init__(self, counts, coins):
        self.counts, self.coins, self.known = counts, coins, {}

    def count(self, i):
        if i not in self.known:
            self.known = {i: noisy(self.counts[i], self.coins)}
        return self.known[i]


@claim(ABOVE, 4, "4")
class SparseVector:
    """Says which counts are above a noisy threshold, and stops at the first."""

    def __init__(self, counts, coins):
        self.counts, self.coins, self.threshold = counts, coins, noisy(1, coins)

    def above(self, i):
        if self.threshold is None:
            raise StopIteration("one count was above")
        found = noisy(self.counts[i], self.coins) >= self.threshold
        if found:
            self.threshold = None
        return found


@claim(ABOVE, 4, "4", expect="refuted")
class EndlessVector:
    """Goes on after the first, with the same threshold."""

    def __init__(self, counts, coins):
        self.counts, self.coins, self.threshold = counts, coins, noisy(1, coins)

    def above(self, i):
        return noisy(self.counts[i], self.coins) >= self.threshold


@claim(COUNTS, 1, "3")
class AdaptiveCount:
    """Counts coarsely, and again where that was much."""

    def __init__(self, counts, coins):
        self.counts, self.coins = counts, coins

    def count(self, i):
        coarse = noisy(self.counts[i], self.coins, 2, 3)
        return (coarse, noisy(self.counts[i], self.coins)) if coarse == MOST else (coarse,)


@claim(COUNTS, 1, "3", expect="refuted")
class LookingCount:
    """Counts again where the count itself is much."""

    def __init__(self, counts, coins):
        self.counts, self.coins = counts, coins

    def count(self, i):
        coarse = noisy(self.counts[i], self.coins, 2, 3)
        return (coarse, noisy(self.counts[i], self.coins)) if self.counts[i] > 0 else (coarse,)


@claim(["best"], 2, "2")
class NoisyMax:
    """Names the greatest of noisy counts, once."""

    def __init__(self, counts, coins):
        self.chosen = max(range(len(counts)), key=[noisy(count, coins) for count in counts].__getitem__)

    def best(self):
        return self.chosen


@claim(["best"], 2, "2", expect="refuted")
class FreshMax:
    """Draws new noise each time it is asked."""

    def __init__(self, counts, coins):
        self.counts, self.coins = counts, coins

    def best(self):
        return max(range(len(self.counts)), key=[noisy(count, self.coins) for count in self.counts].__getitem__)


@claim(["count"], 2, "9/4", neighbours="substitute")
class Subsampling:
    """Counts a new sample, each person with probability 1/2, for every query."""

    def __init__(self, people, coins):
        self.people, self.coins = people, coins

    def count(self):
        return noisy(sum(person for person in self.people if self.coins.below(2)), self.coins)


@claim(["count"], 2, "9/4", neighbours="substitute", expect="refuted")
class OneSample:
    """Counts the same sample again."""

    def __init__(self, people, coins):
        self.count_of = sum(person for person in people if coins.below(2))
        self.coins = coins

    def count(self):
        return noisy(self.count_of, self.coins)
