"""Why a claim stays open, in words: no pair is known to violate it, or laws that refute it may be no program's."""

from collections.abc import Callable, Sequence
from fractions import Fraction

from dpcert.audit.kernel.claim import Claim
from dpcert.audit.kernel.divergence import PRECISIONS
from dpcert.audit.kernel.examine import CHANGED
from dpcert.audit.subject import Subject
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.errors import Unauditable
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
