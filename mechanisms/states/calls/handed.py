"""What a call that is read on its own was handed: it is watched as what was there before, for as long as it is read."""

from __future__ import annotations

from typing import Any

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.states.calls.closures import Called
from dpcert.mechanisms.states.walk import Walk
from dpcert.mechanisms.states.world import Surroundings, Watched


class Handed:
    """What was there before a call: what was before the program, and what the call was handed, with what that reaches.

    A state of the call keeps all this by reference. So nothing of it may differ at any state, nor at an end.

    Raises: NotRead where some of that cannot be watched.
    """

    def __init__(self, world: Surroundings, coins: Coins, called: Called) -> None:
        function, args, kwds = called
        walk = Walk(world.home, world.objects, coins)
        for each in (function, *args, *kwds.values()):
            walk.visit(each)
        self.world = world
        self.objects = walk.objects
        self.watched = Watched(walk.objects.values())
        self.looked = world.looked

    def holds(self, value: Any) -> bool:
        """Whether an object is watched."""
        return id(value) in self.objects or self.world.holds(value)

    def constant(self, value: Any) -> bool:
        """Whether a function, class or module is kept by reference."""
        return id(value) in self.objects or self.world.constant(value)

    def unchanged(self) -> None:
        """Return if all is as it was.

        Raises: NotRead naming what is not.
        """
        self.watched.unchanged()
        self.world.unchanged()
