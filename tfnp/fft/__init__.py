"""Discrete Fourier transforms."""
# ruff: noqa: F403 - a front door; every public name has its line in the `__all__` of its topic

import numpy as _np

from tfnp._core.docs import document as _document
from tfnp.fft.frequencies import *
from tfnp.fft.transforms import *

_document(globals(), _np.fft, "tfnp.fft")
