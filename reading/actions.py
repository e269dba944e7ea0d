"""What an operation does when it does not give a value at once: enter a frame, resume a generator, call."""

from __future__ import annotations

from typing import Any

from dpcert.reading.values import Value

After = tuple[Any, ...] | None


def wrap(inner: After, outer: After) -> After:
    """What becomes of a value first by `inner` and then by `outer`: the last part of each names the next."""
    return outer if inner is None else (*inner[:-1], wrap(inner[-1], outer))


class Act:
    """An action: "call", "enter", "resume", "throw" or "value", its operands, and what becomes of the value."""

    __slots__ = ("after", "kind", "operands")

    def __init__(self, kind: str, *operands: Any, after: After = None) -> None:
        self.kind, self.operands, self.after = kind, operands, after

    def then(self, kind: str, *data: Value) -> Act:
        """The same action, whose value is then treated as `kind` says."""
        return Act(self.kind, *self.operands, after=wrap(self.after, (kind, *data, None)))


def call_act(function: Value, args: tuple[Value, ...], keywords: dict[str, Value] | None = None) -> Act:
    """The call of a function."""
    return Act("call", function, args, keywords or {})
