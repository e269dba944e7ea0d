"""The worker process: one job from standard input, one answer into a file. `python -m dpcert.worker`.

Whatever the user's code prints goes nowhere, so that it cannot be taken for an answer.
"""

from __future__ import annotations

from dpcert.worker.operations import main

if __name__ == "__main__":
    main()
