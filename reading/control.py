"""The instructions that change which frame is in progress: calls, functions, classes, generators, exceptions, match."""

from __future__ import annotations

import builtins
import sys
from itertools import pairwise
from typing import Any

from dpcert.reading.border import mismatch, name_of, throw, told_name
from dpcert.reading.builtin_rules import is_instance
from dpcert.reading.calls import resolve, resolved
from dpcert.reading.containers import rows, settle_key
from dpcert.reading.domains import coins as domain
from dpcert.reading.errors import Act, After, Refused, Thrown, call_act
from dpcert.reading.foreign import foreign
from dpcert.reading.imports import FIELDS_OF_ERRORS, is_error, written_in_python
from dpcert.reading.instructions import jump_kept
from dpcert.reading.machine import CATCH, DELIVER, NOTHING, instruction, operation
from dpcert.reading.objects import attribute, is_slot
from dpcert.reading.preludes import asked
from dpcert.reading.types_of import extent, find, is_class, is_exception, is_iterable, is_sub, lookup, mro_of, type_of
from dpcert.reading.values import (
    MISSING,
    NULL,
    SCALARS,
    TRACEBACK,
    Bound,
    Cell,
    Class,
    Deque,
    Dict,
    Error,
    Frame,
    Function,
    Generator,
    Instance,
    Iter,
    List,
    Named,
    Undecided,
    Value,
    Wrapped,
)
from dpcert.reading.whitelist import rule

# -- calls


@instruction("call")
def _call(m: Any, f: Frame, arg: Any) -> Any:
    count, names = arg
    s = f.stack
    base = len(s) - count - 2
    plain = len(s) - len(names)
    keywords = dict(zip(names, s[plain:], strict=True)) if names else {}
    args = tuple(s[base + 2 : plain])
    return m.give(f, count + 2, _called(m, s[base], s[base + 1], args, keywords))


def _called(m: Any, first: Value, second: Value, args: tuple[Value, ...], keywords: dict[str, Value]) -> Value:
    """The call of the two entries below the arguments: a function and NULL, in either order, or it and an argument."""
    if first is NULL:
        return resolve(m, second, args, keywords)
    return resolve(m, first, args if second is NULL else (second, *args), keywords)


@instruction("call_function_ex")
def _call_star(m: Any, f: Frame, flags: int) -> Any:
    s = f.stack
    with_keywords = flags & 1
    keywords = s[-1] if with_keywords else None
    args = s[-1 - with_keywords]
    if args.__class__ is not tuple:
        return _star_args(m, f, args, with_keywords)
    named = dict(keywords.pairs()) if keywords is not None else {}
    if any(key.__class__ is not str for key in named):
        raise Refused("keywords that are no texts are not followed")
    size = 3 + with_keywords
    first, second = s[-size], s[-size + 1]
    return m.give(f, size, _called(m, first, second, args, named))


def _star_args(m: Any, f: Frame, args: Value, with_keywords: int) -> Any:
    items = rows(args)
    if items is not None:
        f.stack[-1 - with_keywords] = tuple(items)
        f.place -= 1  # the instruction runs again, on a tuple
        return None
    if not is_iterable(m, args):
        raise Refused("* of what is no iterable; its error names the function")
    found = asked("tuple_of", tuple, args)
    if with_keywords:
        keywords = f.stack.pop()
        return m.give(f, 1, found, ("star", keywords, None))
    return m.give(f, 1, found, ("redo", None))


@instruction("return_value")
def _return(m: Any, f: Frame, arg: Any) -> bool:
    value = f.stack[-1]
    if len(m.frames) == 1 and m.settles:
        settle(value, set())
    f.stack.pop()
    m.frames.pop()
    if f.generator is not None:
        f.generator.state, f.generator.frame = "done", None
        m.finish(f.after, value)
    else:
        m.deliver(f.after, value)
    return True


def settle(value: Value, seen: set[int]) -> None:
    """Decide all undecided numbers in a value that the program returns or raises.

    Raises: Ask.
    """
    if value.__class__ is Undecided:
        domain.settle(value)
        return
    if id(value) in seen or value.__class__ in SCALARS:
        return
    seen.add(id(value))
    if value.__class__ is tuple:
        parts = list(value)
    elif value.__class__ is Dict:
        parts = [each for pair in value.pairs() for each in pair]
    elif value.__class__ in (List, Deque, Named):
        parts = list(value.items)
    elif isinstance(value, Instance):
        parts = [*value.items.values(), *(getattr(value, "args", ()))]
    else:
        other = foreign(value)
        parts = [] if other is None else other.parts(value)
    for each in parts:
        settle(each, seen)


# -- generators


@instruction("return_generator")
def _generator(m: Any, f: Frame, arg: Any) -> bool:
    m.frames.pop()
    after, f.after = f.after, None
    generator = Generator(f, f.code.name)
    f.generator = generator
    m.deliver(after, generator)
    return True


@instruction("yield_value")
def _yield(m: Any, f: Frame, arg: Any) -> bool:
    m.suspend(f, f.stack.pop())
    return True


@instruction("stop_to_error")
def _stop_to_error(m: Any, f: Frame, arg: Any) -> None:
    """Do nothing: `Machine` does this work of CPython 3.12 where the exception leaves a generator's frame."""


@instruction("cleanup_throw")
def _cleanup_throw(m: Any, f: Frame, arg: Any) -> None:
    thrown = f.stack[-1]
    if not is_sub(thrown.cls, StopIteration):
        raise Thrown(thrown, again=True)
    del f.stack[-3:]
    f.stack.append(thrown.args[0] if thrown.args else None)


# -- exceptions


@instruction("push_exc_info")
def _push_error(m: Any, f: Frame, arg: Any) -> None:
    thrown = f.stack.pop()
    f.stack += [f.error, thrown]
    f.error = thrown


@instruction("pop_except")
def _pop_error(m: Any, f: Frame, arg: Any) -> None:
    f.error = f.stack.pop()


def _match_error(m: Any, arg: Any, kinds: Value) -> bool:
    if not all(map(is_exception, kinds if kinds.__class__ is tuple else (kinds,))):
        raise throw(TypeError, "catching classes that do not inherit from BaseException is not allowed")
    return is_sub(m.frames[-1].stack[-2].cls, kinds)


@instruction("reraise")
def _reraise(m: Any, f: Frame, arg: int) -> None:
    raise Thrown(f.stack.pop(), again=True)


@instruction("raise_varargs")
def _raise(m: Any, f: Frame, count: int) -> Any:
    if count == 0:
        around = m.handled()
        if around is None:
            raise throw(RuntimeError, "No active exception to reraise")
        raise Thrown(around, again=True)
    thrown, cause = f.stack[-count], f.stack[-1] if count == 2 else None
    settle(thrown, set())
    if is_exception(thrown) or is_exception(cause):
        if not is_exception(thrown):
            raise Refused("a class is raised as a cause; raise from an instance")
        return m.give(f, count, asked("raise_new", thrown, count == 2, cause))
    if not isinstance(thrown, Error):
        raise throw(TypeError, "exceptions must derive from BaseException")
    if count == 2:
        if cause is not None and not isinstance(cause, Error):
            raise throw(TypeError, "exception causes must derive from BaseException")
        thrown.cause, thrown.suppress = cause, True
    raise Thrown(thrown)


@instruction("before_with")
def _enter(m: Any, f: Frame, arg: Any) -> Any:
    owner = f.stack[-1]
    enter, leave = find(m, owner, "__enter__"), find(m, owner, "__exit__")
    if enter is None or leave is None:
        if not isinstance(owner, Instance) or enter is not None:
            raise Refused(f"`with` on a {name_of(type_of(owner))} is not followed")
        raise mismatch(_with, owner)
    found = resolve(m, enter, (owner,), {})
    f.stack[-1] = Bound(leave, owner)
    return m.give(f, 0, found)


def _with(owner: Any) -> None:
    with owner:
        pass


def _exit_with_error(m: Any, arg: Any, leave: Value, _last: Value, _before: Value, thrown: Error) -> Act:
    return call_act(leave, (thrown.cls, thrown, TRACEBACK))


operation("check_exc_match", 1, _match_error)
operation("with_except_start", 4, _exit_with_error, keep=True)


# -- the use of values that calls return


def _again(m: Any, after: Any, value: Value) -> Value:
    """Put the value in the place of an operand, and run the instruction again."""
    m.frames[-1].place -= 1
    return value


def _star(m: Any, after: Any, value: Value) -> Value:
    m.frames[-1].stack.append(value)
    return _again(m, after, after[1])


def _jump_or_pop(m: Any, after: Any, value: Value) -> Value:
    """Keep the tested value on the stack or drop it, according to its truth."""
    jump_kept(m.frames[-1], value, after[1:3])
    return NOTHING


def _method(m: Any, after: After, value: Value) -> Value:
    m.frames[-1].stack.append(NULL)
    return value


def _truth(m: Any, after: After, value: Value) -> bool:
    if value.__class__ not in SCALARS:
        raise Refused("the truth of what __contains__ returns is not followed; return a bool")
    return bool(value)


def _iterator(m: Any, after: After, value: Value) -> Value:
    """The value that `__iter__` returned, which must be an iterator."""
    known = value.__class__ in (Generator, Iter) or (isinstance(value, Instance) and find(m, value, "__next__"))
    if not known:
        raise throw(TypeError, f"iter() returned non-iterator of type {told_name(value)!r}")
    return value


DELIVER.update(
    {
        "iterator": _iterator,
        "jump_or_pop": _jump_or_pop,
        "redo": _again,
        "star": _star,
        "method": _method,
        "truth": _truth,
        "invert": lambda m, after, value: not value,
        "instance_none": lambda m, after, value: None,
        "has": lambda m, after, value: value is not MISSING,
    }
)


CATCH["default"] = lambda m, after: m.deliver(after[-1], after[1])
CATCH["fallback"] = lambda m, after: m.perform(call_act(after[1], after[2:4]), after[-1])


# -- making functions and classes

PARTS = {8: "cells", 4: "", 2: "keyword_defaults", 1: "defaults"}  # 4 is annotations, read by nothing followed


@instruction("make_function")
def _make_function(m: Any, f: Frame, flags: int) -> None:
    host = f.stack.pop()
    function = Function(m.pins.code(host), f.space, host.co_name, host.co_qualname)
    for flag in PARTS:
        if flags & flag:
            _set_part(m, flag, f.stack.pop(), function)
    f.stack.append(function)


def _set_part(m: Any, flag: int, part: Value, function: Function) -> Function:
    if PARTS[flag]:
        setattr(function, PARTS[flag], part)
    return function


operation("set_function_attribute", 2, _set_part)
operation(
    "load_build_class",
    0,
    lambda m, arg: m.heap.take(builtins.__build_class__, m.pins.module("builtins"), "attribute", "__build_class__"),
)


def class_body(m: Any, function: Value, name: Value, *bases: Value, **keywords: Value) -> Act:
    """The frame of the body of a class."""
    if keywords or function.__class__ is not Function or name.__class__ is not str:
        raise Refused("a metaclass, or keywords of a class, are not followed")
    for base in bases:
        _check_base(m, base)
    act = resolve(m, function, (), {})
    act.operands[0].names = {}
    return Act(*("enter", *act.operands), after=("class", name, bases, act.operands[0], None))


def _check_base(m: Any, base: Value) -> None:
    if not is_class(base):
        raise Refused("a class is made of other bases than classes")
    known = (
        type(base) is Class or base is object or (type(base) is type and (written_in_python(base) or is_error(base)))
    )
    hook = lookup(m, base, "__init_subclass__")
    if not known or getattr(hook, "__objclass__", object) is not object or isinstance(hook, (Wrapped, classmethod)):
        raise Refused(f"a class on {name_of(base)} is not followed; make it before the program")


def make_class(m: Any, after: Any, cell: Value) -> Value:
    """The class that a class statement makes, once its body has run."""
    _, name, bases, frame, _ = after
    names: dict[str, Value] = dict(frame.names)
    names.pop("__classcell__", None)
    for special in (
        "__del__",
        "__slots__",
        "__init_subclass__",
        "__class_getitem__",
        "__set_name__",
        "__getattribute__",
    ):
        if special in names:
            raise Refused(f"{special} in a class that the program makes is not followed; make it before")
    if any(isinstance(each, Instance) and find(m, each, "__set_name__") is not None for each in names.values()):
        raise Refused("__set_name__ of a descriptor is not followed")
    if "__eq__" in names:
        names.setdefault("__hash__", None)
    names.setdefault("__doc__", None)
    if type(names.get("__new__")) is Function:
        names["__new__"] = Wrapped(staticmethod, (names["__new__"],))
    cls = Class(name, names.pop("__qualname__", name), bases or (object,), names)
    cls.mro = merged(cls)
    if is_exception(cls) and not FIELDS_OF_ERRORS.isdisjoint(names):
        raise Refused(f"{name} has a field of exceptions of its own")
    stored = [base for base in cls.mro if isinstance(base, type) and any(map(is_slot, vars(base).values()))]
    if type(cls.qualname) is not str or not all(issubclass(*pair) for pair in pairwise(stored)):
        raise Refused(f"{name} has bases that store attributes apart, or a __qualname__ that is no text")
    if cell.__class__ is Cell:
        cell.edit()[:] = [cls]
    return cls


def merged(cls: Class) -> tuple[Value, ...]:
    """The order of classes for the look-up of attributes, by C3 linearization."""
    rows_left = [*(list(mro_of(base)) for base in cls.bases), list(cls.bases)]
    out: list[Value] = [cls]
    while any(rows_left):
        for row in rows_left:
            if row and not any(each is row[0] for other in rows_left for each in other[1:]):
                head = row[0]
                break
        else:
            raise Refused("a class has bases in no consistent order")
        out.append(head)
        rows_left = [row[1:] if row and row[0] is head else row for row in rows_left]
    return tuple(out)


rule(builtins.__build_class__)(class_body)
DELIVER["class"] = make_class


# -- imports


def _import(m: Any, name: str, level: Value, names: Value) -> Value:
    if level or name not in sys.modules:
        raise Refused("an import of a module that is not there before the program; import it at the top")
    found = sys.modules[name if names else name.split(".")[0]]
    return m.heap.take(found, -1, "module", found.__name__)


def _import_from(m: Any, name: str, module: Value) -> Value:
    try:
        return resolved(m, attribute(m, module, name))
    except Thrown:
        raise Refused(f"{name} cannot be imported") from None


operation("import_name", 2, _import)
operation("import_from", 1, _import_from, keep=True)


@instruction("refuse")
def _refuse(m: Any, f: Frame, name: str) -> None:
    raise Refused(f"the instruction {name} is not followed")


# -- match


def _get_len(m: Any, arg: Any, value: Value) -> int:
    items = value.items if value.__class__ is Named else rows(value) or ()
    return extent(value) if value.__class__ is range else len(items)


def _is_one_of(*kinds: type) -> Any:
    def found(m: Any, arg: Any, value: Value) -> bool:
        if isinstance(value, Instance):
            raise Refused("a pattern of a sequence or mapping is matched with an instance")
        return value.__class__ in kinds

    return found


def _match_keys(m: Any, arg: Any, owner: Dict, keys: Value) -> Value:
    names = [settle_key(m, key)[0] for key in keys]
    if len(set(names)) < len(keys):
        raise Refused("a pattern of a mapping names a key twice")
    return tuple([owner.items[name][1] for name in names]) if owner.items.keys() >= set(names) else None


def _match_class(m: Any, count: int, value: Value, cls: Value, names: Value) -> Value:
    if not is_class(cls):
        raise Refused("a pattern of a class names what is no class")
    if not is_instance(m, value, cls):
        return None
    whole = count == 1 and not names and any(cls is each for each in WHOLE)
    return (value,) if whole else _matched(m, value, cls, names, count)


operation("get_len", 1, _get_len, keep=True)
operation("match_sequence", 1, _is_one_of(List, tuple, Deque, range, Named), keep=True)
operation("match_mapping", 1, _is_one_of(Dict), keep=True)
operation("match_keys", 2, _match_keys, keep=True)
operation("match_class", 3, _match_class)


WHOLE = frozenset({bool, bytes, dict, float, frozenset, int, list, set, str, tuple})


def _matched(m: Any, value: Value, cls: Value, names: Any, count: int) -> Any:
    positions = lookup(m, cls, "__match_args__") if count else ()
    if positions.__class__ is not tuple or len(positions) < count or any(type(each) is not str for each in positions):
        raise Refused("a pattern of a class has more positions than the class names")
    if len({*positions[:count], *names}) < count + len(names):
        raise Refused("a pattern of a class names an attribute twice")
    found = []
    for name in (*positions[:count], *names):
        try:
            part = attribute(m, value, name)
        except Thrown as thrown:
            if is_sub(thrown.error.cls, AttributeError):
                return None
            raise
        if part.__class__ is Act:
            raise Refused("a pattern of a class reads a property")
        found.append(part)
    return tuple(found)
