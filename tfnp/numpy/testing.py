"""`numpy.testing`, which also compares arrays, tensors and variables. Other names are those of NumPy."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from tfnp import testing
from tfnp.numpy.arrays import Array

__all__ = list(np.testing.__all__)
__path__: list[str] = []  # a package, whose submodules are NumPy's


def _compare_arrays(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with arguments that may be arrays, also in lists, tuples and dictionaries."""

    @functools.wraps(function)
    def compare(*args: Any, **kwargs: Any) -> Any:
        return function(*map(_as_numpy, args), **{name: _as_numpy(value) for name, value in kwargs.items()})

    return compare


def _as_numpy(value: Any) -> Any:
    if isinstance(value, Array):
        return value.memory()
    if type(value) is list or type(value) is tuple:
        return type(value)(map(_as_numpy, value))
    return {key: _as_numpy(item) for key, item in value.items()} if type(value) is dict else value


assert_allclose = _compare_arrays(testing.assert_allclose)
assert_almost_equal = _compare_arrays(testing.assert_almost_equal)
assert_approx_equal = _compare_arrays(testing.assert_approx_equal)
assert_array_almost_equal = _compare_arrays(testing.assert_array_almost_equal)
assert_array_almost_equal_nulp = _compare_arrays(testing.assert_array_almost_equal_nulp)
assert_array_equal = _compare_arrays(testing.assert_array_equal)
assert_array_less = _compare_arrays(testing.assert_array_less)
assert_array_max_ulp = _compare_arrays(testing.assert_array_max_ulp)
assert_equal = _compare_arrays(testing.assert_equal)


def __getattr__(name: str) -> Any:
    return getattr(np.testing, name)
