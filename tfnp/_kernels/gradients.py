"""Custom gradients of kernels, where TensorFlow's are nan or wasteful.

The gradient of a selection is nan where the branch that is not selected contributes 0 * inf. Here a kernel defines its
derivative in closed form. The derivatives are made of the kernel's operands and other kernels, so that they can be
differentiated again, and without a tape, through which forward mode finds no derivative.

`record` is a private module of TensorFlow, on which `tf.custom_gradient` is built. That could be used instead, but
costs nine times the op (71 us, against 7.7 us for a product of 8 floats and 10.7 us here, TensorFlow 2.21 on CPU), and
keeps graphs alive, in a global registry.
"""

from __future__ import annotations

import functools
import itertools
import weakref
from collections.abc import Callable, Sequence
from typing import Any, Final

import tensorflow as tf

from tfnp._core import convert, ops
from tfnp._core.eager_tensors import needs_gradient
from tfnp._core.tensorflow_internals import framework_ops, record

Parts = tuple[tf.Tensor, ...]
Slopes = tuple[tf.Tensor | None, ...]
Kernel = Callable[..., tf.Tensor]
Gradient = Callable[..., Slopes]
Decomposition = Callable[..., Parts]
PartsGradient = Callable[[Parts, Parts, Parts], Slopes]

_counter: Final = itertools.count()


def differentiable(gradient: Gradient) -> Callable[[Kernel], Kernel]:
    """Decorate a kernel with its gradient, `gradient(upstream, *operands)`, one for each operand in its shape.

    Unlike `tf.custom_gradient`, this watches no variables.
    """

    def gradient_of_parts(upstreams: Parts, _: Parts, operands: Parts) -> Slopes:
        return gradient(upstreams[0], *operands)

    def decorate(kernel: Kernel) -> Kernel:
        name = f"{kernel.__module__}.{kernel.__qualname__}"

        @functools.wraps(kernel)
        def run(*operands: tf.Tensor) -> tf.Tensor:
            if not needs_gradient():
                return kernel(*operands)
            with record.stop_recording():
                result = kernel(*operands)
                if not ops.executing_eagerly():
                    (result,) = _attach_gradient(name, gradient_of_parts, (result,), operands)
            record.record_operation(name, [result], list(operands), lambda upstream: gradient(upstream, *operands))
            return result

        return run

    return decorate


def differentiable_parts(count: int, gradient: Gradient) -> Callable[[Decomposition], Decomposition]:
    """Decorate a kernel with several results with its gradient, `gradient(upstreams, results, *operands)`."""

    def gradient_of_parts(upstreams: Parts, results: Parts, operands: Parts) -> Slopes:
        return gradient(upstreams, results, *operands)

    def decorate(kernel: Decomposition) -> Decomposition:
        name = f"{kernel.__module__}.{kernel.__qualname__}"

        @functools.wraps(kernel)
        def run(*operands: tf.Tensor) -> Parts:
            with record.stop_recording():
                results = kernel(*operands)
                if not ops.executing_eagerly():
                    results = _attach_gradient(name, gradient_of_parts, results, operands)
            backward = functools.partial(_run_gradient, gradient, results, operands)
            record.record_operation(name, list(results), list(operands), backward)
            return results

        return run

    return decorate


def _run_gradient(gradient: Gradient, results: Parts, operands: Parts, *upstreams: tf.Tensor) -> Slopes:
    return gradient(upstreams, results, *operands)


def _attach_gradient(name: str, gradient: PartsGradient, results: Sequence[tf.Tensor], operands: Parts) -> Parts:
    """Return the tensors with a gradient, for a graph that is differentiated or saved.

    The gradient is that of an op which returns its inputs. To save it, TensorFlow calls its function without an op, and
    stores one function for each name: so each op has a name of its own, and its function finds the op. The name is
    removed from TensorFlow's registry with the graph.
    """
    graph = tf.compat.v1.get_default_graph()
    name = f"{name}:{next(_counter)}"
    with graph.gradient_override_map({"IdentityN": name}):
        copies = ops.identity_n([*results, *operands])
    find_operation, count = weakref.ref(copies[0].op), len(results)

    @tf.RegisterGradient(name)
    def differentiate(operation: tf.Operation | None, *upstreams: tf.Tensor) -> Slopes:
        source: Any = operation or find_operation()
        with convert.without_captures():
            slopes = gradient(upstreams[:count], tuple(source.outputs[:count]), tuple(source.inputs[count:]))
        return *[None] * count, *slopes

    weakref.finalize(graph, _unregister, name).atexit = False
    return tuple(copies[:count])


def _unregister(name: str) -> None:
    framework_ops.gradient_registry._registry.pop(name, None)


def derivative(function: Kernel) -> Callable[[Kernel], Kernel]:
    """Decorate a kernel of one operand, real or holomorphic, with its derivative, a function of the operand."""

    def gradient(upstream: tf.Tensor, operand: tf.Tensor) -> Parts:
        slope = function(operand)
        return (ops.multiply(upstream, ops.conj(slope) if slope.dtype.is_complex else slope),)

    return differentiable(gradient)


def _return_zeros(_: tf.Tensor, *operands: tf.Tensor) -> Parts:
    return tuple(tf.zeros_like(operand) for operand in operands)


def piecewise_constant(kernel: Kernel) -> Kernel:
    """Decorate a piecewise constant kernel: its gradient is zero, where TensorFlow's ops have none."""
    return differentiable(_return_zeros)(kernel)


def _differentiate_second(upstream: tf.Tensor, *_: tf.Tensor) -> Slopes:
    return None, upstream


@differentiable(_differentiate_second)
def with_gradient_of(value: tf.Tensor, other: tf.Tensor) -> tf.Tensor:
    """Return the value, with the gradient of another tensor of its dtype and shape."""
    return tf.identity(value)


def _differentiate_update(op: tf.Operation, upstream: tf.Tensor) -> Slopes:
    _, new, begin = op.inputs
    zeros = tf.zeros(tf.shape(new), upstream.dtype)
    part = ops.slice_from(upstream, begin, tf.shape(new, begin.dtype))
    return ops.xla_dynamic_update_slice(upstream, zeros, begin), part, None


def register_gradients() -> None:
    """Register the gradient of XlaDynamicUpdateSlice, unless TensorFlow has one.

    For XLA, TensorFlow's gradient of Slice consists of that op, so that without it Slice has no second derivative.
    """
    try:
        tf.RegisterGradient("XlaDynamicUpdateSlice")(_differentiate_update)
    except KeyError:
        pass  # TensorFlow has a gradient, or another copy of this module registered ours


register_gradients()


def sum_to_shape(gradient: tf.Tensor, operand: tf.Tensor, other: tf.Tensor) -> tf.Tensor:
    """Sum a gradient, in the shape of a result, over the axes along which `operand` was broadcast with `other`."""
    if operand.shape.is_fully_defined() and operand.shape == gradient.shape:
        return gradient
    shape = ops.shape(operand)
    axes, _ = ops.broadcast_gradient_args(shape, ops.shape(other))
    return ops.reshape(ops.reduce_sum(gradient, axes), shape)
