"""Python's and NumPy's protocols: length, iteration, conversion to scalars and arrays, DLPack."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, layout, ops, weak_types
from tfnp._core.convert import to_tensor
from tfnp._core.eager_tensors import EagerTensor, rank_of
from tfnp._core.errors import requires_static
from tfnp._core.ufunc.operators import is_supported
from tfnp.routines.math import reductions

_tf_array: Final = EagerTensor.__array__


def to_array(self: Any, dtype: Any = None, /, *, copy: Any = None) -> np.ndarray:
    """Return a NumPy array: a read-only view, unless a copy is requested or needed."""
    value = np.asarray(_tf_array(to_tensor(self)))
    value.flags.writeable = False
    return np.array(value, dtype, copy=copy)


def get_length(self: Any, /) -> int:
    shape = self.shape
    if shape.rank == 0:
        raise TypeError("len() of unsized object: the array is 0-d")
    if shape.rank is None or shape[0] is None:
        raise TypeError(
            f"len() needs a static first dimension inside tf.function, got shape {shape}: use tfnp.shape(tensor)[0]"
        )
    return int(shape[0])


def contains(self: Any, key: Any, /) -> Any:
    """Return whether an element equals the key: a bool, but in a graph a tensor, for which `in` raises.

    Numbers and text are never equal.
    """
    if isinstance(key, str | bytes) and self.dtype != tf.string:
        return False
    is_equal = self == key
    if not isinstance(is_equal, tf.Tensor):  # compared with None, or by the key's own class
        return bool(is_equal)
    result = reductions.any(is_equal)
    return bool(result) if isinstance(result, EagerTensor) else result


def iterate(self: Any, /) -> Iterator[tf.Tensor]:
    """Return an iterator along the first axis, whose length must be static.

    A graph unstacks the tensor, since TensorFlow's own iterator raises there. In eager mode, a part is unstacked at a
    time, which is faster than to index each item.
    """
    value = to_tensor(self) if is_supported(self) else self
    if value.shape.rank == 0:
        raise TypeError("iteration over a 0-d array")
    if not isinstance(value, tf.Tensor):
        return _tf_iter(value)
    if isinstance(value, EagerTensor) and tf.executing_eagerly():
        return _unstack_by_parts(value)
    if value.shape.rank is None or value.shape[0] is None:
        raise TypeError(
            "iterating over a tensor or unpacking it needs a static first dimension inside tf.function, "
            f"got shape {value.shape}: set it with tf.ensure_shape, or loop over tf.range(tfnp.shape(tensor)[0])"
        )
    return iter(tf.unstack(value) if value.shape[0] else ())


def _unstack_by_parts(value: tf.Tensor) -> Iterator[tf.Tensor]:
    """Yield the items along the first axis. The first part is small, for a caller that stops early."""
    start, count, length = 0, _FIRST_PART, value.shape[0]
    while start < length:
        count = min(count, length - start)
        part = value if count == length else layout.slice_along(value, 0, start, count)
        for item in ops.unstack(part, count):
            yield weak_types.weaken_like(item, value)
        start, count = start + count, min(2 * count, _LARGEST_PART)


_tf_iter: Final = tf.Tensor.__iter__
_FIRST_PART: Final = 16
_LARGEST_PART: Final = 1024


def hash_scalar(self: Any, /) -> int:
    """Return the hash of an eager scalar, that of the Python number or text that it equals; arrays have none."""
    if self.shape.rank != 0:
        raise TypeError(
            "a tensor with axes is not hashable, as NumPy's arrays are not: use tensor.ref() as the key, or tolist()"
        )
    value = self.numpy()
    return hash(value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value.item())


def to_bool(self: Any, /) -> bool:
    """Return the bool of an eager tensor of one element; for other tensors NumPy's error is raised."""
    return _tf_bool(self) if rank_of(self) == 0 else bool(_tf_array(self))


_tf_bool: Final = EagerTensor.__bool__


def as_index(self: Any, /) -> int:
    return _require_static(self, "index()").__index__()


def as_int(self: Any, /) -> int:
    return int(_require_static(self, "int()"))


def as_float(self: Any, /) -> float:
    return float(_require_static(self, "float()"))


def as_complex(self: Any, /) -> complex:
    return complex(_require_static(self, "complex()"))


def _require_static(array: Any, function: str) -> np.ndarray:
    """Return the static value of a tensor. Raise TypeError if it has none."""
    static = convert.static_value(array)
    if static is None:
        raise requires_static("the tensor", function)
    return np.asarray(static)


def format_value(self: Any, format_spec: str, /) -> str:
    """Implement `format(variable, spec)`: format the value."""
    return format(self.read_value(), format_spec) if format_spec else str(self)


def to_dlpack(self: Any, /, **kwargs: Any) -> Any:
    """Return a DLPack capsule of the current value of a variable. Writing to it does not change the variable."""
    return self.read_value().__dlpack__(**kwargs)


def get_dlpack_device(self: Any, /) -> tuple[Any, Any]:
    return self.read_value().__dlpack_device__()
