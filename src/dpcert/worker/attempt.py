"""A call whose errors become answers: of a program's, of this package's, and of the system's."""

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from dpcert.mechanisms.exact.errors import InputError, Unauditable
from dpcert.targets.extras import MissingExtra
from dpcert.worker.failure import Failure
from dpcert.worker.jobs import Alone
from dpcert.worker.recomputed import Apart
from dpcert.worker.troubles import TimedOut

AnswerT = TypeVar("AnswerT")


def attempt(call: Callable[[], AnswerT]) -> AnswerT | Alone | Failure:
    """Return what a call returns, or the failure that stands for what it raises."""
    try:
        return call()
    except MissingExtra as error:  # of a file that is not listed first, as for a recheck
        given = f"a program that {str(error).partition(':')[0]}"
        return Failure.of(InputError(given=given, needed="its extra installed", remedy=error.command))
    except Apart as error:
        return Alone(str(error))
    except (InputError, TimedOut, Unauditable) as error:
        return Failure.of(error)
    except MemoryError:
        return Failure("unauditable", "the process ran out of memory")
    except (SystemExit, KeyboardInterrupt) as error:
        return Failure("unauditable", f"the program ended with {type(error).__name__}, which is no outcome")
    except Exception as error:
        places = traceback.extract_tb(error.__traceback__)
        where = f" ({Path(places[-1].filename).name}, line {places[-1].lineno})" if places else ""
        return Failure("failed", f"{type(error).__name__}: {error}{where}")
