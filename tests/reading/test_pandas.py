"""Evidence that values of pandas on the machine do what pandas does, and that what is not known whole is refused."""

from __future__ import annotations

import operator
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
import pytest
from fuzz_numpy import compared

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.reading.explore import read_law
from dpcert.reading.pandas import joining
from dpcert.reading.pandas.records import Table
from tests.ideal.claims import counted, least

PEOPLE = pd.DataFrame({"town": ["a", "b", "a", "c"], "age": [30, 40, 50, 60], "tall": [True, False, True, True]})
HELD = pd.Series([1.5, -2.0, 0.5], index=["x", "y", "z"], name="held")


def drawn(c: Any) -> Any:
    return pd.Series(np.array([np.float64(c.below(5)) - 2 for _ in range(3)]), index=["x", "y", "z"])


def masked(n: int, c: Any) -> Any:
    noisy = drawn(c) + HELD
    noisy[noisy < 0] = 0
    return noisy.to_numpy()


def masked_by_other_order(n: int, c: Any) -> Any:
    noisy = drawn(c) + HELD
    noisy[pd.Series([True, False, n == 1], index=["z", "y", "x"])] = 9
    return noisy.to_numpy()


def kept(n: int, c: Any) -> Any:
    noisy = pd.Series(np.array([np.int64(c.below(3)), 7]), name="n")
    shown = noisy.copy()
    noisy[noisy == 1] = 5
    return noisy.to_numpy(), shown.to_numpy(), shown.name


def grouped(n: int, c: Any) -> Any:
    people = pd.DataFrame({"town": ["a"] * n + ["b", "c"], "age": range(n + 2)})
    sizes = people.groupby("town").size()
    return sizes.index.tolist(), (sizes + np.int64(c.below(3))).to_numpy(), people.groupby(["town"])["age"].sum()["c"]


FOLLOWED: dict[str, Callable[[int, Any], Any]] = {
    "a mask to zero": masked,
    "a mask of other order": masked_by_other_order,
    "a copy is kept": kept,
    "groups": grouped,
    "in front of an array": lambda n, c: (np.arange(3.0) - drawn(c)).to_numpy(),
    "a single number": lambda n, c: (np.float64(c.below(3)) / HELD)["y"],
    "no number twice": lambda n, c: (drawn(c) / HELD)[[True, False, True]].to_numpy(),
    "by label": lambda n, c: drawn(c)["y"] + drawn(c).loc["x"] + drawn(c).iloc[-1] + drawn(c)[["x", "z"]].to_numpy()[1],
    "texts of integers": lambda n, c: (-pd.Series(np.array([np.int64(c.below(3)), 2])) * 2 + 1).to_numpy(),
    "of truths": lambda n, c: (drawn(c) > HELD).to_numpy(),
    "zero by zero": lambda n, c: np.isnan((drawn(c) / (HELD - HELD)).to_numpy()),
    "rows": lambda n, c: len(PEOPLE[(PEOPLE.age > 30 * n) & ~PEOPLE["tall"]]) + c.below(2),
    "counted": lambda n, c: [PEOPLE["town"].value_counts().to_dict(), PEOPLE["age"].mean(), c.below(2)],
    "a column": lambda n, c: (PEOPLE["age"] + np.int64(c.below(2))).values,
    "is in": lambda n, c: ("y" in HELD, 0 in HELD, len(HELD) + c.below(2), PEOPLE.shape, HELD.name),
    "a type": lambda n, c: (
        isinstance(HELD + drawn(c), pd.Series),
        str((HELD + drawn(c)).dtype),
        type(PEOPLE) is pd.DataFrame,
    ),
    "small": lambda n, c: (pd.Series(np.array([np.float32(c.below(3)), np.float32(0.5)])) + np.float32(1)).to_numpy(),
    "read-only": lambda n, c: (drawn(c) + 1).to_numpy().copy() + 1,
    "ambiguous": lambda n, c: 1 if drawn(c).size and c.below(2) else PEOPLE.columns.tolist(),
}


def changed(n: int, c: Any) -> Any:
    HELD[HELD < 0] = 0
    return c.below(2)


def lossy(n: int, c: Any) -> Any:
    whole = pd.Series(np.array([np.int64(c.below(3)), np.int64(c.below(2))]))
    whole[whole > 0] = 0.5
    return whole.to_numpy()


def shown(n: int, c: Any) -> Any:
    noisy = drawn(c)
    values = noisy.to_numpy()
    noisy[noisy < 0] = 0
    return values


REFUSED: dict[str, tuple[Callable[[int, Any], Any], str]] = {
    "held": (changed, "an assignment .*take .to_numpy"),
    "an assignment that loses": (lossy, "LossySetitemError is raised"),
    "shown": (shown, "an assignment .*take .to_numpy"),
    "a sum": (lambda n, c: drawn(c).sum(), "sum of undecided numbers of a value of pandas .*take .to_numpy"),
    "other labels": (lambda n, c: (drawn(c) + drawn(c)[["y", "x", "z"]]).to_numpy(), "Series of different labels"),
    "in place": (lambda n, c: operator.iadd(drawn(c), 1).to_numpy(), "operator.iadd|iadd|in place"),
    "a power": (lambda n, c: (drawn(c) ** 2).to_numpy(), "pow of a value of pandas"),
    "of numpy's": (lambda n, c: np.sqrt(drawn(c)).to_numpy(), "take .to_numpy"),
    "a function": (lambda n, c: HELD.map(abs).to_numpy() + c.below(2), "map of a value of pandas .*take .to_numpy"),
    "an argument": (lambda n, c: HELD.sort_values(inplace=True) or c.below(2), "inplace= is not followed"),
    "by position": (
        lambda n, c: PEOPLE.sort_values("age", 0, True, True) or c.below(2),
        "too many positional arguments",
    ),
    "a frame of noise": (lambda n, c: pd.DataFrame({"x": drawn(c)}).shape, "DataFrame of undecided numbers"),
    "objects": (lambda n, c: pd.Series([n, "a", None]).size + c.below(2), "use numbers and texts"),
    "times": (lambda n, c: pd.Series(["2020-01-01"]).astype("datetime64[ns]").size + c.below(2), "numbers and texts"),
    "cut": (lambda n, c: pd.cut(HELD, 2).size + c.below(2), "cut of pandas is not followed; take .to_numpy"),
    "an outcome": (lambda n, c: drawn(c), "the content of a value of pandas .*take .to_numpy"),
    "which": (lambda n, c: HELD.index is HELD.index, "which Index an object is"),
    "iterated": (lambda n, c: list(drawn(c)), "iteration of a value of pandas"),
}


@pytest.mark.parametrize("name", FOLLOWED)
def test_values_end_as_with_pandas(name: str) -> None:
    for seed in range(6):
        verdict, why = compared(FOLLOWED[name], lambda seed=seed: seed % 2, seed)
        assert verdict == "same", why


@pytest.mark.parametrize("name", REFUSED)
def test_refused_by_name(name: str) -> None:
    program, words = REFUSED[name]
    with pytest.raises(Unauditable, match=words):
        read_law(program, 1)


def test_a_value_is_its_form() -> None:
    rules = import_module("dpcert.reading.pandas.rules")
    texts = pd.Series(["a", None], name=("x", 1), dtype=pd.StringDtype("python"))
    tables = [PEOPLE, PEOPLE.set_index("town"), PEOPLE[["age"]].T, PEOPLE.columns, PEOPLE.index, HELD, PEOPLE["town"]]
    for each in (*tables, texts, PEOPLE.groupby(["town", "tall"]).size()):
        form = rules.form_of(each)
        again = rules.whole_of(Table(form))
        assert (rules.form_of(again), type(again)) == (form, type(each))
        assert again.equals(each)


def test_what_is_held_is_looked_at_again() -> None:
    held = pd.Series([1, 2])
    assert int(pd.__version__.partition(".")[0]) >= joining.OLDEST
    for total in (3, 12):
        outcomes = [outcome for _, outcome, _ in read_law(lambda n, c: (held.sum(), c.below(2)), 1).law.weights()]
        assert [each[0] for each in outcomes] == [total, total]
        held[0] = 10


def noisy_groups(n: int, rng: Any) -> Any:
    people = pd.DataFrame({"town": ["a"] * n + ["b", "c"]})
    noisy = people["town"].value_counts().reindex(["a", "b"], fill_value=0) + rng.laplace(scale=1, size=2)
    noisy[noisy < 0] = 0
    return noisy["a"], noisy[["b"]].to_numpy()


def twice(n: int, rng: Any) -> Any:
    return (pd.Series([n, 0]) * 2 + rng.laplace(size=2)).to_numpy()


def kept_where_large(n: int, rng: Any) -> Any:
    noisy = pd.Series(n + rng.laplace(size=2), index=["a", "b"])
    return noisy[noisy > 1].index.tolist()


@pytest.mark.parametrize(("program", "epsilon"), [(noisy_groups, "1"), (twice, "2"), (kept_where_large, "2")])
def test_noise_in_a_series(program: Any, epsilon: str) -> None:
    report = counted(program, epsilon)
    assert (report.verdict, least(report)) == ("verified", (epsilon, epsilon))
    assert counted(program, "9/10").verdict == "refuted"
