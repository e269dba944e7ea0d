"""Iterators that run the program's code, in Python: interpreted as the prelude is.

Each holds what CPython's holds, and goes on after an error as CPython's does.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, misc"

from dpcert.reading.prelude import Missing, find, refuse


def _by_items(value):
    return _ByItems(value)


def _reversed_of(value):
    function = find(value, "__reversed__")
    if function is not None:
        return function(value)
    return _Downwards(value, len(value) - 1)


def _call_until(function, end):
    return _Until(function, end)


class _Iterator:
    """An iterator that runs the program's code."""

    def __iter__(self):
        return self


class _ByItems(_Iterator):
    def __init__(self, row):
        self.row, self.place = row, 0

    def __next__(self):
        if self.row is None:
            raise StopIteration
        each = Missing
        try:
            each = self.row[self.place]
        except (IndexError, StopIteration):
            self.row = None
        if each is Missing:
            raise StopIteration
        self.place += 1
        return each


class _Downwards(_Iterator):
    def __init__(self, row, place):
        self.row, self.place = row, place

    def __next__(self):
        if self.place < 0:
            raise StopIteration
        self.place -= 1
        return self.row[self.place + 1]


class _Until(_Iterator):
    def __init__(self, function, end):
        self.function, self.end = function, end

    def __next__(self):
        if self.function is None:
            raise StopIteration
        each = self.function()
        if each == self.end:
            self.function = None
            raise StopIteration
        return each


class _Enumerate(_Iterator):
    def __init__(self, iterable, start=0):
        self.it, self.place = iter(iterable), start

    def __next__(self):
        each = next(self.it)
        self.place += 1
        return self.place - 1, each


class _Zip(_Iterator):
    def __init__(self, *its, strict=False):
        if strict:
            refuse("zip(strict=True) is not followed; compare the lengths")
        self.its = tuple([iter(it) for it in its])

    def __next__(self):
        if not self.its:
            raise StopIteration
        return tuple([next(it) for it in self.its])


class _Map(_Iterator):
    def __init__(self, function, it, *its):
        self.function, self.its = function, tuple([iter(each) for each in (it, *its)])

    def __next__(self):
        return self.function(*[next(it) for it in self.its])


class _Filter(_Iterator):
    def __init__(self, function, it):
        self.function, self.it = function, iter(it)

    def __next__(self):
        while True:
            each = next(self.it)
            if self.function is None or self.function is bool:
                if each:
                    return each
            elif self.function(each):
                return each


class _Filterfalse(_Iterator):
    def __init__(self, function, it):
        self.function, self.it = function, iter(it)

    def __next__(self):
        while True:
            each = next(self.it)
            if not (each if self.function is None else self.function(each)):
                return each


class _Count(_Iterator):
    def __init__(self, start=0, step=1):
        if type(start) is not int or type(step) is not int:
            refuse("count() is followed for ints")
        self.place, self.step = start, step

    def __next__(self):
        self.place += self.step
        return self.place - self.step


class _Repeat(_Iterator):
    def __init__(self, value, times=None):
        self.value, self.left = value, times

    def __next__(self):
        if self.left is not None:
            if self.left <= 0:
                raise StopIteration
            self.left -= 1
        return self.value


class _Cycle(_Iterator):
    def __init__(self, it):
        self.it, self.kept, self.place = iter(it), [], -1

    def __next__(self):
        if self.place < 0:
            each = next(self.it, Missing)
            if each is not Missing:
                self.kept.append(each)
                return each
            self.place = 0
        if not self.kept:
            raise StopIteration
        self.place += 1
        return self.kept[(self.place - 1) % len(self.kept)]


class _Chain(_Iterator):
    def __init__(self, *its):
        self.its, self.it = iter(its), None

    def __next__(self):
        while True:
            if self.it is None:
                self.it = iter(next(self.its))
            each = next(self.it, Missing)
            if each is not Missing:
                return each
            self.it = None


def _chain_of(its):
    made = _Chain()
    made.its = iter(its)
    return made


class _Islice(_Iterator):
    def __init__(self, it, *bounds):
        start, stop, step = _slice_bounds(*bounds)
        for each in (start, stop, step):
            if each is not None and (type(each) is not int or each < 0):
                refuse("islice() is followed for ints of 0 or more")
        self.it, self.seen, self.following, self.stop, self.step = iter(it), 0, start or 0, stop, step or 1

    def __next__(self):
        if self.it is None:
            raise StopIteration
        if self.stop is not None and self.following >= self.stop:
            while self.seen < self.stop:
                self.seen += 1
                next(self.it)
            self.it = None
            raise StopIteration
        while self.seen < self.following:
            self.seen += 1
            next(self.it)
        self.seen += 1
        self.following += self.step
        return next(self.it)


def _slice_bounds(start, stop=Missing, step=None):
    return (None, start, None) if stop is Missing else (start, stop, step)


class _Takewhile(_Iterator):
    def __init__(self, function, it):
        self.function, self.it = function, iter(it)

    def __next__(self):
        if self.function is None:
            raise StopIteration
        each = next(self.it)
        if self.function(each):
            return each
        self.function = None
        raise StopIteration


class _Dropwhile(_Iterator):
    def __init__(self, function, it):
        self.function, self.it = function, iter(it)

    def __next__(self):
        while True:
            each = next(self.it)
            if self.function is None:
                return each
            if not self.function(each):
                self.function = None
                return each


class _Starmap(_Iterator):
    def __init__(self, function, it):
        self.function, self.it = function, iter(it)

    def __next__(self):
        return self.function(*next(self.it))


class _Pairwise(_Iterator):
    def __init__(self, it):
        self.it, self.last = iter(it), Missing

    def __next__(self):
        if self.last is Missing:
            self.last = next(self.it)
        before, self.last = self.last, next(self.it)
        return before, self.last


class _Accumulate(_Iterator):
    def __init__(self, it, func=None, *, initial=None):
        self.it, self.function, self.first, self.total = iter(it), func, initial, Missing

    def __next__(self):
        if self.total is Missing:
            self.total = next(self.it) if self.first is None else self.first
            return self.total
        each = next(self.it)
        self.total = self.total + each if self.function is None else self.function(self.total, each)
        return self.total


class _Compress(_Iterator):
    def __init__(self, data, selectors):
        self.data, self.selectors = iter(data), iter(selectors)

    def __next__(self):
        while True:
            each = next(self.data)
            if next(self.selectors):
                return each


class _ZipLongest(_Iterator):
    def __init__(self, *its, fillvalue=None):
        self.its, self.other, self.live = [iter(it) for it in its], fillvalue, len(its)

    def __next__(self):
        if not self.live:
            raise StopIteration
        out = []
        for place in range(len(self.its)):
            each = Missing if self.its[place] is None else next(self.its[place], Missing)
            if each is Missing and self.its[place] is not None:
                self.its[place] = None
                self.live -= 1
                if not self.live:
                    raise StopIteration
            out.append(self.other if each is Missing else each)
        return tuple(out)


class _Listed(_Iterator):
    def __init__(self, rows):
        self.it = iter(rows)

    def __next__(self):
        return next(self.it)


class _Product(_Listed):
    def __init__(self, *its, repeat=1):
        rows = [()]
        for pool in [tuple(it) for it in its] * repeat:
            rows = [(*row, each) for row in rows for each in pool]
        self.it = iter(rows)


class _Combinations(_Listed):
    def __init__(self, it, r):
        rows = [((), 0)]
        pool = tuple(it)
        for _ in range(r):
            rows = [((*row, pool[k]), k + 1) for row, first in rows for k in range(first, len(pool))]
        self.it = iter([row for row, _ in rows])


class _Permutations(_Listed):
    def __init__(self, it, r=None):
        pool = tuple(it)
        rows = [()]
        for _ in range(len(pool) if r is None else r):
            rows = [(*row, k) for row in rows for k in range(len(pool)) if k not in row]
        self.it = iter([tuple([pool[k] for k in row]) for row in rows])
