"""Plans of ufuncs: a kernel behind what brings its operands to the dtypes of the loop, in one Python frame."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

Plan = Callable[..., Any]


def unary(kernel: Plan, prepare: Plan) -> Plan:
    def plan(x: Any) -> Any:
        return kernel(prepare(x))

    return plan


def binary(kernel: Plan, first: Plan | None, second: Plan | None) -> Plan:
    """What is None has nothing to do."""
    if first is None and second is None:
        return kernel
    if first is None:
        return _second_prepared(kernel, second)
    if second is None:
        return _first_prepared(kernel, first)

    def plan(x: Any, y: Any) -> Any:
        return kernel(first(x), second(y))

    return plan


def _first_prepared(kernel: Plan, first: Plan) -> Plan:
    def plan(x: Any, y: Any) -> Any:
        return kernel(first(x), y)

    return plan


def _second_prepared(kernel: Plan, second: Any) -> Plan:
    def plan(x: Any, y: Any) -> Any:
        return kernel(x, second(y))

    return plan


def exact(plan: Plan, numpy_ufunc: np.ufunc) -> Plan:
    """The plan of a comparison of integers with a Python int, which may lie beyond all that the dtype holds."""

    def compare(x: Any, y: Any) -> Any:
        try:
            return plan(x, y)
        except OverflowError:
            if type(x) is type(y) is int:
                return tf.constant(numpy_ufunc(*np.array([x, y], object), dtype=object))
            other = y if type(x) is int else x
            answer = numpy_ufunc(*[math.copysign(math.inf, dim) if type(dim) is int else 0.0 for dim in (x, y)])
            return tf.fill(tf.shape(other) if isinstance(other, tf.Tensor) else np.shape(other), tf.constant(answer))

    return compare
