"""How another process finds a claim to audit: by a name of the catalogue, or in a file."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class CatalogueSpec:
    """A mechanism that ships, by name, at these settings; a parameter that they leave out has its default."""

    name: str
    settings: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FileSpec:
    """A target of a file: the name that the file binds it to, and the position of one point of its grid.

    `alias` is the name under which the file was a module where its outcomes were made, so that their classes are found.
    With `against`, FILE.py:function or the name of a mechanism that ships, it is the claim that this program and the
    function have one law on each of `inputs`, a JSON list, or where that is None on those of a target among the two.
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
