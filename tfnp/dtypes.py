"""The classes of NumPy's dtypes, those that no tensor has included: `tfnp.dtypes.Float64DType`."""
# ruff: noqa: F403 - which classes there are depends on the platform

from numpy import dtypes as _dtypes
from numpy.dtypes import *

__all__ = list(_dtypes.__all__)
