"""The options of an audit: the claim to make, the source of laws, limits, and samples."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace

from dpcert.audit.kernel.claim import ApproxDP
from dpcert.audit.kernel.neighbours import RELATIONS, Neighbours
from dpcert.audit.relations import ALIASES
from dpcert.audit.sampling.budget import DEFAULT_CONFIDENCE, DEFAULT_RUNS, LEAST_RUNS, ErrorBudget
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.explore import Limits
from dpcert.mechanisms.exact.number import exact
from dpcert.targets.every import Every

NOISES = ("ideal", "machine")
"""The meaning of draws of numpy's and Python's generators: ideal random variables, or floats as the machine draws."""

TIMINGS = ("both", "duration")
"""What a timing audit observes: the outcome and the running time, or the time alone."""

COARSEST = 10**12
"""The most nanoseconds between two ticks of the clock of a timing audit."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options that the user set beside the target; None means the target's own.

    A program that takes no coins and cannot be read exactly is sampled. `exact` forbids samples; `sampling` asks for
    them at once. With `closed_forms`, a mechanism that ships is audited by its closed form where its program is
    undecided within the limits. With `every`, the claim is about all values of a parameter (see `every.py`), on ideal
    noise. `claims` is the number of claims of the invocation: the `confidence` is of the samples of all together.
    """

    epsilon: str | None = None
    delta: str | None = None
    neighbours: str | None = None
    law_source: str = "program"
    closed_forms: bool = False
    eager: bool = False
    observes: str | None = None
    max_runs: int = 100_000
    max_tail: str = "1e-30"
    max_draws: int = 1_000_000
    exact: bool = False
    sampling: bool = False
    samples: int = DEFAULT_RUNS
    confidence: str = DEFAULT_CONFIDENCE
    seed: int | None = None
    timing: str | None = None
    resolution: int = 1
    claims: int = 1
    noise: str | None = None
    every: str | None = None

    def __post_init__(self) -> None:
        if self.neighbours is not None:
            object.__setattr__(self, "neighbours", ALIASES.get(self.neighbours, self.neighbours))

    def check(self) -> None:
        """Return if every option has an allowed value.

        Raises: InputError otherwise.
        """
        ApproxDP("0" if self.epsilon is None else self.epsilon, "0" if self.delta is None else self.delta)
        if self.neighbours is not None:
            relation_named(self.neighbours)
        self.limits()
        ErrorBudget.at_confidence(self.confidence, self.claims)
        if self.samples < LEAST_RUNS:
            raise InputError(given=f"--samples {self.samples}", needed=f"at least {LEAST_RUNS}", remedy="raise it")
        if self.noise not in (None, *NOISES):
            raise InputError(given=f"noise={self.noise!r}", needed=" or ".join(NOISES), remedy="name one of them")
        if self.every is not None:
            Every.from_text(self.every)
            if self.noise == "machine":
                needed = "ideal noise: the machine's is audited at one epsilon at a time"
                raise InputError(given="--every with --noise machine", needed=needed, remedy="leave one out")
        if self.timing not in (None, *TIMINGS):
            raise InputError(given=f"timing={self.timing!r}", needed=" or ".join(TIMINGS), remedy="name one of them")
        if self.seed is not None and self.seed < 0:
            raise InputError(given=f"--seed {self.seed}", needed="an integer from 0 on", remedy="write --seed 1")
        if not 1 <= self.resolution <= COARSEST:
            given, needed = f"--resolution {self.resolution}", f"nanoseconds, from 1 to {COARSEST}"
            raise InputError(given=given, needed=needed, remedy="write --resolution 1000")

    def among(self, claims: int) -> Options:
        """Return these options for an invocation of so many claims."""
        return replace(self, claims=max(1, claims))

    def limits(self) -> Limits:
        """Return the enumeration's limits.

        Raises: InputError for a tail outside [0, 1) or fewer than one run.
        """
        tail = exact(self.max_tail, "--max-tail")
        if not 0 <= tail < 1:
            raise InputError(given=f"--max-tail {self.max_tail}", needed="a number in [0, 1)", remedy='write "1e-30"')
        if self.max_runs < 1:
            raise InputError(given=f"--max-runs {self.max_runs}", needed="an integer >= 1", remedy="raise it")
        return Limits(max_runs=self.max_runs, max_tail=tail, max_draws=self.max_draws)


def relation_named(name: str) -> Neighbours:
    """Return one of the kernel's relations, by its name or an alias.

    Raises: InputError with the nearest name.
    """
    if ALIASES.get(name, name) in RELATIONS:
        return RELATIONS[ALIASES.get(name, name)]
    near = difflib.get_close_matches(name, [*RELATIONS, *ALIASES], n=1)
    remedy = f"did you mean {ALIASES.get(near[0], near[0])!r}?" if near else "name one of these"
    raise InputError(given=f"--neighbours {name}", needed=f"one of {', '.join(RELATIONS)}", remedy=remedy)
