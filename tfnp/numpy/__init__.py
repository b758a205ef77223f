"""NumPy's API for programs that were written for NumPy: `import tfnp.numpy as np`.

Arrays are mutable and have views, scalars and dtypes are NumPy's. Every function is that of `tfnp`, with its arguments
and results converted. What `tfnp` leaves out is NumPy's own, called with NumPy's arrays.
"""
# ruff: noqa: F401, F403 - a front door; every public name has its line in the `__all__` of its module

import sys as _sys
from typing import Any as _Any

from numpy import (
    False_,
    ScalarType,
    True_,
    e,
    euler_gamma,
    get_printoptions,
    index_exp,
    inf,
    info,
    little_endian,
    nan,
    ndindex,
    newaxis,
    pi,
    printoptions,
    s_,
    sctypeDict,
    set_printoptions,
    show_config,
    show_runtime,
    typecodes,
    typename,
)
from numpy import __version__ as __version__

import tfnp as _tfnp
from tfnp._core.autograph import leave_unconverted as _leave_unconverted
from tfnp.numpy import dtypes as dtypes
from tfnp.numpy import emath as emath
from tfnp.numpy import exceptions as exceptions
from tfnp.numpy import fft as fft
from tfnp.numpy import lib as lib
from tfnp.numpy import linalg as linalg
from tfnp.numpy import ma as ma
from tfnp.numpy import polynomial as polynomial
from tfnp.numpy import random as random
from tfnp.numpy import strings as strings
from tfnp.numpy import testing as testing
from tfnp.numpy import typing as typing
from tfnp.numpy import version as version
from tfnp.numpy.compilation import NotCompiledWarning as NotCompiledWarning
from tfnp.numpy.compilation import jit as jit
from tfnp.numpy.containers import broadcast as broadcast
from tfnp.numpy.containers import ndenumerate as ndenumerate
from tfnp.numpy.containers import nditer as nditer
from tfnp.numpy.containers import nested_iters as nested_iters
from tfnp.numpy.containers import poly1d as poly1d
from tfnp.numpy.containers import vectorize as vectorize
from tfnp.numpy.derivatives import grad as grad
from tfnp.numpy.derivatives import value_and_grad as value_and_grad
from tfnp.numpy.fallbacks import find_numpy_name as _find_numpy_name
from tfnp.numpy.fallbacks import name_functions as _name_functions
from tfnp.numpy.fallbacks import register_modules as _register_modules
from tfnp.numpy.flat import flatiter as flatiter
from tfnp.numpy.floating_errors import errstate as errstate
from tfnp.numpy.functions import *
from tfnp.numpy.layouts import may_share_memory as may_share_memory
from tfnp.numpy.layouts import shares_memory as shares_memory
from tfnp.numpy.mapping import vmap as vmap
from tfnp.numpy.multiarray import ndarray as ndarray
from tfnp.numpy.objects import Indexed as _Indexed
from tfnp.numpy.policy import calculate_with as calculate_with
from tfnp.numpy.specs import ArraySpec as ArraySpec
from tfnp.numpy.statements import explain_loops as explain_loops
from tfnp.numpy.ufuncs import ufunc as ufunc
from tfnp.numpy.universal import *
from tfnp.routines.scalar_types import *

c_ = _Indexed(_tfnp.c_)
mgrid = _Indexed(_tfnp.mgrid)
ogrid = _Indexed(_tfnp.ogrid)
r_ = _Indexed(_tfnp.r_)


_register_modules()
_name_functions(
    [
        *(_sys.modules[__name__], emath, fft, linalg, random, strings, polynomial.chebyshev, polynomial.hermite),
        *(polynomial.hermite_e, polynomial.laguerre, polynomial.legendre, polynomial.polynomial, polynomial.polyutils),
    ]
)


def __getattr__(name: str) -> _Any:
    return _find_numpy_name(name)
