"""Alignments and their check: shifts of the noise that take a program's regions on one input into those on a neighbour.

A shift s takes a source region into a target region with the same outcome: wherever x is in the source, x + s is in the
target, and releases the same there. The source's part of the law is then at most e^cost times the target's:
x -> x + s moves the density of Laplace or logistic noise of rate r by at most a factor e^(r |s|), and that of
exponential or Gumbel noise by at most e^(r s) for s >= 0. Sources have different targets, so their images do not
overlap. So the greatest cost bounds epsilon for the pair of inputs, where all sources are aligned as a whole; else the
probability of the rest bounds delta. All is checked by substitution, but for an inequality of the target
that the source does not have: its contrary must have no point in the source, or it cuts the source.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from dpcert.audit.ideal.outcomes import noisy_parts, with_parts
from dpcert.mechanisms.exact.outcome import key
from dpcert.mechanisms.ideal.noise import WHOLE_VALUED, Law
from dpcert.mechanisms.ideal.parts import HOLE, Noisy, Rounded, with_names
from dpcert.mechanisms.ideal.path import Inequality, Path, meet
from dpcert.mechanisms.ideal.terms import Number

BOTH_WAYS, UPWARDS = frozenset({"laplace", "logistic"}), frozenset({"exponential", "gumbel", "geometric"})
"""The noise that may be shifted by any number, and by numbers >= 0, at a cost of its rate times that; discrete noise by
integers alone."""
Move = dict[int, Number]
"""By how much each number of an open input differs, by its variable."""


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the space of all noise on which a program has one outcome: where all inequalities hold.

    `weight` is the probability of the draws from finitely many values that lead there.
    """

    laws: tuple[Law, ...]
    inequalities: tuple[Inequality, ...]
    outcome: Any
    weight: Fraction = Fraction(1)

    @classmethod
    def of(cls, path: Path) -> Region:
        return cls(path.laws, path.inequalities, path.outcome, path.chance())

    def parts(self) -> list[Noisy | Rounded]:
        """Return the noisy numbers that are released."""
        return list(noisy_parts(self.outcome))

    def outline(self) -> Hashable:
        """Return the part of an outcome that its regions have in common: all of it but for the noisy numbers."""
        return key(with_parts(self.outcome, lambda part: HOLE))

    def names(self) -> set[int]:
        """Return the noise variables that decide the region, or are released."""
        forms = [item.form for item in self.inequalities] + [part.terms for part in self.parts()]
        return {name for form in forms for name, _ in form if name >= 0}


@dataclass(frozen=True, slots=True)
class Step:
    """The regions of a program on an input, and those on a neighbour of it."""

    sources: tuple[Region, ...]
    targets: tuple[Region, ...]


@dataclass(frozen=True, slots=True)
class Alignment:
    """A shift of the noise, by variable, that takes a source region of a step into a target: positions, all of them.

    `names` are the target's variables that stand for others of the source, each with that.
    """

    step: int
    source: int
    target: int
    shift: tuple[tuple[int, Fraction], ...]
    names: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Checked:
    """The bound of alignments: at each step, the source's law is at most e^bound times the target's, but for a rest.

    The bound is in units of epsilon^power. `left` are regions, each with the part of it that is aligned, or None.
    """

    bound: Fraction
    power: int
    left: tuple[tuple[tuple[Region, Region | None], ...], ...]


def check_alignments(steps: Sequence[Step], alignments: Sequence[Alignment]) -> Checked:
    """Return the bound that alignments show.

    Raises: ArithmeticError for one that is none.
    """
    found = {(each.step, each.source): each for each in alignments}
    taken: set[tuple[int, int]] = set()
    bound, powers = Fraction(0), set()
    cut: dict[tuple[int, int], Region] = {}
    for (place, number), alignment in found.items():
        if not (0 <= place < len(steps) and 0 <= number < len(steps[place].sources)):
            raise ArithmeticError("an alignment of no region")
        if not 0 <= alignment.target < len(steps[place].targets):
            raise ArithmeticError("an alignment to no region")
        if (place, alignment.target) in taken:
            raise ArithmeticError("two regions are taken into the same one")
        taken.add((place, alignment.target))
        source = steps[place].sources[number]
        target = renamed(steps[place].targets[alignment.target], dict(alignment.names), source.laws)
        cost, cut[place, number] = aligned_part(source, target, dict(alignment.shift))
        bound = max(bound, cost)
        laws = max(source.laws, target.laws, key=len)
        powers |= {laws[name].rate.power for name, _ in alignment.shift}
    if len(powers) > 1:
        raise ArithmeticError("scales of the form c/epsilon beside plain numbers")
    left = tuple(
        tuple(
            (source, cut.get((place, number)))
            for number, source in enumerate(step.sources)
            if cut.get((place, number)) is not source
        )
        for place, step in enumerate(steps)
    )
    return Checked(bound, max(powers, default=0), left)


def renamed(region: Region, names: Mapping[int, int], laws: Sequence[Law]) -> Region:
    """Return a region with other names for its noise variables, beside variables of these laws.

    Raises: ArithmeticError where two variables get one name.
    """
    used = {name: names.get(name, name) for name in region.names()}
    if len(set(used.values())) < len(used) or min(used.values(), default=0) < 0:
        raise ArithmeticError("two variables of one name")
    whole = [*laws, *[Law("laplace")] * (max(used.values(), default=-1) + 1 - len(laws))]
    for name, other in used.items():
        whole[other] = region.laws[name]
    items = tuple(item.renamed(used) for item in region.inequalities)
    return Region(tuple(whole), items, with_parts(region.outcome, lambda part: with_names(part, used)), region.weight)


def aligned_part(source: Region, target: Region, shift: Mapping[int, Fraction]) -> tuple[Fraction, Region]:
    """Return the cost of a shift of the noise, in units of epsilon^power, and the part of the source that it takes into
    the target with the same outcome: the source itself where that is all of it.

    Variables that the target alone has stand beside those of the source.
    Raises: ArithmeticError for another outcome, and for noise that has no bound for the shift.
    """
    shared = min(len(source.laws), len(target.laws))
    used = source.names() | target.names() | set(shift)
    if min(used, default=0) < 0 or any(source.laws[name] != target.laws[name] for name in used if name < shared):
        raise ArithmeticError("an alignment between noise of different laws")
    laws = max(source.laws, target.laws, key=len)
    if max(used, default=-1) >= len(laws) or source.weight > target.weight:
        raise ArithmeticError("an alignment to what is less likely")
    if source.outline() != target.outline():
        raise ArithmeticError("an alignment to another outcome")
    for part, other in zip(source.parts(), target.parts(), strict=True):
        if replace(other, offset=other.offset + _along(other.terms, shift)) != part:
            raise ArithmeticError("an alignment changes the outcome")
    for name, s in shift.items():
        if laws[name].kind not in BOTH_WAYS | UPWARDS or laws[name].rate.ratio != 1:
            raise ArithmeticError(f"{laws[name].kind} noise has no bound for a shift")
        if laws[name].kind in UPWARDS and s < 0:
            raise ArithmeticError("an alignment shifts noise down that is shifted up only")
        if laws[name].kind in WHOLE_VALUED and s.denominator != 1:
            raise ArithmeticError("an alignment shifts discrete noise by what is no integer")
    cost = sum((laws[name].rate.factor * abs(s) for name, s in shift.items()), Fraction(0))
    whole = replace(source, laws=laws)
    before = (replace(item, threshold=item.threshold - _along(item.form, shift)) for item in target.inequalities)
    cut = [item for item in before if not _implied(whole, item)]
    return cost, replace(whole, inequalities=(*source.inequalities, *cut)) if cut else source


def _implied(region: Region, item: Inequality) -> bool:
    """Whether an inequality holds in all of a region."""
    side = 1 if item.above else -1
    alike = [own for own in region.inequalities if (own.form, own.above) == (item.form, item.above)]
    if any(side * own.threshold >= side * item.threshold for own in alike):
        return True
    return not meet([*region.inequalities, replace(item, above=not item.above)], region.laws)


def _along(form: Sequence[tuple[int, Number]], shift: Mapping[int, Number]) -> Fraction:
    """Return by how much a form differs where its variables are shifted."""
    return sum((Fraction(c) * shift[name] for name, c in form if name in shift), Fraction(0))


def moved(region: Region, move: Move) -> Region:
    """Return a region of open inputs at the inputs that are moved by so much, each by its variable."""
    items = tuple(replace(item, threshold=item.threshold - _along(item.form, move)) for item in region.inequalities)
    outcome = with_parts(region.outcome, lambda part: replace(part, offset=part.offset + _along(part.terms, move)))
    return replace(region, inequalities=items, outcome=outcome)
