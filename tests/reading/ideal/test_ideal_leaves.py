"""Evidence that the machine finds the leaves on ideal noise: a second reader, wrong noise, paths that are given."""

from dataclasses import replace

import numpy as np
import pytest

from dpcert.audit.ideal import explore
from dpcert.audit.ideal.explore import Reader, laws_of
from dpcert.audit.ideal.led import Point, led_everywhere, run
from dpcert.audit.ideal.outcomes import agree
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import key
from dpcert.mechanisms.ideal.meant import OPEN, Open
from dpcert.mechanisms.ideal.noise import Law, Rate
from dpcert.reading.domains.forms import Meaning
from dpcert.reading.ideal import draws
from dpcert.reading.ideal.explore import Limits, Ways
from tests.reading.ideal import leaves


def marks(paths):
    return {
        (path.laws, path.inequalities, path.weight, key(path.outcome), path.drawn, path.draws, path.held, path.derived)
        for path in paths
    }


DRAWN = {
    "laplace": "laplace",
    "normal": "normal",
    "exponential": "exponential",
    "uniform": "random",
    "geometric": "geometric",
    "poisson": "poisson",
}


def drawn(law, rng):
    """One number as numpy draws it around 0, of a scale of 2 or so."""
    name = DRAWN[law.kind]
    if law.kind in ("uniform", "geometric", "poisson"):
        return getattr(rng, name)(*{"uniform": [], "geometric": [0.4], "poisson": [2]}[law.kind])
    return getattr(rng, name)(scale=2)


def lies_in(path, values):
    sums = ((sum(c * values[name] for name, c in item.form), item) for item in path.inequalities)
    return all((float(found) > item.threshold) is item.above for found, item in sums)


class At(Point):
    """A point at numbers that are drawn, not looked for."""

    def __init__(self, path, values):
        super().__init__(path, dict(enumerate(values)))


@pytest.mark.parametrize("program", leaves.PROGRAMS, ids=lambda each: each.__name__)
def test_numbers_as_numpy_draws_them_lead_to_their_leaf(program):
    """CPython, run by a second reader of the path on random numbers inside it, ends as the leaf says."""
    rng, reader = np.random.default_rng(7), Reader(program, meaning=Meaning(meant=False))
    paths = reader.laws([1])[0]
    compared = 0
    with led_everywhere(reader.led, reader.holders):
        for path in paths:
            for _ in range(100):
                values = [drawn(law, rng) for law in path.laws]
                if lies_in(path, values):
                    point = At(path, values)
                    outcome = run(program, 1, None, reader.led, point)
                    assert point.left() is None
                    assert agree(path.outcome, outcome, dict(enumerate(point.values)))
                    compared += 1
    assert compared >= len(paths)


ALIKE = [each for each in leaves.PROGRAMS if each.__name__ in ("order", "noisy_max", "by_hand", "greatest", "rounded")]


@pytest.mark.parametrize("program", ALIKE, ids=lambda each: each.__name__)
def test_random_numbers_lie_in_one_leaf(program):
    rng, paths = np.random.default_rng(7), laws_of(program, [1])[0]
    longest = max((path.laws for path in paths), key=len)
    for _ in range(100):
        values = [drawn(law, rng) for law in longest]
        assert sum(lies_in(path, values) for path in paths) == 1


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
    found = Reader(of_epsilon, epsilon).laws([0])
    assert sorted(path.outcome[1:] for path in found[0]) == [(True, True)]
    power = 1 if epsilon == OPEN else 0
    assert found[0][0].laws[0] == Law("laplace", Rate(1 if power == 0 else Law("laplace").rate.factor / 2, power))


@pytest.mark.parametrize("form", [[0.0, 0.0], (0.0, 0.0), np.zeros(2)], ids=["list", "tuple", "array"])
def test_open_inputs_have_the_form_of_a_value(form):
    def program(queries, rng):
        return [query + rng.laplace() > 1 for query in queries], queries[0] + rng.laplace()

    found = Reader(program).laws([Open(form)])[0]
    forms = {item.form for path in found for item in path.inequalities}
    assert forms == {((0, 1), (-1, 1)), ((1, 1), (-2, 1))}
    assert len(found) == 4


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
        turns = []
        while rng.laplace() < 0:
            turns.append(x)

    with pytest.raises(Unauditable, match=words):
        Reader(loops, limits=limits).laws([0])


def test_caught_a_rule_that_draws_other_noise(monkeypatch):
    """The run on floats draws from the library's own methods: what the machine draws wrongly ends elsewhere."""
    assert Reader(leaves.geometric_mechanism).laws([0])

    def shifted(m, host, owner, name, seen, given):
        return draws.constant(m, 3, ("int",))

    monkeypatch.setattr("dpcert.reading.ideal.numpys.MADE", ((("geometric",), shifted),))
    monkeypatch.setattr("dpcert.reading.ideal.numpys.CONTINUOUS", {})
    with pytest.raises(Unauditable, match=r"it meets|on floats in the same place"):
        Reader(lambda x, rng: x + rng.geometric(0.5)).laws([0])


def test_caught_an_order_of_branches_that_matters(monkeypatch):
    real = explore.read_ways

    def unlike(program, value, **settings):
        found = real(program, value, **settings)
        return found[1:] if settings.get("reverse") else found

    monkeypatch.setattr(explore, "read_ways", unlike)
    with pytest.raises(Unauditable, match="computed a second time, a path differs"):
        Reader(leaves.order).laws([0])
