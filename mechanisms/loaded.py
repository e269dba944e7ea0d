"""What `sys.modules` holds, as it is: anything may be put there, and none of it is asked for an attribute."""

from typing import Any


def globals_of(loaded: object) -> dict[str, Any]:
    """Return the globals of what `sys.modules` holds under a name; none of None, or of what has no dictionary.

    Nothing is loaded or computed for it, as where a lazy module is asked for an attribute.
    """
    try:
        found = object.__getattribute__(loaded, "__dict__")
    except AttributeError:
        return {}
    return found if type(found) is dict else {}
