"""A pool of processes of our own code that leaves none behind, however it ends."""

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait


def _bound_to_parent() -> None:
    """Leave interrupts to the parent, and end when it does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold interrupts back, so that a process that starts meanwhile gets none, from its first instruction on."""
    if not hasattr(signal, "pthread_sigmask"):  # not on this platform
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def processes(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Give an executor of so many fresh processes; an exception, also an interrupt, kills them at work.

    Without an exception, leaving waits for all submitted calls. A process whose parent was killed ends by itself.
    """
    before = set(active_children())
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_bound_to_parent) as pool:
        try:
            with _interrupts_held():
                for _ in range(jobs):
                    pool.submit(int)  # starts a process
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            own = set(active_children()) - before
            for process in own:
                process.kill()
            for process in own:
                wait([process.sentinel], timeout=10)
            raise
