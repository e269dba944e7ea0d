"""cvc5: the second opinion on a query."""

from __future__ import annotations

import cvc5

from dpcert.proofs.adapters.answer import Answer

__all__ = ["ask", "version"]

SEED = 1


def version() -> str:
    """Return the solver's name and version."""
    return f"cvc5 {cvc5.__version__}"


def ask(text: str, seconds: int) -> Answer:
    """Return cvc5's answer to an SMT-LIB script, "unknown" when the time is over."""
    manager = cvc5.TermManager()
    solver = cvc5.Solver(manager)
    solver.setOption("tlimit-per", str(seconds * 1000))
    solver.setOption("seed", str(SEED))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "query")
    symbols = parser.getSymbolManager()
    word = "unknown"
    while not (command := parser.nextCommand()).isNull():
        word = command.invoke(solver, symbols).strip() or word
    return Answer(word if word in ("sat", "unsat") else "unknown", {})
