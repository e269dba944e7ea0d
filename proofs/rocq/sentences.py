"""The ledger's sentences that theorems in Rocq prove, recorded together with these theorems' statements.

`python -m dpcert.proofs.rocq.sentences` prints each row that has changed since, or of which a theorem has, with the
statements to compare, and has status 1 if there is one. `--write` records them anew: compare first.
"""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from dpcert.proofs.ledger import Row
from dpcert.proofs.registry import rows
from dpcert.proofs.rocq.bindings import BINDINGS, Binding
from dpcert.proofs.rocq.record import record, stated

RECORDED = Path(__file__).with_name("sentences.json")


def marks(
    rows: Iterable[Row], bindings: Mapping[str, Binding], theorems: Mapping[str, Mapping[str, str]]
) -> dict[str, str]:
    """Return a hash for each row that theorems in Rocq prove: of its sentence, status and scope, and of each theorem's
    name, statement in full, and how it meets the code.
    """
    found = {}
    for row in rows:
        named = [(name, bindings[name]) for name in row.methods if name in bindings]
        proofs = [[name, theorems[name]["exact"], bound.meets, bound.bound_by] for name, bound in named]
        if proofs:
            whole = json.dumps([row.statement, row.status, row.scope, proofs])
            found[row.id] = sha256(whole.encode()).hexdigest()[:16]
    return found


def now() -> dict[str, str]:
    """Return the hashes of the rows of the ledger."""
    theorems = record()["theorems"]
    assert isinstance(theorems, dict)
    return marks(rows(), BINDINGS, theorems)


def changed(found: Mapping[str, str]) -> Iterator[str]:
    """Yield the rows whose hashes are not those recorded."""
    kept = json.loads(RECORDED.read_text("utf-8"))
    yield from (row for row in {**kept, **found} if kept.get(row) != found.get(row))


def main(arguments: list[str]) -> int:
    """Print the rows that are not as recorded, and record them if asked to."""
    found = now()
    different = list(changed(found))
    for row in (row for row in rows() if row.id in different):
        print(f"{row.id}, {row.status}: {row.statement}\n  {row.scope}")
        for name in row.methods:
            if name in BINDINGS:
                print(f"  {name}, {BINDINGS[name].meets}: {stated()[name].statement}")
    print(f"{len(different)} of {len(found)} sentences are not as recorded beside their theorems")
    if "--write" in arguments:
        RECORDED.write_text(json.dumps(found, indent=0) + "\n", "utf-8")
    return bool(different) and "--write" not in arguments


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
