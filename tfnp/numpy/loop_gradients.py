"""Gradients of loops that XLA compiles, where a tape outside of the compiled function asks for them.

TensorFlow's own needs what the loop calculated in each iteration, as a list of tensors, which a compiled function
cannot return. So the gradient runs the loop once more, within the function that calculates the gradient. A tape within
the compiled function does not come here: it finds gradients by the type of the op.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import tensorflow as tf

from tfnp._core.tensorflow_internals import framework_ops, while_v2

_NAME: Final = "tfnp.numpy.Loop"
_SECOND: Final = "tfnp.numpy.LoopGradient"


def run_again_for_gradients(result: tf.Tensor) -> None:
    """Let the loop of which this is a result run once more where a tape outside asks for its gradient."""
    _set_gradient(result.op, _NAME)


def _set_gradient(op: Any, name: str) -> None:
    op._set_attr("_gradient_op_type", tf.compat.v1.AttrValue(s=name.encode()))


@tf.RegisterGradient(_NAME)
def _differentiate(op: Any, *upstreams: tf.Tensor) -> Any:
    names, shapes = [op.get_attr(name).name for name in ("cond", "body")], [tensor.shape for tensor in op.inputs]
    for name in names:  # with those of loops within, whose gradients look for them here
        tf.compat.v1.get_default_graph()._add_function_recursive(op.graph._get_function(name))
    graphs = [while_v2.util.get_func_graph(op, shapes, name) for name in names]
    with without_second_gradients():
        return _run_again(op, graphs, upstreams)


def _run_again(op: Any, graphs: list[Any], upstreams: tuple[tf.Tensor, ...]) -> Any:
    results = while_v2._build_while_op(
        [_copy_constant(tensor) for tensor in op.inputs],
        *graphs,
        output_shapes=[tensor.shape for tensor in op.outputs],
        parallel_iterations=op.get_attr("parallel_iterations"),
        name="loop_again",
        num_original_outputs=len(op.outputs),
    )
    differentiate = framework_ops._gradient_registry.lookup(results[0].op.type)
    return differentiate(results[0].op, *upstreams)


@contextmanager
def without_second_gradients() -> Iterator[None]:
    """Let loops that gradients add to a graph for XLA raise TypeError where a tape outside asks for their gradients."""
    graph = tf.compat.v1.get_default_graph()
    first = len(graph.get_operations())
    yield
    for operation in graph.get_operations()[first:]:
        if operation.type.endswith("While"):
            _set_gradient(operation, _SECOND)


@tf.RegisterGradient(_SECOND)
def _raise_type_error(op: Any, *upstreams: tf.Tensor) -> Any:
    raise TypeError(
        "a loop of a tf.function with jit_compile=True has no second derivative where a tape outside of it asks for "
        "that: put all tapes inside of the function, or use np.jit in place of it"
    )


def _copy_constant(tensor: tf.Tensor) -> tf.Tensor:
    """Return a scalar constant as one of the graph that is being built, so that XLA knows it there."""
    static = tf.get_static_value(tensor) if tensor.shape.rank == 0 else None
    return tensor if static is None else tf.constant(static, tensor.dtype)
