"""NumPy's `linalg` on TensorFlow: functions of a matrix, or of a stack of matrices in the last two axes.

Everything is calculated in double precision, as in NumPy, for every dtype that NumPy accepts. An error that depends on
values, such as that of a singular matrix, is LinAlgError in eager mode and TensorFlow's InvalidArgumentError when a
graph runs. XLA cannot raise such errors: the result there is nan.
"""
# ruff: noqa: F403 - a front door; every public name has its line in the `__all__` of its topic

import numpy as _np

from tfnp._core.autograph import leave_unconverted as _leave_unconverted
from tfnp._core.docs import document as _document
from tfnp.linalg.decompositions import *
from tfnp.linalg.eigenvalues import *
from tfnp.linalg.equations import *
from tfnp.linalg.norms import *
from tfnp.linalg.operands import LinAlgError as LinAlgError
from tfnp.linalg.products import *

_leave_unconverted(globals().values())
_document(globals(), _np.linalg, "tfnp.linalg")
