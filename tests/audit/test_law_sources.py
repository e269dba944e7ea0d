"""Evidence for the way from the kernel to the program: a source that reads another input than it was handed is caught,
in an audit, a recheck and a second computation; and each source knows its files."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

from dpcert import Coins, Dist, PureDP, Refuted, Unauditable, Undecided, Verified
from dpcert.audit import registry, subject
from dpcert.audit.decide import decide
from dpcert.audit.kernel.certificate import SOURCES, Certificate
from dpcert.audit.kernel.check import Rejected, check
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.audit.passes import examined
from dpcert.audit.reading import Reader
from dpcert.audit.registry import ROOTS, files_of
from dpcert.audit.sources import source_digests
from dpcert.audit.subject import Subject
from dpcert.targets.catalogue import BUILT_IN

CLAIM = PureDP("1")


def leaks(x: int, coins: Coins) -> int:
    return x if coins.below(4) else 1 - x


def quiet(x: int, coins: Coins) -> int:
    return 1 if coins.below(4) else 0


def subject_of(program: Callable[..., Any], **more: Any) -> Subject:
    return Subject("release", program, (1, 0), RELATIONS["any"], **more)


def uses_of_value() -> Iterator[tuple[type, str, int]]:
    """Yield each place of the code between the kernel and the program that passes on the input it was handed."""
    for kind in (Subject, Reader):
        for name, method in vars(kind).items():
            if type(method) is FunctionType and "value" in method.__code__.co_varnames[: method.__code__.co_argcount]:
                yield from ((kind, name, place) for place in range(len(loads(ast.parse(text_of(kind, name))))))


@cache
def text_of(kind: type, name: str) -> str:
    return textwrap.dedent(inspect.getsource(vars(kind)[name]))


def loads(tree: ast.Module) -> list[ast.Name]:
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    return [node for node in names if node.id == "value" and isinstance(node.ctx, ast.Load)]


USES = sorted(uses_of_value(), key=str)


def other_input(kind: type, name: str, place: int) -> Any:
    """Return the code of a method that reads the first input at one place, in place of the one that it was handed."""
    tree = ast.parse(text_of(kind, name))
    chosen = loads(tree)[place]
    chosen.id = "self.inputs[0]"
    consts = compile(ast.unparse(tree), "mutant", "exec").co_consts
    return next(each for each in consts if isinstance(each, CodeType) and each.co_name == name)


def test_the_places_where_an_input_is_passed_on_are_seen() -> None:
    assert {(Subject, "source"), (Reader, "reading")} <= {(kind, name) for kind, name, _ in USES}


def forged() -> Certificate:
    """Return a certificate of a program that is private, with the name and the files of one that is not."""
    report = decide(subject_of(quiet), CLAIM, again=subject_of(quiet).digests)
    assert isinstance(report.verdict, Verified)
    assert report.certificate is not None
    return report.certificate


@pytest.mark.parametrize(("kind", "name", "place"), USES, ids=lambda part: getattr(part, "__name__", str(part)))
def test_caught_source_that_reads_another_input(
    kind: type, name: str, place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate, code = forged(), other_input(kind, name, place)
    with pytest.raises(Rejected):
        check(certificate, subject_of(leaks), examined)
    monkeypatch.setattr(vars(kind)[name], "__code__", code)
    report = decide(subject_of(leaks), CLAIM, again=subject_of(leaks).digests)
    assert isinstance(report.verdict, Refuted | Undecided)
    with pytest.raises((Rejected, Unauditable)):
        check(certificate, subject_of(leaks), examined)


def always(read: Callable[..., Any], first: Any) -> Callable[..., Any]:
    """Return a reading that is of one input, whichever it is asked for."""
    return lambda program, value, **how: read(program, first, **how)


@pytest.mark.parametrize("second", [False, True])
def test_caught_reading_of_the_first_input_in_each_of_the_two_computations(
    second: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, certificate = subject_of(leaks), forged()
    line = "handed the input 0, the law source answered on another"
    monkeypatch.setattr(subject, "enumerate_law", always(subject.enumerate_law, 1))
    if second:
        with pytest.raises(Unauditable, match=line):
            found.digests()
        return
    report = decide(found, CLAIM, again=list)
    assert isinstance(report.verdict, Undecided)
    assert line in report.verdict.reason
    with pytest.raises(Unauditable, match=line):
        check(certificate, subject_of(leaks), examined)


def test_caught_reading_of_another_program(monkeypatch: pytest.MonkeyPatch) -> None:
    found, read = subject_of(leaks), subject.enumerate_law
    monkeypatch.setattr(subject, "enumerate_law", lambda program, value, **how: read(quiet, value, **how))
    report = decide(found, CLAIM, again=found.digests)
    assert isinstance(report.verdict, Undecided)
    assert "answered on another" in report.verdict.reason


def test_caught_closed_form_read_on_the_first_input(monkeypatch: pytest.MonkeyPatch) -> None:
    def form(x: int) -> Dist:
        return Dist.of({x: "3/4", 1 - x: "1/4"})

    found = subject_of(leaks, closed_form=form, law_source="closed-form")
    by_form = subject.by_closed_form
    monkeypatch.setattr(subject, "by_closed_form", lambda form, value: by_form(form, 1))
    report = decide(found, CLAIM, again=list)
    assert isinstance(report.verdict, Undecided)
    assert "answered on another" in report.verdict.reason


def test_a_law_of_several_sources_names_them_all() -> None:
    def counted(x: int, coins: Coins) -> int:
        return sum(coins.random() < 0.5 for _ in range(20)) if x else 0

    for program, sources in ((leaks, ["paths"]), (counted, ["paths", "states"])):
        found = subject_of(program)
        report = decide(found, PureDP("0"), again=found.digests)
        assert (report.certificate.law_source, report.law_source) == (sources, (*sources,))
        named = {name for source in sources for name in map(Path, files_of(source))}
        certified = report.certificate.sources
        assert {f"dpcert/{'/'.join(file.parts[file.parts.index('dpcert') + 1 :])}" for file in named} <= {*certified}
        assert isinstance(check(report.certificate, replace(found, notes={}), examined), Refuted)


def test_the_registry_of_files_is_that_of_the_kernel() -> None:
    assert tuple(ROOTS) == SOURCES


def test_the_files_of_a_source_are_computed_from_its_imports(monkeypatch: pytest.MonkeyPatch) -> None:
    def names(source: str) -> set[str]:
        return {file.rpartition("dpcert/")[2] for file in files_of(source)}

    asked = {"audit/subject.py", "audit/reading.py", "audit/closed_form.py", "reading/paths/enumerator.py"}
    assert all(asked <= names(source) for source in SOURCES if source not in ("ideal", "theorem"))
    assert "reading/choice.py" in names("paths")
    assert "reading/keys.py" not in names("paths")
    assert {"reading/keys.py", "reading/domains/near.py"} <= names("states")
    assert {"reading/floats/enclosed.py", "reading/paths/reach.py", "reading/paths/traced.py"} <= names("floats")
    assert {"audit/layout.py", "reading/numpy/factored.py"} <= names("vectors")
    assert {"audit/ideal/certificates/checker.py"} <= names("ideal")
    assert {"audit/unbounded/theorems.py", "unbounded/rechecking.py"} <= names("theorem")
    assert not any(name.startswith(("audit/kernel", "mechanisms/exact")) for each in SOURCES for name in names(each))
    monkeypatch.setattr(registry, "imports_of", lambda text: frozenset())
    registry._closure.cache_clear()
    assert len(registry._closure("dpcert.audit.subject")) == 1
    registry._closure.cache_clear()


@pytest.mark.parametrize("source", SOURCES)
def test_each_file_of_a_source_has_a_name_of_its_own_within_this_package(source: str) -> None:
    named = source_digests(files_of(source), None)
    assert files_of(source)
    assert [name for name in named if not name.startswith("dpcert/") or name.endswith("+")] == []


@pytest.mark.nightly
def test_each_file_of_a_shipped_mechanism_has_a_name_within_this_package() -> None:
    for name, mechanism in BUILT_IN.items():
        instance = mechanism.build(mechanism.settings({}))
        found = Subject(name, instance.program, instance.inputs, RELATIONS[instance.neighbours])
        assert [file for file in found.sources() if not file.startswith("dpcert/") or file.endswith("+")] == [], name


def test_laws_that_are_kept_are_found_once_and_named_each_time() -> None:
    calls: list[int] = []

    def counted(x: int, coins: Coins) -> int:
        calls.append(x)
        return leaks(x, coins)

    found = subject_of(counted, keeps=True)
    laws = [found.law(place) for place in (0, 1)]
    once = len(calls)
    found.used.clear()
    assert [found.law(place) for place in (1, 0)] == laws[::-1]
    assert (len(calls), [*found.used]) == (once, ["paths"])
