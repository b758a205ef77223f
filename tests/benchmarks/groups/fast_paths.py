"""Calls with a fast path: every ufunc, and the functions that are an op or two, beside these ops called directly.

Each row has the ops that the work needs: of a ufunc that TensorFlow has no op for, those that a person would write.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import tensorflow as tf

import tfnp
from tests.benchmarks.measurement import Row
from tests.benchmarks.rivals import bare, compare

HOST = "NumPy tells on the host where TensorFlow's kernel is wrong, which costs a few microseconds of eight elements."


class _Ops:
    """TensorFlow's raw ops, each as the positional function behind it."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        function = bare(getattr(tf.raw_ops, name))
        setattr(self, name, function)
        return function


ops = _Ops()
FLOAT32, FLOAT64, INT32 = (dtype.as_datatype_enum for dtype in (tf.float32, tf.float64, tf.int32))
WRONG = "TensorFlow's op is wrong for some numbers, or fails: ours is a traced graph of several."
OPTION = "The option is read, checked and made a tensor in Python, which costs some three microseconds."
CHEAP = "The kernel is cheap: what tfnp looks up in Python, three microseconds, shows beside it."
PRODUCT = "The order of BLAS's sums, which NumPy has, takes a product of matrices."
NOTES = {
    **dict.fromkeys(("arctan2", "argmax", "cumsum", "cumsum, axis=1", "add.accumulate"), HOST),
    **dict.fromkeys(("floor_divide", "fmod", "fmod int32", "nextafter", "spacing", "log2", "log10"), WRONG),
    "reciprocal": "TensorFlow's Reciprocal is an approximation for float32: ours is a quotient.",
    **dict.fromkeys(("add, where=", "add, out=", "where, a Python number"), OPTION),
    **dict.fromkeys(("cumprod", "exp2"), CHEAP),
    "vecdot": PRODUCT,
}


def rows() -> Iterator[Row]:
    for heading, calls in (
        ("Every ufunc", ufuncs()),
        ("Reductions, and functions of elements", reductions()),
        ("Movements, and new arrays", movements()),
    ):
        for name, ours, raw in calls:
            if raw is None:
                continue  # nothing to compare with
            yield compare(name, ours, raw=raw, heading=heading, note=NOTES.get(name, ""))


Calls = Iterator[tuple[str, Callable[[], Any], Callable[[], Any] | None]]


def ufuncs() -> Calls:
    """Yield a call of every ufunc of NumPy's but that of dates, and of text."""
    x, y = tf.constant(np.linspace(0.1, 0.9, 8, dtype=np.float32)), tf.constant(np.full(8, 0.5, np.float32))
    above = tf.constant(np.linspace(1.1, 2, 8, dtype=np.float32))
    d, e = tf.constant(np.linspace(0.1, 0.9, 8)), tf.constant(np.full(8, 2.0))
    i, j = tf.constant(np.arange(8, 16, dtype=np.int32)), tf.constant(np.full(8, 3, np.int32))
    p, q = tf.constant(np.arange(8) % 2 == 0), tf.constant(np.arange(8) % 3 == 0)
    matrix, vector = tf.constant(np.eye(2, dtype=np.float32) + 1), tf.constant(np.ones(2, np.float32))
    raw = _raw_ufuncs()
    operands: dict[str, tuple[tf.Tensor, ...]] = {
        **dict.fromkeys(
            ("gcd", "lcm", "left_shift", "right_shift", "bitwise_and", "bitwise_or", "bitwise_xor"), (i, j)
        ),
        **dict.fromkeys(("invert", "bitwise_count"), (i,)),
        **dict.fromkeys(("logical_and", "logical_or", "logical_xor"), (p, q)),
        "logical_not": (p,),
        "arccosh": (above,),
        "ldexp": (x, j),
        **dict.fromkeys(("power", "float_power"), (d, e)),
        "matmul": (matrix, matrix),
        "vecdot": (x, y),
        "matvec": (matrix, vector),
        "vecmat": (vector, matrix),
    }
    for name in sorted({item.__name__ for item in vars(np).values() if isinstance(item, np.ufunc)} - {"isnat"}):
        ufunc = getattr(tfnp, name)
        yield name, *_bind(ufunc, raw.get(name), *operands.get(name, (x, y)[: ufunc.nin]))
    for name in ("floor_divide", "remainder", "divmod", "fmod"):
        yield f"{name} int32", *_bind(getattr(tfnp, name), raw[f"{name} int32"], i, j)


def _bind(ours: Callable[..., Any], raw: Callable[..., Any] | None, *args: Any) -> tuple[Any, Any]:
    return lambda: ours(*args), None if raw is None else lambda: raw(*args)


def _raw_ufuncs() -> dict[str, Callable[..., Any]]:
    """Return what a person would write in raw ops, by the ufunc. There is nothing short for gcd, lcm and frexp."""
    zero, one, two = (tf.constant(number, tf.float32) for number in (0, 1, 2))
    ln2, ln10, third, degree = (tf.constant(n, tf.float32) for n in (math.log(2), math.log(10), 1 / 3, 180 / math.pi))
    infinity, no_sign, sign = tf.constant(math.inf), tf.constant(2**31 - 1), tf.constant(-(2**31))
    integer_zero, width, first, last = (tf.constant(number) for number in (0, 32, [0], -1))

    def trunc(x: Any) -> Any:
        return ops.SelectV2(ops.Less(x, zero), ops.Ceil(x), ops.Floor(x))

    def logaddexp(x: Any, y: Any) -> Any:
        return ops.AddV2(ops.Maximum(x, y), ops.Log1p(ops.Exp(ops.Neg(ops.Abs(ops.Sub(x, y))))))

    def logaddexp2(x: Any, y: Any) -> Any:
        more = ops.Log1p(ops.Pow(two, ops.Neg(ops.Abs(ops.Sub(x, y)))))
        return ops.AddV2(ops.Maximum(x, y), ops.RealDiv(more, ln2))

    def copysign(x: Any, y: Any) -> Any:
        size = ops.BitwiseAnd(ops.Bitcast(x, INT32), no_sign)
        return ops.Bitcast(ops.BitwiseOr(size, ops.BitwiseAnd(ops.Bitcast(y, INT32), sign)), FLOAT32)

    def heaviside(x: Any, y: Any) -> Any:
        return ops.SelectV2(ops.Less(x, zero), zero, ops.SelectV2(ops.Equal(x, zero), y, one))

    def ignore_nan(op: Callable[..., Any]) -> Callable[..., Any]:
        return lambda x, y: ops.SelectV2(ops.IsNan(x), y, ops.SelectV2(ops.IsNan(y), x, op(x, y)))

    def floor_divide(x: Any, y: Any) -> Any:
        return ops.Floor(ops.RealDiv(x, y))

    def remainder(x: Any, y: Any) -> Any:
        return ops.Sub(x, ops.Mul(floor_divide(x, y), y))

    def to_degrees(x: Any) -> Any:
        return ops.Mul(x, degree)

    def to_radians(x: Any) -> Any:
        return ops.RealDiv(x, degree)

    same_name = (
        "floor ceil square sqrt exp log log1p expm1 sin cos tan sinh cosh tanh less greater maximum minimum equal"
    )
    others = {
        "add": "AddV2", "subtract": "Sub", "multiply": "Mul", "divide": "RealDiv", "negative": "Neg",
        "positive": "Identity", "conjugate": "Identity", "absolute": "Abs", "fabs": "Abs", "reciprocal": "Reciprocal",
        "arcsin": "Asin", "arccos": "Acos", "arctan": "Atan", "arcsinh": "Asinh", "arccosh": "Acosh",
        "arctanh": "Atanh", "arctan2": "Atan2", "rint": "Round", "nextafter": "NextAfter", "power": "Pow",
        "float_power": "Pow", "less_equal": "LessEqual", "greater_equal": "GreaterEqual", "not_equal": "NotEqual",
        "isnan": "IsNan", "isinf": "IsInf", "isfinite": "IsFinite", "logical_and": "LogicalAnd",
        "logical_or": "LogicalOr", "logical_not": "LogicalNot", "logical_xor": "NotEqual", "invert": "Invert",
        "bitwise_and": "BitwiseAnd", "bitwise_or": "BitwiseOr", "bitwise_xor": "BitwiseXor", "matmul": "BatchMatMulV2",
        "floor_divide int32": "FloorDiv",
        "remainder int32": "FloorMod", "fmod int32": "TruncateMod", "fmod": "Mod",
    }  # fmt: skip
    return {
        **{name: getattr(ops, name.capitalize()) for name in same_name.split()},
        **{name: getattr(ops, op) for name, op in others.items()},
        "sign": lambda x: ops.AddV2(ops.Sign(x), zero),
        "left_shift": lambda x, n: ops.SelectV2(ops.Less(n, width), ops.LeftShift(x, n), integer_zero),
        "right_shift": lambda x, n: ops.SelectV2(ops.Less(n, width), ops.RightShift(x, n), integer_zero),
        "exp2": lambda x: ops.Pow(two, x),
        "log2": lambda x: ops.RealDiv(ops.Log(x), ln2),
        "log10": lambda x: ops.RealDiv(ops.Log(x), ln10),
        "cbrt": lambda x: ops.Mul(ops.Sign(x), ops.Pow(ops.Abs(x), third)),
        "degrees": to_degrees,
        "rad2deg": to_degrees,
        "radians": to_radians,
        "deg2rad": to_radians,
        "hypot": lambda x, y: ops.Sqrt(ops.AddV2(ops.Square(x), ops.Square(y))),
        "logaddexp": logaddexp,
        "logaddexp2": logaddexp2,
        "copysign": copysign,
        "heaviside": heaviside,
        "signbit": lambda x: ops.Less(ops.Bitcast(x, INT32), integer_zero),
        "spacing": lambda x: ops.Sub(ops.NextAfter(x, infinity), x),
        "ldexp": lambda x, n: ops.Mul(x, ops.Pow(two, ops.Cast(n, FLOAT32))),
        "trunc": trunc,
        "modf": lambda x: (ops.Sub(x, trunc(x)), trunc(x)),
        "fmax": ignore_nan(ops.Maximum),
        "fmin": ignore_nan(ops.Minimum),
        "floor_divide": floor_divide,
        "remainder": remainder,
        "divmod": lambda x, y: (floor_divide(x, y), remainder(x, y)),
        "divmod int32": lambda x, y: (ops.FloorDiv(x, y), ops.FloorMod(x, y)),
        "bitwise_count": lambda x: ops.PopulationCount(ops.Abs(x)),
        "vecdot": lambda x, y: ops.Sum(ops.Mul(x, y), first, False),
        "matvec": lambda a, x: ops.Squeeze(ops.BatchMatMulV2(a, ops.ExpandDims(x, last)), [-1]),
        "vecmat": lambda x, a: ops.Squeeze(ops.BatchMatMulV2(ops.ExpandDims(x, integer_zero), a), [0]),
    }


def reductions() -> Calls:
    """Yield calls of reductions and scans, of ufuncs with keywords, and of functions of elements."""
    x = tf.constant(np.arange(8, dtype=np.float32) + 0.5)
    m, square = tf.constant(np.arange(8, dtype=np.float32).reshape(2, 4)), tf.constant(np.ones((2, 2), np.float32))
    mask, variable = tf.constant(np.arange(8) % 3 == 0), tf.Variable(x)
    zero, one, all_axes, column, row = (tf.constant(axes) for axes in (0, 1, [0], [8, 1], [1, 8]))
    low, high, nothing = tf.constant(1, tf.float32), tf.constant(5, tf.float32), tf.constant(0, tf.float32)
    yield "sum", lambda: tfnp.sum(x), lambda: ops.Sum(x, all_axes, False)
    yield "sum, axis=1, keepdims", lambda: tfnp.sum(m, 1, keepdims=True), lambda: ops.Sum(m, one, True)
    yield "prod", lambda: tfnp.prod(x), lambda: ops.Prod(x, all_axes, False)
    yield "mean", lambda: tfnp.mean(x), lambda: ops.Mean(x, all_axes, False)
    yield "mean, axis=0", lambda: tfnp.mean(m, 0), lambda: ops.Mean(m, zero, False)
    yield "max", lambda: tfnp.max(x), lambda: ops.Max(x, all_axes, False)
    yield "min, axis=1, keepdims", lambda: tfnp.min(m, 1, keepdims=True), lambda: ops.Min(m, one, True)
    yield "all", lambda: tfnp.all(mask), lambda: ops.All(mask, all_axes, False)
    yield "any", lambda: tfnp.any(mask), lambda: ops.Any(mask, all_axes, False)
    yield "argmax", lambda: tfnp.argmax(x), lambda: ops.ArgMax(x, zero)
    yield "cumsum", lambda: tfnp.cumsum(x), lambda: ops.Cumsum(x, zero)
    yield "cumsum, axis=1", lambda: tfnp.cumsum(m, 1), lambda: ops.Cumsum(m, one)
    yield "cumprod", lambda: tfnp.cumprod(x), lambda: ops.Cumprod(x, zero)
    yield "add.reduce", lambda: tfnp.add.reduce(x), lambda: ops.Sum(x, all_axes, False)
    yield "add.accumulate", lambda: tfnp.add.accumulate(x), lambda: ops.Cumsum(x, zero)
    yield (
        "multiply.outer",
        lambda: tfnp.multiply.outer(x, x),
        lambda: ops.Mul(ops.Reshape(x, column), ops.Reshape(x, row)),
    )
    yield "add, out=", lambda: tfnp.add(x, x, out=variable), lambda: _assign(variable, ops.AddV2(x, x))
    yield (
        "add, where=",
        lambda: tfnp.add(x, x, where=mask),
        lambda: ops.SelectV2(mask, ops.AddV2(x, x), nothing),
    )
    yield (
        "add, dtype=",
        lambda: tfnp.add(x, x, dtype=np.float64),
        lambda: ops.AddV2(ops.Cast(x, FLOAT64), ops.Cast(x, FLOAT64)),
    )
    yield "clip", lambda: tfnp.clip(x, 1.0, 5.0), lambda: ops.Minimum(ops.Maximum(x, low), high)
    yield "round", lambda: tfnp.round(x), lambda: ops.Round(x)
    yield "where", lambda: tfnp.where(mask, x, x), lambda: ops.SelectV2(mask, x, x)
    yield "where, a Python number", lambda: tfnp.where(mask, x, 0.0), lambda: ops.SelectV2(mask, x, nothing)
    yield "dot", lambda: tfnp.dot(square, square), lambda: ops.BatchMatMulV2(square, square)


def movements() -> Calls:
    """Yield calls of functions that move elements, and of those that make arrays."""
    x, m = tf.constant(np.arange(8, dtype=np.float32) + 0.5), tf.constant(np.arange(8, dtype=np.float32).reshape(2, 4))
    picks, zero, one, all_axes, flat = (tf.constant(numbers) for numbers in ([0, 2, 1], 0, 1, [0], [-1]))
    shape_42, shape_28, shape_8, swapped, twice = (tf.constant(n) for n in ([4, 2], [2, 8], [8], [1, 0], [2]))
    value, (begin, end, step) = tf.constant(2.0, tf.float64), (tf.constant(n, tf.int64) for n in (0, 8, 1))
    yield "reshape", lambda: tfnp.reshape(m, (4, 2)), lambda: ops.Reshape(m, shape_42)
    yield "reshape to -1", lambda: tfnp.reshape(m, -1), lambda: ops.Reshape(m, flat)
    yield "ravel", lambda: tfnp.ravel(m), lambda: ops.Reshape(m, flat)
    yield "transpose", lambda: tfnp.transpose(m), lambda: ops.Transpose(m, swapped)
    yield "swapaxes", lambda: tfnp.swapaxes(m, 0, 1), lambda: ops.Transpose(m, swapped)
    yield "moveaxis", lambda: tfnp.moveaxis(m, 0, 1), lambda: ops.Transpose(m, swapped)
    yield "expand_dims", lambda: tfnp.expand_dims(x, 0), lambda: ops.ExpandDims(x, zero)
    yield "squeeze", lambda: tfnp.squeeze(m), lambda: ops.Squeeze(m, [])
    yield "atleast_2d", lambda: tfnp.atleast_2d(x), lambda: ops.ExpandDims(x, zero)
    yield "broadcast_to", lambda: tfnp.broadcast_to(x, (2, 8)), lambda: ops.BroadcastTo(x, shape_28)
    yield "flip", lambda: tfnp.flip(x), lambda: ops.ReverseV2(x, all_axes)
    yield "roll", lambda: tfnp.roll(x, 1), lambda: ops.Roll(x, one, zero)
    yield "tile", lambda: tfnp.tile(x, 2), lambda: ops.Tile(x, twice)
    yield "take", lambda: tfnp.take(x, picks), lambda: ops.GatherV2(x, picks, zero)
    yield "take_along_axis", lambda: tfnp.take_along_axis(x, picks, 0), lambda: ops.GatherV2(x, picks, zero)
    yield "concatenate", lambda: tfnp.concatenate([x, x]), lambda: ops.ConcatV2([x, x], zero)
    yield "stack", lambda: tfnp.stack([x, x]), lambda: ops.Pack([x, x], 0)
    yield "vstack", lambda: tfnp.vstack([m, m]), lambda: ops.ConcatV2([m, m], zero)
    yield "hstack", lambda: tfnp.hstack([x, x]), lambda: ops.ConcatV2([x, x], zero)
    yield "split", lambda: tfnp.split(x, 2), lambda: ops.Split(zero, x, 2)
    yield "astype", lambda: tfnp.astype(x, np.float64), lambda: ops.Cast(x, FLOAT64)
    yield "full", lambda: tfnp.full(8, 2.0), lambda: ops.Fill(shape_8, value)
    yield "zeros_like", lambda: tfnp.zeros_like(x), lambda: ops.ZerosLike(x)
    yield "ones_like", lambda: tfnp.ones_like(x), lambda: ops.OnesLike(x)
    yield "arange", lambda: tfnp.arange(8), lambda: ops.Range(begin, end, step)


def _assign(variable: tf.Variable, value: tf.Tensor) -> tf.Variable:
    ops.AssignVariableOp(variable.handle, value)
    return variable
