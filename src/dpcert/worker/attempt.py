"""A body whose errors become its answer: errors of a program, of this package, and of the system."""

import traceback
from pathlib import Path
from types import TracebackType
from typing import Generic, TypeVar

from dpcert.mechanisms.exact.errors import InputError, Unauditable
from dpcert.targets.extras import MissingExtra
from dpcert.worker.failure import Failure
from dpcert.worker.jobs import Alone
from dpcert.worker.recomputed import Apart
from dpcert.worker.troubles import TimedOut

AnswerT = TypeVar("AnswerT")


class Attempt(Generic[AnswerT]):
    """Runs its body, which sets the `answer`; where the body raises, the answer is a failure that names the error."""

    answer: AnswerT | Alone | Failure

    def __enter__(self) -> "Attempt[AnswerT]":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> bool:
        """Make an error of Python or of this package the answer; any other error goes on."""
        match error:
            case MissingExtra():  # a file that is rechecked, and so was not listed before, may raise it
                given = f"a program that {str(error).partition(':')[0]}"
                self.answer = Failure.of(InputError(given=given, needed="its extra installed", remedy=error.command))
            case Apart():
                self.answer = Alone(str(error))
            case InputError() | TimedOut() | Unauditable():
                self.answer = Failure.of(error)
            case MemoryError():
                self.answer = Failure("unauditable", "the process ran out of memory")
            case SystemExit() | KeyboardInterrupt():
                words = f"the program ended with {type(error).__name__}, which is no outcome"
                self.answer = Failure("unauditable", words)
            case Exception():
                places = traceback.extract_tb(at)
                where = f" ({Path(places[-1].filename).name}, line {places[-1].lineno})" if places else ""
                self.answer = Failure("failed", f"{type(error).__name__}: {error}{where}")
            case _:
                return False
        return True
