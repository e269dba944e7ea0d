"""Numbers on ideal noise as outcomes."""

from fractions import Fraction
from typing import Any

from dpcert.mechanisms.ideal.parameter import exactly
from dpcert.mechanisms.ideal.parts import AsWritten, Noisy, Rounded, entry, rounded
from dpcert.reading.domains import guards, opaque, written
from dpcert.reading.domains.forms import Clamped, Cut, Form, Guarded, Opaque, Whole, Written, data_of, refuse
from dpcert.reading.domains.noise import CUT, is_ideal, world_of
from dpcert.reading.values import Undecided, Value


def released(value: Undecided) -> Any:
    """A number that the program returns, as an outcome.

    Raises: Refused for one that depends on epsilon.
    """
    data, known = data_of(value), world_of(value).known
    if isinstance(data, Guarded):
        data = guards.decided(known, data)
    if isinstance(data, Clamped):
        refuse("noise that a guard clamps is released, which is not followed")
    if isinstance(data, Cut):
        refuse(f"a release of {CUT}")
    if isinstance(data, Written) and data.value is not None:
        exact = data.exact
        return AsWritten(exact) if known.meaning.meant and exact.rational() != exactly(data.value) else data.value
    if isinstance(data, Written):
        found = written.constant_of(data)
        return refuse("a released number that depends on epsilon is not followed") if found is None else found
    if isinstance(data, Opaque):
        return opaque.released(known, data)
    known.need_whole(name for name, _ in data.terms)
    if not data.terms:
        return Fraction(data.offset)
    return rounding_of(data)


def cell(value: Value) -> Any:
    """An element of an array that the program returns, as an outcome: an exact number where it has no noise."""
    return entry(released(value) if is_ideal(value) else value)


def rounding_of(data: Form | Whole) -> Noisy | Rounded:
    """A noisy number as an outcome."""
    terms = tuple((name, Fraction(c)) for name, c in data.terms)
    if isinstance(data, Form):
        return Noisy(terms, Fraction(data.offset))
    return rounded(Rounded(terms, Fraction(data.offset), Fraction(data.factor), Fraction(data.shift)))
