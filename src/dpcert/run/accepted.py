"""Accepted findings: what a project knows to be refuted or undecided, with a reason, and until when."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

KEYS = {"target", "reason", "until"}
"""What an entry of `[[tool.dpcert.accepted]]` has, all of it."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """Why a finding fails nothing up to and on a day; None stands for no end."""

    reason: str
    until: date | None

    @property
    def holds(self) -> bool:
        """Whether that day is not over."""
        return self.until is None or date.today() <= self.until

    def words(self) -> str:
        """Return until when and why it is accepted, or that this is over."""
        if self.until is None:
            return self.reason
        over = "" if self.holds else ", which is over"
        return f"until {self.until}{over}: {self.reason}"


ROUNDING = Accepted('by [tool.dpcert] rounding = "accept"', None)
"""What is accepted of claims that rounding alone refutes, where a project says so."""


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
