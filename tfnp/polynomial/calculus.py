"""Derivatives and integrals of series, along one axis."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, dynamic_size, layout, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, IntLike
from tfnp._core.tensor_conversion import is_tensor
from tfnp._core.xla import is_for_xla
from tfnp.polynomial import dynamic_length
from tfnp.polynomial.arithmetic import as_operand, minus, plus, times
from tfnp.polynomial.bases import Basis
from tfnp.polynomial.coefficients import as_inexact, get_length, is_dynamic, static_length, unstack_rows
from tfnp.polynomial.evaluation import evaluate


@array_function(unknown_rank="each", traces=("c",))
def differentiate(basis: Basis, c: ArrayLike, m: IntLike = 1, scl: ArrayLike = 1, axis: IntLike = 0) -> tf.Tensor:
    """Differentiate `m` times; each time the coefficients are multiplied by `scl`, in their dtype."""
    c = as_inexact(c)
    order, index = shapes.as_int(m), shapes.as_int(axis)
    if order < 0:
        raise ValueError("The order of derivation must be non-negative")
    index = shapes.normalize_axis(index, shapes.rank(c))
    if order == 0:
        return c
    c = layout.move_axis(c, index, 0)
    if is_dynamic(c):
        return _differentiate_dynamic(basis, c, order, scl, index)
    if order >= static_length(c):
        zero = times(c[:1], 0)
        return layout.move_axis(zero, 0, index) if basis.restores_axis else zero
    for _ in range(order):
        c = tf.stack(basis.differentiate(unstack_rows(_scale_inplace(c, scl))))
    return layout.move_axis(c, 0, index)


def _differentiate_dynamic(basis: Basis, c: tf.Tensor, order: int, scl: Any, index: int) -> tf.Tensor:
    """Differentiate along the first axis, whose length is unknown while tracing."""

    def differentiate_once(series: tf.Tensor) -> tf.Tensor:
        return convert.cast(dynamic_length.differentiate(basis, _scale_inplace(series, scl)), c.dtype)

    result, zero = layout.shorten(c, 0, order, differentiate_once), times(c[:1], 0)
    result, zero_result = (
        layout.move_axis(result, 0, index),
        layout.move_axis(zero, 0, index) if basis.restores_axis else zero,
    )
    return layout.choose_by_shape(get_length(c) > order, lambda: result, lambda: zero_result)


@array_function(unknown_rank="each", traces=("c",))
def integrate(
    basis: Basis,
    c: ArrayLike,
    m: IntLike,
    k: ArrayLike,
    lbnd: ArrayLike,
    scl: ArrayLike,
    axis: IntLike = 0,
    *,
    open_ended: bool = True,
) -> tf.Tensor:
    """Integrate `m` times, each time with a constant from `k` as value at `lbnd`, after multiplying by `scl` in the
    dtype of the coefficients. The integral of a single zero has one coefficient. In a graph this length depends on data
    if `open_ended`, which XLA rejects; if the length of `c` is unknown there, the integral of a zero is longer.
    """
    c = as_inexact(c)
    constants = _as_constants(k)
    order, index = shapes.as_int(m), shapes.as_int(axis)
    _check(order, constants, lbnd, scl)
    index = shapes.normalize_axis(index, shapes.rank(c))
    if order == 0:
        return c
    c = layout.move_axis(c, index, 0)
    may_be_zero = not is_for_xla() if is_dynamic(c) else static_length(c) == 1 and convert.static_value(c) is None
    is_longer_than_1 = is_dynamic(c) and get_length(c) > 1
    static = convert.static_value(c) if c.shape[0] == 1 else None
    for constant in [*constants, *[0] * (order - len(constants))]:
        static = _multiply_static(static, scl)
        c = _integrate_once(
            basis, _scale_inplace(c, scl), constant, as_operand(lbnd), static is not None and not np.any(static)
        )
        static = convert.static_value(constant) if c.shape[0] == 1 else None
    c = _trim_unless(c, is_longer_than_1) if open_ended and may_be_zero else c
    return layout.move_axis(c, 0, index)


def _as_constants(k: Any) -> list[Any]:
    if is_tensor(k):
        k = to_tensor(k)
        return unstack_rows(k) if shapes.rank(k) else [k]
    return list(k) if np.iterable(k) else [k]


def _check(order: int, constants: list[Any], lbnd: Any, scl: Any) -> None:
    if order < 0:
        raise ValueError("The order of integration must be non-negative")
    if len(constants) > order:
        raise ValueError("Too many integration constants")
    for name, scalar in (("lbnd", lbnd), ("scl", scl)):
        if shapes.rank(to_tensor(scalar)) != 0:
            raise ValueError(f"{name} must be a scalar.")


def _multiply_static(static: Any, scale: Any) -> Any:
    factor = convert.static_value(scale)
    return None if static is None or factor is None else np.multiply(static, factor)


def _integrate_once(basis: Basis, c: tf.Tensor, constant: Any, lbnd: Any, is_zero: bool) -> tf.Tensor:
    if is_zero:
        return _add_to_first(c, constant)
    antiderivative = dynamic_length.integrate(basis, c) if is_dynamic(c) else tf.stack(basis.integrate(unstack_rows(c)))
    return _add_to_first(antiderivative, minus(as_operand(constant), evaluate(basis, lbnd, antiderivative)))


def _add_to_first(c: tf.Tensor, constant: Any) -> tf.Tensor:
    """Add to the first coefficient. For a vector NumPy assigns, which drops imaginary parts; otherwise the cast is
    checked.
    """
    first = plus(c[0], as_operand(constant))
    if shapes.rank(c) > 1:
        _check_cast(first, c)
    return tf.concat([convert.cast(first, c.dtype)[None], c[1:]], 0)


def _scale_inplace(c: tf.Tensor, scl: Any) -> tf.Tensor:
    """Multiply as if in place: dtype and shape stay the same."""
    result = times(c, as_operand(scl))
    _check_cast(result, c)
    if not result.shape.is_compatible_with(c.shape):
        raise ValueError("non-broadcastable output operand")
    return convert.cast(result, c.dtype)


def _check_cast(result: tf.Tensor, c: tf.Tensor) -> None:
    dtypes.check_cast(dtypes.as_numpy(result.dtype), dtypes.as_numpy(c.dtype), "same_kind", "ufunc output")


def _trim_unless(c: tf.Tensor, keep_all: Any) -> tf.Tensor:
    """Trim trailing rows of zeros, except the first row; if `keep_all` is true when the graph runs, keep them."""
    other_axes = list(range(1, shapes.rank(c)))
    is_nonzero = tf.cast(tf.reduce_any(convert.cast(c, tf.bool), other_axes), tf.int32)
    last = tf.reduce_max(is_nonzero * tf.range(get_length(c)))
    return dynamic_size.data_dependent(c[: tf.where(keep_all, get_length(c) - 1, last) + 1])
