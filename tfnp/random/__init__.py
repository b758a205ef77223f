"""Random number generation. Most distributions give NumPy's own values for the same seed, in every execution mode.

In eager mode on the CPU, NumPy itself draws uniform and normal numbers, integers and permutations, from the state of
the generator and back to it, and other distributions are computed with its arrays. In graphs, under XLA, within
`tf.device` and where there is an accelerator, TensorFlow's operations draw the same numbers, bit for bit.
"""
# ruff: noqa: F403, F405 - a front door; every public name has its line in the `__all__` of its topic

import numpy as _np

from tfnp._core.autograph import leave_unconverted as _leave_unconverted
from tfnp._core.docs import document as _document
from tfnp.random import mtrand as mtrand
from tfnp.random.bit_generators import *
from tfnp.random.generators import *
from tfnp.random.global_state import *
from tfnp.random.random_state import *
from tfnp.random.tensorflow_philox import *

_leave_unconverted(globals().values())

_document(globals(), _np.random, "tfnp.random")
for _owner in (*BitGenerator.__subclasses__(), BitGenerator, Generator, RandomState, *RandomState.__bases__):
    _document(vars(_owner), getattr(_np.random, _owner.__name__, _np.random.RandomState), "tfnp.random")
