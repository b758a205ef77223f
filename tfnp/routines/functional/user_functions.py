"""User functions as ufuncs: called with a scalar of each operand, once for every element.

There are no object arrays here. The function takes scalar tensors, and its results become tensors: of the dtype of the
first, or of `dtype=`, which may be any. So they have gradients, and work in graphs and under XLA as far as the function
does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, outputs, shapes
from tfnp._core.autograph import convert_user_function
from tfnp._core.convert import to_tensor
from tfnp._core.parameters import IntLike
from tfnp._core.ufunc.dispatch import ufunc
from tfnp._core.ufunc.reduction import Reduction
from tfnp.routines.functional.along_axes import call_for_each

__all__ = ["frompyfunc"]


def frompyfunc(func: Callable[..., Any], /, nin: IntLike, nout: IntLike, **kwargs: Any) -> ufunc:
    """The function is called with scalar tensors, and its results have the dtype of the first, or that of `dtype=`:
    there are no object arrays. In a graph it is traced, so that it cannot read the value of a tensor.

    The only keyword is `identity`: the initial value of `reduce`, or None to allow several axes at once.
    """
    return userfunc(func, np.frompyfunc(func, nin, nout, **kwargs), is_reorderable="identity" in kwargs)


class userfunc(ufunc):  # noqa: N801 - named as its parent
    """A ufunc that calls a user function for every element, for any dtypes."""

    def __init__(self, function: Callable[..., Any], numpy_ufunc: np.ufunc, *, is_reorderable: bool) -> None:
        super().__init__(numpy_ufunc)
        self._function = function
        self.types, self.ntypes = numpy_ufunc.types, numpy_ufunc.ntypes
        self.reduction = _UserReduction(self, is_reorderable)

    def __reduce__(self) -> Any:
        return frompyfunc, (self._function, self.nin, self.nout)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        inputs, options = self._parse(args, kwargs)
        if options.get("signature") is not None:
            raise TypeError(f"{self.__name__} has a single loop for all dtypes: `signature` is not supported")
        outs = outputs.as_outputs(options.get("out"), self.nout)
        mask = outputs.as_mask(options.get("where", True))
        dtype = None if options.get("dtype") is None else dtypes.as_dtype(options["dtype"])
        results = self._calculate(tuple(map(to_tensor, inputs)), dtype)
        written = outputs.write_outputs(results, outs, mask, casting=options.get("casting", "same_kind"))
        return written if self.nout > 1 else written[0]

    def _calculate(self, tensors: tuple[tf.Tensor, ...], dtype: tf.DType | None) -> tuple[tf.Tensor, ...]:
        """Call the function for every element. Empty results have the default float."""
        shape = shapes.broadcast_shapes(*map(shapes.shape, tensors))
        count = layout.product(shape)
        if isinstance(count, int) and count == 0:
            return (tf.zeros(shapes.shape_tensor(shape), dtype or dtypes.default_float()),) * self.nout
        columns = tuple(tf.reshape(shapes.broadcast_to(tensor, shape), (-1,)) for tensor in tensors)
        results = call_for_each(self._make_scalar_function(dtype), columns)
        return tuple(tf.reshape(result, shapes.shape_tensor(shape)) for result in results)

    def _make_scalar_function(self, dtype: tf.DType | None) -> Callable[..., tuple[tf.Tensor, ...]]:
        """Return the function to call for every element. AutoGraph converts the user function only."""
        function = convert_user_function(self._function)
        return lambda *row: self._as_results(function(*row), dtype)

    def _as_results(self, values: Any, dtype: tf.DType | None) -> tuple[tf.Tensor, ...]:
        results = tuple(to_tensor(value, dtype) for value in (values if self.nout > 1 else (values,)))
        if len(results) != self.nout:
            raise ValueError(f"{self.__name__} must return {self.nout} results, not {len(results)}")
        if any(result.shape.rank != 0 for result in results):
            raise ValueError(f"{self.__name__} must return scalars: setting an array element with a sequence")
        return results

    def _find_kernel(self, loop: tuple[np.dtype, ...]) -> Callable[..., Any]:
        def kernel(*operands: tf.Tensor) -> tf.Tensor:
            result = self._calculate(operands, None)[0]
            return convert.cast(result, dtypes.as_dtype(loop[0]))

        return kernel

    def _resolve_at_loop(self, operand_dtypes: tuple[np.dtype, ...]) -> tuple[np.dtype, ...]:
        return operand_dtypes


class _UserReduction(Reduction):
    """Reduces from left to right, in the dtype of the array, or that of `dtype=` or `out=`."""

    def __init__(self, ufunc: userfunc, is_reorderable: bool) -> None:
        super().__init__(ufunc)
        self._is_reorderable, self._ignores_identity = is_reorderable, True

    def resolve_loops(
        self, x_dtype: tf.DType, dtype: Any = None, out: Any = None, method: str = "reduce"
    ) -> tuple[tf.DType, tf.DType]:
        if dtype is not None:
            x_dtype = dtypes.as_dtype(dtype)
        elif out is not None:
            x_dtype = out.dtype
        return x_dtype, x_dtype
