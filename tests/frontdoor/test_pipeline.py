"""Programs whose randomness is that of primitives: each fault is caught, and what is mended is not accused."""

from __future__ import annotations

import itertools
import math
import multiprocessing
import random
import sys
import threading
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import dpcert
from dpcert.pipelines.deciding import refutes
from dpcert.pipelines.primitive import loss


def noisy(values: list[float], scale: float, sensitivity: float) -> list[float]:
    """Add Laplace noise: a difference of two exponentials."""
    return [x + scale * (random.expovariate(1) - random.expovariate(1)) for x in values]


def normal(values: list[float], deviation: float) -> list[float]:
    return [random.normalvariate(x, deviation) for x in values]


def chosen(scores: list[float], scale: float) -> int:
    weights = [math.exp(score / scale) for score in scores]
    return random.choices(range(len(scores)), weights)[0]


ECHOED = dpcert.Primitive(f"{__name__}.echoed", "laplace", "values", "scale")
LAPLACE = dpcert.Primitive(f"{__name__}.noisy", "laplace", "values", "scale", "sensitivity")
NORMAL = dpcert.Primitive(f"{__name__}.normal", "gaussian", "values", "deviation")
CHOSEN = dpcert.Primitive(f"{__name__}.chosen", "exponential", "scores", "scale")
NUMBERS = dpcert.databases([0.0, 1.0], up_to=3)
FEW = [[], [1.0]]
NAN = math.nan


def found(program: Any, inputs: Any = NUMBERS, neighbours: str = "add-remove", **named: Any) -> dpcert.Pipeline:
    given: dict[str, Any] = {
        "guarantee": dpcert.PureDP("1"),
        "primitives": [LAPLACE, NORMAL, CHOSEN, ECHOED],
        "runs": 10,
    } | named
    return dpcert.pipeline(program, inputs=inputs, neighbours=neighbours, **given)


def echoed(values: Any, scale: float) -> Any:
    return values


def mean_of_private_size(data: list[float]) -> float:
    [total] = noisy([sum(data)], 1, 1)
    return total / max(len(data), 1)


def inferred_classes(data: list[float]) -> list[float]:
    return [noisy([data.count(one)], 1, 1)[0] for one in sorted(set(data))]


def double_spending(data: list[float]) -> list[float]:
    return noisy([sum(data)], 1, 1) + noisy([len(data)], 1, 1)


def no_noise(data: list[float]) -> list[float]:
    return noisy([sum(data)], 5 - 5, 0)


def unclipped(data: list[float]) -> list[float]:
    return noisy([sum(data)], 5, 5)


def naive_clip(data: list[float]) -> list[float]:
    return noisy([sum(5.0 if x > 5 else -5.0 if x < -5 else x for x in data)], 5, 5)


def noise_on_public_size(data: list[float]) -> list[float]:
    return noisy([sum(data)], len(data) + 1, 1)


def one_call_more(data: list[float]) -> list[float]:
    total = noisy([sum(data)], 2, 1)
    return total if len(data) < 2 else noisy(total, 2, 1)


def shape_of_the_data(data: list[float]) -> list[float]:
    return noisy(data, 1, 1)


def raises_on_empty(data: list[float]) -> list[float]:
    if not data:
        raise ValueError("no rows")
    return noisy([sum(data)], 1, 1)


def adaptive(data: list[float]) -> list[float]:
    """Ask a second question whose scale is too small by what came of the first."""
    [first] = noisy([sum(data)], 2, 1)
    return noisy([sum(data) * (3 if first > 0 else 1)], 2, 1)


CAUGHT = [
    (mean_of_private_size, NUMBERS, "it returns", None),
    (inferred_classes, NUMBERS, "once more|does not call", "inferred_classes"),
    (double_spending, NUMBERS, "2 calls have a loss", "double_spending"),
    (no_noise, NUMBERS, "what noisy returns is impossible", "no_noise"),
    (unclipped, [[], [1.0], [100.0]], "1 calls have a loss", "unclipped"),
    (naive_clip, [[1.0], [1.0, NAN]], "impossible", "naive_clip"),
    (noise_on_public_size, NUMBERS, "the scale", "noise_on_public_size"),
    (one_call_more, NUMBERS, "once more|does not call", "one_call_more"),
    (shape_of_the_data, NUMBERS, "impossible", "shape_of_the_data"),
    (raises_on_empty, NUMBERS, "does not call|once more|raises", None),
    (adaptive, NUMBERS, "2 calls have a loss", "adaptive"),
]


@pytest.mark.parametrize(("program", "inputs", "reason", "line"), CAUGHT, ids=[row[0].__name__ for row in CAUGHT])
def test_caught_fault(program: Any, inputs: Any, reason: str, line: str | None) -> None:
    result = found(program, inputs, runs=60)
    assert result.verdict == "refuted"
    assert any(part in result.reason for part in reason.split("|")), result.reason
    assert line is None or (result.place is not None and line in result.place), result.place
    assert abs(len(result.data) - len(result.neighbour)) == 1


def stated_size(data: list[float]) -> float:
    [total], [size] = noisy([sum(data)], 2, 1), noisy([len(data)], 2, 1)
    return total / max(size, 1)


def stated_classes(data: list[float]) -> list[float]:
    return noisy([data.count(0.0), data.count(1.0)], 1, 1)


def clipped(data: list[float]) -> list[float]:
    return noisy([sum(min(x, 5.0) if x > -5 else -5.0 if x <= -5 else 0.0 for x in data)], 5, 5)


def adaptively_private(data: list[float]) -> list[float]:
    """Ask another question by what came of the first, with half of epsilon each."""
    [first] = noisy([sum(data)], 2, 1)
    return noisy([len(data) if first > 0 else sum(data)], 2, 1)


RIGHT = [
    (stated_size, NUMBERS),
    (stated_classes, NUMBERS),
    (clipped, [[], [1.0], [100.0], [NAN]]),
    (adaptively_private, NUMBERS),
    (lambda data: chosen([data.count(0.0), data.count(1.0)], 2), NUMBERS),
]


@pytest.mark.parametrize(("program", "inputs"), RIGHT)
def test_what_is_mended_is_not_accused(program: Any, inputs: Any) -> None:
    result = found(program, inputs)
    assert result.verdict == "undecided"
    assert "no violation found" in result.reason
    assert "pairs" in result.tried


def test_delta_is_spent_before_a_claim_is_refuted() -> None:
    """Normal noise of deviation 1/2 has delta 0.510 at epsilon = 1: the claim of less is refuted, of more it is not."""

    def released(data: list[float]) -> list[float]:
        return normal([sum(data)], 0.5)

    few: dict[str, Any] = {"inputs": [[], [1.0]], "runs": 80}
    assert found(released, guarantee=dpcert.ApproxDP("1", "1/20"), **few).verdict == "refuted"
    assert found(released, guarantee=dpcert.ApproxDP("1", "52/100"), **few).verdict == "undecided"


@pytest.mark.parametrize("delta", [Fraction(1, 10**5), Fraction(1, 20), Fraction(1, 2)])
def test_a_claim_that_is_true_is_refuted_as_rarely_as_stated(delta: Fraction) -> None:
    """Where k of n runs have excess 1, the exact chance of k or more is at most alpha; a few more runs do refute."""
    n, alpha = 12, Fraction(1, 1000)

    def chance(k: int) -> Fraction:
        return sum((math.comb(n, i) * delta**i * (1 - delta) ** (n - i) for i in range(k, n + 1)), Fraction(0))

    refuted = [k for k in range(n + 1) if refutes([Fraction(i < k) for i in range(n)], delta, alpha)]
    assert refuted == list(range(refuted[0], n + 1))
    assert chance(refuted[0]) <= alpha < chance(refuted[0] - 4 if refuted[0] > 4 else 0)


def test_a_rare_divergence_is_within_delta() -> None:
    """A key that shows with probability 1/200 of a record alone is no violation at delta = 1/100."""

    def rare(data: list[float]) -> object:
        [noise] = noisy([0.0], 1, 1)
        return "shown" if data and noise > 4.6 else "hidden"

    claim = dpcert.ApproxDP("1", "1/100")
    assert found(rare, [[], [1.0]], guarantee=claim, runs=400).verdict == "undecided"


def test_a_breach_of_sensitivity_is_refuted_for_what_it_is() -> None:
    result = found(lambda data: noisy([3 * sum(data)], 3, 1), FEW)
    assert result.verdict == "refuted"
    assert result.claim == "each primitive is given values within its sensitivity"
    assert "distance 3, at sensitivity 1" in result.reason


COIN = iter(random.Random(4).random, None)
TURNS = itertools.count()
HERE = "it draws outside of them, at test_pipeline.py:"


def drawn_and_dropped(data: list[float]) -> list[float]:
    found = noisy([sum(data)], 1, 1)
    random.random()
    return found


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        (lambda data: noisy([sum(data) + random.random()], 1, 1), "of its primitives, at test_pipeline.py:"),
        (lambda data: noisy([sum(data)], 1, 1)[0] + random.SystemRandom().random(), HERE),
        (lambda data: (noisy([sum(data)], 1, 1), next(COIN) < 0.5), HERE),
        (drawn_and_dropped, "outside of its primitives, at test_pipeline.py:"),
        (lambda data: (noisy([sum(data)], 1, 1), next(TURNS) > 6), "it does something else"),
        (lambda data: len(data) * 0, "calls no primitive: name"),
        (lambda data: sys.exit(3), "no run returns: on the first data set it raises SystemExit: 3"),
        (lambda data: echoed(["a"], 1), "numbers"),
        (lambda data: object(), "not told apart"),
    ],
)
def test_what_cannot_be_replayed_is_undecided(program: Any, reason: str) -> None:
    result = found(program)
    assert result.verdict == "undecided"
    assert reason in result.reason


@pytest.mark.parametrize("seed", range(40))
def test_a_coin_that_is_not_seen_does_not_refute(seed: int) -> None:
    """Of four replays the two of each side are alike, and the sides not, with probability 1/8."""
    coin = random.Random(seed)
    result = found(lambda data: (noisy([0.0], 1, 1), coin.random() < 0.5), [[], [1.0]])
    assert (result.verdict, "outside of them" in result.reason) == ("undecided", True)


def test_a_library_that_does_not_import_is_undecided_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "of_two_lines.py").write_text("import os\nimport no_such_part\n")
    (tmp_path / "that_raises.py").write_text("raise OSError('no device')\n")
    (tmp_path / "that_is_none.py").write_text("\ndef (\n")
    for library, why in {
        "no_such_library": "there is no module no_such_library: install it",
        "of_two_lines": "ModuleNotFoundError: No module named 'no_such_part', at of_two_lines.py:2",
        "that_raises": "OSError: no device, at that_raises.py:1",
        "that_is_none": "at that_is_none.py:2",
    }.items():
        result = found(stated_size, primitives=[dpcert.Primitive(f"{library}.noise", "laplace", "values", "scale")])
        assert result.verdict == "undecided"
        assert f"{library} does not import, " in result.reason
        assert why in result.reason


def test_a_call_in_another_process_is_undecided() -> None:
    def forked(data: list[float]) -> int | None:
        child = multiprocessing.get_context("fork").Process(target=noisy, args=([sum(data)], 1, 1))
        child.start()
        child.join()
        return child.exitcode

    result = found(forked)
    assert result.verdict == "undecided"
    assert "noisy is called in another process, at process.py:" in result.reason


def test_a_call_in_another_thread_is_undecided() -> None:
    def threaded(data: list[float]) -> None:
        thread = threading.Thread(target=noisy, args=([sum(data)], 1, 1))
        thread.start()
        thread.join()

    result = found(threaded)
    assert result.verdict == "undecided"
    assert "another thread" in result.reason


@pytest.mark.parametrize(
    "primitive",
    [
        "no_such_library.noise",
        dpcert.Primitive(f"{__name__}.no_such", "laplace", "values", "scale"),
        dpcert.Primitive("math.exp", "laplace", "values", "scale"),
    ],
)
def test_refused_primitive(primitive: Any) -> None:
    with pytest.raises(dpcert.InputError):
        found(stated_size, primitives=[primitive])


def test_refused_law_and_truth_value() -> None:
    with pytest.raises(dpcert.InputError, match="one of laplace, gaussian, exponential"):
        dpcert.Primitive("a.b", "cauchy", "x", "y")
    with pytest.raises(TypeError, match="no truth value"):
        bool(found(stated_size, FEW))


def sorted_noise(values: list[float], scale: float) -> list[float]:
    return sorted(noisy(values, scale, 1))


def test_a_primitive_within_another_is_its_own_matter() -> None:
    outer = dpcert.Primitive(f"{__name__}.sorted_noise", "laplace", "values", "scale")
    result = found(lambda data: sorted_noise([sum(data)], 1), FEW, primitives=[outer, LAPLACE])
    assert "no violation found" in result.reason
    assert "which called sorted_noise" in result.tried


def test_the_primitive_is_itself_again() -> None:
    before = noisy
    found(stated_size, FEW)
    assert noisy is before


class Mechanism:
    """A class of a library, with a primitive that needs no object."""

    @staticmethod
    def execute(value: float, scale: float) -> float:
        return value + scale * (random.expovariate(1) - random.expovariate(1))


def test_a_static_method_is_a_primitive_and_is_itself_again() -> None:
    before = vars(Mechanism)["execute"]
    where = dpcert.Primitive(f"{__name__}.Mechanism.execute", "laplace", "value", "scale")
    right = found(lambda data: Mechanism().execute(len(data), 1), primitives=[where])
    twice = found(lambda data: Mechanism.execute(2 * len(data), 1), primitives=[where])
    assert (right.verdict, twice.verdict, vars(Mechanism)["execute"] is before) == ("undecided", "refuted", True)


@pytest.mark.parametrize("law", ["laplace", "gaussian"])
def test_losses_are_those_of_densities(law: str) -> None:
    """The loss is ln of the ratio of the two densities, computed here in floats from the formula itself."""
    power = 1 if law == "laplace" else 2

    def density(x: float, value: float, scale: float) -> float:
        return math.exp(-(abs(x - value) ** power) / (scale if power == 1 else 2 * scale**2))

    for x, a, b, scale in ((0.3, 0.0, 1.0, 2.0), (-7.0, 1.5, 0.0, 0.5), (0.5, 0.0, 1.0, 1.0)):
        expected = math.log(density(x, a, scale) / density(x, b, scale))
        got = loss(law, [x], [a], [b], scale)
        assert got is not None
        assert math.isclose(got, expected, abs_tol=1e-12)


def test_the_loss_of_a_choice_is_that_of_its_probabilities() -> None:
    scores, others = [0.0, 1.0, 2.0], [1.0, 1.0]
    probability = [math.exp(s / 2) / sum(math.exp(x / 2) for x in scores) for s in scores]
    got = loss("exponential", 1, scores, others, 2)
    assert got is not None
    assert math.isclose(got, math.log(probability[1] / 0.5), abs_tol=1e-12)
    assert loss("exponential", 2, scores, others, 2) == math.inf


def test_the_law_says_nothing_of_a_cleaned_nan() -> None:
    """A primitive may clean what it is given: only an outcome that is not finite tells NaN from a number."""
    assert loss("laplace", 0.5, math.nan, 1.0, 1) is None
    assert loss("laplace", 0.5, 1.0, math.nan, 1) is None
    assert loss("laplace", math.nan, math.nan, 1.0, 1) == math.inf
    assert loss("laplace", [0.5], [1.0], [1.0, 2.0], 1) == math.inf
    assert loss("laplace", 1, 1, 1 + Fraction(1, 10**30), 0) == math.inf
