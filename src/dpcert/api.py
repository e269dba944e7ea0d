"""`dpcert.check`, `report`, `profile` and `assert_event`: audits from Python, in this process."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpcert.audit.between import Between
from dpcert.audit.claim_profile import ClaimProfile, profile_of
from dpcert.audit.decide import Report
from dpcert.audit.float_outcomes import decide_floats
from dpcert.audit.kernel.divergence import decide_pair
from dpcert.audit.kernel.examine import Verdict
from dpcert.audit.layout import law_by_elements
from dpcert.audit.profile import Profile
from dpcert.audit.sampling.decide import Sampled
from dpcert.audit.unbounded.theorems import theorem_for
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.outcome import show
from dpcert.mechanisms.forms import distinct
from dpcert.reading.paths.enumerator import Limits, enumerate_law
from dpcert.run.sweeping import verdict_elsewhere
from dpcert.show.notebooks import show_in_notebooks
from dpcert.targets.cases import Case, built_in_case, file_case
from dpcert.targets.catalogue import find
from dpcert.targets.locating import locate, located, need_target
from dpcert.targets.options import Options
from dpcert.targets.target import Target
from dpcert.worker.jobs import FindDigests
from dpcert.worker.process import inside_worker
from dpcert.worker.recomputed import second
from dpcert.worker.seeded import Seeds

if TYPE_CHECKING:
    from dpcert.audit.ideal.report import IdealReport
    from dpcert.audit.sampling.decide import Sampled
    from dpcert.audit.timing.decide import Timed


ALONE = (
    "the laws were computed in one process only, as the target is not a name of a module's file: "
    "that they do not depend on PYTHONHASHSEED or on the order of inputs is assumed"
)


def report(target: Target, *, options: Options | None = None, **parameters: Any) -> Report:
    """Audit a target and return the verdict with everything that was measured.

    Keyword arguments choose the point of the target's `params` grid; they may be left out where there is one.
    The audit runs in this process, without a time limit; the command line and the pytest plugin have one.

    Raises: InputError where the parameters name no one point of the grid, the target is none, the options ask for
            samples or the clock, or the call stands at the top level of the target's own file, which the second
            process would run without end.
    """
    if inside_worker():
        raise InputError(
            given="dpcert.check or dpcert.report at the top level of an audited file",
            needed="a file that only defines its targets when it is imported",
            remedy='move the call under if __name__ == "__main__":',
        )
    need_target(target)
    point = _point(target, parameters)
    options = _exact(options)
    spec = locate(target, point)
    case = file_case(Path(spec.path if spec else target.name), target.name, target, point, options)
    if spec is None:
        case.subject.stated = (*case.subject.stated, ALONE)
        return decide_floats(case.subject, case.guarantee, again=lambda: case.subject.digests())
    with second(FindDigests(spec, options)) as other:
        again = partial(other.digests, case.scope())
        decided = decide_floats(case.subject, case.guarantee, again=again)
    return Seeds(spec, options).checked(decided)


def _exact(options: Options | None) -> Options:
    """Return the options of an exact audit, or those that stand for none.

    Raises: InputError where they ask for samples or the clock.
    """
    options = options or Options()
    if options.noise == "ideal":
        given = "options for ideal noise"
        raise InputError(given=given, needed="options of an exact audit", remedy="call dpcert.ideal")
    if options.sampling or options.timing is not None:
        given = "options for an audit by the clock" if options.timing is not None else "options for samples"
        remedy = "call dpcert.timed" if options.timing is not None else "call dpcert.sampled"
        raise InputError(given=given, needed="options of an exact audit", remedy=remedy)
    return options


def _point(target: Target, parameters: dict[str, Any]) -> int:
    """Return the position of the one point of the grid that has these parameters."""
    points = [i for i, point in enumerate(target.grid()) if point.items() >= parameters.items()]
    if len(points) == 1:
        return points[0]
    given = f"parameters {parameters} for {target.name}"
    needed = f"exactly one point of its params {target.params}" if target.params else "none: it has no params"
    raise InputError(given=given, needed=needed, remedy="give a value for each")


def sampled(target: Target, *, options: Options | None = None, **parameters: Any) -> Sampled:
    """Audit a target from samples, as `dpcert audit --sampling` does, and return what they show.

    `options.samples`, `options.confidence` and `options.seed` are those of the command line. Never a verification.

    Raises: InputError where the parameters name no one point of the grid, or the target is none.
    """
    from dpcert.worker.sampling import sampled_case  # an exact audit needs none of it

    need_target(target)
    options = replace(options or Options(), sampling=True)
    options.check()
    return sampled_case(file_case(Path(target.name), target.name, target, _point(target, parameters), options), options)


def timed(target: Target, *, options: Options | None = None, **parameters: Any) -> Timed:
    """Audit a target by the clock, as `dpcert audit --timing` does, and return what durations show.

    `options.timing` is "both", for outcome and time, or "duration"; `options.resolution` is that of the adversary's
    clock; `options.samples`, `options.confidence` and `options.seed` are those of the command line. Never a
    verification.

    Raises: InputError where the parameters name no one point of the grid, or the target is none.
    """
    from dpcert.worker.timing import timed_case  # numpy comes with it

    need_target(target)
    options = replace(options or Options(), sampling=True)
    options.check()
    return timed_case(file_case(Path(target.name), target.name, target, _point(target, parameters), options), options)


def ideal(target: Target, *, options: Options | None = None, **parameters: Any) -> IdealReport:
    """Audit a target on ideal noise, as `dpcert audit --noise ideal` does, and return what was found.

    Its draws from numpy's and Python's generators are ideal random variables, and arithmetic on them is that of real
    numbers. The report's verdict is a word: "verified", "refuted" or "undecided".

    Raises: InputError where the parameters name no one point of the grid, or the target is none; Unauditable naming
            what is not followed.
    """
    from dpcert.worker.ideal import ideal_case  # numpy comes with it

    need_target(target)
    options = replace(options or Options(), noise="ideal")
    options.check()
    return ideal_case(file_case(Path(target.name), target.name, target, _point(target, parameters), options))


def check(
    target: Target, *, options: Options | None = None, executor: Executor | None = None, **parameters: Any
) -> Verdict:
    """Audit a target and return Verified, Refuted or Undecided.

    As `report`, but for the verdict alone. A verdict has no truth value. With an `executor`, any of
    `concurrent.futures`, one of its workers starts the child process that runs the audit, in 30 seconds of processor
    time.

    Raises: as `report`; with an executor InputError, too, where the target is in no file.
    """
    if executor is None:
        return report(target, options=options, **parameters).verdict
    need_target(target)
    point, options = _point(target, parameters), _exact(options)
    spec = located(target, locate(target, point))
    case = file_case(Path(spec.path), target.name, target, point, options)
    return verdict_elsewhere(replace(case, spec=spec), options, executor)


def profile(target: Target | str, *, options: Options | None = None, **parameters: Any) -> ClaimProfile:
    """Return the privacy profile of a whole claim: at each epsilon, the greatest least delta of all ordered pairs.

    `target` is a target, or the name of a mechanism that ships; keyword arguments choose the point of the target's
    `params` grid, or are the mechanism's settings: texts, ints or Fractions. The laws are computed once, in this
    process, without a time limit; the claim's own epsilon and delta do not matter.

    >>> profile("randomized-response", epsilon="ln(3)").ratio_at("1/4").hi
    Fraction(2, 1)

    Raises: InputError where the parameters lead to no claim, or its inputs have no neighbours among them; Unauditable
            when the program cannot be followed.
    """
    case = _case(target, options or Options(), parameters)
    return profile_of(case.subject, case.claim())


def profile_on_all(name: str, **parameters: Any) -> Between[Profile]:
    """Return the profile of a mechanism that ships on all its inputs, by theorem, known from both sides.

    Keyword arguments are the mechanism's settings, as for `profile`; those that are left out have their defaults. It
    composes by `dpcert.compose`.

    Raises: InputError where no theorem is about all inputs of the mechanism at these settings.
    """
    settings = find(name).settings({key: str(value) for key, value in parameters.items()})
    theorem = theorem_for(name, settings)
    if theorem is None or theorem.profile is None:
        given, remedy = f"{name} at these settings", "call dpcert.profile for finitely many inputs"
        raise InputError(given=given, needed="a mechanism with a theorem for all inputs", remedy=remedy)
    return theorem.profile(settings)


def _case(target: Target | str, options: Options, parameters: dict[str, Any]) -> Case:
    """Return the case of a target at one point of its grid, or of a mechanism by name at these settings."""
    if isinstance(target, str):
        mechanism = find(target)
        for name, value in parameters.items():
            if type(value) not in (str, int, Fraction):
                needed = "a text, an int or a Fraction"
                raise InputError(given=f"{name} = {show(value)}", needed=needed, remedy=f'write {name}="..."')
        settings = {name: str(value) for name, value in parameters.items()}
        theorem = theorem_for(target, mechanism.settings(settings))
        if theorem is not None:
            raise InputError(
                given=f"{theorem.setting}={theorem.value} for {target}",
                needed=f"the greatest {theorem.noun} to look at: a profile is of finitely many",
                remedy=f"write {theorem.setting}={theorem.example}, or ask dpcert.profile_on_all",
            )
        return built_in_case(mechanism, settings, options)
    need_target(target)
    return file_case(Path(target.name), target.name, target, _point(target, parameters), options)


def assert_event(target: Target, *, a: Any, b: Any, event: Iterable[Any], **parameters: Any) -> None:
    """Return if Pr[event] on a is at most e^epsilon Pr[event] on b + delta, as the target claims.

    One event of one pair, for a regression test; it says nothing about any other. Where a law has a tail, all of it
    is counted against the claim. Where an array of independent elements is released, outcomes may be dicts from indices
    to numbers: the event is about these elements.

    Raises: AssertionError with both probabilities otherwise; InputError where a and b are no neighbours, the
            parameters name no one point of the grid, or the target is none.
    """
    need_target(target)
    chosen = target.grid()[_point(target, parameters)]
    if not target.neighbours(a, b):
        raise InputError(
            given=f"inputs {show(a)} and {show(b)}", needed=target.neighbours.words, remedy="give two neighbours"
        )
    outcomes = distinct(event)
    law_a, law_b = (_law_for(target, value, outcomes, chosen) for value in (a, b))
    p = sum((law_a.prob(outcome) for outcome in outcomes), law_a.tail)
    q = sum((law_b.prob(outcome) for outcome in outcomes), Fraction(0))
    guarantee = target.guarantee
    two = Dist.of([("event", p), ("other", 1 - p)]), Dist.of([("event", q), ("other", 1 - q)])
    within, _, _ = decide_pair(*two, guarantee.epsilon, guarantee.delta)
    if within is not True:
        bound = f"e^({guarantee.epsilon}) * q + {guarantee.delta}"
        raise AssertionError(f"Pr[event] is {p} on {show(a)} and {q} on {show(b)}: more than {bound}")


def _law_for(target: Target, value: Any, outcomes: Sequence[Any], chosen: Mapping[str, Any]) -> Dist:
    """Return the law on an input; where outcomes name independent elements of an array by index, that of these."""
    if target.observes == "outcome" and any(type(outcome) is dict for outcome in outcomes):
        elements = enumerate_law(target.subject(chosen).program, value, elements=law_by_elements).elements
        found: Dist | None = None if elements is None else elements.of_event(outcomes, limit=Limits().max_runs)
        if found is not None:
            return found
    return target.law(value, **chosen)


show_in_notebooks()
