"""Programs that choose by scores and then measure what they chose, at toy size: MWEM, AIM and MST.

Each spends epsilon 1 in all on its choices, by the exponential mechanism, and on its measurements. With `scale` 1/2 the
noise of these is half of what it must be.
"""

import numpy as np


def chosen(rng, scores, epsilon):
    """Return a position by the exponential mechanism, for scores that a record moves by one."""
    weights = np.exp(np.array(scores) * epsilon / 2)
    return int(rng.choice(len(scores), p=weights / weights.sum()))


def mwem(cells, rng, scale=1):
    """Twice: choose the cell that a flat histogram misses most, and measure it."""
    found = []
    for _ in range(2):
        place = chosen(rng, [abs(count - 1) for count in cells], 1 / 8)
        found.append((place, cells[place] + rng.laplace(scale=scale * 8 / 3)))
    return found


def aim(cells, rng, scale=1):
    """Measure the first cell, then choose among all cells and the pairs of neighbouring ones, and measure that."""
    first = cells[0] + rng.laplace(scale=4 * scale)
    queries = [(i,) for i in range(len(cells))] + [(i, i + 1) for i in range(len(cells) - 1)]
    query = queries[chosen(rng, [sum(cells[i] for i in q) - len(q) for q in queries], 1 / 2)]
    return first, query, np.array([cells[i] for i in query]) + rng.laplace(scale=4 * scale, size=len(query))


def mst(rows, rng, scale=1):
    """Measure both one-way counts, then choose an edge by a two-way count, and measure that count."""
    noisy = [sum(row[k] for row in rows) + rng.laplace(scale=4 * scale) for k in range(2)]
    edges = [sum(a == b for a, b in rows), sum(a != b for a, b in rows)]
    edge = chosen(rng, edges, 1 / 4)
    return noisy, edge, edges[edge] + rng.laplace(scale=4 * scale)
