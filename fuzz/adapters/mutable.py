"""Adapter of NumPy's mutable arrays on TensorFlow."""

from oracle import Adapter

MUTABLE = Adapter(
    name="tfnp.numpy",
    imports="import tfnp.numpy",
    module="tfnp.numpy",
    array="tfnp.numpy.ndarray",
    from_numpy="tfnp.numpy.array({})",
    to_numpy="np.asarray({})",
    flushes=True,  # as TensorFlow's kernels do: the allowance subnormal.flushed says so of tfnp
)
