"""The check of certificates on ideal noise, by itself: trees, alignments, and probabilities of finite outcomes.

This file imports the standard library and python-flint alone. What it is given is data: a *tree* is a list of leaves,
each a way through a program with its noise variables, its comparisons and draws in order, and its outcome. That the
leaves are the program's is shown elsewhere, by a run on each of them.

Numbers are texts of fractions. A form is a list of [variable, coefficient]; a row [form, offset] says that the form plus
the offset is positive. Noise variables are numbered from 0 in the order in which they are drawn; the numbers of an
input that is left open are variables below 0. Where no two of some rows contradict each other, a *proof* shows that
they have no common point: multipliers [row, number] above 0, for which the sum of the rows has no variable and no
positive offset. Proofs stand in the order in which they are asked for.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import comb, perm
from typing import Any

import flint

Number = Any
"""A rational number, `flint.fmpq`."""
Bounds = tuple[Number, Number]
Form = dict[int, Number]
Row = tuple[Form, Number]
Law = tuple[str, Number, int]
"""A kind of noise, and its rate: a number times epsilon to a power."""
ZERO, ONE = flint.fmpq(0), flint.fmpq(1)
BOTH_WAYS, UPWARDS, INTEGRABLE = (
    {"laplace", "logistic"},
    {"exponential", "gumbel"},
    {"laplace", "exponential", "uniform"},
)
KINDS = BOTH_WAYS | UPWARDS | INTEGRABLE | {"normal"}
NUMBER = re.compile(r"-?[0-9]{1,20000}(/[0-9]{1,20000})?")
ABOVE, BELOW = 1, 0
MOST_BITS = 1 << 20


class NotShown(ValueError):
    """A certificate does not show what it says."""


def need(holds: bool, words: str) -> None:
    """Raises: NotShown with these words, unless something holds."""
    if not holds:
        raise NotShown(words)


def number(text: Any) -> Number:
    """Return the number that a text is."""
    need(isinstance(text, str) and NUMBER.fullmatch(text) is not None, "a number is no text of a fraction")
    above, _, below = text.partition("/")
    need(int(below or 1) != 0, "a division by 0")
    return flint.fmpq(int(above), int(below or 1))


def _integers(data: Any) -> list[int]:
    need(isinstance(data, list) and all(type(item) is int for item in data), "integers were needed")
    return list(data)


def _form(data: Any) -> Form:
    found = {name: number(c) for name, c in data}
    need(len(found) == len(data) and all(found.values()), "a form with a variable twice, or times 0")
    _integers([*found])
    return found


def _row(data: Any) -> Row:
    form, offset = data
    row = _form(form), number(offset)
    need(any(name >= 0 for name in row[0]), "an inequality without noise")
    return row


def contrary(row: Row) -> Row:
    """Return the row that holds where another one does not."""
    return {name: -c for name, c in row[0].items()}, -row[1]


def supports(laws: Iterable[tuple[int, Law]]) -> list[Row]:
    """Return the rows that say where variables lie."""
    found: list[Row] = []
    for name, (kind, _, _) in laws:
        if kind in ("exponential", "uniform"):
            found.append(({name: ONE}, ZERO))
        if kind == "uniform":
            found.append(({name: -ONE}, ONE))
    return found


class Proofs:
    """The proofs of a certificate, each of them used once."""

    def __init__(self, proofs: Iterable[Any]) -> None:
        self.proofs = iter(proofs)

    def asked(self, rows: Sequence[Row]) -> Any:
        """Return the next proof, which is about these rows."""
        return next(self.proofs, ())

    def need_void(self, rows: Sequence[Row]) -> None:
        """Raises: NotShown, unless rows are shown to have no common point, but for a set of no probability."""
        if _contradict(rows):
            return
        total: Form = defaultdict(lambda: ZERO)
        offset = ZERO
        proof = self.asked(rows)
        for place, text in proof:
            factor = number(text)
            need(type(place) is int and 0 <= place < len(rows) and factor > 0, "a multiplier of no row, or not above 0")
            form, b = rows[place]
            offset += factor * b
            for name, c in form.items():
                total[name] += factor * c
        need(bool(proof) and offset <= 0 and not any(total.values()), "it is not shown that rows have no common point")


def _contradict(rows: Iterable[Row]) -> bool:
    least: dict[tuple[Any, ...], Number] = {}
    for form, offset in rows:
        name, bound = _scaled(form, offset)
        least[name] = min(bound, least.get(name, bound))
        opposite = tuple((variable, -c) for variable, c in name)
        if opposite in least and least[name] + least[opposite] <= 0:
            return True
    return False


def _scaled(form: Form, offset: Number) -> tuple[tuple[tuple[int, Number], ...], Number]:
    """Return a row with the coefficient 1 or -1 at its first variable."""
    items = sorted(form.items())
    size = abs(items[0][1])
    if size == 1:
        return tuple(items), offset
    return tuple((name, c / size) for name, c in items), offset / size


@dataclass(frozen=True, slots=True)
class Part:
    """A released number: the form plus the offset; where it is rounded down, that times a factor and shifted."""

    form: Form
    offset: Number
    rounding: tuple[Number, Number] | None

    def row(self, end: Number) -> Row:
        """Return the row that says that the number is released as at least `end`."""
        least = end
        if self.rounding is not None:
            factor, shift = self.rounding
            least = flint.fmpq(((end - shift) / factor).ceil())
        return self.form, self.offset - least


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the space of all noise with one outcome: where all rows hold. `leaves` are what it is made of, and
    `weight` the probability of the draws from finitely many values that lead there."""

    leaves: tuple[int, ...]
    laws: tuple[Law, ...]
    rows: tuple[Row, ...]
    outcome: str
    parts: tuple[Part, ...]
    weight: Number

    def bounded(self) -> list[Row]:
        """Return the rows, and where the variables lie."""
        return [*self.rows, *supports(enumerate(self.laws))]

    def names(self) -> set[int]:
        """Return the noise variables that decide the region, or are released."""
        forms = [form for form, _ in self.rows] + [part.form for part in self.parts]
        return {name for form in forms for name in form if name >= 0}


@dataclass(frozen=True, slots=True)
class Tree:
    """The leaves of a tree that has been shown to fill the space of all noise; None for those that are empty."""

    leaves: tuple[Region | None, ...]
    drawn: bool

    def live(self) -> list[Region]:
        """Return the leaves that are not empty."""
        return [leaf for leaf in self.leaves if leaf is not None]


def tree(data: Any, proofs: Proofs) -> Tree:
    """Return the tree that data is.

    Raises: NotShown for leaves that do not fill the space of all noise.
    """
    with _malformed("a tree"):
        laws = [tuple(_law(law) for law in leaf["laws"]) for leaf in data]
        steps = [[_step(step) for step in leaf["steps"]] for leaf in data]
        need(bool(data), "a tree without leaves")
        _need_filled(laws, steps)
        found: list[Region | None] = []
        for place, leaf in enumerate(data):
            rows = [contrary(mark) if side == BELOW else mark for mark, side in steps[place] if isinstance(mark, tuple)]
            need(all(name < len(laws[place]) for form, _ in rows for name in form), "a variable that is not drawn")
            weight = ONE
            for mark, side in steps[place]:
                weight *= mark[side] if isinstance(mark, list) else 1
            if leaf["outcome"] is None:
                proofs.need_void([*rows, *supports(enumerate(laws[place]))])
                found.append(None)
                continue
            need(isinstance(leaf["outcome"], str), "an outcome that is no text")
            parts = tuple(_part(part, len(laws[place])) for part in leaf["parts"])
            found.append(Region((place,), laws[place], tuple(rows), leaf["outcome"], parts, weight))
        return Tree(tuple(found), any(isinstance(mark, list) for leaf in steps for mark, _ in leaf))


class _malformed:
    """Raise NotShown in the place of the errors of data that is of another form."""

    def __init__(self, what: str) -> None:
        self.what = what

    def __enter__(self) -> None: ...

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, (TypeError, KeyError, IndexError, AttributeError)) or type(error) is ValueError:
            raise NotShown(f"{self.what} of another form: {error!r}") from None


def _law(data: Any) -> Law:
    kind, rate, power = data
    need(kind in KINDS and number(rate) > 0 and type(power) is int, "noise that is not known")
    return kind, number(rate), power


def _step(data: Any) -> tuple[Any, int]:
    """Return what is decided, a row or a list of weights, and the choice."""
    choice, *rest = data
    if choice == "draw":
        weights, side = [number(text) for text in rest[0]], rest[1]
        need(min(weights) >= 0 and sum(weights, ZERO) == 1, "weights that do not sum to 1")
        need(type(side) is int and 0 <= side < len(weights), "a draw of no value")
        return weights, side
    need(choice in ("above", "below"), "a step that is none")
    return _row(rest), ABOVE if choice == "above" else BELOW


def _part(data: Any, count: int) -> Part:
    form, offset, factor, shift = data
    rounding = None if factor is None else (number(factor), number(shift))
    found = Part(_form(form), number(offset), rounding)
    need(all(name < count for name in found.form), "a released variable that is not drawn")
    need(rounding is None or rounding[0] > 0, "a number rounded to no multiple")
    return found


def _need_filled(laws: Sequence[tuple[Law, ...]], steps: Sequence[list[tuple[Any, int]]]) -> None:
    """Raises: NotShown, unless each step has a leaf below each of its choices, and its variables one law on all."""
    pending = [(list(range(len(steps))), 0)]
    while pending:
        group, depth = pending.pop()
        if len(group) == 1 and len(steps[group[0]]) == depth:
            continue
        need(all(len(steps[leaf]) > depth for leaf in group), "two leaves at one place")
        mark = steps[group[0]][depth][0]
        need(all(steps[leaf][depth][0] == mark for leaf in group), "two comparisons at one place")
        if isinstance(mark, list):
            sides = [side for side, weight in enumerate(mark) if weight]
        else:
            sides = [ABOVE, BELOW]
            for name in mark[0]:
                need(name < 0 or len({laws[leaf][name] for leaf in group}) == 1, "a variable of two laws")
        for side in sides:
            below = [leaf for leaf in group if steps[leaf][depth][1] == side]
            need(bool(below), "a comparison or a draw of which one side is missing")
            pending.append((below, depth + 1))
        need(all(steps[leaf][depth][1] in sides for leaf in group), "a draw that never happens")


def regions(data: Any, whole: Tree, proofs: Proofs) -> list[Region]:
    """Return the regions that data puts together from leaves of a tree.

    Raises: NotShown where one is not what its leaves are together.
    """
    with _malformed("a region"):
        return [_region(*each, whole, proofs) for each in data]


def _region(leaves: Any, data: Any, whole: Tree, proofs: Proofs) -> Region:
    places = _integers(leaves)
    members = [whole.leaves[place] for place in places if 0 <= place]
    kept = [leaf for leaf in members if leaf is not None]
    need(len(set(places)) == len(places) == len(kept) > 0, "a region of no leaves")
    if len(kept) == 1:
        return kept[0]
    rows = tuple(_row(row) for row in data)
    laws = max((leaf.laws for leaf in kept), key=len)
    need(not whole.drawn, "a region of leaves beside draws")
    need(all(leaf.laws == laws[: len(leaf.laws)] for leaf in whole.live()), "a region of leaves whose noise differs")
    need(all(name < len(laws) for form, _ in rows for name in form), "a variable that is not drawn")
    need(all((leaf.outcome, leaf.parts) == (kept[0].outcome, kept[0].parts) for leaf in kept), "two outcomes")
    for leaf in whole.live():
        if leaf.leaves[0] in places:
            for row in rows:
                proofs.need_void([*leaf.rows, contrary(row), *supports(enumerate(laws))])
        else:
            proofs.need_void([*rows, *leaf.rows, *supports(enumerate(laws))])
    return Region(tuple(places), laws, rows, kept[0].outcome, kept[0].parts, ONE)


@dataclass(frozen=True, slots=True)
class Step:
    """Two neighbours: the trees on them, by number, and by how much the numbers of an open input move."""

    source: int
    target: int
    move: Mapping[int, Number] = field(default_factory=dict)


def check_alignments(
    trees: Sequence[Tree],
    parts: Sequence[Sequence[Region]],
    steps: Sequence[Step],
    data: Any,
    proofs: Proofs,
    *,
    epsilon: tuple[Number, Number],
    delta: Number,
    power: int,
    integrals: Integrals,
) -> None:
    """Check that alignments show the privacy of each step: rows [step, source, target, shift, names, cut].

    An alignment takes each point x of the source, where it is on all rows of the cut, to x + shift in the target, whose
    variables have other names there, with what is released unchanged. Epsilon is the first number plus the logarithm of
    the second one, times the parameter epsilon if `power` is 1. What is not aligned is likely by delta at the most.

    Raises: NotShown.
    """
    with _malformed("an alignment"):
        taken: dict[int, list[tuple[Region, Region, Region, dict[int, Law]]]] = defaultdict(list)
        for place, source, target, shift, names, cut in data:
            need(all(x >= 0 for x in _integers([place, source, target])), "an alignment of no region")
            step = steps[place]
            mine, other = parts[step.source][source], parts[step.target][target]
            cost, aligned, laws = _aligned(mine, other, step.move, _form(shift), names, cut, power, proofs)
            need(sign(excess({cost: ONE}, {ZERO: ONE}, epsilon)) <= 0, "an alignment costs more than the claim")
            taken[place].append((mine, other, aligned, laws))
        for place, step in enumerate(steps):
            rows = taken[place]
            sources = [leaf for mine, _, _, _ in rows for leaf in mine.leaves]
            targets = [leaf for _, other, _, _ in rows for leaf in other.leaves]
            need(len(set(sources)) == len(sources), "a region is aligned twice")
            need(len(set(targets)) == len(targets), "two regions are taken into the same one")
            left = ZERO
            for leaf in trees[step.source].live():
                if leaf.leaves[0] not in sources:
                    left += bounds(integrals.enclosed(leaf, dict(enumerate(leaf.laws)))[1])[1]
            for mine, _, aligned, laws in rows:
                if aligned is not mine:
                    whole, part = integrals.enclosed(mine, laws)[1], integrals.enclosed(aligned, laws)[0]
                    left += bounds(whole)[1] - bounds(part)[0]
            need(left == 0 or power == 0, "a region has no alignment")
            need(left <= delta, "what alignments leave is likelier than delta")


def _along(form: Form, by: Mapping[int, Number]) -> Number:
    return sum((c * by[name] for name, c in form.items() if name in by), ZERO)


def _aligned(
    source: Region,
    target: Region,
    move: Mapping[int, Number],
    shift: Form,
    named: Any,
    cut: Any,
    power: int,
    proofs: Proofs,
) -> tuple[Number, Region, dict[int, Law]]:
    """Return the cost of an alignment, the part of the source that it is about, and the laws of all variables."""
    other = {_integers(pair)[0]: pair[1] for pair in named}
    names = {name: other.get(name, name) for name in target.names()}
    need(len(set(names.values())) == len(names) and min(names.values(), default=0) >= 0, "two variables of one name")
    laws = dict(enumerate(source.laws))
    for name, mine in names.items():
        law = laws.setdefault(mine, target.laws[name])
        need(law == target.laws[name], "an alignment between noise of different laws")
    need(source.outcome == target.outcome and source.weight <= target.weight, "an alignment to what is less likely")
    by = {**move, **shift}
    need(not any(name < 0 for name in shift), "an alignment that moves inputs")

    def renamed(form: Form) -> Form:
        return {names.get(name, name): c for name, c in form.items()}

    for part, its in zip(source.parts, target.parts, strict=True):
        same = renamed(its.form) == part.form and its.rounding == part.rounding
        need(
            same and its.offset + _along(renamed(its.form), by) == part.offset, "an alignment changes what is released"
        )
    cost = ZERO
    for name, s in shift.items():
        kind, rate, mine_power = laws[name]
        need(kind in BOTH_WAYS or (kind in UPWARDS and s > 0), f"{kind} noise has no bound for a shift")
        need(mine_power == power, "scales of the form c/epsilon beside plain numbers")
        cost += rate * abs(s)
    extra = [_row(row) for row in cut]
    need(all(name in laws for form, _ in extra for name in form if name >= 0), "a cut of a variable that is not drawn")
    part_of = Region(source.leaves, source.laws, (*source.rows, *extra), source.outcome, source.parts, source.weight)
    rows = [*part_of.rows, *supports(laws.items())]
    for form, offset in target.rows:
        proofs.need_void([*rows, contrary((renamed(form), offset + _along(renamed(form), by)))])
    return cost, part_of if extra else source, laws


Sum = dict[Number, Number]
"""A sum of C e^s with rational C and s, as {s: C}: it is 0 only where all C are (Lindemann and Weierstrass)."""


def excess(p: Sum, q: Sum, epsilon: tuple[Number, Number]) -> Sum:
    """Return p - r e^x q, where (x, r) are the numbers that epsilon is the sum of, the latter as a logarithm."""
    found = defaultdict(lambda: ZERO, p)
    for s, c in q.items():
        found[s + epsilon[0]] -= epsilon[1] * c
    return found


def ball(found: Sum, bits: int) -> Any:
    """Return a ball that contains a sum."""
    with flint.ctx.workprec(bits):
        return sum((flint.arb(c) * flint.arb(s).exp() for s, c in found.items()), flint.arb(0))


def bounds(found: Sum) -> Bounds:
    """Return rational bounds of a sum."""
    near = ball(found, 128)
    with flint.ctx.workprec(128):
        return near.lower().fmpq(), near.upper().fmpq()


def sign(found: Sum) -> int:
    """Return the sign of a sum."""
    found = {s: c for s, c in found.items() if c}
    if not found:
        return 0
    bits = 128
    while bits <= MOST_BITS:
        near = ball(found, bits)
        if near > 0 or near < 0:
            return 1 if near > 0 else -1
        bits *= 2
    raise NotShown("a sum that is too near to 0 to tell")


Terms = dict[tuple[tuple[tuple[int, int], ...], tuple[tuple[int, Number], ...], Number], Number]
"""A sum of c x^k e^(a x + b): c by the powers k of variables, the slopes a of variables, and b."""
Cell = frozenset[tuple[tuple[tuple[int, Number], ...], Number]]


class Integrals:
    """The probabilities of regions: cell by cell, in which one lower and one upper bound of a variable are nearest, one
    variable after the other. What is computed is kept. `otherwise` bounds those of noise that is not integrated."""

    def __init__(self, otherwise: Callable[[Region, Mapping[int, Law]], Bounds] | None = None) -> None:
        self.otherwise = otherwise
        self.known: dict[Any, Sum] = {}

    def enclosed(self, region: Region, laws: Mapping[int, Law]) -> tuple[Sum, Sum]:
        """Return sums between which the probability of a region lies whose variables have these laws."""
        kinds = {laws[name][0] for form, _ in region.rows for name in form}
        if kinds <= INTEGRABLE or self.otherwise is None:
            found = self.probability(region, laws)
            return found, found
        low, high = self.otherwise(region, laws)
        return {ZERO: low}, {ZERO: high}

    def probability(self, region: Region, laws: Mapping[int, Law]) -> Sum:
        """Return the probability of a region whose variables have these laws."""
        found: Sum = {ZERO: region.weight}
        for rows in _linked(region.rows):
            names = sorted({name for form, _ in rows for name in form})
            kinds = tuple(laws[name] for name in names)
            need(all(kind in INTEGRABLE and not power for kind, _, power in kinds), "noise that is not integrated")
            place = {name: j for j, name in enumerate(names)}
            moved = [({place[name]: c for name, c in form.items()}, offset) for form, offset in rows]
            mark = kinds, _cell(moved)
            if mark not in self.known:
                self.known[mark] = _integral(kinds, moved)
            part: Sum = defaultdict(lambda: ZERO)
            for s, c in found.items():
                for t, d in self.known[mark].items():
                    part[s + t] += c * d
            found = part
        return {s: c for s, c in found.items() if c}


def _linked(rows: Iterable[Row]) -> list[list[Row]]:
    """Return rows in groups that share no variable."""
    groups: list[tuple[set[int], list[Row]]] = []
    for row in rows:
        near = [group for group in groups if not group[0].isdisjoint(row[0])]
        groups = [group for group in groups if group[0].isdisjoint(row[0])]
        groups.append((set(row[0]).union(*(names for names, _ in near)), [*(x for _, own in near for x in own), row]))
    return [own for _, own in groups]


def _cell(rows: Iterable[Row]) -> Cell | None:
    """Return rows without those that another one contains; None where two of them contradict each other."""
    least: dict[Any, Number] = {}
    for form, offset in rows:
        if not any(form.values()):
            if offset <= 0:
                return None
            continue
        name, bound = _scaled({name: c for name, c in form.items() if c}, offset)
        least[name] = min(bound, least.get(name, bound))
        opposite = tuple((variable, -c) for variable, c in name)
        if opposite in least and least[name] + least[opposite] <= 0:
            return None
    return frozenset(least.items())


def _integral(kinds: Sequence[Law], rows: Iterable[Row]) -> Sum:
    start = _cell(rows)
    cells: dict[Cell, Terms] = {} if start is None else {start: {((), (), ZERO): ONE}}
    left = set(range(len(kinds)))
    while left and cells:
        near = {
            name: {other for cell in cells for form, _ in cell if name in dict(form) for other, _ in form}
            for name in left
        }
        name = min(left, key=lambda each: (len(near[each]), each))
        left.remove(name)
        found: dict[Cell, Terms] = {}
        for cell, terms in cells.items():
            for smaller, value in _eliminated(name, kinds[name], cell, terms):
                own = found.setdefault(smaller, defaultdict(lambda: ZERO))
                for mark, c in value:
                    own[mark] += c
        cells = found
    return {b: c for terms in cells.values() for (_, _, b), c in terms.items() if c}


def _eliminated(name: int, law: Law, cell: Cell, terms: Terms) -> Iterator[tuple[Cell, list[tuple[Any, Number]]]]:
    """Yield cells in the other variables, with the terms that the integral over one variable has there."""
    kind, rate, _ = law
    up, down = ({name: ONE}, ZERO), ({name: -ONE}, ZERO)
    pieces = {
        "laplace": [([up], rate / 2, -rate), ([down], rate / 2, rate)],
        "exponential": [([up], rate, -rate)],
        "uniform": [([up, ({name: -ONE}, ONE)], ONE, ZERO)],
    }[kind]
    for own, factor, slope in pieces:
        rows = [*((dict(form), offset) for form, offset in cell), *own]
        primitive = [part for mark, c in terms.items() if c for part in _antiderivative(name, slope, mark, factor * c)]
        rest = [row for row in rows if name not in row[0]]
        lowers, uppers = (
            _distinct(_solved(row, name) for row in rows if side * row[0].get(name, ZERO) > 0) for side in (1, -1)
        )
        for low in lowers or [None]:
            for high in uppers or [None]:
                kept = list(rest)
                kept += [_minus(low, line) for line in lowers if low is not None and line is not low]
                kept += [_minus(line, high) for line in uppers if high is not None and line is not high]
                kept += [_minus(high, low)] if low is not None and high is not None else []
                smaller = _cell(kept)
                if smaller is not None:
                    value = [part for each in primitive for part in _at(name, high, each, 1)]
                    value += [(mark, -c) for each in primitive for mark, c in _at(name, low, each, -1)]
                    yield smaller, value


def _distinct(lines: Iterable[Row]) -> list[Row]:
    found: list[Row] = []
    for line in lines:
        if line not in found:
            found.append(line)
    return found


def _solved(row: Row, name: int) -> Row:
    """Return the number that a variable is above or below by a row, as a form and an offset."""
    own = row[0][name]
    return {other: -c / own for other, c in row[0].items() if other != name}, -row[1] / own


def _minus(x: Row | None, y: Row | None) -> Row:
    if x is None or y is None:
        raise NotShown("a bound that is none")
    form = defaultdict(lambda: ZERO, x[0])
    for name, c in y[0].items():
        form[name] -= c
    return {name: c for name, c in form.items() if c}, x[1] - y[1]


def _antiderivative(name: int, slope: Number, mark: Any, c: Number) -> list[tuple[Any, Number, int, Number]]:
    """Return, for a term times e^(slope x), the terms of an antiderivative: each without x, with its power and slope."""
    powers, slopes, b = mark
    k, a = dict(powers).get(name, 0), dict(slopes).get(name, ZERO) + slope
    bare = tuple(x for x in powers if x[0] != name), tuple(x for x in slopes if x[0] != name), b
    if a == 0:
        return [(bare, c / (k + 1), k + 1, ZERO)]
    return [(bare, c * (-1) ** j * perm(k, j) / a ** (j + 1), k - j, a) for j in range(k + 1)]


def _at(name: int, line: Row | None, term: tuple[Any, Number, int, Number], side: int) -> list[tuple[Any, Number]]:
    """Return a term with a line in the place of its variable; with no line, its limit on that side."""
    (powers, slopes, b), c, k, a = term
    if line is None:
        need(side * a < 0, "an integral without end")
        return []
    form, offset = line
    moved = defaultdict(lambda: ZERO, slopes)
    for other, d in form.items():
        moved[other] += a * d
    exponent = tuple(sorted((other, d) for other, d in moved.items() if d)), b + a * offset
    return [((_joined(powers, own), *exponent), c * d) for own, d in _power(sorted(form.items()), offset, k)]


def _joined(x: Any, y: Mapping[int, int]) -> tuple[tuple[int, int], ...]:
    powers = dict(x)
    for name, k in y.items():
        powers[name] = powers.get(name, 0) + k
    return tuple(sorted(powers.items()))


def _power(form: Sequence[tuple[int, Number]], offset: Number, k: int) -> Iterator[tuple[dict[int, int], Number]]:
    """Yield the terms of (form + offset)^k: the powers of the variables, and the coefficient."""
    if not form:
        yield {}, offset**k
        return
    (name, c), *rest = form
    for j in range(k + 1):
        for powers, d in _power(rest, offset, k - j):
            yield ({**powers, name: j} if j else powers), comb(k, j) * c**j * d


class Outcomes:
    """The probabilities of the outcomes on each input, from below and from above, and what they show of pairs."""

    def __init__(
        self, trees: Sequence[Tree], epsilon: tuple[Number, Number], delta: Number, integrals: Integrals
    ) -> None:
        self.epsilon, self.delta, self.integrals = epsilon, delta, integrals
        self.ratio = ball({epsilon[0]: epsilon[1]}, 128)
        self.signs: dict[Any, int] = {}
        self.balls: dict[Any, Any] = {frozenset(): flint.arb(0)}
        self.laws = [self._law(whole) for whole in trees]

    def _law(self, whole: Tree) -> dict[str, list[frozenset[tuple[Number, Number]]]]:
        found: dict[str, list[Sum]] = defaultdict(lambda: [defaultdict(lambda: ZERO), defaultdict(lambda: ZERO)])
        for leaf in whole.live():
            need(not leaf.parts, "a released number with noise")
            for side, part in enumerate(self.integrals.enclosed(leaf, dict(enumerate(leaf.laws)))):
                for s, c in part.items():
                    found[leaf.outcome][side][s] += c
        law = {name: [frozenset((s, c) for s, c in x.items() if c) for x in sides] for name, sides in found.items()}
        for side in (0, 1):
            total: Sum = defaultdict(lambda: ZERO, {ZERO: -ONE})
            for value in (sides[side] for sides in law.values()):
                self.balls[value] = ball(dict(value), 128)
                for s, c in value:
                    total[s] += c
            need(sign(total) * (1 if side else -1) >= 0, "probabilities that do not sum to 1")
        return law

    def _sign(self, p: frozenset[Any], q: frozenset[Any]) -> int:
        if (p, q) not in self.signs:
            below = self.balls[p] < self.balls[q] * self.ratio
            self.signs[p, q] = -1 if below else sign(excess(dict(p), dict(q), self.epsilon))
        return self.signs[p, q]

    def need_within(self, a: int, b: int) -> None:
        """Raises: NotShown, unless p <= e^epsilon q + delta for all events of a pair of inputs."""
        none: list[frozenset[Any]] = [frozenset(), frozenset()]
        rows = [(sides[1], self.laws[b].get(name, none)[0]) for name, sides in self.laws[a].items()]
        lost: Sum = defaultdict(lambda: ZERO, {ZERO: -self.delta})
        for p, q in rows:
            if self._sign(p, q) > 0:
                for s, c in excess(dict(p), dict(q), self.epsilon).items():
                    lost[s] += c
        need(sign(lost) <= 0, "a pair of inputs is not within the claim")


def check_witness(
    source: Tree, target: Tree, event: Any, epsilon: tuple[Number, Number], delta: Number, integrals: Integrals
) -> None:
    """Check that p > e^epsilon q + delta for an event on two inputs: a list of [outcome, ends], ends being for each
    released number [low, high], between which it lies, or null for no end.

    Raises: NotShown.
    """
    with _malformed("a witness"):
        boxes = [
            (outcome, [tuple(None if end is None else number(end) for end in ends) for ends in box])
            for outcome, box in event
        ]
        for place, (outcome, box) in enumerate(boxes):
            need(
                all(name != outcome or _apart(box, other) for name, other in boxes[:place]),
                "an event that is there twice",
            )
        p, q = _likely(source, boxes, integrals, 0), _likely(target, boxes, integrals, 1)
        need(
            sign(excess({**p, ZERO: p.get(ZERO, ZERO) - delta}, q, epsilon)) > 0,
            "the witness does not violate the bound",
        )


def _apart(box: Sequence[Any], other: Sequence[Any]) -> bool:
    """Whether no numbers lie in both of two boxes."""
    ends = [*zip(box, other, strict=True), *zip(other, box, strict=True)]
    return any(high is not None and low is not None and high <= low for (_, high), (low, _) in ends)


def _likely(whole: Tree, boxes: Iterable[tuple[str, Any]], integrals: Integrals, side: int) -> Sum:
    found: Sum = defaultdict(lambda: ZERO)
    for outcome, box in boxes:
        for leaf in whole.live():
            if leaf.outcome != outcome:
                continue
            rows = list(leaf.rows)
            for part, (low, high) in zip(leaf.parts, box, strict=True):
                rows += [] if low is None else [part.row(low)]
                rows += [] if high is None else [contrary(part.row(high))]
            cut = Region(leaf.leaves, leaf.laws, tuple(rows), leaf.outcome, leaf.parts, leaf.weight)
            for s, c in integrals.enclosed(cut, dict(enumerate(leaf.laws)))[side].items():
                found[s] += c
    return found
