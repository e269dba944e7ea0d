"""Each broken twin is caught, its correct twin is not, and one edit lies between them."""

import importlib.util
import pkgutil
import sys
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from dpcert.audit.decide import Report
from dpcert.audit.kernel.certificate import Certificate
from dpcert.audit.kernel.check import check
from dpcert.audit.kernel.examine import Refuted, Verified
from dpcert.audit.subject import Subject
from dpcert.mechanisms import broken
from dpcert.mechanisms.broken import ZOO
from dpcert.mechanisms.catalogue import MECHANISMS
from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.exact.enumerator import enumerate_law
from dpcert.mechanisms.mechanism import Instance, Mechanism

CORRECT = {mechanism.name: mechanism for mechanism in MECHANISMS}

EDITS = {
    "geosample-strict": ("u < cumulative(z)", "u <= cumulative(z)"),
    "geosample-exponent": ("(k * (z - count)))", "(k * (z - count + 1)))"),
    "sample-threshold-strict": ("0 if threshold > sampled", "0 if threshold >= sampled"),
    "randomized-response-modulo": ("coins.getrandbits(bits) % total", "coins.below(total)"),
    "randomized-response-type": ("else not bit", "else 1 - bit"),
}
"""By name, the faulty text in the program's source and what is meant."""

by_name = pytest.mark.parametrize("mechanism", ZOO, ids=lambda mechanism: mechanism.name)


def twin_of(mechanism: Mechanism, settings: Mapping[str, str]) -> tuple[Mechanism, dict[str, str]]:
    """Return the correct mechanism and its settings, with what is meant by those of the broken one."""
    assert mechanism.twin is not None
    twin = CORRECT[mechanism.twin]
    meant = {name: text for name, text in settings.items() if name in twin.settings({})}
    if mechanism.name == "sample-threshold-strict":
        meant["threshold"] = str(int(settings["threshold"]) + 1)
    return twin, meant


def laws(instance: Instance) -> list[Dist]:
    return [enumerate_law(instance.program, value).law for value in instance.inputs]


@pytest.fixture
def load(tmp_path: Path) -> Iterator[Callable[[str], Mechanism]]:
    """Return a function that runs a source text as a module and returns its broken mechanism."""
    loaded: list[str] = []

    def load_source(source: str) -> Mechanism:
        path = tmp_path / f"edited_{len(loaded)}.py"
        path.write_text(source, encoding="utf-8")
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[path.stem] = module
        loaded.append(path.stem)
        spec.loader.exec_module(module)
        (found,) = (value for value in vars(module).values() if isinstance(value, Mechanism) and value.twin)
        return found

    yield load_source
    for name in loaded:
        del sys.modules[name]


def source_of(mechanism: Mechanism) -> str:
    module = sys.modules[mechanism.build.__module__]
    assert module.__file__ is not None
    return Path(module.__file__).read_text(encoding="utf-8")


def test_every_file_of_the_zoo_is_listed_with_one_fault_and_an_edit() -> None:
    files = {module.name for module in pkgutil.iter_modules(broken.__path__)}
    assert {mechanism.build.__module__.rpartition(".")[2] for mechanism in ZOO} == files
    assert len(files) == len(ZOO) == len({mechanism.fault for mechanism in ZOO})
    assert {mechanism.name for mechanism in ZOO} == EDITS.keys()
    for mechanism in ZOO:
        assert mechanism.fault
        assert mechanism.expect == "refuted"
        assert mechanism.twin in CORRECT
        assert CORRECT[mechanism.twin].expect == "verified"
        assert mechanism.name not in CORRECT


@by_name
def test_caught_with_a_witness_that_the_kernel_accepts(
    mechanism: Mechanism, audit: Callable[..., Report], subject_of: Callable[..., Subject]
) -> None:
    report = audit(mechanism, {})
    assert isinstance(report.verdict, Refuted)
    assert report.certificate is not None
    certificate = Certificate.from_text(report.certificate.to_text())
    assert certificate == report.certificate
    accepted = check(certificate, subject_of(mechanism, {}))
    assert isinstance(accepted, Refuted)
    assert (accepted.a, accepted.b, accepted.event) == (
        report.verdict.a,
        report.verdict.b,
        report.verdict.event,
    )


@by_name
def test_the_witness_violates_the_bound_by_plain_arithmetic(
    mechanism: Mechanism, audit: Callable[..., Report]
) -> None:
    verdict = audit(mechanism, {}).verdict
    assert isinstance(verdict, Refuted)
    instance = mechanism.build(mechanism.settings({}))
    p, q = (
        sum((enumerate_law(instance.program, value).law.prob(x) for x in verdict.event), Fraction(0))
        for value in (verdict.a, verdict.b)
    )
    assert (p, q) == (verdict.p_lo, verdict.q_hi)
    assert instance.epsilon.rational == 0
    assert p > instance.epsilon.ratio * q + instance.delta


@by_name
def test_the_correct_twin_is_verified_under_the_same_claim(
    mechanism: Mechanism, audit: Callable[..., Report]
) -> None:
    settings = mechanism.settings({})
    faulty = mechanism.build(settings)
    twin, meant = twin_of(mechanism, settings)
    correct = twin.build(twin.settings(meant))
    assert (correct.inputs, correct.neighbours) == (faulty.inputs, faulty.neighbours)
    assert correct.epsilon == faulty.epsilon
    report = audit(twin, meant, epsilon=faulty.epsilon, delta=faulty.delta)
    assert isinstance(report.verdict, Verified)


@by_name
def test_one_edit_lies_between_the_twins(mechanism: Mechanism, load: Callable[[str], Mechanism]) -> None:
    """The edited source has the correct mechanism's law on every input; as it stands it has not."""
    source, (faulty, meant) = source_of(mechanism), EDITS[mechanism.name]
    assert source.count(faulty) == 1
    edited = load(source.replace(faulty, meant))
    settings = mechanism.settings({})
    twin, correct = twin_of(mechanism, settings)
    expected = laws(twin.build(twin.settings(correct)))
    assert laws(edited.build(settings)) == expected
    assert laws(load(source).build(settings)) == laws(mechanism.build(settings)) != expected


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
    audit: Callable[..., Report], name: str, settings: dict[str, str], verdict: type[Any]
) -> None:
    """2^32 % 4 is no bias, and a count of 3 at the threshold is rare enough for delta = 1/500."""
    (mechanism,) = (mechanism for mechanism in ZOO if mechanism.name == name)
    assert isinstance(audit(mechanism, settings).verdict, verdict)


@pytest.mark.parametrize(
    ("name", "settings", "given"),
    [
        ("geosample-strict", {"epsilon": "2/3"}, "2/3"),
        ("geosample-exponent", {"n": "0"}, "0"),
        ("sample-threshold-strict", {"threshold": "0"}, "0"),
        ("sample-threshold-strict", {"rate": "1"}, "1"),
        ("sample-threshold-strict", {"delta": "small"}, "small"),
        ("randomized-response-modulo", {"bits": "0"}, "0"),
        ("randomized-response-modulo", {"bits": "1/2"}, "1/2"),
        ("randomized-response-type", {"epsilon": "ln(0)"}, "0"),
        ("randomized-response-type", {"n": "3"}, "n=3"),
    ],
)
def test_refused_parameters(
    refused: Callable[..., None], name: str, settings: dict[str, str], given: str
) -> None:
    (mechanism,) = (mechanism for mechanism in ZOO if mechanism.name == name)
    refused(mechanism, settings, given)
