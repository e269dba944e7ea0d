"""The page of the scoreboard, from the scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from scoreboard.cases import GROUPS
from scoreboard.known import Known
from scoreboard.score import LIMIT, Scored

TOGETHER = "dpcert, together"
HEAD = ("", "right", "misses", "of these false proofs", "false alarms", "private, undecided", "seconds")


def totals(name: str, scored: Iterable[Scored]) -> tuple[str, ...]:
    """Return the row of a table: what was right, missed, a false alarm, left open, and how long it took."""
    scored = list(scored)
    tests: tuple[Callable[[Scored], bool], ...] = (
        lambda each: each.right,
        lambda each: each.missed,
        lambda each: each.false_proof,
        lambda each: each.false_alarm,
        lambda each: each.open,
    )
    counts = (str(sum(map(test, scored))) for test in tests)
    return (name, *counts, f"{sum(each.seconds for each in scored):.0f}")


def table(rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown, its first row the head."""
    head, *rest = rows
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rest]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def page(scores: Mapping[str, Sequence[Scored]], problems: Sequence[Known]) -> str:
    """Return the page of the documentation."""
    private = sum(each.private for each in problems)
    by_group = [f"### {TITLES[group]}\n\n{GROUP_WORDS[group]}\n\n{_group_table(scores, group)}" for group in GROUPS]
    return TEXT.format(
        cases=len(problems),
        private=private,
        faults=len(problems) - private,
        totals=table([HEAD, *(totals(name, scored) for name, scored in scores.items())]),
        groups="\n\n".join(by_group),
        wrong="\n".join(_wrong(scores)),
        limit=LIMIT,
    )


def _group_table(scores: Mapping[str, Sequence[Scored]], group: str) -> str:
    rows = (
        totals(name, (each for each in scored if each.known.problem.group == group)) for name, scored in scores.items()
    )
    return table([HEAD, *rows])


def _wrong(scores: Mapping[str, Sequence[Scored]]) -> Iterator[str]:
    """Yield what each auditor got wrong by name: false proofs, false alarms; and what is open to all ways of dpcert."""
    for name, scored in scores.items():
        for words, test in (("false proofs", _proof), ("false alarms", _alarm)):
            found = [f"`{each.known.problem.id}`" for each in scored if test(each)]
            if found:
                yield f"- **{name}**, {words}: {', '.join(found)}."
    for each in scores.get(TOGETHER, ()):
        if not each.right:
            reason = each.answer.reason.replace("\n", " ")[:160]
            yield f"- **{TOGETHER}**, `{each.known.problem.id}`: {each.answer.verdict}; {reason}."


def _proof(each: Scored) -> bool:
    return each.false_proof


def _alarm(each: Scored) -> bool:
    return each.false_alarm


TITLES = {
    "correct": "Correct mechanisms",
    "zoo": "The zoo",
    "literature": "The literature's benchmark",
    "ideal": "The ideal sets",
    "libraries": "Bugs of libraries",
}
GROUP_WORDS = {
    "correct": "The [mechanisms](../reference/mechanisms.md) that ship, at their default parameters. All are private.",
    "zoo": "The [faults](../reference/zoo.md), each one edit from a correct mechanism, at the same claim. None is "
    "private.",
    "literature": "The 21 mechanisms of [the literature's benchmark](literature-benchmark.md), on its input pairs.",
    "ideal": "The programs of DiPC, CheckDP, ShadowDP and StatDP, as on [its page](ideal-benchmark.md),\n"
    "each at one epsilon and on small queries. A program that several of them have counts once.",
    "libraries": "What [the field report](field-report.md) found, as programs of a few lines, each beside its repair.",
}
TEXT = """# The scoreboard

`python -m scoreboard.run`, in `benchmarks/`, wrote this page. It asks auditors about {cases} claims whose truth
is known: {private} are true and {faults} are false. `benchmarks/scoreboard/truths.json` has each with its program, its
claim, the event that breaks it where it is false, and where the truth comes from; `truths.schema.json` beside it says
what the fields mean.

## The totals

{totals}

- **right**: true claims called private, and false ones called not private.
- **misses**: false claims that were not called so. Of these, a *false proof* called one private.
- **false alarms**: true claims called not private.
- **private, undecided**: true claims of which nothing was said. No auditor that only samples can do better.
- **seconds** of processor time, child processes included, on a machine that did other work as well. An answer that took
  more than {limit} s is undecided.

All ways of dpcert, and the tester beside them, are asked about everything. A claim about noise of real numbers is out
of the exact reader's reach, and one about a program as it runs out of that of ideal noise: both then answer
*undecided*. *Together* is the first answer of the three that decides.

An auditor that samples makes at most 10,000 runs of a program that runs once at a time, and 200,000 where it has many
runs at once; seeds are fixed. dpcert's samples refute at confidence 0.999 for each claim by itself.

## By group

{groups}

## What was wrong or left open

{wrong}

## The other auditor

*StatDP, re-implemented* is the tester of Ding, Wang, Wang, Zhang and Kifer (*Detecting Violations of Differential
Privacy*, CCS 2018, Sections 4 and 5), written anew from the paper in `benchmarks/scoreboard/statdp.py`. It is not the
authors' program, which is in no package index. A third of the runs choose a pair and an event, the rest test it; the
p-value is the mean of Fisher's exact test over 100 binomial parts of the first count; below 0.05 the claim is rejected.
The paper takes 100,000 runs for the choice and 500,000 for the test of each epsilon, and events that suit the
algorithm; here the budget is that of all samplers, and the events are those of `outcomes.py`. So its figures say what
the method finds within this budget, not what the authors' tool can do. It rejects at 0.05 where dpcert's samples refute
at 0.001, which lets it find a few more with as many runs, and allows it more false alarms. It tests delta = 0 alone, so
that it leaves all claims with a delta undecided. DP-Sniper, Delta-Siege and DP-Auditorium are in no package index
either, and are not re-implemented here; `dp_accounting` composes laws that it is told, and is no auditor of programs.

## Where the truths come from

| group | private, because | not private, because |
| --- | --- | --- |
| correct | the paper named in the entry proves it; a closed form of the law confirms it in the tests | |
| zoo | | the event's probabilities, by laws in plain fractions that tests hold the program to |
| literature | a formula made by hand for each, on the benchmark's pairs | the same |
| ideal | published | published; the event is found by integration, and tests compare five with runs |
| libraries | a law by formula that stands beside the program | the same |

The truths of the first group rest on proofs, and on laws that this project computed. An error that the papers, the
closed form and the reader share would not be seen here.

## Score an auditor of your own

An auditor is a function `(Problem) -> Answer`, or a command. `benchmarks/scoreboard/problem.py` is the interface: the
claim, the program, its inputs and neighbours, and `sample(position, count, seed)`; the answer is `private`,
`not private` or `undecided`, with a reason. A function is scored by `asked(auditor, known)` of `score.py`, in a process
of its own, and `totals` of `page.py` counts. A command reads one line of JSON and prints its verdict; `command.py` says
what it is told and how it asks for runs: `python -m scoreboard.run --command './auditor --fast' --group zoo`.
"""
