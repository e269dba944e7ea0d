"""Derivations on reporting probabilities: pi(0) = 0, and pi(i) is the least of q(i), (16) and (17) at pi(i - 1)."""

from __future__ import annotations

from dpcert.proofs.derivation import by_induction, by_query, earlier, given, unfold
from dpcert.proofs.terms import Term
from dpcert.proofs.weighted_sampling.recurrence import next_probability

E, DELTA = Term("E"), Term("delta")


def next_after(q: str, before: str) -> str:
    """Return the next probability as the mechanism computes it, as a term."""
    found = next_probability(E, DELTA, Term(q), Term(before))
    assert isinstance(found, Term)
    return found.text


SORTS: dict[str, str | int] = {"n": "Int", "m": "Int", "E": "Real", "delta": "Real", "q": 1, "pi": 1}
EPSILON = ["(>= E 1)", "(>= delta 0)", "(<= delta 1)"]
SEQUENCE = [
    "(= (pi 0) 0)",
    f"(all (i 1 m) (= (pi i) {next_after('(q i)', '(pi (- i 1))')}))",
    "(all (i 1 m) (and (>= (q i) 0) (<= (q i) 1)))",
    "(all (i 1 (- m 1)) (<= (q i) (q (+ i 1))))",
]
_RANGE = ["(>= n 1)", "(<= n m)"]

GROW = (
    by_induction(
        "probabilities-grow",
        SORTS,
        [*_RANGE, *EPSILON, *SEQUENCE],
        "(and (<= 0 (pi (- n 1))) (<= (pi (- n 1)) (pi n)) (<= (pi n) (q n)) (<= (pi n) 1))",
        base=[given(0, "1"), given(1, "1"), earlier("keys-grow", E="E", delta="delta", q="(q 1)", a="(pi 0)")],
        step=[
            given(0, "(+ n 1)"),
            given(1, "(+ n 1)"),
            given(2, "n"),
            earlier("keys-grow", E="E", delta="delta", q="(q (+ n 1))", a="(pi n)"),
        ],
    ),
)

_AT_N = {"n": "n", "m": "m", "E": "E", "delta": "delta", "q": "q", "pi": "pi"}
PRIVATE = (
    by_query(
        "keys-close",
        SORTS,
        [*_RANGE, *EPSILON, *SEQUENCE],
        "(and (<= (pi n) (+ (* E (pi (- n 1))) delta)) (<= (pi (- n 1)) (+ (* E (pi n)) delta))"
        " (<= (- 1 (pi n)) (+ (* E (- 1 (pi (- n 1)))) delta)) (<= (- 1 (pi (- n 1))) (+ (* E (- 1 (pi n))) delta)))",
        given(0, "n"),
        given(1, "n"),
        earlier("probabilities-grow", **_AT_N),
        earlier("keys-private", E="E", delta="delta", q="(q n)", a="(pi (- n 1))"),
    ),
)

_RISING = "(+ (* x (pow E n)) (/ (* delta (- (pow E n) 1)) (- E 1)))"
_FALLING = "(- (* x (pow g n)) (/ (* (/ delta E) (- 1 (pow g n))) (- 1 (/ 1 E))))"
_RUN: dict[str, str | int] = {"n": "Int", "m": "Int", "E": "Real", "delta": "Real", "x": "Real", "y": 1}
RUNS = (
    by_induction(
        "report-run",
        _RUN,
        [
            "(>= n 0)",
            "(<= n m)",
            "(> E 1)",
            "(>= delta 0)",
            "(<= delta 1)",
            "(= (y 0) x)",
            "(all (i 0 (- m 1)) (= (y (+ i 1)) (+ (* E (y i)) delta)))",
        ],
        f"(= (y n) {_RISING})",
        base=[],
        step=[
            given(0, "n"),
            unfold("(pow E (+ n 1))"),
            earlier("report-run-step", E="E", delta="delta", x="x", G="(pow E n)"),
        ],
    ),
    by_induction(
        "silence-run",
        {**_RUN, "g": "Real"},
        [
            "(>= n 0)",
            "(<= n m)",
            "(> E 1)",
            "(>= delta 0)",
            "(<= delta 1)",
            "(= (* g E) 1)",
            "(= (y 0) x)",
            "(all (i 0 (- m 1)) (= (y (+ i 1)) (/ (- (y i) delta) E)))",
        ],
        f"(= (y n) {_FALLING})",
        base=[],
        step=[
            given(0, "n"),
            unfold("(pow g (+ n 1))"),
            earlier("silence-run-step", E="E", delta="delta", x="x", g="(pow g n)"),
        ],
    ),
)

_CLOSED: dict[str, str | int] = {"n": "Int", "m": "Int", "L": "Int", "E": "Real", "delta": "Real", "pi": 1}
_LENGTH = [
    "(> E 1)",
    "(> delta 0)",
    "(<= delta 1)",
    "(>= L 0)",
    "(= (* (* (pow E L) delta) (+ E 1)) (+ (- E 1) (* 2 delta)))",
]
_UNSAMPLED = ["(= (pi 0) 0)", f"(all (i 1 m) (= (pi i) {next_after('1', '(pi (- i 1))')}))"]
_AT_L = {"m": "m", "L": "L", "E": "E", "delta": "delta", "pi": "pi"}
CLOSED = (
    by_induction(
        "closed-form-first",
        _CLOSED,
        ["(>= n 0)", "(<= n (+ L 1))", "(<= n m)", *_LENGTH, *_UNSAMPLED],
        "(= (* (pi n) (- E 1)) (* delta (- (pow E n) 1)))",
        base=[],
        step=[
            given(0, "(+ n 1)"),
            unfold("(pow E (+ n 1))"),
            earlier("pow-at-least-one", n="n", E="E"),
            earlier("pow-rises", n="(- L n)", i="n", E="E"),
            earlier("closed-form-up", E="E", delta="delta", W="(pow E L)", G="(pow E n)", x="(pi n)"),
            earlier("report-binds-first", E="E", delta="delta", x="(pi n)"),
        ],
    ),
    by_induction(
        "closed-form-second",
        {**_CLOSED, "k": "Int"},
        ["(>= k 0)", "(<= k L)", "(<= (+ (+ L 1) k) m)", *_LENGTH, *_UNSAMPLED],
        "(= (pi (+ (+ L 1) k)) (- 1 (/ (* delta (- (pow E (- L k)) 1)) (- E 1))))",
        base=[
            unfold("(pow E (+ L 1))"),
            earlier("closed-form-first", n="(+ L 1)", **_AT_L),
            earlier("closed-form-meets", E="E", delta="delta", W="(pow E L)"),
        ],
        step=[
            given(0, "(+ (+ L 1) (+ k 1))"),
            unfold("(pow E (- L k))"),
            earlier("pow-at-least-one", n="(- (- L k) 1)", E="E"),
            earlier("pow-rises", n="k", i="(- L k)", E="E"),
            earlier("closed-form-on", E="E", delta="delta", W="(pow E L)", H="(pow E (- L k))"),
        ],
    ),
    by_induction(
        "closed-form-last",
        {**_CLOSED, "k": "Int"},
        ["(>= k 0)", "(<= (+ (+ (* 2 L) 1) k) m)", *_LENGTH, *_UNSAMPLED],
        "(= (pi (+ (+ (* 2 L) 1) k)) 1)",
        base=[
            earlier("closed-form-second", n="0", k="L", **_AT_L),
            earlier("closed-form-ends", E="E", delta="delta"),
        ],
        step=[
            given(0, "(+ (+ (* 2 L) 1) (+ k 1))"),
            earlier("closed-form-ends", E="E", delta="delta"),
        ],
    ),
)

_POWERED = "(- 1 (pow r i))"
STAYS = (
    by_query(
        "sampling-stays",
        {**SORTS, "r": "Real"},
        [
            *_RANGE,
            "(<= (+ n 1) m)",
            *EPSILON,
            *SEQUENCE,
            "(> r 0)",
            "(< r 1)",
            f"(all (i 0 m) (= (q i) {_POWERED}))",
            "(= (pi n) (q n))",
            "(<= (pi (- n 1)) (q (- n 1)))",
        ],
        "(= (pi (+ n 1)) (q (+ n 1)))",
        given(0, "n"),
        given(0, "(+ n 1)"),
        given(3, "n"),
        given(3, "(- n 1)"),
        given(3, "(+ n 1)"),
        unfold("(pow r n)"),
        unfold("(pow r (+ n 1))"),
        earlier("pow-positive", n="(- n 1)", E="r"),
        earlier("pow-at-most-one", n="(- n 1)", r="r"),
        earlier("sampling-binds-once", E="E", delta="delta", q="(q n)", p="(pi (- n 1))", x="(q (- n 1))"),
        earlier("sampling-binds-on", E="E", delta="delta", r="r", s="(pow r (- n 1))"),
    ),
)

FIRST = (
    by_query(
        "tangents",
        {"n": "Int", "delta": "Real", "p": 1, "a": 1},
        ["(> delta 0)", "(all (k 1 n) (>= (p k) 0))"],
        "(all (k 1 n) (<= (+ (* (* 2 (/ 1 delta)) (* (p k) (a k))) (* (- (* (/ 1 delta) (/ 1 delta))) (p k)))"
        " (* (p k) (* (a k) (a k)))))",
        given(0, "k"),
        earlier("square-of-value", p="(p k)", a="(a k)", delta="delta"),
    ),
    by_query(
        "mean-square-at-one",
        {"n": "Int", "delta": "Real", "p": 1, "a": 1},
        [
            "(>= n 0)",
            "(> delta 0)",
            "(= (sum (k 1 n) (p k)) delta)",
            "(= (sum (k 1 n) (* (p k) (a k))) 1)",
            "(all (k 1 n) (>= (p k) 0))",
        ],
        "(>= (- (sum (k 1 n) (* (p k) (* (a k) (a k)))) 1) (- (/ 1 delta) 1))",
        earlier("tangents", n="n", delta="delta", p="p", a="a"),
        earlier(
            "sum-at-most",
            n="n",
            m="n",
            a=("k", "(+ (* (* 2 (/ 1 delta)) (* (p k) (a k))) (* (- (* (/ 1 delta) (/ 1 delta))) (p k)))"),
            b=("k", "(* (p k) (* (a k) (a k)))"),
        ),
        earlier(
            "sum-plus",
            n="n",
            a=("k", "(* (* 2 (/ 1 delta)) (* (p k) (a k)))"),
            b=("k", "(* (- (* (/ 1 delta) (/ 1 delta))) (p k))"),
        ),
        earlier("sum-scale", n="n", c="(* 2 (/ 1 delta))", a=("k", "(* (p k) (a k))")),
        earlier("sum-scale", n="n", c="(- (* (/ 1 delta) (/ 1 delta)))", a="p"),
    ),
)
"""p(k) is with which probability frequency 1 is reported with value k, a(k) what that value counts."""
