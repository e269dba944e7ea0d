"""Bundles that were edited: each is rejected or malformed, and says why."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from bundles import CLOSED, SMALL, one

import dpcert
from dpcert.audit.kernel.certificate import Malformed
from dpcert.audit.kernel.check import Rejected
from dpcert.audit.kernel.claim import Claim
from dpcert.unbounded.bundle import Bundle
from dpcert.unbounded.rechecking import check_bundle


def _reach(data: dict[str, Any], reach: int) -> None:
    """Lower the reach everywhere: in the hints, in the assumptions, and in what the premises say of themselves."""
    old = data["hints"]["reach"]
    data["hints"]["reach"] = reach
    for form in ("counts to {} one by one", "sampled of {} and {}", "above {} people"):
        there, here = (form.format(count, count + 1) for count in (old, reach))
        data["assumptions"] = [line.replace(there, here) for line in data["assumptions"]]


EDITS: dict[str, tuple[str, Callable[[dict[str, Any]], object], str]] = {
    "the crowd's premise dropped": ("counts_differ_by_one", lambda data: data["premises"].pop(), "number of premises"),
    "a premise twice": (
        "counts_differ_by_one",
        lambda data: data["premises"].__setitem__(1, data["premises"][0]),
        "target of",
    ),
    "premises exchanged": ("counts_differ_by_one", lambda data: data["premises"].reverse(), "target of premise 1"),
    "a smaller delta": ("counts_differ_by_one", lambda data: data.update(delta="0x1/0x64"), "sentence"),
    "a finite kmax": ("counts_differ_by_one", lambda data: data["parameters"].update(kmax="30"), "kmax=all"),
    "another relation": ("counts_differ_by_one", lambda data: data.update(neighbours="substitute"), "at least one"),
    "a relation without a theorem": (
        "counts_differ_by_one",
        lambda data: data.update(neighbours="any"),
        "counts_differ_by_one, add-remove",
    ),
    "no assumption": ("counts_differ_by_one", lambda data: data["assumptions"].pop(), "assumptions"),
    "another law source": ("counts_differ_by_one", lambda data: data.update(law_source="closed-form"), "assumptions"),
    "a lower reach": ("counts_differ_by_one", lambda data: _reach(data, 3), "parameters of premise 1"),
    "points for counts": (
        "counts_differ_by_one",
        lambda data: data["hints"].update(grid=1, points=[2]),
        "takes no points",
    ),
    "every point dropped": ("substitute", lambda data: data["hints"].update(points=[]), "at least one"),
    "all points but the greatest dropped": (
        "substitute",
        lambda data: data["hints"].update(points=data["hints"]["points"][-1:]),
        "composed for two",
    ),
    "points on a coarser grid": (
        "substitute",
        lambda data: data["hints"].update(grid=data["hints"]["grid"] - 3),
        "composed for two",
    ),
    "a lower reach of moves": ("substitute", lambda data: _reach(data, 3), "assumptions"),
    "a delta that the points do not give": ("substitute", lambda data: data.update(delta="0x1/0x80"), "composed"),
    "another tie": (
        "substitute",
        lambda data: data["premises"][0]["parameters"].update(kmax="3"),
        "parameters of premise 1",
    ),
}


@pytest.mark.nightly
@pytest.mark.parametrize("edit", EDITS)
def test_caught_an_edited_bundle(edited: Any, edit: str) -> None:
    name, change, words = EDITS[edit]
    status, line = edited(name, change)
    assert (status, words in line) == (1, True), line


def test_a_point_dropped_is_fine_while_the_rest_is_enough(edited: Any) -> None:
    """The claim has room."""
    status, line = edited("substitute", lambda data: data["hints"]["points"].pop(3))
    assert (status, line.partition(": ")[0]) == (0, "accepted"), line


def test_caught_a_reach_beyond_what_a_premise_takes(edited: Any) -> None:
    def far(data: dict[str, Any]) -> None:
        _reach(data, 10**9)
        data["premises"][0]["parameters"]["kmax"] = str(10**9)

    status, line = edited("counts_differ_by_one", far)
    assert (status, "an integer from 1 to 100,000" in line) == (2, True), line


def test_caught_a_crowd_too_small_with_premises_to_match(edited: Any) -> None:
    """The reach is lowered consistently to a crowd that needs more than delta: the kernel rejects its premise."""

    def lower(data: dict[str, Any]) -> None:
        old = data["hints"]["reach"]
        _reach(data, 1)
        for premise, key in zip(data["premises"], ("kmax", "least"), strict=True):
            premise["parameters"][key] = "1"
            premise["sentence"] = premise["sentence"].replace(f"{key}={old}", f"{key}=1")
        first, second = data["premises"]
        first["inputs"], first["pairs"], first["laws"] = 2, 2, first["laws"][:2]
        first["sentence"] = first["sentence"].replace(f"the {old + 1} inputs 0 to {old}", "the inputs 0, 1")
        second["sentence"] = second["sentence"].replace(f"the inputs {old}, {old + 1}", "the inputs 1, 2")
        first["inputs_digest"], second["inputs_digest"] = _digest(0, 1), _digest(1, 2)

    status, line = edited("counts_differ_by_one", lower)
    assert status == 1
    assert "is not within the bound" in line, line


def _digest(*inputs: int) -> str:
    return Claim("", (), inputs, dpcert.counts_differ_by_one, dpcert.ApproxDP(0, 0)).inputs_digest()


def _leaves(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    inner = [leaf for key, part in parts for leaf in _leaves(part, (*path, key))]
    yield from inner or [path]


@pytest.mark.nightly
def test_caught_every_single_edit_of_a_bundle(quick: Any, tmp_path: Path) -> None:
    """Each number, text and empty list is changed in turn, in two ways."""
    text = Path(one(quick("sample-threshold", *SMALL, *CLOSED, "--certificates", tmp_path))["certificate"]).read_text()
    assert check_bundle(Bundle.from_text(text.encode()), {}).inputs == "all counts"
    tried = 0
    for path in _leaves(json.loads(text)):
        for near in (True, False):
            data = json.loads(text)
            place = data
            for key in path[:-1]:
                place = place[key]
            was = place[path[-1]]
            place[path[-1]] = (was + 1 if isinstance(was, int) else f"{was} ") if near else "1"
            with pytest.raises((Rejected, Malformed)):
                check_bundle(Bundle.from_text(json.dumps(data).encode()), {})
            tried += 1
    assert tried > 150


MALFORMED: dict[str, Callable[[dict[str, Any]], object]] = {
    "another schema": lambda data: data.update(schema="dpcert.bundle/9"),
    "a field too many": lambda data: data.update(note="trust me"),
    "a field too few": lambda data: data.pop("theorem"),
    "a point that is a text": lambda data: data["hints"].update(points=["0x3"]),
    "a point with a fraction": lambda data: data["hints"].update(points=[3.5]),
    "a point of 0": lambda data: data["hints"].update(points=[0, 1]),
    "a grid below 0": lambda data: data["hints"].update(grid=-1),
    "a reach of 0": lambda data: data["hints"].update(reach=0),
    "a reach that is true": lambda data: data["hints"].update(reach=True),
    "an unknown hint": lambda data: data["hints"].update(more=[]),
    "parameters that are no texts": lambda data: data["parameters"].update(threshold=3),
    "an epsilon not in its shortest form": lambda data: data.update(epsilon="ln(6/2)"),
    "a delta above 1": lambda data: data.update(delta="0x3/0x2"),
    "a law source of one's own": lambda data: data.update(law_source="mine"),
    "a premise that is no certificate": lambda data: data["premises"].__setitem__(0, {"verdict": "verified"}),
    "premises that are no list": lambda data: data.update(premises={}),
}


@pytest.mark.parametrize("edit", MALFORMED)
def test_refused_as_malformed(edited: Any, edit: str) -> None:
    status, line = edited("counts_differ_by_one", MALFORMED[edit])
    assert status == 2
    assert line.startswith("malformed: ")


def test_refused_a_bundle_against_a_program_of_ones_own(made: dict[str, Path], recheck: Any, write: Any) -> None:
    path = write("own.py", "")
    status, line = recheck(made["counts_differ_by_one"], "--target", f"{path}:release")
    assert status == 2
    assert "it is about a built-in" in line
