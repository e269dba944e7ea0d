"""What ends a run on ideal noise from within."""

from __future__ import annotations

from dpcert.mechanisms.exact.errors import Unauditable


class Refused(BaseException):
    """The program did with a noisy number what is not followed; it is no `Exception`, so `except Exception` lets it
    pass, and a program that swallows it is refused all the same."""


class Pruned(BaseException):
    """The path that a run follows has probability zero."""


class Differs(Unauditable):
    """On floats the program does something else than on the numbers that they stand for."""
