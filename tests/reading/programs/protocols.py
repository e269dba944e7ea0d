"""Programs on what CPython does unseen: asks a length, reads a hash, keeps a slot or a value in C, goes on in an order.

Each had a wrong law once.
"""

import itertools
from collections import OrderedDict, deque, namedtuple
from enum import IntEnum
from fractions import Fraction
from functools import partial

Pair = namedtuple("Pair", "a b")


class Place(IntEnum):
    FIRST = 1


class Plain:
    pass


class Slotted:
    __slots__ = ("a",)


class Others:
    __slots__ = ("b",)


class Mixed:
    pass


class MixedSlotted(Mixed, Slotted):
    pass


class Hiding(Slotted):
    a = 5


class Fake:
    @property
    def __class__(self):
        return int


class Stop(StopIteration):
    def __init__(self, value):
        pass


class Counted:
    """Notes each time that it is asked how long it is, and each time that it is iterated over."""

    def __init__(self):
        self.asked = []

    def __len__(self):
        self.asked.append("len")
        return 2

    def __iter__(self):
        self.asked.append("iter")
        return iter((1, 2))


class Hinted:
    def __init__(self):
        self.left, self.asked = 3, []

    def __length_hint__(self):
        self.asked.append("hint")
        return 3

    def __iter__(self):
        self.asked.append("iter")
        return self

    def __next__(self):
        if not self.left:
            raise StopIteration
        self.left -= 1
        return self.left


class Equal:
    def __init__(self, coins):
        self.coins, self.asked = coins, []

    def __eq__(self, other):
        self.asked.append(self.coins.below(2))
        return True


def _texts(*acts):
    """The texts of the errors that some acts raise."""
    found = []
    for act in acts:
        try:
            act()
        except TypeError as error:
            found.append(str(error))
    return found


BEFORE, HIDDEN = Plain(), Hiding()
BEFORE.row = [0]
HOLDS = {BEFORE}
Slotted.a.__set__(HIDDEN, 7)


def set_from_before_holds_an_object_that_changes(n, coins):
    HOLDS.add(5)
    BEFORE.row.append(1)
    try:
        coin = coins.below(2)
        return len(BEFORE.row), coin
    finally:
        BEFORE.row.pop()
        HOLDS.discard(5)


def slot_hidden_by_its_class(n, coins):
    return HIDDEN.a, coins.below(2)


def slot_hidden_by_the_program(n, coins):
    made = MixedSlotted()
    made.a = coins.below(2)
    Mixed.a = 5
    try:
        return made.a
    finally:
        del Mixed.a


def slot_that_the_program_hides_in_its_class(n, coins):
    class Made(Slotted):
        a = 5

    made = Made()
    made.a = coins.below(2)
    del Made.a
    try:
        return made.a
    except AttributeError as error:
        return str(error)


def slot_without_a_value_is_deleted(n, coins):
    try:
        del Slotted().a
    except AttributeError as error:
        return str(error), error.name, coins.below(2)


def attribute_of_a_class_is_deleted_twice(n, coins):
    class Made:
        x = 1

    def made():
        pass

    found = []
    for each in (Made, made):
        each.x = 2
        del each.x
        try:
            del each.x
        except AttributeError as error:
            found.append(str(error))
    return found, coins.below(2)


def bases_with_slots_apart(n, coins):
    try:

        class Made(Slotted, Others):
            pass
    except TypeError as error:
        return str(error), coins.below(2)


def errors_with_fields_apart(n, coins):
    try:

        class Made(StopIteration, AttributeError):
            pass
    except TypeError as error:
        return str(error), coins.below(2)


def qualname_is_no_attribute_of_instances(n, coins):
    class Made:
        pass

    return hasattr(Made(), "__qualname__"), Made.__qualname__, coins.below(2)


def pattern_asks_the_class_that_an_object_tells(n, coins):
    match Fake():
        case int():
            return coins.below(2)
    return "no"


def value_of_a_stop_that_is_not_set(n, coins):
    try:
        raise Stop(5)
    except StopIteration as error:
        return error.value, coins.below(2)


def arguments_of_a_stop_without_its_value(n, coins):
    error = StopIteration(1)
    BaseException.__init__(error, coins.below(2))
    return error.value, error.args


def fields_of_an_error_that_the_program_made(n, coins):
    class Made(AttributeError):
        pass

    class Ended(StopIteration):
        pass

    return Made("x").name, Ended(coins.below(2)).value


def class_of_errors_makes_something_else(n, coins):
    class Made(Exception):
        def __new__(cls):
            return 5

    try:
        raise Made
    except TypeError as error:
        return type(error).__name__, coins.below(2)


def key_without_a_hash(n, coins):
    class Made:
        __hash__ = None

    try:
        return len({Made(): 1}), coins.below(2)
    except TypeError as error:
        return str(error)


def element_without_a_hash(n, coins):
    class Made:
        __hash__ = None

    try:
        return {1: coins.below(2)}.get(Made())
    except TypeError as error:
        return str(error)


def tuples_of_other_lengths_are_compared(n, coins):
    a, b, c = Equal(coins), Equal(coins), Equal(coins)
    return (a, 1) == (1,), Pair(b, 1) != (1,), [c, 1] == [1], a.asked, b.asked, c.asked


def dict_in_order_grows_in_a_loop(n, coins):
    found = OrderedDict(a=1, b=2)
    try:
        for key in found:
            found[key * 2] = coins.below(2)
    except RuntimeError as error:
        return str(error)


def dict_in_order_grows_in_its_last_turn(n, coins):
    found = OrderedDict(a=1)
    try:
        for _ in found.items():
            if coins.below(2):
                found["b"] = 2
    except RuntimeError as error:
        return str(error)
    return len(found)


def function_that_is_none(n, coins):
    found = []
    for each in (itertools.takewhile, itertools.dropwhile):
        try:
            found.append(list(each(None, [coins.below(2)])))
        except TypeError as error:
            found.append(str(error))
    return found


def rounded_to_none(n, coins):
    class Made:
        def __round__(self, *digits):
            return digits

    return round(Made()), round(Made(), None), round(coins.below(9) / 2, None)


def format_that_is_no_text(n, coins):
    try:
        return format([coins.below(2)], ())
    except TypeError as error:
        return str(error)


def name_that_is_no_text(n, coins):
    try:
        delattr(Plain(), coins.below(2))
    except TypeError as error:
        return str(error)


def repeated_too_often(n, coins):
    try:
        return list(itertools.repeat(coins.below(2), -(1 << 70)))
    except OverflowError as error:
        return str(error)


def list_asks_for_lengths(n, coins):
    found = [Counted() for _ in range(9)]
    a, b, c, d, e, f, g, h, i = found
    row = [0]
    row.extend(c)
    row += d
    _, *rest = h
    listed = [list(a), tuple(b), row, [*e], max(*f), sorted(g), set(i), rest]
    return [each.asked for each in found], len(listed), coins.below(2)


def lists_of_iterators_ask_for_hints(n, coins):
    found = [Hinted() for _ in range(5)]
    a, b, c, d, e = found
    listed = [list(a), tuple(b), [*c], list(zip(d, d, strict=False)), sorted(e)]
    return [each.asked for each in found], len(listed), coins.below(2)


def rest_of_an_iterator_asks_for_a_hint(n, coins):
    made = Hinted()
    _, *rest = made
    return made.asked, len(rest), coins.below(2)


def pairs_are_not_asked_for_lengths(n, coins):
    made, found = Counted(), {}
    found.update([made])
    return found, made.asked, coins.below(2)


def length_that_is_an_error(n, coins):
    class Made(Counted):
        def __len__(self):
            raise ValueError(coins.below(2))

    try:
        return list(Made())
    except ValueError as error:
        return error.args


def length_that_is_none(n, coins):
    class Made(Counted):
        def __len__(self):
            raise TypeError

    return list(Made()), coins.below(2)


class Subscripted:
    def __class_getitem__(cls, item):
        return item


class Deletes:
    def __get__(self, owner, cls):
        return 6

    def __delete__(self, owner):
        pass


class Deleted:
    x = Deletes()


class Entered:
    def __enter__(self):
        return self


def class_answers_its_subscripts(n, coins):
    return bool(Subscripted[coins.below(2)]), Subscripted[None] is None


def descriptor_that_only_deletes(n, coins):
    try:
        Deleted().x = coins.below(2)
    except AttributeError as error:
        return str(error)


def property_without_a_setter(n, coins):
    class Made:
        x = property(lambda self: 5)

    try:
        Made().x = coins.below(2)
    except AttributeError as error:
        return str(error)


def entered_and_never_left(n, coins):
    try:
        with Entered():
            pass
    except TypeError as error:
        return str(error), coins.below(2)


def sets_and_keys_make_a_new_set(n, coins):
    keys = {1: 2, coins.below(3): 3}.keys()
    first = before = {1, 5}
    before |= keys
    return sorted(first), sorted(before), type(frozenset({1}) - keys).__name__, type(keys & frozenset({1})).__name__


def errors_name_types_of_c_with_their_modules(n, coins):
    made = Plain()
    acts = (lambda: made + OrderedDict(), lambda: deque() > made, lambda: made * partial(max))
    return _texts(*acts, lambda: [made] < [deque()]), coins.below(2)


def errors_name_the_types_of_members(n, coins):
    acts = (lambda: Place.FIRST - [], lambda: Place.FIRST < "a", lambda: Place.FIRST << 1.5)
    return _texts(*acts), coins.below(2)


def errors_name_the_types_of_named_tuples(n, coins):
    acts = (lambda: Pair(1, 2) < "a", lambda: Pair(1, 2) + Plain())
    return _texts(*acts), Pair(1, 2) < (1, 3), coins.below(2)


def pair_that_is_none(n, coins):
    try:
        return dict([Plain()]), coins.below(2)
    except TypeError as error:
        return str(error)


def errors_of_what_is_no_iterable(n, coins):
    def made():
        pass

    acts = (lambda: 1 in max, lambda: 1 in made, lambda: iter(Fraction), lambda: sum([1], b""))
    return _texts(*acts), coins.below(2)


def errors_of_arguments_that_are_none(n, coins):
    acts = (lambda: max(*ValueError("x")), lambda: "a".join(Plain()), lambda: ValueError("x").__class__ | [1])
    return _texts(*acts), coins.below(2)


def errors_of_operators_in_place(n, coins):
    found, pair, cls, error = [], Pair(1, 2), int, ValueError("x")
    try:
        cls |= [1]
    except TypeError as fault:
        found.append(str(fault))
    try:
        del error[True]
    except TypeError as fault:
        found.append(str(fault))
    try:
        cls += pair
    except TypeError as fault:
        found.append(str(fault))
    return found, coins.below(2)


def field_of_a_member_in_c(n, coins):
    return Place.FIRST.real, coins.below(2)


def keys_make_a_set_of_what_stands_beside_them(n, coins):
    return sorted(Pair(1, 2) - {coins.below(3): 5}.keys())
