"""Class Reduction: `reduce`, `accumulate` and `reduceat` of a ufunc, on which `sum`, `max` and `cumsum` are built.

NumPy resolves the dtypes of the loop, once for each dtype of operands. A mask is applied before the reduction, by
replacing the elements that it excludes; an initial value is combined with the result. Where TensorFlow has no
reduction, the ufunc's kernel is applied to pairs of elements.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, ops, reduce_algorithms, shapes
from tfnp._core.checks import check
from tfnp._core.convert import to_tensor
from tfnp._core.eager_tensors import EagerTensor, enum_of, is_on_host, needs_gradient, rank_of, shape_of
from tfnp._core.edge import array_function
from tfnp._core.errors import numpy_errors
from tfnp._core.outputs import as_variable
from tfnp._core.ufunc import segment_indices
from tfnp._core.ufunc.options import (
    ALL_AXES,
    NO_VALUE,
    Axes,
    as_element,
    as_initial,
    as_keepdims,
    as_mask,
    as_single_axis,
    loop_dtype,
    normalize_axes,
    write_reduction,
    write_scan,
)

ReduceKernel = Callable[..., tf.Tensor]
ScanKernel = Callable[[tf.Tensor, int], tf.Tensor]


_EXACT: Final = frozenset(("maximum", "minimum", "fmax", "fmin"))
"""Ufuncs without a scan of TensorFlow's, which select: NumPy accumulates long arrays many times faster."""
_NATIVE: Final = frozenset((tf.float16, tf.float32, tf.float64, tf.int8, tf.int16, tf.int32, tf.int64, tf.uint8))


class ReducibleUfunc(Protocol):
    """The parts of a ufunc that a reduction uses."""

    __name__: str
    identity: Any
    _numpy_ufunc: np.ufunc
    _is_associative: bool
    _masked_value: int | None

    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

    def _find_kernel(self, loop: tuple[np.dtype, ...]) -> Callable[..., Any]: ...


class Reduction:
    """The reductions of a ufunc, by kernels of TensorFlow's or by its own kernel applied to pairs.

    `identity` is that of the ufunc, or None.
    """

    def __init__(self, ufunc: Any, kernel: ReduceKernel | None = None, scan: ScanKernel | None = None) -> None:
        self.ufunc: ReducibleUfunc = ufunc
        self.name, self.identity = ufunc.__name__, ufunc.identity
        self._reduce_kernel: ReduceKernel = kernel or self._reduce_pairs
        self._has_reduce_kernel, self._scan_kernel = kernel is not None, scan
        self._loops: dict[Any, tf.DType] = {}
        self._ops: dict[Any, Callable[..., tf.Tensor] | None] = {}
        self._is_reorderable: bool | None = None if self.identity is None else True
        self._ignores_identity: bool | None = None

    def reduce_fast(self, a: Any, axis: Any, keepdims: bool = False) -> tf.Tensor:
        """Reduce without other options: for an eager tensor whose loop is cached, in few Python frames."""
        enum = enum_of(a) if type(a) is EagerTensor else None
        loop = self._loops.get(enum)
        if loop is None:
            return self.reduce(a, axis, None, None, keepdims)
        rank = rank_of(a)
        if axis is None:
            axes = ALL_AXES[rank]
        elif type(axis) is int and -rank <= axis < rank:
            axes = (axis % rank,)
        else:
            axes = normalize_axes(axis, rank)
        if self.identity is None:
            self._check_reorderable(axes)
            if 0 in shape_of(a):
                self._check_not_empty(a, axes)
        op = self._ops.get(enum)
        if op is not None:
            return op(a, shapes.const_int(axes), keepdims)
        return self._reduce_kernel(a if loop.as_datatype_enum == enum else convert.cast(a, loop), axes, keepdims)

    @array_function(unknown_rank="each")
    def reduce(
        self,
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = NO_VALUE,
        initial: Any = NO_VALUE,
        where: Any = NO_VALUE,
    ) -> Any:
        """Reduce along axes, with all options of NumPy's `ufunc.reduce`; the default of `axis` is None."""
        out, a = as_variable(out), to_tensor(a)
        axes = normalize_axes(axis, shapes.rank(a))
        keepdims = as_keepdims(keepdims)
        loop, element = self.resolve_loops(a.dtype, dtype, out)
        self._check_reorderable(axes)
        start = self.identity if initial is NO_VALUE else initial
        if start is None:
            a = self._assert_not_empty(a, axes)
        mask = None if where is NO_VALUE or where is True else self._as_mask(where, a, start)
        first = None if initial is NO_VALUE or initial is None else as_element(initial, loop)
        if out is not None and out.dtype != loop:
            if start is self.identity is not None and not self._has_reduce_kernel:
                first = as_initial(self.identity, loop)
            if element == loop or first is not None:
                a, first = _round_to_out(a, axes, out.dtype, loop, first, start)
        if element != loop:
            first_dtype = loop if out is None else out.dtype
            result = self._reduce_mixed(a, axes, keepdims, (loop, element, first_dtype), first, mask)
        else:
            result = self._reduce_masked(convert.cast(a, loop), axes, keepdims, first, mask)
        return result if out is None else write_reduction(result, out, self.name)

    def _reduce_masked(
        self, a: tf.Tensor, axes: Axes, keepdims: bool, first: tf.Tensor | None, mask: tf.Tensor | None
    ) -> tf.Tensor:
        if mask is not None and self._can_fill_masked(first):
            a, mask = layout.select(mask, a, self._choose_fill_value(a.dtype, first)), None
        if not self._has_reduce_kernel:
            return self._reduce_pairs(a, axes, keepdims, first, mask)
        if first is None:
            return self._reduce_kernel(a, axes, keepdims)
        return self._reduce_with_initial(a, axes, keepdims, first)

    def _can_fill_masked(self, first: tf.Tensor | None) -> bool:
        """Return whether elements that the mask excludes can be replaced by a value that changes no result.

        The identity may change the sign of an initial value.
        """
        if self.identity is None:
            return self.ufunc._is_associative
        return self._has_reduce_kernel or first is None or self.ignores_identity

    def _choose_fill_value(self, dtype: tf.DType, first: tf.Tensor | None) -> tf.Tensor:
        """Return the identity, or the initial value for maxima and minima, which have no identity."""
        if self.identity is not None:
            return as_initial(self.identity, dtype)
        assert first is not None
        return first

    def _reduce_with_initial(self, a: tf.Tensor, axes: Axes, keepdims: bool, first: tf.Tensor) -> tf.Tensor:
        """Combine the reduction with an initial value, which alone is the result where there are no elements."""
        shape = shapes.shape(a)
        count = layout.product([shape[axis] for axis in axes])
        if self.identity is None and isinstance(count, int) and count == 0:
            remaining = [1 if axis in axes else dim for axis, dim in enumerate(shape) if keepdims or axis not in axes]
            return shapes.broadcast_to(first, remaining)
        if a.dtype.is_floating and a.dtype.size < 4:  # in float32, as the kernels, and rounded once
            x, first = convert.cast(a, tf.float32), convert.cast(first, tf.float32)
            return convert.cast(self._reduce_with_initial(x, axes, keepdims, first), a.dtype)
        result = self.ufunc(self._reduce_kernel(a, axes, keepdims), first)
        return _keep_negative_zeros(result, a, axes, keepdims) if self.name == "add" and _is_negative(first) else result

    @array_function(traces=("a", "first", "mask"))
    @numpy_errors
    def _reduce_pairs(
        self,
        a: tf.Tensor,
        axes: Axes,
        keepdims: bool = False,
        first: tf.Tensor | None = None,
        mask: tf.Tensor | None = None,
    ) -> tf.Tensor:
        """Reduce by the ufunc's kernel, unless TensorFlow has the reduction of that kernel."""
        kernel = self.ufunc._find_kernel((dtypes.as_numpy(a.dtype),) * 3)
        if first is None and mask is None and kernel in reduce_algorithms.NATIVE and a.shape.num_elements() != 0:
            return reduce_algorithms.NATIVE[kernel](a, shapes.const_int(axes), keepdims)
        if first is None and self.identity is not None and not (a.shape.num_elements() and self.ignores_identity):
            first = as_initial(self.identity, a.dtype)
        if mask is not None:
            mask = reduce_algorithms.to_3d(shapes.broadcast_to(mask, shapes.shape(a)), axes)[0]
        x, remaining = reduce_algorithms.to_3d(a, axes)
        return _restore_axes(self._reduce_3d(kernel, x, first, mask), a, axes, remaining, keepdims)

    def _reduce_3d(
        self, kernel: Callable[..., Any], x: tf.Tensor, first: tf.Tensor | None, mask: tf.Tensor | None
    ) -> tf.Tensor:
        """Reduce along the middle axis."""
        if mask is None and self.ufunc._is_associative and x.shape[1] is not None:
            if first is not None:
                x = tf.concat([shapes.broadcast_to(first, (shapes.shape(x)[0], 1, shapes.shape(x)[2])), x], 1)
            return reduce_algorithms.tree_reduce(kernel, x)
        if mask is not None and self.ufunc._masked_value is not None:
            x = ops.select(mask, x, ops.scalar(self.ufunc._masked_value, x))
        if first is not None:
            first = shapes.broadcast_to(first, (shapes.shape(x)[0], shapes.shape(x)[2]))
        return reduce_algorithms.sequential_reduce(kernel, first, x, mask)

    @array_function(traces=("a", "first", "mask"))
    @numpy_errors
    def _reduce_mixed(
        self,
        a: tf.Tensor,
        axes: Axes,
        keepdims: bool,
        loop_dtypes: tuple[tf.DType, tf.DType, tf.DType],
        first: tf.Tensor | None,
        mask: tf.Tensor | None,
    ) -> tf.Tensor:
        """Reduce where the second operand of the loop has another dtype than the result.

        The first element is converted to the dtype of the result, by way of that of `out`.
        """
        loop, element, first_dtype = loop_dtypes
        kernel = self.ufunc._find_kernel(tuple(map(dtypes.as_numpy, (loop, element, loop))))
        if mask is not None:
            mask = reduce_algorithms.to_3d(shapes.broadcast_to(mask, shapes.shape(a)), axes)[0]
        x, remaining = reduce_algorithms.to_3d(a, axes)
        if first is None:
            start, x = convert.cast(convert.cast(tf.gather(x, 0, axis=1), first_dtype), loop), x[:, 1:]
        else:
            start = shapes.broadcast_to(first, (shapes.shape(x)[0], shapes.shape(x)[2]))
        result = reduce_algorithms.sequential_reduce(kernel, start, convert.cast(x, element), mask)
        return _restore_axes(result, a, axes, remaining, keepdims)

    def scan_fast(self, a: Any, axis: Any) -> tf.Tensor | None:
        """Accumulate without options, where there is a kernel, an eager tensor and an axis that it has; else None."""
        if type(a) is not EagerTensor or self._scan_kernel is None:
            return None
        rank = rank_of(a)
        if axis is None and rank == 1:
            axis = 0
        loop = self._loops.get(enum_of(a))
        if loop is None or type(axis) is not int or not -rank <= axis < rank:
            return None
        return self._scan_kernel(a if loop.as_datatype_enum == enum_of(a) else convert.cast(a, loop), axis % rank)

    @array_function(unknown_rank="each")
    def accumulate(self, a: Any, axis: Any = 0, dtype: Any = None, out: Any = None) -> Any:
        """Accumulate along an axis, with all options of NumPy's `ufunc.accumulate`."""
        out, a = as_variable(out), to_tensor(a)
        axis = as_single_axis(axis, shapes.rank(a), "accumulate")
        x = convert.cast(a, self.resolve_loop(a.dtype, dtype, out, "accumulate"))
        result = self._scan_pairs(x, axis) if self._scan_kernel is None else self._scan_kernel(x, axis)
        return result if out is None else write_scan(result, out)

    @numpy_errors
    def _scan_pairs(self, x: tf.Tensor, axis: int) -> tf.Tensor:
        if self.name in _EXACT and x.dtype in _NATIVE and is_on_host(x) and not needs_gradient():
            return convert.as_constant(getattr(np, self.name).accumulate(x._numpy(), axis))
        kernel = self.ufunc._find_kernel((dtypes.as_numpy(x.dtype),) * 3)
        x_3d, _ = reduce_algorithms.to_3d(x, (axis,))
        result = reduce_algorithms.scan(kernel, x_3d, associative=self.ufunc._is_associative)
        return shapes.view(result, shapes.shape(x))

    @array_function(unknown_rank="each")
    def reduceat(self, a: Any, indices: Any, axis: Any = 0, dtype: Any = None, out: Any = None) -> Any:
        """Reduce segments of an axis, with all options of NumPy's `ufunc.reduceat`."""
        if dtype is not None:
            loop_dtype(dtype)  # an unsupported dtype is reported before wrong indices
        starts, out, a = segment_indices.as_segment_starts(indices), as_variable(out), to_tensor(a)
        axis = as_single_axis(axis, shapes.rank(a), "reduceat")
        starts = segment_indices.check_segment_starts(starts, shapes.shape(a)[axis], self.name)
        x = convert.cast(a, self.resolve_loop(a.dtype, dtype, out, "reduceat"))
        result = self._reduce_segments(x, starts, axis)
        return result if out is None else write_scan(result, out)

    @numpy_errors
    def _reduce_segments(self, x: tf.Tensor, starts: tf.Tensor, axis: int) -> tf.Tensor:
        shape = shapes.shape(x)
        shape = (*shape[:axis], shapes.shape(starts)[0], *shape[axis + 1 :])
        if isinstance(shape[axis], int) and shape[axis] == 0:
            return tf.zeros(shapes.shape_tensor(shape), x.dtype)
        dtype = x.dtype
        if self._has_reduce_kernel and dtype.is_floating and dtype.size < 4:  # in float32, as the kernels
            x = convert.cast(x, tf.float32)
        kernel = self.ufunc._find_kernel((dtypes.as_numpy(x.dtype),) * 3)
        x_3d, _ = reduce_algorithms.to_3d(x, (axis,))
        stops = tf.concat([starts[1:], tf.reshape(tf.cast(shapes.shape(x_3d)[1], tf.int64), (1,))], 0)
        stops = tf.maximum(stops, starts + 1)
        ufunc = self.ufunc
        result = reduce_algorithms.segment_reduce(
            kernel, x_3d, starts, stops, associative=ufunc._is_associative, masked_value=ufunc._masked_value
        )
        return convert.cast(tf.reshape(result, shapes.shape_tensor(shape)), dtype)

    def _as_mask(self, where: Any, a: tf.Tensor, start: Any) -> tf.Tensor | None:
        mask = as_mask(where, a)
        if start is None:
            raise ValueError(
                f"reduction operation {self.name!r} does not have an identity, so to use a where mask one has to "
                "specify 'initial'"
            )
        return mask

    def _check_reorderable(self, axes: Axes) -> None:
        if len(axes) > 1 and not self.is_reorderable:
            raise ValueError(
                f"reduction operation {self.name!r} is not reorderable, so at most one axis may be specified"
            )

    @property
    def is_reorderable(self) -> bool:
        """Return whether several axes may be reduced at once, which NumPy's ufunc shows when it is called."""
        if self._is_reorderable is None:
            self._is_reorderable = _can_reduce_two_axes(self.ufunc._numpy_ufunc)
        return self._is_reorderable

    @property
    def ignores_identity(self) -> bool:
        """Return whether `ufunc(identity, x)` is `x`: for hypot and gcd it has another sign."""
        if self._ignores_identity is None:
            self._ignores_identity = bool(self.ufunc._numpy_ufunc(self.identity, -3) == -3)
        return self._ignores_identity

    def _check_not_empty(self, a: tf.Tensor, axes: Axes) -> None:
        """Raise NumPy's error for an empty array, as far as its shape is static."""
        shape = shape_of(a) if type(a) is EagerTensor else a.shape
        if any(shape[axis] == 0 for axis in axes):
            raise ValueError(f"zero-size array to reduction operation {self.name} which has no identity")

    def _assert_not_empty(self, a: tf.Tensor, axes: Axes) -> tf.Tensor:
        """Check that there are elements to reduce, when the graph runs if dimensions are unknown; return the array."""
        self._check_not_empty(a, axes)
        if tf.executing_eagerly() or all(a.shape[axis] for axis in axes):
            return a
        has_elements = tf.reduce_all(tf.gather(tf.shape(a), axes) > 0)
        message = f"zero-size array to reduction operation {self.name} which has no identity"
        return check(has_elements, ValueError(message), a)

    def resolve_loop(
        self, a_dtype: tf.DType, dtype: Any = None, out: Any = None, method: str = "accumulate"
    ) -> tf.DType:
        """Return the dtype of a loop whose operands and results must have the same."""
        if dtype is None and out is None:
            cached = self._loops.get(a_dtype.as_datatype_enum)
            if cached is not None:
                return cached
        loop, element = self.resolve_loops(a_dtype, dtype, out, method)
        if loop != element:
            raise TypeError(f"the resolved dtypes are not compatible with {self.name}.{method}: {loop}, {element}")
        return loop

    def resolve_loops(
        self, a_dtype: tf.DType, dtype: Any = None, out: Any = None, method: str = "reduce"
    ) -> tuple[tf.DType, tf.DType]:
        """Return the dtypes of the results and of the elements: small integers are summed in int64 or uint64."""
        operand = dtypes.as_numpy(a_dtype)
        if dtype is None:
            requested: dict[str, Any] = {}
        else:
            requested = {"signature": (dtypes.as_numpy(loop_dtype(dtype)), None, None)}
            if requested["signature"][0] == dtypes.BFLOAT16:  # NumPy finds its loops for operands of bfloat16 only
                operand = dtypes.BFLOAT16
        out_dtype = None if out is None else dtypes.as_numpy(out.dtype)
        resolved = self.ufunc._numpy_ufunc.resolve_dtypes(
            (out_dtype, operand, None), casting="unsafe", reduction=True, **requested
        )
        if resolved[0] != resolved[2]:
            raise TypeError(f"the resolved dtypes are not compatible with {self.name}.{method}. Resolved {resolved}")
        has_double = {out_dtype, operand} & dtypes.SINGLE.keys()
        if dtypes.promotion.prefer_float32 and not requested and not has_double:
            resolved = tuple(dtypes.SINGLE.get(part, part) for part in resolved)
        loop, element = (dtypes.as_dtype(part) for part in resolved[:2])
        is_exact = loop == a_dtype or not (loop.is_floating or loop.is_complex)
        if loop == element and not requested and out is None and is_exact:
            self._loops[a_dtype.as_datatype_enum] = loop
            is_exact = not (loop.is_floating or loop.is_complex)
            if loop == a_dtype and self._has_reduce_kernel and (is_exact or (self.identity != 0 and loop.size >= 4)):
                self._ops[a_dtype.as_datatype_enum] = reduce_algorithms.SINGLE_OP.get(self.ufunc._find_kernel(resolved))
        return loop, element


def _is_negative(first: tf.Tensor) -> bool:
    """Return whether an initial value is known, and may be -0.0."""
    value = tf.get_static_value(first)
    return value is not None and value.dtype.kind == "f" and bool(np.signbit(value).any())


def _keep_negative_zeros(total: tf.Tensor, a: tf.Tensor, axes: Axes, keepdims: bool) -> tf.Tensor:
    """Return sums to which -0.0 was added: -0.0 where they are zero, and all terms are -0.0."""
    is_negative_zero = ops.logical_and(ops.equal(a, 0), ops.less(ops.divide(ops.scalar(1, a), a), 0))
    minus = ops.subtract(tf.stop_gradient(total), total)  # 0.0, with a gradient of -1
    negated = ops.subtract(ops.negative(total), ops.add(minus, minus))  # -0.0, with a gradient of 1
    is_negated = ops.logical_and(ops.equal(total, 0), ops.reduce_all(is_negative_zero, axes, keepdims))
    return ops.select(is_negated, negated, total)


def _can_reduce_two_axes(numpy_ufunc: np.ufunc) -> bool:
    for code in "?ld":
        try:
            numpy_ufunc.reduce(np.ones((1, 1), code), axis=(0, 1))
        except TypeError:
            continue
        except ValueError:
            return False
        return True
    return False


def _round_to_out(
    a: tf.Tensor, axes: Axes, dtype: tf.DType, loop: tf.DType, first: tf.Tensor | None, start: Any
) -> tuple[tf.Tensor, tf.Tensor | None]:
    """Round the initial value, or the first elements, to the dtype of `out`, where NumPy stores them first."""
    if first is not None:
        return a, convert.cast(convert.cast(first, dtype), loop)
    shape = shapes.shape(a)
    if start is not None or a.shape.num_elements() == 0:
        return a, None
    rounded = convert.cast(convert.cast(a, dtype), loop)
    return layout.select(_mask_first(axes, shape), rounded, convert.cast(a, loop)), None


def _mask_first(axes: Axes, shape: tuple[shapes.Dim, ...]) -> tf.Tensor:
    """Return the mask of the elements that are the first along all axes."""
    mask = tf.ones((1,) * len(shape), tf.bool)
    for axis in axes:
        is_first = tf.equal(layout.positions(shape[axis]), 0)
        mask = tf.logical_and(mask, tf.reshape(is_first, [-1 if axis == other else 1 for other in range(len(shape))]))
    return shapes.broadcast_to(mask, shape)


def _restore_axes(
    result: tf.Tensor, a: tf.Tensor, axes: Axes, remaining: tuple[shapes.Dim, ...], keepdims: bool
) -> tf.Tensor:
    """Reshape a reduced 3-D view to the remaining dimensions."""
    if keepdims:
        remaining = tuple(1 if axis in axes else dim for axis, dim in enumerate(shapes.shape(a)))
    return shapes.view(result, remaining)
