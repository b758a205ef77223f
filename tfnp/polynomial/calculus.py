"""Derivatives and integrals of series, along an axis of several."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, dynamic_size, layout, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.tensor_conversion import is_tensor
from tfnp.polynomial import dynamic_length
from tfnp.polynomial.arithmetic import minus, operand, plus, times
from tfnp.polynomial.bases import Basis
from tfnp.polynomial.coefficients import dim, floating, is_open, length, rows
from tfnp.polynomial.evaluation import value


@array_function(unknown_rank="each")
def derivative(basis: Basis, c: Any, m: Any = 1, scl: Any = 1, axis: Any = 0) -> tf.Tensor:
    """Of order `m`; each time the coefficients are multiplied by `scl`, in their dtype."""
    c = floating(c)
    order, index = shapes.as_int(m), shapes.as_int(axis)
    if order < 0:
        raise ValueError("The order of derivation must be non-negative")
    index = shapes.normalize_axis(index, shapes.rank(c))
    if order == 0:
        return c
    c = layout.move_axis(c, index, 0)
    if is_open(c):
        return _derivative(basis, c, order, scl, index)
    if order >= length(c):
        nothing = times(c[:1], 0)
        return layout.move_axis(nothing, 0, index) if basis.moves_axis else nothing
    for _ in range(order):
        c = tf.stack(basis.derived(rows(_scaled(c, scl))))
    return layout.move_axis(c, 0, index)


def _derivative(basis: Basis, c: tf.Tensor, order: int, scl: Any, index: int) -> tf.Tensor:
    """Of a series along the first axis, whose length is known when the graph runs."""
    found, nothing = c, times(c[:1], 0)
    for _ in range(order):
        found = convert.cast(dynamic_length.differentiate(basis, _scaled(found, scl)), c.dtype)
    found, away = (
        layout.move_axis(found, 0, index),
        layout.move_axis(nothing, 0, index) if basis.moves_axis else nothing,
    )
    return tf.cond(dim(c) > order, lambda: found, lambda: away)


@array_function(unknown_rank="each")
def integral(
    basis: Basis, c: Any, m: Any, k: Any, lbnd: Any, scl: Any, axis: Any = 0, *, open_ended: bool = True
) -> tf.Tensor:
    """Of order `m`, each time with a constant of `k` as value at `lbnd`; before, the coefficients are multiplied by
    `scl`, in their dtype. Of zero alone no second coefficient is made; in a graph, if `open_ended`, it is left out when
    that runs, which XLA does not bear.
    """
    c = floating(c)
    constants = _constants(k)
    order, index = shapes.as_int(m), shapes.as_int(axis)
    _check(order, constants, lbnd, scl)
    index = shapes.normalize_axis(index, shapes.rank(c))
    if order == 0:
        return c
    c = layout.move_axis(c, index, 0)
    is_zero = open_ended and (is_open(c) or length(c) == 1) and convert.static_value(c) is None
    is_long = is_open(c) and dim(c) > 1
    static = convert.static_value(c) if c.shape[0] == 1 else None
    for constant in [*constants, *[0] * (order - len(constants))]:
        static = _known_product(static, scl)
        c = _integrated(basis, _scaled(c, scl), constant, operand(lbnd), static is not None and not np.any(static))
        static = convert.static_value(constant) if c.shape[0] == 1 else None
    c = _without_zeros(c, is_long) if is_zero else c
    return layout.move_axis(c, 0, index)


def _constants(k: Any) -> list[Any]:
    if is_tensor(k):
        k = to_tensor(k)
        return rows(k) if shapes.rank(k) else [k]
    return list(k) if np.iterable(k) else [k]


def _check(order: int, constants: list[Any], lbnd: Any, scl: Any) -> None:
    if order < 0:
        raise ValueError("The order of integration must be non-negative")
    if len(constants) > order:
        raise ValueError("Too many integration constants")
    for name, scalar in (("lbnd", lbnd), ("scl", scl)):
        if shapes.rank(to_tensor(scalar)) != 0:
            raise ValueError(f"{name} must be a scalar.")


def _known_product(static: Any, scale: Any) -> Any:
    factor = convert.static_value(scale)
    return None if static is None or factor is None else np.multiply(static, factor)


def _integrated(basis: Basis, c: tf.Tensor, constant: Any, lbnd: Any, is_zero: bool) -> tf.Tensor:
    if is_zero:
        return _with_first(c, constant)
    whole = dynamic_length.integrate(basis, c) if is_open(c) else tf.stack(basis.integrated(rows(c)))
    return _with_first(whole, minus(operand(constant), value(basis, lbnd, whole)))


def _with_first(c: tf.Tensor, more: Any) -> tf.Tensor:
    """The same with more in the first place: an element of a vector takes complex numbers, as NumPy assigns, and drops
    their imaginary parts.
    """
    first = plus(c[0], operand(more))
    if shapes.rank(c) > 1:
        _check_cast(first, c)
    return tf.concat([convert.cast(first, c.dtype)[None], c[1:]], 0)


def _scaled(c: tf.Tensor, scl: Any) -> tf.Tensor:
    """In place, as it were: the dtype and the shape stay."""
    found = times(c, operand(scl))
    _check_cast(found, c)
    if not found.shape.is_compatible_with(c.shape):
        raise ValueError("non-broadcastable output operand")
    return convert.cast(found, c.dtype)


def _check_cast(found: tf.Tensor, c: tf.Tensor) -> None:
    dtypes.check_cast(dtypes.as_numpy(found.dtype), dtypes.as_numpy(c.dtype), "same_kind", "ufunc output")


def _without_zeros(c: tf.Tensor, is_kept: Any) -> tf.Tensor:
    """Without rows of zeros at the end, but for the first; or, when a graph runs, with them."""
    others = list(range(1, shapes.rank(c)))
    counts = tf.cast(tf.reduce_any(convert.cast(c, tf.bool), others), tf.int32)
    last = tf.reduce_max(counts * tf.range(dim(c)))
    return dynamic_size.data_dependent(c[: tf.where(is_kept, dim(c) - 1, last) + 1])
