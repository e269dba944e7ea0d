"""Verdicts as people read them: a few lines each, wrapped for the terminal; a note that several share is said once."""

import re
import shutil
import textwrap

from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.mechanisms.decimals import decimal_lo
from dpcert.mechanisms.exact.errors import one_line
from dpcert.show.lines import (
    NINES,
    false_alarm,
    law_words,
    measured,
    power_words,
    sampled_epsilon,
    sampled_event,
    unreached,
)
from dpcert.show.next_step import KEEP, next_step, undecided_step
from dpcert.show.numbers import number_of
from dpcert.show.severity import headed, label_of
from dpcert.show.witness import broken, event_words, gain, size
from dpcert.worker.result import Result

WIDEST, NARROWEST = 100, 40
"""Between how many columns lines are wrapped, whatever the terminal's width."""
KEPT = re.compile(r"[<>]=? (?=\S)|\(\S+, \S+\)-differentially")
"""The texts that are not broken: an operator before its number, and a guarantee."""
NO_BREAK = "\N{NO-BREAK SPACE}"
ASSUMED = "assumed: "
"""How a note begins that is an assumption."""
NOTE_LINES = 3
"""How many lines of notes a claim has, unless all are asked for."""
LABEL = 11
"""The columns of a label and the space after it."""


def width_of_terminal() -> int:
    """Return at which column lines are wrapped: the terminal's last one, 80 where there is none."""
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size((80, 24)).columns))


class Blocks:
    """The blocks of one run. They number the notes that several claims share, and print each at the first of them.

    Of the notes of a claim that are no assumptions, NOTE_LINES lines are printed, and all of them with `notes`.
    """

    def __init__(self, *, width: int = 80, verbose: bool = False, notes: bool = True) -> None:
        self.width = width
        self.verbose = verbose
        self.notes = notes or verbose
        self.shared: dict[str, int] = {}
        self.relations: set[str] = set()

    def lines(self, result: Result, mark: str = "") -> list[str]:
        """Return the lines of one result; the first begins with its verdict, in LABEL columns, and then the mark."""
        said = len(self.shared)
        claim, relation = self._claim(result)
        found = self.part(label_of(result), f"{mark}{headed(result)}{claim}{self._marks(result)}")
        for label, text in parts_of(result, verbose=self.verbose):
            found += self.part(f"  {label}", text)
        if self.verbose and result.certificate is not None:
            found += self.part("  kept", result.certificate)
        if relation is not None and relation not in self.relations:
            self.relations.add(relation)
            found += self.part("  where", f"{relation} neighbours are {RELATIONS[relation].words}")
        return [*found, *self._new_notes(said)]

    def _new_notes(self, said: int) -> list[str]:
        """Return the notes after the first `said`: all assumptions, and the first lines of the others."""
        assumed: list[str] = []
        others: list[str] = []
        for text, number in list(self.shared.items())[said:]:
            (assumed if text.startswith(ASSUMED) else others).extend(self.part(f"  note {number}", text))
        if self.notes or len(others) <= NOTE_LINES:
            return [*assumed, *others]
        return [*assumed, *others[: NOTE_LINES - 1], *self.part("  ...", "the rest of these notes with --notes")]

    def part(self, label: str, text: str) -> list[str]:
        """Return a labelled paragraph, no word of it broken; the text after a line break is code, and not wrapped."""
        words, *code = text.split("\n")
        words = KEPT.sub(lambda found: found[0].replace(" ", NO_BREAK), one_line(words))
        indent = " " * LABEL
        if code and not words:
            words, *code = code
            return [f"{label:<{LABEL}}{one_line(words)}", *(indent + one_line(line) for line in code)]
        lines = textwrap.wrap(words, self.width - LABEL, break_long_words=False, break_on_hyphens=False) or [""]
        wrapped = [line.replace(NO_BREAK, " ") for line in lines]
        first = f"{label:<{LABEL}}{wrapped[0]}"
        return [first, *(indent + line for line in wrapped[1:]), *(indent + one_line(line) for line in code)]

    def _claim(self, result: Result) -> tuple[str, str | None]:
        """Return the claim that a result is about, its function named once, and the relation that it names, if any.

        A relation is named where that is shorter than its words.
        """
        claim, target = result.claim, result.target
        text, name, inputs = claim.sentence, claim.neighbours, claim.inputs
        named = None
        if name in RELATIONS and len(words := RELATIONS[name].words) > len(f"{name} neighbours"):
            scope = inputs.removeprefix("the inputs ")
            short = text.replace(f" for {words}, on {inputs}", f" for {name} neighbours on {scope}")
            named = name if short != text else None
            text = short
        function = target.rpartition(":")[2]
        if ":" not in target and "/" not in target:
            return text, named
        same = re.match(rf"{re.escape(function)}(?=[ (,])", text)
        return (f"{target}{text[same.end() :]}" if same else f"{target}: {text}"), named

    def _marks(self, result: Result) -> str:
        """Return the numbers of notes that an earlier claim has, as "; notes 1-2 above"; new notes are counted on."""
        said = len(self.shared)
        numbers = sorted(self.shared.setdefault(text, len(self.shared) + 1) for text in notes_of(result))
        above = [number for number in numbers if number <= said]
        word = "note" if len(above) == 1 else "notes"
        return f"; {word} {_ranges(above)} above" if above else ""


def _ranges(numbers: list[int]) -> str:
    """Return numbers in order, those that follow each other as "1-3"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def parts_of(result: Result, *, verbose: bool = False) -> list[tuple[str, str]]:
    """Return the lines of a result beside its claim, as labels and texts; a text after a line break is code."""
    step = next_step(result)
    words, _, code = (step or "").partition("\n")
    following = [("next", words)] if words not in ("", f"mend it{KEEP}") else []
    following += [("test", f"\n{code}")] if code else []
    because = ("because", undecided_step(str(result.reason))[0])
    if result.confidence is not None and result.verdict == "refuted":
        needed = f"{sampled_epsilon(result)} is needed"
        return [("because", sampled_event(result)), ("size", needed), *following]
    if result.confidence is not None:
        return [because, ("seen", f"{sampled_epsilon(result)}; {power_words(result)}"), *following]
    match result.verdict:
        case "verified":
            tight = result.epsilon.lo == result.epsilon.hi == result.claim.epsilon
            return [("exact", measured(result, " (the claim is tight)" if tight else ""))]
        case "refuted":
            worst = result.witness
            event = event_words(worst, 20 if verbose else 4)
            whole = f" (exactly {worst.p} and {worst.q})" if verbose and result.method == "exact" else ""
            witness = f"{event}: {broken(result)}{whole}; {gain(result)}; {law_words(result)}"
            return [("event", witness), ("size", size(result)), *following]
    return [because, *following]


def notes_of(result: Result) -> list[str]:
    """Return the assumptions and notes of a result, each once."""
    said = [f"{ASSUMED}{text.removeprefix(ASSUMED)}" for text in result.assumptions] + list(result.notes)
    if result.unreached is not None:
        said.append(unreached(result))
    if result.confidence is not None:
        confidence = number_of(result.confidence)
        said.append(f"at confidence {decimal_lo(confidence, NINES)}: {false_alarm(result, confidence)}")
    return list(dict.fromkeys(said))


def block_text(result: Result, *, width: int = WIDEST) -> str:
    """Return the block of one result alone, with its notes."""
    return "\n".join(Blocks(width=width).lines(result))
