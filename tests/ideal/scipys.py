"""A `scipy.stats` of the few distributions that ideal noise follows, drawn by numpy as scipy draws them."""

import sys
from contextlib import contextmanager
from types import SimpleNamespace

import numpy as np

CONTINUOUS = {
    "laplace": "laplace",
    "norm": "normal",
    "expon": "exponential",
    "uniform": "uniform",
    "gumbel_r": "gumbel",
    "logistic": "logistic",
}
DISCRETE = {"geom": ("p", "geometric"), "poisson": ("mu", "poisson"), "binom": ("n, p", "binomial")}


class Continuous:
    """As scipy makes it: a class for each distribution, whose `rvs` is a method of a base."""

    shapes = None

    def __init__(self, method):
        self.method, self._random_state = method, np.random.mtrand._rand

    def rvs(self, loc=0, scale=1, size=None, random_state=None):
        if scale < 0:
            raise ValueError("Domain error in arguments.")
        state = self._random_state if random_state is None else random_state
        return loc + scale * getattr(state, self.method)(size=size)


class Discrete:
    """As scipy makes a discrete distribution: parameters of its own, then a location."""

    def __init__(self, shapes, method):
        self.shapes, self.method, self._random_state = shapes, method, np.random.mtrand._rand

    def rvs(self, *args, size=None, loc=0, random_state=None, **named):
        state = self._random_state if random_state is None else random_state
        values = dict(zip(self.shapes.split(", "), args, strict=False)) | named
        if self.method == "dlaplace":
            p = -np.expm1(-values["a"])
            return state.geometric(p, size) - state.geometric(p, size) + loc
        return getattr(state, self.method)(*values.values(), size=size) + loc


class FrozenContinuous:
    pass


class FrozenDiscrete:
    pass


def made():
    """Return such a module."""
    laws = {name: type(name, (Continuous,), {})(method) for name, method in CONTINUOUS.items()}
    laws |= {name: type(name, (Discrete,), {})(*how) for name, how in DISCRETE.items()}
    frozen = {"rv_continuous_frozen": FrozenContinuous, "rv_discrete_frozen": FrozenDiscrete}
    dlaplace = type("dlaplace", (Discrete,), {})("a", "dlaplace")
    return SimpleNamespace(**laws, dlaplace=dlaplace, _distn_infrastructure=SimpleNamespace(**frozen))


@contextmanager
def loaded():
    """Run the body with this module in place of scipy's, and the rules for it."""
    rules, names = "dpcert.reading.ideal.scipys", ("scipy.stats", "dpcert.reading.ideal.scipys")
    before = {name: sys.modules.pop(name, None) for name in names}
    sys.modules["scipy.stats"] = made()
    try:
        yield sys.modules["scipy.stats"]
    finally:
        sys.modules.pop(rules, None)
        sys.modules.pop("scipy.stats")
        sys.modules.update({name: module for name, module in before.items() if module is not None})
