"""What a reader of an exception sees, as an outcome.

That is its type, its arguments, its text, what it holds in attributes, slots and the fields of built-in classes (the
name of a file, notes, the members of a group), and the exceptions that it names as its cause and its context. The
lines of the traceback are the program's text and are left out, with all that its frames hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from types import GetSetDescriptorType, MemberDescriptorType
from typing import Any

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import Raised, by_type, class_name, fresh, key

UNREAD = frozenset({"args", "__dict__", "__traceback__", "__weakref__"})
HELD = "an exception holds what is no outcome: "


def _fields(error: BaseException) -> Iterator[tuple[str, Any]]:
    """What an exception shows by name beside its arguments in fields of built-in classes and in slots."""
    for base in type(error).__mro__[-2::-1]:  # all but object
        for name, member in vars(base).items():
            if type(member) in (GetSetDescriptorType, MemberDescriptorType) and name not in UNREAD:
                with suppress(AttributeError):  # not set
                    yield name, member.__get__(error)


def _text(error: BaseException) -> str | Exception:
    """The text of an exception, or the exception that asking for it raises."""
    try:
        return str(error)
    except (RecursionError, MemoryError):
        raise
    except Exception as fault:
        return fault


def _plain(kind: type, args: tuple[Any, ...]) -> BaseException:
    """An exception with these arguments of the built-in class nearest to `kind`."""
    builtin: type[BaseException] = next(base for base in kind.__mro__ if base.__module__ == "builtins")
    try:
        return builtin(*args)
    except Exception:  # it needs others
        return Exception(*args)


def told(error: BaseException, decide: Callable[[Any], Any], around: BaseException | None, depth: int = 0) -> Raised:
    """The outcome that an exception is to its reader; `decide` decides what is undecided, and is asked of every part.

    Claims: two exceptions have the same outcome iff they have the same type, arguments and text, and under each name
            the same attribute, exceptions told in the same way. What the built-in class gives to an exception with
            the same arguments has no field; so a plain ValueError('x') has none. `around`, which was being handled
            before the program was called, counts as none.
    Raises: Unauditable naming the attribute that is no outcome; the object that the interpreter notes as `obj` on an
            AttributeError is then told by its type.
    """
    kind = type(error)

    def replace(part: Any, at: int) -> Any:
        return told(part, decide, around, at) if issubclass(type(part), BaseException) else decide(part)

    def seen(name: str, value: Any) -> tuple[str, Any]:
        try:
            return name, fresh(None if value is around else value, replace=replace, depth=depth + 1)
        except Unauditable as refusal:
            if name == "obj" and isinstance(error, AttributeError):
                return by_type(name, value, depth)
            words = str(refusal)
            raise Unauditable(words if HELD in words else f"{HELD}{kind.__name__}.{name}: {words}") from None

    _, args = seen("args", error.args)
    plain = _plain(kind, args)
    usual = dict(_fields(plain))
    fields = [seen(*field) for field in _fields(error)]
    fields = [(name, part) for name, part in fields if name not in usual or key(part) != key(usual[name])]
    fields += [seen(*field) for field in vars(error).items()]
    text = _text(error)
    if type(text) is not str or text != _text(plain):
        fields.append(seen("str()", text))
    return Raised(class_name(kind), args, tuple(fields))
