"""Derivations on order statistics: levels n, n - 1, ..., and laws of one step after another."""

from __future__ import annotations

from dpcert.proofs.derivation import Sorts, by_induction, by_query, earlier, given, same, unfold
from dpcert.proofs.exponentials import exponential, first_terms
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

_PX, _QY = "(* (p k) (x k))", "(* (q k) (y k))"
_FIRST, _SECOND = "(* (x k) (- (p k) (q k)))", "(* e (q k))"
_LAWS: dict[str, str | int] = {"N": "Int", "p": 1, "q": 1, "x": 1, "y": 1, "d": "Real", "e": "Real"}

STEPS = (
    by_query(
        "steps-each",
        _LAWS,
        ["(all (k 1 N) (>= (q k) 0))", "(all (k 1 N) (<= (- (x k) (y k)) e))"],
        f"(all (k 1 N) (<= (+ {_PX} (* (- 1) {_QY})) (+ {_FIRST} {_SECOND})))",
        given(0, "k"),
        given(1, "k"),
        earlier("second-step-event", p="(p k)", q="(q k)", x="(x k)", y="(y k)", e="e"),
    ),
    by_query(
        "two-steps-event",
        _LAWS,
        [
            "(>= N 0)",
            "(= (sum (k 1 N) (q k)) 1)",
            f"(<= (sum (k 1 N) {_FIRST}) d)",
            "(all (k 1 N) (>= (q k) 0))",
            "(all (k 1 N) (<= (- (x k) (y k)) e))",
        ],
        f"(<= (- (sum (k 1 N) {_PX}) (sum (k 1 N) {_QY})) (+ d e))",
        earlier("steps-each", **{name: name for name in _LAWS}),
        earlier(
            "sum-at-most",
            n="N",
            m="N",
            a=("k", f"(+ {_PX} (* (- 1) {_QY}))"),
            b=("k", f"(+ {_FIRST} {_SECOND})"),
        ),
        earlier("sum-plus", n="N", a=("k", _PX), b=("k", f"(* (- 1) {_QY})")),
        earlier("sum-plus", n="N", a=("k", _FIRST), b=("k", _SECOND)),
        earlier("sum-scale", n="N", c="(- 1)", a=("k", _QY)),
        earlier("sum-scale", n="N", c="e", a="q"),
    ),
)
"""x(k) and y(k) are an event's probabilities after outcome k of first steps p and q."""

_CHILD = "(+ (* (- {} 1) m) b)".format
_TREE: Sorts = {"l": "Int", "L": "Int", "m": "Int", "e": "Real", "N": 1, "p": 3, "q": 3, "x": 2, "y": 2}
_OF_LEVEL = "(all (j 0 (- L 1)) (all (g 1 (N (+ j 1))) {}))".format

LEVELS_TOGETHER = (
    by_query(
        "level-before",
        {"l": "Int", "L": "Int"},
        ["(<= (+ l 1) L)"],
        "(<= l L)",
    ),
    by_query(
        "histories-after",
        {**dict.fromkeys(("l", "L", "m", "h"), "Int"), **dict.fromkeys(("M", "K", "d"), "Real"), "f": 1},
        [
            "(<= l L)",
            "(>= h 1)",
            "(<= h K)",
            "(= M (* m K))",
            "(all (g 1 M) (or (not (<= l L)) (<= (f g) d)))",
        ],
        f"(all (b 1 m) (<= (f {_CHILD('h')}) d))",
        given(0, _CHILD("h")),
    ),
    by_induction(
        "levels-add-up",
        _TREE,
        [
            "(>= l 0)",
            "(<= l L)",
            "(>= m 0)",
            "(all (h 1 (N 0)) (= (x 0 h) (y 0 h)))",
            "(all (j 0 (- L 1)) (= (N j) (* m (N (+ j 1)))))",
            _OF_LEVEL(f"(= (x (+ j 1) g) (sum (b 1 m) (* (p j g b) (x j {_CHILD('g')}))))"),
            _OF_LEVEL(f"(= (y (+ j 1) g) (sum (b 1 m) (* (q j g b) (y j {_CHILD('g')}))))"),
            _OF_LEVEL(
                "(and (= (sum (b 1 m) (q j g b)) 1)"
                f" (<= (sum (b 1 m) (* (x j {_CHILD('g')}) (- (p j g b) (q j g b)))) e))"
            ),
            _OF_LEVEL("(all (b 1 m) (>= (q j g b) 0))"),
        ],
        "(all (h 1 (N l)) (<= (- (x l h) (y l h)) (* l e)))",
        base=[given(0, "h")],
        step=[
            earlier("level-before", l="l", L="L"),
            given(1, "l"),
            given(2, "l"),
            given(7, "h"),
            given(3, "l"),
            given(8, "h"),
            given(4, "l"),
            given(9, "h"),
            given(5, "l"),
            given(10, "h"),
            earlier(
                "histories-after",
                **same("l", "L", "m", "h"),
                M="(N l)",
                K="(N (+ l 1))",
                d="(* l e)",
                f=("g", "(- (x l g) (y l g))"),
            ),
            earlier(
                "two-steps-event",
                N="m",
                p=("b", "(p l h b)"),
                q=("b", "(q l h b)"),
                x=("b", f"(x l {_CHILD('h')})"),
                y=("b", f"(y l {_CHILD('h')})"),
                d="e",
                e="(* l e)",
            ),
        ],
    ),
)
"""With l levels still to draw, an event has probability x(l, h) or y(l, h) after history h, of N(l); draw b of the next
level, of m, has probability p(l - 1, h, b) or q(l - 1, h, b), and leads to history (h - 1) m + b. What is released is
weighed in the event alike after the same draws.
"""

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

_LEAST = "(/ 1 (pow (* 3 X) n))"
_DRAWS: Sorts = {"n": "Int", "M": "Int", "P": "Real", "Q": 1}
_WANTED = [
    "(>= P 1)",
    "(= (Q 0) 1)",
    "(all (j 0 (- M 1)) (= (Q (+ j 1)) (sum (i 1 (+ j 1)) (* (/ 1 P) (Q j)))))",
]
_PURE: Sorts = {
    "n": "Int",
    "X": "Int",
    **dict.fromkeys(("E", "epsilon", "beta", "P", "least", "delta"), "Real"),
    "Q": 1,
    "e": 1,
}
_PAIRS = ["(= P (* (+ n 1) X))", "(>= X 1)"]

PURE = (
    by_induction(
        "wanted-draws",
        _DRAWS,
        ["(>= n 0)", "(<= n M)", *_WANTED],
        "(= (* (Q n) (pow P n)) (prod (k 1 n) k))",
        base=[unfold("(prod (k 1 0) k)")],
        step=[
            given(0, "n"),
            unfold("(prod (k 1 (+ n 1)) k)"),
            unfold("(pow P (+ n 1))"),
            earlier("sum-of-equal", n="(+ n 1)", v="(* (/ 1 P) (Q n))"),
        ],
    ),
    by_query(
        "least-histogram",
        {"n": "Int", "X": "Int", "P": "Real", "Q": 1},
        ["(>= n 0)", *_PAIRS, *(each.replace("M", "n") for each in _WANTED)],
        f"(and (>= (Q n) {_LEAST}) (> {_LEAST} 0) (<= {_LEAST} 1))",
        earlier("wanted-draws", n="n", M="n", P="P", Q="Q"),
        earlier("factorial", n="n"),
        earlier("pow-of-product", n="n", a="(+ n 1)", b="X", c="P"),
        earlier("pow-of-product", n="n", a="3", b="X", c="(* 3 X)"),
        earlier("pow-positive", n="n", E="3"),
        earlier("pow-positive", n="n", E="X"),
        earlier("pow-positive", n="n", E="P"),
        earlier("pow-at-least-one", n="n", E="(* 3 X)"),
    ),
    by_query(
        "gap-of-exponential",
        {"E": "Real", "epsilon": "Real", "e": 1},
        ["(> epsilon 0)", "(<= epsilon 1)", *exponential("e", "epsilon", "E")],
        "(and (>= E 1) (<= (* epsilon (+ E 1)) (* 3 (- E 1))))",
        first_terms("e", "epsilon", "E"),
        earlier("pure-gap", E="E", epsilon="epsilon"),
    ),
    by_query(
        "pure-condition",
        _PURE,
        [
            "(>= n 0)",
            *_PAIRS,
            *(each.replace("M", "n") for each in _WANTED),
            "(> epsilon 0)",
            "(<= epsilon 1)",
            *exponential("e", "epsilon", "E"),
            "(> beta 0)",
            "(<= beta 1)",
            "(>= least (Q n))",
            f"(= (* 3 delta) (* epsilon (* beta {_LEAST})))",
        ],
        "(and (<= (* (* delta (- 1 beta)) (+ E 1)) (* (* (- E 1) beta) least)) (<= delta beta))",
        earlier("least-histogram", **same("n", "X", "P", "Q")),
        earlier("gap-of-exponential", **same("E", "epsilon", "e")),
        earlier("pure-mixing", **same("E", "epsilon", "beta", "delta"), b=f"(* beta {_LEAST})"),
    ),
)
"""Of P pairs of a label and a count each is as likely; Q(j) is the probability that j draws give j distinct pairs that
are still wanted, in any order. A histogram of at most n labels comes of n such pairs; `least` is the probability of
one.
"""
