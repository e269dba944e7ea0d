"""Bounds of e^t, which for t >= 0 is the supremum of the partial sums of its series: steps for all derivations."""

from __future__ import annotations

from dpcert.proofs.derivation import Instance, Sorts, by_induction, by_query, earlier, given, same, unfold


def terms(e: str, t: str, last: str) -> list[str]:
    """Return that e(k) is t^k/k! for k = 0, ..., `last`."""
    return [f"(= ({e} 0) 1)", f"(all (k 1 {last}) (= (* k ({e} k)) (* {t} ({e} (- k 1)))))"]


def partial(e: str, last: str) -> str:
    """Return the partial sum of a series."""
    return f"(sum (k 0 {last}) ({e} k))"


def exponential(e: str, t: str, E: str, last: str = "3") -> list[str]:
    """Return that E is at least the partial sum of e^t that ends with t^3/3!, of a series up to `last`."""
    return [*terms(e, t, last), f"(<= {partial(e, '3')} {E})"]


def first_terms(e: str, t: str, E: str, last: str = "3") -> Instance:
    """Return the instance E >= 1 + t + t^2/2 + t^3/6 of what `exponential` gives."""
    return earlier("exponential-at-least", t=t, E=E, e=e, m=last)


def above_one(e: str, t: str, E: str) -> Instance:
    """Return the instance E >= 1 for t >= 0 of what `exponential` gives."""
    return earlier("exponential-above-one", t=t, E=E, e=e)


def not_beyond(e: str, t: str, E: str, last: str) -> str:
    """Return that E is near the partial sum up to `last`, if it were above (2 + t)/(2 - t): see `products.reached`."""
    most = f"(/ (+ 2 {t}) (- 2 {t}))"
    return f"(or (<= {E} {most}) (<= (- {E} (/ (- {E} {most}) 2)) {partial(e, last)}))"


def at_most(e: str, t: str, E: str, last: str) -> Instance:
    """Return the instance E (2 - t) <= 2 + t for 0 <= t < 2."""
    return earlier("exponential-at-most", t=t, E=E, e=e, n=last, m=last)


_TERMS = terms("e", "t", "m")
_SERIES: dict[str, str | int] = {"n": "Int", "m": "Int", "t": "Real", "e": 1}

EXPONENTIALS = (
    by_induction(
        "terms-not-negative",
        _SERIES,
        ["(>= n 0)", "(<= n m)", "(>= t 0)", *_TERMS],
        "(>= (e n) 0)",
        base=[],
        step=[given(0, "(+ n 1)")],
    ),
    by_query(
        "exponential-at-least",
        {"m": "Int", "t": "Real", "E": "Real", "e": 1},
        ["(>= m 3)", *exponential("e", "t", "E", "m")],
        "(<= (+ 1 t (/ (* t t) 2) (/ (* t t t) 6)) E)",
        *(unfold(partial("e", last)) for last in ("3", "2", "1", "0", "(- 0 1)")),
        *(given(0, place) for place in ("1", "2", "3")),
    ),
    by_query(
        "exponential-above-one",
        {"t": "Real", "E": "Real", "e": 1},
        ["(>= t 0)", *exponential("e", "t", "E")],
        "(>= E 1)",
        first_terms("e", "t", "E"),
    ),
    by_induction(
        "series-at-most",
        _SERIES,
        ["(>= n 1)", "(<= n m)", "(>= t 0)", "(< t 2)", *_TERMS],
        f"(<= (+ (* {partial('e', 'n')} (- 2 t)) (* (e n) t)) (+ 2 t))",
        base=[
            *(unfold(partial("e", last)) for last in ("1", "0", "(- 0 1)")),
            given(0, "1"),
        ],
        step=[
            unfold(partial("e", "(+ n 1)")),
            given(0, "(+ n 1)"),
            earlier("terms-not-negative", n="(+ n 1)", m="m", t="t", e="e"),
        ],
    ),
    by_query(
        "exponential-at-most",
        {**_SERIES, "E": "Real"},
        [
            "(>= n 1)",
            "(<= n m)",
            "(>= t 0)",
            "(< t 2)",
            *_TERMS,
            not_beyond("e", "t", "E", "n"),
        ],
        "(<= (* E (- 2 t)) (+ 2 t))",
        earlier("series-at-most", n="n", m="m", t="t", e="e"),
        earlier("terms-not-negative", n="n", m="m", t="t", e="e"),
    ),
)
"""e(k) is t^k/k!; E is e^t, at least each partial sum, and not above what all of them are at most."""

_TWO: Sorts = {**dict.fromkeys(("h", "m"), "Int"), "s": "Real", "t": "Real", "e": 1, "f": 1}
_E_TERMS, _F_TERMS = terms("e", "s", "m"), terms("f", "t", "m")
_PAIR, _NEXT_PAIR = "(* (e i) (f (- h i)))", "(* (e i) (f (- (+ h 1) i)))"
_RISING, _FALLING = f"(* i {_NEXT_PAIR})", f"(* (- (+ h 1) i) {_NEXT_PAIR})"
_NOT_NEGATIVE = ["(all (i 0 m) (>= (e i) 0))", "(all (i 0 m) (>= (f i) 0))"]
_FUNCTIONS: Sorts = {**dict.fromkeys(("j", "n", "m"), "Int"), "e": 1, "f": 1}


def _to(last: str, term: str) -> str:
    """Return a sum from 0."""
    return f"(sum (i 0 {last}) {term})"


def _ends(last: str, *of: str) -> list[Instance]:
    """Return how sums that end with 0 begin."""
    return [unfold(_to(end, term)) for term in of for end in (last, "(- 0 1)")]


def _partial(last: str) -> str:
    return f"(sum (k 0 {last}) (f k))"


_STAIRS = f"(* (e i) {_partial('(- n i)')})"
_HIGHER = f"(* (e i) {_partial('(- (+ n 1) i)')})"
_BEYOND = f"(* (e i) {_partial('(- (+ n q) i)')})"
_COEFFICIENT = "(sum (i 0 k) (* (e i) (f (- k i))))"

PRODUCT = (
    by_induction(
        "pairs-that-rise",
        {"n": "Int", **_TWO},
        ["(>= n 0)", "(<= (+ n 1) m)", *_E_TERMS],
        f"(= {_to('(+ n 1)', _RISING)} (* s {_to('n', _PAIR)}))",
        base=[*_ends("0", _PAIR), *_ends("0", _RISING), unfold(_to("1", _RISING)), given(0, "1")],
        step=[unfold(_to("(+ (+ n 1) 1)", _RISING)), unfold(_to("(+ n 1)", _PAIR)), given(0, "(+ (+ n 1) 1)")],
    ),
    by_induction(
        "pairs-that-fall",
        {"n": "Int", **_TWO},
        ["(>= n 0)", "(<= n h)", "(<= (+ h 1) m)", *_F_TERMS],
        f"(= {_to('n', _FALLING)} (* t {_to('n', _PAIR)}))",
        base=[*_ends("0", _PAIR, _FALLING), given(0, "(+ h 1)")],
        step=[
            unfold(_to("(+ n 1)", _FALLING)),
            unfold(_to("(+ n 1)", _PAIR)),
            given(0, "(- (+ h 1) (+ n 1))"),
        ],
    ),
    by_induction(
        "pairs-weighed",
        {"n": "Int", "h": "Int", "e": 1, "f": 1},
        ["(>= n 0)"],
        f"(= (* (+ h 1) {_to('n', _NEXT_PAIR)}) (+ {_to('n', _RISING)} {_to('n', _FALLING)}))",
        base=_ends("0", _NEXT_PAIR, _RISING, _FALLING),
        step=[unfold(_to("(+ n 1)", each)) for each in (_NEXT_PAIR, _RISING, _FALLING)],
    ),
    by_query(
        "pairs-of-next",
        _TWO,
        ["(>= h 0)", "(<= (+ h 1) m)", *_E_TERMS, *_F_TERMS],
        f"(= (* (+ h 1) {_to('(+ h 1)', _NEXT_PAIR)}) (* (+ s t) {_to('h', _PAIR)}))",
        earlier("pairs-that-rise", **same(*_TWO), n="h"),
        earlier("pairs-that-fall", **same(*_TWO), n="h"),
        earlier("pairs-weighed", **same("h", "e", "f"), n="(+ h 1)"),
        unfold(_to("(+ h 1)", _FALLING)),
    ),
    by_induction(
        "terms-of-sum",
        {**_TWO, "g": 1},
        ["(>= h 0)", "(<= h m)", *_E_TERMS, *_F_TERMS, *terms("g", "(+ s t)", "m")],
        f"(= (g h) {_to('h', _PAIR)})",
        base=[*_ends("0", _PAIR.replace("(- h i)", "(- 0 i)"))],
        step=[given(2, "(+ h 1)"), earlier("pairs-of-next", **same(*_TWO))],
    ),
    by_induction(
        "stairs-higher",
        _FUNCTIONS,
        ["(>= j 0)", "(<= j n)"],
        f"(= {_to('j', _HIGHER)} (+ {_to('j', _STAIRS)} {_to('j', '(* (e i) (f (- (+ n 1) i)))')}))",
        base=[
            *_ends("0", _HIGHER, _STAIRS, "(* (e i) (f (- (+ n 1) i)))"),
            unfold(_partial("(+ n 1)")),
        ],
        step=[
            *(unfold(_to("(+ j 1)", each)) for each in (_HIGHER, _STAIRS, "(* (e i) (f (- (+ n 1) i)))")),
            unfold(_partial("(- (+ n 1) (+ j 1))")),
        ],
    ),
    by_induction(
        "stairs",
        {"n": "Int", "e": 1, "f": 1},
        ["(>= n 0)"],
        f"(= (sum (k 0 n) {_COEFFICIENT}) {_to('n', _STAIRS)})",
        base=[
            *(unfold(f"(sum (k 0 {end}) {_COEFFICIENT})") for end in ("0", "(- 0 1)")),
            *_ends("0", "(* (e i) (f (- 0 i)))", f"(* (e i) {_partial('(- 0 i)')})"),
            *(unfold(_partial(end)) for end in ("0", "(- 0 1)")),
        ],
        step=[
            unfold(f"(sum (k 0 (+ n 1)) {_COEFFICIENT})"),
            unfold(_to("(+ n 1)", "(* (e i) (f (- (+ n 1) i)))")),
            unfold(_to("(+ n 1)", _HIGHER)),
            earlier("stairs-higher", j="n", n="n", m="n", e="e", f="f"),
            *(unfold(_partial(end)) for end in ("0", "(- 0 1)")),
        ],
    ),
    by_induction(
        "partial-sums-rise",
        {"n": "Int", "j": "Int", "m": "Int", "f": 1},
        ["(>= n 0)", "(>= j 0)", "(<= (+ j n) m)", _NOT_NEGATIVE[1]],
        f"(<= {_partial('j')} {_partial('(+ j n)')})",
        base=[],
        step=[unfold(_partial("(+ j (+ n 1))")), given(0, "(+ j (+ n 1))")],
    ),
    by_induction(
        "stairs-at-most",
        _FUNCTIONS,
        ["(>= j 0)", "(<= j n)", "(<= n m)", *_NOT_NEGATIVE],
        f"(<= {_to('j', _STAIRS)} (* {_to('j', '(e i)')} {_partial('n')}))",
        base=[*_ends("0", _STAIRS, "(e i)")],
        step=[
            unfold(_to("(+ j 1)", _STAIRS)),
            unfold(_to("(+ j 1)", "(e i)")),
            given(0, "(+ j 1)"),
            earlier("partial-sums-rise", n="(+ j 1)", j="(- n (+ j 1))", m="m", f="f"),
        ],
    ),
    by_induction(
        "stairs-at-least",
        {**_FUNCTIONS, "q": "Int"},
        ["(>= j 0)", "(<= j n)", "(>= q 0)", "(<= (+ n q) m)", *_NOT_NEGATIVE],
        f"(>= {_to('j', _BEYOND)} (* {_to('j', '(e i)')} {_partial('q')}))",
        base=[
            *_ends("0", _BEYOND, "(e i)"),
            given(0, "0"),
            earlier("partial-sums-rise", n="n", j="q", m="m", f="f"),
        ],
        step=[
            unfold(_to("(+ j 1)", _BEYOND)),
            unfold(_to("(+ j 1)", "(e i)")),
            given(0, "(+ j 1)"),
            earlier("partial-sums-rise", n="(- n (+ j 1))", j="q", m="m", f="f"),
        ],
    ),
    by_induction(
        "partial-sum-not-negative",
        {"n": "Int", "m": "Int", "f": 1},
        ["(>= n 0)", "(<= n m)", _NOT_NEGATIVE[1]],
        f"(>= {_partial('n')} 0)",
        base=[*(unfold(_partial(end)) for end in ("0", "(- 0 1)")), given(0, "0")],
        step=[unfold(_partial("(+ n 1)")), given(0, "(+ n 1)")],
    ),
    by_induction(
        "stairs-beyond",
        {**_FUNCTIONS, "q": "Int"},
        ["(>= j 0)", "(<= j q)", "(>= n 0)", "(<= (+ n q) m)", *_NOT_NEGATIVE],
        f"(>= {_to('(+ n j)', _BEYOND)} {_to('n', _BEYOND)})",
        base=[],
        step=[
            unfold(_to("(+ n (+ j 1))", _BEYOND)),
            given(0, "(+ n (+ j 1))"),
            earlier("partial-sum-not-negative", n="(- (+ n q) (+ n (+ j 1)))", m="m", f="f"),
        ],
    ),
)
"""Products of the partial sums of e^s and e^t, and those of e^(s + t), whose terms are g."""

_BOUNDED = (("e", "n", "E"), ("f", "n", "F"), ("f", "q", "F"), ("g", "(+ n q)", "G"))
_SERIES_OF_SUM: Sorts = {**dict.fromkeys(("n", "q", "m"), "Int"), "s": "Real", "t": "Real", **dict.fromkeys("efg", 1)}
_ALL_TERMS = [*_E_TERMS, *_F_TERMS, *terms("g", "(+ s t)", "m")]
_RANGES = ["(>= n 0)", "(>= q 0)", "(<= (+ n q) m)", "(>= s 0)", "(>= t 0)"]

EXPONENTIAL_OF_SUM = (
    by_query(
        "each-term-not-negative",
        {"m": "Int", "t": "Real", "e": 1},
        ["(>= t 0)", *_TERMS],
        "(all (i 0 m) (>= (e i) 0))",
        earlier("terms-not-negative", n="i", m="m", t="t", e="e"),
    ),
    by_query(
        "each-term-of-sum",
        {name: sort for name, sort in _SERIES_OF_SUM.items() if name not in ("n", "q")},
        _ALL_TERMS,
        f"(all (k 0 m) (= (g k) {_COEFFICIENT}))",
        earlier("terms-of-sum", **same("m", "s", "t", "e", "f", "g"), h="k"),
    ),
    by_induction(
        "partial-sum-of-sum",
        {"n": "Int", "m": "Int", "e": 1, "f": 1, "g": 1},
        ["(>= n 0)", "(<= n m)", f"(all (k 0 m) (= (g k) {_COEFFICIENT}))"],
        f"(= {partial('g', 'n')} (sum (k 0 n) {_COEFFICIENT}))",
        base=[
            *(unfold(partial("g", end)) for end in ("0", "(- 0 1)")),
            *(unfold(f"(sum (k 0 {end}) {_COEFFICIENT})") for end in ("0", "(- 0 1)")),
            given(0, "0"),
        ],
        step=[
            unfold(partial("g", "(+ n 1)")),
            unfold(f"(sum (k 0 (+ n 1)) {_COEFFICIENT})"),
            given(0, "(+ n 1)"),
        ],
    ),
    by_query(
        "partial-sums-multiply",
        _SERIES_OF_SUM,
        [*_RANGES, *_ALL_TERMS],
        f"(and (<= {partial('g', 'n')} (* {partial('e', 'n')} {partial('f', 'n')}))"
        f" (>= {partial('g', '(+ n q)')} (* {partial('e', 'n')} {partial('f', 'q')})))",
        earlier("each-term-not-negative", m="m", t="s", e="e"),
        earlier("each-term-not-negative", m="m", t="t", e="f"),
        earlier("each-term-of-sum", **same("m", "s", "t", "e", "f", "g")),
        earlier("partial-sum-of-sum", **same("n", "m", "e", "f", "g")),
        earlier("partial-sum-of-sum", **same("m", "e", "f", "g"), n="(+ n q)"),
        earlier("stairs", **same("n", "e", "f")),
        earlier("stairs", **same("e", "f"), n="(+ n q)"),
        earlier("stairs-at-most", **same("n", "m", "e", "f"), j="n"),
        earlier("stairs-at-least", **same("n", "m", "e", "f", "q"), j="n"),
        earlier("stairs-beyond", **same("n", "m", "e", "f", "q"), j="q"),
    ),
    by_query(
        "exponential-of-sum",
        {**_SERIES_OF_SUM, **dict.fromkeys("EFG", "Real")},
        [
            *_RANGES,
            *_ALL_TERMS,
            *(f"(<= {partial(term, last)} {value})" for term, last, value in _BOUNDED),
            "(>= F 1)",
            f"(>= {partial('e', 'n')} 1)",
            f"(or (<= G (* E F)) (<= (- G (/ (- G (* E F)) 2)) {partial('g', 'n')}))",
            f"(or (<= E (/ G F)) (<= (- E (/ (- E (/ G F)) 2)) {partial('e', 'n')}))",
            f"(or (<= F (/ G {partial('e', 'n')}))"
            f" (<= (- F (/ (- F (/ G {partial('e', 'n')})) 2)) {partial('f', 'q')}))",
        ],
        "(= G (* E F))",
        earlier("partial-sums-multiply", **same(*_SERIES_OF_SUM)),
    ),
)
"""E, F and G are e^s, e^t and e^(s + t), the suprema of their partial sums; n and q are such that, if the product and
e^(s + t) differed, these sums would show it.
"""

POWERS = (
    by_induction(
        "pow-at-most-one",
        {"n": "Int", "r": "Real"},
        ["(>= n 0)", "(> r 0)", "(<= r 1)"],
        "(<= (pow r n) 1)",
        base=[],
        step=[unfold("(pow r (+ n 1))"), earlier("pow-positive", n="n", E="r")],
    ),
    by_induction(
        "pow-of-sum",
        {"n": "Int", "m": "Int", "E": "Real"},
        ["(>= n 0)", "(>= m 0)"],
        "(= (pow E (+ m n)) (* (pow E m) (pow E n)))",
        base=[],
        step=[unfold("(pow E (+ (+ m n) 1))"), unfold("(pow E (+ n 1))")],
    ),
    by_induction(
        "pow-of-product",
        {"n": "Int", "a": "Real", "b": "Real", "c": "Real"},
        ["(>= n 0)", "(= (* a b) c)"],
        "(= (pow c n) (* (pow a n) (pow b n)))",
        base=[],
        step=[unfold(f"(pow {base} (+ n 1))") for base in "abc"],
    ),
    by_induction(
        "exponential-of-multiple",
        {"n": "Int", "m": "Int", "E": "Real", "X": 1},
        ["(>= n 0)", "(<= n m)", "(= (X 0) 1)", "(all (k 0 (- m 1)) (= (X (+ k 1)) (* (X k) E)))"],
        "(= (X n) (pow E n))",
        base=[],
        step=[given(0, "n"), unfold("(pow E (+ n 1))")],
    ),
    by_induction(
        "pow-in-order",
        {"n": "Int", "a": "Real", "b": "Real"},
        ["(>= n 0)", "(> a 0)", "(<= a b)"],
        "(<= (pow a n) (pow b n))",
        base=[],
        step=[
            unfold("(pow a (+ n 1))"),
            unfold("(pow b (+ n 1))"),
            earlier("pow-positive", n="n", E="a"),
        ],
    ),
)
