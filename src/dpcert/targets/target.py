"""A user's mechanism: a decorated function with its claim."""

import contextlib
import functools
import inspect
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from dpcert.audit.kernel.claim import OBSERVABLES, ApproxDP, Claim
from dpcert.audit.kernel.examine import name_outcome
from dpcert.audit.kernel.neighbours import Neighbours
from dpcert.audit.relations import relation
from dpcert.audit.subject import Subject
from dpcert.mechanisms.coins import system_coins
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import InputError, Unauditable
from dpcert.mechanisms.exact.explore import Limits
from dpcert.mechanisms.exact.outcome import fresh, show
from dpcert.mechanisms.forms import distinct
from dpcert.mechanisms.ideal.meant import OnIdealNoise
from dpcert.reading.paths.enumerator import enumerate_law
from dpcert.reading.paths.routed import at, routed
from dpcert.targets.every import Every
from dpcert.targets.inputs import held
from dpcert.targets.made import bad_noted, note
from dpcert.targets.options import NOISES
from dpcert.targets.taken import COINS, guessed, handed, plain, taken

MOST = 1_000_000
"""The most inputs of one claim, and the most values of one of its parameters."""
EXPECTATIONS = ("verified", "refuted", "undecided")


@dataclass(eq=False, repr=False)
class Target:
    """A function (input, coins) -> outcome with the claim made about it; call it as the function itself.

    `takes` says what it gets beside its input (see `taken.py`): coins, a generator of `random` or numpy, or nothing.
    Where it gets no coins, an audit routes its randomness to coins, as `dpcert.redirect` does. `batch`, if there is
    one, makes n runs at once for sampling audits: (input, n, numpy Generator) -> array with one outcome a row. An
    adapter lists in `assumptions` when its program is the mechanism that it stands for; every verdict states them.
    `noise` is "machine", or "ideal" where draws stand for ideal random variables. With `every`, the claim is about all
    values of a parameter; with `any_length`, about lists of any length.
    """

    function: Callable[..., Any]
    _: KW_ONLY
    guarantee: ApproxDP
    inputs: tuple[Any, ...]
    neighbours: Neighbours
    params: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    expect: str = "verified"
    observes: str = "outcome"
    batch: Callable[..., Any] | None = None
    noise: str = "machine"
    every: str | None = None
    any_length: bool = False
    assumptions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.name: str = getattr(self.function, "__name__", type(self.function).__name__)
        self.__name__ = self.name  # without it pytest's marks would put themselves in the target's place
        self.__doc__ = self.function.__doc__
        self.__wrapped__ = self.function
        note(self)

    @functools.cached_property
    def takes(self) -> str:
        """The argument beside the input, by the function's code; read late, when all names of the code are defined."""
        return taken(self.function, self._named())

    def __call__(self, value: Any, coins: Coins, **parameters: Any) -> Any:
        """Run the mechanism on the given coins."""
        return self.function(value, coins, **parameters)

    def __repr__(self) -> str:
        return f"<dpcert target {self.name}>"

    def sample(self, value: Any, **parameters: Any) -> Any:
        """Run the mechanism on the operating system's randomness."""
        return self._plain(parameters)(value, system_coins())

    def law(self, value: Any, *, limits: Limits | None = None, eager: bool = False, **parameters: Any) -> Dist:
        """Return the exact law of what is observed on one input.

        Raises: Unauditable when the program cannot be followed; InputError where it does not take the parameters.
        """
        _check_signature(self.function, parameters)
        draws = self.observes == "outcome and draws"
        return enumerate_law(self._program(parameters), value, limits=limits, eager=eager, draws=draws).law

    def handed(self) -> str:
        """Return in words which argument the function gets beside its input."""
        return handed(self.function, self.takes)

    def grid(self) -> list[dict[str, Any]]:
        """Return the parameters of each claim of this target; one empty dict where it has no parameters."""
        return [dict(zip(self.params, values, strict=True)) for values in itertools.product(*self.params.values())]

    def at(self, point: int) -> dict[str, Any]:
        """Return the parameters at one position of the grid, without making the others."""
        chosen: dict[str, Any] = {}
        for name, values in reversed(self.params.items()):
            point, place = divmod(point, len(values))
            chosen[name] = values[place]
        return dict(reversed(chosen.items()))

    def claim(self, parameters: Mapping[str, Any]) -> Claim:
        """Return the claim at one point of the grid."""
        subject = self.subject(parameters)
        return Claim(
            subject.name, subject.parameters, subject.inputs, subject.neighbours, self.guarantee, subject.observes
        )

    def subject(self, parameters: Mapping[str, Any], limits: Limits | None = None, *, sampled: bool = False) -> Subject:
        """Return the subject of an audit at one point of the grid; for samples, the function runs as it is."""
        return Subject(
            name=self.name,
            program=self._plain(parameters) if sampled else self._program(parameters),
            inputs=self.inputs,
            neighbours=self.neighbours,
            parameters=tuple((name, _spelt(value)) for name, value in parameters.items()),
            observes=self.observes,
            limits=limits or Limits(),
            stated=(*self.assumptions, *filter(None, [guessed(self.function, self.takes)])),
            plain=None if sampled or self.takes == COINS else self._plain(parameters),
        )

    def _named(self, every: str | None = None) -> tuple[str, ...]:
        """Return the names of the function's settings: all parameters beside its input and its source of randomness."""
        text = every or self.every
        return (*self.params, *([] if text is None else [Every.from_text(text).parameter]))

    def on_ideal_noise(self, parameters: Mapping[str, Any], every: str | None = None) -> Callable[..., Any]:
        """Return the function (input, generator) that an audit on ideal noise runs, at one point of the grid.

        With `every`, the value of that parameter is its third argument. A function that `dpcert.redirect` wraps runs
        without the wrapper: the audit itself routes ideal noise.
        """
        function = getattr(self.function, "__redirects__", self.function)
        takes = taken(function, self._named(every))
        named = None if every is None else Every.from_text(every).parameter

        program = OnIdealNoise(function, takes, parameters, named)
        return functools.update_wrapper(program, function)

    def _program(self, parameters: Mapping[str, Any]) -> Callable[[Any, Coins], Any]:
        function = self.function if self.takes == COINS else routed(self.function, self.takes)
        return at(function, parameters) if parameters else function

    def _plain(self, parameters: Mapping[str, Any]) -> Callable[[Any, Coins], Any]:
        """Return the program (input, coins) that runs the function with its own randomness, seeded by coins."""
        if self.takes == COINS:
            return self._program(parameters)
        given: list[tuple[Any, ...]] = []

        def program(value: Any, coins: Coins) -> Any:
            given[:] = given or [plain(self.takes, coins)]
            return self.function(value, *given[0], **{name: fresh(part) for name, part in parameters.items()})

        return functools.update_wrapper(program, self.function)


def _spelt(value: Any) -> str:
    """Return a parameter's value as claims name it; a digest tells values apart that are too long to be shown whole."""
    text = show(value)
    whole = "..." not in text and "<integer of " not in text
    return text if whole else f"{text} (SHA-256 {name_outcome(value)[:16]})"


def _bad(given: str, needed: str, remedy: str) -> InputError:
    return InputError(given=given, needed=needed, remedy=remedy)


def _copies(where: str, values: Iterable[Any]) -> tuple[Any, ...]:
    """Return independent copies of values, so that no program can change them.

    Raises: InputError beyond MOST of them, and for those that cannot be told apart.
    """
    few = held(values, most=MOST, noun=f"values of {where}", remedy="name fewer: each is run, and lies in memory")
    try:
        return tuple(fresh(value) for value in few)
    except Unauditable as error:
        raise _bad(
            f"{where}: {error}", "values that can be told apart", "pass plain values, see docs/reference/coins.md"
        ) from None


@bad_noted
def target(
    *,
    guarantee: ApproxDP,
    inputs: Iterable[Any],
    neighbours: Neighbours | str | Callable[[Any, Any], bool],
    params: Mapping[str, Sequence[Any]] | None = None,
    expect: str = "verified",
    observes: str = "outcome",
    batch: Callable[..., Any] | None = None,
    noise: str = "machine",
    every: str | None = None,
    any_length: bool = False,
) -> Callable[[Callable[..., Any]], Target]:
    """Return a decorator that turns a function (input, coins) -> outcome into a `Target`.

    `inputs` is the scope: materialised once, duplicates merged. `neighbours` is a relation by name, a `Neighbours` or
    a predicate (a, b) -> bool. `params` gives keyword parameters their values, one claim for each combination.
    `expect` is the verdict that `--expect` compares with. `observes="outcome and draws"` lets the adversary see the
    bounds of the draws as well. `batch`, a function (input, n, numpy Generator) -> array, makes n runs at once, one
    outcome a row; sampling audits trust that these are runs of the function. With `noise="ideal"`, audits take the
    draws of numpy's and Python's generators for ideal random variables, see docs/how-to/ideal-noise.md.
    `every="epsilon"` claims, on ideal noise, a guarantee for each value > 0 of that parameter of the function: its
    epsilon is the value times the epsilon of `guarantee`. `every="epsilon=0..1"` ends the range. With `any_length`, a
    claim on ideal noise is about lists of numbers of any length; a refutation on `inputs` refutes it.

    Raises: InputError for arguments of any other form.
    """
    promised: object = guarantee
    if not isinstance(promised, ApproxDP):
        given = f"guarantee={type(promised).__name__}"
        raise _bad(given, "PureDP or ApproxDP", 'write dpcert.ApproxDP(epsilon="1", delta="1e-6")')
    if expect not in EXPECTATIONS:
        raise _bad(f"expect={expect!r}", " or ".join(EXPECTATIONS), "name one of them")
    if hasattr(inputs, "example") and hasattr(inputs, "filter") and hasattr(inputs, "flatmap"):
        given, remedy = f"inputs of type {type(inputs).__name__}", "write inputs=dpcert.examples(strategy, 50)"
        raise _bad(given, "a finite collection of inputs: a strategy has no end", remedy)
    if isinstance(inputs, (str, bytes)) or not isinstance(inputs, Iterable):
        raise _bad(f"inputs of type {type(inputs).__name__}", "a finite collection of inputs", "pass a list or range")
    if isinstance(neighbours, Neighbours) and type(neighbours) is not Neighbours:
        given = f"neighbours of type {type(neighbours).__name__}"
        raise _bad(given, "a plain dpcert.Neighbours, a name or a predicate", "pass its predicate")
    if observes not in OBSERVABLES:
        raise _bad(f"observes={observes!r}", " or ".join(map(repr, OBSERVABLES)), "name one of them")
    named = () if every is None else (Every.from_text(every).parameter,)
    if noise not in NOISES:
        raise _bad(f"noise={noise!r}", " or ".join(map(repr, NOISES)), "name one of them")
    if any_length and noise != "ideal" and every is None:
        raise _bad("any_length with the machine's noise", "ideal noise", 'write noise="ideal", or leave it out')
    if batch is not None and not callable(batch):
        raise _bad(f"batch of type {type(batch).__name__}", "a function (input, n, rng) -> array", "pass the function")
    scope = distinct(_copies("inputs", inputs))
    grid: dict[str, tuple[Any, ...]] = {}
    for name, values in (params or {}).items():
        if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
            raise _bad(f"params[{name!r}] of type {type(values).__name__}", "a list of values", "write [value, ...]")
        grid[name] = _copies(f"params[{name!r}]", values)
        if not grid[name]:
            raise _bad(f"params[{name!r}] without values", "at least one value", "write [value, ...]")

    def decorate(function: Callable[..., Any]) -> Target:
        if isinstance(function, Target) or not callable(function):
            raise _bad(f"@dpcert.target on a {type(function).__name__}", "a function", "decorate the function itself")
        _check_signature(function, (*grid, *named))
        return Target(
            function,
            guarantee=guarantee,
            inputs=scope,
            neighbours=relation(neighbours),
            params=grid,
            expect=expect,
            observes=observes,
            batch=batch,
            noise=noise if every is None else "ideal",
            every=every,
            any_length=any_length,
        )

    return decorate


def _check_signature(function: Callable[..., Any], grid: Iterable[str]) -> None:
    """Return if the function can be called as function(input, coins, **parameters), as far as Python can tell.

    Raises: InputError otherwise. Without this check each run would raise TypeError, and so would leak nothing.
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # Python knows no signature of some callables
        return
    call = ", ".join(["input", "coins", *(f"{name}=..." for name in grid)])
    with contextlib.suppress(TypeError):
        signature.bind(None, **dict.fromkeys(grid))
        return
    try:
        signature.bind(None, None, **dict.fromkeys(grid))
    except TypeError as error:
        name = getattr(function, "__name__", type(function).__name__)
        given, needed = f"{name}{signature}: {error}", f"a function that can be called as {name}({call})"
        raise _bad(given, needed, "change its parameters or what is passed") from None
