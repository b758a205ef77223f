"""Adapter of NumPy's mutable arrays on TensorFlow."""

from oracle import Adapter

IMPORTS = """import tensorflow as tf
import tfnp.numpy

def differentiate(function):
    def find_gradients(inputs):
        with tf.GradientTape() as tape:
            tape.watch(inputs)
            result = function(inputs)
        return tape.gradient(result, inputs, unconnected_gradients="zero")
    return find_gradients
"""

MUTABLE = Adapter(
    name="tfnp.numpy",
    imports=IMPORTS,
    module="tfnp.numpy",
    array="tfnp.numpy.ndarray",
    from_numpy="tfnp.numpy.array({})",
    to_numpy="np.asarray({})",
    compiled={
        "graph": "tf.function({}, autograph=False)",
        "xla": "tf.function({}, autograph=False, jit_compile=True)",
    },
    grad="differentiate({})",
    flushes=True,  # as TensorFlow's kernels do: the allowance subnormal.flushed says so of tfnp
    views=True,
)
