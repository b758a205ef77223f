"""Elementwise functions of `tf.string` tensors: on the CPU, in eager mode and in graphs, not under XLA."""
# ruff: noqa: F403 - a front door; every public name has its line in the `__all__` of its topic

import numpy as _np

from tfnp._core.docs import document as _document
from tfnp.strings.comparisons import *
from tfnp.strings.fields import *
from tfnp.strings.information import *
from tfnp.strings.operations import *

_document(globals(), _np.strings, "tfnp.strings")
