"""The command, and the head of a program that notes by which processes it is loaded."""

import sys

COMMAND = [sys.executable, "-m", "dpcert"]

MARKED = """
    import os, pathlib, subprocess, sys
    PIDS = pathlib.Path(__file__).with_suffix(".pids")

    def note(pid):
        with PIDS.open("a") as file:
            file.write(f"{pid}\\n")

    note(os.getpid())
"""
