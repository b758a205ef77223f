"""NumPy's API on TensorFlow: arrays are plain tensors."""

from tfnp.routines.ufuncs import *  # noqa: F403 - each name has its line in the topic's __all__

__version__ = "0.1.0"
