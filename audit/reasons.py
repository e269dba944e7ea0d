"""Words of a report: why a claim stays open, and which outcomes of a refutation are easily taken for one.

A claim stays open where no pair is known to violate it, or where a law that refutes it may be no law of the program.
"""

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import Any

from dpcert.audit.kernel.claim import Claim
from dpcert.audit.kernel.divergence import PRECISIONS
from dpcert.audit.kernel.examine import CHANGED
from dpcert.audit.subject import Subject
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import class_name, in_order, key, opened, plain_numpy, show
from dpcert.mechanisms.rounding import Rounding
from dpcert.reading.paths.repeated import differing_runs, is_one_outcome

NOTHING_DRAWN = (
    "on no input it drew from a generator that is routed to coins, so that what is random in it, as in compiled code, "
    "was not seen; draw from a generator of random or numpy, passed in as a parameter called rng"
)
COUNTING = "write each loop that counts its turns as a function that returns the count"
"""The remedy where a tail is left within the allowed one."""


def rounded_reason(form: Rounding, claim: Claim) -> str:
    """Return the reason why laws that were rounded down leave a claim open, with the remedy."""
    if claim.guarantee.delta == 0:
        remedy = "pure differential privacy is never verified with a tail; claim a delta above 0, or audit fewer people"
    else:
        remedy = "delta is met to within what they lost; claim a little more"
    return f"{form.words}: {remedy}, or take the laws from the program"


def tail_reason(claim: Claim, tail: Fraction, allowed: Fraction) -> str:
    """Return the reason why a claim is open although no pair is known to violate it, with the remedy.

    Paths and states are enumerated down to a tail that is allowed, as far as `--max-runs` reaches.
    """
    if tail == 0:
        return f"delta is met to within 2^-{PRECISIONS[-1]}: too near to tell; claim a little more"
    if claim.guarantee.delta:
        remedy = "claim a little more, or raise --max-runs"
    else:
        less = "raise --max-runs" if tail > allowed else COUNTING
        remedy = f"pure differential privacy is never verified with one; claim a delta above 0, or {less}"
    return f"a tail of at most {_size(tail)} was not enumerated: {remedy}"


def changed_reason(subject: Subject) -> str:
    """Return why a law may differ that was computed a second time: a limit, or two runs that show it, or neither."""
    if subject.tailed:
        words = f"a limit left a tail of at most {_size(subject.tailed)} open, and the two need not leave the same"
        return f"{CHANGED}: {words}; raise --max-runs"
    shown = differing_runs(subject.program, subject.inputs) if subject.law_source == "program" else None
    if shown is not None:
        return f"{CHANGED}: the program keeps hidden state: {shown}"
    return f"{CHANGED}, although none has a tail; no two runs were found that show why"


def coinless(subject: Subject, laws: tuple[Dist, Dist]) -> bool:
    """Whether the laws of a pair are those of a program that may have drawn no coins."""
    return subject.law_source == "program" and all(map(is_one_outcome, laws))


def doubt_of(pair: tuple[int, int], laws: tuple[Dist, Dist], again: Callable[[], Sequence[str] | None]) -> str | None:
    """Return why a pair of such laws refutes nothing: another process found others. None where it found the same."""
    seems = "a pair breaks the bound, and draws no coins that matter"
    try:
        digests = again()
    except Unauditable as error:
        return f"{seems}; computed a second time: {error}"
    if digests is None:
        return f"{seems}, but the laws were computed only once; audit it by the command line"
    if any([*digests[position : position + 1]] != [law.digest()] for position, law in zip(pair, laws, strict=True)):
        return f"{seems}, but another process found other outcomes; draw what is random from its coins"
    return None


def _size(tail: Fraction) -> str:
    """Return a bound of a tail in words: 1, or the least power of two that is easily known."""
    bits = tail.denominator.bit_length() - 1 - tail.numerator.bit_length()
    return f"2^-{bits}" if bits > 0 else "1"


def twins(event: Sequence[Any], other: Any, law: Dist) -> tuple[str, ...]:
    """Return a note on the first outcome of an event that the law on the `other` input has in another type alone, or
    with other bits alone, such as 1 and True; nothing where there is none.
    """
    named = {name: outcome for name, outcome, _ in law.weights()}
    alone = [outcome for outcome in event if key(outcome) not in named]
    alike = {_untyped(outcome): outcome for outcome in named.values()} if alone else {}
    for outcome in alone:
        if (untyped := _untyped(outcome)) in alike:
            pair = alike[untyped], outcome
            kinds = [class_name(type(each)) for each in pair]
            told = [f" ({kind})" if kinds[0] != kinds[1] else "" for kind in kinds]
            one, two = (show(each) + kind for each, kind in zip(pair, told, strict=True))
            return (f"on {show(other)} it may show {one}, another outcome than {two}: types and bits count",)
    return ()


def _untyped(outcome: object) -> Hashable:
    """Return what is left of an outcome without its types and the bits that equality does not see."""
    if outcome is None or type(outcome) in (bool, int, str, bytes):
        return outcome
    tag, label, parts = opened(outcome, 0)
    within = map(_untyped, in_order(tag, parts))
    match tag:
        case "float" | "complex" | "fraction" | "decimal":
            return outcome if outcome == outcome else "nan"
        case "numpy":
            return _untyped(plain_numpy(outcome))
        case "enum" if len(parts) == 1:
            return next(within)
        case "tuple" | "list" | "namedtuple":
            return (*within,)
    return (tag, label if tag == "raised" else "", *within)
