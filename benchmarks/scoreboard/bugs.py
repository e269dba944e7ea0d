"""Bugs that were found in libraries, each as a program of a few lines with its law, beside a program without the bug.

docs/findings/field-report.md has what was found in the libraries themselves. The programs here have the formula that is
wrong there, at parameters at which all probabilities are fractions, with the numbers that are released clamped to a
few. They are not the libraries' code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.outcome import Raised

Law = Callable[[Any], Dist]
HALF = Fraction(1, 2)
MOST = 5
"""The greatest count that is shown, and the greatest noise."""
BIG = 2**53 + 1
THRESHOLD = 3
LABELS = "abcde"
HIDDEN = None


@dataclass(frozen=True, slots=True)
class Bug:
    """A program of a library's bug or of its repair: its claim, its law by formula, and the row of the field report.

    The `witness` of a bug is a pair of inputs and an event.
    """

    name: str
    library: str
    program: Callable[[Any, Coins], Any]
    inputs: tuple[Any, ...]
    neighbours: str
    epsilon: str
    delta: str
    law: Law
    row: str
    witness: tuple[Any, Any, tuple[Any, ...]] | None = None


def failures(coins: Coins) -> int:
    """Return the number of tails before the first head, at most MOST."""
    for count in range(MOST):
        if coins.below(2):
            return count
    return MOST


def two_sided(coins: Coins) -> int:
    """Return two-sided geometric noise of ratio 1/2, clamped to [-MOST, MOST]."""
    u = coins.below(3 << MOST)
    for z in range(-MOST, MOST):
        u -= weight(z)
        if u < 0:
            return z
    return MOST


def weight(z: int) -> int:
    """Return 3 * 2^MOST times the chance of the clamped noise z: 2^-|z| / 3, and twice that at both ends."""
    return 2 if abs(z) == MOST else 1 << (MOST - abs(z))


NOISE = Dist.from_counts({z: weight(z) for z in range(-MOST, MOST + 1)})


def one_sided_count(count: int, coins: Coins) -> int:
    """Release a count with noise on one side alone."""
    return min(count + failures(coins), MOST)


def one_sided_law(count: int) -> Dist:
    """Return the law of `one_sided_count`: k more with chance 2^-(k + 1)."""
    return Dist.of({**{z: HALF ** (z - count + 1) for z in range(count, MOST)}, MOST: HALF ** (MOST - count)})


def two_sided_count(count: int, coins: Coins) -> int:
    """Release a count with noise on both sides, clamped to [0, MOST]."""
    return max(0, min(MOST, count + two_sided(coins)))


def two_sided_law(count: int) -> Dist:
    """Return the law of `two_sided_count`."""
    return NOISE.map(lambda z: max(0, min(MOST, count + z)))


def bare_count(count: int, coins: Coins) -> int:
    """Release a count without noise, as where 1 - e^-epsilon is rounded to 0 or 1."""
    return count


def through_floats(count: int, coins: Coins) -> int:
    """Release a count plus noise, once it has been a double: 2^53 + 1 becomes 2^53."""
    return int(float(count)) + two_sided(coins)


def through_integers(count: int, coins: Coins) -> int:
    """Release a count plus noise, the noise clamped and the count known to be BIG or one more."""
    return max(BIG - MOST + 1, min(BIG + MOST, count + two_sided(coins)))


def shown_key(count: int | None, coins: Coins) -> int | None:
    """Release the noisy count of a key that occurs, where it is at least the threshold."""
    if count is None:
        return HIDDEN
    noisy = count + two_sided(coins)
    return noisy if noisy >= THRESHOLD else HIDDEN


def shown_law(count: int | None) -> Dist:
    """Return the law of `shown_key`."""
    if count is None:
        return Dist.point(HIDDEN)
    return NOISE.map(lambda z: count + z if count + z >= THRESHOLD else HIDDEN)


def overflowing(scores: tuple[int, ...], coins: Coins) -> int:
    """Choose a place by exp(score / 2) in doubles, as they are: an overflow makes NaN, which is refused.

    Requires: two scores, far apart.
    """
    with np.errstate(all="ignore"):
        weights = np.exp(np.array(scores, dtype=float) / 2)
        chances = weights / weights.sum()
    if np.isnan(chances).any():
        raise ValueError("Probabilities contain NaN")
    return place(chances, coins)


def shifted(scores: tuple[int, ...], coins: Coins) -> int:
    """Choose a place by exp((score - greatest score) / 2) in doubles: no overflow."""
    weights = np.exp((np.array(scores, dtype=float) - max(scores)) / 2)
    return place(weights / weights.sum(), coins)


def place(chances: Any, coins: Coins) -> int:
    """Return 0 with the first chance, which is a double, else 1."""
    first = Fraction(float(chances[0]))
    return 0 if coins.below(first.denominator) < first.numerator else 1


def raising_law(scores: tuple[int, ...]) -> Dist:
    """Return the law of `overflowing` on scores near 1420 and 0: e^710 is greater than all doubles, e^709.5 is not."""
    return Dist.point(Raised("ValueError", ("Probabilities contain NaN",)) if max(scores) >= 1420 else 0)


def likeness(x: str, y: str) -> int:
    """Return ten times w = e^(-epsilon u / 2) of two labels; each label's sum over all is 20."""
    pair = "".join(sorted(x + y))
    return 10 if x == y else 7 if pair == "ab" else 4 if x in "cde" and y in "cde" else 1


def squared_label(label: str, coins: Coins) -> str:
    """Release a label by w^2, though w is what is balanced."""
    return chosen([likeness(label, other) ** 2 for other in LABELS], coins)


def squared_law(label: str) -> Dist:
    """Return the law of `squared_label`."""
    return Dist.from_counts({other: likeness(label, other) ** 2 for other in LABELS})


def balanced_label(label: str, coins: Coins) -> str:
    """Release a label by w, which is balanced."""
    return chosen([likeness(label, other) for other in LABELS], coins)


def balanced_law(label: str) -> Dist:
    """Return the law of `balanced_label`."""
    return Dist.from_counts({other: likeness(label, other) for other in LABELS})


def chosen(weights: list[int], coins: Coins) -> str:
    """Return a label by these weights."""
    u = coins.below(sum(weights))
    for label, share in zip(LABELS, weights, strict=True):
        u -= share
        if u < 0:
            return label
    raise AssertionError("a draw is below the sum")


COUNTS, SCORES, KEYS = (0, 1, 2), ((1419, 0), (1420, 0)), (HIDDEN, 1)

BUGS: tuple[Bug, ...] = (
    Bug(
        "one-sided-count",
        "diffpriv-pure 0.1.0, PyDP 1.1.5",
        one_sided_count,
        COUNTS,
        "counts_differ_by_one",
        "ln(2)",
        "0",
        one_sided_law,
        "`private_count` adds noise on one side alone; `ml.mechanisms.geometric` as well",
        (0, 1, (0,)),
    ),
    Bug(
        "two-sided-count",
        "diffpriv-pure 0.1.0, PyDP 1.1.5",
        two_sided_count,
        COUNTS,
        "counts_differ_by_one",
        "ln(2)",
        "0",
        two_sided_law,
        "one-sided-count, with noise on both sides",
    ),
    Bug(
        "bare-count",
        "diffpriv-pure 0.1.0",
        bare_count,
        COUNTS,
        "counts_differ_by_one",
        "35",
        "0",
        Dist.point,
        "`private_count` adds no noise for epsilon <= 10^-15 and epsilon >= 34.54",
        (0, 1, (0,)),
    ),
    Bug(
        "overflowing-scores",
        "PipelineDP 0.3.1",
        overflowing,
        SCORES,
        "any",
        "1",
        "0",
        raising_law,
        "`ExponentialMechanism` raises ValueError where e^(score epsilon / 2) overflows",
        ((1419, 0), (1420, 0), (0,)),
    ),
    Bug(
        "shifted-scores",
        "PipelineDP 0.3.1",
        shifted,
        SCORES,
        "any",
        "1",
        "0",
        lambda scores: Dist.point(0),
        "overflowing-scores, with the greatest score taken off first",
    ),
    Bug(
        "shown-key",
        "OpenDP 0.16.0",
        shown_key,
        KEYS,
        "any",
        "ln(2)",
        "1/12",
        shown_law,
        "`make_laplace_threshold`: delta leaves out the threshold itself",
        (1, HIDDEN, (3, 4, 5, 6)),
    ),
    Bug(
        "shown-key-claimed-right",
        "OpenDP 0.16.0",
        shown_key,
        KEYS,
        "any",
        "ln(2)",
        "1/6",
        shown_law,
        "shown-key, with the delta that counts the threshold",
    ),
    Bug(
        "squared-label",
        "diffprivlib 0.6.6",
        squared_label,
        tuple(LABELS),
        "any",
        "ln(100)",
        "0",
        squared_law,
        "`ExponentialCategorical` takes labels for balanced by e^(-epsilon u / 2), and then uses e^(-epsilon u)",
        ("c", "a", ("c",)),
    ),
    Bug(
        "balanced-label",
        "diffprivlib 0.6.6",
        balanced_label,
        tuple(LABELS),
        "any",
        "ln(10)",
        "0",
        balanced_law,
        "squared-label, released by what is balanced",
    ),
    Bug(
        "through-floats",
        "diffprivlib 0.6.6",
        through_floats,
        (BIG, BIG + 1),
        "counts_differ_by_one",
        "ln(2)",
        "0",
        lambda count: NOISE.map(lambda z: int(float(count)) + z),
        "`Geometric` on integers beyond 2^53",
        (BIG, BIG + 1, (BIG - 1 - MOST,)),
    ),
    Bug(
        "through-integers",
        "diffprivlib 0.6.6",
        through_integers,
        (BIG, BIG + 1),
        "counts_differ_by_one",
        "ln(2)",
        "0",
        lambda count: NOISE.map(lambda z: max(BIG - MOST + 1, min(BIG + MOST, count + z))),
        "through-floats, without the double",
    ),
)
"""The bugs, each before its repair, in the order of the field report."""
