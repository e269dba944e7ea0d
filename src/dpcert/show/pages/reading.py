"""Results read from a file: of `dpcert audit --json` or `dpcert report --json`, each part of its kind, or refused."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import DpcertError, InputError, one_line
from dpcert.show.lines import result_line
from dpcert.show.numbers import number_of
from dpcert.show.outcomes import shown
from dpcert.show.pages.document import AUDIT, SCHEMA, VERDICTS
from dpcert.worker.results import BY_FLOATS, BY_ROUNDING

RATIO = re.compile(r"[0-9]{1,20000}/0*[1-9][0-9]{0,20000}")
DECIMAL = re.compile(r"[0-9]{1,40}(\.[0-9]{1,40})?(e-?[0-9]{1,9})?")
MOST = 1 << 28
"""No file of more bytes is read."""

Kind = Callable[[Any], bool]


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _count(value: Any) -> bool:
    return type(value) is int and value >= 0


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _ratio(value: Any) -> bool:
    return isinstance(value, str) and RATIO.fullmatch(value) is not None


def _decimal(value: Any) -> bool:
    return isinstance(value, str) and DECIMAL.fullmatch(value) is not None


def _probability(value: Any) -> bool:
    return _ratio(value) and number_of(value) <= 1


def _drawn(value: Any) -> bool:
    return _decimal(value) and math.isfinite(float(value))


def _epsilon(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(str(Epsilon.of(value)))
    except InputError:
        return False


def _outcome(value: Any) -> bool:
    try:
        return bool(shown(value))
    except (DpcertError, ValueError, TypeError, LookupError, AttributeError):
        return False


def _none(value: Any) -> bool:
    return value is None


def _either(*kinds: Kind) -> Kind:
    return lambda value: any(kind(value) for kind in kinds)


def _one_of(*values: str) -> Kind:
    return lambda value: value in values


def _list(kind: Kind, *, least: int = 0) -> Kind:
    return lambda value: isinstance(value, list) and len(value) >= least and all(map(kind, value))


def _row(*kinds: Kind) -> Kind:
    return lambda value: (
        isinstance(value, list)
        and len(value) == len(kinds)
        and all(kind(part) for kind, part in zip(kinds, value, strict=True))
    )


def _map(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_text, [*value, *value.values()]))


def _record(**kinds: Kind) -> Kind:
    return lambda value: (
        isinstance(value, dict) and all(name in value and kind(value[name]) for name, kind in kinds.items())
    )


REASON = _record(reason=_text)
PICTURE = _record(
    witness=_either(
        _none,
        REASON,
        _record(
            rows=_list(_record(outcome=_outcome, p=_probability, q=_probability, event=_flag)),
            others=_record(count=_count, p=_probability, q=_probability),
            tail=_record(p=_probability, q=_probability),
        ),
    ),
    profile=_either(
        REASON,
        _record(
            points=_list(_row(_drawn, _drawn, _drawn), least=2),
            method=_one_of("exact", "enclosed"),
            pairs=_count,
            least=_either(_none, _decimal),
            claimed=_row(_decimal, _drawn),
            end=_drawn,
        ),
    ),
)
RESULT: dict[str, Kind] = {
    "target": _text,
    "law_source": _either(_none, _text),
    "claim": _record(epsilon=_epsilon, delta=_ratio, neighbours=_text, inputs=_text, sentence=_text, parameters=_map),
    "method": _one_of("every", "exact", "ideal", "sampling"),
    "verdict": _one_of(*VERDICTS),
    "reason": _either(_none, _text),
    "assumptions": _list(_text),
    "pairs": _count,
    "tail": _ratio,
    "delta": _record(lo=_ratio, hi=_ratio),
    "epsilon": _record(lo=_epsilon, hi=_either(_none, _epsilon)),
    "worst": _either(
        _none,
        _record(
            a=_outcome, b=_outcome, event=_list(_outcome, least=1), event_size=_count, p=_probability, q=_probability
        ),
    ),
    "confidence": _either(_none, _ratio),
    "power": _either(_none, _text),
    "notes": _list(_text),
    "class": _one_of(*VERDICTS, BY_FLOATS, BY_ROUNDING),
    "rounding": _either(_none, _record(slack=_text, epsilon=_epsilon)),
    "ideal": _either(_none, _one_of(*VERDICTS)),
    "unreached": _either(_none, _record(file=_text, lines=_list(_count), branches=_list(_row(_count, _count)))),
}
OPTIONAL: dict[str, Kind] = {
    "picture": PICTURE,
    "expected": _one_of(*VERDICTS),
    "source": _either(_none, _record(file=_text, line=_count, text=_text)),
    "sampling": _record(
        runs=_count,
        event=_either(_none, _text),
        claims=_count,
        seed=_count,
        counts=_either(_none, _record(a=_count, of_a=_count, b=_count, of_b=_count)),
        again=_either(_none, _record(a=_count, of_a=_count, b=_count, of_b=_count)),
    ),
    "timing": _record(claims=_count, seed=_count, event=_either(_none, _text), a=_outcome, b=_outcome),
}


def read_document(path: str) -> dict[str, Any]:
    """Return the document in a file, every part that a report shows of the kind that it must be.

    Raises: InputError for a file that cannot be read, is no JSON, or has another schema or a malformed result.
    """
    try:
        with Path(path).open("rb") as file:
            content = file.read(MOST + 1)
        document: Any = json.loads(content if len(content) <= MOST else b"")
    except OSError as error:
        _refuse(path, f"{error.strerror}", "a file that can be read")
    except (ValueError, RecursionError) as error:
        _refuse(path, f"no JSON ({one_line(str(error))[:80]})", f"the output of dpcert audit --json or {SCHEMA}")
    schema = document.get("schema") if isinstance(document, dict) else None
    if schema not in (AUDIT, SCHEMA):
        _refuse(path, f"schema {schema!r}"[:80], f"{AUDIT} or {SCHEMA}, as this version writes them")
    for name, kind in (
        ("results", _list(lambda value: isinstance(value, dict))),
        ("skipped", _list(_record(target=_text, reason=_text))),
        ("errors", _list(_record(given=_text, needed=_text, remedy=_text))),
    ):
        if not kind(document.setdefault(name, [])):
            _refuse(path, f"{name!r} is malformed", "a list, as this version writes it")
    for place, result in enumerate(document["results"]):
        wrong = [name for name, kind in RESULT.items() if name not in result or not kind(result[name])]
        wrong += [name for name, kind in OPTIONAL.items() if name in result and not kind(result[name])]
        if result.get("verdict") == "refuted" and result["worst"] is None and "timing" not in result:
            wrong.append("worst")
        if not wrong and result["method"] == "sampling" and result["verdict"] == "refuted" and not result["confidence"]:
            wrong.append("confidence")
        if not wrong and not _has_line(result):
            wrong.append("sampling")
        if wrong:
            _refuse(
                path, f"result {place + 1}: {wrong[0]!r} is missing or malformed", "results as this version writes them"
            )
    found: dict[str, Any] = document
    return found


def _has_line(result: dict[str, Any]) -> bool:
    """Whether a result, each part of which is as it must be, has all that its line says."""
    try:
        return bool(result_line(result))
    except (LookupError, TypeError, AttributeError, ValueError):
        return False


def _refuse(path: str, fault: str, needed: str) -> NoReturn:
    remedy = "write the file anew with dpcert audit --json"
    raise InputError(given=f"--from {path}: {fault}", needed=needed, remedy=remedy) from None
