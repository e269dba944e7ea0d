"""Cases audited from samples: on system coins, on a seed, or with the target's own randomness."""

from __future__ import annotations

import os
import random

from dpcert.audit.sampling.decide import Sampled, Search, sample_claim
from dpcert.audit.sampling.sampler import Batched, from_coins
from dpcert.cases import Case, Options

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
    """Return what samples show of a case's claim.

    A target without coins draws as it does itself, whatever the seed; a batch draws from numpy generators of the seed,
    in `jobs` threads, by default as many as there are processors. What it draws does not depend on how many.

    Raises: Unauditable for what is no outcome; InputError for a batch that gives no array.
    """
    claim, draws = case.claim(), case.subject.observes != "outcome"
    limit = float("inf") if seconds is None else seconds
    if case.many is not None and batched(case):
        threads = min(MOST_THREADS, os.cpu_count() or 1) if jobs is None else jobs
        source = Batched(case.many, claim.inputs, seed=options.seed, jobs=threads)
        return sample_claim(
            claim,
            source,
            confidence=options.confidence,
            most_runs=options.samples,
            seconds=limit,
            seed=options.seed,
            search=search,
        )
    coins = random.SystemRandom() if options.seed is None else random.Random(options.seed)
    return sample_claim(
        claim,
        from_coins(case.subject.program, claim.inputs, coins.randrange, draws=draws),
        confidence=options.confidence,
        most_runs=options.samples,
        seconds=limit,
        seed=options.seed,
        search=search,
    )
