"""Cases audited from samples: on system coins, on a seed, or with the target's own randomness."""

from __future__ import annotations

import random

from dpcert.audit.sampling.decide import Sampled, sample_claim
from dpcert.audit.sampling.sampler import from_coins
from dpcert.cases import Case, Options

__all__ = ["SHARE", "sampled_case"]

SHARE = 0.6
"""Which part of a time limit is spent on samples; the rest is for starting, searching and power."""


def sampled_case(case: Case, options: Options, *, seconds: float | None = None) -> Sampled:
    """Return what samples show of a case's claim.

    A target without coins draws as it does itself, whatever the seed.

    Raises: Unauditable for what is no outcome.
    """
    source = random.SystemRandom() if options.seed is None else random.Random(options.seed)
    claim, draws = case.claim(), case.subject.observes != "outcome"
    return sample_claim(
        claim,
        from_coins(case.subject.program, claim.inputs, source.randrange, draws=draws),
        confidence=options.confidence,
        most_runs=options.samples,
        seconds=float("inf") if seconds is None else seconds,
    )
