"""How another process finds a claim to audit: by a name of the catalogue, or in a file."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class CatalogueSpec:
    """A mechanism that ships, by name and settings; a parameter without a setting has its default."""

    name: str
    settings: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FileSpec:
    """A target of a file: the name that the file binds it to, and the position of one point of its grid.

    `alias` is the module name of the file in the caller's process, by which the classes of outcomes are found.
    `against`, if any, is FILE.py:function or the name of a mechanism that ships. The claim is then that both programs
    have one law on each of `inputs`, a JSON list; where it is None, on the inputs of a target among the two.
    """

    path: str
    function: str
    point: int = 0
    alias: str | None = None
    against: str | None = None
    inputs: str | None = None

    @property
    def label(self) -> str:
        """The text FILE.py:function."""
        return f"{self.path}:{self.function}"


Spec = CatalogueSpec | FileSpec
