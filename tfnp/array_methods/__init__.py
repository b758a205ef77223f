"""What a numpy.ndarray can do, as functions of a tensor or a variable: the tables of what NumPy behaviour lends.

`EVERYWHERE` is for tensors and variables; `VARIABLES` and `TENSORS` for one of them, `EAGER` for what eager
tensors have of their own, which goes before what tensors are lent, and `SYMBOLIC` for what those of a graph have;
`INDEXED_SLICES` for gradients of that class;
`DTYPES` and `SHAPES` are for `tf.DType` and `tf.TensorShape`.
"""

from tfnp.array_methods.dtype_answers import DTYPES
from tfnp.array_methods.indexed_slices import INDEXED_SLICES
from tfnp.array_methods.shape_answers import SHAPES
from tfnp.array_methods.tables import EAGER, EVERYWHERE, SYMBOLIC, TENSORS, VARIABLES

__all__ = ["DTYPES", "EAGER", "EVERYWHERE", "INDEXED_SLICES", "SHAPES", "SYMBOLIC", "TENSORS", "VARIABLES"]
