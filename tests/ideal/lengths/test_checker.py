"""The checker of potentials: what it derives, and that each edit of turns, states or moves is not shown."""

from copy import deepcopy
from fractions import Fraction

import pytest
from ideal import checkdp

from dpcert.audit.ideal.certificates.lengths import NotShown, bound, differences
from dpcert.audit.ideal.lengths import Search, bound_for_any_length
from dpcert.mechanisms.ideal.meant import OPEN

ABOVE, BELOW = [[0, "1"], [-1, "-1"], [-2, "1"]], False


def turn(mode=1, asks=True, noise=(), steps=(), released=(), target=None, carried=(), winner=False):
    return {
        "mode": mode,
        "asks": asks,
        "noise": [list(each) for each in noise],
        "steps": list(steps),
        "released": list(released),
        "target": target,
        "carried": list(carried),
        "winner": winner,
    }


def sparse(threshold="1/2", query="1/4", release=(), kind="laplace", stop=True):
    """Return the turns of a sparse vector that ends with its first answer above."""
    row = ["row", ABOVE, "0"]
    after = {"target": None} if stop else {"target": 1, "carried": [[[-1, "1"]]]}
    return {
        "modes": [0, 1],
        "turns": [
            turn(0, False, [("laplace", threshold)], target=1, carried=[[[0, "1"]]]),
            turn(noise=[(kind, query)], steps=[[row, False]], target=1, carried=[[[-1, "1"]]]),
            turn(noise=[(kind, query)], steps=[[row, True]], released=release, **after),
            turn(asks=False),
        ],
    }


def bound_of(turns, relation="linf"):
    found = Search(turns, relation).found()
    return None if found is None else bound(found)


def test_bounds_by_hand():
    assert bound_of(sparse()) == 1  # the threshold moves by 1, an answer above by 2
    assert bound_of(sparse("1/3", "1/6")) == Fraction(2, 3)
    assert bound_of(sparse(), "increasing") == Fraction(3, 4)  # an answer above by 1
    assert bound_of(sparse(), "decreasing") == Fraction(1, 4)
    assert bound_of(sparse(), "l1") == Fraction(1, 4)  # the noise of one query moves
    assert bound_of(sparse(query="1/2")) == Fraction(3, 2)
    assert bound_of(sparse(kind="exponential")) == 1
    assert bound_of(sparse("1/1000000000001", "1/1000000000003")) == Fraction(3000000000005, 1000000000004000000000003)


def test_what_no_shift_pays_for():
    assert bound_of(sparse(stop=False)) is None
    assert bound_of(sparse(release=[[[0, "1"], [-2, "1"]]])) is None  # the noisy query itself
    assert bound_of(sparse(release=[ABOVE])) == 1  # the gap
    assert bound_of(sparse(release=[[[-2, "1"]]])) is None
    assert bound_of(sparse(kind="uniform")) is None
    assert bound_of(sparse(kind="normal")) is None
    assert bound_of(sparse(kind="poisson")) is None


def greatest(kind="laplace", rate="1/2", scale="1", **more):
    row = ["winner", [[0, "1"], [-1, scale], [-2, str(-Fraction(scale))]]]
    return {"modes": [0], "turns": [turn(0, False, [(kind, rate)], [[row, True]], winner=True, **more)]}


def test_the_winner_moves_by_all_that_the_others_may():
    assert bound_of(greatest()) == 1
    assert bound_of(greatest("exponential")) == 1
    assert bound_of(greatest(rate="1/3", scale="3")) == 2
    assert bound_of(greatest(scale="-1")) == 1
    assert bound_of(greatest(), "increasing") == bound_of(greatest(), "decreasing") == Fraction(1, 2)
    assert bound_of(greatest("normal")) is None
    assert bound_of(greatest(released=[[[0, "1"], [-1, "1"]]])) is None  # the greatest entry itself


def test_each_corner_of_the_others_is_asked_for():
    found = Search(greatest(), "linf").found()
    assert bound(found) == 1
    for shift in ("1", "3/2"):  # enough where the others move as the winner does
        edited = deepcopy(found)
        for move in edited["moves"]:
            move["shifts"] = [shift] if move["difference"] == "-1" else move["shifts"]
        with pytest.raises(NotShown, match="another one on the neighbour"):
            bound(edited)


@pytest.mark.parametrize(
    ("part", "value"), [("asks", True), ("mode", 1), ("target", 0), ("winner", False), ("winner", 1)]
)
def test_a_winner_is_all_of_a_run(part, value):
    found = Search(greatest(), "linf").found()
    found["turns"] = [{**found["turns"][0], part: value}]
    if (part, value) == ("winner", 1):
        assert bound(found) == 1
        return
    with pytest.raises((NotShown, KeyError)):
        bound(found)


def test_a_winner_of_lists_that_differ_in_one_number_is_not_followed():
    with pytest.raises(NotShown, match="of which one number differs"):
        Search(greatest(), "l1").found()


def without(turns, place):
    return {**turns, "turns": [each for number, each in enumerate(turns["turns"]) if number != place]}


@pytest.mark.parametrize("place", [1, 2, 3])
def test_turns_that_are_no_whole_tree_are_not_shown(place):
    found = Search(without(sparse(), place), "linf").found()
    with pytest.raises(NotShown, match=r"one answer alone|none"):
        bound(found)


def test_turns_that_decide_otherwise_are_not_shown():
    other = sparse()
    other["turns"][2]["steps"][0][0] = ["row", ABOVE, "1"]  # another threshold
    with pytest.raises(NotShown, match="one thing and another"):
        bound(Search(other, "linf").found())
    twice = sparse()
    twice["turns"].append(twice["turns"][2])
    with pytest.raises(NotShown, match="two ways"):
        bound(Search(twice, "linf").found())
    asks = sparse()
    asks["turns"][0]["asks"] = True
    with pytest.raises(NotShown, match="before all questions"):
        bound({**Search(sparse(), "linf").found(), "turns": asks["turns"]})


def drawn(*sides, weights=("1/2", "1/2")):
    rows = [turn(steps=[[["draw", list(weights)], side]], target=1) for side in sides]
    return {"modes": [0, 0], "turns": [turn(0, False, target=1), *rows, turn(asks=False)]}


def test_draws_have_all_their_values():
    assert bound_of(drawn(0, 1)) == 0
    assert bound_of(drawn(0, weights=("1", "0"))) == 0
    for turns in (drawn(0), drawn(0, 1, weights=("1/2", "1/3")), drawn(0, 1, weights=("3/2", "-1/2")), drawn(0, 2)):
        with pytest.raises(NotShown):
            bound(Search(turns, "linf").found())


FOUND = {
    "sparsevector": bound_for_any_length(checkdp.sparsevector, "linf", epsilon=OPEN).data,
    "smartsum": bound_for_any_length(checkdp.smartsum, "l1", epsilon=OPEN).data,
}


@pytest.mark.parametrize("name", FOUND)
def test_each_lower_potential_is_not_shown(name):
    data = FOUND[name]
    for place, state in enumerate(data["states"]):
        for less in ("1/1000000000", "1", "100"):
            edited = deepcopy(data)
            edited["states"][place]["potential"] = str(Fraction(state["potential"]) - Fraction(less))
            with pytest.raises(NotShown, match=r"fall of the potential|below 0"):
                bound(edited)


@pytest.mark.parametrize("name", FOUND)
def test_each_other_shift_is_not_shown(name):
    data = FOUND[name]
    for place, state in enumerate(data["states"]):
        for slot in range(len(state["shifts"])):
            edited = deepcopy(data)
            edited["states"][place]["shifts"][slot] = "7"
            with pytest.raises(NotShown):
                bound(edited)
    for place, move in enumerate(data["moves"]):
        for slot in range(len(move["shifts"])):
            edited = deepcopy(data)
            edited["moves"][place]["shifts"][slot] = "1000000"
            with pytest.raises(NotShown):
                bound(edited)


@pytest.mark.parametrize("name", FOUND)
def test_each_move_is_needed_and_leads_where_its_turn_does(name):
    data = FOUND[name]
    for place, move in enumerate(data["moves"]):
        with pytest.raises(KeyError):
            bound({**data, "moves": [each for number, each in enumerate(data["moves"]) if number != place]})
        for other in range(len(data["states"])):
            after = data["states"][other]
            if move["next"] is not None and after != data["states"][move["next"]]:
                edited = deepcopy(data)
                edited["moves"][place]["next"] = other
                with pytest.raises(NotShown):
                    bound(edited)


@pytest.mark.parametrize(
    ("part", "value"),
    [("relation", "add-remove"), ("modes", [0, -1]), ("modes", [0, True]), ("modes", [0, 2]), ("states", [])],
)
def test_data_of_another_form_is_not_shown(part, value):
    with pytest.raises((NotShown, IndexError, TypeError)):
        bound({**FOUND["sparsevector"], part: value})


@pytest.mark.parametrize("text", ["1.5", " 1", "1/0", "nan", "1e3", 1, None, True, "--1", "1/-2", "inf"])
def test_numbers_are_texts_of_fractions(text):
    edited = deepcopy(FOUND["sparsevector"])
    edited["states"][0]["potential"] = text
    with pytest.raises(NotShown, match="no text of a fraction"):
        bound(edited)


@pytest.mark.parametrize(
    ("kind", "rate"), [("laplace", "-1/4"), ("laplace", "0"), ("normal", "1/4"), ("uniform", "1/4")]
)
def test_other_noise_is_not_shifted(kind, rate):
    edited = deepcopy(FOUND["sparsevector"])
    edited["turns"][2]["noise"] = [[kind, rate]]
    with pytest.raises(NotShown, match=r"no scale|noise is shifted so"):
        bound(edited)


def test_noise_upwards_is_not_shifted_down():
    edited = deepcopy(FOUND["sparsevector"])
    edited["turns"][0]["noise"] = [["exponential", "1/2"]]
    assert bound(edited) == 1
    for state in edited["states"]:
        state["shifts"] = [text.replace("1", "-1") for text in state["shifts"]]
    for move in edited["moves"]:
        move["shifts"] = [str(-Fraction(text)) for text in move["shifts"]]
    with pytest.raises(NotShown, match="exponential noise is shifted so"):
        bound(edited)


def test_the_one_difference_of_a_sum_is_used_up():
    assert differences("l1", 0) == [(0, 0), (1, 1), (-1, 1)]
    assert differences("l1", 1) == [(0, 1)]
    for relation, corners in (("linf", {-1, 1}), ("increasing", {0, 1}), ("decreasing", {-1, 0})):
        assert {d for d, _ in differences(relation, 0)} == corners
    assert "phase" in FOUND["smartsum"]["states"][0]
    edited = deepcopy(FOUND["smartsum"])
    for state in edited["states"]:
        state["phase"] = 0
    with pytest.raises((NotShown, KeyError)):
        bound(edited)


def test_the_first_state_is_the_start():
    edited = deepcopy(FOUND["smartsum"])
    edited["states"][0]["phase"] = 1
    with pytest.raises(NotShown, match="first"):
        bound(edited)
    edited["states"][0] = edited["states"][-1]
    with pytest.raises(NotShown, match="first"):
        bound(edited)
