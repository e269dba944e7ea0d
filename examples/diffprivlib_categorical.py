"""`ExponentialCategorical` and `ExponentialHierarchical` of diffprivlib, unmodified: one of a few categories.

Both compare `random()` times a float with sums of floats e^(-epsilon * distance), and their laws are exact. Where the
distances are not balanced, the mechanism spends half of epsilon, and the slack covers all rounding. Where they are,
it spends all of it, and misses pure differential privacy by a few parts in 2^53.
"""

from importlib import import_module

import dpcert

dpcert.needs_extra("diffprivlib")
mechanisms = import_module("diffprivlib.mechanisms")

LINE = [["a", "b", 1], ["a", "c", 2], ["b", "c", 1]]
TRIANGLE = [["a", "b", 1], ["a", "c", 1], ["b", "c", 1]]
TREE = [["a", "b"], ["c", "d"]]


def categorical(value: str, coins: dpcert.Coins, distances: list[list[object]]) -> str:
    """Return a category, the likelier the nearer it is."""
    mechanism = mechanisms.ExponentialCategorical(epsilon=1.0, utility_list=distances, random_state=coins)
    result: str = mechanism.randomise(value)
    return result


@dpcert.target(guarantee=dpcert.PureDP("1"), inputs=["a", "b", "c"], neighbours="any")
def on_a_line(value: str, coins: dpcert.Coins) -> str:
    """Claim what is documented for three categories on a line; half of it is spent."""
    return categorical(value, coins, LINE)


@dpcert.target(guarantee=dpcert.PureDP("1"), inputs=["a", "b", "c"], neighbours="any", expect="refuted")
def on_a_triangle(value: str, coins: dpcert.Coins) -> str:
    """Claim it where each two categories are equally far apart; it fails by two parts in 2^53."""
    return categorical(value, coins, TRIANGLE)


@dpcert.target(guarantee=dpcert.ApproxDP("1", "1e-15"), inputs=["a", "b", "c"], neighbours="any")
def on_a_triangle_approximate(value: str, coins: dpcert.Coins) -> str:
    """Claim it up to a delta that covers the rounding."""
    return categorical(value, coins, TRIANGLE)


def hierarchical(value: str, coins: dpcert.Coins) -> str:
    """Return a leaf of a tree, the likelier the nearer it is."""
    result: str = mechanisms.ExponentialHierarchical(epsilon=1.0, hierarchy=TREE, random_state=coins).randomise(value)
    return result


@dpcert.target(guarantee=dpcert.PureDP("1"), inputs=["a", "b", "c", "d"], neighbours="any", expect="refuted")
def on_a_tree(value: str, coins: dpcert.Coins) -> str:
    """Claim what is documented for the leaves of a tree."""
    return hierarchical(value, coins)


@dpcert.target(guarantee=dpcert.ApproxDP("1", "1e-15"), inputs=["a", "b", "c", "d"], neighbours="any")
def on_a_tree_approximate(value: str, coins: dpcert.Coins) -> str:
    """Claim it up to a delta that covers the rounding."""
    return hierarchical(value, coins)
