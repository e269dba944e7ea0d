"""Functions of noise that are released: verified by their arguments, refuted by what a caller sees, else undecided."""

import math
from dataclasses import replace

import numpy as np
import pytest

from dpcert import ApproxDP, Claim, Unauditable
from dpcert.audit.ideal.certificates.certificate import IdealCertificate, check_ideal
from dpcert.audit.ideal.certificates.writing import certificate_of
from dpcert.audit.ideal.every_report import decide_every
from dpcert.audit.ideal.explore import laws_of
from dpcert.audit.ideal.post import told_apart
from dpcert.audit.ideal.verdict import decide_ideal
from dpcert.audit.kernel.check import Rejected
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.mechanisms.exact.outcome import Raised
from dpcert.mechanisms.ideal.post import Post

from ..claims import STATED, counted

COUNTS = range(3)


def square(x):
    return x * x


def quotient(n, rng):
    x, y = n + rng.laplace(scale=2), n + rng.laplace(scale=2)
    return x / y


def noisy_mean(n, rng):
    x, y = n + rng.laplace(scale=2), n + rng.laplace(scale=2)
    return x / max(y, 1)


def norm(n, rng):
    x = n + rng.laplace(scale=2, size=2)
    return float(np.sqrt(np.square(x).sum()))


def norm_by_numpy(n, rng):
    x = n + rng.laplace(scale=2, size=2)
    return x / (1 + np.linalg.norm(x))


def scaled_row(n, rng):
    x = n + rng.laplace(scale=2, size=2)
    return x / (x[0] * x[0] + 1)


def branches_later(n, rng):
    q = square(n + rng.laplace(scale=2))
    return {"q": q} if n + rng.laplace(scale=2) > 1 else {"none": None}


def noisy_row(n, rng, *others):
    return np.array([n, *others], dtype=float) + rng.laplace(size=1 + len(others))


def sorted_in_place(n, rng):
    x = noisy_row(n, rng, 1, 2, 3)
    x.sort()
    return x


VERIFIED = [
    lambda n, rng: square(n + rng.laplace()),
    lambda n, rng: np.exp(n + rng.laplace()),
    lambda n, rng: math.exp(n + rng.laplace()),
    lambda n, rng: (n + rng.laplace(size=1)) ** 4,
    lambda n, rng: (n + rng.laplace(scale=2)) / (n + rng.laplace(scale=2)) > 0.5,
    lambda n, rng: 1 / (n + rng.laplace()) >= 0.5,
    quotient,
    noisy_mean,
    norm,
    norm_by_numpy,
    lambda n, rng: math.hypot(n + rng.laplace(scale=2), rng.laplace(), n + rng.laplace(scale=2)),
    lambda n, rng: 1 / (1 + math.exp(n + rng.laplace())),
    scaled_row,
    lambda n, rng: math.log(n + rng.laplace()),
    branches_later,
    lambda n, rng: [round(abs((n + rng.laplace()) / (1 + rng.laplace())), 2)],
    lambda n, rng: noisy_row(n, rng, 1, 2).std(),
    lambda n, rng: np.var(np.array([noisy_row(n, rng, 1, 2), [1, 1, 1]]), axis=1, ddof=1),
    lambda n, rng: float(np.quantile(noisy_row(n, rng, 1, 2, 3), 0.4)),
    lambda n, rng: np.percentile(noisy_row(n, rng, 1, 2, 3), q=25),
    lambda n, rng: np.percentile(noisy_row(n, rng, 1, 2, 3), [25, 75]),
    lambda n, rng: np.quantile(np.array([noisy_row(n, rng, 1), [1, 1]]), np.array([0.25, 0.5]), axis=1),
    lambda n, rng: [np.median(noisy_row(n, rng, 1, 2, 3, 4)), 0],
    lambda n, rng: np.sort(noisy_row(n, rng, 1, 2))[2] > 2,
    sorted_in_place,
]


@pytest.mark.parametrize("program", VERIFIED)
def test_a_function_of_a_private_release_is_verified(program):
    report = counted(program, 1, counts=COUNTS)
    assert report.verdict == "verified"
    case = Claim("program", (), tuple(COUNTS), RELATIONS["counts_differ_by_one"], ApproxDP(1, 0))
    found = certificate_of(report, STATED)
    assert found.trees
    check_ideal(IdealCertificate.from_text(found.to_text().encode()), case, program, STATED)


@pytest.mark.parametrize(
    "program",
    [
        lambda n, rng: np.quantile(noisy_row(0, rng, 1, 2, 3), n / 3),
        lambda n, rng: np.quantile(noisy_row(0, rng, 1, 2, 3), [0.5, n / 3]),
        lambda n, rng: np.sort(noisy_row(0, rng, 1, 2, 3))[n],
        lambda n, rng: np.var(noisy_row(0, rng, 1, 2, 3), ddof=n),
    ],
)
def test_another_function_on_each_input_is_not_verified(program):
    assert counted(program, 100, counts=COUNTS).verdict != "verified"


def test_nothing_from_below_is_said_where_a_function_may_hide():
    report = counted(VERIFIED[0], 1, counts=COUNTS)
    assert str(report.epsilon[0]) == "0"
    assert report.delta[0] == 0
    assert report.worst is None
    report = counted(VERIFIED[1], 1, counts=COUNTS)
    assert str(report.epsilon[0]) == "1"


def test_a_function_of_a_normal_release_is_verified_at_a_delta():
    def program(n, rng):
        return square(n + rng.normal(scale=6))

    assert counted(program, 1, "1e-6", counts=COUNTS).verdict == "verified"
    assert counted(program, "1/100", "1e-6", counts=COUNTS).verdict == "refuted"


def test_a_number_that_is_never_used_is_nothing():
    def program(n, rng):
        x = n + rng.laplace(scale=2)
        square(x)
        return x > 1

    report = counted(program, 1, counts=COUNTS)
    assert str(report.epsilon[1]) == "1/2"


REFUTED = [
    (lambda n, rng: square(n + 5 + rng.laplace(scale=0.5)), "at most 25"),
    (lambda n, rng: np.exp(n + rng.laplace(scale=0.5)), None),
    (lambda n, rng: (n + rng.laplace(scale=0.5, size=1)) ** 3, None),
    (lambda n, rng: 1 / (n + rng.laplace(scale=0.5)), None),
    (lambda n, rng: -3 * math.exp(n + rng.laplace(scale=0.5)) + 1, None),
    (lambda n, rng: (n + rng.laplace(scale=0.2)) / rng.laplace(), "above"),
    (lambda n, rng: square(n + rng.laplace()) + n, "at most"),
    (lambda n, rng: square(rng.laplace()) + n, "at most"),
    (lambda n, rng: (n + rng.laplace(scale=0.2)) / max(n + rng.laplace(), 1), "above"),
    (lambda n, rng: (square(rng.laplace()), n + rng.laplace(scale=0.5) > 1), ""),
    (lambda n, rng: {"a": square(rng.laplace()), "b": n + rng.laplace(scale=0.5)}, ""),
    (lambda n, rng: square(rng.laplace()) if n else 2 * square(rng.laplace()) + 1, "at most"),
    (lambda n, rng: math.log(n + rng.laplace(scale=0.5)), None),
]


@pytest.mark.parametrize(("program", "event"), REFUTED)
def test_caught_a_function_that_tells_too_much(program, event):
    """`event` is in the text of the event that a caller sees; None where the function tells its argument."""
    report = counted(program, 1, counts=COUNTS)
    assert report.verdict == "refuted"
    case = Claim("program", (), tuple(COUNTS), RELATIONS["counts_differ_by_one"], ApproxDP(1, 0))
    paths = laws_of(program, COUNTS)
    assert told_apart(paths) is (event is None)
    assert "Post(" not in str(report.worst.event)
    assert event is None or event in str(report.worst.event)
    check_ideal(certificate_of(report, STATED), case, program, STATED)


def test_a_refutation_needs_no_more_epsilon_than_the_arguments_do():
    report = counted(REFUTED[0][0], 1, counts=COUNTS)
    assert report.epsilon[1] is None
    assert counted(REFUTED[0][0], 2, counts=COUNTS).verdict == "verified"


def one_more_factor(n, rng):
    q = np.square(rng.laplace(size=1))
    for _ in range(n):
        q = q * 2
    return q


LEAKING = [
    lambda n, rng: round(square(rng.laplace()), 1 + n),
    lambda n, rng: square(rng.laplace()) + n * 1e-300,
    lambda n, rng: -square(rng.laplace()) if n else square(rng.laplace()),
    lambda n, rng: rng.laplace(size=1) ** (n + 1),
    lambda n, rng: (square(rng.laplace()),) if n else [square(rng.laplace())],
    lambda n, rng: square(rng.laplace(scale=0.9) + n) - square(rng.laplace()) / 3,
    lambda n, rng: (rng.laplace() + n) / (rng.laplace() + n),
    lambda n, rng: square(n + rng.laplace(scale=0.9)),
    lambda n, rng: {"q": square(rng.laplace())} if n else {"r": square(rng.laplace())},
    lambda n, rng: (lambda u: (u, square(u + n)))(rng.laplace()),
    lambda n, rng: (lambda u: (square(u), square(u + n)))(rng.laplace()),
    lambda n, rng: (lambda u: (u + n) * u)(rng.laplace()),
    one_more_factor,
]
"""Programs of which the arguments alone, or the functions, tell more than epsilon 1."""


@pytest.mark.parametrize("program", LEAKING)
def test_caught_no_verdict_for_another_function_or_other_arguments(program):
    assert counted(program, 1, counts=COUNTS).verdict in ("refuted", "undecided")


def test_caught_a_function_of_another_type():
    with pytest.raises(Unauditable, match="a caller sees a released number as"):
        counted(lambda n, rng: math.exp(rng.laplace()) if n else np.exp(rng.laplace()), 1, counts=COUNTS)


TIGHT = 0.1
"""The scale of the noise of what hides: the arguments alone need epsilon 10, or 20."""


def either(n, rng):
    """n + u: u + 1 or u - 1, of which any even function has one law."""
    return (1 if n else -1) + rng.laplace(scale=TIGHT)


def swapped(n, rng):
    u, v = rng.laplace(), rng.laplace()
    return u * v if n else v * u


def swapped_sum(n, rng):
    u, v = rng.laplace(), rng.laplace()
    return u * v + (u if n else v)


def doubled(n, rng):
    x = n + rng.laplace(scale=TIGHT)
    return (x + x) / x


def itself(n, rng):
    x = n + rng.laplace(scale=TIGHT)
    return x / x


def less_itself(n, rng):
    z = square(n + rng.laplace(scale=TIGHT))
    return z - z


def root_less_size(n, rng):
    x = n + rng.laplace(scale=TIGHT)
    return math.sqrt(x * x) - abs(x)


def in_a_branch(n, rng):
    z = square(either(n, rng))
    return z if rng.laplace() > 0 else 0.25


def in_a_row(n, rng):
    x = np.array([either(n, rng)])
    return x * x


def quotient_of_sizes(n, rng):
    x, y = abs(either(n, rng)), abs(rng.laplace())
    return x / y


def sign_by_a_coin(n, rng):
    x = n + rng.laplace(scale=TIGHT)
    return x / x if rng.random() < 0.5 else -(x / x) if n else -1.0


def product_with_itself_less_a_square(n, rng):
    x = n + rng.laplace(scale=TIGHT)
    return x * x - np.square(x)


HIDING = [
    lambda n, rng: square(n + rng.laplace(scale=TIGHT)) * 0.0,
    lambda n, rng: np.exp(rng.laplace()) * (1.0 if n else 1),
    lambda n, rng: square(either(n, rng)),
    lambda n, rng: (np.array([either(n, rng)]) ** 4).tolist(),
    lambda n, rng: 1 / (square(either(n, rng)) + 1),
    lambda n, rng: round(square(either(n, rng)), 2),
    lambda n, rng: np.exp(-square(either(n, rng))),
    lambda n, rng: math.log(1 + square(either(n, rng))),
    lambda n, rng: {"size": abs(square(either(n, rng)))},
    lambda n, rng: [square(either(n, rng)), square(either(n, rng))],
    lambda n, rng: square(rng.laplace() if n else -rng.laplace()),
    swapped,
    swapped_sum,
    doubled,
    itself,
    less_itself,
    root_less_size,
    lambda n, rng: either(n, rng) * rng.laplace(),
    lambda n, rng: either(n, rng) / rng.laplace(),
    in_a_branch,
    in_a_row,
    lambda n, rng: math.sqrt(square(either(n, rng)) + square(rng.laplace())),
    quotient_of_sizes,
    sign_by_a_coin,
    product_with_itself_less_a_square,
]
"""Programs of which each outcome has one law on all inputs."""


@pytest.mark.parametrize("program", HIDING)
def test_caught_no_refutation_of_what_a_function_hides(program):
    report = counted(program, 1, counts=range(2))
    assert report.verdict in ("verified", "undecided")
    if report.verdict == "undecided":
        assert "the function may hide it" in report.reason
        assert "release its arguments" in report.reason


def test_the_reason_says_what_the_arguments_alone_would_need():
    report = counted(HIDING[0], 1, counts=range(2))
    assert "the arguments alone would need epsilon" in report.reason
    assert report.epsilon[1] is None
    assert report.delta == (0, 1)


@pytest.mark.parametrize("name", ["told_apart", "holds_post"])
def test_caught_a_rule_that_takes_arguments_for_what_is_released(name, monkeypatch):
    """Without the rule, what a function hides is refuted, so that the tests above can fail."""
    monkeypatch.setattr(f"dpcert.audit.ideal.post.{name}", lambda paths: name == "told_apart")
    if name == "holds_post":
        monkeypatch.setattr("dpcert.audit.ideal.verdict.has_posts", lambda paths: False)
    assert counted(HIDING[2], 1, counts=range(2)).verdict == "refuted"


def test_caught_a_certificate_that_refutes_by_arguments(monkeypatch):
    program, case = HIDING[2], Claim("p", (), (0, 1), RELATIONS["counts_differ_by_one"], ApproxDP(1, 0))
    with monkeypatch.context() as patched:
        for module in ("verdict", "certificates.writing"):
            patched.setattr(f"dpcert.audit.ideal.{module}.has_posts", lambda paths: False)
        forged = certificate_of(decide_ideal(case, program), STATED)
    assert (forged.verdict, bool(forged.trees)) == ("refuted", True)
    with pytest.raises(Rejected, match="may hide"):
        check_ideal(forged, case, program, STATED)
    with pytest.raises(Rejected, match="undecided when recomputed"):
        check_ideal(replace(forged, trees=[], witness=None), case, program, STATED)


def test_a_claim_of_every_epsilon_is_verified_and_never_refuted_by_arguments():
    neighbours = RELATIONS["counts_differ_by_one"]

    def private(n, rng, epsilon):
        return square(n + rng.laplace(scale=1 / epsilon))

    def hides(n, rng, epsilon):
        return square((1 if n else -1) + rng.laplace(scale=1 / epsilon))

    assert decide_every(private, COUNTS, neighbours).verdict == "verified"
    assert decide_every(hides, range(2), neighbours).verdict == "undecided"


def outcomes(program, value=0):
    (row,) = laws_of(program, [value])
    return [path.outcome for path in row]


@pytest.mark.parametrize(
    ("program", "fault"),
    [
        (lambda n, rng: math.log(rng.laplace()), ("ValueError", ("math domain error",))),
        (lambda n, rng: math.sqrt(rng.laplace()), ("ValueError", ("math domain error",))),
        (lambda n, rng: math.exp(1000 * rng.laplace()), ("OverflowError", ("math range error",))),
        (lambda n, rng: 1 / float(rng.poisson(1)), ("ZeroDivisionError", ("float division by zero",))),
    ],
)
def test_a_function_raises_where_the_real_one_does(program, fault):
    found = outcomes(program)
    assert [outcome for outcome in found if type(outcome) is Raised] == [Raised(*fault)]
    assert any(isinstance(outcome, Post) for outcome in found)


def test_caught_an_error_that_tells():
    def overflows(n, rng):
        try:
            math.exp(1000 * abs(rng.laplace()))
        except OverflowError:
            return n
        return 0

    assert counted(overflows, 1, counts=range(2)).verdict == "refuted"
