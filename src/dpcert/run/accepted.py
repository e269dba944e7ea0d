"""Accepted findings: targets that a project knows to be refuted or undecided, with a reason and a last day."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

KEYS = {"target", "reason", "until"}
"""The keys of an entry of `[[tool.dpcert.accepted]]`, all required."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """The reason why a finding makes no run fail, and the last day on which it does not; None for no last day."""

    reason: str
    until: date | None

    @property
    def holds(self) -> bool:
        """Whether the last day is not over."""
        return self.until is None or date.today() <= self.until

    def words(self) -> str:
        """Return in words the reason and the last day, and whether the day is over."""
        if self.until is None:
            return self.reason
        over = "" if self.holds else ", which is over"
        return f"until {self.until}{over}: {self.reason}"


ROUNDING = Accepted('by [tool.dpcert] rounding = "accept"', None)
"""The acceptance of claims that rounding alone refutes, where a project's configuration has it."""


def is_entry(value: Any) -> bool:
    """Whether a value of a configuration is an entry: a target, a reason that is not empty, and a day."""
    return (
        isinstance(value, dict)
        and value.keys() == KEYS
        and all(isinstance(value[name], str) and value[name].strip() for name in ("target", "reason"))
        and type(value["until"]) is date
    )


def entry_of(value: Mapping[str, Any]) -> Accepted:
    """Return an entry of a configuration."""
    return Accepted(value["reason"].strip(), value["until"])
