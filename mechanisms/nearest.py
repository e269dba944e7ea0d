"""The nearest of some names, for a name that is none of them."""

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(name: str, names: Iterable[str], otherwise: str) -> str:
    """Return what to do about a name that is none of these: take the nearest of them, else what else there is to do."""
    near = get_close_matches(name, list(names), n=1)
    return f"did you mean {near[0]!r}?" if near else otherwise
