"""Cases: each is one claim to audit. A target's text leads to specs, and a worker process makes the case of a spec."""

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from dpcert.audit.kernel.check import claim_of
from dpcert.audit.kernel.claim import ApproxDP, Claim, PureDP
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.audit.relations import relation
from dpcert.audit.subject import Subject
from dpcert.mechanisms.coins import system_coins
from dpcert.mechanisms.domain import Domain
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.forms import lenient_json
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.mechanisms.nearest import nearest
from dpcert.mechanisms.rounding import Rounding
from dpcert.targets.catalogue import find
from dpcert.targets.every import Every
from dpcert.targets.load import Collected, collect, load_file
from dpcert.targets.named import split_target
from dpcert.targets.options import Options, relation_named
from dpcert.targets.same import same, shipped
from dpcert.targets.spec import CatalogueSpec, FileSpec, Spec
from dpcert.targets.taken import COINS, RNG, handed, plain
from dpcert.targets.target import Target

SEED_BYTES = 6
"""The length of a seed that the claim and its file fix."""


@dataclass(frozen=True, slots=True)
class Case:
    """One claim, the subject that it is about, and the inputs that a built-in takes.

    `takes` names the source of randomness, as for a `Target`, and `handed` says it in words. A program that takes no
    coins is routed to coins, except for samples. `many`, if any, makes many of its runs at once.
    `ideal`, if any, is the program that is audited on ideal noise. `beside`, if any, is that program for a second
    verdict, which the result shows beside the one on the machine's noise. With `every`, the claim is about all values
    of a parameter; with `any_length`, about lists of any length.
    """

    label: str
    spec: Spec
    expect: str
    subject: Subject
    guarantee: ApproxDP
    domain: Domain | None = None
    takes: str = "coins"
    handed: str = ""
    many: Callable[..., Any] | None = None
    ideal: Callable[[Any, Any], Any] | None = None
    beside: Callable[[Any, Any], Any] | None = None
    every: Every | None = None
    any_length: bool = False

    @property
    def coinless(self) -> bool:
        """Whether the program takes no coins, and its noise is not ideal."""
        return self.takes != COINS and self.ideal is None

    def run_plainly(self, value: Any) -> Any:
        """Run the program on one input with the randomness of the system."""
        coins = system_coins()
        if self.ideal is None:
            return (self.subject.plain or self.subject.program)(value, coins)
        return self.ideal(value, lambda _: plain(self.takes, coins)[0], *([] if self.every is None else [1.0]))

    def claim(self) -> Claim:
        """Return the claim in the kernel's form."""
        return claim_of(self.subject, self.guarantee)

    def seeded(self, options: Options) -> Options:
        """Return options with the seed that the user chose, else with one that the claim and the text of its file fix.

        Then each run of the same code draws the same samples, and changed code draws new ones.
        """
        if options.seed is not None:
            return options
        digest = hashlib.sha256(self.claim().sentence().encode("utf-8", "surrogatepass"))
        if isinstance(self.spec, FileSpec) and os.path.isfile(self.spec.path):
            digest.update(Path(self.spec.path).read_bytes())
        return replace(options, seed=int.from_bytes(digest.digest()[:SEED_BYTES], "big"))

    def scope(self) -> str:
        """Return the digest of the claim's pairs as the relation answers now; empty for the kernel's own relations."""
        claim = self.claim()
        if claim.neighbours.name in RELATIONS:
            return ""
        digest = hashlib.sha256()
        for pair in claim.pairs():
            digest.update(b"%d,%d;" % pair)
        return digest.hexdigest()


def _guarantee(own: ApproxDP, options: Options) -> ApproxDP:
    epsilon = own.epsilon if options.epsilon is None else options.epsilon
    delta: Fraction | str = own.delta if options.delta is None else options.delta
    asked = ApproxDP(epsilon, delta)
    return PureDP(asked.epsilon) if asked.delta == 0 else asked


def _adapted(subject: Subject, options: Options, guarantee: ApproxDP) -> Subject:
    if options.law_source == "closed-form" and subject.closed_form is None:
        raise InputError(
            given=f"--law-source closed-form for {subject.name}",
            needed="a mechanism with a closed form",
            remedy="leave the option out: the law then comes from the program",
        )
    observes = subject.observes if options.observes is None else options.observes
    if options.law_source == "closed-form" and observes != "outcome":
        raise InputError(
            given=f"--law-source closed-form for {subject.name}, its draws observed",
            needed="the law of the outcome alone, which is all that a closed form gives",
            remedy="take the law from the program, or write --observe outcome",
        )
    return replace(
        subject,
        observes=observes,
        neighbours=subject.neighbours if options.neighbours is None else relation_named(options.neighbours),
        law_source=options.law_source,
        eager=options.eager,
        limits=options.limits(),
        sums=guarantee.delta == 0,
        notes={},
    )


def built_in_case(mechanism: Mechanism, settings: Mapping[str, str], options: Options) -> Case:
    """Return the case of a built-in mechanism at the given settings, on finitely many inputs.

    Raises: InputError for invalid settings, and for settings that mean infinitely many inputs without a theorem.
    """
    if options.noise == "ideal":
        given, needed = f"--noise ideal for {mechanism.name}", "a function that draws from a generator"
        raise InputError(given=given, needed=needed, remedy="leave it out: the draws of a built-in are exact")
    from dpcert.audit.unbounded.theorems import theorem_for  # a process that audits a file never imports the theorems

    whole = mechanism.settings(settings)
    theorem_for(mechanism.name, whole)
    instance = mechanism.build(whole)
    guarantee = _guarantee(ApproxDP(instance.epsilon, instance.delta), options)
    form = instance.closed_form
    subject = Subject(
        name=mechanism.name,
        program=instance.program,
        inputs=instance.inputs,
        neighbours=relation(instance.neighbours),
        parameters=tuple(whole.items()),
        observes=instance.observes,
        closed_form=form.for_claim(guarantee.epsilon, guarantee.delta) if isinstance(form, Rounding) else form,
        stated=instance.assumptions,
    )
    spec = CatalogueSpec(mechanism.name, dict(settings))
    adapted = _adapted(subject, options, guarantee)
    return Case(mechanism.name, spec, mechanism.expect, adapted, guarantee, instance.domain)


def file_case(path: Path, name: str, target: Target, point: int, options: Options) -> Case:
    """Return the case of a user's target at one point of its grid."""
    parameters = target.at(point)
    spec = FileSpec(str(path), name, point)
    label, guarantee = f"{path}:{name}", _guarantee(target.guarantee, options)
    subject = _adapted(target.subject(parameters, sampled=options.sampling), options, guarantee)
    many = None if target.batch is None else partial(target.batch, **parameters)
    takes = target.takes
    text = options.every or (None if options.noise == "machine" else target.every)
    meant = target.on_ideal_noise(parameters, text)
    ideal = meant if text is not None or (options.noise or target.noise) == "ideal" else None
    beside = meant if options.noise is None and ideal is None and takes != COINS else None
    takes = RNG if ideal is not None and takes == COINS else takes
    if ideal is not None and subject.observes != "outcome":
        given, needed = f"{label}, its draws observed, with ideal noise", "the outcome observed alone"
        raise InputError(given=given, needed=needed, remedy="write --observe outcome, or --noise machine")
    return Case(
        label,
        spec,
        target.expect,
        subject,
        guarantee,
        takes=takes,
        handed=handed(target.function, takes),
        many=many,
        ideal=ideal,
        beside=beside,
        every=None if text is None else Every.from_text(text),
        any_length=target.any_length and ideal is not None,
    )


def case_of(spec: Spec, options: Options) -> Case:
    """Return the case that a spec names; for a file this runs its code.

    Raises: InputError where the spec names none.
    """
    if isinstance(spec, CatalogueSpec):
        return built_in_case(find(spec.name), spec.settings, options)
    path = Path(spec.path)
    if spec.against is not None:
        target = _compared(path, spec.function, spec.against, spec.inputs)
        return replace(file_case(path, spec.function, target, spec.point, options), spec=spec)
    target = pick(path, spec.function, alias=spec.alias)
    return file_case(path, spec.function, target, spec.point, options)


def _compared(path: Path, function: str, against: str, inputs: str | None) -> Target:
    """Return the claim that a function or target of a file has the law of `against`, another one or a mechanism."""
    (file, name, mechanism), loaded = split_target(against), load_file(path)
    first = _program(path, vars(loaded), function)
    if file is None or name is None:
        instance = find(mechanism).build(find(mechanism).settings({}))
        scope = instance.inputs if inputs is None else lenient_json(json.loads(inputs))
        return same(first, shipped(instance.program, mechanism), inputs=scope)
    names = vars(loaded if file == path else load_file(file))
    return same(first, _program(file, names, name), inputs=None if inputs is None else lenient_json(json.loads(inputs)))


def _program(path: Path, globals_of_file: Mapping[str, Any], name: str) -> Any:
    """Return the value that a file binds to a name.

    Raises: InputError with the nearest name where the file does not bind this one.
    """
    if name not in globals_of_file:
        remedy = nearest(name, globals_of_file, "name a function of the file")
        raise InputError(given=f"{path}:{name}", needed="a name of the file", remedy=remedy)
    return globals_of_file[name]


def pick(path: Path, name: str, *, alias: str | None = None) -> Target:
    """Return the target of that name in a file.

    Raises: InputError with the nearest name, or with the reason why no name of the file leads to that target.
    """
    collected = collect(path, alias=alias)
    targets = collected.targets
    for missed in collected.lost:
        if name == missed.name and name not in targets:
            raise missed.error(str(path))
    if name not in targets:
        raise InputError(
            given=f"{path}:{name}",
            needed="a function of the file decorated with @dpcert.target"
            + (f": {', '.join(targets)}" if targets else ""),
            remedy=nearest(name, targets, "decorate it, or name another"),
        )
    return targets[name]


def specs_of_file(path: Path, function: str | None, settings: Mapping[str, str]) -> tuple[list[FileSpec], Collected]:
    """Return the specs of a file's targets, or of the one target named `function`, and the targets. This runs the file.

    `settings` selects the points of a grid at which each named parameter prints as the given text.

    Raises: InputError where the file has no such target, or a target has no such point.
    """
    collected = Collected({function: pick(path, function)}, []) if function is not None else collect(path)
    if not collected.targets and not collected.lost:
        raise InputError(
            given=str(path), needed="at least one function decorated with @dpcert.target", remedy="decorate it"
        )
    specs: list[FileSpec] = []
    for name, target in collected.targets.items():
        points = list(enumerate(target.grid()))
        for key, text in settings.items():
            points = [(i, point) for i, point in points if key in point and text in (str(point[key]), repr(point[key]))]
        if not points:
            wanted = ", ".join(f"{key}={text}" for key, text in settings.items())
            raise InputError(
                given=f"--set {wanted} for {path}:{name}",
                needed="values of its params",
                remedy=f"it has {target.params}" if target.params else "it has no params; leave --set out",
            )
        specs.extend(FileSpec(str(path), name, i) for i, _ in points)
    return specs, collected
