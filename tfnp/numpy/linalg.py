"""`numpy.linalg`, a name a line: the functions of `tfnp.linalg`, lifted."""

from __future__ import annotations

from typing import Any

from numpy.linalg import LinAlgError

import tfnp
from tfnp.numpy import functions, viewing
from tfnp.numpy.lifting import lift_function
from tfnp.numpy.policy import ANY, SMALL

__all__ = [
    "LinAlgError",
    "cholesky",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "lstsq",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "multi_dot",
    "norm",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "tensorinv",
    "tensorsolve",
    "trace",
    "vecdot",
    "vector_norm",
]
__path__: list[str] = []  # a package, whose private submodules are NumPy's

cholesky = lift_function(tfnp.linalg.cholesky, numpy_up_to=SMALL)
cond = lift_function(tfnp.linalg.cond, numpy_up_to=SMALL)
cross = lift_function(tfnp.linalg.cross, numpy_up_to=SMALL)
det = lift_function(tfnp.linalg.det, numpy_up_to=SMALL)


def diagonal(x: Any, /, *, offset: Any = 0) -> Any:
    """Return read-only views of the diagonals of matrices."""
    return viewing.diagonal(x, offset, -2, -1)


eig = lift_function(tfnp.linalg.eig, numpy_up_to=ANY)
eigh = lift_function(tfnp.linalg.eigh, numpy_up_to=ANY)
eigvals = lift_function(tfnp.linalg.eigvals, numpy_up_to=ANY)
eigvalsh = lift_function(tfnp.linalg.eigvalsh, numpy_up_to=ANY)
inv = lift_function(tfnp.linalg.inv, numpy_up_to=SMALL)
lstsq = lift_function(tfnp.linalg.lstsq, numpy_up_to=SMALL)
matmul = lift_function(tfnp.linalg.matmul)
matrix_norm = lift_function(tfnp.linalg.matrix_norm, numpy_up_to=SMALL)
matrix_power = lift_function(tfnp.linalg.matrix_power, numpy_up_to=SMALL)
matrix_rank = lift_function(tfnp.linalg.matrix_rank, numpy_up_to=SMALL)
matrix_transpose = functions.matrix_transpose
multi_dot = lift_function(tfnp.linalg.multi_dot)
norm = lift_function(tfnp.linalg.norm, numpy_up_to=SMALL)
outer = lift_function(tfnp.linalg.outer)
pinv = lift_function(tfnp.linalg.pinv, numpy_up_to=SMALL)
qr = lift_function(tfnp.linalg.qr, numpy_up_to=SMALL)
slogdet = lift_function(tfnp.linalg.slogdet, numpy_up_to=SMALL)
solve = lift_function(tfnp.linalg.solve, numpy_up_to=SMALL)
svd = lift_function(tfnp.linalg.svd, numpy_up_to=ANY)
svdvals = lift_function(tfnp.linalg.svdvals, numpy_up_to=ANY)
tensordot = lift_function(tfnp.linalg.tensordot, keeps_rank_0=True)
tensorinv = lift_function(tfnp.linalg.tensorinv)
tensorsolve = lift_function(tfnp.linalg.tensorsolve)
trace = lift_function(tfnp.linalg.trace)
vecdot = lift_function(tfnp.linalg.vecdot)
vector_norm = lift_function(tfnp.linalg.vector_norm, numpy_up_to=SMALL)
