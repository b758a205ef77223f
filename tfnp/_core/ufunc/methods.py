"""The methods of a ufunc: `reduce`, `accumulate`, `reduceat`, `outer`, `at`, `resolve_dtypes`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, shapes, weak_types
from tfnp._core.convert import to_tensor
from tfnp._core.dtypes import PYTHON_SCALARS, as_dtype, as_numpy
from tfnp._core.edge import array_function
from tfnp._core.indexing import at_ufunc
from tfnp._core.parameters import ArrayLike, AxisLike, DTypeLike, IntLike, Out
from tfnp._core.ufunc.options import NO_VALUE, as_output
from tfnp._core.ufunc.reduction import Reduction

SURELY_FITS = 1 << 24
"""Elements of an array for which nobody asks whether there is memory."""


class Methods:
    """The methods of every ufunc."""

    __name__: str
    nin: int
    nout: int
    signature: str | None
    identity: Any
    _numpy_ufunc: np.ufunc
    _is_associative: bool
    _masked_value: int | None
    reduction: Reduction

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError

    def _find_kernel(self, loop: tuple[np.dtype, ...]) -> Callable[..., Any]:
        raise NotImplementedError

    def _resolve_at_loop(self, operand_dtypes: tuple[np.dtype, ...]) -> tuple[np.dtype, ...]:
        """Return the dtypes of the loop of `at` for operands and a result of these dtypes."""
        return self._numpy_ufunc.resolve_dtypes(operand_dtypes, casting="unsafe")

    @array_function(promotes=("array",))
    def reduce(
        self,
        array: ArrayLike,
        /,
        axis: AxisLike = 0,
        dtype: DTypeLike | None = None,
        out: Out = None,
        keepdims: bool = False,
        initial: ArrayLike = NO_VALUE,
        where: ArrayLike = True,
    ) -> Any:
        """Reduce axes to one element each.

        Where there is no identity and a dimension is unknown, an empty array raises when the graph runs; under XLA the
        result is that of TensorFlow's reduction.
        """
        self._check_binary("reduce")
        if dtype is out is None and keepdims is False and initial is NO_VALUE and where is True:
            return self.reduction.reduce_fast(array, axis)
        return self.reduction.reduce(array, axis, dtype, as_output(out), keepdims, initial, where)

    @array_function(promotes=("array",))
    def accumulate(
        self, array: ArrayLike, /, axis: IntLike = 0, dtype: DTypeLike | None = None, out: Out = None
    ) -> Any:
        """Accumulate the results of the ufunc along an axis."""
        if dtype is out is None and (result := self.reduction.scan_fast(array, axis)) is not None:
            return result
        return self._accumulate(array, axis, dtype, out)

    @array_function(traces=("array",))
    def _accumulate(self, array: Any, axis: Any, dtype: Any, out: Any) -> Any:
        """Accumulate any array-like, with all options."""
        self._check_binary("accumulate")
        return self.reduction.accumulate(array, axis, dtype, as_output(out))

    @array_function(promotes=("array",), traces=("array", "indices"))
    def reduceat(
        self,
        array: ArrayLike,
        /,
        indices: ArrayLike,
        axis: IntLike = 0,
        dtype: DTypeLike | None = None,
        out: Out = None,
    ) -> Any:
        """Reduce segments of an axis: from each index up to the next, or one element if the next is not greater.

        Indices without a static value are checked when the graph runs; under XLA they are clipped to the bounds.
        """
        self._check_binary("reduceat")
        return self.reduction.reduceat(array, indices, axis, dtype, as_output(out))

    def outer(self, A: ArrayLike, B: ArrayLike, /, **kwargs: Any) -> Any:  # noqa: N803 - NumPy's names
        """Apply the ufunc to all pairs of elements. A Python scalar has its default dtype here, as in NumPy."""
        if self.signature is not None:
            raise TypeError("method outer is not allowed in ufunc with non-trivial signature")
        if self.nin != 2:
            raise ValueError("outer product only supported for binary functions")
        first, second = _to_operand(A), _to_operand(B)
        ndim = second.ndim if isinstance(second, np.ndarray) else second.shape.rank
        self._check_memory_of_outer(first, second, kwargs.get("dtype"))
        if isinstance(first, np.ndarray) and ndim is not None:
            return self(first.reshape(first.shape + (1,) * ndim), second, **kwargs)
        first = to_tensor(first)
        if first.shape.rank is None or ndim is None:
            shape = tf.concat([tf.shape(first), tf.ones(tf.expand_dims(tf.rank(second), 0), tf.int32)], 0)
        else:
            shape = shapes.shape_tensor((*shapes.shape(first), *(1,) * ndim))
        return self(weak_types.weaken_like(tf.reshape(first, shape), first), second, **kwargs)

    def _check_memory_of_outer(self, first: Any, second: Any, dtype: Any) -> None:
        """Raise MemoryError at once for a result too large for this machine, as far as its shape is known."""
        dims = (*_list_dims(first), *_list_dims(second))
        shape = tuple(dim for dim in dims if dim is not None)
        if len(shape) == len(dims) and math.prod(shape) > SURELY_FITS:
            loop = self.resolve_dtypes((first.dtype, second.dtype, *(None,) * self.nout))
            shapes.check_memory(shape, as_dtype(dtype) if dtype is not None else loop[self.nin])

    def at(self, a: ArrayLike, indices: ArrayLike, b: ArrayLike = NO_VALUE, /) -> None:
        """Apply the ufunc in place to indexed elements, once for each time that they are indexed.

        `a` is a `tf.Variable`. For a tensor, which is immutable, `a.at[indices]` has methods that return a new tensor.
        """
        if self.signature is not None:
            raise TypeError(f"{self.__name__}.at does not support ufunc with non-trivial signature: {self.signature}.")
        if self.nout != 1:
            raise ValueError("Only single output ufuncs supported at this time")
        if (b is NO_VALUE) != (self.nin == 1):
            raise ValueError(
                f"second operand {'needed for ufunc' if self.nin == 2 else 'provided when ufunc is unary'}"
            )
        at_ufunc.write_at(self, a, indices, b)

    def resolve_dtypes(
        self, dtypes: Any, *, signature: Any = None, casting: str | None = None, reduction: bool = False
    ) -> tuple[tf.DType, ...]:
        """Return the dtypes of the loop for operand dtypes; `int`, `float`, `complex` stand for Python scalars."""
        unchanged = (None, *PYTHON_SCALARS)
        types = tuple(item if any(item is other for other in unchanged) else as_numpy(item) for item in dtypes)
        options = {"signature": signature, "casting": casting}
        options = {name: value for name, value in options.items() if value is not None}
        loop = self._numpy_ufunc.resolve_dtypes(types, reduction=reduction, **options)
        return tuple(as_dtype(item) for item in loop)

    def _check_binary(self, method: str) -> None:
        """Check that the ufunc has two operands and one result, each of one element."""
        if self.nin == 2 and self.nout == 1 and self.signature is None:
            return
        if self.signature is not None:
            raise RuntimeError("Reduction not defined on ufunc with signature")
        if self.nin != 2:
            raise ValueError(f"{method} only supported for binary functions")
        raise ValueError(f"{method} only supported for functions returning a single value")


def _list_dims(operand: Any) -> tuple[int | None, ...]:
    """Return the dimensions of a tensor or an array, None where they are unknown."""
    return tuple(operand.shape) if isinstance(operand, np.ndarray) or operand.shape.rank is not None else (None,)


def _to_operand(value: Any) -> Any:
    """Convert a value to a tensor, or to an array if it is strong."""
    narrow = convert.to_narrow(value) if dtypes.promotion.weakens else None
    return convert.to_operand(value) if narrow is None else narrow
