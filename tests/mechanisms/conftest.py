"""What the tests of the mechanisms share: an audit at a claim, naive divergences, and a refusal."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from dpcert import ApproxDP, InputError, Report
from dpcert.audit.decide import decide
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.audit.subject import Subject
from dpcert.mechanisms.mechanism import Mechanism

Law = dict[Any, Fraction]


def subject_of(mechanism: Mechanism, settings: dict[str, str]) -> Subject:
    """Return the subject of a mechanism, with its laws from its program."""
    whole = mechanism.settings(settings)
    instance = mechanism.build(whole)
    relation = RELATIONS[instance.neighbours]
    return Subject(
        mechanism.name,
        instance.program,
        instance.inputs,
        relation,
        parameters=tuple(whole.items()),
        observes=instance.observes,
    )


@pytest.fixture(name="subject_of", scope="session")
def subject_of_fixture() -> Callable[..., Subject]:
    return subject_of


@pytest.fixture(scope="session")
def audit() -> Callable[..., Report]:
    """Return a function that audits a mechanism at its own claim, or at another epsilon and delta."""

    def audited(
        mechanism: Mechanism, settings: dict[str, str], *, epsilon: object = None, delta: object = None
    ) -> Report:
        instance = mechanism.build(mechanism.settings(settings))
        guarantee = ApproxDP(
            instance.epsilon if epsilon is None else epsilon, instance.delta if delta is None else delta
        )
        subject = subject_of(mechanism, settings)
        return decide(subject, guarantee, again=subject.digests)

    return audited


@pytest.fixture(scope="session")
def excess() -> Callable[[Law, Law, Fraction], Fraction]:
    """Return the hockey-stick divergence of two laws given as dicts, term by term."""

    def divergence(p: Law, q: Law, ratio: Fraction) -> Fraction:
        return sum((max(Fraction(0), p[x] - ratio * q.get(x, Fraction(0))) for x in p), Fraction(0))

    return divergence


@pytest.fixture(scope="session")
def refused() -> Callable[..., None]:
    """Return a function that holds settings refused, in one line with the given texts in it."""

    def check(mechanism: Mechanism, settings: dict[str, str], *texts: str) -> None:
        with pytest.raises(InputError) as caught:
            mechanism.build(mechanism.settings(settings))
        line = str(caught.value)
        assert "\n" not in line
        assert caught.value.needed
        assert caught.value.remedy
        for text in texts:
            assert text in line

    return check
