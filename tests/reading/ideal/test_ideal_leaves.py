"""Evidence that the machine finds the leaves on ideal noise: a second reader, wrong noise, paths that are given."""

from dataclasses import replace

import numpy as np
import pytest

from dpcert.audit.ideal import read
from dpcert.audit.ideal.explore import laws_of
from dpcert.audit.ideal.read import Reader
from dpcert.audit.ideal.seen.running import OPEN, Open
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import key
from dpcert.mechanisms.ideal.noise import Law, Rate
from dpcert.reading.ideal import draws
from dpcert.reading.ideal.explore import Limits, Ways
from tests.reading.ideal import leaves


def marks(paths):
    return {
        (path.laws, path.inequalities, path.weight, key(path.outcome), path.drawn, path.draws, path.held, path.derived)
        for path in paths
    }


@pytest.mark.parametrize("program", leaves.PROGRAMS, ids=lambda each: each.__name__)
def test_leaves_are_those_of_runs_on_stand_ins(program):
    expected = laws_of(program, [0, 1], in_floats=True)
    found = Reader(program).laws([0, 1])
    assert [marks(row) for row in found] == [marks(row) for row in expected]


def test_outcomes_of_an_order_by_another_sort_are_as_many():
    ((found,), (expected,)) = (
        Reader(leaves.median).laws([0]),
        laws_of(leaves.median, [0]),
    )
    assert {key(path.outcome) for path in found} == {key(path.outcome) for path in expected}


def test_noise_is_put_into_an_array_of_floats():
    (paths,) = Reader(leaves.in_place).laws([2])
    (cells,) = [path.outcome for path in paths]
    assert cells.shape == (2,)
    assert [part.offset for part in cells.items] == [2, 0]


def of_epsilon(x, rng, epsilon):
    scale = 2 / epsilon
    return x + rng.laplace(scale=scale), abs(epsilon) > 0, rng.geometric(1 - np.exp(-epsilon / 2)) > x


@pytest.mark.parametrize("epsilon", [OPEN, 2])
def test_epsilon_is_left_open_or_given(epsilon):
    expected = laws_of(of_epsilon, [0], epsilon=epsilon)
    found = Reader(of_epsilon, epsilon).laws([0])
    assert marks(found[0]) == marks(expected[0])
    power = 1 if epsilon == OPEN else 0
    assert found[0][0].laws[0] == Law("laplace", Rate(1 if power == 0 else Law("laplace").rate.factor / 2, power))


@pytest.mark.parametrize("form", [[0.0, 0.0], (0.0, 0.0), np.zeros(2)], ids=["list", "tuple", "array"])
def test_open_inputs_have_the_form_of_a_value(form):
    def program(queries, rng):
        return [query + rng.laplace() > 1 for query in queries], queries[0] + rng.laplace()

    found, expected = Reader(program).laws([Open(form)]), laws_of(program, [Open(form)])
    assert {path.inequalities for path in found[0]} == {path.inequalities for path in expected[0]}
    assert len(found[0]) == 4


def test_a_path_that_is_given_is_followed_and_must_answer_all():
    paths = Reader(leaves.stopped).laws([0])
    again = Reader(leaves.stopped).replayed([0], paths)
    assert [marks(row) for row in again] == [marks(row) for row in paths]
    shorter = [[replace(paths[0][0], inequalities=paths[0][0].inequalities[:-1])]]
    with pytest.raises(Unauditable, match="what the path that is given leaves open"):
        Reader(leaves.stopped).replayed([0], shorter)


def test_states_are_made_anew_from_bytes_in_either_order():
    orders = [[path for path, _ in Ways(leaves.by_hand, 0, reverse=each).leaves()] for each in (False, True)]
    assert marks(orders[0]) == marks(orders[1])
    assert [path.outcome for path in orders[0]] != [path.outcome for path in orders[1]]


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (Limits(decisions=3), "more than 3 comparisons"),
        (Limits(paths=5), "more than 5 paths"),
        (Limits(until=0), "more paths than are followed in the time"),
    ],
)
def test_caught_more_ways_than_are_followed(limits, words):
    def loops(x, rng):
        while rng.laplace() < 0:
            pass

    with pytest.raises(Unauditable, match=words):
        Reader(loops, limits=limits).laws([0])


def test_caught_a_rule_that_draws_other_noise(monkeypatch):
    """The run on floats draws from the library's own methods: what the machine draws wrongly ends elsewhere."""
    wrong = draws.geometric
    monkeypatch.setattr(
        "dpcert.reading.ideal.numpys._geometric", lambda m, host, owner, name, seen, given: wrong(m, given["p"])
    )
    assert Reader(leaves.geometric_mechanism).laws([0])

    def shifted(m, host, owner, name, seen, given):
        return draws.constant(m, 3, ("int",))

    monkeypatch.setattr("dpcert.reading.ideal.numpys.MADE", ((("geometric",), shifted),))
    monkeypatch.setattr("dpcert.reading.ideal.numpys.CONTINUOUS", {})
    with pytest.raises(Unauditable, match=r"it meets|on floats in the same place"):
        Reader(lambda x, rng: x + rng.geometric(0.5)).laws([0])


def test_caught_an_order_of_branches_that_matters(monkeypatch):
    real = read.read_ways

    def unlike(program, value, **settings):
        found = real(program, value, **settings)
        return replace(found, leaves=found.leaves[1:]) if settings.get("reverse") else found

    monkeypatch.setattr(read, "read_ways", unlike)
    with pytest.raises(Unauditable, match="computed a second time, a path differs"):
        Reader(leaves.order).laws([0])
