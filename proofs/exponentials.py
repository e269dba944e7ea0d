"""Bounds of e^t, which for t >= 0 is the supremum of the partial sums of its series: steps for all derivations."""

from __future__ import annotations

from dpcert.proofs.derivation import Instance, by_induction, by_query, earlier, given, unfold


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
