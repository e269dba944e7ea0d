"""Measure jobs beside other libraries, and write the tables into docs/findings/benchmarks.md.

`python benchmarks/peers.py` needs dp-accounting and the extra opendp. Each job is run in turns, once by dpcert and once
by the peer, and of each the least processor time counts: both see the same machine. Answers of dp-accounting are floats
and not certified. `releases.py` has the jobs beside OpenDP and numpy; with their names, only these are measured.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from math import exp, log
from random import Random
from typing import Any

import releases
from cpuinfo import get_cpu_info
from dp_accounting.pld import privacy_loss_distribution as peer
from tables import ROOT, filled, in_turns, shown, table
from test_composition import log_masses as of_response
from test_profile import EPSILONS, laws, log_masses

from dpcert.audit.composition import Canonical, Pair, composed
from dpcert.audit.enclosure import profile_at_size
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon

PAGE = ROOT / "docs" / "findings" / "benchmarks.md"
DELTA, OUTCOMES, LIKELY = Fraction(1, 10**6), 10**4, Fraction(1, 10)
COMPOSED = {  # the epsilon at which delta is compared, where the peer's delta is about 1e-6
    (100, 100): "1.51",
    (100, 1000): "5.35",
    (100, 10_000): "21.64",
    (1000, 100): "0.43",
    (1000, 1000): "1.5",
    (1000, 10_000): "5.65",
}


@dataclass(frozen=True)
class Job:
    """What both compute: an answer with bounds, and a float."""

    name: str
    asked: str
    rounds: int
    mine: Callable[[], Any]
    theirs: Callable[[], float]


def of_pair(
    name: str, asked: str, make: Callable[[], Any], theirs: Callable[[], Any], epsilon: str, rounds: int
) -> Iterator[Job]:
    """Yield the delta of a pair at an epsilon, and its epsilon at a delta."""
    budget, bound = Epsilon.of(epsilon), float(Fraction(epsilon))
    delta = LIKELY if "random" in name else DELTA
    yield Job(
        f"delta of {name}",
        asked,
        rounds,
        lambda: make().delta_at(budget),
        lambda: theirs().get_delta_for_epsilon(bound),
    )
    yield Job(
        f"epsilon of {name}",
        asked,
        rounds,
        lambda: make().ratio_at(delta),
        lambda: exp(theirs().get_epsilon_for_delta(float(delta))),
    )


def distribution(lower: dict[int, float], upper: dict[int, float]) -> Any:
    return peer.from_two_probability_mass_functions(lower, upper, symmetric=True)


def jobs() -> Iterator[Job]:
    """Yield the jobs of the table."""
    for n in (100, 1000):
        p, q = laws(n)
        masses = log_masses(n - 2), log_masses(n - 1)
        name = f"a pair of {n:,} outcomes"
        yield from of_pair(
            name, "0.8", lambda p=p, q=q: profile_at_size(p, q), lambda m=masses: distribution(*m), EPSILONS[n], 100
        )
    draws = Random(1)
    weights = [[draws.randrange(1, 10**6) for _ in range(OUTCOMES)] for _ in range(2)]
    first, second = (Dist.from_weights(enumerate(column), sum(column)) for column in weights)
    upper, lower = ({i: log(w / sum(column)) for i, w in enumerate(column)} for column in weights)
    name = f"random tables of {OUTCOMES:,} outcomes"
    yield from of_pair(
        name, "0.2", lambda: profile_at_size(first, second), lambda: distribution(lower, upper), "0.5", 10
    )
    above, below = of_response("randomized response")
    response = Canonical(Epsilon.of("1/100"), Fraction(0))
    yield Job(
        "epsilon of 1,000 randomized responses at 1/100",
        "1",
        10,
        lambda: composed([(response, 1000)]).ratio_at(DELTA),
        lambda: exp(distribution(below, above).self_compose(1000).get_epsilon_for_delta(float(DELTA))),
    )
    for (n, times), epsilon in COMPOSED.items():
        pair: Pair = profile_at_size(*laws(n))
        masses = log_masses(n - 2), log_masses(n - 1)
        name = f"{times:,} pairs of {n:,} outcomes"
        yield from of_pair(
            name,
            "1.5",
            lambda pair=pair, times=times: composed([(pair, times)]),
            lambda m=masses, times=times: distribution(*m).self_compose(times),
            epsilon,
            5,
        )


def line(job: Job) -> list[str]:
    """Run a job by both in turns, and return its row."""
    spent, (answer, other) = in_turns(job.mine, job.theirs, rounds=job.rounds)
    wide, off = float(answer.hi / answer.lo - 1), other / float(answer.hi) - 1
    ratio = f"{spent[0] / spent[1]:.2f}"
    return [job.name, shown(spent[0]), shown(spent[1]), ratio, job.asked, f"{wide:.1e}", f"{off:+.1e}"]


def main() -> int:
    """Fill the page."""
    today = f"Measured on {date.today()}, on {get_cpu_info()['brand_raw']}."
    head = ["", "dpcert", "dp-accounting", "ratio", "asked", "width of bounds", "its distance from the upper one"]
    tables = {"releases": lambda: table(releases.HEAD, releases.lines())}
    tables["peers"] = lambda: table(head, [line(job) for job in jobs()])
    for name in sys.argv[1:] or tables:
        text = f"{tables[name]()}\n\n{today}"
        PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), name, text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
