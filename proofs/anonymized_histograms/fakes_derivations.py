"""Derivations on histograms with counts added: sums of histograms, fake counts that are removed again, and rounding."""

from __future__ import annotations

from dpcert.proofs.derivation import apart, by_query, earlier, given, same

_OF_SUM: dict[str, str | int] = {"n": "Int", "l": "Int", "m": "Int", "u": 2}

ADDED = (
    by_query(
        "prevalences-of-sum",
        _OF_SUM,
        ["(>= n 0)", "(>= l 0)"],
        "(all (r 1 m) (= (sum (x 1 (+ n l)) (u x r)) (+ (sum (x 1 n) (u x r)) (sum (x 1 l) (u (+ n x) r)))))",
        earlier("sum-in-two-parts", n="l", m="n", a=["x", "(u x r)"]),
    ),
    by_query(
        "added-to-each",
        {"n": "Int", "a": 1, "b": 1, "t": 1, "d": 1, "e": 1},
        [
            f"(all (k 1 n) (= (d k) {apart('(a k)', '(b k)')}))",
            f"(all (k 1 n) (= (e k) {apart('(+ (a k) (t k))', '(+ (b k) (t k))')}))",
        ],
        "(all (k 1 n) (= (d k) (e k)))",
        given(0, "k"),
        given(1, "k"),
    ),
    by_query(
        "added-to-both",
        {"n": "Int", "a": 1, "b": 1, "t": 1, "d": 1, "e": 1},
        [
            "(>= n 0)",
            f"(all (k 1 n) (= (d k) {apart('(a k)', '(b k)')}))",
            f"(all (k 1 n) (= (e k) {apart('(+ (a k) (t k))', '(+ (b k) (t k))')}))",
        ],
        "(= (sum (k 1 n) (d k)) (sum (k 1 n) (e k)))",
        earlier("added-to-each", **same("n", "a", "b", "t", "d", "e")),
        earlier("sum-equal", n="n", m="n", a="d", b="e"),
    ),
)
"""u(x, r) is 1 if label x of the first n + l counts at least r; a and b are cumulative prevalences, t those added."""

_CHOICES: dict[str, str | int] = {"n": "Int", "h": "Real", "s": 1, "c": 1, "w": 1}
_CHOSEN = [
    "(all (x 1 n) (and (or (= (s x) 0) (= (s x) 1)) (or (= (c x) 0) (= (c x) 1))"
    " (or (= (c x) 0) (<= (w x) h)) (or (= (c x) 1) (>= (w x) h))))",
]
_GIVEN_UP, _LEAST = "(sum (x 1 n) (* (s x) (w x)))", "(sum (x 1 n) (* (c x) (w x)))"
_OVER, _BOUND = "(* h (- (s x) (c x)))", "(+ (* (c x) (w x)) (* h (- (s x) (c x))))"
_LABELS = [
    "(>= n 0)",
    "(= (sum (x 1 n) (- (s x) (c x))) 0)",
    *_CHOSEN,
    "(all (x 1 n) (and (>= (d x) 0) (or (= (s x) 0) (= (d x) (w x)))))",
]
_PREVALENCES: dict[str, str | int] = {"m": "Int", "a": 1, "b": 1, "g": 1, "t": 1, "e": 1, "i": 1, "j": 1}
_DETOUR = [
    f"(all (k 1 m) (= (e k) {apart('(a k)', '(g k)')}))",
    f"(all (k 1 m) (= (i k) {apart('(+ (a k) (t k))', '(b k)')}))",
    f"(all (k 1 m) (= (j k) {apart('(b k)', '(+ (g k) (t k))')}))",
]

FAKES = (
    by_query(
        "closest-each",
        _CHOICES,
        _CHOSEN,
        f"(all (x 1 n) (<= {_BOUND} (* (s x) (w x))))",
        given(0, "x"),
        earlier("fakes-closest-first", h="h", s="(s x)", c="(c x)", w="(w x)"),
    ),
    by_query(
        "closest-cost-least",
        _CHOICES,
        ["(>= n 0)", "(= (sum (x 1 n) (- (s x) (c x))) 0)", *_CHOSEN],
        f"(<= {_LEAST} {_GIVEN_UP})",
        earlier("closest-each", **same("n", "h", "s", "c", "w")),
        earlier("sum-at-most", n="n", m="n", a=["x", _BOUND], b=["x", "(* (s x) (w x))"]),
        earlier("sum-plus", n="n", a=["x", "(* (c x) (w x))"], b=["x", _OVER]),
        earlier("sum-scale", n="n", c="h", a=["x", "(- (s x) (c x))"]),
    ),
    by_query(
        "fakes-each",
        {"n": "Int", "s": 1, "w": 1, "d": 1},
        [_LABELS[-1], "(all (x 1 n) (or (= (s x) 0) (= (s x) 1)))"],
        "(all (x 1 n) (<= (* (s x) (w x)) (d x)))",
        given(0, "x"),
        given(1, "x"),
    ),
    by_query(
        "choice-each",
        _CHOICES,
        _CHOSEN,
        "(all (x 1 n) (or (= (s x) 0) (= (s x) 1)))",
        given(0, "x"),
    ),
    by_query(
        "closest-at-most",
        {**_CHOICES, "d": 1},
        _LABELS,
        f"(<= {_LEAST} (sum (x 1 n) (d x)))",
        earlier("closest-cost-least", **same("n", "h", "s", "c", "w")),
        earlier("choice-each", **same("n", "h", "s", "c", "w")),
        earlier("fakes-each", **same("n", "s", "w", "d")),
        earlier("sum-at-most", n="n", m="n", a=["x", "(* (s x) (w x))"], b="d"),
    ),
    by_query(
        "detour-each",
        _PREVALENCES,
        _DETOUR,
        "(all (k 1 m) (<= (e k) (+ (i k) (j k))))",
        given(0, "k"),
        given(1, "k"),
        given(2, "k"),
    ),
    by_query(
        "fakes-removed",
        {**_CHOICES, "d": 1, **_PREVALENCES},
        [
            "(>= m 0)",
            "(= (sum (k 1 m) (i k)) (sum (x 1 n) (d x)))",
            f"(<= (sum (k 1 m) (j k)) {_LEAST})",
            *_LABELS,
            *_DETOUR,
        ],
        "(<= (sum (k 1 m) (e k)) (* 2 (sum (k 1 m) (i k))))",
        earlier("closest-at-most", **same("n", "h", "s", "c", "w", "d")),
        earlier("detour-each", **{name: name for name in _PREVALENCES}),
        earlier("sum-at-most", n="m", m="m", a="e", b=["k", "(+ (i k) (j k))"]),
        earlier("sum-plus", n="m", a="i", b="j"),
    ),
)
"""w(x) is how far the count of label x of h2 is from t, h a bound that parts the k closest, c(x) = 1, from the others;
s(x) is 1 where the best labeling of h1' has a fake, d(x) how far it is from h2; a, b and g are the cumulative
prevalences of h1, h2 and h2', t those of the fakes.
"""
