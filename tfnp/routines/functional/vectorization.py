"""Functions of numbers made functions of arrays: a call for each element, or for each part that a signature names.

Where NumPy gives the function Python numbers, here it is given tensors, without dimensions unless the signature asks
for some; what it returns may be anything array-like. Eagerly it is called once for each; in a graph it runs in a loop
of the graph. It is no faster than that: what calls functions of `tfnp` alone, mostly needs no `vectorize`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, shapes
from tfnp._core.convert import to_tensor
from tfnp.routines.functional.along_axes import Tensors, call_for_each

__all__ = ["vectorize"]

NOTHING: Final = np._NoValue
_CORE: Final = r"\((?:\w+(?:,\w+)*)?\)"
_SIGNATURE: Final = re.compile(rf"^{_CORE}(?:,{_CORE})*->{_CORE}(?:,{_CORE})*$")

Core = tuple[str, ...]


class vectorize:  # noqa: N801 - NumPy's name
    """`otypes` may name any dtype that a tensor has, as letters or as dtypes. `cache` makes no difference: eagerly no
    call is made twice.
    """

    def __init__(
        self,
        pyfunc: Any = NOTHING,
        otypes: Any = None,
        doc: Any = None,
        excluded: Any = None,
        cache: Any = False,
        signature: Any = None,
    ) -> None:
        if pyfunc is not NOTHING and not callable(pyfunc):
            raise TypeError("When used as a decorator, only accepts keyword arguments.")
        self.otypes = _as_dtypes(otypes)
        self.excluded = set() if excluded is None else set(excluded)
        self.cache, self.signature, self._doc = cache, signature, doc
        self._cores = None if signature is None else _parsed(signature)
        self.pyfunc = pyfunc
        self._take(pyfunc)

    def _take(self, function: Any) -> None:
        self.pyfunc = function
        self.__name__ = getattr(function, "__name__", "vectorize")
        self.__doc__ = getattr(function, "__doc__", None) if self._doc is None else self._doc

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.pyfunc is NOTHING:
            self._take(args[0])
            return self
        indices = [number for number in range(len(args)) if number not in self.excluded]
        names = [name for name in kwargs if name not in self.excluded]
        if not indices and not names:
            return self.pyfunc(*args, **kwargs)

        def call(*values: Any) -> Any:
            filled, named = list(args), dict(kwargs)
            for number, value in zip(indices, values, strict=False):
                filled[number] = value
            named.update(zip(names, values[len(indices) :], strict=True))
            return self.pyfunc(*filled, **named)

        operands = [to_tensor(args[number]) for number in indices] + [to_tensor(kwargs[name]) for name in names]
        return self._spread(call, operands)

    def _spread(self, call: Callable[..., Any], operands: list[tf.Tensor]) -> Any:
        inputs, outputs = self._cores or ([()] * len(operands), None)
        if len(operands) != len(inputs):
            raise TypeError(f"wrong number of positional arguments: expected {len(inputs)}, got {len(operands)}")
        static: dict[str, shapes.Dim] = {}
        outer = [_without_core(tensor, core, static) for tensor, core in zip(operands, inputs, strict=True)]
        shape = shapes.broadcast_shapes(*outer)
        if any(isinstance(dim, int) and dim == 0 for dim in shape):
            return self._nothing(shape, outputs, static)
        columns = tuple(
            _column(tensor, shape, own, layout.product(shape)) for tensor, own in zip(operands, outer, strict=True)
        )
        several = [False]
        found = call_for_each(lambda *values: self._results(call(*values), outputs, static, several), columns)
        results = tuple(shapes.reshape(one, (*shape, *shapes.shape(one)[1:])) for one in found)
        return results if several[0] else results[0]

    def _results(self, value: Any, outputs: list[Core] | None, static: dict[str, Any], several: list[bool]) -> Tensors:
        """What one call returned, as tensors."""
        several[0] = isinstance(value, tuple) if outputs is None else len(outputs) > 1
        values = value if isinstance(value, tuple) and several[0] else (value,)
        if outputs is not None and len(values) != len(outputs):
            raise ValueError(f"wrong number of outputs from pyfunc: expected {len(outputs)}, got {len(values)}")
        tensors = tuple(to_tensor(one) for one in values)
        for tensor, core in zip(tensors, outputs or [()] * len(tensors), strict=True):
            if shapes.rank(tensor) != len(core):
                raise ValueError(
                    f"pyfunc returned an array of {tensor.shape.rank} dimensions where {len(core)} are due"
                )
            _check_core(core, shapes.shape(tensor), static)
        if self.otypes is None:
            return tensors
        return tuple(convert.cast(tensor, dtype) for tensor, dtype in zip(tensors, self.otypes, strict=False))

    def _nothing(self, shape: tuple[shapes.Dim, ...], outputs: list[Core] | None, static: dict[str, Any]) -> Any:
        """The results of no call at all."""
        if self.otypes is None:
            raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
        cores = outputs or [()] * len(self.otypes)
        if any(name not in static for core in cores for name in core):
            raise ValueError(
                "cannot call `vectorize` with a signature including new output dimensions on size 0 inputs"
            )
        results = tuple(
            tf.zeros(shapes.shape_tensor((*shape, *(static[name] for name in core))), dtype)
            for core, dtype in zip(cores, self.otypes, strict=False)
        )
        return results if len(results) > 1 else results[0]


def _as_dtypes(otypes: Any) -> list[tf.DType] | None:
    if otypes is None:
        return None
    if not np.iterable(otypes):
        raise ValueError("Invalid otype specification")
    if isinstance(otypes, str) and any(letter not in np.typecodes["All"] for letter in otypes):
        raise ValueError(f"Invalid otype specified: {otypes}")
    return [dtypes.as_dtype(one) for one in otypes]


def _parsed(signature: Any) -> tuple[list[Core], list[Core]]:
    text = re.sub(r"\s+", "", signature)
    if not _SIGNATURE.match(text):
        raise ValueError(f"not a valid gufunc signature: {text}")
    inputs, outputs = ([tuple(re.findall(r"\w+", core)) for core in re.findall(_CORE, dim)] for dim in text.split("->"))
    return inputs, outputs


def _without_core(tensor: tf.Tensor, core: Core, static: dict[str, shapes.Dim]) -> tuple[shapes.Dim, ...]:
    """The sides over which calls are made; those of the core are kept in `known`."""
    shape = shapes.shape(tensor)
    if len(shape) < len(core):
        raise ValueError(f"{len(shape)}-dimensional argument does not have enough dimensions for all core dimensions")
    cut = len(shape) - len(core)
    _check_core(core, shape[cut:], static)
    return shape[:cut]


def _check_core(core: Core, shape: tuple[shapes.Dim, ...], static: dict[str, shapes.Dim]) -> None:
    for name, dim in zip(core, shape, strict=True):
        other = static.setdefault(name, dim)
        if isinstance(dim, int) and isinstance(other, int) and dim != other:
            raise ValueError(f"inconsistent size for core dimension {name!r}: {dim!r} vs {other!r}")


def _column(
    tensor: tf.Tensor, shape: tuple[shapes.Dim, ...], own: tuple[shapes.Dim, ...], count: shapes.Dim
) -> tf.Tensor:
    """The parts that calls are given, one after another."""
    core = shapes.shape(tensor)[len(own) :]
    return shapes.reshape(shapes.broadcast_to(tensor, (*shape, *core)), (count, *core))
