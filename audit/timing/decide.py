"""The timing audit: rounds of runs on inputs chosen by fair coins. Each round bets on events that earlier rounds
suggest.

`wealth` says why this is valid. The events, the fractions and the pair of a round depend on earlier rounds alone. So
the product of the rounds' factors is one bet, whatever was searched, however often, and wherever it stops.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from dpcert.audit.kernel.claim import Claim
from dpcert.audit.sampling.budget import DEFAULT_CONFIDENCE, DEFAULT_RUNS, LEAST_RUNS, ErrorBudget, ratio_hi
from dpcert.audit.sampling.failures import ENOUGH
from dpcert.audit.timing.clock import Stopwatch
from dpcert.audit.timing.events import Bet, Runs, bets_on
from dpcert.audit.timing.wealth import RoundCounts, Wealth, factor
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.outcome import key

MOST_PAIRS = 16
WARM = ENOUGH
"""Runs on each input before any that count: enough to see whether most of them fail."""
FIRST = 400
"""Runs on each input that the first round learns from."""
LARGEST = 16_384
HEDGE = 4
"""Half of each bet is on a fraction smaller by this factor."""
GRID = tuple(Fraction(round(1000 * 1.1**i), 1000) for i in range(73))
"""The e^epsilon that are tried for a lower bound, in this order: 1 to about 955."""
REPLAYS = 30
"""If all of this many replays succeed, a chance below 9/10 is refuted at confidence 19/20: (9/10)^30 < 1/20."""
REPLAYED = 40_000
"""The greatest number of runs in a replay: with more runs, no fewer delays are found."""
SHARE = 0.7
"""The part of the time that is spent on runs; the rest is for replays."""
NOTHING = "no leak found"
NONE = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Delay:
    """A delay of one input, in nanoseconds, that was found in all `REPLAYS` replays of the recorded durations."""

    nanoseconds: int
    median: int


@dataclass(frozen=True, slots=True)
class Timed:
    """The result of a timing audit: a refutation at a confidence, or none, with the power; never a verification.

    `event` in words was bet on in the last round, on input `a` against `b`, with its `counts`; `medians` are of all
    runs on the two, in nanoseconds. `epsilon_lo` is a lower bound of the epsilon at the claimed delta. With the
    confidence, all statements on the `claims` that share it are right together.
    """

    claim: Claim
    refuted: bool
    reason: str | None
    confidence: Fraction
    claims: int
    pairs: int
    all_pairs: int
    rounds: int
    runs: int
    epsilon_lo: Epsilon
    a: Any
    b: Any
    event: str | None
    counts: RoundCounts | None
    medians: tuple[int, int] | None
    power: Delay | None
    notes: tuple[str, ...]


@dataclass(slots=True)
class _Game:
    """The wealth against each e^epsilon of `ratios`, at one delta, and which of them are refuted: a prefix."""

    ratios: Sequence[Fraction]
    delta: Fraction
    alpha: Fraction
    wealth: list[Wealth] = field(init=False)
    refuted: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self.wealth = [Wealth() for _ in self.ratios]

    def targets(self, claimed: Fraction) -> list[tuple[float, float]]:
        """Return the e^epsilon that events are sought for: the claimed one, and the least that is not refuted."""
        open_ = self.ratios[min(self.refuted, len(self.ratios) - 1)]
        return [(float(ratio), float(self.delta)) for ratio in dict.fromkeys((claimed, open_))]

    def play(self, bets: Sequence[Bet], runs: Runs) -> None:
        """Bet on the runs of a round, an equal part of the wealth on each event and fraction."""
        counts = [bet.counts(runs) for bet in bets]
        for i, ratio in enumerate(self.ratios):
            if i < self.refuted:
                continue
            parts = []
            for bet, found in zip(bets, counts, strict=True):
                # By counts of earlier rounds alone: a stake that knew its round would be no fair bet.
                best = bet.fraction(float(ratio), float(self.delta))
                parts += [factor(found, c, ratio, self.delta) for c in (best, best // HEDGE)]
            self.wealth[i] = self.wealth[i].times(Wealth.mean(parts))
        while self.refuted < len(self.ratios) and self.wealth[self.refuted].reaches(1 / self.alpha):
            self.refuted += 1


def time_claim(
    claim: Claim,
    stopwatch: Stopwatch,
    toss: Callable[[int], int],
    *,
    confidence: object = DEFAULT_CONFIDENCE,
    claims: int = 1,
    most_runs: int = DEFAULT_RUNS,
    seconds: float = float("inf"),
    outcomes: bool = True,
    resolution: int = 1,
) -> Timed:
    """Audit a claim about the outcome of a run and the time that it takes.

    `toss(n)` is uniform below n and chooses the input of each run. The adversary's clock shows multiples of
    `resolution` nanoseconds; without `outcomes` the adversary sees only the clock. The confidence is that of all
    `claims` together; this claim is one of them.

    Claims: if, whatever happened before, a run is within the claim on each pair, the answer is `refuted`, or
            `epsilon_lo` above the claim's least epsilon, with a chance of at most (1 - confidence) / claims.
    Raises: InputError for a confidence outside [1/2, 1) or fewer than 1000 runs; Unauditable for no outcome.
    """
    budget = ErrorBudget.at_confidence(confidence, claims)
    if most_runs < LEAST_RUNS:
        raise InputError(given=f"{most_runs} samples", needed=f"at least {LEAST_RUNS}", remedy="ask for more")
    start = time.monotonic()
    audit = _TimingAudit(claim, stopwatch, toss, budget.each, outcomes, resolution)
    audit.play(most_runs, start + SHARE * seconds)
    return audit.timed(budget, start + seconds)


class _TimingAudit:
    """One run of a timing audit."""

    def __init__(
        self,
        claim: Claim,
        stopwatch: Stopwatch,
        toss: Callable[[int], int],
        alpha: Fraction,
        outcomes: bool,
        resolution: int,
    ) -> None:
        self.claim = claim
        self.stopwatch = stopwatch
        self.toss = toss
        self.outcomes = outcomes
        self.resolution = resolution
        self.exact = Runs.of([], [], [], NONE)
        self.claimed = ratio_hi(claim.guarantee.epsilon)
        ratios = sorted({*GRID, self.claimed})
        self.game = _Game(ratios, claim.guarantee.delta, alpha)
        self.runs = self.exact
        self.codes: dict[Any, int] = {}
        self.shown: list[Any] = []
        self.rounds = self.spent = 0
        self.last: tuple[Bet, RoundCounts] | None = None
        unordered = sorted((a, b) for a, b in claim.pairs() if a < b)
        self.all_pairs = 2 * len(unordered)
        room = min(MOST_PAIRS, len(unordered))
        self.pairs = [unordered[i * len(unordered) // room] for i in range(room)]

    def play(self, most_runs: int, deadline: float) -> None:
        """Warm up, learn, and bet until the claim is refuted or nothing is left to spend."""
        self.pairs = self.pairs[: max(1, most_runs // (8 * FIRST))]
        inputs = sorted({position for pair in self.pairs for position in pair})
        if not inputs:
            return
        self._timed(inputs * WARM)
        first = min(FIRST, most_runs // (4 * len(inputs)))
        self._keep(self._timed(self._shuffled(inputs * first)))
        size = 2 * first
        while self.game.refuted <= self.game.ratios.index(self.claimed):
            size = min(size, most_runs - self.spent)
            bets = self._bets()
            begin = time.monotonic()
            if size < first // 2 or begin > deadline:
                break
            pair = (bets[0].a, bets[0].b)
            self._bet(bets, self._timed([pair[self.toss(2)] for _ in range(size)]))
            took = time.monotonic() - begin
            left = (deadline - time.monotonic()) / max(took, 1e-9)
            size = min(LARGEST, 2 * size, int(size * left) if left < 2 else LARGEST)

    def _keep(self, exact: Runs) -> Runs:
        """Keep the runs of a round, by the machine's clock and by the adversary's; return the latter."""
        seen = exact.duration // self.resolution * self.resolution
        coarse = Runs.of(exact.position, seen, exact.outcome, self.runs.duration)
        self.exact, self.runs = self.exact.followed_by(exact), self.runs.followed_by(coarse)
        return coarse

    def _bet(self, bets: Sequence[Bet], exact: Runs) -> None:
        fresh = self._keep(exact)
        self.game.play(bets, fresh)
        self.rounds += 1
        found = [(bet, bet.counts(fresh)) for bet in bets]
        self.last = max(found, key=lambda pair: pair[1].on_a - float(self.claimed) * pair[1].on_b)

    def _bets(self) -> list[Bet]:
        """Return the events to bet on, on the pair whose events look worst."""
        targets = self.game.targets(self.claimed)
        kinds = len(self.shown) if self.outcomes else 0
        found = {pair: list(bets_on(self.runs, *pair, kinds, targets)) for pair in self.pairs}
        return max(found.values(), key=lambda bets: max(bet.promise for bet in bets))

    def _timed(self, positions: Sequence[int]) -> Runs:
        durations, outcomes = self.stopwatch(positions)
        self.spent += len(positions)
        return Runs.of(positions, durations, [self._code(outcome) for outcome in outcomes], NONE)

    def _code(self, outcome: Any) -> int:
        if not self.outcomes:
            return 0
        name = key(outcome)
        if name not in self.codes:
            self.codes[name] = len(self.shown)
            self.shown.append(outcome)
        return self.codes[name]

    def _shuffled(self, positions: list[int]) -> list[int]:
        for i in range(len(positions) - 1, 0, -1):
            j = self.toss(i + 1)
            positions[i], positions[j] = positions[j], positions[i]
        return positions

    def timed(self, budget: ErrorBudget, deadline: float) -> Timed:
        """Return the report."""
        game, last = self.game, self.last
        refuted = game.refuted > game.ratios.index(self.claimed)
        reason = None if refuted else NOTHING
        if not self.pairs:
            reason = "there is nothing to time: no two of the inputs are neighbours"
        elif last is None:
            reason = f"{NOTHING}: time ran out before the first round"
        notes = []
        if 2 * len(self.pairs) < self.all_pairs:
            notes.append(f"{2 * len(self.pairs)} of {self.all_pairs} pairs were timed")
        bet = None if last is None else last[0]
        inputs = self.claim.inputs
        return Timed(
            claim=self.claim,
            refuted=refuted,
            reason=reason,
            confidence=budget.confidence,
            claims=budget.claims,
            pairs=2 * len(self.pairs),
            all_pairs=self.all_pairs,
            rounds=self.rounds,
            runs=self.spent,
            epsilon_lo=Epsilon.ln(game.ratios[game.refuted - 1] if game.refuted else Fraction(1)),
            a=None if bet is None else inputs[bet.a],
            b=None if bet is None else inputs[bet.b],
            event=None if bet is None else bet.words(self.shown),
            counts=None if last is None else last[1],
            medians=None if bet is None else (self._median(bet.a), self._median(bet.b)),
            power=None if refuted or bet is None else self._power(bet, deadline),
            notes=tuple(notes),
        )

    def _median(self, position: int) -> int:
        return int(np.median(self.runs.duration[self.runs.position == position]))

    def _power(self, bet: Bet, deadline: float) -> Delay | None:
        """Return the least delay, of the powers of two times 1/64 of a median, that all replays of the runs find."""
        runs = self.exact.on(bet.a, bet.b).chosen(slice(0, REPLAYED))
        median = int(np.median(runs.duration))
        kinds = len(self.shown) if self.outcomes else 0
        for shift in range(13):
            delay = max(1, (max(median, self.resolution) << shift) >> 6)
            replays = (self._found(runs, bet, delay, kinds) for _ in range(REPLAYS))
            if time.monotonic() < deadline and all(found and time.monotonic() < deadline for found in replays):
                return Delay(delay, median)
        return None

    def _found(self, runs: Runs, bet: Bet, delay: int, kinds: int) -> bool:
        """Whether a replay is refuted: the same runs, their inputs chosen anew, and `delay` added to those on b."""
        coins = np.random.default_rng(self.toss(1 << 62)).integers(0, 2, len(runs))
        position = np.where(coins == 0, bet.a, bet.b)
        seen = (runs.duration + coins * delay) // self.resolution * self.resolution
        replay = Runs.of(position, seen, runs.outcome, NONE)
        game = _Game((self.claimed,), self.game.delta, self.game.alpha)
        for start, stop in _rounds(len(replay)):
            past = replay.chosen(slice(0, start))
            bets = list(bets_on(past, bet.a, bet.b, kinds, game.targets(self.claimed)))
            game.play(bets, replay.chosen(slice(start, stop)))
            if game.refuted:
                return True
        return False


def _rounds(total: int) -> Iterator[tuple[int, int]]:
    """Yield where the rounds of a replay begin and end."""
    start = size = 2 * FIRST
    while start < total:
        yield start, min(total, start + size)
        start, size = start + size, min(LARGEST, 2 * size)
