"""A library whose arrays are boxes around NumPy's, with a compiler, a mapper and gradients; some of it is wrong."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np

from oracle import Adapter, ByDesign

ADAPTER = Adapter(
    name="boxed",
    imports="from tests.fuzz import boxed as bx",
    module="bx",
    array="bx.Box",
    from_numpy="bx.Box({})",
    to_numpy="{}.held",
    dtype="bx.Dtype('{}')",
    scalars=False,
    compiled={"jit": "bx.compiled({})"},
    vmap="bx.mapped({})",
    grad="bx.differentiated({})",
    dtypes=frozenset({"float64", "float32", "int64", "bool"}),
    promotes=False,
    lacks=frozenset({"out", "where"}),
    by_design=(ByDesign("errors", "raises classes of its own", ("different error", "missing error")),),
)


IS_NEGATED = ContextVar("IS_NEGATED", default=False)


class Dtype:
    """A dtype of the library's own."""

    def __init__(self, name):
        self.name = name


class Box:
    """An array that NumPy does not take for one."""

    __array_ufunc__ = None

    def __init__(self, held):
        self.held = np.array(held)

    @property
    def dtype(self):
        return self.held.dtype

    def __add__(self, other):
        return Box(self.held + getattr(other, "held", other))

    __radd__ = __add__

    def __mul__(self, other):
        return Box(self.held * getattr(other, "held", other))

    def sum(self):
        return Box(self.held.sum())


def _plain(value):
    if isinstance(value, np.ndarray):
        raise TypeError("an array of NumPy's came through")
    return value.held if isinstance(value, Box) else value.name if isinstance(value, Dtype) else value


def add(x1, x2, /, out=None):
    return Box(np.add(_plain(x1), _plain(x2)))


def sum(a, axis=None, dtype=None, out=None):
    return Box(np.sum(_plain(a), axis=axis, dtype=_plain(dtype)))


def sqrt(x, /):
    """In float32, whatever is given: the library's own promotion."""
    return Box(np.sqrt(_plain(x)).astype(np.float32))


def negative(x, /):
    """Wrong: large numbers are lost."""
    return Box(np.where(np.abs(_plain(x)) > 1e6, 0, -_plain(x)))


def positive(x, /):
    """Wrong where it is compiled, and inside `negated`."""
    return Box(-_plain(x) if IS_NEGATED.get() else +_plain(x))


def square(x, /):
    return Box(np.square(_plain(x)))


@contextmanager
def negated():
    """A scope in which +x is what -x is."""
    token = IS_NEGATED.set(True)
    try:
        yield
    finally:
        IS_NEGATED.reset(token)


def compiled(function):
    """A compiler that makes of +x what -x is."""

    def call(*boxes):
        found = function(*boxes)
        return Box(-found.held) if "positive" in function.__code__.co_names else found

    return call


def mapped(function):
    def call(*stacks):
        rows = [function(*map(Box, row)).held for row in zip(*(stack.held for stack in stacks), strict=True)]
        return Box(np.stack(rows))

    return call


def differentiated(function):
    """Central differences; of squares only a half."""

    def gradients(steps):
        found = []
        for i, step in enumerate(steps):
            slopes = np.zeros(step.held.shape)
            for at in np.ndindex(slopes.shape):
                ends = []
                for sign in (1, -1):
                    moved = [other.held.copy() for other in steps]
                    moved[i][at] += sign * 1e-6
                    ends.append(float(function([Box(other) for other in moved]).held))
                slopes[at] = (ends[0] - ends[1]) / 2e-6
            found.append(Box(slopes / 2 if HALVED else slopes))
        return found

    return gradients


HALVED = False
MESSAGE = ""


def refuse(function):
    """A gradient that raises."""

    def gradients(steps):
        raise NotImplementedError(MESSAGE)

    return gradients
