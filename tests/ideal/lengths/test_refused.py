"""Programs that need of a list of any length, of what a loop fills or of what it counts, more than is known."""

from types import CodeType, FunctionType

import pytest

from dpcert.audit.ideal.lengths import bound_for_any_length
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.meant import OPEN


def loop(turn, before="pass", after="return answers"):
    """Return a program with a loop over its list, from the text of a turn."""
    text = f"""
def program(queries, rng, epsilon):
    answers, place, noise, other = [], 0, rng.laplace(0, 1 / epsilon), []
    {before}
    for query in queries:
        noisy = query + rng.laplace(0, 1 / epsilon)
        {turn}
    {after}
"""
    (code,) = (part for part in compile(text, "<loop>", "exec").co_consts if isinstance(part, CodeType))
    return FunctionType(code, {})


REFUSED = [
    (loop("pass", "n = len(queries) > 1"), "a comparison of the length of a list of any length"),
    (loop("pass", "n = queries[0]"), "an index of a list of any length"),
    (loop("pass", "n = list(queries)"), "a list of any length"),
    (loop("pass", "n = bool(queries)"), "the truth of a list of any length"),
    (loop("pass", "n = 1 in queries"), "membership of a list of any length"),
    (loop("pass", "n = isinstance(queries, tuple)"), "the type of a list of any length"),
    (loop("pass", after="return [query for query in queries]"), "a second time"),
    (loop("pass", after="return queries"), "the content of a list of any length"),
    (loop("queries.append(1)"), "append of a list of any length"),
    (loop("answers.append(noisy); other.append(len(answers))"), "the length of a list that a loop fills"),
    (loop("answers.append(noisy); place = answers[-1]"), "an index of a list that a loop fills"),
    (loop("answers.append(noisy); answers.pop()"), None),
    (loop("answers.append(noisy)", after="return max(answers)"), "a list that a loop fills"),
    (loop("answers.append(noisy)", after="return sum(answers)"), "a list that a loop fills"),
    (loop("answers.append(noisy)", after="return tuple(answers)"), "a list that a loop fills"),
    (loop("answers.append(noisy)", after="return (*answers,)"), "a list that a loop fills"),
    (loop("answers.append(noisy)", after="return answers == [1]"), "a comparison of a list that a loop fills"),
    (loop("answers.append(noisy)", after="return answers + [1]"), "add of a list that a loop fills"),
    (loop("answers.append(noisy)", after="return [x for x in answers]"), "iteration of a list that a loop fills"),
    (loop("answers.append(noisy)", after="answers[0] = 1"), "an assignment of a list that a loop fills"),
    (loop("answers.append(noisy)", after="answers.sort()"), "sort of a list that a loop fills"),
    (loop("other.append(1); answers.append(other)"), "what can change later"),
    (loop("answers.append([noisy])"), "what can change later"),
    (loop("answers.append({})"), "what can change later"),
    (loop("place += 1", after="return place > 3"), "a comparison of an integer that counts turns"),
    (loop("place += 1", after="return place == 3"), "a comparison of an integer that counts turns"),
    (loop("place += 1", after="return bool(place)"), "the truth of an integer that counts turns"),
    (loop("place += 1", after="return place * 2"), "mul of an integer that counts turns"),
    (loop("place += 1", after="return place + 0.5"), "add of an integer that counts turns"),
    (loop("place += 1", after="return place // 2"), "floordiv of an integer that counts turns"),
    (loop("place += 1", after="return place % -2"), "mod of an integer that counts turns"),
    (loop("place += 1", after="return place % 1000"), "a remainder by 1000"),
    (loop("place += 1", after="return noisy * place"), "mul of an integer that counts turns"),
    (loop("place += 1", after="return str(place)"), "an integer that counts turns|Turns"),
    (loop("place += 1", after="return {place: 1}"), "an integer that counts turns"),
    (loop("place += 1", after="return [7, 8][place]"), "an index"),
    (loop("place += 1", after="return range(place)"), "."),
    (loop("place += 1", after="return place in (1, 2)"), "an integer that counts turns"),
    (loop("place += 1", after="return hash(place)"), "."),
    (loop("place += 1", after="return f'{place}'"), "."),
    (loop("place += 1", after="return isinstance(place, int)"), "the type of an integer that counts turns"),
    (loop("place += 1", after="return -place"), "neg of an integer that counts turns"),
    (loop("place += 1", after="return float(place)"), "float of an integer that counts turns"),
    (loop("place += 1", after="return min(place, 3)"), "an integer that counts turns"),
    (loop("place += 1; other = place", after="return other is place"), "."),
    (loop("place += len(str(place))"), "."),
    (loop("place = (place,)", after="return place"), "states that are not alike"),
    (loop("if query > 1: place = 1"), "open inputs without noise"),
    (loop("if noise > 1: place = 1"), "open inputs without noise"),
    (loop("other = round(noisy)", after="return other"), "is kept from turn to turn"),
    (loop("other = noisy * noisy", after="return other"), "is kept from turn to turn"),
    (loop("answers.append(noisy * noisy)"), "what a function makes of noise is not released"),
    (loop("answers.append(query + rng.geometric(0.5) > 2)"), "discrete noise"),
    (loop("answers.append(rng.random() < query)"), "."),
    (loop("answers.append(rng.normal(query))"), "no shifts of the noise pay"),
    (loop("answers.append(query + rng.uniform())"), "no shifts of the noise pay"),
    (loop("while rng.random() < 0.5: pass"), "a turn has more than 1000 ways"),
    (loop("place = place % 7 + 1; other = [0] * place"), None),
]


@pytest.mark.parametrize(("program", "words"), REFUSED)
def test_what_is_not_known_is_refused_by_name(program, words):
    if words is None:
        bound_for_any_length(program, "l1", epsilon=OPEN)
        return
    with pytest.raises(Unauditable, match=words):
        bound_for_any_length(program, "l1", epsilon=OPEN)


@pytest.mark.parametrize("relation", ["add-remove", "any", "counts_differ_by_one", "l2", ""])
def test_other_relations_have_no_differences(relation):
    with pytest.raises(Unauditable, match="no differences of"):
        bound_for_any_length(loop("answers.append(noisy)"), relation, epsilon=OPEN)


def test_scales_of_two_kinds_are_not_summed():
    with pytest.raises(Unauditable, match="beside plain numbers"):
        bound_for_any_length(loop("answers.append(noisy + rng.laplace())"), "l1", epsilon=OPEN)
