"""Evidence for audits whose laws exceed the budget of memory: laws come again, and the answer is the same."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import partial

import pytest

from dpcert import ApproxDP, Coins, Dist, Refuted, Report, Unauditable, Undecided, Verified
from dpcert.audit import passes
from dpcert.audit.certificates import MAX_EMBEDDED, certificate_of, text_of
from dpcert.audit.decide import decide
from dpcert.audit.kernel.check import Rejected, check
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.audit.passes import memory
from dpcert.audit.subject import Subject

COUNT = 6


class Table:
    """The laws of a randomized response on so many answers, noting how often each is asked for."""

    def __init__(self, kept: int = 7, size: int = 1) -> None:
        self.kept, self.size = kept, size
        self.asked: Counter[int] = Counter()

    def law(self, x: int) -> Dist:
        return Dist.from_weights(
            ((y, self.size * (self.kept if x == y else 4)) for y in range(COUNT)),
            self.size * (self.kept + 4 * COUNT - 4),
        )

    def __call__(self, x: int) -> Dist:
        self.asked[x] += 1
        return self.law(x)


def respond(x: int, coins: Coins) -> int:
    return x


def subject(table: Table, neighbours: str = "any") -> Subject:
    return Subject(
        "table", respond, tuple(range(COUNT)), RELATIONS[neighbours], law_source="closed-form", closed_form=table
    )


def audit(found: Subject, guarantee: ApproxDP, table: Table) -> Report:
    return decide(found, guarantee, again=lambda: [table.law(x).digest() for x in range(COUNT)])


@contextmanager
def holding(laws: int, table: Table) -> Iterator[None]:
    """While this lasts, audits and checks hold so many laws at once, and one more."""
    small = partial(passes.examined, budget=laws * memory(table.law(0)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dpcert.audit.decide.examined", small)
        patch.setattr("dpcert.audit.passes.examined", small)
        yield


@pytest.mark.parametrize(("laws", "calls"), [(1, 6 + 5 + 4 + 3 + 2), (2, 6 + 4 + 2), (3, 6 + 3), (5, 6), (6, 6)])
def test_a_verified_claim_has_the_same_certificate_and_is_rechecked_in_passes(laws: int, calls: int) -> None:
    whole, parted = Table(), Table()
    one = audit(subject(whole), ApproxDP("ln(7/4)", 0), whole)
    with holding(laws, parted):
        two = audit(subject(parted), ApproxDP("ln(7/4)", 0), parted)
        assert isinstance(one.verdict, Verified)
        assert two.verdict == one.verdict
        assert two.certificate == one.certificate
        assert (two.pairs, two.tail, two.delta_lo, two.delta_hi) == (30, 0, one.delta_lo, one.delta_hi)
        assert (two.epsilon_lo, two.epsilon_hi, two.worst) == (one.epsilon_lo, one.epsilon_hi, one.worst)
        assert parted.asked.total() == calls  # those of the worst event are kept
        parted.asked.clear()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("dpcert.audit.decide.SHORT", 1)
            assert audit(subject(parted), ApproxDP("ln(7/4)", 0), parted).worst == one.worst
        assert parted.asked.total() == calls + 2  # they are too long to keep
        parted.asked.clear()
        assert check(certificate_of(text_of(one.certificate)), subject(parted), passes.examined) == one.verdict
        assert parted.asked.total() == calls
        assert parted.asked[COUNT - 1] == len(range(0, COUNT - 1, laws))


@pytest.mark.parametrize("laws", range(1, 7))
def test_a_false_claim_has_the_same_witness_in_passes(laws: int) -> None:
    whole, parted = Table(), Table()
    guarantee = ApproxDP("ln(3/2)", "1/1000")
    one = audit(subject(whole), guarantee, whole)
    with holding(laws, parted):
        two = audit(subject(parted), guarantee, parted)
        assert isinstance(one.verdict, Refuted)
        assert two.verdict == one.verdict
        assert two.certificate == one.certificate
        assert check(one.certificate, subject(parted), passes.examined) == one.verdict


@pytest.mark.parametrize("changed", range(1, COUNT))
def test_caught_closed_form_that_changes_when_it_is_asked_again(changed: int) -> None:
    table, other = Table(), Table(kept=6)

    class Turning(Table):
        def __call__(self, x: int) -> Dist:
            law = super().__call__(x)
            return other.law(x) if x == changed and self.asked[x] == 2 else law

    turning, guarantee = Turning(), ApproxDP("ln(7/4)", 0)
    certificate = audit(subject(table), guarantee, table).certificate
    line = "computed a second time, a law differs"
    with holding(1, table):
        report = audit(subject(turning), guarantee, table)
        assert isinstance(report.verdict, Undecided)
        assert report.verdict.reason == f"{line}, although none has a tail; no two runs were found that show why"
        assert report.certificate is None
        turning.asked.clear()
        with pytest.raises(Unauditable, match=f"^{line}$"):
            check(certificate, subject(turning), passes.examined)


def test_caught_certificate_of_a_false_claim_in_passes() -> None:
    table = Table()
    certificate = audit(subject(table), ApproxDP("ln(7/4)", 0), table).certificate
    worse = Table(kept=8)
    with holding(2, table), pytest.raises(Rejected, match=r"^the pair of inputs 0 and 1 is not within the bound$"):
        check(certificate, subject(worse), passes.examined)


def test_a_law_that_comes_again_is_embedded_once() -> None:
    """Together they take most of what a certificate embeds; all but the first and the last come twice."""
    table = Table(size=1 << (MAX_EMBEDDED * 4 * 8 // 10 // (COUNT * (COUNT + 1))))
    with holding(1, table):
        report = audit(subject(table, "counts_differ_by_one"), ApproxDP(1, Fraction(1, 2)), table)
    assert table.asked.total() >= 2 * COUNT - 2
    assert len(report.certificate.embedded) == COUNT
    size = len(json.dumps(report.certificate.embedded))
    assert size < MAX_EMBEDDED < size * (2 * COUNT - 2) // COUNT
