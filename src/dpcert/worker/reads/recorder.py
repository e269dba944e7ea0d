"""The watcher of a worker process: it records files, modules and variables that user code reads, or cannot pin them."""

import functools
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from importlib.metadata import packages_distributions, version
from importlib.util import source_from_cache
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from dpcert.reading.paths.loaded import globals_of
from dpcert.targets.load import dotted
from dpcert.worker.reads.machine import machine_part, parts_asked
from dpcert.worker.reads.modules import file_of_module, file_of_spec, leads, places_of, spec_of
from dpcert.worker.reads.plain import Source, trees_of
from dpcert.worker.reads.record import Reads, Record, candidates, digest_of, installed, value_digest
from dpcert.worker.whereabouts import INSTALLED, OWN, STANDARD

LISTINGS = frozenset({"os.listdir", "os.scandir", "os.walk", "glob.glob", "pathlib.Path.glob", "pathlib.Path.rglob"})
ELSEWHERE = ("socket.connect", "socket.getaddrinfo", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn")
ELSEWHERE_TOO = ("os.spawn", "os.fork", "os.forkpty", "sqlite3.connect", "urllib.Request", "ctypes.dlopen")
OUTSIDE = frozenset({*ELSEWHERE, *ELSEWHERE_TOO, "socket.gethostname"})
"""Audit events of readings whose answer may differ another time."""
WATCHED = frozenset({"open", *LISTINGS, *OUTSIDE})
NO_FILES, EMPTY = ("/dev/", "/proc/", "/sys/"), "/dev/null"
PYTHON = ("PYTHONPATH", "PYTHONWARNINGS", "PYTHONDEVMODE")
NUMBERS = ("GLIBC_TUNABLES", "NPY_DISABLE_CPU_FEATURES", "NPY_ENABLE_CPU_FEATURES", "OPENBLAS_CORETYPE")
ALWAYS = (*PYTHON, "PYTHONINTMAXSTRDIGITS", *NUMBERS)
"""Variables that change a program's behaviour although its code does not read them."""
RESOLVING = frozenset({"realpath", "_joinrealpath"})
"""Functions of `os.path` that look at each folder above a file, but return the path alone."""
ASKING = "exists getsize is_dir is_file isdir isfile lexists resolve checkcache updatecache"
ASKS_OF_CONTENT = RESOLVING.union(ASKING.split())
"""Functions of the standard library that use `os.stat` only to see what a path leads to, which the record has."""
_getcwd = os.getcwd


class Recorder:
    """Watches a worker process from `start` on; the finder of modules that it adds only takes notes, and finds none.

    `folder` is the worker's own, for its answer; `always` are files that count as read; `lent` are the folders of
    `sys.path` that only this process's parent has added. Once added, an audit hook stays as long as the process.
    """

    def __init__(self, folder: str, always: Iterable[str] = (), lent: Iterable[str] = ()) -> None:
        self.always = tuple(always)
        self._lent = frozenset(map(os.path.realpath, lent))
        self.lent: dict[str, tuple[str, ...]] = {}
        self.files: dict[str, str | None] = {}
        self.packages: dict[str, str] = {}
        self.missing: list[str] = []
        self.unimported: dict[str, str] = {}
        self.sought: dict[str, set[str]] = {}
        self.tops: dict[str, None] = {}
        self.variables: dict[str, str | None] = {}
        self.unpinned: dict[str, None] = {}
        self._busy = False
        self._own_homes = (os.path.join(os.path.abspath(folder), ""), *OWN)
        self.working: str | None = None
        archive = "python{}{}.zip".format(*sys.version_info)  # Python looks here for the standard library
        self._archive = next((path for path in sys.path if os.path.basename(path) == archive), "")

    def start(self) -> None:
        """Begin to watch opened files, imports, and readings of variables."""
        for name in ALWAYS:
            self.variables[name] = value_digest(os.environ.get(name))
        sys.meta_path.insert(0, self)
        self.environment = dict(os.environ)
        watch_environment(self.by_user, self._variable, self._cannot_pin)
        self._watch_folders()
        sys.addaudithook(_passing_on(self.event))

    def _variable(self, name: str) -> None:
        self.variables[name] = value_digest(self.environment.get(name))

    def _cannot_pin(self, reading: str) -> None:
        self.unpinned[reading] = None

    def _watch_folders(self) -> None:
        """Watch the functions of `os` that look at files, or return the working folder: they raise no audit events."""
        recorder = self

        def told(real: Callable[..., Any], note: Callable[[Any], None]) -> Callable[..., Any]:
            @functools.wraps(real)
            def asked(*args: Any, **kwds: Any) -> Any:
                caller = sys._getframe(1)
                if not recorder._busy and caller.f_code.co_name not in RESOLVING and recorder.by_user(caller):
                    recorder._busy = True
                    try:
                        note(args[0] if args else kwds.get("path"))
                        if kwds.get("dir_fd") is not None:
                            recorder.unpinned["a path below an open folder"] = None
                        if real.__name__ in ("stat", "lstat", "fstat", "access") and not _asks_of_content(caller):
                            recorder.unpinned["the kind, times or rights of a file"] = None
                    finally:
                        recorder._busy = False
                return real(*args, **kwds)

            return asked

        notes = dict.fromkeys(("stat", "lstat", "fstat", "access", "readlink"), self._looked_at)
        notes |= {"getcwd": self._where, "getcwdb": self._where, "open": lambda path: None}  # an event tells of `open`
        for name, note in notes.items():
            asked = told(getattr(os, name), note)
            for module in (os, sys.modules[os.name]):
                setattr(module, name, asked)

    def _where(self, path: Any) -> None:
        self.working = _getcwd()

    def _looked_at(self, path: Any) -> None:
        """Note what a path leads to: nothing, a folder, or a file with its digest."""
        if isinstance(path, int) or path is None:
            return
        text = self._absolute(os.fsdecode(path))
        if text.startswith(NO_FILES) and text != EMPTY:
            self.unpinned[text] = None
        if self._theirs(text) or text.startswith(NO_FILES):
            return
        if os.path.islink(text):
            self.unpinned["where a link leads"] = None
        folder, name = os.path.split(text)
        self.sought.setdefault(folder, set()).add(name.partition(".")[0])
        if not os.path.isdir(text):
            self.files.setdefault(text, digest_of(Path(text)))

    def _absolute(self, path: str) -> str:
        """Return the absolute path; for a relative path, record the working folder, too."""
        if not os.path.isabs(path):
            self.working = _getcwd()
        whole = os.path.join(_getcwd(), path)
        plain = os.path.normpath(whole)
        if os.pardir in whole.split(os.sep) and os.path.realpath(whole) != os.path.realpath(plain):
            self.unpinned["the folder above a link"] = None
        return plain

    def find_spec(self, fullname: str, path: Any = None, target: ModuleType | None = None) -> None:
        """Note the module that an import looks for; the other finders find it."""
        top, _, rest = fullname.partition(".")
        if not rest:
            self.tops[top] = None
        else:
            for folder in [] if path is None else list(path):
                if isinstance(folder, str) and not self._theirs(folder):
                    self.sought.setdefault(folder, set()).add(fullname.rpartition(".")[2])

    def by_user(self, frame: FrameType | None) -> bool:
        """Whether user code acts, itself or through the standard library, but not by an import."""
        while frame is not None:
            name = frame.f_code.co_filename
            if name.startswith("<frozen importlib"):
                return False
            if not name.startswith("<frozen") and name != __file__ and not self._standard(name):
                return not self._theirs(name)
            frame = frame.f_back
        return False

    def reads(self) -> Reads:
        """Return the record until now, including the files in `always`."""
        self._busy = True
        modules = dict(sys.modules)
        for module in modules.values():
            path = file_of_module(module)
            if path is not None and not self._theirs(path):
                self.files.setdefault(path, digest_of(Path(path)))
        for path in self.always:
            self.files.setdefault(path, digest_of(Path(path)))
        for path, digest in self.files.items():
            if digest_of(Path(path)) != digest:
                self.unpinned[f"{os.path.basename(path)}, which changed meanwhile"] = None
        self.missing = self._searches(modules)
        self.packages = self._packages(modules)
        trees = trees_of(self.files, self._own(modules), modules)
        self._busy = False
        folders = {
            folder: (tuple(sorted(names)), candidates(Path(folder), names)) for folder, names in self.sought.items()
        }
        machine = {part: machine_part(part) for part in parts_asked(self.files, self.packages)}
        missed, variables = tuple(self.missing), dict(self.variables)
        files, asked = dict(self.files), (self.packages, missed, variables, machine, self.working)
        return Reads(Record(files, folders, *asked, trees, self.lent), ", ".join(self.unpinned))

    def _own(self, modules: Mapping[str, ModuleType]) -> dict[str, Source]:
        """Return the user's modules by name, and the other Python files that were read: it may execute them."""
        own = {}
        for name, module in modules.items():
            file = file_of_module(module)
            if file is not None and not self._theirs(file):
                own[name] = Source(file, globals_of(module).get("__package__") or "")
        seen = {source.file for source in own.values()}
        for file, digest in self.files.items():
            if digest is not None and file.endswith(".py") and file not in seen:
                parts = dotted(Path(file))[1]
                own[file] = Source(file, ".".join(parts[: None if file.endswith("__init__.py") else -1]))
        return own

    def _searches(self, modules: Mapping[str, ModuleType]) -> list[str]:
        """Note in which of the user's folders imports looked for each top-level name; return names without a module."""
        missing = []
        for top in list(self.tops):
            module = modules.get(top)
            spec = spec_of(top) if module is None else globals_of(module).get("__spec__")
            if getattr(spec, "origin", None) in ("built-in", "frozen"):
                continue
            path = file_of_spec(spec) if module is None else file_of_module(module)
            if module is None and path is None:
                missing.append(top)
            elif module is None and path is not None:  # the module was only looked for, or its import failed
                self.unimported[top] = path
            places = places_of(top) if self._lent else set()
            if not places.isdisjoint(self._lent):
                self.lent[top] = tuple(sorted(places))
            home = None if path is None else Path(path).parent
            if path is not None and home is not None and Path(path).name.startswith("__init__."):
                home = home.parent
            for folder in sys.path:
                if folder and folder != self._archive and not self._theirs(folder):
                    self.sought.setdefault(folder, set()).add(top)
                if home is not None and os.path.realpath(folder) == os.path.realpath(home):
                    break
        return sorted(missing)

    def _packages(self, modules: Mapping[str, ModuleType]) -> dict[str, str]:
        """Return the versions of all installed packages that imports looked for, except this one's.

        The record has no files of these packages.
        """
        tops: dict[str, str] = {}
        places = [*((name, file_of_module(module)) for name, module in modules.items()), *self.unimported.items()]
        for name, path in places:
            if path is None or leads(path) or path.startswith(self._own_homes):
                continue
            if not INSTALLED.isdisjoint(Path(path).parts):
                tops.setdefault(name.partition(".")[0], path)
        found: dict[str, str] = {}
        owners: Mapping[str, list[str]] | None = None
        for top, path in tops.items():
            known = installed(top)
            if known is not None:
                found[top] = known
                continue
            owners = packages_distributions() if owners is None else owners
            for package in sorted(set(owners.get(top, []))):
                found[package] = version(package)
            if not owners.get(top):
                self.files[path] = digest_of(Path(path))
        return found

    def _standard(self, path: str) -> bool:
        return path.startswith(STANDARD) and INSTALLED.isdisjoint(Path(path).parts)

    def _theirs(self, path: str) -> bool:
        """Whether a path belongs to the interpreter, to an installed package, or to this one."""
        return path.startswith((*STANDARD, *self._own_homes)) or not INSTALLED.isdisjoint(Path(path).parts)

    def event(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Note a watched audit event."""
        if event == "open":
            self._opened(*arguments)
        elif event in LISTINGS:
            if self.by_user(sys._getframe(1)):
                self.unpinned[f"a folder's list of files ({event})"] = None
        elif event in OUTSIDE and arguments[:1] != (None,) and not self._ours(sys._getframe(1)):
            self.unpinned[event] = None

    def _ours(self, frame: FrameType | None) -> bool:
        """Whether this package acts, itself or through the standard library."""
        while frame is not None:
            name = frame.f_code.co_filename
            if not name.startswith("<frozen") and name != __file__ and not self._standard(name):
                return name.startswith(self._own_homes)
            frame = frame.f_back
        return True

    def _opened(self, path: Any, mode: Any, flags: Any) -> None:
        if self._busy or isinstance(path, int):
            return
        writes = mode[:1] in ("w", "a", "x") and "+" not in mode if isinstance(mode, str) else flags & os.O_WRONLY
        self._busy = True
        try:
            text = self._absolute(os.fsdecode(path))
            if text.endswith((".pyc", ".pyo")):
                with suppress(ValueError):
                    source = source_from_cache(text)
                    text = source if os.path.isfile(source) else text
            if text.startswith(NO_FILES) and text != EMPTY and self.by_user(sys._getframe(1)):
                self.unpinned[text] = None
            beside = self._theirs(text) or text.startswith(NO_FILES) or os.path.isdir(text) or text == self._archive
            if not writes and not beside:
                self.files.setdefault(text, digest_of(Path(text)))
        finally:
            self._busy = False


def _asks_of_content(frame: FrameType | None) -> bool:
    """Whether a function of the standard library looks at a path's target, by itself or by `Path.stat`."""
    while frame is not None and frame.f_code.co_name in ("stat", "lstat"):
        frame = frame.f_back
    return frame is not None and frame.f_code.co_name in ASKS_OF_CONTENT


def _passing_on(take: Callable[[str, tuple[Any, ...]], None]) -> Callable[[str, tuple[Any, ...]], None]:
    """Return a hook that passes on watched events; Python may call it a million times a second, so it is quick."""

    def hook(event: str, arguments: tuple[Any, ...], watched: frozenset[str] = WATCHED) -> None:
        if event in watched:
            take(event, arguments)

    return hook


WITH_TWO = ("__contains__", "__eq__", "__getitem__", "__ne__", "__or__", "__ror__", "get", "pop", "setdefault")
READS = (*WITH_TWO, "__iter__", "__len__", "__repr__", "__reversed__", "copy", "items", "keys", "popitem", "values")
"""The methods of a dictionary that reveal its content."""


def watch_environment(
    by_user: Callable[[FrameType | None], bool], asked: Callable[[str], None], whole: Callable[[str], None]
) -> None:
    """Call `asked` with each variable that user code reads in `os.environ`, and `whole` with words for a whole reading.

    `by_user` says of a frame whether it is user code's. The watch lasts as long as the process. A reading of the
    system's own copy of the environment, below `os`, counts as a reading of the whole.
    """

    class Watched(os._Environ[str]):
        """The environment, which reports the readings of user code."""

        def __getitem__(self, key: str) -> str:
            if by_user(sys._getframe(1)):
                asked(os.fsdecode(key))  # `os.environb` has bytes
            return super().__getitem__(key)

        def __iter__(self) -> Any:
            if by_user(sys._getframe(1)):
                whole("the whole environment")
            return super().__iter__()

    os.environ.__class__ = Watched
    if os.supports_bytes_environ:
        vars(os)["environb"].__class__ = Watched
    name = "posix" if "posix" in sys.modules else "nt"

    def told(real: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(real)
        def read(*args: Any, **kwds: Any) -> Any:
            if by_user(sys._getframe(1)):
                whole(f"{name}.environ")
            return real(*args, **kwds)

        return read

    below = type("Below", (dict,), {method: told(getattr(dict, method)) for method in READS})
    module = vars(sys.modules[name])
    module["environ"] = below(module["environ"])
