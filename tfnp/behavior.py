"""NumPy behaviour, lent to TensorFlow's own classes and taken back: methods, operators, attributes, promotion.

What is lent is counted, so that it may be asked for again inside, and in other threads: the first loan changes the
classes, the last one returned leaves them exactly as they were found. It is in force for the whole process, in all
threads, as is the way of promotion, which is that of the latest loan not yet returned. A `tf.function` keeps the
meaning that was in force when it was traced.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import tensorflow as tf

from tfnp import _methods
from tfnp._core import dtypes
from tfnp._core.autograph import leave_unconverted

__all__ = ["disable_numpy_behavior", "experimental_enable_numpy_behavior", "numpy_behavior"]

ABSENT: Final = object()
_VARIABLES: Final = ("BaseResourceVariable", "DistributedVariable")  # classes that know better than `tf.Variable`
Changes = list[tuple[type, str, Any, Any]]


class Loans:
    """The loans not yet returned, and what the classes had before the first."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._taken: list[tuple[object, dtypes.Promotion]] = []
        self._changes: Changes = []
        self._before = dtypes.promotion

    def take(self, prefer_float32: bool, mode: str) -> object:
        """Lend, and put the way of promotion in force. What is given back is the loan, to be returned."""
        with self._lock:
            before = dtypes.set_promotion(mode, prefer_float32=prefer_float32)
            if not self._taken:
                self._before, self._changes = before, _lend()
            loan = object()
            self._taken.append((loan, dtypes.promotion))
            return loan

    def give_back(self, loan: object) -> None:
        """Return one loan; with the last of them, everything."""
        with self._lock:
            self._taken = [one for one in self._taken if one[0] is not loan]
            way = self._taken[-1][1] if self._taken else self._before
            dtypes.set_promotion(way.mode, prefer_float32=way.prefer_float32)
            if not self._taken:
                _take_back(self._changes)
                self._changes = []


LOANS: Final = Loans()
_enabled: Final[list[object]] = []


def experimental_enable_numpy_behavior(prefer_float32: bool = False, dtype_conversion_mode: str = "legacy") -> None:
    """Lend NumPy's methods, operators and promotion to tensors and variables, until `disable_numpy_behavior`.

    `dtype_conversion_mode` says how dtypes are combined: "legacy" as NumPy does, "all" by TensorFlow's lattice with
    weak Python scalars, "safe" likewise but refusing what may lose precision, "off" not at all. With `prefer_float32`
    what NumPy would make float64 by default is float32.

    `tensor == None` stays False and `tensor != None` True, as TensorFlow and its own NumPy behaviour have it, where
    NumPy compares each element: whatever runs in the process asks so whether there is a tensor at all.
    """
    _enabled.append(LOANS.take(prefer_float32, dtype_conversion_mode))


def disable_numpy_behavior() -> None:
    """Undo the latest `experimental_enable_numpy_behavior`; RuntimeError where there is none to undo."""
    try:
        loan = _enabled.pop()
    except IndexError:
        raise RuntimeError("NumPy behaviour is not enabled, or only by a `with` that ends by itself") from None
    LOANS.give_back(loan)


@contextmanager
def numpy_behavior(prefer_float32: bool = False, dtype_conversion_mode: str = "legacy") -> Iterator[None]:
    """A scope in which tensors and variables have NumPy's methods and operators: see
    `experimental_enable_numpy_behavior`. Scopes may be nested, and be entered by several threads.
    """
    loan = LOANS.take(prefer_float32, dtype_conversion_mode)
    try:
        yield
    finally:
        LOANS.give_back(loan)


def _lend() -> Changes:
    """Change the classes. What each had under a name is kept beside what it has now."""
    changes: Changes = []
    try:
        for owner, name, value in _loans():
            changes.append((owner, name, vars(owner).get(name, ABSENT), value))
            setattr(owner, name, value)
    except BaseException:
        _take_back(changes)
        raise
    return changes


def _take_back(changes: Changes) -> None:
    """Leave the classes as they were, save for what somebody else has changed since."""
    for owner, name, found, value in reversed(changes):
        if vars(owner).get(name, ABSENT) is not value:
            continue
        if found is ABSENT:
            delattr(owner, name)
        else:
            setattr(owner, name, found)


def _loans() -> Iterator[tuple[type, str, Any]]:
    tables = [
        (tf.Tensor, _methods.EVERYWHERE),
        (tf.Tensor, _methods.TENSORS),
        (_owner(tf.__internal__.EagerTensor, "__array__"), _methods.EAGER),
        (_owner(tf.__internal__.SymbolicTensor, "ndim"), _methods.SYMBOLIC),
        (tf.Variable, _methods.EVERYWHERE),
        (tf.Variable, _methods.VARIABLES),
        (tf.IndexedSlices, _methods.INDEXED_SLICES),
        (tf.DType, _methods.DTYPES),
        (tf.TensorShape, _methods.SHAPES),
    ]
    for owner, table in tables:
        for name, value in table.items():
            yield owner, name, value
    for owner in tf.Variable.__subclasses__():
        if owner.__name__ in _VARIABLES:
            for name, value in _methods.VARIABLES.items():
                if hasattr(owner, name) and _owner(owner, name) is not tf.Variable:
                    yield owner, name, value


def _owner(kind: type, name: str) -> type:
    """The class, of a class and its bases, that says what the name means."""
    return next(owner for owner in kind.__mro__ if name in vars(owner))


for _table in (
    _methods.EVERYWHERE,
    _methods.VARIABLES,
    _methods.TENSORS,
    _methods.EAGER,
    _methods.SYMBOLIC,
    _methods.INDEXED_SLICES,
):
    leave_unconverted(_table.values())
