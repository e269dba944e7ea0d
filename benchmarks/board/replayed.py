"""Print what a function of a subject finds, as JSON: `python replayed.py FILE.py:FUNCTION`."""

import json
import sys
from importlib import import_module
from pathlib import Path


def main(target: str) -> None:
    file, _, name = target.rpartition(":")
    sys.path.insert(0, str(Path(file).parent))
    found = getattr(import_module(Path(file).stem), name)()
    pair = None if found.data is None else f"{found.data} against {found.neighbour}"
    place = "" if found.place is None else f", at {found.place}"
    result = {"verdict": found.verdict, "method": "replay", "sentence": found.claim, "reason": found.reason + place}
    print(json.dumps(result | {"worst": pair}))


if __name__ == "__main__":
    main(sys.argv[1])
