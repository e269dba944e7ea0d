"""The function that a frame calls, and the arguments that the frame was called with."""

from __future__ import annotations

import inspect
import types

from dpcert.mechanisms.frames.arrivals import Arguments
from dpcert.mechanisms.frames.capture import function_called, resolve
from dpcert.mechanisms.frames.errors import NotCaptured
from dpcert.mechanisms.frames.home import Home


def called_at(home: Home, frame: types.FrameType) -> types.FunctionType:
    """Return the function that a frame is calling.

    Raises: NotCaptured where it is not known.
    """
    site = home.analysis(frame.f_code).site(frame.f_lasti)
    function = function_called(resolve(site.callee, frame, frame.f_locals))
    if function is None:
        raise NotCaptured("what it calls is not known")
    return function


def arguments_of(frame: types.FrameType) -> Arguments:
    """Return arguments with which a call has the variables that a frame has now, as far as they are arguments.

    Raises: NotCaptured where one is gone.
    """
    code, variables = frame.f_code, frame.f_locals
    names = code.co_varnames
    plain, keyword = code.co_argcount, code.co_kwonlyargcount
    try:
        args = [variables[name] for name in names[:plain]]
        kwds = {name: variables[name] for name in names[plain : plain + keyword]}
        if code.co_flags & inspect.CO_VARARGS:
            args += variables[names[plain + keyword]]
        if code.co_flags & inspect.CO_VARKEYWORDS:
            kwds |= variables[names[plain + keyword + bool(code.co_flags & inspect.CO_VARARGS)]]
    except KeyError:
        raise NotCaptured("an argument is gone") from None
    return tuple(args), kwds
