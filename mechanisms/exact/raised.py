"""Exceptions as outcomes: all that a reader of an exception sees.

That is its type, its arguments, its text, its values in attributes, slots and the fields of built-in classes (the name
of a file, notes, the members of a group), and the exceptions that it names as its cause and its context. The lines of
the traceback are the program's text and are left out, with all values in its frames.
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
    """The named values, beside its arguments, that an exception shows in fields of built-in classes and in slots."""
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
    except Exception:  # it needs other arguments
        return Exception(*args)


def told(error: BaseException, decide: Callable[[Any], Any], around: BaseException | None, depth: int = 0) -> Raised:
    """The outcome that an exception is to its reader; `decide` is called on every part, and decides undecided numbers.

    Claims: two exceptions have the same outcome iff they have the same type, arguments and text, and under each name
            the same attribute, where exceptions are compared in the same way. A value that the built-in class gives to
            an exception with the same arguments has no field; so a plain ValueError('x') has no fields. `around`, the
            exception in handling when the program was called, counts as None.
    Raises: Unauditable naming the attribute that is no outcome; but for the object that the interpreter notes as `obj`
            on an AttributeError, its type stands.
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
