"""The inputs of the literature's mechanisms: counts and vectors of query answers, and the parameters they share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.domain import Domain
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.mechanism import Instance, Parameter, integer

MOST = Parameter("most", "1", "the greatest entry of a vector")


def vectors(n: int, most: int) -> tuple[list[int], ...]:
    """Return all vectors of n entries from 0 to most."""
    return tuple(list(entries) for entries in product(range(most + 1), repeat=n))


def vectors_of(n: int, most: int) -> Domain:
    """Return the domain of the lists of n integers from 0 to most."""

    def fault(value: object) -> str | None:
        if type(value) is not list:
            return f"which is a {type(value).__name__}"
        if len(value) != n:
            return f"which has {len(value)} entries"
        odd = [entry for entry in value if type(entry) is not int or not 0 <= entry <= most]
        return f"whose entry {odd[0]!r} is none of these" if odd else None

    return Domain(f"a list of {n} integers from 0 to {most}", fault, "write such a list, or change n or most")


def shape_of(settings: Mapping[str, str]) -> tuple[int, int]:
    """Return n and the greatest entry of the textual parameters.

    Raises: InputError unless both are at least 1, and there are at most 1,000 vectors.
    """
    n, most = integer(settings, "n", least=1, greatest=9), integer(settings, "most", least=1, greatest=999)
    if (most + 1) ** n > 1000:
        raise InputError(
            given=f"n={n}, most={most}", needed="at most 1,000 vectors, (most + 1)^n", remedy="lower one of the two"
        )
    return n, most


def of_vectors(
    settings: Mapping[str, str],
    program: Callable[[Sequence[int], Coins], object],
    closed_form: Callable[[Sequence[int]], Dist],
    *,
    neighbours: str,
    epsilon: Epsilon,
) -> Instance:
    """Return the instance of a program, and of its law, that claims (epsilon, 0) for all vectors of the parameters."""
    n, most = shape_of(settings)
    return Instance(
        program=program,
        closed_form=closed_form,
        inputs=vectors(n, most),
        neighbours=neighbours,
        epsilon=epsilon,
        domain=vectors_of(n, most),
    )


def ratio_of(settings: Mapping[str, str]) -> Fraction:
    """Return the parameter ratio as a rational number above 1.

    Raises: InputError otherwise.
    """
    ratio = exact(settings["ratio"], "ratio")
    if ratio <= 1:
        raise InputError(given=f"ratio={settings['ratio']}", needed="a number above 1", remedy='write for instance "2"')
    return ratio
