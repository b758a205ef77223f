"""Whether a trace is for XLA, which lacks some kernels and has others that are not right.

TensorFlow says so to its own control flow, by the context that a `tf.function` with `jit_compile=True` enters before it
calls what it traces; a function inside one is traced again there. What is traced for a graph and compiled later, such
as a function read from a file, cannot be told. The context is asked of the graph by a private name, since no public one
says it.
"""

from __future__ import annotations

import tensorflow as tf


def is_for_xla() -> bool:
    """Whether what is being traced now, or a function around it, is to be compiled."""
    if tf.executing_eagerly():
        return False
    graph = tf.compat.v1.get_default_graph()
    while graph is not None:
        context = graph._get_control_flow_context()
        while context is not None:
            if context.IsXLAContext():
                return True
            context = context.outer_context
        graph = getattr(graph, "outer_graph", None)
    return False
