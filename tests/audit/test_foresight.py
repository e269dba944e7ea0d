"""Evidence for foresight: a program is given up where a few laws show that it cannot fit, and they leave nothing."""

from collections.abc import Callable

import pytest

from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.audit.subject import Subject
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.outcome import canonical
from dpcert.worker.attempt import attempt
from dpcert.worker.failure import Failure
from dpcert.worker.foresight import Foresight
from dpcert.worker.troubles import TimedOut


class Clock:
    """A clock that laws set on: the one on x by `price(x)`, whatever number of runs it takes."""

    def __init__(self, price: Callable[[int], float], inputs: int = 100) -> None:
        self.now = 0.0
        self.price = price
        self.looked: list[int] = []
        self.subject = Subject("clocked", lambda x, coins: 0, tuple(range(inputs)), RELATIONS["any"])

    def __call__(self) -> float:
        return self.now

    def audit(self, monkeypatch: pytest.MonkeyPatch, seconds: float) -> int:
        """Compute the laws in order, with foresight, and return how many there were."""

        def aside(subject: Subject) -> Callable[[int], None]:
            def look(position: int) -> None:
                self.looked.append(position)
                self.now += self.price(position)

            return look

        monkeypatch.setattr(Subject, "aside", aside)
        foresight = Foresight(seconds, self)
        for position in range(len(self.subject.inputs)):
            foresight(self.subject)
            self.subject.found.append(canonical(position))
            self.now += self.price(position)
        return len(self.subject.found)


@pytest.mark.parametrize(
    ("price", "looked"),
    [
        (lambda x: 0.125, [13, 14, 55, 56, 98, 99]),  # 12.5 s in all
        (lambda x: 0.1875, [9, 10, 53, 54, 98, 99]),  # 19 s: too long, but not by far
        (lambda x: 0.0, []),  # over before one looks
    ],
)
def test_a_program_that_may_fit_goes_on_after_one_look(
    monkeypatch: pytest.MonkeyPatch, price: Callable[[int], float], looked: list[int]
) -> None:
    clock = Clock(price)
    assert clock.audit(monkeypatch, 16.0) == 100
    assert clock.looked == looked


@pytest.mark.parametrize(
    ("price", "looks"),
    [
        (lambda x: x * x / 1024, 6),  # 320 s in all
        (lambda x: 0.0625 if x < 60 else 2.0, 6),  # 84 s
        (lambda x: 0.25, 6),  # 25 s
        (lambda x: 1.0, 2),  # 100 s, at the price of the next
    ],
)
def test_a_program_that_cannot_fit_is_given_up(
    monkeypatch: pytest.MonkeyPatch, price: Callable[[int], float], looks: int
) -> None:
    clock = Clock(price)
    with pytest.raises(TimedOut, match=r"^the program does not fit in the time limit of 16 s .* --law-source program"):
        clock.audit(monkeypatch, 16.0)
    assert len(clock.looked) == looks


def test_few_laws_left_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(lambda x: 5.0, inputs=8)
    assert clock.audit(monkeypatch, 16.0) == 8
    assert clock.looked == []


def flip(bit: int, coins: Coins) -> int:
    return bit if coins.below(4) < 3 else 1 - bit


def test_nothing_is_left_of_what_is_computed_aside() -> None:
    subject = Subject("flip", flip, (0, 1), RELATIONS["any"])
    before = subject.coverage.unreached()
    subject.aside()(1)
    assert (subject.found, subject.notes, subject.assumed, subject.kept) == ([], {}, {}, {})
    assert (subject.coverage.unreached(), subject.coverage.files) == (before, set())
    assert subject.law(1) == Subject("flip", flip, (0, 1), RELATIONS["any"]).law(1)


def test_what_was_given_up_is_told_as_what_took_too_long() -> None:
    def given_up() -> None:
        raise TimedOut("the program does not fit")

    found = attempt(given_up)
    assert isinstance(found, Failure)
    assert isinstance(found.error(), TimedOut)
