"""`numpy.random` of arrays."""
# ruff: noqa: F403 - every public name has its line in the `__all__` of its module

from tfnp.numpy.random import functions as _functions
from tfnp.numpy.random import mtrand as mtrand
from tfnp.numpy.random.functions import *

__all__ = list(_functions.__all__)
__all__ += ["mtrand"]
