"""Methods and operators of `tf.IndexedSlices`: those of the dense tensor that it represents.

The gradient of a variable that was read by an index, sorted or padded is of this class, which has no arithmetic.
"""

from __future__ import annotations

import functools
from typing import Any, Final

import tensorflow as tf

from tfnp._methods.tables import EAGER, EVERYWHERE, SYMBOLIC, TENSORS

_DEFINED: Final = frozenset(vars(tf.IndexedSlices)) | {"__hash__"}  # such as `-slices`, which stays sparse


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
    if name not in _DEFINED
}
"""Patches of `tf.IndexedSlices`."""
