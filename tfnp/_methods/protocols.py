"""What Python and NumPy ask of an array: its length, its elements in turn, its value as a number, a buffer of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert
from tfnp._core.convert import EagerTensor, rank_of, to_tensor
from tfnp._core.ufunc.operators import is_numeric
from tfnp.routines.math import reductions, ufuncs

_shared: Final = EagerTensor.__array__


def array_of(self: Any, dtype: Any = None, /, *, copy: Any = None) -> np.ndarray:
    """The elements as an array: shared and read-only, unless a copy is asked for or needed."""
    value = np.asarray(_shared(to_tensor(self)))
    value.flags.writeable = False
    return np.array(value, dtype, copy=copy)


def length(self: Any, /) -> int:
    shape = self.shape
    if shape.rank == 0:
        raise TypeError("len() of unsized object")
    if shape.rank is None or shape[0] is None:
        raise TypeError("the length of this tensor must be known while tracing, or be taken as tfnp.shape(tensor)[0]")
    return int(shape[0])


def contains(self: Any, key: Any, /) -> Any:
    """Whether some element equals the key. In a graph this is a tensor, of which Python makes no bool."""
    found = reductions.any(ufuncs.equal(self, key))
    return bool(found) if isinstance(found, EagerTensor) else found


def elements(self: Any, /) -> Iterator[tf.Tensor]:
    """Along the first axis, whose length must be static in a graph. There TensorFlow iterates over no tensor, not even
    over an eager one, as those are that are made of constants or come from outside: each is unstacked.
    """
    value = to_tensor(self) if is_numeric(self) else self
    if value.shape.rank == 0:
        raise TypeError("iteration over a 0-d array")
    if not isinstance(value, tf.Tensor) or (isinstance(value, EagerTensor) and tf.executing_eagerly()):
        return _theirs(value)
    if value.shape.rank is None or value.shape[0] is None:
        raise TypeError(
            "to iterate over a tensor or to unpack it inside tf.function, the length of its first axis must be static, "
            f"got shape {value.shape}: set it with tf.ensure_shape, or loop over tf.range(tfnp.shape(tensor)[0])"
        )
    return iter(tf.unstack(value) if value.shape[0] else ())


_theirs: Final = tf.Tensor.__iter__


def truth(self: Any, /) -> bool:
    """An eager tensor's. Of several elements, or none, there is none."""
    return _truth(self) if rank_of(self) == 0 else bool(_shared(self))


_truth: Final = EagerTensor.__bool__


def as_index(self: Any, /) -> int:
    return number(self).__index__()


def as_int(self: Any, /) -> int:
    return int(number(self))


def as_float(self: Any, /) -> float:
    return float(number(self))


def as_complex(self: Any, /) -> complex:
    return complex(number(self))


def number(array: Any) -> np.ndarray:
    """The value of a tensor that has one while a graph is traced: a constant."""
    static = convert.static_value(array)
    if static is None:
        raise TypeError("to make a Python number of this tensor, its value must be known while tracing")
    return np.asarray(static)


def formatted(self: Any, const_int: str, /) -> str:
    """A variable's: as its value is."""
    return format(self.read_value(), const_int) if const_int else str(self)


def capsule(self: Any, /, **kwargs: Any) -> Any:
    """A variable's: of its value now, which no write to what is made of it changes."""
    return self.read_value().__dlpack__(**kwargs)


def capsule_device(self: Any, /) -> tuple[Any, Any]:
    return self.read_value().__dlpack_device__()
