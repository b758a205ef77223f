"""Functions of the user's made into ufuncs: called with a scalar of each operand, once for every element.

There are no arrays of objects here. The function takes tensors without dimensions, and what it gives becomes one: all
results have the dtype of the first, or that of `dtype=`, which may be any. So it has gradients, and works in graphs and
under XLA as far as what it does to tensors works there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, outputs, shapes
from tfnp._core.autograph import leave_unconverted
from tfnp._core.convert import to_tensor
from tfnp._core.ufunc.dispatch import ufunc
from tfnp._core.ufunc.reduction import Reduction
from tfnp.routines.functional.along_axes import call_for_each

__all__ = ["frompyfunc"]


def frompyfunc(func: Callable[..., Any], /, nin: Any, nout: Any, **kwargs: Any) -> ufunc:
    """The only keyword is `identity`: what `reduce` begins with, or None to let it go over several axes at once.

    In a graph the function is traced, so that it may not ask for the value of a tensor.
    """
    return userfunc(func, np.frompyfunc(func, nin, nout, **kwargs), is_reorderable="identity" in kwargs)


class userfunc(ufunc):  # noqa: N801 - named as its parent
    """A ufunc whose loops are those of a function of the user's, for any dtypes."""

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
            raise TypeError(f"{self.__name__} has one loop, for any dtypes: it takes no `signature`")
        outs = outputs.as_outputs(options.get("out"), self.nout)
        mask = outputs.as_mask(options.get("where", True))
        dtype = None if options.get("dtype") is None else dtypes.as_dtype(options["dtype"])
        results = self._calculate(tuple(map(to_tensor, inputs)), dtype)
        delivered = outputs.write_outputs(results, outs, mask, casting=options.get("casting", "same_kind"))
        return delivered if self.nout > 1 else delivered[0]

    def _calculate(self, tensors: tuple[tf.Tensor, ...], dtype: tf.DType | None) -> tuple[tf.Tensor, ...]:
        """Of no elements, nobody knows what the function gives: they are of the default float."""
        shape = shapes.broadcast_shapes(*map(shapes.shape, tensors))
        count = layout.product(shape)
        if isinstance(count, int) and count == 0:
            return (tf.zeros(shapes.shape_tensor(shape), dtype or dtypes.default_float()),) * self.nout
        columns = tuple(tf.reshape(shapes.broadcast_to(tensor, shape), (-1,)) for tensor in tensors)
        found = call_for_each(self._scalar_function(dtype), columns)
        return tuple(tf.reshape(result, shapes.shape_tensor(shape)) for result in found)

    def _scalar_function(self, dtype: tf.DType | None) -> Callable[..., tuple[tf.Tensor, ...]]:
        """What is called for every element. AutoGraph converts the user's function, and no more."""
        function = self._function
        if not tf.executing_eagerly():
            function = tf.__internal__.autograph.tf_convert(function, tf.__internal__.autograph.control_status_ctx())

        def call(*row: tf.Tensor) -> tuple[tf.Tensor, ...]:
            return self._results(function(*row), dtype)

        leave_unconverted([call])
        return call

    def _results(self, found: Any, dtype: tf.DType | None) -> tuple[tf.Tensor, ...]:
        results = tuple(to_tensor(value, dtype) for value in (found if self.nout > 1 else (found,)))
        if len(results) != self.nout:
            raise ValueError(f"{self.__name__} must give {self.nout} results, not {len(results)}")
        if any(result.shape.rank != 0 for result in results):
            raise ValueError(f"{self.__name__} must give scalars: setting an array element with a sequence")
        return results

    def _find_kernel(self, loop: tuple[np.dtype, ...]) -> Callable[..., Any]:
        def kernel(*operands: tf.Tensor) -> tf.Tensor:
            result = self._calculate(operands, None)[0]
            return convert.cast(result, dtypes.as_dtype(loop[0]))

        return kernel

    def _resolve_at_loop(self, kinds: tuple[np.dtype, ...]) -> tuple[np.dtype, ...]:
        return kinds


class _UserReduction(Reduction):
    """From left to right, in the dtype of the array, or that of `dtype=`, or of `out=`."""

    def __init__(self, ufunc: userfunc, is_reorderable: bool) -> None:
        super().__init__(ufunc)
        self._is_reorderable, self._ignores_identity = is_reorderable, True

    def resolve_loops(
        self, own: tf.DType, dtype: Any = None, out: Any = None, method: str = "reduce"
    ) -> tuple[tf.DType, tf.DType]:
        if dtype is not None:
            own = dtypes.as_dtype(dtype)
        elif out is not None:
            own = out.dtype
        return own, own
