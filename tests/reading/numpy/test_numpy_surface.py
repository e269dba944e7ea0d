"""Evidence that what code on privacy calls of numpy most is followed, or refused by its name.

The names are those of 3,520 numpy calls in 18 public repositories, of which the functions are 96 %.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.reading.errors import words
from dpcert.reading.explore import read_law
from dpcert.reading.numpy import functions, methods
from dpcert.reading.whitelist import RULES

FUNCTIONS = words(
    "exp array zeros log sqrt arange asarray sum concatenate mean ones where linalg.norm max load min dot clip "
    "full eye any save abs shape reshape all linspace zeros_like log10 isnan unique argmax log1p minimum "
    "searchsorted maximum isinf argsort floor isclose atleast_1d repeat cumsum logaddexp round std expm1 diff "
    "empty vstack isscalar ceil logspace iinfo argmin full_like ravel ones_like append median sort nonzero "
    "finfo array_split allclose quantile min_scalar_type flip rint linalg.solve bincount matmul nan_to_num "
    "hstack histogram ndim frompyfunc log2 stack tri issubdtype isfinite sign logical_not add dtype prod "
    "nanmin nanmax atleast_2d linalg.eigh datetime64 broadcast_to power nextafter copy minimum.accumulate tile "
    "square vectorize apply_along_axis transpose true_divide delete size cos column_stack split expand_dims "
    "linalg.inv roll add.outer logaddexp.reduce ptp subtract in1d insert multiply squeeze loadtxt divide tanh "
    "swapaxes frombuffer histogramdd modf"
)
DRAWS = words(
    "seed randint choice normal laplace permutation default_rng random uniform binomial rand RandomState "
    "shuffle random_sample geometric multivariate_normal .astype zipf gamma get_state set_state "
    "random_integers logseries negative_binomial poisson Generator"
)
METHODS = words(
    "astype sum mean __init__ reshape size copy max tolist all min item squeeze any clip device dot argmax "
    "view transpose std round flatten dump cumsum sort __setattr__ argsort __str__ dumps repeat prod take "
    "partition ravel shape ndim __new__ __getstate__ __setstate__"
)


def host_of(name: str) -> Any:
    """What a dotted name of numpy's is; None where this version has none."""
    host: Any = np
    for part in name.split("."):
        host = getattr(host, part, None)
    return host


def followed(name: str) -> bool:
    """Whether the tables have a function, or a method of a ufunc."""
    home, _, own = name.rpartition(".")
    if isinstance(host_of(home) if home else None, np.ufunc):
        return id(host_of(home)) in RULES and own in functions.Ufuncs.methods
    return name not in ("finfo", "iinfo", "vectorize") and id(host_of(name)) in RULES


def refused() -> Iterator[str]:
    """The names that the page says are refused."""
    sys.path.insert(0, str(Path(__file__).parents[3] / "docs"))
    try:
        import maps
    finally:
        sys.path.pop(0)
    yield from maps.REFUSED


def test_the_page_names_what_is_refused() -> None:
    unknown = [name for name in FUNCTIONS if host_of(name) is not None and not followed(name)]
    assert sorted(unknown) == sorted(refused())


def test_methods_are_in_the_tables() -> None:
    arrays = [name for name in METHODS if hasattr(np.ndarray, name) and not name.startswith("__")]
    left = [name for name in arrays if name not in methods.METHODS and name not in methods.ATTRIBUTES]
    assert left == ["device", "view", "dump", "dumps"]


PROGRAMS: dict[str, Callable[[int, Any], Any]] = {
    "load": lambda n, c: np.load("x.npy").sum() + c.below(2),
    "finfo": lambda n, c: np.finfo(float).eps + c.below(2),
    "vectorize": lambda n, c: np.vectorize(abs)(n) + c.below(2),
    "apply_along_axis": lambda n, c: np.apply_along_axis(abs, 0, np.zeros(2)).sum() + c.below(2),
    "frombuffer": lambda n, c: np.frombuffer(b"ab", np.uint8).sum() + c.below(2),
    "view": lambda n, c: np.zeros(2).view(int).sum() + c.below(2),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_refused_by_name(name: str) -> None:
    with pytest.raises(Unauditable, match=name):
        read_law(PROGRAMS[name], 1)


def test_draws_are_followed_or_refused_by_name() -> None:
    for name in DRAWS:
        host = getattr(np.random, name, None)
        if host is not None and id(host) not in RULES and id(vars(np.random.RandomState).get(name)) not in RULES:
            with pytest.raises(Unauditable, match=name):
                read_law(lambda n, c, host=host: host() and c.below(2), 1)
