"""What the readings of one program on several inputs share: what its calls return, and its states with their ways."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dpcert.mechanisms.exact.coins import Coins, Recorded
from dpcert.mechanisms.handled import Errors
from dpcert.mechanisms.held import Held
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.home import Home
from dpcert.mechanisms.states.reader import Reader
from dpcert.mechanisms.states.replaying.cover import Recorder
from dpcert.mechanisms.states.solve import Ways
from dpcert.mechanisms.states.summarise import Calls
from dpcert.mechanisms.states.walk import Walk
from dpcert.mechanisms.states.world import Surroundings


@dataclass(slots=True)
class Whole:
    """The reading of a program on all inputs until now, with the ways of its states, all of which replays took."""

    world: Surroundings
    calls: Calls
    reader: Reader
    ways: dict[int, Ways]
    again: dict[int, tuple[Any, Any]]  # the functions that were entered again
    recorder: Recorder
    replays: int


class Kept:
    """What readings of one program, in one order of branches, leave for those that follow.

    A reading that left no tail leaves its states: from equal states the program goes on alike, whichever input led to
    them. Where an input can be changed in place, each is read anew, and what calls return is left: the law of a call is
    told by its function and arguments. Both hold as long as what the program reaches is as it was: a later reading
    begins with a comparison. What the code of a call names and assigns to counts for it as for its own.
    """

    def __init__(self) -> None:
        self.coins = Coins(Recorded([]))  # of all readings
        self.errors = Errors()
        self.held = Held()
        self.settings: Any = None
        self.worlds: list[Surroundings] = []  # of the readings that made summaries; these hold addresses of theirs
        self.calls: Calls | None = None
        self.whole: Whole | None = None
        self.counts = True  # calls are answered by undecided counts, until a reading failed that did so
        self.closures = True  # calls of inner functions are read on their own, until a reading failed that did so
        self.changing: dict[str, None] = {}  # what to do, where calls change what they are handed
        self.paths = 0  # how many the last input had on which states were of no use

    def forget(self) -> None:
        """Let the next reading begin anew."""
        self.worlds, self.calls, self.whole, self.paths = [], None, None, 0

    def begin(self, settings: Any, value: Any) -> Whole | None:
        """Return the reading that one on another input, in some settings, goes on with; None for a reading of its own.

        Raises: NotRead where what was there before has changed.
        """
        if settings != self.settings:
            self.forget()
            self.settings = settings
        if self.whole is None or not is_fixed(value):
            return None
        self.whole.world.unchanged()
        return self.whole

    def hand_on(self, world: Surroundings, calls: Calls) -> None:
        """Give a reading of its own the summaries that were made by those before.

        Raises: NotRead where what was there before has changed.
        """
        if self.calls is None or calls.inline or calls.spare != self.calls.spare:
            return
        for each in self.worlds:
            each.unchanged()
            world.home.join(each.home)
        calls.known.update(self.calls.known)
        calls.names.update(self.calls.names)
        calls.asked.update(self.calls.asked)
        calls.notes.update(self.calls.notes)

    def keep(self, whole: Whole, value: Any, *, tail: bool) -> None:
        """Keep what a reading on an input found that has ended well, and whether it left a tail."""
        calls = whole.calls
        before = {} if self.calls is None or calls.spare != self.calls.spare else self.calls.known
        if not calls.inline and calls.known.keys() - before.keys() and whole.world not in self.worlds:
            self.worlds.append(whole.world)
            self.calls = calls
        ended = not tail and not whole.reader.leaks and not calls.inline
        self.whole = whole if ended and is_fixed(value) else None


def is_fixed(value: Any) -> bool:
    """Whether nothing that an input reaches can be changed in place."""
    walk = Walk(Home())
    try:
        walk.visit(value)
    except NotRead:
        return False
    return not walk.objects
