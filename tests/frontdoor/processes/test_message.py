"""Messages: each is as the frozen dataclass of the same fields."""

import copy
from dataclasses import FrozenInstanceError, dataclass, field, replace
from typing import Any

import pytest

from dpcert.worker.jobs import JOBS, Alone
from dpcert.worker.message import message


@message
class Told:
    """A message."""

    name: str
    count: int = 1
    parts: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Twin:
    """The same, by Python's own methods."""

    name: str
    count: int = 1
    parts: dict[str, int] = field(default_factory=dict)


def test_a_message_is_as_its_twin() -> None:
    one: Any
    one, twin = Told("a", parts={"b": 2}), Twin("a", parts={"b": 2})
    assert repr(one) == repr(twin).replace("Twin", "Told")
    assert one == Told("a", 1, {"b": 2})
    assert one != Told("a", 2, {"b": 2})
    assert one != twin
    assert replace(one, count=3) == Told("a", 3, {"b": 2})
    assert copy.deepcopy(one) == one
    assert Told("a").parts is not Told("a").parts
    assert hash(Alone("why")) == hash(("why",))
    assert Told.__match_args__ == Twin.__match_args__
    assert not hasattr(one, "__dict__")
    with pytest.raises(FrozenInstanceError):
        one.count = 2
    with pytest.raises(FrozenInstanceError):
        del one.count


@pytest.mark.parametrize(
    ("values", "named"), [((), {}), (("a", 1, {}, 2), {}), (("a",), {"name": "b"}), (("a",), {"other": 2})]
)
def test_refused_values_of_no_field_and_fields_without_a_value(
    values: tuple[object, ...], named: dict[str, object]
) -> None:
    build: Any
    for build in (Told, Twin):
        with pytest.raises(TypeError):
            build(*values, **named)


def test_each_job_is_a_message() -> None:
    assert {vars(kind)["__init__"] for kind in JOBS.values()} == {vars(Told)["__init__"]}
