"""Plans of ufuncs: functions that convert the operands and call the kernel, in one Python frame."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

Plan = Callable[..., Any]


def plan_unary(kernel: Plan, convert: Plan) -> Plan:
    """Return the plan of a kernel with one operand."""

    def plan(x: Any) -> Any:
        return kernel(convert(x))

    return plan


def plan_binary(kernel: Plan, first: Plan | None, second: Plan | None) -> Plan:
    """Return the plan of a kernel with two operands; None means that an operand needs no conversion."""
    if first is None and second is None:
        return kernel
    if first is None:
        return _plan_converting_second(kernel, second)
    if second is None:
        return _plan_converting_first(kernel, first)

    def plan(x: Any, y: Any) -> Any:
        return kernel(first(x), second(y))

    return plan


def _plan_converting_first(kernel: Plan, first: Plan) -> Plan:
    def plan(x: Any, y: Any) -> Any:
        return kernel(first(x), y)

    return plan


def _plan_converting_second(kernel: Plan, second: Any) -> Plan:
    def plan(x: Any, y: Any) -> Any:
        return kernel(x, second(y))

    return plan


def compare_exactly(plan: Plan, numpy_ufunc: np.ufunc) -> Plan:
    """Return the plan of a comparison of integers with a Python int that may be out of bounds for the dtype."""

    def compare(x: Any, y: Any) -> Any:
        try:
            return plan(x, y)
        except OverflowError:
            if type(x) is type(y) is int:
                return tf.constant(numpy_ufunc(*np.array([x, y], object), dtype=object))
            other = y if type(x) is int else x
            answer = numpy_ufunc(*[math.copysign(math.inf, v) if type(v) is int else 0.0 for v in (x, y)])
            return tf.fill(tf.shape(other) if isinstance(other, tf.Tensor) else np.shape(other), tf.constant(answer))

    return compare
