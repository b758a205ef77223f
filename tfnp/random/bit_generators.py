"""NumPy's bit generators, which yield NumPy's own words.

NumPy's classes seed them, and their states are read and written in NumPy's format. The attributes that expose memory
(`ctypes`, `cffi`, `capsule`) are left out.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Final

import numpy as np
import tensorflow as tf

from tfnp._core import shapes
from tfnp._core.parameters import IntLike, ShapeLike
from tfnp.random import permuted_congruence, philox, sampling, small_fast, twister
from tfnp.random.generator_state import State
from tfnp.random.host_streams import HostStream, draws_arrays
from tfnp.random.parameters import as_seed
from tfnp.random.streams import EXTRA_WORDS, Algorithm, Stream

__all__ = ["MT19937", "PCG64", "PCG64DXSM", "SFC64", "BitGenerator", "Philox", "SeedSequence"]

_NORMAL_WORDS: Final = 2
"""The last words of a state: the normal number that a RandomState has left over, which NumPy keeps elsewhere."""


class SeedSequence(np.random.SeedSequence):
    """NumPy's, also of a static tensor. Its arrays are NumPy's own, which bit generators written in C read."""

    def __init__(self, entropy: Any = None, **kwargs: Any) -> None:
        super().__init__(as_seed(entropy), **kwargs)


class BitGenerator:
    """Base class of the bit generators; subclasses define the algorithm and NumPy's class."""

    _algorithm: ClassVar[Algorithm]
    _host_class: ClassVar[Any] = None

    def __init__(self, seed: Any = None) -> None:
        if self._host_class is None:
            raise NotImplementedError("BitGenerator is a base class and cannot be instantized")
        self._adopt(self._host_class(as_seed(seed)))

    def _adopt(self, host: Any) -> None:
        """Continue from the state of a bit generator of NumPy's."""
        self._host = host
        self._host_copy: Any = None
        self._state = State(_encode_state(self._algorithm, host.state))

    @property
    def lock(self) -> threading.Lock:
        return self._state.lock

    @property
    def seed_seq(self) -> Any:
        return self._host.seed_seq

    @property
    def state(self) -> dict[str, Any]:
        """The state as NumPy's dict; it cannot be read while `tf.function` traces."""
        row = self._state.peek()
        size = self._algorithm.size
        inner = self._algorithm.decode(row[:size])
        buffer = {} if self._algorithm.bits == 32 else {"has_uint32": int(row[size]), "uinteger": int(row[size + 1])}
        return {"bit_generator": type(self).__name__, **inner, **buffer}

    @state.setter
    def state(self, value: dict[str, Any]) -> None:
        self._host.state = value  # validates it
        self._state.put(_encode_state(self._algorithm, self._host.state))

    def spawn(self, n_children: int) -> list[Any]:
        if not isinstance(self.seed_seq, np.random.bit_generator.ISpawnableSeedSequence):
            raise TypeError("The underlying SeedSequence does not implement spawning.")
        return [type(self)(child) for child in self.seed_seq.spawn(n_children)]

    def random_raw(self, size: ShapeLike | None = None, output: Any = True) -> tf.Tensor | None:
        """Return the words themselves, as uint64."""
        shape = () if size is None else shapes.as_shape(size)
        words = sampling.draw(self, draw_words, shape, bits=self._algorithm.bits)
        return words if output else None

    @property
    def _bit_generator(self) -> BitGenerator:
        return self

    def _sync_host(self) -> Any:
        """Return NumPy's generator, set to the state of this one."""
        self._host.state = self.state
        return self._host

    @contextmanager
    def _on_host(self) -> Iterator[HostStream]:
        """Yield a stream of a bit generator of NumPy's with this state, and then take over its state."""
        with self._state.lock:
            if self._host_copy is None:
                self._host_copy = self._host_class(0)
            has_normal, normal = self._state.peek()[-_NORMAL_WORDS:]
            self._host_copy.state = self.state
            stream = HostStream(self._host_copy, float(normal.view(np.float64)) if has_normal else None)
            yield stream
            row = _encode_state(self._algorithm, self._host_copy.state)
            if stream.saved_normal is not None:
                row[-_NORMAL_WORDS:] = 1, np.float64(stream.saved_normal).view(np.uint64)
            self._state.put(row)

    def __reduce__(self) -> Any:
        return _restore, (type(self), self.state, self.seed_seq)


@draws_arrays()
def draw_words(stream: Stream, count: shapes.Dim, *, bits: int) -> tf.Tensor:
    """Return random words of 64 or 32 bits."""
    return stream.uint64s(count) if bits == 64 else stream.uint32s(count)


class Philox(BitGenerator):
    """The words are NumPy's. They are fast to compute, since each is a function of a counter."""

    _algorithm = Algorithm("Philox", philox.BITS, philox.SIZE, philox.read, philox.encode, philox.decode)
    _host_class = np.random.Philox

    def __init__(self, seed: Any = None, counter: Any = None, key: Any = None) -> None:
        self._adopt(np.random.Philox(as_seed(seed), as_seed(counter), as_seed(key)))

    def advance(self, delta: Any) -> Philox:
        self.state = self._sync_host().advance(delta).state
        return self

    def jumped(self, jumps: IntLike = 1) -> Philox:
        return _wrap_host(Philox, self._sync_host().jumped(jumps))


class PCG64(BitGenerator):
    """The words are NumPy's. It is the default of `default_rng`."""

    _algorithm = Algorithm(
        "PCG64",
        permuted_congruence.BITS,
        permuted_congruence.SIZE,
        permuted_congruence.read,
        permuted_congruence.encode,
        permuted_congruence.decode,
    )
    _host_class = np.random.PCG64

    def __init__(self, seed: Any = None) -> None:
        super().__init__(seed)

    def advance(self, delta: Any) -> PCG64:
        self.state = self._sync_host().advance(delta).state
        return self

    def jumped(self, jumps: IntLike = 1) -> PCG64:
        return _wrap_host(PCG64, self._sync_host().jumped(jumps))


class PCG64DXSM(BitGenerator):
    """The words are NumPy's."""

    _algorithm = PCG64._algorithm._replace(name="PCG64DXSM", read=permuted_congruence.read_dxsm)
    _host_class = np.random.PCG64DXSM

    def __init__(self, seed: Any = None) -> None:
        super().__init__(seed)

    def advance(self, delta: Any) -> PCG64DXSM:
        self.state = self._sync_host().advance(delta).state
        return self

    def jumped(self, jumps: IntLike = 1) -> PCG64DXSM:
        return _wrap_host(PCG64DXSM, self._sync_host().jumped(jumps))


class MT19937(BitGenerator):
    """The words are NumPy's. It is the default of RandomState."""

    _algorithm = Algorithm("MT19937", twister.BITS, twister.SIZE, twister.read, twister.encode, twister.decode)
    _host_class = np.random.MT19937

    def __init__(self, seed: Any = None) -> None:
        super().__init__(seed)

    def jumped(self, jumps: IntLike = 1) -> MT19937:
        return _wrap_host(MT19937, self._sync_host().jumped(jumps))


class SFC64(BitGenerator):
    """The words are NumPy's, computed one after another: it is slower than the other bit generators."""

    _algorithm = Algorithm(
        "SFC64", small_fast.BITS, small_fast.SIZE, small_fast.read, small_fast.encode, small_fast.decode, True
    )
    _host_class = np.random.SFC64

    def __init__(self, seed: Any = None) -> None:
        super().__init__(seed)


BY_NAME: Final[dict[str, Any]] = {
    generator_class.__name__: generator_class for generator_class in (MT19937, PCG64, PCG64DXSM, Philox, SFC64)
}


def as_bit_generator(value: Any) -> BitGenerator:
    """Return a bit generator of tfnp's. One of NumPy's is converted, and does not advance."""
    if isinstance(value, BitGenerator):
        return value
    generator_class = BY_NAME.get(type(value).__name__)
    if isinstance(value, np.random.BitGenerator) and generator_class is not None:
        return _wrap_host(generator_class, value)
    raise AttributeError(f"{type(value).__name__!r} object has no attribute 'capsule'")


def _wrap_host(generator_class: Any, host: Any) -> Any:
    """Return a bit generator with the state of one of NumPy's."""
    generator = generator_class.__new__(generator_class)
    generator._adopt(host)
    return generator


def _restore(generator_class: Any, state: dict[str, Any], seeds: Any) -> Any:
    """Return a bit generator from its pickled state."""
    generator = generator_class(seeds)
    generator.state = state
    return generator


def _encode_state(algorithm: Algorithm, state: dict[str, Any]) -> np.ndarray:
    """Return NumPy's state dict encoded as a row of words."""
    left = [int(state.get("has_uint32", 0)), int(state.get("uinteger", 0))]
    extra = [*left, 0, 0]
    assert len(extra) == EXTRA_WORDS
    return np.array([*algorithm.encode(state), *extra], np.uint64)
