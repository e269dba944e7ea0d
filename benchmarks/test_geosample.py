"""GeoSample at epsilon = 1/10: whole audits through the command line, and what they are made of.

`pytest benchmarks` runs them; a plain `pytest` does not. `python benchmarks/report.py` runs them and writes
docs/findings/benchmarks.md.
"""

import gc
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dpcert.audit.kernel.divergence import decide_pair
from dpcert.audit.kernel.examine import Examination
from dpcert.audit.measure import least_ratio_bounds
from dpcert.audit.passes import examined
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.enumerator import Enumeration, LazyRun, exact_law
from dpcert.mechanisms.exact.explore import Settings
from dpcert.reading.paths.enumerator import enumerate_law
from dpcert.targets.cases import Case

Audit = Callable[[int, str], Any]
CaseOf = Callable[[int, str], Case]
Certificates = dict[tuple[int, str], Path]

SECONDS = {("program", 200): 30, ("closed-form", 4000): 4}
"""What an audit may take by the clock on a machine with two idle cores."""


def measure(benchmark: Any, run: Callable[[], Any], *, rounds: int = 1) -> Any:
    usage = benchmark.pedantic(run, rounds=rounds)
    benchmark.extra_info.update(usage.as_info())
    return usage


@pytest.mark.parametrize("n", [125, 200, 250, 500])
def test_audit_from_the_program(benchmark: Any, audit: Audit, n: int) -> None:
    measure(benchmark, lambda: audit(n, "program"), rounds=3 if n < 500 else 1)
    assert benchmark.stats.stats.min < SECONDS.get(("program", n), 600)


@pytest.mark.parametrize("n", [500, 1000, 2000, 4000])
def test_audit_from_the_closed_form(benchmark: Any, audit: Audit, n: int) -> None:
    measure(benchmark, lambda: audit(n, "closed-form"), rounds=3)
    assert benchmark.stats.stats.min < SECONDS.get(("closed-form", n), 600)


@pytest.mark.parametrize(("source", "n"), [("program", 125), ("program", 200), ("closed-form", 4000)])
def test_recheck(
    benchmark: Any, audit: Audit, dpcert: Callable[..., Any], certificates: Certificates, source: str, n: int
) -> None:
    if (n, source) not in certificates:
        audit(n, source)
    path = certificates[n, source]
    usage = measure(benchmark, lambda: dpcert("recheck", str(path), "--time-limit", "600"), rounds=3)
    assert usage.output.startswith("accepted: verified")
    benchmark.extra_info["bytes"] = path.stat().st_size


@pytest.mark.parametrize("part", ["paths alone", "and replays", "and the watches", "and coverage"])
def test_one_law_from_the_program(benchmark: Any, case: CaseOf, part: str) -> None:
    """The law on input 100 of n = 200; each part includes those before it."""
    subject = case(200, "program").subject
    parts: dict[str, Callable[[], Enumeration]] = {
        "paths alone": lambda: exact_law(subject.program, 100, Settings(LazyRun, replay=False)),
        "and replays": lambda: exact_law(subject.program, 100),
        "and the watches": lambda: enumerate_law(subject.program, 100),
        "and coverage": lambda: enumerate_law(subject.program, 100, observe=subject.coverage.observe),
    }
    found = benchmark(parts[part])
    assert found.leaves == len(Dist.like(found.law)) == 201


@pytest.mark.parametrize("part", ["the law", "its digest", "a pair's delta", "a pair's least epsilon"])
def test_one_step_from_the_closed_form(benchmark: Any, case: CaseOf, part: str) -> None:
    """The law on input 500 of n = 1000, and its pair with that on input 501."""
    found = case(1000, "closed-form")
    p, q, guarantee = found.subject.law(500), found.subject.law(501), found.guarantee
    steps: dict[str, Callable[[], Any]] = {
        "the law": lambda: found.subject.law(500),
        "its digest": p.digest,
        "a pair's delta": lambda: decide_pair(p, q, guarantee.epsilon, guarantee.delta),
        "a pair's least epsilon": lambda: least_ratio_bounds(p, q, guarantee.delta),
    }
    benchmark(steps[part])


def traced(run: Callable[[], Any]) -> tuple[Any, float]:
    """Return what `run` returns and the peak of traced memory while it ran, in KiB."""
    tracemalloc.start()
    try:
        return run(), tracemalloc.get_traced_memory()[1] / 1024
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("n", [50, 100, 200])
def test_memory_holds_two_laws(benchmark: Any, case: CaseOf, n: int) -> None:
    """Laws are streamed: while one is computed at most one other is held, of n + 1 in all."""
    held: list[int] = []

    def examine() -> int:
        found = case(n, "program")

        def law_of(position: int) -> Dist:
            gc.collect()  # what is left is held
            held.append(len(examination.held) + 1)
            return found.subject.law(position)

        examination = Examination(found.claim(), law_of)
        return sum(1 for _ in examined(examination))

    subject = case(n, "program").subject
    _, one = traced(lambda: subject.law(n // 2))
    kept, every = traced(lambda: [subject.law(position) for position in range(n + 1)])
    assert len(kept) == n + 1
    del kept
    pairs, peak = benchmark.pedantic(lambda: traced(examine), rounds=1)
    assert pairs == 2 * n
    assert max(held) == 2
    assert len(held) == n + 1
    assert peak < every
    benchmark.extra_info.update({"laws": max(held), "one": round(one), "peak": round(peak), "every": round(every)})
