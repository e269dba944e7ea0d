"""Derivations on rounded powers of vectors 1, ..., t.

Number k of the convolution of a and b is the sum over i up to k of a(i) b(k + 1 - i): it needs no later numbers.
"""

from __future__ import annotations

from dpcert.proofs.derivation import by_induction, by_query, earlier, given, unfold


def _convolution(a: str, b: str, k: str = "k") -> str:
    """Return number k of the convolution of two functions."""
    return f"(sum (i 1 {k}) (* ({a} i) ({b} (- (+ {k} 1) i))))"


_FIRST_EQUAL = ["(all (i 1 t) (= (a i) (A i)))", "(all (i 1 t) (= (b i) (B i)))"]


def _total(a: str, b: str, t: str = "t") -> str:
    """Return the sum of the first t numbers of a convolution."""
    return f"(sum (k 1 {t}) {_convolution(a, b)})"


def total_of(a: str, t: str = "t") -> str:
    """Return the sum of the first t numbers of a vector."""
    return f"(sum (k 1 {t}) ({a} k))"


def positive(*names: str) -> list[str]:
    """Return that no number of these vectors is below 0."""
    return [f"(all (l 1 t) (>= ({name} l) 0))" for name in names]


def near(d: str, a: str, b: str) -> str:
    """Return that d has at least the differences of a and b."""
    return f"(all (l 1 t) (and (>= ({d} l) (- ({a} l) ({b} l))) (>= ({d} l) (- ({b} l) ({a} l)))))"


_PART = "(sum (l 1 (- (+ t 1) i)) (b l))"
_PARTS = f"(sum (i 1 t) (* (a i) {_PART}))"
_TWO: dict[str, str | int] = {"t": "Int", "a": 1, "b": 1}
_FOUR: dict[str, str | int] = {"t": "Int", "x": 1, "y": 1, "X": 1, "Y": 1, "d": 1, "e": 1}
_UP = "(+ (* (d i) (y (- (+ k 1) i))) (* (X i) (e (- (+ k 1) i))))"
_XY, _XY_EXACT = "(* (x i) (y (- (+ k 1) i)))", "(* (X i) (Y (- (+ k 1) i)))"
_FOURS = [*positive("y", "X", "d", "e"), near("d", "x", "X"), near("e", "y", "Y")]
_BOTH = f"(+ {_convolution('d', 'y')} {_convolution('X', 'e')})"

_IS_DIFFERENCE = (
    f"(all (k 1 t) (or (= (D k) (- {_convolution('x', 'y')} {_convolution('X', 'Y')}))"
    f" (= (D k) (- {_convolution('X', 'Y')} {_convolution('x', 'y')}))))"
)


def named(*names: str) -> dict[str, str]:
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
            earlier(each, k="k", **named(*_FOUR)),
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
            earlier("parts-of-next", **named("t", "a", "b")),
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
        ["(>= t 0)", *positive("a", "b")],
        f"(all (i 1 t) (<= (* (a i) {_PART}) (* {total_of('b')} (a i))))",
        given(0, "i"),
        earlier("part-at-most-all", n="(- i 1)", m="t", k="(- (+ t 1) i)", b="b"),
    ),
    by_query(
        "convolution-at-most",
        _TWO,
        ["(>= t 0)", *positive("a", "b")],
        f"(<= {_total('a', 'b')} (* {total_of('b')} {total_of('a')}))",
        earlier("convolution-by-parts", **named("t", "a", "b")),
        earlier("parts-at-most", **named("t", "a", "b")),
        earlier("sum-at-most", n="t", m="t", a=("i", f"(* (a i) {_PART})"), b=("i", f"(* {total_of('b')} (a i))")),
        earlier("sum-scale", n="t", c=total_of("b"), a="a"),
    ),
    *_signed("convolution-exceeds", _XY, _XY_EXACT),
    *_signed("convolution-is-exceeded", _XY_EXACT, _XY),
    by_query(
        "difference-each",
        {**_FOUR, "D": 1},
        ["(>= t 0)", *_FOURS, _IS_DIFFERENCE],
        f"(all (k 1 t) (<= (D k) {_BOTH}))",
        earlier("convolution-exceeds", **named(*_FOUR)),
        earlier("convolution-is-exceeded", **named(*_FOUR)),
        given(6, "k"),
        given(7, "k"),
        given(8, "k"),
    ),
    by_query(
        "convolution-distance",
        {**_FOUR, "D": 1},
        ["(>= t 0)", *_FOURS, _IS_DIFFERENCE],
        f"(<= {total_of('D')} (+ (* {total_of('y')} {total_of('d')}) (* {total_of('e')} {total_of('X')})))",
        earlier("difference-each", D="D", **named(*_FOUR)),
        earlier("sum-at-most", n="t", m="t", a="D", b=("k", _BOTH)),
        earlier("sum-plus", n="t", a=("k", _convolution("d", "y")), b=("k", _convolution("X", "e"))),
        earlier("convolution-at-most", t="t", a="d", b="y"),
        earlier("convolution-at-most", t="t", a="X", b="e"),
    ),
)


def difference(d: str, a: str, b: str, k: str = "k") -> str:
    """Return that d is a difference of a and b, of either sign."""
    return f"(all (k 1 t) (or (= ({d} {k}) (- ({a} {k}) ({b} {k}))) (= ({d} {k}) (- ({b} {k}) ({a} {k})))))"


def convolved(s: str, a: str, b: str) -> str:
    """Return that s is the convolution of a and b."""
    return f"(all (k 1 t) (= ({s} k) {_convolution(a, b)}))"


_SQUARED: dict[str, str | int] = {"t": "Int", "b": 1, "P": 1, "g": 1, "s": 1, "S": 1, "f": 1}
_SQUARES = [convolved("s", "b", "b"), convolved("S", "P", "P"), difference("f", "s", "S")]
_TIMES: dict[str, str | int] = {"t": "Int", "a": 1, "s": 1, "S": 1, "f": 1, "v": 1, "V": 1, "h": 1}
_PRODUCTS = [convolved("v", "a", "s"), convolved("V", "a", "S"), difference("h", "v", "V")]
_ROUND: dict[str, str | int] = {"t": "Int", "q": "Real", "w": 1, "W": 1, "f": 1, "n": 1, "g": 1}
_DOWN = "(all (k 1 t) (and (<= (n k) (w k)) (<= (w k) (+ (n k) q))))"

LEVEL = (
    by_query(
        "near-not-negative",
        {"t": "Int", "d": 1, "a": 1, "b": 1},
        [near("d", "a", "b")],
        "(all (k 1 t) (>= (d k) 0))",
        given(0, "k"),
    ),
    by_query(
        "product-not-negative",
        {"t": "Int", "a": 1, "b": 1, "k": "Int"},
        ["(>= k 1)", "(<= k t)", *positive("a", "b")],
        "(all (i 1 k) (>= (* (a i) (b (- (+ k 1) i))) 0))",
        given(0, "i"),
        given(1, "(- (+ k 1) i)"),
    ),
    by_query(
        "convolution-not-negative",
        {"t": "Int", "a": 1, "b": 1, "s": 1},
        [*positive("a", "b"), convolved("s", "a", "b")],
        "(all (k 1 t) (>= (s k) 0))",
        given(2, "k"),
        earlier("product-not-negative", k="k", **named("t", "a", "b")),
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
            f"(<= {total_of('b')} 1)",
            f"(<= {total_of('P')} 1)",
            *positive("b", "P"),
            near("g", "b", "P"),
            *_SQUARES,
        ],
        f"(and (<= {total_of('f')} (* 2 {total_of('g')})) (<= {total_of('s')} 1) (<= {total_of('S')} 1))",
        earlier("near-not-negative", t="t", d="g", a="b", b="P"),
        earlier("sum-not-negative", n="t", m="t", a="g"),
        earlier("sum-not-negative", n="t", m="t", a="b"),
        earlier("sum-not-negative", n="t", m="t", a="P"),
        earlier("square-difference", **named("t", "b", "P", "s", "S", "f")),
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
        ["(>= t 0)", f"(<= {total_of('a')} 1)", *positive("a", "s", "S"), near("f", "s", "S"), *_PRODUCTS],
        f"(and (<= {total_of('h')} {total_of('f')})"
        f" (<= {total_of('v')} {total_of('s')}) (<= {total_of('V')} {total_of('S')}))",
        earlier("near-not-negative", t="t", d="f", a="s", b="S"),
        earlier("sum-not-negative", n="t", m="t", a="f"),
        earlier("sum-not-negative", n="t", m="t", a="s"),
        earlier("sum-not-negative", n="t", m="t", a="S"),
        earlier("times-difference", **named(*_TIMES)),
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
        [_DOWN, near("f", "w", "W"), difference("g", "n", "W")],
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
    by_query(
        "rounded-level",
        _ROUND,
        ["(>= t 0)", _DOWN, near("f", "w", "W"), difference("g", "n", "W")],
        f"(and (<= {total_of('g')} (+ {total_of('f')} (* t q))) (<= {total_of('n')} {total_of('w')}))",
        earlier("rounded-each", **named(*_ROUND)),
        earlier("rounded-not-more", **named("t", "q", "w", "n")),
        earlier("sum-at-most", n="t", m="t", a="g", b=("k", "(+ (f k) q)")),
        earlier("sum-at-most", n="t", m="t", a="n", b="w"),
        earlier("sum-plus", n="t", a="f", b=("k", "q")),
        earlier("sum-of-equal", n="t", v="q"),
    ),
    by_query(
        "convolution-of-first-each",
        {"k": "Int", "t": "Int", **dict.fromkeys("abAB", 1)},
        ["(<= k t)", *_FIRST_EQUAL],
        "(all (i 1 k) (= (* (a i) (b (- (+ k 1) i))) (* (A i) (B (- (+ k 1) i)))))",
        given(0, "i"),
        given(1, "(- (+ k 1) i)"),
    ),
    by_query(
        "convolution-of-first",
        {"t": "Int", **dict.fromkeys("abAB", 1)},
        _FIRST_EQUAL,
        f"(all (k 1 t) (= {_convolution('a', 'b')} {_convolution('A', 'B')}))",
        earlier("convolution-of-first-each", **named("t", "a", "b", "A", "B"), k="k"),
        earlier(
            "sum-equal",
            n="k",
            m="k",
            a=("i", "(* (a i) (b (- (+ k 1) i)))"),
            b=("i", "(* (A i) (B (- (+ k 1) i)))"),
        ),
    ),
)
"""From the vectors b, rounded, and P, exact, of one power to those of twice the power, n and W, and of one more.

s and S are their squares, v and V these times a, f, g and h differences; w is s or v, and q is 1/s.
"""
