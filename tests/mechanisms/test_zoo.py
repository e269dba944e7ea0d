"""Each fault of the zoo is caught by its smallest witness; one edit away the program is the correct one, and private.

The laws of `zoo_laws` are written from what each mechanism does. That no smaller pair and no smaller event than the
expected witness will do is searched for here, over all pairs.
"""

import ast
import inspect
import pkgutil
import runpy
import tempfile
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from dpcert import ApproxDP, Dist, Refuted, Report, Verified
from dpcert.audit.certificates import certificate_of, text_of
from dpcert.audit.decide import decide
from dpcert.audit.kernel.check import check
from dpcert.audit.kernel.examine import Answer
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.audit.passes import examined
from dpcert.audit.subject import Subject
from dpcert.mechanisms import broken
from dpcert.mechanisms.broken.fault import FaultsOf
from dpcert.mechanisms.catalogue import MECHANISMS
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.outcome import canonical
from dpcert.mechanisms.finite_computers.geosample import GEOSAMPLE, settings_of
from dpcert.mechanisms.forms import order_key
from dpcert.mechanisms.mechanism import Expected, Fault, Instance, Mechanism
from dpcert.mechanisms.zoo import ZOO
from dpcert.reading.paths.enumerator import enumerate_law

from .zoo_laws import LAWS

NAMED = {mechanism.name: mechanism for mechanism in ZOO}
LONG = frozenset(
    {
        "clip-threshold-exact",
        "clip-threshold-halved",
        "clip-threshold-numerator",
        "clip-threshold-once",
        "clipped-sum-l1-by-l2",
        "contacted-histogram-abstentions",
        "fastsample-unmixed",
        "keep-heavy-sparse-empties",
        "parallel-sparse-vectors-forms",
        "sample-threshold-histogram-empty",
        "sample-threshold-histogram-substituted",
        "sparse-histogram-draws",
        "sparse-vector-uncapped",
        "trie-heavy-hitters-last-level",
        "trie-heavy-hitters-reused",
        "trie-heavy-hitters-size",
        "trie-heavy-hitters-unsampled",
    }
)
"""The faults that are caught after a second of processor time or more: nightly."""
MENDED_LONG = frozenset(
    {
        "clip-threshold-dense",
        "clipped-sum-l1-coordinates",
        "clipped-sum-l1-l2-scale",
        "clipped-sum-l1-up",
        "clipped-sum-l2-add-remove",
        "clipped-sum-l2-nearest",
        "compact-histogram-bare",
        "compact-histogram-reused",
        "geosample-rounded",
        "joined-count-swapped",
        "keep-heavy-occurring",
        "keep-heavy-order",
        "pws-private-threshold-capped",
        "quantile-search-raw",
        "rappor-redrawn",
        "report-noisy-max-value",
        "sample-threshold-histogram-fixed-size",
        "sample-threshold-systematic",
        "sampled-count-pairs",
        "sparse-histogram-modulo",
        "sparse-vector-number",
        "stability-histogram-lone",
    }
)
"""More of those whose correct mechanism is verified after half a second or more: that is nightly."""


def by_name(nightly: frozenset[str]) -> pytest.MarkDecorator:
    assert nightly <= NAMED.keys()
    long = pytest.mark.nightly
    return pytest.mark.parametrize("name", [pytest.param(x, marks=[long] if x in nightly else []) for x in NAMED])


def fault_of(name: str) -> Fault:
    fault = NAMED[name].fault
    assert fault is not None
    return fault


def default(name: str) -> Instance:
    return NAMED[name].build(NAMED[name].settings({}))


def plain_laws(name: str) -> list[Dist]:
    """The laws in plain fractions on the inputs of the default scope."""
    return [Dist.of(LAWS[name](value)) for value in default(name).inputs]


class Seen(Subject):
    """A subject whose laws can be looked at once it is audited."""

    def source(self, read: Any, value: Any) -> Answer:
        """Return the law, and keep it in `seen`."""
        found: Answer = super().source(read, value)
        self.seen[canonical(value)] = Dist.like(found.law)
        return found


def audited(name: str, instance: Instance, *, certifies: bool = False) -> tuple[Report, list[Dist]]:
    """Audit an instance at its claim, its laws computed once; return the report, and the law on each input."""
    subject = subject_at(name, instance)

    def laws() -> list[Dist]:
        return [subject.seen[canonical(value)] for value in instance.inputs]

    claim = ApproxDP(instance.epsilon, instance.delta)
    report = decide(subject, claim, again=lambda: [law.digest() for law in laws()], certifies=certifies)
    return report, laws()


def subject_at(name: str, instance: Instance) -> Seen:
    neighbours = RELATIONS[instance.neighbours]
    subject = Seen(name, instance.program, instance.inputs, neighbours, observes=instance.observes)
    subject.seen = {}
    return subject


def source_of(name: str) -> tuple[str, str, str]:
    """The source of the function or class in which the edit is, with what stands before and after it in its file."""
    place = fault_of(name).place
    text = Path(inspect.getfile(place)).read_text(encoding="utf-8")
    kinds = (ast.FunctionDef, ast.ClassDef)
    (node,) = (node for node in ast.parse(text).body if isinstance(node, kinds) and node.name == place.__name__)
    lines = text.splitlines(keepends=True)
    parts = lines[: node.lineno - 1], lines[node.lineno - 1 : node.end_lineno], lines[node.end_lineno :]
    before, own, after = ("".join(part) for part in parts)
    return before, own, after


def mended(name: str) -> Instance:
    """The mechanism as it is once its file is edited."""
    before, own, after = source_of(name)
    faulty, meant = fault_of(name).edit
    assert own.count(faulty) == 1
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "edited.py")
        path.write_text(before + own.replace(faulty, meant) + after, encoding="utf-8")
        found = runpy.run_path(str(path)).values()
    (mechanism,) = (value for value in found if isinstance(value, Mechanism) and value.name == name)
    return mechanism.build(mechanism.settings({}))


def correct(name: str) -> tuple[Instance, Report, list[Dist]]:
    """The correct program at the scope and the claim of the fault once it is mended, its audit, and its laws."""
    fault, instance = fault_of(name), mended(name)
    program = fault.of.build(fault.meant(NAMED[name].settings({}))).program
    return instance, *audited(name, replace(instance, program=program))


def test_every_module_of_the_zoo_holds_faults_and_every_fault_is_another() -> None:
    files = {module.name for module in pkgutil.iter_modules(broken.__path__)} - {"fault"}
    assert {fault_of(name).place.__module__.rpartition(".")[2] for name in NAMED} == files
    assert len(NAMED) == len(ZOO) == len({fault_of(name).words for name in NAMED})
    assert NAMED.keys() == LAWS.keys()
    assert not NAMED.keys() & {mechanism.name for mechanism in MECHANISMS}
    assert {fault_of(name).of for name in NAMED} <= set(MECHANISMS)


@by_name(LONG)
def test_caught_with_the_expected_witness_and_none_is_smaller(name: str) -> None:
    """The program has its law in plain fractions; of the least pair that violates, every event is no smaller."""
    expected, instance, laws = fault_of(name).expected, default(name), plain_laws(name)
    report, found = audited(name, instance)
    assert found == laws
    verdict = report.verdict
    assert isinstance(verdict, Refuted)
    assert (verdict.a, verdict.b, list(verdict.event)) == (expected.a, expected.b, expected.event)
    assert (verdict.p_lo, verdict.q_hi) == (Fraction(expected.p), Fraction(expected.q))

    lo, hi = instance.epsilon.exp_bounds(256)
    related, violating = RELATIONS[instance.neighbours], []
    for a, p in zip(instance.inputs, laws, strict=True):
        for b, q in zip(instance.inputs, laws, strict=True):
            if not related(a, b):
                continue
            gains = sorted((mass - hi * q.prob(x) for x, mass in p.items()), reverse=True)
            if sum(max(gain, Fraction(0)) for gain in gains) > instance.delta:
                violating.append((max(order_key(a), order_key(b)), order_key(a), order_key(b), a, b, p, q, gains))
            else:
                surely = (mass - lo * q.prob(x) for x, mass in p.items())
                assert sum(max(gain, Fraction(0)) for gain in surely) <= instance.delta
    *_, a, b, p, q, gains = min(violating, key=lambda row: row[:3])
    assert (a, b) == (expected.a, expected.b)
    masses = [sum((law.prob(x) for x in expected.event), Fraction(0)) for law in (p, q)]
    assert masses == [Fraction(expected.p), Fraction(expected.q)]
    assert masses[0] > hi * masses[1] + instance.delta
    assert sum(gains[: len(expected.event) - 1]) <= instance.delta


@pytest.mark.points(16)
@by_name(LONG)
def test_the_certificate_of_a_fault_is_read_and_accepted_with_its_witness(name: str) -> None:
    expected, instance = fault_of(name).expected, default(name)
    report, _ = audited(name, instance, certifies=True)
    certificate = certificate_of(text_of(report.certificate))
    assert certificate == report.certificate
    accepted = check(certificate, subject_at(name, instance), examined)
    assert isinstance(accepted, Refuted)
    assert (accepted.a, accepted.b, list(accepted.event)) == (expected.a, expected.b, expected.event)


@by_name(LONG | MENDED_LONG)
def test_one_edit_away_is_the_correct_mechanism_verified_at_the_same_claim(name: str) -> None:
    """The edited source has the correct mechanism's law on every input; the fault has not, or other neighbours."""
    instance, draws = default(name), default(name).observes == "outcome and draws"
    right, report, laws = correct(name)
    assert laws == [enumerate_law(right.program, value, draws=draws).law for value in instance.inputs]
    assert laws != plain_laws(name) or right.neighbours != instance.neighbours
    assert (right.epsilon, right.delta, right.inputs) == (instance.epsilon, instance.delta, instance.inputs)
    assert isinstance(report.verdict, Verified)
    assert report.tail == 0
    assert report.pairs > 0


@pytest.mark.parametrize("name", ["sample-threshold-histogram-substituted", "sample-threshold-histogram-fixed-size"])
def test_deltas_that_are_claimed_exactly_leave_the_correct_mechanism_no_room(name: str) -> None:
    instance, report, _ = correct(name)
    assert report.delta_lo == report.delta_hi == instance.delta


@pytest.mark.parametrize("name", ["geosample-rounded", "fastsample-unmixed"])
def test_a_lost_tail_is_refuted_at_any_epsilon(name: str, audit: Any) -> None:
    """No epsilon is large enough; the correct mechanisms' ratios are at most 3/2 and e^(1/2)."""
    assert isinstance(audit(NAMED[name], {}, epsilon="1000", delta=0).verdict, Refuted)


@pytest.mark.points(6)
@pytest.mark.parametrize(
    ("name", "settings", "verdict"),
    [
        ("geosample-strict", {"n": "1", "epsilon": "1/2"}, Refuted),
        ("geosample-strict", {"n": "12", "epsilon": "1/10"}, Refuted),
        ("geosample-exponent", {"n": "5", "epsilon": "1/100"}, Refuted),
        ("sample-threshold-strict", {"rate": "1/10", "threshold": "3", "kmax": "8"}, Verified),
        ("sample-threshold-strict", {"rate": "1/10", "threshold": "3", "kmax": "8", "delta": "0"}, Refuted),
        ("randomized-response-modulo", {"epsilon": "ln(3)", "bits": "32"}, Verified),
        ("randomized-response-modulo", {"epsilon": "ln(3)", "bits": "1"}, Refuted),
        ("randomized-response-modulo", {"epsilon": "ln(4)", "bits": "200"}, Refuted),
        ("randomized-response-type", {"epsilon": "5"}, Refuted),
        ("randomized-response-type", {"epsilon": "0"}, Refuted),
    ],
)
def test_the_fault_shows_exactly_where_it_matters(
    audit: Any, name: str, settings: dict[str, str], verdict: type[Any]
) -> None:
    """2^32 % 4 is no bias, and a count of 3 at the threshold is rare enough for delta = 1/500."""
    assert isinstance(audit(NAMED[name], settings).verdict, verdict)


def test_refused_fault_with_a_parameter_that_nobody_defined(refused: Any) -> None:
    parts: dict[str, Any] = {"source": "", "fault": "", "edit": ("", ""), "expected": Expected(0, 1, [], "1", "0")}
    fault = FaultsOf(GEOSAMPLE, without=[one.name for one in GEOSAMPLE.parameters if one.name != "n"])
    refused(
        fault("less", **parts)(settings_of), {}, "epsilon: one of the parameters that are defined: n; define epsilon"
    )
    for wrong in ({"names": ["n", "bits"]}, {"defaults": {"bits": "3"}}):
        with pytest.raises(InputError, match=r"bits: one of the parameters that are defined: n.*; define bits"):
            fault("more", **parts, **wrong)(settings_of)
