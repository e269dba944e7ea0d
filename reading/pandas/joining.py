"""When the rules of pandas join the tables."""

import sys
from importlib import import_module
from typing import Any

OLDEST = 3
"""From this version on a value of pandas never changes by what is done to another."""


def join() -> None:
    """Have the rules of pandas join the tables, where a version that is known is loaded."""
    loaded: Any = sys.modules.get("pandas")
    if loaded is not None and int(getattr(loaded, "__version__", "0").partition(".")[0]) >= OLDEST:
        import_module("dpcert.reading.pandas.rules")
