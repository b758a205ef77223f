"""The classes of random number generators, lifted."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from tfnp import random
from tfnp.numpy.lifting import lift_function, lift_write
from tfnp.numpy.objects import LiftedObject


def lift_draw(function: Callable[..., Any], *, is_legacy: bool = True) -> Any:
    """Return a function that draws numbers. As in NumPy, one float64 is a Python float, and one integer of a legacy
    function a Python int; with an empty `size` it is an array.
    """
    lifted, lifted_arrays = lift_function(function), lift_function(function, keeps_rank_0=True)

    @functools.wraps(function)
    def draw(*args: Any, **kwargs: Any) -> Any:
        if any(map(_has_no_items, (*args, kwargs.get("size")))):
            return lifted_arrays(*args, **kwargs)
        result = lifted(*args, **kwargs)
        if isinstance(result, np.float64 | np.bool_) or (is_legacy and isinstance(result, np.int64)):
            return result.item()
        return result

    return draw


def _has_no_items(value: Any) -> bool:
    return not value if isinstance(value, tuple | list) else getattr(value, "shape", None) == (0,)


class _Drawing(LiftedObject):
    """A generator: methods draw numbers, and `shuffle` changes its argument."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
        value = getattr(self._inner, name)
        if not callable(value) or isinstance(value, type):
            return value
        method = lift_draw(value, is_legacy=isinstance(self, RandomState))
        object.__setattr__(self, name, method)
        return method

    def shuffle(self, x: Any, *args: Any, **kwargs: Any) -> None:
        """Shuffle an array, or a list, along its first axis, in place."""
        lift_write(self._inner.shuffle)(x, *args, **kwargs)


class Generator(_Drawing):
    """A generator of random numbers that takes and returns arrays."""

    _inner_class = random.Generator


class RandomState(_Drawing):
    """The legacy generator of random numbers."""

    _inner_class = random.RandomState
