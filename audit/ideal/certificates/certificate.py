"""Certificates of verdicts on ideal noise, and their check: `checker.py` decides on their trees.

This file shows that the trees are the program's: one run on each leaf, which answers all that the program asks.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any

from dpcert.audit.certificates import strict_json
from dpcert.audit.ideal.certificates import checker, corners, gauss, lengths, signs, turns
from dpcert.audit.ideal.certificates.leaves import given_paths, has_gumbel, is_exact, is_plain, leaf_of, region_path
from dpcert.audit.ideal.every import Every, Range
from dpcert.audit.ideal.every_report import EveryReport, decide_every
from dpcert.audit.ideal.explore import replayed
from dpcert.audit.ideal.folding import folded
from dpcert.audit.ideal.lengths import ANY_LENGTH, need_any_length
from dpcert.audit.ideal.opening import moves_of, need_same, open_input
from dpcert.audit.ideal.outcomes import has_posts, is_noisy
from dpcert.audit.ideal.report import IdealReport
from dpcert.audit.ideal.stars import bounds_of
from dpcert.audit.ideal.verdict import assumptions_of, decide_ideal, held_by, left_by
from dpcert.audit.kernel.certificate import Malformed
from dpcert.audit.kernel.check import Rejected
from dpcert.audit.kernel.claim import ApproxDP, Claim
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact, ratio_text
from dpcert.mechanisms.ideal.meant import OPEN
from dpcert.mechanisms.ideal.path import Path
from dpcert.mechanisms.ideal.terms import Number

SCHEMA = "dpcert.ideal-certificate/5"
KINDS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("parameters", "sources", "versions"), (dict,)),
    **dict.fromkeys(("trees", "regions", "alignments", "brackets", "proofs", "assumptions"), (list,)),
    "pairs": (int,),
    **dict.fromkeys(("witness", "lengths"), (dict, type(None))),
}
METHODS = ("integration", "alignment", "pairs", "intervals", "densities", "normal release", "corners", ANY_LENGTH)


@dataclass(frozen=True, slots=True)
class IdealCertificate:
    """A verdict on ideal noise as data: the tree of the program on each input, and the results of the search.

    `trees`, `regions`, `alignments` and `proofs` are as `checker.py` reads them; `brackets` are rows [a, b, proof] for
    pairs of inputs on which Gaussian noise is released, as `gauss.py` reads them. Where open inputs were aligned, there
    is one tree, on these, and a step for each difference of inputs. Else there is a tree for each input, and a step for
    each pair. For discrete noise there is no tree: another audit decides the claim again. `witness` is {"a", "b",
    "event"}, positions of inputs and an event, where outcomes or intervals refute. `lengths` shows a claim about lists
    of any length, as `lengths.py` reads it; then there is no tree. For a claim of every epsilon of a range, `epsilon`
    is the claimed multiple, `every` the range in words, and `at` the epsilon that refutes it; `every` and `at` are
    empty texts otherwise.
    """

    schema: str
    target: str
    parameters: dict[str, str]
    epsilon: str
    delta: str
    neighbours: str
    inputs_digest: str
    verdict: str
    method: str
    sentence: str
    pairs: int
    trees: list[Any]
    regions: list[Any]
    alignments: list[Any]
    brackets: list[Any]
    proofs: list[Any]
    witness: dict[str, Any] | None
    lengths: dict[str, Any] | None
    every: str
    at: str
    assumptions: list[str]
    sources: dict[str, str]
    versions: dict[str, str]

    def to_text(self) -> str:
        return json.dumps({f.name: getattr(self, f.name) for f in fields(self)}, sort_keys=True) + "\n"

    @classmethod
    def from_text(cls, text: bytes) -> IdealCertificate:
        """Return the certificate that a JSON text spells out, every field present, known and of its type.

        Raises: Malformed, in one line.
        """
        data = strict_json(text, "certificate")
        if not isinstance(data, dict):
            raise Malformed("not a certificate: an object was needed")
        known = {f.name: f for f in fields(cls)}
        for name in [*data, *known]:
            if name not in known or name not in data:
                raise Malformed(f"{'unknown' if name in data else 'missing'} field {name[:80]!r}")
        if data["schema"] != SCHEMA or data["verdict"] not in ("verified", "refuted") or data["method"] not in METHODS:
            raise Malformed(f"schema {SCHEMA!r}, a verdict and a method needed")
        for name in known:
            if not isinstance(data[name], KINDS.get(name, (str,))) or isinstance(data[name], bool):
                raise Malformed(f"field {name!r} is of another type")
        return cls(**data)


@dataclass(frozen=True, slots=True)
class Stated:
    """The fields of a certificate that say what it is about and what it rests on, beside its claim and its proof."""

    sentence: str
    assumptions: Sequence[str]
    sources: Mapping[str, str]
    versions: Mapping[str, str]


def at_epsilon(claim: Claim, epsilon: Fraction) -> Claim:
    """Return the claim at one epsilon that follows from a claim of every epsilon: of the same multiple."""
    guarantee = claim.guarantee
    return replace(claim, guarantee=ApproxDP(guarantee.epsilon.rational * epsilon, guarantee.delta))


def check_ideal(
    certificate: IdealCertificate,
    claim: Claim,
    program: Callable[..., Any],
    stated: Stated,
    *,
    every: str = "",
    within: Range | None = None,
    any_length: bool = False,
) -> None:
    """Check a certificate against a program. A claim of every epsilon has its range as `within`, in words as `every`.

    Raises: Rejected where anything differs; Unauditable where the program is not followed any more.
    """
    expected: dict[str, object] = {
        "target": claim.mechanism,
        "parameters": dict(claim.parameters),
        "epsilon": str(claim.guarantee.epsilon),
        "delta": ratio_text(claim.guarantee.delta),
        "neighbours": claim.neighbours.name,
        "inputs_digest": claim.inputs_digest(),
        "sentence": stated.sentence,
        "every": every,
        "sources": dict(stated.sources),
        "versions": dict(stated.versions),
    }
    for name, value in expected.items():
        if getattr(certificate, name) != value:
            raise Rejected(f"{name} differs from that of the program: audit again")
    pairs = list(claim.pairs())
    if certificate.pairs != len(pairs) or not pairs:
        raise Rejected(f"{certificate.pairs} pairs in the certificate and {len(pairs)} when recomputed")
    if (certificate.method == ANY_LENGTH) != (any_length and certificate.verdict == "verified"):
        raise Rejected("what holds on some lists is not shown for lists of any length")
    epsilon: Fraction | str | None = None if within is None else OPEN
    if certificate.at:
        with suppress(InputError):
            epsilon = exact(certificate.at, "at")
        if not isinstance(epsilon, Fraction) or within is None or epsilon not in within or epsilon <= 0:
            raise Rejected("what is given is no epsilon of the claim")
        if certificate.verdict != "refuted":
            raise Rejected("what holds at one epsilon is not verified for every one")
        claim = at_epsilon(claim, epsilon)
    if epsilon == OPEN and certificate.verdict != "verified":
        raise Rejected("a refutation of every epsilon is at one")
    try:
        _need_shown(certificate, claim, program, stated.assumptions, epsilon, within)
    except (checker.NotShown, lengths.NotShown) as error:
        raise Rejected(str(error)) from None
    except (TypeError, KeyError, IndexError, AttributeError, ValueError) as error:
        raise Rejected(f"data of another form: {error!r}") from None


def _need_shown(
    certificate: IdealCertificate,
    claim: Claim,
    program: Callable[..., Any],
    assumptions: Sequence[str],
    epsilon: Fraction | str | None,
    within: Range | None,
) -> None:
    """Raises: NotShown or Rejected, unless the certificate's trees are the program's, and show its verdict."""
    if certificate.method == ANY_LENGTH:
        shown = need_any_length(certificate.lengths or {}, claim, program, epsilon)
        if certificate.assumptions != [*assumptions, *assumptions_of(shown.held, shown.left)]:
            raise Rejected("the assumptions are others")
        return
    if not certificate.trees:
        followed = _found_again(certificate, claim, program, assumptions, epsilon, within)
        gumbel = any(map(has_gumbel, followed))
        if certificate.verdict == "refuted" and has_posts(followed):
            return
        if all(map(is_plain, followed)) and not any(map(is_exact, followed)) and not gumbel:
            raise Rejected("no tree of the program, whose noise is not discrete")
        return
    proofs = checker.Proofs(certificate.proofs)
    scope = scope_of(within if epsilon == OPEN else None)
    trees = [turns.tree(tree, proofs, scope, integrals_of()) for tree in certificate.trees]
    paths = _followed(certificate, claim, program, epsilon)
    if certificate.assumptions != [*assumptions, *assumptions_of(held_by(paths), left_by(paths))]:
        raise Rejected("the assumptions are others")
    if certificate.verdict == "refuted" and has_posts(paths):
        raise Rejected("what the arguments of a function of noise tell, the function may hide")
    if certificate.method in ("alignment", "pairs"):
        if certificate.verdict != "verified":
            raise Rejected("alignments refute nothing")
        need_aligned(certificate, claim, trees, int(epsilon == OPEN), proofs)
        return
    gumbel = any(map(has_gumbel, paths))
    if certificate.method == "corners" or any(map(is_exact, paths)) or (gumbel and epsilon == OPEN):
        _need_cornered(certificate, claim, trees, within if epsilon == OPEN else None)
        return
    pairs = list(claim.pairs())
    if epsilon == OPEN:
        if certificate.method != "integration" or any(is_noisy(path.outcome) for row in paths for path in row):
            raise Rejected("what releases noise is not shown to be within the claim for every epsilon")
        if within is None or not Every(claim, paths, claim.guarantee.epsilon.rational, within).holds():
            raise Rejected("a pair of inputs is not shown to be within the claim for every epsilon")
        return
    witness = certificate.witness
    if certificate.method == "normal release":
        _need_bracketed(certificate, claim, trees)
    elif certificate.verdict == "refuted" and witness is not None:
        a, b = _pair(witness, pairs)
        checker.check_witness(trees[a], trees[b], witness.get("event"), *_guarantee(claim), integrals_of())
    elif certificate.method == "integration":
        if certificate.verdict != "verified":
            raise Rejected("a refutation without a witness")
        need_outcomes(claim, trees, gumbel=gumbel)
    else:
        _found_again(certificate, claim, program, assumptions, epsilon, within)


def _need_bracketed(certificate: IdealCertificate, claim: Claim, trees: Sequence[checker.Tree]) -> None:
    """Raises: NotShown or Rejected, unless brackets show every pair within the claim, or show that one breaks it."""
    pairs = list(claim.pairs())
    integrals, (epsilon, delta) = integrals_of(), _guarantee(claim)
    laws = [gauss.mixtures(whole.leaves.values(), integrals) for whole in trees]
    found = {}
    for a, b, proof in certificate.brackets:
        pair = _pair({"a": a, "b": b}, pairs)
        found[pair] = gauss.delta_bounds(laws[a], laws[b], epsilon, proof)
    if certificate.verdict == "refuted":
        checker.need(any(low > delta for low, _ in found.values()), "no pair breaks the claim")
    else:
        checker.need(set(found) == set(pairs), "a pair of inputs has no brackets")
        checker.need(all(high <= delta for _, high in found.values()), "a pair of inputs is not within the claim")


def _found_again(
    certificate: IdealCertificate,
    claim: Claim,
    program: Callable[..., Any],
    assumptions: Sequence[str],
    epsilon: Fraction | str | None,
    within: Range | None,
) -> Sequence[Sequence[Path]]:
    """Return the paths that a new audit follows.

    Raises: Rejected, unless that audit finds the certificate's verdict by the certificate's method.
    """
    report: IdealReport | EveryReport
    if within is not None and epsilon == OPEN:
        factor, delta = claim.guarantee.epsilon.rational, claim.guarantee.delta
        report = decide_every(program, claim.inputs, claim.neighbours, factor=factor, delta=delta, within=within)
    else:
        report = decide_ideal(claim, program, epsilon=epsilon if isinstance(epsilon, Fraction) else None)
    if (report.verdict, report.method) != (certificate.verdict, certificate.method):
        raise Rejected(f"{certificate.verdict} in the certificate and {report.verdict} when recomputed")
    if certificate.assumptions != [*assumptions, *assumptions_of(report.held, report.left)]:
        raise Rejected("the assumptions are others")
    return report.followed


def _guarantee(claim: Claim) -> tuple[tuple[Any, Any], Any]:
    """Return epsilon and delta in the checker's form."""
    epsilon, delta = claim.guarantee.epsilon, claim.guarantee.delta
    return (_fmpq(epsilon.rational), _fmpq(epsilon.ratio)), _fmpq(delta)


def _fmpq(x: Number) -> Any:
    return checker.number(ratio_text(Fraction(x)))


def _pair(witness: dict[str, Any] | None, pairs: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return the pair of inputs of a witness."""
    a, b = (witness or {}).get("a"), (witness or {}).get("b")
    if type(a) is not int or type(b) is not int or (a, b) not in pairs:
        raise Rejected("the witness is no pair of inputs")
    return a, b


def _followed(
    certificate: IdealCertificate, claim: Claim, program: Callable[..., Any], epsilon: Fraction | str | None
) -> list[list[Path]]:
    """Return the paths of a program on each input and, for alignments, on open inputs.

    Raises: Rejected where the certificate's trees are not the program's; Unauditable where it asks more than they
        answer.
    """
    leaves = [given_paths(tree) for tree in certificate.trees]
    given = [[path for _, paths in row for path in paths] for row in leaves]
    inputs = [open_input(claim.inputs)] if certificate.method == "alignment" else list(claim.inputs)
    found = replayed(program, inputs, given, epsilon=epsilon)
    for row, paths in zip(leaves, found, strict=True):
        rest = iter(paths)
        for leaf, own in row:
            whole = [next(rest) for _ in own]
            whole = folded(whole) if leaf["halves"] else whole
            if [leaf_of(path) for path in whole] != [leaf]:
                raise Rejected("the paths of the program are others")
    if certificate.method == "alignment":
        return [*found, *need_same(program, claim.inputs, found[0], epsilon=epsilon)]
    return found


def need_aligned(
    certificate: IdealCertificate, claim: Claim, trees: Sequence[checker.Tree], power: int, proofs: checker.Proofs
) -> None:
    """Raises: NotShown, unless alignments bound all pairs, or all differences of inputs, within the claim."""
    pairs = list(claim.pairs())
    if certificate.method == "pairs":
        steps = [checker.Step(a, b) for a, b in pairs]
    else:
        moves = moves_of(claim.inputs, pairs)
        steps = [checker.Step(0, 0, {name: _fmpq(x) for name, x in move.items()}) for move in moves]
    regions = [
        [checker.region(each, tree, proofs) for each in data]
        for data, tree in zip(certificate.regions, trees, strict=True)
    ]
    epsilon, delta = _guarantee(claim)
    checker.check_alignments(
        trees,
        regions,
        steps,
        certificate.alignments,
        proofs,
        epsilon=epsilon,
        delta=delta,
        power=power,
        integrals=integrals_of(),
    )


def need_outcomes(claim: Claim, trees: Sequence[checker.Tree], *, gumbel: bool) -> None:
    """Raises: NotShown, unless outcomes are shown to be within the claim: by bounds, or by their closed forms."""
    try:
        outcomes = checker.Outcomes(trees, *_guarantee(claim), integrals_of())
        for pair in claim.pairs():
            outcomes.need_within(*pair)
    except checker.NotShown:
        if not gumbel or claim.guarantee.delta:
            raise
        need_cornered(claim, trees, None)


def _need_cornered(
    certificate: IdealCertificate, claim: Claim, trees: Sequence[checker.Tree], within: Range | None
) -> None:
    if certificate.verdict == "verified":
        need_cornered(claim, trees, within)
        return
    witness = certificate.witness
    if witness is None or certificate.method == "corners":
        raise Rejected("corners refute nothing without an event")
    a, b = _pair(witness, list(claim.pairs()))
    if claim.guarantee.delta:
        raise Rejected("exact weights are not refuted at a delta")
    corners.check_witness(trees[a], trees[b], witness.get("event"), _guarantee(claim)[0], integrals_of())


def need_cornered(claim: Claim, trees: Sequence[checker.Tree], within: Range | None) -> None:
    """Raises: NotShown, unless corners show that all pairs are within the claim; for every epsilon `within` a range."""
    checker.need(not claim.guarantee.delta, "corners say nothing at a delta")
    (number, ratio), _ = _guarantee(claim)
    found = corners.Corners(trees, {number: ratio}, scope_of(within), integrals_of())
    for pair in claim.pairs():
        found.need_within(*pair)


def scope_of(within: Range | None) -> signs.Scope:
    """Return the scope of signs: one epsilon, or every epsilon `within` a range."""
    if within is None:
        return signs.Scope()
    return signs.Scope(True, _fmpq(within.low), None if within.high is None else _fmpq(within.high))


def _quadrature(region: checker.Region) -> checker.Bounds:
    low, high = bounds_of(region_path(region))
    return _fmpq(low), _fmpq(high)


def integrals_of() -> checker.Integrals:
    """Return the checker's integrals, with quadrature for the noise that it does not integrate."""
    return checker.Integrals(_quadrature)
