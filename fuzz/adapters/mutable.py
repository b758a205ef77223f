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
    scopes={"in_memory": 'tfnp.numpy.calculate_with("auto")'},
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
            "choices of NumPy's",
            "where NumPy calculates, equal elements have its order, and eigenvectors and the like its signs",
            ("differs from eager",),
            names=("argsort", "argpartition", "unique*", "linalg.eig*", "linalg.svd", "linalg.qr", "roots", "*roots"),
            modes=("in_memory",),
        ),
    ),
)
