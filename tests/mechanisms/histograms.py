"""What the tests of histograms share: noise by its formula, and programs held against brute force."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from dpcert import ApproxDP, Report
from dpcert.audit.decide import decide
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.audit.subject import Subject
from dpcert.mechanisms.finite_computers.geosample import noise_exponent
from dpcert.mechanisms.mechanism import Instance, Mechanism
from dpcert.reading.paths.enumerator import enumerate_law

Law = dict[Any, Fraction]


def clamped_noise(count: int, n: int, m: int, g: int | None) -> Law:
    """A count with two-sided geometric noise for epsilon = 1/m, clamped; mixed with a uniform one at weight 1/g.

    FastSample's cut-off is beyond n here, so that the noise beyond it, moved to 0, is what remains.
    """
    k = noise_exponent(Fraction(1, m))
    r = 1 + Fraction(1, 2**k)
    t = 10**9 if g is None else -(-9 * m * (8 * (n + 1) * m * (g - 1) - 1).bit_length() // 2) - 1
    assert t > n
    lost = Fraction(0) if g is None else r**-t / (r + 1)
    law = {z: (r - 1) / (r + 1) * r ** -abs(z - count) for z in range(n + 1)}
    law[0] += r**-count / (r + 1) - lost
    law[n] += r ** (count - n) / (r + 1) - lost
    law[count] += 2 * lost
    weight = Fraction(0) if g is None else Fraction(1, g)
    return {z: (1 - weight) * p + weight / (n + 1) for z, p in law.items()}


def held(instance: Instance, brute: Callable[[Any], Law]) -> None:
    """Hold program, closed form and brute force equal on every input."""
    assert instance.closed_form is not None
    for value in instance.inputs:
        law = enumerate_law(instance.program, value).law
        assert law == instance.closed_form(value)
        assert dict(law.items()) == {outcome: p for outcome, p in brute(value).items() if p}
        assert law.tail == 0


def observed(instance: Instance, *, delta: object = None) -> Report:
    """Audit an instance at its claim, its draws observed."""
    relation = RELATIONS[instance.neighbours]
    subject = Subject("observed", instance.program, instance.inputs, relation, observes="outcome and draws")
    guarantee = ApproxDP(instance.epsilon, instance.delta if delta is None else delta)
    return decide(subject, guarantee, again=subject.digests)


def built(mechanism: Mechanism, settings: dict[str, str]) -> Instance:
    return mechanism.build(mechanism.settings(settings))
