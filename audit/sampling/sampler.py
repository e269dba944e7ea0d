"""The sources of samples: a program over coins, a function with its own randomness, or one that makes many runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any, Protocol

from dpcert.audit.sampling.events import Event
from dpcert.audit.sampling.failures import ENOUGH, Failures
from dpcert.audit.sampling.samples import Rows, Tally, hits_in
from dpcert.audit.sampling.views import Array, as_rows
from dpcert.mechanisms.exact.coins import Coins, Plain
from dpcert.mechanisms.exact.errors import InputError, Unauditable, one_line
from dpcert.mechanisms.exact.outcome import fresh, show

Sampler = Callable[[int], Any]
"""Runs a mechanism once on the input at a position and returns the observation."""
Many = Callable[[Any, int, Any], Any]
"""Runs a mechanism n times: (input, n, numpy Generator) -> an array with one outcome a row."""
Late = Callable[[], bool]
"""Whether the time is over; it is asked in one thread alone."""
CHECKED = 20
SHORT = 200
"""The number of characters of an error's text that are shown."""
CHUNK = 1 << 15
"""The number of runs that one stream of random numbers makes, for any number of workers."""


def from_coins(
    program: Callable[[Any, Coins], Any], failures: Failures, draw: Callable[[int], int], *, draws: bool = False
) -> Sampler:
    """Return a sampler of a program on the inputs of `failures`, whose below(d) is draw(d), uniform in [0, d).

    An exception that escapes is an outcome, as in the exact audit, and one of the `failures`; with `draws` the bounds
    drawn are observed too.

    Raises: Unauditable, when sampling, where the program does what coins refuse, ends with anything but an outcome, or
            ends most runs on an input in one exception.
    """

    def sample(position: int) -> Any:
        bounds: list[int] = []

        def recorded(bound: int) -> int:
            bounds.append(bound)
            return draw(bound)

        outcome = failures.run(position, program, Coins(Plain(recorded if draws else draw)))
        return (outcome, tuple(bounds)) if draws else outcome

    return sample


class Source(Protocol):
    """Makes runs of a mechanism on inputs that are named by their positions; `pilot` many tell how long one takes.

    `aside` is how many seconds of processor time each of the threads has spent that it makes runs in.
    """

    pilot: int
    aside: float

    def take(self, sizes: Mapping[int, int], late: Late) -> dict[int, Any] | None:
        """Return so many new runs on each input, or None where it is late before the end."""

    def count(self, sizes: Mapping[int, int], events: Sequence[Event], late: Late) -> dict[int, list[int]] | None:
        """Return how many of so many new runs on each input are in each event, or None as before."""


class OneByOne:
    """Runs one after the other, the inputs in turn."""

    pilot = ENOUGH
    aside = 0.0

    def __init__(self, sampler: Sampler) -> None:
        self.sampler = sampler

    def take(self, sizes: Mapping[int, int], late: Late) -> dict[int, Tally] | None:
        found = {position: Tally() for position in sizes}
        turns = (position for i in range(max(sizes.values())) for position in sizes if i < sizes[position])
        for run, position in enumerate(turns):
            if run % CHECKED == 0 and late():
                return None
            found[position].add(self.sampler(position))
        return found

    def count(self, sizes: Mapping[int, int], events: Sequence[Event], late: Late) -> dict[int, list[int]] | None:
        found = {position: [0] * len(events) for position in sizes}
        for position, size in sizes.items():
            for start in range(0, size, CHUNK):
                part = self.take({position: min(CHUNK, size - start)}, late)
                if part is None:
                    return None
                for i, event in enumerate(events):
                    found[position][i] += part[position].hits(event)
        return found


class Batched:
    """Runs made many at a time, in chunks with a stream of random numbers each, by `jobs` threads.

    The stream of a chunk depends on the order in which chunks are asked for, not on the thread, so the samples are the
    same for any `jobs`. `many` must draw from the generator that it is given, and must not change what other threads
    see.
    """

    pilot = 2000

    def __init__(self, many: Many, inputs: Sequence[Any], *, seed: int | None = None, jobs: int = 1) -> None:
        from numpy.random import SeedSequence

        if jobs < 1:
            raise InputError(given=f"jobs={jobs}", needed="at least one", remedy="write jobs=2")
        self.many = many
        self.inputs = inputs
        self.streams = SeedSequence(seed)
        self.jobs = jobs
        self.aside = 0.0

    def take(self, sizes: Mapping[int, int], late: Late) -> dict[int, Rows] | None:
        found = {position: Rows() for position in sizes}
        for position, rows in self._chunks(sizes, late, lambda rows: rows):
            if rows is None:
                return None
            found[position].add(rows)
        return found

    def count(self, sizes: Mapping[int, int], events: Sequence[Event], late: Late) -> dict[int, list[int]] | None:
        found = {position: [0] * len(events) for position in sizes}
        for position, hits in self._chunks(sizes, late, lambda rows: hits_in(rows, events)):
            if hits is None:
                return None
            found[position] = [before + more for before, more in zip(found[position], hits, strict=True)]
        return found

    def _chunks(self, sizes: Mapping[int, int], late: Late, then: Callable[[Array], Any]) -> Iterator[tuple[int, Any]]:
        """Yield the results of `then` on the chunks, in order, each with its position; None as soon as it is late."""
        plan = [
            (position, min(CHUNK, size - start)) for position, size in sizes.items() for start in range(0, size, CHUNK)
        ]
        streams = self.streams.spawn(len(plan))
        over = late()

        def made(chunk: tuple[tuple[int, int], Any]) -> tuple[int, Any, float]:
            (position, size), stream = chunk
            start = time.thread_time()
            found = None if over else then(self._rows(position, size, stream))
            return position, found, time.thread_time() - start

        threads = min(self.jobs, len(plan))
        with ExitStack() as stack:
            each = map if threads == 1 else stack.enter_context(ThreadPoolExecutor(threads)).map
            for done, (position, found, seconds) in enumerate(each(made, zip(plan, streams, strict=True)), 1):
                self.aside += seconds / threads if threads > 1 else 0.0
                yield position, found
                over = done < len(plan) and late()

    def _rows(self, position: int, size: int, stream: Any) -> Array:
        import numpy as np

        value, rng = fresh(self.inputs[position]), np.random.default_rng(stream)
        needed = "an array of numbers, one run a row"
        try:
            rows = np.asarray(self.many(value, size, rng))
        except (MemoryError, InputError, Unauditable):
            raise
        except Exception as error:
            words = one_line(f"{type(error).__name__}: {error}")[:SHORT]
            given = f"a batch of {size} runs on {show(value)} that ends with {words}"
            raise InputError(given=given, needed=needed, remedy="mend it, or leave batch out") from None
        if rows.ndim < 1 or len(rows) != size or not rows.size or rows.dtype.kind not in "biuf":
            given = f"a batch of {size} runs that is an array of shape {rows.shape} and type {rows.dtype}"
            raise InputError(given=given, needed=needed, remedy="return such an array")
        return as_rows(rows)
