"""NumPy's API on TensorFlow: arrays are plain tensors. A topic of NumPy's manual a line."""
# ruff: noqa: F401, F403, N813 - a front door; every public name has its line in the `__all__` of its topic

import typing as _typing

from tfnp._core import logs as _logs  # before TensorFlow is imported

# isort: split

import numpy as _np
from tensorflow import Tensor as ndarray

from tfnp import dtypes as dtypes
from tfnp import emath as emath
from tfnp import exceptions as exceptions
from tfnp import fft as fft
from tfnp import lib as lib
from tfnp import linalg as linalg
from tfnp import polynomial as polynomial
from tfnp import random as random
from tfnp import strings as strings
from tfnp import testing as testing
from tfnp import typing as typing
from tfnp import version as version
from tfnp._core.autograph import leave_unconverted as _leave_unconverted
from tfnp._core.docs import document as _document
from tfnp._core.ufunc.dispatch import ufunc
from tfnp.absences import explain as _explain
from tfnp.behavior import *
from tfnp.compilation import *
from tfnp.imports import *
from tfnp.routines.array_api_info import *
from tfnp.routines.constants import *
from tfnp.routines.creation.filled import *
from tfnp.routines.creation.from_data import *
from tfnp.routines.creation.grids import *
from tfnp.routines.creation.matrices import *
from tfnp.routines.creation.ranges import *
from tfnp.routines.dtype_info import *
from tfnp.routines.environment import *
from tfnp.routines.files import *
from tfnp.routines.functional.along_axes import *
from tfnp.routines.functional.iteration import *
from tfnp.routines.functional.piecewise_functions import *
from tfnp.routines.functional.user_functions import *
from tfnp.routines.functional.vectorization import *
from tfnp.routines.indexing.assignment import *
from tfnp.routines.indexing.copying import *
from tfnp.routines.indexing.index_tricks import *
from tfnp.routines.indexing.selection import *
from tfnp.routines.linear_algebra.contraction import *
from tfnp.routines.linear_algebra.products import *
from tfnp.routines.logic import *
from tfnp.routines.manipulation.inserting import *
from tfnp.routines.manipulation.joining import *
from tfnp.routines.manipulation.rearranging import *
from tfnp.routines.manipulation.shaping import *
from tfnp.routines.manipulation.splitting import *
from tfnp.routines.manipulation.tiling import *
from tfnp.routines.manipulation.transposition import *
from tfnp.routines.math.cumulative import *
from tfnp.routines.math.differences import *
from tfnp.routines.math.reductions import *
from tfnp.routines.math.rounding import *
from tfnp.routines.math.ufuncs import *
from tfnp.routines.packing import *
from tfnp.routines.poly1d.arithmetic import *
from tfnp.routines.poly1d.classes import *
from tfnp.routines.poly1d.fitting import *
from tfnp.routines.poly1d.root_finding import *
from tfnp.routines.scalar_types import *
from tfnp.routines.signal.convolution import *
from tfnp.routines.signal.padding import *
from tfnp.routines.signal.windows import *
from tfnp.routines.sorting.counting import *
from tfnp.routines.sorting.searching import *
from tfnp.routines.sorting.sets import *
from tfnp.routines.sorting.sorting import *
from tfnp.routines.statistics.averages import *
from tfnp.routines.statistics.covariance import *
from tfnp.routines.statistics.histograms import *
from tfnp.routines.statistics.medians import *
from tfnp.routines.statistics.nanfunctions import *
from tfnp.routines.statistics.quantiles import *
from tfnp.routines.text import *
from tfnp.version import version as __version__

_leave_unconverted(globals().values())
_leave_unconverted(vars(emath).values())
_leave_unconverted(vars(fft).values())
_leave_unconverted(vars(lib.stride_tricks).values())
_leave_unconverted(vars(strings).values())
_document(globals(), _np, "tfnp")
_document(vars(emath), _np.lib.scimath, "tfnp.emath")

_HIDDEN = frozenset({"absences", "behavior", "compilation", "imports", "numpy", "routines"})


def __dir__() -> list[str]:
    """Return the public names: sub-packages that NumPy lacks are none."""
    return sorted(globals().keys() - _HIDDEN)


if not _typing.TYPE_CHECKING:  # to a type checker, what is not here is an error

    def __getattr__(name: str) -> _typing.NoReturn:
        raise _explain(name, globals())
