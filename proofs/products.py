"""Events on countably many outcomes, and products of masses of which one moves: steps for all derivations."""

from __future__ import annotations

from dpcert.proofs.derivation import Instance, by_induction, by_query, earlier, given, same, unfold

_BOUND = "(+ (* E Q) delta)"
ENDLESS = {"P": "Real", "Q": "Real"}
"""The probabilities of an event on countably many outcomes: each is the supremum of its partial sums."""


def reached(part: str, bound: str = _BOUND) -> str:
    """Return that a partial sum is so near to P that, if P were above the bound, half of the gap would be reached.

    By the definition of a supremum there is one.
    """
    return f"(or (<= P {bound}) (<= (- P (/ (- P {bound}) 2)) {part}))"


def endless(S: str, T: str, E: str, delta: str = "0") -> Instance:
    """Return the instance that takes S <= E T + delta, of partial sums, to P <= E Q + delta."""
    return earlier("from-partial-sums", P="P", Q="Q", E=E, delta=delta, S=S, T=T)


_PA, _PB = "(prod (k 1 n) (a k))", "(prod (k 1 n) (b k))"
_FACTORS = [
    "(all (k 1 m) (and (>= (a k) 0) (>= (b k) 0)))",
    "(all (k 1 m) (or (= (a k) (b k)) (and (= k i) (<= (a k) (* R (b k))))))",
]
_MANY = [
    "(all (o 1 n) (all (k 1 m) (and (>= (a o k) 0) (>= (b o k) 0))))",
    "(all (o 1 n) (all (k 1 m) (or (= (a o k) (b o k)) (and (= k i) (<= (a o k) (* R (b o k)))))))",
]
_SORTS: dict[str, str | int] = {"n": "Int", "m": "Int", "i": "Int", "R": "Real", "a": 2, "b": 2}
_EVENT = "(all (k 1 n) (and (>= (u k) 0) (<= (u k) 1)))"
_LEFT, _RIGHT = "(prod (k 1 m) (a o k))", "(prod (k 1 m) (b o k))"

_SA, _SB = "(sum (k 1 n) (a k))", "(sum (k 1 n) (b k))"
_ONE = "(sum (k 1 n) (d k))"

PRODUCTS = (
    by_induction(
        "one-term-differs",
        {"n": "Int", "m": "Int", "j": "Int", "d": "Real", "a": 1, "b": 1},
        ["(>= n 0)", "(<= n m)", "(>= j 1)", "(all (k 1 m) (= (- (a k) (b k)) (ite (= k j) d 0)))"],
        f"(= (- {_SA} {_SB}) (ite (< n j) 0 d))",
        base=[unfold("(sum (k 1 0) (a k))"), unfold("(sum (k 1 0) (b k))")],
        step=[unfold("(sum (k 1 (+ n 1)) (a k))"), unfold("(sum (k 1 (+ n 1)) (b k))"), given(0, "(+ n 1)")],
    ),
    by_induction(
        "sum-of-equal",
        {"n": "Int", "v": "Real"},
        ["(>= n 0)"],
        "(= (sum (k 1 n) v) (* n v))",
        base=[unfold("(sum (k 1 0) v)")],
        step=[unfold("(sum (k 1 (+ n 1)) v)")],
    ),
    by_induction(
        "sum-moved",
        {"n": "Int", "v": "Int", "a": 1},
        ["(>= n 0)"],
        "(= (- (sum (k 1 n) (a (+ (+ v 1) k))) (sum (k 1 n) (a (+ v k)))) (- (a (+ v (+ n 1))) (a (+ v 1))))",
        base=[unfold("(sum (k 1 0) (a (+ (+ v 1) k)))"), unfold("(sum (k 1 0) (a (+ v k)))")],
        step=[unfold("(sum (k 1 (+ n 1)) (a (+ (+ v 1) k)))"), unfold("(sum (k 1 (+ n 1)) (a (+ v k)))")],
    ),
    by_induction(
        "sum-in-two-parts",
        {"n": "Int", "m": "Int", "a": 1},
        ["(>= n 0)", "(>= m 0)"],
        "(= (sum (k 1 (+ m n)) (a k)) (+ (sum (k 1 m) (a k)) (sum (k 1 n) (a (+ m k)))))",
        base=[unfold("(sum (k 1 0) (a (+ m k)))")],
        step=[unfold("(sum (k 1 (+ n 1)) (a (+ m k)))"), unfold("(sum (k 1 (+ m (+ n 1))) (a k))")],
    ),
    by_induction(
        "size-of-sum",
        {"n": "Int", "m": "Int", "a": 1, "d": 1},
        ["(>= n 0)", "(<= n m)", "(all (k 1 m) (and (>= (d k) (a k)) (>= (d k) (- (a k)))))"],
        f"(and (<= {_SA} {_ONE}) (<= (- {_SA}) {_ONE}))",
        base=[unfold("(sum (k 1 0) (a k))"), unfold("(sum (k 1 0) (d k))")],
        step=[unfold("(sum (k 1 (+ n 1)) (a k))"), unfold("(sum (k 1 (+ n 1)) (d k))"), given(0, "(+ n 1)")],
    ),
    by_query(
        "from-partial-sums",
        {**ENDLESS, "E": "Real", "delta": "Real", "S": "Real", "T": "Real"},
        ["(>= E 0)", reached("S"), "(<= T Q)", "(<= S (+ (* E T) delta))"],
        f"(<= P {_BOUND})",
    ),
    by_induction(
        "one-factor-moves",
        {"n": "Int", "m": "Int", "i": "Int", "R": "Real", "a": 1, "b": 1},
        ["(>= n 0)", "(<= n m)", "(>= R 1)", *_FACTORS],
        f"(and (>= {_PA} 0) (>= {_PB} 0) (or (>= n i) (= {_PA} {_PB})) (<= {_PA} (* R {_PB})))",
        base=[unfold("(prod (k 1 0) (a k))"), unfold("(prod (k 1 0) (b k))")],
        step=[
            unfold("(prod (k 1 (+ n 1)) (a k))"),
            unfold("(prod (k 1 (+ n 1)) (b k))"),
            given(0, "(+ n 1)"),
            given(1, "(+ n 1)"),
        ],
    ),
    by_query(
        "products-each",
        _SORTS,
        ["(>= m 0)", "(>= R 1)", *_MANY],
        f"(all (o 1 n) (<= {_LEFT} (* R {_RIGHT})))",
        given(0, "o"),
        given(1, "o"),
        earlier("one-factor-moves", n="m", m="m", i="i", R="R", a=("k", "(a o k)"), b=("k", "(b o k)")),
    ),
    by_query(
        "event-of-products",
        {**_SORTS, "u": 1},
        ["(>= n 0)", "(>= m 0)", "(>= R 1)", *_MANY, _EVENT],
        f"(<= (sum (o 1 n) (* (u o) {_LEFT})) (* R (sum (o 1 n) (* (u o) {_RIGHT}))))",
        earlier("products-each", **same("n", "m", "i", "R", "a", "b")),
        earlier("ratio-of-events", n="n", E="R", p=("o", _LEFT), q=("o", _RIGHT), u="u"),
    ),
)
"""d(k) is |a(k)|; a(o, k) the mass of part k of outcome o, under one of two laws: the parts are independent, and only
part i moves.
"""
