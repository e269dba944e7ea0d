"""The verdict on a claim about a program on ideal noise, at one epsilon."""

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from dpcert.audit.certificates import NEVER
from dpcert.audit.ideal.explore import NO_LIMITS, laws_of
from dpcert.audit.ideal.orders import in_closed_form, is_order
from dpcert.audit.ideal.outcomes import has_posts, is_noisy
from dpcert.audit.ideal.post import decide_post
from dpcert.audit.ideal.release import decide_release, has_exact_weights
from dpcert.audit.ideal.report import IdealReport, Search, unknown_report
from dpcert.audit.kernel.claim import Claim
from dpcert.audit.relations import unpaired
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import Raised, canonical, show
from dpcert.mechanisms.ideal.path import Path
from dpcert.reading.floats.held import sentence
from dpcert.reading.ideal.explore import Limits


def decide_ideal(
    claim: Claim, program: Callable[..., Any], *, epsilon: Fraction | None = None, limits: Limits = NO_LIMITS
) -> IdealReport:
    """Decide a claim about a program (input, generator) -> outcome whose noise is ideal.

    With an `epsilon`, the program gets it as a third argument. Beyond `limits`, it is not followed.

    Raises: Unauditable naming an operation that is not followed.
    """
    pairs = list(claim.pairs())
    if not pairs:
        return unknown_report(claim, "no two of the inputs are neighbours")
    paths = laws_of(program, claim.inputs, epsilon=epsilon, limits=limits)
    plainly = partial(_decided_plainly, claim, program, pairs, epsilon)

    def decided(paths: Sequence[Sequence[Path]]) -> IdealReport:
        return decide_post(paths, plainly) if has_posts(paths) else plainly(paths)

    report = None
    try:
        report = decided(paths)
    except Unauditable:
        if not has_exact_weights(paths):
            raise
    if report is None or (report.verdict == "undecided" and has_exact_weights(paths)):
        paths = laws_of(program, claim.inputs, epsilon=epsilon, limits=limits, in_floats=True)
        report = decided(paths)
    notes = *report.notes, *unpaired(claim, {position for pair in pairs for position in pair})
    noise = {law.kind for row in paths for path in row for law in path.laws}
    return replace(
        report,
        notes=notes,
        noise=tuple(sorted(noise)),
        held=held_by(paths),
        left=left_by(paths),
        followed=tuple(map(tuple, paths)),
    )


def held_by(paths: Sequence[Sequence[Path]]) -> tuple[str, ...]:
    """Return in words the generators that outlive a run from which a program draws."""
    return tuple(sorted({words for row in paths for path in row for words in path.held}))


def left_by(paths: Sequence[Sequence[Path]]) -> tuple[str, ...]:
    """Return in words the objects that runs of a program leave changed."""
    return tuple(sorted({words for row in paths for path in row for words in path.left}))


def assumptions_of(held: Sequence[str], left: Sequence[str]) -> list[str]:
    """Return the assumptions on the generators, and on the objects, that outlive a run."""
    unchanged = "a run changes {}: that this does not change the runs after it is assumed"
    return [*map(sentence, held), *map(unchanged.format, left)]


def digests_of(paths: Sequence[Sequence[Path]]) -> tuple[str, ...]:
    """Return the SHA-256 of the paths on each input."""
    return tuple(hashlib.sha256(b"".join(sorted(map(canonical, row)))).hexdigest() for row in paths)


def _decided_plainly(
    claim: Claim,
    program: Callable[..., Any],
    pairs: Sequence[tuple[int, int]],
    epsilon: Fraction | None,
    paths: Sequence[Sequence[Path]],
) -> IdealReport:
    """Return the report on paths whose noisy numbers are all that they release of noise."""
    outcomes = [path.outcome for row in paths for path in row]
    if all(type(outcome) is Raised for outcome in outcomes):
        return unknown_report(claim, f"{NEVER}: {show(outcomes[0])}")
    if any(map(is_noisy, outcomes)):
        return decide_release(claim, program, paths, epsilon=epsilon)
    report = Search(claim, paths, at_epsilon=epsilon or Fraction(1)).report(pairs)
    if report.verdict == "undecided" and any(is_order(path) for row in paths for path in row):
        with suppress(Unauditable):  # of orders alone the bounds are exact
            return Search(claim, in_closed_form(paths), at_epsilon=epsilon or Fraction(1)).report(pairs)
    return report
