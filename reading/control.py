"""The instructions that change which frame is in progress: calls, functions, classes, generators, exceptions, match."""

from __future__ import annotations

from typing import Any

from dpcert.reading.border import mismatch, name_of, throw
from dpcert.reading.calls import resolve
from dpcert.reading.containers import rows
from dpcert.reading.domains import coins as domain
from dpcert.reading.errors import Act, After, Refused, Thrown, call_act
from dpcert.reading.foreign import foreign
from dpcert.reading.instructions import jump_kept
from dpcert.reading.machine import CATCH, DELIVER, NOTHING, instruction, operation
from dpcert.reading.preludes import asked
from dpcert.reading.types_of import find, is_exception, is_sub, type_of
from dpcert.reading.values import (
    MISSING,
    NULL,
    SCALARS,
    TRACEBACK,
    Bound,
    Deque,
    Dict,
    Error,
    Frame,
    Generator,
    Instance,
    Iter,
    List,
    Named,
    Undecided,
    Value,
)

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
    """The call of what stands below the arguments: a function and a mark, in either order, or it and its first."""
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
        f.place -= 1
        return None
    if not isinstance(args, (Instance, Generator, Iter)):
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
    """Decide all that is undecided in what the program returns.

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
    """What CPython 3.12 does at the end of a generator is done where the exception leaves its frame."""


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
        if not isinstance(owner, Instance):
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


# -- what becomes of values that calls return


def _again(m: Any, after: Any, value: Value) -> Value:
    """The value stands for an operand; the instruction is done again."""
    m.frames[-1].place -= 1
    return value


def _star(m: Any, after: Any, value: Value) -> Value:
    m.frames[-1].stack.append(value)
    return _again(m, after, after[1])


def _jump_or_pop(m: Any, after: Any, value: Value) -> Value:
    """The value stays on the stack, or is dropped, by the truth that was found of it."""
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
    """What `__iter__` returned, which must be an iterator."""
    known = value.__class__ in (Generator, Iter) or (isinstance(value, Instance) and find(m, value, "__next__"))
    if not known:
        raise throw(TypeError, f"iter() returned non-iterator of type {name_of(type_of(value))!r}")
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


def _catch_default(m: Any, after: Any) -> Error | None:
    m.deliver(after[-1], after[1])
    return None


def _catch_fallback(m: Any, after: Any) -> Error | None:
    _, hook, owner, name, outer = after
    m.perform(call_act(hook, (owner, name)), outer)
    return None


CATCH.update({"default": _catch_default, "fallback": _catch_fallback})
