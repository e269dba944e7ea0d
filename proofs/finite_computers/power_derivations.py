"""Derivations on rounded powers, level by level along the binary digits of the power, as Algorithm 6.16 takes them."""

from __future__ import annotations

from dpcert.proofs.derivation import by_induction, by_query, earlier, given
from dpcert.proofs.finite_computers.rounding_derivations import convolved, difference, named, near, positive, total_of

_FUNCTIONS = ("b", "P", "g", "s", "S", "f", "v", "V", "h")
_LEVELS: dict[str, str | int] = {
    "t": "Int",
    "J": "Int",
    "n": "Int",
    "q": "Real",
    "a": 1,
    **dict.fromkeys(_FUNCTIONS, 2),
    "r": 1,
    "power": 1,
}


def _each_level(formula: str, *names: str, last: str = "J") -> str:
    """Return what is said of vectors, by their names, of those at every level."""
    for name in names:
        formula = formula.replace(f"({name} ", f"({name} j ")
    return f"(all (j 0 {last}) {formula})"


_EVEN_ODD = "(ite (= (r j) 0) ({} j k) ({} j k))".format
_CHAIN = [
    "(>= t 0)",
    "(>= q 0)",
    f"(<= {total_of('a')} 1)",
    "(= (power 0) 1)",
    positive("a")[0],
    _each_level(positive("b")[0], "b"),
    _each_level(positive("P")[0], "P"),
    "(all (k 1 t) (and (= (b 0 k) (a k)) (= (P 0 k) (a k))))",
    _each_level(near("g", "b", "P"), "g", "b", "P"),
    _each_level(difference("g", "b", "P"), "g", "b", "P"),
    _each_level(convolved("s", "b", "b"), "s", "b"),
    _each_level(convolved("S", "P", "P"), "S", "P"),
    _each_level(near("f", "s", "S"), "f", "s", "S"),
    _each_level(difference("f", "s", "S"), "f", "s", "S"),
    _each_level(convolved("v", "a", "s"), "v", "s"),
    _each_level(convolved("V", "a", "S"), "V", "S"),
    _each_level(near("h", "v", "V"), "h", "v", "V"),
    _each_level(difference("h", "v", "V"), "h", "v", "V"),
    "(all (j 0 (- J 1)) (and (or (= (r j) 0) (= (r j) 1)) (= (power (+ j 1)) (+ (* 2 (power j)) (r j)))))",
    f"(all (j 0 (- J 1)) (all (k 1 t) (and (<= (b (+ j 1) k) {_EVEN_ODD('s', 'v')})"
    f" (<= {_EVEN_ODD('s', 'v')} (+ (b (+ j 1) k) q)))))",
    f"(all (j 0 (- J 1)) (all (k 1 t) (= (P (+ j 1) k) {_EVEN_ODD('S', 'V')})))",
]
_LEVEL_GIVEN = ["(>= n 0)", "(<= n J)", "(<= n (- J 1))", *_CHAIN]
_ALL = named(*(name for name in _LEVELS if name != "n"))
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
        f"(and (<= {_NOW('b')} 1) (<= {_NOW('P')} 1) (<= {_NOW('g')} (* (* t q) (- (power n) 1))))",
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
                i="(power n)",
                e=_NOW("g"),
                more=_NEXT("g"),
            ),
        ],
    ),
)
"""Level j has the power power(j), of next binary digit r(j): b(j, k) and P(j, k) are number k, rounded and exact."""
