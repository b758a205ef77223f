"""What a numpy.ndarray can do, as functions of a tensor or a variable: the tables of what NumPy behaviour lends.

`EVERYWHERE` is for tensors and variables; `VARIABLES` and `TENSORS` for one of them, `EAGER` for what eager
tensors have of their own, which goes before what tensors are lent, and `SYMBOLIC` for what those of a graph have;
`INDEXED_SLICES` for gradients of that class;
`DTYPES` and `SHAPES` are for `tf.DType` and `tf.TensorShape`.
"""

from tfnp._methods.dtype_proxy import DTYPES
from tfnp._methods.indexed_slices import INDEXED_SLICES
from tfnp._methods.shape_proxy import SHAPES
from tfnp._methods.tables import EAGER, EVERYWHERE, SYMBOLIC, TENSORS, VARIABLES

__all__ = ["DTYPES", "EAGER", "EVERYWHERE", "INDEXED_SLICES", "SHAPES", "SYMBOLIC", "TENSORS", "VARIABLES"]
