"""The named tuples of NumPy's decompositions: its own classes, which it does not export."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

_ONE: Final = np.ones((1, 1))

EigResult: Final[Any] = type(np.linalg.eig(_ONE))
EighResult: Final[Any] = type(np.linalg.eigh(_ONE))
QRResult: Final[Any] = type(np.linalg.qr(_ONE))
SVDResult: Final[Any] = type(np.linalg.svd(_ONE))
SlogdetResult: Final[Any] = type(np.linalg.slogdet(_ONE))
