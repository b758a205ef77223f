"""Gradients that a kernel states itself, where what TensorFlow would derive from its formula is nan, or is wasteful.

A formula of selections has a gradient of selections, and 0 * inf from the branch not taken makes it nan. Here a kernel
says its derivative in closed form instead. The derivatives are functions of the kernel's operands alone, made of other
kernels, so that they can be differentiated again.

`record` is the one module of TensorFlow's in this package that is not public. `tf.custom_gradient` stands on it, and
could be used in its place; but it costs nine times the op (71 us beside 7.7 us for a product of 8 floats, this 10.7 us,
TensorFlow 2.21 on CPU), and registers each traced gradient under a name of its own, for ever: 50 traces, 50 entries.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import tensorflow as tf
from tensorflow import raw_ops as _raw
from tensorflow.python.eager import record

from tfnp._core import ops

Kernel = Callable[..., tf.Tensor]
Gradient = Callable[..., tuple[tf.Tensor | None, ...]]
Decomposition = Callable[..., tuple[tf.Tensor, ...]]

_identities = _raw.IdentityN.__wrapped__
_conjugate = _raw.Conj.__wrapped__
_axes_to_sum = _raw.BroadcastGradientArgs.__wrapped__
_shape = _raw.Shape.__wrapped__
_sum = _raw.Sum.__wrapped__
_reshape = _raw.Reshape.__wrapped__


def differentiable(gradient: Gradient) -> Callable[[Kernel], Kernel]:
    """A decorator: the gradient of a kernel is `gradient(upstream, *operands)`, one for each operand, in their shapes.

    This is what `tf.custom_gradient` does, but for less: it watches no variables, and in graphs the gradient is
    registered once, under a name, where `tf.custom_gradient` registers one at each trace and so keeps every graph.
    """

    def decorate(kernel: Kernel) -> Kernel:
        name = f"{kernel.__module__}.{kernel.__qualname__}"

        @tf.RegisterGradient(name)
        def of_identities(operation: tf.Operation, upstream: tf.Tensor, *_: tf.Tensor) -> tuple[tf.Tensor | None, ...]:
            return None, *gradient(upstream, *operation.inputs[1:])

        @functools.wraps(kernel)
        def run(*operands: tf.Tensor) -> tf.Tensor:
            if ops.executing_eagerly() and not record.could_possibly_record():
                return kernel(*operands)
            with record.stop_recording():
                result = kernel(*operands) if ops.executing_eagerly() else _named(name, kernel(*operands), operands)
            record.record_operation(name, [result], list(operands), lambda upstream: gradient(upstream, *operands))
            return result

        return run

    return decorate


def differentiable_parts(count: int, gradient: Gradient) -> Callable[[Decomposition], Decomposition]:
    """A decorator for kernels with so many results: the gradient is `gradient(upstreams, results, *operands)`."""

    def decorate(kernel: Decomposition) -> Decomposition:
        name = f"{kernel.__module__}.{kernel.__qualname__}"

        @tf.RegisterGradient(name)
        def of_identities(operation: tf.Operation, *upstreams: tf.Tensor) -> tuple[tf.Tensor | None, ...]:
            slopes = gradient(upstreams[:count], operation.outputs[:count], *operation.inputs[count:])
            return *[None] * count, *slopes

        @functools.wraps(kernel)
        def run(*operands: tf.Tensor) -> tuple[tf.Tensor, ...]:
            with record.stop_recording():
                results = kernel(*operands)
                if not ops.executing_eagerly():
                    with tf.compat.v1.get_default_graph().gradient_override_map({"IdentityN": name}):
                        results = tuple(_identities([*results, *operands])[:count])
            backward = functools.partial(_backward, gradient, results, operands)
            record.record_operation(name, list(results), list(operands), backward)
            return results

        return run

    return decorate


def _backward(
    gradient: Gradient, results: tuple[tf.Tensor, ...], operands: tuple[tf.Tensor, ...], *upstreams: tf.Tensor
) -> tuple[tf.Tensor, ...]:
    return gradient(upstreams, results, *operands)


def _named(name: str, result: tf.Tensor, operands: tuple[tf.Tensor, ...]) -> tf.Tensor:
    """The same tensor, whose gradient, where a graph is differentiated as a whole, is the one registered as `name`."""
    with tf.compat.v1.get_default_graph().gradient_override_map({"IdentityN": name}):
        return _identities([result, *operands])[0]


def derivative(of: Kernel) -> Callable[[Kernel], Kernel]:
    """A decorator for a kernel of one operand, real or holomorphic: its derivative is `of(operand)`."""

    def gradient(upstream: tf.Tensor, operand: tf.Tensor) -> tuple[tf.Tensor, ...]:
        slope = of(operand)
        return (ops.multiply(upstream, _conjugate(slope) if slope.dtype.is_complex else slope),)

    return differentiable(gradient)


def _slopes_of_steps(_: tf.Tensor, *operands: tf.Tensor) -> tuple[tf.Tensor, ...]:
    return tuple(tf.zeros_like(operand) for operand in operands)


def piecewise_constant(kernel: Kernel) -> Kernel:
    """A decorator for a kernel of steps: its gradient is zero, where TensorFlow's ops have none."""
    return differentiable(_slopes_of_steps)(kernel)


def _slope_of_other(upstream: tf.Tensor, *_: tf.Tensor) -> tuple[tf.Tensor | None, ...]:
    return None, upstream


@differentiable(_slope_of_other)
def with_gradient_of(value: tf.Tensor, other: tf.Tensor) -> tf.Tensor:
    """The value, which moves as the other, of the same dtype and shape, does."""
    return tf.identity(value)


def sum_to_shape(gradient: tf.Tensor, operand: tf.Tensor, other: tf.Tensor) -> tf.Tensor:
    """A gradient in the shape of a result, summed over the axes along which `operand` was repeated to meet `other`."""
    if operand.shape.is_fully_defined() and operand.shape == gradient.shape:
        return gradient
    shape = _shape(operand)
    axes, _ = _axes_to_sum(shape, _shape(other))
    return _reshape(_sum(gradient, axes), shape)
