"""NumPy's testing functions, which also compare tensors and variables. Other names are those of `numpy.testing`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core.text import decode

__all__ = list(np.testing.__all__)


def _compare_arrays(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with arguments that may be tensors and variables, also in lists, tuples and dictionaries."""

    @functools.wraps(function)
    def compare(*args: Any, **kwargs: Any) -> Any:
        return function(*map(_as_array, args), **{key: _as_array(value) for key, value in kwargs.items()})

    return compare


def _as_array(value: Any) -> Any:
    """Replace tensors and variables by NumPy arrays."""
    if isinstance(value, tf.Tensor | tf.Variable):
        return decode(value.numpy()) if value.dtype == tf.string else value.numpy()
    if type(value) is list or type(value) is tuple:
        return type(value)(map(_as_array, value))
    return {key: _as_array(item) for key, item in value.items()} if type(value) is dict else value


assert_allclose = _compare_arrays(np.testing.assert_allclose)
assert_almost_equal = _compare_arrays(np.testing.assert_almost_equal)
assert_approx_equal = _compare_arrays(np.testing.assert_approx_equal)
assert_array_almost_equal = _compare_arrays(np.testing.assert_array_almost_equal)
assert_array_almost_equal_nulp = _compare_arrays(np.testing.assert_array_almost_equal_nulp)
assert_array_equal = _compare_arrays(np.testing.assert_array_equal)
assert_array_less = _compare_arrays(np.testing.assert_array_less)
assert_array_max_ulp = _compare_arrays(np.testing.assert_array_max_ulp)
assert_equal = _compare_arrays(np.testing.assert_equal)


def __getattr__(name: str) -> Any:
    return getattr(np.testing, name)
