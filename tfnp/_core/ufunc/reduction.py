"""class Reduction: `reduce`, `accumulate` and `reduceat` of one ufunc, and so `sum`, `max`, `cumsum` and their kin.

The dtypes of the loop are NumPy's own answer, asked once for each dtype and kept. A mask is applied before the fold, by
putting in what does not count; an initial value joins after it. Where TensorFlow has no fold of its own, one is made of
the kernel that joins two operands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, ops, reduce_algorithms, shapes
from tfnp._core.convert import EagerTensor, enum_of, rank_of, shape_of, to_tensor
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


class ReducibleUfunc(Protocol):
    """What joins two operands: a ufunc, as far as it is needed here."""

    __name__: str
    identity: Any
    _numpy: np.ufunc
    _associative: bool
    _masked_value: int | None

    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

    def _kernel(self, loop: tuple[np.dtype, ...]) -> Callable[..., Any]: ...


class Reduction:
    """How one ufunc joins many elements. `neutral` is what changes nothing; None where there is no such value."""

    def __init__(self, ufunc: Any, fold: ReduceKernel | None = None, scan: ScanKernel | None = None) -> None:
        self.joint: ReducibleUfunc = ufunc
        self.name, self.neutral = ufunc.__name__, ufunc.identity
        self.fold: ReduceKernel = fold or self._fold_from_kernel
        self._is_native, self._scan = fold is not None, scan
        self._loops: dict[Any, tf.DType] = {}
        self._ops: dict[Any, Callable[..., tf.Tensor] | None] = {}
        self._reorderable: bool | None = None if self.neutral is None else True
        self._starts_unseen: bool | None = None

    def plain(self, a: Any, axis: Any) -> tf.Tensor:
        """Without options: of an eager tensor, the axis and the loop looked up, and the op or the fold."""
        enum = enum_of(a) if type(a) is EagerTensor else None
        loop = self._loops.get(enum)
        if loop is None:
            return self.of(a, axis)
        rank = rank_of(a)
        if axis is None:
            axes = ALL_AXES[rank]
        elif type(axis) is int and -rank <= axis < rank:
            axes = (axis % rank,)
        else:
            axes = normalize_axes(axis, rank)
        if self.neutral is None:
            self._check_order(axes)
            self._check_something(a, axes)
        op = self._ops.get(enum)
        if op is not None:
            return op(a, shapes.const_int(axes), False)
        return self.fold(convert.cast(a, loop), axes)

    @array_function(unknown_rank="each")
    def of(
        self,
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = NO_VALUE,
        initial: Any = NO_VALUE,
        where: Any = NO_VALUE,
    ) -> Any:
        """With all options."""
        out, a = as_variable(out), to_tensor(a)
        axes = normalize_axes(axis, shapes.rank(a))
        kept = as_keepdims(keepdims)
        loop, each = self.loops(a.dtype, dtype, out)
        self._check_order(axes)
        start = self.neutral if initial is NO_VALUE else initial
        if start is None:
            a = self._with_something(a, axes)
        mask = None if where is NO_VALUE or where is True else self._mask(where, a, start)
        first = None if initial is NO_VALUE or initial is None else as_element(initial, loop)
        if out is not None and out.dtype != loop:
            if start is self.neutral is not None and not self._is_native:
                first = as_initial(self.neutral, loop)
            if each == loop or first is not None:
                a, first = _through_out(a, axes, out.dtype, loop, first, start)
        if each != loop:
            begun = loop if out is None else out.dtype
            result = self._fold_unlike(a, axes, kept, (loop, each, begun), first, mask)
        else:
            result = self._folded(convert.cast(a, loop), axes, kept, first, mask)
        return result if out is None else write_reduction(result, out, self.name)

    def _folded(
        self, a: tf.Tensor, axes: Axes, kept: bool, first: tf.Tensor | None, mask: tf.Tensor | None
    ) -> tf.Tensor:
        if mask is not None and self._can_overlook(first):
            a, mask = layout.select(mask, a, self._overlooked(a.dtype, first)), None
        if self._is_native:
            return self.fold(a, axes, kept) if first is None else self._with_initial(a, axes, kept, first)
        return self._fold_from_kernel(a, axes, kept, first, mask)

    def _can_overlook(self, first: tf.Tensor | None) -> bool:
        """Whether something may stand for what the mask leaves out. Not if that would take the sign of what is begun
        with.
        """
        if self.neutral is None:
            return self.joint._associative
        return self._is_native or first is None or self.starts_unseen

    def _overlooked(self, dtype: tf.DType, first: tf.Tensor | None) -> tf.Tensor:
        """What changes no result: the identity, or for extremes, which have none, the initial value."""
        if self.neutral is not None:
            return as_initial(self.neutral, dtype)
        assert first is not None
        return first

    def _with_initial(self, a: tf.Tensor, axes: Axes, kept: bool, first: tf.Tensor) -> tf.Tensor:
        """Of no elements, what the fold says means nothing."""
        shape = shapes.shape(a)
        count = layout.product([shape[axis] for axis in axes])
        if self.neutral is None and isinstance(count, int) and count == 0:
            remaining = [1 if axis in axes else dim for axis, dim in enumerate(shape) if kept or axis not in axes]
            return shapes.broadcast_to(first, remaining)
        if a.dtype.is_floating and a.dtype.size < 4:  # in single precision, as folds, and rounded once
            result = self.joint(self.fold(convert.cast(a, tf.float32), axes, kept), convert.cast(first, tf.float32))
            return convert.cast(result, a.dtype)
        return self.joint(self.fold(a, axes, kept), first)

    @numpy_errors
    def _fold_from_kernel(
        self,
        a: tf.Tensor,
        axes: Axes,
        kept: bool = False,
        first: tf.Tensor | None = None,
        mask: tf.Tensor | None = None,
    ) -> tf.Tensor:
        kernel = self.joint._kernel((dtypes.as_numpy(a.dtype),) * 3)
        if first is None and mask is None and kernel in reduce_algorithms.NATIVE and a.shape.num_elements() != 0:
            return reduce_algorithms.NATIVE[kernel](a, shapes.const_int(axes), kept)
        if first is None and self.neutral is not None and not (a.shape.num_elements() and self.starts_unseen):
            first = as_initial(self.neutral, a.dtype)
        if mask is not None:
            mask = reduce_algorithms.to_3d(shapes.broadcast_to(mask, shapes.shape(a)), axes)[0]
        x, remaining = reduce_algorithms.to_3d(a, axes)
        return _placed(self._joined(kernel, x, first, mask), a, axes, remaining, kept)

    def _joined(
        self, kernel: Callable[..., Any], x: tf.Tensor, first: tf.Tensor | None, mask: tf.Tensor | None
    ) -> tf.Tensor:
        if mask is None and self.joint._associative and x.shape[1] is not None:
            if first is not None:
                x = tf.concat([shapes.broadcast_to(first, (shapes.shape(x)[0], 1, shapes.shape(x)[2])), x], 1)
            return reduce_algorithms.tree_reduce(kernel, x)
        if mask is not None and self.joint._masked_value is not None:
            x = ops.select(mask, x, ops.scalar(self.joint._masked_value, x))
        if first is not None:
            first = shapes.broadcast_to(first, (shapes.shape(x)[0], shapes.shape(x)[2]))
        return reduce_algorithms.sequential_reduce(kernel, first, x, mask)

    @numpy_errors
    def _fold_unlike(
        self,
        a: tf.Tensor,
        axes: Axes,
        kept: bool,
        parts: tuple[tf.DType, tf.DType, tf.DType],
        first: tf.Tensor | None,
        mask: tf.Tensor | None,
    ) -> tf.Tensor:
        """Where what is joined is not of the dtype of the result: the first element is, all others are not. It goes
        there by way of a third dtype, that of `out`.
        """
        loop, each, begun = parts
        kernel = self.joint._kernel(tuple(map(dtypes.as_numpy, (loop, each, loop))))
        if mask is not None:
            mask = reduce_algorithms.to_3d(shapes.broadcast_to(mask, shapes.shape(a)), axes)[0]
        x, remaining = reduce_algorithms.to_3d(a, axes)
        if first is None:
            start, x = convert.cast(convert.cast(tf.gather(x, 0, axis=1), begun), loop), x[:, 1:]
        else:
            start = shapes.broadcast_to(first, (shapes.shape(x)[0], shapes.shape(x)[2]))
        return _placed(
            reduce_algorithms.sequential_reduce(kernel, start, convert.cast(x, each), mask), a, axes, remaining, kept
        )

    @array_function(unknown_rank="each")
    def accumulate(self, a: Any, axis: Any = 0, dtype: Any = None, out: Any = None) -> Any:
        out, a = as_variable(out), to_tensor(a)
        number = as_single_axis(axis, shapes.rank(a), "accumulate")
        x = convert.cast(a, self.loop(a.dtype, dtype, out, "accumulate"))
        result = self._running(x, number) if self._scan is None else self._scan(x, number)
        return result if out is None else write_scan(result, out)

    @numpy_errors
    def _running(self, x: tf.Tensor, axis: int) -> tf.Tensor:
        kernel = self.joint._kernel((dtypes.as_numpy(x.dtype),) * 3)
        three, _ = reduce_algorithms.to_3d(x, (axis,))
        result = reduce_algorithms.scan(kernel, three, associative=self.joint._associative)
        return tf.reshape(result, shapes.shape_tensor(shapes.shape(x)))

    @array_function(unknown_rank="each")
    def at_stretches(self, a: Any, indices: Any, axis: Any = 0, dtype: Any = None, out: Any = None) -> Any:
        """What NumPy calls `reduceat`."""
        if dtype is not None:
            loop_dtype(dtype)  # whatever the rank of the indices, objects are refused
        positions, out, a = segment_indices.as_segment_starts(indices), as_variable(out), to_tensor(a)
        number = as_single_axis(axis, shapes.rank(a), "reduceat")
        positions = segment_indices.check_segment_starts(positions, shapes.shape(a)[number], self.name)
        x = convert.cast(a, self.loop(a.dtype, dtype, out, "reduceat"))
        result = self._stretches(x, positions, number)
        return result if out is None else write_scan(result, out)

    @numpy_errors
    def _stretches(self, x: tf.Tensor, indices: tf.Tensor, axis: int) -> tf.Tensor:
        shape = shapes.shape(x)
        shape = (*shape[:axis], shapes.shape(indices)[0], *shape[axis + 1 :])
        if isinstance(shape[axis], int) and shape[axis] == 0:
            return tf.zeros(shapes.shape_tensor(shape), x.dtype)
        own = x.dtype
        if self._is_native and own.is_floating and own.size < 4:  # as folds do
            x = convert.cast(x, tf.float32)
        kernel = self.joint._kernel((dtypes.as_numpy(x.dtype),) * 3)
        three, _ = reduce_algorithms.to_3d(x, (axis,))
        stops = tf.concat([indices[1:], tf.reshape(tf.cast(shapes.shape(three)[1], tf.int64), (1,))], 0)
        stops = tf.maximum(stops, indices + 1)
        ufunc = self.joint
        result = reduce_algorithms.segment_reduce(
            kernel, three, indices, stops, associative=ufunc._associative, masked_value=ufunc._masked_value
        )
        return convert.cast(tf.reshape(result, shapes.shape_tensor(shape)), own)

    def _mask(self, where: Any, a: tf.Tensor, start: Any) -> tf.Tensor | None:
        mask = as_mask(where, a)
        if start is None:
            raise ValueError(
                f"reduction operation {self.name!r} does not have an identity, so to use a where mask one has to "
                "specify 'initial'"
            )
        return mask

    def _check_order(self, axes: Axes) -> None:
        if len(axes) > 1 and not self.reorderable:
            raise ValueError(
                f"reduction operation {self.name!r} is not reorderable, so at most one axis may be specified"
            )

    @property
    def reorderable(self) -> bool:
        """Whether several axes may be reduced at once: NumPy is tried."""
        if self._reorderable is None:
            self._reorderable = _is_reorderable(self.joint._numpy)
        return self._reorderable

    @property
    def starts_unseen(self) -> bool:
        """Whether to begin with the identity makes no difference, if there is anything: hypot and gcd lose a sign."""
        if self._starts_unseen is None:
            self._starts_unseen = bool(self.joint._numpy(self.neutral, -3) == -3)
        return self._starts_unseen

    def _check_something(self, a: tf.Tensor, axes: Axes) -> None:
        """NumPy's error for nothing at all, as far as it is known."""
        shape = shape_of(a) if type(a) is EagerTensor else a.shape
        if any(shape[axis] == 0 for axis in axes):
            raise ValueError(f"zero-size array to reduction operation {self.name} which has no identity")

    def _with_something(self, a: tf.Tensor, axes: Axes) -> tf.Tensor:
        """The array, of which a graph finds out when it runs whether there is anything to join."""
        self._check_something(a, axes)
        if tf.executing_eagerly() or all(a.shape[axis] for axis in axes):
            return a
        is_something = tf.reduce_all(tf.gather(tf.shape(a), axes) > 0)
        message = f"zero-size array to reduction operation {self.name} which has no identity"
        with tf.control_dependencies([tf.debugging.Assert(is_something, [message])]):
            return tf.identity(a)

    def loop(self, own: tf.DType, dtype: Any = None, out: Any = None, method: str = "accumulate") -> tf.DType:
        """The dtype in which elements of this one are joined, for what needs but one."""
        if dtype is None and out is None:
            static = self._loops.get(own.as_datatype_enum)
            if static is not None:
                return static
        loop, each = self.loops(own, dtype, out, method)
        if loop != each:
            raise TypeError(f"the resolved dtypes are not compatible with {self.name}.{method}: {loop}, {each}")
        return loop

    def loops(
        self, own: tf.DType, dtype: Any = None, out: Any = None, method: str = "reduce"
    ) -> tuple[tf.DType, tf.DType]:
        """The dtype of results and that of elements: small integers are added up in int64 or uint64."""
        given = dtypes.as_numpy(own)
        if dtype is None:
            asked: dict[str, Any] = {}
        else:
            asked = {"signature": (dtypes.as_numpy(loop_dtype(dtype)), None, None)}
            if asked["signature"][0] == dtypes.BFLOAT16:  # whose loops NumPy finds for operands of it only
                given = dtypes.BFLOAT16
        there = None if out is None else dtypes.as_numpy(out.dtype)
        found = self.joint._numpy.resolve_dtypes((there, given, None), casting="unsafe", reduction=True, **asked)
        if found[0] != found[2]:
            raise TypeError(f"the resolved dtypes are not compatible with {self.name}.{method}. Resolved {found}")
        single = dtypes.promotion.prefer_float32 and not asked and not {there, given} & dtypes.SINGLE.keys()
        if single:
            found = tuple(dtypes.SINGLE.get(part, part) for part in found)
        loop, each = (dtypes.as_dtype(part) for part in found[:2])
        if loop == each and not asked and out is None and (loop == own or not (loop.is_floating or loop.is_complex)):
            self._loops[own.as_datatype_enum] = loop
            if loop == own and self._is_native and not (loop.is_floating and loop.size < 4):
                self._ops[own.as_datatype_enum] = reduce_algorithms.SOLE.get(self.joint._kernel(found))
        return loop, each


def _is_reorderable(numpy_ufunc: np.ufunc) -> bool:
    for code in "?ld":
        try:
            numpy_ufunc.reduce(np.ones((1, 1), code), axis=(0, 1))
        except TypeError:
            continue
        except ValueError:
            return False
        return True
    return False


def _through_out(
    a: tf.Tensor, axes: Axes, dtype: tf.DType, loop: tf.DType, first: tf.Tensor | None, start: Any
) -> tuple[tf.Tensor, tf.Tensor | None]:
    """NumPy puts the initial value, or the first elements, into `out`, whatever is lost by it, and goes on there."""
    if first is not None:
        return a, convert.cast(convert.cast(first, dtype), loop)
    shape = shapes.shape(a)
    if start is not None or a.shape.num_elements() == 0:
        return a, None
    given = convert.cast(convert.cast(a, dtype), loop)
    return layout.select(_first_along(axes, shape), given, convert.cast(a, loop)), None


def _first_along(axes: Axes, shape: tuple[shapes.Dim, ...]) -> tf.Tensor:
    """Which elements are the first along all of these axes."""
    chosen = tf.ones((1,) * len(shape), tf.bool)
    for axis in axes:
        is_first = tf.equal(layout.positions(shape[axis]), 0)
        chosen = tf.logical_and(
            chosen, tf.reshape(is_first, [-1 if axis == number else 1 for number in range(len(shape))])
        )
    return shapes.broadcast_to(chosen, shape)


def _placed(result: tf.Tensor, a: tf.Tensor, axes: Axes, remaining: tuple[shapes.Dim, ...], kept: bool) -> tf.Tensor:
    if kept:
        remaining = tuple(1 if axis in axes else dim for axis, dim in enumerate(shapes.shape(a)))
    return tf.reshape(result, shapes.shape_tensor(remaining))
