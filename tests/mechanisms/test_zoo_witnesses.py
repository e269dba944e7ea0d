"""Each broken mechanism's law in a second form, and the smallest witness that follows from it; its twin has none.

The laws below are written from what each mechanism does, in plain fractions, and not from its program. A witness
is pinned as two inputs, an event and two probabilities; that no smaller pair and no smaller event will do is searched
for here, over all pairs.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, combinations, pairwise, product
from math import comb, prod
from pathlib import Path
from typing import Any

import pytest

from dpcert.audit.decide import Report, decide
from dpcert.audit.kernel.claim import ApproxDP
from dpcert.audit.kernel.examine import Refuted, Verified
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.audit.subject import Subject
from dpcert.mechanisms.broken import ZOO
from dpcert.mechanisms.catalogue import MECHANISMS
from dpcert.mechanisms.enumerator import enumerate_law
from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.exact.outcome import Raised, show
from dpcert.mechanisms.forms import order_key
from dpcert.mechanisms.mechanism import Instance, Mechanism

Pairs = list[tuple[Any, Fraction]]
"""Outcomes with their probabilities; an outcome may occur more than once."""

CORRECT = {mechanism.name: mechanism for mechanism in MECHANISMS}
by_name = pytest.mark.parametrize("mechanism", ZOO, ids=lambda mechanism: mechanism.name)


def at_least(m: int, r: Fraction) -> Fraction:
    """Pr[Z >= m] for two-sided geometric noise, Pr[Z = j] = (r - 1) / (r + 1) r^-|j|."""
    return r ** (1 - m) / (r + 1) if m >= 1 else 1 - r**m / (r + 1)


def noisy(count: int, r: object, lo: int, hi: int) -> Pairs:
    """The law of count + Z, clamped to [lo, hi]."""
    ratio = Fraction(str(r))
    upper = [Fraction(1), *(at_least(z - count, ratio) for z in range(lo + 1, hi + 1)), Fraction(0)]
    return [(lo + i, a - b) for i, (a, b) in enumerate(pairwise(upper))]


def from_sums(sums: Sequence[Fraction]) -> Pairs:
    """The law on 0, 1, ... of which these are the distribution function's values."""
    return [(z, b - a) for z, (a, b) in enumerate(pairwise([Fraction(0), *sums]))]


def bernoulli(p: Fraction) -> Pairs:
    return [(True, p), (False, 1 - p)]


def binomial(count: int, rate: Fraction) -> Pairs:
    return [(v, comb(count, v) * rate**v * (1 - rate) ** (count - v)) for v in range(count + 1)]


def bins(laws: dict[int, Pairs], kept: Callable[[int], bool] = lambda noisy: True) -> Pairs:
    """The law of a histogram of independent bins, of which those with a kept count are released."""
    rows = product(*laws.values())
    return [
        (
            tuple((x, z) for x, (z, _) in zip(laws, row, strict=True) if kept(z)),
            prod((p for _, p in row), start=Fraction(1)),
        )
        for row in rows
    ]


def then(law: Pairs, f: Callable[[Any], Any]) -> Pairs:
    return [(f(outcome), p) for outcome, p in law]


def counts(people: Sequence[int], universe: int) -> dict[int, int]:
    return {x: list(people).count(x) for x in range(universe)}


def present(people: Sequence[int]) -> dict[int, int]:
    return {x: list(people).count(x) for x in sorted(set(people))}


# The laws, at each mechanism's default parameters.


def strict(c: int) -> Pairs:
    """u < F(z) takes one u from 0 and gives it to n; d = 9 * 5^2."""
    law = dict(noisy(c, "5/4", 0, 3))
    return list({**law, 0: law[0] - Fraction(1, 225), 3: law[3] + Fraction(1, 225)}.items())


def exponent(c: int) -> Pairs:
    """The part above z of the law on z >= c is a quarter, 2^-k, of what it is to be."""
    below = list(accumulate(p for _, p in noisy(c, "5/4", 0, 3)))
    return from_sums([s if z < c or z == 3 else 1 - (1 - s) / 4 for z, s in enumerate(below)])


def raises(c: int) -> Pairs:
    def clamp(z: int) -> Any:
        inside = 0 <= z <= 2
        return z if inside else Raised("ValueError", (f"{c} with noise {z - c} is outside 0..2",))

    return then(noisy(c, "5/4", c - 2, c + 2), clamp)


def rejection(c: int) -> Pairs:
    inside = [(z, p) for z, p in noisy(c, "5/4", c - 3, c + 3) if 0 <= z <= 3]
    return [(z, p / sum(p for _, p in inside)) for z, p in inside]


def short_draw(c: int) -> Pairs:
    """d = 225, and F is 125, 145, 161 for 0; 100, 125, 145 for 1; 80, 100, 125 for 2; 64, 80, 100 for 3."""
    return then(noisy(c, "5/4", 0, 3), lambda z: (z, ([225, 45, 45, 225][c],)))


def rounded(c: int, r: str, n: int, bits: int) -> Pairs:
    sums = accumulate(p for _, p in noisy(c, r, 0, n))
    return from_sums([Fraction((s * 2**bits).__floor__(), 2**bits) for s in sums])


def early_exit(c: int) -> Pairs:
    few = then(rounded(c, "5/4", 2, 8), lambda z: (z, (256, 10)))
    return [(x, p * Fraction(9, 10)) for x, p in few] + [((z, (256, 10, 3)), Fraction(1, 30)) for z in range(3)]


def unmixed(c: int) -> Pairs:
    """Noise beyond 40 on either side is moved to 0."""
    r = Fraction(3, 2)
    near = [(j, (r - 1) / (r + 1) * r ** -abs(j)) for j in range(-40, 41)]
    far = [(0, 2 * at_least(41, r))]
    return then(near + far, lambda j: min(max(c + j, 0), 41))


def add_remove(people: list[int]) -> Pairs:
    return bins({x: noisy(c, "3/2", 0, 1) for x, c in counts(people, 2).items()})


def by_count(people: list[int]) -> Pairs:
    laws = {x: noisy(c, "5/4", 0, 2) for x, c in counts(people, 2).items()}
    first = 1 if people == [1, 1] else 0
    return then(bins(laws), lambda row: row if first == 0 else row[::-1])


def insertion_order(people: list[int]) -> Pairs:
    laws = {x: noisy(c, "5/4", 0, 1) for x, c in counts(people, 2).items()}
    return then(bins(laws), lambda row: row if people == [0] else row[::-1])


def zeros(people: list[int]) -> Pairs:
    return bins({x: noisy(c, "5/4", 0, 1) if c else [(0, Fraction(1))] for x, c in counts(people, 2).items()})


def shared_noise(people: list[int]) -> Pairs:
    return then(
        noisy(0, "5/4", -2, 2), lambda j: tuple((x, min(max(c + j, 0), 2)) for x, c in counts(people, 2).items())
    )


def stable(people: list[int], n: int, kept: Callable[[int], bool]) -> Pairs:
    return bins({x: noisy(c, "3/2", 0, n) for x, c in present(people).items()}, kept)


def true_counts(people: list[int]) -> Pairs:
    passes = {x: Fraction(2, 5) if c == 1 else Fraction(3, 5) for x, c in present(people).items()}
    laws = {x: [(c, passes[x]), (0, 1 - passes[x])] for x, c in present(people).items()}
    return bins(laws, lambda count: count > 0)


def twice(people: list[int]) -> Pairs:
    once = stable(people, 2, lambda z: z > 1)
    return [((x, y), p * q) for (x, p), (y, q) in product(once, once)]


def sampled(people: list[int], rate: Fraction, threshold: int, universe: int) -> Pairs:
    laws = {x: binomial(c, rate) for x, c in counts(people, universe).items()}
    return bins(laws, lambda count: count >= threshold)


def empty(people: list[int]) -> Pairs:
    if not people:
        return [(Raised("IndexError", ("list index out of range",)), Fraction(1))]
    return sampled(people, Fraction(1, 10), 2, 2)


def size(people: list[int]) -> Pairs:
    return then(binomial(len(people), Fraction(1, 10)), lambda v: (v, ((0, v),) if v >= 2 else ()))


def fixed_size(people: list[int]) -> Pairs:
    chosen = [present(pair) for pair in combinations(people, 2)]
    return [(tuple((x, c) for x, c in few.items() if c >= 2), Fraction(1, len(chosen))) for few in chosen]


def one_bin(count: int, threshold: int) -> Pairs:
    return then(binomial(count, Fraction(1, 10)), lambda v: v if v >= threshold else 0)


def true_count(count: int) -> Pairs:
    return then(binomial(count, Fraction(1, 10)), lambda v: v if count >= 2 else 0)


def systematic(count: int) -> Pairs:
    """A start gives the floor or the ceiling of count / 4; the ceiling comes (count % 4) times in 4."""
    more = Fraction(count % 4, 4)
    return then([(count // 4 + 1, more), (count // 4, 1 - more)], lambda v: v if v >= 3 else 0)


def one_of(*probabilities: str) -> Callable[[int], Pairs]:
    return lambda frequency: bernoulli(Fraction([*probabilities][frequency]))


def response(keep: Fraction) -> Callable[[int], Pairs]:
    return lambda bit: [(bit, keep), (1 - bit, 1 - keep)]


def flipped_type(bit: int) -> Pairs:
    return [(bit, Fraction(3, 4)), (not bit, Fraction(1, 4))]


@dataclass(frozen=True)
class Pin:
    """The witness that must be found: Pr[event] is p on a, and q on b."""

    law: Callable[[Any], Pairs]
    a: Any
    b: Any
    event: list[Any]
    p: str
    q: str


PINS = {
    "geosample-strict": Pin(strict, 0, 1, [0], "124/225", "99/225"),
    "geosample-exponent": Pin(exponent, 0, 1, [0], "8/9", "4/9"),
    "geosample-floor": Pin(lambda c: noisy(c, "5/4", 0, 3), 0, 1, [0], "5/9", "4/9"),
    "geosample-half-scale": Pin(lambda c: noisy(c, "3/2", 0, 3), 0, 1, [0], "3/5", "2/5"),
    "geosample-natural-log": Pin(lambda c: noisy(c, "9/8", 0, 3), 0, 1, [0], "9/17", "8/17"),
    "geosample-raises": Pin(raises, 0, 1, [Raised("ValueError", ("0 with noise -2 is outside 0..2",))], "16/45", "0"),
    "geosample-rejection": Pin(rejection, 0, 1, [3], "64/125", "16/81"),
    "geosample-short-draw": Pin(short_draw, 0, 1, [(0, (225,))], "5/9", "0"),
    "geosample-unclamped": Pin(lambda c: noisy(c, "5/4", c - 3, c + 3), 0, 1, [-3], "64/225", "0"),
    "geosample-rounded": Pin(lambda c: rounded(c, "3/2", 12, 8), 1, 0, [11], "1/256", "0"),
    "fastsample-unmixed": Pin(unmixed, 1, 0, [41], f"{2**40}/{5 * 3**40}", "0"),
    "mixing-early-exit": Pin(early_exit, 0, 1, [(0, (256, 10))], "1278/2560", "1017/2560"),
    "basic-histogram-add-remove": Pin(add_remove, [0], [1], [((0, 1), (1, 0))], "9/25", "4/25"),
    "basic-histogram-by-count": Pin(by_count, [0, 1], [1, 1], [((0, 0), (1, 0))], "16/81", "0"),
    "basic-histogram-insertion-order": Pin(insertion_order, [0], [1], [((0, 1), (1, 0))], "25/81", "0"),
    "basic-histogram-shared-noise": Pin(shared_noise, [0, 0], [0, 1], [((0, 2), (1, 0))], "1/9", "0"),
    "basic-histogram-zeros": Pin(zeros, [0], [1], [((0, 1), (1, 0))], "5/9", "0"),
    "stability-histogram-at": Pin(
        lambda people: stable(people, 2, lambda z: z >= 1),
        [0, 1],
        [0, 0],
        [((1, 2),), ((0, 2), (1, 2)), ((1, 1),), ((0, 1), (1, 2))],
        "12/25",
        "0",
    ),
    "stability-histogram-lone": Pin(
        lambda people: stable(people, 4, lambda z: z > 2),
        [0, 0, 0, 1],
        [0, 0, 0, 0],
        [((1, 4),), ((0, 4), (1, 4)), ((1, 3),), ((0, 3), (1, 4))],
        "16/75",
        "0",
    ),
    "stability-histogram-true": Pin(true_counts, [0, 0], [0, 1], [((0, 2),)], "3/5", "0"),
    "stability-histogram-twice": Pin(
        twice,
        [0, 1],
        [0, 0],
        [
            ((), ((1, 2),)),
            (((1, 2),), ()),
            ((), ((0, 2), (1, 2))),
            (((0, 2),), ((1, 2),)),
            (((1, 2),), ((0, 2),)),
            (((1, 2),), ((1, 2),)),
        ],
        "252/625",
        "0",
    ),
    "sample-threshold-strict": Pin(lambda count: one_bin(count, 2), 2, 1, [2], "1/100", "0"),
    "sample-threshold-systematic": Pin(systematic, 9, 8, [3], "1/4", "0"),
    "sample-threshold-true-count": Pin(true_count, 2, 1, [1], "9/50", "0"),
    "sample-threshold-histogram-empty": Pin(
        empty, [], [0], [Raised("IndexError", ("list index out of range",))], "1", "0"
    ),
    "sample-threshold-histogram-fixed-size": Pin(fixed_size, [0, 0, 0, 1], [0, 0, 0, 0], [()], "1/2", "0"),
    "sample-threshold-histogram-size": Pin(size, [0], [], [(1, ())], "1/10", "0"),
    "sample-threshold-histogram-substituted": Pin(
        lambda people: sampled(people, Fraction(1, 4), 2, 2),
        [0, 0, 0, 1],
        [0, 0, 1, 1],
        [((0, 2),), ((0, 3),)],
        "5/32",
        "15/256",
    ),
    "pws-keys-thinned": Pin(one_of("0", "1/40", "3/20", "21/40", "9/10"), 3, 2, [True], "21/40", "3/20"),
    "pws-keys-two-terms": Pin(one_of("0", "1/10", "3/10", "7/10", "1"), 3, 4, [False], "3/10", "0"),
    "pws-keys-unsanitized": Pin(one_of("0", "1/4", "1/2", "3/4", "1"), 1, 0, [True], "1/4", "0"),
    "randomized-response-float": Pin(
        response(Fraction(7205759403792794, 2**53)),
        0,
        1,
        [0],
        f"7205759403792794/{2**53}",
        f"{2**53 - 7205759403792794}/{2**53}",
    ),
    "randomized-response-modulo": Pin(
        response(Fraction(2863311531, 2**32)), 0, 1, [0], f"2863311531/{2**32}", f"1431655765/{2**32}"
    ),
    "randomized-response-type": Pin(flipped_type, 0, 1, [0], "3/4", "0"),
}

MEANT: dict[str, Callable[[dict[str, str]], dict[str, str]]] = {
    "sample-threshold-strict": lambda given: {**given, "threshold": str(int(given["threshold"]) + 1)},
    "sample-threshold-histogram-fixed-size": lambda given: {
        **given,
        "rate": str(Fraction(int(given["size"]), int(given["n"]))),
    },
    "stability-histogram-lone": lambda given: {**given, "threshold": "3"},
}
"""The twin's settings, where they are not those of the broken mechanism."""

OTHER_NEIGHBOURS = {"sample-threshold-histogram-substituted": "add-remove"}
"""The neighbours for which the claim is true, where the fault is to name others."""


def default(mechanism: Mechanism) -> Instance:
    return mechanism.build(mechanism.settings({}))


def audited(name: str, instance: Instance, program: Callable[..., Any], neighbours: str) -> Report:
    """Audit a program at the claim of an instance, on its inputs."""
    subject = Subject(name, program, instance.inputs, RELATIONS[neighbours], observes=instance.observes)
    return decide(subject, ApproxDP(instance.epsilon, instance.delta), again=subject.digests)


def twin_of(mechanism: Mechanism) -> Instance:
    assert mechanism.twin is not None
    twin = CORRECT[mechanism.twin]
    settings = MEANT.get(mechanism.name, dict)(mechanism.settings({}))
    return twin.build(twin.settings({name: text for name, text in settings.items() if name in twin.settings({})}))


def test_every_broken_mechanism_has_its_witness_here() -> None:
    assert PINS.keys() == {mechanism.name for mechanism in ZOO}
    assert len(ZOO) >= 20


@by_name
def test_twin_the_law_in_plain_fractions(mechanism: Mechanism) -> None:
    instance, draws = default(mechanism), default(mechanism).observes == "outcome and draws"
    for value in instance.inputs:
        law = enumerate_law(instance.program, value, draws=draws).law
        assert law == Dist.of(PINS[mechanism.name].law(value))


@by_name
def test_caught_with_the_witness_that_must_be_found(mechanism: Mechanism) -> None:
    pin, instance = PINS[mechanism.name], default(mechanism)
    verdict = audited(mechanism.name, instance, instance.program, instance.neighbours).verdict
    assert isinstance(verdict, Refuted)
    assert (verdict.a, verdict.b, list(verdict.event)) == (pin.a, pin.b, pin.event)
    assert (verdict.p_lo, verdict.q_hi) == (Fraction(pin.p), Fraction(pin.q))


@by_name
def test_twin_the_witness_follows_from_the_law_and_none_is_smaller(mechanism: Mechanism) -> None:
    """Every pair is measured from the plain laws; of the least pair that violates, every event is no smaller."""
    pin, instance = PINS[mechanism.name], default(mechanism)
    laws = [Dist.of(pin.law(value)) for value in instance.inputs]
    lo, hi = instance.epsilon.exp_bounds(256)
    violating = []
    for i, a in enumerate(instance.inputs):
        for j, b in enumerate(instance.inputs):
            if not RELATIONS[instance.neighbours](a, b):
                continue
            gains = sorted((p - hi * laws[j].prob(x) for x, p in laws[i].items()), reverse=True)
            if sum(max(gain, Fraction(0)) for gain in gains) > instance.delta:
                violating.append((max(order_key(a), order_key(b)), order_key(a), order_key(b), a, b, gains))
            else:
                surely = (p - lo * laws[j].prob(x) for x, p in laws[i].items())
                assert sum(max(gain, Fraction(0)) for gain in surely) <= instance.delta
    *_, a, b, gains = min(violating, key=lambda row: row[:3])
    assert (a, b) == (pin.a, pin.b)
    p, q = (sum((Dist.of(pin.law(value)).prob(x) for x in pin.event), Fraction(0)) for value in (a, b))
    assert (p, q) == (Fraction(pin.p), Fraction(pin.q))
    assert p > hi * q + instance.delta
    assert sum(gains[: len(pin.event) - 1]) <= instance.delta


@by_name
def test_the_correct_twin_is_verified_at_the_same_claim_and_scope(mechanism: Mechanism) -> None:
    instance = default(mechanism)
    neighbours = OTHER_NEIGHBOURS.get(mechanism.name, instance.neighbours)
    report = audited(mechanism.name, instance, twin_of(mechanism).program, neighbours)
    assert isinstance(report.verdict, Verified)
    assert report.tail == 0
    assert report.pairs > 0


def test_deltas_that_are_claimed_exactly_leave_the_twin_no_room() -> None:
    for name, neighbours in (
        ("sample-threshold-histogram-substituted", "add-remove"),
        ("sample-threshold-histogram-fixed-size", "substitute"),
    ):
        (mechanism,) = (mechanism for mechanism in ZOO if mechanism.name == name)
        instance = default(mechanism)
        report = audited(name, instance, twin_of(mechanism).program, neighbours)
        assert report.delta_lo == report.delta_hi == instance.delta


def test_a_lost_tail_is_refuted_at_any_epsilon() -> None:
    """Of the two that lose a tail, no epsilon is large enough; the twins' ratios are at most 3/2 and e^(1/2)."""
    for name in ("geosample-rounded", "fastsample-unmixed"):
        (mechanism,) = (mechanism for mechanism in ZOO if mechanism.name == name)
        instance = default(mechanism)
        subject = Subject(name, instance.program, instance.inputs, RELATIONS["element"])
        assert isinstance(decide(subject, ApproxDP("1000", 0), again=subject.digests).verdict, Refuted)


def test_the_table_in_the_documentation_is_the_zoo() -> None:
    text = (Path(__file__).parents[2] / "docs" / "zoo.md").read_text(encoding="utf-8")
    rows = [re.split(r"(?<!\\) \| ", row.strip("| ")) for row in text.splitlines() if row.startswith("| `")]
    assert [row[0] for row in rows] == [f"`{mechanism.name}`" for mechanism in ZOO]
    for mechanism, row in zip(ZOO, rows, strict=True):
        pin = PINS[mechanism.name]
        event = "{" + ", ".join(show(outcome) for outcome in pin.event[:4]) + (", ...}" if len(pin.event) > 4 else "}")
        p, q = (str(Fraction(text)) for text in (pin.p, pin.q))
        witness = f"{event} has probability {p} on {show(pin.a)}, {q} on {show(pin.b)}"
        assert row[1:] == [f"`{mechanism.twin}`", str(mechanism.fault), witness]
