"""class Reduction: what `sum`, `prod`, `max`, `min`, `any`, `all` share, from arguments to the fold and through `out=`.

The dtype of the loop is NumPy's own answer, asked once for each dtype and kept. A mask is applied before the fold, by
putting in what does not count; an initial value joins after it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, delivery, dtypes, moves, shapes
from tfnp._core.convert import EagerTensor, to_tensor
from tfnp._core.dispatch import ufunc
from tfnp._core.errors import AxisError, refuse_tensor

NOTHING: Final = np._NoValue
Axes = tuple[int, ...]


class Reduction:
    """One of NumPy's reductions. `neutral` is what changes nothing; None where there is no such value."""

    def __init__(self, joint: ufunc, numpy_ufunc: np.ufunc, fold: Callable[..., tf.Tensor], neutral: Any) -> None:
        self.joint, self.numpy_ufunc, self.fold, self.neutral = joint, numpy_ufunc, fold, neutral
        self._loops: dict[Any, tf.DType] = {}

    def plain(self, a: Any, axis: Any) -> tf.Tensor:
        """Without options: of an eager tensor, the axis and the loop looked up, and the fold."""
        if type(a) is EagerTensor:
            rank = a._rank()
            if axis is None:
                axes = _ALL_AXES[rank]
            elif type(axis) is int and -rank <= axis < rank:
                axes = (axis % rank,)
            else:
                axes = normal_axes(axis, rank)
            loop = self._loops.get(a._datatype_enum()) or self._loop_of(a.dtype)
            if self.neutral is None:
                self._check_something(a, axes)
            return self.fold(a if a.dtype is loop else convert.cast(a, loop), axes)
        return self.of(a, axis)

    def of(
        self,
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = NOTHING,
        initial: Any = NOTHING,
        where: Any = NOTHING,
    ) -> Any:
        """With all options."""
        if out is not None and not isinstance(out, tf.Variable):
            raise refuse_tensor("out", out) if isinstance(out, tf.Tensor) else TypeError("out must be a tf.Variable")
        a = to_tensor(a)
        axes = normal_axes(axis, shapes.rank(a))
        kept = is_kept(keepdims)
        loop = self.loop(a.dtype, dtype, out)
        start = self.neutral if initial is NOTHING else initial
        if start is None:
            self._check_something(a, axes)
        given, a = a, convert.cast(a, loop)
        if out is not None and start is None and out.dtype != loop:
            a = _through_out(given, a, axes, out.dtype)
        if where is not NOTHING and where is not True:
            a = self._masked(a, as_mask(where, a), start)
        if initial is NOTHING or initial is None:
            result = self.fold(a, axes, kept)
        else:
            result = self._with_initial(a, axes, kept, as_element(initial, loop))
        return result if out is None else deliver(result, out, self.numpy_ufunc.__name__)

    def _with_initial(self, a: tf.Tensor, axes: Axes, kept: bool, first: tf.Tensor) -> tf.Tensor:
        """Of no elements, what the fold says means nothing."""
        sides = shapes.shape(a)
        count = moves.product([sides[axis] for axis in axes])
        if self.neutral is None and isinstance(count, int) and count == 0:
            rest = [1 if axis in axes else side for axis, side in enumerate(sides) if kept or axis not in axes]
            return shapes.broadcast_to(first, rest)
        return self.joint(self.fold(a, axes, kept), first)

    def _masked(self, a: tf.Tensor, mask: tf.Tensor, start: Any) -> tf.Tensor:
        if start is None:
            raise ValueError(
                f"reduction operation {self.numpy_ufunc.__name__!r} does not have an identity, so to use a where mask "
                "one has to specify 'initial'"
            )
        return moves.select(mask, a, as_element(start if self.neutral is None else self.neutral, a.dtype))

    def _check_something(self, a: tf.Tensor, axes: Axes) -> None:
        """NumPy's error for nothing at all, as far as it is known."""
        if a.shape.num_elements() == 0 and any(a.shape[axis] == 0 for axis in axes):
            name = self.numpy_ufunc.__name__
            raise ValueError(f"zero-size array to reduction operation {name} which has no identity")

    def loop(self, own: tf.DType, dtype: Any = None, out: Any = None) -> tf.DType:
        if dtype is not None:
            return loop_dtype(dtype)
        if out is None or isinstance(self.neutral, bool):
            return self._loops.get(own.as_datatype_enum) or self._loop_of(own)
        pair = dtypes.as_numpy(out.dtype), dtypes.as_numpy(own)
        if dtypes.BFLOAT16 in pair:
            return dtypes.result_type(*pair)
        return tf.as_dtype(self.numpy_ufunc.resolve_dtypes((*pair, None), reduction=True, casting="unsafe")[1])

    def _loop_of(self, own: tf.DType) -> tf.DType:
        """The dtype in which elements of this one are folded: small integers in int64 or uint64, where they add up."""
        given = dtypes.as_numpy(own)
        loop = self.numpy_ufunc.resolve_dtypes((None, given, None), reduction=True)[1]
        result = self._loops[own.as_datatype_enum] = dtypes.BY_NAME[loop.name]
        return result


def normal_axes(axis: Any, rank: int) -> Axes:
    """The axes that a reduction names, as normal numbers: None for all, an int, or a tuple of ints.

    Of a tensor of rank 0, NumPy takes 0 and -1 too.
    """
    if axis is None:
        return _ALL_AXES[rank]
    if not isinstance(axis, tuple):
        number = shapes.axis_number(axis)
        if rank == 0 and number in (0, -1):
            return ()
        return (_normal(number, rank),)
    axes = tuple(_normal(shapes.axis_number(item), rank) for item in axis)
    if len(set(axes)) != len(axes):
        raise ValueError("duplicate value in 'axis'")
    return tuple(sorted(axes))


def _normal(number: int, rank: int) -> int:
    if not -rank <= number < rank:
        raise AxisError(number, rank)
    return number % rank


_ALL_AXES: Final = tuple(tuple(range(rank)) for rank in range(shapes.MAX_RANK + 1))


def is_kept(keepdims: Any) -> bool:
    """What `keepdims=` says: a truth, or an int; NumPy takes no None."""
    return False if keepdims is NOTHING else bool(operator.index(convert.static_value(keepdims)))


def _through_out(given: tf.Tensor, a: tf.Tensor, axes: Axes, dtype: tf.DType) -> tf.Tensor:
    """NumPy puts the first elements given into `out`, whatever is lost by it, and goes on from there."""
    sides = tuple(a.shape)
    if None in sides or 0 in sides:
        return a
    first = np.zeros(sides, bool)
    first[tuple(0 if axis in axes else slice(None) for axis in range(len(sides)))] = True
    return moves.select(convert.from_numpy(first), convert.cast(convert.cast(given, dtype), a.dtype), a)


def as_mask(where: Any, a: tf.Tensor) -> tf.Tensor:
    """What `where=` says of each element of the array, which it may not widen. An array must hold truths; in anything
    else NumPy reads some.
    """
    if isinstance(where, tf.Tensor | tf.Variable | np.ndarray) and where.dtype != tf.bool:
        raise TypeError(f"Cannot cast array data from {where.dtype} to bool according to the rule 'safe'")
    if where is None or isinstance(where, str | bytes):
        where = bool(where)
    mask = to_tensor(where, tf.bool)
    if shapes.rank(mask) > shapes.rank(a):
        raise ValueError("input operand has more dimensions than allowed by the axis remapping")
    known = mask.shape.is_fully_defined() and a.shape.is_fully_defined()
    if known and shapes.broadcast_shapes(tuple(a.shape), tuple(mask.shape)) != tuple(a.shape):
        raise ValueError(f"non-broadcastable operand with shape {shapes.written(tuple(a.shape))} for the mask `where`")
    return mask


def as_element(value: Any, dtype: tf.DType) -> tf.Tensor:
    """A scalar in the dtype of the loop, as NumPy assigns it to an element."""
    element = np.zeros((), dtypes.as_numpy(dtype))
    if isinstance(value, tf.Tensor | tf.Variable):
        if value.shape.rank != 0:
            element.fill(np.zeros(tuple(value.shape), dtypes.as_numpy(value.dtype)))
        return tf.reshape(to_tensor(value, dtype), ())
    element.fill(value)
    return convert.from_numpy(element)


def loop_dtype(dtype: Any) -> tf.DType:
    """What `dtype=` asks of a loop, which has no byte order."""
    if isinstance(dtype, np.dtype) and not dtype.isnative:
        raise TypeError("the `dtype` of a loop says which numbers, not in which byte order they lie")
    return dtypes.as_dtype(dtype)


def deliver(result: tf.Tensor, out: tf.Variable, name: str) -> tf.Variable:
    """The variable, which now holds the result in whatever dtype it has: a reduction casts without asking."""
    found, wanted = out.shape.rank, result.shape.rank
    if found != wanted:
        raise ValueError(
            f"output parameter for reduction operation {name} has the wrong number of dimensions: Found {found} but "
            f"expected {wanted}"
        )
    if not out.shape.is_compatible_with(result.shape):
        raise ValueError(
            "operands could not be broadcast together with remapped shapes: the output has shape "
            f"{shapes.written(tuple(out.shape))}, the result {shapes.written(tuple(result.shape))}"
        )
    return delivery.deliver(result, out, None, casting="unsafe")
