"""Methods and operators of `tf.IndexedSlices`: those of the dense tensor that it represents.

The gradient of a variable that was read by an index, sorted or padded is of this class, which has no arithmetic.
Its conversion to bool, length, equality, hash and iteration stay as they are: TensorFlow's own code converts a gradient
to bool to find out whether there is one, and looks for it in lists.
"""

from __future__ import annotations

import functools
from typing import Any, Final

import tensorflow as tf

from tfnp._methods.tables import EAGER, EVERYWHERE, SYMBOLIC, TENSORS

UNCHANGED: Final = frozenset({"__bool__", "__contains__", "__eq__", "__hash__", "__iter__", "__len__", "__ne__"})
"""What NumPy behavior changes of tensors and variables only."""

_DEFINED: Final = frozenset(vars(tf.IndexedSlices))  # such as `-slices`, which stays sparse


def _apply_to_dense(member: Any) -> Any:
    """Return a method or property that converts its object to a dense tensor first."""
    if isinstance(member, property):
        return property(_apply_to_dense(member.fget), None, None, member.__doc__)

    @functools.wraps(member)
    def call(self: tf.IndexedSlices, /, *args: Any, **kwargs: Any) -> Any:
        return member(tf.convert_to_tensor(self), *args, **kwargs)

    return call


INDEXED_SLICES: Final[dict[str, Any]] = {
    name: _apply_to_dense(member)
    for name, member in (EVERYWHERE | TENSORS | EAGER | SYMBOLIC).items()
    if name not in _DEFINED | UNCHANGED
}
"""Patches of `tf.IndexedSlices`."""
