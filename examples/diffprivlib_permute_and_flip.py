"""`PermuteAndFlip` of diffprivlib: candidates in random order, each taken with probability e^(-epsilon * gap / 2).

Its coin is `bernoulli_neg_exp`, whose loop has no end; `dpcert.summarize` merges its two results and leaves a tail. The
best candidate, whose gap is 0, should always be taken. But the coin shows 0 for it with probability nearly 2^-53, and
where all candidates are passed over, the mechanism raises RuntimeError: an outcome like any other, and its message
lists the private scores, each less the best one.
"""

from importlib import import_module
from itertools import product

import dpcert

dpcert.needs_extra("diffprivlib")
exponential = import_module("diffprivlib.mechanisms.exponential")
exponential.bernoulli_neg_exp = dpcert.summarize(exponential.bernoulli_neg_exp)  # the same law, fewer paths

SCORES = [list(scores) for scores in product([0.0, 1.0], repeat=3)]


def selected(scores: list[float], coins: dpcert.Coins) -> int:
    """Return the position of a score, the likelier the higher it is; each score may change by 1."""
    mechanism = exponential.PermuteAndFlip(epsilon=1.0, sensitivity=1, utility=scores, random_state=coins)
    result: int = mechanism.randomise()
    return result


@dpcert.target(guarantee=dpcert.PureDP("1"), inputs=SCORES, neighbours="any", expect="refuted")
def permute_and_flip_pure(scores: list[float], coins: dpcert.Coins) -> int:
    """Claim what is documented, on all scores 0 and 1 of three candidates."""
    return selected(scores, coins)


@dpcert.target(guarantee=dpcert.ApproxDP("1", "1e-15"), inputs=SCORES, neighbours="any")
def permute_and_flip_approximate(scores: list[float], coins: dpcert.Coins) -> int:
    """Claim it up to a delta that covers the exception."""
    return selected(scores, coins)
