"""Detection of XLA, which lacks some kernels and has others that are wrong.

A `tf.function` with `jit_compile=True` is traced inside a control flow context, which is read from the graph by a
private method: there is no public one. Functions inside it are traced again there. A graph that is compiled later, such
as one that is loaded from a file, is not detected.
"""

from __future__ import annotations

import tensorflow as tf


def is_for_xla() -> bool:
    """Return whether the function that is being traced, or one that calls it, will be compiled by XLA."""
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
