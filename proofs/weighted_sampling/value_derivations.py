"""Derivations on the values of Algorithms 4 and 5: f(i, k) is the entry of value k in row i, of N values in all.

T(i, k) is `prefix` of the entries 1..k of row i - 1, K(i, k) `least_prefix` of them, c(i, k) what new values have.
"""

from __future__ import annotations

from dpcert.proofs.derivation import by_induction, by_query, earlier, given, unfold
from dpcert.proofs.terms import Term, greatest, positive_part
from dpcert.proofs.weighted_sampling.recurrence import next_probability

E, DELTA, G = Term("E"), Term("delta"), Term("(g i)")
_X, _Y = Term("(pi (- i 1))"), Term("(pi i)")
_MASS = Term("(sum (j 1 r) (f (- i 1) j))")


def _text(term: object) -> str:
    """Return a term's text."""
    assert isinstance(term, Term)
    return term.text


_SILENCE = _text(positive_part((1 - _X) / E - (1 - _Y)))
_LEAST = _text(greatest(0, (_MASS - DELTA) / E + G))
_PREFIX = _text(greatest(0, (_MASS - DELTA) / E + G, _Y - E * (_X - _MASS) - DELTA))

_SORTS: dict[str, str | int] = {"n": "Int", "m": "Int", "E": "Real", "delta": "Real", "q": 1, "pi": 1}
_EPSILON = ["(>= E 1)", "(>= delta 0)", "(<= delta 1)"]
_SEQUENCE = [
    "(= (pi 0) 0)",
    f"(all (i 1 m) (= (pi i) {_text(next_probability(E, DELTA, Term('(q i)'), _X))}))",
    "(all (i 1 m) (and (>= (q i) 0) (<= (q i) 1)))",
    "(all (i 1 (- m 1)) (<= (q i) (q (+ i 1))))",
]
_ROWS: dict[str, str | int] = {**_SORTS, "N": "Int", "f": 2, "T": 2, "c": 2, "g": 1}
_TO_M = ["(<= n m)", "(>= N 0)", *_EPSILON, *_SEQUENCE]
_MADE = [
    "(all (r 1 N) (= (f 0 r) 0))",
    f"(all (i 1 m) (= (g i) {_SILENCE}))",
    f"(all (i 1 m) (all (r 0 N) (= (T i r) {_PREFIX})))",
    "(all (i 1 m) (all (r 1 N) (= (f i r) (+ (- (T i r) (T i (- r 1))) (c i r)))))",
    "(all (i 1 m) (all (r 1 N) (>= (c i r) 0)))",
    "(all (i 1 m) (= (sum (r 1 N) (c i r)) (- (pi i) (T i N))))",
]
_LEAST_MADE = f"(all (i 1 m) (all (r 0 N) (= (K i r) {_LEAST})))"
_KEYS = {name: name for name in ("m", "E", "delta", "q", "pi")}
_ALL = {**_KEYS, "N": "N", "f": "f", "T": "T", "c": "c", "g": "g"}


def _sum(term: str) -> str:
    """Return the sum over all values."""
    return f"(sum (k 1 N) {term})"


def _silence_at(i: str, x: str, y: str) -> str:
    """Return what is known of row i's silence and of the probabilities x = pi(i - 1) and y = pi(i)."""
    lacking = f"(- (- 1 {x}) (* E (- 1 {y})))"
    return (
        f"(and (<= 0 {x}) (<= {x} {y}) (<= {y} 1) (<= {y} (+ (* E {x}) delta)) (<= {lacking} delta)"
        f" (>= (g {i}) 0) (<= (* E (g {i})) delta) (<= {lacking} (* E (g {i})))"
        f" (or (= (g {i}) 0) (= (* E (g {i})) {lacking})))"
    )


_NOW = {"E": "E", "delta": "delta", "x": "(pi (- n 1))", "y": "(pi n)", "g": "(g n)"}
_OLD, _NEW = "(f (- n 1) k)", "(f n k)"
_MORE = "(- (T n k) (T n (- k 1)))"
_LESS = "(- (K n k) (K n (- k 1)))"
_UPTO, _BELOW = "(sum (j 1 k) (f (- n 1) j))", "(sum (j 1 (- k 1)) (f (- n 1) j))"
_SHORT = f"(- {_OLD} (* E {_LESS}))"
_WEIGHTS = ["(>= v 0)", "(<= v 1)", "(all (k 1 N) (and (>= (u k) 0) (<= (u k) 1)))"]

PRIVATE = (
    by_induction(
        "telescope",
        {"n": "Int", "t": 1},
        ["(>= n 0)"],
        "(= (sum (k 1 n) (- (t k) (t (- k 1)))) (- (t n) (t 0)))",
        base=[unfold("(sum (k 1 0) (- (t k) (t (- k 1))))")],
        step=[unfold("(sum (k 1 (+ n 1)) (- (t k) (t (- k 1))))")],
    ),
    by_query(
        "silences",
        _ROWS,
        ["(>= n 1)", *_TO_M, *_MADE],
        _silence_at("n", "(pi (- n 1))", "(pi n)"),
        given(4, "n"),
        earlier("probabilities-grow", n="n", **_KEYS),
        earlier("keys-close", n="n", **_KEYS),
        earlier("values-silence", **_NOW),
    ),
    by_query(
        "prefix-of-none",
        _ROWS,
        ["(>= n 1)", *_TO_M, *_MADE],
        "(= (T n 0) 0)",
        earlier("silences", n="n", **_ALL),
        given(5, "n"),
        given(9, "0"),
        unfold("(sum (j 1 0) (f (- n 1) j))"),
        earlier("values-start", **_NOW, X="(sum (j 1 0) (f (- n 1) j))"),
    ),
    by_induction(
        "row-total",
        _ROWS,
        ["(>= n 0)", *_TO_M, *_MADE],
        "(= (sum (k 1 N) (f n k)) (pi n))",
        base=[
            earlier("sum-equal", n="N", m="N", a=("k", "(f 0 k)"), b=("k", "0")),
            earlier("sum-of-zeros", n="N"),
        ],
        step=[
            earlier("prefix-of-none", n="(+ n 1)", **_ALL),
            given(8, "(+ n 1)"),
            given(6, "(+ n 1)"),
            earlier(
                "sum-equal",
                n="N",
                m="N",
                a=("k", "(f (+ n 1) k)"),
                b=("k", "(+ (- (T (+ n 1) k) (T (+ n 1) (- k 1))) (c (+ n 1) k))"),
            ),
            earlier(
                "sum-plus",
                n="N",
                a=("k", "(- (T (+ n 1) k) (T (+ n 1) (- k 1)))"),
                b=("k", "(c (+ n 1) k)"),
            ),
            earlier("telescope", n="N", t=("k", "(T (+ n 1) k)")),
        ],
    ),
    by_query(
        "prefix-rises",
        {**_ROWS, "k": "Int"},
        ["(>= n 1)", *_TO_M, "(>= k 1)", "(<= k N)", *_MADE, "(>= (f (- n 1) k) 0)"],
        f"(and (>= {_MORE} 0) (<= {_MORE} (* E {_OLD})))",
        given(5, "n"),
        given(9, "k"),
        given(9, "(- k 1)"),
        unfold("(sum (j 1 k) (f (- n 1) j))"),
        earlier("values-step", **_NOW, X=_BELOW, a=f"(- {_UPTO} {_BELOW})"),
    ),
    by_induction(
        "row-not-negative",
        {**_ROWS, "k": "Int"},
        ["(>= n 0)", *_TO_M, "(>= k 1)", "(<= k N)", *_MADE],
        "(>= (f n k) 0)",
        base=[given(3, "k")],
        step=[
            given(6, "(+ n 1)"),
            given(9, "k"),
            given(7, "(+ n 1)"),
            given(10, "k"),
            earlier("prefix-rises", n="(+ n 1)", k="k", **_ALL),
        ],
    ),
    by_query(
        "entries-not-negative",
        _ROWS,
        ["(>= n 1)", *_TO_M, *_MADE],
        "(all (k 1 N) (>= (f (- n 1) k) 0))",
        earlier("row-not-negative", n="(- n 1)", k="k", **_ALL),
    ),
    by_query(
        "least-rises",
        {**_ROWS, "K": 2, "k": "Int"},
        ["(>= n 1)", *_TO_M, "(>= k 1)", "(<= k N)", *_MADE, _LEAST_MADE, "(>= (f (- n 1) k) 0)"],
        f"(and (>= {_SHORT} 0) (<= {_LESS} {_MORE}))",
        given(5, "n"),
        given(10, "k"),
        given(10, "(- k 1)"),
        given(9, "n"),
        given(11, "k"),
        given(11, "(- k 1)"),
        unfold("(sum (j 1 k) (f (- n 1) j))"),
        earlier("least-step", **_NOW, X=_BELOW, a=f"(- {_UPTO} {_BELOW})"),
    ),
    by_query(
        "entries-close",
        {**_ROWS, "K": 2},
        ["(>= n 1)", *_TO_M, *_MADE, _LEAST_MADE],
        f"(all (k 1 N) (and (<= {_NEW} (+ (* E {_OLD}) (c n k))) (>= {_SHORT} 0) (<= {_LESS} {_NEW})))",
        given(6, "n"),
        given(10, "k"),
        given(7, "n"),
        given(11, "k"),
        earlier("row-not-negative", n="(- n 1)", k="k", **_ALL),
        earlier("prefix-rises", n="n", k="k", **_ALL),
        earlier("least-rises", n="n", k="k", K="K", **_ALL),
    ),
    by_query(
        "prefix-of-all",
        _ROWS,
        ["(>= n 1)", *_TO_M, *_MADE],
        "(and (<= (T n N) (pi n)) (<= (- (pi n) (T n N)) delta))",
        earlier("silences", n="n", **_ALL),
        given(5, "n"),
        given(9, "N"),
        earlier("row-total", n="(- n 1)", **_ALL),
        earlier("values-end", **_NOW, X="(sum (j 1 N) (f (- n 1) j))"),
    ),
    by_query(
        "least-of-all",
        {**_ROWS, "K": 2},
        ["(>= n 1)", *_TO_M, *_MADE, _LEAST_MADE],
        "(and (= (K n 0) 0) (<= (- (pi (- n 1)) (* E (K n N))) (- delta (* E (g n)))))",
        earlier("silences", n="n", **_ALL),
        given(9, "n"),
        given(10, "N"),
        given(10, "0"),
        unfold("(sum (j 1 0) (f (- n 1) j))"),
        earlier("row-total", n="(- n 1)", **_ALL),
        earlier("values-start", **_NOW, X="(sum (j 1 0) (f (- n 1) j))"),
        earlier("values-end", **_NOW, X="(sum (j 1 N) (f (- n 1) j))"),
    ),
    by_query(
        "up-each",
        {**_ROWS, "u": 1, "K": 2},
        ["(>= n 1)", *_TO_M, *_MADE, _LEAST_MADE, _WEIGHTS[2]],
        f"(all (k 1 N) (<= (* (u k) {_NEW}) (+ (* E (* (u k) {_OLD})) (c n k))))",
        given(10, "k"),
        given(7, "n"),
        given(11, "k"),
        earlier("entries-close", n="n", K="K", **_ALL),
        given(12, "k"),
    ),
    by_query(
        "values-up",
        {**_ROWS, "u": 1, "K": 2, "v": "Real"},
        ["(>= n 1)", *_TO_M, *_MADE, _LEAST_MADE, *_WEIGHTS],
        f"(<= (+ (* v (- 1 (pi n))) {_sum(f'(* (u k) {_NEW})')})"
        f" (+ (* E (+ (* v (- 1 (pi (- n 1)))) {_sum(f'(* (u k) {_OLD})')})) delta))",
        given(8, "n"),
        earlier("silences", n="n", **_ALL),
        earlier("prefix-of-all", n="n", **_ALL),
        earlier("up-each", n="n", u="u", K="K", **_ALL),
        earlier(
            "sum-at-most",
            n="N",
            m="N",
            a=("k", f"(* (u k) {_NEW})"),
            b=("k", f"(+ (* E (* (u k) {_OLD})) (c n k))"),
        ),
        earlier("sum-plus", n="N", a=("k", f"(* E (* (u k) {_OLD}))"), b=("k", "(c n k)")),
        earlier("sum-scale", n="N", c="E", a=("k", f"(* (u k) {_OLD})")),
    ),
    by_query(
        "down-each",
        {**_ROWS, "u": 1, "K": 2},
        ["(>= n 1)", *_TO_M, *_MADE, _LEAST_MADE, _WEIGHTS[2]],
        f"(all (k 1 N) (<= (* (u k) {_OLD}) (+ (* E (* (u k) {_NEW})) (+ {_OLD} (* (- E) {_LESS})))))",
        given(10, "k"),
        earlier("entries-close", n="n", K="K", **_ALL),
        given(11, "k"),
    ),
    by_query(
        "values-down",
        {**_ROWS, "u": 1, "K": 2, "v": "Real"},
        ["(>= n 1)", *_TO_M, *_MADE, _LEAST_MADE, *_WEIGHTS],
        f"(<= (+ (* v (- 1 (pi (- n 1)))) {_sum(f'(* (u k) {_OLD})')})"
        f" (+ (* E (+ (* v (- 1 (pi n))) {_sum(f'(* (u k) {_NEW})')})) delta))",
        earlier("silences", n="n", **_ALL),
        earlier("row-total", n="(- n 1)", **_ALL),
        earlier("least-of-all", n="n", K="K", **_ALL),
        earlier("down-each", n="n", u="u", K="K", **_ALL),
        earlier(
            "sum-at-most",
            n="N",
            m="N",
            a=("k", f"(* (u k) {_OLD})"),
            b=("k", f"(+ (* E (* (u k) {_NEW})) (+ {_OLD} (* (- E) {_LESS})))"),
        ),
        earlier("sum-plus", n="N", a=("k", f"(* E (* (u k) {_NEW}))"), b=("k", f"(+ {_OLD} (* (- E) {_LESS}))")),
        earlier("sum-plus", n="N", a=("k", _OLD), b=("k", f"(* (- E) {_LESS})")),
        earlier("sum-scale", n="N", c="E", a=("k", f"(* (u k) {_NEW})")),
        earlier("sum-scale", n="N", c="(- E)", a=("k", _LESS)),
        earlier("telescope", n="N", t=("k", "(K n k)")),
    ),
)

_UP_TO = "(sum (j 1 k) (f {} j))".format
_OTHER = (
    "(all (i (+ s 1) m) (and (>= (P i) 0) (<= (P (- i 1)) (+ (* E (P i)) delta))"
    " (<= (+ (- 1 (pi (- i 1))) (P (- i 1))) (+ (* E (+ (- 1 (pi i)) (P i))) delta))"
    " (<= (- (pi i) (P i)) (+ (* E (- (pi (- i 1)) (P (- i 1)))) delta))))"
)
_PAIR = "(* (p k) (- y (/ (+ (b k) (e k)) 2)))"
_OTHER_PAIR = "(* (p k) (- y (/ (+ (d k) (h k)) 2)))"
_OLD_ROW, _MIDDLE, _LATER = _UP_TO("(- n 1)"), _UP_TO("(+ s n)"), _UP_TO("(+ s (+ n 1))")

SEPARATE = (
    by_query(
        "prefix-of-row",
        {**_ROWS, "k": "Int"},
        ["(>= n 1)", *_TO_M, "(>= k 0)", "(<= k N)", *_MADE, "(all (j 1 k) (= (c n j) 0))"],
        f"(= {_UP_TO('n')} (T n k))",
        earlier("prefix-of-none", n="n", **_ALL),
        given(6, "n"),
        earlier("sum-equal", n="k", m="N", a=("j", "(f n j)"), b=("j", "(+ (- (T n j) (T n (- j 1))) (c n j))")),
        earlier("sum-plus", n="k", a=("j", "(- (T n j) (T n (- j 1)))"), b=("j", "(c n j)")),
        earlier("telescope", n="k", t=("j", "(T n j)")),
        earlier("sum-equal", n="k", m="k", a=("j", "(c n j)"), b=("j", "0")),
        earlier("sum-of-zeros", n="k"),
    ),
    by_induction(
        "part-at-most",
        {"n": "Int", "m": "Int", "k": "Int", "a": 1},
        ["(>= n 0)", "(>= k 0)", "(<= (+ k n) m)", "(all (j 1 m) (>= (a j) 0))"],
        "(<= (sum (j 1 k) (a j)) (sum (j 1 (+ k n)) (a j)))",
        base=[],
        step=[given(0, "(+ k (+ n 1))"), unfold("(sum (j 1 (+ k (+ n 1))) (a j))")],
    ),
    by_query(
        "values-rise",
        {**_ROWS, "k": "Int"},
        ["(>= n 1)", *_TO_M, "(>= k 0)", "(<= k N)", *_MADE, "(all (j 1 k) (= (c n j) 0))"],
        f"(>= (- (pi n) {_UP_TO('n')}) (- (pi (- n 1)) {_OLD_ROW}))",
        earlier("silences", n="n", **_ALL),
        given(5, "n"),
        given(10, "k"),
        earlier("prefix-of-row", n="n", k="k", **_ALL),
        earlier("row-total", n="(- n 1)", **_ALL),
        earlier("entries-not-negative", n="n", **_ALL),
        earlier("part-at-most", n="(- N k)", m="N", k="k", a=("j", "(f (- n 1) j)")),
        earlier("sum-not-negative", n="k", m="N", a=("j", "(f (- n 1) j)")),
        earlier("values-order", **_NOW, X=_OLD_ROW),
    ),
    by_induction(
        "others-above",
        {**_ROWS, "k": "Int", "s": "Int", "P": 1},
        [
            "(>= n 0)",
            "(<= (+ s n) m)",
            "(>= s 0)",
            "(>= N 0)",
            *_EPSILON,
            *_SEQUENCE,
            "(>= k 0)",
            "(<= k N)",
            *_MADE,
            f"(>= (P s) {_UP_TO('s')})",
            _OTHER,
            "(all (i (+ s 1) m) (all (j 1 k) (= (c i j) 0)))",
        ],
        f"(>= (P (+ s n)) {_MIDDLE})",
        base=[],
        step=[
            earlier("silences", n="(+ s (+ n 1))", **_ALL),
            given(5, "(+ s (+ n 1))"),
            given(11, "k"),
            given(9, "(+ s (+ n 1))"),
            given(10, "(+ s (+ n 1))"),
            earlier("prefix-of-row", n="(+ s (+ n 1))", k="k", **_ALL),
            earlier(
                "values-step",
                E="E",
                delta="delta",
                x="(pi (+ s n))",
                y="(pi (+ s (+ n 1)))",
                g="(g (+ s (+ n 1)))",
                X=_MIDDLE,
                a=f"(- (P (+ s n)) {_MIDDLE})",
            ),
            earlier(
                "values-least",
                E="E",
                delta="delta",
                x="(pi (+ s n))",
                y="(pi (+ s (+ n 1)))",
                g="(g (+ s (+ n 1)))",
                X="(P (+ s n))",
                R="(P (+ s (+ n 1)))",
            ),
        ],
    ),
    by_query(
        "value-pair-each",
        {"N": "Int", "y": "Real", "p": 1, "b": 1, "e": 1, "d": 1, "h": 1},
        ["(all (k 1 N) (and (>= (p k) 0) (>= (d k) (b k)) (>= (h k) (e k))))"],
        f"(all (k 1 N) (<= {_OTHER_PAIR} {_PAIR}))",
        given(0, "k"),
    ),
    by_query(
        "pair-in-order",
        {"N": "Int", "x": "Real", "y": "Real", "p": 1, "b": 1, "e": 1, "d": 1, "h": 1},
        ["(>= N 0)", "(all (k 1 N) (and (>= (p k) 0) (>= (d k) (b k)) (>= (h k) (e k))))"],
        f"(<= (+ (* (- 1 x) (+ y (/ (- 1 y) 2))) {_sum(_OTHER_PAIR)})"
        f" (+ (* (- 1 x) (+ y (/ (- 1 y) 2))) {_sum(_PAIR)}))",
        earlier("value-pair-each", N="N", y="y", p="p", b="b", e="e", d="d", h="h"),
        earlier("sum-at-most", n="N", m="N", a=("k", _OTHER_PAIR), b=("k", _PAIR)),
    ),
)
"""P(i) is what another sanitizer has, in row i, on values of its own; from row s on k values are compared with them.

p(k) is a cell of the lower frequency's values, which the higher one's, by 1 - y and these rows, have b(k) below it and
e(k) with it; another sanitizer d(k) and h(k). To be in order is to be higher, or, with half the weight, in the cell.
"""
