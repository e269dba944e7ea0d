"""Cases audited from samples: on coins of a seed, or with the target's own randomness."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from dpcert.audit.sampling.decide import Sampled, Search, sample_claim
from dpcert.audit.sampling.failures import Failures
from dpcert.audit.sampling.sampler import Batched, Sampler, Source, from_coins
from dpcert.targets.cases import Case, Options

__all__ = ["SHARE", "batched", "sampled_case"]

SHARE = 0.6
"""Which part of a time limit is spent on samples; the rest is for starting, searching and power."""
MOST_THREADS = 8


def batched(case: Case) -> bool:
    """Whether a case's runs are made many at once: where it has a batch, and nothing but the outcome is seen."""
    return case.many is not None and case.subject.observes == "outcome"


def sampled_case(
    case: Case,
    options: Options,
    *,
    seconds: float | None = None,
    jobs: int | None = None,
    search: Search | None = None,
) -> Sampled:
    """Return what samples show of a case's claim; all is drawn from the seed, where there is none from a fresh one.

    Coins, the `rng` of a target, its batches and the generators of the modules random and numpy.random draw from the
    seed; other generators of the target's own do not. A batch draws in `jobs` threads, by default as many as there are
    processors. What it draws does not depend on how many.

    Raises: Unauditable for what is no outcome, and where most runs on an input end in one exception; InputError for a
            batch that gives no array.
    """
    options, claim = options.among(options.claims), case.claim()
    failures = Failures(claim.inputs, case.handed)
    source: Sampler | Source
    if case.many is not None and batched(case):
        threads = min(MOST_THREADS, os.cpu_count() or 1) if jobs is None else jobs
        source = Batched(case.many, claim.inputs, seed=options.seed, jobs=threads)
    else:
        draws = case.subject.observes != "outcome" and not case.coinless
        source = from_coins(case.subject.program, failures, random.Random(options.seed).randrange, draws=draws)
    with _module_generators(options.seed):
        found = sample_claim(
            claim,
            source,
            confidence=options.confidence,
            claims=options.claims,
            most_runs=options.samples,
            seconds=float("inf") if seconds is None else seconds,
            seed=options.seed,
            search=search,
        )
    return replace(found, notes=(*found.notes, *failures.notes()))


@contextmanager
def _module_generators(seed: int | None) -> Iterator[None]:
    """Have the generators of the modules random and numpy.random draw from a seed, and put them back at the end."""
    import numpy.random as numpy_random

    before = random.getstate(), numpy_random.get_state()
    random.seed(f"{seed} of modules")
    numpy_random.seed(numpy_random.SeedSequence(seed, spawn_key=(2**32 - 1,)).generate_state(8))
    try:
        yield
    finally:
        random.setstate(before[0])
        numpy_random.set_state(before[1])
