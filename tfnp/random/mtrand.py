"""The legacy functions and the state that they share, `_rand`, by the name of NumPy's older module."""
# ruff: noqa: F403 - every public name has its line in the `__all__` of its module

from typing import Any

from tfnp.random import global_state as _global_state
from tfnp.random.global_state import *
from tfnp.random.random_state import RandomState

__all__ = list(_global_state.__all__)
__all__ += ["RandomState"]


def __getattr__(name: str) -> Any:
    if name == "_rand":  # another object after `set_bit_generator`
        return _global_state._random_state
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
