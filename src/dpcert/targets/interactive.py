"""Interactive objects, such as a filter, an odometer or a sparse vector, against every analyst of a set of queries."""

from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

from dpcert.audit.kernel.claim import ApproxDP, PureDP
from dpcert.audit.kernel.neighbours import Neighbours
from dpcert.audit.relations import relation
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.outcome import key
from dpcert.targets.made import bad_noted
from dpcert.targets.taken import NOTHING, as_if, taken
from dpcert.targets.target import Target, target

MOST = 20_000
"""The most pairs (input, queries) of one claim."""


@bad_noted
def interactive(
    *,
    queries: Iterable[Any],
    depth: int,
    guarantee: ApproxDP,
    inputs: Iterable[Any],
    neighbours: Neighbours | str | Callable[[Any, Any], bool],
    noise: str = "machine",
    expect: str = "verified",
) -> Callable[[Callable[..., Any]], Target]:
    """Return a decorator for a function (input, coins) -> object: the claim about every analyst who asks the object.

    An analyst asks at most `depth` queries of `queries`, and may choose each by the answers so far. A query is the
    name of a method, or a tuple of the name and its arguments. The analyst sees every answer. Where a query raises, the
    analyst sees the exception's type and text, and may ask on.

    A claim without a delta about all fixed sequences of queries covers analysts who adapt: the object does not see
    later queries, so a transcript has the same probability as when its queries were fixed in advance. So the inputs of
    the claim are pairs (input, queries), and neighbours have the same queries. A refutation names two inputs, the
    queries, and answers. Analysts who stop earlier or draw lots see no more.

    >>> import dpcert
    >>> class Once:
    ...     def __init__(self, bit, coins):
    ...         self.answer = bit if coins.below(3) else 1 - bit
    ...     def ask(self):
    ...         return self.answer
    >>> again = dpcert.interactive(
    ...     queries=["ask"], depth=3, guarantee=dpcert.PureDP("ln(2)"), inputs=[0, 1], neighbours="any"
    ... )(Once)
    >>> dpcert.audit(again).verdict
    'verified'

    Raises: InputError for a claim with a delta, for queries that are none, and for more than MOST pairs.
    """
    if not isinstance(guarantee, PureDP) and guarantee.delta:
        given, needed = f"guarantee={guarantee}", "a PureDP: with a delta it matters how an analyst adapts"
        raise InputError(given=given, needed=needed, remedy="write dpcert.PureDP(...), or a target for one analyst")
    asked, data = [_query(query) for query in queries], list(inputs)
    if type(depth) is not int or depth < 1 or not asked:
        raise InputError(given=f"{len(asked)} queries to depth {depth}", needed="one at least", remedy="write depth=3")
    if (pairs := len(data) * len(asked) ** depth) > MOST:
        given = f"{len(data)} inputs with {len(asked)} queries to depth {depth}: {pairs:,} pairs"
        raise InputError(given=given, needed=f"at most {MOST:,}", remedy="ask fewer queries, or less deep")
    made = target(
        guarantee=guarantee,
        inputs=[(value, chosen) for value in data for chosen in product(asked, repeat=depth)],
        neighbours=_alike(relation(neighbours)),
        noise=noise,
        expect=expect,
    )
    return lambda function: made(_game(function))


def _query(query: Any) -> tuple[Any, ...]:
    """Return a query as a tuple: the name of a method, then its arguments.

    Raises: InputError for anything else.
    """
    whole = (query,) if isinstance(query, str) else query
    if type(whole) is not tuple or not whole or type(whole[0]) is not str or not whole[0].isidentifier():
        given, remedy = f"query {query!r}", 'write "answer" or ("answer", 1)'
        raise InputError(given=given, needed="the name of a method, or a tuple of it and arguments", remedy=remedy)
    return whole


def _alike(related: Neighbours) -> Neighbours | Callable[[Any, Any], bool]:
    """Return the relation of pairs (input, queries) with related inputs and the same queries."""

    def alike(a: Any, b: Any) -> bool:
        return key(a[1]) == key(b[1]) and related(a[0], b[0])

    alike.__qualname__ = f"{related.name}, with the same queries,"
    return alike


def _game(make: Callable[..., Any]) -> Callable[..., Any]:
    """Return the program that makes an object of an input and asks it."""

    def play(given: Any, source: Any) -> Any:
        value, queries = given
        return _answers(make(value, source), queries)

    def alone(given: Any) -> Any:
        value, queries = given
        return _answers(make(value), queries)

    return as_if(alone if taken(make) == NOTHING else play, make)


def _answers(asked: Any, queries: Any) -> Any:
    answers = []
    for name, *arguments in queries:
        try:
            answers.append(getattr(asked, name)(*arguments))
        except Exception as error:
            answers.append(("raised", type(error).__name__, str(error)))
    return tuple(answers)
