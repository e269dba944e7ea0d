"""`python -m dpcert` is the command `dpcert`."""

import sys

from dpcert.cli import main

if __name__ == "__main__":
    sys.exit(main())
