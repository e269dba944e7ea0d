"""Derivations on which counts reach the r-th greatest: Z(i) is the i-th greatest of m counts."""

from __future__ import annotations

from dpcert.proofs.derivation import Sorts, by_query, earlier, given, same

_SORTED = "(all (i 1 m) (all (l 1 m) (or (> i l) (>= (Z i) (Z l)))))"
_PLACES: Sorts = {"m": "Int", "r": "Int", "Z": 1, "b": 1}
RANK = ["(>= r 1)", "(<= r m)", _SORTED]
REACHED = "(all (i 1 m) (= (b i) (ite (>= (Z i) (Z r)) 1 0)))"
_SUM = "(sum (i 1 m) (b i))"

PLACES = (
    by_query(
        "reached-at-place",
        _PLACES,
        [*RANK, REACHED],
        "(all (i 1 r) (= (b i) 1))",
        given(0, "i"),
        given(2, "r"),
        given(1, "i"),
    ),
    by_query(
        "reached-not-negative",
        {"m": "Int", "r": "Int", "Z": 1, "b": 1},
        ["(>= r 1)", REACHED],
        "(all (j 1 (- m r)) (>= (b (+ r j)) 0))",
        given(0, "(+ r j)"),
    ),
    by_query(
        "places-reach",
        _PLACES,
        [*RANK, REACHED],
        f"(>= {_SUM} r)",
        earlier("reached-at-place", **same(*_PLACES)),
        earlier("reached-not-negative", **same(*_PLACES)),
        earlier("sum-equal", n="r", m="r", a="b", b=("i", "1")),
        earlier("sum-of-equal", n="r", v="1"),
        earlier("sum-not-negative", n="(- m r)", m="(- m r)", a=("j", "(b (+ r j))")),
        earlier("sum-in-two-parts", n="(- m r)", m="r", a="b"),
    ),
)
"""b(i) is 1 where Z(i) reaches Z(r); r counts are at least Z(r)."""
