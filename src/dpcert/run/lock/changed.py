"""`--changed`: which targets have not changed since a commit, by the lock of that commit, or without a lock by git."""

import ast
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from dpcert.mechanisms.exact.errors import DpcertError, InputError, one_line
from dpcert.run.lock.lock import identity_of
from dpcert.run.lock.lockfile import Index, entries_of
from dpcert.run.lock.seal import seal_of
from dpcert.targets.load import dotted
from dpcert.targets.options import Options
from dpcert.targets.spec import FileSpec, Spec
from dpcert.worker.exchange import Reply
from dpcert.worker.jobs import Audit, Listing, ListTargets
from dpcert.worker.reads.record import record_from

INERT = frozenset({".md", ".rst"})
"""Endings of files that, by assumption, no program reads."""


@dataclass(frozen=True, slots=True)
class Base:
    """A commit to compare with: the one at which this branch left the branch that the user named."""

    root: Path
    name: str
    commit: str

    def text_of(self, path: Path) -> bytes | None:
        """Return the text that a file had at the commit; None where there was none."""
        if not path.resolve().is_relative_to(self.root):
            return None
        name = path.resolve().relative_to(self.root).as_posix()
        if not _git(self.root, "ls-tree", "-z", self.commit, "--", name):
            return None
        return _git(self.root, "cat-file", "blob", f"{self.commit}:{name}")

    def changed(self) -> frozenset[Path]:
        """Return the files that differ from the commit now, and the files that git does not track yet."""
        differing = _git(self.root, "diff", "--name-only", "--no-renames", "-z", self.commit, "--")
        unknown = _git(self.root, "ls-files", "--others", "--exclude-standard", "-z")
        names = (differing + unknown).split(b"\0")
        return frozenset(self.root / name.decode("utf-8", "surrogateescape") for name in names if name)

    def held(self) -> frozenset[Path]:
        """Return the files that the commit has, without the files of repositories inside this one."""
        names = _git(self.root, "ls-tree", "-r", "--full-tree", "--name-only", "-z", self.commit).split(b"\0")
        return frozenset(self.root / name.decode("utf-8", "surrogateescape") for name in names if name)


def base_of(name: str, folder: Path) -> Base:
    """Return the merge base of the work in a folder and the named commit.

    Raises: InputError where there is no repository, no git, or no such commit.
    """
    try:
        root = Path(_git(folder, "rev-parse", "--show-toplevel").decode("utf-8", "surrogateescape").rstrip("\n"))
    except InputError as error:
        raise InputError(given=f"--changed: {error.given}", needed="a git repository", remedy="leave it out") from None
    remedy = "name a commit or branch that git has here, and fetch its history: --changed=origin/main"
    try:
        tip = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}").decode().strip()
        commit = _git(root, "merge-base", tip, "HEAD").decode().strip()
    except InputError as error:
        given = f"--changed={name}: {error.given}"
        raise InputError(given=given, needed="a commit with a history in common", remedy=remedy) from None
    return Base(root.resolve(), name, commit)


@dataclass(slots=True)
class Unchanged:
    """Decides whether a target is unchanged, so that it need not be audited.

    With a lock, a target is unchanged when the commit's lock has it with the declared verdict, sealed with `key`, and
    everything that the verdict rested on is still the same. Without a lock, a target is unchanged when each file that
    it imports is as the commit has it.
    """

    base: Base
    lock: Path | None
    options: Options
    ask: Callable[[ListTargets], Reply[Listing]]
    key: bytes | None = None
    not_ours: int = 0
    _said: list[str] = field(default_factory=list)
    _entries: Index = field(default_factory=dict)
    _changed: frozenset[Path] = frozenset()
    _held: frozenset[Path] = frozenset()
    _closures: dict[str, frozenset[Path] | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.lock is None:
            self._changed, self._held = self.base.changed(), self.base.held()
            return
        text = self.base.text_of(self.lock)
        if text is None:
            outside = not self.lock.resolve().is_relative_to(self.base.root)
            words = f"{self.lock} is outside the repository" if outside else f"no {self.lock.name} at {self.base.name}"
            self._said.append(f"{words}: every target is audited")
            return
        try:
            self._entries = entries_of(text, f"{self.lock.name} at {self.base.name}")
        except InputError as error:
            self._said.append(f"{error.given}: every target is audited")

    def notices(self) -> list[str]:
        """Return lines that say why targets were audited although the commit's lock may have them."""
        lines = list(self._said)
        if self.not_ours and self.lock is not None:
            entries = "1 entry is" if self.not_ours == 1 else f"{self.not_ours} entries are"
            words = "not sealed with a key of this machine, or edited since; audited"
            lines.append(f"{self.lock.name} at {self.base.name}: {entries} {words}")
        return [one_line(f"dpcert: {line}") for line in lines]

    def reason(self, spec: Spec) -> str | None:
        """Return why a target is not audited; None for a target to audit."""
        since = f"unchanged since {self.base.name} ({self.base.commit[:10]})"
        if self.lock is None:
            return since if isinstance(spec, FileSpec) and self._same_files(spec.path) else None
        root = self.lock.resolve().parent
        wanted = identity_of(Audit(spec, self.options), root)
        for entry in self._entries.values():
            answer, result = entry["answer"], entry["answer"].get("result")
            declared = isinstance(result, dict) and result.get("verdict") == answer.get("expect") is not None
            if entry["job"] == wanted and declared:
                if self.key is None or not seal_of(self.key).holds(entry):
                    self.not_ours += 1
                    continue
                record = record_from(entry["record"])
                if record is not None and record.files and record.unchanged(root):
                    return f"{since}, where {self.lock.name} has it as {answer['expect']}"
        return None

    def _same_files(self, file: str) -> bool:
        if file not in self._closures:
            self._closures[file] = self._closure(file)
        closure = self._closures[file]
        if closure is None or closure & self._changed or any(path.exists() for path in closure - self._held):
            return False
        beside = Path(file).parent
        data = (path for path in self._changed if path.suffix not in (".py", *INERT))
        return not any(path.is_relative_to(beside) for path in data)

    def _closure(self, file: str) -> frozenset[Path] | None:
        """Return the files that importing a file reads, and those that imports in functions name; None if unknown."""
        try:
            reads = self.ask(ListTargets(file)).reads
        except DpcertError:
            return None
        if reads is None or reads.unpinned:
            return None
        record = reads.record
        folders = {Path(folder) for folder in record.folders} | {dotted(Path(file))[0]}
        return frozenset(path.resolve() for path in _imported({Path(name) for name in record.files}, folders))


def _imported(files: Iterable[Path], folders: Iterable[Path]) -> set[Path]:
    """Return files with all files in the folders that their import statements name, at any depth of the code."""
    found: set[Path] = set()
    waiting = list(files)
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        if path.suffix != ".py":
            continue
        try:
            tree = ast.parse(path.read_bytes())
        except (OSError, SyntaxError, ValueError, RecursionError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                names = [(alias.name, tuple(folders)) for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                places = tuple(folders) if node.level == 0 else (path.parents[node.level - 1],)
                head = f"{node.module}." if node.module else ""
                names = [(f"{head}{alias.name}", places) for alias in node.names]
            else:
                continue
            for name, places in names:
                parts = name.split(".")
                for place in places:
                    for count in range(1, len(parts) + 1):
                        stem = place.joinpath(*parts[:count])
                        choices = (stem.with_name(f"{stem.name}.py"), stem / "__init__.py")
                        waiting += [choice for choice in choices if choice.is_file()]
    return found


def _git(folder: Path, *arguments: str) -> bytes:
    """Run git and return its output.

    Raises: InputError with the last line of its errors where it fails.
    """
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, stdin=subprocess.DEVNULL, check=False
        )
    except OSError as error:
        given = f"git: {error.strerror}"
        raise InputError(given=given, needed="git, to compare with a commit", remedy="install it") from None
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines() or ["no such commit"]
        raise InputError(given=lines[-1], needed="a git repository with that commit", remedy="see git status")
    return done.stdout
