"""The exact probability of a path: its noise variables integrated out one by one, leaves of the constraints first.

Inequalities between two variables each are the edges of a graph. Where it is a tree, a leaf is integrated between
lines that depend on its neighbour alone, which leaves a piecewise exponential polynomial of that neighbour: a message.
Messages are kept, as the same ones come up on many paths and inputs.

`integral` is the general method, for constraints in a circle or between more than two variables: cells in which one
lower and one upper bound of each variable are the nearest ones. Its terms of several variables are {(i, k, a, b): c}
with tuples k and a: c h^i times, over the variables x_j, x_j^k_j, times e^(h (sum of a_j x_j + b)).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product as choices
from math import lcm
from typing import Any

from dpcert.audit.ideal.outcomes import noisy_parts
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.exact import Exact
from dpcert.mechanisms.ideal.linear import possible
from dpcert.mechanisms.ideal.noise import EXACT, INTEGRABLE, Law, density, is_whole
from dpcert.mechanisms.ideal.path import Inequality, Path
from dpcert.mechanisms.ideal.signs import Sum
from dpcert.mechanisms.ideal.terms import (
    Number,
    Piecewise,
    Terms,
    Value,
    constant,
    divided,
    gathered,
    inner_points,
    product,
    rational,
    scaled,
    total,
)

Linear = dict[int, Fraction]
Row = tuple[Linear, Fraction]
"""The inequality form(x) + offset > 0."""
Monomials = dict[tuple[int, tuple[int, ...], tuple[Number, ...], Number], Number]


def integral(kinds: Sequence[tuple[str, int]], rows: Sequence[tuple[Any, Number]], unit: int) -> Value:
    """Return the probability that variables of these kinds and rates satisfy all rows, in the units of `measure`."""
    found: list[Value] = []
    plain = [({name: Fraction(c) for name, c in form}, Fraction(offset)) for form, offset in rows]
    pieces = [list(_pieces(name, kind, rate, unit)) for name, (kind, rate) in enumerate(kinds)]
    for chosen in choices(*pieces):
        cell = [*plain, *(row for part, _ in chosen for row in part)]
        terms: Monomials = {(0, (), (), 0): 1}
        for _, own in chosen:
            terms = {
                (i + j, (*ks, k), (*slopes, a), b + d): c * f
                for (i, ks, slopes, b), c in terms.items()
                for (j, k, a, d), f in own.items()
            }
        found.append(_integrated(terms, cell, frozenset(range(len(kinds)))))
    return total(found)


def _pieces(name: int, kind: str, rate: int, unit: int) -> Iterator[tuple[list[Row], Any]]:
    """Yield each interval on which a density is one formula: its rows, and the formula."""
    whole = density(kind, rate, unit)
    for j, terms in enumerate(whole.pieces):
        if not terms:
            continue
        rows: list[Row] = []
        if j > 0:
            rows.append(({name: Fraction(1)}, -Fraction(whole.cuts[j - 1])))
        if j < len(whole.cuts):
            rows.append(({name: Fraction(-1)}, Fraction(whole.cuts[j])))
        yield rows, terms


def _integrated(terms: Monomials, rows: Sequence[Row], names: frozenset[int]) -> Value:
    """Integrate terms over the points of some variables that satisfy all rows."""
    if not terms or not possible(rows):
        return {}
    if not names:
        return gathered(((i, b), c) for (i, _, _, b), c in terms.items())
    name = min(names, key=lambda n: _sides(rows, n))
    rest: list[Row] = []
    lowers: dict[Any, Row] = {}
    uppers: dict[Any, Row] = {}
    for form, offset in rows:
        own = form.get(name, Fraction(0))
        if own == 0:
            rest.append((form, offset))
            continue
        line = {n: -c / own for n, c in form.items() if n != name and c}, -offset / own
        (lowers if own > 0 else uppers)[tuple(sorted(line[0].items())), line[1]] = line
    primitive = _antiderivative(terms, name)
    parts: list[Value] = []
    for low in lowers.values() or [None]:
        for high in uppers.values() or [None]:
            cell = list(rest)
            if low is not None:
                cell += [_difference(low, other) for other in lowers.values() if other is not low]
            if high is not None:
                cell += [_difference(other, high) for other in uppers.values() if other is not high]
            if low is not None and high is not None:
                cell.append(_difference(high, low))
            end, start = _end(primitive, name, high, 1), _end(primitive, name, low, -1)
            between = gathered([*end.items(), *((key, -c) for key, c in start.items())])
            parts.append(_integrated(between, cell, names - {name}))
    return total(parts)


def _sides(rows: Sequence[Row], name: int) -> int:
    lowers = sum(1 for form, _ in rows if form.get(name, 0) > 0)
    uppers = sum(1 for form, _ in rows if form.get(name, 0) < 0)
    return max(lowers, 1) * max(uppers, 1)


def _difference(x: Row, y: Row) -> Row:
    """Return the row x - y > 0."""
    form = dict(x[0])
    for name, c in y[0].items():
        form[name] = form.get(name, Fraction(0)) - c
    return {name: c for name, c in form.items() if c}, x[1] - y[1]


def _antiderivative(terms: Monomials, name: int) -> Monomials:
    parts: list[tuple[Any, Number]] = []
    for (i, ks, slopes, b), c in terms.items():
        k, a = ks[name], slopes[name]
        if a == 0:
            parts.append(((i, _put(ks, name, k + 1), slopes, b), divided(c, k + 1)))
            continue
        factor: Number = c
        for j in range(k + 1):
            factor = divided(factor, a)
            parts.append(((i - 1 - j, _put(ks, name, k - j), slopes, b), factor))
            factor = -factor * (k - j)
    return gathered(parts)


def _put(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*values[:place], value, *values[place + 1 :])


def _end(terms: Monomials, name: int, line: Row | None, side: int) -> Monomials:
    """Return terms with a line in the place of a variable; with no line, their limit on that side."""
    if line is None:
        if any(slopes[name] * side > 0 or (slopes[name] == 0 and ks[name]) for _, ks, slopes, _ in terms):
            raise ArithmeticError("an integral without end")
        return {key: c for key, c in terms.items() if key[2][name] == 0}
    form, offset = line
    parts: list[tuple[Any, Number]] = []
    for (i, ks, slopes, b), c in terms.items():
        a = slopes[name]
        moved = tuple(rational(slope + a * form.get(n, 0)) if n != name else 0 for n, slope in enumerate(slopes))
        for powers, d in _power(form, offset, ks[name], len(ks)).items():
            degrees = tuple(0 if n == name else k + powers[n] for n, k in enumerate(ks))
            parts.append(((i, degrees, moved, rational(b + a * offset)), c * d))
    return gathered(parts)


def _power(form: Linear, offset: Fraction, k: int, width: int) -> dict[tuple[int, ...], Fraction]:
    """Return (form(x) + offset)^k as a polynomial."""
    found = {(0,) * width: Fraction(1)}
    for _ in range(k):
        parts: list[tuple[Any, Any]] = []
        for powers, c in found.items():
            parts.append((powers, c * offset))
            parts += [(_put(powers, n, powers[n] + 1), c * d) for n, d in form.items()]
        found = gathered(parts)
    return found


Line = tuple[Number, Number]
"""The line slope * t + offset."""


@dataclass(frozen=True, slots=True)
class Units:
    """The units in which rates and thresholds are integers: h is `epsilon^power / (rates * lengths)`."""

    rates: int
    lengths: int
    power: int

    @classmethod
    def of(cls, paths: Iterable[Path], part: int = 1) -> Units:
        """Return units for all variables and thresholds of these paths; `rates` is a multiple of `part`.

        Raises: Unauditable where scales are mixed: c/epsilon beside plain numbers.
        """
        rates, lengths, powers = part, 1, set()
        for path in paths:
            for item in path.inequalities:
                if not is_whole(path.laws, [name for name, _ in item.form]):
                    lengths = lcm(lengths, item.threshold.denominator)
            used = {name for item in path.inequalities for name, _ in item.form}
            used |= {name for part in noisy_parts(path.outcome) for name, _ in part.terms}
            for law in (path.laws[name] for name in used if name >= 0):
                if law.kind not in EXACT:
                    raise Unauditable(f"{law.kind} noise beside a density or another inequality is not integrated")
                if law.kind != "uniform" and law.rate.factor:
                    rates = lcm(rates, law.rate.factor.denominator)
                    powers.add(law.rate.power)
            if isinstance(path.weight, Exact):
                powers.add(int(path.weight.is_open()))
                rates = lcm(rates, *(place[1].denominator for place in path.weight.places()))
        if len(powers) > 1:
            raise Unauditable("scales of the form c/epsilon beside plain numbers are not decided together")
        return cls(rates, lengths, max(powers, default=0))

    def h(self, epsilon: Fraction) -> Fraction:
        """Return the number that h is at an epsilon, for rates that depend on it."""
        return (epsilon if self.power else Fraction(1)) / (self.rates * self.lengths)

    def value(self, terms: Sum) -> Value:
        """Return a sum as a value.

        Raises: Unauditable where it depends on epsilon and on other exponentials, or on epsilon beside plain numbers.
        """
        unit = self.rates * self.lengths
        if any(s if self.power else i or b for i, b, s in terms):
            raise Unauditable("exponentials of epsilon and of plain numbers are not decided together")
        return gathered(((i, rational((b or s) * unit)), rational(c * unit**i)) for (i, b, s), c in terms.items())

    def rate(self, law: Law) -> int:
        return int(law.rate.factor * self.rates)


@dataclass(frozen=True, slots=True)
class _Node:
    """A variable with all that hangs on it: the integral of density times messages, and its total."""

    name: int
    integral: Piecewise
    total: Any


@dataclass(slots=True)
class Measure:
    """Probabilities of paths as values in h, each computed once. `lattice.py` sums discrete noise."""

    units: Units
    messages: dict[Any, tuple[int, Piecewise]] = field(default_factory=dict)
    products: dict[Any, Piecewise] = field(default_factory=dict)
    nodes: dict[Any, _Node] = field(default_factory=dict)
    components: dict[Any, Any] = field(default_factory=dict)

    def probability(self, path: Path) -> Value:
        found: Value = {(0, 0): rational(path.chance())}
        for component in linked(path.inequalities):
            found = product(found, self._component(path.laws, component))
        return found

    def density(self, path: Path, name: int) -> tuple[Piecewise, Value]:
        """Return two factors of the density of a variable on a path: a function of it, in units, and a number.

        Raises: Unauditable where the variable's inequalities make no tree.
        """
        own: list[Inequality] = []
        factor: Value = {(0, 0): rational(path.chance())}
        for component in linked(path.inequalities):
            if any(name == other for item in component for other, _ in item.form):
                own = component
            else:
                factor = product(factor, self._component(path.laws, component))
        edges = _tree(own, name)
        if edges is None:
            raise Unauditable("the density of a variable whose inequalities are no tree is not computed")
        law = path.laws[name]
        found = self._product(law, self._incoming(path.laws, edges, name, None))
        return found * self._indicator(*self._ends(edges[name].get(name, []), name)), factor

    def _component(self, laws: Sequence[Law], items: Sequence[Inequality]) -> Any:
        edges = _tree(items)
        if edges is None:
            return self._cells(laws, items)
        root = max(edges, key=lambda name: (len(edges[name]), name))
        node = self._node(laws, edges, root, None)
        low, high = self._ends(edges[root].get(root, []), root)
        if low is not None and high is not None and low >= high:
            return self._nothing()
        end = node.total if high is None else node.integral.at(high)
        return end if low is None else self._minus(end, node.integral.at(low))

    def _cells(self, laws: Sequence[Law], items: Sequence[Inequality]) -> Any:
        from dpcert.audit.ideal.measure import integral

        if any(laws[name].kind not in INTEGRABLE for item in items for name, _ in item.form):
            raise Unauditable("discrete noise beside real noise in a comparison is not integrated")
        names = sorted({name for item in items for name, _ in item.form})
        place = {name: j for j, name in enumerate(names)}
        kinds = tuple((laws[name].kind, self.units.rate(laws[name])) for name in names)
        rows = []
        for item in items:
            form, offset = item.inward()
            rows.append((tuple((place[n], c) for n, c in form.items()), offset * self.units.lengths))
        mark = kinds, frozenset(rows)
        if mark not in self.components:
            self.components[mark] = integral(kinds, rows, self.units.lengths)
        return self.components[mark]

    def _node(self, laws: Sequence[Law], edges: Mapping[int, Any], name: int, parent: int | None) -> _Node:
        incoming = self._incoming(laws, edges, name, parent)
        mark = laws[name], incoming
        node = self.nodes.get(mark)
        if node is None:
            whole = self._product(laws[name], incoming)
            node = self.nodes[mark] = _Node(len(self.nodes), *whole.integral())
        return node

    def _incoming(
        self, laws: Sequence[Law], edges: Mapping[int, Any], name: int, parent: int | None
    ) -> tuple[int, ...]:
        """Return the numbers of the messages to a variable from all neighbours but one."""
        children = (child for child in edges[name] if child not in (name, parent))
        return tuple(sorted(self._message(laws, edges, child, name) for child in children))

    def _product(self, law: Law, incoming: tuple[int, ...]) -> Piecewise:
        mark = law, incoming
        found = self.products.get(mark)
        if found is None:
            if incoming:
                found = self._product(law, incoming[:-1]) * self._by_number[incoming[-1]]
            else:
                found = self._density(law)
            self.products[mark] = found
        return found

    def _density(self, law: Law) -> Piecewise:
        if law.kind not in INTEGRABLE:
            raise Unauditable("discrete noise beside real noise in a comparison is not integrated")
        return density(law.kind, self.units.rate(law), self.units.lengths)

    def _scaled(self, threshold: Number) -> Number:
        """Return a threshold in units."""
        return threshold * self.units.lengths

    def _constant(self, value: Any) -> Any:
        """Return a number as a function."""
        return constant(value)

    def _indicator(self, low: Number | None, high: Number | None) -> Piecewise:
        return indicator(low, high)

    def _minus(self, end: Any, start: Any) -> Any:
        return total([end, scaled(start, -1)])

    def _nothing(self) -> Any:
        return {}

    _by_number: list[Piecewise] = field(default_factory=list)

    def _message(self, laws: Sequence[Law], edges: Mapping[int, Any], name: int, parent: int) -> int:
        """Return the number of the message of a variable to its neighbour."""
        node = self._node(laws, edges, name, parent)
        lowers, uppers = self._lines([*edges[name][parent], *edges[name].get(name, [])], name)
        mark = node.name, lowers, uppers
        found = self.messages.get(mark)
        if found is None:
            message = _window(node, self._constant(node.total), lowers, uppers)
            found = self.messages[mark] = len(self._by_number), message
            self._by_number.append(message)
        return found[0]

    def _lines(self, items: Iterable[Inequality], name: int) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
        """Return the lines above which and below which a variable lies, in its neighbour's value."""
        lowers: set[Line] = set()
        uppers: set[Line] = set()
        for item in items:
            own = next(c for other, c in item.form if other == name)
            rest = sum(c for other, c in item.form if other != name)
            line = divided(-rest, own), divided(self._scaled(item.threshold), own)
            (lowers if item.above == (own > 0) else uppers).add(line)
        return tuple(sorted(lowers)), tuple(sorted(uppers))

    def _ends(self, items: Iterable[Inequality], name: int) -> tuple[Number | None, Number | None]:
        """Return the numbers between which inequalities about a variable alone put it."""
        lowers, uppers = self._lines(items, name)
        return max((end for _, end in lowers), default=None), min((end for _, end in uppers), default=None)


def _tree(items: Sequence[Inequality], *names: int) -> dict[int, dict[int, list[Inequality]]] | None:
    """Return the inequalities by the two variables that they are between, or by one twice; None where they are no tree,
    or between more than two."""
    edges: dict[int, dict[int, list[Inequality]]] = {name: {} for name in names}
    for item in items:
        for name, _ in item.form:
            edges.setdefault(name, {})
    for item in items:
        if len(item.form) > 2:
            return None
        ends = [name for name, _ in item.form]
        edges[ends[0]].setdefault(ends[-1], []).append(item)
        if len(ends) == 2:
            edges[ends[1]].setdefault(ends[0], []).append(item)
    links = sum(1 for u in edges for v in edges[u] if u < v)
    return edges if links == len(edges) - 1 else None


def indicator(low: Number | None, high: Number | None) -> Piecewise:
    """Return the function that is 1 between two numbers, and 0 elsewhere."""
    one: Terms = {(0, 0, 0, 0): 1}
    if low is not None and high is not None and low >= high:
        return Piecewise((), ({},))
    cuts = tuple(end for end in (low, high) if end is not None)
    return Piecewise(cuts, (*([{}] if low is not None else []), one, *([{}] if high is not None else [])))


def _window(node: _Node, whole: Terms, lowers: Sequence[Line], uppers: Sequence[Line]) -> Piecewise:
    """Return, as a function of t, the integral of a node between its greatest lower and its least upper line."""
    lines = [*lowers, *uppers]
    composed = {line: node.integral.along(*line) for line in lines}
    cuts: set[Number] = {cut for function in composed.values() for cut in function.cuts}
    for place, (slope, offset) in enumerate(lines):
        for other, other_offset in lines[:place]:
            if slope != other:
                cuts.add(divided(other_offset - offset, slope - other))
    ordered = sorted(cuts)
    pieces: list[Terms] = []
    for t in inner_points(ordered):
        low = max(lowers, key=lambda line: line[0] * t + line[1], default=None)
        high = min(uppers, key=lambda line: line[0] * t + line[1], default=None)
        if low is not None and high is not None and low[0] * t + low[1] >= high[0] * t + high[1]:
            pieces.append({})
            continue
        end = whole if high is None else composed[high].piece_at(t)
        start: Terms = {} if low is None else composed[low].piece_at(t)
        pieces.append(gathered([*end.items(), *((name, -c) for name, c in start.items())]))
    return type(node.integral).joined(ordered, pieces)


def linked(items: Iterable[Inequality]) -> list[list[Inequality]]:
    """Return the inequalities in groups that share no variable."""
    groups: list[tuple[set[int], list[Inequality]]] = []
    for item in items:
        names = {name for name, _ in item.form}
        near = [group for group in groups if not group[0].isdisjoint(names)]
        groups = [group for group in groups if group[0].isdisjoint(names)]
        merged = names.union(*(group[0] for group in near))
        groups.append((merged, [*(row for group in near for row in group[1]), item]))
    return [rows for _, rows in groups]
