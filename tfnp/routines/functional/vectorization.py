"""`vectorize`: a function of scalars called for each element, or for each part that a signature names.

The function is called with tensors, scalar ones unless the signature has core dimensions; it may return anything
array-like. Eagerly it is called once for each; in a graph it runs in a loop of the graph.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, shapes
from tfnp._core.autograph import convert_user_function
from tfnp._core.convert import to_tensor
from tfnp._core.ufunc.options import NO_VALUE
from tfnp.routines.functional.along_axes import Tensors, call_for_each

__all__ = ["vectorize"]


_CORE: Final = r"\((?:\w+(?:,\w+)*)?\)"
_SIGNATURE: Final = re.compile(rf"^{_CORE}(?:,{_CORE})*->{_CORE}(?:,{_CORE})*$")

Core = tuple[str, ...]


class vectorize:  # noqa: N801 - NumPy's name
    """The function is called with tensors, once for each element; in a graph it is traced and runs in a loop. A
    function that only calls `tfnp` mostly needs no `vectorize`.

    `otypes` may name any dtype that a tensor has. `cache` has no effect: eagerly no call is made twice.
    """

    def __init__(
        self,
        pyfunc: Any = NO_VALUE,
        otypes: Any = None,
        doc: str | None = None,
        excluded: Any = None,
        cache: bool = False,
        signature: Any = None,
    ) -> None:
        if pyfunc is not NO_VALUE and not callable(pyfunc):
            raise TypeError("When used as a decorator, only accepts keyword arguments.")
        self.otypes = _as_dtypes(otypes)
        self.excluded = set() if excluded is None else set(excluded)
        self.cache, self.signature, self._doc = cache, signature, doc
        self._cores = None if signature is None else _parse_signature(signature)
        self.pyfunc = pyfunc
        self._set_function(pyfunc)

    def _set_function(self, function: Any) -> None:
        self.pyfunc = function
        self.__name__ = getattr(function, "__name__", "vectorize")
        self.__doc__ = getattr(function, "__doc__", None) if self._doc is None else self._doc

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.pyfunc is NO_VALUE:
            self._set_function(args[0])
            return self
        indices = [index for index in range(len(args)) if index not in self.excluded]
        names = [name for name in kwargs if name not in self.excluded]
        pyfunc = convert_user_function(self.pyfunc)
        if not indices and not names:
            return pyfunc(*args, **kwargs)

        def call(*values: Any) -> Any:
            call_args, call_kwargs = list(args), dict(kwargs)
            for index, value in zip(indices, values, strict=False):
                call_args[index] = value
            call_kwargs.update(zip(names, values[len(indices) :], strict=True))
            return pyfunc(*call_args, **call_kwargs)

        operands = [to_tensor(args[index]) for index in indices] + [to_tensor(kwargs[name]) for name in names]
        return self._call_for_each(call, operands)

    def _call_for_each(self, call: Callable[..., Any], operands: list[tf.Tensor]) -> Any:
        inputs, outputs = self._cores or ([()] * len(operands), None)
        if len(operands) != len(inputs):
            raise TypeError(f"wrong number of positional arguments: expected {len(inputs)}, got {len(operands)}")
        core_dims: dict[str, shapes.Dim] = {}
        outer = [_split_loop_shape(tensor, core, core_dims) for tensor, core in zip(operands, inputs, strict=True)]
        shape = shapes.broadcast_shapes(*outer)
        if any(isinstance(dim, int) and dim == 0 for dim in shape):
            return self._make_empty(shape, outputs, core_dims)
        columns = tuple(
            _broadcast_core(tensor, shape, loop_shape, layout.product(shape))
            for tensor, loop_shape in zip(operands, outer, strict=True)
        )
        has_several_outputs = [False]
        stacked = call_for_each(
            lambda *values: self._as_results(call(*values), outputs, core_dims, has_several_outputs), columns
        )
        results = tuple(shapes.reshape(result, (*shape, *shapes.shape(result)[1:])) for result in stacked)
        return results if has_several_outputs[0] else results[0]

    def _as_results(
        self, value: Any, outputs: list[Core] | None, core_dims: dict[str, Any], has_several_outputs: list[bool]
    ) -> Tensors:
        """Return the results of one call as tensors."""
        has_several_outputs[0] = isinstance(value, tuple) if outputs is None else len(outputs) > 1
        values = value if isinstance(value, tuple) and has_several_outputs[0] else (value,)
        if outputs is not None and len(values) != len(outputs):
            raise ValueError(f"wrong number of outputs from pyfunc: expected {len(outputs)}, got {len(values)}")
        tensors = tuple(to_tensor(item) for item in values)
        for tensor, core in zip(tensors, outputs or [()] * len(tensors), strict=True):
            if shapes.rank(tensor) != len(core):
                raise ValueError(f"pyfunc returned an array of {tensor.shape.rank} dimensions, expected {len(core)}")
            _check_core(core, shapes.shape(tensor), core_dims)
        if self.otypes is None:
            return tensors
        return tuple(convert.cast(tensor, dtype) for tensor, dtype in zip(tensors, self.otypes, strict=False))

    def _make_empty(self, shape: tuple[shapes.Dim, ...], outputs: list[Core] | None, core_dims: dict[str, Any]) -> Any:
        """Return the results where the function is not called at all."""
        if self.otypes is None:
            raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
        cores = outputs or [()] * len(self.otypes)
        if any(name not in core_dims for core in cores for name in core):
            raise ValueError(
                "cannot call `vectorize` with a signature including new output dimensions on size 0 inputs"
            )
        results = tuple(
            tf.zeros(shapes.shape_tensor((*shape, *(core_dims[name] for name in core))), dtype)
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
    return [dtypes.as_dtype(otype) for otype in otypes]


def _parse_signature(signature: Any) -> tuple[list[Core], list[Core]]:
    text = re.sub(r"\s+", "", signature)
    if not _SIGNATURE.match(text):
        raise ValueError(f"not a valid gufunc signature: {text}")
    inputs, outputs = (
        [tuple(re.findall(r"\w+", core)) for core in re.findall(_CORE, part)] for part in text.split("->")
    )
    return inputs, outputs


def _split_loop_shape(tensor: tf.Tensor, core: Core, core_dims: dict[str, shapes.Dim]) -> tuple[shapes.Dim, ...]:
    """Return the shape over which the function is called; record the core dimensions in `core_dims`."""
    shape = shapes.shape(tensor)
    if len(shape) < len(core):
        raise ValueError(f"{len(shape)}-dimensional argument does not have enough dimensions for all core dimensions")
    split = len(shape) - len(core)
    _check_core(core, shape[split:], core_dims)
    return shape[:split]


def _check_core(core: Core, shape: tuple[shapes.Dim, ...], core_dims: dict[str, shapes.Dim]) -> None:
    for name, dim in zip(core, shape, strict=True):
        other = core_dims.setdefault(name, dim)
        if isinstance(dim, int) and isinstance(other, int) and dim != other:
            raise ValueError(f"inconsistent size for core dimension {name!r}: {dim!r} vs {other!r}")


def _broadcast_core(
    tensor: tf.Tensor, shape: tuple[shapes.Dim, ...], loop_shape: tuple[shapes.Dim, ...], count: shapes.Dim
) -> tf.Tensor:
    """Return the arguments of all calls, one after another."""
    core = shapes.shape(tensor)[len(loop_shape) :]
    return shapes.reshape(shapes.broadcast_to(tensor, (*shape, *core)), (count, *core))
