"""Programs that release arrays: those whose elements are independent, and those in which some depend on another."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

Program = Callable[[Any, Any], Any]


def assigned(bits: Any, rng: Any) -> Any:
    v = (rng.random(3) < 0.25) * 1
    v[1] = bits[1]
    return v


def others(bits: Any, rng: Any) -> Any:
    """Some draws are behind no element."""
    rng.random(2)
    rng.integers(0, 5)
    v = rng.integers(0, 4, size=5)
    rng.random()
    return v[1:4]


def twice_drawn(bits: Any, rng: Any) -> Any:
    return np.where(rng.random(3) < 0.5, np.array(bits), rng.integers(0, 2, size=3))


def exponentials(bits: Any, rng: Any) -> Any:
    return (np.array([math.exp(rng.random()) for _ in bits]) < 1.5) ^ (np.array(bits) > 0)


def after_a_certain_reduction(bits: Any, rng: Any) -> Any:
    mask = rng.random(3) < 0.25
    return mask if (mask | ~mask).all() else ~mask


def apart_after_a_certain_reduction(bits: Any, rng: Any) -> Any:
    """The draws are merged, and then taken one by one."""
    v = rng.integers(0, 3, size=3)
    assert (v < 5).all()
    v[0] = 7
    return v


INDEPENDENT: dict[str, Program] = {
    "flipped": lambda bits, rng: np.where(rng.random(3) < 0.25, 1 - np.array(bits), np.array(bits)),
    "two draws an element": twice_drawn,
    "of doubles": lambda bits, rng: np.where(rng.random(3) < 0.25, -0.0, np.array(bits) / 4),
    "truths": lambda bits, rng: rng.random(3) < 0.25,
    "small": lambda bits, rng: (rng.random(3) < 0.25).astype(np.int8),
    "of few values": lambda bits, rng: rng.integers(0, 3, size=3) - np.array(bits),
    "a choice in no order": lambda bits, rng: rng.choice([3, 1, 2], size=2, p=[0.5, 0.25, 0.25]),
    "is it one of four": lambda bits, rng: rng.choice(4, size=3, p=[0.5, 0.25, 0.125, 0.125]) == bits,
    "a sum of two draws": lambda bits, rng: rng.integers(0, 3, size=2) + rng.integers(0, 2, size=2),
    "distances": lambda bits, rng: np.abs(rng.integers(-1, 3, size=2)),
    "two thresholds of one draw": lambda bits, rng: (u := rng.random(3), (u < 0.2) + 2 * (u < 0.5))[1],
    "reversed": lambda bits, rng: (rng.random(3) < [0.1, 0.2, 0.3])[::-1],
    "of two axes": lambda bits, rng: rng.random((2, 2)) < [[0.1, 0.2], [0.3, 0.4]],
    "of no axis": lambda bits, rng: (rng.random(3) < 0.25)[:1].reshape(()),
    "a part": lambda bits, rng: (rng.random(5) < 0.25)[1:4],
    "some assigned": assigned,
    "other draws": others,
    "with an exponential": exponentials,
    "listed": lambda bits, rng: np.array([rng.integers(0, 2), 7, rng.integers(0, 3)]),
    "certain": lambda bits, rng: np.array(bits),
    "after a certain reduction": after_a_certain_reduction,
    "apart after a certain reduction": apart_after_a_certain_reduction,
    "certain draws": lambda bits, rng: rng.random(3) < 2.0,
}


def kept_mask(bits: Any, rng: Any) -> Any:
    """The count of a mask is asked for beside it."""
    mask = rng.random(3) < 0.25
    return np.where(mask, mask.sum(), 0)


def after_a_reduction(bits: Any, rng: Any) -> Any:
    mask = rng.random(3) < 0.25
    return mask if mask.any() else ~mask


def after_a_comparison(bits: Any, rng: Any) -> Any:
    u = rng.random(3)
    return (u < 0.5) if u[0] < 0.25 else (u < 0.75)


def after_a_rare_comparison(bits: Any, rng: Any) -> Any:
    """The comparison tells less than what a level of an exploration counts."""
    mask = rng.random(3) < 0.25
    return mask & False if rng.integers(0, (3 << 40) + 1) == 0 else mask


def one_is_two(bits: Any, rng: Any) -> Any:
    v = (rng.random(3) < 0.25) * 1
    v[2] = v[0]
    return v


def one_stands_twice(bits: Any, rng: Any) -> Any:
    """The element is assigned while it is undecided."""
    v = rng.integers(0, 3, size=3)
    v[1:] = v[:-1]
    return v


def raises_sometimes(bits: Any, rng: Any) -> Any:
    mask = rng.random(3) < 0.25
    if mask.sum() == 2:
        raise ValueError("two")
    return mask


def drawn_in_a_loop(bits: Any, coins: Any) -> Any:
    return np.array([coins.fold([1, 2], 0, lambda state, item, on: state + on.below(2)), 3])


def halves(bits: Any, coins: Any) -> Any:
    """Two remainders of one draw, without a decision."""
    u = coins.below(12)
    return np.array([u % 3, u % 6])


DEPENDENT: dict[str, Program] = {
    "a mask and its count": lambda bits, rng: (mask := rng.random(3) < 0.25, mask.sum()),
    "a mask with its count": kept_mask,
    "two masks of one draw": lambda bits, rng: (u := rng.random(3), (u < 0.2, u < 0.5))[1],
    "two masks in one array": lambda bits, rng: (u := rng.random(2), np.concatenate([u < 0.2, u < 0.5]))[1],
    "broadcast": lambda bits, rng: rng.random((2, 1)) < [0.2, 0.5],
    "sorted": lambda bits, rng: np.sort(rng.random(3) < 0.25),
    "of one draw and its own": lambda bits, rng: (rng.random(3) < 0.5) & (rng.random() < 0.5),
    "summed up": lambda bits, rng: np.cumsum(rng.random(3) < 0.25),
    "with the one beside": lambda bits, rng: (v := rng.integers(0, 3, size=3), v + v[::-1])[1],
    "with the one before": lambda bits, rng: (v := rng.random(4) < 0.25, v[1:] & v[:-1])[1],
    "with the first": lambda bits, rng: (v := rng.random(3) < 0.25, v ^ v[0])[1],
    "taken twice": lambda bits, rng: (rng.random(3) < 0.25)[[0, 0, 1]],
    "from the greatest on": lambda bits, rng: (v := rng.integers(0, 3, size=3), v == v.max())[1],
    "after a reduction": after_a_reduction,
    "after a comparison": after_a_comparison,
    "after a rare comparison": after_a_rare_comparison,
    "one is two": one_is_two,
    "one stands twice": one_stands_twice,
    "raises": raises_sometimes,
    "one of two": lambda bits, rng: rng.random(3) < 0.25 if rng.random() < 0.5 else rng.random(3) < 0.5,
    "a length": lambda bits, rng: rng.random(int(rng.integers(1, 3))) < 0.25,
    "a list": lambda bits, rng: (rng.random(3) < 0.25).tolist(),
    "a number": lambda bits, rng: (rng.random(3) < 0.25).sum(),
}
