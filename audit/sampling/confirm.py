"""A confirmation: fresh runs on one pair of inputs, which count a few events fixed before.

The pair, the events, their parts of the level, the planned size and the sizes of the looks are fixed before the first
run; they depend only on earlier runs and the clock. Each run is on a or on b by a fair coin. Each event has limits that
hold at all times, by confidence sequences, and limits at the planned end, by Clopper and Pearson. Their parts add up to
the level. So all limits ever stated at a level are right together with a chance of at least 1 - level, wherever the
confirmation stops.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpcert.audit.sampling.budget import shares
from dpcert.audit.sampling.hunt import FIRST
from dpcert.audit.sampling.limits import ConfidenceLimits, EventCounts, at_all_times, at_the_end
from dpcert.audit.sampling.sampler import Source
from dpcert.audit.sampling.search import Candidate
from dpcert.audit.sampling.spending import Spending


@dataclass(frozen=True, slots=True)
class Look:
    """The counts of each event at one look at a confirmation, and whether that look was at its planned end."""

    chosen: tuple[Candidate, ...]
    counts: tuple[EventCounts, ...]
    ended: bool

    def limits(self, level: Fraction) -> list[ConfidenceLimits]:
        """Return the limits of each event; all looks together spend a chance of `level`."""
        found = []
        for candidate, counts, (early, end) in zip(
            self.chosen, self.counts, shares(level, len(self.chosen)), strict=True
        ):
            limits = at_all_times(counts, early, candidate.before)
            found.append(limits.meet(at_the_end(counts, end)) if self.ended else limits)
        return found


def looks(
    chosen: Sequence[Candidate], planned: int, source: Source, spending: Spending, coins: random.Random
) -> Iterator[Look]:
    """Yield looks at `planned` fresh runs for the candidates, all on one pair: at doublings, and at the end.

    The first look is after as many runs as the candidates' own counts come from. Time may end the confirmation before.
    """
    a, b = chosen[0].a, chosen[0].b
    events = [candidate.event for candidate in chosen]
    seen = {a: [0] * len(events), b: [0] * len(events)}
    runs = {a: 0, b: 0}
    done, step = 0, max(FIRST, chosen[0].before.n + chosen[0].before.m)
    while done < planned:
        stretch = step if planned - done >= 2 * step else planned - done
        on_a = coins.getrandbits(stretch).bit_count()
        sizes, start = {a: on_a, b: stretch - on_a}, spending.elapsed()
        counted = source.count(sizes, events, spending.late)
        if counted is None:
            return
        spending.spent(stretch, start)
        done, step = done + stretch, done + stretch
        for position, size in sizes.items():
            runs[position] += size
            seen[position] = [x + y for x, y in zip(seen[position], counted[position], strict=True)]
        counts = tuple(
            EventCounts(seen[one.a][i], runs[one.a], seen[one.b][i], runs[one.b]) for i, one in enumerate(chosen)
        )
        yield Look(tuple(chosen), counts, done == planned)
