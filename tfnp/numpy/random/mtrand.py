"""`numpy.random.mtrand`: the legacy functions, and the state that they share, `_rand`."""
# ruff: noqa: F403 - every public name has its line in the `__all__` of its module

from typing import Any

from tfnp.numpy.lifting import lift
from tfnp.numpy.random import functions as _functions
from tfnp.numpy.random.functions import *
from tfnp.random import mtrand as _mtrand

__all__ = list(_functions.__all__)


def __getattr__(name: str) -> Any:
    if name == "_rand":
        return lift(_mtrand._rand)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
