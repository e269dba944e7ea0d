"""A sheet by the privacy hazards of NIST SP 800-226: for each, the evidence of a run, or why there is none.

The publication calls common pitfalls of differential privacy in practice privacy hazards. Their names and questions
here are our own words, after the subjects of its draft; WORDING says so on the sheet.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dpcert.worker.result import VERDICTS

PUBLICATION = "NIST SP 800-226, Guidelines for Evaluating Differential Privacy Guarantees (March 2025)"
WORDING = (
    "The hazards are in our own words, after the subjects of the draft of December 2023. They were not compared with "
    "the text that was published in March 2025; where the two differ, that text counts."
)
FAIR = "draws are taken for uniform and independent; the generator is not examined"
EVIDENCE, NONE, OUTSIDE = "evidence", "not applicable", "outside the tool"

Target = Mapping[str, Any]
Finding = tuple[str, str]
"""A status and words."""


def hazards_of(targets: Sequence[Target]) -> list[dict[str, str]]:
    """Return the rows of the sheet, {"hazard", "question", "status", "says"}, for the targets of the evidence."""
    rows = []
    for hazard, question, says in HAZARDS:
        status, words = says if isinstance(says, tuple) else says(targets)
        rows.append({"hazard": hazard, "question": question, "status": status, "says": words})
    return rows


def sheet(rows: Sequence[Mapping[str, str]]) -> str:
    """Return the rows as a page of Markdown."""
    lines = ["# Privacy hazards", "", f"After {PUBLICATION}. {WORDING}", ""]
    lines += ["| hazard | question | status | what the evidence says |", "|---|---|---|---|"]
    for row in rows:
        cells = (row[name].replace("|", "\\|") for name in ("hazard", "question", "status", "says"))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _names(targets: Sequence[Target]) -> str:
    return ", ".join(f"`{target['target']}`" for target in targets) or "none"


def _decided(targets: Sequence[Target]) -> list[Target]:
    return [target for target in targets if target["verdict"] != "undecided"]


def _parameters(targets: Sequence[Target]) -> Finding:
    claims = ", ".join(f"`{t['target']}` ({t['claim']['epsilon']}, {t['claim']['delta']})" for t in targets)
    words = f"the claimed epsilon and delta: {claims or 'none'}. Whether they are small enough is not judged"
    return (EVIDENCE, words) if targets else (NONE, "no target was audited")


def _delta(targets: Sequence[Target]) -> Finding:
    approximate = [target for target in targets if target["claim"]["delta"] != "0/1"]
    if not approximate:
        return NONE, "every claim has delta 0"
    return EVIDENCE, f"delta is one bound for all events together, computed in the folder's laws: {_names(approximate)}"


def _unit(targets: Sequence[Target]) -> Finding:
    if not targets:
        return NONE, "no target was audited"
    relations = "; ".join(dict.fromkeys(f"{target['claim']['neighbours']}" for target in targets))
    words = f"each claim names its relation of neighbours and its inputs: {relations}"
    return EVIDENCE, f"{words}. Whether neighbours differ by all data of one person is not judged"


def _program(targets: Sequence[Target]) -> Finding:
    if not _decided(targets):
        return OUTSIDE, f"no claim was decided; undecided: {_names(targets)}"
    words = "the law of each whole program, on the inputs of its claim and no others, and so its sensitivity"
    assumed = list(dict.fromkeys(text for target in targets for text in target["assumptions"]))
    each = {verdict: [target for target in targets if target["verdict"] == verdict] for verdict in VERDICTS}
    named = "; ".join(f"{verdict}: {_names(those)}" for verdict, those in each.items())
    return EVIDENCE, f"{words}. {named}. Assumed: {'; '.join(assumed) or 'nothing more'}"


def _floats(targets: Sequence[Target]) -> Finding:
    ideal = [target for target in targets if target["method"] in ("ideal", "every")]
    read = [target for target in _decided(targets) if "closed-form" not in (target["law_source"] or "closed-form")]
    machine = [target for target in read if target not in ideal]
    others = [target for target in _decided(targets) if target not in machine]
    beside = f". Not so for ideal noise, closed forms and samples: {_names(others)}" if others else ""
    if not machine:
        return OUTSIDE, f"no claim was decided on the machine's numbers{beside}"
    return EVIDENCE, f"programs are read with the numbers that the machine makes, floats by their bits{beside}"


def _time(targets: Sequence[Target]) -> Finding:
    timed = [target for target in _decided(targets) if "its draws observed" in target["claim"]["sentence"]]
    if not timed:
        return OUTSIDE, "in every claim that was decided the adversary sees the outcome, and nothing else"
    return EVIDENCE, f"the adversary sees the bounds of all draws, too: {_names(timed)}; time itself was not measured"


def _errors(targets: Sequence[Target]) -> Finding:
    if not _decided(targets):
        return OUTSIDE, "no claim was decided"
    return EVIDENCE, "an exception that escapes is an outcome that the adversary sees, with its text"


HAZARDS: tuple[tuple[str, str, Finding | Callable[[Sequence[Target]], Finding]], ...] = (
    ("Size of the privacy parameters", "Are epsilon and delta small enough for this use?", _parameters),
    ("Meaning of delta", "Does a delta above 0 allow a rare but whole loss of privacy?", _delta),
    ("Unit of privacy", "Does the guarantee protect a person, or one record of many?", _unit),
    ("Implementation", "Does the program do what its analysis says, with the right sensitivity?", _program),
    ("Finite numbers", "Do floats, or other finite numbers, break what holds for real numbers?", _floats),
    ("Errors and messages", "Do exceptions or messages say what the outcome hides?", _errors),
    ("Time and other side channels", "Does the running time, memory or power tell of the data?", _time),
    ("Source of randomness", "Is the noise unpredictable, and never used twice?", (OUTSIDE, FAIR)),
    (
        "Composition",
        "What do all releases of the same data add up to?",
        (OUTSIDE, "each claim is about one run of its program; other runs and releases are not known here"),
    ),
    (
        "Other releases of the data",
        "Is the same data also released without differential privacy?",
        (OUTSIDE, "what else is released is not known here"),
    ),
    (
        "Query model",
        "May an analyst choose queries after having seen answers?",
        (OUTSIDE, "a program is run once on one input; a dialogue is not followed"),
    ),
    (
        "Trust model",
        "Who sees the data before noise is added?",
        (OUTSIDE, "where a program runs, and for whom, is not known here"),
    ),
    (
        "Security and access",
        "Can the data, or the budget, be reached by another way?",
        (OUTSIDE, "the system around the program is not examined"),
    ),
    (
        "Exposure by collection",
        "What is lost where the data is collected and stored?",
        (OUTSIDE, "nothing before the input of the program is examined"),
    ),
    (
        "Accuracy and bias",
        "Is what is released useful, and for small groups, too?",
        (OUTSIDE, "only privacy is claimed and decided here"),
    ),
)
"""Each hazard with its question, and the finding, or the function that reads it off the targets."""
