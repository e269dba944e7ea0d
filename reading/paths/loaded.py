"""The contents of `sys.modules`: anything may be put there, so nothing in it is asked for an attribute."""

from typing import Any


def globals_of(loaded: object) -> dict[str, Any]:
    """Return the globals of an entry of `sys.modules`; an empty dictionary for None and for objects without one. No
    attribute is asked for, so a lazy module loads nothing.
    """
    try:
        found = object.__getattribute__(loaded, "__dict__")
    except AttributeError:
        return {}
    return found if type(found) is dict else {}
