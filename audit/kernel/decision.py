"""The decision on a pair of finite laws, in integers: extracted from `proofs/rocq/definitions/Decision.v`.

Do not edit: the gate of the theorems extracts it again. Theorems verdict_verified, verdict_refuted and
verdict_refuted_always of `proofs/rocq/statements/Kernel.v` say that it is right. A row has the weights of one outcome,
over g m and over g n; the claim is e^epsilon = a/b and delta = c/d.
"""

from collections.abc import Iterable

Rows = Iterable[tuple[int, int]]


def excess(x: int, y: int, so_far: int, table: Rows) -> int:
    """Return `excess` of these, as Decision.v defines it."""
    for v, w in table:
        gain = (x * v) - (y * w)
        so_far = so_far if gain <= 0 else (so_far + gain)
    return so_far


def delta_at_most(a: int, b: int, m: int, n: int, tail: int, table: Rows) -> int:
    """Return `delta_at_most` of these, as Decision.v defines it."""
    return excess(b * n, a * m, 0, table) + ((b * n) * tail)


def delta_at_least(a: int, b: int, m: int, n: int, tail: int, table: Rows) -> int:
    """Return `delta_at_least` of these, as Decision.v defines it."""
    return excess(b * n, a * m, 0, table) - ((a * m) * tail)


def is_within(b: int, c: int, d: int, g: int, m: int, n: int, bound: int) -> bool:
    """Return `is_within` of these, as Decision.v defines it."""
    return (d * bound) <= (c * (((b * g) * m) * n))


def is_beyond(b: int, c: int, d: int, g: int, m: int, n: int, bound: int) -> bool:
    """Return `is_beyond` of these, as Decision.v defines it."""
    return (c * (((b * g) * m) * n)) < (d * bound)


def verifies(a: int, b: int, c: int, d: int, g: int, m: int, n: int, tail: int, table: Rows) -> bool:
    """Return `verifies` of these, as Decision.v defines it."""
    return is_within(b, c, d, g, m, n, delta_at_most(a, b, m, n, tail, table))


def refutes(a: int, b: int, c: int, d: int, g: int, m: int, n: int, tail: int, table: Rows) -> bool:
    """Return `refutes` of these, as Decision.v defines it."""
    return is_beyond(b, c, d, g, m, n, delta_at_least(a, b, m, n, tail, table))


def unmatched(so_far: int, table: Rows) -> int:
    """Return `unmatched` of these, as Decision.v defines it."""
    for v, w in table:
        so_far = so_far + (v if w == 0 else 0)
    return so_far


def refutes_always(c: int, d: int, g: int, m: int, table: Rows) -> bool:
    """Return `refutes_always` of these, as Decision.v defines it."""
    return is_beyond(1, c, d, g, m, 1, unmatched(0, table))
