"""Derivations on histograms whose labels are independent: the counts of neighbours, and which labels move."""

from __future__ import annotations

from dpcert.proofs.derivation import by_query, earlier, given, same


def masses(a: str, b: str) -> str:
    """Return that two families of masses are not negative, in the form that products ask for."""
    return f"(all (o 1 n) (all (k 1 m) (and (>= ({a} o k) 0) (>= ({b} o k) 0))))"


def moves(a: str, b: str, i: str) -> str:
    """Return that only label i moves, within a ratio of R."""
    return f"(all (o 1 n) (all (k 1 m) (or (= ({a} o k) ({b} o k)) (and (= k {i}) (<= ({a} o k) (* R ({b} o k)))))))"


def _mass(a: str) -> str:
    return f"(sum (o 1 n) (* (u o) (prod (k 1 m) ({a} o k))))"


_EVENT = "(all (k 1 n) (and (>= (u k) 0) (<= (u k) 1)))"
_COUNT, _OTHER = "(sum (i 1 n) (t i z))", "(sum (i 1 n) (s i z))"
_ROWS: dict[str, str | int] = {"n": "Int", "l": "Int", "j": "Int", "t": 2, "s": 2, "d": 1}
_ONE_ROW = "(all (z 1 l) (all (k 1 n) (= (- (t k z) (s k z)) (ite (= k j) (d z) 0))))"

TWO_LABELS = (
    by_query(
        "counts-of-neighbours",
        _ROWS,
        ["(>= j 1)", "(<= j n)", _ONE_ROW],
        f"(all (z 1 l) (= (- {_COUNT} {_OTHER}) (d z)))",
        given(0, "z"),
        earlier("one-term-differs", n="n", m="n", j="j", d="(d z)", a=("i", "(t i z)"), b=("i", "(s i z)")),
    ),
    by_query(
        "two-labels-event",
        {"n": "Int", "m": "Int", "i": "Int", "j": "Int", "R": "Real", "p": 2, "c": 2, "q": 2, "u": 1},
        [
            "(>= n 0)",
            "(>= m 0)",
            "(>= R 1)",
            masses("p", "c"),
            masses("c", "q"),
            moves("p", "c", "i"),
            moves("c", "q", "j"),
            _EVENT,
        ],
        f"(<= {_mass('p')} (* (* R R) {_mass('q')}))",
        earlier("event-of-products", **same("n", "m", "i", "R", "u"), a="p", b="c"),
        earlier("event-of-products", **same("n", "m", "R", "u"), i="j", a="c", b="q"),
        earlier("two-labels", R="R", p=_mass("p"), c=_mass("c"), q=_mass("q")),
    ),
)
"""t(i, z) is 1 if row i of a list has label z, else 0; s(i, z) is that of its neighbour, which has another row j.

Outcome o has the probability p(o, k) of its count of label k, q(o, k) for the neighbour, c(o, k) for counts of which
one has moved.
"""
