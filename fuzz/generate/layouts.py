"""Memory layouts: each function returns the same elements in other memory, given a C-ordered array."""

from __future__ import annotations

from collections.abc import Callable

import ml_dtypes
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)


def reversed_(plain: np.ndarray) -> np.ndarray:
    return plain[..., ::-1] if plain.ndim else plain


def backward(plain: np.ndarray) -> np.ndarray:
    """Return the same array with negative strides."""
    return reversed_(reversed_(plain).copy())


def transposed(plain: np.ndarray) -> np.ndarray:
    return np.asfortranarray(plain) if plain.ndim else plain  # NumPy makes a vector of a scalar


def spread(plain: np.ndarray) -> np.ndarray:
    """Return the array as every other element of a larger one."""
    if not plain.ndim:
        return plain
    room = np.zeros((*plain.shape[:-1], 2 * plain.shape[-1]), plain.dtype)[..., ::2]
    room[...] = plain
    return room


def stretched(plain: np.ndarray) -> np.ndarray:
    """Return the first row repeated with a stride of zero, read-only as `np.broadcast_to` makes it."""
    return np.broadcast_to(plain[:1], plain.shape) if plain.ndim and plain.shape[0] else plain


def windowed(plain: np.ndarray) -> np.ndarray:
    """Return matrices whose rows are windows on a vector, read-only as `sliding_window_view` makes them."""
    if plain.ndim < 2 or not plain.size:
        return plain
    *batch, rows, length = plain.shape
    vectors = plain.reshape(*batch, rows * length)[..., : rows + length - 1].copy()
    return sliding_window_view(vectors, length, -1)


def misaligned(plain: np.ndarray) -> np.ndarray:
    if plain.dtype.alignment == 1 or not plain.size:
        return plain
    shifted = np.ndarray(plain.shape, plain.dtype, np.zeros(plain.nbytes + 64, np.uint8), 1)
    shifted[...] = plain
    return shifted


def swapped(plain: np.ndarray) -> np.ndarray:
    """Return the same array in the other byte order."""
    return plain if plain.dtype == BFLOAT16 else plain.astype(plain.dtype.newbyteorder())


def protected(plain: np.ndarray) -> np.ndarray:
    """Return the same array, read-only."""
    plain.flags.writeable = False
    return plain


Layout = Callable[[np.ndarray], np.ndarray]
USUAL: dict[Layout | None, int] = {None: 88, transposed: 4, spread: 4, reversed_: 4}
"""How often each comes in an ordinary call; None leaves the array as it is."""
UNUSUAL: dict[Layout | None, int] = {
    None: 10,
    reversed_: 16,
    transposed: 14,
    spread: 14,
    stretched: 8,
    windowed: 8,
    misaligned: 8,
    swapped: 18,
    protected: 12,
}
"""How often each comes in a call that may have unusual layouts."""
EXACT: dict[Layout, Layout] = {reversed_: backward, stretched: backward, windowed: backward}
"""What stands for the layouts that do not keep every element where that matters."""
