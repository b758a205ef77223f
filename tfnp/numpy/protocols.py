"""NumPy's lifted functions and ufuncs, called with arrays (NEP 13 and NEP 18).

The function of the same name of this namespace is called; where there is none, NumPy's, with NumPy's arrays. Libraries
that pass their arrays on to compiled code get NumPy's own, if the elements are known and have no gradient.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from tfnp.numpy.arrays import Array
from tfnp.numpy.callers import is_of_library
from tfnp.numpy.numpy_calls import to_numpy
from tfnp.numpy.policy import count
from tfnp.numpy.ufuncs import find_override


def call_numpy_function(self: Any, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
    """Implement `__array_function__`."""
    lifted = find_lifted(func)
    if lifted is None or is_of_library(sys._getframe(1), [*args, *kwargs.values()]):
        count(func.__name__, "called by a library")
        return func(*to_numpy(args), **to_numpy(kwargs))
    return lifted(*args, **kwargs)


def call_numpy_ufunc(self: Any, numpy_ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
    """Implement `__array_ufunc__`."""
    lifted = getattr(sys.modules["tfnp.numpy"], numpy_ufunc.__name__, None)
    outputs = kwargs.get("out", ())
    if find_override(inputs) is not None:
        return NotImplemented
    if is_of_library(sys._getframe(1), [*inputs]) and not any(isinstance(out, Array) for out in outputs):
        count(numpy_ufunc.__name__, "called by a library")
        return getattr(numpy_ufunc, method)(*to_numpy(inputs), **to_numpy(kwargs))
    if lifted is None or (outputs and not all(isinstance(out, Array) for out in outputs if out is not None)):
        return getattr(numpy_ufunc, method)(*to_numpy(inputs), **to_numpy(kwargs))
    return (lifted if method == "__call__" else getattr(lifted, method))(*inputs, **kwargs)


def find_lifted(function: Any) -> Any:
    """Return the function of this namespace for one of NumPy's; None if there is none."""
    module = sys.modules.get("tfnp." + function.__module__)
    lifted = None if module is None else getattr(module, function.__name__, None)
    return None if lifted is function else lifted
