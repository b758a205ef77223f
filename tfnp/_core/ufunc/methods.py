"""The methods of a ufunc: `reduce`, `accumulate`, `reduceat`, `outer`, `at`, `resolve_dtypes`, and NumPy's refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, shapes, weak_types
from tfnp._core.autograph import leave_unconverted
from tfnp._core.convert import to_tensor
from tfnp._core.dtypes import PYTHON_SCALARS, as_dtype, as_numpy
from tfnp._core.edge import array_function
from tfnp._core.indexing import at_ufunc
from tfnp._core.ufunc.options import NO_VALUE, as_output
from tfnp._core.ufunc.reduction import ReduceKernel, Reduction, ScanKernel


class Methods:
    """What every ufunc can do beside being called, given its kernels."""

    __name__: str
    nin: int
    nout: int
    signature: str | None
    identity: Any
    _numpy: np.ufunc
    _associative: bool
    _masked_value: int | None
    reduction: Reduction

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError

    def _kernel(self, loop: tuple[np.dtype, ...]) -> Callable[..., Any]:
        raise NotImplementedError

    def _loop_at(self, kinds: tuple[np.dtype, ...]) -> tuple[np.dtype, ...]:
        """The loop that `at` takes, of operands and a result of these dtypes."""
        return self._numpy.resolve_dtypes(kinds, casting="unsafe")

    def _join_with(self, fold: ReduceKernel | None, scan: ScanKernel | None) -> None:
        self.reduction = Reduction(self, fold, scan)

    @array_function(promotes=("array",))
    def reduce(
        self,
        array: Any,
        /,
        axis: Any = 0,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = False,
        initial: Any = NO_VALUE,
        where: Any = True,
    ) -> Any:
        """Join all elements along axes. That there are none, where there is no identity, a graph says when it runs;
        XLA gives whatever TensorFlow's reduction does.
        """
        self._check_joins("reduce")
        if dtype is out is None and keepdims is False and initial is NO_VALUE and where is True:
            return self.reduction.plain(array, axis)
        return self.reduction.of(array, axis, dtype, as_output(out), keepdims, initial, where)

    @array_function(promotes=("array",))
    def accumulate(self, array: Any, /, axis: Any = 0, dtype: Any = None, out: Any = None) -> Any:
        """Join, at each place along the axis, all elements up to it."""
        self._check_joins("accumulate")
        return self.reduction.accumulate(array, axis, dtype, as_output(out))

    @array_function(promotes=("array",))
    def reduceat(self, array: Any, /, indices: Any, axis: Any = 0, dtype: Any = None, out: Any = None) -> Any:
        """Join stretches along the axis: from each index to before the next, or one element where that is not beyond.

        Indices that are known only when a graph runs are checked then; under XLA they are brought within bounds.
        """
        self._check_joins("reduceat")
        return self.reduction.at_stretches(array, indices, axis, dtype, as_output(out))

    def outer(self, A: Any, B: Any, /, **kwargs: Any) -> Any:  # noqa: N803 - NumPy's names
        """Apply to every pair of an element of each. A Python scalar has its default dtype here, as in NumPy."""
        if self.signature is not None:
            raise TypeError("method outer is not allowed in ufunc with non-trivial signature")
        if self.nin != 2:
            raise ValueError("outer product only supported for binary functions")
        first, second = _operand(A), _operand(B)
        count = second.ndim if isinstance(second, np.ndarray) else second.shape.rank
        if isinstance(first, np.ndarray) and count is not None:
            return self(first.reshape(first.shape + (1,) * count), second, **kwargs)
        first = to_tensor(first)
        if first.shape.rank is None or count is None:
            shape = tf.concat([tf.shape(first), tf.ones(tf.expand_dims(tf.rank(second), 0), tf.int32)], 0)
        else:
            shape = shapes.shape_tensor((*shapes.shape(first), *(1,) * count))
        return self(weak_types.alike(tf.reshape(first, shape), first), second, **kwargs)

    def at(self, a: Any, indices: Any, b: Any = NO_VALUE, /) -> None:
        """Apply in place, to what the index names, once for each time that it is named. `a` is a `tf.Variable`: tensors
        never change, `a.at[indices]` of theirs gives new ones.
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
        self, dtypes: Any, *, signature: Any = None, casting: Any = None, reduction: bool = False
    ) -> tuple[tf.DType, ...]:
        """The dtypes of the loop for operands of these; `int`, `float`, `complex` stand for Python's scalars."""
        kept = (None, *PYTHON_SCALARS)
        kinds = tuple(one if any(one is other for other in kept) else as_numpy(one) for one in dtypes)
        asked = {"signature": signature, "casting": casting}
        given = {name: value for name, value in asked.items() if value is not None}
        found = self._numpy.resolve_dtypes(kinds, reduction=reduction, **given)
        return tuple(as_dtype(one) for one in found)

    def _check_joins(self, method: str) -> None:
        if self.nin == 2 and self.nout == 1 and self.signature is None:
            return
        if self.signature is not None:
            raise RuntimeError("Reduction not defined on ufunc with signature")
        if self.nin != 2:
            raise ValueError(f"{method} only supported for binary functions")
        raise ValueError(f"{method} only supported for functions returning a single value")


def _operand(value: Any) -> Any:
    """A tensor, or an array of what is strong."""
    narrow = convert.to_narrow(value) if dtypes.promotion.weakens else None
    return convert.to_operand(value) if narrow is None else narrow


leave_unconverted(vars(Methods).values())
