"""The second computation of laws: with another hash seed, in reverse, and its answers handed on as they are."""

from collections.abc import Callable
from textwrap import dedent
from typing import Any

import pytest
from marked import MARKED

from dpcert import InputError, Options, Unauditable
from dpcert.targets.spec import CatalogueSpec
from dpcert.worker import recomputed
from dpcert.worker.failure import Failure
from dpcert.worker.jobs import Alone, Digests, DigestsOfMany, FindDigests, FindDigestsOfMany
from dpcert.worker.process import HASH_SEEDS
from dpcert.worker.recomputed import Apart, Second
from dpcert.worker.troubles import ChildEnded, ChildFailed, TimedOut

SPEC, OPTIONS = CatalogueSpec("geosample", {}), Options()


class Child:
    """A process that answers at once, or fails."""

    made: list[Any]
    answer: Any

    def __init__(self, job: Any, seed: str, *, folder: str | None, seconds: float | None) -> None:
        self.job, self.seed, self.place, self.closed = job, seed, (folder, seconds), 0
        self.made.append(self)

    def reply(self, *, waits: bool) -> Any:
        assert waits is False
        return self

    def delivered(self) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def close(self) -> None:
        self.closed += 1


@pytest.fixture(name="child")
def child_fixture(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], type[Child]]:
    def child(answer: Any) -> type[Child]:
        made = type("Made", (Child,), {"made": [], "answer": answer})
        monkeypatch.setattr(recomputed, "Child", made)
        return made

    return child


@pytest.mark.parametrize("own", [None, *HASH_SEEDS])
def test_the_other_process_has_another_seed_and_is_closed(
    own: str | None, child: Callable[[Any], type[Child]], monkeypatch: pytest.MonkeyPatch
) -> None:
    if own is None:
        monkeypatch.delenv("PYTHONHASHSEED", raising=False)
    else:
        monkeypatch.setenv("PYTHONHASHSEED", own)
    made = child(Digests(["a", "b"], "scope"))
    job = FindDigests(SPEC, OPTIONS)
    with Second(job, folder="here", seconds=3.0) as other:
        assert [*other.digests("scope")] == ["a", "b"]
        assert made.made[0].closed == 0
    (started,) = made.made
    assert (started.job, started.place, started.closed) == (job, ("here", 3.0), 1)
    assert started.seed in HASH_SEEDS
    assert started.seed != own


def test_caught_another_scope(child: Callable[[Any], type[Child]]) -> None:
    child(Digests(["a"], "scope"))
    with Second(FindDigests(SPEC, OPTIONS)) as other, pytest.raises(Unauditable, match="answered otherwise"):
        other.digests("another")


@pytest.mark.parametrize(
    "error",
    [TimedOut("late"), ChildEnded("gone", 1), ChildFailed("failed"), InputError(given="a", needed="b", remedy="c")],
)
def test_what_the_other_process_could_not_compute_is_undecided(
    error: Exception, child: Callable[[Any], type[Child]]
) -> None:
    child(error)
    with Second(FindDigests(SPEC, OPTIONS)) as other, pytest.raises(Unauditable, match=str(error)):
        other.digests("")


def test_several_claims_have_their_own_answers(child: Callable[[Any], type[Child]]) -> None:
    failure = Failure.of(Unauditable("not followed"))
    made = child(DigestsOfMany([Digests(["a"], ""), Digests(["b"], "x"), Alone("by itself"), failure]))
    with Second(FindDigestsOfMany([SPEC] * 4, OPTIONS), folder="here", seconds=3.0) as others:
        assert ([*others.digests("x", 1)], [*others.digests("", 0)]) == (["b"], ["a"])
        with pytest.raises(Apart, match="by itself"):
            others.digests("", 2)
        with pytest.raises(Unauditable, match="not followed"):
            others.digests("", 3)
    (started,) = made.made
    assert (started.job, started.closed) == (FindDigestsOfMany([SPEC] * 4, OPTIONS), 1)
    assert (started.place, started.seed in HASH_SEEDS) == (("here", 3.0), True)


def test_claims_whose_process_was_lost_are_to_be_audited_by_themselves(child: Callable[[Any], type[Child]]) -> None:
    made = child(ChildEnded("lost", 1))
    with Second(FindDigestsOfMany([SPEC], OPTIONS)) as others:
        for _ in range(2):
            with pytest.raises(Apart, match="was lost"):
                others.digests("", 0)
    assert made.made[0].closed == 1


HEAD = "from dpcert import PureDP, target\n" + dedent(MARKED)


@pytest.mark.nightly
def test_the_laws_are_found_again_with_another_hash_seed_and_in_reverse(audited: Any, write: Any) -> None:
    path = write(
        "seeds.py",
        """
        @target(guarantee=PureDP(1), inputs=[0, 1], neighbours="any")
        def release(bit, coins):
            note(f"{os.environ['PYTHONHASHSEED']}:{bit}")
            return coins.below(2)
        """,
        head=HEAD,
    )
    for seed in ("1", "271828", "random"):
        path.with_suffix(".pids").unlink(missing_ok=True)
        assert audited(path, env={"PYTHONHASHSEED": seed}).verdicts() == {"release": "verified"}
        runs = [text.split(":") for text in path.with_suffix(".pids").read_text().split() if ":" in text]
        first: dict[str, str] = {}
        for name, bit in runs:
            first.setdefault(name, bit)
        assert first == {"1": "0", "271828": "1"}


def test_a_file_that_changes_and_a_relation_that_changes_its_mind_are_not_verified(audited: Any, write: Any) -> None:
    path = write(
        "changing.py",
        """
        TURN = len(PIDS.read_text().split())

        @target(guarantee=PureDP(1), inputs=[0, 1], neighbours="any")
        def release(bit, coins):
            return coins.below(TURN + 1)
        """,
        head=HEAD,
    )
    moody = write(
        "moody.py",
        """
        ASKED = []

        def near(a, b):
            ASKED.append((a, b))
            return abs(a - b) == 1 and ({a, b} != {1, 2} or len(ASKED) > 12)

        @target(guarantee=PureDP(1), inputs=range(4), neighbours=near)
        def above(count, coins):
            return count > 1
        """,
    )
    done = audited(path, moody)
    assert done.verdicts() == {"release": "undecided", "above": "undecided"}
    assert "computed a second time, a law differs" in done.result("release")["reason"]
    assert "it must depend on its two arguments alone" in done.result("above")["reason"]
