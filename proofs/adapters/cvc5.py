"""cvc5: the second opinion on a query."""

from __future__ import annotations

import cvc5

from dpcert.proofs.adapters.answer import SolverAnswer

SEED = 1


def version() -> str:
    """Return the solver's name and version."""
    return f"cvc5 {cvc5.__version__}"


COVERINGS = {"nl-cov": "true", "nl-ext": "full"}
"""Options for scripts on real numbers alone that cvc5's default leaves open: they add algebraic coverings."""


def ask(text: str, seconds: int) -> SolverAnswer:
    """Return cvc5's answer to an SMT-LIB script, "unknown" when the time is over, on real numbers the second time."""
    for options in ({}, COVERINGS) if "(set-logic QF_NRA)" in text else ({},):
        word = _asked(text, {"tlimit-per": str(seconds * 1000), "seed": str(SEED), **options})
        if word in ("sat", "unsat"):
            return SolverAnswer(word, {})
    return SolverAnswer("unknown", {})


def _asked(text: str, options: dict[str, str]) -> str:
    manager = cvc5.TermManager()
    solver = cvc5.Solver(manager)
    for name, value in options.items():
        solver.setOption(name, value)
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "query")
    symbols = parser.getSymbolManager()
    word = "unknown"
    while not (command := parser.nextCommand()).isNull():
        word = command.invoke(solver, symbols).strip() or word
    return word
