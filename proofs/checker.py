"""The checker of exported proofs: one file, `fractions` and `json` alone.

Run it as `python checker.py < PROOFS.json`; the status is 0 if it accepts and 1 if it rejects.

A document is {"schema": SCHEMA, "theorems": [{"id", "steps", "states"}, ...]}; an object has the fields that are named
here and no other. A step says: for all values of its variables, what is given implies what follows. It has a "name",
which no other step has; "for", that each variable is "Int", "Real", or the number of arguments of a function to the
reals; formulas that are "given", and "then", the one that follows; "by" and "proofs", how it is proved. "states" is the
statement of the theorem: those of its steps that are that statement, each with a point. A point has a value for each
variable: a term, or for a function [VARIABLE, ..., TERM]. All that is given holds there, and what follows; what is said
of all integers of a range, of one at least. So no statement is about nothing.

Formulas are texts of parentheses and words, as in SMT-LIB 2: comparisons, (and ...), (or ...), (not ...), of terms with
+ - * /, (ite formula term term), (f term ...) of a function, (pow base n), and (sum (k low high) term) and (prod (k low
high) term) over the integers k from low to high. (all (k low high) formula), for every integer k from low to high, may
be given, or follow, or be the formula in another. A name is of letters and digits and begins with a letter; a name that
is bound is none that is declared around it.

A step is proved "by" "query": the givens, the opposite of what follows, and instances are contradictory, as the
certificate in "proofs", by the name "query", shows. Or by ["induction", n, number], on an integer n from a number on:
the first given is (>= n number), no given (all ...) is about n, and "proofs" has "base", for that number, and "step",
for n + 1, where what the step says for n is given, last. A proof has a "certificate", and "using", instances:

- ["given", NUMBER, TERM]: a formula (all ...) at an integer, numbered from 0 among those that are given or come of
  instances before;
- ["unfold", TERM]: what a sum, a product or a power has to do with that of one term less;
- ["step", NAME, {VARIABLE: TERM}]: an earlier step, with terms for its variables; for a function a name, or [VARIABLE,
  ..., TERM]. Its givens (all ...) must be among those known.

A certificate is

- ["case", FORMULA, IF_TRUE, IF_FALSE]: the formula, a text, holds or fails; a certificate for either; or
- ["sum", PRODUCTS, MULTIPLES]: what the facts say, p >= 0, p > 0 or p = 0 for polynomials p, is contradictory. A
  product is [COEFFICIENT, [FACT, ...], [POLYNOMIAL, ...]]: a coefficient above 0, facts by their number, with
  repetition, and polynomials whose squares are multiplied on. A multiple is [POLYNOMIAL, FACT], of a fact p = 0. All
  products and multiples must add up to the polynomial 0, and one product must be above 0: no squares, and only facts
  p > 0, or none. A polynomial is [[COEFFICIENT, {VARIABLE: EXPONENT}], ...], with numbers such as "-3/2".

The facts are numbered from 0 as they are found: givens in their order, the range of what follows, instances, the
opposite of what follows, then the cases; "and" is taken apart, "or" with all but one part known to fail is its last
part, and "ite" with a known condition is the one side. A quotient a/b is a variable of its own with the fact
b (a/b) - a = 0, as soon as b > 0, b < 0 or b != 0 is known. p >= 0 and p != 0 make p > 0; where all variables of p > 0
are integers, and all coefficients made so, p - 1 >= 0 is a fact as well. What is known to hold and to fail makes
-1 > 0. A polynomial is a fact with its first coefficient made 1, or -1.
"""

# mypy: disable-error-code="type-arg"

from __future__ import annotations

import json
from fractions import Fraction

SCHEMA = "dpcert.proofs/2"


class Rejected(Exception):
    """A proof that is not one, and why."""


class Bound:
    """A variable that a sum, a product, a function or (all ...) binds: an object, which no text can name or capture."""

    def __init__(self, name: str) -> None:
        """Make another one; `name` is what its text has."""
        self.name = name


class Function(tuple):
    """A function that is written out: what its variables are bound as, then its value."""


Term = str | Fraction | Bound | tuple
Polynomial = dict[tuple[tuple[str, int], ...], Fraction]
Literal = tuple[str, str, Polynomial]
"""The key of a polynomial, the relation ">=", ">", "=" or "!=" that it has to 0, and the polynomial."""


# Data: each value has the type that is named, True is no 1, and no field is unknown or missing.


def once(pairs: list) -> dict:
    """Return an object of JSON that has each of its keys once."""
    if len(dict(pairs)) < len(pairs):
        raise Rejected(f"a key twice: {shortly([key for key, _ in pairs])}")
    return dict(pairs)


def a_list(written: object) -> list:
    """Return a list."""
    if type(written) is not list:
        raise Rejected(f"not a list: {shortly(written)}")
    return written


def an_object(written: object) -> dict:
    """Return an object."""
    if type(written) is not dict:
        raise Rejected(f"not an object: {shortly(written)}")
    return written


def fields(written: object, *names: str) -> list:
    """Return what an object has in its fields, if it has these alone."""
    if set(an_object(written)) != set(names):
        raise Rejected(f"not an object with {', '.join(names)}: {shortly(written)}")
    return [an_object(written)[name] for name in names]


def entry(number: object, entries: list) -> tuple:
    """Return one of the entries by its number."""
    if type(number) is not int or not 0 <= number < len(entries):
        raise Rejected(f"no number below {len(entries)}: {shortly(number)}")
    found: tuple = entries[number]
    return found


def a_text(written: object) -> str:
    """Return a text of printable ASCII."""
    if type(written) is not str or not (written.isascii() and written.isprintable()):
        raise Rejected(f"not a text of printable ASCII: {shortly(written)}")
    return written


def a_ratio(written: object) -> Fraction:
    """Return a number such as "-3/2"; 1.5, 1e9 and NaN are none."""
    if not all(part.isdigit() for part in a_text(written).removeprefix("-").split("/", 1)):
        raise Rejected(f"not a number such as -3/2: {shortly(written)}")
    return Fraction(a_text(written))


def shortly(written: object) -> str:
    """Return the beginning of what was written, for a message."""
    return ascii(written)[:80]


# Terms: a text is read into nested lists of words, then into a term. A variable is a text, a number a fraction, all
# else a tuple of its head and its parts; what binds has the `Bound`, both bounds, and the body.

BINDERS = {"sum": "term", "prod": "term", "all": "all"}
MANY = {"+": "term", "-": "term", "*": "term", "and": "formula", "or": "formula"}
SHAPES = {
    **dict.fromkeys(("/", "pow"), ("term", "term", "term")),
    **dict.fromkeys(("<", "<=", ">", ">=", "="), ("formula", "term", "term")),
    "to_real": ("term", "term"),
    "ite": ("term", "formula", "term", "term"),
    "not": ("formula", "formula"),
}
ONE = Fraction(1)


def one(text: object, kind: str, scope: dict) -> Term:
    """Return the one "term" in a text, or the "formula"; or "all", a formula that may be about a range of integers."""
    stack: list[list] = [[]]
    for word in a_text(text).replace("(", " ( ").replace(")", " ) ").split():
        if word == "(":
            stack.append([])
        elif word == ")" and len(stack) > 1:
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word)
    if len(stack) != 1 or len(stack[0]) != 1:
        raise Rejected(f"not one {kind}: {shortly(text)}")
    return built(stack[0][0], kind, scope)


def built(words: str | list, kind: str, scope: dict) -> Term:
    """Return what words say where a scope has sorts for names."""
    if isinstance(words, str):
        return leaf(words, kind, scope)
    head, *parts = words or [""]
    if not isinstance(head, str):
        raise Rejected("a parenthesis in place of an operation")
    if BINDERS.get(head) == kind:
        return binding(head, parts, kind, scope)
    kind = "formula" if kind == "all" else kind
    made, *kinds = ["term"] * (scope[head] + 1) if type(scope.get(head)) is int else SHAPES.get(head, [""])
    if head in MANY:
        made, kinds = MANY[head], [MANY[head]] * max(1, len(parts))
    if made != kind or len(parts) != len(kinds):
        raise Rejected(f"not a {kind}: {shortly(head)} of {len(parts)}")
    found = [built(part, each, scope) for part, each in zip(parts, kinds, strict=True)]
    return found[0] if head == "to_real" else (head, *found)


def leaf(word: str, kind: str, scope: dict) -> Term:
    """Return a number, or a variable that is declared."""
    if kind != "term":
        raise Rejected(f"not a formula: {shortly(word)}")
    whole, point, rest = word.partition(".")
    if whole.isdigit() and (rest.isdigit() or not point):
        return Fraction(word)
    sort: Term | int = scope.get(word, "")
    if sort not in ("Int", "Real") and not isinstance(sort, Bound):
        raise Rejected(f"not declared: {shortly(word)}")
    return sort if isinstance(sort, Bound) else word


def binding(head: str, parts: list, kind: str, scope: dict) -> Term:
    """Return a term that binds an integer."""
    written, body = parts
    name, low, high = a_list(written)
    k = Bound(new_name(name, scope))
    return (head, k, *(built(end, "term", scope) for end in (low, high)), built(body, kind, {**scope, name: k}))


def new_name(written: object, scope: dict) -> str:
    """Return a name that is none of an operation, and is not declared."""
    name = a_text(written)
    if not (name.isalnum() and name[0].isalpha()) or name in (*BINDERS, *MANY, *SHAPES):
        raise Rejected(f"not a name: {shortly(name)}")
    if name in scope:
        raise Rejected(f"a name twice: {name}")
    return name


def integer(term: Term, scope: dict) -> Term:
    """Return a term that is an integer, whatever its variables are; else raise Rejected."""
    if isinstance(term, tuple) and term[0] in ("+", "-", "*"):
        for part in term[1:]:
            integer(part, scope)
    elif not (term.denominator == 1 if isinstance(term, Fraction) else isinstance(term, str) and scope[term] == "Int"):
        raise Rejected(f"not an integer: {term[0] if isinstance(term, tuple) else term}")
    return term


def is_all(formula: Term) -> bool:
    """Whether a formula is about all integers in a range."""
    return isinstance(formula, tuple) and formula[0] == "all"


def put(term: Term, values: dict) -> Term:
    """Return a term with others in place of variables. What it binds is made anew, so that it captures nothing."""
    if not isinstance(term, tuple):
        found: Term = values.get(term, term)
        return found
    head, *parts = term
    if head in BINDERS:
        k, low, high, body = parts
        fresh = Bound(k.name)
        return (head, fresh, put(low, values), put(high, values), put(body, {**values, k: fresh}))
    parts = [put(part, values) for part in parts]
    function = values.get(head, head)
    if isinstance(function, Function):
        return put(function[-1], dict(zip(function[:-1], parts, strict=True)))
    return (function, *parts)


def names(term: Term) -> set:
    """Return the names of variables and operations in a term."""
    return set().union(*map(names, term)) if isinstance(term, tuple) else {term}


def plain(term: Term, levels: dict) -> Term:
    """Return a term with the level for what is bound: equal for terms that differ in bound names alone."""
    if not isinstance(term, tuple):
        found: Term = levels.get(term, term)
        return found
    if term[0] not in BINDERS:
        return tuple(plain(part, levels) for part in term)
    head, k, low, high, body = term
    return (head, plain(low, levels), plain(high, levels), plain(body, {**levels, k: ("#", len(levels))}))


def weakened(failing: list, formula: Term) -> Term:
    """Return that one of some formulas holds, or this one, which may be about all integers of a range."""
    if not isinstance(formula, tuple) or not is_all(formula):
        return ("or", *failing, formula)
    *kept, body = formula
    return (*kept, weakened(failing, body) if failing else body)


# Polynomials: a dict from monomials, sorted tuples of (variable, exponent), to coefficients that are not 0.


def plus(p: Polynomial, q: Polynomial, factor: int = 1) -> Polynomial:
    """Return p + factor q."""
    total = dict(p)
    for monomial, coefficient in q.items():
        total[monomial] = total.get(monomial, 0) + factor * coefficient
        if not total[monomial]:
            del total[monomial]
    return total


def times(p: Polynomial, q: Polynomial) -> Polynomial:
    """Return p q."""
    total: Polynomial = {}
    for a, x in p.items():
        for b, y in q.items():
            exponents = dict(a)
            for variable, exponent in b:
                exponents[variable] = exponents.get(variable, 0) + exponent
            monomial = tuple(sorted(exponents.items()))
            total[monomial] = total.get(monomial, 0) + x * y
            if not total[monomial]:
                del total[monomial]
    return total


def constant(value: Fraction | int) -> Polynomial:
    """Return a number as a polynomial."""
    return {(): Fraction(value)} if value else {}


def key(p: Polynomial) -> str:
    """Return a text that two polynomials share exactly if they are equal."""
    return " ".join(f"{c}*" + ".".join(f"{v}^{e}" for v, e in m) for m, c in sorted(p.items()))


OPPOSITE = {">=": "<", ">": "<=", "=": "!=", "!=": "="}


def literal(p: Polynomial, relation: str) -> Literal:
    """Return a literal, of one form for equal ones: not "<" or "<=", and with a first coefficient of 1 or -1."""
    if relation in ("<", "<="):
        p, relation = {m: -c for m, c in p.items()}, ">" + relation[1:]
    if p:
        first = p[min(p)]
        scale = first if relation in ("=", "!=") else abs(first)
        p = {m: c / scale for m, c in p.items()}
    return key(p), relation, p


class Facts:
    """What is known: literals by their keys, and formulas that wait until a condition in them is known."""

    def __init__(self, integers: set[str]) -> None:
        """Know nothing yet, of integer variables and of others."""
        self.integers = integers
        self.bound: dict[Bound, int] = {}
        self.known: dict[tuple[str, str], Polynomial] = {}
        self.list: list[tuple[Polynomial, str]] = []
        self.waiting: list[tuple[Term, bool]] = []
        self.divisors: dict[str, tuple[Polynomial, Polynomial]] = {}

    def copy(self) -> Facts:
        """Return the same facts, to which others may be added."""
        other = Facts(self.integers)
        other.bound, other.known, other.list = self.bound, dict(self.known), list(self.list)
        other.waiting, other.divisors = list(self.waiting), dict(self.divisors)
        return other

    def term(self, term: Term) -> Polynomial | None:
        """Return a term as a polynomial, or None while a condition in it is not known."""
        if isinstance(term, Fraction):
            return constant(term)
        if not isinstance(term, tuple):
            name = f"#{len(self.bound) - self.bound[term] - 1}" if isinstance(term, Bound) else term
            return {((name, 1),): ONE}
        head, *parts = term
        if head == "ite":
            truth = self.truth(parts[0])
            return None if truth is None else self.term(parts[1] if truth else parts[2])
        if head in BINDERS:
            return self.bound_term(head, *parts)
        found = [self.term(part) for part in parts]
        values = [value for value in found if value is not None]
        return self.applied(head, values) if len(values) == len(found) else None

    def applied(self, head: str, values: list[Polynomial]) -> Polynomial:
        """Return an operation, or a function, of polynomials: a variable, of one name for equal ones, if not + - *."""
        if head == "/":
            return self.quotient(*values)
        if head == "pow":
            return {((f"pow[{';'.join(map(key, values))}]", 1),): ONE} if values[1] else constant(1)
        if head not in MANY:
            return {((f"{head}({', '.join(map(key, values))})", 1),): ONE}
        total = values[0] if len(values) > 1 or head != "-" else plus(constant(0), values[0], -1)
        for value in values[1:]:
            total = times(total, value) if head == "*" else plus(total, value, 1 if head == "+" else -1)
        return total

    def bound_term(self, head: str, k: Bound, low: Term, high: Term, body: Term) -> Polynomial:
        """Return a term that binds an integer; a condition in it must be known for all integers."""
        inner = self.copy()
        inner.bound = {**self.bound, k: len(self.bound)}
        found = [self.term(low), self.term(high), inner.term(body)]
        values = [key(value) for value in found if value is not None]
        if len(values) < 3:
            raise Rejected(f"a condition in a {head}")
        return {((f"{head}[{';'.join(values)}]", 1),): ONE}

    def quotient(self, a: Polynomial, b: Polynomial) -> Polynomial:
        """Return a/b: a polynomial for a number b, else a variable."""
        if set(b) == {()}:
            return {m: c / b[()] for m, c in a.items()}
        name = f"({key(a)})/({key(b)})"
        self.divisors.setdefault(name, (a, b))
        return {((name, 1),): ONE}

    def literal(self, formula: tuple) -> Literal | None:
        """Return the literal that a comparison is, or None while a condition in it is not known."""
        relation, left, right = formula
        p, q = self.term(left), self.term(right)
        return None if p is None or q is None else literal(plus(p, q, -1), relation)

    def truth(self, formula: Term) -> bool | None:
        """Return whether a formula is known to hold, or to fail; None if neither."""
        if not isinstance(formula, tuple):
            raise Rejected(f"not a formula: {formula}")
        head, *parts = formula
        if head == "not":
            truth = self.truth(parts[0])
            return None if truth is None else not truth
        if head in ("and", "or"):
            truths = [self.truth(part) for part in parts]
            decided = head == "or"
            return decided if decided in truths else None if None in truths else not decided
        found = self.literal(formula)
        return None if found is None else self.decided(found)

    def decided(self, found: Literal) -> bool | None:
        """Return whether a literal is known to hold, or to fail; None if neither."""
        name, relation, p = found
        if set(p) <= {()}:
            value = p.get((), Fraction(0))
            return {">=": value >= 0, ">": value > 0, "=": value == 0, "!=": value != 0}[relation]
        if (name, relation) in self.known:
            return True
        opposite = literal(p, OPPOSITE[relation])
        return False if opposite[:2] in self.known else None

    def add(self, formula: Term, holds: bool = True) -> None:
        """Add that a formula holds, or fails."""
        if not isinstance(formula, tuple):
            raise Rejected(f"not a formula: {formula}")
        head, *parts = formula
        if head == "not":
            self.add(parts[0], not holds)
        elif head in ("and", "or") and (head == "and") is holds:
            for part in parts:
                self.add(part, holds)
        elif head in ("and", "or"):
            open_parts = [part for part in parts if self.truth(part) is None]
            if any(self.truth(part) is holds for part in parts):
                return
            if len(open_parts) == 1:
                self.add(open_parts[0], holds)
            elif open_parts:
                self.waiting.append((formula, holds))
            else:
                self.know(literal(constant(-1), ">"))
        else:
            found = self.literal(formula)
            if found is None:
                self.waiting.append((formula, holds))
            else:
                self.know(found if holds else literal(found[2], OPPOSITE[found[1]]))

    def know(self, found: Literal) -> None:
        """Add a literal, with what follows from it and another one, or for integers."""
        name, relation, p = found
        if (name, relation) in self.known:
            return
        if self.decided(found) is False:
            self.list.append((constant(-1), ">"))
            return
        self.known[name, relation] = p
        if relation != "!=":
            self.list.append((p, relation))
        if relation == ">=" and literal(p, "!=")[:2] in self.known:
            self.know(literal(p, ">"))
        for side in (">=", "<="):
            if relation == "!=" and literal(p, side)[:2] in self.known:
                self.know(literal(p, side.rstrip("=")))
        if relation == ">" and p and all(v in self.integers for m in p for v, _ in m):
            common = 1
            for c in p.values():
                common = Fraction(common, c.denominator).numerator * c.denominator
            self.know(literal(plus({m: common * c for m, c in p.items()}, constant(1), -1), ">="))

    def settle(self) -> None:
        """Take up what waited, until nothing more is known, and add what is known of quotients."""
        while True:
            before = len(self.known), len(self.waiting), len(self.divisors)
            waited, self.waiting = self.waiting, []
            for formula, holds in waited:
                self.add(formula, holds)
            for name, (a, b) in list(self.divisors.items()):
                signs = literal(b, ">"), literal(b, "<"), literal(b, "!=")
                if any(sign[:2] in self.known for sign in signs):
                    self.know(literal(plus(times(b, {((name, 1),): ONE}), a, -1), "="))
            if before == (len(self.known), len(self.waiting), len(self.divisors)):
                return


def refuted(facts: Facts, certificate: object, scope: dict) -> None:
    """Return if the certificate shows that the facts are contradictory; else raise Rejected."""
    facts.settle()
    kind, *parts = a_list(certificate) or [""]
    if kind == "case" and len(parts) == 3:
        formula = one(parts[0], "formula", scope)
        for holds, rest in ((True, parts[1]), (False, parts[2])):
            other = facts.copy()
            other.add(formula, holds)
            refuted(other, rest, scope)
    elif kind == "sum" and len(parts) == 2:
        added(facts.list, *map(a_list, parts))
    else:
        raise Rejected(f"not a certificate: {shortly(kind)}")


def added(facts: list[tuple[Polynomial, str]], products: list, multiples: list) -> None:
    """Return if products and multiples of facts add up to 0 with a product above 0; else raise Rejected."""
    total, above = constant(0), False
    for coefficient, places, squares in map(a_list, products):
        if a_ratio(coefficient) <= 0:
            raise Rejected("a coefficient that is not above 0")
        chosen = [entry(place, facts) for place in a_list(places)]
        if any(relation == "=" for _, relation in chosen):
            raise Rejected("a fact p = 0 in a product")
        roots = [polynomial(square) for square in a_list(squares)]
        product = constant(a_ratio(coefficient))
        for p in [p for p, _ in chosen] + roots + roots:
            product = times(product, p)
        above = above or (not roots and all(relation == ">" for _, relation in chosen))
        total = plus(total, product)
    for multiplier, place in map(a_list, multiples):
        p, relation = entry(place, facts)
        if relation != "=":
            raise Rejected("a multiple of a fact that is no equation")
        total = plus(total, times(polynomial(multiplier), p))
    if total or not above:
        raise Rejected("a sum that is no contradiction")


def polynomial(written: object) -> Polynomial:
    """Return a polynomial that is written out. Any texts may be its variables: a sum is 0 for all values of them."""
    total = constant(0)
    for coefficient, exponents in map(a_list, a_list(written)):
        if any(type(e) is not int or e < 1 for e in an_object(exponents).values()):
            raise Rejected("an exponent that is no integer above 0")
        total = plus(total, times(constant(a_ratio(coefficient)), {tuple(sorted(exponents.items())): ONE}))
    return total


class Step:
    """What a step says."""

    def __init__(self, name: object, sorts: object, given: object, then: object) -> None:
        """Say it, with the sorts of the variables, and texts."""
        self.name, self.sorts = a_text(name), an_object(sorts)
        for variable, sort in self.sorts.items():
            new_name(variable, {})
            if sort not in ("Int", "Real") and (type(sort) is not int or sort < 1):
                raise Rejected(f"not a sort: {shortly(sort)}")
        self.given = [one(text, "all", self.sorts) for text in a_list(given)]
        self.then = one(then, "all", self.sorts)


def taken(sorts: dict, written: object, scope: dict) -> dict:
    """Return what is written for variables of these sorts, in a scope: terms, and names of functions or functions."""
    values: dict[str, Term] = {}
    for (name, sort), value in zip(sorts.items(), fields(written, *sorts), strict=True):
        if isinstance(sort, str):
            term = one(value, "term", scope)
            values[name] = integer(term, scope) if sort == "Int" else term
        elif type(value) is str and type(scope.get(value)) is int and scope[value] == sort:
            values[name] = value
        else:
            values[name] = function(value, sort, scope)
    return values


def function(written: object, places: int, scope: dict) -> Function:
    """Return a function of so many variables that is written out."""
    *variables, body = a_list(written) or [""]
    if len(variables) != places:
        raise Rejected(f"not a function of {places}: {shortly(written)}")
    inner = dict(scope)
    for name in variables:
        inner[name] = Bound(new_name(name, inner))
    return Function([*(inner[name] for name in variables), one(body, "term", inner)])


class Proof:
    """What is known in a proof: facts, what is known of all integers of ranges, and what is declared."""

    def __init__(self, step: Step, givens: list, then: Term, using: object, proved: dict[str, Step]) -> None:
        """Know the givens, the opposite of what follows, and instances."""
        self.scope = dict(step.sorts)
        self.facts = Facts({name for name, sort in step.sorts.items() if sort == "Int"})
        self.known: list = []
        for given in givens:
            self.know(given)
        while isinstance(then, tuple) and is_all(then):
            _, k, low, high, body = then
            name = new_name(k.name, self.scope)
            self.scope[name] = "Int"
            self.facts.integers.add(name)
            self.facts.add(("<=", low, name))
            self.facts.add(("<=", name, high))
            then = put(body, {k: name})
        for written in a_list(using):
            for formula in self.instance(a_list(written), proved):
                self.know(formula)
        self.facts.add(then, False)

    def know(self, formula: Term) -> None:
        """Add a formula."""
        if is_all(formula):
            self.known.append(formula)
        else:
            self.facts.add(formula)

    def instance(self, written: list, proved: dict[str, Step]) -> list:
        """Return what an instance says."""
        kind, *parts = written or [""]
        if kind == "given":
            number, text = parts
            _, k, low, high, body = entry(number, self.known)
            t = integer(one(text, "term", self.scope), self.scope)
            outside = [part for part in (("<", t, low), (">", t, high)) if self.facts.truth(part) is not False]
            return [weakened(outside, put(body, {k: t}))]
        if kind == "unfold":
            (text,) = parts
            return unfolded(one(text, "term", self.scope), self.scope)
        if kind == "step":
            name, values = parts
            if a_text(name) not in proved:
                raise Rejected(f"not proved before: {name}")
            return [self.applied(proved[name], taken(proved[name].sorts, values, self.scope))]
        raise Rejected(f"not an instance: {shortly(kind)}")

    def applied(self, step: Step, values: dict) -> Term:
        """Return an earlier step with terms for its variables: what is given implies what follows."""
        failing = []
        for given in step.given:
            formula = put(given, values)
            if is_all(given) and plain(formula, {}) not in [plain(other, {}) for other in self.known]:
                raise Rejected(f"{step.name}: a given (all ...) that is not known")
            if not is_all(given) and self.facts.truth(formula) is not True:
                failing.append(("not", formula))
        return weakened(failing, put(step.then, values))


def unfolded(term: Term, scope: dict) -> list:
    """Return what a sum, a product or a power has to do with one of a term less."""
    head, *parts = term if isinstance(term, tuple) else ("",)
    if head == "pow":
        base, n = parts
        integer(n, scope)
        less: tuple = ("*", base, ("pow", base, ("-", n, ONE)))
        return [("or", ("<", n, ONE), ("=", term, less)), ("or", ("not", ("=", n, ONE - 1)), ("=", term, ONE))]
    if head not in BINDERS:
        raise Rejected("nothing to unfold")
    k, low, high, body = parts
    for end in (low, high):
        integer(end, scope)
    join, empty = {"sum": ("+", ONE - 1), "prod": ("*", ONE)}[head]
    less = (join, (head, k, low, ("-", high, ONE), body), put(body, {k: high}))
    return [("or", ("<", high, low), ("=", term, less)), ("or", (">=", high, low), ("=", term, empty))]


def obligations(step: Step, by: object, proofs: dict, proved: dict[str, Step]) -> dict[str, Proof]:
    """Return the proofs that a step needs, by their names, with what each shows to be contradictory."""
    parts = {"query": (step.given, step.then)} if by == "query" else induction(step, a_list(by))
    using = [fields(proof, "using", "certificate")[0] for proof in fields(proofs, *parts)]
    return {
        name: Proof(step, givens, then, each, proved)
        for (name, (givens, then)), each in zip(parts.items(), using, strict=True)
    }


def induction(step: Step, by: list) -> dict[str, tuple[list, Term]]:
    """Return what is given, and what follows, at the base and at the step of an induction."""
    rule, n, text = map(a_text, by)
    low = leaf(text, "term", {})
    if rule != "induction" or step.sorts.get(n) != "Int" or step.given[:1] != [(">=", n, low)]:
        raise Rejected("an induction on no integer from a number on")
    integer(low, {})
    first, *others = step.given
    if any(n in names(given) for given in others if is_all(given)):
        raise Rejected(f"what is given of all integers of a range depends on {n}")
    start, after = {n: low}, {n: ("+", n, ONE)}
    failing = [("not", given) for given in others if not is_all(given) and n in names(given)]
    givens = [*(given if is_all(given) else put(given, after) for given in others), first, weakened(failing, step.then)]
    base = [put(given, start) for given in step.given]
    return {"base": (base, put(step.then, start)), "step": (givens, put(step.then, after))}


def check_step(written: object, proved: dict[str, Step]) -> Step:
    """Return a step, if it is proved; else raise Rejected."""
    name, sorts, given, then, by, proofs = fields(written, "name", "for", "given", "then", "by", "proofs")
    if a_text(name) in proved:
        raise Rejected(f"step {name}: its name is taken")
    try:
        step = Step(name, sorts, given, then)
        for part, proof in obligations(step, by, proofs, proved).items():
            refuted(proof.facts, proofs[part]["certificate"], proof.scope)
    except Rejected as fault:
        raise Rejected(f"step {name}: {fault}") from None
    return step


# Points.

MOST = 1000


class Numbers(Facts):
    """Facts on numbers alone: a term has a value, or the point is refused, as for a quotient by 0."""

    def term(self, term: Term) -> Polynomial:
        """Return the value of a term."""
        found = super().term(term)
        if found is None or not set(found) <= {()}:
            raise Rejected("at its point, a term without a value")
        return found

    def applied(self, head: str, values: list[Polynomial]) -> Polynomial:
        """Return an operation on numbers."""
        if head != "pow":
            return super().applied(head, values)
        base, exponent = values
        return super().applied("*", [constant(1), *(base for _ in over(constant(1), exponent, 0))])

    def bound_term(self, head: str, k: Bound, low: Term, high: Term, body: Term) -> Polynomial:
        """Return the value of a sum or a product."""
        values = [self.term(put(body, {k: i})) for i in over(self.term(low), self.term(high))]
        return super().applied({"sum": "+", "prod": "*"}[head], [constant(head == "prod"), *values])

    def truth(self, formula: Term) -> bool | None:
        """Return whether a formula holds; one about all integers of a range, of one at least."""
        if not isinstance(formula, tuple) or not is_all(formula):
            return super().truth(formula)
        _, k, low, high, body = formula
        found = [self.truth(put(body, {k: i})) for i in over(self.term(low), self.term(high))]
        return bool(found) and all(found)


def over(low: Polynomial, high: Polynomial, least: int = -MOST) -> list[Fraction]:
    """Return the integers of a range between numbers, neither far nor below the least."""
    first, last = (p.get((), Fraction(0)) for p in (low, high))
    if first.denominator != 1 or last.denominator != 1 or not least <= min(first, last) <= max(first, last) <= MOST:
        raise Rejected(f"at its point, from {first} to {last}")
    return [Fraction(i) for i in range(int(first), int(last) + 1)]


def require_point(step: Step, written: object) -> None:
    """Return if all that is given, and what follows, holds at a point; else raise Rejected."""
    at = taken(step.sorts, written, {})
    for formula in [*step.given, step.then]:
        if Numbers(set()).truth(put(formula, at)) is not True:
            raise Rejected(f"{step.name}: its point is no example")


def check_theorem(written: object, proved: dict[str, Step]) -> None:
    """Add the steps of a theorem to those that are proved, if all of it is; else raise Rejected."""
    _, steps, states = fields(written, "id", "steps", "states")
    own: dict[str, Step] = {}
    for each in a_list(steps):
        step = check_step(each, {**proved, **own})
        own[step.name] = step
    if not an_object(states):
        raise Rejected("it states nothing")
    for name, point in states.items():
        if name not in own:
            raise Rejected(f"it states {shortly(name)}, which is none of its steps")
        require_point(own[name], point)
    proved.update(own)


def check(document: object) -> list[str]:
    """Return the ids of the theorems of a document, if every one is proved; else raise Rejected."""
    schema, theorems = fields(document, "schema", "theorems")
    if schema != SCHEMA:
        raise Rejected(f"not {SCHEMA}")
    ids = [a_text(an_object(theorem).get("id")) for theorem in a_list(theorems)]
    if len(set(ids)) < max(1, len(ids)):
        raise Rejected("no theorem, or an id twice")
    proved: dict[str, Step] = {}
    for name, theorem in zip(ids, theorems, strict=True):
        try:
            check_theorem(theorem, proved)
        except (Rejected, *FAULTS) as fault:
            raise Rejected(f"{name}: {fault}") from None
    return ids


FAULTS = (KeyError, ValueError, TypeError, IndexError, AttributeError, RecursionError, ArithmeticError)


def main(data: bytes) -> None:
    """Print what is accepted, or the first fault, and end with the status 0, or 1."""
    try:
        document = json.loads(data.decode(), object_pairs_hook=once, parse_float=a_ratio, parse_constant=a_ratio)
        accepted = check(document)
    except (Rejected, ValueError, RecursionError) as fault:
        print(f"rejected: {str(fault).encode('ascii', 'backslashreplace').decode()}")
        raise SystemExit(1) from None
    steps, states = (sum(len(theorem[part]) for theorem in document["theorems"]) for part in ("steps", "states"))
    print(f"accepted: {len(accepted)} theorems, {steps} steps, of which {states} are the statements")


if __name__ == "__main__":
    with open(0, "rb") as standard_input:
        main(standard_input.read())
