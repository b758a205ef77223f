"""The methods and attributes of numpy.ndarray, as functions of a tensor or a variable: the tables of patches.

`EVERYWHERE` patches tensors and variables; `VARIABLES` and `TENSORS` one of them. `EAGER` and `SYMBOLIC` replace what
eager and symbolic tensors define themselves, which would take precedence over a patch of `tf.Tensor`.
`INDEXED_SLICES` is for gradients of that class, `DTYPES` and `SHAPES` for `tf.DType` and `tf.TensorShape`.
"""

from tfnp._methods.dtype_proxy import DTYPES
from tfnp._methods.indexed_slices import INDEXED_SLICES
from tfnp._methods.shape_proxy import SHAPES
from tfnp._methods.tables import EAGER, EVERYWHERE, SYMBOLIC, TENSORS, VARIABLES

__all__ = ["DTYPES", "EAGER", "EVERYWHERE", "INDEXED_SLICES", "SHAPES", "SYMBOLIC", "TENSORS", "VARIABLES"]
