"""Evidence that state which no variable shows is no state left out: the law is that of the paths, or none is given."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from types import FunctionType
from typing import Any

import careless
import cunning
import cunning_calls
import cunning_constructs
import cunning_handling
import cunning_made
import cunning_values
import numpy as np
import pytest

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.enumerator import LazyRun, exact_law
from dpcert.mechanisms.exact.explore import Limits, Settings
from dpcert.mechanisms.exact.law import Law
from dpcert.mechanisms.states import meanings, world
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.read import merged_law
from dpcert.mechanisms.states.replaying import replays

LIMITS = Limits(max_tail=Fraction(1, 10**6), max_runs=2_000, max_draws=40)
LIBRARY = "is assigned to, and a library is taken to keep no state"
SETS = "sets or shows what a captured state leaves out"
LEFT_OUT = "a captured state leaves out"
COMPUTES = "it computes the name of an attribute, which may be any"
MEANS = "is assigned to, and means another thing beyond the program's run"
CHANGED = "is changed by the program, and keeps it beyond its run"
REFUSED = {
    "in_a_return_that_is_pending": "a loop in a `finally` of a `try` that has a `return`",
    "in_an_error_that_keeps_more": "an error of type SystemExit keeps state that cannot be seen",
    "in_a_generator_that_two_hand_on": "hands on a generator that others may hold",
    "in_one_that_is_thrown_away_within_another": "does something when it is closed; yield its items in a `for` loop",
    "in_an_attribute_of_a_library": MEANS,
    "in_an_attribute_of_a_library_imported_inside": MEANS,
    "in_an_attribute_of_a_package_in_a_package": MEANS,
    "in_an_attribute_of_a_function_of_a_library": CHANGED,
    "in_an_attribute_of_a_method_of_a_library": CHANGED,
    "in_the_class_of_a_fraction": LIBRARY,
    "in_the_class_of_the_coins": LIBRARY,
    "in_an_attribute_with_a_computed_name": LIBRARY,
    "in_what_a_fraction_is_made_of": LEFT_OUT,
    "in_a_module_asked_by_a_computed_name": COMPUTES,
    "in_a_list_asked_by_a_computed_name": COMPUTES,
    "in_what_a_module_computes": "in _computed: it is called, and was not found by its name",
    "in_which_function_of_a_library": MEANS,
    "in_the_text_of_a_class": CHANGED,
    "in_the_text_of_a_function": LEFT_OUT,
    "in_the_name_of_a_function": LEFT_OUT,
    "in_the_defaults_of_a_function": LEFT_OUT,
    "in_the_annotations_of_a_function": "'__annotations__' reaches",
    "in_the_error_of_a_caller": f"'sys.exc_info' {SETS}",
    "in_a_cache": "functools._lru_cache_wrapper keeps state that cannot be seen",
    "in_a_variable_of_the_context": "_contextvars.ContextVar keeps state that cannot be seen",
    "in_the_filters_of_warnings": CHANGED,
    "in_a_slot_of_what_was_there": CHANGED,
    "in_an_argument_of_a_partial": CHANGED,
    "in_the_domain_of_texts": f"'gettext.gettext' {SETS}",
    "in_the_limit_of_a_table": "'field_size_limit' reaches",
    "in_the_name_of_a_level": f"'logging.addLevelName' {SETS}",
    "in_what_handles_an_error_of_a_text": f"'_codecs.register_error' {SETS}",
    "in_the_metadata_of_a_dtype": "'METADATA': a value of type numpy.dtypes.Int64DType keeps state",
}
OF_A_FRACTION = frozenset({"in_what_a_fraction_is_made_of", "in_the_class_of_a_fraction"})


def _named(names: Mapping[str, Any], prefix: str) -> list[str]:
    return [name for name, value in names.items() if name.startswith(prefix) and type(value) is FunctionType]


CUNNING_MODULES = (cunning, cunning_calls, cunning_constructs, cunning_handling, cunning_made, cunning_values)
CUNNING = {name: value for module in CUNNING_MODULES for name, value in vars(module).items()}


@pytest.fixture(autouse=True)
def put_back(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for module in (careless.SETTINGS, careless.THIS, cunning.OTHER, cunning.TOOLS):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    texts = cunning.TEXTS.dedent, cunning.TEXTS.TextWrapper.fill
    for owner in (math, cunning.LIBRARY, np.linalg, Fraction, Coins, *texts):
        for name in {"counter", "hidden_counter"} & vars(owner).keys():
            delattr(owner, name)


def _masses(law: Law) -> dict[Any, Fraction]:
    return {name: Fraction(weight, law.denominator) for name, _, weight in law.weights()}


def _agree(merged: Law, paths: Law) -> bool:
    """Whether two laws can be of one program: where they differ, the tails leave room for it."""
    a, b = _masses(merged), _masses(paths)
    return all(
        a.get(name, 0) <= b.get(name, 0) + paths.tail and b.get(name, 0) <= a.get(name, 0) + merged.tail
        for name in {*a, *b}
    )


def _merged(program: Callable[[Any, Coins], Any], value: Any, reverse: bool) -> Dist | None:
    try:
        return merged_law(program, value, limits=LIMITS, reverse=reverse).law
    except NotRead:
        return None


@pytest.mark.points(2)
@pytest.mark.parametrize("name", _named(vars(careless), "in_"))
def test_state_out_of_sight_gives_the_law_of_the_paths_or_none(name: str) -> None:
    program, value = getattr(careless, name), careless.Mode.A
    paths = exact_law(program, value, Settings(LazyRun, LIMITS)).law
    for reverse in (False, True):
        law = _merged(program, value, reverse)
        assert law is None or _agree(law, paths), law


@pytest.mark.points(5)
@pytest.mark.parametrize("name", sorted(REFUSED))
def test_state_that_no_walk_tells_is_refused_by_name(name: str) -> None:
    program = CUNNING[name]
    for reverse in (False, True):
        with pytest.raises(NotRead) as caught:
            merged_law(program, Fraction(1, 2), limits=LIMITS, reverse=reverse)
        assert REFUSED[name] in str(caught.value)


@pytest.mark.points(8)
@pytest.mark.parametrize("name", _named(CUNNING, "in_"))
def test_state_that_looks_the_same_gives_the_law_of_the_paths_or_none(name: str) -> None:
    program, value = CUNNING[name], Fraction(1, 2) if name in OF_A_FRACTION else None
    paths = exact_law(program, value, Settings(LazyRun, LIMITS)).law  # what they leave behind is there afterwards
    for reverse in (False, True):
        law = _merged(program, value, reverse)
        assert law is None or _agree(law, paths), law


@pytest.fixture
def blind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away what keeps programs from keeping state beside their own: names, comparisons, and looks at code."""
    monkeypatch.setattr(meanings, "left_out", lambda *_: None)
    for name in ("unchanged", "conclude"):
        monkeypatch.setattr(world.Surroundings, name, lambda self: None)
    monkeypatch.setattr(world, "meet", lambda *_: False)


@pytest.mark.points(12)
@pytest.mark.parametrize("name", [*_named(CUNNING, "in_"), *_named(vars(careless), "in_")])
@pytest.mark.usefixtures("blind")
def test_replays_of_random_paths_see_state_that_nothing_else_sees(name: str) -> None:
    value = Fraction(1, 2) if name in OF_A_FRACTION else careless.Mode.A
    program = CUNNING.get(name) or getattr(careless, name)
    paths = exact_law(program, value, Settings(LazyRun, LIMITS)).law
    for reverse in (False, True):
        law = _merged(program, value, reverse)
        assert law is None or _agree(law, paths), law


@pytest.mark.parametrize("name", ["in_the_limit_of_a_table", "in_a_slot_of_what_was_there", "in_the_name_of_a_level"])
@pytest.mark.usefixtures("blind")
def test_without_random_paths_such_state_goes_unseen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "RANDOM", 0)
    paths = exact_law(CUNNING[name], None, Settings(LazyRun, LIMITS)).law
    law = _merged(CUNNING[name], None, False)
    assert law is not None
    assert not _agree(law, paths)


@pytest.mark.points(2)
@pytest.mark.parametrize("name", _named(vars(cunning_calls), "in_"))
def test_state_between_calls_is_told_where_replays_are_answered(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "MOST_WHOLE", 0)
    program = CUNNING[name]
    paths = exact_law(program, None, Settings(LazyRun, LIMITS)).law
    for reverse in (False, True):
        law = _merged(program, None, reverse)
        assert law is None or _agree(law, paths), law


@pytest.mark.parametrize("program", cunning_calls.RARELY, ids=lambda program: program.__name__)
def test_a_call_while_what_was_there_before_is_changed_is_followed(program: Callable[[Any, Coins], Any]) -> None:
    """Replays miss it: the first 100 paths are run with all that they call, and the change is on a later one."""
    paths = exact_law(program, None).law
    for reverse in (False, True):
        law = _merged(program, None, reverse)
        assert law is None or _agree(law, paths), law


MADE = {**vars(cunning_made), **vars(cunning_constructs), **vars(cunning_handling)}


@pytest.mark.points(14)
@pytest.mark.parametrize("name", _named(MADE, "in_"))
def test_functions_and_generators_that_differ_are_told_apart_without_replays(name: str) -> None:
    program = CUNNING[name]
    paths = exact_law(program, None, Settings(LazyRun, LIMITS)).law
    for reverse in (False, True):
        try:
            law = merged_law(program, None, limits=LIMITS, reverse=reverse, replay=False).law
        except NotRead:
            continue
        assert _agree(law, paths), law


@pytest.mark.points(2)
@pytest.mark.parametrize("name", _named(CUNNING, "of_"))
def test_usual_ways_to_write_a_loop_are_merged_to_the_law_of_the_paths(name: str) -> None:
    program = CUNNING[name]
    paths = exact_law(program, None, Settings(LazyRun, LIMITS)).law
    for reverse in (False, True):
        law = merged_law(program, None, limits=LIMITS, reverse=reverse).law
        assert law.tail == 0
        assert _agree(law, paths)
