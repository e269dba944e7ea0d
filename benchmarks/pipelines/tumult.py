"""Tumult Core's measurements, from tiny tables to noise, against their `privacy_function`.

A measurement on a Spark table is a transformation and noise on the column that it returns, which is added in Spark's
own processes. The transformation is run on small tables and their neighbours, of one row more; the distance of what it
returns, over the scale that the noise object has, is the least epsilon of two-sided geometric noise, exactly. The
quantile of a pandas series releases a number by an interval and then uniformly within: its density is computed from the
intervals that the library makes, by the formula of its documentation.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from importlib import import_module
from itertools import combinations_with_replacement
from typing import Any

from dpcert.libraries.comparison import Comparison
from dpcert.mechanisms.adapters.balls import Bounds, enclose

Row = tuple[str, int]
TABLES: tuple[tuple[Row, ...], ...] = ((("a", 1),), (("a", 1), ("b", 5)))
ROWS: tuple[Row, ...] = (("a", 1), ("a", 5), ("c", -7))
"""The tables, and the rows that are added to them."""
VALUES, LOWER, UPPER = (0, 1, 3, 5), 0, 4


def comparisons() -> Iterator[Comparison]:
    """Yield what is examined of Tumult Core."""
    yield from quantiles()
    yield from on_tables()


def fraction(number: Any) -> Fraction:
    """Return one of the library's exact numbers, which must be rational."""
    return Fraction(int(number.expr.p), int(number.expr.q))


def on_tables() -> Iterator[Comparison]:
    """Yield the measurements on Spark tables; this starts Spark, and Java with it."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = import_module("pyspark.sql").SparkSession.builder.master("local[1]")
    for name, value in (("spark.ui.enabled", "false"), ("spark.sql.shuffle.partitions", "1")):
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    try:
        for words, measurement in measurements():
            yield compared(spark, words, measurement)
    finally:
        spark.stop()


def measurements() -> Iterator[tuple[str, Any]]:
    """Yield measurements with geometric noise by words."""
    domains = import_module("tmlt.core.domains.spark_domains")
    made = import_module("tmlt.core.measurements.aggregations")
    metric = import_module("tmlt.core.metrics").SymmetricDifference()
    pure = import_module("tmlt.core.measures").PureDP()
    columns = {"A": domains.SparkStringColumnDescriptor(), "X": domains.SparkIntegerColumnDescriptor()}
    given = domains.SparkDataFrameDomain(columns), metric, pure
    noise = made.NoiseMechanism.GEOMETRIC
    yield "create_count_measurement, epsilon = 1", made.create_count_measurement(*given, 1, noise)
    yield "create_count_distinct_measurement, epsilon = 1", made.create_count_distinct_measurement(*given, 1, noise)
    bounds = {"measure_column": "X", "lower": -2, "upper": 3}
    yield "create_sum_measurement on [-2, 3], epsilon = 1", made.create_sum_measurement(*given, 1, noise, **bounds)
    twice = made.create_sum_measurement(*given, 1, noise, d_in=2, **bounds)
    yield "create_sum_measurement on [-2, 3], epsilon = 1 for two rows", twice


def compared(spark: Any, words: str, measurement: Any) -> Comparison:
    """Return what a measurement claims of one row, against the exact distance of its column over its scale."""
    chain = measurement.measurement
    alpha = fraction(chain.measurement.measurement.noise_measurement.alpha)
    returned: dict[tuple[Row, ...], int] = {}

    def number(rows: tuple[Row, ...]) -> int:
        if rows not in returned:
            (row,) = chain.transformation(spark.createDataFrame(list(rows), "A string, X bigint")).collect()
            returned[rows] = int(row[0])
        return returned[rows]

    furthest = max(abs(number((*table, row)) - number(table)) for table in TABLES for row in ROWS)
    least = furthest / alpha
    return Comparison(words, fraction(measurement.privacy_function(1)), (least, least))


def quantiles() -> Iterator[Comparison]:
    """Yield `NoisyQuantile`: its claim for one record, against the greatest ratio of densities on small series."""
    series = import_module("tmlt.core.measurements.pandas_measurements.series")
    domains = import_module("tmlt.core.domains.pandas_domains")
    integers = import_module("tmlt.core.domains.numpy_domains").NumpyIntegerDomain()
    pure = import_module("tmlt.core.measures").PureDP()
    for quantile, epsilon in ((0.5, 1), (0.25, 1), (0.0, 2)):
        made = series.NoisyQuantile(domains.PandasSeriesDomain(integers), pure, quantile, LOWER, UPPER, epsilon)
        least = (Fraction(0), Fraction(0))
        for size in range(3):
            for values in combinations_with_replacement(VALUES, size):
                for more in VALUES:
                    for one, two in ((values, (*values, more)), ((*values, more), values)):
                        low, high = furthest(series, one, two, quantile, epsilon)
                        least = max(least[0], low), max(least[1], high)
        words = f"NoisyQuantile({quantile}) on [{LOWER}, {UPPER}], epsilon = {epsilon}"
        yield Comparison(words, fraction(made.privacy_function(1)), least)


Interval = tuple[Fraction, Fraction, Fraction]


def furthest(series: Any, one: Sequence[int], two: Sequence[int], quantile: float, epsilon: int) -> Bounds:
    """Return bounds of the greatest logarithm of the ratio of densities on one series and on another."""
    first, second = (intervals(series, values, quantile, epsilon) for values in (one, two))
    gains = [a - b for low, high, a in first for start, end, b in second if max(low, start) < min(high, end)]

    def formula(gain: Any, *numbers: Any) -> Any:
        half = len(first) * 2
        return gain + total(numbers[half:]).log() - total(numbers[:half]).log()

    def total(numbers: Sequence[Any]) -> Any:
        widths = zip(numbers[::2], numbers[1::2], strict=True)
        return sum((width * score.exp() for width, score in widths), 0 * numbers[0])

    numbers = [number for part in (first, second) for low, high, score in part for number in (high - low, score)]
    return enclose(formula, max(gains), *numbers, bits=256)


def intervals(series: Any, values: Sequence[int], quantile: float, epsilon: int) -> list[Interval]:
    """Return the library's intervals: both ends, and the exponent -|rank - target| epsilon / (2 max(q, 1 - q))."""
    q = Fraction(quantile)
    steepness = Fraction(epsilon) / (2 * max(q, 1 - q))
    found = []
    for each in series._get_intervals_with_ranks(list(values), LOWER, UPPER):
        low, high, rank = (Fraction(float(number)) for number in (each.lower, each.upper, each.rank))
        found.append((low, high, -abs(rank - q * len(values)) * steepness))
    return found
