"""The table of numpy's functions and methods. What is not here is refused by name.

All are run by numpy itself on plain values. `MOVED` and the ufuncs in `elementwise.RULES` are followed on undecided
elements too; all others decide what is undecided in their arguments first.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from dpcert.reading.domains import coins as domain
from dpcert.reading.domains.steps import FLOATS
from dpcert.reading.errors import Refused, call_act, words
from dpcert.reading.floats.functions import is_followed
from dpcert.reading.foreign import FOREIGN, IMPORTED, Foreign
from dpcert.reading.numpy.elementwise import chosen, clipped, each
from dpcert.reading.numpy.folds import FOLDS
from dpcert.reading.numpy.following import DECIDE, Followed, Keywords, applied, moving, shaped
from dpcert.reading.numpy.memory import Call, laid
from dpcert.reading.numpy.records import Array
from dpcert.reading.values import UNSET, Rule, Value
from dpcert.reading.whitelist import KEYWORDS, rule

UFUNCS = words(
    "abs absolute add arccos arccosh arcsin arcsinh arctan arctan2 arctanh bitwise_and bitwise_or bitwise_xor cbrt "
    "ceil conj conjugate copysign cos cosh deg2rad degrees divide divmod equal exp exp2 expm1 fabs float_power "
    "floor floor_divide fmax fmin fmod frexp gcd greater greater_equal heaviside hypot invert isfinite isinf isnan "
    "lcm ldexp left_shift less less_equal log log10 log1p log2 logaddexp logaddexp2 logical_and logical_not "
    "logical_or logical_xor matmul maximum minimum mod modf multiply negative nextafter not_equal positive power "
    "rad2deg radians reciprocal remainder right_shift rint sign signbit sin sinh spacing sqrt square subtract tan "
    "tanh true_divide trunc"
)
DECIDED = words(
    "all allclose amax amin any arange argmax argmin argpartition argsort argwhere around array_equal array_equiv "
    "bincount can_cast convolve copyto corrcoef correlate count_nonzero cov cross cumprod cumsum "
    "digitize dot ediff1d einsum eye fill_diagonal flatnonzero geomspace gradient histogram histogram2d identity "
    "in1d indices inner interp intersect1d isclose isin isscalar issubdtype kron lexsort linspace logspace max "
    "mean median min min_scalar_type nan_to_num nanargmax nanargmin nanmax nanmean nanmedian nanmin nanstd nansum "
    "nanvar nonzero ones partition percentile place polyfit polyval prod promote_types put putmask "
    "quantile ravel_multi_index result_type round searchsorted select setdiff1d setxor1d sinc sort std sum "
    "tensordot trace trapezoid tri union1d unique unravel_index unwrap vander var vdot zeros"
)
LINALG = words(
    "cond det eig eigh eigvals eigvalsh inv lstsq matrix_norm matrix_power matrix_rank norm pinv qr solve svd"
)
WRITTEN = words("average diff outer ptp")
"""What numpy has written in Python: it is interpreted, where elements are undecided."""
SHAPED = words("ndim ones_like shape size zeros_like")
MOVED: dict[str, tuple[str, ...]] = {
    "append": ("arr", "values"),
    "array": ("object",),
    "array_split": ("ary",),
    "asanyarray": ("a",),
    "asarray": ("a",),
    "ascontiguousarray": ("a",),
    "asfortranarray": ("a",),
    "atleast_1d": ("arys",),
    "atleast_2d": ("arys",),
    "broadcast_to": ("array",),
    "column_stack": ("tup",),
    "compress": ("a",),
    "concatenate": ("arrays",),
    "copy": ("a",),
    "delete": ("arr",),
    "diag": ("v",),
    "diagonal": ("a",),
    "dstack": ("tup",),
    "expand_dims": ("a",),
    "extract": ("arr",),
    "flip": ("m",),
    "full": ("fill_value",),
    "full_like": ("a", "fill_value"),
    "fliplr": ("m",),
    "flipud": ("m",),
    "hsplit": ("ary",),
    "hstack": ("tup",),
    "insert": ("arr", "values"),
    "moveaxis": ("a",),
    "ravel": ("a",),
    "repeat": ("a",),
    "reshape": ("a",),
    "roll": ("a",),
    "rollaxis": ("a",),
    "rot90": ("m",),
    "split": ("ary",),
    "squeeze": ("a",),
    "stack": ("arrays",),
    "swapaxes": ("a",),
    "take": ("a",),
    "take_along_axis": ("arr",),
    "tile": ("A",),
    "transpose": ("a",),
    "tril": ("m",),
    "triu": ("m",),
    "vsplit": ("ary",),
    "vstack": ("tup",),
}


def _join(function: Any, follow: Followed | None, check: Callable[..., None] = lambda *args: None) -> None:
    """Make a function of numpy one of the table; `check` refuses calls that are not followed."""

    def run(m: Any, *args: Value, **keywords: Value) -> Value:
        check(args, keywords)
        return applied(m, function, follow, args, keywords)

    rule(function)(run)
    KEYWORDS[id(function)] = None


def _unset(function: Any) -> None:
    """Make a function that leaves memory as it was one of the table: what it leaves there is not to be read."""

    def run(m: Any, *args: Value, **keywords: Value) -> Value:
        pattern = Call(twins=True).run(function, args, keywords)
        return laid([UNSET] * pattern.size, pattern)

    rule(function)(run)
    KEYWORDS[id(function)] = None


def rounded(m: Any, function: Any, args: tuple[Value, ...], keywords: Keywords) -> Value:
    """Follow `numpy.round` of a single float."""
    given = dict(zip(("a", "decimals"), args, strict=False)) | keywords
    value: Any = given.get("a")
    decimals = given.get("decimals", 0)
    if given.keys() - {"a", "decimals"} or not is_followed(value) or type(decimals) is not int or decimals < 0:
        return DECIDE
    return domain.then(value, "np.round", decimals) if domain.kind_of(value) in FLOATS else DECIDE


def written(m: Any, function: Any, args: tuple[Value, ...], keywords: Keywords) -> Value:
    """Follow a function that numpy has written in Python, as a function of the program."""
    source = function._implementation
    m.pins.pin(source, m.pins.number(function), "attribute", "_implementation")
    return call_act(source, args, keywords)


class Functions(Foreign):
    """Functions and ufuncs of numpy, which are taken over by reference."""

    name = "a function of numpy"

    def take(self, importer: Any, value: Any, parent: int, step: str, name: Any) -> Value:
        """The function itself, pinned."""
        importer.pins.pin(value, parent, step, name)
        return value


class Ufuncs(Functions):
    """Ufuncs, and their methods."""

    name = "a ufunc"
    methods = frozenset(words("reduce accumulate outer at reduceat"))

    def type_of(self, value: Value) -> Value:
        """The class of ufuncs."""
        return np.ufunc

    def attribute(self, m: Any, owner: Value, name: str) -> Value:
        """A method."""
        return Rule(name, owner) if name in self.methods else self._refuse(name)

    def call(self, m: Any, owner: Value, name: str, args: tuple[Value, ...], keywords: Keywords) -> Value:
        """What a method gives, on plain values."""
        if name not in self.methods:
            self._refuse(name)
        if name == "outer" and "where" in keywords:
            raise Refused(UNSET_ELSEWHERE)
        return Call().result(getattr(owner, name), args, keywords)


IMPORTED[type(np.sum)] = Functions()
FOREIGN[np.ufunc] = IMPORTED[np.ufunc] = Ufuncs()


def _check_where(ufunc: Any) -> Callable[..., None]:
    """What refuses a call that leaves elements of its result as memory has them."""

    def check(args: tuple[Value, ...], keywords: Keywords) -> None:
        out = keywords.get("out", args[ufunc.nin :])
        given = out if out.__class__ is tuple else (out,)
        unset = not given or any(type(each) is not Array for each in given)
        if unset and keywords.get("where", True) is not True:
            raise Refused(UNSET_ELSEWHERE)

    return check


def _check_pad(args: tuple[Value, ...], keywords: Keywords) -> None:
    """Refuse a margin that is left as memory has it."""
    if "empty" in (*args[2:3], keywords.get("mode")):
        raise Refused("np.pad with mode='empty' leaves elements unset; use mode='constant'")


def _check_clip(args: tuple[Value, ...], keywords: Keywords) -> None:
    """Refuse a call that leaves elements of its result as memory has them."""
    if "where" in keywords:
        raise Refused(UNSET_ELSEWHERE)


UNSET_ELSEWHERE = "where= without out= leaves elements unset; use np.where"
for _name in UFUNCS:
    _join(getattr(np, _name), each, _check_where(getattr(np, _name)))
for _name in DECIDED:
    if hasattr(np, _name):
        _join(getattr(np, _name), FOLDS.get(_name, rounded if _name in ("around", "round") else None))
for _name in WRITTEN:
    _join(getattr(np, _name), written)
_join(
    vars(inspect.getmodule(inspect.unwrap(np.diff)))["normalize_axis_index"], None
)  # which they use, and numpy 1 has nowhere else
for _name in LINALG:
    if hasattr(np.linalg, _name):
        _join(getattr(np.linalg, _name), None)
for _name, _data in MOVED.items():
    _join(getattr(np, _name), moving(*_data))
for _name in SHAPED:
    _join(getattr(np, _name), shaped)
_join(np.pad, None, _check_pad)
_join(np.clip, clipped, _check_clip)
_join(np.where, chosen)
for _name in ("empty", "empty_like"):
    _unset(getattr(np, _name))


def _refuse(why: str, *hosts: Any) -> None:
    """Refuse all calls of some functions, with what to do instead."""

    def run(m: Any, *args: Value, **keywords: Value) -> Value:
        raise Refused(why)

    rule(*hosts)(run)
    KEYWORDS.update({id(host): None for host in hosts})


_refuse(
    "it is state that says which errors numpy raises; leave them to be warnings", np.seterr, np.errstate, np.seterrcall
)
_refuse("np.finfo and np.iinfo are not followed; take their numbers outside of the program", np.finfo, np.iinfo)
_refuse("np.vectorize is not followed; write the loop", np.vectorize)
