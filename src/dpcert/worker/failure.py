"""An error of this package as plain data, in place of an answer."""

from __future__ import annotations

from dataclasses import dataclass

from dpcert.mechanisms.exact.errors import DpcertError, InputError, Unauditable
from dpcert.worker.troubles import ChildEnded, ChildFailed, TimedOut


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a job has no answer: an error of this package, by its kind and parts."""

    kind: str
    message: str
    given: str = ""
    needed: str = ""
    remedy: str = ""
    status: int = 0

    @classmethod
    def of(cls, error: DpcertError) -> Failure:
        match error:
            case InputError():
                return cls("input", str(error), error.given, error.needed, error.remedy)
            case ChildEnded():
                return cls("ended", str(error), status=error.status)
            case Unauditable() | TimedOut():
                return cls("unauditable" if isinstance(error, Unauditable) else "timed out", str(error))
        return cls("failed", str(error))

    def error(self) -> DpcertError:
        match self.kind:
            case "input":
                return InputError(given=self.given, needed=self.needed, remedy=self.remedy)
            case "ended":
                return ChildEnded(self.message, self.status)
            case "unauditable":
                return Unauditable(self.message)
            case "timed out":
                return TimedOut(self.message)
        return ChildFailed(self.message)
