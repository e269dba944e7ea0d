"""Evidence for outside.py and entropy.py: what is asked of the outside is refused by name, even where it is caught."""

import _random
import _ssl
import atexit
import contextlib
import ctypes
import functools
import gc
import glob
import importlib
import io
import linecache
import mmap
import multiprocessing.util
import os
import pathlib
import pty
import shutil
import socket
import sqlite3
import ssl
import subprocess
import sys
import tempfile
import threading
import traceback
import urllib.request
import zoneinfo
from collections.abc import Callable
from ssl import RAND_bytes as imported_bytes
from types import SimpleNamespace

import numpy as np
import pytest

from dpcert import Coins, Dist, Unauditable
from dpcert.reading.paths.enumerator import enumerate_law
from dpcert.reading.paths.outside import notice, randomness

Refusal = Callable[..., str]
Law = Callable[..., Dist]

HERE = pathlib.Path(__file__)
ELSEWHERE = pathlib.Path(tempfile.mkdtemp())
(ELSEWHERE / "other.py").write_text("x = 1")
(ELSEWHERE / "link").symlink_to("/dev/urandom")
os.mkfifo(ELSEWHERE / "pipe")
INTERPRETERS = importlib.import_module("_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters")
DEVICE = os.open("/dev/zero", os.O_RDONLY)
PROCESS_ID = ctypes.CDLL(None).getpid
HELD = functools.partial(ssl.RAND_bytes, 2)
DATABASE = sqlite3.connect(":memory:")


# At the end of the process, not after the last of these tests: they may run again, in another order or in a fork.
atexit.register(shutil.rmtree, ELSEWHERE)


def read(path: str) -> bytes:
    """Return the first byte of a file."""
    with open(path, "rb") as file:
        return file.read(1)


def nothing() -> None:
    """Do nothing, in another process."""


OUTSIDE: dict[str, tuple[Callable[[], object], str]] = {
    "open of a device": (lambda: read("/dev/urandom"), "'/dev/urandom', a device"),
    "io.FileIO": (lambda: io.FileIO("/dev/random"), "'/dev/random', a device"),
    "os.open": (lambda: os.open("/dev/urandom", os.O_RDONLY), "'/dev/urandom', a device"),
    "pathlib": (lambda: pathlib.Path("/dev/zero").read_bytes(), "'/dev/zero', a device"),
    "a link to a device": (lambda: (ELSEWHERE / "link").open("rb"), "a device"),
    "a pipe with a name": (lambda: os.open(ELSEWHERE / "pipe", os.O_RDONLY | os.O_NONBLOCK), "a device"),
    "what the system makes up": (lambda: read("/proc/sys/kernel/random/uuid"), "a device or what the system"),
    "numpy.fromfile": (lambda: np.fromfile("/dev/urandom", np.uint8, 2), "'/dev/urandom', a device"),
    "a device by its number": (lambda: io.FileIO(DEVICE, closefd=False).read(1), "an open device by its number"),
    "a map of a device": (lambda: mmap.mmap(DEVICE, 1, prot=mmap.PROT_READ)[0], "an open device by its number"),
    "a file elsewhere": (lambda: read("/etc/passwd"), "reads the file '/etc/passwd', which is not its own"),
    "a file that is not there": (lambda: read("/nowhere"), "reads the file '/nowhere'"),
    "a Python file elsewhere": (lambda: (ELSEWHERE / "other.py").read_text(), "other.py', which is not its own"),
    "a file in linecache": (lambda: linecache.updatecache(str(ELSEWHERE / "other.py")), "other.py', which is"),
    "a temporary file": (lambda: open(ELSEWHERE / "new", "w+").close(), "new', which is not its own"),
    "a map of a file": (lambda: mmap.mmap(os.open("/etc/passwd", os.O_RDONLY), 1), "reads the file '/etc/passwd'"),
    "os.listdir": (lambda: os.listdir(ELSEWHERE), "lists the folder"),
    "os.scandir": (lambda: next(os.scandir(ELSEWHERE)), "lists the folder"),
    "pathlib.Path.iterdir": (lambda: next(ELSEWHERE.iterdir()), "lists the folder"),
    "glob.glob": (lambda: glob.glob(f"{ELSEWHERE}/*"), "lists the folder"),
    "subprocess.run": (lambda: subprocess.run(["true"], check=False), "starts a process (subprocess.Popen)"),
    "os.popen": (lambda: os.popen("true").read(), "starts a process (subprocess.Popen)"),
    "os.system": (lambda: os.system(f"head -c 1 /dev/urandom > {ELSEWHERE}/out"), "starts a process (os.system)"),
    "os.posix_spawn": (lambda: os.posix_spawn("/bin/true", ["true"], {}), "starts a process (os.posix_spawn)"),
    "os.fork": (os.fork, "starts a process (os.fork)"),
    "os.spawnlp": (lambda: os.spawnlp(os.P_WAIT, "true", "true"), "starts a process (os.fork)"),
    "pty.fork": (pty.fork, "starts a process (os.forkpty)"),
    "multiprocessing": (lambda: multiprocessing.get_context("fork").Process(target=nothing).start(), "a process"),
    "a spawned process": (lambda: multiprocessing.util.spawnv_passfds(b"/bin/true", [b"true"], []), "another process"),
    "a socket": (lambda: socket.socket(), "uses the network (socket.__new__)"),
    "a name of the network": (lambda: socket.gethostbyname("localhost"), "the network (socket.gethostbyname)"),
    "the name of the machine": (socket.gethostname, "uses the network (socket.gethostname)"),
    "urllib": (lambda: urllib.request.urlopen("http://127.0.0.1:1/"), "uses the network (urllib.Request)"),
    "ctypes": (lambda: ctypes.CDLL("libc.so.6"), "uses code in C (ctypes.dlopen)"),
    "a function of ctypes": (lambda: ctypes.pythonapi.Py_IsInitialized, "uses code in C (ctypes.dlsym)"),
    "one that is held": (lambda: PROCESS_ID(), "a function in C that ctypes found"),
    "sqlite3": (lambda: sqlite3.connect(":memory:"), "a database (sqlite3.connect)"),
    "input": (lambda: input(), "input(), which asks a person"),
    "ssl.RAND_bytes": (lambda: ssl.RAND_bytes(2), "ssl.RAND_bytes"),
    "by its own name": (lambda: imported_bytes(2), "ssl.RAND_bytes"),
    "of _ssl": (lambda: _ssl.RAND_bytes(2), "ssl.RAND_bytes"),
    "called by C code": (lambda: list(map(ssl.RAND_bytes, [2])), "ssl.RAND_bytes"),
    "in a partial": (lambda: functools.partial(ssl.RAND_bytes, 2)(), "ssl.RAND_bytes"),
    "in a partial that is held": (lambda: HELD(), "ssl.RAND_bytes"),
    "in another name": (lambda: (lambda draw: draw(2))(ssl.RAND_bytes), "ssl.RAND_bytes"),
    "os.urandom called by C code": (lambda: list(map(os.urandom, [2])), "os.urandom"),
    "another interpreter": (lambda: INTERPRETERS.create(), "another interpreter (create)"),
    "one that C code asks for": (lambda: list(map(INTERPRETERS.run_string, [0], [""])), "interpreter (run_string)"),
    "a line that an error shows": (lambda: compile("(\nraise x\n)", "/etc/passwd", "exec"), "the file '/etc/passwd'"),
    "a thread": (lambda: threading.Thread(target=nothing).start(), "_thread.start_"),
}

BY_NAME: dict[str, tuple[Callable[[], object], str]] = {
    "os.getpid": (lambda: os.getpid(), "os.getpid"),
    "os.times": (lambda: os.times(), "os.times"),
    "os.read": (lambda: os.read(0, 0), "os.read"),
    "a thread's number": (lambda: threading.get_ident(), "_thread.get_ident"),
    "sys.getrefcount": (lambda: sys.getrefcount(None), "sys.getrefcount"),
    "gc.get_count": (lambda: gc.get_count(), "gc.get_count"),
    "_random.Random": (lambda: _random.Random().random(), "of the module _random"),
    "a database that is held": (lambda: DATABASE.execute("select random()"), "sqlite3.Connection that it keeps open"),
}


@pytest.mark.points(8)
@pytest.mark.parametrize("name", OUTSIDE | BY_NAME)
def test_refused_what_is_outside_on_one_path_that_swallows_all(refusal: Refusal, name: str) -> None:
    call, text = (OUTSIDE | BY_NAME)[name]

    def program(_: None, coins: Coins) -> bool:
        u = coins.below(10**15)
        if u == 10**14:
            with contextlib.suppress(BaseException):
                call()
        return u < 3

    refusal(program, "hidden ", text)


@pytest.mark.points(7)
@pytest.mark.parametrize("name", OUTSIDE)
def test_refused_what_is_outside_in_the_first_run_alone(refusal: Refusal, name: str) -> None:
    """So that no replay asks again; and where nothing is replayed, as in the second process."""
    call, text = OUTSIDE[name]
    kept: list[object] = []

    def program(_: None, coins: Coins) -> int:
        if not kept:
            kept.append(None)
            with contextlib.suppress(BaseException):
                call()
        return coins.below(2)

    refusal(program, "hidden ", text, replay=False)


def test_refused_a_device_that_is_held_and_a_file_that_is_read_on() -> None:
    def program(_: None, coins: Coins) -> int:
        with contextlib.suppress(StopIteration):
            next(iter(holder.file))
        return coins.below(2)

    for path in ("/dev/zero", str(HERE)):
        with open(path, "rb", buffering=0) as file:
            holder = SimpleNamespace(file=file)
            with pytest.raises(Unauditable, match=r"hidden randomness: the program uses .* between runs"):
                enumerate_law(program, None)


def test_refused_a_file_that_a_program_reads_and_writes(refusal: Refusal, tmp_path: pathlib.Path) -> None:
    path = HERE.parent / f"{tmp_path.name}.txt"

    def program(_: None, coins: Coins) -> int:
        path.write_text("1")
        return int(path.read_text()) + coins.below(2)

    try:
        refusal(program, "hidden state: the program reads and writes the file")
    finally:
        path.unlink(missing_ok=True)


def test_refused_the_generator_of_torch(refusal: Refusal, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in, which has the one function that is asked."""
    state = np.zeros(4)
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(get_rng_state=lambda: state))

    def program(_: None, coins: Coins) -> int:
        state[0] += 1
        return coins.below(2)

    refusal(program, "the program uses the generator of torch")


def traced_back() -> str:
    try:
        raise ValueError("x")
    except ValueError:
        linecache.clearcache()
        return traceback.format_exc()


ALLOWED: dict[str, Callable[[], object]] = {
    "a file beside the program": lambda: (HERE.parent / "conftest.py").read_text(),
    "the list of its folder": lambda: sorted(os.listdir(HERE.parent)),
    "a file that is written": lambda: (ELSEWHERE / "log").write_text("x"),
    "what is thrown away": lambda: pathlib.Path(os.devnull).write_text("x"),
    "nothing at all": lambda: read(os.devnull),
    "a traceback": traced_back,
    "an import": lambda: [sys.modules.pop("this", None), __import__("colorsys"), sys.modules.pop("colorsys")],
    "a time zone": lambda: zoneinfo.ZoneInfo.no_cache("UTC"),
    "data of a package": lambda: pathlib.Path(np.__file__).read_text(),
    "memory": lambda: [io.BytesIO(b"x").read(), io.StringIO("x").read(), mmap.mmap(-1, 10)],
}


@pytest.mark.points(2)  # among all tests such a program reaches 200,000 objects by the names of modules
@pytest.mark.parametrize("name", ALLOWED)
def test_what_is_the_programs_own_is_allowed(law: Law, name: str) -> None:
    def program(coins: Coins) -> bool:
        ALLOWED[name]()
        return coins.below(2) == 0

    assert law(program) == Dist.bernoulli("1/2")


def test_what_is_exchanged_is_put_back_and_others_are_left_alone() -> None:
    own = sys.modules[__name__]
    names = (
        (os, "urandom"),
        (ssl, "RAND_bytes"),
        (threading, min(name for name in vars(threading) if name.startswith("_start_"))),
        (own, "imported_bytes"),
        (own, "HELD"),
    )
    before = [getattr(module, name) for module, name in names]
    enumerate_law(lambda _, coins: coins.below(2), None)
    assert [getattr(module, name) for module, name in names] == before
    assert "__call__" not in vars(type(PROCESS_ID))
    notice(randomness("anything"), sys._getframe())  # no program is watched
    assert PROCESS_ID() == os.getpid()
