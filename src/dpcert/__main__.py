"""`python -m dpcert` is the command `dpcert`."""

from __future__ import annotations

import sys

from dpcert.cli import main

if __name__ == "__main__":
    sys.exit(main())
