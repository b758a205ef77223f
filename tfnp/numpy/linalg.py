"""`numpy.linalg`, a name a line: the functions of `tfnp.linalg`, lifted."""

from __future__ import annotations

from typing import Any

from numpy.linalg import LinAlgError

import tfnp
from tfnp.numpy import functions, viewing
from tfnp.numpy.lifting import lift_function

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

cholesky = lift_function(tfnp.linalg.cholesky)
cond = lift_function(tfnp.linalg.cond)
cross = lift_function(tfnp.linalg.cross)
det = lift_function(tfnp.linalg.det)


def diagonal(x: Any, /, *, offset: Any = 0) -> Any:
    """Return read-only views of the diagonals of matrices."""
    return viewing.diagonal(x, offset, -2, -1)


eig = lift_function(tfnp.linalg.eig)
eigh = lift_function(tfnp.linalg.eigh)
eigvals = lift_function(tfnp.linalg.eigvals)
eigvalsh = lift_function(tfnp.linalg.eigvalsh)
inv = lift_function(tfnp.linalg.inv)
lstsq = lift_function(tfnp.linalg.lstsq)
matmul = lift_function(tfnp.linalg.matmul)
matrix_norm = lift_function(tfnp.linalg.matrix_norm)
matrix_power = lift_function(tfnp.linalg.matrix_power)
matrix_rank = lift_function(tfnp.linalg.matrix_rank)
matrix_transpose = functions.matrix_transpose
multi_dot = lift_function(tfnp.linalg.multi_dot)
norm = lift_function(tfnp.linalg.norm)
outer = lift_function(tfnp.linalg.outer)
pinv = lift_function(tfnp.linalg.pinv)
qr = lift_function(tfnp.linalg.qr)
slogdet = lift_function(tfnp.linalg.slogdet)
solve = lift_function(tfnp.linalg.solve)
svd = lift_function(tfnp.linalg.svd)
svdvals = lift_function(tfnp.linalg.svdvals)
tensordot = lift_function(tfnp.linalg.tensordot, keeps_rank_0=True)
tensorinv = lift_function(tfnp.linalg.tensorinv)
tensorsolve = lift_function(tfnp.linalg.tensorsolve)
trace = lift_function(tfnp.linalg.trace)
vecdot = lift_function(tfnp.linalg.vecdot)
vector_norm = lift_function(tfnp.linalg.vector_norm)
