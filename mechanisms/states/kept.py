"""What the readings of one program on several inputs share: what its calls return."""

from __future__ import annotations

from typing import Any

from dpcert.mechanisms.exact.coins import Coins, Recorded
from dpcert.mechanisms.states.summarise import Calls
from dpcert.mechanisms.states.world import Surroundings


class Kept:
    """The summaries of calls that readings of one program made, for those that follow, in one order of branches.

    The law of a call is told by its function and arguments, as long as what the function reaches is as it was: a later
    reading begins with a comparison. What the code of a call names and assigns to counts for it as for its own.
    """

    def __init__(self) -> None:
        self.coins = Coins(Recorded([]))  # of all readings
        self.settings: Any = None
        self.worlds: list[Surroundings] = []  # of the readings that made summaries; these hold addresses of theirs
        self.calls: Calls | None = None

    def forget(self) -> None:
        """Let the next reading begin anew."""
        self.worlds, self.calls = [], None

    def hand_on(self, settings: Any, world: Surroundings, calls: Calls) -> None:
        """Give a reading the summaries that were made by those before, in the same settings.

        Raises: NotRead where what was there before has changed.
        """
        if settings != self.settings:
            self.forget()
            self.settings = settings
        if self.calls is None or calls.inline:
            return
        for each in self.worlds:
            each.unchanged()
            world.home.join(each.home)
        calls.known.update(self.calls.known)
        calls.names.update(self.calls.names)
        calls.asked.update(self.calls.asked)
        calls.notes.update(self.calls.notes)

    def keep(self, world: Surroundings, calls: Calls) -> None:
        """Keep the summaries of a reading that has ended well."""
        before = {} if self.calls is None else self.calls.known
        if not calls.inline and calls.known.keys() - before.keys():
            self.worlds.append(world)
            self.calls = calls
