"""Tumult Core: its noise on integers as targets, its samplers on fractions run on coins, and its partition selection.

The samplers draw integers below a bound by `_sample_uniform`, which reads numpy's generator and rejects large numbers;
while a target runs, coins stand in its place. All other code is the library's own, except that a sampler by itself has
no check of types.
"""

import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from importlib import import_module
from importlib.util import module_from_spec
from typing import Any

from dpcert.audit.kernel.claim import ApproxDP, PureDP
from dpcert.audit.kernel.neighbours import counts_differ_by_one
from dpcert.libraries.adapted import adapted
from dpcert.libraries.comparison import Comparison
from dpcert.mechanisms.adapters.balls import enclose
from dpcert.mechanisms.coins import summarize
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import InputError
from dpcert.targets.extras import needs_extra
from dpcert.targets.target import Target


def _samplers() -> Any:
    needs_extra("tmlt", extra="tmlt-core")
    return import_module("tmlt.core.random.discrete_gaussian")


@contextmanager
def _drawing(coins: Coins) -> Iterator[Any]:
    """Let the library's samplers draw from coins; the paths of each coin of probability e^-x merge to two results."""
    module = _samplers()
    own = {name: module.__dict__[name] for name in ("_sample_uniform", "_sample_bernoulli_exp1")}
    drawn = [coins]

    def uniform(bound: int) -> int:
        return drawn[-1].below(bound)

    @summarize
    def merged(x: Fraction, coins: Coins) -> int:
        drawn.append(coins)
        try:
            result: int = own["_sample_bernoulli_exp1"](x)
            return result
        finally:
            drawn.pop()

    module.__dict__.update(_sample_uniform=uniform, _sample_bernoulli_exp1=lambda x: merged(x, drawn[-1]))
    try:
        yield module
    finally:
        module.__dict__.update(own)


def _alone() -> Any:
    """Return the module of the samplers, loaded a second time without its decorator; their code is unchanged.

    The decorator checks the types of arguments and results. For this it calls `locals()`, which the machine refuses.
    """
    own = _samplers()
    checks = import_module("typeguard")
    module = module_from_spec(own.__spec__)
    checked = checks.typechecked
    checks.__dict__["typechecked"] = lambda function: function
    try:
        own.__spec__.loader.exec_module(module)
    finally:
        checks.__dict__["typechecked"] = checked
    return module


def sampler(name: str, parameter: Fraction | float) -> Callable[[int], int]:
    """Return value + noise by one of the library's samplers, as "_sample_dlaplace" or "sample_dgauss".

    They run unchanged, except that there is no check of types, and that `_sample_uniform` draws from `secrets`; their
    loops can be followed by states (docs/reference/machine.md).
    """
    module = _alone()
    module.__dict__["_sample_uniform"] = secrets.randbelow
    draw = module.__dict__[name]

    def program(value: int) -> int:
        noise: int = draw(parameter)
        return value + noise

    program.__name__ = name.lstrip("_")
    return program


def target(
    measurement: Any,
    *,
    inputs: Iterable[int] = range(2),
    claimed: ApproxDP | None = None,
    expect: str = "verified",
) -> Target:
    """Return a measurement that adds noise to an integer as a target, for counts that differ by one.

    It claims the epsilon of `privacy_function(1)` where the measure is pure differential privacy. For zero-concentrated
    privacy, `claimed` must be given.

    Raises: InputError otherwise.
    """
    if claimed is None:
        promised = measurement.privacy_function(1)
        if type(measurement.output_measure).__name__ != "PureDP":
            given = f"a measurement with {type(measurement.output_measure).__name__}"
            raise InputError(
                given=given, needed="a guarantee of epsilon and delta", remedy="pass claimed=ApproxDP(...)"
            )
        claimed = PureDP(Fraction(int(promised.expr.p), int(promised.expr.q)))

    def program(value: int, coins: Coins) -> Any:
        with _drawing(coins):
            return measurement(value)

    return adapted(program, claimed, inputs, counts_differ_by_one, name=type(measurement).__name__, expect=expect)


def targets() -> list[tuple[str, Target]]:
    """Return measurements of Tumult Core by name; their claims leave room for an unexplored tail of 10^-10."""
    needs_extra("tmlt", extra="tmlt-core")
    noise = import_module("tmlt.core.measurements.noise_mechanisms")
    named = []
    for text in ("1/2", "1"):
        claimed = ApproxDP(1 / Fraction(text), Fraction(1, 10**9))
        named.append((f"`AddGeometricNoise({text})`", target(noise.AddGeometricNoise(text), claimed=claimed)))
    return named


def partition_delta(alpha: Fraction, threshold: int) -> Comparison:
    """Return the delta that `GeometricPartitionSelection` claims for one row, against the least delta.

    Only the input with the row can release its value, where 1 plus the noise is at least the threshold. So the least
    delta is the probability that two-sided geometric noise with ratio e^(-1/alpha) is at least threshold - 1. The claim
    is an expression, here rounded up at its fiftieth digit.

    Requires: threshold >= 1.
    """
    needs_extra("tmlt", extra="tmlt-core")
    made = import_module("tmlt.core.measurements.spark_measurements").GeometricPartitionSelection
    domains = import_module("tmlt.core.domains.spark_domains")
    exactly = import_module("tmlt.core.utils.exact_number").ExactNumber
    domain = domains.SparkDataFrameDomain({"A": domains.SparkStringColumnDescriptor()})
    measurement = made(domain, threshold, exactly(alpha.numerator) / alpha.denominator)
    claimed = Fraction(str(measurement.privacy_function(1)[1].expr.evalf(60))) * (1 + Fraction(1, 10**50))

    def formula(scale: Any) -> Any:
        ratio = (-1 / scale).exp()
        return ratio ** (threshold - 1) / (1 + ratio)

    words = f"`GeometricPartitionSelection(threshold={threshold}, alpha={alpha})`: its delta for one row"
    return Comparison(words, claimed, enclose(formula, alpha, bits=256))
