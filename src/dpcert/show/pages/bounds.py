"""Exact against printed, as curves: the delta or epsilon that is needed, and the bounds of theorems in print."""

from fractions import Fraction

from dpcert.audit.accounting import advanced, basic, optimal
from dpcert.audit.unbounded.sample_and_threshold.printed_bounds import ParameterPoint, lemma_3, needed, theorem_2
from dpcert.mechanisms.decimals import decimal_hi
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.logarithm import epsilon_bounds, ln_bounds
from dpcert.show.pages.ink import Plot
from dpcert.show.pages.line_chart import Curves, line_chart

BITS = 128
THRESHOLDS = range(1, 31)
RATE, RATIO = Fraction(1, 10), Fraction(3, 2)
USES = (1, 2, 4, 7, 10, 15, 20, 30, 40, 50, 60, 80, 100, 120, 140, 160, 180, 200)
EACH, SLACK = Fraction(11, 10), Fraction(1, 10**6)


def bounds_charts() -> list[Plot]:
    """Return the charts of this part: sample-and-threshold, and composition. All values are rounded up."""
    return [_sample_and_threshold(), _composition()]


def _sample_and_threshold() -> Plot:
    points = [ParameterPoint(threshold, RATE, RATIO) for threshold in THRESHOLDS]
    printed = [(theorem_2(point), lemma_3(point)) for point in points]
    curves = Curves(
        x="threshold",
        y="delta",
        at=[str(threshold) for threshold in THRESHOLDS],
        lines=(
            ("exact", [decimal_hi(needed(point, moves=False)[1]) for point in points]),
            ("Theorem 2", [None if both[0] is None else decimal_hi(both[0][1]) for both in printed]),
            ("Lemma 3", [None if both[1] is None else decimal_hi(both[1][1]) for both in printed]),
        ),
        logarithmic=True,
    )
    last = [values[-1] for _, values in curves.lines]
    words = (
        f"Curves: delta over the threshold from 1 to {THRESHOLDS[-1]}, at rate {RATE} and epsilon ln({RATIO}), when "
        f"one person comes or goes. At {THRESHOLDS[-1]}: {last[0]}, by Theorem 2 {last[1]}, by Lemma 3 {last[2]}."
    )
    title = f"Sample-and-threshold: delta at rate {RATE}, epsilon ln({RATIO})"
    return line_chart(curves, name="bounds-sample-and-threshold", title=title, words=words)


def _composition() -> Plot:
    epsilon = Epsilon.ln(EACH)
    exact, added, root = [], [], []
    for times in USES:
        spent = [(epsilon, Fraction(0), times)]
        ratio = optimal(spent).ratio_at(SLACK).hi
        exact.append(None if ratio is None else decimal_hi(ln_bounds(ratio, BITS)[1]))
        added.append(decimal_hi(epsilon_bounds(basic(spent)[0], BITS)[1]))
        most = advanced(spent, SLACK)[0].hi
        root.append(None if most is None else decimal_hi(most))
    curves = Curves(
        x="uses",
        y="epsilon",
        at=[str(times) for times in USES],
        lines=(("exact", exact), ("advanced theorem", root), ("basic theorem", added)),
    )
    words = (
        f"Curves: epsilon at delta 1e-6 over the number of uses, each of epsilon ln({EACH}), up to {USES[-1]}. There: "
        f"exactly {exact[-1]}, by the advanced theorem {root[-1]}, by the basic one {added[-1]}."
    )
    title = f"Composition: epsilon at delta 1e-6, each use of epsilon ln({EACH})"
    return line_chart(curves, name="bounds-composition", title=title, words=words)
