"""`dpcert plan`: the best parameters for a budget, by exact bounds, and confirmed by the kernel where it can."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from dpcert.audit.kernel.claim import ApproxDP
from dpcert.audit.moved import Moved, moved_delta, moved_hints, searched
from dpcert.decimals import decimal_hi, decimal_lo
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError, Unauditable
from dpcert.mechanisms.exact.number import exact, ratio_text
from dpcert.mechanisms.mechanism import integer, probability
from dpcert.mechanisms.sample_and_threshold.all_counts import greatest_delta, greatest_rate, least_threshold
from dpcert.mechanisms.sample_and_threshold.sample_threshold import kl_delta
from dpcert.run import Run, Trouble, audit_one

__all__ = ["Budget", "Plan", "plan_for", "plan_lines"]

RELATIONS = ("add-remove", "substitute")
BITS = 128
STEPS = 1000
FRONTIER = 100
MOVED_MOST = 200
PAPER_MOST = 10_000


@dataclass(frozen=True, slots=True)
class Budget:
    """The epsilon and delta that may be spent, for neighbours of this relation."""

    epsilon: Epsilon
    delta: Fraction
    neighbours: str
    text: str

    @classmethod
    def of(cls, epsilon: str, delta: str, neighbours: str) -> Budget:
        """Return the budget of these texts.

        Raises: InputError for an epsilon of 0, a delta outside (0, 1), or a relation other than the two of lists.
        """
        spend, lost = Epsilon.of(epsilon), exact(delta, "delta")
        if spend == Epsilon.of(0):
            raise InputError(given=f"--epsilon {epsilon}", needed="an epsilon above 0", remedy="write 1 or ln(3)")
        if not 0 < lost < 1:
            needed = "a delta in (0, 1): sampling releases nothing at delta = 0"
            raise InputError(given=f"--delta {delta}", needed=needed, remedy="write 1e-8")
        if neighbours not in RELATIONS:
            remedy = "name the one that your guarantee speaks of"
            raise InputError(given=f"--neighbours {neighbours}", needed=" or ".join(RELATIONS), remedy=remedy)
        return cls(spend, lost, neighbours, f"({epsilon.strip()}, {delta.strip()})")


@dataclass(frozen=True, slots=True)
class Plan:
    """The answer to a budget: parameters, the delta that they achieve, what the paper's bound would choose.

    `answer` is None where no parameter meets the budget; `where` says which counts need the delta achieved. `frontier`
    has each threshold with its greatest rate, and the path of its certificate where these are written.
    """

    mechanism: str
    budget: Budget
    answer: Mapping[str, str] | None
    achieved: tuple[Fraction, Fraction] | None
    where: str
    paper: Mapping[str, str] | None
    frontier: tuple[tuple[int, Fraction, str | None], ...] | None
    certificates: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the plan in the form of `dpcert plan --json`."""
        achieved = None
        if self.achieved is not None:
            achieved = {"delta": {"lo": ratio_text(self.achieved[0]), "hi": ratio_text(self.achieved[1])}}
        found: dict[str, Any] = {
            "schema": "dpcert.plan/1",
            "mechanism": self.mechanism,
            "budget": {
                "epsilon": str(self.budget.epsilon),
                "delta": ratio_text(self.budget.delta),
                "neighbours": self.budget.neighbours,
            },
            "answer": None if self.answer is None else dict(self.answer),
            "achieved": achieved,
            "paper": None if self.paper is None else dict(self.paper),
            "certificate": self.certificates[0] if self.certificates else None,
            "certificates": list(self.certificates),
        }
        if self.frontier is not None:
            found["frontier"] = [
                {"threshold": tau, "rate": ratio_text(rate), "certificate": path} for tau, rate, path in self.frontier
            ]
        return found


def plan_for(mechanism: str, budget: Budget, settings: Mapping[str, str], run: Run, *, frontier: bool) -> Plan:
    """Return the best parameters of a mechanism within a budget.

    Raises: InputError for a mechanism that has no planner, or settings that leave it nothing or too much to choose.
    """
    if mechanism not in PLANNERS:
        known = ", ".join(PLANNERS)
        raise InputError(given=f"plan {mechanism}", needed=f"one of {known}", remedy="name one of these")
    return PLANNERS[mechanism](budget, settings, run, frontier)


def plan_lines(plan: Plan) -> list[str]:
    """Return a plan in words."""
    spent = plan.budget.text
    if plan.answer is None or plan.achieved is None:
        lines = [f"{plan.mechanism}: no parameter meets {spent} for {plan.budget.neighbours} neighbours"]
    else:
        chosen = ", ".join(f"{name}={value}" for name, value in plan.answer.items())
        lines = [
            f"{plan.mechanism}({chosen}) is {spent}-differentially private for {plan.budget.neighbours} neighbours, on "
            f"all counts; its least delta is <= {decimal_hi(plan.achieved[1])}, {plan.where}"
        ]
        if plan.paper is None:
            lines.append("the paper's bound finds no such parameter")
        else:
            theirs = ", ".join(f"{name}={value}" for name, value in plan.paper.items())
            lines.append(f"the paper's bound, Theorem 2, would choose {theirs}")
    for threshold, rate, path in plan.frontier or ():
        lines.append(f"threshold {threshold}: greatest rate {ratio_text(rate)}" + (f"; {path}" if path else ""))
    lines.extend(f"certificate: {path}" for path in plan.certificates)
    return lines


def _sample_threshold(budget: Budget, settings: Mapping[str, str], run: Run, frontier: bool) -> Plan:
    known = {"rate", "threshold", "steps"}
    for name in settings:
        if name not in known:
            needed = "rate or threshold, and steps"
            raise InputError(given=f"--set {name}={settings[name]}", needed=needed, remedy="leave it out")
    if ("rate" in settings) == ("threshold" in settings):
        given = "both a rate and a threshold" if "rate" in settings else "neither a rate nor a threshold"
        remedy = "write --set rate=1/10, or --set threshold=20"
        raise InputError(given=given, needed="one of them; the other one is planned", remedy=remedy)
    steps = integer({"steps": str(STEPS), **settings}, "steps", least=2, greatest=10**9)
    below, _ = searched(budget.epsilon).exp_bounds(BITS)
    moves = budget.neighbours == "substitute"
    rate: Fraction | None
    threshold: int | None
    if "rate" in settings:
        rate = probability(settings, "rate")
        threshold = least_threshold(rate=rate, ratio=below, delta=budget.delta)
        if moves and threshold is not None:
            threshold = _moved_threshold(budget, rate, threshold)
        paper = _paper_threshold(rate, below, budget.delta)
    else:
        threshold = integer(settings, "threshold", least=1, greatest=1000)
        rate = greatest_rate(threshold=threshold, ratio=below, delta=budget.delta, steps=steps)
        if moves and rate is not None:
            rate = _moved_rate(budget, rate, threshold, steps)
        paper = _paper_rate(threshold, below, budget.delta, steps)
    curve = _frontier(budget, steps, run) if frontier else None
    if rate is None or threshold is None:
        return Plan("sample-threshold", budget, None, None, "", paper, curve, ())
    answer = {"rate": ratio_text(rate).removesuffix("/1"), "threshold": str(threshold)}
    achieved, where, certificates = _confirmed(budget, rate, threshold, run)
    return Plan("sample-threshold", budget, answer, achieved, where, paper, curve, certificates)


Achieved = tuple[tuple[Fraction, Fraction], str, tuple[str, ...]]
"""Bounds of the delta that an answer has, where it is needed and who says so, and the certificates."""


def _moved(budget: Budget, rate: Fraction, threshold: int) -> Moved | None:
    """Return bounds for people who move where a guarantee within the budget can be certified; None where not."""
    found = moved_delta(rate=rate, threshold=threshold, epsilon=budget.epsilon)
    if found.hi > budget.delta:
        return None
    guarantee = ApproxDP(budget.epsilon, budget.delta)
    return None if moved_hints(found, rate=rate, guarantee=guarantee) is None else found


def _moved_threshold(budget: Budget, rate: Fraction, threshold: int) -> int | None:
    """Return the least threshold, from this one on, at which delta is surely enough for people who move."""
    for at in range(threshold, MOVED_MOST + 1):
        if _moved(budget, rate, at) is not None:
            return at
    return None


def _moved_rate(budget: Budget, rate: Fraction, threshold: int, steps: int) -> Fraction | None:
    """Return the greatest multiple of 1/steps, up to this rate, at which delta is surely enough for people who move."""

    def enough(step: int) -> bool:
        return _moved(budget, Fraction(step, steps), threshold) is not None

    low, high = 0, int(rate * steps)
    if enough(high):
        return rate
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if enough(middle) else (low, middle)
    return Fraction(low, steps) if low else None


def _paper_threshold(rate: Fraction, ratio: Fraction, delta: Fraction) -> dict[str, str] | None:
    """Return the least threshold at which Theorem 2's printed bound is within delta, where there is one."""
    if ratio * (1 - rate) < 1:
        return None
    low, high = 1, 1
    while kl_delta(rate=rate, threshold=high, ratio=ratio) > delta:
        if high >= PAPER_MOST:
            return None
        low, high = high + 1, 2 * high
    while low < high:
        middle = (low + high) // 2
        enough = kl_delta(rate=rate, threshold=middle, ratio=ratio) <= delta
        low, high = (low, middle) if enough else (middle + 1, high)
    return {"rate": ratio_text(rate), "threshold": str(low)}


def _paper_rate(threshold: int, ratio: Fraction, delta: Fraction, steps: int) -> dict[str, str] | None:
    """Return the greatest multiple of 1/steps at which Theorem 2's printed bound is within delta, by bisection.

    The bound rises with the rate, as its exponent tau D(q||p)/q falls.
    """
    low, high = 0, int((1 - 1 / ratio) * steps) + 1
    while high - low > 1:
        middle = (low + high) // 2
        rate = Fraction(middle, steps)
        enough = ratio * (1 - rate) >= 1 and kl_delta(rate=rate, threshold=threshold, ratio=ratio) <= delta
        low, high = (middle, high) if enough else (low, middle)
    return {"rate": ratio_text(Fraction(low, steps)), "threshold": str(threshold)} if low else None


def _frontier(budget: Budget, steps: int, run: Run) -> tuple[tuple[int, Fraction, str | None], ...]:
    """Return the greatest rate of each threshold, up to the first that no rate below 1 - 1/steps bounds.

    Where certificates are written, each point has its own.
    """
    below, _ = searched(budget.epsilon).exp_bounds(BITS)
    found = []
    for threshold in range(1, FRONTIER + 1):
        rate = greatest_rate(threshold=threshold, ratio=below, delta=budget.delta, steps=steps)
        if rate is not None and budget.neighbours == "substitute":
            rate = _moved_rate(budget, rate, threshold, steps)
        if rate is not None:
            written = None if run.certificates is None else _audited(budget, rate, threshold, run)["certificate"]
            found.append((threshold, rate, written))
        if rate == Fraction(steps - 1, steps):
            break
    return tuple(found)


def _audited(budget: Budget, rate: Fraction, threshold: int, run: Run) -> dict[str, Any]:
    """Return the result of an audit on counts of any size; its certificate is a bundle.

    Raises: Unauditable where the kernel does not bear the parameters out.
    """
    options = replace(
        run.options, epsilon=str(budget.epsilon), delta=ratio_text(budget.delta), neighbours=budget.neighbours
    )
    settings = {"rate": ratio_text(rate), "threshold": str(threshold)}
    spec = {"name": "sample-threshold", "settings": settings}
    outcome = audit_one("sample-threshold", spec, replace(run, options=options))
    if isinstance(outcome, Trouble):
        raise InputError(given=outcome.given, needed=outcome.needed, remedy=outcome.remedy)
    result, _ = outcome
    if result["verdict"] != "verified":
        raise Unauditable(f"{result['claim']['sentence']}: {result['verdict']}: {result['reason']}")
    return result


def _confirmed(budget: Budget, rate: Fraction, threshold: int, run: Run) -> Achieved:
    """Audit the answer on counts of any size; the certificate is a bundle.

    Raises: Unauditable where the kernel does not bear the answer out.
    """
    result = _audited(budget, rate, threshold, run)
    if budget.neighbours == "substitute":
        moved = moved_delta(rate=rate, threshold=threshold, epsilon=budget.epsilon)
        left, entered = moved.left, moved.entered
        where = f"bins of {left} and {entered - 1} people and of {left - 1} and {entered} need {_short(moved.lo)}"
    else:
        below, _ = searched(budget.epsilon).exp_bounds(BITS)
        where = f"needed at count {greatest_delta(rate=rate, threshold=threshold, ratio=below).count}"
    bounds = result["delta"]
    achieved = exact(bounds["lo"], "delta"), exact(bounds["hi"], "delta")
    return achieved, where, (result["certificate"],) if result["certificate"] else ()


def _short(x: Fraction) -> str:
    return f">= {decimal_lo(x)}"


PLANNERS: Mapping[str, Callable[[Budget, Mapping[str, str], Run, bool], Plan]] = MappingProxyType(
    {"sample-threshold": _sample_threshold}
)
"""What plans each mechanism."""
