"""`dpcert.audit`, `profile` and `assert_event`: audits from Python, in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from dpcert.audit.between import Between
from dpcert.audit.claim_profile import ClaimProfile, profile_of
from dpcert.audit.decide import Report, decide
from dpcert.audit.float_outcomes import search_floats
from dpcert.audit.kernel.divergence import decide_pair
from dpcert.audit.layout import law_by_elements
from dpcert.audit.profile import Profile
from dpcert.audit.unbounded.theorems import theorem_for
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.errors import InputError, Unauditable
from dpcert.mechanisms.exact.outcome import show
from dpcert.mechanisms.forms import distinct
from dpcert.reading.paths.enumerator import Limits, enumerate_law
from dpcert.run.sweeping import result_elsewhere
from dpcert.show.blocks import block_text
from dpcert.show.next_step import next_step
from dpcert.show.notebooks import audit_html, show_in_notebooks
from dpcert.targets.cases import Case, built_in_case, file_case
from dpcert.targets.catalogue import find
from dpcert.targets.locating import locate, located, need_target
from dpcert.targets.options import Options
from dpcert.targets.spec import CatalogueSpec, FileSpec
from dpcert.targets.target import Target
from dpcert.worker.jobs import Audit as Job
from dpcert.worker.jobs import FindDigests
from dpcert.worker.process import inside_worker
from dpcert.worker.recomputed import Second
from dpcert.worker.result import Result, SeenEvent, result_json
from dpcert.worker.results import described, result_of, sampled
from dpcert.worker.seeded import Seeds

if TYPE_CHECKING:
    from dpcert.audit.ideal.every_report import EveryReport
    from dpcert.audit.ideal.report import IdealReport
    from dpcert.audit.sampling.decide import Sampled
    from dpcert.audit.timing.decide import Timed

NOTEBOOK = 80
"""The column at which a printed audit is wrapped."""
ALONE = (
    "the laws were computed in one process only, as the target is not a name of a module's file: "
    "that they do not depend on PYTHONHASHSEED or on the order of inputs is assumed"
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Audit:
    """An audit of one claim, in the same form for every method.

    `result` is the whole result in texts. `seen` is the method's report with exact numbers: a `Report`, `IdealReport`,
    `EveryReport`, `Sampled` or `Timed`; None for a mechanism that ships, and for an audit by an executor. An audit
    prints as on the command line. It has no truth value.
    """

    result: Result
    seen: Any = None

    @property
    def verdict(self) -> str:
        """ "verified", "refuted" or "undecided"."""
        return self.result.verdict

    @property
    def sentence(self) -> str:
        """The whole claim in words, with its scope."""
        return self.result.claim.sentence

    @property
    def method(self) -> str:
        """The deciding method: "exact", "ideal", "every", "sampling" or, for infinitely many inputs, "theorem"."""
        return self.result.method

    @property
    def source(self) -> str | None:
        """The source of the laws; None for an audit without laws."""
        return self.result.law_source

    @property
    def reason(self) -> str | None:
        """Why it is undecided; None for another verdict."""
        return self.result.reason

    @property
    def witness(self) -> SeenEvent | None:
        """The inputs a and b of a refutation, its event, and the probabilities p and q; None for another verdict."""
        return self.result.worst if self.verdict == "refuted" else None

    @property
    def assumptions(self) -> tuple[str, ...]:
        """The assumptions of the verdict, in words."""
        return tuple(self.result.assumptions)

    @property
    def next_step(self) -> str | None:
        """What to do next; None where it is verified."""
        return next_step(self.result)

    def as_json(self) -> dict[str, Any]:
        """Return the result as `dpcert audit --json` has it."""
        return result_json(self.result)

    def __bool__(self) -> bool:
        raise TypeError("an audit has no truth value: 'not refuted' is not 'verified'; compare its .verdict")

    def __str__(self) -> str:
        return block_text(self.result, width=NOTEBOOK)

    def __repr__(self) -> str:
        return f"<dpcert audit, {self.verdict}: {self.sentence}>"

    def _repr_html_(self) -> str:
        return audit_html(self.result)


def audit(
    target: Target | str,
    *,
    method: str | None = None,
    options: Options | None = None,
    executor: Executor | None = None,
    **parameters: Any,
) -> Audit:
    """Audit a target, or a mechanism that ships by its name, and return the verdict with all measurements.

    `method` is "exact", "ideal" for ideal noise, "samples", or "clock" for running times. Without it, the options and
    the target decide; nothing is sampled unless they say so. Samples and the clock never verify. For a target, keyword
    arguments choose the point of its `params` grid, and may be left out where it has one point; for a mechanism that
    ships, they are its settings: texts, ints or Fractions. The audit runs in this process, without a time limit; the
    command line and the pytest plugin have one. With an `executor`, any of `concurrent.futures`, one of its workers
    starts the child process that runs an exact audit, in 30 seconds of processor time.

    Raises: InputError for parameters that do not name exactly one point of the grid; for an object that is no target;
            for a call at the top level of the target's own file, which the second process would run without end; and,
            with an executor, for a target in no file, or another method.
    """
    if inside_worker():
        raise InputError(
            given="dpcert.audit at the top level of an audited file",
            needed="a file that only defines its targets when it is imported",
            remedy='move the call under if __name__ == "__main__":',
        )
    options = _asked(options or Options(), method)
    options.check()
    if isinstance(target, str):
        return Audit(_shipped(target, options, parameters))
    need_target(target)
    point = _point(target, parameters)
    spec = locate(target, point) if executor is None else located(target, locate(target, point))
    case = file_case(Path(spec.path if spec else target.name), target.name, target, point, options)
    if executor is not None:
        if options.sampling or case.ideal is not None:
            needed = "an exact audit: any other runs in this process"
            raise InputError(given="an executor with another method", needed=needed, remedy="leave one out")
        return Audit(result_elsewhere(replace(case, spec=spec or case.spec), options, executor))
    try:
        result, seen = _sampled(case, options) if options.sampling else _read(case, spec, options)
    except Unauditable as error:
        nothing = replace(described(case), reason=str(error))
        return Audit(sampled(nothing) if options.sampling else nothing)
    return Audit(result, seen)


def _sampled(case: Case, options: Options) -> tuple[Result, Sampled | Timed]:
    """Return the result of an audit from samples or by the clock, and its report."""
    if options.timing is not None:
        from dpcert.worker.timing import timed_case, timed_result  # numpy comes with it

        timed = timed_case(case, options)
        return timed_result(case, timed, options), timed
    from dpcert.worker.sampling import sampled_case, sampled_result  # an exact audit never imports it

    seen = sampled_case(case, options)
    return sampled_result(case, seen), seen


def _read(case: Case, spec: FileSpec | None, options: Options) -> tuple[Result, Report | IdealReport | EveryReport]:
    """Return the result of an audit that computes laws, and its report."""
    with _again(case, spec, options) as again:
        if case.ideal is None:
            report = decide(case.subject, case.guarantee, again=again)
            report = search_floats(report, case.subject, case.guarantee)
            report = report if spec is None else Seeds(spec, options).checked(report)
            return result_of(case, report), report
        from dpcert.worker.ideal import every_case, ideal_case, ideal_result  # numpy comes with it

        seeded = (lambda held: None) if spec is None else Seeds(spec, options).reason
        if case.every is not None:
            return every_case(case, case.every, again, seeded)
        ideal = ideal_case(case, again=again, seeded=seeded)
        return ideal_result(case, ideal), ideal


@contextmanager
def _again(case: Case, spec: FileSpec | None, options: Options) -> Iterator[Callable[[], Sequence[str]]]:
    """Give a function for the second computation of a case's laws: in another process, if it can find the target."""
    if spec is not None:
        with Second(FindDigests(spec, options)) as other:
            yield partial(other.digests, case.scope())
        return
    if case.ideal is None:
        case.subject.stated = (*case.subject.stated, ALONE)
        yield lambda: case.subject.digests()
        return
    from dpcert.worker.ideal import ideal_digests

    yield partial(ideal_digests, case)


def _shipped(name: str, options: Options, parameters: dict[str, Any]) -> Result:
    """Return the result of a mechanism that ships; on infinitely many inputs, by a theorem."""
    from dpcert.worker.auditing import Workplace
    from dpcert.worker.auditing import audit as audited

    spec = CatalogueSpec(find(name).name, _settings(parameters))
    with TemporaryDirectory(prefix="dpcert-") as folder:
        return replace(audited(Job(spec, options), Workplace(Path(folder))).result, target=name)


def _asked(options: Options, method: str | None) -> Options:
    """Return the options for a method."""
    match method:
        case None:
            return options if options.timing is None else replace(options, sampling=True)
        case "exact":
            return replace(options, noise="machine", every=None, sampling=False, timing=None)
        case "ideal":
            return replace(options, noise="ideal", sampling=False, timing=None)
        case "samples":
            return replace(options, sampling=True, timing=None)
        case "clock":
            return replace(options, sampling=True, timing=options.timing or "both")
    needed = "exact, ideal, samples or clock"
    raise InputError(given=f"method={method!r}", needed=needed, remedy="name one of them")


def _point(target: Target, parameters: dict[str, Any]) -> int:
    """Return the position of the one point of the grid that has these parameters."""
    points = [i for i, point in enumerate(target.grid()) if point.items() >= parameters.items()]
    if len(points) == 1:
        return points[0]
    given = f"parameters {parameters} for {target.name}"
    needed = f"exactly one point of its params {target.params}" if target.params else "none: it has no params"
    raise InputError(given=given, needed=needed, remedy="give a value for each")


def profile(target: Target | str, *, options: Options | None = None, **parameters: Any) -> ClaimProfile:
    """Return the privacy profile of a whole claim: at each epsilon, the greatest least delta of all ordered pairs.

    `target` is a target, or the name of a mechanism that ships; keyword arguments choose the point of the target's
    `params` grid, or are the mechanism's settings: texts, ints or Fractions. The laws are computed once, in this
    process, without a time limit; the claim's own epsilon and delta do not matter.

    >>> profile("randomized-response", epsilon="ln(3)").ratio_at("1/4").hi
    Fraction(2, 1)

    Raises: InputError for parameters without a claim, and for inputs without neighbours among them; Unauditable where
            the program cannot be followed.
    """
    case = _case(target, options or Options(), parameters)
    return profile_of(case.subject, case.claim())


def profile_on_all(name: str, **parameters: Any) -> Between[Profile]:
    """Return bounds, by a theorem, of the profile of a mechanism that ships on all its inputs.

    Keyword arguments are the mechanism's settings, as for `profile`; the others have their defaults. The profile
    composes by `dpcert.compose`.

    Raises: InputError where no theorem covers all inputs of the mechanism at these settings.
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
        mechanism, settings = find(target), _settings(parameters)
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


def _settings(parameters: Mapping[str, Any]) -> dict[str, str]:
    """Return the settings of a mechanism that ships as texts.

    Raises: InputError for a float, and for any value that is no text and no number.
    """
    for name, value in parameters.items():
        if type(value) not in (str, int, Fraction):
            needed = "a text, an int or a Fraction"
            raise InputError(given=f"{name} = {show(value)}", needed=needed, remedy=f'write {name}="..."')
    return {name: str(value) for name, value in parameters.items()}


def assert_event(target: Target, *, a: Any, b: Any, event: Iterable[Any], **parameters: Any) -> None:
    """Return if Pr[event] on a is at most e^epsilon Pr[event] on b + delta, as the target claims.

    This is for a regression test: it says nothing about other events or pairs. The whole tail of a law counts against
    the claim. Where an array of independent elements is released, outcomes may be dicts from indices to numbers: the
    event is then about these elements.

    Raises: AssertionError with both probabilities otherwise; InputError where a and b are no neighbours, where the
            parameters do not name exactly one point of the grid, and for an object that is no target.
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
    # Where the event is the less probable on a, it is within any bound, and the pair would be judged by "other".
    if p > q and decide_pair(*two, guarantee.epsilon, guarantee.delta)[0] is not True:
        bound = f"e^({guarantee.epsilon}) * q + {guarantee.delta}"
        raise AssertionError(f"Pr[event] is {p} on {show(a)} and {q} on {show(b)}: more than {bound}")


def _law_for(target: Target, value: Any, outcomes: Sequence[Any], chosen: Mapping[str, Any]) -> Dist:
    """Return the law on an input; where outcomes are dicts from indices, the law of these elements of an array."""
    if target.observes == "outcome" and any(type(outcome) is dict for outcome in outcomes):
        elements = enumerate_law(target.subject(chosen).program, value, elements=law_by_elements).elements
        law: Dist | None = None if elements is None else elements.of_event(outcomes, limit=Limits().max_runs)
        if law is not None:
            return law
    return target.law(value, **chosen)


show_in_notebooks()
