"""NumPy behavior for TensorFlow's own classes: patch their methods, operators and attributes, and restore them.

Activations are counted, so that they may be nested and come from several threads: the first one patches the classes,
and the end of the last one restores them exactly. The patches hold for the whole process, in all threads. So does the
promotion mode, which is that of the latest activation that has not ended. A `tf.function` keeps the behavior that was
active when it was traced.
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
from tfnp._core.eager_tensors import EagerTensor

__all__ = ["disable_numpy_behavior", "experimental_enable_numpy_behavior", "numpy_behavior"]

ABSENT: Final = object()
# Subclasses that override attributes of `tf.Variable`.
_VARIABLES: Final = ("BaseResourceVariable", "DistributedVariable")
Changes = list[tuple[type, str, Any, Any]]


class Patches:
    """The activations that have not ended, and the attributes that the first one replaced."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._active: list[tuple[object, dtypes.Promotion]] = []
        self._changes: Changes = []
        self._initial_promotion = dtypes.promotion

    def activate(self, prefer_float32: bool, mode: str) -> object:
        """Patch the classes if this is the first activation, set the promotion mode, and return a token."""
        with self._lock:
            previous = dtypes.set_promotion(mode, prefer_float32=prefer_float32)
            if not self._active:
                self._initial_promotion, self._changes = previous, _patch_classes()
            token = object()
            self._active.append((token, dtypes.promotion))
            return token

    def deactivate(self, token: object) -> None:
        """End the activation with this token; the last one restores the classes."""
        with self._lock:
            self._active = [entry for entry in self._active if entry[0] is not token]
            promotion = self._active[-1][1] if self._active else self._initial_promotion
            dtypes.set_promotion(promotion.mode, prefer_float32=promotion.prefer_float32)
            if not self._active:
                _restore_classes(self._changes)
                self._changes = []


PATCHES: Final = Patches()
_enabled: Final[list[object]] = []


def experimental_enable_numpy_behavior(prefer_float32: bool = False, dtype_conversion_mode: str = "legacy") -> None:
    """Give tensors and variables NumPy's methods, operators and promotion, until `disable_numpy_behavior`.

    `dtype_conversion_mode` selects dtype promotion: "legacy" is NumPy's; "all" is TensorFlow's lattice with weak Python
    scalars; "safe" is the same but raises where precision may be lost; "off" does not promote. With `prefer_float32`
    the default float dtype is float32 instead of float64.

    `tensor == None` stays False and `tensor != None` True, as in TensorFlow and its own NumPy behavior, whereas NumPy
    compares each element: other code in the process uses this comparison to test for a missing tensor.
    """
    _enabled.append(PATCHES.activate(prefer_float32, dtype_conversion_mode))


def disable_numpy_behavior() -> None:
    """Undo the latest `experimental_enable_numpy_behavior`; raise RuntimeError if there is none."""
    try:
        token = _enabled.pop()
    except IndexError:
        raise RuntimeError(
            "NumPy behavior is not enabled by experimental_enable_numpy_behavior; "
            "a `with numpy_behavior()` block ends by itself"
        ) from None
    PATCHES.deactivate(token)


@contextmanager
def numpy_behavior(prefer_float32: bool = False, dtype_conversion_mode: str = "legacy") -> Iterator[None]:
    """Return a context manager in which tensors and variables have NumPy's methods and operators.

    The arguments are those of `experimental_enable_numpy_behavior`. Blocks may be nested, and entered by several
    threads; the patches are visible to all threads of the process.
    """
    token = PATCHES.activate(prefer_float32, dtype_conversion_mode)
    try:
        yield
    finally:
        PATCHES.deactivate(token)


def _patch_classes() -> Changes:
    """Patch the classes, and return each attribute with its original and its new value."""
    changes: Changes = []
    try:
        for owner, name, value in _list_patches():
            changes.append((owner, name, vars(owner).get(name, ABSENT), value))
            setattr(owner, name, value)
    except BaseException:
        _restore_classes(changes)
        raise
    return changes


def _restore_classes(changes: Changes) -> None:
    """Restore the attributes, except those that other code has replaced since."""
    for owner, name, original, value in reversed(changes):
        if vars(owner).get(name, ABSENT) is not value:
            continue
        if original is ABSENT:
            delattr(owner, name)
        else:
            setattr(owner, name, original)


def _list_patches() -> Iterator[tuple[type, str, Any]]:
    """Yield each patch: the class, the name of the attribute and its new value."""
    tables = [
        (tf.Tensor, _methods.EVERYWHERE),
        (tf.Tensor, _methods.TENSORS),
        (_find_owner(EagerTensor, "__array__"), _methods.EAGER),
        (_find_owner(tf.__internal__.SymbolicTensor, "ndim"), _methods.SYMBOLIC),
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
                if hasattr(owner, name) and _find_owner(owner, name) is not tf.Variable:
                    yield owner, name, value


def _find_owner(cls: type, name: str) -> type:
    """Return the class in the method resolution order that defines the name."""
    return next(owner for owner in cls.__mro__ if name in vars(owner))


for _table in (
    _methods.EVERYWHERE,
    _methods.VARIABLES,
    _methods.TENSORS,
    _methods.EAGER,
    _methods.SYMBOLIC,
    _methods.INDEXED_SLICES,
):
    leave_unconverted(_table.values())
