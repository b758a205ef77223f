"""What a numpy.ndarray can do, as functions of a tensor or a variable: the tables of what NumPy behaviour lends.

`EVERYWHERE` is for tensors and variables; `VARIABLES` for variables alone, which can change; `SYMBOLIC` for what eager
tensors have of their own, `EAGER` for what of it they are lent instead; `DTYPES` and `SHAPES` are for `tf.DType` and
`tf.TensorShape`.
"""

from tfnp.array_methods.dtype_answers import DTYPES
from tfnp.array_methods.shape_answers import SHAPES
from tfnp.array_methods.tables import EAGER, EVERYWHERE, SYMBOLIC, VARIABLES

__all__ = ["DTYPES", "EAGER", "EVERYWHERE", "SHAPES", "SYMBOLIC", "VARIABLES"]
