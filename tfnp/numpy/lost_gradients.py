"""Warnings where the value of an array is read that a tape watches: what is calculated of it has no gradient."""

from __future__ import annotations

import sys
import warnings
from typing import Final

from tfnp._core.eager_tensors import executing_eagerly, is_watched
from tfnp.numpy.arrays import Array
from tfnp.numpy.policy import Policy

_PACKAGE: Final = "tfnp."


class LostGradientWarning(UserWarning):
    """A gradient is lost: the value of an array that a tape watches became a number, or NumPy's array."""


def report_lost(array: Array, conversion: str, advice: str) -> None:
    """Warn of a conversion that loses the gradient of an array, or raise TypeError, as `calculate_with` says.

    Python shows the warning once for each line.
    """
    if Policy.lost_gradients == "ignore" or not executing_eagerly() or not is_watched(array.tensor()):
        return
    message = f"{conversion} loses the gradient of an array that a tape watches: {advice}"
    if Policy.lost_gradients == "raise":
        raise TypeError(message)
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, LostGradientWarning, stacklevel=level)
