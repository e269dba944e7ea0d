"""Which functions of the standard library and of numpy keep nothing that a later call shows.

Others may write where nothing of theirs leads: `os.umask`, `logging.getLogger`, `decimal.getcontext`, `np.seterr`.
"""

from __future__ import annotations

import sys
from types import FunctionType
from typing import Any

from dpcert.reading.paths.loaded import globals_of

WHOLE = (
    "array base64 binascii bisect bz2 cmath collections collections_abc colorsys contextlib copy dataclasses datetime "
    "difflib enum fnmatch fractions functools graphlib hashlib heapq hmac html inspect io itertools json keyword lzma "
    "math numbers operator pickle pprint random re reprlib secrets sre statistics string struct textwrap traceback "
    "types typing unicodedata zlib"
)
"""Modules of which this holds for all functions and classes; what `random` draws is looked at by `held.py`."""
PARTS = {
    "abc": "ABC ABCMeta abstractmethod",
    "builtins": "__build_class__ abs aiter all anext any ascii bin callable chr compile delattr dir divmod eval exec "
    "format getattr globals hasattr hash hex id input isinstance issubclass iter len locals max min next oct open ord "
    "pow print repr round setattr sorted sum vars",
    "codecs": "decode encode",
    "csv": "DictReader DictWriter reader writer",
    "decimal": "Decimal DecimalTuple",
    "ntpath": "basename commonprefix dirname isabs join normpath split splitext",
    "numpy": "arange array asanyarray asarray ascontiguousarray asfortranarray base_repr binary_repr broadcast "
    "broadcast_shapes dtype empty eye finfo format_float_positional frombuffer fromfunction fromiter full identity "
    "iinfo indices isfortran isscalar issubdtype ndenumerate ndindex ones poly1d promote_types require tri vectorize "
    "zeros",
    "os": "PathLike fsdecode fsencode fspath",
    "pathlib": "Path PosixPath PurePath PurePosixPath PureWindowsPath WindowsPath",
    "posixpath": "basename commonprefix dirname isabs join normpath split splitext",
    "sys": "exc_info exception getsizeof",
    "uuid": "SafeUUID UUID uuid3 uuid5",
    "warnings": "warn",
}
"""Modules of which it holds for these alone, with their methods."""
MODULES = frozenset(WHOLE.split())
NAMES = {module: frozenset(names.split()) for module, names in PARTS.items()}


def keeping(item: Any) -> str | None:
    """Return the public name of the module of a function or class that may keep something; None where it keeps nothing,
    and for a function or class of another package.
    """
    module = str(item.__globals__.get("__name__") if type(item) is FunctionType else item.__module__)
    top = module.partition(".")[0]
    standard = top in sys.stdlib_module_names and top.lstrip("_") not in MODULES
    listed = item.__qualname__.partition(".")[0] in NAMES.get(top.lstrip("_"), ())
    if listed or not (standard or (top == "numpy" and not _of_arrays(item))):
        return None
    return module if module.startswith("__") else module.lstrip("_")


def _of_arrays(function: Any) -> bool:
    """Whether numpy lets the classes of a function's arguments replace it, as it does where it is of arrays alone."""
    space = globals_of(sys.modules.get(function.__module__))
    return type(space.get(function.__name__)) is type(sys.modules["numpy"].mean)
