"""Derivations on order statistics: levels n, n - 1, ..., and laws of one step after another."""

from __future__ import annotations

from dpcert.proofs.derivation import Sorts, by_induction, by_query, earlier, given, same, unfold
from dpcert.proofs.finite_computers.heavy_order_derivations import RANK, REACHED
from dpcert.proofs.terms import Term, least


def _text(term: object) -> str:
    """Return a term's text."""
    assert isinstance(term, Term)
    return term.text


_DOWN: dict[str, str | int] = {"i": "Int", "n": "Int", "d": "Real", "F": 1, "P": 1}
_FUNCTION = [
    "(= (P 0) 1)",
    "(= (F n) d)",
    "(all (v 0 n) (> (F v) 0))",
    "(all (j 0 (- n 1)) (= (P (+ j 1)) (* (P j) (/ (F (- (- n j) 1)) (F (- n j))))))",
]
_SHARE = {"S": "(P i)", "F": "(F (- n i))", "G": "(F (- (- n i) 1))", "d": "d"}
_TAKEN = least(Term("(S i)"), Term("N", integer=True))
_NEXT = least(Term("(Y (+ j 1))"), Term("N", integer=True) - Term("(C j)"))

LEVELS = (
    by_induction(
        "levels-passed",
        _DOWN,
        ["(>= i 0)", "(<= i n)", *_FUNCTION],
        "(= (* (P i) d) (F (- n i)))",
        base=[],
        step=[given(0, "(- n i)"), given(1, "i"), earlier("level-share", **_SHARE)],
    ),
    by_query(
        "at-level",
        _DOWN,
        ["(>= i 0)", "(< i n)", *_FUNCTION],
        "(= (* (* (P i) (- 1 (/ (F (- (- n i) 1)) (F (- n i))))) d) (- (F (- n i)) (F (- (- n i) 1))))",
        given(0, "(- n i)"),
        earlier("levels-passed", i="i", n="n", d="d", F="F", P="P"),
        earlier("level-share", **_SHARE),
    ),
    by_induction(
        "capped-levels",
        {"i": "Int", "n": "Int", "N": "Int", "S": 1, "C": 1, "Y": 1},
        [
            "(>= i 0)",
            "(<= i n)",
            "(>= N 0)",
            "(= (S 0) 0)",
            "(= (C 0) 0)",
            "(all (j 1 n) (>= (Y j) 0))",
            "(all (j 0 (- n 1)) (= (S (+ j 1)) (+ (S j) (Y (+ j 1)))))",
            f"(all (j 0 (- n 1)) (= (C (+ j 1)) (+ (C j) {_text(_NEXT)})))",
        ],
        f"(= (C i) {_text(_TAKEN)})",
        base=[],
        step=[given(0, "(+ i 1)"), given(1, "i"), given(2, "i")],
    ),
)
"""P(i) is the probability of a count up to n - i. Y(i) counts are i levels down, S(i) so far; C(i) are taken."""


_EXCHANGED: Sorts = {"n": "Int", "m": "Int", "i": "Int", "a": 1, "b": 1}
_TO = "(prod (k 1 (+ (+ i 1) n)) ({} k))".format
_TO_I = "(prod (k 1 i) ({} k))".format

SPARSE = (
    by_query(
        "kept-among-greatest",
        {**dict.fromkeys(("m", "r", "n"), "Int"), "Z": 1, "b": 1},
        [*RANK, REACHED, "(<= (sum (i 1 m) (b i)) n)"],
        "(<= r n)",
        earlier("places-reach", **same("m", "r", "Z", "b")),
    ),
    by_induction(
        "equal-factors",
        {"n": "Int", "m": "Int", "a": 1, "b": 1},
        ["(>= n 0)", "(<= n m)", "(all (k 1 m) (= (a k) (b k)))"],
        "(= (prod (k 1 n) (a k)) (prod (k 1 n) (b k)))",
        base=[unfold("(prod (k 1 0) (a k))"), unfold("(prod (k 1 0) (b k))")],
        step=[unfold("(prod (k 1 (+ n 1)) (a k))"), unfold("(prod (k 1 (+ n 1)) (b k))"), given(0, "(+ n 1)")],
    ),
    by_induction(
        "neighbours-exchanged",
        _EXCHANGED,
        [
            "(>= n 0)",
            "(<= (+ (+ i 1) n) m)",
            "(>= i 1)",
            "(= (a i) (b (+ i 1)))",
            "(= (b i) (a (+ i 1)))",
            "(all (k 1 (- i 1)) (= (a k) (b k)))",
            "(all (k (+ i 2) m) (= (a k) (b k)))",
        ],
        f"(= {_TO('a')} {_TO('b')})",
        base=[
            *(unfold(f"(prod (k 1 (+ (+ i 1) 0)) ({f} k))") for f in "ab"),
            *(unfold(_TO_I(f)) for f in "ab"),
            earlier("equal-factors", n="(- i 1)", m="(- i 1)", a="a", b="b"),
        ],
        step=[
            *(unfold(f"(prod (k 1 (+ (+ i 1) (+ n 1))) ({f} k))") for f in "ab"),
            given(1, "(+ (+ i 1) (+ n 1))"),
        ],
    ),
)
"""a(k) is the probability of label k's count, b(k) where labels i and i + 1 have changed theirs."""
