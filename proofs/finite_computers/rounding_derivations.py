"""Derivations on rounded powers of vectors 1, ..., t.

Number k of the convolution of a and b is the sum over i up to k of a(i) b(k + 1 - i): it needs no later numbers.
"""

from __future__ import annotations

from dpcert.proofs.derivation import by_induction, by_query, earlier, given, unfold


def _convolution(a: str, b: str, k: str = "k") -> str:
    """Return number k of the convolution of two functions."""
    return f"(sum (i 1 {k}) (* ({a} i) ({b} (- (+ {k} 1) i))))"


def _total(a: str, b: str, t: str = "t") -> str:
    """Return the sum of the first t numbers of a convolution."""
    return f"(sum (k 1 {t}) {_convolution(a, b)})"


def _sum(a: str, t: str = "t") -> str:
    """Return the sum of the first t numbers of a vector."""
    return f"(sum (k 1 {t}) ({a} k))"


def _positive(*names: str) -> list[str]:
    """Return that no number of these vectors is below 0."""
    return [f"(all (k 1 t) (>= ({name} k) 0))" for name in names]


def _near(d: str, a: str, b: str) -> str:
    """Return that d has at least the differences of a and b."""
    return f"(all (k 1 t) (and (>= ({d} k) (- ({a} k) ({b} k))) (>= ({d} k) (- ({b} k) ({a} k)))))"


_PART = "(sum (l 1 (- (+ t 1) i)) (b l))"
_PARTS = f"(sum (i 1 t) (* (a i) {_PART}))"
_TWO: dict[str, str | int] = {"t": "Int", "a": 1, "b": 1}
_FOUR: dict[str, str | int] = {"t": "Int", "x": 1, "y": 1, "X": 1, "Y": 1, "d": 1, "e": 1}
_UP = "(+ (* (d i) (y (- (+ k 1) i))) (* (X i) (e (- (+ k 1) i))))"
_XY, _XY_EXACT = "(* (x i) (y (- (+ k 1) i)))", "(* (X i) (Y (- (+ k 1) i)))"
_FOURS = [*_positive("y", "X", "d", "e"), _near("d", "x", "X"), _near("e", "y", "Y")]
_BOTH = f"(+ {_convolution('d', 'y')} {_convolution('X', 'e')})"

_IS_DIFFERENCE = (
    f"(all (k 1 t) (or (= (D k) (- {_convolution('x', 'y')} {_convolution('X', 'Y')}))"
    f" (= (D k) (- {_convolution('X', 'Y')} {_convolution('x', 'y')}))))"
)


def _named(*names: str) -> dict[str, str]:
    """Return variables that stand for themselves."""
    return {name: name for name in names}


def _signed(name: str, less: str, more: str) -> tuple[dict[str, object], ...]:
    """Return the steps by which one convolution exceeds another by at most both bounds."""
    each = f"{name}-each"
    return (
        by_query(
            each,
            {**_FOUR, "k": "Int"},
            ["(>= k 1)", "(<= k t)", *_FOURS],
            f"(all (i 1 k) (<= {less} (+ {more} {_UP})))",
            given(0, "(- (+ k 1) i)"),
            given(1, "i"),
            given(4, "i"),
            given(5, "(- (+ k 1) i)"),
            earlier(
                "joint-difference",
                p="(x i)",
                q="(X i)",
                x="(y (- (+ k 1) i))",
                y="(Y (- (+ k 1) i))",
                d="(d i)",
                e="(e (- (+ k 1) i))",
            ),
        ),
        by_query(
            name,
            _FOUR,
            ["(>= t 0)", *_FOURS],
            f"(all (k 1 t) (<= (sum (i 1 k) {less}) (+ (sum (i 1 k) {more}) {_BOTH})))",
            earlier(each, k="k", **_named(*_FOUR)),
            earlier("sum-at-most", n="k", m="k", a=("i", less), b=("i", f"(+ {more} {_UP})")),
            earlier("sum-plus", n="k", a=("i", more), b=("i", _UP)),
            earlier(
                "sum-plus",
                n="k",
                a=("i", "(* (d i) (y (- (+ k 1) i)))"),
                b=("i", "(* (X i) (e (- (+ k 1) i)))"),
            ),
        ),
    )


CONVOLVED = (
    by_query(
        "part-of-next",
        {**_TWO, "i": "Int"},
        ["(>= t 0)", "(>= i 1)", "(<= i t)"],
        "(= (sum (l 1 (- (+ (+ t 1) 1) i)) (b l)) (+ (sum (l 1 (- (+ t 1) i)) (b l)) (b (- (+ (+ t 1) 1) i))))",
        unfold("(sum (l 1 (- (+ (+ t 1) 1) i)) (b l))"),
    ),
    by_query(
        "parts-of-next",
        _TWO,
        ["(>= t 0)"],
        "(all (i 1 t) (= (* (a i) (sum (l 1 (- (+ (+ t 1) 1) i)) (b l)))"
        f" (+ (* (a i) {_PART}) (* (a i) (b (- (+ (+ t 1) 1) i))))))",
        earlier("part-of-next", t="t", a="a", b="b", i="i"),
    ),
    by_induction(
        "convolution-by-parts",
        _TWO,
        ["(>= t 0)"],
        f"(= {_total('a', 'b')} {_PARTS})",
        base=[unfold(_total("a", "b", "0")), unfold("(sum (i 1 0) (* (a i) (sum (l 1 (- (+ 0 1) i)) (b l))))")],
        step=[
            unfold(_total("a", "b", "(+ t 1)")),
            unfold(_convolution("a", "b", "(+ t 1)")),
            unfold("(sum (i 1 (+ t 1)) (* (a i) (sum (l 1 (- (+ (+ t 1) 1) i)) (b l))))"),
            unfold("(sum (l 1 (- (+ (+ t 1) 1) (+ t 1))) (b l))"),
            unfold("(sum (l 1 (- (- (+ (+ t 1) 1) (+ t 1)) 1)) (b l))"),
            earlier("parts-of-next", **_named("t", "a", "b")),
            earlier(
                "sum-equal",
                n="t",
                m="t",
                a=("i", "(* (a i) (sum (l 1 (- (+ (+ t 1) 1) i)) (b l)))"),
                b=("i", f"(+ (* (a i) {_PART}) (* (a i) (b (- (+ (+ t 1) 1) i))))"),
            ),
            earlier(
                "sum-plus",
                n="t",
                a=("i", f"(* (a i) {_PART})"),
                b=("i", "(* (a i) (b (- (+ (+ t 1) 1) i)))"),
            ),
        ],
    ),
    by_induction(
        "part-at-most-all",
        {"n": "Int", "m": "Int", "k": "Int", "b": 1},
        ["(>= n 0)", "(>= k 0)", "(<= (+ k n) m)", "(all (l 1 m) (>= (b l) 0))"],
        "(<= (sum (l 1 k) (b l)) (sum (l 1 (+ k n)) (b l)))",
        base=[],
        step=[given(0, "(+ k (+ n 1))"), unfold("(sum (l 1 (+ k (+ n 1))) (b l))")],
    ),
    by_query(
        "parts-at-most",
        _TWO,
        ["(>= t 0)", *_positive("a", "b")],
        f"(all (i 1 t) (<= (* (a i) {_PART}) (* {_sum('b')} (a i))))",
        given(0, "i"),
        earlier("part-at-most-all", n="(- i 1)", m="t", k="(- (+ t 1) i)", b="b"),
    ),
    by_query(
        "convolution-at-most",
        _TWO,
        ["(>= t 0)", *_positive("a", "b")],
        f"(<= {_total('a', 'b')} (* {_sum('b')} {_sum('a')}))",
        earlier("convolution-by-parts", **_named("t", "a", "b")),
        earlier("parts-at-most", **_named("t", "a", "b")),
        earlier("sum-at-most", n="t", m="t", a=("i", f"(* (a i) {_PART})"), b=("i", f"(* {_sum('b')} (a i))")),
        earlier("sum-scale", n="t", c=_sum("b"), a="a"),
    ),
    *_signed("convolution-exceeds", _XY, _XY_EXACT),
    *_signed("convolution-is-exceeded", _XY_EXACT, _XY),
    by_query(
        "difference-each",
        {**_FOUR, "D": 1},
        ["(>= t 0)", *_FOURS, _IS_DIFFERENCE],
        f"(all (k 1 t) (<= (D k) {_BOTH}))",
        earlier("convolution-exceeds", **_named(*_FOUR)),
        earlier("convolution-is-exceeded", **_named(*_FOUR)),
        given(6, "k"),
        given(7, "k"),
        given(8, "k"),
    ),
    by_query(
        "convolution-distance",
        {**_FOUR, "D": 1},
        ["(>= t 0)", *_FOURS, _IS_DIFFERENCE],
        f"(<= {_sum('D')} (+ (* {_sum('y')} {_sum('d')}) (* {_sum('e')} {_sum('X')})))",
        earlier("difference-each", D="D", **_named(*_FOUR)),
        earlier("sum-at-most", n="t", m="t", a="D", b=("k", _BOTH)),
        earlier("sum-plus", n="t", a=("k", _convolution("d", "y")), b=("k", _convolution("X", "e"))),
        earlier("convolution-at-most", t="t", a="d", b="y"),
        earlier("convolution-at-most", t="t", a="X", b="e"),
    ),
)


def _is(d: str, a: str, b: str, k: str = "k") -> str:
    """Return that d is a difference of a and b, of either sign."""
    return f"(all (k 1 t) (or (= ({d} {k}) (- ({a} {k}) ({b} {k}))) (= ({d} {k}) (- ({b} {k}) ({a} {k})))))"


def _made(s: str, a: str, b: str) -> str:
    """Return that s is the convolution of a and b."""
    return f"(all (k 1 t) (= ({s} k) {_convolution(a, b)}))"


_SQUARED: dict[str, str | int] = {"t": "Int", "b": 1, "P": 1, "g": 1, "s": 1, "S": 1, "f": 1}
_SQUARES = [_made("s", "b", "b"), _made("S", "P", "P"), _is("f", "s", "S")]
_TIMES: dict[str, str | int] = {"t": "Int", "a": 1, "s": 1, "S": 1, "f": 1, "v": 1, "V": 1, "h": 1}
_PRODUCTS = [_made("v", "a", "s"), _made("V", "a", "S"), _is("h", "v", "V")]
_ROUND: dict[str, str | int] = {"t": "Int", "q": "Real", "w": 1, "W": 1, "f": 1, "n": 1, "g": 1}
_DOWN = "(all (k 1 t) (and (<= (n k) (w k)) (<= (w k) (+ (n k) q))))"

LEVEL = (
    by_query(
        "near-not-negative",
        {"t": "Int", "d": 1, "a": 1, "b": 1},
        [_near("d", "a", "b")],
        "(all (k 1 t) (>= (d k) 0))",
        given(0, "k"),
    ),
    by_query(
        "product-not-negative",
        {"t": "Int", "a": 1, "b": 1, "k": "Int"},
        ["(>= k 1)", "(<= k t)", *_positive("a", "b")],
        "(all (i 1 k) (>= (* (a i) (b (- (+ k 1) i))) 0))",
        given(0, "i"),
        given(1, "(- (+ k 1) i)"),
    ),
    by_query(
        "convolution-not-negative",
        {"t": "Int", "a": 1, "b": 1, "s": 1},
        [*_positive("a", "b"), _made("s", "a", "b")],
        "(all (k 1 t) (>= (s k) 0))",
        given(2, "k"),
        earlier("product-not-negative", k="k", **_named("t", "a", "b")),
        earlier("sum-not-negative", n="k", m="k", a=("i", "(* (a i) (b (- (+ k 1) i)))")),
    ),
    by_query(
        "square-difference",
        {name: sort for name, sort in _SQUARED.items() if name != "g"},
        _SQUARES,
        f"(all (k 1 t) (or (= (f k) (- {_convolution('b', 'b')} {_convolution('P', 'P')}))"
        f" (= (f k) (- {_convolution('P', 'P')} {_convolution('b', 'b')}))))",
        given(0, "k"),
        given(1, "k"),
        given(2, "k"),
    ),
    by_query(
        "square-level",
        _SQUARED,
        [
            "(>= t 0)",
            f"(<= {_sum('b')} 1)",
            f"(<= {_sum('P')} 1)",
            *_positive("b", "P"),
            _near("g", "b", "P"),
            *_SQUARES,
        ],
        f"(and (<= {_sum('f')} (* 2 {_sum('g')})) (<= {_sum('s')} 1) (<= {_sum('S')} 1))",
        earlier("near-not-negative", t="t", d="g", a="b", b="P"),
        earlier("sum-not-negative", n="t", m="t", a="g"),
        earlier("sum-not-negative", n="t", m="t", a="b"),
        earlier("sum-not-negative", n="t", m="t", a="P"),
        earlier("square-difference", **_named("t", "b", "P", "s", "S", "f")),
        earlier("convolution-distance", t="t", x="b", y="b", X="P", Y="P", d="g", e="g", D="f"),
        earlier("sum-equal", n="t", m="t", a="s", b=("k", _convolution("b", "b"))),
        earlier("sum-equal", n="t", m="t", a="S", b=("k", _convolution("P", "P"))),
        earlier("convolution-at-most", t="t", a="b", b="b"),
        earlier("convolution-at-most", t="t", a="P", b="P"),
    ),
    by_query(
        "times-difference",
        _TIMES,
        _PRODUCTS,
        f"(all (k 1 t) (or (= (h k) (- {_convolution('a', 's')} {_convolution('a', 'S')}))"
        f" (= (h k) (- {_convolution('a', 'S')} {_convolution('a', 's')}))))",
        given(0, "k"),
        given(1, "k"),
        given(2, "k"),
    ),
    by_query("no-difference", {"t": "Int"}, [], "(all (k 1 t) (>= 0 0))"),
    by_query(
        "near-itself",
        {"t": "Int", "a": 1},
        [],
        "(all (k 1 t) (and (>= 0 (- (a k) (a k))) (>= 0 (- (a k) (a k)))))",
    ),
    by_query(
        "times-level",
        _TIMES,
        ["(>= t 0)", f"(<= {_sum('a')} 1)", *_positive("a", "s", "S"), _near("f", "s", "S"), *_PRODUCTS],
        f"(and (<= {_sum('h')} {_sum('f')}) (<= {_sum('v')} {_sum('s')}) (<= {_sum('V')} {_sum('S')}))",
        earlier("near-not-negative", t="t", d="f", a="s", b="S"),
        earlier("sum-not-negative", n="t", m="t", a="f"),
        earlier("sum-not-negative", n="t", m="t", a="s"),
        earlier("sum-not-negative", n="t", m="t", a="S"),
        earlier("times-difference", **_named(*_TIMES)),
        earlier("no-difference", t="t"),
        earlier("near-itself", t="t", a="a"),
        earlier("convolution-distance", t="t", x="a", y="s", X="a", Y="S", d=("k", "0"), e="f", D="h"),
        earlier("sum-of-zeros", n="t"),
        earlier("sum-equal", n="t", m="t", a="v", b=("k", _convolution("a", "s"))),
        earlier("sum-equal", n="t", m="t", a="V", b=("k", _convolution("a", "S"))),
        earlier("convolution-at-most", t="t", a="a", b="s"),
        earlier("convolution-at-most", t="t", a="a", b="S"),
    ),
    by_query(
        "rounded-each",
        _ROUND,
        [_DOWN, _near("f", "w", "W"), _is("g", "n", "W")],
        "(all (k 1 t) (<= (g k) (+ (f k) q)))",
        given(0, "k"),
        given(1, "k"),
        given(2, "k"),
    ),
    by_query(
        "rounded-not-more",
        {name: _ROUND[name] for name in ("t", "q", "w", "n")},
        [_DOWN],
        "(all (k 1 t) (<= (n k) (w k)))",
        given(0, "k"),
    ),
    by_induction(
        "sum-of-units",
        {"n": "Int", "q": "Real"},
        ["(>= n 0)"],
        "(= (sum (k 1 n) q) (* n q))",
        base=[unfold("(sum (k 1 0) q)")],
        step=[unfold("(sum (k 1 (+ n 1)) q)")],
    ),
    by_query(
        "rounded-level",
        _ROUND,
        ["(>= t 0)", _DOWN, _near("f", "w", "W"), _is("g", "n", "W")],
        f"(and (<= {_sum('g')} (+ {_sum('f')} (* t q))) (<= {_sum('n')} {_sum('w')}))",
        earlier("rounded-each", **_named(*_ROUND)),
        earlier("rounded-not-more", **_named("t", "q", "w", "n")),
        earlier("sum-at-most", n="t", m="t", a="g", b=("k", "(+ (f k) q)")),
        earlier("sum-at-most", n="t", m="t", a="n", b="w"),
        earlier("sum-plus", n="t", a="f", b=("k", "q")),
        earlier("sum-of-units", n="t", q="q"),
    ),
)
"""From the vectors b, rounded, and P, exact, of one power to those of twice the power, n and W, and of one more.

s and S are their squares, v and V these times a, f, g and h differences; w is s or v, and q is 1/s.
"""


_FUNCTIONS = ("b", "P", "g", "s", "S", "f", "v", "V", "h")
_LEVELS: dict[str, str | int] = {
    "t": "Int",
    "J": "Int",
    "n": "Int",
    "q": "Real",
    "a": 1,
    **dict.fromkeys(_FUNCTIONS, 2),
    "r": 1,
    "i": 1,
}


def _at(name: str, level: str) -> str:
    """Return number k of a vector at a level."""
    return f"({name} {level} k)"


def _each_level(formula: str, *names: str, last: str = "J") -> str:
    """Return what is said of vectors, by their names, of those at every level."""
    for name in names:
        formula = formula.replace(f"({name} ", f"({name} j ")
    return f"(all (j 0 {last}) {formula})"


_EVEN_ODD = "(ite (= (r j) 0) ({} j k) ({} j k))".format
_CHAIN = [
    "(>= t 0)",
    "(>= q 0)",
    f"(<= {_sum('a')} 1)",
    "(= (i 0) 1)",
    _positive("a")[0],
    _each_level(_positive("b")[0], "b"),
    _each_level(_positive("P")[0], "P"),
    "(all (k 1 t) (and (= (b 0 k) (a k)) (= (P 0 k) (a k))))",
    _each_level(_near("g", "b", "P"), "g", "b", "P"),
    _each_level(_is("g", "b", "P"), "g", "b", "P"),
    _each_level(_made("s", "b", "b"), "s", "b"),
    _each_level(_made("S", "P", "P"), "S", "P"),
    _each_level(_near("f", "s", "S"), "f", "s", "S"),
    _each_level(_is("f", "s", "S"), "f", "s", "S"),
    _each_level(_made("v", "a", "s"), "v", "s"),
    _each_level(_made("V", "a", "S"), "V", "S"),
    _each_level(_near("h", "v", "V"), "h", "v", "V"),
    _each_level(_is("h", "v", "V"), "h", "v", "V"),
    "(all (j 0 (- J 1)) (and (or (= (r j) 0) (= (r j) 1)) (= (i (+ j 1)) (+ (* 2 (i j)) (r j)))))",
    f"(all (j 0 (- J 1)) (all (k 1 t) (and (<= (b (+ j 1) k) {_EVEN_ODD('s', 'v')})"
    f" (<= {_EVEN_ODD('s', 'v')} (+ (b (+ j 1) k) q)))))",
    f"(all (j 0 (- J 1)) (all (k 1 t) (= (P (+ j 1) k) {_EVEN_ODD('S', 'V')})))",
]
_LEVEL_GIVEN = ["(>= n 0)", "(<= n J)", "(<= n (- J 1))", *_CHAIN]
_ALL = _named(*(name for name in _LEVELS if name != "n"))
_NOW = "(sum (k 1 t) ({} n k))".format
_NEXT = "(sum (k 1 t) ({} (+ n 1) k))".format
_BOUNDED = [f"(<= {_NOW('b')} 1)", f"(<= {_NOW('P')} 1)"]
_VECTOR = {name: ("k", f"({name} n k)") for name in _FUNCTIONS}


def _vectors(*names: str) -> dict[str, tuple[str, str]]:
    """Return the vectors of these names at level n."""
    return {name: _VECTOR[name] for name in names}


def _after(parity: str, bit: str, w: str, exact: str, f: str, place: int) -> tuple[dict[str, object], ...]:
    """Return the steps from a level to the next one, of twice the power and 0 or 1 more."""
    bit_is = f"(= (r n) {bit})"
    return (
        by_query(
            f"{parity}-rounded",
            _LEVELS,
            [*_LEVEL_GIVEN, bit_is],
            f"(all (k 1 t) (and (<= (b (+ n 1) k) ({w} n k)) (<= ({w} n k) (+ (b (+ n 1) k) q))))",
            given(15, "n"),
            given(17, "k"),
        ),
        by_query(
            f"{parity}-exact",
            _LEVELS,
            [*_LEVEL_GIVEN, bit_is],
            f"(all (k 1 t) (= (P (+ n 1) k) ({exact} n k)))",
            given(16, "n"),
            given(17, "k"),
        ),
        by_query(
            f"{parity}-difference",
            _LEVELS,
            [*_LEVEL_GIVEN, bit_is],
            f"(all (k 1 t) (or (= (g (+ n 1) k) (- (b (+ n 1) k) ({exact} n k)))"
            f" (= (g (+ n 1) k) (- ({exact} n k) (b (+ n 1) k)))))",
            given(16, "n"),
            given(17, "k"),
            given(5, "(+ n 1)"),
            given(18, "k"),
        ),
        by_query(
            f"{parity}-level",
            _LEVELS,
            [*_LEVEL_GIVEN, bit_is],
            f"(and (<= {_NEXT('g')} (+ {_NOW(f)} (* t q))) (<= {_NEXT('b')} {_NOW(w)}) (= {_NEXT('P')} {_NOW(exact)}))",
            earlier(f"{parity}-rounded", n="n", **_ALL),
            earlier(f"{parity}-exact", n="n", **_ALL),
            earlier(f"{parity}-difference", n="n", **_ALL),
            given(place, "n"),
            earlier(
                "rounded-level",
                t="t",
                q="q",
                w=_VECTOR[w],
                W=_VECTOR[exact],
                f=_VECTOR[f],
                n=("k", "(b (+ n 1) k)"),
                g=("k", "(g (+ n 1) k)"),
            ),
            earlier("sum-equal", n="t", m="t", a=("k", "(P (+ n 1) k)"), b=_VECTOR[exact]),
        ),
    )


CHAIN = (
    by_query(
        "level-squares",
        _LEVELS,
        [*_LEVEL_GIVEN, *_BOUNDED],
        f"(and (<= {_NOW('f')} (* 2 {_NOW('g')})) (<= {_NOW('s')} 1) (<= {_NOW('S')} 1))",
        given(1, "n"),
        given(2, "n"),
        given(4, "n"),
        given(6, "n"),
        given(7, "n"),
        given(9, "n"),
        earlier("square-level", t="t", **_vectors("b", "P", "g", "s", "S", "f")),
    ),
    by_query(
        "level-times",
        _LEVELS,
        _LEVEL_GIVEN,
        f"(and (<= {_NOW('h')} {_NOW('f')}) (<= {_NOW('v')} {_NOW('s')}) (<= {_NOW('V')} {_NOW('S')}))",
        given(1, "n"),
        given(2, "n"),
        given(6, "n"),
        given(7, "n"),
        earlier("convolution-not-negative", t="t", a=_VECTOR["b"], b=_VECTOR["b"], s=_VECTOR["s"]),
        earlier("convolution-not-negative", t="t", a=_VECTOR["P"], b=_VECTOR["P"], s=_VECTOR["S"]),
        given(8, "n"),
        given(10, "n"),
        given(11, "n"),
        given(13, "n"),
        earlier("times-level", t="t", a="a", **_vectors("s", "S", "f", "v", "V", "h")),
    ),
    *_after("even", "0", "s", "S", "f", 8),
    *_after("odd", "1", "v", "V", "h", 12),
    by_query(
        "level",
        _LEVELS,
        [*_LEVEL_GIVEN, *_BOUNDED],
        f"(and (<= {_NEXT('g')} (+ (* 2 {_NOW('g')}) (* t q))) (<= {_NEXT('b')} 1) (<= {_NEXT('P')} 1))",
        given(14, "n"),
        earlier("level-squares", n="n", **_ALL),
        earlier("level-times", n="n", **_ALL),
        earlier("even-level", n="n", **_ALL),
        earlier("odd-level", n="n", **_ALL),
    ),
    *(
        by_query(
            f"first-{name}",
            {key: sort for key, sort in _LEVELS.items() if key != "n"},
            ["(>= J 0)", *_CHAIN],
            f"(all (k 1 t) (= ({name} 0 k) {value}))",
            given(3, "k"),
            *more,
        )
        for name, value, more in (("b", "(a k)", ()), ("P", "(a k)", ()), ("g", "0", (given(5, "0"), given(17, "k"))))
    ),
    by_induction(
        "rounded-powers",
        _LEVELS,
        ["(>= n 0)", "(<= n J)", "(>= J 0)", *_CHAIN],
        f"(and (<= {_NOW('b')} 1) (<= {_NOW('P')} 1) (<= {_NOW('g')} (* (* t q) (- (i n) 1))))",
        base=[
            *(earlier(f"first-{name}", **_ALL) for name in "bPg"),
            *(earlier("sum-equal", n="t", m="t", a=("k", f"({name} 0 k)"), b="a") for name in "bP"),
            earlier("sum-equal", n="t", m="t", a=("k", "(g 0 k)"), b=("k", "0")),
            earlier("sum-of-zeros", n="t"),
        ],
        step=[
            given(14, "n"),
            earlier("level", n="n", **_ALL),
            earlier(
                "rounding-power",
                t="t",
                r="q",
                i="(i n)",
                e=_NOW("g"),
                more=_NEXT("g"),
            ),
        ],
    ),
)
"""Level j has the power i(j), whose next binary digit is r(j): b(j, k) and P(j, k) are number k, rounded and exact."""
