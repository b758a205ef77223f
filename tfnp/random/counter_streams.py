"""One counter-based random stream per element, so that a rejected proposal of one element does not shift the others.

Two words of the stream make a key. Philox under this key maps the index of the lane, the stage of the algorithm and the
attempt to four uniform numbers. So the stream advances by two words, however many attempts are made.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import shapes
from tfnp._core.shapes import Dim
from tfnp.random import arrays, elementary, philox, uint128
from tfnp.random.elementary import constant, mul
from tfnp.random.host_streams import HostStream
from tfnp.random.streams import Stream
from tfnp.random.uint128 import as_int64

MAX_ATTEMPTS: Final = 256  # each is accepted with probability above 1/2
MAX_ATTEMPTS_AT_ONCE: Final = 16  # of the few lanes that are left
FIRST_ATTEMPTS_AT_ONCE: Final = 6
LANES_AT_ONCE: Final = 1 << 14
"""Lanes of tensors in work at a time: with fewer, ops cost more than arithmetic; more do not fit into the cache."""
FEW_LANES: Final = 1024
"""Lanes for which arithmetic takes less time than the calls: there, a second round costs as much as the first."""
SPARSE: Final = 8
"""How many times as long it takes to draw the words of some lanes by arithmetic as those of all by NumPy."""
CALL: Final = 4000
"""Lanes that cost as much as a call, of either."""
_BITS_OF_ONE: Final = np.float64(1.0).view(np.uint64)

FourUniforms = Sequence[tf.Tensor]
Proposal = Callable[..., tuple[tf.Tensor, tf.Tensor]]


class Lanes:
    """A vector of independent streams under one key."""

    def __init__(self, stream: Stream, count: Dim) -> None:
        pair = stream.uint64s(2)
        self.key: Any = (pair[0], pair[1])
        self.count = count
        self.lane_ids = tf.bitcast(tf.range(as_int64(count)), uint128.WORD)

    def broadcast(self, value: tf.Tensor) -> tf.Tensor:
        """Return a vector of one value for each lane."""
        return value if value.shape.rank else tf.fill(shapes.shape_tensor((self.count,)), value)

    def words(self, stage: tf.Tensor | int, attempt: tf.Tensor | int = 0) -> Sequence[tf.Tensor]:
        """Return four random words per lane."""
        zero = tf.zeros_like(self.lane_ids)
        attempt_index = tf.bitcast(tf.cast(attempt, tf.int64), uint128.WORD)
        stage_index = tf.bitcast(tf.cast(stage, tf.int64), uint128.WORD)
        return philox.blocks((self.lane_ids, zero + attempt_index, zero + stage_index, zero), self.key)

    def uniforms(self, stage: tf.Tensor | int, attempt: tf.Tensor | int = 0) -> FourUniforms:
        """Return four uniform numbers per lane, strictly between 0 and 1."""
        return Uniforms(self.words(stage, attempt))

    def normals(self, stage: tf.Tensor | int, attempt: tf.Tensor | int = 0) -> tuple[tf.Tensor, tf.Tensor]:
        """Return a normal number and a uniform one per lane."""
        drawn = self.uniforms(stage, attempt)
        return box_muller(drawn[0], drawn[1]), drawn[2]

    def sample_until_accepted(
        self, stage: tf.Tensor | int, propose: Proposal, parameters: Sequence[Any], done: tf.Tensor, value: tf.Tensor
    ) -> tf.Tensor:
        """Return the first accepted proposal of each lane, or `value` for lanes that need none. A proposal is made of
        uniform numbers and of the parameters of its lane, and comes with a flag.
        """
        return self.draw_until_accepted(
            stage, lambda words, *arguments: propose(Uniforms(words), *arguments), parameters, done, value
        )

    def draw_until_accepted(
        self, stage: tf.Tensor | int, propose: Proposal, parameters: Sequence[Any], done: tf.Tensor, value: tf.Tensor
    ) -> tf.Tensor:
        """Return the same, of proposals that are made of words. Some lanes are in work at a time, each at its own
        attempt; where one ends, the next begins.
        """
        count = as_int64(self.count)
        others = tf.zeros((1,), value.dtype)

        def attempt(
            begun: tf.Tensor, lanes: tf.Tensor, attempts: tf.Tensor, results: tf.Tensor
        ) -> tuple[tf.Tensor, ...]:
            index = tf.minimum(lanes, count - 1)
            words = self._draw_words_of(lanes, stage, attempts)
            proposed, is_valid = propose(words, *(_gather_lanes(item, index) for item in parameters))
            is_done = _gather_lanes(done, index) | (lanes >= count)
            results = tf.tensor_scatter_nd_update(
                results, tf.where(is_valid & ~is_done, lanes, count)[:, None], proposed
            )
            is_free = is_valid | is_done | (attempts == MAX_ATTEMPTS - 1)
            begins = tf.cast(is_free, tf.int64)
            lanes = tf.where(is_free, begun + tf.cumsum(begins) - 1, lanes)
            attempts = tf.where(is_free, tf.zeros_like(attempts), attempts + 1)
            return begun + tf.reduce_sum(begins), lanes, attempts, results

        first = tf.range(tf.minimum(count, LANES_AT_ONCE))
        start = (tf.size(first, tf.int64), first, tf.zeros_like(first), tf.concat([self.broadcast(value), others], 0))
        results = tf.while_loop(lambda _, lanes, *__: tf.reduce_any(lanes < count), attempt, start)[-1]
        return results[:-1]

    def _draw_words_of(self, lanes: tf.Tensor, stage: tf.Tensor | int, attempts: tf.Tensor) -> Sequence[tf.Tensor]:
        """Return four random words of some lanes, each at its own attempt."""
        ids = tf.bitcast(lanes, uint128.WORD)
        stage_index = tf.bitcast(tf.cast(stage, tf.int64), uint128.WORD)
        zero = tf.zeros_like(ids)
        return philox.blocks((ids, tf.bitcast(attempts, uint128.WORD), zero + stage_index, zero), self.key)


class HostLanes(Lanes):
    """Lanes whose numbers are arrays: the part of a draw that its stream is at. Rejected lanes alone draw again."""

    def __init__(self, stream: HostStream, count: int) -> None:
        self.key = stream.lane_key()
        self.count = count
        self.first = stream.first
        self._philox = stream.philox

    def broadcast(self, value: np.ndarray) -> np.ndarray:
        """Return the value, which arithmetic of arrays broadcasts."""
        return value

    def words(self, stage: int, attempt: int = 0, block: slice = slice(None)) -> Any:
        first, stop, _ = block.indices(self.count)
        counter = self.first + first + (attempt << 64) + (int(stage) << 128)
        return philox.draw_rows(self._philox, counter, self.key, stop - first).T

    def draw_until_accepted(
        self, stage: int, propose: Proposal, parameters: Sequence[Any], done: np.ndarray, value: np.ndarray
    ) -> np.ndarray:
        result = np.array(np.broadcast_to(value, (self.count,)))
        lanes = np.flatnonzero(~np.broadcast_to(done, (self.count,)))
        attempt, at_once = 0, max(1, min(FEW_LANES // max(self.count, 1), FIRST_ATTEMPTS_AT_ONCE))
        while lanes.size and attempt < MAX_ATTEMPTS:
            arguments = [item if np.ndim(item) == 0 or lanes.size == self.count else item[lanes] for item in parameters]
            draw_block = self._make_drawer(stage, attempt, at_once, lanes)
            proposed, is_valid = _propose_in_blocks(propose, draw_block, lanes.size, arguments)
            if at_once > 1:
                first = is_valid.argmax(0), np.arange(lanes.size)  # the first attempt that is accepted
                proposed, is_valid = proposed[first], is_valid[first]
            attempt, tried, left = attempt + at_once, lanes.size, np.flatnonzero(~is_valid)
            if tried == self.count:
                result, result[left] = proposed, result[left]
            else:
                result[lanes[is_valid]] = proposed[is_valid]
            lanes = lanes[left]
            at_once = min(_choose_attempts(lanes.size / tried, lanes.size, self.count), MAX_ATTEMPTS - attempt)
        return result

    def _make_drawer(self, stage: int, attempt: int, at_once: int, lanes: np.ndarray) -> Callable[[slice], Any]:
        """Return a function that gives the words of a block of lanes. Those of all are drawn block by block."""
        if at_once == 1 and lanes.size == self.count:
            return lambda block: self.words(stage, attempt, block)
        words = self._draw_words(stage, attempt, at_once, lanes)
        return lambda block: [word[..., block] for word in words]

    def _draw_words(self, stage: int, attempt: int, at_once: int, lanes: np.ndarray) -> Any:
        """Return four words of each lane, with a row for each attempt if there are several."""
        rows_cost = at_once * (CALL + self.count)
        if rows_cost < SPARSE * (CALL + at_once * lanes.size):
            words = self.words(stage, attempt)
            if at_once > 1:
                others = (self.words(stage, other) for other in range(attempt + 1, attempt + at_once))
                return np.stack([words[:, lanes], *(other[:, lanes] for other in others)], 1)
            return words if lanes.size == self.count else words[:, lanes]
        attempts = np.arange(attempt, attempt + at_once, dtype=np.uint64)
        ids = (lanes + self.first).astype(np.uint64)
        counter = (ids, attempts[:, None] if at_once > 1 else attempts[0], np.uint64(stage), np.uint64(0))
        return philox.blocks(counter, (self.key[0], self.key[1]))


def _gather_lanes(parameter: Any, lanes: tf.Tensor) -> Any:
    """Return the values of some lanes; a scalar is that of all."""
    return tf.gather(parameter, lanes) if np.ndim(parameter) else parameter


def _propose_in_blocks(
    propose: Proposal, draw_block: Callable[[slice], Any], count: int, arguments: list[Any]
) -> tuple[np.ndarray, np.ndarray]:
    """Return proposals and their flags, made of blocks of lanes, so that what is between stays in the cache."""
    proposed: Any = None
    is_valid: Any = None
    for first in range(0, max(count, 1), arrays.BLOCK):
        block = slice(first, first + arrays.BLOCK)
        parts = [item if np.ndim(item) == 0 else item[block] for item in arguments]
        values, flags = propose(draw_block(block), *parts)
        if proposed is None:
            rows = np.shape(flags)[:-1]
            proposed, is_valid = np.empty((*rows, count), np.asarray(values).dtype), np.empty((*rows, count), bool)
        proposed[..., block], is_valid[..., block] = values, flags
    return proposed, is_valid


def make_lanes(stream: Any, count: Dim) -> Lanes:
    """Return the lanes of a draw."""
    return HostLanes(stream, count) if isinstance(stream, HostStream) else Lanes(stream, count)


def _choose_attempts(rejection: float, left: int, count: int) -> int:
    """Return how many attempts to make at once, so that most likely all lanes that are left accept one."""
    if left == 0 or rejection >= 1.0:
        return 1
    enough = math.ceil(math.log(2 * left) / -math.log(rejection))
    return max(1, min(enough, MAX_ATTEMPTS_AT_ONCE, max(count // SPARSE, arrays.BLOCK) // left))


class Uniforms(Sequence):
    """The uniform numbers that words make, each computed when it is asked for."""

    def __init__(self, words: Sequence[tf.Tensor]) -> None:
        self._words = words

    def __len__(self) -> int:
        return len(self._words)

    def __getitem__(self, index: Any) -> tf.Tensor:
        return _to_unit_interval(self._words[index])


def box_muller(first: tf.Tensor, second: tf.Tensor) -> tf.Tensor:
    """Return a normal number, computed from two uniform ones (Box and Muller 1958)."""
    return mul(elementary.sqrt(mul(constant(-2.0), elementary.log(first))), elementary.cos_turns(second))


def _to_unit_interval(row: tf.Tensor) -> tf.Tensor:
    if not arrays.has_tensor(row):
        bits = row >> np.uint64(12)
        bits |= _BITS_OF_ONE
        result = bits.view(np.float64)
        result -= 1.0 - 2.0**-53  # exact, as are the operations on tensors
        return result
    steps = tf.cast(tf.bitcast(uint128.shift_right(row, 12), tf.int64), tf.float64)
    return (2.0 * steps + 1.0) * 2.0**-53
