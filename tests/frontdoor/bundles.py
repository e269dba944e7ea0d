"""What a small claim on all counts is, and the one result of an audit."""

from typing import Any

SMALL = ("--set", "rate=1/4", "--set", "threshold=3", "--epsilon", "ln(3)", "--delta", "1/20")
CLOSED = ("--law-source", "closed-form")
MOVES = ("--neighbours", "substitute")


def one(done: Any) -> dict[str, Any]:
    (result,) = done.document["results"]
    assert isinstance(result, dict)
    return result
