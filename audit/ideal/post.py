"""Claims about programs that release functions of noisy numbers which are not linear in them.

Their paths release the arguments in place of each function, with its name. The program's release is a function of
that, the same on all inputs: a claim about the arguments that is verified is verified of the program. A claim is
refuted only by outcomes as a caller sees them:

- by all paths, where the function has no value twice, and all paths have the same function in each place;
- by the paths with nothing in the places of functions: events of the rest of the outcome;
- by the paths with, in one of these places, whether the number there is at most some number, where that is a question
  about half-spaces.

A function is at most a number on polytopes in the noise, its preimages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import isqrt
from typing import Any

from dpcert.audit.ideal.outcomes import holds_post
from dpcert.audit.ideal.report import IdealReport, Seen
from dpcert.mechanisms.decimals import decimal_lo
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import key
from dpcert.mechanisms.ideal.noise import is_whole
from dpcert.mechanisms.ideal.parameter import exactly
from dpcert.mechanisms.ideal.parts import Array, AsWritten, Noisy, Rounded
from dpcert.mechanisms.ideal.path import Inequality, Path, meet, normal_form
from dpcert.mechanisms.ideal.post import Function, Post, constant_in, is_injective, is_rational, value_of
from dpcert.mechanisms.logarithm import epsilon_bounds

Linear = tuple[dict[int, Fraction], Fraction]
"""A form and a constant."""
Cell = tuple[Linear, ...]
"""Where each of some linear numbers is above 0; of those at most an end, where each is at least 0."""
Cells = tuple[list[Cell], list[Cell]]
"""Where a number is at most an end, and where it is above."""
ALWAYS: Cells = ([()], [])
NEVER: Cells = ([], [()])
ONE = Fraction(1)


def halves(linear: Linear, end: Fraction) -> Cells:
    """Return where a linear number is at most an end, and where it is above."""
    below, above = _plus(_times(linear, -ONE), end), _plus(linear, -end)
    return [(below,)], [(above,)]


def _plus(linear: Linear, by: Fraction) -> Linear:
    return linear[0], linear[1] + by


def _times(linear: Linear, by: Fraction) -> Linear:
    return {name: c * by for name, c in linear[0].items() if c * by}, linear[1] * by


def _sum(first: Linear, second: Linear) -> Linear:
    terms = {
        name: first[0].get(name, Fraction(0)) + second[0].get(name, Fraction(0)) for name in {*first[0], *second[0]}
    }
    return {name: c for name, c in terms.items() if c}, first[1] + second[1]


def linear_in(function: Function, arguments: Sequence[Noisy]) -> Linear | None:
    """Return the linear number that a leaf of a function is; None for all else."""
    if function[0] != "of":
        return None
    found: Linear = ({}, Fraction(function[2]))
    for place, c in function[1]:
        found = _sum(found, _times((dict(arguments[place].terms), arguments[place].offset), c))
    return found


def preimage(function: Function, arguments: Sequence[Noisy], end: Fraction, factor: Fraction = ONE) -> Cells:
    """Return in cells where a function, times a factor that is not 0, is at most an end, and where it is above.

    Raises: Unauditable where these are no polytopes that are known.
    """
    linear = linear_in(function, arguments)
    if linear is not None:
        return halves(_times(linear, factor), end)
    name, *parts = function
    if name in ("add", "mul") and constant_in(parts[0]) is not None:
        parts.reverse()
    constants = [constant_in(part) for part in parts if isinstance(part, tuple)]
    match name, parts, constants:
        case "neg", (inner,), _:
            return preimage(inner, arguments, end, -factor)
        case "sqrt", (inner,), _:
            return _preimage_of_root(inner, arguments, end / factor, positive=factor > 0)
        case "mul", (left, right), _ if left == right:
            return _preimage_of_power(left, 2, arguments, end / factor, positive=factor > 0)
        case "pow", (inner, power), _:
            return _preimage_of_power(inner, power, arguments, end / factor, positive=factor > 0)
        case "mul", (inner, _), (_, Fraction() as by):
            by *= factor
            return preimage(inner, arguments, end, by) if by else ALWAYS if end >= 0 else NEVER
        case "truediv", (inner, _), (_, Fraction() as by):
            return preimage(inner, arguments, end, factor / by)
        case "truediv", (left, right), _:
            above, below = linear_in(left, arguments), linear_in(right, arguments)
            if above is not None and below is not None:
                return _preimage_of_quotient(_times(above, factor), below, end)
        case "add", (inner, _), (_, Fraction() as by):
            return preimage(inner, arguments, end - factor * by, factor)
        case "sub", (inner, _), (_, Fraction() as by):
            return preimage(inner, arguments, end + factor * by, factor)
        case "sub", (_, inner), (Fraction() as by, _):
            return preimage(inner, arguments, end - factor * by, -factor)
    raise Unauditable(f"where {name} of noise is at most a number is no question about half-spaces")


def _preimage_of_root(inner: Function, arguments: Sequence[Noisy], end: Fraction, *, positive: bool) -> Cells:
    """Return where a root is at most an end, or where `positive` is false, at least, and where it is not."""
    if positive:
        return preimage(inner, arguments, end * end) if end >= 0 else NEVER
    return preimage(inner, arguments, -end * end, -ONE) if end > 0 else ALWAYS


def _preimage_of_power(
    inner: Function, power: int, arguments: Sequence[Noisy], end: Fraction, *, positive: bool
) -> Cells:
    """Return where a power is at most an end, or where `positive` is false, at least, and where it is not."""
    linear = linear_in(inner, arguments)
    number = abs(end)
    # The rational root of a number of at least 0; None where it has none.
    above, below = _whole_root(number.numerator, power), _whole_root(number.denominator, power)
    root = None if above is None or below is None else Fraction(above, below)
    if linear is None or root is None:
        raise Unauditable("a power of noise beside a number of which the root is not rational")
    negative = _times(linear, -ONE)
    if power % 2:
        root = root if end >= 0 else -root
        return halves(linear, root) if positive else halves(negative, -root)
    if end < 0 or (end == 0 and not positive):
        return NEVER if positive else ALWAYS
    between: list[Cell] = [(_plus(linear, root), _plus(negative, root))]
    beyond: list[Cell] = [(_plus(linear, -root),), (_plus(negative, -root),)]
    return (between, beyond) if positive else (beyond, between)


def _preimage_of_quotient(above: Linear, below: Linear, end: Fraction) -> Cells:
    negative, difference = _times(below, -ONE), _sum(above, _times(below, -end))
    opposite = _times(difference, -ONE)
    return [(below, opposite), (negative, difference)], [(below, difference), (negative, opposite)]


def _whole_root(number: int, power: int) -> int | None:
    if power == 2:
        found = isqrt(number)
        return found if found * found == number else None
    near = round(number ** (1 / power)) if number < 1 << 900 else 0
    return next((each for each in (near - 1, near, near + 1) if each >= 0 and each**power == number), None)


Place = tuple[Any, ...]
Paths = Sequence[Sequence[Path]]
HIDDEN = "what is released is a function of noisy numbers, which may hide what these tell"
ERASED = "a function of noise"
MOST_ENDS = 12
"""How many numbers are tried at the most with which a released function is compared."""


def _parts(value: Any) -> list[tuple[Any, Any]] | None:
    """Return the parts of a list, a tuple, a dict or an array, by place; None for anything else."""
    if isinstance(value, Array):
        return list(enumerate(value.items))
    if type(value) is dict:
        return [(key(name), part) for name, part in value.items()]
    return list(enumerate(value)) if isinstance(value, (list, tuple)) else None


def _leaves(value: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Yield the parts of an outcome, by place.

    Raises: Unauditable where a function of noise lies in anything else than a list, tuple, dict or array.
    """
    parts = _parts(value)
    if parts is None:
        if not isinstance(value, Post) and holds_post(value):
            raise Unauditable(f"a function of noise released in a {type(value).__name__}; release it in a tuple")
        yield place, value
    for name, part in parts or ():
        yield from _leaves(part, (*place, name))


def _with(value: Any, replaced: Callable[[Place, Any], Any], place: Place = ()) -> Any:
    """Return an outcome with something else in place of each of its leaves; arrays become lists."""
    parts = _parts(value)
    if parts is None:
        return replaced(place, value)
    found = [_with(part, replaced, (*place, name)) for name, part in parts]
    if type(value) is dict:
        return dict(zip(value, found, strict=True))
    return tuple(found) if isinstance(value, tuple) else found


def decide_post(paths: Paths, decided: Callable[[Paths], IdealReport]) -> IdealReport:
    """Return the report on paths of which some release functions of noisy numbers; `decided` decides such without.

    Raises: Unauditable naming an operation that is not followed.
    """
    report = decided(paths)
    nothing, reason = Epsilon.of(0), report.reason
    with suppress(Unauditable):
        if told_apart(paths):
            return replace(report, worst=None if report.worst is None else _worded(report.worst))
    if report.verdict == "verified":
        delta = (Fraction(0), report.delta[1])
        return replace(report, delta=delta, epsilon=(nothing, report.epsilon[1]), worst=None)
    with suppress(Unauditable):
        for view in views(paths):
            found = _refuted(view, decided)
            if found is not None:
                return replace(found, delta=(found.delta[0], Fraction(1)), epsilon=(found.epsilon[0], None))
    if report.verdict == "refuted":
        reason = f"the arguments alone would need {_needed(*report.epsilon)}; the function may hide it"
    return replace(
        report,
        verdict="undecided",
        reason=f"{HIDDEN}: {reason}; release its arguments, or claim what these need",
        delta=(Fraction(0), Fraction(1)),
        epsilon=(nothing, None),
        worst=None,
        event=(),
    )


def _worded(seen: Seen) -> Seen:
    """Return an event with each function of noise in words: where its argument is, if the event says that."""

    def worded(place: Place, leaf: Any) -> Any:
        if not isinstance(leaf, Post):
            return leaf
        where: Any = leaf.arguments[0]  # words, where the event says between which numbers it is
        return ERASED if isinstance(where, Noisy) else f"{ERASED} {where}"

    return replace(seen, event=tuple(_with(outcome, worded) for outcome in seen.event))


def _refuted(view: Paths, decided: Callable[[Paths], IdealReport]) -> IdealReport | None:
    """Return the report on the least that a caller sees, if it refutes the claim."""
    with suppress(Unauditable, ArithmeticError):
        found = decided(view)
        return found if found.verdict == "refuted" else None
    return None


def _needed(low: Epsilon, high: Epsilon | None) -> str:
    if low == high:
        return f"epsilon {low}"
    if low == Epsilon.of(0):
        return "more than any epsilon that is known to be enough"
    return f"epsilon >= {decimal_lo(epsilon_bounds(low, 64)[0])}"


def told_apart(paths: Paths) -> bool:
    """Whether releases tell the arguments of each function: all paths have one function in its place, which
    has no value twice."""
    functions: dict[Place, Post] = {}
    rows = [dict(_leaves(path.outcome)) for row in paths for path in row]
    for leaves in rows:
        for place, leaf in leaves.items():
            if isinstance(leaf, Post):
                functions.setdefault(place, leaf)
    for place, post in functions.items():
        if len(post.arguments) != 1 or not is_injective(post.function):
            return False
        for leaf in (leaves[place] for leaves in rows if place in leaves):
            if isinstance(leaf, Post):
                if key(leaf.function) != key(post.function):
                    return False
            elif isinstance(leaf, (Noisy, Rounded, AsWritten)) or exactly(leaf) is not None:
                return False
    return True


def views(paths: Paths) -> Iterator[Paths]:
    """Yield the paths with the least that a caller sees of their outcomes: nothing of a function, or on which side
    of a number one is."""
    outcomes = [path.outcome for row in paths for path in row]
    places = {place for outcome in outcomes for place, leaf in _leaves(outcome) if isinstance(leaf, Post)}
    yield [[replace(path, outcome=_seen(path.outcome, places)) for path in row] for row in paths]
    if any(path.halves or path.narrowed or path.integers for row in paths for path in row):
        return
    for place in sorted(places, key=repr):
        for end in _ends(paths, place):
            with suppress(Unauditable):
                yield [[part for path in row for part in _split(path, place, end, places)] for row in paths]


def _seen(outcome: Any, places: set[Place], at: Place | None = None, words: Any = None) -> Any:
    return _with(outcome, lambda place, leaf: words if place == at else ERASED if place in places else leaf)


def _split(path: Path, place: Place, end: Fraction, places: set[Place]) -> Iterator[Path]:
    """Yield the parts of a path where the number at a place is at most a number, and where it is above.

    Raises: Unauditable where these are no polytopes.
    """
    leaves = dict(_leaves(path.outcome))
    if place not in leaves:
        yield replace(path, outcome=_seen(path.outcome, places))
        return
    cells = _cells(leaves[place], end)
    if cells is None:
        yield replace(path, outcome=_seen(path.outcome, places, place, leaves[place]))
        return
    for some, words, closed in zip(cells, (f"at most {end}", f"above {end}"), (True, False), strict=True):
        for cell in some:
            found = _within(path, cell, closed=closed)
            if found is not None:
                yield replace(found, outcome=_seen(path.outcome, places, place, words))


def _within(path: Path, cell: Cell, *, closed: bool) -> Path | None:
    """Return the part of a path in a cell; None where it is empty. Ends count for constants alone, as those of real
    noise have no probability.

    Raises: Unauditable for discrete noise.
    """
    items: list[Inequality] = []
    for terms, constant in cell:
        if not terms:
            if constant < 0 or (constant == 0 and not closed):
                return None
            continue
        if is_whole(path.laws, terms):
            raise Unauditable("a function of discrete noise beside a number")
        form, threshold, flipped = normal_form(terms, constant)
        items.append(Inequality(form, threshold, not flipped))
    items = [item for item in items if item not in path.inequalities]
    whole = replace(path, inequalities=(*path.inequalities, *items))
    return whole if meet(whole.inequalities, path.laws) else None


def _cells(leaf: Any, end: Fraction) -> Cells | None:
    """Return where a released number is at most an end, and where it is above; None for anything but a number."""
    if isinstance(leaf, Post):
        return preimage(leaf.function, leaf.arguments, end)
    if isinstance(leaf, Noisy):
        return halves((dict(leaf.terms), leaf.offset), end)
    if isinstance(leaf, (Rounded, AsWritten)):
        raise Unauditable("another number in the place of a function of noise")
    number = None if isinstance(leaf, bool) else exactly(leaf)
    if number is None:
        return None
    return ALWAYS if number <= end else NEVER


def _ends(paths: Paths, place: Place) -> list[Fraction]:
    """Return numbers with which the functions at a place may be compared: their values without noise, and near."""
    found: dict[Fraction, None] = {}
    for moves in ((0,), (-1, 1)):
        for row in paths:
            for path in row:
                post = dict(_leaves(path.outcome)).get(place)
                if not isinstance(post, Post) or not is_rational(post.function):
                    continue
                for shifts in product(moves, repeat=min(len(post.arguments), 3)):
                    centre = [part.offset + by for part, by in zip(post.arguments, (*shifts, *[0] * 99), strict=False)]
                    with suppress(ArithmeticError):
                        found[Fraction(value_of(post.function, centre))] = None
    return list(found)[:MOST_ENDS]
