"""Cases audited by the clock: the adversary sees outcome and running time, or the time alone."""

import random
from dataclasses import replace

from dpcert.audit.sampling.failures import Failures
from dpcert.audit.timing.clock import stopwatch
from dpcert.audit.timing.decide import REPLAYS, Delay, Timed, time_claim
from dpcert.mechanisms.exact.errors import one_line
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.forms import to_json
from dpcert.targets.cases import Case
from dpcert.targets.options import Options
from dpcert.worker.result import Hits, Medians, Result, Timing
from dpcert.worker.results import described, epsilon_ends, sampled

ASSUMPTION = "the coins that choose the inputs are fair, and tell nothing to the program"
OBSERVED = {"both": "its running time observed as well", "duration": "nothing observed but its running time"}


def timed_case(case: Case, options: Options, *, seconds: float | None = None) -> Timed:
    """Return the evidence of the clock about a case's claim, on outcome and time or, by `options.timing`, time alone.

    Raises: Unauditable for a value that is no outcome, and where most runs on an input end in one exception.
    """
    options, claim = case.seeded(options), case.claim()
    coins, toss = random.Random(options.seed), random.Random(f"inputs {options.seed}")
    failures = Failures(claim.inputs, case.handed)
    found = time_claim(
        claim,
        stopwatch(case.subject.program, failures, coins.randrange),
        toss.randrange,
        resolution=options.resolution,
        confidence=options.confidence,
        claims=options.claims,
        most_runs=options.samples,
        seconds=float("inf") if seconds is None else seconds,
        outcomes=options.timing != "duration",
    )
    return replace(found, notes=(*found.notes, *failures.notes()))


def timed_result(case: Case, timed: Timed, options: Options, *, asked_for_certificate: bool = False) -> Result:
    """Return the result of a timing audit, in the form of results from samples; `timing` has the measurements."""
    notes = [*timed.notes, f"{timed.runs} runs in all, in {timed.rounds} {'round' if timed.rounds == 1 else 'rounds'}"]
    if options.resolution > 1:
        notes.append(f"times are rounded down to multiples of {options.resolution} ns")
    if asked_for_certificate:
        notes.append("no certificate: durations cannot be recomputed")
    whole = sampled(described(case))
    sentence = replace(timed.claim, observes="outcome").sentence()
    head, promise, tail = sentence.partition(f" is {timed.claim.guarantee}")
    return replace(
        whole,
        claim=replace(whole.claim, sentence=f"{head}, {OBSERVED[options.timing or 'both']},{promise}{tail}"),
        verdict="refuted" if timed.refuted else "undecided",
        reason=timed.reason,
        assumptions=[ASSUMPTION],
        pairs=timed.pairs,
        epsilon=epsilon_ends(timed.epsilon_lo, None),
        confidence=ratio_text(timed.confidence),
        power=None if timed.power is None else _power_words(timed.power),
        notes=notes,
        timing=_seen(timed, case.seeded(options)),
    )


def _seen(timed: Timed, options: Options) -> Timing:
    counts, medians = timed.counts, timed.medians
    return Timing(
        observes=options.timing or "both",
        resolution=options.resolution,
        runs=timed.runs,
        rounds=timed.rounds,
        claims=timed.claims,
        seed=options.seed,
        a=to_json(timed.a),
        b=to_json(timed.b),
        event=None if timed.event is None else one_line(timed.event),
        hits=None if counts is None else Hits(counts.on_a, counts.on_b, counts.others),
        medians=None if medians is None else Medians(*medians),
        delay=None if timed.power is None else timed.power.nanoseconds,
    )


def _power_words(power: Delay) -> str:
    delay = f"a delay of {power.nanoseconds} ns of one input, where a run takes about {power.median} ns,"
    return f"{delay} was found in {REPLAYS} of {REPLAYS} replays"
