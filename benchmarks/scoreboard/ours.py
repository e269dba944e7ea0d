"""The ways of dpcert as auditors: its reader with exact laws, ideal noise, and samples."""

from __future__ import annotations

from typing import Any

import dpcert
from dpcert.audit.ideal.verdict import decide_ideal
from dpcert.audit.sampling.decide import sample_claim
from dpcert.audit.sampling.hunt import Search
from dpcert.audit.sampling.sampler import Batched, OneByOne
from dpcert.mechanisms.exact.errors import Unauditable
from scoreboard.problem import COINS, IDEAL, NOT_PRIVATE, PRIVATE, UNDECIDED, Answer, Problem

SEED = 1
CONFIDENCE = "0.999"
"""Of each claim by itself: a true one is refuted with a chance of at most 1/1000."""
WORDS = {"verified": PRIVATE, "refuted": NOT_PRIVATE, "undecided": UNDECIDED}


def exact(problem: Problem) -> Answer:
    """Answer by the laws of the program as it runs, as `dpcert audit` does."""
    if problem.noise == IDEAL:
        return Answer(UNDECIDED, "the claim is about noise of real numbers")
    verdict = dpcert.audit(_target(problem)).seen.verdict
    match verdict:
        case dpcert.Verified():
            return Answer(PRIVATE)
        case dpcert.Refuted():
            return Answer(NOT_PRIVATE, f"event {list(verdict.event)} on {verdict.a} and {verdict.b}")
        case _:
            return Answer(UNDECIDED, verdict.reason)


def _target(problem: Problem) -> dpcert.Target:
    """Return the problem as a user would write it."""
    if problem.noise == COINS:

        def program(value: Any, coins: Any) -> Any:
            return problem.program(value, coins)
    else:

        def program(value: Any, rng: Any) -> Any:
            return problem.program(value, rng)

    claim = problem.claim
    return dpcert.target(
        guarantee=claim.guarantee, inputs=claim.inputs, neighbours=claim.neighbours, observes=claim.observes
    )(program)


def ideal(problem: Problem) -> Answer:
    """Answer by noise of real numbers, as `dpcert audit --noise ideal` does."""
    if problem.noise != IDEAL:
        return Answer(UNDECIDED, "the claim is about the program as it runs")
    try:
        with problem.meant():
            report = decide_ideal(problem.claim, problem.program)
    except Unauditable as refusal:
        return Answer(UNDECIDED, str(refusal))
    return Answer(WORDS[report.verdict], report.reason or "")


def sampling(problem: Problem) -> Answer:
    """Answer by samples, as `dpcert audit --sampling` does, within the problem's budget.

    The last bits of floats are looked at where the claim is about them.
    """
    if problem.many is None:
        runs = {position: problem.runs(position, SEED) for position in range(len(problem.claim.inputs))}
        source: Any = OneByOne(lambda position: next(runs[position]))
    else:
        source = Batched(problem.many, problem.claim.inputs, seed=SEED)
    search = Search(bits=problem.noise != IDEAL)
    try:
        found = sample_claim(
            problem.claim, source, confidence=CONFIDENCE, most_runs=problem.budget, seed=SEED, search=search
        )
    except Unauditable as refusal:
        return Answer(UNDECIDED, str(refusal))
    return Answer(NOT_PRIVATE, f"{found.runs} runs") if found.refuted else Answer(UNDECIDED, found.reason or "")
