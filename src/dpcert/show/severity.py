"""The words of results that are no plain verdict: of floats that leak more than the algorithm, and of rounding."""

from fractions import Fraction

from dpcert.show.numbers import number_of
from dpcert.worker.result import BY_FLOATS, BY_ROUNDING, Result

ORDER = ("refuted", BY_FLOATS, BY_ROUNDING, "undecided", "verified")
"""The classes of results, the gravest first."""
LABELS = {BY_FLOATS: "verified", BY_ROUNDING: "refuted"}
"""The word before a result whose class has more than one, and which is not that of the class."""


def label_of(result: Result) -> str:
    """Return the first word of a result."""
    return LABELS.get(result.kind, result.verdict)


def headed(result: Result) -> str:
    """Return the words between the first word of a result and its claim; none for a plain verdict."""
    if result.rounding is not None and result.kind == BY_ROUNDING:
        return f"by rounding: holds with epsilon + {result.rounding.slack}; "
    if result.kind == BY_FLOATS:
        told = "its floats tell" if result.verdict == "refuted" else "its floats are not read"
        return f"with ideal noise; {told}: "
    return ""


def gravity(result: Result) -> tuple[int, Fraction]:
    """Return a key that sorts results: by class, and of leaks those of the greatest least delta first."""
    return ORDER.index(result.kind), -number_of(result.delta.lo) if result.kind == "refuted" else Fraction(0)
