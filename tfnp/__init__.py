"""NumPy's API on TensorFlow: arrays are plain tensors. A topic of NumPy's manual a line."""
# ruff: noqa: F401, F403, N813 - a front door; every public name has its line in the `__all__` of its topic

import typing as _typing

from tensorflow import Tensor as ndarray

from tfnp import emath as emath
from tfnp import fft as fft
from tfnp import lib as lib
from tfnp import linalg as linalg
from tfnp import polynomial as polynomial
from tfnp import random as random
from tfnp import strings as strings
from tfnp import testing as testing
from tfnp._core.autograph import leave_unconverted as _leave_unconverted
from tfnp._core.dispatch import ufunc
from tfnp.absences import explain as _explain
from tfnp.behavior import *
from tfnp.routines.assignment import *
from tfnp.routines.cases import *
from tfnp.routines.constants import *
from tfnp.routines.contraction import *
from tfnp.routines.counting import *
from tfnp.routines.covariance import *
from tfnp.routines.creation import *
from tfnp.routines.cumulation import *
from tfnp.routines.datatypes import *
from tfnp.routines.differences import *
from tfnp.routines.editing import *
from tfnp.routines.environment import *
from tfnp.routines.files import *
from tfnp.routines.functional import *
from tfnp.routines.grids import *
from tfnp.routines.histograms import *
from tfnp.routines.inspection import *
from tfnp.routines.iteration import *
from tfnp.routines.joining import *
from tfnp.routines.logic import *
from tfnp.routines.matrices import *
from tfnp.routines.medians import *
from tfnp.routines.missing import *
from tfnp.routines.mutation import *
from tfnp.routines.packing import *
from tfnp.routines.padding import *
from tfnp.routines.places import *
from tfnp.routines.polynomial_fits import *
from tfnp.routines.polynomial_objects import *
from tfnp.routines.polynomial_roots import *
from tfnp.routines.polynomials import *
from tfnp.routines.products import *
from tfnp.routines.quantiles import *
from tfnp.routines.ranges import *
from tfnp.routines.rearranging import *
from tfnp.routines.reductions import *
from tfnp.routines.rounding import *
from tfnp.routines.scalars import *
from tfnp.routines.searching import *
from tfnp.routines.selection import *
from tfnp.routines.sets import *
from tfnp.routines.shaping import *
from tfnp.routines.signals import *
from tfnp.routines.sorting import *
from tfnp.routines.sources import *
from tfnp.routines.splitting import *
from tfnp.routines.statistics import *
from tfnp.routines.text import *
from tfnp.routines.tiling import *
from tfnp.routines.transposition import *
from tfnp.routines.ufuncs import *
from tfnp.routines.userfuncs import *
from tfnp.routines.vectorization import *
from tfnp.routines.windows import *

__version__ = "0.1.0"

_leave_unconverted(globals().values())
_leave_unconverted(vars(emath).values())
_leave_unconverted(vars(fft).values())
_leave_unconverted(vars(strings).values())

_HIDDEN = frozenset({"absences", "array_methods", "behavior", "routines"})


def __dir__() -> list[str]:
    """Return the public names: sub-packages that NumPy lacks are none."""
    return sorted(globals().keys() - _HIDDEN)


if not _typing.TYPE_CHECKING:  # to a type checker, what is not here is an error

    def __getattr__(name: str) -> _typing.NoReturn:
        raise _explain(name, globals())
