"""Many users audited by one beside others in order: that the pairs are those of all data sets, and verdicts say so."""

import pytest

from dpcert import InputError, Options, Refuted, Verified
from dpcert.audit.decide import decide, refuted_at
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.mechanisms.user_level import clipping
from dpcert.mechanisms.user_level.clipped_sum_l1 import CLIPPED_SUM_L1
from dpcert.mechanisms.user_level.clipped_sum_l2 import CLIPPED_SUM_L2
from dpcert.mechanisms.user_level.clipping import ORDERLESS, Users, datasets, datasets_for_sums
from dpcert.mechanisms.user_level.sampled_sum_l1 import SAMPLED_SUM_L1
from dpcert.mechanisms.zoo import ZOO
from dpcert.reading.paths.enumerator import enumerate_law
from dpcert.targets.cases import Case, built_in_case

SUMS = [CLIPPED_SUM_L1, CLIPPED_SUM_L2, SAMPLED_SUM_L1]
SMALL = {"users": "2", "dimension": "2", "most": "1", "grid": "1"}
MOST_USERS = range(8, 0, -1)


@pytest.mark.parametrize(("users", "dimension", "most"), [(3, 1, 2), (3, 2, 1), (4, 1, 1)])
def test_twin_each_replaced_user_put_first_beside_sorted_others_is_a_pair(
    users: int, dimension: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = datasets(users=users, dimension=dimension, most=most)
    assert datasets_for_sums(users=users, dimension=dimension, most=most) == (whole, ())
    monkeypatch.setattr(clipping, "MAX_INPUTS", len(whole) - 1)
    few, assumptions = datasets_for_sums(users=users, dimension=dimension, most=most)
    assert assumptions == (ORDERLESS,)
    assert {*few} == {moved(each, place) for each in whole for place in range(users)}
    near = RELATIONS["replace-user"]
    for a in whole:
        for place in range(users):
            for b in (b for b in whole if all(a[i] == b[i] for i in range(users) if i != place) and a != b):
                assert near(moved(a, place), moved(b, place))


def moved(data: Users, place: int) -> Users:
    return (data[place], *sorted([*data[:place], *data[place + 1 :]]))


@pytest.mark.parametrize("mechanism", SUMS, ids=lambda one: one.name)
def test_exact_twin_the_order_of_users_plays_no_part(mechanism: Mechanism) -> None:
    instance = mechanism.build(mechanism.settings(SMALL))
    assert instance.assumptions == ()
    assert instance.closed_form is not None
    for data in instance.inputs[:6]:
        assert instance.closed_form(data) == instance.closed_form(tuple(reversed(data)))
        if mechanism is not CLIPPED_SUM_L2:  # whose program sees the sum alone, and is slow
            assert enumerate_law(instance.program, data).law == enumerate_law(instance.program, data[::-1]).law


@pytest.mark.nightly
def test_eight_users_are_verified_beside_others_in_order() -> None:
    case = built_in_case(CLIPPED_SUM_L1, {"users": "8", "most": "1"}, Options(law_source="closed-form"))
    report = decide(case.subject, case.guarantee, again=case.subject.digests, certifies=False)
    assert isinstance(report.verdict, Verified)
    assert (len(report.claim.inputs), report.assumptions) == (480, (ORDERLESS,))


def quick(fault: Mechanism) -> object:
    """Return a fault for a plain test where its outcomes are few."""
    marks = () if fault.name in ("clipped-sum-l1-add-remove", "clipped-sum-l1-up") else pytest.mark.nightly
    return pytest.param(fault, id=fault.name, marks=marks)


def with_most_users(fault: Mechanism) -> Case:
    """Return the case of a fault with as many users as are audited, 8 at the most."""
    for users in MOST_USERS:
        try:
            return built_in_case(fault, {"users": str(users)}, Options())
        except InputError:
            continue
    raise AssertionError


@pytest.mark.parametrize("broken", [quick(one) for one in ZOO if one.fault and one.fault.of is CLIPPED_SUM_L1])
def test_caught_each_fault_at_many_users(broken: Mechanism) -> None:
    case, seen = with_most_users(broken), broken.fault.expected
    idle = ((0,) * len(seen.a[0]),) * (len(case.subject.inputs[0]) - len(seen.a))
    first, second = (case.subject.inputs.index((*one, *idle)) for one in (seen.a, seen.b))
    report = refuted_at(case.subject, case.guarantee, (first, second))
    assert isinstance(report.verdict, Refuted)


def test_refused_more_data_sets_than_are_audited() -> None:
    for settings in ({"users": 8, "dimension": 2, "most": 2}, {"users": 1000, "dimension": 100, "most": 10**6}):
        with pytest.raises(InputError, match="the data sets to audit"):
            datasets_for_sums(**settings)
