"""The exact law of a program, found by the trusted enumerator while watches look for what it must not do.

The enumerator (`exact/enumerator.py`) is exact for every program that is a function of its input and coins. The
watches (`watch.py`, and those that it names) refuse programs that are caught not to be: a fault in them can miss such a
program, but cannot change the law of an honest one, which is why they are not part of the trusted base.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.enumerator import EagerRun, Enumeration, LazyRun, Program, exact_law
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import TELLS, Limits, Settings, Watch
from dpcert.mechanisms.exact.outcome import canonical
from dpcert.mechanisms.iterated import assumed_of, items_of
from dpcert.reading.choice import (
    LEFT,
    MERGED,
    UNSEEN,
    ByElements,
    Choice,
    Chosen,
    Kept,
    law_by_states_or_paths,
    loading_machine,
)
from dpcert.reading.floats.assumed import assumption, sources_in, without_assumptions
from dpcert.reading.paths.binding import Binding
from dpcert.reading.paths.classes import Carried, refuse_passing_classes
from dpcert.reading.paths.shared import Shared
from dpcert.reading.paths.watch import (
    HiddenRandomness,
    Observer,
    guarded,
    own_modules,
    refuse_hidden_sources,
)
from dpcert.reading.tails.far import Ends

__all__ = ["Enumeration", "Followed", "Limits", "enumerate_law"]

NOTHING = nullcontext()
Observe = Callable[[], AbstractContextManager[Observer | None]]


@dataclass(frozen=True, slots=True)
class Followed(Enumeration):
    """An enumeration of the program `read` on the input whose canonical bytes are `given`.

    `sources` are what the law rests on beside the trusted base, and the assumptions are those on the machine's float
    functions, on generators, and on iterators that are returned. The exact law stands beside, where it was asked to sum
    a tail and could, or to read an array by its elements and these are independent.
    """

    law: Dist
    given: bytes = b""
    read: Any = None
    sources: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    ends: Ends | None = None
    elements: Any = None


class _First:
    """The watch over one replay of a leaf; it looks at the classes of outcomes when that has ended well."""

    __slots__ = ("hidden", "left", "observing", "watches")

    def __init__(self, watches: _Watches) -> None:
        self.watches = watches
        self.observing, self.left = watches.observe(), watches.left.one_run()

    def __enter__(self) -> Observer | None:
        self.left.__enter__()
        observer = self.observing.__enter__()
        self.hidden = self.watches.hides(observer)
        self.hidden.__enter__()
        return observer

    def __exit__(self, kind: type[BaseException] | None, *error: Any) -> None:
        try:
            self.hidden.__exit__(kind, *error)
        finally:
            self.observing.__exit__(kind, *error)
            self.left.__exit__(None, None, None)
        if kind is None:
            self.watches.carried.look()


class _Watches:
    """What watches the runs and replays of one enumeration."""

    def __init__(self, program: Program, kept: Kept, observe: Observe) -> None:
        self.spaces = own_modules(program)
        self.errors, self.left, self.observe, self.carried = kept.errors, kept.left, observe, Carried()
        self.hidden: dict[Observer | None, HiddenRandomness] = {}
        names = guarded(self.spaces)
        self.undecided, self.plain = Binding(names), Binding([swap.as_it_is() for swap in names])

    def hides(self, observer: Observer | None) -> HiddenRandomness:
        """Return what refuses hidden randomness of a replay that an observer sees."""
        if observer not in self.hidden:
            self.hidden[observer] = HiddenRandomness(observer, self.errors)
        return self.hidden[observer]

    def watch(self) -> Watch:
        """Return the contexts that the enumerator enters."""
        return Watch(
            runs=lambda: NOTHING if self.undecided.entered else self.undecided,  # names of a run are bound already
            run=lambda: NOTHING if self.undecided.entered and not self.errors.noting else self._run(),
            replay=self._replay,
            first=lambda: _First(self),
        )

    @contextmanager
    def _run(self) -> Iterator[None]:
        with self.undecided, self.errors.undecided():
            yield

    @contextmanager
    def _replay(self) -> Iterator[None]:
        with self.plain if self.undecided.entered else NOTHING, self.errors.plain():
            yield


def enumerate_law(
    program: Program,
    value: Any,
    *,
    limits: Limits | None = None,
    eager: bool = False,
    draws: bool = False,
    reverse: bool = False,
    replay: bool = True,
    observe: Observe | None = None,
    merge: bool = True,
    kept: Kept | None = None,
    sums: bool = False,
    shared: Shared | None = None,
    elements: ByElements | None = None,
    by: ByElements | None = None,
) -> Followed:
    """Return the exact law of `program(value, coins)` as `exact_law` does, and refuse what the watches see.

    `eager` enumerates every value of every draw; `draws` and `reverse` are as in `Settings`. `observe` is entered
    around one replay of each leaf, and what it returns is told of the functions that the replay enters. With `merge`, a
    program that leaves a tail by its paths is tried by the states of the machine (docs/reference/machine.md), and one
    with generators is read by these first; `kept` is what the program's other inputs left. With `sums`, the exact law
    stands beside one with a tail, where the tail is a sum of geometric series. So it does where `elements` finds it to
    be an array of independent elements (`law_by_states_or_paths`).
    `by` finds the law in another way than these. Steps that are `shared` are explored once for several inputs; then
    another enumeration that shares nothing must find the same law. Without `replay`, no assumption says what runs leave
    behind: the law has been read with it before, or is to be compared alone.

    Raises:   Unauditable as `exact_law`, and naming hidden randomness, a clock, or `type()` of an undecided draw.
    """
    usual = partial(law_by_states_or_paths, sums=sums, elements=elements)
    anew = by or (usual if merge else exact_law)
    while True:
        own = kept or Kept()
        watches, errors = _Watches(program, own, observe or nullcontext), own.errors
        settings = Settings(EagerRun if eager else LazyRun, limits or Limits(), reverse, draws, replay, watches.watch())
        if shared is not None:
            settings.share = shared
        choice = Choice(program, value, settings, own, sums, elements)
        few = choice.few if merge else settings
        if replay:
            own.left.begin(program, watches.spaces, value)
        with loading_machine(), refuse_hidden_sources(program, watches.spaces, own.held), watches.plain:
            try:
                if by is not None:
                    found: Enumeration = by(program, value, settings)
                else:
                    tried = None if few is None else exact_law(program, value, few, items_of)
                    found = choice.taken(tried) if merge or tried is None else tried
            except Unauditable as refusal:
                if replay and TELLS in str(refusal):  # an error of ours may be why
                    errors.noting = True
                    for how in (replace(settings, replay=False), settings):
                        with suppress(Unauditable):
                            anew(program, value, how)
                    errors.check(named=True)
                raise
            law = Dist.like(found.law)
            refuse_passing_classes(law.outcomes(), watches.carried.changed)
            if replay and errors.handles and not errors.noting:
                errors.noting = True
                anew(program, value, replace(settings, replay=False))
                if errors.left:
                    anew(program, value, settings)
            if not own.left.late():
                break  # else the machine was loaded, or a module of which the program may change the names
    if replay:
        errors.check()
    notes = tuple(note for note in without_assumptions(found.notes) if note != MERGED and not note.startswith(LEFT))
    left = [note for note in found.notes if note.startswith(LEFT)]
    if replay and MERGED not in found.notes:  # the machine says by itself what a run leaves behind
        said = ((LEFT, own.left.changed()), (UNSEEN, own.left.unknown()))
        left = [f"{beginning}{', '.join(names)}" for beginning, names in said if names]
    assumed = (
        *assumption(found.notes),
        *left,
        *assumed_of(outcome[0] if draws else outcome for outcome in law.outcomes()),
    )
    sources = ("states" if MERGED in found.notes else "paths", *sources_in(found.notes))
    beside = (found.ends, found.elements) if isinstance(found, Chosen) else ()
    return Followed(law, found.leaves, notes, canonical(value), program, sources, assumed, *beside)
