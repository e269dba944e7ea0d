"""Iterators that are asked on after an error or an end, and containers that an error leaves half changed."""

from typing import NamedTuple

from masked import RETURNED, TRIED, define

from dpcert.mechanisms.exact.coins import Coins


def flaky(coins: Coins, at: int = 2) -> map:
    """Five numbers, one of which may be an error."""

    def item(v):
        if v == at and coins.below(2):
            raise ValueError(v)
        return v

    return map(item, range(5))


class Reviving:
    """An iterator that goes on after its end."""

    def __init__(self, n=0):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        self.n += 1
        if self.n % 3 == 0:
            raise StopIteration
        return self.n


class Broken:
    """A sequence of four with one place that raises an error."""

    def __init__(self, error):
        self.error = error

    def __len__(self):
        return 4

    def __getitem__(self, place):
        if place == 1:
            raise self.error
        return place


class Adding(Reviving):
    def __radd__(self, other):
        return "added"


class Pair(NamedTuple):
    a: int
    b: int = 2


class Plain:
    pass


def asked_on(it):
    """What an iterator gives when it is asked eight times."""
    out = []
    for _ in range(8):
        try:
            out.append(next(it))
        except StopIteration:
            out.append("end")
        except (TypeError, ValueError) as error:
            out.append(str(error))
    return out


FORMED = {
    "return asked_on({})": {
        "chain_of_a_number": ("itertools.chain([1], 5, [2])",),
        "chain_of_reviving": ("itertools.chain(Reviving(), Reviving())",),
        "chain_from_reviving": ("itertools.chain.from_iterable(map(lambda v: [v], Reviving()))",),
        "chain_from_flaky": ("itertools.chain.from_iterable(map(lambda v: [v], flaky(coins)))",),
        "pairs_of_flaky": ("itertools.pairwise(flaky(coins))",),
        "pairs_of_reviving": ("itertools.pairwise(Reviving())",),
        "pairs_of_one": ("itertools.pairwise(Reviving(1))",),
        "longest_of_flaky": ("itertools.zip_longest(flaky(coins), [1, 2])",),
        "longest_of_reviving": ("itertools.zip_longest(Reviving(), [1, 2, 3, 4])",),
        "slice_of_flaky": ("itertools.islice(flaky(coins), 5)",),
        "later_slice_of_flaky": ("itertools.islice(flaky(coins), 3, 5)",),
        "slice_of_reviving": ("itertools.islice(Reviving(), None, None, 2)",),
        "reversed_of_no_index": ("reversed(Broken(IndexError()))",),
        "reversed_of_no_value": ("reversed(Broken(ValueError()))",),
        "taken_of_flaky": ("itertools.takewhile(lambda v: v < 3, flaky(coins))",),
        "cycle_of_flaky": ("itertools.cycle(flaky(coins))",),
        "zip_of_flaky": ("zip(range(5), flaky(coins), strict=True)",),
        "sums_of_flaky": ("itertools.accumulate(flaky(coins))",),
    },
    TRIED.replace("return {}", "pass\nreturn row"): {
        "list_of_flaky": ("row = [0]", "row += flaky(coins)", "ValueError"),
        "set_with_flaky": ("row = {7}", "row.update([8], flaky(coins), [9])", "ValueError"),
        "set_without_flaky": ("row = {0, 1, 2, 3}", "row.difference_update([0], flaky(coins))", "ValueError"),
        "set_with_a_list": ("row = {0}", "row.update([5, coins.below(2), []])", "TypeError"),
        "set_of_both": ("row = {0, 1}", "row.intersection_update([0], flaky(coins))", "ValueError"),
        "dict_with_flaky": ("row = {}", "row.update((v, v) for v in flaky(coins))", "ValueError"),
    },
    TRIED: {
        "unpacked_instance": ("", "a, b = Plain()", "TypeError as e", "str(e)"),
        "unpacked_class": ("", "a, *b = str", "TypeError as e", "str(e)"),
        "star_of_an_instance": ("", "return [*Plain()]", "TypeError as e", "str(e)"),
        "star_of_a_number": ("", "return {*5}", "TypeError as e", "str(e)"),
        "item_of_a_class": ("", "return str[1]", "TypeError as e", "str(e)"),
        "sorted_by_a_list": ("", "return sorted([1, 2], reverse=[1])", "TypeError as e", "str(e)"),
        "joined_with_two": ("", "return ''.join({5}, Plain())", "TypeError", "'t'"),
        "union_in_place": ("d = {1: 2}", "d |= Counter('a'); return d", "TypeError as e", "str(e)"),
    },
    RETURNED: {
        "star_of_a_named_tuple": ("a, *b = Pair(int(coins.below(2)))", "a, b, [*Pair(1)], {*Pair(3)} == {2, 3}"),
        "slice_that_ends_before_it_begins": ("it = iter(range(9))", "list(itertools.islice(it, 5, 3)), list(it)"),
        "slice_in_steps": ("it = iter(range(9))", "list(itertools.islice(it, 1, 6, 4)), list(it)"),
        "list_that_is_added_to": ("row = [0]\nrow += Adding()", "row"),
        "set_found_early": ("it = iter([5, 0, 1, 2])", "{0}.intersection(it), [*it], {0}.intersection([0, []])"),
        "set_in_place_early": (
            "it = iter([5, 0, 1, 2]); row = {0, 1}",
            "row.intersection_update([0, 1], it), row, [*it]",
        ),
        "set_with_many": ("row = {1}\nrow.update({2}, [3, int(coins.below(2))], (v for v in [True, 7]), 'a')", "row"),
        "set_without_many": ("row = {1, 2, 3, 7}\nrow.difference_update({2}, [int(coins.below(4))], {7: 1})", "row"),
    },
}
define(globals(), FORMED)
