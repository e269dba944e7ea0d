"""Requests of a program to the world outside while it runs: files, processes, connections, and libraries in C.

CPython reports each to an audit hook, on every run and however the program makes it. A refused request does not happen.
A program that catches the error is refused all the same.
"""

import ast
import os
import stat
import sys
import sysconfig
import threading
import traceback
import zoneinfo
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from types import FrameType
from typing import Any

from dpcert.mechanisms.exact.errors import Unauditable

HIDDEN = "hidden randomness"
COINS = "draw from its coins, or from a parameter called rng"
UNSEEDED = "random.Random() without a seed"
FOUND = ", or make it by its name in the function, as field(default_factory=lambda: random.Random()) does"
GIVEN = "pass what it says as an input or a parameter, or draw from its coins"
PROCESSES = frozenset({"subprocess.Popen", "pty.spawn", "_winapi.CreateProcess", "os.startfile", "os.startfile/2"}) | {
    f"os.{name}" for name in ("system", "exec", "posix_spawn", "spawn", "fork", "forkpty")
}
ADDRESSES = ("getaddrinfo", "gethostbyaddr", "gethostbyname", "gethostname", "getnameinfo", "getservbyname")
SOCKETS = (*ADDRESSES, "getservbyport", "__new__", "bind", "connect", "sendmsg", "sendto")
CLIENTS = frozenset({"urllib.Request", "http.client.connect", "http.client.send", "webbrowser.open"})
MAIL = frozenset({"ftplib.connect", "smtplib.connect", "imaplib.open", "poplib.connect"})
CONNECTIONS = CLIENTS | MAIL | {f"socket.{name}" for name in SOCKETS}
LIBRARIES = frozenset({"ctypes.dlopen", "ctypes.dlsym", "ctypes.dlsym/handle", "ctypes.call_function"})
MEMORY = frozenset({"ctypes.string_at", "ctypes.wstring_at", "ctypes.cdata", "ctypes.cdata/buffer"})
LISTINGS = frozenset({"os.listdir", "os.scandir"})
OTHERS = {
    "sqlite3.connect": "a database (sqlite3.connect), which has random numbers of its own",
    "builtins.input": "input(), which asks a person",
    "fcntl.ioctl": "a device (fcntl.ioctl)",
}
EVENTS = PROCESSES | CONNECTIONS | LIBRARIES | MEMORY | LISTINGS | OTHERS.keys() | {"open", "mmap.__new__"}
LIBRARY = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib")}
STANDARD = tuple(os.path.join(path, "") for path in {*LIBRARY, *map(os.path.realpath, LIBRARY)})
INSTALLED = frozenset({"site-packages", "dist-packages"})
SYSTEM = ("/dev", "/proc", "/sys")
IMPORTS = ("<frozen importlib", "<frozen zipimport")
PARSES, TRACES = ast.parse.__code__, vars(traceback)
NOWHERE = os.path.realpath(os.devnull)
_LOCAL = threading.local()


class Hidden(Unauditable):
    """The program asked for something that is neither its input nor its coins."""


def randomness(name: str) -> Hidden:
    """Return the error of a program that uses randomness by the name given."""
    return Hidden(f"{HIDDEN}: the program uses {name}; {COINS}{FOUND if name == UNSEEDED else ''}")


def asks(frame: FrameType | None) -> bool:
    """Whether code other than ours asks, itself or through the standard library."""
    while frame is not None:
        if str(frame.f_globals.get("__name__")).partition(".")[0] == "dpcert":
            return False
        file = frame.f_code.co_filename
        if not file.startswith("<frozen") and not is_standard(file):
            return True
        frame = frame.f_back
    return False


@cache
def is_library_file(file: str) -> bool:
    """Whether a file of code is of the standard library or of an installed package."""
    return file.startswith(("<frozen", *STANDARD)) or not INSTALLED.isdisjoint(file.split(os.sep))


def is_standard(file: str) -> bool:
    """Whether a file of code is of the standard library."""
    return file.startswith(STANDARD) and INSTALLED.isdisjoint(file.split(os.sep))


def notice(hidden: Hidden, frame: FrameType | None) -> None:
    """Refuse a request by a program that is watched in this thread; do nothing otherwise.

    Raises: the error given; the program is refused by it even if it catches it.
    """
    outside: _Outside | None = getattr(_LOCAL, "outside", None)
    if outside is not None and asks(frame):
        outside.found.append(hidden)
        raise hidden


@contextmanager
def refuse_outside(folders: Iterable[str]) -> Iterator[None]:
    """Run the body and refuse its program's requests to the outside; the files in `folders` are the program's own.

    Raises: Hidden naming the first request.
    """
    _install()
    before = getattr(_LOCAL, "outside", None)
    outside = _LOCAL.outside = _Outside(folders)
    try:
        yield
    except Exception:
        if outside.found:
            raise outside.found[0] from None
        raise
    finally:
        _LOCAL.outside = before
    if outside.found:
        raise outside.found[0]


def folders_of(spaces: Iterable[dict[str, Any]]) -> set[str]:
    """Return the folders of modules, given by their globals; for a module in a package, that of the whole package."""
    return {_home(file) for space in spaces if (file := space.get("__file__"))}


@cache
def _home(file: str) -> str:
    folder = os.path.dirname(os.path.realpath(file))
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder = os.path.dirname(folder)
    return folder


class _Outside:
    """The requests of one program to the outside; its own files are those in `folders` and what Python imported."""

    def __init__(self, folders: Iterable[str]) -> None:
        self.folders = tuple(os.path.join(folder, "") for folder in folders)
        self.found: list[Hidden] = []
        self.read: set[str] = set()
        self.written: set[str] = set()
        self.busy = False

    def event(self, event: str, arguments: tuple[Any, ...], frame: FrameType) -> None:
        """Refuse an event of which the program is the cause.

        Raises: Hidden
        """
        if self.busy:
            return
        self.busy = True
        try:
            reason = self._reason(event, arguments, frame) if asks(frame) else None
        finally:
            self.busy = False
        if reason is not None:
            self.found.append(reason)
            raise reason

    def _reason(self, event: str, arguments: tuple[Any, ...], frame: FrameType) -> Hidden | None:
        if event == "open" and frame.f_code is PARSES and frame.f_back and frame.f_back.f_globals is TRACES:
            return None  # a traceback parses a line of code, and drops the error for which a line of a file is read
        if event == "open":
            return self._opened(*arguments, imports=frame.f_code.co_filename.startswith(IMPORTS))
        if event in LISTINGS:
            imports = frame.f_code.co_filename.startswith(IMPORTS)
            return None if imports else self._listed(arguments[0], event)
        if event == "mmap.__new__":
            return None if arguments[0] == -1 else _of_number(arguments[0])
        if event in PROCESSES:
            return Hidden(f"{HIDDEN}: the program starts a process ({event}), which no audit follows; {GIVEN}")
        if event in CONNECTIONS:
            return Hidden(f"{HIDDEN}: the program uses the network ({event}), which answers as it likes; {GIVEN}")
        if event in LIBRARIES | MEMORY:
            if event not in MEMORY and _imports(frame):
                return None
            return Hidden(f"{HIDDEN}: the program uses code in C ({event}), which no audit follows; {COINS}")
        return Hidden(f"{HIDDEN}: the program uses {OTHERS[event]}; {GIVEN}")

    def _opened(self, path: Any, mode: Any, flags: Any, *, imports: bool) -> Hidden | None:
        if isinstance(path, int):
            return _of_number(path)
        name = os.path.realpath(os.fsdecode(path))
        writes = _writes(mode, flags)
        if writes == "alone":
            self.written.add(name)
            return self._changed(name)
        if name == NOWHERE:
            return None
        if _is_device(name):
            return randomness(f"{os.fsdecode(path)!r}, a device or what the system makes up")
        if imports:
            return None
        if not self._own(name):
            return _foreign(f"reads the file {os.fsdecode(path)!r}", "put it beside the program")
        self.read.add(name)
        if writes:
            self.written.add(name)
        return self._changed(name)

    def _changed(self, name: str) -> Hidden | None:
        if name not in self.read & self.written:
            return None
        return Hidden(f"hidden state: the program reads and writes the file {name!r}; keep nothing from run to run")

    def _listed(self, path: Any, event: str) -> Hidden | None:
        if isinstance(path, int):
            return _foreign(f"lists a folder by its number ({event})", "keep to the program's folder")
        name = os.path.realpath(os.fsdecode("." if path is None else path))
        if self._own(os.path.join(name, "")):
            return None
        return _foreign(f"lists the folder {os.fsdecode(path or '.')!r}", "keep to the program's folder")

    def _own(self, name: str) -> bool:
        """Whether a file or folder is the program's, or comes with Python or a package that is imported."""
        homes = (*self.folders, *STANDARD, *(os.path.join(home, "") for home in zoneinfo.TZPATH))
        if name.startswith(homes) or not INSTALLED.isdisjoint(name.split(os.sep)):
            return True
        modules = [vars(module) for module in list(sys.modules.values())]
        packages = (home for space in modules for home in list(space.get("__path__") or ()) if isinstance(home, str))
        if any(name.startswith(os.path.join(os.path.realpath(home), "")) for home in packages):
            return True
        return any(name == os.path.realpath(file) for space in modules if (file := space.get("__file__")))


def _foreign(what: str, remedy: str) -> Hidden:
    return Hidden(f"hidden input: the program {what}, which is not its own, while it runs; {GIVEN}, or {remedy}")


def _writes(mode: Any, flags: Any) -> str:
    """Return whether a file is opened to be written "alone", written "too", or "" for read."""
    if isinstance(mode, str) and mode[:1] in ("r", "w", "a", "x"):
        return "too" if "+" in mode else "alone" if mode[0] != "r" else ""
    access = flags & (os.O_WRONLY | os.O_RDWR) if isinstance(flags, int) else 0
    return {os.O_WRONLY: "alone", os.O_RDWR: "too"}.get(access, "")


def _is_device(name: str) -> bool:
    """Whether a path leads to what is no file that was stored: a device, a pipe, or below /dev, /proc or /sys."""
    if name.startswith(tuple(f"{home}/" for home in SYSTEM)) or name in SYSTEM:
        return True
    try:
        mode = os.stat(name).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _of_number(number: int) -> Hidden | None:
    """Return why an open file, given by its number, may not be read: it is a device."""
    try:
        found = os.fstat(number)
    except OSError:
        return None
    kept = stat.S_ISCHR(found.st_mode) or stat.S_ISBLK(found.st_mode)
    if not kept or os.path.samestat(found, os.stat(NOWHERE)):
        return None
    return randomness("an open device by its number")


def _imports(frame: FrameType | None) -> bool:
    """Whether a module is being imported, however far out."""
    while frame is not None:
        if frame.f_code.co_filename.startswith(IMPORTS):
            return True
        frame = frame.f_back
    return False


def _hook_of(local: threading.local) -> Callable[[str, tuple[Any, ...]], None]:
    """Return a hook for the program that is watched in this thread; it is called often, and quick to say no."""

    def hook(event: str, arguments: tuple[Any, ...], events: frozenset[str] = EVENTS) -> None:
        if event in events and (outside := getattr(local, "outside", None)) is not None:
            outside.event(event, arguments, sys._getframe(1))

    return hook


@cache
def _install() -> None:
    """Add the hook, once: it stays as long as the process, and does nothing while no program is watched."""
    sys.addaudithook(_hook_of(_LOCAL))
