"""NumPy's constants. They are plain Python objects, so that they are weak beside a tensor."""

from __future__ import annotations

import sys
from typing import Final

import numpy as np

__all__ = ["False_", "True_", "e", "euler_gamma", "inf", "little_endian", "nan", "newaxis", "pi"]

pi: Final[float] = np.pi
e: Final[float] = np.e
euler_gamma: Final[float] = np.euler_gamma
inf: Final[float] = np.inf
nan: Final[float] = np.nan
newaxis: Final[None] = None
True_: Final = np.True_
False_: Final = np.False_
little_endian: Final[bool] = sys.byteorder == "little"
