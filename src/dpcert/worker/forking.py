"""A fork server: a process that has imported the modules of workers, and forks a worker for each job.

A forked worker is like a new process: the server only imports modules and reads their texts, so no worker starts with
traces of another job. `PYTHONHASHSEED` is the server's.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dpcert.worker.limits import LOOK

FOLDER = "DPCERT_FORK_SERVERS"
"""The environment variable with the folder of the servers' sockets; the name of a socket is its hash seed."""
STARTED, KILL, TAKE_LOOK = b"s", b"k", b"l"
QUESTION, ERRORS = "job.json", "errors.txt"
"""The files of a worker's folder that are its standard input and its standard error."""
WAITING = 128
"""The most requests that wait for a server."""
LINE = 4096


class Forked:
    """A worker that a fork server forked, with the methods of a `subprocess.Popen` that `Child` needs.

    `server` is the connection to the fork server. The worker leads a process group of its own, and the server kills
    that group when this process lets go of the worker.
    """

    def __init__(self, server: socket.socket) -> None:
        self.returncode: int | None = None
        self._server = server

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the process to end and return its status, as `subprocess` counts it.

        Raises: subprocess.TimeoutExpired
        """
        if self.returncode is None:
            self._server.settimeout(timeout)
            try:
                status = self._server.recv(LINE)
            except TimeoutError:
                raise subprocess.TimeoutExpired("a forked worker", timeout or 0.0) from None
            except OSError:
                status = b""
            self.returncode = int(status or -signal.SIGKILL)  # a server that ends kills its workers
            self._server.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Have the server send the process the signal `LOOK`, or kill it and its group for any other."""
        with contextlib.suppress(OSError):
            self._server.sendall(TAKE_LOOK if number == LOOK else KILL)

    def kill(self) -> None:
        """Have the server kill the process and its group."""
        self.send_signal(signal.SIGKILL)


class ForkServers:
    """The fork servers of one command, one for each hash seed; `folder` has their sockets, None where none runs.

    `asked` says that the start was tried, with success or not.
    """

    def __init__(self) -> None:
        self.asked = False
        self.folder: str | None = None
        self._home: tempfile.TemporaryDirectory[str] | None = None
        self._servers: list[subprocess.Popen[bytes]] = []

    def start(self, module: str, hash_seeds: tuple[str, ...], *warm: str) -> None:
        """Start the servers, which run a module; where the system has no room for them, each job starts a process.

        Each server gets `warm`: names of parts that it prepares for its workers.
        """
        try:
            self._home = tempfile.TemporaryDirectory(prefix="dpcert-", ignore_cleanup_errors=True)
            for seed in hash_seeds:
                self._start(self._home.name, module, seed, warm)
            self.folder = self._home.name
        except OSError:
            self.end()
        self.asked = True

    def _start(self, folder: str, module: str, seed: str, warm: tuple[str, ...]) -> None:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(os.path.join(folder, seed))
            listener.listen(WAITING)
            server = subprocess.Popen(
                [sys.executable, "-P", "-m", module, str(listener.fileno()), *warm],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONHASHSEED": seed, FOLDER: folder},
                pass_fds=[listener.fileno()],
                start_new_session=True,
            )
        self._servers.append(server)

    def end(self) -> None:
        """End the servers, and with them every worker that they forked."""
        servers, self._servers, self.folder, self.asked = self._servers, [], None, False
        for server in servers:
            if server.stdin is not None:
                server.stdin.close()
        for server in servers:
            server.wait()
        if self._home is not None:
            self._home.cleanup()


def serve(number: int) -> int:
    """Fork a worker for each request to the listening socket of this number; return, in each worker, the server's id.

    In a worker, the standard input is the assignment. The server itself does not return: when its own standard input
    ends, it kills its workers and ends.
    """
    with _Server(socket.socket(fileno=number)) as server:
        while not server.forked_at_next():
            pass
    return server.number


class _Server:
    """The server's end: the sockets that it listens to, and the worker behind each of them."""

    def __init__(self, listener: socket.socket) -> None:
        self.number = os.getpid()
        self.listener = listener
        self.workers: dict[int, socket.socket] = {}
        self.selector = selectors.DefaultSelector()
        self.ended, self.wake = os.pipe()
        for end in (self.ended, self.wake):
            os.set_blocking(end, False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        signal.set_wakeup_fd(self.wake)
        for file in (0, self.ended, self.listener):
            self.selector.register(file, selectors.EVENT_READ)

    def __enter__(self) -> _Server:
        return self

    def __exit__(self, *error: object) -> None:
        """In a worker, close everything that belongs to the server."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        self.selector.close()
        for connection in (self.listener, *self.workers.values()):
            connection.close()
        os.close(self.ended)
        os.close(self.wake)

    def forked_at_next(self) -> bool:
        """Serve the next request; return True in the worker that it forked."""
        for key, _ in self.selector.select():
            file: Any = key.fileobj
            if file == 0:
                self._end()
            elif file == self.ended:
                self._reap()
            elif file is self.listener:
                if self._forked():
                    return True
            elif file.fileno() >= 0:  # the connection is closed where its worker has just ended
                self._answer(file)
        return False

    def _forked(self) -> bool:
        connection, _ = self.listener.accept()
        folder = Path(connection.makefile("rb").readline(LINE).decode().rstrip("\n"))
        try:
            process = os.fork()
        except OSError:
            connection.close()
            return False
        if process:
            connection.sendall(STARTED)
            self.workers[process] = connection
            self.selector.register(connection, selectors.EVENT_READ)
            return False
        connection.close()
        os.setsid()
        _open_as(0, folder / QUESTION, os.O_RDONLY)
        _open_as(2, folder / ERRORS, os.O_WRONLY | os.O_CREAT)
        return True

    def _answer(self, connection: socket.socket) -> None:
        """Send a worker the signal that its connection asks for; a closed connection asks for its end."""
        process = next(process for process, other in self.workers.items() if other is connection)
        asked = _received(connection)
        if not asked:
            self.selector.unregister(connection)
        if asked != TAKE_LOOK * len(asked) or not asked:
            _kill(process)
        else:
            os.kill(process, LOOK)

    def _reap(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.read(self.ended, LINE)
        for process, status in _over():
            connection = self.workers.pop(process)
            with contextlib.suppress(OSError):
                connection.sendall(str(os.waitstatus_to_exitcode(status)).encode())
            with contextlib.suppress(KeyError):
                self.selector.unregister(connection)
            connection.close()

    def _end(self) -> None:
        for process in self.workers:
            _kill(process)
        for process in self.workers:
            os.waitpid(process, 0)
        os._exit(0)


def _open_as(number: int, path: Path, flags: int) -> None:
    file = os.open(path, flags, 0o600)
    os.dup2(file, number)
    os.close(file)


def _received(connection: socket.socket) -> bytes:
    try:
        return connection.recv(LINE)
    except ConnectionError:
        return b""


def _over() -> Iterator[tuple[int, int]]:
    """Yield (process, status) of each child that has ended, and end the processes that it leaves in its group."""
    with contextlib.suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(found[0], signal.SIGKILL)
            yield found


def _kill(process: int) -> None:
    """Kill a child before its status is read, and the process group that it leads once it has begun."""
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(process, signal.SIGKILL)
