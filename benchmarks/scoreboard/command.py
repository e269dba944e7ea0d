"""An auditor that is a command: it reads a problem as JSON, asks for runs, and prints its answer.

The command gets one line of JSON on standard input: `id`, `epsilon` and `delta` as text, `ratio`, which is e^epsilon as
a float, `inputs` as they are shown, `pairs` of their positions, and `budget`, the number of runs that it may make. Its
first line of output is `private`, `not private` or `undecided`; anything after that is the reason. For runs it calls
`python -m scoreboard.command ID POSITION COUNT SEED` in `benchmarks/`, which prints an outcome a line.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence

from dpcert.mechanisms.exact.outcome import show
from scoreboard.known import known
from scoreboard.problem import ANSWERS, UNDECIDED, Answer, Auditor, Problem


def command(words: Sequence[str]) -> Auditor:
    """Return the auditor that a command is. Where it fails or says nothing of use, the answer is undecided."""

    def audited(problem: Problem) -> Answer:
        told = json.dumps(described(problem))
        done = subprocess.run(words, input=told, capture_output=True, text=True, check=False)
        verdict, _, reason = done.stdout.strip().partition("\n")
        if done.returncode or verdict not in ANSWERS:
            return Answer(UNDECIDED, f"exit status {done.returncode}: {(done.stdout + done.stderr).strip()[-200:]}")
        return Answer(verdict, reason)

    return audited


def described(problem: Problem) -> dict[str, object]:
    """Return what a command is told of a problem."""
    return {
        "id": problem.id,
        "epsilon": str(problem.epsilon),
        "ratio": float(problem.epsilon.exp_bounds(64)[1]),
        "delta": str(problem.delta),
        "inputs": [show(value) for value in problem.claim.inputs],
        "pairs": list(problem.claim.pairs()),
        "budget": problem.budget,
    }


def main(name: str, position: str, count: str, seed: str) -> None:
    """Print so many outcomes of a problem, one a line."""
    (problem,) = (each.problem for each in known() if each.problem.id == name)
    for outcome in problem.sample(int(position), int(count), int(seed)):
        print(outcome.tolist() if hasattr(outcome, "tolist") else outcome)


if __name__ == "__main__":
    main(*sys.argv[1:])
