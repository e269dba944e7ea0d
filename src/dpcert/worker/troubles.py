"""Troubles beside a verdict: the errors of child processes, and the one line that shows an error."""

from __future__ import annotations

from dataclasses import dataclass

from dpcert.mechanisms.exact.errors import DpcertError, InputError, Unauditable, one_line

INTERNAL = "internal error: "

STATUSES = """Exit status: 0 everything asked for was verified (with --expect: was as declared); 1 something was
refuted; 3 something is undecided and nothing refuted; 2 usage or bad input; 70 internal error."""


class TimedOut(DpcertError):
    """A child process exceeded its time and was ended."""


class ChildEnded(DpcertError):
    """A child process ended without an answer: the program in it, or the system, ended it with `status`."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class ChildFailed(DpcertError):
    """A child process ended with an error of our own; the message says which."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """An error to show: its parts and its exit status."""

    given: str
    needed: str
    remedy: str
    status: int

    @classmethod
    def of(cls, error: DpcertError) -> Trouble:
        """Return the trouble of an error: bad input, an undecided program, or an internal error."""
        if isinstance(error, InputError):
            return cls(error.given, error.needed, error.remedy, 2)
        if isinstance(error, (Unauditable, TimedOut, ChildEnded)):
            return cls(str(error), "a program that can be followed", "see docs/reference/coins.md", 3)
        return cls(f"{INTERNAL}{error}", "none", "please report it with the command that shows it", 70)

    def error(self) -> DpcertError:
        """Return an error to raise whose trouble has the same exit status."""
        if self.status == 2:
            return InputError(given=self.given, needed=self.needed, remedy=self.remedy)
        return Unauditable(self.given) if self.status == 3 else ChildFailed(self.given.removeprefix(INTERNAL))

    def line(self) -> str:
        return one_line(f"dpcert: {self.given}; needed: {self.needed}; {self.remedy}")

    def as_json(self) -> dict[str, str]:
        return {"schema": "dpcert.error/1", "given": self.given, "needed": self.needed, "remedy": self.remedy}
