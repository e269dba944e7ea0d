"""Audit every target of a file, and print a line of JSON for each: `python judged.py FILE.py [NAME...]`."""

import json
import resource
import sys
from importlib import import_module
from pathlib import Path

import dpcert

SAMPLES = 5_000
"""Runs of what is compiled, on each side."""


def spent() -> float:
    """Return the seconds of processor time until now, of this process and of those that it waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def main(file: Path, names: list[str]) -> None:
    sys.path.insert(0, str(file.parent))
    for name, target in vars(import_module(file.stem)).items():
        if isinstance(target, dpcert.Target) and (not names or name in names):
            started = spent()
            found = dpcert.audit(target, options=dpcert.Options(max_tail="1e-22"))
            if found.reason is not None and "hidden randomness" in found.reason:
                found = dpcert.audit(target, method="samples", options=dpcert.Options(samples=SAMPLES))
            row = {"name": name, "claim": str(target.guarantee), "verdict": found.verdict, "method": found.method}
            row |= {"reason": found.reason, "seconds": round(spent() - started, 1)}
            print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
