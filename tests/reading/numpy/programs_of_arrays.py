"""Programs of arrays that a reader of numpy may get wrong: aliases, effects, types, errors. Each is `f(n, c)`."""

from __future__ import annotations

from typing import Any

import numpy as np
from masked import written

BASE = np.zeros(4)
VIEW = BASE[1:]
COLUMNS = np.arange(6.0).reshape(2, 3).T
NAN = np.array([np.nan])
LOCKED = np.arange(3.0)
LOCKED.flags.writeable = False


def _drawn(c: Any) -> Any:
    return np.array([np.float64(c.below(3)), 1.5, np.float64(c.below(2))])


# -- effects


def in_place_wraps(n: Any, c: Any) -> Any:
    h = np.zeros(2, dtype=np.int8)
    h[0] = c.below(2)
    h += np.int8(100)
    h += np.int8(100)
    return h, bool(h[0] < -10)


# -- aliases


def snapshot(n: Any, c: Any) -> Any:
    x = np.zeros(2)
    row = []
    for e in x:
        x[1] = c.below(2)
        row.append(e)
    return row


def rows_are_views(n: Any, c: Any) -> Any:
    x = np.zeros((2, 2))
    for row in x:
        row += c.below(2)
    _, second = x
    second[0] = 9
    return x


def views_and_copies(n: Any, c: Any) -> Any:
    x = _drawn(c)
    parts = x[:2], x.reshape(3, 1), x[[0, 1]], x.ravel(), x.T, x[None], x[x > 1], x.flatten(), np.asarray(x), x[...]
    x[0] = 8
    return parts


def views_of_a_result(n: Any, c: Any) -> Any:
    a, b = np.split(np.arange(4.0), 2)
    a += c.below(2)
    both = np.broadcast_to(a, (2, 2))
    return a, b, both


# -- types


def weak_and_strong(n: Any, c: Any) -> Any:
    x = np.array([np.float32(c.below(3)), np.float32(1)])
    return x + 0.1, x + np.float64(0.1), x * c.below(2), x + np.array([1]), x / 3


def too_large_to_be_reached(n: Any, c: Any) -> Any:
    x = np.array([np.int8(c.below(3)), np.int8(100)])
    return x > 300, x < 300, x == 300, x != -300, x >= 44 + n


def stored_in_single(n: Any, c: Any) -> Any:
    x = np.zeros(2, dtype=np.float32)
    x[0] = (c.below(7) - 3) / 10
    x[1:] = np.array([np.float64(c.below(3))]) / 3
    return x[0], x[1], x * 2


def numbers_are_cast(n: Any, c: Any) -> Any:
    s = np.float64(c.below(7)) / 2 - 1
    return s.astype(int), s.astype(np.float32), s.astype("?"), np.int64(c.below(300)).astype(np.int8), s.astype(float)


def cast_to_int8(n: Any, c: Any) -> Any:
    return np.array([100 * c.below(3), -7.9]).astype(np.int8), np.array([c.below(3) / 2]).astype(bool)


def numbers_of_python(n: Any, c: Any) -> Any:
    x = np.array([c.below(3), 2])
    return x.tolist(), x.item(0), x[0].item(), float(x[0]), int(x[1]), list(x), [*x], x[0]


def types_of_elements(n: Any, c: Any) -> Any:
    x = _drawn(c)
    return isinstance(x[0], float), isinstance(x, np.ndarray), x.dtype == np.float64, x.dtype.name, type(x[0]) is float


def where_it_holds(n: Any, c: Any) -> Any:
    x = np.array([(np.float64(c.below(9)) - 4) / 4 for _ in range(3)])
    places = np.where(np.logical_and(x, np.array([1.0, 0.0, n])))
    return places[0].tolist()


def where_with_python(n: Any, c: Any) -> Any:
    x = np.array([c.below(3), 1])
    return np.where(x > 1, x, 0), np.where(x > 0, x, 0.5), np.where(x > 0, 1, np.float32(2))


def joined(n: Any, c: Any) -> Any:
    x = _drawn(c)
    return np.hstack([2, x]), np.concatenate([x, [True]]), np.stack([x, x], axis=1), np.vstack((x, [1, 2, 3]))


def order_in_memory(n: Any, c: Any) -> Any:
    y = np.array([[c.below(2), 2, 3], [4, 5, 6]])
    return y.T + 1, np.asfortranarray(y), y.T.copy(), y.T.ravel(), y.ravel("F"), np.zeros_like(y.T), -y.T


# -- errors


def casts_are_refused_and_caught(n: Any, c: Any) -> Any:
    try:
        return np.array([1, 2])[c.below(4)]
    except IndexError as error:
        return str(error)


def singular(n: Any, c: Any) -> Any:
    try:
        return np.linalg.inv(np.array([[1.0, 1.0], [1.0, c.below(2)]]))
    except np.linalg.LinAlgError as error:
        return str(error)


def sum_of_uneven_rows_into_a_list(n: Any, c: Any) -> Any:
    """Numpy looks at the list that is to be written before it looks at the rows."""
    rows = [np.array([np.float64(c.below(2))]), np.zeros(2)]
    try:
        return np.sum(rows, axis=0, out=rows)
    except (TypeError, ValueError) as error:
        return str(error)


# -- as practitioners write


def masked(n: Any, c: Any) -> Any:
    x = np.array([c.below(5) - 2, c.below(3) - 1, 4])
    x[x < 0] = 0
    return x, (x > 1).sum(), np.clip(x, 0, 2), x.max(), np.argmax(x)


def clipped_rows(n: Any, c: Any) -> Any:
    rows = np.arange(6.0).reshape(2, 3) + n
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    total = (rows / np.maximum(1, norms / 2.0)).sum(axis=0)
    total += np.array([c.below(2), 0, 0])
    return total / len(rows)


def nearest(n: Any, c: Any) -> Any:
    points = np.array([[0.0, 1.0], [4.0, 4.0], [c.below(3), 0.0]])
    centres = np.array([[0.0, 0.0], [4.0, 4.0]])
    distances = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
    labels = distances.argmin(axis=1)
    return [points[labels == k].mean(axis=0) for k in range(2)], np.bincount(labels, minlength=2)


def histogram(n: Any, c: Any) -> Any:
    counts, edges = np.histogram([1, 2, 2, n], bins=3, range=(0, 3))
    cells = counts.astype(float)
    cells += np.array([c.below(2), c.below(2), 0])
    return np.maximum(cells, 0), edges, dict(zip("abc", cells, strict=True))


def filled_by_places(n: Any, c: Any) -> Any:
    x = np.empty(3)
    for place in range(len(x)):
        x[place] = c.below(2)
    y = np.empty_like(x, dtype=int)
    y[:] = 1
    return x, y


# -- what numpy chooses at a bound, and what it wrote before it raised


def clipped_at_zero(n: Any, c: Any) -> Any:
    x = np.array([np.float64(c.below(2))])
    return np.signbit(np.clip(x, np.array([-0.0]), 2.0)), np.signbit(np.clip(x - 1, -2.0, -0.0))


def clipped_at_nan(n: Any, c: Any) -> Any:
    x = np.array([np.float64(c.below(2))])
    return np.isnan(np.clip(x, np.array([0.0]), NAN)), np.isnan(x.clip(NAN))


def larger_of_zeros(n: Any, c: Any) -> Any:
    x = np.array([np.float64(c.below(2)) for _ in range(5)])
    low, high = np.maximum(x, np.full(5, -0.0)), np.minimum(-0.0, x)
    return np.signbit([low, high, np.maximum(-0.0, x), np.fmin(x, np.full(5, -0.0)), np.clip(x, -0.0, 3.0)])


def written_before_an_error(n: Any, c: Any) -> Any:
    x = np.zeros(3, int)
    try:
        x[:] = [1, 2**70, c.below(2)]
    except OverflowError as error:
        return x, str(error)


def lists_repeated(n: Any, c: Any) -> Any:
    z, t = np.array([np.int64(c.below(3)), 2]), np.int64(c.below(3))
    many = t * [z, np.int64(c.below(2))]
    t *= (1, 2)
    return len(many), many[:1], len([z, 3] * np.int64(2)), t, np.int8(2) * [np.int64(c.below(2))]


def _too_large(make: Any) -> Any:
    try:
        return make()
    except (OverflowError, TypeError, ValueError) as error:
        return type(error).__name__, str(error)


def _set(v: Any, place: Any, value: Any) -> None:
    v[place] = value


def set_to_what_is_too_large(n: Any, c: Any) -> Any:
    v = np.array([np.int8(c.below(2)), np.int8(1)])
    return _too_large(lambda: _set(v, 0, np.int64(c.below(4)) * 100)), v


def set_to_a_list_too_large(n: Any, c: Any) -> Any:
    v = np.zeros(2, np.int8)
    return _too_large(lambda: _set(v, slice(None), [np.int64(c.below(4)) * 100, 1])), v


def made_of_what_is_too_large(n: Any, c: Any) -> Any:
    t = np.int64(c.below(4)) * 100
    return _too_large(lambda: np.array([t, 1], np.int8)), np.full(2, t, np.int8), np.array([t, 1]).astype(np.int8)


def filled_with_what_is_too_large(n: Any, c: Any) -> Any:
    v = np.array([np.uint8(c.below(2)), np.uint8(1)])
    return _too_large(lambda: v.fill(np.float64(c.below(4)) * 100 - 1.0)), v


def set_in_a_text_at_an_array(n: Any, c: Any) -> Any:
    v = np.array([np.float64(c.below(2)), 1.0])
    tried = [("text", v >= 1), ("text", 0), ((1, 2), v >= 1), ("text", "a"), (7, v >= 1)]
    return [_too_large(lambda one=one, place=place: _set(one, place, 2)) for one, place in tried]


ROWS = {
    "out_by_position": "o = np.zeros(1); np.add(np.array([n]), c.below(3), o); return o",
    "out_of_undecided": "x = _drawn(c); y = np.zeros(3); return np.subtract(y, x, x[::-1]), x",
    "out_of_reduction": "o = np.zeros(2); np.sum(np.array([[n, c.below(2)], [1, 2]]), 0, None, o); return o",
    "dot_into": "o = np.zeros(1); np.dot(np.array([[n, c.below(2)]]) * 1.0, np.ones(2), o); return o",
    "put": "h = np.zeros(2); np.put(h, 0, c.below(3) + n); h.put([1], 7); return h",
    "copyto": "h = np.zeros((2, 3)); np.copyto(h[1], _drawn(c)); return h",
    "diagonal_is_filled": "h = np.zeros((2, 2)); np.fill_diagonal(h, c.below(2)); return h",
    "nans_are_replaced": "h = np.array([math.inf, 0.0]); np.nan_to_num(h, copy=False, posinf=5.0); return h",
    "in_place_on_a_view": "x = np.zeros((2, 2)); x[:, 1] += np.array([c.below(2), 1]); x.T[0] -= n; return x",
    "in_place_overlaps": "x = _drawn(c); x[1:] += x[:-1]; return x",
    "sorted_in_place": "x = _drawn(c); x[::-1].sort(); return x",
    "added_at": "h = np.zeros(3); np.add.at(h, [0, 0, c.below(3)], 1); return h",
    "global_view": "VIEW[0] = c.below(3); return BASE.tolist(), VIEW",
    "global_columns": "return COLUMNS, COLUMNS[1:].ravel(), COLUMNS.copy(), COLUMNS * c.below(2)",
    "list_of_views": "x = _drawn(c); a, b = np.split(x, [1]); a[0] = 4; b += 1; return x, a, b",
    "locked": "w = np.broadcast_to(_drawn(c), (2, 3)) if c.below(2) else LOCKED; w[0] = 1; return w",
    "copy_is_unlocked": "w = LOCKED.copy(); w[0] = c.below(2); return w, LOCKED",
    "operator_is_no_ufunc": "b = np.array([c.below(2) > 0, True]); return b**2, np.power(b, 2), b + b, b * 1.5",
    "too_large_for_int8": "return np.array([100 * c.below(3)], dtype=np.int8)",
    "too_large_for_an_array": "x = np.zeros(1, dtype=np.int8); x[0] = 100 * c.below(3); return x",
    "cast_before_sum": "return (np.array([0.6, 0.6]) * c.below(2)).sum(dtype=int)",
    "shapes_differ": "return _drawn(c) + np.zeros(2)",
    "truth_is_ambiguous": "return 1 if _drawn(c) == _drawn(c) else 0",
    "no_axis": "x = np.array(c.below(2)); return (len(x) if n == 0 else list(x)), 1",
    "no_such_attribute": "return np.array([n]).mode",
    "clipped_by_crossed_bounds": "return np.clip(np.array([c.below(7)]), 4, 2)",
    "filled_with_a_list": "x = np.array([np.float64(c.below(2)), 1.0]); return _too_large(lambda: x.fill([1, 2]))",
}
written(globals(), ROWS, "n, c")
FOLLOWED = [
    each
    for name, each in list(globals().items())
    if getattr(each, "__module__", "") == __name__ and not name.startswith("_")
]
