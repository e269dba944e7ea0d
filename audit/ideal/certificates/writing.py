"""Certificates on ideal noise as they are written: trees, regions and alignments, and the proofs about them.

Linear programs find proofs while the check itself runs. Nobody trusts this module.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dpcert.audit.ideal.alignment import Alignment, Region, Step, check_alignments
from dpcert.audit.ideal.certificates import checker, turns
from dpcert.audit.ideal.certificates.certificate import (
    SCHEMA,
    IdealCertificate,
    Stated,
    at_epsilon,
    integrals_of,
    need_aligned,
    need_cornered,
    need_outcomes,
    scope_of,
)
from dpcert.audit.ideal.certificates.leaves import (
    Data,
    form_data,
    fraction,
    has_gumbel,
    is_exact,
    is_plain,
    leaf_of,
    outline,
    repeats_of,
    text_of,
)
from dpcert.audit.ideal.every import Range
from dpcert.audit.ideal.every_report import EveryReport
from dpcert.audit.ideal.folding import folded
from dpcert.audit.ideal.gaussian import Mixtures, laws_of
from dpcert.audit.ideal.merge import grouped, open_steps, pair_steps
from dpcert.audit.ideal.opening import moves_of
from dpcert.audit.ideal.outcomes import has_posts, noisy_parts
from dpcert.audit.ideal.report import IdealReport, unknown_report
from dpcert.audit.ideal.verdict import assumptions_of, decide_ideal
from dpcert.audit.kernel.claim import Claim
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.exact.outcome import key
from dpcert.mechanisms.ideal.linear import maximize
from dpcert.mechanisms.ideal.path import Inequality, Path
from dpcert.mechanisms.ideal.terms import Number

SHARED = ("verdict", "pairs", "paths", "delta", "method", "alignments", "held", "left", "followed", "opened", "lengths")
"""The fields of a report on every epsilon that one at one epsilon has, too."""


class FoundProofs(checker.Proofs):
    """Proofs that are found when they are asked for, and kept in `kept`."""

    def __init__(self) -> None:
        super().__init__(())
        self.kept: list[Data] = []

    def asked(self, rows: Sequence[checker.Row]) -> Data:
        """Return multipliers that show that rows have no common point; none where there are none."""
        proof = [[place, ratio_text(x)] for place, x in _multipliers(rows)]
        self.kept.append(proof)
        return proof


def _multipliers(rows: Sequence[checker.Row]) -> Iterator[tuple[int, Fraction]]:
    """Yield the rows and the multipliers that sum to a contradiction, if there are any."""
    plain = [{name: fraction(c) for name, c in row.items()} for row in rows]
    names = {name for row in plain for name in row} - {checker.UNIT}
    places = range(len(plain))
    equal = [({n: row.get(name, Fraction(0)) for n, row in enumerate(plain)}, 0) for name in names]
    equal.append((dict.fromkeys(places, Fraction(1)), 1))
    sums: list[tuple[Mapping[int, Number], Number]] = [({n: -1}, 0) for n in places]
    sums.append(({n: row.get(checker.UNIT, 0) for n, row in enumerate(plain)}, 0))
    for form, total in equal:
        sums += [(form, total), ({n: -c for n, c in form.items()}, -total)]
    found = maximize({}, sums)
    return ((place, x) for place, x in (found.point if found else {}).items() if x)


def tree_of(paths: Sequence[Path]) -> list[Data]:
    """Return the tree of the paths on an input: a leaf for each, those that come back to a state, and those that no
    noise takes."""
    leaves = [*map(leaf_of, paths), *repeats_of(paths)]
    known = {_mark(leaf["steps"][:depth]) for leaf in leaves for depth in range(1, len(leaf["steps"]) + 1)}
    for leaf in list(leaves):
        for depth, step in enumerate(leaf["steps"]):
            if step[0] == "draw":
                continue
            steps = [*leaf["steps"][:depth], ["below" if step[0] == "above" else "above", *step[1:]]]
            if _mark(steps) not in known:
                known.add(_mark(steps))
                empty: Data = {"outcome": None, "parts": [], "derived": [], "halves": [], "repeats": None}
                leaves.append({**leaf, "steps": steps, **empty})
    return leaves


def _mark(data: Data) -> Any:
    return tuple(map(_mark, data)) if isinstance(data, list) else data


def regions_data(paths: Sequence[Path]) -> list[Data]:
    """Return the regions of the paths on an input, as [leaves, rows]: rows of those of several leaves."""
    places = {id(path): place for place, path in enumerate(paths)}
    found = []
    for region, members in grouped(paths):
        rows = [] if len(members) == 1 else [_row(item) for item in region.inequalities]
        found.append([[places[id(path)] for path in members], rows])
    return found


def _row(item: Inequality) -> Data:
    form, offset = item.inward()
    return [form_data(form.items()), text_of(offset)]


def alignments_data(steps: Sequence[Step], alignments: Sequence[Alignment]) -> list[Data]:
    """Return alignments as rows [step, source, target, shift, names, cut]."""
    cuts: dict[tuple[int, int], Region] = {}
    for place, left in enumerate(check_alignments(steps, alignments).left):
        sources = {id(source): number for number, source in enumerate(steps[place].sources)}
        cuts |= {(place, sources[id(source)]): part for source, part in left if part is not None}
    found = []
    for each in alignments:
        source, part = steps[each.step].sources[each.source], cuts.get((each.step, each.source))
        cut = [] if part is None else part.inequalities[len(source.inequalities) :]
        names = [list(pair) for pair in each.names]
        found.append([each.step, each.source, each.target, form_data(each.shift), names, [_row(item) for item in cut]])
    return found


def certificate_of(report: IdealReport, stated: Stated, *, within: Range | None = None) -> IdealCertificate | None:
    """Return the certificate of a report, of every epsilon `within` a range; None for one that is undecided."""
    claim = report.claim
    if report.verdict == "undecided":
        return None
    followed = [list(report.opened)] if report.method == "alignment" else list(map(list, report.followed))
    if report.alignments:
        followed = list(map(folded, followed))
    gumbel = report.method in ("integration", "corners") and any(map(has_gumbel, followed))
    exact = any(map(is_exact, followed)) or (gumbel and within is not None)
    hidden = report.verdict == "refuted" and has_posts(followed)  # its event is of what a caller sees of an outcome
    has_trees = (
        report.lengths is None and all(map(is_plain, followed)) and not (exact and claim.guarantee.delta) and not hidden
    )
    alignments = report.alignments if has_trees else ()
    try:
        trees = [tree_of(paths) for paths in followed] if has_trees else []
        witness = _witness(report) if has_trees else None
        steps = _steps_of(report, claim, followed) if alignments else []
    except Unauditable:  # of an outcome of which no part can be named
        return None
    found = IdealCertificate(
        schema=SCHEMA,
        target=claim.mechanism,
        parameters=dict(claim.parameters),
        epsilon=str(claim.guarantee.epsilon),
        delta=ratio_text(claim.guarantee.delta),
        neighbours=claim.neighbours.name,
        inputs_digest=claim.inputs_digest(),
        verdict=report.verdict,
        method=report.method,
        sentence=stated.sentence,
        pairs=report.pairs,
        trees=trees,
        regions=[regions_data(paths) for paths in followed] if alignments else [],
        alignments=alignments_data(steps, alignments) if alignments else [],
        brackets=_brackets(report) if has_trees and report.method == "normal release" else [],
        proofs=[],
        witness=witness,
        lengths=report.lengths,
        every="",
        at="",
        assumptions=[*stated.assumptions, *assumptions_of(report.held, report.left)],
        sources=dict(stated.sources),
        versions=dict(stated.versions),
    )
    proofs = FoundProofs()
    try:
        checked = [turns.tree(tree, proofs, scope_of(within), integrals_of()) for tree in trees]
        if found.alignments:
            power = max((law.rate.power for paths in followed for path in paths for law in path.laws), default=0)
            need_aligned(found, claim, checked, power, proofs)
        if has_trees and found.verdict == "verified" and (exact or found.method == "corners"):
            need_cornered(claim, checked, within)
        elif has_trees and gumbel and found.verdict == "verified":
            need_outcomes(claim, checked, gumbel=True)
    except checker.NotShown:
        return replace(found, trees=[], witness=None) if exact or gumbel else None
    return replace(found, proofs=proofs.kept)


def _brackets(report: IdealReport) -> list[Data]:
    """Return the bounds of the delta of each pair of inputs, or of the pair that breaks the claim."""
    claim = report.claim
    pairs = list(claim.pairs())
    if report.worst is not None:
        places = {key(value): place for place, value in enumerate(claim.inputs)}
        pairs = [(places[key(report.worst.a)], places[key(report.worst.b)])]
    search = Mixtures(laws_of(report.followed))
    return [[a, b, search.proof(a, b, claim.guarantee.epsilon)] for a, b in pairs]


def _witness(report: IdealReport) -> dict[str, Any] | None:
    """Return the pair of inputs and the event that refute a claim; None where they are found again."""
    if report.verdict != "refuted" or report.worst is None or report.method not in ("integration", "intervals"):
        return None
    event = [(outcome, {}) for outcome in report.worst.event] if report.method == "integration" else report.event
    places = {key(value): place for place, value in enumerate(report.claim.inputs)}
    named: list[Any] = []
    for outcome, box in event:
        ends = [box.get(part, (None, None)) for part in noisy_parts(outcome)]
        item = [outline(outcome), [[None if end is None else ratio_text(end) for end in pair] for pair in ends]]
        named += [] if item in named else [item]
    return {"a": places[key(report.worst.a)], "b": places[key(report.worst.b)], "event": named}


def _steps_of(report: IdealReport, claim: Claim, followed: Sequence[Sequence[Path]]) -> list[Step]:
    """Return the steps that the alignments of a report are about."""
    pairs = list(claim.pairs())
    if report.method == "alignment":
        return open_steps(followed[0], moves_of(claim.inputs, pairs))
    return pair_steps(followed, pairs)


def certificate_of_every(
    report: EveryReport, claim: Claim, program: Callable[..., Any], stated: Stated, *, every: str
) -> IdealCertificate | None:
    """Return the certificate of a report on every epsilon of a range, in words; None for one that is undecided.

    A refutation is that of the claim at one epsilon.
    """
    if report.epsilon is not None:
        found = decide_ideal(at_epsilon(claim, report.epsilon), program, epsilon=report.epsilon)
    else:
        found = replace(unknown_report(claim, None), **{name: getattr(report, name) for name in SHARED})
    certificate = certificate_of(found, stated, within=None if report.epsilon is not None else report.within)
    if certificate is None or certificate.verdict != report.verdict:
        return None
    at = "" if report.epsilon is None else ratio_text(report.epsilon)
    return replace(certificate, epsilon=str(claim.guarantee.epsilon), every=every, at=at)
