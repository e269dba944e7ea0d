"""Replays: the functions that were read by their states, run on plain numbers along paths that take every way."""

from __future__ import annotations

import sys
from collections.abc import Container, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from dataclasses import dataclass
from typing import Any

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import KEPT, Watch, call, settle
from dpcert.mechanisms.exact.outcome import key, show
from dpcert.mechanisms.exact.run import Stale
from dpcert.mechanisms.states.errors import NotRead, Unknown
from dpcert.mechanisms.states.replaying.answered import Answering, Replayed
from dpcert.mechanisms.states.replaying.cover import PICKS, Cover, Path, Read, Recorder
from dpcert.mechanisms.states.replaying.random_paths import random_paths
from dpcert.mechanisms.states.summarise import Answer, Calls
from dpcert.mechanisms.states.tails.counts import FAR, SMALL
from dpcert.mechanisms.states.world import Surroundings, trace_from

MOST_WHOLE = 100
"""Paths of a program that are replayed with all that they call in full."""
RANDOM = 12
"""Random paths of each call and of the program that are replayed."""
TELLS = "followed by its states it ends otherwise than run again on the same coins"


@dataclass
class Replays:
    """What the replays of a program share: what was there before, its coins, the watch, its calls, and their number."""

    world: Surroundings
    coins: Coins
    watch: Watch
    calls: Calls
    count: int

    def of(self, reads: Sequence[Read], of_program: Recorder, known: Container[int]) -> int:
        """Run the functions of some readings along paths that take every way, but those of known states, which were
        taken from another input; return the number of replays by now.

        The first paths of each are run with all that they call, others with answers for calls read on their own.
        `of_program` makes the draws of the program's paths.

        Raises: NotRead where one goes elsewhere.
        """
        taken: set[Any] = set()
        answering = Answering(self.world, self.coins)
        for read in reads:
            if read.reader.name is None:
                whole, recorder, cover = MOST_WHOLE, of_program, Cover(read.graph, lambda way: way[0] in known)
            else:
                whole, recorder, cover = 1, read.recorder(), Cover(read.graph, read.known(taken))
            with self.watch.replay():
                far: list[Path] = []
                with ExitStack() as stack:
                    for number, path in enumerate(cover.paths()):
                        if number == whole:
                            stack.enter_context(answering.within(self.calls.asked))
                        answers, pick = number >= whole, self.count % PICKS
                        varied = read.varied(path)
                        if varied:
                            far.append(path)
                            if answers:
                                continue  # it is run with every choice of these
                        with suppress(Unknown) if varied else nullcontext():
                            source = answering.replay(recorder.record(path, pick, answers))
                            new = recorder.new(path, pick, answers)
                            self._replayed(read, path, pick, source, answering, *new)
                        self.count += 1
                self._replay_far(read, far, recorder, answering)
                self._replay_random(read, cover, recorder, answering)
            if read.reader.name is not None and len(reads) > 1:
                taken.update(map(read.told, cover.ways))
        return self.count

    def _replay_far(self, read: Read, paths: list[Path], recorder: Recorder, answering: Answering) -> None:
        """Run along paths with calls answered by small and by great numbers of the series that their laws have."""
        with answering.within(self.calls.asked) if paths else nullcontext():
            for path in paths:
                taken: set[Any] = set()
                for pick in range(SMALL + len(FAR)):
                    record = recorder.record(path, pick, True)
                    items: list[Any] = [item for _, item in record]
                    values = [item.value if type(item) is Answer else item for item in items]
                    told = (*values, key(read.filled(path, pick)))
                    if told not in taken:  # the choices of a single number repeat
                        taken.add(told)
                        self._replayed(read, path, pick, answering.replay(record), answering, 0, 0)
                        self.count += 1

    def _replay_random(self, read: Read, cover: Cover, recorder: Recorder, answering: Answering) -> None:
        """Run along random paths, which pass loops often, with all that they call; without a watch, by their ends."""
        for path in random_paths(cover, RANDOM):
            pick = self.count % PICKS
            with suppress(Unknown) if read.varied(path) else nullcontext():
                source = answering.replay(recorder.record(path, pick))
                self._replayed(read, path, pick, source, answering, len(source.items), 0)
            self.count += 1

    def _replayed(
        self, read: Read, path: Path, pick: int, source: Replayed, answering: Answering, before: int, left: int
    ) -> None:
        """Run along a path, and compare where it ends; it is watched but for some draws before and after.

        Between these are all ways that no path before took with the same draws. What is executed elsewhere was watched
        then, as long as states tell all; and where the program first keeps more, it is watched.
        """
        reader, examining, here = read.reader, self.world.examining, sys._getframe()
        faults: list[Exception] = []
        expected = read.filled(path, pick)
        watching: list[AbstractContextManager[Any]] = []

        def watch() -> None:
            first = self.watch.first()
            observer: Any = first.__enter__()
            watching.append(first)
            trace_from(here, observer)
            examining.__enter__()
            watching.append(examining)

        def leave() -> None:
            while watching:
                try:
                    watching.pop().__exit__(None, None, None)
                except (NotRead, Unauditable) as error:  # the program could take it for its own
                    faults.append(error)

        try:
            try:
                source.call(watch, before, leave, len(source.items) - left)
                outcome, _ = call(lambda begin: settle(_called(*begin(answering.exchange))), reader.begin)
            finally:
                source.running = False
                leave()
        except Stale:
            raise NotRead(KEPT) from None
        except Unauditable:
            if source.fault is None:
                raise
        if faults:
            raise faults[0]
        if source.fault is not None:
            raise NotRead(source.fault)
        if key(outcome) != key(expected):
            self.world.conclude()  # which may say why
            raise NotRead(f"{TELLS}: {show(expected)} and {show(outcome)}")
        if not source.exhausted():
            raise NotRead("run again on the same coins it draws fewer")
        self.world.unchanged()


def _called(function: Any, args: tuple[Any, ...], kwds: dict[str, Any]) -> Any:
    return function(*args, **kwds)
