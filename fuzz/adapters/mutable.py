"""Adapter of NumPy's mutable arrays on TensorFlow."""

from oracle import Adapter, ByDesign

IMPORTS = """import tensorflow as tf
import tfnp.numpy

def differentiate(function):
    def find_gradients(inputs):
        with tf.GradientTape() as tape:
            tape.watch(inputs)
            result = tf.convert_to_tensor(function(inputs))
        gradients = tape.gradient(result, inputs)
        return [tfnp.numpy.zeros_like(x) if slope is None else slope for x, slope in zip(inputs, gradients)]
    return find_gradients
"""

MUTABLE = Adapter(
    name="tfnp.numpy",
    imports=IMPORTS,
    module="tfnp.numpy",
    array="tfnp.numpy.ndarray",
    from_numpy="tfnp.numpy.array({})",
    to_numpy="np.asarray({})",
    environment={"TFNP_NUMPY": "tensorflow"},  # otherwise NumPy, which is the judge, calculates in eager mode
    compiled={
        "graph": "tf.function({}, autograph=False)",
        "xla": "tf.function({}, autograph=False, jit_compile=True)",
    },
    grad="differentiate({})",
    flushes=True,  # as TensorFlow's kernels do: the allowance subnormal.flushed says so of tfnp
    views=True,
    by_design=(
        ByDesign(
            "compiled structure",
            "a tf.function returns arrays and tensors, not Python's numbers, text or dtypes",
            ("structure", "spurious error"),
            "Foreign|must return zero or more Tensors",
            modes=("graph", "xla"),
        ),
        ByDesign(
            "static",
            "values that decide about shapes must be known when a function is traced, or compiled by XLA",
            ("spurious error",),
            "depends on values|not known|must be static|known when|inside tf.function|XLA does not support",
            modes=("graph", "xla"),
        ),
        ByDesign(
            "decompositions in eager mode",
            "in eager mode NumPy decomposes small matrices, in an order and with signs that TensorFlow has not",
            ("differs from eager",),
            names=("linalg.eig*", "linalg.svd", "linalg.qr", "roots", "polynomial.*roots"),
            modes=("graph", "xla"),
        ),
    ),
)
