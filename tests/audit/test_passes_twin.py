"""Evidence for the order of passes.py: by chance, it does what lists of pairs and laws do.

Each seed is 600 claims: all relations of the kernel and the user's own, guarantees that hold, fail and stay open, laws
with tails, and budgets from below zero to more than all laws take.
"""

import random
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest
from given_laws import each_pair, examination

from dpcert import ApproxDP, Claim, Dist, InputError, Neighbours, PureDP, Unauditable, Verified
from dpcert.audit.kernel.divergence import decide_pair
from dpcert.audit.kernel.examine import Examination
from dpcert.audit.kernel.neighbours import RELATIONS, custom
from dpcert.audit.passes import memory
from dpcert.mechanisms.exact.outcome import key

CLAIMS = 600
GUARANTEES = (PureDP("ln(4)"), ApproxDP("ln(3)", "1/6"), ApproxDP("ln(3)", "1/2"), ApproxDP("1/2", "3/4"), PureDP(0))
Pair = tuple[int, int]


def some_inputs(toss: random.Random, name: str) -> tuple[Any, ...]:
    if name == "counts_differ_by_one":
        return tuple(toss.sample(range(-3, 9), toss.randint(0, 7)))
    rows = {tuple(toss.randint(0, 2) for _ in range(toss.randint(0, 3))) for _ in range(toss.randint(0, 7))}
    return tuple(toss.sample(sorted(rows), len(rows)))


def some_relation(toss: random.Random, name: str, inputs: tuple[Any, ...]) -> Neighbours:
    """Return the kernel's relation of that name, or one by chance, which may hold in one order alone."""
    chance = toss.choice((0.1, 0.5, 1))
    table = {(key(a), key(b)): toss.random() < chance for a in inputs for b in inputs}
    return RELATIONS[name] if name in RELATIONS else custom(lambda a, b: table[key(a), key(b)])


def some_law(toss: random.Random) -> Dist:
    weights = [toss.randint(1, 4) for _ in range(toss.randint(1, 3))]
    outcomes = [toss.choice([i, i, f"{'x' * 300}{i}"]) for i in range(len(weights))]
    return Dist.from_weights(zip(outcomes, weights, strict=True), sum(weights) + toss.choice((0, 0, 0, 0, 1)))


def some_budget(toss: random.Random, sizes: list[int]) -> int:
    return toss.choice((-5, 0, 1, max(sizes, default=1), toss.randint(0, sum(sizes) + 1), sum(sizes), 1 << 100))


def pairs_of(inputs: tuple[Any, ...], related: Neighbours) -> list[Pair]:
    """Return the ordered pairs as a list, from the predicate alone."""
    near = related.predicate
    both = permutations(range(len(inputs)), 2)
    return [(a, b) for a, b in both if near(inputs[a], inputs[b]) is True or near(inputs[b], inputs[a]) is True]


def some_claims(seed: int) -> Iterator[tuple[random.Random, Claim, list[Dist], list[Pair], bool]]:
    """Yield claims with their laws, their pairs, and whether each pair is within the guarantee."""
    toss = random.Random(seed)
    for _ in range(CLAIMS):
        name = toss.choice([*RELATIONS, "by chance"])
        inputs = some_inputs(toss, name)
        asked = Claim("m", (), inputs, some_relation(toss, name, inputs), toss.choice(GUARANTEES))
        few = [some_law(toss) for _ in range(toss.choice((1, 2, 9)))]
        laws = [toss.choice(few) for _ in inputs]
        pairs, guarantee = pairs_of(inputs, asked.neighbours), asked.guarantee
        all_within = all(decide_pair(laws[a], laws[b], guarantee.epsilon, guarantee.delta)[0] is True for a, b in pairs)
        pure_tail = guarantee.delta == 0 and any(law.tail for law in laws)
        yield toss, asked, laws, pairs, bool(pairs) and all_within and not pure_tail


def answered(found: Examination, budget: int) -> list[Pair]:
    return [(answer.a, answer.b) for answer in each_pair(found, budget=budget)]


@pytest.mark.points(1)
@pytest.mark.parametrize("seed", range(4))
def test_exact_twin_every_pair_once_and_verified_only_where_a_list_says_so(seed: int) -> None:
    said = set()
    for toss, asked, laws, pairs, holds in some_claims(seed):
        sizes, again = [memory(law) for law in laws], [law.digest() for law in laws]
        budget = some_budget(toss, sizes)
        found, done = examination(asked, laws.__getitem__), []
        for answer in each_pair(found, budget=budget):
            assert (found.held[answer.a], found.held[answer.b]) == (laws[answer.a], laws[answer.b])
            assert sum(sizes[position] for position in found.held) <= max(budget, 0) + 2 * max(sizes)
            done.append((answer.a, answer.b))
            assert isinstance(found.verdict(again), Verified) is (holds and len(done) == len(pairs) and whole(found))
        assert sorted(done) == pairs
        assert (found.held, found.digests) == ({}, dict(enumerate(again)))
        verdict = found.verdict(again)
        assert isinstance(verdict, Verified) is holds
        if isinstance(verdict, Verified):
            assert (verdict.pairs, verdict.laws) == (len(pairs), tuple(again))
            assert verdict.tail == max(law.tail for law in laws)
        said.add((holds, budget < sum(sizes)))
    assert len(said) == 4


def whole(found: Examination) -> bool:
    """Whether the law of every input was handed in, those without a neighbour too."""
    return len(found.digests) == len(found.claim.inputs)


@pytest.mark.points(1)
@pytest.mark.parametrize("seed", range(4, 6))
def test_exact_twin_an_order_that_was_left_and_pairs_decided_by_hand_leave_the_rest(seed: int) -> None:
    for toss, asked, laws, pairs, holds in some_claims(seed):
        again, sizes = [law.digest() for law in laws], [memory(law) for law in laws]
        found = examination(asked, laws.__getitem__)
        by_hand = toss.sample(pairs, toss.randint(0, len(pairs) // 2))
        for position in {position for pair in by_hand for position in pair}:
            found.hold(position)
        for pair in by_hand:
            found.pair(*pair)
        left = each_pair(found, budget=some_budget(toss, sizes))
        begun = [next(left) for _ in range(toss.randint(0, len(pairs) - len(by_hand)))]
        left.close()
        rest = answered(found, some_budget(toss, sizes))
        assert sorted([*by_hand, *((answer.a, answer.b) for answer in begun), *rest]) == pairs
        assert isinstance(found.verdict(again), Verified) is holds


@pytest.mark.points(1)
@pytest.mark.parametrize("seed", range(6, 8))
def test_caught_law_that_changes_between_any_two_calls_and_never_verified(seed: int) -> None:
    other, noticed = Dist.uniform(97), 0
    for toss, asked, laws, _, holds in some_claims(seed):
        if not laws:
            continue
        changed, since, calls = toss.randrange(len(laws)), toss.choice((1, 2)), [0] * len(laws)

        def law_of(
            position: int, laws: list[Dist] = laws, calls: list[int] = calls, odd: int = changed, since: int = since
        ) -> Dist:
            calls[position] += 1
            return other if position == odd and calls[position] > since else laws[position]

        found = examination(asked, law_of)
        caught = False
        try:
            answered(found, some_budget(toss, [memory(law) for law in laws]))
        except Unauditable:
            caught = True
        assert caught is (calls[changed] > since)
        verified = isinstance(found.verdict([law.digest() for law in laws]), Verified)
        assert verified is (holds and not caught)
        noticed += caught
    assert noticed > 5


def test_refused_relation_that_raises_or_answers_otherwise_at_any_pair_before_a_law_is_asked_for() -> None:
    for at in range(1, 13):
        for answer in (1, None, "True", ZeroDivisionError()):
            count = [0]

            def near(a: int, b: int, at: int = at, answer: object = answer, count: list[int] = count) -> Any:
                count[0] += 1
                if count[0] == at and isinstance(answer, Exception):
                    raise answer
                return answer if count[0] == at else False

            with pytest.raises(InputError, match="near"):
                examination(Claim("m", (), (0, 1, 2, 3), custom(near), PureDP(0)), [].__getitem__)
