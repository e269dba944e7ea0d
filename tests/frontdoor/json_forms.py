"""The JSON that commands print, checked to the letter: exact keys, exact types, and what the numbers must satisfy."""

import json
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import dpcert
from dpcert.audit.kernel.certificate import SOURCES
from dpcert.mechanisms.exact.number import exact

Check = Callable[[Any], object]


def shape(value: Any, fields: Mapping[str, Check], optional: Mapping[str, Check] | None = None) -> None:
    optional = optional or {}
    assert type(value) is dict
    assert fields.keys() <= value.keys() <= fields.keys() | optional.keys(), sorted(value)
    for name, part in value.items():
        check = fields[name] if name in fields else optional[name]
        try:
            check(part)
        except AssertionError as error:
            raise AssertionError(f"in {name}: {part!r}: {error}") from error


def is_text(value: Any) -> None:
    assert type(value) is str


def is_line(value: Any) -> None:
    assert type(value) is str
    assert value.isprintable()
    assert value


def is_count(value: Any) -> None:
    assert type(value) is int
    assert value >= 0


def one_of(*values: object) -> Check:
    def check(value: Any) -> None:
        assert any(value is allowed or (value == allowed and type(value) is str) for allowed in values)

    return check


def maybe(check: Check) -> Check:
    return lambda value: None if value is None else check(value)


def each(check: Check, least: int = 0) -> Check:
    def listed(value: Any) -> None:
        assert type(value) is list
        assert len(value) >= least
        for part in value:
            check(part)

    return listed


def texts(value: Any) -> None:
    assert type(value) is dict
    for name, part in value.items():
        is_line(name)
        is_text(part)


def ratio(value: Any) -> Fraction:
    """Check a text "p/q" in lowest terms and return its number."""
    assert type(value) is str
    assert re.fullmatch(r"-?(0|[1-9]\d*)/[1-9]\d*", value, re.ASCII)
    top, bottom = (exact(part) for part in value.split("/"))
    found = top / bottom
    assert (found.numerator, found.denominator) == (top, bottom)
    return found


def probability(value: Any) -> None:
    assert 0 <= ratio(value) <= 1


def epsilon(value: Any) -> dpcert.Epsilon:
    """Check an epsilon in its shortest form and return it."""
    assert type(value) is str
    found = dpcert.Epsilon.of(value)
    assert str(found) == value
    return found


def outcome(value: Any) -> None:
    """Check one outcome: None, bool, int, str plainly, the rest as an object with one key."""
    if value is None or type(value) in (bool, int, str):
        return
    assert type(value) is dict
    ((tag, body),) = value.items()
    if tag in ("tuple", "list", "set", "frozenset"):
        each(outcome)(body)
    elif tag == "dict":
        each(each(outcome, 2))(body)
        assert all(len(pair) == 2 for pair in body)
    elif tag == "raised":
        shape(body, {"type": is_line, "args": each(outcome)})
    elif tag in ("dataclass", "namedtuple"):
        shape(body, {"type": is_line, "fields": each(each(outcome, 2))})
    elif tag == "numpy":
        shape(body, {"dtype": is_line, "shape": maybe(each(is_count)), "data": is_text})
    elif tag == "complex":
        each(is_line, 2)(body)
    elif tag == "fraction":
        ratio(body)
    elif tag == "float":
        assert float.fromhex(body) is not None if not body.startswith("nan:0x") else len(body) == 22
    else:
        assert tag in ("int", "str", "bytes", "decimal", "enum")
        is_text(body)


def is_worst(value: Any) -> None:
    shape(
        value,
        {
            "a": outcome,
            "b": outcome,
            "event": each(outcome, 1),
            "event_size": is_count,
            "p": probability,
            "q": probability,
        },
    )
    assert len(value["event"]) == min(value["event_size"], 20)


def is_sampling(value: Any) -> None:
    counts = maybe(lambda found: shape(found, {"a": is_count, "of_a": is_count, "b": is_count, "of_b": is_count}))
    shape(
        value,
        {
            "runs": is_count,
            "looks": is_count,
            "claims": is_count,
            "seed": is_count,
            "event": maybe(is_line),
            "counts": counts,
            "again": counts,
        },
    )


def is_timing(value: Any) -> None:
    hits = maybe(lambda found: shape(found, {"a": is_count, "b": is_count, "others": is_count}))
    medians = maybe(lambda found: shape(found, {"a": is_count, "b": is_count}))
    shape(
        value,
        {
            "observes": one_of("both", "duration"),
            "resolution": is_count,
            "runs": is_count,
            "rounds": is_count,
            "claims": is_count,
            "seed": is_count,
            "a": outcome,
            "b": outcome,
            "event": maybe(is_line),
            "hits": hits,
            "medians": medians,
            "delay": maybe(is_count),
        },
    )


def is_source(value: Any) -> None:
    names = value.split(", ")
    assert names == [name for name in SOURCES if name in names]


def is_result(value: Any) -> None:
    shape(
        value,
        {
            "target": is_text,
            "method": one_of("every", "exact", "ideal", "sampling"),
            "law_source": maybe(is_source),
            "verdict": one_of("verified", "refuted", "undecided"),
            "reason": maybe(is_line),
            "assumptions": each(is_line),
            "claim": lambda claim: shape(
                claim,
                {
                    "epsilon": epsilon,
                    "delta": probability,
                    "neighbours": is_line,
                    "inputs": is_line,
                    "sentence": is_line,
                    "parameters": texts,
                },
            ),
            "pairs": is_count,
            "tail": probability,
            "delta": lambda bounds: shape(bounds, {"lo": probability, "hi": probability}),
            "epsilon": lambda bounds: shape(bounds, {"lo": epsilon, "hi": maybe(epsilon)}),
            "worst": maybe(is_worst),
            "confidence": maybe(probability),
            "power": maybe(is_line),
            "certificate": maybe(is_line),
            "versions": lambda found: shape(found, {"python": is_line, "dpcert": is_line}),
            "notes": each(is_line),
            "class": is_line,
            "rounding": maybe(lambda found: shape(found, {"slack": is_line, "epsilon": is_line})),
            "ideal": one_of(None, "verified", "refuted"),
            "unreached": maybe(
                lambda found: shape(
                    found, {"file": is_line, "lines": each(is_count), "branches": each(each(is_count, 2))}
                )
            ),
        },
        {"sampling": is_sampling, "timing": is_timing},
    )
    assert not {"sampling", "timing"} <= value.keys()
    if "sampling" in value or "timing" in value:
        assert (value["method"], value["law_source"], value["certificate"]) == ("sampling", None, None)
        assert value["verdict"] != "verified"
        assert value["epsilon"]["hi"] is None
    else:
        assert (value["confidence"], value["power"]) == (None, None)
    if value["class"] == "verified with ideal noise":
        assert (value["ideal"], value["rounding"]) == ("verified", None)
        assert value["verdict"] != "verified"
    else:
        assert value["class"] == value["verdict"] + (" by rounding" if value["rounding"] is not None else "")
    claim, worst = value["claim"], value["worst"]
    every = value["method"] == "every"  # the claimed epsilon is a multiple of each epsilon
    assert ("epsilon" if every else claim["epsilon"]) in claim["sentence"]
    assert claim["inputs"] in claim["sentence"]
    assert (value["reason"] is None) is (value["verdict"] != "undecided")
    assert ratio(value["delta"]["lo"]) <= ratio(value["delta"]["hi"])
    if value["epsilon"]["hi"] is not None:
        (below, _), (_, above) = (epsilon(value["epsilon"][side]).exp_bounds(64) for side in ("lo", "hi"))
        assert below <= above
    if value["verdict"] == "verified":
        assert value["pairs"] >= 2
        assert ratio(value["delta"]["hi"]) <= ratio(claim["delta"])
    if value["verdict"] == "refuted" and "timing" in value:
        assert worst is None
        assert value["timing"]["hits"]["a"] > 0
    elif value["verdict"] == "refuted":
        p, q = ratio(worst["p"]), ratio(worst["q"])
        below, _ = epsilon(claim["epsilon"]).exp_bounds(64)
        if every:
            (note,) = value["notes"]
            place = Fraction(claim["epsilon"]) * Fraction(note.rpartition(" ")[2])
            below, _ = dpcert.Epsilon.of(place).exp_bounds(64)
        assert p > below * q + ratio(claim["delta"])


def is_error(value: Any) -> None:
    shape(value, {"schema": one_of("dpcert.error/1"), "given": is_line, "needed": is_line, "remedy": is_line})


def is_audit(value: Any) -> None:
    skipped = each(lambda row: shape(row, {"target": is_line, "reason": is_line}), 1)
    shape(
        value,
        {
            "schema": one_of("dpcert.audit/1"),
            "results": each(is_result),
            "verified": is_count,
            "refuted": is_count,
            "undecided": is_count,
        },
        {"skipped": skipped, "not_audited": is_count, "errors": each(is_error, 1)},
    )
    for verdict in ("verified", "refuted", "undecided"):
        assert value[verdict] == sum(result["verdict"] == verdict for result in value["results"])


def is_law(value: Any) -> None:
    def row(pair: Any) -> None:
        assert type(pair) is list
        assert len(pair) == 2
        outcome(pair[0])
        assert 0 < ratio(pair[1]) <= 1

    def bits(found: Any) -> None:
        assert found.keys() == {"lo", "hi"}
        assert all(type(number) is int for number in found.values())
        assert 0 <= found["lo"] <= found["hi"]

    def element(pair: Any) -> None:
        index, rows = pair
        outcome(index)
        each(row)(rows)
        assert sum(ratio(p) for _, p in rows) == 1

    also = {"bits": bits, "elements": each(element)}
    shape(value, {"schema": one_of("dpcert.law/1"), "law": each(row), "tail": probability}, also)
    assert sum((ratio(p) for _, p in value["law"]), ratio(value["tail"])) == 1
    names = [json.dumps(name, sort_keys=True) for name, _ in value["law"]]
    assert len(set(names)) == len(names)


def is_list(value: Any) -> None:
    parameter = {"name": is_line, "default": is_line, "words": is_line}
    row = {
        "name": is_line,
        "words": is_line,
        "source": is_line,
        "expect": one_of("verified", "refuted", "undecided"),
        "twin": maybe(is_line),
        "fault": maybe(is_line),
        "parameters": each(lambda found: shape(found, parameter)),
    }
    shape(value, {"schema": one_of("dpcert.list/1"), "mechanisms": each(lambda found: shape(found, row), 1)})


def is_recheck(value: Any) -> None:
    fields: dict[str, Check] = {
        "schema": one_of("dpcert.recheck/1"),
        "certificate": is_line,
        "accepted": one_of(True, False),
        "line": is_line,
    }
    if value["accepted"]:
        shape(value, {**fields, "verdict": one_of("verified", "refuted"), "sentence": is_line})
    else:
        shape(value, {**fields, "reason": is_line})


CHECKS: dict[str, Check] = {
    "audit": is_audit,
    "law": is_law,
    "list": is_list,
    "recheck": is_recheck,
    "error": is_error,
    "result": is_result,
    "outcome": outcome,
}
