"""The draws of numpy's generators one by one, in Python: interpreted as the rest of the prelude is."""

from math import ceil, exp, log, log1p, sqrt
from math import pow as power
from typing import Any

import numpy as np

from dpcert.reading.domains.steps import STEPS

# -- what the machine answers itself; on plain numbers, of generators that coins lead, it is this


def below(owner: Any, bound: Any) -> Any:
    """A uniform integer below a bound; no draw where that is 1."""
    return owner.below(bound)


def uniform(owner: Any) -> Any:
    """A uniform float k / 2^53."""
    return owner.random()


def packed(values: Any, like: Any) -> Any:
    """Values as an array of the type and layout of another, or the one value as a number of its type."""
    if not isinstance(like, np.ndarray):
        return type(like)(values[0])
    found = np.empty_like(like)
    found[...] = np.array(values, like.dtype).reshape(like.shape)
    return found


def step(value: Any, name: Any, by: Any = None) -> Any:
    """The result of a step by its name."""
    return STEPS[name](value, by)


def sums(weights: Any, found: Any) -> Any:
    """The running sums of weights, of which those at some places are taken for 0, divided by the last, as doubles."""
    left = np.array(weights)
    left[list(found)] = 0
    totals = left.cumsum()
    return tuple((totals / totals[-1]).tolist())


def known(value: Any) -> Any:
    """A number, decided."""
    return value


# -- draws


def _picked(elements: Any, place: Any) -> Any:
    return elements[place]


def _without_repeats(owner: Any, elements: Any, count: Any, like: Any) -> Any:
    left = list(elements)
    values: Any = []
    while len(values) < count:
        place = below(owner, len(left))
        values.append(left[place])
        left[place] = left[0]
        left = left[1:]
    return values[0] if like is None else packed(values, like)


def _without_repeats_by_weight(owner: Any, elements: Any, weights: Any, count: Any, like: Any) -> Any:
    """As many draws as are wanting; those that occur again are drawn anew among the others."""
    found: Any = []
    while len(found) < count:
        row = sums(weights, found)
        for place in [step(uniform(owner), "search", row) for _ in range(count - len(found))]:
            if place not in found:
                found.append(known(place))
    values = [elements[place] for place in found]
    return values[0] if like is None else packed(values, like)


def _permuted(owner: Any, elements: Any, like: Any) -> Any:
    values = list(elements)
    _shuffled(owner, values)
    return packed(values, like)


def _shuffled(owner: Any, row: Any) -> Any:
    for i in range(len(row) - 1, 0, -1):
        j = below(owner, i + 1)
        row[i], row[j] = row[j], row[i]


def _geometric(owner: Any, p: Any) -> Any:
    u, x, total, product, q = uniform(owner), 1, p, p, 1.0 - p
    while u > total:
        product *= q
        total += product
        x += 1
    return x


def _binomial(owner: Any, n: Any, p: Any) -> Any:
    """The number of successes of n, by a search of what is left of a uniform among the probabilities."""
    if n == 0 or p == 0.0:
        return 0
    if p > 0.5:
        return n - _fewer(owner, n, 1.0 - p)
    return _fewer(owner, n, p)


def _fewer(owner: Any, n: Any, p: Any) -> Any:
    q, mean = 1.0 - p, n * p
    first = exp(n * log1p(-p))
    most = int(min(n, mean + 10.0 * sqrt(mean * q + 1)))
    u, x, left = uniform(owner), 0, first
    while u > left:
        x += 1
        if x > most:
            u, x, left = uniform(owner), 0, first
        else:
            u -= left
            left = ((n - x + 1) * p * left) / (x * q)
    return x


def _multinomial(owner: Any, n: Any, conditional: Any, rows: Any, like: Any) -> Any:
    """Rows of counts: of those that are left, a binomial number for each category but the last."""
    values: Any = []
    while rows > 0:
        left, rows = n, rows - 1
        for p in conditional:
            count = _binomial(owner, left, p) if left > 0 else 0
            values.append(count)
            left -= count
        values.append(left)
    return packed(values, like)


def _laplace(owner: Any, loc: Any, scale: Any) -> Any:
    while True:
        u = uniform(owner)
        if u >= 0.5:
            return loc - scale * log(step(u, "2 - u - u"))
        if u > 0.0:
            return loc + scale * log(step(u, "u + u"))


def _logistic(owner: Any, loc: Any, scale: Any) -> Any:
    while True:
        u = uniform(owner)
        if u > 0.0:
            return loc + scale * log(step(u, "u / (1 - u)"))


def _gumbel(owner: Any, loc: Any, scale: Any) -> Any:
    while True:
        u = 1.0 - uniform(owner)
        if u < 1.0:
            return loc - scale * log(-log(u))


def _inverse_exponential(owner: Any) -> Any:
    return -log1p(-uniform(owner))


def _exponential(owner: Any, scale: Any) -> Any:
    return scale * -log(1.0 - uniform(owner))


def _standard_exponential(owner: Any) -> Any:
    return -log(1.0 - uniform(owner))


def _rayleigh(owner: Any, scale: Any) -> Any:
    return scale * sqrt(-2.0 * log1p(-uniform(owner)))


def _weibull(owner: Any, a: Any) -> Any:
    return power(_standard_exponential(owner), 1.0 / a)


def _pareto(owner: Any, a: Any) -> Any:
    return exp(_standard_exponential(owner) / a) - 1.0


def _power(owner: Any, a: Any) -> Any:
    return power(1.0 - exp(-_standard_exponential(owner)), 1.0 / a)


def _geometric_by_log(owner: Any, p: Any) -> Any:
    return ceil(log1p(-uniform(owner)) / log(1.0 - p))


def _repeated(draw: Any, owner: Any, parameters: Any, count: Any, like: Any) -> Any:
    """So many draws, in the type and layout of those that numpy made, or one number."""
    values: Any = []
    while len(values) < count:
        values.append(draw(owner, *parameters))
    return packed(values, like)


# -- folds: each element is taken from a list of their own, and known of it is what is asked


def compressed(rows: Any, ordered: Any) -> Any:
    """The same list, in which elements that are alike, to which nothing else refers, are one with their count."""


def take(rows: Any) -> Any:
    """The last element of a list, which is removed."""


def whole(value: Any) -> Any:
    """An integer, decided."""


def typed(value: Any, like: Any) -> Any:
    """A number of the type of another."""


def _either(number: Any, like: Any) -> Any:
    return typed(number > 0, like)


def _array_total(rows: Any, total: Any, like: Any) -> Any:
    rows = compressed(rows, False)
    while rows:
        total += whole(take(rows))
    return typed(total, like)


def _array_mean(rows: Any, total: Any, like: Any, count: Any) -> Any:
    return _array_total(rows, total, like) / count


def _array_some(rows: Any, wanted: Any, like: Any) -> Any:
    found = False
    rows = compressed(rows, False)
    while rows:  # to the last, where both answers are known: so what comes next is read twice, and not once for each
        found = bool(take(rows)) is wanted or found
    return typed(wanted if found else not wanted, like)


def _array_extreme(rows: Any, up: Any, like: Any) -> Any:
    rows = compressed(rows, False)
    best = known(take(rows))
    while rows:
        each = known(take(rows))
        if (each > best) if up else (each < best):
            best = each
    return best


def _array_place(rows: Any, up: Any, like: Any) -> Any:
    rows = compressed(rows, True)
    best, place, found = known(take(rows)), 0, 0
    while rows:
        each = known(take(rows))
        place += 1
        if (each > best) if up else (each < best):
            best, found = each, place
    return typed(found, like)


def _array_running(rows: Any, total: Any, like: Any) -> Any:
    totals: Any = []
    rows = compressed(rows, True)
    while rows:
        total += whole(take(rows))
        totals.append(total)
    return packed(totals, like)


def _array_of_folds(folds: Any, like: Any) -> Any:
    values: Any = []
    while folds:
        fold, given = folds.pop()
        values.append(fold(*given))
    return packed(values, like)
