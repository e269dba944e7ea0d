"""Whether two programs have one law, as a claim of epsilon 0: its neighbours are one input for either program."""

import secrets
from collections.abc import Callable, Iterable
from typing import Any

from dpcert.audit.kernel.claim import ApproxDP, PureDP
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact
from dpcert.targets.taken import COINS, NOTHING, WORDS, as_if, taken
from dpcert.targets.target import Target, target

Program = Callable[..., Any]


def same(
    first: Target | Program,
    second: Target | Program | Dist,
    *,
    inputs: Iterable[Any] | None = None,
    delta: object = 0,
    noise: str = "machine",
    expect: str = "verified",
) -> Target:
    """Return the claim that two programs have one law on each input, or laws at a distance of at most `delta`.

    Each program is a target, or a function that `dpcert.target` could decorate. Both take coins, or generators of one
    kind, or nothing. `second` may be a `Dist`: the law that `first` must have on every input. `inputs` may be left out
    where one of the two is a target, whose own claim does not matter. The distance is the total variation: no event is
    more likely by more than `delta` from one program than from the other. An audit that refutes the claim names the
    input and a smallest event: for `delta` 0, one outcome.

    >>> import dpcert
    >>> def old(n, coins):
    ...     return coins.below(2 * n) // 2
    >>> def new(n, coins):
    ...     return coins.below(n)
    >>> dpcert.audit(dpcert.same(old, new, inputs=[1, 2, 3])).verdict
    'verified'

    Raises: InputError for two programs that take different things, for a target with `params`, and for no inputs.
    """
    own = next((each.inputs for each in (first, second) if isinstance(each, Target)), None)
    scope = own if inputs is None else inputs
    if scope is None:
        given, remedy = "two functions without inputs", "write inputs=[0, 1]"
        raise InputError(given=given, needed="inputs to compare on", remedy=remedy)
    if isinstance(scope, (str, bytes)) or not isinstance(scope, Iterable):
        given, remedy = f"inputs of type {type(scope).__name__}", "pass a list or range"
        raise InputError(given=given, needed="a finite collection of inputs", remedy=remedy)
    one = _function(first)
    if isinstance(second, Dist):
        other = _drawn(second, taken(one))
    else:
        other = _function(second)
        _drawing_alike(one, other)
    names = _names(one, other)
    distance = exact(delta, "delta")
    guarantee = ApproxDP("0", distance) if distance else PureDP("0")
    made = target(
        guarantee=guarantee,
        inputs=[(name, value) for value in scope for name in names],
        neighbours=RELATIONS["program"],
        noise=noise,
        expect=expect,
    )
    return made(_either(one, other, names))


def _function(program: object) -> Program:
    """Return the function of a program.

    Raises: InputError for anything else, and for a target that stands for several claims.
    """
    if isinstance(program, Target):
        if program.params:
            given, needed = f"target {program.name} with params", "a function of an input and what it draws from"
            raise InputError(given=given, needed=needed, remedy="wrap it in one that gives the parameters")
        return program.function
    if not callable(program) or isinstance(program, type):
        given = f"a {type(program).__name__}"
        raise InputError(given=given, needed="a function, a target or a Dist", remedy="pass the function itself")
    return program


def _drawn(law: Dist, takes: str) -> Program:
    """Return the program that draws from a law on every input: with coins, or with `secrets` where it takes none.

    Raises: InputError for a law with a tail, which is unknown in part.
    """
    if law.tail:
        given, remedy = f"a Dist with a tail of {law.tail}", "give every outcome its probability"
        raise InputError(given=given, needed="a Dist of mass 1", remedy=remedy)
    rows: list[tuple[Any, int]] = []
    reached = 0
    for _, outcome, weight in law.weights():
        reached += weight
        rows.append((outcome, reached))
    whole, (last, _) = law.denominator, rows.pop()

    def outcome_of(number: Any) -> Any:
        for outcome, end in rows:
            if number < end:
                return outcome
        return last

    def of_coins(value: Any, coins: Any) -> Any:
        return outcome_of(coins.below(whole))

    def of_the_system(value: Any, *handed: Any) -> Any:
        return outcome_of(secrets.randbelow(whole))

    return as_if(of_coins if takes == COINS else of_the_system, _drawn, "law_itself")


def _names(one: Program, other: Program) -> tuple[str, str]:
    """Return two different names, by which an input of the claim says which program runs on it."""
    for attributes in (("__name__",), ("__module__", "__qualname__")):
        first, second = (".".join(str(getattr(each, name, "?")) for name in attributes) for each in (one, other))
        if first != second:
            return first, second
    return "first", "second"


def _drawing_alike(one: Program, other: Program) -> None:
    """Raise InputError where two programs draw from different sources."""
    kinds = [taken(each) for each in (one, other)]
    if kinds[0] != kinds[1]:
        words = [WORDS.get(kind, "nothing") for kind in kinds]
        names = _names(one, other)
        given = f"{names[0]}, which takes {words[0]}, and {names[1]}, which takes {words[1]}"
        raise InputError(given=given, needed="two programs that draw from the same", remedy="wrap one of them")


def _either(one: Program, other: Program, names: tuple[str, str]) -> Program:
    """Return the program that runs the one of two programs that its input names, and takes what the first takes."""
    first = names[0]

    def either(named: Any, source: Any) -> Any:
        name, value = named
        return one(value, source) if name == first else other(value, source)

    def alone(named: Any) -> Any:
        name, value = named
        return one(value) if name == first else other(value)

    return as_if(alone if taken(one) == NOTHING else either, one, " = ".join(names))


def shipped(program: Program, name: str) -> Program:
    """Return the program of a mechanism that ships as a function under the mechanism's name."""

    def mechanism(value: Any, coins: Any) -> Any:
        return program(value, coins)

    mechanism.__name__ = name
    return mechanism
