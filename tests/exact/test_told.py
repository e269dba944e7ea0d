"""What `told` makes of an exception at its edges: the last depth, the object of an AttributeError, no text at all."""

import threading

import pytest

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import MAX_DEPTH, TOO_DEEP, Raised
from dpcert.mechanisms.exact.raised import HELD, told


class Large(Exception):
    def __str__(self) -> str:
        raise MemoryError


def tell(error: BaseException) -> Raised:
    return told(error, lambda part: part, None)


def test_refused_at_the_first_cause_beyond_the_depth() -> None:
    """Each cause is one deeper than what it is the cause of, and its arguments are one deeper again."""
    error = ValueError(0)
    for _ in range(MAX_DEPTH - 1):
        last, error = error, ValueError(0)
        error.__cause__ = last
    assert tell(error).name == "ValueError"
    deeper = ValueError(0)
    deeper.__cause__ = error
    with pytest.raises(Unauditable) as refusal:
        tell(deeper)
    assert str(refusal.value) == f"{HELD}ValueError.args: {TOO_DEEP}"


def test_refused_what_is_no_outcome_is_said_once() -> None:
    with pytest.raises(Unauditable) as refusal:
        tell(RuntimeError(ValueError(len)))
    assert str(refusal.value).count(HELD) == 1


def test_the_object_of_an_attribute_error_is_told_by_its_type_where_it_is_no_outcome() -> None:
    """Nothing else is: neither another attribute of an AttributeError, nor one named obj of another exception."""
    assert ("type(obj)", "_thread.lock") in tell(AttributeError("x", obj=threading.Lock())).fields
    assert ("obj", 5) in tell(AttributeError("x", obj=5)).fields
    other = AttributeError("x")
    other.__dict__["held"] = threading.Lock()
    named = ValueError("x")
    named.__dict__["obj"] = threading.Lock()
    for error, field in ((other, "AttributeError.held"), (named, "ValueError.obj")):
        with pytest.raises(Unauditable, match=f"{field}: type _thread.lock is not in the registry"):
            tell(error)


def test_a_text_that_runs_out_of_memory_is_no_text() -> None:
    with pytest.raises(MemoryError):
        tell(Large())
