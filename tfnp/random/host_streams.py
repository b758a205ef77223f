"""A stream that a bit generator of NumPy's draws, as arrays: what `Stream` is for tensors."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Final

import numpy as np

from tfnp.random.streams import fractions_float64

Sampler = Callable[..., Any]


def draws_arrays(*, in_parts: bool = True, from_lanes: bool = False) -> Callable[[Sampler], Sampler]:
    """Return a decorator of samplers that also draw arrays, from a `HostStream`: part by part, if a long draw has the
    numbers of short ones, one after another; and if they draw from lanes alone, from a `KeyStream`.
    """

    def mark(sampler: Any) -> Any:  # a function, which gets attributes
        sampler.draws_in_parts = in_parts
        sampler.draws_from_lanes = from_lanes
        return sampler

    return mark


ROWS: Final = 1 << 14
"""Vectors of a draw that samplers compute at once."""


class HostStream:
    """The words that follow in a bit generator of NumPy's, which advances. Samplers read it part by part.

    `first` is the index of the first element of the part in the draw that it belongs to.
    """

    def __init__(self, bit_generator: Any, saved_normal: float | None) -> None:
        self.bit_generator = bit_generator
        self.generator = np.random.Generator(bit_generator)
        self._is_short = isinstance(bit_generator, np.random.MT19937)
        """Whether a word of the bit generator has 32 bits."""
        self._key: np.ndarray | None = None
        self.first = 0
        self.saved_normal = saved_normal

    def uint32s(self, count: int) -> np.ndarray:
        """Return words whose upper half is zero."""
        return self.generator.integers(0, 2**32, count, np.uint32).astype(np.uint64)

    def uint64s(self, count: int) -> np.ndarray:
        if not self._is_short:
            return self.bit_generator.random_raw(count)
        halves = self.bit_generator.random_raw(2 * count).reshape(-1, 2)
        return (halves[:, 0] << np.uint64(32)) | halves[:, 1]

    def skip(self, count: int, short: bool) -> None:
        """Pass over words; `short` ones have 32 bits."""
        if short:
            self.generator.integers(0, 2**32, count, np.uint32)
        else:
            self.bit_generator.random_raw(2 * count if self._is_short else count, output=False)

    def doubles(self, count: int) -> np.ndarray:
        return self.generator.random(count)

    def floats(self, count: int) -> np.ndarray:
        return self.generator.random(count, np.float32)

    def fractions(self, row: np.ndarray) -> np.ndarray:
        return fractions_float64(row, 32 if self._is_short else 64)

    def normals(self, count: int, short: bool) -> np.ndarray:
        """Return normal numbers by NumPy's ziggurat, as float64."""
        return self.generator.standard_normal(count, np.float32 if short else np.float64).astype(np.float64)

    @cached_property
    def philox(self) -> np.random.Philox:
        """The bit generator that draws the words of lanes."""
        return np.random.Philox(0)

    def draw_rows(self, rows: int, lanes_of_row: int, draw: Callable[[slice], np.ndarray]) -> np.ndarray:
        """Return the flat results of `draw` for ranges of rows, one after another."""
        parts = []
        for first in range(0, max(rows, 1), ROWS):
            self.first = first * lanes_of_row
            parts.append(draw(slice(first, min(first + ROWS, rows))))
        return np.concatenate(parts)

    def lane_key(self) -> np.ndarray:
        """Return the two words that are the key of all lanes of a draw."""
        if self._key is None:
            self._key = self.uint64s(2)
        return self._key


class KeyStream(HostStream):
    """The key of the lanes of one draw, from a generator that NumPy does not have."""

    def __init__(self, key: np.ndarray) -> None:
        self._key = key
        self.first = 0
