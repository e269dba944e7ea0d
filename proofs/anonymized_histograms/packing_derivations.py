"""Derivations of lower bounds: the mean error over inputs that differ in bits, and bits in a histogram; smoothing."""

from __future__ import annotations

from dpcert.proofs.derivation import apart, by_induction, by_query, earlier, given, same, unfold

_PAIRS: dict[str, str | int] = {"n": "Int", "V": "Real", "t": 2, "e": 1}
_PAIRED = "(all (b 1 n) (all (c 1 n) (or (= (t b c) 0) (and (= (t b c) 1) (>= (+ (e b) (e c)) V)))))"
_FLIP = [
    _PAIRED,
    "(all (b 1 n) (= (sum (c 1 n) (t b c)) 1))",
    "(all (c 1 n) (= (sum (b 1 n) (t b c)) 1))",
]
_ERRORS = "(sum (b 1 n) (e b))"
_OWN, _FLIPPED = "(sum (c 1 n) (* (t b c) (e b)))", "(sum (c 1 n) (* (t b c) (e c)))"
_BITS: dict[str, str | int] = {"n": "Int", "k": "Int", "V": "Real", "v": "Real", "t": 3, "e": 2}
_OF_BITS = [
    "(all (i 1 k) (all (b 1 n) (all (c 1 n) (or (= (t i b c) 0) (and (= (t i b c) 1) (>= (+ (e i b) (e i c)) V))))))",
    "(all (i 1 k) (all (b 1 n) (= (sum (c 1 n) (t i b c)) 1)))",
    "(all (i 1 k) (all (c 1 n) (= (sum (b 1 n) (t i b c)) 1)))",
]

PAIRS = (
    by_query(
        "pair-each",
        {"n": "Int", "V": "Real", "x": "Real", "t": 1, "e": 1},
        ["(all (c 1 n) (or (= (t c) 0) (and (= (t c) 1) (>= (+ x (e c)) V))))"],
        "(all (c 1 n) (<= (* V (t c)) (+ (* x (t c)) (* (t c) (e c)))))",
        given(0, "c"),
    ),
    by_query(
        "pairs-of-input",
        {"n": "Int", "V": "Real", "x": "Real", "t": 1, "e": 1},
        [
            "(>= n 0)",
            "(= (sum (c 1 n) (t c)) 1)",
            "(all (c 1 n) (or (= (t c) 0) (and (= (t c) 1) (>= (+ x (e c)) V))))",
        ],
        "(<= V (+ x (sum (c 1 n) (* (t c) (e c)))))",
        earlier("pair-each", **same("n", "V", "x", "t", "e")),
        earlier("sum-at-most", n="n", m="n", a=["c", "(* V (t c))"], b=["c", "(+ (* x (t c)) (* (t c) (e c)))"]),
        earlier("sum-plus", n="n", a=["c", "(* x (t c))"], b=["c", "(* (t c) (e c))"]),
        earlier("sum-scale", n="n", c="V", a="t"),
        earlier("sum-scale", n="n", c="x", a="t"),
    ),
    by_query(
        "pairs-of-inputs",
        _PAIRS,
        ["(>= n 0)", *_FLIP[:2]],
        f"(all (b 1 n) (<= V (+ (e b) {_FLIPPED})))",
        given(0, "b"),
        given(1, "b"),
        earlier("pairs-of-input", n="n", V="V", x="(e b)", t=["c", "(t b c)"], e="e"),
    ),
    by_query(
        "flipped-once",
        {"n": "Int", "t": 2, "e": 1},
        ["(>= n 0)", _FLIP[2]],
        "(all (c 1 n) (= (sum (b 1 n) (* (t b c) (e c))) (e c)))",
        given(0, "c"),
        earlier("sum-scale", n="n", c="(e c)", a=["b", "(t b c)"]),
    ),
    by_query(
        "errors-of-pairs",
        _PAIRS,
        ["(>= n 0)", *_FLIP],
        f"(<= (* n V) (* 2 {_ERRORS}))",
        earlier("pairs-of-inputs", **same("n", "V", "t", "e")),
        earlier("flipped-once", **same("n", "t", "e")),
        earlier("sum-at-most", n="n", m="n", a=["b", "V"], b=["b", f"(+ (e b) {_FLIPPED})"]),
        earlier("sum-plus", n="n", a="e", b=["b", _FLIPPED]),
        earlier("sum-exchange", n="n", m="n", t=["b", "c", "(* (t b c) (e c))"]),
        earlier("sum-equal", n="n", m="n", a=["c", "(sum (b 1 n) (* (t b c) (e c)))"], b="e"),
        earlier("sum-of-equal", n="n", v="V"),
    ),
    by_query(
        "errors-of-bit",
        _BITS,
        ["(>= n 0)", *_OF_BITS],
        "(all (i 1 k) (<= (* n V) (* 2 (sum (b 1 n) (e i b)))))",
        *(given(place, "i") for place in range(3)),
        earlier("errors-of-pairs", n="n", V="V", t=["b", "c", "(t i b c)"], e=["b", "(e i b)"]),
    ),
    by_query(
        "some-input",
        _BITS,
        ["(>= n 0)", "(> n 0)", "(>= k 0)", *_OF_BITS, "(all (b 1 n) (<= (sum (i 1 k) (e i b)) v))"],
        "(<= (* k V) (* 2 v))",
        earlier("errors-of-bit", **{name: name for name in _BITS}),
        earlier("sum-at-most", n="k", m="k", a=["i", "(* n V)"], b=["i", "(* 2 (sum (b 1 n) (e i b)))"]),
        earlier("sum-of-equal", n="k", v="(* n V)"),
        earlier("sum-scale", n="k", c="2", a=["i", "(sum (b 1 n) (e i b))"]),
        earlier("sum-exchange", n="k", m="n", t=["i", "b", "(e i b)"]),
        earlier("sum-at-most", n="n", m="n", a=["b", "(sum (i 1 k) (e i b))"], b=["b", "v"]),
        earlier("sum-of-equal", n="n", v="v"),
    ),
)
"""e(i, b) is the expected error of bit i on input b, t(i, b, c) is 1 if input c is b with bit i changed, else 0."""

_PLACES: dict[str, str | int] = {"n": "Int", "G": "Real", "p": 1, "q": 1, "a": 1, "b": 1}
_PRIVATE = [
    "(>= G 1)",
    "(all (k 1 n) (and (>= (p k) 0) (>= (q k) 0) (<= (p k) (* G (q k))) (<= (q k) (* G (p k)))))",
    "(all (k 1 n) (and (>= (a k) 0) (>= (b k) 0) (>= (+ (a k) (b k)) 2)))",
]
_WEIGHED = "(+ (* (p k) (a k)) (* (q k) (b k)))"
_BOTH = "(+ (p k) (q k))"
_MASSES = "(+ (sum (k 1 n) (p k)) (sum (k 1 n) (q k)))"
_OF_P, _OF_Q = "(sum (k 1 n) (* (p k) (a k)))", "(sum (k 1 n) (* (q k) (b k)))"

LEAST = (
    by_induction(
        "items-of-bits",
        {"k": "Int"},
        ["(>= k 0)"],
        "(= (sum (i 1 k) (- (* 4 i) 2)) (* 2 (* k k)))",
        base=[unfold("(sum (i 1 0) (- (* 4 i) 2))")],
        step=[unfold("(sum (i 1 (+ k 1)) (- (* 4 i) 2))")],
    ),
    by_query(
        "places-apart",
        {"x": "Real", "y": "Real", "z": "Real", "w": "Real"},
        [],
        f"(>= (+ (+ {apart('(+ 1 z)', 'x')} {apart('(+ 1 w)', 'y')}) (+ {apart('(+ 2 z)', 'x')} {apart('w', 'y')})) 2)",
    ),
    by_induction(
        "places-of-bits",
        {"k": "Int", "d": 1},
        ["(>= k 0)"],
        "(= (sum (i 1 k) (+ (d (- (* 2 i) 1)) (d (* 2 i)))) (sum (r 1 (* 2 k)) (d r)))",
        base=[unfold("(sum (i 1 0) (+ (d (- (* 2 i) 1)) (d (* 2 i))))"), unfold("(sum (r 1 0) (d r))")],
        step=[
            unfold("(sum (i 1 (+ k 1)) (+ (d (- (* 2 i) 1)) (d (* 2 i))))"),
            unfold("(sum (r 1 (* 2 (+ k 1))) (d r))"),
            unfold("(sum (r 1 (+ (* 2 k) 1)) (d r))"),
        ],
    ),
    by_query(
        "later-places",
        {"k": "Int", "m": "Int", "d": 1},
        ["(all (r 1 m) (>= (d r) 0))", "(>= k 0)", "(<= (* 2 k) m)"],
        "(all (r 1 (- m (* 2 k))) (>= (d (+ (* 2 k) r)) 0))",
        given(0, "(+ (* 2 k) r)"),
    ),
    by_query(
        "places-in-all",
        {"k": "Int", "m": "Int", "d": 1},
        ["(>= k 0)", "(<= (* 2 k) m)", "(all (r 1 m) (>= (d r) 0))"],
        "(<= (sum (i 1 k) (+ (d (- (* 2 i) 1)) (d (* 2 i)))) (sum (r 1 m) (d r)))",
        earlier("places-of-bits", k="k", d="d"),
        earlier("later-places", **same("k", "m", "d")),
        earlier("sum-in-two-parts", n="(- m (* 2 k))", m="(* 2 k)", a="d"),
        earlier("sum-not-negative", n="(- m (* 2 k))", m="(- m (* 2 k))", a=["r", "(d (+ (* 2 k) r))"]),
    ),
    by_query(
        "common-neighbour",
        {"n": "Int", "E": "Real", "p": 1, "c": 1, "q": 1},
        [
            "(>= E 1)",
            "(all (k 1 n) (and (<= (p k) (* E (c k))) (<= (q k) (* E (c k)))))",
            "(all (k 1 n) (and (<= (c k) (* E (p k))) (<= (c k) (* E (q k)))))",
        ],
        "(all (k 1 n) (and (<= (p k) (* (* E E) (q k))) (<= (q k) (* (* E E) (p k)))))",
        given(0, "k"),
        given(1, "k"),
    ),
    by_query(
        "pair-of-outcomes",
        _PLACES,
        _PRIVATE,
        f"(all (k 1 n) (<= (* 2 {_BOTH}) (* (+ 1 G) {_WEIGHED})))",
        given(0, "k"),
        given(1, "k"),
        earlier("private-pair-outcome", G="G", p="(p k)", q="(q k)", a="(a k)", b="(b k)"),
    ),
    by_query(
        "pair-of-laws",
        _PLACES,
        ["(>= n 0)", *_PRIVATE],
        f"(<= (* 2 {_MASSES}) (* (+ 1 G) (+ {_OF_P} {_OF_Q})))",
        earlier("pair-of-outcomes", **{name: name for name in _PLACES}),
        earlier("sum-at-most", n="n", m="n", a=["k", f"(* 2 {_BOTH})"], b=["k", f"(* (+ 1 G) {_WEIGHED})"]),
        earlier("sum-scale", n="n", c="2", a=["k", _BOTH]),
        earlier("sum-plus", n="n", a="p", b="q"),
        earlier("sum-scale", n="n", c="(+ 1 G)", a=["k", _WEIGHED]),
        earlier("sum-plus", n="n", a=["k", "(* (p k) (a k))"], b=["k", "(* (q k) (b k))"]),
    ),
    by_query(
        "pair-without-end",
        {**_PLACES, "X": "Real", "Y": "Real", "eta": "Real"},
        [
            "(>= n 0)",
            f"(>= {_MASSES} (- 2 eta))",
            f"(<= {_OF_P} X)",
            f"(<= {_OF_Q} Y)",
            "(or (>= (* (+ 1 G) (+ X Y)) 4) (<= (* 4 eta) (- 4 (* (+ 1 G) (+ X Y)))))",
            *_PRIVATE,
        ],
        "(>= (* (+ 1 G) (+ X Y)) 4)",
        earlier("pair-of-laws", **{name: name for name in _PLACES}),
    ),
    by_query(
        "bits-of-outcome",
        {"n": "Int", "k": "Int", "p": 1, "a": 2, "d": 1},
        [
            "(>= k 0)",
            "(all (o 1 n) (and (>= (p o) 0) (<= (sum (i 1 k) (a i o)) (d o))))",
        ],
        "(all (o 1 n) (<= (sum (i 1 k) (* (p o) (a i o))) (* (p o) (d o))))",
        given(0, "o"),
        earlier("sum-scale", n="k", c="(p o)", a=["i", "(a i o)"]),
    ),
    by_query(
        "bits-of-release",
        {"n": "Int", "k": "Int", "p": 1, "a": 2, "d": 1},
        [
            "(>= n 0)",
            "(>= k 0)",
            "(all (o 1 n) (and (>= (p o) 0) (<= (sum (i 1 k) (a i o)) (d o))))",
        ],
        "(<= (sum (i 1 k) (sum (o 1 n) (* (p o) (a i o)))) (sum (o 1 n) (* (p o) (d o))))",
        earlier("bits-of-outcome", **same("n", "k", "p", "a", "d")),
        earlier("sum-at-most", n="n", m="n", a=["o", "(sum (i 1 k) (* (p o) (a i o)))"], b=["o", "(* (p o) (d o))"]),
        earlier("sum-exchange", n="k", m="n", t=["i", "o", "(* (p o) (a i o))"]),
    ),
    by_query(
        "least-error",
        {"n": "Int", "k": "Int", "s": "Real", "G": "Real", "v": "Real"},
        [
            "(>= k 1)",
            "(< (+ n 1) (* 2 (* (+ k 1) (+ k 1))))",
            "(= (* s s) n)",
            "(>= s 0)",
            "(>= G 1)",
            "(<= (* k (/ 4 (+ 1 G))) (* 2 v))",
        ],
        "(>= v (* (/ 2 5) (/ s G)))",
        earlier("packing-capacity", n="n", k="k"),
        earlier("packing-root", s="s", k="k"),
        earlier("packing-constant", s="s", k="k", G="G"),
    ),
)
"""d(r) is how far the cumulative prevalences of r are apart; two histograms that differ in a bit have laws p and q, and
are a(k) and b(k) from outcome k at the two places of the bit; v is the greatest expected error, s the root of n.
"""
