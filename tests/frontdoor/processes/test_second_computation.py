"""The second computation of laws: with another hash seed, in reverse, and from the file as it is then."""

from textwrap import dedent
from typing import Any

import pytest
from marked import MARKED

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
