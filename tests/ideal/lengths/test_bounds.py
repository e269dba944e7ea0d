"""Bounds for lists of any length: those of the literature's private programs, none for what is not private, and the
same turns as the paths of short lists."""

from collections import Counter
from fractions import Fraction
from functools import partial

import pytest
from ideal.rows import CHECKDP, SHADOWDP, STATDP

from dpcert.audit.ideal.align import align, corners
from dpcert.audit.ideal.alignment import check_alignments
from dpcert.audit.ideal.explore import laws_of
from dpcert.audit.ideal.lengths import alike, bound_for_any_length, turns_of
from dpcert.audit.ideal.merge import open_steps
from dpcert.audit.ideal.outcomes import noisy_parts
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.meant import OPEN, Open
from dpcert.mechanisms.ideal.path import normal_form


def redrawn(queries, rng, epsilon):
    """A fresh threshold after each of three answers above."""
    threshold = rng.laplace(0, 6 / epsilon)
    answers, found = [], 0
    for query in queries:
        above = query + rng.laplace(0, 12 / epsilon) >= threshold
        answers.append(above)
        if above:
            found += 1
            if found == 3:
                break
            threshold = rng.laplace(0, 6 / epsilon)
    return answers


def index_of_first(queries, rng, epsilon):
    """The index of the first query above."""
    threshold = rng.laplace(0, 2 / epsilon)
    for i, query in enumerate(queries):
        if query + rng.laplace(0, 4 / epsilon) >= threshold:
            return i
    return None


def noisy_total(queries, rng, epsilon):
    """A sum by a loop, kept in a function's own variable."""
    total = 0.0

    def add(query):
        nonlocal total
        total = total + query

    for query in queries:
        add(query)
    return total + rng.laplace(0, 1 / epsilon)


def one_sided(queries, rng, epsilon):
    """Exponential noise on the queries, for which a shift upwards alone has a price."""
    threshold = rng.laplace(0, 2 / epsilon)
    for i, query in enumerate(queries):
        if query + rng.exponential(4 / epsilon) >= threshold:
            return i
    return None


def coins_beside(queries, rng, epsilon):
    """Each count with noise, or its place alone, by a coin."""
    return [query + rng.laplace(0, 1 / epsilon) if rng.integers(0, 2) else None for query in queries]


def every_other(queries, rng, epsilon):
    """Noise on the first of every three counts alone, and nothing of the others."""
    answers = []
    for i, query in enumerate(queries):
        if i % 3 == 0:
            answers.append(query + rng.laplace(0, 1 / epsilon))
    return answers


PRIVATE = [  # with the relation and the bound
    (redrawn, "linf", "1"),
    (index_of_first, "linf", "1"),
    (noisy_total, "l1", "1"),
    (coins_beside, "l1", "1"),
    (every_other, "l1", "1"),
    (one_sided, "linf", "1"),
]


def threshold_each_turn(queries, rng, epsilon):
    """A threshold that is drawn anew for each query."""
    answers = []
    for query in queries:
        answers.append(query + rng.laplace(0, 4 / epsilon) >= rng.laplace(0, 2 / epsilon))
    return answers


def noise_once(queries, rng, epsilon):
    """The noise of all queries drawn once."""
    threshold, noise = rng.laplace(0, 2 / epsilon), rng.laplace(0, 4 / epsilon)
    for i, query in enumerate(queries):
        if query + noise + rng.laplace(0, 1 / epsilon) - noise >= threshold - noise:
            return i
    return None


def stops_too_late(queries, rng, epsilon):
    """One answer above more than the noise is for, after the first."""
    threshold = rng.laplace(0, 2 / epsilon)
    answers, found = [], 0
    for query in queries:
        if query + rng.laplace(0, 4 / epsilon) >= threshold:
            answers.append(True)
            found += 1
            if found > 1:
                break
        else:
            answers.append(False)
    return answers


def tells_last(queries, rng, epsilon):
    """The last query itself, kept from turn to turn."""
    last = 0.0
    for query in queries:
        last = query
    return last


def tells_sum_of_noise(queries, rng, epsilon):
    """The noise beside each noisy count."""
    answers = []
    for query in queries:
        noise = rng.laplace(0, 1 / epsilon)
        answers.append((query + noise, noise))
    return answers


def counts_above(queries, rng, epsilon):
    """How many are above: one more with each."""
    threshold = rng.laplace(0, 2 / epsilon)
    count = 0
    for query in queries:
        if query + rng.laplace(0, 4 / epsilon) >= threshold:
            count += 1
    return count


def sums_all(queries, rng, epsilon):
    """A sum of counts all of which may differ."""
    return sum(queries) + rng.laplace(0, 1 / epsilon)


def twice_told(queries, rng, epsilon):
    """Each noisy count twice, with noise of its own."""
    answers = []
    for query in queries:
        answers.append(query + rng.laplace(0, 1 / epsilon))
        answers.append(query + rng.laplace(0, 1 / epsilon))
    return answers


NOT_PRIVATE = [  # at (1, 0), with the relation
    (threshold_each_turn, "linf"),
    (noise_once, "linf"),
    (stops_too_late, "linf"),
    (tells_last, "linf"),
    (tells_last, "l1"),
    (tells_sum_of_noise, "l1"),
    (counts_above, "linf"),
    (sums_all, "linf"),
    (twice_told, "l1"),
    (coins_beside, "linf"),
]


ROWS = list({(row.name, row.relation): row for row in (*CHECKDP, *SHADOWDP, *STATDP)}.values())
ARRAYS = ("noisymax", "noisy max 1", "noisy max 2")
LOOPS = [row for row in ROWS if row.name not in ARRAYS]


def program_of(row):
    return partial(row.program, **row.settings)


def bound_or_none(program, relation):
    try:
        return bound_for_any_length(program, relation, epsilon=OPEN).bound
    except Unauditable:
        return None


@pytest.mark.parametrize("row", [row for row in ROWS if row.private], ids=lambda row: row.name)
def test_private_programs_are_bound_for_every_length(row):
    found = bound_for_any_length(program_of(row), row.relation, epsilon=OPEN)
    assert found.power == 1
    assert found.bound <= row.claim


@pytest.mark.parametrize("row", [row for row in ROWS if not row.private], ids=lambda row: row.name)
def test_no_wrong_program_is_within_its_claim(row):
    found = bound_or_none(program_of(row), row.relation)
    assert found is None or found > row.claim


@pytest.mark.parametrize(("program", "relation", "bound"), PRIVATE)
def test_bounds_of_other_loops(program, relation, bound):
    assert bound_for_any_length(program, relation, epsilon=OPEN).bound == Fraction(bound)


@pytest.mark.parametrize(("program", "relation"), NOT_PRIVATE)
def test_no_other_wrong_loop_is_within_its_claim(program, relation):
    found = bound_or_none(program, relation)
    assert found is None or found > 1


def test_a_bound_at_one_epsilon():
    found = bound_for_any_length(redrawn, "linf", epsilon=Fraction(1, 3))
    assert (found.bound, found.power) == (Fraction(1, 3), 0)


@pytest.mark.parametrize(
    ("program", "relation", "lengths"),
    [
        *(
            (program_of(row), row.relation, (1, 2))
            for row in LOOPS
            if row.private and row.program.__name__ != "svt_monotone"
        ),
        (redrawn, "linf", (1, 2)),
    ],
)
def test_no_bound_is_below_that_of_short_lists(program, relation, lengths):
    whole = bound_for_any_length(program, relation, epsilon=OPEN).bound
    for n in lengths:
        (paths,) = laws_of(program, [Open([0.0] * n)], epsilon=OPEN)
        steps = open_steps(paths, corners(relation, n))
        assert check_alignments(steps, align(steps)).bound <= whole


def unrolled(data, n):
    """Return the ways of turns on lists of n numbers: inequalities and released numbers, of the list's numbers and of
    noise in the order in which it is drawn."""
    ways = [(0, {}, 0, 0, (), ())]  # mode, carried forms, numbers read, noise drawn, inequalities, released
    ended = []
    while ways:
        mode, carried, read, drawn, rows, released = ways.pop()
        for turn in data["turns"]:
            if turn["mode"] != mode or (mode and turn["asks"] != (read < n)):
                continue
            known = {-1 - place: form for place, form in carried.items()}
            if turn["asks"]:
                known[-1 - len(carried)] = {-1 - read: Fraction(1)}
            known |= {name: {drawn + name: Fraction(1)} for name in range(len(turn["noise"]))}

            def whole(form, known=known):
                found = {}
                for name, c in form:
                    for other, x in known[name].items():
                        found[other] = found.get(other, 0) + Fraction(c) * x
                return {name: c for name, c in found.items() if c}

            own = rows
            for mark, side in turn["steps"]:
                if mark[0] == "row":
                    form, threshold, flipped = normal_form(whole(mark[1]), -Fraction(mark[2]))
                    own = (*own, (form, threshold, side != flipped))
            told = (*released, *(tuple(sorted(whole(form).items())) for form in turn["released"]))
            if turn["target"] is None:
                ended.append((frozenset(own), told))
            else:
                after = {place: whole(form) for place, form in enumerate(turn["carried"])}
                ways.append((turn["target"], after, read + turn["asks"], drawn + len(turn["noise"]), own, told))
    return ended


@pytest.mark.parametrize(
    "program", [*(program_of(row) for row in LOOPS if row.private), redrawn, index_of_first, noisy_total, every_other]
)
def test_turns_are_the_paths_of_short_lists(program):
    data, _ = turns_of(program, epsilon=OPEN)
    for n in range(4):
        (paths,) = laws_of(program, [Open([0.0] * n)], epsilon=OPEN)
        expected = [
            (
                frozenset((item.form, item.threshold, item.above) for item in path.inequalities),
                tuple(tuple(sorted(part.terms)) for part in noisy_parts(path.outcome)),
            )
            for path in paths
        ]
        assert Counter(unrolled(data, n)) == Counter(expected)


def test_readings_that_differ_are_told_apart():
    one, _ = turns_of(redrawn, epsilon=OPEN)
    assert alike(one, one)
    for place, turn in enumerate(one["turns"]):
        for part, other in (
            ("noise", []),
            ("carried", [[[0, "7"]]]),
            ("target", 1 if turn["target"] is None else None),
        ):
            if turn[part] != other:
                turns = [{**turn, part: other} if number == place else row for number, row in enumerate(one["turns"])]
                assert not alike(one, {**one, "turns": turns})
    assert not alike(one, {**one, "turns": one["turns"][:-1]})
    assert not alike(one, {**one, "modes": [*one["modes"][:-1], 5]})
