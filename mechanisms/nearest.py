"""The nearest of some names, for a name that is none of them."""

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(name: str, names: Iterable[str], otherwise: str) -> str:
    """Return the remedy for a name that is none of these: the nearest of them, or else the other remedy."""
    near = get_close_matches(name, list(names), n=1)
    return f"did you mean {near[0]!r}?" if near else otherwise
