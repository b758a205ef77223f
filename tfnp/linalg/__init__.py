"""NumPy's `linalg` on TensorFlow: one matrix, or a stack of them in the last two axes.

Everything is calculated in double precision, as in NumPy, for every dtype that NumPy takes. An error that depends on
values, such as that of a singular matrix, is LinAlgError in eager mode and TensorFlow's InvalidArgumentError when a
graph runs. Under XLA nothing can raise, so the result is nan.
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
