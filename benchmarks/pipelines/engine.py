"""PipelineDP's `DPEngine` on its local backend, run on data of up to three users, three partitions and two values.

The engine is the library's own. Three things in it are random. The choice of a user's contributions is `numpy.random`,
and is drawn from coins: the law of all that follows is exact. Whether a partition is kept is compiled, with a public
probability; and so is the noise, with a public scale: of both, the engine's calls are written down instead, with the
double that each parameter is. What it releases is then a function of kept partitions and noisy numbers alone, which is
checked: with two fixed numbers in their place, it is the same for all data.

Neighbours are one privacy id with all its rows. The other users of an input are within their bounds, so that nothing is
drawn for them; the one who comes or goes may be far outside of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from itertools import product
from typing import Any

import dpcert
from pipelines.bounds import DeltaBounds, Number, Partition, Release, laplace_epsilon, mixed, worst

Row = tuple[int, int, int]
Rows = tuple[Row, ...]
USER = 0
OTHERS: Rows = (1, 0, 1), (2, 0, 1), (2, 1, 1)
FEWER: Rows = (1, 0, 1), (2, 0, 1)
"""The data without the user: of two others. Where partitions are selected, they are in one partition alone as well."""
VALUES: tuple[tuple[int, ...], ...] = ((), (1,), (0, 1), (1, 1))
"""What the user may have in a partition."""
STANDING = 7.25, -3.5
"""What stands for each noisy number, one after the other, while the engine runs."""


@dataclass(frozen=True, slots=True)
class Pipeline:
    """An aggregation: its metrics, its noise, and the arguments of AggregateParams; public partitions, or how they
    are selected; the budget that `NaiveBudgetAccountant` is given."""

    words: str
    metrics: tuple[str, ...]
    epsilon: float
    delta: float
    noise: str = "LAPLACE"
    public: bool = True
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Calls:
    """What a run of the engine asked for, in order: kept partitions and noisy numbers. All partitions are kept, and a
    fixed number stands for each noisy one."""

    standing: float
    seen: list[tuple[Any, ...]] = field(default_factory=list)

    def noisy(self, kind: str, value: float, parameter: float) -> float:
        """Write a number down with its noise, and return what stands for it."""
        self.seen.append((kind, float(value), parameter))
        return self.standing

    def kept(self, probability: float) -> bool:
        """Write down with what probability a partition is kept."""
        self.seen.append(("keep", probability))
        return True


@dataclass(slots=True)
class Draws:
    """The noise and the choices that the engine asks for, from a numpy generator."""

    rng: Any

    def noisy(self, kind: str, value: float, parameter: float) -> Any:
        """Return a number with Laplace noise of that scale, or normal noise of that standard deviation."""
        draw = self.rng.laplace if kind == "laplace" else self.rng.normal
        return value + draw(0, Fraction(parameter))

    def kept(self, probability: float) -> bool:
        """Say whether a partition is kept."""
        return bool(self.rng.random() < Fraction(probability))


class Mechanism:
    """A compiled mechanism whose noise comes from elsewhere. Its parameters are those of the library's object."""

    def __init__(self, made: Any, kind: str, calls: Calls | Draws) -> None:
        self.made, self.kind, self.calls = made, kind, calls

    def add_noise(self, value: float) -> Any:
        """Return the number with noise."""
        parameter = self.made.diversity if self.kind == "laplace" else self.made.std
        return self.calls.noisy(self.kind, value, float(parameter))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.made, name)


class Selection:
    """A compiled partition selection whose choices come from elsewhere."""

    def __init__(self, made: Any, calls: Calls | Draws) -> None:
        self.made, self.calls = made, calls

    def should_keep(self, count: int) -> bool:
        """Say whether a partition of so many users is kept."""
        return self.calls.kept(float(self.made.probability_of_keep(count)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.made, name)


@contextmanager
def noise_from(calls: Calls | Draws) -> Iterator[None]:
    """Let the engine's mechanisms take their noise from elsewhere."""
    computations, selection = (
        import_module("pipeline_dp.dp_computations"),
        import_module("pipeline_dp.partition_selection"),
    )
    own, create = computations.dp_mechanisms, selection.partition_selection.create_partition_strategy

    class Mechanisms:
        @staticmethod
        def LaplaceMechanism(*args: Any, **names: Any) -> Mechanism:
            return Mechanism(own.LaplaceMechanism(*args, **names), "laplace", calls)

        @staticmethod
        def GaussianMechanism(*args: Any, **names: Any) -> Mechanism:
            return Mechanism(own.GaussianMechanism(*args, **names), "gaussian", calls)

    class Strategies:
        @staticmethod
        def create_partition_strategy(*args: Any) -> Selection:
            return Selection(create(*args), calls)

    computations.dp_mechanisms, selection.partition_selection = Mechanisms, Strategies
    try:
        yield
    finally:
        computations.dp_mechanisms = own
        selection.partition_selection = import_module("pydp.algorithms.partition_selection")


def aggregated(pipeline: Pipeline, rows: Rows, calls: Calls | Draws) -> list[tuple[int, tuple[Any, ...]]]:
    """Run the engine once on rows, and return the partitions with their metrics, in the order of the backend."""
    pdp = import_module("pipeline_dp")
    with noise_from(calls):
        accountant = pdp.NaiveBudgetAccountant(pipeline.epsilon, pipeline.delta)
        engine = pdp.DPEngine(accountant, pdp.LocalBackend())
        params = pdp.AggregateParams(
            metrics=[getattr(pdp.Metrics, name) for name in pipeline.metrics],
            noise_kind=getattr(pdp.NoiseKind, pipeline.noise),
            **pipeline.more,
        )
        columns = (lambda row, place=place: row[place] for place in range(3))
        extractors = pdp.DataExtractors(*columns)
        public = [0, 1, 2] if pipeline.public else None
        released = engine.aggregate(list(rows), params, extractors, public_partitions=public)
        accountant.compute_budgets()
        return [(key, tuple(metrics)) for key, metrics in released]


def transcript(pipeline: Pipeline, rows: Rows, standing: float) -> tuple[Any, ...]:
    """Return for each partition what a run of the engine asked for, and what it would release.

    The backend goes through all partitions for each step, so that calls of a kind are in the order of the partitions.
    """
    calls = Calls(standing)
    found = [(key, tuple(map(float, metrics))) for key, metrics in aggregated(pipeline, rows, calls)]
    kept = [call for call in calls.seen if call[0] == "keep"]
    numbers = [call for call in calls.seen if call[0] != "keep"]
    each, rest = divmod(len(numbers), len(found))
    if rest or len(kept) not in (0, len(found)):
        raise ArithmeticError(
            f"{pipeline.words}: {len(numbers)} numbers and {len(kept)} choices of {len(found)} partitions"
        )
    parts = [
        (key, (*kept[place : place + 1], *numbers[place * each : (place + 1) * each]), metrics)
        for place, (key, metrics) in enumerate(found)
    ]
    return tuple(sorted(parts))


def law(pipeline: Pipeline, rows: Rows, standing: float) -> dict[tuple[Any, ...], Fraction]:
    """Return the exact law of the transcript on rows, over the choice of contributions."""
    import_module("pipeline_dp")  # before any coin is drawn: numpy's own generators are made when it is imported

    @dpcert.target(guarantee=dpcert.PureDP(0), inputs=[0], neighbours="any")
    def run(nothing: int) -> tuple[Any, ...]:
        return transcript(pipeline, rows, standing)

    found = run.law(0)
    if found.tail:
        raise ArithmeticError("a tail is left")
    return {outcome: found.prob(outcome) for outcome in found}


def release_of(seen: tuple[Any, ...]) -> Release:
    """Return a transcript as a release."""
    found: dict[object, Partition] = {}
    for key, calls, _ in seen:
        kept = [Fraction(call[1]) for call in calls if call[0] == "keep"]
        numbers = tuple(Number(Fraction(call[1]), call[0], Fraction(call[2])) for call in calls if call[0] != "keep")
        found[key] = Partition(kept[0] if kept else Fraction(1), numbers)
    return found


def data(others: Rows = OTHERS) -> Iterator[Rows]:
    """Yield the data with the user: all that it may have in three partitions."""
    for values in product(VALUES, repeat=3):
        own = tuple((USER, place, value) for place, part in enumerate(values) for value in part)
        if own:
            yield (*others, *own)


@dataclass(frozen=True, slots=True)
class Measured:
    """Bounds of the least delta of a pipeline at its accountant's epsilon, and the number of ordered pairs.

    `epsilon` is the least epsilon of its Laplace noise alone, which is exact where there is nothing else.
    """

    pipeline: Pipeline
    delta: DeltaBounds
    epsilon: Fraction
    pairs: int

    @property
    def verdict(self) -> str:
        """ "too small" where the accountant's delta is below the least, "holds" where it is not, else "open"."""
        claimed = Fraction(self.pipeline.delta)
        if self.delta.low > claimed:
            return "too small"
        return "holds" if self.delta.high <= claimed else "open"


def measured(pipeline: Pipeline) -> Measured:
    """Return what is true of a pipeline, on all data that are looked at.

    Raises: ArithmeticError where what is released is no function of kept partitions and noisy numbers alone.
    """
    epsilon, spent, found = Fraction(pipeline.epsilon), Fraction(0), []
    for others in (OTHERS,) if pipeline.public else (OTHERS, FEWER):
        (alone,) = law(pipeline, others, STANDING[0])
        without = release_of(alone)
        for rows in data(others):
            many = [(release_of(seen), p) for seen, p in law(pipeline, rows, STANDING[0]).items()]
            found += mixed(many, without, epsilon)
            spent = max(spent, *(laplace_epsilon(release, without) for release, _ in many))
    for standing in STANDING:
        runs = (transcript(pipeline, rows, standing) for rows in (OTHERS, next(data())))
        if len({metrics for run in runs for _, _, metrics in run}) != 1:
            raise ArithmeticError(f"{pipeline.words}: what is released depends on more than noisy numbers")
    return Measured(pipeline, worst(found), spent, len(found))


TWO = {"max_partitions_contributed": 2, "max_contributions_per_partition": 1}
VALUED = {**TWO, "min_value": 0, "max_value": 1}


def selected(name: str, **more: Any) -> dict[str, Any]:
    """Return the arguments of partitions selected by the strategy of that name."""
    return {
        **more,
        "partition_selection_strategy": getattr(import_module("pipeline_dp").PartitionSelectionStrategy, name),
    }


def pipelines() -> Iterator[Pipeline]:
    """Yield the pipelines that are examined."""
    pure, approximate = {"epsilon": 1.0, "delta": 0.0}, {"epsilon": 1.0, "delta": 1e-5}
    yield Pipeline("COUNT", ("COUNT",), **pure, more=TWO)
    yield Pipeline("COUNT, PRIVACY_ID_COUNT, SUM", ("COUNT", "PRIVACY_ID_COUNT", "SUM"), **pure, more=VALUED)
    yield Pipeline("MEAN", ("MEAN",), **pure, more=VALUED)
    yield Pipeline("VARIANCE", ("VARIANCE",), **pure, more=VALUED)
    bounded = {"min_sum_per_partition": -1, "max_sum_per_partition": 1}
    yield Pipeline("SUM, bounded per partition", ("SUM",), **pure, more={**TWO, **bounded})
    most = {"max_contributions": 2, "min_value": 0, "max_value": 1}
    yield Pipeline("COUNT, SUM, max_contributions = 2", ("COUNT", "SUM"), **pure, more=most)
    yield Pipeline("COUNT, SUM, Gaussian", ("COUNT", "SUM"), **approximate, noise="GAUSSIAN", more=VALUED)
    yield Pipeline(
        "COUNT, PRIVACY_ID_COUNT, max_contributions = 2, Gaussian",
        ("COUNT", "PRIVACY_ID_COUNT"),
        **approximate,
        noise="GAUSSIAN",
        more={"max_contributions": 2},
    )
    for name in ("TRUNCATED_GEOMETRIC", "LAPLACE_THRESHOLDING"):
        more = selected(name, **TWO)
        yield Pipeline(f"COUNT, {name}", ("COUNT",), **approximate, public=False, more=more)
    yield Pipeline(
        "COUNT, GAUSSIAN_THRESHOLDING, Gaussian",
        ("COUNT",),
        **approximate,
        noise="GAUSSIAN",
        public=False,
        more=selected("GAUSSIAN_THRESHOLDING", **TWO),
    )
