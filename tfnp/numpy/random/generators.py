"""The classes of random number generators, lifted."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from tfnp import random
from tfnp.numpy.lifting import lift, lift_function, lift_write, lower
from tfnp.numpy.numpy_calls import is_unsupported, to_numpy
from tfnp.numpy.objects import LiftedObject


def lift_draw(function: Callable[..., Any], *, is_legacy: bool = True) -> Any:
    """Return a function that draws numbers. As in NumPy, one float64 is a Python float, and one integer of a legacy
    function a Python int; with an empty `size` it is an array.
    """
    lifted, lifted_arrays = lift_function(function), lift_function(function, keeps_rank_0=True)

    @functools.wraps(function)
    def draw(*args: Any, **kwargs: Any) -> Any:
        if any(map(_has_no_items, (*args, kwargs.get("size")))):
            return lifted_arrays(*args, **kwargs)
        result = lifted(*args, **kwargs)
        if isinstance(result, np.float64 | np.bool_) or (is_legacy and isinstance(result, np.int64)):
            return result.item()
        return result

    return draw


def lift_selection(function: Callable[..., Any], *, is_legacy: bool = True) -> Any:
    """Return `choice` or `permutation`, which draws indices where no tensor can hold the items."""
    draw = lift_draw(function, is_legacy=is_legacy)

    @functools.wraps(function)
    def select(*args: Any, **kwargs: Any) -> Any:
        if not args or type(args[0]) is int or not is_unsupported(args[0]):
            return draw(*args, **kwargs)
        items, axis = np.asarray(to_numpy(args[0])), kwargs.get("axis", 0)
        indices = to_numpy(
            draw(items.shape[axis], *args[1:], **{name: kwargs[name] for name in kwargs if name != "axis"})
        )
        return items.take(indices, axis)

    return select


SELECTIONS: Final = frozenset(("choice", "permutation"))


def _has_no_items(value: Any) -> bool:
    return not value if isinstance(value, tuple | list) else getattr(value, "shape", None) == (0,)


class _Drawing(LiftedObject):
    """A generator: methods draw numbers, and `shuffle` changes its argument."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
        value = getattr(self._inner, name)
        if not callable(value) or isinstance(value, type):
            return lift(value)
        lift_method = lift_selection if name in SELECTIONS else lift_draw
        method = lift_method(value, is_legacy=isinstance(self, RandomState))
        object.__setattr__(self, name, method)
        return method

    def shuffle(self, x: Any, *args: Any, **kwargs: Any) -> None:
        """Shuffle an array, or a list, along its first axis, in place."""
        lift_write(self._inner.shuffle)(x, *args, **kwargs)


class _Method:
    """A method of NumPy's class in its place, of which an instance has its own."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: Any) -> Any:
        if instance is None:
            return self._of_class(getattr(owner._inner_class, self.name))
        return _Drawing.__getattr__(instance, self.name)

    def _of_class(self, value: Any) -> Any:
        """Return the method of the class, which is called with an instance."""
        if not callable(value):
            return value

        @functools.wraps(value)
        def call(instance: Any, /, *args: Any, **kwargs: Any) -> Any:
            return getattr(instance, self.name)(*args, **kwargs)

        return call


def override_methods(cls: type) -> type:
    """Have a subclass of NumPy's class draw by the methods of `tfnp`, not by those that it inherits."""
    for name in dir(cls):
        if not name.startswith("_") and name not in vars(_Drawing):
            method = _Method()
            method.__set_name__(cls, name)
            setattr(cls, name, method)
    return cls


@override_methods
class Generator(_Drawing, np.random.Generator):
    """A generator of random numbers that takes and returns arrays. It is one of NumPy's to other packages."""

    _inner_class = random.Generator


@override_methods
class RandomState(_Drawing, np.random.RandomState):
    """The legacy generator of random numbers. It is one of NumPy's to other packages."""

    _inner_class = random.RandomState


class BitGenerator(LiftedObject):
    """The base class of bit generators."""

    _inner_class = random.BitGenerator

    def random_raw(self, size: Any = None, output: Any = True) -> Any:
        """Return the words themselves: an array of uint64, one as a Python int, or None without `output`."""
        words = lift(self._inner.random_raw(lower(size), output))
        return words.item() if isinstance(words, np.generic) else words

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._inner, name, to_numpy(value))


class MT19937(BitGenerator):
    """NumPy's Mersenne twister."""

    _inner_class = random.MT19937


class PCG64(BitGenerator):
    """NumPy's permuted congruential generator, the default."""

    _inner_class = random.PCG64


class PCG64DXSM(BitGenerator):
    """NumPy's permuted congruential generator with another output function."""

    _inner_class = random.PCG64DXSM


class Philox(BitGenerator):
    """NumPy's counter-based generator."""

    _inner_class = random.Philox


class SFC64(BitGenerator):
    """NumPy's small fast chaotic generator."""

    _inner_class = random.SFC64


class TensorFlowPhilox(BitGenerator):
    """The bit generator of TensorFlow's own numbers, which NumPy does not have."""

    _inner_class = random.TensorFlowPhilox


def lift_default(function: Callable[..., Any]) -> Any:
    """Return `default_rng`, which returns a generator as it is, and one of the bit generator of a legacy one."""
    lifted = lift_function(function)

    @functools.wraps(function)
    def make(seed: Any = None) -> Any:
        if isinstance(seed, Generator):
            return seed
        return Generator(seed._inner._bit_generator) if isinstance(seed, RandomState) else lifted(seed)

    return make
