"""The next step after a verdict; after an undecided one always a change to make."""

import json

from dpcert.audit.certificates import EMPTY, NEVER
from dpcert.audit.kernel.examine import CHANGED, NO_VIOLATION
from dpcert.reading.paths.slow import NOT_MERGED, PLAINLY
from dpcert.run.single import UNREAD
from dpcert.show.witness import kept_as_test
from dpcert.worker.result import Result

SCOPE = "give it inputs that are neighbours, as dpcert.databases(records, up_to=3) makes, or name another relation"
FUNCTION = "let the program depend on its input and its coins alone: no globals, files, clocks or generators of its own"
WRITE = "write that line in another way"
SAMPLE = ", or sample it with --sampling"
MEND = "mend the program, or claim less"
MORE = "take more --samples to see smaller violations"
IDEAL = {
    "verified": "draw noise in integers, which is read exactly: of the algorithm alone, nothing is left open",
    "refuted": "mend the algorithm: an audit with --noise ideal shows the event that refutes it",
}
"""The steps of a claim whose floats are not read, by the verdict on its algorithm."""
FLOATS = "its floats tell, the algorithm does not: draw in integers, round what is released, or claim a greater delta"
MACHINE = "release less at once, or read machine noise with --noise machine"
KEEP = ", and keep this as a test:"
RAISED = "mend what it raises on each input, or give the inputs that it is made for"
RULES = (
    (EMPTY, SCOPE),
    ("no two of the inputs are neighbours", SCOPE),
    (CHANGED, FUNCTION),
    ("no function of its input and coins", FUNCTION),
    ("keeps hidden state", FUNCTION),
    ("kept a draw from an earlier run", FUNCTION),
    ("tell lazy coins from real ones", "let it treat what it draws as plain numbers; --eager runs it on such"),
    ("computed only once", "audit it by the command line, where another process computes them again"),
    *((words, RAISED) for words in (NEVER, "of the first")),
    ("SIGKILL", "audit fewer or smaller inputs, or a smaller --set"),
    ("ran out of memory", "audit fewer or smaller inputs, or a smaller --set"),
    ("ended with", "let it return an outcome: what ends the process leaves none"),
    ("stopped by the time limit", "raise --time-limit, or audit fewer or smaller inputs"),
    ("no leak found", MORE),
    ("what it draws is up to its generator", "leave --observe out, or draw from coins"),
    ("a premise is not verified", "raise --time-limit, or audit finitely many inputs"),
    ("the search for premises stopped", "claim a little more, or audit finitely many inputs"),
    ("is seeded", "leave the seed out, or pass the generator in as a parameter called rng"),
    ("draws the same", "keep one of them"),
    ("set a tracer", "remove its tracer while it is audited"),
    (NO_VIOLATION, "report this, with the program: no refutation should be found that the kernel does not confirm"),
    ("did not confirm it", "report this, with the program"),
    ("no event was found that shows it", "claim a little more or a little less"),
    ("is not in the registry of outcomes", "return plain values: numbers, texts, tuples, lists, dicts, dataclasses"),
    ("more than", "audit fewer or smaller inputs"),
)
"""Words of a reason with the change to make, for reasons that name none themselves; the first that fits counts."""
VERBS = (
    "add annotate ask audit await bind build call choose claim compare compute count declare draw fold give install "
    "keep leave let list lower make mend move name pass print put raise read release remove return round sample say "
    "send take tell turn use write"
)
"""Verbs with which the advice in a reason begins."""


def undecided_step(reason: str) -> tuple[str, str]:
    """Return a reason without its advice, and the change to make."""
    parts = reason.split("; ")
    if parts[-1].startswith("more --samples"):
        return "; ".join(parts[:-1]), MORE
    for place in range(1, len(parts)):
        if parts[place].partition(" ")[0].strip(",") in VERBS.split():
            return "; ".join(parts[:place]), "; ".join(parts[place:])
    for words, step in RULES:
        if words in reason:
            return reason, step
    return reason, WRITE


def next_step(result: Result) -> str | None:
    """Return the next step after a result; None after a verified one."""
    if result.verdict == "verified":
        return None
    if result.verdict == "undecided":
        step = undecided_step(str(result.reason))[1]
        if step == WRITE and result.method in ("ideal", "every"):
            step = MACHINE
        elif step == WRITE and result.method == "exact":
            step += SAMPLE
        unread = next((note for note in result.notes if note.startswith(UNREAD)), None)
        unmerged = next((note for note in result.notes if note.startswith(NOT_MERGED)), None)
        if unmerged is not None and step != SCOPE:
            how = undecided_step(unmerged)[1]
            step = f"{PLAINLY if how == WRITE else how} (see the note on states); or {step}"
        if result.ideal is not None:
            step = IDEAL[result.ideal]
        if unread is None:
            return step
        how = undecided_step(unread)[1].removesuffix(SAMPLE)  # which was just done
        return f"{how}; then it is read exactly" + ("" if result.ideal == "verified" else f". Or {step}")
    if (rounding := result.rounding) is not None:
        return f"claim epsilon {rounding.epsilon}, or draw by weights in integers"
    target = result.target
    function = target.rpartition(":")[2].partition("[")[0]  # a test's name ends with the point of a grid
    exact = result.method != "sampling"  # a test computes the event, which samples and the clock only saw
    line = kept_as_test(result, function) if exact and ":" in target else None
    if line is not None:
        return f"{FLOATS if result.ideal == 'verified' else 'mend it'}{KEEP}\n{line}"
    if result.ideal == "verified":
        return FLOATS
    if not exact:
        return MEND
    value = result.witness.a
    shown = "" if isinstance(value, dict) else f" --input '{json.dumps(value)}'"
    if result.method == "ideal" or not shown:
        return MEND
    return f"mend it, or claim less; dpcert law {target}{shown} shows where the event is from"
