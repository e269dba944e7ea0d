"""The source of closed forms: the law on an input as a mechanism's formula gives it."""

from collections.abc import Callable
from typing import Any

from dpcert.audit.kernel.examine import Answer
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import canonical, fresh, show


def by_closed_form(form: Callable[[Any], Any], value: Any) -> Answer:
    """Return the law on an input by the closed form; a test holds it equal to that of the program.

    Raises: Unauditable where the closed form gives no law.
    """
    law = form(fresh(value))
    if type(law) is not Dist:
        raise Unauditable(f"the closed form on {show(value)} is of type {type(law).__name__}, not a law")
    return Answer(law, form, canonical(value), ("closed-form",))
