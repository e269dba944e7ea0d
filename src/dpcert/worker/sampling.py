"""Cases audited from samples: on coins of a seed, or with the target's own randomness."""

import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction

from dpcert.audit.decide import Worst
from dpcert.audit.sampling.decide import CHANCE, Confirmed, Sampled, sample_claim
from dpcert.audit.sampling.failures import Failures
from dpcert.audit.sampling.limits import EventCounts
from dpcert.audit.sampling.sampler import Batched, Sampler, Source, from_coins
from dpcert.mechanisms.decimals import decimal_hi, decimal_lo
from dpcert.mechanisms.exact.errors import one_line
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.targets.cases import Case
from dpcert.targets.options import Options
from dpcert.worker.result import Counts, Result, Sampling, SeenEvent
from dpcert.worker.results import NO_CERTIFICATE, delta_ends, described, epsilon_ends, sampled, worst_event

SHARE = 0.6
"""The part of a time limit for samples; the rest is for starting, searching and power."""
MOST_THREADS = 8
OWN = {
    "coins": "the runs, with its coins, are independent and of one law on each input",
    **dict.fromkeys(
        ("rng", "random", "state"),
        "the runs, with the generator that it is handed, are independent and of one law on each input",
    ),
    "nothing": "the program's own randomness is independent between runs, and of one law on each input: that it seeds "
    "none of its generators is not checked, and --seed replays those of the modules random and numpy.random alone",
}
"""The assumption of samples about a program, by its source of randomness."""


def batched(case: Case) -> bool:
    """Whether a batch makes the runs of a case: the target has one, and the adversary sees the outcome alone."""
    return case.many is not None and case.subject.observes == "outcome"


def sampled_case(case: Case, options: Options, *, seconds: float | None = None) -> Sampled:
    """Return what samples show of a case's claim; all is drawn from the seed, by default the case's own.

    Coins, the `rng` of a target, its batches and the generators of the modules random and numpy.random draw from the
    seed; other generators of the target's own do not. A batch draws in as many threads as there are processors, and
    what it draws does not depend on how many.

    Raises: Unauditable for a value that is no outcome, and where most runs on an input end in one exception; InputError
            for a batch that returns no array.
    """
    options, claim = case.seeded(options), case.claim()
    failures = Failures(claim.inputs, case.handed)
    source: Sampler | Source
    if case.many is not None and batched(case):
        threads = min(MOST_THREADS, os.cpu_count() or 1)
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


def sampled_result(case: Case, found: Sampled, *, asked_for_certificate: bool = False) -> Result:
    """Return the result of a sampling audit; its probabilities are bounds at the stated confidence."""
    notes = [*found.notes, f"{found.runs} runs in all, at {found.looks} {'look' if found.looks == 1 else 'looks'}"]
    if asked_for_certificate:
        notes.append(NO_CERTIFICATE)
    worst = found.worst
    batches = ["a row of a batch is a run of the target"] if batched(case) else []
    return replace(
        sampled(described(case)),
        verdict="refuted" if found.refuted else "undecided",
        reason=found.reason,
        assumptions=[OWN[case.takes], *batches, *case.subject.stated],
        pairs=found.pairs,
        delta=delta_ends(found.delta_lo, Fraction(1)),
        epsilon=epsilon_ends(found.epsilon_lo, None),
        worst=None if worst is None else _sampled_worst(worst),
        confidence=ratio_text(found.confidence),
        power=None if found.refuted else _power_words(found),
        notes=notes,
        sampling=Sampling(
            runs=found.runs,
            looks=found.looks,
            claims=found.claims,
            seed=found.seed,
            event=None if worst is None else one_line(worst.event.words()),
            counts=None if worst is None else _counts(worst.counts),
            again=None if worst is None or worst.again is None else _counts(worst.again),
        ),
    )


def _counts(counts: EventCounts) -> Counts:
    return Counts(counts.x, counts.n, counts.y, counts.m)


def _sampled_worst(worst: Confirmed) -> SeenEvent:
    """Return the event in the form of exact audits; its outcomes may be examples, or none.

    p is the lower limit, and q the greatest value that the limits allow beside it: of all p and q within the limits,
    these are nearest to the claim.
    """
    members = worst.event.members
    return worst_event(Worst(a=worst.a, b=worst.b, event=members, p=worst.limits.p_lo, q=worst.limits.q_nearest))


def _power_words(sampled: Sampled) -> str | None:
    """Return a line on the violation that the last look would very probably have confirmed."""
    if not sampled.power:
        return None
    least = max(power.excess for power in sampled.power)
    cases = " or ".join(f">= {decimal_hi(power.p)} against {decimal_lo(power.q)}" for power in sampled.power)
    event = f"of proposed events, one of probability {cases} ({decimal_hi(least)} over delta)"
    return f"{event} is found with probability {decimal_lo(CHANCE)}"
